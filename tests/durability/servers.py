"""Real server processes, started, killed and started again on the same data."""

import asyncio
import re
import sys
from pathlib import Path

SOON = 20.0  # seconds in which a server has started or ended


class Server:
    """One process of `parlour serve` with a textbook door on a free port."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self.process = process
        self.port = port

    @classmethod
    async def start(cls, data: Path) -> "Server":
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "parlour", "serve", "--data", str(data)),
            *("--textbook", "127.0.0.1:0", "--nedap", "off", "--ruc", "off"),
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        async with asyncio.timeout(SOON):
            while line := (await process.stdout.readline()).decode():
                found = re.match(r"textbook\s+127\.0\.0\.1:(\d+)", line)
                if found is not None:
                    return cls(process, int(found[1]))
        raise AssertionError("the server ended before it listened")

    async def kill(self) -> None:
        """SIGKILL: no last word, no flush."""
        self.process.kill()
        await self.process.communicate()

    async def terminate(self) -> int:
        """SIGTERM; returns the exit status."""
        self.process.terminate()
        await asyncio.wait_for(self.process.communicate(), SOON)
        assert self.process.returncode is not None
        return self.process.returncode
