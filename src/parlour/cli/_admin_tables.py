"""What `parlour admin` prints for people."""

import datetime
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from parlour.wire import clean

SHOWN = 60  # characters of a name or reason that may reach the terminal
BETWEEN = "  "

Answer = dict[str, Any]
FIXED = ("type", "at", "uid", "user")  # of every act


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    cells = [head, *([clean(cell, SHOWN) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for row in cells:
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield BETWEEN.join(padded).rstrip()


def _moment(at: int) -> str:
    if not at:
        return "-"
    try:
        return datetime.datetime.fromtimestamp(at / 1000).isoformat(" ", "seconds")
    except (ValueError, OverflowError, OSError):  # no calendar goes that far
        return f"{at} ms"


def _idle(heard: int) -> str:
    return f"{max(0, int(time.time() - heard / 1000))} s" if heard else "-"


def _draining(answer: Answer) -> Iterator[str]:
    if answer["drains"]:
        yield "the server drains: no game begins, and it ends with the last one"


def _connections(answer: Answer) -> Iterator[str]:
    rows = [
        (
            one["id"],
            one["identity"] or "-",
            ", ".join((one["name"], *one["also"])) or "-",
            _moment(one["since"]),
            _idle(one["heard"]),
        )
        for one in answer["connections"]
    ]
    yield from _draining(answer)
    yield from _table(("ID", "IDENTITY", "NAME", "SINCE", "IDLE"), rows)


def _matches(answer: Answer) -> Iterator[str]:
    rows = [
        (
            one["id"],
            one["game"],
            one["status"],
            one["room"] or "-",
            _moment(one["created_at"]),
            ", ".join(player["name"] for player in one["players"]),
        )
        for one in answer["matches"]
    ]
    yield from _draining(answer)
    yield from _table(("ID", "GAME", "STATUS", "ROOM", "SINCE", "PLAYERS"), rows)


def _bans(answer: Answer) -> Iterator[str]:
    rows = [
        (one["kind"], one["who"], _moment(one.get("until", 0)), one.get("reason", ""))
        for one in answer["bans"]
    ]
    return _table(("KIND", "WHO", "UNTIL", "REASON"), rows)


def _history(answer: Answer) -> Iterator[str]:
    rows = []
    for act in answer["acts"]:
        what = ", ".join(
            f"{name} {_said(value)}" for name, value in act.items() if name not in FIXED
        )
        who = act.get("user") or (str(act["uid"]) if "uid" in act else "-")
        rows.append((_moment(act["at"]), who, act["type"].partition("/")[0], what))
    return _table(("WHEN", "WHO", "ACT", "WHAT"), rows)


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{name} {one}" for name, one in value.items())
    return str(value)


def _count(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _kicked(answer: Answer) -> Iterator[str]:
    yield f"{_count(answer['connections'], 'connection')} ended"


def _banned(answer: Answer) -> Iterator[str]:
    ban = answer["ban"]
    until = f"until {_moment(ban['until'])}" if ban.get("until") else "for ever"
    ended = _count(answer["connections"], "connection")
    yield clean(f"{ban['kind']} {ban['who']} is banned {until}; {ended} ended", 4 * SHOWN)


def _announced(answer: Answer) -> Iterator[str]:
    for protocol, count in sorted(answer["told"].items()):
        yield f"{protocol}: {count} told"
    for protocol, count in sorted(answer["untold"].items()):
        yield f"{protocol}: {count} not told, the protocol has no words for it"
    if not answer["told"] and not answer["untold"]:
        yield "nobody is here"


def _drained(answer: Answer) -> Iterator[str]:
    games = _count(answer["games"], "game")
    yield f"no game begins any more; the server ends with the last of {games}"


PRINTED: dict[str, Callable[[Answer], Iterator[str]]] = {
    "connections": _connections,
    "matches": _matches,
    "bans": _bans,
    "history": _history,
    "kick": _kicked,
    "ban": _banned,
    "unban": lambda answer: iter(("let in again",)),
    "close-match": lambda answer: iter((f"{answer['match']} is closed",)),
    "close-room": lambda answer: iter((f"{clean(answer['room'], SHOWN)} is closed",)),
    "announce": _announced,
    "drain": _drained,
    "undrain": lambda answer: iter(("games begin again",)),
    "log-level": lambda answer: iter((f"the log says {answer['level']} and above",)),
}
