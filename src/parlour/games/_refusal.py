"""The stable reasons for "no", shared by the rules, the match and every protocol."""

import enum

SHOWN = 40  # characters of what is no move that a refusal repeats


class Refusal(enum.StrEnum):
    """Why a command was not carried out. The value is stable; each protocol words it itself."""

    # The rules of a game
    ILLEGAL_MOVE = "illegal-move"
    MALFORMED_MOVE = "malformed-move"
    BAD_OPTIONS = "bad-options"
    # The match
    OUT_OF_TURN = "out-of-turn"
    STALE_MOVE = "stale-move"
    NOT_STARTED = "not-started"
    ALREADY_STARTED = "already-started"
    SUSPENDED = "suspended"
    OVER = "over"
    NOT_SEATED = "not-seated"
    ALREADY_SEATED = "already-seated"
    SEAT_TAKEN = "seat-taken"
    NO_FREE_SEAT = "no-free-seat"
    NAME_TAKEN = "name-taken"
    TOO_OFTEN = "too-often"
    UNKNOWN_STREAM = "unknown-stream"
    STREAM_EXISTS = "stream-exists"
    # A room that outlives its matches
    ROOM_EXISTS = "room-exists"
    ROOM_LOCKED = "room-locked"
    ROOM_FULL = "room-full"
    MEMBERS_ONLY = "members-only"
    WRONG_PASSWORD = "wrong-password"
    NOT_OWNER = "not-owner"
    NOT_INSIDE = "not-inside"
    MALFORMED_NAME = "malformed-name"
    # The service
    BANNED = "banned"
    UNAVAILABLE = "unavailable"
    LIMIT = "limit"
    MISTAKE = "mistake"  # of ours: asked again, it would be made again

    @property
    def passes(self) -> bool:
        """Whether the same may be granted a moment later: nothing was wrong with what was asked."""
        return self in (Refusal.UNAVAILABLE, Refusal.LIMIT)


class Refused(Exception):
    """A rule said no. `refusal` is for programs, `detail` is a lower-case sentence for people."""

    def __init__(self, refusal: Refusal, detail: str) -> None:
        super().__init__(f"{refusal}: {detail}")
        self.refusal = refusal
        self.detail = detail


def malformed(move: str, expected: str) -> Refused:
    """What is no move in any position, and how one is written."""
    shown = move if len(move) <= SHOWN else f"{move[:SHOWN]}..."
    return Refused(Refusal.MALFORMED_MOVE, f"{shown!r} is no move: expected {expected}")
