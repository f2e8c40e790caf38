"""How a request of a browser is refused: a stable word and a sentence."""

import enum
from typing import Self

from parlour.games import Refusal, Refused


class No(enum.StrEnum):
    """Reasons that only this gateway has; those of the match come from `parlour.games.Refusal`."""

    MALFORMED = "malformed"
    FORBIDDEN = "forbidden"
    GUEST = "guest"
    PASSWORD = "password"
    NOT_FOUND = "not-found"
    NO_RECORD = "no-record"
    NOT_ALLOWED = "not-allowed"
    TOO_LARGE = "too-large"
    UNSUPPORTED = "unsupported"


class Declined(Exception):
    """A request was not carried out. `refusal` is for programs, `detail` a sentence for people."""

    def __init__(self, refusal: str, detail: str) -> None:
        super().__init__(f"{refusal}: {detail}")
        self.refusal = str(refusal)
        self.detail = detail

    @classmethod
    def unreadable(cls, stream: str) -> Self:
        """The log has a match that means nothing to this program, and will mean nothing later."""
        detail = f"{stream} cannot be read; the log of the service says why"
        return cls(Refusal.UNKNOWN_STREAM.value, detail)

    @classmethod
    def of(cls, no: Refused) -> Self:
        """What a rule has refused, in the rule's words."""
        return cls(no.refusal.value, no.detail)
