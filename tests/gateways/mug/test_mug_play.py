"""Roles, start, turns, end (proto-XEP "Occupant Use Cases", Tic-tac-toe document 4 to 7)."""

import pytest

from parlour.gateways.mug import MugOptions
from tests.gateways.mug.stage import (
    MUG,
    ROOM,
    Stage,
    canonical,
    occupant,
    on_stage,
    state,
    turn,
    with_room,
)

BEGUN = f"<message from='{ROOM}/anna'><start xmlns='{MUG}#user'/></message>"


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

    moves = [(anna, 1, 1), (ben, 2, 1), (anna, 1, 2), (ben, 2, 2), (anna, 1, 3)]
    boards = ["X . .", "X . .\nO . .", "X X .\nO . .", "X X .\nO O .", "X X X\nO O ."]
    told = []
    for number, (player, row, col) in enumerate(moves, 1):
        player.moves(number, row, col)
        nick = "anna" if player is anna else "ben"
        after = state("active", boards[number - 1], ("o", "x", "o", "x", "")[number - 1])
        told += [
            f"<message from='{ROOM}/{nick}' type='chat'>{turn(number, row, col)}</message>",
            after,
        ]
    for client in (anna, ben, carl):
        await client.hears(*told, state("inactive", next="o", result="<won>x</won>"))
    anna.starts()
    ben.starts()
    await carl.hears(state("active", next="o"))


async def test_M77_M78_a_role_is_taken_by_presence_to_the_room(stage: Stage) -> None:
    anna, ben, carl = await stage.table("anna", "ben", "carl")
    ben.takes_role("o")
    await carl.hears(occupant("ben", role="o"))
    await ben.hears(occupant("ben", role="o"))
    await anna.hears(occupant("ben", role="o", jid=ben.jid))


async def test_M78_presence_to_the_own_nick_does_the_same(stage: Stage) -> None:
    _, ben = await stage.table("anna", "ben")
    ben.says(f"<presence to='{ROOM}/ben'><game xmlns='{MUG}'><item role='x'/></game></presence>")
    await ben.hears(occupant("ben", role="x"))


async def test_M79_a_taken_role_is_a_conflict(stage: Stage) -> None:
    anna, ben, carl = await stage.table("anna", "ben", "carl")
    ben.takes_role("o")
    carl.takes_role("o")
    told = await carl.told()
    assert len(told) == 2
    assert "<conflict " in told[1]
    assert "<error type='cancel'" in told[1]
    await stage.forget()
    assert anna


@pytest.mark.parametrize("role", ["z", "X", "", "all", "white"])
async def test_M80_M163_T2_other_roles_are_not_acceptable(stage: Stage, role: str) -> None:
    (anna,) = await stage.table("anna")
    anna.takes_role(role)
    await anna.is_refused("not-acceptable")


