import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler

from bot.playground.server import Playground
from tests.bot.playground.small_bot import SmallBot, served


@asynccontextmanager
async def answering(slack: Playground, *statuses: int) -> AsyncIterator[list[dict[str, str]]]:
    """An endpoint that answers with these statuses, the last for good; it notes the headers."""
    seen: list[dict[str, str]] = []

    async def endpoint(request: web.Request) -> web.Response:
        seen.append(dict(request.headers))
        return web.Response(status=statuses[min(len(seen), len(statuses)) - 1])

    app = web.Application()
    app.router.add_post("/", endpoint)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    slack.request_url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    try:
        yield seen
    finally:
        await runner.cleanup()


class TestOverHttp:
    async def test_bolt_refuses_wrong_key_or_clock(self, slack: Playground) -> None:
        """A wrong key and a wrong clock are refused by bolt."""
        alice = slack.person("alice")
        general = slack.channel("general", alice)
        async with served(slack):
            assert (await alice.slash("/masis", "help", general)).status == 200
            slack.bots.skew_s = -301
            assert (await alice.slash("/masis", "help", general)).status == 401
            slack.bots.skew_s = 0
            slack.world.app.signing_secret = "another"
            assert (await alice.slash("/masis", "help", general)).status == 401

    async def test_unacknowledged_event_is_resent(self, slack: Playground) -> None:
        """An event that is not received is sent again."""
        alice = slack.person("alice")
        general = slack.channel("general", alice)
        async with answering(slack, 500, 503, 200) as seen:
            did = await alice.says(general, "hello")

        assert did.status == 200
        assert [h.get("X-Slack-Retry-Num") for h in seen] == [None, "1", "2"]
        assert seen[1]["X-Slack-Retry-Reason"] == "http_error"
        repeated = {one.payload["event_id"] for one in slack.bots.deliveries}
        assert len(repeated) == 1

    async def test_event_is_dropped_after_three_retries(self, slack: Playground) -> None:
        """It is given up after three more."""
        alice = slack.person("alice")
        general = slack.channel("general", alice)
        async with answering(slack, 500) as seen:
            assert (await alice.says(general, "hello")).status == 500

        assert len(seen) == 4

    async def test_failed_command_is_not_retried(self, slack: Playground) -> None:
        """A command is never repeated and its failure is shown."""
        alice = slack.person("alice")
        general = slack.channel("general", alice)
        async with answering(slack, 500) as seen:
            await alice.slash("/masis", "help", general)

        assert len(seen) == 1
        assert alice.reads(general) == ["/masis failed with the error “dispatch_failed”"]

    async def test_silence_is_a_distinct_outcome(self) -> None:
        """Silence is an answer of its own."""
        async with Playground(ack_timeout_s=0.05) as slack:
            alice = slack.person("alice")
            general = slack.channel("general", alice)

            async def silent(_request: web.Request) -> web.Response:
                await asyncio.sleep(0.2)
                return web.Response()

            app = web.Application()
            app.router.add_post("/", silent)
            runner = web.AppRunner(app, shutdown_timeout=0.1)
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            slack.request_url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
            did = await alice.slash("/masis", "help", general)
            await runner.cleanup()

            assert (did.status, did.ack.error) == (None, "timeout")
            assert "operation_timeout" in alice.reads(general)[0]

    async def test_nobody_listening_is_told(self, slack: Playground) -> None:
        alice = slack.person("alice")
        did = await alice.slash("/masis", "help", slack.channel("general", alice))
        assert did.ack.error == "nobody_listens"

        slack.request_url = "http://127.0.0.1:9/"
        did = await alice.slash("/masis", "help", slack.channel("other", alice))
        assert did.ack.error == "connection_failed"


