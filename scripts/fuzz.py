#!/usr/bin/env python3
"""Fuzz every target, or those named: `fuzz.py [--seconds N] [--at-once N] [TARGET ...]`.

Prints for each target how long it ran, how many inputs it was given, and what was found. What is
new and interesting is kept in .fuzz/, and the next run goes on from there. Ends with 1 when
anything was found. Where atheris cannot be had, it says so and ends with 0.
"""

import argparse
import importlib.util
import pathlib
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests/fuzz/corpus"
KEPT = ROOT / ".fuzz"
PINS = ROOT / "requirements/fuzz.txt"
SLOWEST = 20  # seconds that one input may take
MEMORY = 2048  # MiB
RUNS = re.compile(r"^(?:#|Done )([0-9]+)\b", re.MULTILINE)


class Result(NamedTuple):
    """What came of one target; `found` is the end of what it printed, or nothing."""

    target: str
    seconds: float
    runs: int
    found: str


def targets() -> list[str]:
    """All of them: each has a folder of its own with inputs to begin with."""
    return sorted(folder.name for folder in CORPUS.iterdir())


def has_atheris() -> bool:
    """Whether it is there now; it is installed where there is a wheel for this platform."""
    if importlib.util.find_spec("atheris") is not None:
        return True
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    pins = ["--quiet", "--no-cache-dir", "--require-hashes", "--only-binary", ":all:"]
    subprocess.run([*pip, *pins, "-r", str(PINS)], capture_output=True)
    importlib.invalidate_caches()
    return importlib.util.find_spec("atheris") is not None


def hunt(target: str, seconds: int) -> Result:
    """Let one target run for so long, or until something is found."""
    kept, findings = KEPT / "corpus" / target, KEPT / "findings"
    kept.mkdir(parents=True, exist_ok=True)
    findings.mkdir(parents=True, exist_ok=True)
    options = [
        f"-max_total_time={seconds}",
        f"-timeout={SLOWEST}",
        f"-rss_limit_mb={MEMORY}",
        f"-artifact_prefix={findings}/{target}-",
    ]
    command = [sys.executable, "-m", "tests.fuzz.hunt", target, *options]
    began = time.monotonic()
    done = subprocess.run(
        [*command, str(kept), str(CORPUS / target)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    lasted = time.monotonic() - began
    runs = [int(number) for number in RUNS.findall(done.stdout)]
    said = [line for line in done.stdout.splitlines() if not line.startswith(("#", "INFO"))][-60:]
    return Result(target, lasted, max(runs, default=0), "\n".join(said) if done.returncode else "")


def results(names: list[str], seconds: int, at_once: int) -> Iterator[Result]:
    with ThreadPoolExecutor(at_once) as pool:
        yield from pool.map(lambda name: hunt(name, seconds), names)


def main() -> int:
    parser = argparse.ArgumentParser(description="Fuzz the codecs and the sessions.")
    parser.add_argument("--seconds", type=int, default=10, help="for each target (10)")
    parser.add_argument("--at-once", type=int, default=2, help="targets that run together (2)")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="all, if none is named")
    wanted = parser.parse_args()
    unknown = set(wanted.targets) - set(targets())
    if unknown:
        parser.error(f"no target {', '.join(sorted(unknown))}, only {', '.join(targets())}")
    if not has_atheris():
        print("fuzz: left out, there is no atheris for this platform (see requirements/fuzz.txt)")
        return 0
    findings = 0
    print(f"{'target':<20} {'seconds':>8} {'runs':>10}  findings", flush=True)
    for one in results(wanted.targets or targets(), wanted.seconds, wanted.at_once):
        findings += bool(one.found)
        verdict = "FOUND" if one.found else "none"
        print(f"{one.target:<20} {one.seconds:>8.0f} {one.runs:>10}  {verdict}", flush=True)
        if one.found:
            print(one.found, flush=True)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
