"""Commands whose answer somebody waits for."""

from functools import partial
from typing import Any

from parlour.host import Host, asked


async def ask(host: Host, stream: str, command: Any) -> None:
    """Ask for a command and wait until what it led to is in the log.

    Raises:
        Refused: a rule said no, or the log cannot be written.
    """
    no = await asked(partial(host.submit, stream, command))
    if no is not None:
        raise no
