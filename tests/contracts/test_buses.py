"""Every bus there is, held to the contract."""

import pytest

from parlour.buses import MemoryBus
from parlour.host import Bus
from tests.contracts.buses import BusContract


class TestMemoryBus(BusContract):
    @pytest.fixture
    def bus(self) -> Bus:
        return MemoryBus()
