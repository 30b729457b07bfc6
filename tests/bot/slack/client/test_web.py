import asyncio
import email.utils
from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from bot.slack.client.pacing import UNTOLD
from bot.slack.client.web import MEMBER_PAGES, SlackWeb
from bot.slack.slack_errors import (
    AccountInactive,
    Ambiguous,
    ChannelArchived,
    ChannelNotFound,
    Garbled,
    MessageTooLong,
    NotInChannel,
    RateLimited,
    Refused,
    SlackError,
    TokenRevoked,
    Unavailable,
)
from bot.slack.views.message import Message
from masis.conversation import Tenant
from tests.bot.slack.loopback import (
    OURS,
    THEIRS,
    Script,
    Slack,
    Tokens,
    drops,
    limits,
    page,
    refuses,
    says,
)

HELLO = Message("Hello.", [{"type": "divider"}])


# --- messages --------------------------------------------------------------------------------


async def test_post_disables_unfurls_and_parsing(slack: Slack, slack_web: SlackWeb) -> None:
    """A post has no unfurls and parses nothing."""
    ts = await slack_web.post(
        OURS,
        "C1",
        HELLO,
        thread="1.1",
        metadata={"event_type": "masis_answer", "event_payload": {"run_id": "r"}},
        client_msg_id="an id",
    )
    [call] = slack.received
    assert (call.method, call.token) == ("chat.postMessage", "xoxb-T1")
    assert ts == slack.posted[0]["ts"]
    assert call.arguments == {
        "channel": "C1",
        "thread_ts": "1.1",
        "text": "Hello.",
        "blocks": [{"type": "divider"}],
        "parse": "none",
        "unfurl_links": False,
        "unfurl_media": False,
        "metadata": {"event_type": "masis_answer", "event_payload": {"run_id": "r"}},
        "client_msg_id": "an id",
    }


async def test_other_calls_omit_unsupported_arguments(slack: Slack, slack_web: SlackWeb) -> None:
    """Other messages have only what their methods take."""
    await slack_web.update(OURS, "C1", "1.1", HELLO)
    await slack_web.ephemeral(OURS, "C1", "U1", HELLO)
    await slack_web.delete(OURS, "C1", "1.1")
    content = {"text", "blocks", "parse"}
    assert [(call.method, set(call.arguments)) for call in slack.received] == [
        ("chat.update", {"channel", "ts", *content}),
        ("chat.postEphemeral", {"channel", "user", *content}),
        ("chat.delete", {"channel", "ts"}),
    ]


async def test_twenty_answers_keep_order_and_pace(slack: Slack, slack_web: SlackWeb) -> None:
    """Twenty answers to a channel keep their order and their pace."""
    await asyncio.gather(*(slack_web.post(OURS, "C1", Message(f"answer {n}")) for n in range(20)))
    assert [message["text"] for message in slack.posted] == [f"answer {n}" for n in range(20)]
    moments = [call.at for call in slack.calls("chat.postMessage")]
    assert all(later - moments[n] >= 10 for n, later in enumerate(moments[10:]))


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("30", 30.0),
        ("1.5", 1.5),
        (email.utils.formatdate(1_007, usegmt=True), 7.0),
        (None, UNTOLD),
        ("soon", UNTOLD),
    ],
)
async def test_calls_wait_for_retry_after(
    slack: Slack, slack_web: SlackWeb, header: str | None, seconds: float
) -> None:
    """No call is made earlier than slack told."""
    slack.will("chat.postMessage", limits(header))
    started = slack.time.at
    await slack_web.post(OURS, "C1", HELLO)
    refused, posted = slack.calls("chat.postMessage")
    assert (refused.at, posted.at) == (started, started + seconds)
    assert len(slack.posted) == 1


async def test_long_limit_is_kept(slack: Slack, slack_web: SlackWeb) -> None:
    """A long limit is handed back and kept."""
    slack.will("chat.postMessage", limits("120"))
    for _ in range(2):
        with pytest.raises(RateLimited) as told:
            await slack_web.post(OURS, "C1", HELLO)
        assert told.value.retry_after == 120
    assert len(slack.received) == 1
    slack.time.at += 120
    await slack_web.post(OURS, "C1", HELLO)
    assert len(slack.posted) == 1


NINE: list[tuple[Script, type[SlackError]]] = [
    (refuses("channel_not_found"), ChannelNotFound),
    (refuses("not_in_channel"), NotInChannel),
    (refuses("is_archived"), ChannelArchived),
    (refuses("msg_too_long"), MessageTooLong),
    (refuses("token_revoked"), TokenRevoked),
    (refuses("account_inactive"), AccountInactive),
    (limits("90"), RateLimited),
    (page(), Garbled),
    (page(status=500), Unavailable),
]


