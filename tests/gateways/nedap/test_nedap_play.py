"""A game over the wire: what each of two clients hears of moves, passes and the end."""

import pytest

from parlour.gateways.nedap import NedapOptions
from tests.gateways.nedap.peers import club, moves


async def test_a_game_from_ready_to_end_and_the_next_one() -> None:
    async with club() as room:
        black, white = await room.pair(5)
        await moves(black, white, "0 0", "1 1", "pass", "pass")
        for player in (black, white):
            assert await player.heard() == ["END 1 1"]

        white.send("GO 7")
        await white.hears("WAITING")
        black.send("GO 7")

        await black.hears("WAITING", "READY white bob 7")
        await white.hears("READY black alice 7")


async def test_end_is_the_last_line_of_its_segment() -> None:
    async with club() as room:
        black, white = await room.pair(5)
        await moves(black, white, "pass")

        white.send("PASS", "GO 5", "CHAT well played")

        data = await black.reader.readuntil(b"END 0 0\n")
        assert data == b"CHAT bob: well played\nPASSED white\nEND 0 0\n"
        assert await white.heard() == [
            "WARNING you are in a game already",
            "CHAT bob: well played",
            "PASSED white",
            "END 0 0",
        ]


async def test_white_has_the_last_pass() -> None:
    async with club() as room:
        black, white = await room.pair(5)
        await moves(black, white, "0 0", "pass", "pass")

        white.send("PASS")

        assert await white.heard() == ["PASSED white", "END 25 0"]


async def test_any_two_passes_end_the_game_by_option() -> None:
    async with club(NedapOptions(end="any")) as room:
        black, white = await room.pair(5)
        await moves(black, white, "0 0", "pass")

        black.send("PASS")

        assert await black.heard() == ["PASSED black", "END 25 0"]


ILLEGAL = {
    "occupied": (("1 1",), "MOVE 1 1", "white point 1,1 is occupied by black"),
    "off the board": ((), "MOVE 5 0", "black point 5,0 is off a board of size 5"),
    "negative": ((), "MOVE -1 7", "black point -1,7 is off a board of size 5"),
    "ko": (
        ("1 0", "2 0", "0 1", "3 1", "1 2", "2 2", "4 4", "1 1", "2 1"),
        "MOVE 1 1",
        "white superko: repeats the position after move 8",
    ),
    "suicide of a single stone": (
        ("4 4", "1 0", "pass", "0 1"),
        "MOVE 0 0",
        "black superko: repeats the position after move 4",
    ),
}


@pytest.mark.parametrize("kind", ILLEGAL)
async def test_an_illegal_move_loses_and_both_hear_the_rule(kind: str) -> None:
    before, move, invalid = ILLEGAL[kind]
    async with club() as room:
        black, white = await room.pair(5)
        await moves(black, white, *before)
        mover = (black, white)[len(before) % 2]

        mover.send(move)

        assert await mover.heard() == [f"INVALID {invalid}", "END -1 -1"]
        for player in (black, white):
            player.send("GO 9")
        assert "READY" in " ".join([*await black.heard(), *await white.heard()])


async def test_who_moves_illegally_is_disconnected_by_option() -> None:
    async with club(NedapOptions(kick="connection")) as room:
        black, white = await room.pair(5)

        black.send("MOVE 5 5")

        lost = ["INVALID black point 5,5 is off a board of size 5", "END -1 -1"]
        assert await black.rest() == lost
        assert await white.heard() == lost
        again = await room.peer("alice")
        again.send("GO 5")
        await again.hears("WAITING")


async def test_a_group_may_take_its_own_last_liberty() -> None:
    """Black joins 1 0 to 0 0 with white all around: both stones go, and 0 0 is free again."""
    async with club() as room:
        black, white = await room.pair(5)
        await moves(black, white, "0 0", "0 1", "4 4", "1 1", "4 3", "2 0", "1 0")

        white.send("MOVE 0 0")

        await white.hears("VALID white 0 0")


