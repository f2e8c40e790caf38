"""A huge match is read and told beside the loop that everybody's moves wait for."""

import asyncio
import gc
import sys
import threading
import time
from collections.abc import Awaitable, Iterator
from typing import Any

import msgspec
import pytest

from parlour.cli import GAMES
from parlour.cli._garbage import collect_seldom
from parlour.cli._serve import SWITCH_INTERVAL
from parlour.host import StoreError, Write
from parlour.match import ComeBack, CreateMatch, MatchAggregate, Newcomer, PlayMove, Terms
from parlour.stores import MemoryStore
from tests.gateways.web.browsers import Tab, house
from tests.gateways.web.test_web_catalogue import FAR

pytestmark = pytest.mark.slow

MATCH = "match-filled"
SIZE = 131
HELD_UP = 0.010  # seconds that a move of others may wait
# Points that leave each other a liberty, in an order that jumps about the board.
POINTS = [f"{x},{y}" for y in range(SIZE) for x in range(SIZE) if (x + 2 * y) % 5 < 3]
MOVES = [POINTS[number * 4201 % len(POINTS)] for number in range(len(POINTS))]


async def filled() -> MemoryStore:
    """A log with a game on 131x131 that has come to ten thousand stones."""
    aggregate, state, log = MatchAggregate(GAMES), None, []
    terms = Terms(ready=True)
    sitters = tuple(Newcomer(f"nedap:{name}", name, terms) for name in ("ann", "ben"))
    commands: list[Any] = [CreateMatch("go", {"size": SIZE}, sitters)]
    commands += [
        PlayMove(f"nedap:{('ann', 'ben')[number % 2]}", move) for number, move in enumerate(MOVES)
    ]
    for command in commands:
        for event in aggregate.decide(state, command, 7):
            state = aggregate.evolve(state, event)
            log.append(aggregate.encode(event))
    store = MemoryStore()
    done: asyncio.Future[StoreError | None] = asyncio.get_running_loop().create_future()
    store.append([Write(MATCH, 0, log)], done.set_result)
    assert await done is None
    return store


async def longest_wait(work: Awaitable[Any]) -> float:
    """The longest time that the loop's thread spends on one thing while something is done.

    It is processor time: how many other programs there are makes no difference.
    """
    longest = 0.0

    async def look() -> None:
        nonlocal longest
        while True:
            begin = time.thread_time()
            await asyncio.sleep(0)
            longest = max(longest, time.thread_time() - begin)

    looking = asyncio.create_task(look())
    await work
    looking.cancel()
    return longest