@pytest.mark.parametrize(("script", "kind"), NINE)
async def test_usual_failures_have_own_errors(
    slack: Slack, slack_web: SlackWeb, script: Script, kind: type[SlackError]
) -> None:
    """Each of the nine usual failures is its own error."""
    slack.will("chat.update", script, script, script)
    with pytest.raises(SlackError) as caught:
        await slack_web.update(OURS, "C1", "1.1", HELLO)
    assert type(caught.value) is kind
    assert len(slack.received) == (3 if kind is Unavailable else 1)


@pytest.mark.parametrize(("script", "kind"), NINE)
async def test_a_post_is_never_repeated_blindly(
    slack: Slack, slack_web: SlackWeb, script: Script, kind: type[SlackError]
) -> None:
    slack.will("chat.postMessage", script)
    with pytest.raises(SlackError) as caught:
        await slack_web.post(OURS, "C1", HELLO)
    assert type(caught.value) is (Ambiguous if kind in {Garbled, Unavailable} else kind)
    assert len(slack.received) == 1


async def test_dropped_update_is_repeated_unlike_post(slack: Slack, slack_web: SlackWeb) -> None:
    """A dropped post is ambiguous and a dropped update is repeated."""
    slack.will("chat.postMessage", drops(slack, taken=True))
    with pytest.raises(Ambiguous):
        await slack_web.post(OURS, "C1", HELLO)
    slack.will("chat.update", drops(slack, taken=False))
    assert await slack_web.update(OURS, "C1", "1.1", HELLO)
    assert len(slack.calls("chat.update")) == 2


async def test_progress_is_dropped_before_answers(slack: Slack, slack_web: SlackWeb) -> None:
    """Progress gives way and an answer does not."""
    for script in (limits("2"), page(status=502)):
        slack.will("chat.update", script)
        assert not await slack_web.update(OURS, "C1", "1.1", HELLO, droppable=True)
        slack.time.at += 2
    for _ in range(40):
        await slack_web.update(OURS, "C1", "1.1", HELLO)
    before = len(slack.received)
    assert not await slack_web.update(OURS, "C1", "1.1", HELLO, droppable=True)
    assert len(slack.received) == before
    assert await slack_web.update(OURS, "C1", "1.1", HELLO)


async def test_message_updates_stay_in_order(slack: Slack, slack_web: SlackWeb) -> None:
    """Updates of a message do not overtake each other."""
    gate = asyncio.Event()

    async def slow(_: web.Request) -> web.Response:
        await gate.wait()
        return web.json_response({"ok": True})

    slack.will("chat.update", slow)
    progress = asyncio.create_task(slack_web.update(OURS, "C1", "1.1", Message("half")))
    while not slack.received:  # noqa: ASYNC110 - the server has no event for it
        await asyncio.sleep(0.001)
    done = asyncio.create_task(slack_web.update(OURS, "C1", "1.1", Message("done")))
    await asyncio.sleep(0.01)
    assert not await slack_web.update(OURS, "C1", "1.1", Message("late"), droppable=True)
    gate.set()
    await asyncio.gather(progress, done)
    assert [call.arguments["text"] for call in slack.received] == ["half", "done"]


async def test_cancelled_progress_never_follows_the_end(slack: Slack, slack_web: SlackWeb) -> None:
    """Progress that is stopped halfway does not arrive after the end."""
    arrived, gate = asyncio.Event(), asyncio.Event()
    shown: list[str] = []

    async def slow(request: web.Request) -> web.Response:
        arrived.set()
        await gate.wait()
        shown.append((await request.json())["text"])
        return web.json_response({"ok": True})

    slack.will("chat.update", slow, slow)
    progress = asyncio.create_task(slack_web.update(OURS, "C1", "1.1", Message("half")))
    await arrived.wait()
    progress.cancel()
    done = asyncio.create_task(slack_web.update(OURS, "C1", "1.1", Message("done")))
    await asyncio.sleep(0.02)
    assert len(slack.received) == 1
    gate.set()
    with pytest.raises(asyncio.CancelledError):
        await progress
    await done
    assert shown == ["half", "done"]


async def test_deleting_twice_is_deleting_once(slack: Slack, slack_web: SlackWeb) -> None:
    slack.will("chat.delete", refuses("message_not_found"), refuses("cant_delete_message"))
    await slack_web.delete(OURS, "C1", "1.1")
    with pytest.raises(Refused, match="cant_delete_message"):
        await slack_web.delete(OURS, "C1", "1.1")


