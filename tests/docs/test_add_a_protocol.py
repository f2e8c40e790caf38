"""`docs/how-to/add-a-protocol.md` works: the tree changed as it says passes the checks."""

from pathlib import Path

import pytest

from tests.docs.pages import Tree

NEEDED = [
    "tests/contracts",
    "tests/gateways/textbook/peers.py",
    "tests/service.py",
    "tests/cli/servers.py",
    "tests/cli/test_doors.py",
    "tests/cli/test_serve.py",
    "tests/data/tls",
]


@pytest.mark.slow
def test_the_page_adds_a_protocol_that_passes_every_check(tmp_path: Path) -> None:
    tree = Tree("add-a-protocol.md", tmp_path, NEEDED)
    for package in ("wire", "gateways"):
        assert (tmp_path / "src/parlour" / package / "chalk/__init__.py").exists()

    tree.passes_the_checks("No gateway knows a gateway")
    assert tree.passed("chalk or doors or greeting_names") > 15
    settings = tree.run("-m", "parlour", "serve", "--chalk", "127.0.0.1:7001", "--print-config")
    assert "[chalk]\nturn_limit = 0" in settings
    assert 'listen = "127.0.0.1:7001"' in settings
