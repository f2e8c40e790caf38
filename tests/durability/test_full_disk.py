"""A disk that is full: nobody is told what is not recorded, and play goes on when there is room.

The disk is a real one, a tmpfs of its own, and so is the server.
"""

import asyncio
import contextlib
import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from io import FileIO
from pathlib import Path

import pytest

from tests.cli.servers import Server, parlour
from tests.durability.log import Cell, lines, moves, streams
from tests.gateways.textbook.peers import Door, Peer, visiting

pytestmark = pytest.mark.slow

SIZE = "1m"
PAGE = 4096  # what a tmpfs gives at a time; a transaction of ours writes two pages and more
WON_1, WON_2, CONTINUE = 1, 2, 4
FULL = "database or disk is full"  # SQLite's words


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system of its own."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("only root on Linux can mount a tmpfs")
    where = tmp_path / "disk"
    where.mkdir()
    mount = ("mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(where))
    mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        pytest.skip(f"mounting a tmpfs is refused here: {mounted.stderr.strip()}")
    try:
        yield where
    finally:
        subprocess.run(["umount", str(where)], check=True)


@contextlib.contextmanager
def ballast(disk: Path, spare: int) -> Iterator[None]:
    """Fill the disk up to its last `spare` bytes."""
    path = disk / "ballast"
    with path.open("wb", buffering=0) as file:
        _fill(file)
        file.truncate(file.tell() - spare)
    try:
        yield
    finally:
        path.unlink()


def _fill(file: FileIO) -> None:
    try:
        while True:
            file.write(bytes(PAGE))
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise


async def exchange(mover: Peer, other: Peer, cell: Cell) -> None:
    mover.mark(*cell)
    assert await other.ints(3) == (CONTINUE, *cell)


async def play_to_the_end(door: Door) -> list[Cell]:
    """A game that player 1 wins."""
    first, second = await door.pair()
    cells = [(0, 0), (1, 1), (0, 1), (2, 2), (0, 2)]
    for number, cell in enumerate(cells[:-1]):
        await exchange(*((first, second) if number % 2 == 0 else (second, first)), cell)
    first.mark(*cells[-1])
    assert await first.rest() == (WON_1,)
    assert await second.rest() == (WON_1, *cells[-1])
    return cells


@pytest.mark.parametrize("spare", [0, PAGE], ids=["no room", "room for half a transaction"])
async def test_a_full_disk_confirms_nothing_and_play_goes_on_with_room(
    disk: Path, spare: int
) -> None:
    data = disk / "data"
    with Server(data, doors=("textbook",)) as server:
        async with visiting(server.ports["textbook"]) as door:
            first, second = await door.pair()
            await exchange(first, second, (0, 0))
            before = lines(data)

            with ballast(disk, spare):
                second.mark(1, 1)
                heard = asyncio.create_task(first.ints(3))
                logged = asyncio.create_task(complaint(server))
                await asyncio.wait((heard, logged), return_when=asyncio.FIRST_COMPLETED)
                assert not heard.done()
                assert not await pair_up(door)
                await door.fence()
                assert not heard.done()
                assert lines(data) == before

            assert await heard == (CONTINUE, 1, 1)  # the server has not forgotten the move
            await exchange(first, second, (2, 2))
            cells = await play_to_the_end(door)
        said = [await logged, *await rest(server)]

    errors = [one for one in said if " INFO " not in one]
    assert len(errors) == 1  # one outage, one line, however often the store was tried
    assert [
        one for one in errors if "the log cannot be written" not in one or FULL not in one
    ] == []
    interrupted, new = streams(data).values()
    assert moves(interrupted) == [(0, 0), (1, 1), (2, 2)]
    assert moves(new) == cells
    assert new[-1].kind == "MatchEnded"


async def test_a_match_is_made_whole_or_not_at_all_however_little_room_is_left(
    disk: Path,
) -> None:
    data = disk / "data"
    whole = ["MatchCreated", "SeatTaken", "SeatTaken", "MatchStarted"]
    made = 0
    with Server(data, doors=("textbook",)) as server:
        async with visiting(server.ports["textbook"]) as door:
            for pages in range(20):
                with ballast(disk, pages * PAGE):
                    while await pair_up(door):
                        made += 1
                stories = streams(data).values()
                assert [[one.kind for one in story] for story in stories] == [whole] * made
    assert made > 0


async def pair_up(door: Door) -> bool:
    """Whether two newcomers are given a match.

    When it cannot be stored the second is turned away; the first waits on, and leaves here.
    """
    first, second = await door.peer(), await door.peer()
    assert await first.ints(1) == (1,)
    try:
        assert await second.ints(1) == (2,)
    except asyncio.IncompleteReadError:
        first.mark(0, 0)  # nobody may before there is an opponent
        assert await first.rest() == ()
        return False
    assert await first.ints(1) == (1,)
    return True


async def complaint(server: Server) -> str:
    """The next line of the server's log that is not only for information."""
    assert server.process.stderr is not None
    while " INFO " in (said := await asyncio.to_thread(server.process.stderr.readline)):
        pass
    return said


async def rest(server: Server) -> list[str]:
    """End the server, and read what else it wrote to its log."""
    server.process.terminate()
    assert server.process.stderr is not None
    said = await asyncio.to_thread(server.process.stderr.readlines)
    assert server.process.wait() == 0
    return said


async def test_the_log_can_be_read_while_the_disk_is_full(disk: Path) -> None:
    data = disk / "data"
    with Server(data, doors=("textbook",)) as server:
        async with visiting(server.ports["textbook"]) as door:
            first, second = await door.pair()
            await exchange(first, second, (0, 0))
            with ballast(disk, 0):
                (stream,) = streams(data)
                shown = await asyncio.to_thread(parlour, "replay", stream, "--data", str(data))
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "1. x 0,0" in shown.stdout
