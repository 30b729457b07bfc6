"""What reaches the endpoint twisted, out of order, or not meant for it: it runs once, or not at all."""

import asyncio
import itertools
import json
import logging
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from aiohttp import web

from bot.playground.slack import payloads
from bot.playground.slack.bots import RequestKind
from bot.playground.slack.entities import Channel, Json, Message
from bot.slack import ids
from masis.conversation import Tenant
from tests.openai_server import Asked, Behaviour, critique, says
from tests.walks.office import QUESTION, Office, office

OFF_TOPIC: Final = "Who won the chess tournament in Reykjavik?"
MENTIONED: Final = f"@MASIS {QUESTION}"
SAMPLES: Final = Path(__file__).parents[3] / "shared" / "slack" / "samples" / "events"
FOREIGN_BOT: Final = "B0FOREIGN"
A_TS: Final = "1700000000.000100"
ODD: Final[tuple[Any, ...]] = (None, 5, "", "x", [], [5], {}, {"id": 5}, {"id": []})


# --- nothing -------------------------------------------------------------------------------


def shapes(here: Office, thread: Message) -> Iterator[tuple[str, Json]]:
    """Events that nobody wrote to the bot just now, each as tempting as it can be.

    All hang from a thread in which the bot waits for the asker's reply, and mention the bot.
    """
    bot = here.slack.installation
    told = f"<@{bot.bot_user_id}> {QUESTION}"
    here_now: Json = {"channel": here.channel.id, "channel_type": "channel", "event_ts": A_TS}
    wrote: Json = {"user": here.alice.id, "text": told, "ts": A_TS, "thread_ts": thread.root_ts}
    message = {"type": "message", **here_now, **wrote}
    edited = {"edited": {"user": here.alice.id, "ts": "1700000001.000100"}}
    unfurled = {"attachments": [{"id": 1, "from_url": "https://a.example", "text": told}]}
    bots = {"bot_id": FOREIGN_BOT, "app_id": "A0FOREIGN"}
    within = {"message": dict(wrote), "previous_message": dict(wrote)}
    yield "an edit", message | {"subtype": "message_changed", "hidden": True, **within}
    yield "an unfurl", message | {"subtype": "message_changed", "message": wrote | unfurled}
    yield "a deletion", message | {"subtype": "message_deleted", "hidden": True, "deleted_ts": A_TS}
    yield "a reply's note", message | {"subtype": "message_replied", "message": dict(wrote)}
    yield "what is hidden", message | {"hidden": True}
    yield "a bot of others", message | {"subtype": "bot_message", "username": "cron", **bots}
    yield "a bot with a user", message | bots
    yield "a bot with a profile", message | {"bot_profile": {"id": FOREIGN_BOT, "name": "cron"}}
    yield "a bot's broadcast", message | {"subtype": "thread_broadcast", **bots}
    yield "a bot's file", message | {"subtype": "file_share", "files": [{"id": "F1"}], **bots}
    yield "our own message", message | {"user": bot.bot_user_id, "bot_id": bot.bot_id}
    yield "our own, bare", message | {"user": bot.bot_user_id}
    yield "ephemeral", message | {"subtype": "ephemeral", "is_ephemeral": True, "user": "USLACKBOT"}
    yield "somebody joined", message | {"subtype": "channel_join"}
    yield "somebody left", message | {"subtype": "channel_leave"}
    yield "a topic", message | {"subtype": "channel_topic", "topic": told}
    yield "a pin", message | {"subtype": "pinned_item"}
    yield "a call to me", message | {"subtype": "me_message"}
    yield "a tombstone", message | {"subtype": "tombstone", "user": "USLACKBOT"}
    yield "an edited mention", {"type": "app_mention", **here_now, **wrote, **edited}
    yield "a bot's mention", {"type": "app_mention", **here_now, **wrote, **bots}
    yield "nobody's mention", {"type": "app_mention", **here_now, **(wrote | {"user": None})}
    yield "a mention beside itself", message
    yield "a reaction", {"type": "reaction_added", "user": here.alice.id, "event_ts": A_TS}
    yield "a link", {"type": "link_shared", **here_now, "links": [{"url": "https://a.example"}]}


