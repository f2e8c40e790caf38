"""The duties of a Chinese checkers client, against what our server and real servers say."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.clients import Step
from parlour.clients.ruc import RucLineClient, draw
from parlour.games.chinese_checkers import ChineseCheckers, Options
from parlour.wire.ruc import Frame, Opcode, encode
from tests.recordings import ruc_lines
from tests.wire.pieces import pieces

Said = tuple[Opcode, str, str]
START = (Opcode.START_GAME, "alice bob", "A D")
OURS = (Opcode.START_TURN, "A", "1669000000")
THEIRS = (Opcode.START_TURN, "D", "1669000000")
NOT_NOW = "It is not your turn."
LEAVE = b'{"data1":"garden","data2":"alice","op":200002}\n'
FIRST = ChineseCheckers().start(Options(), 2)


class Player:
    """Alice at her terminal in the garden, and what the server says to her."""

    def __init__(self, *said: Said) -> None:
        self.client = RucLineClient("garden", "alice")
        self.client.connected()
        self.hears(*said)

    def hears(self, *said: Said) -> Step:
        return self.client.received(b"".join(encode(Frame(*one)) for one in said))

    def types(self, line: str) -> Step:
        return self.client.typed(line)


def playing(*said: Said) -> Player:
    return Player((Opcode.JOIN_ROOM_REPLY, "", ""), (Opcode.JOIN_ROOM, "bob", ""), START, *said)


# In the room


def test_a_client_joins_when_it_is_connected() -> None:
    step = RucLineClient("garden", "alice").connected()
    assert step.send == b'{"data1":"garden","data2":"alice","op":200000}\n'


def test_who_is_in_the_room_and_who_is_ready_is_shown() -> None:
    alice = Player()
    entered = alice.hears((Opcode.JOIN_ROOM_REPLY, "bob cleo", "01"))
    assert "In the room: alice, bob, cleo (ready)." in entered.show
    ready = alice.hears((Opcode.PLAYER_READY, "bob", ""))
    assert ready.show == "bob is ready. In the room: alice, bob (ready), cleo (ready)."
    left = alice.hears((Opcode.LEAVE_ROOM, "cleo", ""))
    assert left.show == "cleo leaves. In the room: alice, bob (ready)."
    came = alice.hears((Opcode.JOIN_ROOM, "cleo", ""))
    assert came.show == "cleo comes in. In the room: alice, bob (ready), cleo."


def test_trailing_spaces_of_real_servers_do_no_harm() -> None:
    alice = Player()
    entered = alice.hears((Opcode.JOIN_ROOM_REPLY, "bob cleo ", "01 "))
    assert "In the room: alice, bob, cleo (ready)." in entered.show
    assert "alice A, bob D.\n" in alice.hears((Opcode.START_GAME, "alice bob ", "A D ")).show
    assert "Your turn." in alice.hears((Opcode.START_TURN, "A ", " 1669000000 ")).show
    assert "D moves 4,-5>4,-4." in playing().hears((Opcode.MOVE, "D ", "4 -5 4 -4 ")).show


def test_typing_ready_says_so() -> None:
    assert Player().types("ready").send == b'{"data1":"alice","data2":"","op":200004}\n'


def test_typing_leave_leaves() -> None:
    step = Player().types("leave")
    assert (step.send, step.done) == (LEAVE, True)


# The game


def test_a_game_begins_with_the_star() -> None:
    alice = Player((Opcode.JOIN_ROOM_REPLY, "", ""))
    shown = alice.hears(START).show
    assert shown.startswith(f"The game begins: alice A, bob D.\n{draw(FIRST)}\n")
    assert "15 s" in shown


def test_the_star_is_drawn_with_its_coordinates() -> None:
    lines = draw(FIRST.play("-4,5>-4,4")).splitlines()
    assert lines[:5] == [
        "y  8              A              x -4",
        "y  7             A A             x -4 to -3",
        "y  6            A A A            x -4 to -2",
        "y  5           . A A A           x -4 to -1",
        "y  4  . . . . A . . . . . . . .  x -8 to 4",
    ]
    assert lines[8] == "y  0      . . . . . . . . .      x -4 to 4"
    assert lines[-1] == "y -8              D              x 4"


@pytest.mark.parametrize("zone", "ABCDEF")
def test_everybody_is_told_a_first_move_of_their_own(zone: str) -> None:
    names = ["a", "b", "c", "d", "e", "f"]
    names["ABCDEF".index(zone)] = "alice"
    alice = Player((Opcode.START_GAME, " ".join(names), "A B C D E F"))
    told = alice.types("help").show
    example = told.rpartition("A legal first move of yours: ")[2]

    asked = alice.hears((Opcode.START_TURN, zone, "")).show
    assert asked.endswith(f"as in {example}: ")
    assert json.loads(alice.types(example).send)["data2"] == example


@pytest.mark.parametrize(
    ("time", "shown"),
    [
        ("1669000000", " It began at 03:06:40 UTC."),
        ("1669000000123", " It began at 03:06:40 UTC."),
        ("", ""),
        ("soon", ""),
    ],
    ids=["seconds", "milliseconds", "none", "words"],
)
def test_a_turn_may_begin_in_seconds_milliseconds_or_without_a_time(time: str, shown: str) -> None:
    alice = playing()
    assert alice.hears((Opcode.START_TURN, "D", time)).show == f"bob is on turn.{shown}"
    assert alice.hears((Opcode.START_TURN, "A", time)).show.startswith(f"Your turn.{shown}\n")


@pytest.mark.parametrize("line", ["-4 5 -4 4", "-4,5>-4,4", " -4  5, -4,4 ", "-04 5 -4 004"])
def test_a_typed_path_is_sent_in_one_form(line: str) -> None:
    step = playing(OURS).types(line)
    assert step.send == b'{"data1":"A","data2":"-4 5 -4 4","op":200007}\n'
    assert step.show == draw(FIRST.play("-4,5>-4,4"))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("-4 5", "a path has 2 to 121 cells"),
        ("-4 5 -4", "is not in pairs"),
        ("-4 5 0 0", "hop 1 "),
        ("4 -5 4 -4", "another player's piece"),
    ],
)
def test_what_is_no_move_is_not_sent_and_asked_for_again(line: str, why: str) -> None:
    alice = playing(OURS)
    step = alice.types(line)
    assert step.send == b""
    assert why in step.show
    assert "Your path" in step.show
    assert alice.types("-4 5 -4 4").send != b""


@pytest.mark.parametrize("line", ["", "PASS", "-4", "４ ５ ４ ４", "-4 5 -4 4 x"])  # noqa: RUF001
def test_other_typing_gets_help_and_sends_nothing(line: str) -> None:
    step = playing(OURS).types(line)
    assert step.send == b""
    assert "`leave`" in step.show


def test_a_path_out_of_turn_is_not_sent() -> None:
    assert playing(THEIRS).types("-4 5 -4 4") == Step(show=NOT_NOW)
    after_mine = playing(OURS)
    after_mine.types("-4 5 -4 4")
    assert after_mine.types("-4 6 -2 4") == Step(show=NOT_NOW)


def test_the_others_moves_are_drawn() -> None:
    alice = playing(OURS)
    alice.types("-4 5 -4 4")
    step = alice.hears(THEIRS, (Opcode.MOVE, "D", "4 -5 4 -4"), OURS)
    after = draw(FIRST.play("-4,5>-4,4").play("4,-5>4,-4"))
    assert f"D moves 4,-5>4,-4.\n{after}\nYour turn." in step.show


def test_a_start_turn_may_come_in_another_segment() -> None:
    alice = playing(THEIRS)
    data = encode(Frame(Opcode.MOVE, "D", "4 -5 4 -4")) + encode(Frame(*OURS))
    shown = [alice.client.received(data[at : at + 1]).show for at in range(len(data))]
    assert "Your turn." in "".join(shown)


@pytest.mark.parametrize("code", ["400005", "INVALID_MOVE", "400099"])
def test_a_refused_move_is_taken_back_and_asked_for_again(code: str) -> None:
    alice = playing(OURS)
    alice.types("-4 5 -4 4")
    step = alice.hears((Opcode.ERROR, code, "not so"))
    assert step.show.startswith(f"! not so\n{draw(FIRST)}\nYour path")
    assert alice.types("-4 5 -4 4").send != b""


def test_an_error_after_a_move_was_taken_takes_nothing_back() -> None:
    alice = playing(OURS)
    alice.types("-4 5 -4 4")
    alice.hears(THEIRS)
    assert alice.hears((Opcode.ERROR, "400001", "running")).show == "! running"
    assert alice.types("-4 5 -4 4").show == NOT_NOW


@pytest.mark.parametrize(
    ("code", "text", "shown"),
    [
        ("400003", "INVALID_JOIN: somebody is called so", "! INVALID_JOIN: somebody is called so"),
        ("400003", "", "! INVALID_JOIN"),
        ("INVALID_JOIN", "", "! INVALID_JOIN"),
        ("INVALID_JOIN ", "", "! INVALID_JOIN"),
        ("400099", "", "! an error"),
        ("", "", "! an error"),
    ],
)
def test_errors_come_by_number_or_name_with_words_or_without(
    code: str, text: str, shown: str
) -> None:
    alice = Player((Opcode.JOIN_ROOM_REPLY, "", ""))
    assert alice.hears((Opcode.ERROR, code, text)) == Step(show=shown)


def test_a_move_that_a_server_sends_back_is_played_once() -> None:
    alice = playing(OURS)
    alice.types("-4 5 -4 4")
    echo = alice.hears((Opcode.MOVE, "A", "-4 5 -4 4"), THEIRS)
    assert echo.show.startswith("bob is on turn.")
    assert "! " not in alice.hears((Opcode.MOVE, "D", "4 -5 4 -4"), OURS).show
    assert alice.types("-4 4 -4 3").send != b""


def test_a_move_that_came_too_late_is_not_drawn() -> None:
    alice = playing(OURS)
    alice.types("-4 5 -4 4")
    shown = alice.hears((Opcode.MOVE, "A", "-1")).show
    assert shown == f"You are out: you took too long.\n{draw(FIRST.without(0))}"


def test_the_pieces_of_who_is_out_are_gone() -> None:
    alice = Player((Opcode.START_GAME, "alice bob cleo", "A C E"), (Opcode.START_TURN, "C", ""))
    start = ChineseCheckers().start(Options(), 3)
    shown = alice.hears((Opcode.MOVE, "C", "-1")).show
    assert shown == f"C is out (left, or took too long).\n{draw(start.without(1))}"


def test_who_comes_back_hears_the_own_moves_too() -> None:
    alice = Player(
        (Opcode.JOIN_ROOM_REPLY, "bob", "1"),
        START,
        (Opcode.MOVE, "A", "-4 5 -4 4"),
        (Opcode.MOVE, "D", "4 -5 4 -4"),
        OURS,
    )
    assert alice.types("-4 4 -4 3").send != b""


def test_who_comes_back_hears_every_move_and_sees_the_star_they_led_to() -> None:
    shown = playing().hears((Opcode.MOVE, "A", "-4 5 -4 4"), (Opcode.MOVE, "D", "4 -5 4 -4"), OURS)
    after = draw(FIRST.play("-4,5>-4,4").play("4,-5>4,-4"))
    moves = "A moves -4,5>-4,4.\nD moves 4,-5>4,-4."
    assert shown.show.startswith(f"{moves}\n{after}\nYour turn.")


def test_the_server_knows_whose_move_it_is() -> None:
    """It may know other rules of who is home, and pass over somebody whom ours would not."""
    alice = Player((Opcode.START_GAME, "alice bob cleo", "A C E"), (Opcode.START_TURN, "E", ""))
    assert "E moves -3,-2>-2,-2." in alice.hears((Opcode.MOVE, "E", "-3 -2 -2 -2")).show
    alice.hears((Opcode.START_TURN, "A", ""))
    assert alice.types("-4 5 -4 4").send != b""


def test_a_win_is_told() -> None:
    assert playing().hears((Opcode.END_TURN, "", "")).show == "All your pieces are home!"


# The end


@pytest.mark.parametrize(
    "ranking",
    ["bob alice", "bob alice ", "D A", "D A ", " D  A "],
    ids=["names", "and a space", "zones", "zones and a space", "zones and spaces"],
)
def test_the_ranking_is_shown_and_the_client_leaves_by_itself(ranking: str) -> None:
    step = playing().hears((Opcode.END_GAME, ranking, ""))
    assert step == Step(LEAVE, "1. bob\n2. alice", done=True)


def test_a_player_may_be_called_like_a_zone() -> None:
    alice = Player((Opcode.START_GAME, "D alice", "A D"))
    assert alice.hears((Opcode.END_GAME, "alice D", "")).show == "1. alice\n2. D"


@pytest.mark.parametrize(("why", "said"), [("", ""), ("the \x1bpower", ": the  power")])
def test_a_room_that_is_closed_ends_it(why: str, said: str) -> None:
    step = playing().hears((Opcode.CLOSE_ROOM, why, ""))
    assert step == Step(show=f"The server closes the room{said}.", done=True)


def test_a_connection_that_is_closed_ends_it() -> None:
    step = playing().client.lost()
    assert step.done
    assert step.failed
    assert "closed the connection" in step.show
    assert "the same command comes back" in step.show


def test_who_is_ready_is_of_no_interest_in_a_game() -> None:
    assert playing().hears((Opcode.LEAVE_ROOM, "bob", "")).show == "bob leaves."


def test_a_new_game_begins_without_a_turn() -> None:
    alice = playing(OURS)
    alice.types("-4 5 -4 4")
    again = playing(OURS, START)
    assert again.types("-4 5 -4 4").show == NOT_NOW
    alice.hears(START)
    assert alice.hears((Opcode.ERROR, "400001", "running")).show == "! running"


# What no server should say


@pytest.mark.parametrize("zones", ["", "A", "A B", "A C", "A A", "D", "A C E F G H", "x y"])
def test_a_game_with_players_that_no_game_has_is_not_drawn(zones: str) -> None:
    alice = Player((Opcode.START_GAME, "alice bob", zones))
    assert alice.types("-4 5 -4 4").show == NOT_NOW
    assert alice.hears((Opcode.MOVE, "D", "4 -5 4 -4")).show == ""


def test_a_new_game_without_us_takes_our_turn_away() -> None:
    alice = playing(OURS, (Opcode.START_GAME, "bob carol", "A D"))
    assert alice.types("-4 5 -4 4").show == NOT_NOW


@pytest.mark.parametrize("line", [b"hello\n", b'{"op":200011}\n', b"[" * 9000 + b"\n"])
def test_an_unreadable_line_is_told_and_the_game_goes_on(line: bytes) -> None:
    alice = playing()
    step = alice.client.received(line)
    assert "unreadable" in step.show
    assert not step.done
    assert "Your turn." in alice.hears(OURS).show


def test_another_protocol_ends_it() -> None:
    step = RucLineClient("garden", "alice").received(b"GET / HTTP/1.1\r\n")
    assert step.done


def test_a_game_of_recorded_real_players_is_followed() -> None:
    """What a real client of the course was sent in a whole game, trailing habits and all."""
    name = "team9_server_team9_clients.txt"
    lines = [one for one in ruc_lines(name) if one.client == "C1"]
    joined = json.loads(next(one.data for one in lines if one.direction == "from client"))
    client = RucLineClient(joined["data1"], joined["data2"])
    shown: list[str] = []
    for one in lines:
        if one.direction == "to client":
            shown.append(client.received(one.data).show)
        elif b'"op":200007' in one.data:
            step = client.typed(json.loads(one.data)["data2"])
            assert step.send == one.data
    assert not [line for line in shown if line.startswith("! ") and "MOVE" not in line]
    assert sum(line.count(" moves ") for line in shown) > 100


frames = st.builds(
    Frame,
    st.sampled_from(Opcode),
    st.sampled_from(["", "alice", "bob", "alice bob", "A D", "A", "D", "Z", "alice alice", "-1"]),
    st.sampled_from(["", "A D", "A", "A A", "-1", "-4 5 -4 4", "4 -5 4 -4", "1", "10"]),
)
streams = st.lists(st.one_of(st.binary(max_size=8), frames.map(encode)), max_size=12)


def words(shown: str) -> list[str]:
    """The lines that are not of a star."""
    return [line for line in shown.split("\n") if line and not line.startswith("y ")]


@given(streams.map(b"".join), pieces(), st.lists(st.sampled_from(["-4 5 -4 4", "ready", "x"])))
def test_no_server_makes_a_client_fall(data: bytes, cuts: list[int], typed: list[str]) -> None:
    whole, chopped = RucLineClient("garden", "alice"), RucLineClient("garden", "alice")
    first = whole.received(data)
    steps, start = [], 0
    for end in (*sorted({cut for cut in cuts if cut < len(data)}), len(data)):
        steps.append(chopped.received(data[start:end]))
        start = end
    assert b"".join(step.send for step in steps) == first.send
    # Only how often the star is drawn depends on what comes together.
    assert words("\n".join(step.show for step in steps)) == words(first.show)
    for line in typed:
        assert whole.typed(line) == chopped.typed(line)
