"""The client's ear: what the server says, told apart by position alone.

Source: Multi-User Gaming / Tic-tac-toe document, "FLOW CHART", player 1 and player 2:

    position   player 1                        player 2
    first      role (step 2)                   role (step 2)
    second     start signal (step 3)           status (step 3)
    status 4   row, column follow (step 8)     row, column follow (step 6)
    status 1   nothing follows: I won          row, column follow (step 4)
    status 2   row, column follow (step 6)     nothing follows: I won
    status 3   nothing follows (step 7)        row, column follow (step 5)

A server that ends a match because a player left says the status alone, hence `Result` is given
before the move that may never come.
"""

from collections.abc import Callable

from parlour.wire._errors import WireError
from parlour.wire.textbook._numbers import INT, Move, Result, Role, Start, Status

Message = Role | Start | Result | Move

MOVE_FOLLOWS = frozenset(
    {
        (1, Status.CONTINUE),
        (2, Status.CONTINUE),
        (1, Status.PLAYER2_WON),
        (2, Status.PLAYER1_WON),
        (2, Status.DRAW),
    }
)


class ClientCodec:
    """Messages out of the integers a server sends, whatever their pieces."""

    def __init__(self) -> None:
        self._rest = b""
        self._player = 0
        self._status = Status.CONTINUE
        self._row = 0
        self._read: Callable[[int], Message | WireError | None] = self._role
        self._lost = False

    def feed(self, data: bytes) -> list[Message | WireError]:
        """Give the messages that are whole; a `WireError` is last, and nothing comes after it."""
        messages: list[Message | WireError] = []
        if self._lost:
            return messages
        data = self._rest + data
        whole = len(data) - len(data) % INT.size
        self._rest = data[whole:]
        for (number,) in INT.iter_unpack(data[:whole]):
            message = self._read(number)
            if message is not None:
                messages.append(message)
            if isinstance(message, WireError):
                self._lost = True
                self._rest = b""
                break
        return messages

    def _role(self, number: int) -> Message | WireError:
        if number not in (1, 2):
            return WireError(f"role {number} is neither player 1 nor player 2")
        self._player = number
        self._read = self._start if number == 1 else self._result
        return Role(number)

    def _start(self, number: int) -> Message:
        self._read = self._result
        return Start(number)

    def _result(self, number: int) -> Message | WireError:
        try:
            self._status = Status(number)
        except ValueError:
            return WireError(f"status {number} is not one of 1 to 4")
        follows = (self._player, self._status) in MOVE_FOLLOWS
        self._read = self._move_row if follows else self._after_the_end
        return Result(self._status)

    def _move_row(self, number: int) -> None:
        self._row = number
        self._read = self._move_column

    def _move_column(self, number: int) -> Message:
        goes_on = self._status is Status.CONTINUE
        self._read = self._result if goes_on else self._after_the_end
        return Move(self._row, number)

    def _after_the_end(self, number: int) -> WireError:
        return WireError(f"number {number} after the end of the match")
