"""Commands whose answer somebody waits for, who may be gone before it comes."""

import asyncio
from typing import Any

from parlour.games import Refused
from parlour.host import Host


async def ask(host: Host, stream: str, command: Any) -> None:
    """Ask for a command and wait until what it led to is in the log.

    Raises:
        Refused: a rule said no, or the log cannot be written.
    """
    answered = asyncio.Event()
    noes: list[Refused] = []

    def refused(no: Refused) -> None:
        noes.append(no)
        answered.set()

    host.submit(stream, command, refused, answered.set)
    await answered.wait()
    if noes:
        raise noes[0]
