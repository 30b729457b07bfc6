from collections.abc import AsyncIterator

import pytest

from bot.slack.client.web import SlackWeb
from tests.bot.slack.loopback import Slack, Tokens, serving


@pytest.fixture
async def slack() -> AsyncIterator[Slack]:
    """A bare Web API on loopback."""
    async with serving(Slack()) as served:
        yield served


@pytest.fixture
def tokens() -> Tokens:
    return Tokens()


@pytest.fixture
async def slack_web(slack: Slack, tokens: Tokens) -> AsyncIterator[SlackWeb]:
    """Our calls of it, on the test's own time."""
    made = SlackWeb(api_url=slack.api_url, tokens=tokens, clock=slack.time.clock)
    try:
        yield made
    finally:
        await made.close()
