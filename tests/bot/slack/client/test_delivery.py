import logging
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from bot.slack.client.delivery import ATTEMPTS, SETTLE_SECONDS, Delivery
from bot.slack.client.web import SlackWeb
from bot.slack.slack_errors import Ambiguous, NotInChannel, RateLimited, TokenRevoked
from bot.slack.views.message import Attachment, Message
from masis.conversation import ChatRun
from masis.errors import RunCancelled, RunTakenOver
from storage.chat.outbox import Outbox
from storage.documents.repository import SqlRepository
from storage.durable.execution import Execution
from storage.sql.database import Database
from tests.bot.slack.loopback import Script, Slack, drops, limits, page, refuses, says
from tests.storage.chat.samples import OURS, a_run, insert

ANSWER = Message("The answer.")
RUN = str(uuid.UUID(int=7))


REPORT = Attachment("report.md", "# Long")


@pytest.fixture
async def database(tmp_path: Path) -> Any:
    opened = await Database.open(tmp_path / "masis.db")
    try:
        yield opened
    finally:
        await opened.close()


@pytest.fixture
async def run(database: Database) -> ChatRun:
    workspace = await SqlRepository(database).create_workspace(OURS.owner, "acme")
    made = a_run(RUN, workspace)
    await insert(database, made)
    return made


@pytest.fixture
def outbox(database: Database) -> Outbox:
    return Outbox(database)


@pytest.fixture
def delivery(slack_web: SlackWeb, outbox: Outbox) -> Delivery:
    return Delivery(slack_web, outbox)


async def test_message_is_posted_with_identity(
    slack: Slack, delivery: Delivery, outbox: Outbox, run: ChatRun
) -> None:
    """A message is posted with its identity."""
    ts = await delivery.post(run, "answer", ANSWER, part=1)
    [call] = slack.received
    assert (call.arguments["channel"], call.arguments["thread_ts"]) == ("C1", "1.1")
    assert call.arguments["metadata"] == {
        "event_type": "masis_answer",
        "event_payload": {"run_id": RUN, "kind": "answer", "part": 1},
    }
    assert uuid.UUID(call.arguments["client_msg_id"]).version == 5
    [posted] = await outbox.of(RUN)
    assert (posted.state, posted.message, posted.part) == ("sent", ts, 1)


async def test_message_keeps_its_client_id(slack: Slack, delivery: Delivery, run: ChatRun) -> None:
    """Each message has its own client id and keeps it."""
    for kind, part in (("answer", 0), ("answer", 1), ("note", 0)):
        await delivery.post(run, kind, ANSWER, part=part)
    ids = [call.arguments["client_msg_id"] for call in slack.received]
    assert len(set(ids)) == 3
    slack.will("chat.postMessage", drops(slack, taken=False))
    await delivery.post(run, "late", ANSWER)
    first, second = slack.calls("chat.postMessage")[3:]
    assert first.arguments["client_msg_id"] == second.arguments["client_msg_id"]


async def test_posting_again_gives_the_first_message(
    slack: Slack, delivery: Delivery, run: ChatRun
) -> None:
    first = await delivery.post(run, "answer", ANSWER)
    assert await delivery.post(run, "answer", Message("Another.")) == first
    assert len(slack.received) == 1


async def test_a_root_message_hangs_from_nothing(
    slack: Slack, delivery: Delivery, run: ChatRun
) -> None:
    await delivery.post(run, "root", ANSWER, channel="D7", thread="")
    assert slack.received[0].arguments["channel"] == "D7"
    assert "thread_ts" not in slack.received[0].arguments


async def test_forgotten_run_posts_nothing(slack: Slack, delivery: Delivery, run: ChatRun) -> None:
    """Nothing is posted for a forgotten run."""
    with pytest.raises(RunCancelled):
        await delivery.post(run.model_copy(update={"id": "gone"}), "answer", ANSWER)
    assert slack.received == []


# --- doubt -----------------------------------------------------------------------------------


def hangs_up(slack: Slack) -> Script:
    return drops(slack, taken=True)


def serves_a_page(slack: Slack) -> Script:
    async def script(request: web.Request) -> web.StreamResponse:
        slack.post(await request.json())
        return await page()(request)

    return script


