"""`parlour admin`: an operator's hands on a running server, over its local socket."""

import argparse
import json
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from parlour.cli._admin_tables import PRINTED
from parlour.cli._called import called
from parlour.cli._data import DATA
from parlour.cli._errors import CommandError
from parlour.cli._times import typed
from parlour.gateways.admin import LEVELS, NAME, NoSocketError, short, supported

PATIENCE = 30.0  # seconds that a server may take to answer
LOGGERS = "parlour, or a part of it such as parlour.tcp"
SPAN = re.compile(r"([0-9]{1,6})([smhdw])")
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}

UNRECORDED = "the log cannot be written: it is recorded when it can, if the server lives till then"

Request = dict[str, Any]


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The options of `parlour admin`."""
    parser = commands.add_parser("admin", help="look after a running server")
    parser.add_argument("--data", type=Path, default=Path(DATA), metavar="DIR")
    parser.add_argument("--json", action="store_true", help="print the answer as it came")
    acts = parser.add_subparsers(metavar="ACT", required=True)
    _add_lists(acts)
    _add_acts(acts)
    _add_bans(acts)
    parser.set_defaults(run=admin)


def admin(arguments: argparse.Namespace) -> int:
    """Ask the server and print what it answers.

    Raises:
        CommandError: no server can be asked, or it says no.
    """
    request: Request = arguments.request(arguments)
    answer = ask(arguments.data, request)
    if arguments.json:
        print(json.dumps(answer, ensure_ascii=False))
        return 0 if answer["ok"] else 2
    if not answer["ok"]:
        # The server does not know what its operator has to type before `admin`.
        raise CommandError(str(answer["detail"]).replace("`admin ", f"`{called()} admin "))
    for line in PRINTED[request["do"]](answer):
        print(line)
    if not answer.get("recorded", True):
        print(UNRECORDED)
    return 0


def ask(data: Path, request: Request) -> Request:
    """One request to the server of a data directory, and its answer.

    Raises:
        CommandError: there is no such server, or it does not answer.
    """
    if not supported():
        raise CommandError(f"this system has no Unix sockets: there is no `{called()} admin` here")
    path = data / NAME
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(PATIENCE)
            with short(path) as name:
                connection.connect(name)
            connection.sendall(json.dumps(request).encode() + b"\n")
            with connection.makefile("rb") as answers:
                line = answers.readline()
    except (FileNotFoundError, ConnectionRefusedError):
        raise CommandError(
            f"no server is running in {data.absolute()}; --data says where it is"
        ) from None
    except PermissionError:
        raise CommandError(f"{path} belongs to another user: ask as that one") from None
    except (OSError, NoSocketError) as error:
        raise CommandError(f"the server does not answer: {error}") from None
    if not line:
        raise CommandError("the server has gone before it answered")
    answer: Request = json.loads(line)
    return answer


def _act(
    acts: Any, name: str, help_: str, request: Callable[[argparse.Namespace], Request]
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = acts.add_parser(name, help=help_)
    parser.set_defaults(request=request)
    return parser


def _add_lists(acts: Any) -> None:
    for name, help_ in (
        ("connections", "who is here"),
        ("matches", "what is being played, or waits for players"),
        ("bans", "who is kept out"),
    ):
        _act(acts, name, help_, lambda chosen, do=name: {"do": do})  # type: ignore[misc]
    history = _act(
        acts,
        "history",
        "what operators have done",
        lambda chosen: {"do": "history", "last": chosen.last},
    )
    history.add_argument("--last", type=int, default=100, metavar="COUNT")


def _add_acts(acts: Any) -> None:
    kick = _act(
        acts,
        "kick",
        "end a connection, or all of somebody",
        lambda chosen: {"do": "kick", "whom": chosen.whom, "reason": chosen.reason},
    )
    kick.add_argument("whom", metavar="WHOM", help="an id of `connections`, a name or an identity")
    close = _act(acts, "close", "end a match without a result, or close a room", _close)
    what = close.add_mutually_exclusive_group(required=True)
    what.add_argument("--match", metavar="ID")
    what.add_argument("--room", metavar="NAME")
    for parser in (kick, close):
        parser.add_argument("--reason", default="", metavar="TEXT", help="told to those concerned")
    announce = _act(
        acts,
        "announce",
        "say something to everybody",
        lambda chosen: {"do": "announce", "text": chosen.text},
    )
    announce.add_argument("text", metavar="TEXT")
    _act(acts, "drain", "let no game begin, and end with the last one", lambda _: {"do": "drain"})
    _act(acts, "undrain", "let games begin again", lambda _: {"do": "undrain"})
    level = _act(
        acts,
        "log-level",
        "log more, or less",
        lambda chosen: {"do": "log-level", "level": chosen.level, "logger": chosen.logger},
    )
    level.add_argument("level", metavar="LEVEL", help=", ".join(LEVELS))
    level.add_argument("--logger", default="", metavar="NAME", help=LOGGERS)


def _add_bans(acts: Any) -> None:
    ban = _act(acts, "ban", "keep somebody out, and end their connections", _ban)
    unban = _act(acts, "unban", "let somebody in again", lambda chosen: _subject(chosen, "unban"))
    for parser in (ban, unban):
        who = parser.add_mutually_exclusive_group(required=True)
        who.add_argument("--name", metavar="NAME", help="alice, or nedap:alice")
        who.add_argument("--address", metavar="ADDRESS", help="10.0.0.7, or 10.0.0.0/8")
        who.add_argument("--jid", metavar="JID", help="anna@example.org, or example.org")
    end = ban.add_mutually_exclusive_group()
    end.add_argument("--for", dest="span", metavar="TIME", help="30m, 12h, 7d, 4w")
    end.add_argument("--until", metavar="DATE", help="2026-01-31, or 2026-01-31T12:00")
    ban.add_argument("--reason", default="", metavar="TEXT", help="told to those concerned")


def _close(chosen: argparse.Namespace) -> Request:
    if chosen.match is not None:
        return {"do": "close-match", "match": chosen.match, "reason": chosen.reason}
    return {"do": "close-room", "room": chosen.room, "reason": chosen.reason}


def _subject(chosen: argparse.Namespace, do: str) -> Request:
    kinds = ("name", "address", "jid")
    kind = next(kind for kind in kinds if getattr(chosen, kind) is not None)
    return {"do": do, "kind": kind, "who": getattr(chosen, kind)}


def _ban(chosen: argparse.Namespace) -> Request:
    return {**_subject(chosen, "ban"), **_end(chosen), "reason": chosen.reason}


def _end(chosen: argparse.Namespace) -> Request:
    """Until when, or for how long by the server's clock, in milliseconds; for ever if neither."""
    if chosen.until is not None:
        return {"until": typed("--until", chosen.until)}
    if chosen.span is None:
        return {}
    match = SPAN.fullmatch(chosen.span)
    if match is None:
        raise CommandError(f"--for: {chosen.span!r} is no time: expected one such as 30m or 7d")
    return {"lasts": int(match[1]) * SECONDS[match[2]] * 1000}
