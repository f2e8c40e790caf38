"""Presence sent to a room: coming in, roles, nicknames, leaving."""

from functools import partial

from parlour.gateways.mug._keeper import Keeper
from parlour.gateways.mug._refusals import refuse
from parlour.gateways.mug._room import Occupant
from parlour.gateways.mug._room_commands import ChangeNick, Enter, OpenRound
from parlour.gateways.mug._room_events import Affiliation
from parlour.gateways.mug._tables import newcomer, table
from parlour.gateways.mug._view import identity_of
from parlour.match import LeaveSeat, TakeSeat
from parlour.wire.mug import MUG, Condition, Node, Stanza, bare, nick_key, split_address

NO_ROLE = "none"
QUIET = 10_000  # ms that a session has said nothing when it makes room for another one
NEW_MATCH = 10  # stanzas that cost as much as opening a match, which is kept for good


def presence(keeper: Keeper, stanza: Stanza) -> None:
    """A presence to the room or to `room/nick`."""
    nick = split_address(stanza.to)[2]
    if stanza.leaves:
        # Whatever nickname is addressed: servers send one for each address that was tried.
        if keeper.room.inside(stanza.sender):
            keeper.leaves.ask(stanza.sender)
    elif stanza.type == "subscribe":
        keeper.house.outbox.refuse(stanza, Condition.NOT_ALLOWED, "nobody subscribes to a room")
    elif not stanza.type and (why := keeper.house.banned(stanza.sender, nick)):
        # Who waited here for their turn may have been banned meanwhile.
        keeper.house.outbox.refuse(stanza, Condition.FORBIDDEN, why)
    elif not stanza.type and not keeper.leaves.stays(stanza.sender):
        why = "you are put out: come in again when that is recorded"
        keeper.house.outbox.refuse(stanza, Condition.RESOURCE_CONSTRAINT, why)
    elif not stanza.type:
        _available(keeper, stanza)


def _available(keeper: Keeper, stanza: Stanza) -> None:
    game = stanza.child("game", MUG)
    nick = split_address(stanza.to)[2]
    occupant = keeper.room.inside(stanza.sender)
    if occupant is None:
        _come_in(keeper, stanza, game, nick)
    elif nick and nick_key(nick) != nick_key(occupant.nick):
        _rename(keeper, stanza, occupant, nick)
    elif game is None:
        pass  # somebody is away, or back: rooms do not pass that on
    elif (item := game.child("item", MUG)) is not None and "role" in item.attributes:
        _take(keeper, stanza, occupant, item.attributes["role"])
    elif nick and nick != occupant.nick:
        _rename(keeper, stanza, occupant, nick)
    else:
        _welcome(keeper, stanza, occupant)


def _welcome(keeper: Keeper, stanza: Stanza, occupant: Occupant) -> None:
    """Tell somebody anew what is so, which is a stanza for each occupant."""
    if keeper.house.admits(stanza):
        keeper.teller.welcome(stanza.sender, occupant)
        keeper.house.charge(stanza, len(keeper.room.occupants))


def _come_in(keeper: Keeper, stanza: Stanza, game: Node | None, nick: str) -> None:
    outbox = keeper.house.outbox
    if game is None:
        outbox.refuse(stanza, Condition.BAD_REQUEST, "say which game you speak")
        return
    if not nick:
        not_inside = game.child("item", MUG) is not None
        condition = Condition.NOT_ACCEPTABLE if not_inside else Condition.JID_MALFORMED
        outbox.refuse(stanza, condition, "come in under a nickname first")
        return
    if game.attributes.get("var", keeper.view.play.namespace) != keeper.view.play.namespace:
        outbox.refuse(stanza, Condition.NOT_ACCEPTABLE, "another game is played here")
        return
    if _is_full(keeper, bare(stanza.sender)):
        outbox.refuse(stanza, Condition.SERVICE_UNAVAILABLE, "the room is full")
        return
    if not keeper.house.admits(stanza, entering=True):
        return
    secret = game.child("password", MUG)
    password = "" if secret is None else secret.exact_text
    if why := _guessed_too_often(keeper, bare(stanza.sender), password):
        outbox.refuse(stanza, Condition.RESOURCE_CONSTRAINT, why)
        return
    enter = Enter(
        stanza.sender,
        nick,
        password,
        outbox.dialect(stanza.sender),
        keeper.view.reserved(),
        keeper.house.options.sessions_most,
        _quietest(keeper, bare(stanza.sender)),
    )
    # Everybody hears of it, and of the leave, and the newcomer hears of everybody.
    pay = partial(
        keeper.house.charge, stanza, 2 * len(keeper.room.sessions) + len(keeper.room.occupants)
    )
    keeper.asking.submit(keeper.stream, enter, partial(refuse, keeper, stanza), pay)


