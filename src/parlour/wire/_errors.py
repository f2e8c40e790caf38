"""What a codec says of bytes that are not a message: one bad message, or a stream that is lost."""

from msgspec import Struct


class WireError(Exception):
    """The stream is not this protocol, or cannot be resynchronised: one log line, then close.

    A codec does not raise it but puts it last in what `feed` returns, so that input in pieces
    gives the same list as input in one piece. Equal texts are equal errors.
    """

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.args == self.args

    def __hash__(self) -> int:
        return hash((type(self), self.args))


class Malformed(Struct, frozen=True):
    """One message that breaks its grammar. The stream lives and the sender is told `detail`."""

    detail: str