async def test_response_url_is_called_without_token(slack: Slack, slack_web: SlackWeb) -> None:
    """A response address is answered without a token."""
    await slack_web.respond(OURS, f"{slack.origin}/respond/1", HELLO, replace=True)
    [call] = slack.received
    assert (call.method, call.token) == ("/respond/1", "")
    assert call.arguments == {
        "text": "Hello.",
        "blocks": [{"type": "divider"}],
        "response_type": "ephemeral",
        "replace_original": True,
    }


@pytest.mark.parametrize("status", [404, 410])
async def test_exhausted_response_url_is_refused(
    slack: Slack, slack_web: SlackWeb, status: int
) -> None:
    """A used up response address is refused."""
    slack.will("/respond/1", page("used_url", status))
    with pytest.raises(Refused, match="takes no messages"):
        await slack_web.respond(OURS, f"{slack.origin}/respond/1", HELLO)


async def test_nobody_elses_response_address_is_answered(slack: Slack, slack_web: SlackWeb) -> None:
    other = slack.origin.replace("127.0.0.1", "localhost")
    for address in (f"{other}/respond/1", "https://hooks.slack.com.evil.example/1", "", "x"):
        with pytest.raises(Refused, match="not Slack's"):
            await slack_web.respond(OURS, address, HELLO)
    assert slack.received == []


# --- tokens ----------------------------------------------------------------------------------


@pytest.fixture
async def lost(slack: Slack, tokens: Tokens) -> AsyncIterator[tuple[SlackWeb, list[str]]]:
    told: list[str] = []

    async def on_token_lost(tenant: Tenant, error: SlackError) -> None:
        told.append(f"{tenant.team} {error.code}")

    made = SlackWeb(
        api_url=slack.api_url,
        tokens=tokens,
        clock=slack.time.clock,
        on_token_lost=on_token_lost,
    )
    try:
        yield made, told
    finally:
        await made.close()


@pytest.mark.parametrize("code", ["token_revoked", "invalid_auth", "account_inactive"])
async def test_lost_token_is_reported_once(
    slack: Slack, lost: tuple[SlackWeb, list[str]], code: str
) -> None:
    """A lost token is told once and not tried again."""
    slack_web, told = lost
    slack.will("chat.postMessage", refuses(code))
    with pytest.raises(SlackError, match=code):
        await slack_web.post(OURS, "C1", HELLO)
    assert told == [f"T1 {code}"]
    assert len(slack.received) == 1


async def test_other_refusals_keep_the_installation(
    slack: Slack, lost: tuple[SlackWeb, list[str]]
) -> None:
    """Other refusals do not touch the installation."""
    slack_web, told = lost
    for code in ("not_in_channel", "token_expired", "missing_scope"):
        slack.will("chat.postMessage", refuses(code))
        with pytest.raises(SlackError, match=code):
            await slack_web.post(OURS, "C1", HELLO)
    assert told == []


async def test_renewed_token_is_tried(
    slack: Slack, tokens: Tokens, lost: tuple[SlackWeb, list[str]]
) -> None:
    """A token that was renewed meanwhile is tried."""
    slack_web, told = lost
    tokens.next_tokens.extend(["xoxb-old", "xoxb-new"])
    slack.will("chat.postMessage", refuses("token_expired"))
    await slack_web.post(OURS, "C1", HELLO)
    assert [call.token for call in slack.received] == ["xoxb-old", "xoxb-new"]
    assert told == []


# --- lookups ---------------------------------------------------------------------------------


async def test_people_are_cached_per_team(slack: Slack, slack_web: SlackWeb) -> None:
    """People are remembered for a minute and by team."""
    ours = {"id": "U1", "team_id": "T1", "is_admin": True}
    theirs = {"id": "U1", "team_id": "T2"}
    slack.will("users.info", says({"ok": True, "user": ours}), says({"ok": True, "user": theirs}))
    for _ in range(3):
        assert (await slack_web.user(OURS, "U1")).admin
    assert not (await slack_web.user(THEIRS, "U1")).admin
    assert len(slack.received) == 2
    await slack_web.user(OURS, "U1", fresh=True)
    slack.time.at += 60
    await slack_web.user(OURS, "U1")
    assert len(slack.received) == 4


async def test_channels_are_remembered_for_a_minute(slack: Slack, slack_web: SlackWeb) -> None:
    found = {"id": "C1", "is_private": True, "is_ext_shared": True, "is_member": True}
    slack.will("conversations.info", says({"ok": True, "channel": found}))
    for _ in range(2):
        channel = await slack_web.channel(OURS, "C1")
        assert (channel.private, channel.external, channel.member) == (True, True, True)
        assert not channel.archived
    assert len(slack.received) == 1
    slack.time.at += 60
    assert not (await slack_web.channel(OURS, "C1")).private


