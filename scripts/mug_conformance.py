#!/usr/bin/env python3
"""Write docs/reference/mug-conformance.md: what the tests show of each statement of the document.

Runs the tests whose names carry the ids of statements (`test_M89_...`) and ends with 1 when a
statement that a service of this kind owes has no passing test, or one that fails.
"""

import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
ROWS = ROOT / "docs" / "reference" / "mug-rows.tsv"
PAGE = ROOT / "docs" / "reference" / "mug-conformance.md"
FOLDERS = ("tests/gateways/mug", "tests/wire/mug", "tests/clients/mug")
IDS = re.compile(r"_([MT][1-9][0-9]*)(?=_|$|\[)")

# Why a statement has no test. Ranges are inclusive.
LATER = {
    "search (XEP-0055)": ["M19-M21", "M23-M29"],
    "invitations": ["M45-M54"],
    "set-up states": ["M118"],
    "saving and loading": ["M129-M135"],
    "the member list": ["M106", "M136-M162"],
    "role lists and ownership": ["M164-M176"],
}
NOT_OFFERED = {
    "requests to `room/nick` are answered by the room": ["M38"],
    "nobody is given a role unasked": ["M56"],
    "turns go to everybody in the games played so far": ["M177"],
    "a chat room elsewhere can be named in the configuration": ["M178"],
}
DOCUMENTED = {
    "the category of tic-tac-toe is `board`": ["T18"],
    "the state and the move are described with their examples": ["T19"],
}

# What a passing test does not show yet.
IN_PART = {
    "M3": "search comes later",
    "M11": "saving (1.8), lists of members (1.9) and of roles (1.10) come later",
    "M12": "saving (1.8), lists of members (1.9) and of roles (1.10) come later",
    "M14": "XEP-0030 and XEP-0128; search (XEP-0055) comes later",
    "M15": "without `jabber:iq:search`, which comes later",
}

INTRODUCTION = """\
# Conformance with Multi-User Gaming

Written by `scripts/mug_conformance.py` from the results of the tests; do not edit.

Statements M1 to M186 are those of the proto-XEP *Multi-User Gaming* 0.0.3, T1 to T19 those of
*Server-based Tic-tac-toe* 0.0.1, in our own words and in the order of the text. *By* says who owes
it: the service (S), the game (G), the client of a room's owner (O), any client (C), the document
itself (D). *Held* is a statement with a passing test of that number; where the text contradicts
itself, [Multi-User Gaming](mug.md) says which reading is tested, by a test of that reading's
number.

*Later* are whole use cases: search, invitations (1.3), a custom initial state (1.7), saving and
loading (1.8), lists of members (1.9) and of roles, and handing a room over (1.10). Of every other
use case nothing is left out that a service owes (MUST, REQUIRED, SHALL, SHOULD, or implied by an
example); *held in part* are statements that speak of one of the later use cases as well.

"""


class Row(NamedTuple):
    id: str
    section: str
    keyword: str
    by: str
    statement: str
    anchor: str

    @property
    def owed(self) -> bool:
        """Whether this service must hold it: clients and documents hold the rest."""
        return "S" in self.by or "G" in self.by


def read_rows() -> list[Row]:
    lines = ROWS.read_text("utf-8").splitlines()
    return [Row(*line.split("\t")) for line in lines]


def expand(ranges: dict[str, list[str]]) -> dict[str, str]:
    """The reason by id."""
    reasons = {}
    for reason, ids in ranges.items():
        for one in ids:
            first, _, last = one.partition("-")
            for number in range(int(first[1:]), int((last or first)[1:]) + 1):
                reasons[f"{first[0]}{number}"] = reason
    return reasons


def run_tests(folders: list[str]) -> dict[str, dict[str, bool]]:
    """For each id the tests that carry it, and whether they passed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", *folders, f"--junitxml={report}"]
        subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
        cases = list(ElementTree.parse(report).iter("testcase"))
    results: dict[str, dict[str, bool]] = defaultdict(dict)
    for case in cases:
        name = case.attrib["name"].partition("[")[0]
        passed = all(case.find(bad) is None for bad in ("failure", "error", "skipped"))
        for one in IDS.findall(name):
            results[one][name] = results[one].get(name, True) and passed
    return results


def standing(row: Row, tests: dict[str, bool], reasons: dict[str, dict[str, str]]) -> str:
    """What is to say of a statement; begins with FAILS or OPEN when something is wrong."""
    if tests:
        failed = [name for name, passed in tests.items() if not passed]
        if failed:
            return f"FAILS: {', '.join(failed)}"
        shown = ", ".join(f"`{name}`" for name in sorted(tests))
        part = IN_PART.get(row.id)
        return f"held in part: {shown}; {part}" if part else f"held: {shown}"
    for word, ids in reasons.items():
        if row.id in ids:
            return f"{word}: {ids[row.id]}"
    return "OPEN" if row.owed else "not the service's"


def main(folders: list[str]) -> int:
    results = run_tests(folders or [one for one in FOLDERS if (ROOT / one).exists()])
    reasons = {
        "later": expand(LATER),
        "not offered": expand(NOT_OFFERED),
        "documented": expand(DOCUMENTED),
    }
    counts: dict[str, int] = defaultdict(int)
    lines = ["| # | keyword | by | statement | standing |", "| --- | --- | --- | --- | --- |"]
    wrong = []
    for row in read_rows():
        said = standing(row, results.get(row.id, {}), reasons)
        counts[said.partition(":")[0]] += 1
        if said.startswith(("FAILS", "OPEN")):
            wrong.append(f"{row.id}: {said}")
        lines.append(f"| {row.id} | {row.keyword} | {row.by} | {row.statement} | {said} |")
    counted = ", ".join(f"{number} {word}" for word, number in sorted(counts.items()))
    total = sum(counts.values())
    PAGE.write_text(f"{INTRODUCTION}{total} statements: {counted}.\n\n" + "\n".join(lines) + "\n")
    print("\n".join([f"{total} statements: {counted}", *wrong]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
