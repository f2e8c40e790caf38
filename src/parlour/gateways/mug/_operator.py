"""The operator's hands in the rooms: who is inside, out with somebody, out with all of them."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from parlour.games import Refused
from parlour.gateways.mug._each_room import each_room
from parlour.gateways.mug._keeper import Keeper
from parlour.gateways.mug._room_commands import CloseRoom
from parlour.gateways.mug._room_events import Closure
from parlour.host import Accept, Refuse, asked, fold_room
from parlour.match import AbortCause, AbortMatch
from parlour.wire.mug import unescape_node

TRIES = 10  # to close a room
AGAIN = 0.2  # seconds until what a match that ended meanwhile has prevented is tried again


class Operator:
    """Reaches every room of the service."""

    def __init__(self, keepers: Mapping[str, Keeper], heard: Callable[[str], int]) -> None:
        """`heard` tells when a full JID has said something last, 0 where that is not known."""
        self.heard = heard
        self._keepers = keepers

    def inside(self) -> dict[str, tuple[str, ...]]:
        """Every full JID that is in a room, and what it is called in those it is in."""
        found: dict[str, tuple[str, ...]] = {}
        for keeper in self._keepers.values():
            for occupant in keeper.room.occupants.values():
                for session in occupant.sessions:
                    nicks = found.get(session, ())
                    if occupant.nick not in nicks:
                        found[session] = (*nicks, occupant.nick)
        return found

    def send_away(self, session: str, why: str) -> None:
        """Take a full JID out of all rooms."""

        def put_out(keeper: Keeper) -> None:
            if keeper.room.inside(session):
                keeper.put_out(session, why)

        each_room(self._keepers.values(), "put somebody out", put_out)

    def announce(self, text: str) -> int:
        """Say something in every room; how many full JIDs are told."""
        told: set[str] = set()

        def say(keeper: Keeper) -> None:
            sessions = [one for one in keeper.room.sessions if one not in told]
            keeper.say(sessions, text)
            told.update(sessions)

        each_room(self._keepers.values(), "say something", say)
        return len(told)

    async def close_room(self, name: str, why: str) -> bool:
        """Close a room, whoever is inside, and call its match off; False where there is none.

        Raises:
            Refused: it is not closed.
        """
        keeper = self._keepers.get(name) or next(
            (
                one
                for one in self._keepers.values()
                if fold_room(unescape_node(one.room.name)) == fold_room(name)
            ),
            None,
        )
        if keeper is None:
            return False
        for left in reversed(range(TRIES)):
            no = await self._close(keeper, why)
            if no is None or keeper.room.closed:
                break
            if not left:
                raise Refused(no.refusal, f"the room is not closed: {no.detail}")
            await asyncio.sleep(AGAIN)  # the match has ended by itself meanwhile
        return True

    async def _close(self, keeper: Keeper, why: str) -> Refused | None:
        """Both at once: the room must not put up another table because the match has ended."""
        match = keeper.view.match
        close = CloseRoom(Closure.OPERATOR, keeper.room.match)
        commands: list[tuple[str, Any]] = [(keeper.stream, close)]
        if keeper.room.match and (match is None or not match.status.finished):
            commands.append((keeper.room.match, AbortMatch(AbortCause.OPERATOR, why)))

        def ask(refuse: Refuse, accept: Accept) -> None:
            def accepted() -> None:
                keeper.say(keeper.room.sessions, why)
                accept()

            keeper.asking.submit_together(commands, refuse, accepted)

        return await asked(ask)