@asynccontextmanager
async def connected(slack: Playground) -> AsyncIterator[SmallBot]:
    """The small app in Socket Mode."""
    bot = SmallBot(slack)
    handler = AsyncSocketModeHandler(bot.app, slack.app_token)
    await handler.connect_async()  # type: ignore[no-untyped-call]  # Bolt types it not
    await slack.until(lambda: slack.bots.sockets)
    try:
        yield bot
    finally:
        await slack.settled()
        await handler.close_async()  # type: ignore[no-untyped-call]  # nor this
        await handler.client.aiohttp_client_session.close()


class TestSocketMode:
    async def test_socket_carries_all_request_kinds(self, slack: Playground) -> None:
        """Commands events and forms go through the socket."""
        alice = slack.person("alice")
        general = slack.channel("general", alice)
        async with connected(slack) as bot:
            did = await alice.slash("/masis", "help", general)
            said = (await alice.says(general, "@MASIS how many?")).message
            assert said is not None
            (answer,) = await slack.until(lambda: general.replies(said.ts))
            await alice.clicks(answer, "More")
            await slack.until(lambda: alice.modal)
            refused = await alice.submits({"Question": "bad"})

        assert did.body == {"text": "On it: help"}
        assert refused.errors == {"question": "Ask better"}
        assert {body.get("type") for body in bot.bodies} >= {"event_callback", "block_actions"}

    async def test_app_reconnects_when_told(self, slack: Playground) -> None:
        """An app connects anew when it is asked to."""
        alice = slack.person("alice")
        general = slack.channel("general", alice)
        async with connected(slack):
            (first,) = slack.bots.sockets
            await slack.refresh_sockets()
            await slack.until(lambda: slack.bots.sockets and first not in slack.bots.sockets)

            assert (await alice.slash("/masis", "help", general)).status == 200

    async def test_a_ticket_is_good_once(self, slack: Playground) -> None:
        async with connected(slack) as bot:
            url = str((await bot.client.apps_connections_open(app_token=slack.app_token))["url"])
            assert list(slack.hub.tickets) == [url.partition("ticket=")[2]]
        assert len(slack.called("apps.connections.open")) == 2


async def test_app_receives_only_subscribed_events(slack: Playground) -> None:
    """An app hears only of what it asked for."""
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    outside = slack.channel("outside", alice, with_app=False)
    async with served(slack) as bot:
        said = (await alice.says(general, "hello")).message
        assert said is not None
        reaction = await alice.reacts(said, "eyes")
        elsewhere = await alice.says(outside, f"<@{slack.installation.bot_user_id}> hello")

    assert (reaction.acks, elsewhere.acks) == ([], [])
    assert [event["type"] for event in bot.events] == ["message"]


async def test_app_receives_its_own_messages(slack: Playground) -> None:
    """The app hears its own messages too."""
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    async with served(slack) as bot:
        await bot.client.chat_postMessage(channel=general.id, text="hi")
        await slack.settled()

    (delivery,) = slack.bots.deliveries
    assert delivery.payload["event"]["bot_id"] == slack.installation.bot_id
    assert bot.events == [], "Bolt leaves them out by itself"


@pytest.mark.parametrize("backwards", [False, True])
async def test_held_events_come_in_any_order(slack: Playground, backwards: bool) -> None:
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    async with served(slack) as bot:
        slack.faults.add(event="message", kind="hold", times=2)
        await alice.says(general, "one")
        await alice.says(general, "two")
        assert bot.events == []
        await slack.bots.release(backwards=backwards)

    texts = [event["text"] for event in bot.events]
    assert texts == (["two", "one"] if backwards else ["one", "two"])


async def test_one_message_sends_eleven_events(slack: Playground) -> None:
    """One message may come as eleven events."""
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    async with served(slack) as bot:
        slack.faults.add(event="message", kind="duplicate", copies=11)
        await alice.says(general, "one")
        slack.faults.add(event="message", kind="lose")
        await alice.says(general, "two")

    assert [event["text"] for event in bot.events] == ["one"] * 11
    assert len({body["event_id"] for body in bot.bodies}) == 11
