"""The running service in one process: how it ends when a part of it cannot."""

from pathlib import Path
from typing import Any

import pytest

from parlour.cli._config import load
from parlour.cli._service import running
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
