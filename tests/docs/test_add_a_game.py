"""`docs/how-to/add-a-game.md` works: a copy of the tree changed as it says passes the checks."""

from pathlib import Path

import pytest

from tests.docs.pages import Tree, changed


def test_a_change_needs_its_place() -> None:
    assert changed("a = (1, 2)\nb\n", "-a = (1, ...\n+a = (0, 1, ...\n") == "a = (0, 1, 2)\nb\n"
    assert changed("a\nb\n", " a\n+new\n") == "a\nnew\nb\n"
    with pytest.raises(AssertionError, match="0 times"):
        changed("a\n", " b\n+c\n")


@pytest.mark.slow
def test_the_page_adds_a_game_that_passes_every_check(tmp_path: Path) -> None:
    tree = Tree("add-a-game.md", tmp_path, ["tests/contracts"])
    assert len(list((tmp_path / "src/parlour/games/connect_four").iterdir())) == 4

    tree.passes_the_checks("No game knows a game")
    assert tree.passed("connect_four") > 30
    names = "from parlour.cli import GAMES; print(*(game.name for game in GAMES))"
    assert "connect_four" in tree.run("-c", names).split()