def fails_after_all(slack: Slack) -> Script:
    async def script(request: web.Request) -> web.StreamResponse:
        slack.post(await request.json())
        return await says({"ok": False, "error": "fatal_error"})(request)

    return script


@pytest.mark.parametrize("trouble", [hangs_up, serves_a_page, fails_after_all])
@pytest.mark.parametrize("thread", ["1.1", ""])
async def test_accepted_post_is_not_repeated(
    slack: Slack,
    delivery: Delivery,
    outbox: Outbox,
    run: ChatRun,
    trouble: Callable[[Slack], Script],
    *,
    thread: str,
) -> None:
    """A post that was taken before the trouble is found and not repeated."""
    slack.will("chat.postMessage", trouble(slack))
    ts = await delivery.post(run, "answer", ANSWER, thread=thread)
    assert [message["ts"] for message in slack.posted] == [ts]
    lookup = "conversations.replies" if thread else "conversations.history"
    assert [call.method for call in slack.received] == ["chat.postMessage", lookup]
    [posted] = await outbox.of(RUN)
    assert (posted.state, posted.message) == ("sent", ts)


async def test_lost_post_is_repeated(
    slack: Slack, delivery: Delivery, run: ChatRun, caplog: pytest.LogCaptureFixture
) -> None:
    """A post that was not taken is posted again after a second look."""
    slack.will("chat.postMessage", drops(slack, taken=False))
    with caplog.at_level(logging.WARNING):
        await delivery.post(run, "answer", ANSWER)
    assert len(slack.posted) == 1
    assert [call.method for call in slack.received] == [
        "chat.postMessage",
        "conversations.replies",
        "conversations.replies",
        "chat.postMessage",
    ]
    assert SETTLE_SECONDS in slack.time.slept
    assert "post_ambiguous" in caplog.text
    assert "The answer" not in caplog.text


async def test_late_message_is_found(slack: Slack, delivery: Delivery, run: ChatRun) -> None:
    """A message that shows late is found at the second look."""
    slack.will("chat.postMessage", drops(slack, taken=True))
    slack.will("conversations.replies", says({"ok": True, "messages": []}))
    await delivery.post(run, "answer", ANSWER)
    assert len(slack.posted) == 1
    assert len(slack.calls("chat.postMessage")) == 1


@pytest.mark.parametrize("taken", [True, False])
async def test_restart_before_noting_leaves_one_message(
    slack: Slack, delivery: Delivery, outbox: Outbox, run: ChatRun, *, taken: bool
) -> None:
    """A restart between posting and noting leaves one message."""
    await outbox.begin(RUN, "answer", 0, "C1", "1.1")
    if taken:
        identity = {"run_id": RUN, "kind": "answer", "part": 0}
        slack.post({"metadata": {"event_type": "masis_answer", "event_payload": identity}})
    ts = await delivery.post(run, "answer", ANSWER)
    assert [message["ts"] for message in slack.posted] == [ts]


async def test_search_begins_before_the_message(
    slack: Slack, delivery: Delivery, outbox: Outbox, run: ChatRun
) -> None:
    """The search begins a little before the message was begun."""
    begun = await outbox.begin(RUN, "answer", 0, "C1", "1.1")
    await delivery.post(run, "answer", ANSWER)
    oldest = slack.calls("conversations.replies")[0].arguments["oldest"]
    assert float(oldest) == pytest.approx(begun.at.timestamp() - 300, abs=0.001)


async def test_only_own_matching_message_counts(
    slack: Slack, delivery: Delivery, outbox: Outbox, run: ChatRun
) -> None:
    """Only the bots own message of this very part counts as posted."""
    await outbox.begin(RUN, "answer", 0, "C1", "1.1")
    for identity in (
        {"run_id": RUN, "kind": "answer", "part": 1},
        {"run_id": RUN, "kind": "note", "part": 0},
        {"run_id": "another", "kind": "answer", "part": 0},
    ):
        slack.post({"metadata": {"event_payload": identity}})
    slack.post({"metadata": {"event_payload": {"run_id": RUN, "kind": "answer", "part": 0}}})
    slack.posted[-1] |= {"bot_id": "B9", "user": "U9"}  # somebody's who knows the run's id
    slack.posted += [{"metadata": None}, {"metadata": {"event_payload": []}}, {}]
    ts = await delivery.post(run, "answer", ANSWER)
    assert slack.posted[-1]["ts"] == ts
    assert len(slack.calls("chat.postMessage")) == 1


