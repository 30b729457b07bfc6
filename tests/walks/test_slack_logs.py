"""Canaries through the flows that go well and those that do not: no log or span ever shows one."""

import contextlib
import datetime as dt
import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import aiohttp
import pytest

from bot.observability import logs
from bot.playground.server import Playground
from bot.slack import ids
from storage.accounts.api_tokens import ApiTokens
from tests.openai_server import KEY, breaks_json, fails, has_no_quota, refuses_the_key, resets
from tests.spans import recorded
from tests.walks.office import Office, decide, link, office

ASKED: Final = "zanzibar-question-canary"
WRITTEN: Final = "quetzal-document-canary"
REPLIED: Final = "narwhal-reply-canary"
TITLED: Final = "ocelot-file-canary"
DOCUMENTS: Final = {
    f"{TITLED}.md": f"# Leave\n\nEvery employee has 26 days of annual leave, {WRITTEN}.\n"
}
QUESTION: Final = f"How many days of annual leave does every employee have, {ASKED}?"
OFF_TOPIC: Final = f"Who won the chess tournament in Reykjavik, {ASKED}?"


def canaries(slack: Playground) -> tuple[str, ...]:
    texts = (ASKED, WRITTEN, REPLIED, TITLED)
    return (*texts, slack.bot_token, slack.app_token, slack.signing_secret, KEY)


@pytest.mark.parametrize(
    "socket", [False, pytest.param(True, marks=pytest.mark.long)], ids=["http", "socket"]
)
async def test_logs_hold_no_secret(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, *, socket: bool
) -> None:
    """No flow writes a text or a secret into a log."""
    caplog.set_level(logging.DEBUG)
    with recorded() as spans:
        async with office(tmp_path, documents=DOCUMENTS, socket=socket) as here:
            with written_down(here) as log:
                await decide(here, user_per_minute=100, user_running=100)
                await what_goes_well(here)
                token = await what_a_program_does(here)
                await what_does_not(here)
                assert {"success", "failed", "needs_clarification"} <= await came_of_it(here)
    assert_silent(here, caplog)
    for text in (log.getvalue(), spans.text()):
        assert [each for each in (*canaries(here.slack), token) if each in text] == []
    assert_told(log.getvalue())
    assert {"accept", "run", "ingest", "qdrant.query"} <= {each.name for each in spans.all()}


@contextlib.contextmanager
def written_down(here: Office) -> Iterator[io.StringIO]:
    """What the product's own handler writes meanwhile, for programs."""
    stream = io.StringIO()
    settings = here.app.settings.model_copy(update={"log_format": "json"})
    handler = logs.handler_of(settings, stream=stream)
    handler.addFilter(is_the_bots)
    logging.getLogger().addHandler(handler)
    try:
        yield stream
    finally:
        logging.getLogger().removeHandler(handler)


def assert_told(log: str) -> None:
    """A line a record, and what belongs to a run says to which."""
    records = [json.loads(line) for line in log.splitlines()]
    failed = [each for each in records if each["logger"] == "masis.assistant"]
    assert failed
    assert all(f"run {each['run']} " in each["event"] for each in failed)
    assert all(each["team"] and each["workspace"] for each in failed)
    assert {each.get("node") for each in records} >= {"synthesizer", "critic", None}
    # Nothing stays bound when its run is over: the next one's records name the next one.
    assert len({each["run"] for each in failed}) > 1


async def what_goes_well(here: Office) -> None:
    """An answer with all that it offers, a clarification, its reply, forms and files."""
    await here.types(here.alice, QUESTION)
    answer = await here.sees(here.alice, "High")
    for button in ("How I got this", "Passage", "Bad answer"):
        await here.clicks(here.alice, answer, button)
        await here.settled()
    await here.submits(here.alice, {ids.IN_REASON: REPLIED})
    for verb in ("status", "docs", "history", "link", f"delete {TITLED}.md", "settings"):
        await here.types(here.admin, verb)
    await here.says(here.alice, f"@MASIS {OFF_TOPIC}")
    asked = await here.sees(here.alice, "nothing close enough")
    await here.says(here.alice, REPLIED, thread=asked)
    files = (f"{TITLED}.txt", WRITTEN.encode()), (f"{TITLED}.exe", b"MZ\x00")
    posted = await here.alice.uploads(here.channel, files, ASKED)
    assert posted.message is not None
    await here.alice.shortcut("masis_add_files", posted.message)
    await here.alice.opens_home()
    await here.says(here.alice, QUESTION, channel=here.alice.direct())
    await here.settled()


