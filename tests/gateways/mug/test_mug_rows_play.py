"""Statements about playing that one example does not show: each from every side (1.5, 1.6, T)."""

import pytest

from parlour.games.tictactoe import Options, TicTacToe
from parlour.match import PlayMove
from tests.gateways.mug.stage import (
    GAME,
    MUG,
    ROOM,
    Client,
    Stage,
    canonical,
    occupant,
    state,
    turn,
    with_room,
)

STARTED = f"<message from='{ROOM}/{{}}'><start xmlns='{MUG}#user'/></message>"


async def seated(stage: Stage, game: str) -> list[Client]:
    """A match of anna and ben, with other options, that has begun; carl looks on."""
    anna, ben, carl = await stage.table("anna", "ben", "carl")
    anna.configures("", game)
    anna.takes_role("x")
    ben.takes_role("o")
    anna.starts()
    ben.starts()
    await stage.forget()
    return [anna, ben, carl]


async def plays(stage: Stage, players: list[Client], cells: str) -> None:
    """Turns of the players one after the other, each written as row and col."""
    for number, cell in enumerate(cells.split(), 1):
        row, col = (int(part) for part in cell.split(","))
        players[(number + 1) % 2].moves(number, row, col)
        await stage.settled()


async def last(client: Client) -> list[str]:
    """The last two things that the client was told."""
    return [canonical(one) for one in (await client.told())[-2:]]


def told(*stanzas: str) -> list[str]:
    return [canonical(with_room(one)) for one in stanzas]


# Roles and starts


async def test_M82_a_start_reaches_all_sessions_of_all_players(stage: Stage) -> None:
    anna, ben, carl = await stage.table("anna", "ben", "carl")
    phone = stage.client("ben@example.org/phone")
    phone.enters("ben")
    anna.takes_role("x")
    ben.takes_role("o")
    await stage.forget()
    phone.starts()
    for who in (anna, ben, phone):
        await who.hears(STARTED.format("ben"))
    await carl.hears()


@pytest.mark.parametrize("role", ["x", "o"])
async def test_T2_each_role_has_one_player(stage: Stage, role: str) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.takes_role(role)
    await stage.forget()
    ben.takes_role(role)
    await ben.is_refused("conflict", "cancel")
    await anna.hears()


def test_T2_the_roles_are_x_and_o() -> None:
    assert TicTacToe().seat_names(Options(), 2) == ("x", "o")


async def test_M84_spectators_and_players_hear_the_state_with_it(stage: Stage) -> None:
    anna, ben, carl = await stage.table("anna", "ben", "carl")
    anna.configures("", "rows=4\ncols=5\nstrike=4\nfirst=o")
    anna.takes_role("x")
    ben.takes_role("o")
    anna.starts()
    await stage.forget()
    ben.starts()
    active = state("active", next="o", size=(4, 5, 4))
    for who in (anna, ben):
        await who.hears(STARTED.format("ben"), active)
    await carl.hears(active)


# Turns


@pytest.mark.parametrize("sent", [turn(1, 1, 1), f"<turn xmlns='{MUG}#user'/>", turn(9, 9, 9)])
async def test_M92_whatever_a_turn_says_outside_a_match_it_is_not_allowed(
    stage: Stage, sent: str
) -> None:
    """Nobody loses a place for a turn that came too early, or in a pause."""
    anna, ben = await stage.table("anna", "ben")
    anna.takes_role("x")
    ben.takes_role("o")
    await stage.forget()
    ben.says(f"<message type='chat'>{sent}</message>")
    await ben.is_refused("not-allowed", "cancel")
    anna.starts()
    ben.starts()
    anna.takes_role("none")
    await stage.forget()
    ben.says(f"<message type='chat'>{sent}</message>")
    await ben.is_refused("not-allowed", "cancel")
    await anna.hears()


@pytest.mark.parametrize("kind", [" type='chat'", " type='normal'", ""])
async def test_M86_a_turn_of_either_kind_is_one_and_is_reflected_as_chat(
    stage: Stage, kind: str
) -> None:
    anna, ben = await stage.match("anna", "ben")
    anna.says(f"<message{kind}>{turn(1, 1, 1)}</message>")
    reflected = f"<message from='{ROOM}/anna' type='chat'>{turn(1, 1, 1)}</message>"
    for who in (anna, ben):
        assert canonical((await who.told())[0]) == canonical(reflected)


