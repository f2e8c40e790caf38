"""The frames of the Chinese checkers protocol, and their numbers.

Source: RUC course network protocol, and the course's OPCODE and ERRCODE enumerations.
"""

import enum

from msgspec import Struct

from parlour.wire._errors import Malformed as OneBadMessage


class Opcode(enum.IntEnum):
    """What a frame asks or tells."""

    JOIN_ROOM = 200000
    JOIN_ROOM_REPLY = 200001
    LEAVE_ROOM = 200002
    CLOSE_ROOM = 200003
    PLAYER_READY = 200004
    START_GAME = 200005
    START_TURN = 200006
    MOVE = 200007
    END_TURN = 200008
    END_GAME = 200009
    ERROR = 200010


class ErrorCode(enum.IntEnum):
    """Why a request was refused; its number is data1 of an ERROR frame."""

    NOT_IN_ROOM = 400000
    ROOM_IS_RUNNING = 400001
    ROOM_NOT_RUNNING = 400002
    INVALID_JOIN = 400003
    OUTTURN_MOVE = 400004
    INVALID_MOVE = 400005
    INVALID_REQ = 400006
    OTHER_ERROR = 400007


class Frame(Struct, frozen=True):
    """One request: an opcode and at most two data segments, `""` where unused."""

    op: Opcode
    data1: str = ""
    data2: str = ""


class Malformed(OneBadMessage, frozen=True):
    """A frame or path that breaks its grammar, and the code it is answered with."""

    code: ErrorCode = ErrorCode.INVALID_REQ


def error_frame(code: ErrorCode, detail: str) -> Frame:
    """An ERROR: the number in data1, a sentence that names the code in data2."""
    return Frame(Opcode.ERROR, str(code.value), f"{code.name}: {detail}")
