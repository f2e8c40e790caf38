"""A Go client as a pure object: bytes of a server in, messages out, and the board kept.

GoProtocol (Nedap University, 2016-2018), 'Spel': the client knows the rules too and checks a
move before it sends it; the server is the truth.
"""

import enum
import re

from parlour.games import Refusal, Refused, Seat
from parlour.games.go import Go as GoGame
from parlour.games.go import Options, Position
from parlour.wire import WireError
from parlour.wire.nedap import (
    Cancel,
    Chat,
    ClientCodec,
    End,
    Exit,
    Go,
    Invalid,
    Move,
    Pass,
    Passed,
    Player,
    Ready,
    ReadyTable,
    Tableflip,
    Tableflipped,
    Told,
    Valid,
    Waiting,
    encode,
)

BLACK_AND_WHITE = ("black", "white")  # in the order of play
NAME = re.compile(r"[a-z]{1,20}", re.ASCII)


class Phase(enum.Enum):
    """Where the client is, as far as the server has said."""

    IDLE = "idle"
    WAITING = "waiting"
    PLAYING = "playing"
    LOST = "lost"  # what came was not this protocol


class NedapClient:
    """One player's end of the protocol.

    `colours` are those at the table in the order of play, as far as they are known: a server
    may seat more than two, and in other colours. `position` is None outside a game and where
    our rules do not reach: more than two players, or a move of the server's that they forbid,
    which `disagreement` then names.
    """

    def __init__(self) -> None:
        self._codec = ClientCodec()
        self.phase = Phase.IDLE
        self.name = ""
        self.size = 0
        self.colour = ""
        self.opponents: tuple[str, ...] = ()
        self.colours: tuple[str, ...] = ()
        self.position: Position | None = None
        self.disagreement = ""
        self.scores: tuple[int, ...] = ()
        self.loser = ""

    def receive(self, data: bytes) -> list[Told]:
        """What the server says in `data`, in order, with the state as it leaves it."""
        told = self._codec.feed(data)
        for message in told:
            self._take(message)
        return told

    @property
    def seat(self) -> Seat | None:
        """Our place in the order of play; None as long as it is not known."""
        return self.colours.index(self.colour) if self.colour in self.colours else None

    @property
    def my_turn(self) -> bool:
        """Whether a move would be in turn; where nobody can tell, the server is asked."""
        if self.phase is not Phase.PLAYING:
            return False
        return self.position is None or self.seat is None or self.position.turn == self.seat

    # What the client says

    def log_in(self, name: str) -> bytes:
        """The first line. The server answers only when it does not like the name.

        Raises:
            Refused: the name is not 1 to 20 small letters a to z, or there is a game.
        """
        self._check_free()
        _check_name(name)
        self.name = name
        return encode(Player(name))

    def go(self, size: int, opponent: str | None = None) -> bytes:
        """Look for a game.

        Raises:
            Refused: there is a game already, or nobody can have such a name or size.
        """
        self._check_free()
        if not 5 <= size <= 131 or size % 2 == 0:
            raise Refused(Refusal.BAD_OPTIONS, f"size {size} is not odd and 5 to 131")
        if opponent is not None:
            _check_name(opponent)
        return encode(Go(size, opponent))

    def move(self, x: int, y: int) -> bytes:
        """A stone at x from the left, y from the top, both from 0.

        Raises:
            Refused: it is not our turn, or the rules forbid the move.
        """
        self._check(f"{x},{y}")
        return encode(Move(x, y))

    def pass_turn(self) -> bytes:
        """No stone this turn.

        Raises:
            Refused: it is not our turn.
        """
        self._check("pass")
        return encode(Pass())

    def flip_table(self) -> bytes:
        """Give up, in turn or out of it."""
        return encode(Tableflip())

    def chat(self, text: str) -> bytes:
        """Something for the others."""
        return encode(Chat(text))

    def cancel(self) -> bytes:
        """Stop waiting; some servers close the connection then.

        Raises:
            Refused: the game has begun.
        """
        self._check_free()
        self.phase = Phase.IDLE
        return encode(Cancel())

    def exit(self) -> bytes:
        """Log out."""
        return encode(Exit())

    def _check_free(self) -> None:
        if self.phase is Phase.PLAYING:
            raise Refused(Refusal.ALREADY_STARTED, "the game has begun")

    def _check(self, move: str) -> None:
        if self.phase is not Phase.PLAYING:
            raise Refused(Refusal.NOT_STARTED, "there is no game")
        if not self.my_turn:
            raise Refused(Refusal.OUT_OF_TURN, "it is not your turn")
        if self.position is not None:
            self.position.play(move)

    # What the server says

    def _take(self, message: Told) -> None:
        match message:
            case Waiting():
                self.phase = Phase.WAITING
            case Ready(colour, opponent, size):
                known = BLACK_AND_WHITE if colour in BLACK_AND_WHITE else ()
                self._begin(colour, known, (opponent,), size)
            case ReadyTable(players, size):
                own = next((colour for colour, name in players if name == self.name), "")
                others = tuple(name for _, name in players if name != self.name)
                self._begin(own, tuple(colour for colour, _ in players), others, size)
            case Valid(colour, x, y):
                self._played(colour, f"{x},{y}")
            case Passed(colour):
                self._played(colour, "pass")
            case Invalid(colour) | Tableflipped(colour):
                self.loser = colour
            case End(scores):
                self.scores = scores
                self.phase = Phase.IDLE
            case WireError():
                self.phase = Phase.LOST
            case _:
                pass

    def _begin(
        self, colour: str, colours: tuple[str, ...], opponents: tuple[str, ...], size: int
    ) -> None:
        self.phase = Phase.PLAYING
        self.colour, self.colours, self.opponents, self.size = colour, colours, opponents, size
        self.scores, self.loser, self.disagreement = (), "", ""
        self.position = None
        if len(opponents) == 1:
            try:
                # By these passes every server ends a game; the END itself is the server's word.
                self.position = GoGame().start(Options(size=size, end="white-last"), 2)
            except ValueError as error:
                self.disagreement = str(error)

    def _played(self, colour: str, move: str) -> None:
        if colour not in self.colours:  # the order of play shows as the game goes on
            self.colours = (*self.colours, colour)
        position = self.position
        if position is None:
            return
        if position.turn != self.colours.index(colour):
            self._disagree(f"{colour} is not to move")
            return
        try:
            self.position = position.play(move)
        except Refused as no:
            self._disagree(no.detail)

    def _disagree(self, why: str) -> None:
        self.disagreement = why
        self.position = None


def _check_name(name: str) -> None:
    # GoProtocol, 'Inloggen': small letters only, name.length() <= 20.
    if NAME.fullmatch(name) is None:
        raise Refused(Refusal.MALFORMED_NAME, f"{name!r} is not 1 to 20 small letters a to z")