async def test_T14_T15_T16_T17_the_numbers_mean_what_the_document_says(stage: Stage) -> None:
    """Rows from the top, columns from the left, both from 1; the first move is 1."""
    anna, carl = await stage.table("anna", "carl")
    player = await stage.against_stranger(anna)
    anna.moves(1, 1, 3)
    await stage.settled()
    match, _ = await stage.host.state(player.stream)
    assert match.position.mark(2, 0) == 0  # x from the left, y from the top, both from 0
    player.does(PlayMove(player.identity, "0,1"))
    await carl.hears(
        f"<message from='{ROOM}/anna' type='chat'>{turn(1, 1, 3)}</message>",
        state("active", ". . X", "o"),
        f"<message from='{ROOM}/player' type='chat'>{turn(2, 2, 1)}</message>",
        state("active", ". . X\nO . .", "x"),
    )


@pytest.mark.parametrize("number", [2, 9999])
async def test_T15_the_first_move_has_the_number_1(stage: Stage, number: int) -> None:
    _, ben = await stage.table("anna", "ben")
    anna = stage.client("anna@example.org/home")
    anna.configures("lenient=1")
    anna.takes_role("x")
    ben.takes_role("o")
    anna.starts()
    ben.starts()
    await stage.forget()
    anna.moves(number, 1, 1)
    await anna.is_refused("undefined-condition", "cancel")
    anna.moves(1, 1, 1)
    assert turn(1, 1, 1) in (await ben.told())[0]


# Ends


@pytest.mark.parametrize(
    ("game", "cells", "board"),
    [
        ("", "1,1 2,1 1,2 2,2 1,3", "X X X\nO O ."),
        ("", "1,1 1,2 2,1 2,2 3,1", "X O .\nX O .\nX . ."),
        ("", "1,1 1,2 2,2 1,3 3,3", "X O O\n. X .\n. . X"),
        ("", "1,3 1,1 2,2 1,2 3,1", "O O X\n. X .\nX . ."),
    ],
    ids=["row", "column", "diagonal", "other-diagonal"],
)
async def test_T5_T11_three_by_three_with_three_in_a_row(
    stage: Stage, game: str, cells: str, board: str
) -> None:
    anna, ben, carl = await stage.match("anna", "ben", "carl")
    await plays(stage, [anna, ben], cells)
    for who in (anna, ben, carl):
        assert await last(who) == told(
            state("active", board, ""), state("inactive", next="o", result="<won>x</won>")
        )


@pytest.mark.parametrize(
    ("game", "cells", "board", "size"),
    [
        ("rows=3\ncols=5\nstrike=3", "1,3 2,1 1,4 2,2 1,5", ". . X X X\nO O . . .", (3, 5, 3)),
        (
            "rows=10\ncols=10\nstrike=4",
            "10,10 1,1 9,10 1,2 8,10 1,3 7,10",
            "\n".join(["O O O" + " ." * 7, *[" ".join("." * 10)] * 5, *[". " * 9 + "X"] * 4]),
            (10, 10, 4),
        ),
    ],
    ids=["wide", "largest"],
)
async def test_T6_other_boards_are_played_to_their_edges(
    stage: Stage, game: str, cells: str, board: str, size: tuple[int, int, int]
) -> None:
    anna, ben, carl = await seated(stage, game)
    await plays(stage, [anna, ben], cells)
    assert await last(carl) == told(
        state("active", board, "", size=size),
        state("inactive", next="o", result="<won>x</won>", size=size),
    )
    assert anna is not ben


async def test_T11_three_of_four_are_not_won_yet(stage: Stage) -> None:
    anna, ben, carl = await seated(stage, "rows=4\ncols=4\nstrike=4")
    await plays(stage, [anna, ben], "1,1 2,1 1,2 2,2 1,3")
    size = (4, 4, 4)
    assert (await last(carl))[1:] == told(state("active", "X X X\nO O", "o", size=size))


async def test_T12_who_begins_alternates_from_round_to_round(stage: Stage) -> None:
    anna, ben, carl = await stage.match("anna", "ben", "carl")
    await plays(stage, [anna, ben], "1,1 2,1 1,2 2,2 1,3")
    anna.starts()
    ben.starts()
    await stage.forget()
    await plays(stage, [ben, anna], "1,1 2,1 1,2 2,2 1,3")
    assert await last(carl) == told(
        state("active", "O O O\nX X .", ""), state("inactive", next="x", result="<won>o</won>")
    )


async def test_M97_spectators_and_all_sessions_hear_the_end(stage: Stage) -> None:
    anna, ben, carl = await stage.match("anna", "ben", "carl")
    phone = stage.client("ben@example.org/phone")
    phone.enters("ben")
    await plays(stage, [anna, ben], "1,1 2,1 1,2 2,2 1,3")
    end = told(state("inactive", next="o", result="<won>x</won>"))
    for who in (anna, ben, phone, carl):
        assert (await last(who))[1:] == end


