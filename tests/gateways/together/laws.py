"""What holds of a whole service with players of every protocol, whatever has happened to them."""

import asyncio
import itertools
import logging
from collections.abc import Callable
from typing import Any

from hypothesis.stateful import RuleBasedStateMachine, invariant

from parlour.match import (
    Match,
    MatchAborted,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    SeatLeft,
    SeatTaken,
    Status,
)
from parlour.stores import MemoryStore
from tests.gateways.mug.test_mug_anything import Listener
from tests.gateways.together.house import House, Page, User
from tests.gateways.together.wires import Line, NedapLine, RucLine, TextbookLine, Told
from tests.host.lives import Ear
from tests.host.stores import Medium
from tests.host.wall import Wall, turns
from tests.match.tables import MATCHES

LOOPBACK = "127.0.0.1"  # which no limit holds for


class DoorLaws(RuleBasedStateMachine):
    """Players, who looks on, and what must be true of what they were told.

    Subclasses call `begins` first, and say in rules what happens.
    """

    def begins(self) -> None:
        """Start a service with nothing in the log, and let nobody be connected."""
        self.loop = asyncio.new_event_loop()
        self.mistakes: list[dict[str, Any]] = []
        self.loop.set_exception_handler(lambda _, context: self.mistakes.append(context))
        self.errors = Listener()
        logging.getLogger().addHandler(self.errors)
        self.wall = Wall(self.loop)
        self.numbers = itertools.count(1)
        self.medium = Medium(MemoryStore())
        names = ("anna", "ben", "carl")
        self.users = {user.jid: user for user in map(User, names)}
        self.lines: list[Line] = [
            TextbookLine("", LOOPBACK), TextbookLine("", LOOPBACK), NedapLine("alice", LOOPBACK),
            NedapLine("bob", LOOPBACK), NedapLine("alice", "127.0.0.2"),
            RucLine("rose", LOOPBACK), RucLine("sam", LOOPBACK),
        ]  # fmt: skip
        self.ears: list[Ear] = []
        self.pages: list[Page] = []
        self.granted: list[tuple[str, int]] = []
        self.folds: dict[str, list[Match]] = {}
        self.run(self.is_born)

    async def is_born(self) -> None:
        self.house = House(self.medium, self.wall, self.numbers, self.users)
        await self.house.begins()

    def run(self, act: Callable[[], Any]) -> None:
        """Call `act` in the loop and wait until all that it leads to has happened."""

        async def runs() -> None:
            waits = act()
            if waits is not None:
                await waits
            await self.medium.quiet()
            await turns()
            for line in self.lines:
                line.listens()

        self.loop.run_until_complete(runs())

    async def restarts(self) -> None:
        for line in self.lines:
            line.listens()
            line.killed()
        await self.house.dies()
        self.medium.lose()
        await self.medium.quiet()
        self.ears.clear()
        self.pages.clear()
        await self.is_born()

    def on_turn(self, stream: str) -> str:
        """Who is to move; nobody where nobody can."""
        match = self.fold(stream)
        if match is None or match.status is not Status.LIVE or match.turn is None:
            return ""
        return match.player(match.turn).identity

    def legal(self, identity: str) -> list[str]:
        """The moves of somebody, if there is a game in which it is their turn."""
        for stream in self.house.host.directory.unfinished:
            match = self.fold(stream)
            if match is None or match.position is None or match.turn is None:
                continue
            if match.seat_of(identity) == match.turn:
                return list(itertools.islice(match.position.moves(), 61))
        return []

    # What holds at any time

    def matches(self) -> list[str]:
        return [stream for stream in self.medium.log if stream.startswith("match-")]

    def events(self, stream: str) -> list[Any]:
        return [MATCHES.decode(data) for data in self.medium.log.get(stream, ())]

    def fold(self, stream: str) -> Match | None:
        known = self.folds.setdefault(stream, [])
        for data in self.medium.log.get(stream, [])[len(known) :]:
            known.append(MATCHES.evolve(known[-1] if known else None, MATCHES.decode(data)))
        return known[-1] if known else None

    def fold_at(self, stream: str, version: int) -> Match | None:
        self.fold(stream)
        return self.folds[stream][version - 1] if version else None

    @invariant()
    def nothing_goes_wrong_unseen(self) -> None:
        if hasattr(self, "loop"):
            assert self.mistakes == []
            assert self.errors.mistakes == []

    @invariant()
    def who_looks_on_hears_the_log(self) -> None:
        for ear in getattr(self, "ears", ()):
            for record in ear.records[ear.checked :]:
                ear.checked += 1
                assert record.version == ear.after + ear.checked
                data = self.medium.log[record.stream][record.version - 1]
                assert record.event == MATCHES.decode(data)
        for page in getattr(self, "pages", ()):
            assert page.story.match == self.fold_at(page.story.stream, page.story.version)

    @invariant()
    def nothing_that_was_granted_is_missing(self) -> None:
        for stream, version in getattr(self, "granted", ()):
            assert len(self.medium.log[stream]) >= version

    @invariant()
    def players_are_told_what_is_in_the_log(self) -> None:
        for line in getattr(self, "lines", ()):
            for told in line.games[-2:]:
                assert not told.moves or any(
                    self.agrees(stream, line, told) for stream in self.matches()
                ), (line.kind, line.name, told)

    def agrees(self, stream: str, line: Line, told: Told) -> bool:
        """Whether a client may have been told so of that match."""
        events = self.events(stream)
        seats = {
            one.seat
            for one in events
            if isinstance(one, SeatTaken) and one.identity == told.identity
        }
        if not seats or (told.over and not self.is_over(stream)):
            return False
        played = [one for one in events if isinstance(one, MovePlayed)]
        if line.kind != "nedap":  # where one's own moves are told too
            dealt = next((one.seating for one in events if isinstance(one, MatchStarted)), ())
            own = {seat for seat, sitter in enumerate(dealt) if sitter in seats}
            played = [one for one in played if one.seat not in own]
        moves = [one.move for one in played]
        if line.kind == "ruc":
            return [ends(one) for one in moves[: len(told.moves)]] == [
                ends(one) for one in told.moves
            ]
        return moves[: len(told.moves)] == told.moves

    def is_over(self, stream: str) -> bool:
        match = self.fold(stream)
        return match is not None and match.status.finished

    @invariant()
    def a_match_makes_sense(self) -> None:
        for stream in self.matches() if hasattr(self, "medium") else ():
            sitting: dict[int, str] = {}
            events = self.events(stream)
            for event in events:
                if isinstance(event, SeatTaken):
                    assert event.seat not in sitting
                    assert event.identity not in sitting.values()
                    sitting[event.seat] = event.identity
                elif isinstance(event, SeatLeft):
                    del sitting[event.seat]
            results = [one for one in events if isinstance(one, MatchEnded | MatchAborted)]
            assert len(results) == self.is_over(stream)
            assert not results or events[-1] is results[0]

    @invariant()
    def users_are_told_moves_that_were_played(self) -> None:
        for user in getattr(self, "users", {}).values():
            for number, row, col in user.turns:
                assert any(
                    self.moves_of(stream)[number - 1 : number] == [f"{col - 1},{row - 1}"]
                    for stream in self.matches()
                )

    def moves_of(self, stream: str) -> list[str]:
        return [one.move for one in self.events(stream) if isinstance(one, MovePlayed)]

    # At the end

    def teardown(self) -> None:
        if not hasattr(self, "loop"):
            return
        try:
            self.run(self.comes_to_rest)
            self.run(self.house.dies)
            self.run(self.is_whole)
        finally:
            logging.getLogger().removeHandler(self.errors)
            self.loop.close()

    async def comes_to_rest(self) -> None:
        self.medium.mend()
        for _ in range(3):
            await self.medium.quiet()
            await self.wall.passes(1_000)
        for page in self.pages:
            assert page.story.version == len(self.medium.log[page.story.stream])
        for ear in self.ears:
            assert ear.follower is not None
            length = len(self.medium.log[ear.follower.live.stream])
            assert ear.after + len(ear.records) == length

    async def is_whole(self) -> None:
        versions: dict[str, int] = {}
        async for batch in self.medium.store.read_all():
            for stored in batch:
                versions[stored.stream] = versions.get(stored.stream, 0) + 1
                assert stored.version == versions[stored.stream]
        for stream, known in self.medium.log.items():
            assert await self.medium.store.read(stream) == known


def ends(path: str) -> tuple[str, str]:
    """Where a piece went from and to: there can be several ways."""
    cells = path.split(">")
    return cells[0], cells[-1]
