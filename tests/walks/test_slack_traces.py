"""A question as a trace: one for all that is done for it, also after a restart."""

import asyncio
import uuid
from pathlib import Path

from opentelemetry.trace import SpanKind

from bot.slack import ids
from masis.conversation import ChatRun
from tests.openai_server import KEY, MODELS, critique, fails
from tests.spans import Recorded, recorded
from tests.walks.office import (
    HANDBOOK,
    QUESTION,
    SECONDS,
    Held,
    Office,
    office,
    slack_of_ours,
    writes,
)

CLAIM = "Every employee has 26 days of annual leave a year [1]."


async def only_run(here: Office) -> ChatRun:
    (run,) = await here.bot.services.runs.recent(here.tenant, 10)
    return run


async def test_question_is_one_trace(
    tmp_path: Path,
) -> None:
    """All that is done for a question is one trace also after a restart."""
    with recorded() as spans:
        async with slack_of_ours() as slack:
            async with office(tmp_path, slack=slack) as here:
                assert here.service is not None
                here.service.will("writer", writes(CLAIM))
                held = Held(critique())
                here.service.will("auditor", held)
                await here.types(here.alice, QUESTION)
                await asyncio.wait_for(held.asked.wait(), SECONDS)
                await here.bot.engine.stop(grace_seconds=0.0)
            async with office(tmp_path, slack=slack) as here:
                await here.sees(here.bob, "High")
                await here.settled()
                run = await only_run(here)

    ours = [each for each in spans.all() if each.attributes and "masis.run" in each.attributes]
    assert {each.context.trace_id for each in ours} == {uuid.UUID(run.id).int}
    ids = {"masis.run": run.id, "masis.team": run.tenant.team, "masis.workspace": run.workspace_id}
    for each in ours:
        assert each.attributes is not None
        assert {name: each.attributes.get(name) for name in ids} == ids, each.name
    assert_right_parents(spans, run)
    assert_calls(spans)
    assert_no_text(spans, slack.bot_token)


def assert_right_parents(spans: Recorded, run: ChatRun) -> None:
    (accepted,), runs = spans.named("accept"), spans.named("run")
    outside = {each.parent.span_id for each in (accepted, *runs) if each.parent is not None}
    assert outside == {uuid.UUID(run.id).int % 2**64}, "what nobody recorded, in every process"
    broken, whole = runs
    assert broken.attributes is not None
    assert broken.attributes["error.type"] == "RunTakenOver"
    assert whole.attributes is not None
    assert whole.attributes["masis.outcome"] == "answer"
    assert (broken.kind, whole.kind) == (SpanKind.CONSUMER, SpanKind.CONSUMER)
    nodes = [each.name.removeprefix("node ") for each in spans.named("node")]
    # What ended before the restart does not run again; the critic was broken off and does.
    assert nodes == [
        "router",
        "rewriter",
        "planner",
        "supervisor",
        "researcher",
        "synthesizer",
        "critic",
        "critic",
        "evaluator",
        "supervisor",
    ]
    assert {spans.parent(each) for each in spans.named("node")} == {"run"}
    searching = [spans.parent(each) for each in spans.named("qdrant.query")]
    assert searching == ["node router", "node researcher"]


def assert_calls(spans: Recorded) -> None:
    calls = spans.named("llm.call")
    assert [spans.parent(each) for each in calls] == [
        "node synthesizer",
        "node critic",
        "node critic",
        "node evaluator",
    ]
    last = dict(calls[-1].attributes or {})
    assert calls[-1].kind == SpanKind.CLIENT
    assert last["gen_ai.operation.name"] == "chat"
    assert last["gen_ai.request.model"] == MODELS["judge"]
    assert last["gen_ai.usage.input_tokens"] > 0  # type: ignore[operator] # a number among texts
    assert last["gen_ai.response.finish_reasons"] == ("stop",)
    assert last["masis.outcome"] == "ok"
    posts = spans.named("slack.post")
    within = {each.name for each in posts if each.attributes and "masis.run" in each.attributes}
    assert "slack.post chat.postMessage" in within
    assert "slack.post auth.test" not in within


def assert_no_text(spans: Recorded, *secrets: str) -> None:
    said = spans.text()
    assert not [each for each in (*secrets, KEY, "annual leave", *HANDBOOK) if each in said]


async def test_trace_omits_error_text_and_filenames(tmp_path: Path) -> None:
    """A failed call is told by its name and files by their size."""
    with recorded() as spans:
        async with office(tmp_path) as here:
            assert here.service is not None
            here.service.will("writer", *[fails(400, message="annual leave")] * 3)
            await here.types(here.alice, QUESTION)
            await here.settled()
            file = ("secret-plan.md", b"annual leave is ten days")
            posted = (await here.alice.uploads(here.channel, (file,), "")).message
            assert posted is not None
            await here.admin.shortcut(ids.FILES_SHORTCUT, posted)
            await here.sees(here.bob, "1 added")
            await here.settled()

    (failed,) = spans.named("llm.call")
    assert failed.attributes is not None
    assert failed.attributes["error.type"] == "ModelServiceError"
    assert failed.status.description is None
    assert not failed.events
    asked = next(each for each in spans.named("run") if each.attributes)
    assert (asked.attributes or {})["masis.outcome"] == "failed"
    put_in = spans.named("ingest")
    assert "run" in {spans.parent(each) for each in put_in}
    assert_no_text(spans, "secret-plan")
