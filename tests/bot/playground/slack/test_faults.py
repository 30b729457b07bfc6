import asyncio

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.playground.server import Playground
from bot.playground.slack.entities import Channel
from bot.playground.slack.faults import Rates
from bot.slack.limits import POST_BURST
from tests.bot.playground.small_bot import client, refused


@pytest.fixture
def general(slack: Playground) -> Channel:
    return slack.channel("general")


@pytest.fixture
def web(slack: Playground) -> AsyncWebClient:
    return client(slack)


@pytest.mark.parametrize("header", ["1", "0.5", "Wed, 21 Oct 2026 07:28:00 GMT", "3600", None])
async def test_too_many_requests_in_every_form(
    slack: Playground, web: AsyncWebClient, general: Channel, header: str | None
) -> None:
    slack.faults.add(method="chat.postMessage", kind="429", retry_after=header)
    with pytest.raises(SlackApiError) as caught:
        await web.chat_postMessage(channel=general.id, text="a")

    assert caught.value.response.status_code == 429
    assert caught.value.response.headers.get("Retry-After") == header
    assert (await web.chat_postMessage(channel=general.id, text="a"))["ok"]


@pytest.mark.parametrize("kind", ["500", "503", "html"])
async def test_an_answer_that_is_no_json(
    slack: Playground, web: AsyncWebClient, general: Channel, kind: str
) -> None:
    slack.faults.add(method="chat.postMessage", kind=kind, times=2)  # type: ignore[arg-type]  # of the table above
    url = f"{slack.api_url}/chat.postMessage"
    async with aiohttp.ClientSession() as session, session.post(url, json={}) as response:
        assert response.status == (200 if kind == "html" else int(kind))
        assert response.content_type == "text/html"
    with pytest.raises(SlackApiError):
        await web.chat_postMessage(channel=general.id, text="a")

    assert general.messages == {}


async def test_an_error_of_slacks(slack: Playground, web: AsyncWebClient, general: Channel) -> None:
    slack.faults.add(method="chat.postMessage", kind="error", error="account_inactive")

    assert await refused(web.chat_postMessage(channel=general.id, text="a")) == "account_inactive"


async def test_drop_before_differs_from_drop_after(
    slack: Playground, web: AsyncWebClient, general: Channel
) -> None:
    """A connection dropped before is not as one dropped after."""
    slack.faults.add(method="chat.postMessage", kind="drop")
    with pytest.raises(aiohttp.ClientConnectionError):
        await web.chat_postMessage(channel=general.id, text="before")
    slack.faults.add(method="chat.postMessage", kind="drop_after")
    with pytest.raises(aiohttp.ClientConnectionError):
        await web.chat_postMessage(channel=general.id, text="after")

    assert [message.text for message in general.messages.values()] == ["after"]
    assert [call.fault for call in slack.calls] == ["drop", "drop_after"]


async def test_slow_call_takes_effect_first(
    slack: Playground, web: AsyncWebClient, general: Channel
) -> None:
    """A slow call takes effect before it answers."""
    slack.faults.add(method="chat.postMessage", kind="slow", delay_s=0.2)
    call = asyncio.create_task(web.chat_postMessage(channel=general.id, text="a"))
    await slack.until(lambda: general.messages)

    assert not call.done()
    assert (await call)["ok"]


async def test_silence_lasts_until_caller_timeout(slack: Playground, general: Channel) -> None:
    """Silence lasts until the caller gives up."""
    slack.faults.add(method="chat.postMessage", kind="silent")
    impatient = AsyncWebClient(slack.bot_token, f"{slack.api_url}/", timeout=1)
    impatient.timeout = 0.1  # type: ignore[assignment]  # the client counts whole seconds
    with pytest.raises(TimeoutError):
        await impatient.chat_postMessage(channel=general.id, text="a")

    assert general.messages == {}


async def test_fault_hits_only_matching_calls(
    slack: Playground, web: AsyncWebClient, general: Channel
) -> None:
    """A fault meets the calls it was meant for."""
    slack.faults.add(
        method="chat.postMessage",
        kind="error",
        error="fatal_error",
        matches=lambda args: args.get("text") == "b",
    )
    await web.chat_postMessage(channel=general.id, text="a")

    assert await refused(web.chat_postMessage(channel=general.id, text="b")) == "fatal_error"
    assert (await web.chat_postMessage(channel=general.id, text="b"))["ok"]


def test_fault_requires_a_method_or_event(slack: Playground) -> None:
    """A fault names what it is for."""
    with pytest.raises(ValueError, match="a method or an event"):
        slack.faults.add(kind="500")


class TestRates:
    def test_channel_posts_are_rate_limited(self) -> None:
        """A channel takes a burst and then a post a second."""
        now = [0.0]
        rates = Rates(lambda: now[0])
        asked = [rates.wait_s("T1", "chat.postMessage", "C1") for _ in range(POST_BURST + 1)]

        assert asked == [0] * POST_BURST + [1]
        assert rates.wait_s("T1", "chat.postMessage", "C2") == 0
        now[0] += 1
        assert rates.wait_s("T1", "chat.postMessage", "C1") == 0
        assert rates.wait_s("T1", "chat.postMessage", "C1") == 1

    def test_method_rates_apply_per_team(self) -> None:
        """A method takes its tier a minute and team."""
        now = [0.0]
        rates = Rates(lambda: now[0])
        asked = [rates.wait_s("T1", "chat.update", None) for _ in range(51)]

        assert asked == [0] * 50 + [60]
        assert rates.wait_s("T2", "chat.update", None) == 0
        now[0] += 59.5
        assert rates.wait_s("T1", "chat.update", None) == 1
        now[0] += 0.5
        assert rates.wait_s("T1", "chat.update", None) == 0

    async def test_rates_are_enforced_on_request(self) -> None:
        """They are enforced where that is wanted."""
        async with Playground(enforce_rates=True, rate_clock=lambda: 0.0) as slack:
            web, general = client(slack), slack.channel("general")
            for _ in range(POST_BURST):
                await web.chat_postMessage(channel=general.id, text="a")
            with pytest.raises(SlackApiError) as caught:
                await web.chat_postMessage(channel=general.id, text="a")

            assert caught.value.response.status_code == 429
            assert caught.value.response.headers["Retry-After"] == "1"
            assert len(general.messages) == POST_BURST