async def test_a_player_has_one_role(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    anna.takes_role("x")
    await anna.told()
    anna.takes_role("o")
    await anna.is_refused("conflict")


async def test_no_role_before_the_configuration(stage: Stage) -> None:
    anna = stage.client("anna@example.org/home")
    anna.enters("anna")
    await anna.told()
    anna.takes_role("x")
    await anna.is_refused("not-allowed")


async def test_M82_each_start_is_reflected_to_the_players(stage: Stage) -> None:
    anna, ben, carl = await stage.table("anna", "ben", "carl")
    anna.takes_role("x")
    ben.takes_role("o")
    await stage.forget()
    anna.starts()
    await anna.hears(BEGUN)
    await ben.hears(BEGUN)
    await carl.hears()


@pytest.mark.parametrize("roles", [(), ("x",)])
async def test_M83_a_match_that_is_not_ready_does_not_start(
    stage: Stage, roles: tuple[str, ...]
) -> None:
    (anna,) = await stage.table("anna")
    for role in roles:
        anna.takes_role(role)
    await anna.told()
    anna.starts()
    error = await anna.is_refused("not-allowed", "cancel")
    assert f"<start xmlns='{MUG}#user'/>" in error


async def test_M4_M84_spectators_hear_that_the_match_is_active(stage: Stage) -> None:
    anna, ben, carl = await stage.table("anna", "ben", "carl")
    anna.takes_role("x")
    ben.takes_role("o")
    anna.starts()
    await stage.forget()
    ben.starts()
    await carl.hears(state("active"))


async def test_M85_a_change_of_roles_forgets_the_starts(stage: Stage) -> None:
    anna, ben, carl = await stage.table("anna", "ben", "carl")
    anna.takes_role("x")
    ben.takes_role("o")
    anna.starts()
    ben.takes_role("none")
    carl.takes_role("o")
    await stage.forget()
    carl.starts()
    assert not any("<status>active" in one for one in await carl.told())
    anna.starts()
    assert "<status>active" in (await carl.told())[-1]


async def test_M86_M87_M93_M94_T14_a_turn_goes_to_everybody_the_sender_too(stage: Stage) -> None:
    anna, ben, carl = await stage.match("anna", "ben", "carl")
    anna.moves(1, 3, 2)
    reflected = f"<message from='{ROOM}/anna' type='chat'>{turn(1, 3, 2)}</message>"
    for client in (anna, ben, carl):
        await client.hears(reflected, state("active", ". . .\n. . .\n. X .", "o"))


async def test_T9_T10_after_a_turn_the_state_has_the_mark(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    anna.moves(1, 1, 3)
    assert (await ben.told())[1].count("<field row='1' col='3'>x</field>") == 1


async def test_M86_a_turn_to_the_own_nick_is_a_turn(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    anna.says(f"<message to='{ROOM}/anna' type='chat'>{turn(1, 1, 1)}</message>")
    assert turn(1, 1, 1) in (await ben.told())[0]


INVALID = {
    "taken": turn(2, 1, 1),
    "old-number": turn(1, 2, 2),
    "next-number": turn(3, 2, 2),
    "row-0": turn(2, 0, 2),
    "off-the-board": turn(2, 2, 4),
    "two-moves": turn(2, 2, 2).replace("</turn>", "") + turn(3, 2, 3).partition(">")[2],
    "no-move": f"<turn xmlns='{MUG}#user'/>",
    "another-game": turn(2, 2, 2).replace("/tictactoe", "/chess"),
    "not-a-number": turn(2, 2, 2).replace("row='2'", "row='two'"),
    "no-column": turn(2, 2, 2).replace("col='2'", ""),
    "no-number": turn(2, 2, 2).replace("id='2'", ""),
    "arabic-digit": turn(2, 2, 2).replace("row='2'", "row='\u0662'"),
    "signed": turn(2, 2, 2).replace("row='2'", "row='+2'"),
    "two-turns": turn(2, 2, 2) + turn(3, 2, 3),
}


@pytest.mark.parametrize("sent", INVALID.values(), ids=INVALID)
async def test_M88_M89_T15_T16_T17_an_invalid_turn_costs_the_place(stage: Stage, sent: str) -> None:
    anna, ben, carl = await stage.match("anna", "ben", "carl")
    anna.moves(1, 1, 1)
    await stage.forget()
    ben.says(f"<message type='chat' id='t2'>{sent}</message>")
    kicked = occupant(
        "ben", role="none", type="unavailable", more=f"<invalid-turn xmlns='{MUG}#user'/>"
    )
    paused = state("paused", "X . .", "o")
    told = await ben.told()
    assert "<undefined-condition " in told[0]
    assert f"<invalid-turn xmlns='{MUG}'/>" in told[0]
    assert "<error type='cancel'" in told[0]
    assert "id='t2'" in told[0]
    assert f"<turn xmlns='{MUG}#user'" in told[0]
    assert len(told) == 2
    await carl.hears(kicked, paused)
    await anna.hears(kicked, paused)
    carl.says(f"<message to='{ROOM}/ben'><body>still there?</body></message>")
    await carl.is_refused("item-not-found")


async def test_M89_who_was_kicked_comes_back_without_the_role(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    ben.moves(1, 1, 1)
    await stage.forget()
    ben.enters("ben")
    await anna.hears(occupant("ben", jid=ben.jid))


async def test_T13_a_turn_out_of_turn_is_invalid(stage: Stage) -> None:
    _, ben, carl = await stage.match("anna", "ben", "carl")
    ben.moves(1, 1, 1)
    assert f"<invalid-turn xmlns='{MUG}'/>" in (await ben.told())[0]
    assert len(await carl.told()) == 2


async def test_M90_the_owner_only_loses_the_role(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    anna.moves(2, 1, 1)
    lost = occupant("anna", "owner", "none")
    assert f"<invalid-turn xmlns='{MUG}'/>" in (await anna.told())[0]
    await ben.hears(lost, state("paused"))
    anna.takes_role("x")
    await ben.hears(occupant("anna", "owner", "x"))


@pytest.mark.parametrize("by", ["service", "room"])
async def test_lenient_answers_and_nothing_else(by: str) -> None:
    async with on_stage(options=MugOptions(lenient=by == "service")) as stage:
        anna, ben = await stage.table("anna", "ben")
        if by == "room":
            anna.configures("lenient=1")
        anna.takes_role("x")
        ben.takes_role("o")
        anna.starts()
        ben.starts()
        await stage.forget()
        ben.moves(1, 1, 1)
        await ben.is_refused("undefined-condition", "cancel")
        anna.moves(1, 1, 1)
        await ben.told()
        ben.moves(2, 1, 2)
        assert len(await anna.told()) == 4


async def test_M91_spectators_make_no_turns(stage: Stage) -> None:
    anna, _, carl = await stage.match("anna", "ben", "carl")
    carl.moves(1, 1, 1)
    await carl.is_refused("forbidden", "auth")
    await anna.hears()


async def test_M92_no_turns_before_and_after_a_match(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.takes_role("x")
    ben.takes_role("o")
    await stage.forget()
    anna.moves(1, 1, 1)
    await anna.is_refused("not-allowed", "cancel")
    anna.starts()
    ben.starts()
    ben.leaves("ben")
    await stage.forget()
    anna.moves(1, 1, 1)
    await anna.is_refused("not-allowed", "cancel")


async def test_M95_M96_T3_giving_up_the_role_pauses_the_match(stage: Stage) -> None:
    anna, ben, carl = await stage.match("anna", "ben", "carl")
    anna.moves(1, 2, 2)
    await stage.forget()
    ben.takes_role("none")
    paused = state("paused", ". . .\n. X .", "o")
    await carl.hears(occupant("ben", role="none"), paused)
    await ben.hears(occupant("ben", role="none"), paused)
    carl.takes_role("o")
    await anna.hears(
        occupant("ben", role="none", jid=ben.jid), paused, occupant("carl", role="o", jid=carl.jid)
    )


async def test_M109_all_players_start_again_to_resume(stage: Stage) -> None:
    anna, ben, carl = await stage.match("anna", "ben", "carl")
    anna.moves(1, 2, 2)
    ben.takes_role("none")
    carl.takes_role("o")
    await stage.forget()
    carl.starts()
    assert len(await ben.told()) == 0
    anna.starts()
    await ben.hears(state("active", ". . .\n. X .", "o"))
    carl.moves(2, 1, 1)
    assert turn(2, 1, 1) in (await ben.told())[0]


async def test_M97_T11_T12_a_draw_is_told_with_the_next_state(stage: Stage) -> None:
    anna, ben, carl = await stage.match("anna", "ben", "carl")
    cells = [(1, 1), (1, 2), (1, 3), (2, 2), (2, 1), (2, 3), (3, 2), (3, 1), (3, 3)]
    for number, (row, col) in enumerate(cells, 1):
        (anna, ben)[(number + 1) % 2].moves(number, row, col)
        await stage.settled()
    final = state("active", "X O X \n X O O \n O X X", "")
    for client in (anna, ben, carl):
        told = await client.told()
        assert canonical(told[-1]) == canonical(
            with_room(state("inactive", next="o", result="<draw/>"))
        )
        assert canonical(told[-2]) == canonical(with_room(final))


async def test_T11_the_last_cell_may_win(stage: Stage) -> None:
    """A full board with a line is won, not drawn (faults, T01)."""
    anna, ben = await stage.match("anna", "ben")
    cells = [(1, 1), (1, 2), (2, 1), (1, 3), (2, 3), (2, 2), (3, 2), (3, 3), (3, 1)]
    for number, (row, col) in enumerate(cells, 1):
        (anna, ben)[(number + 1) % 2].moves(number, row, col)
    assert "<won>x</won>" in (await ben.told())[-1]


async def test_M96_a_match_that_everybody_gave_up_is_cancelled(stage: Stage) -> None:
    anna, ben, carl = await stage.match("anna", "ben", "carl")
    anna.takes_role("none")
    ben.takes_role("none")
    await carl.hears(
        occupant("anna", "owner", "none"),
        state("paused"),
        occupant("ben", role="none"),
        state("inactive"),
    )


async def test_T2_a_start_needs_both_roles(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.takes_role("x")
    await stage.forget()
    anna.starts()
    await anna.is_refused("not-allowed")
    ben.starts()
    await ben.is_refused("forbidden")


async def test_a_start_in_the_middle_of_a_match_changes_nothing(stage: Stage) -> None:
    anna, ben, carl = await stage.match("anna", "ben", "carl")
    anna.starts()
    await anna.hears(BEGUN)
    await ben.hears(BEGUN)
    await carl.hears()


async def test_a_second_start_is_reflected_and_changes_nothing(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.takes_role("x")
    ben.takes_role("o")
    anna.starts()
    await stage.forget()
    anna.starts()
    await anna.hears(BEGUN)
    await ben.hears(BEGUN)


async def test_who_asks_for_the_role_they_have_is_told_what_is_so(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    ben.takes_role("o")
    await stage.forget()
    ben.takes_role("o")
    await ben.hears(state("inactive"), occupant("anna", "owner"), occupant("ben", role="o"))
    await anna.hears()


async def test_a_spectator_who_gives_up_a_role_is_answered(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    ben.takes_role("none")
    await ben.hears(occupant("ben", role="none"))
    await anna.hears()
