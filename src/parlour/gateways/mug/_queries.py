"""Questions to a room or the service: discovery, signs of life, configuration."""

from functools import partial

from parlour.gateways.mug._config import Anonymity
from parlour.gateways.mug._house import House
from parlour.gateways.mug._keeper import Keeper
from parlour.gateways.mug._listing import title
from parlour.gateways.mug._owner import owner_query
from parlour.gateways.mug._plays import PLAYS
from parlour.gateways.mug._room import Room
from parlour.wire.mug import (
    DISCO_INFO,
    DISCO_ITEMS,
    MATCH_INFO,
    MUG,
    OWNER,
    PING,
    RSM,
    Condition,
    Field,
    Node,
    Stanza,
    Written,
    both_ways,
    disco_info,
    disco_item,
    disco_items,
    form,
    nick_key,
    page_of,
    split_address,
)

ANONYMITY = {
    Anonymity.FULLY: "mug_fullyanonymous",
    Anonymity.SEMI: "mug_semianonymous",
    Anonymity.NON: "mug_nonanonymous",
}


def service_query(house: House, stanza: Stanza) -> None:
    """A question to the service itself."""
    outbox = house.outbox
    if stanza.child("ping", PING) is not None:
        outbox.answer(stanza)
    elif (query := stanza.child("query", DISCO_INFO)) is not None:
        if not _node_refused(house, stanza, query):
            house.answer_charged(stanza, partial(_service_info, house))
    elif (query := stanza.child("query", DISCO_ITEMS)) is not None:
        if not _node_refused(house, stanza, query):
            house.answer_charged(stanza, partial(_rooms, house, query))
    else:
        outbox.refuse(stanza, Condition.FEATURE_NOT_IMPLEMENTED)


def room_query(keeper: Keeper, stanza: Stanza) -> None:
    """A question to a room, or to `room/nick`."""
    nick = split_address(stanza.to)[2]
    if nick:
        _occupant_query(keeper, stanza, nick)
    elif stanza.child("query", OWNER) is not None:
        owner_query(keeper, stanza)
    elif stanza.child("ping", PING) is not None:
        keeper.house.outbox.answer(stanza)
    elif (query := stanza.child("query", DISCO_INFO)) is not None:
        if not _hidden(keeper, stanza) and not _node_refused(keeper.house, stanza, query):
            keeper.house.answer_charged(stanza, partial(_room_info, keeper))
    elif (query := stanza.child("query", DISCO_ITEMS)) is not None:
        if not _hidden(keeper, stanza) and not _node_refused(keeper.house, stanza, query):
            keeper.house.answer_charged(stanza, lambda: disco_items(_occupants(keeper, stanza)))
    else:
        keeper.house.outbox.refuse(stanza, Condition.FEATURE_NOT_IMPLEMENTED)


def _occupant_query(keeper: Keeper, stanza: Stanza, nick: str) -> None:
    """XEP-0410: who asks their own nickname learns whether they are still inside."""
    outbox = keeper.house.outbox
    occupant = keeper.room.inside(stanza.sender)
    disco = any(stanza.child("query", name) for name in (DISCO_INFO, DISCO_ITEMS))
    if occupant is None:
        condition = Condition.BAD_REQUEST if disco else Condition.NOT_ACCEPTABLE
        outbox.refuse(stanza, condition, "you are not in this room")
    elif stanza.child("ping", PING) is not None and nick_key(nick) == nick_key(occupant.nick):
        outbox.answer(stanza)
    elif keeper.room.called(nick) is None and not keeper.view.is_guest(nick):
        outbox.refuse(stanza, Condition.ITEM_NOT_FOUND, f"nobody here is called {nick}")
    else:
        outbox.refuse(stanza, Condition.FEATURE_NOT_IMPLEMENTED)


def _hidden(keeper: Keeper, stanza: Stanza) -> bool:
    """A room that is not configured does not exist yet for others."""
    if keeper.room.configured or keeper.room.inside(stanza.sender):
        return False
    keeper.house.outbox.refuse(stanza, Condition.ITEM_NOT_FOUND)
    return True


def _node_refused(house: House, stanza: Stanza, query: Node) -> bool:
    if not query.attributes.get("node"):
        return False
    house.outbox.refuse(stanza, Condition.ITEM_NOT_FOUND)
    return True


def _service_info(house: House) -> Node:
    features = (DISCO_INFO, DISCO_ITEMS, MUG, *PLAYS, PING, RSM)
    return disco_info(house.options.title, both_ways(features))


def _rooms(house: House, query: Node) -> Node:
    return disco_items(*page_of(query, house.listing.items))


def _room_info(keeper: Keeper) -> Node:
    room, view = keeper.room, keeper.view
    features = (DISCO_INFO, DISCO_ITEMS, MUG, view.play.namespace, PING)
    described = form("result", _match_info(keeper), form_type=MATCH_INFO)
    return disco_info(title(room), (*both_ways(features), *_types(room)), described)


def _types(room: Room) -> tuple[str, ...]:
    """The features that say what kind of room it is."""
    config = room.config
    return (
        "mug_passwordprotected" if config.password else "mug_unsecured",
        "mug_membersonly" if config.members_only else "mug_open",
        "mug_moderated" if config.moderated else "mug_unmoderated",
        "mug_public" if config.public else "mug_hidden",
        ANONYMITY[config.anonymity],
    )


def _match_info(keeper: Keeper) -> list[Field]:
    room, view = keeper.room, keeper.view
    most = room.config.most_occupants or keeper.house.options.occupants_most
    players = sum(1 for _ in view.players())
    fields = [
        Field("mug#game", "hidden", "", (view.play.namespace,)),
        Field("mug#match_category", "text-single", "Category", (view.play.category,)),
        Field("mug#match_description", "text-single", "Description", (room.config.description,)),
        Field(
            "mug#match_occupants", "text-single", "Number of Occupants", (str(len(room.occupants)),)
        ),
        Field("mug#match_players", "text-single", "Number of Players", (str(players),)),
        Field("mug#match_maxoccupants", "text-single", "Maximum Number of Occupants", (str(most),)),
    ]
    if room.config.chat:
        fields.append(
            Field("mug#match_chat", "text-multi", "Communication Resource", room.config.chat)
        )
    return fields


def _occupants(keeper: Keeper, stanza: Stanza) -> list[Written]:
    """Who is inside, for those inside; for others only where they could come in and see."""
    room, view = keeper.room, keeper.view
    config = room.config
    private = not config.public or config.members_only or config.password
    if private and room.inside(stanza.sender) is None:
        return []
    nicks = [*(one.nick for one in room.occupants.values()), *view.reserved()]
    return [disco_item(f"{view.address}/{nick}") for nick in nicks]
