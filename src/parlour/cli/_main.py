"""The command line: `parlour COMMAND`."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

from parlour.cli import _output
from parlour.cli._called import called
from parlour.cli._errors import CommandError

# Only the module of the command that is typed is loaded: a server's libraries take longer to
# load than a terminal client takes to start.
MODULES = {
    "serve": "_serve",
    "play": "_play",
    "matches": "_matches",
    "replay": "_matches",
    "export": "_export",
    "backup": "_backup",
    "verify": "_verify",
    "prune": "_prune",
    "erase": "_erase",
    "admin": "_admin",
}

INTERRUPTED = 130  # as a shell says it: 128 and the number of SIGINT


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    0, 1 when a game was broken off, 2 after one sentence on what is wrong, 130 after Ctrl-C.
    """
    _output.prepare()
    try:
        try:
            return _run(arguments)
        finally:
            _output.flush()
    except BrokenPipeError:  # whoever read our output has had enough, as in `| head`
        _output.forget()
        return 0
    except OSError as error:
        if error.errno not in _output.FULL or error.filename is not None:
            raise
        _output.forget()
        print(f"parlour: cannot write: {error.strerror}", file=sys.stderr)
        return 2


def _run(arguments: Sequence[str] | None) -> int:
    from_clone = "PARLOUR_COMMAND" in os.environ
    parser = argparse.ArgumentParser(
        prog=called(),
        description="Board games over every protocol at one table.",
        epilog="COMMAND -h tells the options of a command."
        + (" Options without a command are those of serve." if from_clone else ""),
    )
    parser.add_argument("--version", action="version", version=f"parlour {version('parlour')}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    words = sys.argv[1:] if arguments is None else arguments
    typed = MODULES.get(words[0]) if words else None
    for module in [typed] if typed is not None else dict.fromkeys(MODULES.values()):
        importlib.import_module(f"parlour.cli.{module}").add_parser(commands)
    chosen, unknown = parser.parse_known_args(words)
    if unknown:  # the usage of the command is of more help than that of all commands
        commands.choices.get(words[0], parser).error(f"unrecognized arguments: {' '.join(unknown)}")
    try:
        status: int = chosen.run(chosen)
    except KeyboardInterrupt:
        return INTERRUPTED
    except CommandError as error:
        print(f"parlour: {error}", file=sys.stderr)
        return 2
    return status
