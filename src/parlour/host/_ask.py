"""What somebody has asked of one or several streams, until it is answered."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import Struct

from parlour.games import Refused
from parlour.host._stream import Live

log = logging.getLogger("parlour.host")

Refuse = Callable[[Refused], None]
Accept = Callable[[], None]

MISTAKEN = "the server made a mistake with this"  # what is said with Refusal.MISTAKE


def ignore(refused: Refused) -> None:
    """For commands whose refusal says nothing new."""


def nothing() -> None:
    """For commands whose success shows in the events."""


def asked(ask: Callable[[Refuse, Accept], None]) -> asyncio.Future[Refused | None]:
    """Settled with None when what was asked is in the log, or with the refusal.

    Whoever waits for it may be gone before.
    """
    answer: asyncio.Future[Refused | None] = asyncio.get_running_loop().create_future()

    def settle(no: Refused | None) -> None:
        if not answer.done():
            answer.set_result(no)

    ask(settle, partial(settle, None))
    return answer


class Ask(Struct, eq=False, gc=False):
    """A command to each of some streams, all or none, and who hears the answer.

    `caught_up` says that the streams were read after it was asked: only then are a refusal, and
    that there is nothing to add, believed.
    """

    parts: list[tuple[Live, Any]]
    refused: Refuse = ignore
    accepted: Accept = nothing
    caught_up: bool = False

    @property
    def by(self) -> str:
        """Who asks, where the command says so."""
        return getattr(self.parts[0][1], "by", "")

    def accept(self) -> None:
        """It is in the log. A mistake of whoever hears that must not stop the stream."""
        try:
            self.accepted()
        except Exception:
            log.exception("the answer to %s was not taken in", self.what())

    def refuse(self, no: Refused) -> None:
        """It is not, and never will be."""
        try:
            self.refused(no)
        except Exception:
            log.exception("the refusal of %s was not taken in", self.what())

    def what(self) -> str:
        """The commands and their streams, for the log."""
        return ", ".join(f"{command!r} to {live.stream}" for live, command in self.parts)