@pytest.mark.parametrize("script", [limits("300"), refuses("missing_scope"), page()])
async def test_answer_may_be_posted_twice(
    slack: Slack, delivery: Delivery, run: ChatRun, script: Script
) -> None:
    """An answer is rather posted twice than never."""
    slack.will("chat.postMessage", drops(slack, taken=False))
    slack.will("conversations.replies", script, script)
    await delivery.post(run, "answer", ANSWER)
    assert len(slack.posted) == 1


async def test_endless_doubt_ends(slack: Slack, delivery: Delivery, run: ChatRun) -> None:
    slack.will("chat.postMessage", *(drops(slack, taken=False) for _ in range(9)))
    with pytest.raises(Ambiguous):
        await delivery.post(run, "answer", ANSWER)
    assert len(slack.calls("chat.postMessage")) == ATTEMPTS


async def test_used_client_id_keeps_the_answer(
    slack: Slack, delivery: Delivery, run: ChatRun
) -> None:
    """A client id that slack holds for used does not lose the answer."""
    slack.will(
        "chat.postMessage", drops(slack, taken=False), refuses("duplicate_message_not_found")
    )
    await delivery.post(run, "answer", ANSWER)
    assert len(slack.posted) == 1
    assert "client_msg_id" not in slack.received[-1].arguments


# --- refusals --------------------------------------------------------------------------------


async def test_refused_post_is_not_repeated(
    slack: Slack, delivery: Delivery, outbox: Outbox, run: ChatRun
) -> None:
    """A refusal is told and not repeated."""
    slack.will("chat.postMessage", refuses("not_in_channel"))
    with pytest.raises(NotInChannel):
        await delivery.post(run, "answer", ANSWER)
    assert len(slack.received) == 1
    [posted] = await outbox.of(RUN)
    assert posted.state == "sending"


async def test_lost_token_ends_the_search(slack: Slack, delivery: Delivery, run: ChatRun) -> None:
    """A lost token ends the search too."""
    slack.will("chat.postMessage", drops(slack, taken=False))
    slack.will("conversations.replies", refuses("token_revoked"))
    with pytest.raises(TokenRevoked):
        await delivery.post(run, "answer", ANSWER)
    assert len(slack.calls("chat.postMessage")) == 1


async def test_answer_outlasts_long_rate_limit(
    slack: Slack, delivery: Delivery, run: ChatRun
) -> None:
    """An answer outlasts a long rate limit."""
    slack.will("chat.postMessage", limits("90"), limits("120"))
    started = slack.time.at
    await delivery.post(run, "answer", ANSWER)
    assert [call.at - started for call in slack.received] == [0, 90, 210]
    assert len(slack.posted) == 1


async def test_answer_waits_only_so_long(slack: Slack, delivery: Delivery, run: ChatRun) -> None:
    """An answer does not wait for ever."""
    slack.will("chat.postMessage", limits("3600"))
    with pytest.raises(RateLimited):
        await delivery.post(run, "answer", ANSWER)
    assert slack.time.slept == []


# --- updates, files --------------------------------------------------------------------------


async def test_update_changes_the_posted_message(
    slack: Slack, delivery: Delivery, run: ChatRun
) -> None:
    """An update changes the message that was posted."""
    ts = await delivery.post(run, "plan", ANSWER, channel="D7", thread="")
    assert await delivery.update(run, "plan", Message("Done."))
    assert await delivery.update(run, "plan", Message("Done."), droppable=True)
    calls = slack.calls("chat.update")
    assert [(call.arguments["channel"], call.arguments["ts"]) for call in calls] == [
        ("D7", ts),
        ("D7", ts),
    ]


async def test_unposted_message_is_not_updated(
    slack: Slack, delivery: Delivery, outbox: Outbox, run: ChatRun
) -> None:
    """What was not posted is not updated."""
    await outbox.begin(RUN, "plan", 0, "C1", "1.1")
    assert not await delivery.update(run, "plan", ANSWER)
    assert not await delivery.update(run, "answer", ANSWER)
    assert slack.received == []


