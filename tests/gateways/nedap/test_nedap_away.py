"""Players who go and come back, at the same address or another, and servers that do."""

from pathlib import Path

import pytest

from parlour.games import Refused
from parlour.gateways.nedap import NedapGateway, NedapOptions
from parlour.host import Write
from parlour.match import (
    AbortCause,
    AbortMatch,
    ComeBack,
    ForfeitCause,
    ForfeitSeat,
    GoAway,
    MovePlayed,
)
from parlour.stores import MemoryStore, SqliteStore
from tests.contracts.stores import appended
from tests.gateways.nedap.peers import Club, Peer, club, moves
from tests.host.wall import turns
from tests.match.tables import MATCHES
from tests.service import NOW, Clock

PLAYED = ("1 1", "3 3", "pass")
STORY = ["READY black bob 5", "VALID black 1 1", "VALID white 3 3", "PASSED black"]


async def away(room: Club, gone: Peer, other: Peer, name: str = "alice") -> None:
    """`gone` loses the connection and `other` hears of it."""
    gone.reset()
    await other.hears(f"CHAT server: {name} is away, 30 s")


async def test_who_comes_back_hears_the_whole_game_and_plays_on() -> None:
    async with club() as room:
        black, white = await room.pair()
        await moves(black, white, *PLAYED)
        await away(room, black, white)

        back = await room.peer()
        back.send("PLAYER alice")

        await back.hears(*STORY)
        await white.hears("CHAT server: alice is back")
        await moves(white, back)
        white.send("PASS")
        assert await back.heard() == ["PASSED white", "END 1 1"]


async def test_who_comes_back_twice() -> None:
    async with club() as room:
        black, white = await room.pair()
        await moves(black, white, *PLAYED)
        for _ in range(2):
            await away(room, black, white)
            black = await room.peer()
            black.send("PLAYER alice", "GO 5")
            await black.hears("WAITING", *STORY)
            await white.hears("CHAT server: alice is back")
        await room.passes(60_000)
        assert await white.heard() == []


async def test_the_newest_connection_has_the_seat() -> None:
    """The line was cut and the server does not know it yet: the old socket is still open."""
    async with club() as room:
        black, white = await room.pair()
        await moves(black, white, *PLAYED)

        newer = await room.peer()
        newer.send("PLAYER alice")

        await newer.hears(*STORY)
        assert await black.rest() == ["WARNING alice has logged in again"]
        await white.hears("CHAT server: alice is away, 30 s", "CHAT server: alice is back")
        white.send("MOVE 0 0")
        await newer.hears("VALID white 0 0")
        await room.passes(60_000)
        assert await newer.heard() == []


async def test_what_an_old_connection_says_is_not_heard() -> None:
    async with club() as room:
        black, _ = await room.pair()
        newer = await room.peer()

        newer.send("PLAYER alice")
        black.send("TABLEFLIP")

        await newer.hears("READY black bob 5")
        assert await newer.heard() == []


async def test_a_name_in_a_game_is_kept_from_other_addresses() -> None:
    async with club() as room:
        black, white = await room.pair()
        elsewhere = await room.peer(address="127.0.0.2")
        elsewhere.send("PLAYER alice")
        await elsewhere.hears("WARNING the name alice is taken: choose another")
        await away(room, black, white)

        elsewhere.send("PLAYER alice")
        await elsewhere.hears("WARNING alice is in a game and may come back: choose another name")
        await room.passes(30_000)
        assert await white.heard() == ["TABLEFLIPPED black", "END -1 -1"]

        elsewhere.send("PLAYER alice", "GO 5")
        await elsewhere.hears("WAITING")


async def test_the_grace_ends_on_time() -> None:
    async with club() as room:
        black, white = await room.pair()
        await away(room, black, white)
        await room.passes(29_999)
        assert await white.heard() == []
        await room.passes(1)
        assert await white.heard() == ["TABLEFLIPPED black", "END -1 -1"]


async def test_the_end_comes_to_who_was_away_for_the_last_move() -> None:
    async with club() as room:
        black, white = await room.pair()
        await moves(black, white, *PLAYED)
        await away(room, black, white)
        white.send("TABLEFLIP")
        assert await white.heard() == ["TABLEFLIPPED white", "END -1 -1"]

        back = await room.peer("alice")

        back.send("GO 5")
        assert await back.heard() == ["WAITING"]


