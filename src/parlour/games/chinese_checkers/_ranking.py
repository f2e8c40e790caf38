"""Who stands where at the end of a game."""

from itertools import groupby

from parlour.games import Cause, Outcome, Seat
from parlour.games.chinese_checkers._star import DISTANCES, GOALS, numbers


def pieces_home(zone: str, own: int) -> int:
    """How many pieces stand in the target of `zone`."""
    return (own & GOALS[zone]).bit_count()


def distance_home(zone: str, own: int) -> int:
    """The steps of all pieces to the nearest cells of the target of `zone`, added up."""
    distances = DISTANCES[zone]
    return sum(distances[cell] for cell in numbers(own))


def rank(
    zones: tuple[str, ...],
    pieces: tuple[int, ...],
    finished: tuple[Seat, ...],
    lost: tuple[Seat, ...],
) -> Outcome:
    """The finishers in order, those still on the way, then the lost, the latest loss first.

    One seat still on the way is the survivor. Several are judged by pieces home, then by
    distance; equals share the place.
    """

    def merit(seat: Seat) -> tuple[int, int]:
        zone, own = zones[seat], pieces[seat]
        return -pieces_home(zone, own), distance_home(zone, own)

    seats = range(len(zones))
    survivors = [seat for seat in seats if seat not in finished and seat not in lost]
    judged = groupby(sorted(survivors, key=merit), key=merit)
    kept = Cause.LAST_STANDING if len(survivors) == 1 else Cause.ROUND_LIMIT
    causes = dict.fromkeys(finished, Cause.HOME) | dict.fromkeys(lost, Cause.LEFT)
    return Outcome(
        ranking=(
            *((seat,) for seat in finished),
            *(tuple(equals) for _, equals in judged),
            *((seat,) for seat in reversed(lost)),
        ),
        causes=tuple(causes.get(seat, kept) for seat in seats),
    )
