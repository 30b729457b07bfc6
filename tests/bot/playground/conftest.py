from collections.abc import AsyncIterator

import pytest

from bot.playground.server import Playground


@pytest.fixture
async def slack() -> AsyncIterator[Playground]:
    async with Playground() as playground:
        yield playground
