"""MASIS asks back: every reason why, every way to reply, and who may."""

from pathlib import Path

from tests.openai_server import breaks_json, critique
from tests.walks.office import QUESTION, assert_told, office

OFF_TOPIC = "Who won the chess tournament in Reykjavik?"


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
        await here.clicks(here.bob, asked, "Cancel")
        await here.clicks(here.alice, asked, "Cancel")
        await here.sees(here.bob, "Cancelled by")

        await assert_told(here, "clarification_not_audited")