@pytest.mark.parametrize("taken", [True, False])
async def test_doubtful_post_is_only_looked_up(
    slack: Slack, delivery: Delivery, outbox: Outbox, run: ChatRun, *, taken: bool
) -> None:
    """What was left in doubt is found without being posted."""
    assert await delivery.found(run, "progress") == ""
    await outbox.begin(RUN, "progress", 0, "C1", "1.1")
    if taken:
        identity = {"run_id": RUN, "kind": "progress", "part": 0}
        slack.post({"metadata": {"event_type": "masis_progress", "event_payload": identity}})
    ts = await delivery.found(run, "progress")
    assert [message["ts"] for message in slack.posted] == ([ts] if taken else [])
    assert slack.calls("chat.postMessage") == []
    assert [row.state for row in await outbox.of(RUN)] == ["sent" if taken else "sending"]
    assert await delivery.found(run, "progress") == ts


async def test_file_is_uploaded_once(
    slack: Slack, delivery: Delivery, outbox: Outbox, run: ChatRun
) -> None:
    """A file is put into the thread once."""
    assert await delivery.upload(run, "report", REPORT, comment="The rest:") == "F1"
    assert await delivery.upload(run, "report", REPORT) == "F1"
    place, upload, complete = slack.received
    assert place.arguments == {"filename": "report.md", "length": "6"}
    assert (upload.method, upload.token) == ("/upload", "")
    assert complete.arguments["channel_id"] == "C1"
    assert complete.arguments["thread_ts"] == "1.1"
    assert complete.arguments["initial_comment"] == "The rest:"
    [posted] = await outbox.of(RUN)
    assert (posted.state, posted.message) == ("sent", "F1")


async def test_accepted_file_is_found_by_name(
    slack: Slack, delivery: Delivery, run: ChatRun
) -> None:
    """A file that was taken before the trouble is found by its name."""

    async def hang_up(request: web.Request) -> web.Response:
        slack._plain("files.completeUploadExternal", dict(request.query))
        assert request.transport is not None
        request.transport.close()
        return web.Response()

    slack.posted.append({"ts": "2.1", "user": "U1", "files": [{"id": "F0", "name": "report.md"}]})
    slack.will("files.completeUploadExternal", hang_up)
    assert await delivery.upload(run, "report", REPORT) == "F1"
    assert len(slack.calls("files.completeUploadExternal")) == 1


async def test_lost_file_is_uploaded_again(slack: Slack, delivery: Delivery, run: ChatRun) -> None:
    """A file that was not taken is put there again."""

    async def hang_up(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.close()
        return web.Response()

    slack.will("files.completeUploadExternal", hang_up)
    slack.will("/upload", page(status=502))
    assert await delivery.upload(run, "report", REPORT) == "F1"
    assert len([m for m in slack.posted if m.get("files")]) == 1


async def test_foreign_upload_address_receives_nothing(
    slack: Slack, delivery: Delivery, run: ChatRun
) -> None:
    """No bytes go to an upload address that is not slacks."""
    elsewhere = slack.origin.replace("127.0.0.1", "localhost") + "/upload"
    place = {"ok": True, "upload_url": elsewhere, "file_id": "F1"}
    slack.will("files.getUploadURLExternal", says(place))
    with pytest.raises(Exception, match="not its own"):
        await delivery.upload(run, "report", REPORT)
    assert [call.method for call in slack.received] == ["files.getUploadURLExternal"]


async def test_run_taken_over_sends_nothing(
    slack: Slack, delivery: Delivery, outbox: Outbox, run: ChatRun
) -> None:
    """As after a sleep between the row and the message: the row is there, and looked up later."""

    async def nothing() -> None:
        return None

    async def not_ours() -> bool:
        return False

    async def post() -> None:
        await delivery.post(run, "answer", ANSWER)

    with pytest.raises(RunTakenOver):
        await Execution(run, objection=nothing, is_ours=not_ours).run(post())
    assert slack.received == []
    assert [row.state for row in await outbox.of(run.id)] == ["sending"]
    stale = run.model_copy(update={"attempt": run.attempt + 1})
    with pytest.raises(RunTakenOver):
        await Execution(stale, objection=nothing, is_ours=not_ours).run(post())
