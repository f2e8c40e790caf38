"""Whatever people do: nobody waits beside what suits them, and the oldest table comes first."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import to_builtins
from msgspec.structs import replace

from parlour.games.tictactoe import Options
from parlour.host import Host, Pairer
from parlour.lobby import Lobby, Seek
from parlour.match import (
    ComeBack,
    CreateMatch,
    LeaveSeat,
    Listing,
    Newcomer,
    Restart,
    SetReady,
    TakeSeat,
    Terms,
    TimeControl,
    Visibility,
)
from parlour.stores import MemoryStore
from tests.host.stores import Medium
from tests.host.test_host import Ear, make_host
from tests.host.test_pairing import READY, seek
from tests.host.wall import Wall, turns

OWNERS = st.sampled_from(["web:s", "web:t", "web:u"])
SEEKERS = st.sampled_from("abcde")
OPTIONS = st.sampled_from([to_builtins(Options()), to_builtins(Options(cols=4))])
CONTROLS = st.sampled_from([TimeControl(), TimeControl(turn=1_000)])
SEATS = st.sampled_from([None, None, 0, 1])
SEEKS = st.builds(
    lambda who, **asked: replace(seek(who), **asked),
    SEEKERS,
    options=OPTIONS,
    control=CONTROLS,
    terms=st.sampled_from([READY, READY, Terms(), Terms(ready=True, turn_limit=1_000)]),
    seat=SEATS,
    opponent=st.sampled_from([None, None, None, "web:a", "web:t"]),
    flexible=st.booleans(),
)
TABLES = st.builds(
    lambda who, seat, ready, **asked: CreateMatch(
        "tictactoe",
        newcomers=(Newcomer(who, "t", Terms(ready=ready, rejoins=True), seat),),
        **asked,
    ),
    OWNERS,
    SEATS,
    st.sampled_from([True, True, False]),
    options=OPTIONS,
    control=CONTROLS,
    visibility=st.sampled_from([Visibility.PUBLIC, Visibility.PUBLIC, Visibility.HIDDEN]),
    opening=st.sampled_from([(), (), ("1,1",)]),
)
AT_TABLES: Sequence[Callable[[str, int], Any]] = (
    lambda owner, now: LeaveSeat(owner),
    lambda owner, now: SetReady(owner, ready=True),
    lambda owner, now: SetReady(owner, ready=False),
    lambda owner, now: TakeSeat(Newcomer("web:friend", "friend")),
    lambda owner, now: LeaveSeat("web:friend"),
    lambda owner, now: Restart(now + 2_000),
    lambda owner, now: ComeBack(owner),
)
DEEDS = st.one_of(
    st.tuples(st.just("seek"), SEEKS),
    st.tuples(st.just("seek"), SEEKS),
    st.tuples(st.just("open"), TABLES),
    st.tuples(st.just("open"), TABLES),
    st.tuples(st.just("at table"), st.tuples(st.integers(0, 9), st.sampled_from(AT_TABLES))),
    st.tuples(st.sampled_from(["pass_over", "offer_again"]), OWNERS),
    st.tuples(st.sampled_from(["cancel", "stop"]), SEEKERS.map("web:{}".format)),
    st.tuples(st.sampled_from(["drain", "full", "held"]), st.booleans()),
    st.tuples(st.just("turns"), st.integers(1, 6)),
)


class Evening:
    """A pairer, and what those who look were told last."""

    def __init__(self) -> None:
        self.wall = Wall(asyncio.get_running_loop())
        self.medium = Medium(MemoryStore())
        self.host: Host = make_host(self.medium, now=self.wall.now)
        self.drains = False
        self.pairer = Pairer(self.host, Lobby(), lambda: self.drains)
        self.told: dict[str, str] = {}
        self.opened: list[tuple[str, str]] = []

    def looks(self, who: Seek) -> None:
        tell = partial(self.told.__setitem__, who.identity)
        self.pairer.seek(who, tell, lambda no: tell("failed"), partial(tell, "waits"))

    async def does(self, what: str, with_: Any) -> None:
        match what:
            case "seek":
                self.looks(with_)
            case "open":
                stream = self.host.create("match", with_)
                self.opened.append((stream, with_.newcomers[0].identity))
            case "at table" if self.opened:
                number, command = with_
                stream, owner = self.opened[number % len(self.opened)]
                self.host.submit(stream, command(owner, self.wall.now()), Ear().refuse)
            case "drain":
                self.drains = with_
                if not self.drains:
                    self.pairer.look_again()
            case "full" | "held":
                if not with_:
                    self.medium.mend()
                setattr(self.medium, what, with_)
            case "turns":
                await turns(with_)
            case "at table":
                pass
            case _:
                getattr(self.pairer, what)(with_)

    async def calms_down(self) -> None:
        self.medium.mend()
        await self.does("drain", False)
        for _ in range(3):  # what is insisted on, and what is looked for again
            await self.wall.passes(1_000)

    def first_table(self, who: Seek) -> str | None:
        """Found by asking every table that is open."""
        for stream, listing in self.host.directory.open.items():
            if self.is_offered(listing) and suits(listing, who):
                return stream
        return None

    def is_offered(self, listing: Listing) -> bool:
        if len(listing.sitters) != 1 or listing.set_up:
            return False
        (sitter,) = listing.sitters
        here = sitter.ready and not sitter.away and not self.pairer.passes_over(sitter.identity)
        return here and listing.visibility is Visibility.PUBLIC


def suits(listing: Listing, who: Seek) -> bool:
    (sitter,) = listing.sitters
    return (
        (listing.options == who.options or who.flexible)
        and listing.control in (who.control, who.clock)
        and sitter.seat != who.seat
        and who.opponent in (None, sitter.identity)
    )


@settings(max_examples=100)
@given(st.lists(DEEDS, max_size=40), SEEKS)
def test_nobody_waits_beside_what_suits_them(deeds: list[tuple[str, Any]], newest: Seek) -> None:
    async def evening() -> None:
        them = Evening()
        for what, with_ in deeds:
            await them.does(what, with_)
        await them.calms_down()
        waiting = them.pairer.waiting()
        for one in waiting:
            assert them.told[one.identity] == "waits"
            assert them.first_table(one) is None
            assert not any(one.suits(other) for other in waiting)

        new = replace(newest, identity="web:new", holder="web:new", name="new")
        table = them.first_table(new)
        them.looks(new)
        await them.calms_down()
        if table is not None:
            assert them.told["web:new"] == table
        elif any(one.suits(new) for one in waiting):
            assert them.told["web:new"] not in ("waits", "failed")
        else:
            assert them.told["web:new"] == "waits"
        await them.host.close()

    asyncio.run(evening())
