"""The only loop: commands in, facts into the log, facts out to everybody who follows."""

from parlour.host._aside import LONG, Aside
from parlour.host._ask import MISTAKEN, Accept, Refuse, asked, ignore, nothing
from parlour.host._chat import Chat, ChatLine, Listener
from parlour.host._directory import Directory, fold_room, holder_of
from parlour.host._host import Host
from parlour.host._loader import RETRY_AFTER
from parlour.host._pairing import DRAINS, LEFT, Pairer
from parlour.host._ports import (
    Aggregate,
    AnyAggregate,
    Bell,
    Bus,
    Done,
    Listed,
    StaleVersionError,
    Store,
    Stored,
    StoreError,
    UnreadableError,
    Write,
)
from parlour.host._recovery import Found, find
from parlour.host._stream import Deliver, Follower, Recorded
from parlour.host._timekeeper import Timekeeper

__all__ = [
    "DRAINS",
    "LEFT",
    "LONG",
    "MISTAKEN",
    "RETRY_AFTER",
    "Accept",
    "Aggregate",
    "AnyAggregate",
    "Aside",
    "Bell",
    "Bus",
    "Chat",
    "ChatLine",
    "Deliver",
    "Directory",
    "Done",
    "Follower",
    "Found",
    "Host",
    "Listed",
    "Listener",
    "Pairer",
    "Recorded",
    "Refuse",
    "StaleVersionError",
    "Store",
    "StoreError",
    "Stored",
    "Timekeeper",
    "UnreadableError",
    "Write",
    "asked",
    "find",
    "fold_room",
    "holder_of",
    "ignore",
    "nothing",
]