async def test_unaddressed_events_start_nothing(tmp_path: Path) -> None:
    """What nobody wrote to the bot starts nothing."""
    async with office(tmp_path) as here:
        await here.says(here.alice, f"@MASIS {OFF_TOPIC}")
        waits = await here.sees(here.alice, "nothing close enough")
        await here.settled()
        calls = len(here.slack.calls)

        for name, event in shapes(here, waits):
            acks = await here.slack.tells(event, here.channel)
            assert [ack.status for ack in acks] == [200], name
        said = await here.says(here.alice, "How many days of leave?")
        assert said.message is not None
        # Decided: who edits a question asks it anew. An answer to what stood there would mislead.
        await here.alice.edits(said.message, MENTIONED)

        await here.settled()
        assert await asked_in(here, here.channel) == [OFF_TOPIC]
        assert here.slack.calls[calls:] == []
        session = await here.bot.services.sessions.open_in_thread(
            tenant(here), here.channel.id, waits.root_ts
        )
        assert session is not None


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="Slack's samples are not beside the checkout")
async def test_slack_sample_events_start_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """None of slacks own samples starts anything or fails."""
    async with office(tmp_path) as here:
        ends = {"AppUninstalledPayload", "TokensRevokedPayload"}
        samples = [path for path in sorted(SAMPLES.glob("*.json")) if path.stem not in ends]
        for path in samples:
            event = filled(here, json.loads(path.read_text(encoding="utf-8"))["event"])
            acks = await here.slack.tells(event, here.channel)
            assert [ack.status for ack in acks] == [200], path.stem

        await here.settled()
        assert len(samples) > 80
        assert await asked_in(here, here.channel) == []
        assert here.slack.called("chat.postMessage") == []
        assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


def filled(here: Office, shape: Any, name: str = "") -> Any:
    """A sample with real ids where it has empty ones; bots in it are those of others."""
    known = {
        "user": here.alice.id,
        "channel": here.channel.id,
        "text": f"<@{here.slack.installation.bot_user_id}> {QUESTION}",
        "bot_id": FOREIGN_BOT,
        "id": "X0SAMPLE",
    }
    match shape:
        case dict():
            return {key: filled(here, value, key) for key, value in shape.items()}
        case list():
            return [filled(here, value, name) for value in shape]
        case "":
            return A_TS if name.endswith("ts") else known.get(name, "")
    return shape


