"""Messages to a room: starts, turns, talk."""

from functools import partial

from parlour.games import Refused
from parlour.gateways.mug._keeper import Keeper
from parlour.gateways.mug._outbox import Payload
from parlour.gateways.mug._refusals import INVALID_TURNS, refuse
from parlour.gateways.mug._room import Occupant
from parlour.gateways.mug._room_events import Affiliation, Departure
from parlour.gateways.mug._tables import open_to_all
from parlour.gateways.mug._view import identity_of
from parlour.match import LeaveSeat, Match, Pause, PlayMove, SetReady, Status
from parlour.wire.mug import (
    MUG,
    USER,
    Condition,
    Dialect,
    Node,
    Stanza,
    invalid_turn_error,
    nick_key,
    split_address,
    start,
)

BODY_LONGEST = 2_000  # characters
TALK_LARGEST = 12_000  # characters of XML: such a body, every character escaped, and its markup
PART = 1 << 14  # bytes of talk, counted for each reader, that cost as much as one stanza
OURS = ("turn", "start", "game")  # what a slip in the namespace would let go unanswered


def message(keeper: Keeper, stanza: Stanza) -> None:
    """A message to the room or to `room/nick`."""
    outbox = keeper.house.outbox
    if stanza.type == "headline":
        return
    occupant = keeper.room.inside(stanza.sender)
    nick = split_address(stanza.to)[2]
    if occupant is None:
        outbox.refuse(stanza, Condition.NOT_ACCEPTABLE, "you are not in this room")
    elif stanza.type == "groupchat":
        outbox.refuse(stanza, Condition.BAD_REQUEST, "turns and talk are of type chat")
    elif nick and nick_key(nick) != nick_key(occupant.nick):
        _private(keeper, stanza, occupant, nick)
    elif (turn := stanza.child("turn", USER)) is not None:
        _turn(keeper, stanza, occupant, turn)
    elif stanza.child("start", USER) is not None:
        _start(keeper, stanza, occupant)
    elif nick:
        _private(keeper, stanza, occupant, nick)
    elif stanza.child("game", USER) is not None:
        outbox.refuse(stanza, Condition.FEATURE_NOT_IMPLEMENTED, "invitations come later")
    elif (body := stanza.child("body", "")) is not None:
        _say(keeper, stanza, occupant, body)
    elif any(one.name in OURS for one in stanza.children):
        outbox.refuse(stanza, Condition.BAD_REQUEST, f"the namespace is {USER}")


# "Game Start"


def _start(keeper: Keeper, stanza: Stanza, occupant: Occupant) -> None:
    view, outbox = keeper.view, keeper.house.outbox
    match, seat = view.match, view.seat_of(occupant.user)
    if not view.room.configured or match is None:
        outbox.refuse(stanza, Condition.NOT_ALLOWED, "nobody has taken a role")
    elif seat is None:
        outbox.refuse(stanza, Condition.FORBIDDEN, "only players start a match")
    elif match.status is Status.OPEN and None in match.seats:
        _offer(keeper, stanza, occupant)
    elif match.player(seat).ready:
        # Said twice, or while the match goes on after a restart: players hear it, nothing changes.
        sender = f"{view.address}/{occupant.nick}"
        outbox.tell("message", sender, view.player_sessions(), Payload(start()))
    elif _lacks_somebody(match):
        outbox.refuse(stanza, Condition.NOT_ALLOWED, "a role is free")
    else:
        ready = SetReady(identity_of(occupant.user))
        keeper.asking.submit(keeper.room.match, ready, partial(refuse, keeper, stanza))


def _lacks_somebody(match: Match) -> bool:
    """Whether a role is free, or only kept for somebody who is lost.

    A restart makes everybody away: whose sign is still to come is not lost, and goes on with those
    who were quicker.
    """
    restarted = match.pause is Pause.RESTART
    return any(
        player is None or (player.away_since is not None and not restarted)
        for player in match.seats
    )


def _offer(keeper: Keeper, stanza: Stanza, occupant: Occupant) -> None:
    """Nothing starts while a role is free; but who wants to may have somebody from elsewhere."""
    answer = partial(keeper.house.outbox.refuse, stanza, Condition.NOT_ALLOWED)
    if not open_to_all(keeper.room.config):
        answer("a role is free")
        return
    offered = partial(
        answer,
        "a role is free; it is offered to other protocols, and the match begins with whoever comes",
    )
    ready, no = SetReady(identity_of(occupant.user)), partial(refuse, keeper, stanza)
    keeper.asking.submit(keeper.room.match, ready, no, offered)


