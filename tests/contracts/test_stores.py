"""Every store there is, held to the contract."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from parlour.host import Store
from parlour.stores import MemoryStore, SqliteStore
from tests.contracts.stores import StoreContract


class TestMemoryStore(StoreContract):
    @pytest.fixture
    async def store(self) -> AsyncIterator[Store]:
        store = MemoryStore()
        yield store
        await store.close()


class TestSqliteStore(StoreContract):
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[Store]:
        store = SqliteStore(tmp_path / "log.sqlite3")
        yield store
        await store.close()
