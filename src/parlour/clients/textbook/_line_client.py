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
        self._mine = False
        self._result: Status | None = None

    def connected(self) -> Step:
        return Step(show="Connected; waiting for a role.")

    def received(self, data: bytes) -> Step:
        shown: list[str] = []
        for message in self._codec.feed(data):
            if isinstance(message, WireError):
                return Step(
                    show=_joined([*shown, f"The server speaks otherwise: {message}."]), done=True
                )
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
        except Refused as no:
            return Step(show=f"That is not possible: {no.detail}. {ASK}")
        self._mine = False
        return Step(encode_move(move), f"{self._position.diagram()}\nWaiting for the other player.")

    def lost(self) -> Step:
        if self._result is not None:
            return Step(done=True)
        return Step(show="The server closed the connection before the game ended.", done=True)

    def _told(self, message: Role | Start | Result | Move) -> str:
        match message:
            case Role(player):
                self._seat = player - 1
                waits = "Waiting for player 2." if player == 1 else "Player 1 begins."
                return f"You are player {player} with token {TOKENS[self._seat]}. {waits}"
            case Start():
                self._mine = True
                return f"Player 2 has come; you begin.\n{self._position.diagram()}\n{ASK}"
            case Result(status):
                if status is Status.CONTINUE:
                    return ""
                self._result = status
                return self._verdict(status)
            case Move(row, column):
                return self._other_moved(row, column)

    def _other_moved(self, row: int, column: int) -> str:
        try:
            self._position = self._position.play(f"{column},{row}")
        except Refused:
            # The server says an earlier move of the winner again when we lost by a fault.
            return ""
        self._mine = self._result is None
        asked = f"\n{ASK}" if self._mine else ""
        return (
            f"The other player marks row {row}, column {column}.\n{self._position.diagram()}{asked}"
        )

    def _verdict(self, status: Status) -> str:
        if status is Status.DRAW:
            return "The game is over: a draw."
        winner = int(status) - 1
        return "You won!" if winner == self._seat else f"Player {winner + 1} won."


def _joined(lines: list[str]) -> str:
    return "\n".join(line for line in lines if line)
