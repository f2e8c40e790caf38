"""Go over text lines: exact on what clients send, lenient on what servers send."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.wire import Malformed, WireError
from parlour.wire.nedap import (
    Cancel,
    Chat,
    ClientCodec,
    ClientMessage,
    End,
    Exit,
    Go,
    Heard,
    Invalid,
    Move,
    OldGo,
    Pass,
    Passed,
    Player,
    Ready,
    ReadyTable,
    ServerCodec,
    ServerMessage,
    Tableflip,
    Tableflipped,
    Told,
    Unknown,
    Valid,
    Waiting,
    Warning,
    encode,
)
from tests.recordings import go_lines, go_recordings
from tests.wire.pieces import fed, pieces

MOVE_FORM = "write MOVE x y, two numbers from 0"


def hear(line: str) -> list[Heard]:
    return ServerCodec().feed(line.encode() + b"\n")


def tell(line: str) -> list[Told]:
    return ClientCodec().feed(line.encode() + b"\n")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("PLAYER alice", Player("alice")),
        ("GO 9", Go(9)),
        ("GO 9 bob", Go(9, "bob")),
        ("GO alice 9", OldGo("alice", 9)),
        ("GO alice 9 bob", OldGo("alice", 9, "bob")),
        ("MOVE 13 14", Move(13, 14)),
        ("MOVE -1 9999", Move(-1, 9999)),
        ("MOVE -0 007", Move(0, 7)),
        ("PASS", Pass()),
        ("TABLEFLIP", Tableflip()),
        ("CHAT Waar ga je heen?", Chat("Waar ga je heen?")),
        ("CHAT  two  spaces ", Chat(" two  spaces ")),
        ("CANCEL", Cancel()),
        ("EXIT", Exit()),
        ("move 3 4", Unknown("move")),
        ("FOO 1 2", Unknown("FOO")),
    ],
)
@pytest.mark.parametrize("ending", ["", " ", "\r", " \r"])
def test_every_keyword_of_a_client(line: str, message: ClientMessage, ending: str) -> None:
    if isinstance(message, Chat):
        ending = ending.strip(" ")
    assert hear(line + ending) == [message]


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        ("MOVE a b", f"a is not a number of 1 to 4 digits: {MOVE_FORM}"),
        ("MOVE 3", f"MOVE has two arguments, not 1: {MOVE_FORM}"),
        ("MOVE", f"MOVE has two arguments, not 0: {MOVE_FORM}"),
        ("MOVE 4 4 4", f"MOVE has two arguments, not 3: {MOVE_FORM}"),
        ("MOVE  3 4", f"MOVE  3 4 has a space too many: {MOVE_FORM}"),
        ("MOVE 3 4  ", f"MOVE 3 4   has a space too many: {MOVE_FORM}"),
        ("MOVE \uff13 \uff14", f"\uff13 is not a number of 1 to 4 digits: {MOVE_FORM}"),
        ("MOVE \u0663 4", f"\u0663 is not a number of 1 to 4 digits: {MOVE_FORM}"),
        ("MOVE 3 1_0", f"1_0 is not a number of 1 to 4 digits: {MOVE_FORM}"),
        ("MOVE +3 4", f"+3 is not a number of 1 to 4 digits: {MOVE_FORM}"),
        ("MOVE 3 12345", f"12345 is not a number of 1 to 4 digits: {MOVE_FORM}"),
        ("MOVE 3 4\rPASS", f"4 PASS is not a number of 1 to 4 digits: {MOVE_FORM}"),
        ("GO 6", "size 6 is not odd and 5 to 131: write GO size, or GO size opponent"),
        ("GO 1_9", "size 1_9 is not odd and 5 to 131: write GO size, or GO size opponent"),
        ("GO 133", "size 133 is not odd and 5 to 131: write GO size, or GO size opponent"),
        ("GO", "GO with nothing is not known: write GO size, or GO size opponent"),
        (
            "GO 9 Bob",
            "name Bob is not 1 to 20 small letters a to z: write GO size, or GO size opponent",
        ),
        (
            "PLAYER ERIK",
            "name ERIK is not 1 to 20 small letters a to z: "
            "write PLAYER name, 1 to 20 small letters a to z",
        ),
        ("PASS now", "PASS has no argument, not now: write PASS"),
        ("CHAT", "nothing was said: write CHAT message"),
        ("CHAT ", "nothing was said: write CHAT message"),
        (" PASS", "a line begins with its keyword, not with a space"),
    ],
)
def test_a_malformed_line_is_answered_with_the_right_form(line: str, detail: str) -> None:
    codec = ServerCodec()
    assert codec.feed(line.encode() + b"\nPASS\n") == [Malformed(detail), Pass()]


@pytest.mark.parametrize("name", ["a" * 21, "\u00e9", "\u0435", "a1", "a-b"])
def test_names_are_ascii_small_letters(name: str) -> None:
    (answer,) = hear(f"PLAYER {name}")
    assert isinstance(answer, Malformed)


def test_empty_lines_are_ignored() -> None:
    assert ServerCodec().feed(b"\n\r\n \nPASS\n") == [Pass()]


def test_an_overlong_line_is_answered_once_and_never_executed() -> None:
    codec = ServerCodec()
    (answer,) = codec.feed(b"CHAT " + b"A" * 100_000)
    assert isinstance(answer, Malformed)
    assert codec.feed(b"TABLEFLIP\nPASS\n") == [Pass()]


@pytest.mark.parametrize("hello", [b"\x16\x03\x01", b"GET / HTTP/1.1\r\n", b"CHAT \xff\n"])
def test_another_protocol_is_a_wire_error(hello: bytes) -> None:
    (error,) = ServerCodec().feed(hello)
    assert isinstance(error, WireError)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("WAITING", Waiting()),
        ("WAITING for an opponent", Waiting()),
        ("READY black bob 9 ", Ready("black", "bob", 9)),
        ("READY 9 black alice white bob", ReadyTable((("black", "alice"), ("white", "bob")), 9)),
        (
            "READY 9 black a white b red c",
            ReadyTable((("black", "a"), ("white", "b"), ("red", "c")), 9),
        ),
        ("VALID red 3 4", Valid("red", 3, 4)),
        ("VALID  BLACK 3 4", Valid("BLACK", 3, 4)),
        ("PASSED white", Passed("white")),
        ("INVALID black negative coordinate", Invalid("black", "negative coordinate")),
        ("INVALID black", Invalid("black", "")),
        ("TABLEFLIPPED black", Tableflipped("black")),
        ("END 16 17", End((16, 17))),
        ("END 17161 0 -1", End((17161, 0, -1))),
        ("CHAT bob: hi", Chat("bob: hi")),
        ("CHAT", Chat("")),
        ("WARNING", Warning("")),
        ("WARNING keyword CHAT unknown", Warning("keyword CHAT unknown")),
        ("PLAYER alice", Unknown("PLAYER")),
    ],
)
def test_a_client_reads_what_servers_send(line: str, message: ServerMessage) -> None:
    assert tell(line) == [message]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("VALID \x1bred 3 3", Valid("red", 3, 3)),
        ("PASSED \u202ered", Passed("red")),
        ("TABLEFLIPPED red\x07", Tableflipped("red")),
        ("INVALID \x9bred ko\x1b[2J", Invalid("red", "ko [2J")),
        ("READY red\x08 \x1bbob 9", Ready("red", "bob", 9)),
    ],
)
def test_no_word_of_a_server_reaches_into_a_terminal(line: str, message: ServerMessage) -> None:
    assert tell(line) == [message]


@pytest.mark.parametrize("line", ["END", "END a b", "READY 9", "VALID black 3", "PASSED"])
def test_a_client_is_told_of_lines_it_cannot_read(line: str) -> None:
    (answer,) = tell(line)
    assert isinstance(answer, Malformed)


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (Waiting(), b"WAITING\n"),
        (Ready("black", "bob", 9), b"READY black bob 9\n"),
        (ReadyTable((("black", "a"), ("white", "b")), 9), b"READY 9 black a white b\n"),
        (Valid("black", 13, 14), b"VALID black 13 14\n"),
        (Passed("white"), b"PASSED white\n"),
        (Invalid("black", "ko\nPASS"), b"INVALID black ko PASS\n"),
        (Tableflipped("black"), b"TABLEFLIPPED black\n"),
        (End((-1, -1)), b"END -1 -1\n"),
        (Warning("keyword FOO unknown"), b"WARNING keyword FOO unknown\n"),
        (Chat("bob: hi\u2028VALID black 1 1"), b"CHAT bob: hi VALID black 1 1\n"),
        (Chat("hi\rVALID black 1 1"), b"CHAT hi VALID black 1 1\n"),
    ],
)
def test_a_server_sends_exactly_these_tokens(message: ServerMessage, line: bytes) -> None:
    assert encode(message) == line


@pytest.mark.parametrize("name", ["two words", "a\nb", "", "\u00e9"])
def test_a_name_cannot_forge_a_line(name: str) -> None:
    with pytest.raises(ValueError, match="is not one ASCII word"):
        encode(Ready("black", name, 9))


number = st.integers(-9999, 9999)
names = st.from_regex(r"[a-z]{1,20}", fullmatch=True)
colours = st.sampled_from(["black", "white", "red"])
sizes = st.sampled_from(range(5, 132, 2))
text = st.text(st.characters(categories=["L", "N", "P", "Zs"]), min_size=1, max_size=99)
said = text.filter(lambda words: bool(words.strip()))

client_messages: st.SearchStrategy[ClientMessage] = st.one_of(
    st.builds(Player, names),
    st.builds(Go, sizes, st.none() | names),
    st.builds(OldGo, names, sizes, st.none() | names),
    st.builds(Move, number, number),
    st.builds(Chat, said),
    st.sampled_from([Pass(), Tableflip(), Cancel(), Exit()]),
)
server_messages: st.SearchStrategy[ServerMessage] = st.one_of(
    st.just(Waiting()),
    st.builds(Ready, colours, names, sizes),
    st.builds(
        ReadyTable, st.lists(st.tuples(colours, names), min_size=2, max_size=4).map(tuple), sizes
    ),
    st.builds(Valid, colours, number, number),
    st.builds(Passed, colours),
    st.builds(Tableflipped, colours),
    st.builds(End, st.lists(st.integers(-1, 17161), min_size=2, max_size=4).map(tuple)),
    st.builds(Warning, said.map(str.strip)),
    st.builds(Chat, said.map(str.strip)),
)


@given(st.lists(client_messages))
def test_client_messages_survive_the_wire(messages: list[ClientMessage]) -> None:
    assert ServerCodec().feed(b"".join(map(encode, messages))) == messages


@given(st.lists(server_messages))
def test_server_messages_survive_the_wire(messages: list[ServerMessage]) -> None:
    assert ClientCodec().feed(b"".join(map(encode, messages))) == messages


WORDS = [b"MOVE", b"GO", b"READY", b"END", b"CHAT", b"VALID", b" ", b"9", b"-", b"a", b"\n", b"\r"]
streams = st.lists(st.one_of(st.sampled_from(WORDS), st.binary(max_size=6))).map(b"".join)


@given(data=streams, cuts=pieces())
def test_pieces_change_nothing_and_nothing_raises(data: bytes, cuts: list[int]) -> None:
    assert fed(ServerCodec(), data, cuts) == ServerCodec().feed(data)
    assert fed(ClientCodec(), data, cuts) == ClientCodec().feed(data)


def test_recorded_servers_are_read_by_the_client() -> None:
    assert go_recordings()
    strange = {
        message
        for path in go_recordings()
        for sent in go_lines(path)
        if sent.direction == "to client"
        for message in ClientCodec().feed(sent.data)
        if isinstance(message, Malformed | WireError | Unknown)
    }
    # One server repeats the name of its client: PLAYER is on no page as a server's keyword.
    assert strange == {Unknown("PLAYER")}


def test_recorded_clients_are_read_by_the_server() -> None:
    """Only the probe sends nonsense on purpose; of real clients one sends an upper case name."""
    malformed = [
        message
        for path in go_recordings()
        if not path.name.startswith("probe")
        for sent in go_lines(path)
        if sent.direction == "from client"
        for message in ServerCodec().feed(sent.data)
        if isinstance(message, Malformed | WireError)
    ]
    assert malformed == hear("PLAYER ERIK")
