"""The client's duties, against lines as real servers of the course write them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.clients import Step
from parlour.clients.nedap import NedapClient, NedapLineClient, Phase
from parlour.games import Refusal, Refused
from tests.recordings import go_lines, go_recordings


def client(*lines: str) -> NedapClient:
    """Alice's client after these lines of a server."""
    alice = NedapClient()
    alice.log_in("alice")
    alice.receive("".join(f"{line}\n" for line in lines).encode())
    return alice


def terminal(*lines: str) -> NedapLineClient:
    person = NedapLineClient("alice", 5)
    person.received("".join(f"{line}\n" for line in lines).encode())
    return person


def test_what_a_client_says() -> None:
    alice = NedapClient()
    assert alice.log_in("alice") == b"PLAYER alice\n"
    assert alice.go(9) == b"GO 9\n"
    assert alice.go(9, "bob") == b"GO 9 bob\n"
    assert alice.cancel() == b"CANCEL\n"
    assert alice.chat("hi\nTABLEFLIP") == b"CHAT hi TABLEFLIP\n"
    assert alice.flip_table() == b"TABLEFLIP\n"
    assert alice.exit() == b"EXIT\n"


def test_moves_are_checked_before_they_are_sent() -> None:
    alice = client("READY black bob 5")
    assert alice.move(1, 1) == b"MOVE 1 1\n"
    with pytest.raises(Refused, match="off a board of size 5"):
        alice.move(5, 0)

    alice.receive(b"VALID black 1 1\n")
    with pytest.raises(Refused, match="not your turn"):
        alice.pass_turn()

    alice.receive(b"PASSED white\n")
    with pytest.raises(Refused, match="occupied by black"):
        alice.move(1, 1)
    assert alice.pass_turn() == b"PASS\n"


def test_superko_is_known_before_the_server_says_it() -> None:
    ko = ("1 0", "2 0", "0 1", "3 1", "1 2", "2 2", "4 4", "1 1", "2 1")
    colours = ("black", "white")
    played = [f"VALID {colours[ply % 2]} {move}" for ply, move in enumerate(ko)]
    alice = client("READY white bob 5", *played)
    with pytest.raises(Refused, match="superko: repeats the position after move 8"):
        alice.move(1, 1)


def test_no_move_without_a_game() -> None:
    for alice in (client(), client("WAITING"), client("READY black bob 5", "END 0 0")):
        with pytest.raises(Refused) as no:
            alice.move(1, 1)
        assert no.value.refusal is Refusal.NOT_STARTED


def test_ready_and_end_change_the_phase() -> None:
    alice = client("WAITING for an opponent")
    assert alice.phase is Phase.WAITING
    alice.receive(b"READY white bob 9\n")
    assert (alice.phase, alice.colour, alice.opponents, alice.size) == (
        Phase.PLAYING,
        "white",
        ("bob",),
        9,
    )
    alice.receive(b"TABLEFLIPPED black\nEND -1 -1\n")
    assert (alice.phase, alice.loser, alice.scores) == (Phase.IDLE, "black", (-1, -1))


def test_the_table_form_of_ready_names_every_colour() -> None:
    alice = client("READY 9 black bob white alice")
    assert (alice.colour, alice.colours, alice.opponents) == (
        "white",
        ("black", "white"),
        ("bob",),
    )
    assert not alice.my_turn


def test_three_players_in_other_colours() -> None:
    alice = client("READY 9 red bob green alice blue carol", "VALID red 1 1", "END 3 2 1")
    assert alice.colours == ("red", "green", "blue")
    assert alice.position is None
    assert alice.scores == (3, 2, 1)


def test_colours_nobody_has_named_are_learnt_in_the_order_of_play() -> None:
    alice = client("READY red bob 5", "VALID green 1 1")
    assert alice.my_turn
    alice.receive(b"VALID red 2 2\n")
    assert alice.colours == ("green", "red")
    assert not alice.my_turn


def test_the_server_is_the_truth_where_its_rules_differ() -> None:
    alice = client("READY black bob 5", "VALID black 1 1", "VALID white 1 1")
    assert alice.position is None
    assert alice.disagreement == "point 1,1 is occupied by black"
    assert alice.move(1, 1) == b"MOVE 1 1\n"


