"""A Go player at a terminal: draws the board, takes moves as they are typed, tells the result."""

import re
from typing import assert_never

from parlour.clients import Step
from parlour.clients.nedap._session import NedapClient, Phase
from parlour.games import Refused
from parlour.games.go import Position
from parlour.wire import Malformed, WireError, clean
from parlour.wire.nedap import (
    Chat,
    End,
    Invalid,
    Passed,
    Ready,
    ReadyTable,
    Tableflipped,
    Told,
    Unknown,
    Valid,
    Waiting,
    Warning,
)

TYPED_MOVE = re.compile(r"([0-9]{1,3})\s*[ ,]\s*([0-9]{1,3})", re.ASCII)
DRAWN = Ready | ReadyTable | Valid | Passed  # what the board is shown after
GAME = re.compile(r"([0-9]{1,3})(?: (\S+))?", re.ASCII)
HELP = """\
3 4            a stone on column 3, row 4, counted from 0 at the top left
pass, flip     no stone this turn; give up
say TEXT       chat
go 9 [NAME]    look for a game on a board of 9, with NAME only
cancel         stop waiting
name NAME      log in as NAME
board, help    show the board; show this
exit           leave"""
COME_BACK = """\
The server closed the connection. The same command comes back to the game: a Parlour server keeps
the seat for 30 s if not set otherwise."""
OTHER_NAME = "Type `name NAME` to log in as NAME and look for a game on {size}."
NAMELESS = "expected PLAYER name"  # what a Parlour server says to whoever has none
ENDING = 2  # passes in a row
SHOWN = 500  # characters of what a server may write into a terminal at once


class NedapLineClient:
    """Games one after another, until the person leaves or the server closes."""

    def __init__(self, name: str, size: int, opponent: str | None = None) -> None:
        self._client = NedapClient()
        self._name = name
        self._size = size
        self._opponent = opponent
        self._entered = False  # the server has taken the name, as far as it has said
        self._refused = False  # the name
        self._passes = 0  # in a row

    def connected(self) -> Step:
        client = self._client
        try:
            lines = client.log_in(self._name) + client.go(self._size, self._opponent)
        except Refused as no:
            return Step(show=f"That is not possible: {no.detail}.", done=True, failed=True)
        return Step(lines, f"Connected as {self._name}; `help` tells what can be typed.")

    def received(self, data: bytes) -> Step:
        told = self._client.receive(data)
        shown = [self._noted(message) for message in told]
        # Once for all that came together: who comes back to a game hears all its moves.
        if self._client.phase is Phase.PLAYING and any(isinstance(one, DRAWN) for one in told):
            shown.append(self._board())
        lost = self._client.phase is Phase.LOST
        return Step(show="\n".join(line for line in shown if line), done=lost, failed=lost)

    def typed(self, line: str) -> Step:
        word, _, rest = line.strip().partition(" ")
        try:
            return self._typed(line.strip(), word, rest.strip())
        except Refused as no:
            return Step(show=f"That is not possible: {no.detail}.")

    def lost(self) -> Step:
        playing = self._client.phase is Phase.PLAYING
        said = COME_BACK if playing else "The server closed the connection."
        return Step(show=said, done=True, failed=True)

    def _typed(self, line: str, word: str, rest: str) -> Step:
        client = self._client
        move, game = TYPED_MOVE.fullmatch(line), GAME.fullmatch(rest)
        if move is not None:
            return Step(client.move(int(move[1]), int(move[2])))
        match word:
            case "pass" if not rest:
                return Step(client.pass_turn())
            case "flip" if not rest:
                return Step(client.flip_table())
            case "say" if rest:
                return Step(client.chat(rest))
            case "go" if game is not None:
                return Step(client.go(int(game[1]), game[2]))
            case "cancel" if not rest:
                return Step(client.cancel())
            case "name" if rest:
                self._refused = False
                return Step(client.log_in(rest) + client.go(self._size, self._opponent))
            case "exit" | "quit" if not rest:
                return Step(client.exit(), done=True)
            case "board" if not rest and client.position is not None:
                return Step(show=draw(client.position))
            case "" | "help":
                return Step(show=HELP)
            case _:
                return Step(show=f"{line!r} is nothing that can be typed here; `help` tells what.")

    def _noted(self, message: Told) -> str:
        """What is told of a message, and what is kept of it."""
        match message:
            case Waiting() | Ready() | ReadyTable():
                self._entered, self._passes = True, 0
            case Valid():
                self._passes = 0
            case Passed():
                self._passes += 1
            case Warning() if self._entered:
                pass
            case Warning(text) if self._refused and text == NAMELESS:
                return ""  # the answer to the GO behind the name
            case Warning() if not self._refused:
                self._refused = True
                return f"{self._told(message)}\n{OTHER_NAME.format(size=self._size)}"
            case _:
                pass
        return self._told(message)

    def _told(self, message: Told) -> str:
        client = self._client
        match message:
            case Waiting():
                return "Waiting for an opponent."
            case Ready() | ReadyTable():
                against = ", ".join(client.opponents)
                return f"You have {client.colour} against {against} on {client.size}."
            case Valid(colour, x, y):
                return f"{colour} plays {x} {y}"
            case Passed(colour):
                return f"{colour} passes."
            case Invalid(colour, reason):
                return f"{colour} moved illegally and has lost: {clean(reason, SHOWN)}"
            case Tableflipped(colour):
                return f"{colour} gave up or left."
            case End(scores):
                return f"{self._result(scores)} `go {client.size}` looks for the next game."
            case Chat(text) | Warning(text):
                return f"{'! ' if isinstance(message, Warning) else ''}{clean(text, SHOWN)}"
            case Unknown(keyword):
                return f"(the server says {keyword})"
            case Malformed(detail):
                return f"(not understood: {detail})"
            case WireError():
                return f"The server speaks otherwise: {message}."
            case _:
                assert_never(message)

    def _board(self) -> str:
        client = self._client
        if client.position is None:
            why = client.disagreement or "more than two play"
            return f"(no board: {why}){self._ask()}"
        return draw(client.position) + self._ask()

    def _ask(self) -> str:
        return "\nYour move, as in 3 4: " if self._client.my_turn else ""

    def _result(self, scores: tuple[int, ...]) -> str:
        if not any(scores) and self._passes < ENDING:
            return "The game is over without a result."
        if min(scores) < 0:
            lost = self._client.loser == self._client.colour
            return "The game is over: you lost." if lost else "The game is over: you won."
        seat = self._client.seat
        best = max(scores)
        score = " to ".join(map(str, scores))
        if scores.count(best) > 1:
            return f"The game is over, {score}: a draw."
        if seat is None or seat >= len(scores):
            return f"The game is over, {score}."
        return f"The game is over, {score}: you {'won' if scores[seat] == best else 'lost'}."


def draw(position: Position) -> str:
    """The board with its coordinates: columns above, rows at the left, both from 0."""
    size = position.options.size
    width = len(str(size - 1))
    rows = position.diagram().splitlines()
    head = " ".join(f"{x:>{width}}" for x in range(size))
    body = [
        f"{y:>{width}} " + " ".join(f"{mark:>{width}}" for mark in row.split())
        for y, row in enumerate(rows)
    ]
    return "\n".join([f"{'':>{width}} {head}", *body])
