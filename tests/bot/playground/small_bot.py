"""A small app on the real Bolt, for tests of the stand-in that it runs against."""

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.playground.server import Playground
from bot.playground.slack.entities import Channel, Message


def plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}


def section(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}, **more}


def button(text: str, action_id: str, value: str = "1") -> dict[str, Any]:
    return {"type": "button", "text": plain(text), "action_id": action_id, "value": value}


FORM: dict[str, Any] = {
    "type": "modal",
    "callback_id": "form",
    "title": plain("Ask"),
    "submit": plain("Send"),
    "notify_on_close": True,
    "blocks": [
        {
            "type": "input",
            "block_id": "question",
            "label": plain("Question"),
            "element": {"type": "plain_text_input", "action_id": "typed"},
        },
        {
            "type": "input",
            "block_id": "where",
            "label": plain("Where"),
            "element": {
                "type": "conversations_select",
                "action_id": "channel",
                "default_to_current_conversation": True,
            },
        },
    ],
}


class SmallBot:
    """Answers a command, a mention, a button, a form, a shortcut and the home tab."""

    def __init__(self, slack: Playground) -> None:
        self.events: list[dict[str, Any]] = []
        self.bodies: list[dict[str, Any]] = []
        self.form_answer: dict[str, Any] | None = None
        self.client = client(slack)
        self.app = AsyncApp(signing_secret=slack.signing_secret, client=self.client)
        self.app.use(self._note)
        self.app.command("/masis")(self._command)
        self.app.event("app_mention")(self._mentioned)
        self.app.event("app_home_opened")(self._home)
        for kind in ("message", "agent_session_stopped", "app_uninstalled", "tokens_revoked"):
            self.app.event(kind)(self._nothing)
        self.app.event("channel_shared")(self._nothing)
        self.app.action("more")(self._more)
        self.app.action("vote")(self._acknowledge)
        self.app.action("pick")(self._acknowledge)
        self.app.view("form")(self._sent)
        self.app.view_closed("form")(self._acknowledge)
        self.app.shortcut("ask_about")(self._acknowledge)

    async def _note(self, body: dict[str, Any], next_: Any) -> None:
        self.bodies.append(body)
        if body.get("event"):
            self.events.append(body["event"])
        await next_()

    async def _nothing(self) -> None:
        pass

    async def _acknowledge(self, ack: Any) -> None:
        await ack()

    async def _command(self, ack: Any, command: dict[str, Any]) -> None:
        await ack(f"On it: {command['text']}")

    async def _mentioned(self, event: dict[str, Any], client: AsyncWebClient) -> None:
        await client.chat_postMessage(
            channel=event["channel"],
            thread_ts=event.get("thread_ts") or event["ts"],
            text="An answer",
            blocks=[
                section(f"An answer for <@{event['user']}>"),
                {"type": "actions", "elements": [button("More", "more")]},
            ],
        )

    async def _home(self, event: dict[str, Any], client: AsyncWebClient) -> None:
        view = {"type": "home", "blocks": [section("Nothing linked yet")]}
        await client.views_publish(user_id=event["user"], view=view)

    async def _more(self, ack: Any, body: dict[str, Any], client: AsyncWebClient) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=FORM)

    async def _sent(self, ack: Any, body: dict[str, Any], client: AsyncWebClient) -> None:
        if self.form_answer is not None:
            await ack(**self.form_answer)
            return
        held = body["view"]["state"]["values"]
        question = held["question"]["typed"]["value"]
        if question == "bad":
            await ack(response_action="errors", errors={"question": "Ask better"})
            return
        await ack()
        await client.chat_postEphemeral(
            channel=held["where"]["channel"]["selected_conversation"],
            user=body["user"]["id"],
            text=f"You asked: {question}",
        )


def client(slack: Playground, token: str | None = None) -> AsyncWebClient:
    """The real client, which repeats nothing by itself."""
    shown = slack.bot_token if token is None else token
    return AsyncWebClient(shown, base_url=f"{slack.api_url}/", retry_handlers=[])


@asynccontextmanager
async def served(slack: Playground) -> AsyncIterator[SmallBot]:
    """The small app over HTTP."""
    bot = SmallBot(slack)
    runner = web.AppRunner(bot.app.web_app(), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    slack.request_url = f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
    try:
        yield bot
    finally:
        await slack.settled()
        await runner.cleanup()


async def refused(call: Awaitable[Any]) -> str:
    """The error with which Slack refuses a call."""
    with pytest.raises(SlackApiError) as caught:
        await call
    return str(caught.value.response["error"])


async def answered(slack: Playground, channel: Channel, root: Message) -> Message:
    """The first reply in that thread."""
    return (await slack.until(lambda: channel.replies(root.ts)))[0]
