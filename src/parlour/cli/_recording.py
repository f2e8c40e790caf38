"""How an act of an operator is recorded while no server runs."""

import os
import time

from parlour.gateways.admin import STREAM, Act, OperatorAggregate, user


def recorded(act: Act) -> tuple[str, bytes]:
    """The stream and the event to add to it."""
    return STREAM, OperatorAggregate().encode(act)


def here_and_now() -> tuple[int, int, str]:
    """Milliseconds since the Unix epoch, and the number and name of this process's user."""
    uid = os.getuid() if hasattr(os, "getuid") else -1
    return (time.time_ns() // 1_000_000, *user(uid))
