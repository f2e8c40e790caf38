"""Pure codecs: bytes in any pieces to typed messages, and back.

What the protocols share is here; each protocol is a package below. `feed` never raises: a bad
message is a `Malformed` in its answer, a lost stream a `WireError` at the end of it.
"""

from parlour.wire._errors import Malformed, WireError

__all__ = ["Malformed", "WireError"]
