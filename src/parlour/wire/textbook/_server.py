"""The server's ear: the moves a textbook client sends."""

from parlour.wire._errors import WireError
from parlour.wire._foreign import HTTP_METHODS, TLS_HELLO
from parlour.wire.textbook._numbers import PAIR, Move

FOREIGN_HEADS = frozenset(method[:4] for method in HTTP_METHODS)


class ServerCodec:
    """Moves out of a byte stream, whatever its pieces.

    Only the first 4 bytes of a connection can be foreign: `GET ` as a row is 1195725856, which no
    client sends, while -1 and 2^31-1 are rows, off the board (the match's affair, not the wire's).
    """

    def __init__(self) -> None:
        self._rest = b""
        self._begun = False
        self._lost = False

    def feed(self, data: bytes) -> list[Move | WireError]:
        """Give the moves that are whole; a `WireError` is last, and nothing comes after it."""
        if self._lost:
            return []
        data = self._rest + data
        if not self._begun:
            error = _foreign(data)
            if error is not None:
                self._lost = True
                self._rest = b""
                return [error]
            self._begun = len(data) >= 4
        whole = len(data) - len(data) % PAIR.size
        self._rest = data[whole:]
        return [Move(row, column) for row, column in PAIR.iter_unpack(data[:whole])]


def _foreign(data: bytes) -> WireError | None:
    if data.startswith(TLS_HELLO):
        return WireError("a TLS hello instead of a move")
    if data[:4] in FOREIGN_HEADS:
        return WireError(f"an HTTP request ({data[:4].decode().strip()}) instead of a move")
    return None
