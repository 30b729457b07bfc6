from collections.abc import AsyncIterator

import pytest

from bot.playground.page.page_models import Readiness
from bot.playground.page.page_server import Page
from bot.playground.page.scene import Scene, opening, stand_in
from tests.bot.playground.small_bot import SmallBot, served


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    async with stand_in() as slack:
        yield opening(slack)


@pytest.fixture
async def page(scene: Scene) -> AsyncIterator[Page]:
    async with Page(scene) as serving:
        yield serving


@pytest.fixture
async def bot(scene: Scene) -> AsyncIterator[SmallBot]:
    """A small app instead of ours, which is at work at once."""
    async with served(scene.slack) as small:
        scene.becomes(Readiness(phase="ready", done=0, total=0, words="It is ready"))
        yield small