async def test_a_move_out_of_turn_is_only_warned_of() -> None:
    async with club() as room:
        black, white = await room.pair(5)

        white.send("MOVE 2 2", "PASS")

        assert await white.heard() == ["WARNING it is somebody else's turn"] * 2
        await moves(black, white, "2 2")


async def test_a_move_at_ready_out_of_turn_is_only_warned_of() -> None:
    """Real AI clients move as soon as they hear READY, whatever their colour."""
    async with club() as room:
        black, white = await room.peer("alice"), await room.peer("bob")
        black.send("GO 5")
        await black.hears("WAITING")
        white.send("GO 5", "MOVE 0 0", "PASS")
        heard = await white.heard()
        assert [line.split()[0] for line in heard].count("WARNING") == 2
        assert heard[0] == "WAITING"
        assert "READY white alice 5" in heard
        white.send("MOVE 0 0")
        await white.hears("WARNING it is somebody else's turn")
        await black.hears("READY black bob 5")
        await moves(black, white, "0 0", "1 1")


async def test_a_double_move_is_played_once() -> None:
    async with club() as room:
        black, white = await room.pair(5)

        black.send("MOVE 2 2", "MOVE 2 2")

        assert await black.heard() == ["VALID black 2 2", "WARNING it is somebody else's turn"]
        assert await white.heard() == ["VALID black 2 2"]


@pytest.mark.parametrize("in_turn", [True, False])
async def test_tableflip_loses_in_turn_and_out_of_it(in_turn: bool) -> None:
    async with club() as room:
        black, white = await room.pair(5)
        flipper, colour = (black, "black") if in_turn else (white, "white")

        flipper.send("TABLEFLIP")

        assert await flipper.heard() == [f"TABLEFLIPPED {colour}", "END -1 -1"]
        other = white if in_turn else black
        assert await other.heard() == [f"TABLEFLIPPED {colour}", "END -1 -1"]


async def test_moves_before_and_after_a_game_are_only_warned_of() -> None:
    async with club() as room:
        black, white = await room.pair(5)
        await moves(black, white, "pass", "pass")
        await black.hears("END 0 0")
        early = await room.peer("carol")
        early.send("GO 9")
        await early.hears("WAITING")

        for player in (black, early):
            player.send("MOVE 2 2", "PASS", "TABLEFLIP")
            assert await player.heard() == ["WARNING you are not in a game"] * 3


async def test_a_turn_that_takes_too_long_is_lost() -> None:
    async with club(NedapOptions(turn_limit=60)) as room:
        black, white = await room.pair(5)
        await moves(black, white, "2 2")

        await room.passes(60_000)

        for player in (black, white):
            assert await player.heard() == ["TABLEFLIPPED white", "END -1 -1"]


async def test_a_move_after_the_limit_is_too_late() -> None:
    async with club(NedapOptions(turn_limit=60)) as room:
        black, _ = await room.pair(5)
        room.clock.now += 60_000

        black.send("MOVE 2 2")

        assert await black.heard() == ["TABLEFLIPPED black", "END -1 -1"]


async def test_total_time_with_an_increment_by_option() -> None:
    async with club(NedapOptions(turn_limit=0, total=10, increment=5)) as room:
        black, white = await room.pair(5)
        room.clock.now += 9_000
        await moves(black, white, "2 2", "3 3")

        await room.passes(5_999)
        assert await black.heard() == []
        await room.passes(1)

        assert await black.heard() == ["TABLEFLIPPED black", "END -1 -1"]


async def test_no_limit_is_no_limit() -> None:
    async with club(NedapOptions(turn_limit=0)) as room:
        black, white = await room.pair(5)
        await room.passes(7 * 24 * 3600 * 1000)
        await moves(black, white, "2 2")


async def test_the_other_form_of_ready_by_option() -> None:
    async with club(NedapOptions(ready_form="table")) as room:
        black = await room.peer("alice")
        black.send("GO 5")
        white = await room.peer("bob")
        white.send("GO 5")

        for player in (black, white):
            await player.hears("WAITING", "READY 5 black alice white bob")


async def test_the_largest_board() -> None:
    async with club() as room:
        black, white = await room.pair(131)
        await moves(black, white, "130 130", "0 130")
