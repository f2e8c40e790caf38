"""What becomes of a room after a mistake of ours: it is read anew, and again where that fails."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from parlour.games import Refused
from parlour.gateways.mug._asking import Asking
from parlour.gateways.mug._room import Room
from parlour.gateways.mug._view import View
from parlour.host import Deliver, Recorded, StoreError

log = logging.getLogger("parlour.mug")

# Seconds from a try in vain to the next, doubled each time but while the medium fails. They are
# counted: no clock that is set back makes them longer.
FIRST_WAIT = 1
LONGEST_WAIT = 60


class Mending:
    """Guards the followers of one room, and begins anew where one fails.

    `drop` stops them, and `read_anew` starts them again; it is given the room as those inside were
    told it last.
    """

    def __init__(
        self,
        view: View,
        asking: Asking,
        drop: Callable[[], None],
        read_anew: Callable[[Room], Awaitable[None]],
    ) -> None:
        self._view = view
        self._asking = asking
        self._drop = drop
        self._read_anew = read_anew
        self._task: asyncio.Task[None] | None = None
        self._told: Room | None = None
        self._wait = FIRST_WAIT
        self._left = 0
        self.in_vain = False

    def guarded(self, tell: Callable[[Sequence[Recorded]], None]) -> Deliver:
        """A follower that fails is told no more: the room would stand still for good."""

        def told(records: Sequence[Recorded]) -> None:
            before = self._view.room
            try:
                tell(records)
            except Exception:
                log.exception("cannot tell what happened in %s", self._view.address)
                self._begin(before)

        return told

    def lost(self) -> None:
        """The host cannot go on telling a follower."""
        self._begin(self._view.room)

    def stand_still(self, no: Refused | None = None) -> None:
        """After a mistake of ours; the next try comes later each time, as it may fail as well.

        Only the first in a row has its traceback: it may be one that thousands of rooms share.
        `no` is why a room cannot be read that is out of order, or no longer in the log.
        """
        if no is None:
            first = self._wait == FIRST_WAIT
            log.error("%s stands still", self._view.address, exc_info=first)
        else:
            log.error("%s stands still: %s", self._view.address, no)
        self.in_vain = True
        self._left = self._wait
        self._wait = min(2 * self._wait, LONGEST_WAIT)

    def tick(self) -> None:
        """Try again where the last try was in vain: about once a second."""
        if self.in_vain:
            self._left -= 1
            if self._left <= 0:
                self._begin(self._view.room)

    def stop(self) -> None:
        """Mend nothing any more."""
        if self._task is not None:
            self._task.cancel()

    def _begin(self, told: Room) -> None:
        self._drop()
        self.in_vain = False
        if self._told is None:
            self._told = told
        if self._task is None:
            self._asking.expect()  # nothing is decided by what may be wrong
            self._task = asyncio.get_running_loop().create_task(self._mend(self._told))

    async def _mend(self, told: Room) -> None:
        try:
            await self._read_anew(told)
            self._wait = FIRST_WAIT
            self._told = None
        except Refused as no:
            self.stand_still(no)
        except StoreError:  # of the medium, which the host has said, once for all rooms
            self.in_vain, self._left = True, 0
        except Exception:
            self.stand_still()
        finally:
            self._task = None
            self._asking.done()
