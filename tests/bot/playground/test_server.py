import aiohttp
import pytest

from bot.playground.server import Playground


async def test_failed_wait_shows_what_happened(slack: Playground) -> None:
    """Waiting in vain shows what happened instead."""
    alice = slack.person("alice")
    await alice.says(slack.channel("general", alice), "How many?")

    with pytest.raises(TimeoutError, match=r"(?s)Last calls: none.*Alice: How many\?"):
        await slack.until(lambda: None, timeout_s=0.01)


async def test_two_servers_coexist() -> None:
    """Two of them stand beside each other."""
    async with Playground() as one, Playground() as two:
        assert one.api_url != two.api_url


async def test_nothing_listens_any_more_afterwards() -> None:
    async with Playground() as slack:
        url = f"{slack.api_url}/auth.test"
    with pytest.raises(aiohttp.ClientConnectorError):
        async with aiohttp.ClientSession() as session:
            await session.post(url)


async def test_events_of_any_kind_are_sent(slack: Playground) -> None:
    """An event of any kind can be sent."""
    event = {"type": "channel_rename", "channel": {"id": "C1", "name": "new"}}
    (ack,) = await slack.tells(event)

    assert ack.error == "nobody_listens"
    assert slack.bots.deliveries[-1].payload["event"] == event


async def test_app_has_token_per_team(slack: Playground) -> None:
    """An app in two teams has a token for each."""
    partner = slack.world.add_team("Vendel")
    victor = slack.person("victor", "owner", partner)
    installation, token = slack.install(partner, victor)
    channel = slack.channel("theirs", victor, team=partner)

    assert installation.bot_user_id in channel.members
    assert slack.world.tokens[token].installation is installation
    assert (token, installation.bot_user_id) != (slack.bot_token, slack.installation.bot_user_id)