async def test_two_who_are_away_come_back() -> None:
    async with club() as room:
        black, white = await room.pair()
        await away(room, black, white)
        white.reset()
        back = await room.peer()
        back.send("PLAYER alice")

        await back.hears("READY black bob 5", "CHAT server: bob is away, 30 s")
        other = await room.peer()
        other.send("PLAYER bob")
        await other.hears("READY white alice 5")
        await back.hears("CHAT server: bob is back")
        await moves(back, other, "2 2")


async def test_without_grace_a_disconnect_loses_and_nobody_takes_the_seat() -> None:
    async with club(NedapOptions(grace=0)) as room:
        black, white = await room.pair()
        other = await room.peer()
        other.send("PLAYER alice")
        await other.hears("WARNING the name alice is taken: choose another")

        black.reset()

        await white.hears("TABLEFLIPPED black", "END -1 -1")
        other.send("PLAYER alice", "GO 5")
        await other.hears("WAITING")


async def test_an_operator_takes_a_seat_or_ends_a_match() -> None:
    async with club() as room:
        black, white = await room.pair()
        (stream,) = room.streams()
        room.service.host.submit(stream, ForfeitSeat(1, ForfeitCause.OPERATOR))
        for player in (black, white):
            assert await player.heard() == ["TABLEFLIPPED white", "END -1 -1"]
            player.send("GO 5")
            await player.hears("WAITING")
        (stream,) = room.streams()
        room.service.host.submit(stream, AbortMatch(AbortCause.OPERATOR, "maintenance"))
        assert (await black.heard())[-2:] == [
            "CHAT server: the game is called off: maintenance",
            "END 0 0",
        ]


# Restarts


async def halt(room: Club) -> None:
    """The service stops; its players stay where they are."""
    await room.service.desk.close()
    await room.service.host.close()


