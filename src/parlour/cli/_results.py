"""How a match ended, in words for one line of a list."""

from parlour.games import Cause, Outcome, Seat
from parlour.match import AbortCause, ForfeitCause, Listing
from parlour.wire import clean

BY = {
    Cause.LINE: "a line",
    Cause.BOARD_FULL: "a full board",
    Cause.AREA: "area",
    Cause.HOME: "coming home",
    Cause.LAST_STANDING: "staying",
    Cause.ROUND_LIMIT: "the last round",
    Cause.LEFT: "leaving",
}
LOST = {
    ForfeitCause.RESIGNED: "resigned",
    ForfeitCause.ILLEGAL_MOVE: "made an illegal move",
    ForfeitCause.OUT_OF_TURN: "moved out of turn",
    ForfeitCause.TIME: "ran out of time",
    ForfeitCause.ABSENCE: "was away too long",
    ForfeitCause.LEFT: "left",
    ForfeitCause.RESTART: "was lost in a restart",
    ForfeitCause.OPERATOR: "was taken out by the operator",
}
CALLED_OFF = {
    AbortCause.EMPTY: "everybody left",
    AbortCause.RESTART: "nobody came back after a restart",
    AbortCause.OPERATOR: "by the operator",
    AbortCause.STRANGER: "somebody spoke no protocol of ours, or had gone",
}


def result(listing: Listing, shown: int) -> str:
    """Who won and by what, or why nobody did; empty before the end. Names have `shown` letters."""
    if listing.abort is not None:
        return f"called off: {CALLED_OFF[listing.abort]}"
    outcome = listing.outcome
    if outcome is None:
        return ""
    names = {sitter.seat: clean(sitter.name, shown) for sitter in listing.sitters}
    lost = {seat: LOST[cause] for seat, cause in listing.forfeits}
    scores = f", {' to '.join(map(str, outcome.scores))}" if outcome.scores else ""
    if len(outcome.ranking) == 1:
        return f"a draw by {BY[outcome.causes[0]]}{scores}"
    winner = outcome.winner
    if len(outcome.causes) > 2 or winner is None:
        return _places(outcome, names, lost)
    who, other = (names.get(seat, "somebody") for seat in (winner, 1 - winner))
    if 1 - winner in lost:
        return f"{who} won: {other} {lost[1 - winner]}"
    return f"{who} won by {BY[outcome.causes[winner]]}{scores}"


def _places(outcome: Outcome, names: dict[Seat, str], lost: dict[Seat, str]) -> str:
    """Everybody by place, as in `1. alice (coming home), 2. bob (resigned)`."""
    return ", ".join(
        f"{place}. {names.get(seat, 'somebody')} ({lost.get(seat, BY[outcome.causes[seat]])})"
        for place, group in enumerate(outcome.ranking, 1)
        for seat in group
    )
