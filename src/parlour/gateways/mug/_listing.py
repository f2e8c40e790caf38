"""The rooms that anybody may know of, as discovery lists them."""

from parlour.gateways.mug._room import Room
from parlour.wire.mug import Written, disco_item, unescape_node

TITLE_SHOWN = 64  # characters in a list, as many as a name has; the room itself tells all of it


class Listing:
    """Public rooms, each written when it changes and not when somebody asks."""

    def __init__(self) -> None:
        self.items: dict[str, Written] = {}  # by address

    def show(self, address: str, room: Room) -> None:
        """List a room as it is now, or no longer where it is none of others' business."""
        if room.configured and room.config.public:
            self.items[address] = disco_item(address, _short(title(room)))
        else:
            self.hide(address)

    def hide(self, address: str) -> None:
        """The room is gone."""
        self.items.pop(address, None)


def title(room: Room) -> str:
    """What a room is called for people."""
    return room.config.title or unescape_node(room.name)


def _short(text: str) -> str:
    return text if len(text) <= TITLE_SHOWN else f"{text[: TITLE_SHOWN - 1]}\u2026"
