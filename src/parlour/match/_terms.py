"""What a protocol asks of the match for the seat it fills."""

import enum
from typing import Annotated

from msgspec import Meta, Struct

from parlour.match._clock import Milliseconds


class Fault(enum.StrEnum):
    """What follows when a player breaks a rule of play."""

    ANSWER = "answer"  # the player is told and may try again
    FORFEIT = "forfeit"  # the seat is lost


class Terms(Struct, frozen=True, omit_defaults=True):
    """The policy of one seat, fixed when it is taken.

    `grace` is how many milliseconds an absence may last before the seat is lost, 0 meaning at
    once. A seat that is `ready` needs no word from its player to start or to resume. An absence
    suspends the match only when every seat `suspends`. A seat that `reclaims` can be taken up
    again after a restart, because its player can be recognised. One that `rejoins` is kept over a
    restart before the start, too, because its player's client comes back to the table by itself.
    Where a seat has a `turn_limit` in milliseconds, no turn of the game is longer, whosever it is:
    its player cannot be asked whether they would wait for ever. But beside one that `suspends` the
    protocol of that one looks after the time, for it knows when its players could not move.
    """

    illegal_move: Fault = Fault.ANSWER
    out_of_turn: Fault = Fault.ANSWER
    grace: Annotated[int, Meta(ge=0)] = 0
    ready: bool = False
    suspends: bool = False
    reclaims: bool = True
    rejoins: bool = False
    turn_limit: Milliseconds = 0
