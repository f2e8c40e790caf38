"""Run one fuzz target under atheris: `python -m tests.fuzz.hunt TARGET [libFuzzer options]`."""

import sys

import atheris

with atheris.instrument_imports(include=["parlour"]):
    from tests.fuzz.targets import TARGETS


def main() -> None:
    """Hand the rest of the command line to libFuzzer."""
    name = sys.argv.pop(1)
    atheris.Setup(sys.argv, TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
