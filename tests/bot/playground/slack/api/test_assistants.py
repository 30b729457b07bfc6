from typing import Any

import pytest

from bot.playground.server import Playground
from bot.playground.slack.entities import Message
from bot.playground.slack.installed import AppConfig
from tests.bot.playground.small_bot import client, refused


@pytest.fixture
async def root(slack: Playground) -> Message:
    alice = slack.person("alice")
    said = (await alice.says(slack.channel("general", alice), "how many?")).message
    assert said is not None
    return said


async def test_session_keeps_its_first_title(slack: Playground, root: Message) -> None:
    """A session keeps the title it began with."""
    web = client(slack)
    place = {"channel_id": root.channel_id, "thread_ts": root.ts}
    told = await web.agents_sessions_setStatus(**place, status="processing", title="Pumps")
    again = await web.agents_sessions_setStatus(**place, status="suspended", title="Other")

    assert (told["status"], again["status"], again["title"]) == ("processing", "suspended", "Pumps")
    assert (await web.agents_sessions_rename(**place, title="Other"))["title"] == "Other"


async def test_invalid_session_is_refused(slack: Playground, root: Message) -> None:
    """What a session cannot be is refused."""
    web = client(slack)
    place = {"channel_id": root.channel_id, "thread_ts": root.ts}
    status = web.agents_sessions_setStatus

    assert await refused(status(**place, status="busy")) == "invalid_status"
    assert await refused(status(**place, status="active", title="a" * 201)) == "title_too_long"
    nowhere = status(channel_id=root.channel_id, thread_ts="1.0", status="active")
    assert await refused(nowhere) == "thread_not_found"


async def test_non_agent_has_no_sessions() -> None:
    """An app that is no agent has no sessions."""
    async with Playground(app=AppConfig(is_agent=False)) as slack:
        alice = slack.person("alice")
        said = (await alice.says(slack.channel("general", alice), "how many?")).message
        assert said is not None
        call = client(slack).agents_sessions_setStatus(
            channel_id=said.channel_id, thread_ts=said.ts, status="processing"
        )

        assert await refused(call) == "not_authorized"


async def test_app_without_stop_event_is_warned() -> None:
    """An app that does not hear of stop is warned."""
    async with Playground(app=AppConfig(events=("message.channels",))) as slack:
        alice = slack.person("alice")
        said = (await alice.says(slack.channel("general", alice), "how many?")).message
        assert said is not None
        told = await client(slack).agents_sessions_setStatus(
            channel_id=said.channel_id, thread_ts=said.ts, status="processing"
        )

        assert told["warning"] == "missing_agent_session_stopped_event_subscription"


async def test_status_stands_until_app_answers(slack: Playground, root: Message) -> None:
    """A status stands until the app answers."""
    web = client(slack)
    place: dict[str, Any] = {"channel_id": root.channel_id, "thread_ts": root.ts}
    await web.assistant_threads_setStatus(**place, status="is searching")
    session = slack.world.agents[root.channel_id, root.ts]
    assert session.loading == "is searching"
    await web.chat_postMessage(channel=root.channel_id, thread_ts=root.ts, text="Twelve")

    assert session.loading == ""
    many = web.assistant_threads_setStatus(**place, status="a", loading_messages=["a"] * 11)
    assert await refused(many) == "invalid_arguments"


async def test_titles_and_prompts_are_kept(slack: Playground, root: Message) -> None:
    web, direct = client(slack), slack.person("bob").direct()
    await web.assistant_threads_setTitle(
        channel_id=root.channel_id, thread_ts=root.ts, title="Pumps"
    )
    prompts = [{"title": "Help", "message": "What can you do?"}]
    await web.assistant_threads_setSuggestedPrompts(channel_id=direct.id, prompts=prompts)

    assert slack.world.agents[root.channel_id, root.ts].title == "Pumps"
    assert slack.world.agents[direct.id, None].prompts == prompts
    five = web.assistant_threads_setSuggestedPrompts(channel_id=direct.id, prompts=prompts * 5)
    assert await refused(five) == "invalid_arguments"
