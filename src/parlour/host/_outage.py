"""What is said while the store fails: once to the operator, every time to whoever asked."""

import logging
from typing import Literal

from parlour.games import Refusal, Refused
from parlour.host._ports import StoreError

log = logging.getLogger("parlour.host")


class Outage:
    """Whether the store fails just now at one thing: the log is to be `read`, or `written`.

    A full disk can still be read, so that one says nothing of the other. Players try again every
    second; the log need not.
    """

    def __init__(self, done: Literal["read", "written"]) -> None:
        self._done = done
        self.lasts = False

    def begin(self, error: StoreError) -> None:
        """It has failed, for the first time or again: the operator reads why, when it is news."""
        if not self.lasts:
            log.error("the log cannot be %s: %s", self._done, error)
        self.lasts = True

    def refusal(self, error: StoreError) -> Refused:
        """It has failed, and this is what a player hears."""
        self.begin(error)
        return Refused(Refusal.UNAVAILABLE, f"the log cannot be {self._done} just now")

    def end(self) -> None:
        """It was done."""
        if self.lasts:
            log.info("the log can be %s again", self._done)
        self.lasts = False
