"""The table of doors, and what the browser is told of those of its server."""

import json
import urllib.request
from pathlib import Path

import pytest

from parlour.cli import GAMES
from parlour.cli._config import PROTOCOLS
from parlour.cli._doors import DOORS
from tests.cli.servers import Server

TLS = Path(__file__).parents[1] / "data" / "tls"


def test_whatever_can_be_told_where_to_listen_has_a_door() -> None:
    assert [*(door.name for door in DOORS), "web"] == list(PROTOCOLS)


def test_a_door_leads_to_games_that_are_played_here() -> None:
    played = {game.name for game in GAMES}
    assert [door.name for door in DOORS if not door.games or set(door.games) - played] == []


@pytest.mark.slow
def test_the_browser_is_told_where_every_protocol_listens(tmp_path: Path) -> None:
    cert = ("--tls-cert", str(TLS / "one.crt"), "--tls-key", str(TLS / "one.key"))
    with Server(tmp_path, *cert, doors=("nedap", "nedap-tls", "ruc-tls", "web")) as server:
        url = f"http://127.0.0.1:{server.ports['web']}/api/protocols"
        with urllib.request.urlopen(url, timeout=10) as answer:
            doors = json.load(answer)["protocols"]

    found = [
        (door["name"], door["host"], door["port"], door["games"], door["tls"]) for door in doors
    ]
    assert found == [
        ("nedap", "127.0.0.1", server.ports["nedap"], ["go"], False),
        ("nedap", "127.0.0.1", server.ports["nedap-tls"], ["go"], True),
        ("ruc", "127.0.0.1", server.ports["ruc-tls"], ["chinese_checkers"], True),
    ]