async def get(port: int, path: str) -> None:
    """Ask for something about the match, and do not look at it: that would take time here."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        f"GET /api/matches/{MATCH}{path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode()
    )
    assert b" 200 " in await reader.readline()
    while await reader.read(1 << 16):
        pass
    writer.close()


@pytest.fixture
def as_served() -> Iterator[None]:
    """The interpreter changes threads and collects garbage as it does in `parlour serve`."""
    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(SWITCH_INTERVAL)
    collect_seldom()
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*thresholds)
    gc.unfreeze()


@pytest.mark.usefixtures("as_served")
@pytest.mark.parametrize("path", ["", "/moves", "/record.json"])
async def test_nobody_waits_for_what_is_told_of_ten_thousand_stones(path: str) -> None:
    async with house(store=await filled()) as doors:
        waits = [await longest_wait(get(doors.port, path)) for _ in range(3)]

    assert min(waits) < HELD_UP


@pytest.mark.usefixtures("as_served")
async def test_nobody_waits_for_ten_thousand_stones_to_be_taken_up() -> None:
    waits = []
    for _ in range(3):
        async with house(store=await filled()) as doors:
            waits.append(await longest_wait(doors.service.host.state(MATCH)))
            match, _ = await doors.service.host.state(MATCH)
            assert match.position.ply == len(MOVES)

    assert min(waits) < HELD_UP


@pytest.mark.usefixtures("as_served")
async def test_nobody_waits_for_ten_thousand_stones_to_be_watched() -> None:
    async with house(store=await filled()) as doors, doors.guest() as eve:
        waits = []
        for _ in range(3):
            async with eve.tab() as tab:
                waits.append(await longest_wait(watch(tab)))
                state = msgspec.json.decode(await tab.socket.recv())
            while doors.gateway.hall.existing(MATCH) is not None:
                await asyncio.sleep(0)

    assert len(state["match"]["moves"]) == len(MOVES)
    assert min(waits) < HELD_UP


async def watch(tab: Tab) -> None:
    """Ask for the match; the answer is not taken off the wire."""
    await tab.socket.send(msgspec.json.encode({"type": "watch", "match": MATCH}).decode())
    while not tab.socket.recv_messages.frames.queue:
        await asyncio.sleep(0)


async def test_a_move_after_ten_thousand_is_told_like_any_other() -> None:
    store = await filled()
    async with house(store=store) as doors, doors.guest() as eve, eve.tab() as tab:
        state = await tab.watch(MATCH)
        version = state["version"]
        host = doors.service.host
        for name in ("ann", "ben"):
            host.submit(MATCH, ComeBack(f"nedap:{name}"))
        await tab.event(MATCH, "resumed")
        turn = tab.matches[MATCH]["situation"]["turn"]
        host.submit(MATCH, PlayMove(f"nedap:{('ann', 'ben')[turn]}", "pass"))
        await tab.ply(MATCH, len(MOVES) + 1)

    assert tab.matches[MATCH]["version"] > version
    assert tab.matches[MATCH]["moves"][-1]["move"] == "pass"


async def test_who_watches_waits_while_too_many_others_are_read() -> None:
    async with house(store=await filled()) as doors, doors.guest() as eve, eve.tab() as tab:
        errands = doors.gateway.hall.tables.errands
        over = threading.Event()
        others = [asyncio.create_task(errands.do(over.wait)) for _ in range(32)]
        await asyncio.sleep(0)
        await tab.say("watch", match=MATCH)
        await tab.ask("ping")
        before = list(tab.matches)
        over.set()
        await asyncio.gather(*others)
        await tab.until("you")

    assert before == []
    assert list(tab.matches) == [MATCH]


async def test_whoever_asks_for_many_long_matches_has_to_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("parlour.gateways.web._tables.LOOKS", 1)  # a second, on a slow machine too
    async with house(store=await filled()) as doors, doors.guest() as eve:
        eve.http.headers["X-Forwarded-For"] = FAR
        answers = [
            (await eve.http.get(f"/api/matches/{MATCH}/moves")).status_code for _ in range(8)
        ]

    assert answers[:3] == [200] * 3
    assert answers[-1] == 429


async def test_what_is_asked_for_at_once_is_read_one_after_the_other_and_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("parlour.gateways.web._tables.LOOKS", 1)
    async with house(store=await filled()) as doors, doors.guest() as eve:
        eve.http.headers["X-Forwarded-For"] = FAR
        asked = [eve.http.get(f"/api/matches/{MATCH}/moves") for _ in range(8)]
        answers = [answer.status_code for answer in await asyncio.gather(*asked)]

    assert answers.count(200) == 5  # 8 looks, and 20 more for each that was read, of 100
    assert answers.count(429) == 3


async def test_whoever_asks_for_a_long_match_that_a_page_watches_has_to_wait_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("parlour.gateways.web._tables.LOOKS", 1)
    async with house(store=await filled()) as doors, doors.guest() as eve, eve.tab() as tab:
        watched = await tab.watch(MATCH)
        eve.http.headers["X-Forwarded-For"] = FAR
        answers = [await eve.http.get(f"/api/matches/{MATCH}") for _ in range(8)]

    assert [answer.status_code for answer in answers[:3]] == [200] * 3
    assert answers[-1].status_code == 429
    assert answers[0].json() == watched
