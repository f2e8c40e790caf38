"""`docs/tutorial/first-game.md` shows what the programs print, and the index names every page."""

import re
from pathlib import Path

import pytest

from tests.cli.servers import Server, parlour
from tests.cli.test_play import ASK, person

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGE = (DOCS / "tutorial/first-game.md").read_text("utf-8")
SHOWN = re.findall(r"```text\n(.*?)```", PAGE, re.S)
TYPED = re.findall(r"^(\d \d)$|X in `(\d \d)`|O in `(\d \d)`", PAGE, re.M)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def commands(page: str) -> list[str]:
    return [
        line for block in re.findall(r"```sh\n(.*?)```", page, re.S) for line in block.split("\n")
    ]


def test_every_command_is_one_of_the_readme() -> None:
    """Which `test_readme.py` types in a fresh clone."""
    assert set(commands(PAGE)) - set(commands((ROOT / "README.md").read_text("utf-8"))) == set()


def test_the_index_names_every_page_and_every_link_leads_somewhere() -> None:
    pages = sorted(DOCS.rglob("*.md"))
    named = {
        (DOCS / link).resolve() for link in LINK.findall((DOCS / "README.md").read_text("utf-8"))
    }
    assert {page for page in pages if page.name != "README.md"} - named == set()
    broken = [
        (page.name, link)
        for page in pages
        for link in LINK.findall(page.read_text("utf-8"))
        if not (page.parent / link).exists()
    ]
    assert broken == []


@pytest.mark.slow
def test_the_terminals_show_what_the_page_shows(tmp_path: Path) -> None:
    moves = ["".join(found) for found in TYPED]
    with Server(tmp_path, doors=("textbook",)) as server:
        port = server.ports["textbook"]
        with person(port) as one:
            shown = [one.reads_until("You are player 1"), []]
            with person(port) as two:
                for ply, move in enumerate(moves):
                    mover = (one, two)[ply % 2]
                    shown[ply % 2] += [*mover.reads_until(ASK), move]
                    mover.types(move)
                for lines, player in zip(shown, (one, two), strict=True):
                    lines += player.end()[1].splitlines()
        (match,) = parlour("matches", "--data", str(tmp_path)).stdout.splitlines()
        replay = parlour("replay", "--data", str(tmp_path), match.split()[0]).stdout
        greeting = [
            line.replace("parlour play", "./run play").replace(f":{port:<5}", ":8000 ")
            for line in server.greeting
        ]
    told = [greeting, *shown, replay.splitlines()]
    printed = ["\n".join(line.rstrip() for line in lines) + "\n" for lines in told]
    assert re.fullmatch("match-[0-9a-z]{12}", match.split()[0])
    assert [block for block in SHOWN if not any(block in text for text in printed)] == []