async def what_a_program_does(here: Office) -> str:
    """Ask over HTTP, well and badly; gives the token."""
    lifetime = dt.timedelta(days=1)
    tokens = ApiTokens(here.app.database)
    _, shown = await tokens.create(here.tenant, here.workspace.id, lifetime=lifetime)
    token = shown.get_secret_value()
    asking = f"{here.address}/masis/workspaces/{here.workspace.id}"
    ways: tuple[tuple[str, dict[str, str], int], ...] = (
        (token, {"query": QUESTION}, 200),
        (token, {"query": QUESTION, ASKED: WRITTEN}, 422),
        (f"{token}x", {"query": QUESTION}, 401),
    )
    async with aiohttp.ClientSession() as session:
        for key, body, status in ways:
            headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": f"{ASKED}-{status}"}
            async with session.post(asking, json=body, headers=headers) as answer:
                assert answer.status == status
    return token


async def what_does_not(here: Office) -> None:
    """A model service and a Slack that fail in their own ways, and requests that are refused."""
    assert here.service is not None
    troubles = (refuses_the_key(), has_no_quota(), fails(400, message=WRITTEN), resets())
    for number, trouble in enumerate(troubles):
        channel = here.slack.channel(f"trouble-{number}", here.alice)
        await link(here, channel)
        here.service.will("writer", *[trouble] * 3)
        await here.types(here.alice, QUESTION, channel)
    here.service.will("auditor", *[breaks_json()] * 6)
    for kind, error in (("error", "invalid_blocks"), ("html", ""), ("500", ""), ("429", "")):
        here.slack.faults.add(kind=kind, method="chat.postMessage", error=error)  # type: ignore[arg-type] # a row of a table
        await here.says(here.alice, f"@MASIS {OFF_TOPIC}")
    await here.types(here.alice, f"{QUESTION} " * 200)
    await here.types(here.alice, f"link {ASKED}")
    lonely = here.slack.channel("lonely", here.alice)
    await here.says(here.alice, f"@MASIS {QUESTION}", channel=lonely)
    await refused(here)
    await here.settled()


async def came_of_it(here: Office) -> set[str]:
    """In what ways the runs ended."""
    assert here.bot.team is not None
    runs = await here.bot.services.runs.recent(here.bot.team, 100)
    assert len(runs) > 10
    trails = [await here.bot.services.trails.of(run.tenant, run.id) for run in runs]
    return {trail.status for trail in trails if trail is not None}


async def refused(here: Office) -> None:
    """Bodies that are not Slack's, and one that a listener cannot read."""
    url = here.slack.request_url
    if url is None:
        return
    body = f'{{"type": "event_callback", "event": "{ASKED}"}}'.encode()
    json_type = {"Content-Type": "application/json"}
    for headers in ({}, {"X-Slack-Signature": "v0=0"}, here.slack.bots.signed(body)):
        ack = await here.slack.bots.raw(url, body, headers | json_type)
        assert ack.status in {400, 401}


def assert_silent(here: Office, caplog: pytest.LogCaptureFixture) -> None:
    """No record holds a canary: in its words, its arguments, its traceback or its extra fields."""
    formatter = logging.Formatter("%(name)s %(message)s")
    shown = [(each, f"{formatter.format(each)} {vars(each)}") for each in caplog.records]
    assert shown
    leaks = {
        (canary, record.name, record.levelname, f"{record.pathname}:{record.lineno}")
        for canary in canaries(here.slack)
        for record, text in shown
        if canary in text and is_the_bots(record)
    }
    assert sorted(leaks) == []
    # What is looked at is what the libraries say at DEBUG, and not an empty page.
    heard = {record.name.partition(".")[0] for record, _ in shown}
    assert {"asyncio", "bot", "httpcore2"} <= heard, heard
    assert logging.getLogger("masis").level == logging.NOTSET


def is_the_bots(record: logging.LogRecord) -> bool:
    """The stand-in's own records are not the product's."""
    return not record.name.startswith("bot.playground")
