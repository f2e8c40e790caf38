"""Multi-User Gaming as a plugin of slixmpp: import this, then `register_plugin("mug")`.

It stands on slixmpp alone, in slixmpp's own manner, so that it can be of use elsewhere.
"""

from parlour.clients.mug._plugin import MUG, Occupant, Room, TurnError

__all__ = ["MUG", "Occupant", "Room", "TurnError"]