# Pauses


async def test_M109_a_start_of_one_player_resumes_nothing(stage: Stage) -> None:
    """Neither that of the one who stayed nor that of the one who came back."""
    anna, ben, carl = await stage.match("anna", "ben", "carl")
    ben.leaves("ben")
    ben.enters("ben")
    await stage.forget()
    anna.starts()
    await carl.hears()
    await ben.hears(STARTED.format("anna"))
    ben.starts()
    await carl.hears(state("active"))


@pytest.mark.parametrize("way", ["none", "leaves", "bounces"])
async def test_T3_without_one_of_the_roles_the_match_is_paused(stage: Stage, way: str) -> None:
    """Given up, left, or lost: turns are not allowed until both are there and start again."""
    anna, ben, carl = await stage.match("anna", "ben", "carl")
    if way == "none":
        ben.takes_role("none")
    elif way == "leaves":
        ben.leaves("ben")
    else:
        ben.says(
            "<message type='error'><error type='cancel'><gone "
            "xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>"
        )
    assert (await last(carl))[1:] == told(state("paused"))
    await stage.forget()
    anna.moves(1, 1, 1)
    await anna.is_refused("not-allowed", "cancel")
    anna.starts()
    await anna.is_refused("not-allowed", "cancel")


async def test_a_role_of_who_is_lost_is_taken_over_when_the_other_is_free(stage: Stage) -> None:
    """Nobody sits at the table for a moment, and the match stands all the same."""
    anna, ben, carl = await stage.match("anna", "ben", "carl")
    anna.moves(1, 1, 1)
    anna.takes_role("none")
    ben.leaves("ben")
    await stage.forget()
    carl.takes_role("o")
    await anna.hears(occupant("carl", role="o", jid=carl.jid))
    anna.takes_role("x")
    await stage.forget()
    anna.starts()
    carl.starts()
    assert (await last(anna))[1:] == told(state("active", "X", "o"))


# Private messages


async def test_M103_a_private_message_goes_to_full_jids_and_to_nobody_else(stage: Stage) -> None:
    anna, *_ = await stage.table("anna", "ben", "carl")
    stage.client("ben@example.org/phone").enters("ben")
    await stage.settled()
    stage.said.clear()
    anna.says(f"<message to='{ROOM}/BEN' type='chat'><body>psst</body></message>")
    await stage.settled()
    heads = [one.partition(">")[0] for one in stage.said]
    assert [head.partition("to='")[2] for head in heads] == [
        "ben@example.org/home'",
        "ben@example.org/phone'",
    ]
    assert all(f"from='{ROOM}/anna'" in head for head in heads)


@pytest.mark.parametrize("policy", ["moderated", "unmoderated"])
async def test_M102_every_occupant_writes_to_every_other(stage: Stage, policy: str) -> None:
    people = await stage.table("anna", "ben", "carl")
    people[0].configures(f"roompolicy={policy}")
    people[0].takes_role("x")
    people[1].takes_role("o")
    people[0].starts()
    people[1].starts()
    await stage.forget()
    names = ("anna", "ben", "carl")
    for sender, name in zip(people, names, strict=True):
        for reader, other in zip(people, names, strict=True):
            if reader is not sender:
                sender.says(f"<message to='{ROOM}/{other}' type='chat'><body>hi</body></message>")
                await reader.hears(
                    f"<message from='{ROOM}/{name}' type='chat'><body>hi</body></message>"
                )


async def test_T9_the_state_goes_to_all_with_all_its_parts(stage: Stage) -> None:
    anna, ben, carl = await seated(stage, "rows=4\ncols=5\nstrike=4\nfirst=o")
    ben.moves(1, 3, 5)
    after = canonical(
        f"<presence from='{ROOM}'><game xmlns='{MUG}'><status>active</status>"
        f"<state xmlns='{GAME}'><rows>4</rows><cols>5</cols><strike>4</strike><next>x</next>"
        "<board><field row='3' col='5'>o</field></board></state></game></presence>"
    )
    for who in (anna, ben, carl):
        assert (await last(who))[1] == after


async def test_M95_M96_who_gives_up_the_role_stays_inside(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    ben.takes_role("none")
    await anna.hears(occupant("ben", role="none", jid=ben.jid), state("paused"))
    await stage.forget()
    anna.says(f"<message to='{ROOM}/ben' type='chat'><body>why?</body></message>")
    assert "why?" in (await ben.told())[0]
