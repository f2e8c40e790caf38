"""Lines of UTF-8 text out of a byte stream, whatever its pieces, within bounded memory.

Laws:

* A line ends at \\n; one \\r before it belongs to the ending. A \\r elsewhere stays in the text,
  for the grammar above to refuse (or, in free text, for `clean` to replace).
* A line of more than `limit` bytes (\\r counted, \\n not) gives one `Overlong`; everything up to
  its newline is discarded, never taken for a line.
* Invalid UTF-8, NUL, a TLS hello or an HTTP request at the start give a `WireError`, the last item.
"""

from msgspec import Struct

from parlour.wire._errors import WireError
from parlour.wire._foreign import HTTP_REQUEST, TLS_HELLO


class Overlong(Struct, frozen=True):
    """A line that was discarded because it has more than `limit` bytes."""

    limit: int


Line = str | Overlong | WireError


class LineReader:
    """Feed it bytes, take lines without their endings."""

    __slots__ = ("_begun", "_discarding", "_limit", "_lost", "_plain", "_rest")

    def __init__(self, limit: int = 8192) -> None:
        self._limit = limit
        self._rest = b""
        self._begun = False
        self._discarding = False
        self._lost = False
        self._plain = False

    def feed(self, data: bytes) -> list[Line]:
        """Give the lines that are whole; a `WireError` is last, and nothing comes after it."""
        # The usual read is one whole line with nothing kept before it: spare it the loop.
        if self._plain and data.find(b"\n") + 1 == len(data) <= self._limit and data:
            # Printable ASCII holds no \r and no NUL, and is UTF-8 as it stands.
            line = data[:-1]
            if line.isascii() and (text := line.decode()).isprintable():
                return [text]
            return [self._text(line)]
        return self._feed(data)

    def _feed(self, data: bytes) -> list[Line]:
        lines: list[Line] = []
        if self._lost:
            return lines
        data = self._rest + data
        start = 0
        if not self._begun and data.startswith(TLS_HELLO):
            return [self._lose("a TLS hello instead of a line")]
        while (end := data.find(b"\n", start)) >= 0:
            if self._discarding:
                self._discarding = False
            else:
                lines.append(self._line(data[start:end]))
                if self._lost:
                    return lines
            start = end + 1
        self._rest = b"" if self._discarding else data[start:]
        if len(self._rest) > self._limit:
            lines.append(self._line(self._rest))
            self._rest = b""
            self._discarding = True
        self._plain = self._begun and not self._rest and not self._discarding
        return lines

    def _line(self, line: bytes) -> Line:
        if not self._begun:
            self._begun = True
            if HTTP_REQUEST.match(line, 0, self._limit):
                return self._lose("an HTTP request instead of a line")
        if len(line) > self._limit:
            return Overlong(self._limit)
        return self._text(line)

    def _text(self, line: bytes) -> str | WireError:
        if line[-1:] == b"\r":
            line = line[:-1]
        if b"\0" in line:
            return self._lose("a NUL byte in a line")
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            return self._lose(f"byte {line[error.start]:#04x} of a line is not UTF-8")

    def _lose(self, reason: str) -> WireError:
        self._lost = True
        self._plain = False
        self._rest = b""
        return WireError(reason)
