"""Roles, start, turns, end (proto-XEP "Occupant Use Cases", Tic-tac-toe document 4 to 7)."""

from collections.abc import AsyncIterator

import pytest

from tests.gateways.mug.stage import (
    MUG,
    ROOM,
    Stage,
    occupant,
    on_stage,
    state,
    turn,
)

BEGUN = f"<message from='{ROOM}/anna'><start xmlns='{MUG}#user'/></message>"


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with on_stage() as stage:
        yield stage


async def test_two_play_to_the_end_and_the_other_role_begins_the_next_round(stage: Stage) -> None:
    anna, ben, carl = await stage.table("anna", "ben", "carl")
    anna.takes_role("x")
    ben.takes_role("o")
    for seer in (ben, carl):
        await seer.hears(occupant("anna", "owner", "x"), occupant("ben", "none", "o"))
    await anna.hears(
        occupant("anna", "owner", "x", jid=anna.jid), occupant("ben", "none", "o", jid=ben.jid)
    )

    anna.starts()
    ben.starts()
    starts = [
        f"<message from='{ROOM}/{nick}'><start xmlns='{MUG}#user'/></message>"
        for nick in ("anna", "ben")
    ]
    await anna.hears(*starts, state("active"))
    await ben.hears(*starts, state("active"))
    await carl.hears(state("active"))

    boards = []
    for number, (player, row, col) in enumerate(
        [(anna, 1, 1), (ben, 2, 1), (anna, 1, 2), (ben, 2, 2), (anna, 1, 3)], 1
    ):
        player.moves(number, row, col)
        nick = "anna" if player is anna else "ben"
        boards.append(
            f"<message from='{ROOM}/{nick}' type='chat'>{turn(number, row, col)}</message>"
        )
    for client in (anna, ben, carl):
        await client.hears(
            boards[0],
            state("active", "X . .", "o"),
            boards[1],
            state("active", "X . . \n O . .", "x"),
            boards[2],
            state("active", "X X . \n O . .", "o"),
            boards[3],
            state("active", "X X . \n O O .", "x"),
            boards[4],
            state("active", "X X X \n O O .", ""),
            state("inactive", next="o", result="<won>x</won>"),
        )
    anna.starts()
    ben.starts()
    await carl.hears(state("active", next="o"))
