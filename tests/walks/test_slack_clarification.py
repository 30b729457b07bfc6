"""MASIS asks back: every reason why, every way to reply, and who may."""

import re
from pathlib import Path

from aiohttp import web

from tests.openai_server import Asked, Behaviour, breaks_json, critique, says
from tests.walks.office import QUESTION, assert_told, office

OFF_TOPIC = "Who won the chess tournament in Reykjavik?"
DISAGREEING = {
    "old.md": "---\ndate: 2021-05-04\n---\n# Leave\n\nEvery employee has 26 days of annual leave.\n",
    "new.md": "---\ndate: 2026-01-31\n---\n# Leave\n\nEvery employee has 28 days of annual leave.\n",
}
_CHUNK = re.compile(r"c_[a-z2-7]{12}")


async def test_an_empty_workspace_says_what_to_do_and_waits_for_no_reply(tmp_path: Path) -> None:
    async with office(tmp_path, documents={}) as here:
        await here.types(here.alice, QUESTION)
        asked = await here.sees(here.bob, "The workspace “handbook” holds no documents yet")
        await here.says(here.alice, "Here you go", thread=asked)

        await assert_told(here, "clarification_empty_workspace")


async def test_a_question_that_nothing_is_close_to_is_rephrased_in_the_thread(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as here:
        await here.types(here.alice, OFF_TOPIC)
        asked = await here.sees(here.bob, "none is close enough to your question")
        here.saw("Bob sees meanwhile", here.text(asked))
        assert here.service is not None
        assert not here.service.asked

        await here.says(here.alice, QUESTION, thread=asked)
        await here.sees(here.bob, "High")

        await assert_told(here, "clarification_below_threshold")


async def test_a_draft_that_nobody_audited_is_cancelled(tmp_path: Path) -> None:
    async with office(tmp_path) as here:
        assert here.service is not None
        here.service.will("auditor", *[breaks_json()] * 6)
        await here.types(here.alice, QUESTION)
        asked = await here.sees(here.bob, "could not be audited")
        here.saw("Bob sees meanwhile", here.text(asked))
        await here.clicks(here.bob, asked, "Cancel")
        await here.clicks(here.alice, asked, "Cancel")
        await here.sees(here.bob, "Cancelled by")

        await assert_told(here, "clarification_not_audited")


async def test_a_conflict_names_its_sources_and_is_settled_by_a_button(tmp_path: Path) -> None:
    async with office(tmp_path, documents=DISAGREEING) as here:
        assert here.service is not None
        here.service.will("auditor", *[sees_a_conflict()] * 3)
        await here.types(here.alice, QUESTION)
        asked = await here.sees(here.bob, "The sources disagree")
        here.saw("Bob sees meanwhile", here.text(asked))
        await here.clicks(here.bob, asked, "new.md counts")
        await here.sees(here.bob, "Only the person who asked")
        here.service.will("writer", cites_what_says("28 days"))
        await here.clicks(here.alice, asked, "new.md counts")
        await here.sees(here.bob, "High")

        assert here.service.of("writer")[-1].data["question"] == f"{QUESTION}\nnew.md counts"
        await assert_told(here, "clarification_conflict")


async def test_a_weak_draft_is_shown_on_request_and_mended_by_a_form(tmp_path: Path) -> None:
    async with office(tmp_path) as here:
        assert here.service is not None
        here.service.will("auditor", *[critique(confidence=0.41)] * 3)
        await here.types(here.alice, QUESTION)
        asked = await here.sees(here.bob, "After 2 refinement attempts the confidence is 41.0 %")
        here.saw("Bob sees meanwhile", here.text(asked))
        await here.clicks(here.bob, asked, "Show the best draft")
        await here.modal(here.bob, "This draft did not pass")
        await here.clicks(here.alice, asked, "Answer in a form")
        await here.modal(here.alice, "Your reply")
        await here.submits(
            here.alice, {"Your reply": "In a full year", "Documents that count": ["leave.md"]}
        )
        await here.sees(here.bob, "High")

        await assert_told(here, "clarification_low_confidence")


def sees_a_conflict() -> Behaviour:
    """An audit in which the first two documents of the prompt disagree."""

    async def answer(request: web.Request, asked: Asked) -> web.StreamResponse:
        first, second = list(dict.fromkeys(_CHUNK.findall(asked.messages[1]["content"])))[:2]
        said = f"[{first}] says 26 days, [{second}] says 28 days."
        return await critique(conflicting_evidence=[said])(request, asked)

    return answer


def cites_what_says(words: str) -> Behaviour:
    """A draft that is the one sentence with these words, from the evidence."""

    async def answer(request: web.Request, asked: Asked) -> web.StreamResponse:
        found = [(chunk, text) for chunk, text in asked.data["evidence"].items() if words in text]
        chunk, text = found[0]
        sentence = next(line for line in text.splitlines() if words in line)
        return await says(f"{sentence.rstrip('.')} [{chunk}].")(request, asked)

    return answer