# "Game Play"


def _turn(keeper: Keeper, stanza: Stanza, occupant: Occupant, turn: Node) -> None:
    view, outbox = keeper.view, keeper.house.outbox
    match, seat = view.match, view.seat_of(occupant.user)
    if seat is None:
        outbox.refuse(stanza, Condition.FORBIDDEN, "only players make turns")
    elif match is None or match.status is not Status.LIVE:
        outbox.refuse(stanza, Condition.NOT_ALLOWED, f"the match is {view.status()}")
    else:
        several = [one.name for one in stanza.children].count("turn") > 1
        move = None if several else view.play.read_turn(turn)
        if move is None:
            _invalid(keeper, stanza, occupant, "a turn holds exactly one move of this game")
            return
        play = PlayMove(identity_of(occupant.user), *move)
        keeper.asking.submit(
            keeper.room.match, play, partial(_turn_refused, keeper, stanza, occupant)
        )


def _turn_refused(keeper: Keeper, stanza: Stanza, occupant: Occupant, no: Refused) -> None:
    if no.refusal in INVALID_TURNS:
        _invalid(keeper, stanza, occupant, no.detail)
    else:
        refuse(keeper, stanza, no)


def _invalid(keeper: Keeper, stanza: Stanza, occupant: Occupant, why: str) -> None:
    """The error, and then the player has to go; the owner only loses the role."""
    keeper.house.outbox.refuse(stanza, Condition.UNDEFINED_CONDITION, why, invalid_turn_error())
    if keeper.house.options.lenient or keeper.room.config.lenient:
        return
    if keeper.room.affiliation(occupant.user) is Affiliation.OWNER:
        keeper.asking.insist(keeper.room.match, LeaveSeat(identity_of(occupant.user)))
    else:
        for session in occupant.sessions:
            keeper.leaves.ask(session, Departure.INVALID_TURN, stands=True)


# Talk


def _private(keeper: Keeper, stanza: Stanza, occupant: Occupant, nick: str) -> None:
    """ "Sending a Private Message": from the sender's `room/nick` to all sessions of the other.

    What this service says itself goes through it as well; nobody else may say it in its name.
    """
    reader = keeper.room.called(nick)
    outbox = keeper.house.outbox
    if reader is None:
        guest = keeper.view.is_guest(nick)
        condition = Condition.FEATURE_NOT_IMPLEMENTED if guest else Condition.ITEM_NOT_FOUND
        outbox.refuse(stanza, condition, f"nobody here called {nick} can be written to")
        return
    said = [one for one in stanza.children if not one.namespace.startswith(MUG)]
    sender = f"{keeper.view.address}/{occupant.nick}"
    payload = Payload(*said)
    if _may_talk(keeper, stanza, payload, len(reader.sessions)):
        outbox.tell("message", sender, reader.sessions, payload, type=_kind(stanza), id=stanza.id)


def _say(keeper: Keeper, stanza: Stanza, occupant: Occupant, body: Node) -> None:
    """A word to everybody in the room, and to those who look at its match elsewhere."""
    sender = f"{keeper.view.address}/{occupant.nick}"
    payload, sessions = Payload(body), keeper.room.sessions
    if _may_talk(keeper, stanza, payload, len(sessions)):
        outbox = keeper.house.outbox
        outbox.tell("message", sender, sessions, payload, type=_kind(stanza), id=stanza.id)
        keeper.rounds.say(occupant, body.text)


def _may_talk(keeper: Keeper, stanza: Stanza, payload: Payload, readers: int) -> bool:
    """Whether it is passed on; its sender pays for all that it makes of one stanza."""
    house = keeper.house
    size = len(payload.text(Dialect.JABBER)) + len(stanza.id)
    body = stanza.child("body", "")
    if size > TALK_LARGEST or (body is not None and len(body.text) > BODY_LONGEST):
        why = f"say it in {BODY_LONGEST} characters"
        house.outbox.refuse(stanza, Condition.POLICY_VIOLATION, why)
        return False
    if not house.admits(stanza):
        return False
    house.charge(stanza, 0, size * readers // PART)
    return True


def _kind(stanza: Stanza) -> str:
    """RFC 6121, section 5.2.2: what is of no known type is normal."""
    return "chat" if stanza.type == "chat" else ""
