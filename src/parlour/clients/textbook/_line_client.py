"""A textbook player at a terminal: draws the board, asks for row and column, tells the result.

Tic-tac-toe document, section 9 (flow chart), player 1 and player 2.
"""

import re

from parlour.clients import Step
from parlour.games import Refused
from parlour.games.tictactoe import Options, Position, TicTacToe
from parlour.wire import WireError
from parlour.wire.textbook import ClientCodec, Move, Result, Role, Start, Status, encode_move

TYPED = re.compile(r"\s*([0-9])\s*[ ,]\s*([0-9])\s*", re.ASCII)
ASK = "Your row and column, from 0 (as in 1 2): "
TOKENS = "XO"


class TextbookLineClient:
    """One game: from the role to the result."""

    def __init__(self) -> None:
        self._codec = ClientCodec()
        self._position: Position = TicTacToe().start(Options(), 2)
        self._seat = 0
        self._begun = False
        self._mine = False
        self._result: Status | None = None
        self._verdict = ""  # of a result whose last move has yet to come

    def connected(self) -> Step:
        return Step(show="Connected; waiting for a role.")

    def received(self, data: bytes) -> Step:
        shown: list[str] = []
        for message in self._codec.feed(data):
            if isinstance(message, WireError):
                shown.append(f"The server speaks otherwise: {message}.")
                return Step(show=_joined(shown), done=True, failed=True)
            shown.append(self._told(message))
        return Step(show=_joined(shown))

    def typed(self, line: str) -> Step:
        if not self._mine:
            return Step(show="It is not your turn yet.")
        typed = TYPED.fullmatch(line)
        if typed is None:
            return Step(show=f"{line!r} is no row and column. {ASK}")
        move = Move(int(typed[1]), int(typed[2]))
        try:
            self._position = self._position.play(f"{move.column},{move.row}")
        except Refused:
            return Step(show=f"That is not possible: {self._why_not(move)}. {ASK}")
        self._mine = False
        return Step(encode_move(move), f"{self._position.diagram()}\nWaiting for the other player.")

    def lost(self) -> Step:
        if self._result is not None:
            return Step(show=self._verdict, done=True)
        before = "the game ended" if self._begun else "a game began"
        said = f"The server closed the connection before {before}."
        return Step(show=said, done=True, failed=True)

    def _why_not(self, move: Move) -> str:
        """In rows and columns, as people type them; the rules speak of x and y."""
        where, options = f"row {move.row}, column {move.column}", self._position.options
        if move.row >= options.rows or move.column >= options.cols:
            return f"{where} is off the board of {options.rows} by {options.cols}"
        mark = self._position.mark(move.column, move.row)
        return "the game is over" if mark is None else f"{where} is taken by {TOKENS[mark]}"

    def _told(self, message: Role | Start | Result | Move) -> str:
        match message:
            case Role(player):
                self._seat = player - 1
                self._begun = player == 2
                waits = "Waiting for player 2." if player == 1 else "Player 1 begins."
                return f"You are player {player} with token {TOKENS[self._seat]}. {waits}"
            case Start():
                self._begun = self._mine = True
                return f"Player 2 has come; you begin.\n{self._position.diagram()}\n{ASK}"
            case Result(status):
                if status is Status.CONTINUE:
                    return ""
                return self._ended(status)
            case Move(row, column):
                return self._other_moved(row, column)

    def _other_moved(self, row: int, column: int) -> str:
        try:
            self._position = self._position.play(f"{column},{row}")
        except Refused:
            # The server says an earlier move of the winner again when we lost by a fault.
            return self._said_verdict()
        self._mine = self._result is None
        after = ASK if self._mine else self._said_verdict()
        return (
            f"The other player marks row {row}, column {column}.\n"
            f"{self._position.diagram()}\n{after}"
        )

    def _ended(self, status: Status) -> str:
        """The verdict; nothing yet where the move that led to it follows."""
        self._result, self._mine = status, False
        if status is Status.DRAW:
            self._verdict = "The game is over: a draw."
            return self._said_verdict() if self._seat == 0 else ""
        winner = int(status) - 1
        self._verdict = "You won!" if winner == self._seat else f"Player {winner + 1} won."
        return self._said_verdict() if winner == self._seat else ""

    def _said_verdict(self) -> str:
        verdict, self._verdict = self._verdict, ""
        return verdict


def _joined(lines: list[str]) -> str:
    return "\n".join(line for line in lines if line)