def test_a_new_ready_begins_again() -> None:
    alice = client("READY black bob 5", "VALID black 1 1", "READY black bob 5")
    assert alice.my_turn
    assert alice.move(1, 1) == b"MOVE 1 1\n"


@pytest.mark.parametrize("recording", go_recordings(), ids=lambda path: path.stem)
def test_what_real_servers_said_is_followed(recording: Path) -> None:
    """No line of a recorded server is lost on the client, and every game of it is followed."""
    clients: dict[str, NedapClient] = {}
    for sent in go_lines(recording):
        if sent.direction == "to client":
            one = clients.setdefault(sent.client, NedapClient())
            one.receive(sent.data)
            assert one.phase is not Phase.LOST


@given(st.binary(max_size=200))
def test_garbage_never_raises(data: bytes) -> None:
    client("READY black bob 5").receive(data)
    terminal("READY black bob 5").received(data)


@given(st.text(max_size=40))
def test_anything_can_be_typed(line: str) -> None:
    terminal("READY black bob 5").typed(line)


WORDS = st.sampled_from(
    ["READY", "VALID", "PASSED", "END", "black", "white", "red", "bob", "alice", "0", "5", "-1"]
)


@given(st.lists(st.lists(WORDS, max_size=7).map(" ".join), max_size=12))
def test_any_words_of_the_protocol_are_lived_through(lines: list[str]) -> None:
    client(*lines)
    terminal(*lines).typed("1 1")


# The terminal


def test_a_terminal_logs_in_and_looks_for_a_game() -> None:
    step = NedapLineClient("alice", 9, "bob").connected()
    assert step.send == b"PLAYER alice\nGO 9 bob\n"


def test_a_terminal_draws_the_board_and_asks_for_a_move() -> None:
    person = terminal("READY white bob 5")
    step = person.received(b"VALID black 1 0\n")
    assert step.show == (
        "black plays 1 0\n"
        "  0 1 2 3 4\n"
        "0 . X . . .\n"
        "1 . . . . .\n"
        "2 . . . . .\n"
        "3 . . . . .\n"
        "4 . . . . .\n"
        "Your move, as in 3 4: "
    )
    assert person.typed("1 0").show == ("That is not possible: point 1,0 is occupied by black.")
    assert person.typed(" 2, 0 ").send == b"MOVE 2 0\n"
    assert person.typed("pass").send == b"PASS\n"


def test_who_comes_back_hears_every_move_and_sees_one_board() -> None:
    step = terminal().received(
        b"READY black bob 5\nVALID black 1 0\nVALID white 0 0\nPASSED black\nVALID white 4 4\n"
    )
    assert step.show == (
        "You have black against bob on 5.\n"
        "black plays 1 0\n"
        "white plays 0 0\n"
        "black passes.\n"
        "white plays 4 4\n"
        "  0 1 2 3 4\n"
        "0 O X . . .\n"
        "1 . . . . .\n"
        "2 . . . . .\n"
        "3 . . . . .\n"
        "4 . . . . O\n"
        "Your move, as in 3 4: "
    )


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("3 4", b"MOVE 3 4\n"),
        ("pass", b"PASS\n"),
        ("flip", b"TABLEFLIP\n"),
        ("say Hi there", b"CHAT Hi there\n"),
        ("exit", b"EXIT\n"),
    ],
)
def test_what_can_be_typed_in_a_game(typed: str, sent: bytes) -> None:
    assert terminal("READY black bob 5").typed(typed).send == sent


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("go 13", b"GO 13\n"),
        ("go 13 bob", b"GO 13 bob\n"),
        ("cancel", b"CANCEL\n"),
        ("name carol", b"PLAYER carol\nGO 5\n"),
        ("say Hi there", b"CHAT Hi there\n"),
        ("quit", b"EXIT\n"),
    ],
)
@pytest.mark.parametrize("before", [(), ("WAITING",), ("READY black bob 5", "END 0 0")])
def test_what_can_be_typed_outside_a_game(before: tuple[str, ...], typed: str, sent: bytes) -> None:
    assert terminal(*before).typed(typed).send == sent


@pytest.mark.parametrize("typed", ["", "help", "go", "go x", "flip it", "3 4 5", "x", "name"])
def test_what_cannot_be_typed_is_explained(typed: str) -> None:
    step = terminal("READY black bob 5").typed(typed)
    assert step.send == b""
    assert "help" in step.show


