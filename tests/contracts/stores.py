"""What every store promises: an append-only log of many streams, all or nothing, in order."""

import asyncio
import hashlib
from collections.abc import Sequence

import pytest

from parlour.host import StaleVersionError, Store, Stored, StoreError, Write

SOON = 20.0  # seconds within which anything local has happened


async def appended(store: Store, *writes: Write) -> StoreError | None:
    """Append and wait for the answer."""
    done: asyncio.Future[StoreError | None] = asyncio.get_running_loop().create_future()
    store.append(writes, done.set_result)
    return await asyncio.wait_for(done, SOON)


async def everything(store: Store, after: int = 0) -> list[Stored]:
    """The whole log past a position."""
    return [one async for batch in store.read_all(after) for one in batch]


def numbered(stream: str, count: int, first: int = 0) -> Write:
    """Events that can be told apart."""
    texts = [b'{"n":%d}' % (first + number) for number in range(count)]
    return Write(stream, first, texts)


class Told:
    """The answers of several appends, in the order in which they came."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.errors: dict[str, StoreError | None] = {}

    def append(self, store: Store, name: str, writes: Sequence[Write]) -> None:
        def done(error: StoreError | None) -> None:
            assert asyncio.get_running_loop() is loop
            self.names.append(name)
            self.errors[name] = error

        loop = asyncio.get_running_loop()
        store.append(writes, done)

    async def all(self, count: int) -> None:
        async with asyncio.timeout(SOON):
            while len(self.names) < count:
                await asyncio.sleep(0)


class StoreContract:
    """Subclasses give a fixture `store` with an empty store that is closed afterwards."""

    async def test_a_stream_nobody_wrote_is_empty(self, store: Store) -> None:
        assert await store.read("match-none") == []
        assert await everything(store) == []

    async def test_events_come_back_in_order_past_a_version(self, store: Store) -> None:
        assert await appended(store, numbered("match-a", 3)) is None
        assert await appended(store, numbered("match-a", 2, first=3)) is None

        texts = [b'{"n":%d}' % number for number in range(5)]
        assert await store.read("match-a") == texts
        assert await store.read("match-a", 3) == texts[3:]
        assert await store.read("match-a", 5) == await store.read("match-a", 9) == []

    async def test_nothing_is_done_before_append_returns(self, store: Store) -> None:
        told = Told()
        told.append(store, "one", [numbered("match-a", 1)])
        assert told.names == []
        await told.all(1)

    async def test_answers_come_in_the_order_of_the_calls(self, store: Store) -> None:
        told = Told()
        names = [f"match-{number}" for number in range(50)]
        for name in names:
            told.append(store, name, [numbered(name, 1)])
        await told.all(50)

        assert told.names == names
        assert [one.stream for one in await everything(store)] == names

    async def test_appends_of_one_turn_may_build_on_each_other(self, store: Store) -> None:
        told = Told()
        for first in range(10):
            told.append(store, str(first), [numbered("match-a", 1, first)])
        await told.all(10)

        assert not any(told.errors.values())
        assert len(await store.read("match-a")) == 10

    async def test_several_streams_are_appended_together(self, store: Store) -> None:
        assert await appended(store, numbered("match-a", 2), numbered("room-b", 1)) is None

        log = await everything(store)
        assert [(one.stream, one.version) for one in log] == [
            ("match-a", 1),
            ("match-a", 2),
            ("room-b", 1),
        ]

    @pytest.mark.parametrize("expected", [0, 1, 3, 99])
    async def test_a_stale_version_writes_nothing(self, store: Store, expected: int) -> None:
        await appended(store, numbered("match-a", 2))
        stale = Write("match-a", expected, [b"{}"])

        error = await appended(store, numbered("match-b", 1), stale, numbered("match-c", 1))

        assert isinstance(error, StaleVersionError)
        assert len(await store.read("match-a")) == 2
        assert await store.read("match-b") == await store.read("match-c") == []

    async def test_one_stale_append_hurts_no_other(self, store: Store) -> None:
        await appended(store, numbered("match-a", 1))
        told = Told()
        told.append(store, "before", [numbered("match-b", 1)])
        told.append(store, "stale", [numbered("match-b", 2, 1), numbered("match-a", 1)])
        told.append(store, "after", [numbered("match-b", 1, 1), numbered("match-a", 1, 1)])
        await told.all(3)

        assert told.errors["before"] is told.errors["after"] is None
        assert isinstance(told.errors["stale"], StaleVersionError)
        assert await store.read("match-b") == [b'{"n":0}', b'{"n":1}']

    async def test_a_stream_twice_in_one_append_is_stale(self, store: Store) -> None:
        told = Told()
        told.append(store, "twice", [numbered("match-a", 1), Write("match-a", 0, [b"[]"])])
        told.append(store, "other", [numbered("match-b", 1)])
        await told.all(2)

        assert isinstance(told.errors["twice"], StaleVersionError)
        assert told.errors["other"] is None
        assert await store.read("match-a") == []

    async def test_positions_rise_and_reading_goes_on_from_any(self, store: Store) -> None:
        for number in range(30):
            await appended(store, numbered(f"match-{number % 3}", 2, number // 3 * 2))

        log = await everything(store)
        positions = [one.position for one in log]
        assert positions == sorted(set(positions))
        assert len(log) == 60
        for index in (0, 1, 29, 58, 59):
            assert await everything(store, positions[index]) == log[index + 1 :]
        assert await everything(store, positions[-1] + 5) == []

    async def test_both_ways_of_reading_agree(self, store: Store) -> None:
        await appended(store, numbered("match-a", 3), numbered("match-b", 2))
        await appended(store, numbered("match-a", 1, 3))

        log = await everything(store)
        for stream in ("match-a", "match-b"):
            mine = [one for one in log if one.stream == stream]
            assert [one.version for one in mine] == list(range(1, len(mine) + 1))
            assert [one.data for one in mine] == await store.read(stream)

    @pytest.mark.parametrize(
        "text",
        ["{}", '"\\u0000\\n\\"\\\\"', '"日本 🙌 \u2028 e\u0301"', '{"a":[1.5,null,true]}', "1e3"],
    )
    async def test_text_comes_back_as_it_was(self, store: Store, text: str) -> None:
        await appended(store, Write("match-ü🙌", 0, [text.encode()]))
        assert await store.read("match-ü🙌") == [text.encode()]
        assert (await everything(store))[0].stream == "match-ü🙌"

    async def test_an_event_may_be_large(self, store: Store) -> None:
        large = b'"' + hashlib.sha256(b"seed").hexdigest().encode() * 50_000 + b'"'
        assert await appended(store, Write("match-a", 0, [large, b"{}"])) is None
        assert await store.read("match-a") == [large, b"{}"]

    async def test_ten_thousand_streams(self, store: Store) -> None:
        told = Told()
        for number in range(10_000):
            told.append(store, str(number), [numbered(f"match-{number}", 3)])
        await told.all(10_000)

        assert not any(told.errors.values())
        assert len(await everything(store)) == 30_000
        assert await store.read("match-9999", 1) == [b'{"n":1}', b'{"n":2}']

    async def test_closing_finishes_what_was_asked(self, store: Store) -> None:
        told = Told()
        for number in range(5):
            told.append(store, str(number), [numbered(f"match-{number}", 1)])
        await store.close()

        assert told.names == ["0", "1", "2", "3", "4"]
        assert not any(told.errors.values())
