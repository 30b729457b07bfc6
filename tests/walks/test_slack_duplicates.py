"""What Slack delivers again, however often and however late: one run and one visible outcome."""

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest
from slack_sdk.signature import Clock

from bot.playground.slack import payloads
from bot.playground.slack.bots import Ack, Delivery, Retry, written
from bot.playground.slack.entities import Channel, Json, Message
from bot.slack.text import sentences
from tests.walks.office import QUESTION, SECONDS, Held, Office, decide, link, office, writes

OFF_TOPIC: Final = "Who won the chess tournament in Reykjavik?"
MENTIONED: Final = f"@MASIS {QUESTION}"
RETRIES: Final = (0, 3, 60, 300)
"""When Slack delivers an event, in seconds after it happened."""
AT_ONCE: Final = 4
REPLY: Final = "the annual leave of every employee"
CLAIM: Final = "Every employee has 26 days of annual leave a year [1]."

# A database that is late is what is played here.
pytestmark = pytest.mark.usefixtures("limits_of_the_product")


async def test_redelivered_question_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What arrives again is one question and one vote."""
    async with office(tmp_path) as here:
        await decide(here, user_per_minute=100, user_running=100)
        await the_same_bytes_three_times(here, monkeypatch)
        kinds = (an_event_for_minutes, eleven_events, a_form_sent_twice)
        # Each in a channel of its own: Slack takes one message a second in a channel.
        for kind in kinds:
            await kind(here, await another_channel(here, kind.__name__), monkeypatch)
        await here.settled()

        channels = list(here.slack.world.channels.values())
        assert len(channels) == 1 + len(kinds)
        for channel in channels:
            assert await asked_in(here, channel) == [QUESTION], channel.name
            assert len(answers(here, channel)) == 1, channel.name
        await clicks_delivered_twice(here)


async def the_same_bytes_three_times(here: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who saw one request of Slack's go by can repeat it within five minutes, for nothing."""
    body, kind = written("slash_commands", command(here, here.channel, QUESTION))
    headers = here.slack.bots.signed(body) | {"Content-Type": kind}

    acks = []
    for late in (0, 0, 270, 302):
        it_is_later_by(here, monkeypatch, late)
        acks.append(await delivered(here, body, headers))

    assert [ack.status for ack in acks] == [200, 200, 200, 401]
    assert [sentences.DUPLICATE in str(ack.body) for ack in acks] == [False, True, True, False]


