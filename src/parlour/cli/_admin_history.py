"""What operators have done, in words: a row of `parlour admin history` for each act."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from parlour.cli._counting import counted
from parlour.cli._times import shown

Act = dict[str, Any]
Line = tuple[str, str, str, str]
REFUSED = "ActRefused"
FIXED = ("type", "at", "uid", "user")  # of every act


def rows(acts: Sequence[Act]) -> Iterator[Line]:
    """When, who, which act, and what about; a refusal stands with the act that it is of."""
    refused = {(one["act"], one["of"]): one["why"] for one in acts if _kind(one) == REFUSED}
    done = {(_kind(one), one["at"]) for one in acts}
    for act in acts:
        kind, at, why = _kind(act), act["at"], ""
        if kind == REFUSED:
            kind, at = act["act"], act["of"]
            if (kind, at) in done:
                continue
            name, what = _words(kind)[0], ""  # what it was about is further back
        else:
            name, words = _words(kind)
            what = words(act)
        if (kind, at) in refused:
            why = f"refused: {refused[kind, at]}"
        who = act.get("user") or (str(act["uid"]) if "uid" in act else "-")
        yield shown(at), who, name, "; ".join(filter(None, (what, why)))


def until(ban: Act) -> str:
    """How long a ban holds."""
    return f"until {shown(ban['until'])}" if ban.get("until") else "for ever"


def _kind(act: Act) -> str:
    kind: str = act["type"].partition("/")[0]
    return kind


def _words(kind: str) -> tuple[str, Callable[[Act], str]]:
    """What an act is called where it is typed, and what there is to say of one."""
    return WORDS.get(kind, (kind, _fields))


def _fields(act: Act) -> str:
    """Of an act that a newer server has recorded."""
    return ", ".join(f"{name} {value}" for name, value in act.items() if name not in FIXED)


def _why(what: str, act: Act) -> str:
    return f"{what}: {act['reason']}" if act.get("reason") else what


def _ban(ban: Act) -> str:
    return _why(f"{ban['kind']} {ban['who']} {until(ban)}", ban)


def _log_level(act: Act) -> str:
    return f"{act['level']} for {act['logger']}" if act.get("logger") else str(act["level"])


WORDS: dict[str, tuple[str, Callable[[Act], str]]] = {
    "VisitorKicked": (
        "kick",
        lambda act: _why(f"{act['whom']}, {counted(act['connections'], 'connection')}", act),
    ),
    "Banned": ("ban", lambda act: _ban(act["ban"])),
    "Unbanned": ("unban", lambda act: f"{act['kind']} {act['who']}"),
    "MatchClosed": ("close --match", lambda act: _why(act["match"], act)),
    "RoomShut": ("close --room", lambda act: _why(act["room"], act)),
    "Announced": ("announce", lambda act: str(act["text"])),
    "DrainBegun": ("drain", lambda act: ""),
    "DrainEnded": ("undrain", lambda act: ""),
    "LogLevelSet": ("log-level", _log_level),
    "Pruned": (
        "prune",
        lambda act: f"{counted(act['streams'], 'stream')} finished before {shown(act['before'])}",
    ),
    "NamesErased": ("erase", lambda act: f"now {', '.join(act['tokens'])}"),
}
