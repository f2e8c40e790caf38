"""What ./bench runs: everything, or the named parts."""

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from benchmarks import crowds, flood, moves, recovery, rooms, spectators
from benchmarks.figures import Figure, machine, table
from benchmarks.processes import BenchError


def rules(_: argparse.Namespace) -> list[Figure]:
    """Go and Chinese checkers beside sgfmill and OpenSpiel."""
    from benchmarks import rules_chinese_checkers, rules_go

    figures = [Figure(name, "", rounds) for name, rounds in rules_go.measure().items()]
    for one in rules_chinese_checkers.measure():
        name = f"Chinese checkers, {one['players']} players, {one['what']}"
        figures.append(Figure(name, "/s", msgspec.convert(one["per_second"], list[float])))
    return figures


def long_games(options: argparse.Namespace) -> list[Figure]:
    """The n-th move on the largest board of Go, through the server."""
    from benchmarks import long_game

    return long_game.measure(min(options.rounds, 3))


def xmpp_rooms(options: argparse.Namespace) -> list[Figure]:
    """Rooms of Multi-User Gaming through Prosody and ejabberd."""
    from benchmarks import xmpp  # stands on the tests' servers, and on pytest with them

    return xmpp.measure(min(options.rounds, 3), options.seconds)


def page(options: argparse.Namespace) -> list[Figure]:
    """The page in Chromium."""
    from benchmarks import page  # stands on Playwright, and on the tests' browser

    return page.measure(options.rounds)


PARTS: dict[str, Callable[[argparse.Namespace], list[Figure]]] = {
    "moves": lambda options: moves.measure(options.rounds, options.seconds),
    "rooms": lambda options: rooms.measure(options.rounds, options.seconds),
    "idle": lambda options: crowds.idle(),
    "logins": lambda options: crowds.logins(options.rounds),
    "flood": lambda options: flood.measure(options.rounds, options.seconds),
    "spectators": lambda options: spectators.measure(min(options.rounds, 3)),
    "page": page,
    "recovery": lambda options: recovery.measure(min(options.rounds, 3)),
    "xmpp": xmpp_rooms,
    "rules": rules,
    "long": long_games,
}


def commit() -> str:
    """The commit that is measured; empty outside a repository."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent)
    return done.stdout.strip()


def report(figures: Sequence[Figure]) -> dict[str, object]:
    """What the JSON file holds."""
    rows = [{**msgspec.to_builtins(one), "median": one.median, "met": one.met} for one in figures]
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit(),
        "machine": machine(),
        "figures": rows,
    }


def add_torture(parser: argparse.ArgumentParser) -> None:
    """What is no measurement but a proof, and takes its time."""
    group = parser.add_argument_group("long runs, instead of the parts")
    group.add_argument(
        "--torture", action="store_true", help="kill the server and hurt its clients; lose nothing"
    )
    group.add_argument("--soak", action="store_true", help="the same games in peace, for long")
    group.add_argument("--minutes", type=float, default=60, help="how long")
    group.add_argument(
        "--kills", type=int, default=0, metavar="N", help="so many as fast as useful, instead"
    )
    group.add_argument("--games", type=int, default=0, metavar="N", help="at once")
    group.add_argument("--seed", type=int, default=0, help="of everything random")
    group.add_argument("--keep", type=Path, metavar="DIR", help="keep the notes and the log there")


def long_run(name: str, options: argparse.Namespace) -> int:
    """Do it, and write what came of it to its place in the JSON file when one is asked for."""
    from benchmarks.torture import torture  # stands on the tests' reader of the log

    try:
        record, well = torture(options)
    except BenchError as error:
        print(f"bench: {name}: {error}", file=sys.stderr)
        return 1
    if options.json is not None:
        told = msgspec.json.decode(options.json.read_bytes()) if options.json.exists() else {}
        what = f"{name} of kills" if options.kills else name
        when = {"date": datetime.now(UTC).date().isoformat(), "commit": commit()}
        told[what] = when | {"machine": machine()} | record
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(told)) + b"\n")
    return 0 if well else 1


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the table, and write the JSON file when one is asked for."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure the server.")
    parser.add_argument("parts", nargs="*", metavar="NAME", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all rounds to this file")
    parser.add_argument("--rounds", type=int, default=5, help="of each figure")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each round of moves")
    add_torture(parser)
    options = parser.parse_args(argv)
    if options.torture or options.soak:
        return long_run("soak" if options.soak else "torture", options)
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"no {', '.join(sorted(unknown))}: the parts are {', '.join(PARTS)}")
    figures: list[Figure] = []
    for name in options.parts or PARTS:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        try:
            figures += PARTS[name](options)
        except BenchError as error:
            print(f"bench: {name}: {error}", file=sys.stderr)
            return 1
    print(table(figures))
    if options.json is not None:
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(report(figures))) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
