"""What an operator's Prometheus reads from a running server."""

import struct
import time
import urllib.request
from pathlib import Path

import pytest

from tests.cli.servers import SOON, Server
from tests.cli.test_serve import receive

pytestmark = pytest.mark.slow


def figures(server: Server) -> dict[str, float]:
    """Every figure by its name with labels."""
    url = f"http://127.0.0.1:{server.ports['web']}/metrics"
    with urllib.request.urlopen(url, timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    pairs = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(number) for name, _, number in pairs}


def test_figures_count_what_every_protocol_does(tmp_path: Path) -> None:
    with (
        Server(tmp_path, doors=("textbook", "nedap", "web")) as server,
        server.connect() as one,
        server.connect() as two,
        server.connect("nedap") as black,
        server.connect("nedap") as white,
    ):
        receive(one, 1)
        receive(two, 1)
        receive(one, 1)
        one.sendall(struct.pack(">ii", 1, 2))
        receive(two, 3)
        black.sendall(b"PLAYER alice\nGO 9\n")
        with black.makefile() as lines:
            lines.readline()
            white.sendall(b"PLAYER bob\nGO 9\n")
            lines.readline()
            white.sendall(b"MOVE 0 0\n")  # black begins
            with white.makefile() as heard:
                while "WARNING" not in heard.readline():
                    pass
            found = figures(server)
            patience = time.monotonic() + SOON
            while not figures(server)["parlour_loop_lag_seconds_count"]:  # four times a second
                assert time.monotonic() < patience

    assert found["parlour_moves_total"] == 1
    assert found['parlour_matches{state="live"}'] == 2
    assert found['parlour_connections{protocol="textbook"}'] == 2
    assert found['parlour_connections{protocol="nedap"}'] == 2
    assert found['parlour_refusals_total{kind="out-of-turn"}'] == 1
    assert found["parlour_append_seconds_count"] >= 3
    assert found["parlour_append_seconds_sum"] > 0