async def an_event_for_minutes(
    here: Office, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slack signs each delivery anew, so that a late one passes; by then its run has ended."""
    it_is_later_by(here, monkeypatch, RETRIES[0])
    await here.says(here.alice, MENTIONED, channel=channel)
    envelope = here.slack.bots.deliveries[-1].payload
    assert envelope["event"]["type"] == "app_mention"
    for number, late in enumerate(RETRIES[1:], start=1):
        it_is_later_by(here, monkeypatch, late)
        ack = await here.slack.bots.send("events_api", envelope, Retry(number, "http_timeout"))
        assert ack.status == 200
        await here.settled()


async def eleven_events(here: Office, channel: Channel, _: pytest.MonkeyPatch) -> None:
    """One message as Slack was seen to send it: events of two kinds, most of them marked retries."""
    for kind in ("message", "app_mention"):
        here.slack.faults.add(kind="hold", event=kind)
    await here.says(here.alice, MENTIONED, channel=channel)
    message, mention = here.slack.bots.held
    here.slack.bots.held.clear()
    gate = asyncio.Semaphore(AT_ONCE)

    async def sent(number: int) -> Ack:
        one = (mention if number % 3 else message) | {"event_id": f"Ev0{number}"}
        retry = Retry(number % 3, "http_timeout") if number % 3 else None
        async with gate:
            return await here.slack.bots.send("events_api", one, retry)

    acks = await asyncio.gather(*(sent(number) for number in range(11)))
    assert [ack.status for ack in acks] == [200] * 11


async def a_form_sent_twice(here: Office, channel: Channel, _: pytest.MonkeyPatch) -> None:
    said = await here.says(here.bob, QUESTION, channel=channel)
    assert said.message is not None
    await here.alice.shortcut("masis_ask_about", said.message)
    await here.modal(here.alice, "Your question")
    await here.submits(here.alice)
    await repeated(here)


async def clicks_delivered_twice(here: Office) -> None:
    [answer] = answers(here, here.channel)
    [run] = await here.bot.services.runs.recent(here.tenant, 1, [here.channel.id])
    for button in ("Good answer", "Search wider"):
        await here.clicks(here.alice, answer, button)
        await repeated(here)
    await here.settled()

    assert len(await here.bot.services.votes.of(here.tenant, run.id)) == 1
    assert await asked_in(here, here.channel) == [QUESTION] * 2
    assert len(answers(here, here.channel)) == 2


async def test_redelivered_reply_is_taken_once(tmp_path: Path) -> None:
    """A reply that arrives again and again is taken once."""
    async with office(tmp_path) as here:
        await decide(here, user_per_minute=100, user_running=100)
        ways = ("message", "mention", "button", "form")
        channels = [await another_channel(here, way) for way in ways]
        for channel in channels:
            await here.says(here.alice, f"@MASIS {OFF_TOPIC}", channel=channel)
        for way, channel in zip(ways, channels, strict=True):
            asked = await here.sees(here.alice, "nothing close enough", channel=channel)
            await here.settled()
            await replies(here, asked, way)
            await delivered_again(here)

        for channel in channels:
            runs = await here.bot.services.runs.recent(here.tenant, 9, [channel.id])
            assert [run.kind for run in runs] == ["reply", "ask"], channel.name
            assert [len(ends(channel, run.id)) for run in runs] == [1, 1], channel.name


async def delivered_again(here: Office) -> None:
    """What Alice did last comes again: at once, and after all it led to has ended."""
    sent = [each for each in here.slack.bots.deliveries if by(each) == here.alice.id][-1]
    again = (here.slack.bots.send(sent.kind, sent.payload) for _ in range(AT_ONCE))
    await asyncio.gather(*again)
    await here.settled()
    await here.slack.bots.send(sent.kind, sent.payload, Retry(2, "http_timeout"))
    await here.settled()


def by(sent: Delivery) -> str:
    """Who did what was delivered; the bot's own messages are events, too."""
    done = sent.payload.get("event", sent.payload).get("user")
    return str(done["id"] if isinstance(done, dict) else done)


async def replies(here: Office, asked: Message, way: str) -> None:
    channel = here.slack.world.channels[asked.channel_id]
    match way:
        case "message":
            await here.says(here.alice, REPLY, asked, channel)
        case "mention":
            await here.says(here.alice, f"@MASIS {REPLY}", asked, channel)
        case "button":
            await here.clicks(here.alice, asked, "Look in leave.md")
        case _:
            await here.clicks(here.alice, asked, "Answer in a form")
            await here.modal(here.alice, "Your reply")
            await here.submits(here.alice, {"Your reply": REPLY})


async def test_unacknowledged_socket_event_runs_once(
    tmp_path: Path,
) -> None:
    """Over a socket what was not acknowledged comes again and runs once."""
    async with office(tmp_path, socket=True) as here:
        assert here.service is not None
        held = Held(writes(CLAIM))
        here.service.will("writer", held)
        await here.says(here.alice, MENTIONED)
        envelope = here.slack.bots.deliveries[-1].payload
        for ended in (False, True):
            if ended:
                held.go.set()
                await here.settled()
            await connects_anew(here)
            ack = await here.slack.bots.send("events_api", envelope, Retry(1, "timeout"))
            assert ack.ok
        await here.settled()

        [run] = await here.bot.services.runs.recent(here.tenant, 9)
        assert len(ends(here.channel, run.id)) == 1


async def test_unstored_event_succeeds_on_redelivery(
    tmp_path: Path,
) -> None:
    """An event that could not be stored is answered when it comes again."""
    async with office(tmp_path) as here:
        with locked(tmp_path):
            saying = asyncio.create_task(here.says(here.alice, MENTIONED))
            await here.slack.until(
                lambda: not all(sent.ack.ok for sent in here.slack.bots.deliveries)
            )
            assert await asked_in(here, here.channel) == []
        # The stand-in repeats what was not received, as Slack does.
        did = await saying
        await here.settled()

        statuses = [sent.ack.status for sent in here.slack.bots.deliveries]
        # The bot's own messages are events, too.
        assert (statuses[:3], did.acks[-1].status) == ([200, 503, 200], 200)
        assert await asked_in(here, here.channel) == [QUESTION]
        assert len(answers(here, here.channel)) == 1
        assert here.slack.called("chat.postEphemeral") == []


# --- what these walks share ----------------------------------------------------------------


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Another process holds the right to write."""
    [database] = (folder / "data").glob("*.db")
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


def it_is_later_by(here: Office, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let so many seconds have gone by, for Slack and for who checks its signatures."""
    here.slack.bots.skew_s = seconds
    monkeypatch.setattr(Clock, "now", lambda _: time.time() + seconds)


async def connects_anew(here: Office) -> None:
    """The connection is lost, and the bot makes another one."""
    lost = {*here.slack.bots.sockets}
    await here.slack.drop_sockets()
    await here.slack.until(lambda: {*here.slack.bots.sockets} - lost, SECONDS)


async def another_channel(here: Office, name: str) -> Channel:
    channel = here.slack.channel(name.replace("_", "-"), here.alice, here.bob)
    await link(here, channel)
    return channel


def command(here: Office, channel: Channel, text: str) -> Json:
    """What Slack sends when Alice types a question."""
    world, user = here.slack.world, here.alice.user
    trigger = world.trigger(user, here.slack.installation, channel.id)
    payload = payloads.command(world, user, channel, ("/masis", text), trigger)
    address = world.address(user, here.slack.installation, channel)
    return payload | {"response_url": payloads.response_url(here.slack.base_url, address)}


async def delivered(here: Office, body: bytes, headers: dict[str, str]) -> Ack:
    assert here.slack.request_url is not None
    return await here.slack.bots.raw(here.slack.request_url, body, headers)


async def repeated(here: Office) -> None:
    """Deliver the last click or form once more."""
    sent = [each for each in here.slack.bots.deliveries if each.kind == "interactive"]
    ack = await here.slack.bots.send("interactive", sent[-1].payload)
    assert ack.status == 200


async def asked_in(here: Office, channel: Channel) -> list[str]:
    """The questions of a channel that were taken in, the oldest first."""
    runs = await here.bot.services.runs.recent(here.tenant, 100, [channel.id])
    return [run.question for run in runs][::-1]


def answers(here: Office, channel: Channel) -> list[Message]:
    """What Bob sees there that is an answer."""
    told = zip(here.bob.sees(channel), here.bob.reads(channel), strict=True)
    return [message for message, text in told if "claims cited" in text]


def ends(channel: Channel, run_id: str) -> list[Message]:
    """The messages that are an outcome of a run."""
    found = []
    for message in channel.messages.values():
        payload = (message.metadata or {}).get("event_payload", {})
        if payload.get("run_id") == run_id and payload["kind"] in {"answer", "clarification"}:
            found.append(message)
    return found