@pytest.fixture(params=["memory", "sqlite"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> "Stores":
    return Stores(request.param, tmp_path / "log.sqlite3")


class Stores:
    """The same log, opened again after each stop."""

    def __init__(self, kind: str, path: Path) -> None:
        self._path = path if kind == "sqlite" else None
        self._memory = MemoryStore()

    def open(self) -> MemoryStore | SqliteStore:
        return self._memory if self._path is None else SqliteStore(self._path)


async def test_a_stopping_server_says_so_and_the_game_goes_on_when_both_are_back(
    stores: Stores,
) -> None:
    async with club(store=stores.open()) as room:
        black, white = await room.pair()
        await moves(black, white, *PLAYED)
        await room.service.desk.close()
        for player in (black, white):
            assert await player.rest() == [
                "WARNING the server stops; your game goes on when it runs again"
            ]

    async with club(store=stores.open()) as room:
        black = await room.peer()
        black.send("PLAYER alice", "GO 5")
        await black.hears(
            "WAITING", "CHAT server: your game with bob goes on in 120 s at the latest"
        )
        black.send("MOVE 0 0", "CANCEL")
        assert await black.heard() == [
            "WARNING you are not in a game",
            "WARNING you do not wait for a game",
        ]

        white = await room.peer()
        white.send("PLAYER bob")

        await black.hears(*STORY)
        await white.hears("READY white alice 5", *STORY[1:])
        white.send("MOVE 0 0")
        await black.hears("VALID white 0 0")


async def test_who_does_not_come_back_after_a_restart_has_the_grace_then(stores: Stores) -> None:
    async with club(store=stores.open()) as room:
        black, white = await room.pair()
        await moves(black, white, *PLAYED)
        await room.service.desk.close()

    async with club(store=stores.open()) as room:
        white = await room.peer()
        white.send("PLAYER bob")
        await white.hears("CHAT server: your game with alice goes on in 120 s at the latest")
        await room.passes(120_000)
        await white.hears("READY white alice 5", *STORY[1:], "CHAT server: alice is away, 30 s")
        await room.passes(30_000)
        await white.hears("TABLEFLIPPED black", "END -1 -1")


async def test_a_game_that_nobody_comes_back_to_is_called_off() -> None:
    store = MemoryStore()
    async with club(store=store) as room:
        await room.pair()
        await room.service.desk.close()

    async with club(store=store) as room:
        black = await room.peer()
        black.send("PLAYER alice")
        await black.line()
        black.reset()
        other = await room.peer("carol")
        assert len(room.streams()) == 1
        await room.passes(120_000)
        assert await other.heard() == []
        assert room.streams() == []


@pytest.mark.parametrize("down", [1, 86_400, -86_400], ids=["a second", "a day", "set back"])
async def test_the_time_while_the_server_was_down_costs_nobody_a_turn(
    down: int, stores: Stores
) -> None:
    """The server is killed early in a turn: what it recorded last is the move before."""
    options, clock = NedapOptions(turn_limit=60), Clock()
    async with club(options, stores.open(), lambda: clock) as room:
        black, white = await room.pair()
        await moves(black, white, "1 1")
        clock.now += 1_000
        await room.service.desk.close()

    clock.now += down * 1000
    async with club(options, stores.open(), lambda: clock) as room:
        white = await room.peer()
        white.send("PLAYER bob")
        await white.hears("CHAT server: your game with alice goes on in 120 s at the latest")
        await room.passes(119_999)
        black = await room.peer()
        black.send("PLAYER alice")
        await black.hears("READY black bob 5", "VALID black 1 1")
        await white.hears("READY white alice 5", "VALID black 1 1")
        await room.passes(59_999)
        white.send("PASS")
        await black.hears("PASSED white")
        await room.passes(60_000)
        await white.hears("PASSED white", "TABLEFLIPPED black", "END -1 -1")


async def test_without_grace_nobody_is_recognised_after_a_restart() -> None:
    store = MemoryStore()
    async with club(NedapOptions(grace=0), store=store) as room:
        await room.pair()
        await room.service.desk.close()

    async with club(NedapOptions(grace=0), store=store) as room:
        black = await room.peer("alice")
        assert await black.heard() == []
        assert room.streams() == []


async def test_a_game_that_cannot_be_read_keeps_nobody_from_the_next_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = MemoryStore()
    async with club(store=store) as room:
        black, white = await room.pair()
        await moves(black, white, "1 1")
        (stream,) = room.streams()
        await room.service.desk.close()
    version = len(await store.read(stream))
    of_seat_9 = MATCHES.encode(MovePlayed(NOW, 9, "2,2"))
    assert await appended(store, Write(stream, version, [of_seat_9])) is None

    async with club(store=store) as room:
        black, white = await room.peer(), await room.peer()
        for player, name in ((black, "alice"), (white, "bob")):
            player.send(f"PLAYER {name}", "GO 5")
        why = f"WARNING {stream} cannot be read; the log of the service says why: try GO again"
        for player in (black, white):  # neither waits for the other
            assert await player.heard() == ["WAITING", why]
        assert room.streams() == []
        black.reset()
        black = await room.peer("alice")
        for player in (black, white):
            player.send("GO 5")
            await player.hears("WAITING")
        assert "READY" in await black.line()
    assert [one.getMessage().partition(":")[0] for one in caplog.records] == [
        f"event {version + 1} of {stream} cannot be read"
    ]


async def test_who_has_come_back_too_often_is_told_and_plays_on() -> None:
    async with club() as room:
        black, white = await room.pair()
        await away(room, black, white)
        (stream,) = room.streams()
        alice = "nedap:alice 127.0.0.1"
        refused: list[Refused] = []
        while not refused:
            for command in (ComeBack(alice), GoAway(alice)):
                room.service.host.submit(stream, command, refused.append)
            await turns()
        await white.heard()

        back = await room.peer()
        back.send("PLAYER alice", "GO 5")
        said = sorted([await back.line(), await back.line(), await back.line()])
        assert said == [
            "READY black bob 5",
            "WAITING",
            "WARNING you have come and gone too often: you count as away until the next move",
        ]
        await moves(back, white, "1 1")


async def test_a_player_meets_one_of_another_gateway_with_other_options() -> None:
    """Two doors to one service: a match is made for a game, never for a protocol."""
    async with club() as room:
        strict = NedapGateway(NedapOptions(ready_form="table"), room.service.host.directory)
        port = await room.service.listen(strict.session)
        black = await room.peer("alice")
        black.send("GO 5")
        white = await Peer.connect(port)
        white.send("PLAYER bob", "GO 5")
        await white.hears("WAITING", "READY 5 black alice white bob")
        await black.hears("WAITING", "READY black bob 5")
        await white.close()