NO_NAME = "is not 1 to 20 small letters a to z"


@pytest.mark.parametrize(
    ("lines", "typed", "why"),
    [
        ("", "name Carol", f"'Carol' {NO_NAME}"),
        ("", "name two words", f"'two words' {NO_NAME}"),
        ("", "go 9 Bob", f"'Bob' {NO_NAME}"),
        ("", "go 6", "size 6 is not odd and 5 to 131"),
        ("", "go 133", "size 133 is not odd and 5 to 131"),
        ("WAITING", "3 4", "there is no game"),
        ("READY white bob 5", "pass", "it is not your turn"),
        ("READY black bob 5", "5 0", "point 5,0 is off a board of size 5"),
        ("READY black bob 5", "go 9", "the game has begun"),
        ("READY black bob 5", "cancel", "the game has begun"),
        ("READY black bob 5", "name carol", "the game has begun"),
    ],
)
def test_what_no_server_would_take_is_not_sent(lines: str, typed: str, why: str) -> None:
    person = terminal(lines)
    assert person.typed(typed) == Step(show=f"That is not possible: {why}.")


def test_a_cancel_that_comes_too_late_does_not_end_the_game() -> None:
    person = terminal("WAITING", "READY black bob 5")
    person.typed("cancel")
    assert person.typed("3 4").send == b"MOVE 3 4\n"


@pytest.mark.parametrize(
    ("name", "size", "opponent"), [("Alice", 9, None), ("alice", 8, None), ("alice", 9, "b b")]
)
def test_a_terminal_that_cannot_be_let_in_says_why_and_ends(
    name: str, size: int, opponent: str | None
) -> None:
    step = NedapLineClient(name, size, opponent).connected()
    assert (step.send, step.done) == (b"", True)
    assert step.show.startswith("That is not possible: ")


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        (("END 12 13",), "12 to 13: you lost"),
        (("END 13 12",), "13 to 12: you won"),
        (("END 5 5",), "5 to 5: a draw"),
        (("TABLEFLIPPED white", "END -1 -1"), "you won"),
        (("INVALID black occupied", "END -1 -1"), "you lost"),
    ],
)
def test_the_result_is_told(lines: tuple[str, ...], verdict: str) -> None:
    person = terminal("READY black bob 5")
    step = person.received("".join(f"{line}\n" for line in lines).encode())
    assert verdict in step.show


def test_a_server_cannot_write_controls_into_the_terminal() -> None:
    step = terminal().received(b"CHAT bob: \x1b[2Jgone\nWARNING \x07\n")
    assert "\x1b" not in step.show
    assert "\x07" not in step.show


def test_the_terminal_ends_with_the_connection() -> None:
    assert terminal().lost() == Step(
        show="The server closed the connection.", done=True, failed=True
    )
    assert "The same command comes back" in terminal("READY black bob 5").lost().show
    assert terminal().typed("exit").done
    assert terminal().received(b"\0\n").done


def test_who_has_a_name_that_is_taken_is_told_what_to_type() -> None:
    person = terminal("WARNING the name alice is taken: choose another")
    step = NedapLineClient("alice", 5).received(
        b"WARNING the name alice is taken: choose another\nWARNING expected PLAYER name\n"
    )
    assert step.show == (
        "! the name alice is taken: choose another\n"
        "Type `name NAME` to log in as NAME and look for a game on 5."
    )
    assert person.typed("name bob").send == b"PLAYER bob\nGO 5\n"
    assert "`name NAME`" in person.received(b"WARNING the name bob is taken, too\n").show
    person.received(b"WAITING\n")
    assert person.received(b"WARNING the end is near\n").show == "! the end is near"


@pytest.mark.parametrize(
    ("played", "said"),
    [
        (["VALID black 1 1"], "without a result"),
        (["PASSED black"], "without a result"),
        (["PASSED black", "PASSED white"], "0 to 0: a draw"),
    ],
)
def test_a_game_that_is_called_off_is_no_draw(played: list[str], said: str) -> None:
    person = terminal("READY white bob 5", *played)
    assert said in person.received(b"END 0 0\n").show
