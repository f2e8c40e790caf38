"""The running service in one process: how it ends when a part of it cannot."""

import socket
from pathlib import Path
from typing import Any

import pytest

from parlour.cli._config import PROTOCOLS, load
from parlour.cli._errors import CommandError
from parlour.cli._service import running
from parlour.host import Host
from parlour.stores import SqliteStore

OFF: dict[str, Any] = {name: {"listen": "off"} for name in ("textbook", "ruc", "web")}


async def test_a_door_that_fails_to_close_keeps_the_log_from_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = load(None, OFF | {"nedap": {"listen": "127.0.0.1:0"}, "xmpp": {"server": "off"}})
    closed: list[SqliteStore] = []
    close = SqliteStore.close

    async def noted(store: SqliteStore) -> None:
        closed.append(store)
        await close(store)

    monkeypatch.setattr(SqliteStore, "close", noted)
    async with running(config, tmp_path / "log.sqlite3") as service:
        admin = service.admin
        assert admin is not None

        async def broken() -> None:
            await type(admin).close(admin)
            raise AttributeError("a mistake of ours")

        monkeypatch.setattr(admin, "close", broken)

    assert len(closed) == 1
    assert "a door failed to close" in caplog.messages


@pytest.mark.parametrize("door", ["web", "textbook"])
async def test_of_two_servers_that_start_at_once_the_second_says_that_it_cannot(
    door: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", 0))
        where = f"127.0.0.1:{other.getsockname()[1]}"
        settings = {name: {"listen": where if name == door else "off"} for name in PROTOCOLS}
        config = load(None, settings | {"xmpp": {"server": "off"}})
        recover = Host.recover

        async def recovered(host: Host, reclaim: int) -> None:
            other.listen()  # both have taken the address, which the system lets them
            await recover(host, reclaim)

        monkeypatch.setattr(Host, "recover", recovered)
        with pytest.raises(CommandError) as failed:
            async with running(config, tmp_path / "log.sqlite3"):
                pass

    said = "cannot listen: Address already in use; another server began to listen at one of "
    hint = "; --NAME HOST:PORT, as in --web 127.0.0.1:8081, listens elsewhere"
    assert str(failed.value) == f"{said}{door} {where}{hint}"
