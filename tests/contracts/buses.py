"""What every bus promises: a ring reaches the other hosts, later; a closed bell is dead."""

import asyncio
from collections.abc import Callable

import pytest

from parlour.host import Bus

SOON = 20.0  # seconds within which anything local has happened


class Ear:
    """What one host hears, and whether it was in the event loop."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._loop = asyncio.get_running_loop()

    def __call__(self, stream: str) -> None:
        assert asyncio.get_running_loop() is self._loop
        self.heard.append(stream)


async def until(holds: Callable[[], bool]) -> None:
    """Wait for a ring."""
    async with asyncio.timeout(SOON):
        while not holds():
            await asyncio.sleep(0)


class BusContract:
    """Subclasses give a fixture `bus` with a bus that nobody has joined."""

    async def test_a_ring_is_heard_by_all_others_and_not_by_the_ringer(self, bus: Bus) -> None:
        ears = [Ear(), Ear(), Ear()]
        bells = [bus.connect(ear) for ear in ears]
        for number, bell in enumerate(bells):
            bell.ring(f"match-{number}")
        await until(lambda: all(len(ear.heard) == 2 for ear in ears))
        assert [sorted(ear.heard) for ear in ears] == [
            ["match-1", "match-2"],
            ["match-0", "match-2"],
            ["match-0", "match-1"],
        ]

    async def test_nothing_is_heard_before_ring_returns(self, bus: Bus) -> None:
        one, other = bus.connect(Ear()), Ear()
        bus.connect(other)
        one.ring("match-1")
        assert other.heard == []
        await until(lambda: bool(other.heard))

    async def test_who_is_alone_rings_for_nobody(self, bus: Bus) -> None:
        ear, late = Ear(), Ear()
        alone = bus.connect(ear)
        alone.ring("match-1")
        bus.connect(late)
        alone.ring("match-2")
        await until(lambda: "match-2" in late.heard)
        assert (ear.heard, late.heard) == ([], ["match-2"])

    async def test_a_closed_bell_hears_nothing_not_even_what_was_on_its_way(self, bus: Bus) -> None:
        one, left, stays = bus.connect(Ear()), Ear(), Ear()
        leaving = bus.connect(left)
        bus.connect(stays)
        one.ring("match-1")
        leaving.close()
        one.ring("match-2")
        await until(lambda: len(stays.heard) == 2)
        assert left.heard == []

    async def test_a_closed_bell_says_nothing(self, bus: Bus) -> None:
        one, left, ears = bus.connect(Ear()), bus.connect(Ear()), [Ear(), Ear()]
        for ear in ears:
            bus.connect(ear)
        left.close()
        left.close()
        left.ring("match-1")
        one.ring("match-2")
        await until(lambda: all("match-2" in ear.heard for ear in ears))
        assert [ear.heard for ear in ears] == [["match-2"]] * 2

    async def test_a_listener_may_ring_and_close(self, bus: Bus) -> None:
        answers = Ear()

        def answer(stream: str) -> None:
            echo.ring(f"{stream} again")
            echo.close()

        one, echo = bus.connect(answers), bus.connect(answer)
        one.ring("match-1")
        one.ring("match-2")
        await until(lambda: bool(answers.heard))
        assert answers.heard == ["match-1 again"]

    async def test_a_listener_that_fails_keeps_nobody_else_from_hearing(self, bus: Bus) -> None:
        mistakes: list[object] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: mistakes.append(context["exception"])
        )

        def fail(stream: str) -> None:
            raise ZeroDivisionError

        one, other = bus.connect(Ear()), Ear()
        bus.connect(fail)
        bus.connect(other)
        one.ring("match-1")
        one.ring("match-2")
        await until(lambda: len(other.heard) == 2)
        assert {type(mistake) for mistake in mistakes} == {ZeroDivisionError}

    @pytest.mark.parametrize("stream", ["match-1", "room-ü🙌", "match-a b\n"])
    async def test_a_name_is_heard_as_it_was_rung(self, bus: Bus, stream: str) -> None:
        one, other = bus.connect(Ear()), Ear()
        bus.connect(other)
        one.ring(stream)
        await until(lambda: other.heard == [stream])
