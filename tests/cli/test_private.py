"""Who may read what: in a folder that was there already, too, new files are their owner's only."""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour.cli._prosody import Hosts, ManagedProsody
from tests.cli.servers import Server

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no modes there")


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """A data directory that anybody may enter, of somebody who hides nothing."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    mask = os.umask(0o022)
    yield folder
    os.umask(mask)


def open_to_others(folder: Path) -> set[str]:
    """What others than the owner could read or enter, as far as its folder lets them."""
    return {one.name for one in folder.iterdir() if stat.S_IMODE(one.stat().st_mode) & 0o077}


@pytest.mark.slow
def test_nothing_that_a_server_makes_is_for_others(data: Path) -> None:
    with Server(data, doors=("textbook", "web")) as server:
        assert {"admin.sock", "lock", "log.sqlite3", "web-secret"} <= {
            one.name for one in data.iterdir()
        }
        assert open_to_others(data) == set()
        server.stop()
    assert open_to_others(data) == set()


def test_nor_is_what_the_built_in_xmpp_server_is_told(data: Path) -> None:
    prosody = ManagedProsody(data / "prosody", Hosts("games.localhost", 1, 2, 3, "secret"))
    path = prosody._configure()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert open_to_others(data) == set()
