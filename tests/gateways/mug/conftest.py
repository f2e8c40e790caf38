"""A stage for each test."""

from collections.abc import AsyncIterator

import pytest

from tests.gateways.mug.stage import Stage, on_stage


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    """A gateway over an empty log."""
    async with on_stage() as stage:
        yield stage
