"""A document named in a question and asked about as a whole, on the real stores."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.compose import App, compose
from bot.settings import load
from masis.assistant import Assistant, Finished
from masis.domain import Answered, NeedsClarification, Workspace
from masis.filters import parse
from tests.bot.program import searched

POLICY = (
    "# Travel policy\n\n## Principle\n\nThis policy says what the company pays for travel. "
    "It applies to all staff on all sites from February on.\n\n## Mileage\n\n"
    "The mileage rate for a private car is 45 pence a mile.\n"
)
LEAVE = "# Leave\n\nEvery employee has 26 days of annual leave a year.\n"
WHOLE = "What is @travel.md about?"


@pytest.fixture
async def app(data_dir: Path) -> AsyncIterator[App]:
    """By words alone, which finds nothing for a question without words of its own."""
    async with compose(load(data_dir=data_dir, embedder="none")) as composed:
        yield composed


async def shelf(app: App, name: str, policy: str) -> Workspace:
    place = await app.repository.create_workspace(app.owner, name)
    await app.ingest.ingest(place, "policies/travel.md", policy.encode())
    await app.ingest.ingest(place, "leave.md", LEAVE.encode())
    return place


async def ask(app: App, place: Workspace, question: str) -> Finished:
    assert isinstance(app.assistant, Assistant)
    return await app.assistant.ask(place, question, max_retries=0)


@pytest.mark.parametrize("embedder", ["bundled", "none"])
async def test_file_beginning_is_shown_unclaimed(data_dir: Path, embedder: str) -> None:
    """It is shown how it begins and nothing is claimed for it."""
    async with compose(load(data_dir=data_dir, embedder=embedder)) as app:
        finished = await ask(app, await shelf(app, "acme", POLICY), WHOLE)
    outcome = finished.outcome
    assert isinstance(outcome, NeedsClarification)
    assert "the beginning of “policies/travel.md”" in outcome.clarification_question
    assert "This policy says what the company pays for travel [" in outcome.answer
    assert {each.document for each in outcome.citations} == {"policies/travel.md"}
    assert searched(finished.trace)["introduction"] >= 1
    assert searched(finished.trace)["chunks"] == 0
    assert finished.figures["confidence_history"] == [0.0]


async def test_current_workspace_version_is_shown(app: App) -> None:
    """It is the version in force of the workspace that is asked."""
    here = await shelf(app, "here", POLICY)
    await shelf(app, "there", POLICY.replace("company", "competitor"))
    await app.ingest.ingest(
        here, "policies/travel.md", POLICY.replace("pays for", "refunds of").encode()
    )
    question, filters = parse(WHOLE)
    result = await app.retrieval.search(here.id, question, limit=10, filters=filters)
    shown = " ".join(each.text for each in result.introduction)
    assert "what the company refunds of travel" in shown
    assert "pays for" not in shown
    assert "competitor" not in shown
    assert {each.workspace_id for each in result.introduction} == {here.id}
    assert len({each.version_id for each in [*result.introduction, *result.candidates]}) == 1


@pytest.mark.parametrize(
    "question",
    ["What is the mileage rate for a private car? @travel.md", "What is in:policies/ about?"],
)
async def test_other_questions_show_no_beginning(app: App, question: str) -> None:
    """Who asks for something or names no file is not shown how it begins."""
    finished = await ask(app, await shelf(app, "acme", POLICY), question)
    assert "introduction" not in searched(finished.trace)


async def test_specific_reply_is_answered(app: App) -> None:
    """A reply that asks for something in it is answered."""
    question = f"{WHOLE}\nWhat is the mileage rate for a private car?"
    finished = await ask(app, await shelf(app, "acme", POLICY), question)
    assert isinstance(finished.outcome, Answered)
    assert "45 pence a mile" in finished.outcome.answer


def held(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


async def test_shown_beginning_goes_with_document(app: App, data_dir: Path) -> None:
    """What was shown goes with its document."""
    place = await shelf(app, "acme", POLICY)
    await ask(app, place, WHOLE)
    assert b"what the company pays" in held(data_dir)
    assert (await app.ingest.delete(place, "policies/travel.md")).blanked == 1
    assert b"what the company pays" not in held(data_dir)
