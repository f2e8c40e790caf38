"""What `parlour admin` prints for people."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from parlour.cli._admin_history import rows, until
from parlour.cli._counting import counted
from parlour.cli._times import shown
from parlour.wire import clean

SHOWN = 60  # characters of a name or reason that may reach the terminal
SHOWN_LAST = 500  # of the last column, behind which nothing stands
BETWEEN = "  "

Answer = dict[str, Any]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    most = [SHOWN] * (len(head) - 1) + [SHOWN_LAST]
    cells = [head, *(list(map(clean, row, most)) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for row in cells:
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield BETWEEN.join(padded).rstrip()


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
            shown(one["since"]),
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
            shown(one["created_at"]),
            ", ".join(player["name"] for player in one["players"]),
        )
        for one in answer["matches"]
    ]
    yield from _draining(answer)
    yield from _table(("ID", "GAME", "STATUS", "ROOM", "SINCE", "PLAYERS"), rows)


def _bans(answer: Answer) -> Iterator[str]:
    rows = [
        (one["kind"], one["who"], shown(one.get("until", 0)), one.get("reason", ""))
        for one in answer["bans"]
    ]
    return _table(("KIND", "WHO", "UNTIL", "REASON"), rows)


def _history(answer: Answer) -> Iterator[str]:
    return _table(("WHEN", "WHO", "ACT", "WHAT"), list(rows(answer["acts"])))


def _kicked(answer: Answer) -> Iterator[str]:
    yield f"{counted(answer['connections'], 'connection')} ended"


def _banned(answer: Answer) -> Iterator[str]:
    ban = answer["ban"]
    ended = counted(answer["connections"], "connection")
    yield clean(f"{ban['kind']} {ban['who']} is banned {until(ban)}; {ended} ended", 4 * SHOWN)


def _announced(answer: Answer) -> Iterator[str]:
    for protocol, count in sorted(answer["told"].items()):
        yield f"{protocol}: {count} told"
    for protocol, count in sorted(answer["untold"].items()):
        yield f"{protocol}: {count} not told, the protocol has no words for it"
    if not answer["told"] and not answer["untold"]:
        yield "nobody is here"


def _drained(answer: Answer) -> Iterator[str]:
    games = counted(answer["games"], "game")
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