def _quietest(keeper: Keeper, user: str) -> str:
    """Which session of a user makes room for one more; empty where all have spoken just now.

    A client that is put out so comes in again: those of one user could do that to each other for
    ever.
    """
    house, occupant = keeper.house, keeper.room.occupants.get(user)
    if occupant is None:
        return ""
    quietest = min(occupant.sessions, key=house.heard)
    return quietest if house.host.now() - house.heard(quietest) >= QUIET else ""


def _guessed_too_often(keeper: Keeper, user: str, password: str) -> str:
    """Why a password is not even looked at; empty where it is.

    All who neither belong to the room nor are inside also count as one: each may have many JIDs.
    """
    house, room = keeper.house, keeper.room
    now = house.host.now()
    if not room.config.password or not password:  # so one asks whether there is one: no guess
        return ""
    counts = [(house.guesses, user)]
    if user not in room.occupants and room.affiliation(user) is Affiliation.NONE:
        counts.append((house.guesses_of_strangers, ""))
    for guesses, who in counts:
        if not guesses.may(keeper.stream, who, now):
            return f"more than {guesses.most} wrong passwords a minute"
    if password != room.config.password:
        for guesses, who in counts:
            guesses.wrong(keeper.stream, who, now)
    return ""


def _is_full(keeper: Keeper, user: str) -> bool:
    """Whether the service's own limit keeps somebody out; the owner finds a place as ever."""
    room = keeper.room
    known = user in room.occupants or room.affiliation(user) is Affiliation.OWNER
    return not known and len(room.occupants) >= keeper.house.options.occupants_most


def _rename(keeper: Keeper, stanza: Stanza, occupant: Occupant, nick: str) -> None:
    if not keeper.house.admits(stanza):
        return
    change = ChangeNick(occupant.user, nick, keeper.view.reserved())
    pay = partial(keeper.house.charge, stanza, len(keeper.room.sessions))
    keeper.asking.submit(keeper.stream, change, partial(refuse, keeper, stanza), pay)


def _take(keeper: Keeper, stanza: Stanza, occupant: Occupant, role: str) -> None:
    """ "Taking a Role", "Resignation"."""
    view, no = keeper.view, partial(refuse, keeper, stanza)
    current = view.role_of(occupant.user)
    if role == NO_ROLE:
        if current:
            leave = LeaveSeat(identity_of(occupant.user))
            keeper.asking.submit(keeper.room.match, leave, no)  # paid for when it was taken
        else:
            keeper.teller.looks_on(stanza.sender, occupant)
    elif role not in view.roles():
        keeper.house.outbox.refuse(stanza, Condition.NOT_ACCEPTABLE, "there is no such role")
    elif not keeper.room.configured:
        keeper.house.outbox.refuse(stanza, Condition.NOT_ALLOWED, "configure the room first")
    elif current == role:
        _welcome(keeper, stanza, occupant)
    elif current:
        keeper.house.outbox.refuse(stanza, Condition.CONFLICT, f"give {current} up first")
    elif keeper.house.admits(stanza):
        _sit_down(keeper, stanza, occupant, view.roles().index(role))


def _sit_down(keeper: Keeper, stanza: Stanza, occupant: Occupant, seat: int) -> None:
    no = partial(refuse, keeper, stanza)
    name = keeper.view.free_name(occupant.nick)
    player = newcomer(occupant, seat, name, keeper.house.options.grace)
    match = keeper.view.match
    # All hear of the role and the state, when it is taken and when it is given up.
    pay = partial(
        keeper.house.charge, stanza, 4 * len(keeper.room.sessions), 0 if match else NEW_MATCH
    )
    if match is None:
        stream = keeper.house.host.name("match")
        opened = (keeper.stream, OpenRound(stream))
        keeper.asking.submit_together([opened, (stream, table(keeper.room, (player,)))], no, pay)
        return
    # Who was lost keeps the role for themselves only as long as nobody else wants it.
    holder = match.seats[seat]
    take = TakeSeat(player, instead_of=holder.identity if holder is not None else "")
    keeper.asking.submit(keeper.room.match, take, no, pay)
