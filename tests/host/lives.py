"""The parts of a machine of services: who follows, what was asked, and a service itself."""

import itertools
from collections.abc import Sequence

from parlour.buses import MemoryBus
from parlour.cli import GAMES
from parlour.games import Refused
from parlour.host import Follower, Host, Recorded
from parlour.match import MatchAggregate
from tests.host.stores import Door, Medium
from tests.host.wall import Wall


class Ear:
    """A follower of one stream past a version; it must hear the log and nothing else."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.records: list[Recorded] = []
        self.checked = 0
        self.follower: Follower | None = None

    def stop(self) -> None:
        if self.follower is not None:
            self.follower.stop()

    def deliver(self, records: Sequence[Recorded]) -> None:
        assert self.follower is not None  # never before `follow` has returned
        assert not self.follower.stopped
        self.records += records


class Asked:
    """A command, and the answers to it."""

    def __init__(self) -> None:
        self.answers = 0

    def refused(self, no: Refused) -> None:
        self.answers += 1

    def accepted(self) -> None:
        self.answers += 1


class Life:
    """A service from its start to its end."""

    def __init__(self, medium: Medium, bus: MemoryBus, wall: Wall, number: "itertools.count[int]"):
        self.door = Door(medium)
        self.host = Host(
            self.door, bus, [MatchAggregate(GAMES)], wall.now, lambda: str(next(number))
        )
        self.knows_all = False  # whether its directory has the whole log

    async def dies(self) -> None:
        self.door.cut()
        await self.host.close()
