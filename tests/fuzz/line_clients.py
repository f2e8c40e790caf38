"""The terminal clients, told anything by a server and typed anything by a person.

What a client sends, our own server understands; what it shows moves no cursor and colours nothing.
"""

from collections.abc import Callable

from parlour.clients import LineClient, Step
from parlour.clients.nedap import NedapLineClient
from parlour.clients.ruc import RucLineClient
from parlour.clients.textbook import TextbookLineClient
from parlour.wire import Malformed, WireError, nedap, ruc, textbook
from tests.fuzz.pieces import Script, is_fit_to_show

STEPS_MOST = 60
# A line of a board of 131 is the longest, and much can come at once.
LINE_MOST = 20_000
SHOWN_MOST = 1 << 22


def check_client(
    client: LineClient, understood: Callable[[bytes], None], words: tuple[bytes, ...], data: bytes
) -> None:
    """Play a script with it: pieces from the server, and lines from the person."""
    script = Script(data)
    sent = _shown(client.connected()).send
    for _ in range(STEPS_MOST):
        if not script:
            break
        match script.below(4):
            case 0:
                step = client.received(script.piece())
            case 1:
                step = client.received(words[script.below(len(words))])
            case 2:
                step = client.typed(script.piece().decode(errors="replace").partition("\n")[0])
            case _:
                step = client.typed(TYPED[script.below(len(TYPED))])
        sent += _shown(step).send
        if step.done:
            break
    understood(sent)
    assert _shown(client.lost()).done


TYPED = (
    "1 1", "0 0", "4,4", "-4 5 -4 4", "ready", "leave", "pass", "flip", "go 9", "go 5 bob",
    "cancel", "exit", "board", "help", "name eve", "say hi", "",
)  # fmt: skip


def _shown(step: Step) -> Step:
    assert len(step.show) <= SHOWN_MOST
    assert all(is_fit_to_show(line, LINE_MOST) for line in step.show.split("\n"))
    return step


def _by_a_textbook_server(sent: bytes) -> None:
    assert len(sent) % 8 == 0
    assert not any(isinstance(one, WireError) for one in textbook.ServerCodec().feed(sent))


def _by_a_nedap_server(sent: bytes) -> None:
    for one in nedap.ServerCodec().feed(sent):
        assert not isinstance(one, WireError | nedap.Unknown)
        # Who says only what cannot be shown is told so by the server.
        assert not isinstance(one, Malformed) or one.detail.startswith("nothing was said")


def _by_a_ruc_server(sent: bytes) -> None:
    assert all(isinstance(one, ruc.Frame) for one in ruc.Codec().feed(sent))


def check_textbook_client(data: bytes) -> None:
    """Tic-tac-toe at a terminal."""
    words = tuple(number.to_bytes(4, "big", signed=True) for number in (1, 2, 3, 4, 0, -1, 9))
    check_client(TextbookLineClient(), _by_a_textbook_server, words, data)


def check_nedap_client(data: bytes) -> None:
    """Go at a terminal."""
    check_client(NedapLineClient("alice", 5), _by_a_nedap_server, NEDAP_WORDS, data)


def check_ruc_client(data: bytes) -> None:
    """Chinese checkers at a terminal."""
    check_client(RucLineClient("garden", "alice"), _by_a_ruc_server, RUC_WORDS, data)


NEDAP_WORDS = (
    b"WAITING\n", b"READY black bob 5\n", b"READY white bob 131\n",
    b"READY 5 black alice white bob\n", b"READY 5 black alice white bob red eve\n",
    b"VALID black 0 0\n", b"VALID white 1 1\n",
    b"VALID black 1 0\n", b"VALID black 9999 -1\n", b"PASSED black\n", b"PASSED white\n",
    b"INVALID white no\n", b"TABLEFLIPPED black\n", b"END 12 13\n", b"END -1 -1\n", b"END\n",
    b"CHAT bob: hi\n", b"WARNING no\n",
)  # fmt: skip


def _frames(*frames: tuple[ruc.Opcode, str, str]) -> tuple[bytes, ...]:
    return tuple(ruc.encode(ruc.Frame(*frame)) for frame in frames)


RUC_WORDS = _frames(
    (ruc.Opcode.JOIN_ROOM_REPLY, "alice bob", "01"),
    (ruc.Opcode.JOIN_ROOM, "bob", "garden"),
    (ruc.Opcode.PLAYER_READY, "bob", ""),
    (ruc.Opcode.START_GAME, "alice bob", "A D"),
    (ruc.Opcode.START_GAME, "alice bob eve", "A C E"),
    (ruc.Opcode.START_TURN, "A", "1700000000"),
    (ruc.Opcode.START_TURN, "D", "1700000000000"),
    (ruc.Opcode.MOVE, "A", "-4 5 -4 4"),
    (ruc.Opcode.MOVE, "D", "4 -5 4 -4"),
    (ruc.Opcode.MOVE, "D", "-1"),
    (ruc.Opcode.MOVE, "A", "-1"),
    (ruc.Opcode.END_TURN, "A", ""),
    (ruc.Opcode.END_GAME, "alice bob", ""),
    (ruc.Opcode.ERROR, "300000", "no"),
    (ruc.Opcode.LEAVE_ROOM, "bob", ""),
    (ruc.Opcode.CLOSE_ROOM, "", ""),
)
