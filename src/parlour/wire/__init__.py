"""Pure codecs: bytes in any pieces to typed messages, and back.

What the protocols share is here; each protocol is a package below. `feed` never raises: a bad
message is a `Malformed` in its answer, a lost stream a `WireError` at the end of it.
"""

from parlour.wire._errors import Malformed, WireError
from parlour.wire._lines import Line, LineReader, Overlong
from parlour.wire._text import clean

__all__ = ["Line", "LineReader", "Malformed", "Overlong", "WireError", "clean"]