async def test_signed_requests_never_fail_internally(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What slack signed is never our failure."""
    async with office(tmp_path) as here:
        await here.says(here.alice, OFF_TOPIC)
        event = here.slack.bots.deliveries[-1].payload
        sent: list[tuple[RequestKind, Json]] = [
            ("slash_commands", command(here, here.channel, "help")),
            ("events_api", event),
            ("interactive", interaction(here, "block_actions")),
            ("interactive", interaction(here, "view_submission")),
            ("interactive", interaction(here, "message_action")),
        ]

        for kind, payload in sent:
            for place, twisted in twists(payload):
                ack = await here.slack.bots.send(kind, twisted)
                assert ack.status in {200, 400, 404}, (payload.get("type"), place)

        await here.settled()
        assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


def interaction(here: Office, kind: str) -> Json:
    """A click, form or shortcut that Bolt has to read, and that is none of ours to answer."""
    told = payloads.interaction(here.slack.world, kind, here.alice.user, here.slack.installation)
    action = {"type": "button", "action_id": "of_another", "block_id": "b", "value": "v"}
    view = {"id": "V1", "type": "modal", "callback_id": ids.READ_VIEW, "private_metadata": "{}"}
    channel = {"id": here.channel.id, "name": here.channel.name}
    message = {"ts": A_TS, "user": here.bob.id, "text": OFF_TOPIC, "files": []}
    match kind:
        case "block_actions":
            place = {"container": {"message_ts": A_TS, "channel_id": here.channel.id}}
            return told | place | {"channel": channel, "actions": [action | {"action_ts": A_TS}]}
        case "view_submission":
            return told | {"view": view | {"state": {"values": {}}}}
        case _:
            also = {"callback_id": "of_another", "action_ts": A_TS}
            return told | also | {"channel": channel, "message": message}


def twists(payload: Json) -> Iterator[tuple[str, Json]]:
    """A payload with one part of it at a time that is missing or something else."""
    for name, value in payload.items():
        yield f"no {name}", {key: each for key, each in payload.items() if key != name}
        for odd in ODD:
            yield f"{name}: {odd}", payload | {name: odd}
        for place, each in inner_twists(value):
            yield f"{name} {place}", payload | {name: each}


def inner_twists(value: object) -> Iterator[tuple[str, object]]:
    """The twists of what a part holds."""
    match value:
        case dict():
            yield from twists(value)
        case [dict() as first, *_]:
            yield from ((place, [each]) for place, each in twists(first))


# --- in any order --------------------------------------------------------------------------

STEPS: Final = ("ask", "reply", "uninstall")


ORDERS: Final = (*itertools.permutations(STEPS),)


@pytest.mark.parametrize(
    "order",
    [*ORDERS[:2], *(pytest.param(order, marks=pytest.mark.long) for order in ORDERS[2:])],
    ids=" ".join,
)
async def test_uninstallation_in_any_order_succeeds(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, order: tuple[str, ...]
) -> None:
    """No order of a question a reply and an uninstallation fails."""
    async with office(tmp_path) as here:
        gate = asyncio.Event()
        assert here.service is not None
        here.service.will("writer", opens_with(gate))
        here.service.will("auditor", *[critique(confidence=0.3)] * 3)
        root = (await here.alice.says(here.channel, "A thread")).message
        assert root is not None
        steps = steps_in(here, root, gate)
        calls_before: int | None = None
        for step in order:
            await steps[step]()
            if step == "uninstall":
                calls_before = len(here.slack.calls)
        gate.set()
        await here.settled()

        assert calls_before is not None
        assert [call.method for call in here.slack.calls[calls_before:]] == []
        troubles = [each for each in caplog.records if each.levelno >= logging.WARNING]
        assert [each.getMessage() for each in troubles] == []


def steps_in(
    here: Office, root: Message, gate: asyncio.Event
) -> dict[str, Callable[[], Awaitable[None]]]:
    """What happens in a thread. An uninstallation comes while a question is being answered."""

    async def ask() -> None:
        await here.alice.says(here.channel, MENTIONED, thread=root)
        if await here.bot.services.runs.open_runs(None):
            assert here.service is not None
            service = here.service
            await here.slack.until(lambda: here.slack.called("chat.postMessage"))
            while not service.of("writer"):  # noqa: ASYNC110 - a server tells nobody
                await asyncio.sleep(0.02)
            await quiet(here)

    async def reply() -> None:
        gate.set()
        await here.settled()
        await here.alice.says(here.channel, "In a full year", thread=root)
        await here.settled()

    async def uninstall() -> None:
        # The world goes on to answer the token, so that a post would be seen.
        acks = await here.slack.tells({"type": "app_uninstalled", "event_ts": A_TS})
        assert [ack.status for ack in acks] == [200]

    return {"ask": ask, "reply": reply, "uninstall": uninstall}


def opens_with(gate: asyncio.Event) -> Behaviour:
    """A writer who waits for the gate."""

    async def answer(request: web.Request, asked: Asked) -> web.StreamResponse:
        await gate.wait()
        return await says("Every employee has 26 days.")(request, asked)

    return answer


async def quiet(here: Office) -> None:
    """Wait until the bot has nothing more to show of what it waits for."""
    before = -1
    while before != len(here.slack.calls):
        before = len(here.slack.calls)
        await asyncio.sleep(0.2)


# --- what these walks share ----------------------------------------------------------------


def tenant(here: Office) -> Tenant:
    assert here.bot.team is not None
    return here.bot.team


def command(here: Office, channel: Channel, text: str) -> Json:
    """What Slack sends when Alice types a question."""
    world, user = here.slack.world, here.alice.user
    trigger = world.trigger(user, here.slack.installation, channel.id)
    payload = payloads.command(world, user, channel, ("/masis", text), trigger)
    address = world.address(user, here.slack.installation, channel)
    return payload | {"response_url": payloads.response_url(here.slack.base_url, address)}


async def asked_in(here: Office, channel: Channel) -> list[str]:
    """The questions of a channel that were taken in, the oldest first."""
    runs = await here.bot.services.runs.recent(tenant(here), 100, [channel.id])
    return [run.question for run in runs][::-1]
