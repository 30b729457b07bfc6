import aiohttp
import pytest

from bot.playground.server import Playground


async def test_waiting_in_vain_shows_what_happened_instead(slack: Playground) -> None:
    alice = slack.person("alice")
    await alice.says(slack.channel("general", alice), "How many?")

    with pytest.raises(TimeoutError, match=r"(?s)Last calls: none.*Alice: How many\?"):
        await slack.until(lambda: None, timeout_s=0.01)


async def test_two_of_them_stand_beside_each_other() -> None:
    async with Playground() as one, Playground() as two:
        assert one.api_url != two.api_url


async def test_nothing_listens_any_more_afterwards() -> None:
    async with Playground() as slack:
        url = f"{slack.api_url}/auth.test"
    with pytest.raises(aiohttp.ClientConnectorError):
        async with aiohttp.ClientSession() as session:
            await session.post(url)


async def test_an_event_of_any_kind_can_be_sent(slack: Playground) -> None:
    event = {"type": "channel_rename", "channel": {"id": "C1", "name": "new"}}
    (ack,) = await slack.tells(event)

    assert ack.error == "nobody_listens"
    assert slack.bots.deliveries[-1].payload["event"] == event


async def test_an_app_in_two_teams_has_a_token_for_each(slack: Playground) -> None:
    partner = slack.world.add_team("Vendel")
    victor = slack.person("victor", "owner", partner)
    installation, token = slack.install(partner, victor)
    channel = slack.channel("theirs", victor, team=partner)

    assert installation.bot_user_id in channel.members
    assert slack.world.tokens[token].installation is installation
    assert (token, installation.bot_user_id) != (slack.bot_token, slack.installation.bot_user_id)