def members(*users: str, cursor: str = "") -> Script:
    more = {"next_cursor": cursor}
    return says({"ok": True, "members": list(users), "response_metadata": more})


async def test_membership_is_paged(slack: Slack, slack_web: SlackWeb) -> None:
    """Membership is looked for page by page."""
    for user, found in (("U2", True), ("U9", False)):
        slack.will("conversations.members", members("U1", cursor="more"), members("U2"))
        assert await slack_web.members_contain(OURS, "C1", user) is found
    assert slack.received[1].arguments["cursor"] == "more"
    assert slack.received[1].arguments["limit"] == "1000"


async def test_pages_without_end_are_left(slack: Slack, slack_web: SlackWeb) -> None:
    slack.will("conversations.members", *(members(cursor="again") for _ in range(MEMBER_PAGES)))
    assert not await slack_web.members_contain(OURS, "C1", "U1")
    assert len(slack.received) == MEMBER_PAGES


# --- views, agents ---------------------------------------------------------------------------


async def test_modal_opens_once_with_id(slack: Slack, slack_web: SlackWeb) -> None:
    """A modal is opened once and its id given."""
    slack.will("views.open", says({"ok": True, "view": {"id": "V1"}}), page(status=500))
    assert await slack_web.open_view(OURS, "trigger", {"type": "modal"}) == "V1"
    with pytest.raises(Unavailable):
        await slack_web.open_view(OURS, "trigger", {"type": "modal"})
    assert len(slack.received) == 2


async def test_non_agent_app_uses_old_status(slack: Slack, slack_web: SlackWeb) -> None:
    """An app that is no agent shows the status of old."""
    slack.will("agents.sessions.setStatus", refuses("not_authorized"))
    for status in ("processing", "suspended"):
        assert await slack_web.session_status(OURS, "C1", "1.1", status)
    assert [(call.method, call.arguments["status"]) for call in slack.received] == [
        ("agents.sessions.setStatus", "processing"),
        ("assistant.threads.setStatus", "is working on it..."),
        ("assistant.threads.setStatus", ""),
    ]
    assert await slack_web.session_status(THEIRS, "C1", "1.1", "active")
    assert slack.received[-1].method == "agents.sessions.setStatus"


async def test_niceties_never_fail_a_run(slack: Slack, slack_web: SlackWeb) -> None:
    slack.will("agents.sessions.setStatus", refuses("invalid_thread_ts"), page())
    slack.will("assistant.threads.setSuggestedPrompts", refuses("not_allowed"))
    assert not await slack_web.session_status(OURS, "C1", "1.1", "processing")
    assert not await slack_web.session_status(OURS, "C1", "1.1", "processing")
    assert not await slack_web.suggested_prompts(OURS, "D1", [("Hello", "What is it?")])


async def test_at_most_four_prompts_are_offered(slack: Slack, slack_web: SlackWeb) -> None:
    assert await slack_web.suggested_prompts(OURS, "D1", [(f"{n}", f"ask {n}") for n in range(9)])
    assert slack.received[0].arguments["prompts"] == [
        {"title": f"{n}", "message": f"ask {n}"} for n in range(4)
    ]


# --- blocks that Slack does not take ----------------------------------------------------------

CHARTED = Message("Hello.", [{"type": "data_visualization"}], plain=HELLO)


async def test_refused_blocks_are_sent_in_words(slack: Slack, slack_web: SlackWeb) -> None:
    """A post whose blocks are refused is sent once more, without them."""
    slack.will("chat.postMessage", refuses("invalid_blocks"))
    await slack_web.post(OURS, "C1", CHARTED)
    sent = [call.arguments["blocks"] for call in slack.received]
    assert sent == [CHARTED.blocks, HELLO.blocks]


async def test_refused_update_is_sent_in_words(slack: Slack, slack_web: SlackWeb) -> None:
    slack.will("chat.update", refuses("invalid_blocks"))
    await slack_web.update(OURS, "C1", "1.1", CHARTED)
    assert slack.received[-1].arguments["blocks"] == HELLO.blocks


async def test_common_blocks_are_refused_for_good(slack: Slack, slack_web: SlackWeb) -> None:
    slack.will("chat.postMessage", refuses("invalid_blocks"))
    with pytest.raises(Refused):
        await slack_web.post(OURS, "C1", HELLO)
    assert len(slack.received) == 1
