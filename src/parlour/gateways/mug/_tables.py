"""The matches that a room puts up, and who sits down at them."""

from collections.abc import Sequence

from parlour.gateways.mug._config import RoomConfig
from parlour.gateways.mug._room import Occupant, Room
from parlour.gateways.mug._view import identity_of, user_of
from parlour.match import CreateMatch, Match, Newcomer, Terms, Visibility
from parlour.wire.mug import unescape_node


def open_to_all(config: RoomConfig) -> bool:
    """Whether anybody, from any protocol, may take a free role."""
    return config.public and not config.password and not config.members_only


def table(room: Room, newcomers: Sequence[Newcomer]) -> CreateMatch:
    """The match that the room wants next. Others find it where they find the room."""
    return CreateMatch(
        game=room.game,
        options=dict(room.options),
        newcomers=tuple(newcomers),
        room=unescape_node(room.name),
        visibility=Visibility.PUBLIC if open_to_all(room.config) else Visibility.HIDDEN,
    )


def newcomer(occupant: Occupant, seat: int, name: str, grace: int) -> Newcomer:
    """An occupant as somebody who sits down; `grace`, in seconds, is for tables with others."""
    terms = Terms(grace=grace * 1000, suspends=True)
    return Newcomer(identity_of(occupant.user), name, terms, seat)


def seated(room: Room, match: Match, grace: int) -> list[Newcomer]:
    """The players of a match who are in the room, each for the same role again."""
    return [
        newcomer(occupant, seat, player.name, grace)
        for seat, player in match.players()
        if (occupant := room.occupants.get(user_of(player.identity))) is not None
    ]
