"""A real server's edge cases, and ours: what it was asked is asked of us, over real sockets.

`tests/data/probes/nedap.txt` is the table: per case what is sent, what both answer, what only
the real server says (`-`) and what only we say (`+`), each difference with the ruling for it.
"""

import ast
import difflib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.gateways.nedap.peers import Club, Peer, club
from tests.recordings import FOLDER

RECORDING = FOLDER / "go" / "probe_reuvers.txt"
TABLE = Path(__file__).parents[2] / "data" / "probes" / "nedap.txt"

# Explanations for people: no word of the source, and no client reads them.
CHATTER = re.compile(
    r"CHAT (Welcome!|Type .*|Hi [a-z]+!|You can be put .*|Possible keywords .*|[A-Z]+ {2,}.*)"
)
LINE = re.compile(r" *(\w+) (>>|<<) (.*)")
LEFT = "CHAT The connection of your opponent was lost."
DIFFERENCE = re.compile(r"([-+] \w+ << .*?) +\[([a-z-]+)\]")


class Step(NamedTuple):
    """One thing a client did, and what the real server then said to whom."""

    client: str
    does: str
    theirs: list[tuple[str, str]]


def cases() -> dict[str, list[Step]]:
    """The recorded cases by name, as steps."""
    found: dict[str, list[Step]] = {}
    for part in RECORDING.read_text().split("=== ")[1:]:
        name, *lines = part.split("\n")
        found[name] = list(_steps(lines))
    return found


def _steps(lines: list[str]) -> Iterator[Step]:
    """Welcome shows a new connection. Who has black is B after READY, and white is W."""
    step = Step("", "", [])
    for line in lines:
        match = LINE.fullmatch(line)
        if match is None:
            continue
        client, arrow, text = match.groups()
        if arrow == ">>":
            yield step
            step = Step(client, text, [])
        elif text == "CHAT Welcome!":
            yield step
            step = Step(client, "<connect>", [])
        elif text == LEFT and step.does != "<close>":
            yield step
            step = Step("B", "<close>", [(client, text)])
        elif not CHATTER.fullmatch(text):
            step.theirs.append((client, text))
    yield step


class Asked:
    """The clients of one case, on our server."""

    def __init__(self, room: Club) -> None:
        self._room = room
        self._peers: dict[str, Peer] = {}

    async def does(self, step: Step) -> list[tuple[str, str]]:
        """Do it, and give what we say to whom."""
        peers = self._peers
        if step.does in ("<connect>", "<close>"):
            gone = peers.pop(step.client, None)
            if gone is not None:
                await gone.close()
            if step.does == "<connect>":
                peers[step.client] = await self._room.peer()
                return []
        else:
            quoted = step.does.startswith("'")
            text = ast.literal_eval(step.does) if quoted else f"{step.does}\n"
            peers[step.client].write(text.encode())
            if not text.endswith("\n"):
                return []
        return [answer for client in list(peers) for answer in await self._heard(client, step)]

    async def _heard(self, client: str, step: Step) -> list[tuple[str, str]]:
        if client == step.client and step.does == "EXIT":
            lines = await self._peers.pop(client).rest()
            return [(client, line) for line in [*lines, "<closed>"]]
        return [(client, line) for line in await self._peers[client].heard()]

    def seated(self, theirs: list[tuple[str, str]]) -> None:
        """After READY the recording names the two by their colours."""
        colours = {
            {"black": "B", "white": "W"}[text.split()[1]]: self._peers[client]
            for client, text in theirs
            if text.startswith("READY")
        }
        if colours:
            self._peers = colours


def by_client(said: list[tuple[str, str]]) -> dict[str, list[str]]:
    lines: dict[str, list[str]] = {}
    for client, text in said:
        lines.setdefault(client, []).append(text.rstrip())
    return lines


async def played(steps: list[Step], room: Club) -> list[str]:
    """The dialogue in the form of the table, without the rulings."""
    asked, lines = Asked(room), []
    for step in steps:
        if not step.client:
            continue
        ours, theirs = by_client(await asked.does(step)), by_client(step.theirs)
        asked.seated(step.theirs)
        if step.does != "<connect>":
            lines.append(f"{step.client} >> {step.does}".rstrip())
        for client in sorted({*ours, *theirs}):
            difference = difflib.ndiff(theirs.get(client, []), ours.get(client, []))
            lines += [f"{one[0]} {client} << {one[2:]}" for one in difference if one[0] != "?"]
    return lines


class Table(NamedTuple):
    """The table as it is written: rulings by name, and the lines of each case."""

    rulings: dict[str, str]
    cases: dict[str, list[str]]

    @classmethod
    def read(cls) -> "Table":
        head, *parts = TABLE.read_text().split("\n=== ")
        rulings = dict(re.findall(r"^\[([a-z-]+)\] (.*)$", head, re.MULTILINE))
        blocks = [part.rstrip().split("\n") for part in parts]
        return cls(rulings, {lines[0].split(" ")[0]: lines[1:] for lines in blocks})


PROBES = cases()
TOLD = Table.read()


def test_every_case_is_in_the_table_and_every_ruling_is_needed() -> None:
    assert len(PROBES) == 33
    assert TOLD.cases.keys() == PROBES.keys()
    used = {
        found[2]
        for lines in TOLD.cases.values()
        for line in lines
        if (found := DIFFERENCE.fullmatch(line))
    }
    assert used == TOLD.rulings.keys()


@pytest.mark.parametrize("case", PROBES)
async def test_what_a_real_server_was_asked(case: str) -> None:
    table = []
    for line in TOLD.cases[case]:
        difference = DIFFERENCE.fullmatch(line)
        assert difference or line[0] not in "-+", f"no ruling for {line!r}"
        table.append(difference[1] if difference else line.rstrip())
    async with club() as room:
        assert await played(PROBES[case], room) == table
