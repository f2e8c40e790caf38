"""A return to large rooms, and talk in them, must not cut the stream of everybody."""

import pytest

from parlour.gateways.mug import _pulse
from tests.gateways.mug.stage import Stage

USERS = [f"user{number}" for number in range(8)]
PING = "<ping xmlns='urn:xmpp:ping'"


class Pipe:
    """A server that takes what was said only when told to."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._taken = len(stage.said)
        stage.gateway.paced_by(self.unsent)

    def unsent(self) -> int:
        return sum(len(one.encode()) for one in self._stage.said[self._taken :])

    def takes(self) -> list[str]:
        """All that was unsent."""
        said = self._stage.said[self._taken :]
        self._taken += len(said)
        self._stage.gateway.drained()
        return said


def asked(said: list[str]) -> list[str]:
    """The full JIDs that were asked for a sign."""
    return [one.partition(" to='")[2].partition("'")[0] for one in said if PING in one]


async def test_after_a_lost_stream_no_more_is_said_at_once_than_is_taken(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_pulse, "LITTLE", 5000)
    await stage.table(*USERS)
    pipe = Pipe(stage)
    stage.gateway.disconnected()
    stage.gateway.connected()
    heard: list[str] = []
    while pipe.unsent():
        assert pipe.unsent() < 5000 + 3000  # one welcome is under 3,000 bytes
        heard += asked(pipe.takes())
    assert heard == [f"{user}@example.org/home" for user in USERS]


async def test_a_second_loss_does_not_begin_from_the_front(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_pulse, "LITTLE", 5000)
    await stage.table(*USERS)
    pipe = Pipe(stage)
    stage.gateway.disconnected()
    stage.gateway.connected()
    assert asked(pipe.takes()) == [f"user{number}@example.org/home" for number in range(3)]
    stage.gateway.disconnected()
    pipe.takes()
    stage.gateway.connected()
    assert asked(pipe.takes())[:2] == [f"user{number}@example.org/home" for number in (6, 7)]


async def test_who_waits_to_be_asked_does_not_wait_twice(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_pulse, "LITTLE", 0)
    await stage.table(*USERS)
    pipe = Pipe(stage)
    for later in (700_000, 11_000, 11_000):
        stage.now += later
        stage.gateway.tick()
    heard: list[str] = []
    while pipe.unsent():
        heard += asked(pipe.takes())
    assert len(heard) == len(set(heard))
