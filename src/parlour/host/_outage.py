"""What is said while the store fails: once to the operator, every time to whoever asked."""

import logging

from parlour.games import Refusal, Refused
from parlour.host._ports import StoreError

log = logging.getLogger("parlour.host")


class Outage:
    """Whether the store fails just now. Players try again every second; the log need not."""

    def __init__(self) -> None:
        self.lasts = False

    def refusal(self, error: StoreError) -> Refused:
        """What a player hears; the operator reads why, when it is news."""
        if not self.lasts:
            log.error("the store fails: %s", error)
        self.lasts = True
        return Refused(Refusal.UNAVAILABLE, "the server cannot store anything just now")

    def end(self) -> None:
        """Something was stored or read."""
        if self.lasts:
            log.info("the store works again")
        self.lasts = False
