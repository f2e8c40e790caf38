"""Go in SGF, the Smart Game Format, FF[4] (Arno Hollosi's specification of 1997 and later)."""

import re
import string

from parlour.games import Seat
from parlour.games.go import Go, Options
from parlour.match import (
    ForfeitCause,
    Match,
    MatchAborted,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    SeatForfeited,
    Status,
    TimeControl,
)
from parlour.records._dates import CALENDAR, date
from parlour.records._history import History, names

# FF[4], Go: "a" to "z" are 1 to 26, "A" to "Z" 27 to 52, and no board may be larger.
LETTERS = string.ascii_lowercase + string.ascii_uppercase
COLOURS = "BW"  # By seat.
MOVES_A_LINE = 10

RULES = {
    "any": "Tromp-Taylor",
    "white-last": "Tromp-Taylor, but ended only by a pass of white after a pass of black",
}

# FF[4], Text and SimpleText: these need a backslash, the colon only in composed values.
SPECIAL = re.compile(r"([\]\\:])")
LINE_BREAK = re.compile("\r\n|\n\r|\r|\n")
# No reader agrees with another on control characters; FF[4] makes white space a space.
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f]")


class SgfError(Exception):
    """The match cannot be written as SGF; the message is for whoever asked."""


def sgf(history: History) -> str:
    """A match of Go as one SGF game tree, with a line break at the end.

    A seat that was lost and a match that was aborted are explained in a comment on the last
    node.

    Raises:
        SgfError: the game is not Go, or its board is larger than 52.
        ValueError: the history is empty.
    """
    if not history:
        raise ValueError("a match has at least one event")
    match = history[-1][1]
    options = match.options
    if match.game.name != Go.name or not isinstance(options, Options):
        raise SgfError(f"SGF is for Go, not for {match.game.title}")
    if options.size > len(LETTERS):
        raise SgfError(f"size {options.size} is beyond SGF's {len(LETTERS)} letters")
    nodes = [_root(history, match, options), *_moves(history, match)]
    comment = _comment(history, match)
    if comment:
        nodes[-1] += f"C[{_text(comment)}]"
    lines = [nodes[0]]
    for start in range(1, len(nodes), MOVES_A_LINE):
        lines.append("".join(nodes[start : start + MOVES_A_LINE]))
    return "(" + "\n".join(lines) + ")\n"


def _root(history: History, match: Match, options: Options) -> str:
    players = names(history)
    properties = {
        "FF": "4",
        "GM": "1",
        "CA": "UTF-8",
        "AP": "Parlour:1",
        "SZ": str(options.size),
        "PB": _simple(players.get(0, "")),
        "PW": _simple(players.get(1, "")),
        "DT": ",".join(_days(history)),
        "RU": _simple(RULES[options.end]),
        "KM": "0",
        "TM": _main_time(match.control),
        "OT": _simple(_overtime(match.control)),
        "RE": _result(history, match),
    }
    return ";" + "".join(f"{name}[{value}]" for name, value in properties.items() if value)


def _days(history: History) -> list[str]:
    """The days of play, or the day on which a table was opened that nobody played at.

    A log may have times that no calendar has.
    """
    played = [
        event.at
        for event, _ in history
        if isinstance(event, MatchStarted | MovePlayed | SeatForfeited | MatchEnded)
    ]
    return sorted({date(at) for at in played or [history[0][0].at] if at in CALENDAR})


def _main_time(control: TimeControl) -> str:
    """Seconds; nothing when no clock counts the whole game."""
    return _seconds(control.total) if control.total or control.periods else ""


def _overtime(control: TimeControl) -> str:
    parts = []
    if control.periods:
        parts.append(f"{control.periods}x{_seconds(control.period)} byo-yomi")
    if control.increment:
        parts.append(f"{_seconds(control.increment)} fischer")
    if control.turn:
        parts.append(f"{_seconds(control.turn)} for each move")
    return ", ".join(parts)


def _seconds(milliseconds: int) -> str:
    whole, rest = divmod(milliseconds, 1000)
    return f"{whole}.{rest:03d}".rstrip("0") if rest else str(whole)


def _result(history: History, match: Match) -> str:
    """FF[4], RE: who won and by what; Void when there is none, ? when it is not known yet."""
    outcome = match.outcome
    if outcome is None:
        return "Void" if match.status is Status.ABORTED else "?"
    winner = outcome.winner
    if winner is None:
        return "Draw"
    causes = [event.cause for event, _ in history if isinstance(event, SeatForfeited)]
    if causes:
        return f"{COLOURS[winner]}+{_letter(causes[-1])}"
    best, *others = sorted(outcome.scores, reverse=True)
    return f"{COLOURS[winner]}+{best - others[0]}"


def _letter(cause: ForfeitCause) -> str:
    if cause is ForfeitCause.RESIGNED:
        return "R"
    return "T" if cause is ForfeitCause.TIME else "F"


def _moves(history: History, match: Match) -> list[str]:
    """A node for each move, those of the opening too."""
    position = match.game.start(match.options, len(match.seats))
    nodes = []
    for move in match.opening:
        if position.turn is not None:
            nodes.append(_node(position.turn, move))
        position = position.play(move)
    nodes += [
        _node(event.seat, event.move) for event, _ in history if isinstance(event, MovePlayed)
    ]
    return nodes


def _node(seat: Seat, move: str) -> str:
    # FF[4], Go: B[] is a pass on every board; [tt] is one only up to 19 and a point above.
    point = "" if move == "pass" else "".join(LETTERS[int(number)] for number in move.split(","))
    return f";{COLOURS[seat]}[{point}]"


def _comment(history: History, match: Match) -> str:
    seats = match.seat_names
    lines = []
    for event, _ in history:
        if isinstance(event, SeatForfeited):
            lines.append(f"{seats[event.seat]} lost ({_why(event.cause, event.detail)})")
        elif isinstance(event, MatchAborted):
            lines.append(f"aborted ({_why(event.cause, event.detail)})")
    return "\n".join(lines)


def _why(cause: str, detail: str) -> str:
    return f"{cause}: {detail}" if detail else cause


def _text(text: str) -> str:
    lines = LINE_BREAK.sub("\n", text)
    return SPECIAL.sub(r"\\\1", CONTROL.sub(" ", lines))


def _simple(text: str) -> str:
    return _text(LINE_BREAK.sub(" ", text))
