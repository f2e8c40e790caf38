"""Whole games of textbook clients over real sockets, by the flow chart's numbers."""

import asyncio

from parlour.match import MatchEnded, MovePlayed, Status
from tests.gateways.textbook.peers import Peer, table

WON_1, WON_2, DRAW, CONTINUE = 1, 2, 3, 4


async def exchange(mover: Peer, other: Peer, row: int, column: int) -> None:
    mover.mark(row, column)
    assert await other.ints(3) == (CONTINUE, row, column)


async def test_player_1_wins_and_player_2_hears_the_last_move() -> None:
    async with table() as room:
        first, second = await room.pair()
        await exchange(first, second, 0, 0)
        await exchange(second, first, 1, 1)
        await exchange(first, second, 0, 1)
        await exchange(second, first, 2, 2)

        first.mark(0, 2)

        assert await first.rest() == (WON_1,)
        assert await second.rest() == (WON_1, 0, 2)


async def test_player_2_wins_and_player_1_hears_the_last_move() -> None:
    async with table() as room:
        first, second = await room.pair()
        for mover, other, row, column in (
            (first, second, 0, 0),
            (second, first, 1, 0),
            (first, second, 0, 1),
            (second, first, 1, 1),
            (first, second, 2, 2),
        ):
            await exchange(mover, other, row, column)

        second.mark(1, 2)

        assert await second.rest() == (WON_2,)
        assert await first.rest() == (WON_2, 1, 2)


async def test_a_full_board_is_a_draw() -> None:
    async with table() as room:
        first, second = await room.pair()
        cells = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (1, 2), (2, 1), (2, 0)]
        for number, (row, column) in enumerate(cells):
            mover, other = (first, second) if number % 2 == 0 else (second, first)
            await exchange(mover, other, row, column)

        first.mark(2, 2)

        assert await first.rest() == (DRAW,)
        assert await second.rest() == (DRAW, 2, 2)


async def test_a_move_is_in_the_log_before_the_other_player_hears_it() -> None:
    async with table() as room:
        first, second = await room.pair()
        (stream,) = room.service.host.directory.unfinished
        await exchange(first, second, 2, 0)

        history = await room.service.host.history(stream)

        assert [record.event.move for record in history if type(record.event) is MovePlayed] == [
            "0,2"
        ]


async def test_a_move_may_come_in_single_bytes() -> None:
    async with table() as room:
        first, second = await room.pair()
        for byte in b"\0\0\0\1\0\0\0\2":
            first.write(bytes((byte,)))
            await first.writer.drain()
        assert await second.ints(3) == (CONTINUE, 1, 2)


async def test_an_occupied_cell_loses_and_is_not_overwritten() -> None:
    async with table() as room:
        first, second = await room.pair()
        await exchange(first, second, 1, 1)

        second.mark(1, 1)

        assert await first.rest() == (WON_1,)
        assert await second.rest() == (WON_1, 1, 1)


async def test_a_cell_off_the_board_loses() -> None:
    for row, column in ((-1, 0), (0, 3), (2**31 - 1, 0), (-(2**31), -1)):
        async with table() as room:
            first, second = await room.pair()
            first.mark(row, column)
            assert await second.rest() == (WON_2,)
            assert await first.rest() == (WON_2,)


async def test_a_move_out_of_turn_loses() -> None:
    async with table() as room:
        first, second = await room.pair()
        second.mark(0, 0)
        assert await first.rest() == (WON_1,)
        assert await second.rest() == (WON_1,)


async def test_two_moves_in_one_segment_lose_by_the_second() -> None:
    async with table() as room:
        first, second = await room.pair()
        first.write(b"\0" * 16)
        assert await second.rest() == (CONTINUE, 0, 0, WON_2)
        assert await first.rest() == (WON_2,)


async def test_a_move_before_an_opponent_came_closes_without_a_match() -> None:
    async with table() as room:
        hasty = await room.peer()
        assert await hasty.ints(1) == (1,)
        hasty.mark(0, 0)
        assert await hasty.rest() == ()

        await room.pair()
        assert len(room.service.host.directory.unfinished) == 1


async def test_a_newcomer_is_not_paired_with_one_who_left() -> None:
    async with table() as room:
        gone = await room.peer()
        assert await gone.ints(1) == (1,)
        gone.write(b"\0\0")
        await gone.close()

        first, second = await room.pair()
        await exchange(first, second, 0, 0)


async def test_who_disconnects_loses() -> None:
    async with table() as room:
        first, second = await room.pair()
        await exchange(first, second, 0, 0)
        first.reset()
        assert await second.rest() == (WON_2,)


async def test_who_thinks_while_the_other_leaves_hears_it_behind_the_next_move() -> None:
    # A real client does not read before its person has clicked: seen with JavaFX, a minute late.
    async with table() as room:
        first, second = await room.pair()
        second.reset()
        while room.service.host.directory.unfinished:
            await asyncio.sleep(0)
        for half in (b"\0\0\0\1", b"\0\0\0\1"):
            first.write(half)
            await first.writer.drain()
        assert await first.rest() == (WON_1,)


async def test_a_half_sent_move_and_silence_lose_at_the_turn_limit() -> None:
    async with table(turn_limit=1) as room:
        first, second = await room.pair()
        first.write(b"\0\0\0\1\0")
        assert await second.rest() == (WON_2,)
        assert await first.rest() == (WON_2,)


async def test_the_match_is_recorded_with_its_result() -> None:
    async with table() as room:
        first, second = await room.pair()
        (stream,) = room.service.host.directory.unfinished
        second.reset()
        assert await first.rest() == (WON_1,)

        history = await room.service.host.history(stream)
        assert isinstance(history[-1].event, MatchEnded)
        assert history[-1].state.status is Status.OVER
