"""The command line: `parlour COMMAND`."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

from parlour.cli import _export, _matches, _play, _serve
from parlour.cli._errors import CommandError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0, or 2 after one sentence on what is wrong."""
    parser = argparse.ArgumentParser(
        prog="parlour", description="Board games over every protocol at one table."
    )
    parser.add_argument("--version", action="version", version=f"parlour {version('parlour')}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in (_serve, _play, _matches, _export):
        command.add_parser(commands)
    chosen = parser.parse_args(arguments)
    try:
        status: int = chosen.run(chosen)
    except BrokenPipeError:  # whoever read our output has had enough, as in `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except CommandError as error:
        print(f"parlour: {error}", file=sys.stderr)
        return 2
    return status
