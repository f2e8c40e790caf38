"""How each "no" of the rules and rooms is said in XMPP."""

from collections.abc import Mapping

from parlour.games import Refusal, Refused
from parlour.gateways.mug._keeper import Keeper
from parlour.wire.mug import Condition, Stanza

CONDITIONS: Mapping[Refusal, Condition] = {
    # A move that the rules refuse is an invalid turn; the condition of ours stands beside it.
    Refusal.ILLEGAL_MOVE: Condition.UNDEFINED_CONDITION,
    Refusal.MALFORMED_MOVE: Condition.UNDEFINED_CONDITION,
    Refusal.OUT_OF_TURN: Condition.UNDEFINED_CONDITION,
    Refusal.STALE_MOVE: Condition.UNDEFINED_CONDITION,
    Refusal.BAD_OPTIONS: Condition.NOT_ACCEPTABLE,
    Refusal.NOT_STARTED: Condition.NOT_ALLOWED,
    Refusal.ALREADY_STARTED: Condition.NOT_ALLOWED,
    Refusal.SUSPENDED: Condition.NOT_ALLOWED,
    Refusal.OVER: Condition.NOT_ALLOWED,
    Refusal.NOT_SEATED: Condition.FORBIDDEN,
    Refusal.ALREADY_SEATED: Condition.CONFLICT,
    Refusal.SEAT_TAKEN: Condition.CONFLICT,
    Refusal.NO_FREE_SEAT: Condition.CONFLICT,
    Refusal.NAME_TAKEN: Condition.CONFLICT,
    Refusal.TOO_OFTEN: Condition.NOT_ALLOWED,
    Refusal.STREAM_EXISTS: Condition.CONFLICT,
    Refusal.ROOM_EXISTS: Condition.CONFLICT,
    Refusal.UNKNOWN_STREAM: Condition.ITEM_NOT_FOUND,
    Refusal.ROOM_LOCKED: Condition.ITEM_NOT_FOUND,
    Refusal.ROOM_FULL: Condition.SERVICE_UNAVAILABLE,
    Refusal.MEMBERS_ONLY: Condition.REGISTRATION_REQUIRED,
    Refusal.WRONG_PASSWORD: Condition.NOT_AUTHORIZED,
    Refusal.NOT_OWNER: Condition.FORBIDDEN,
    Refusal.NOT_INSIDE: Condition.NOT_ACCEPTABLE,
    Refusal.MALFORMED_NAME: Condition.JID_MALFORMED,
    Refusal.BANNED: Condition.FORBIDDEN,
    Refusal.UNAVAILABLE: Condition.RESOURCE_CONSTRAINT,
    Refusal.LIMIT: Condition.RESOURCE_CONSTRAINT,
    Refusal.MISTAKE: Condition.INTERNAL_SERVER_ERROR,
}

INVALID_TURNS = frozenset(
    refusal
    for refusal, condition in CONDITIONS.items()
    if condition is Condition.UNDEFINED_CONDITION
)


def refuse(keeper: Keeper, stanza: Stanza, no: Refused) -> None:
    """Say a refusal of the rules in XMPP."""
    keeper.house.outbox.refuse(stanza, CONDITIONS[no.refusal], no.detail)
