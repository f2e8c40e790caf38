"""What the browser is told of the other doors of its server."""

import json
import urllib.request
from pathlib import Path

import pytest

from tests.cli.servers import Server

pytestmark = pytest.mark.slow


def test_the_browser_is_told_where_every_protocol_listens(tmp_path: Path) -> None:
    with Server(tmp_path, doors=("nedap", "ruc", "web")) as server:
        url = f"http://127.0.0.1:{server.ports['web']}/api/protocols"
        with urllib.request.urlopen(url, timeout=10) as answer:
            doors = json.load(answer)["protocols"]

    found = {door["name"]: (door["host"], door["port"], door["games"]) for door in doors}
    assert found == {
        "nedap": ("127.0.0.1", server.ports["nedap"], ["go"]),
        "ruc": ("127.0.0.1", server.ports["ruc"], ["chinese_checkers"]),
    }
