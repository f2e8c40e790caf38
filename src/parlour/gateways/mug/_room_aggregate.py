"""The room as the host runs it: codec, decide, evolve."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour.gateways.mug._room import Room, evolve_room
from parlour.gateways.mug._room_commands import RoomCommand, RoomRestart, RoomTick
from parlour.gateways.mug._room_decide import decide_room
from parlour.gateways.mug._room_events import RoomClosed, RoomCreated, RoomEvent
from parlour.wire.mug import unescape_node

_LISTED = (b'{"type":"RoomCreated/', b'{"type":"RoomClosed/')


class RoomListing(Struct, frozen=True):
    """What the directory keeps of a room: that there is one, and its name for people."""

    room: str
    finished: bool = False


class RoomAggregate:
    """Rooms of Multi-User Gaming. A room outlives its matches and refers to the current one."""

    kind = "room"

    def __init__(self) -> None:
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(RoomEvent)

    def encode(self, event: RoomEvent) -> bytes:
        """One event as JSON, its tag first."""
        return self._encoder.encode(event)

    def decode(self, data: bytes) -> RoomEvent:
        """The event that `data` records.

        Raises:
            msgspec.ValidationError, msgspec.DecodeError: no version of this program wrote it.
        """
        return self._decoder.decode(data)

    def decide(self, room: Room | None, command: RoomCommand, now: int) -> Sequence[RoomEvent]:
        """See `decide_room`."""
        return decide_room(room, command, now)

    def evolve(self, room: Room | None, event: RoomEvent) -> Room:
        """See `evolve_room`."""
        return evolve_room(room, event)

    def wakes_at(self, room: Room) -> int | None:
        """A room does nothing by itself: who runs it closes it."""
        return None

    def tick(self) -> RoomTick:
        """See `wakes_at`."""
        return RoomTick()

    def restart(self, until: int) -> RoomRestart:
        """A room stays as it was."""
        return RoomRestart()

    def restarted(self, listing: Any, until: int, now: int) -> Sequence[RoomEvent]:
        """See `restart`."""
        return ()

    def listed(self, data: bytes) -> bool:
        """Whether a room comes or goes with the event."""
        return data.startswith(_LISTED)

    def project(self, listing: RoomListing | None, event: RoomEvent) -> RoomListing:
        """The listing after `event`."""
        if isinstance(event, RoomCreated):
            return RoomListing(unescape_node(event.name))
        assert listing is not None
        return replace(listing, finished=True) if isinstance(event, RoomClosed) else listing
