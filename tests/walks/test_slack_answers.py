"""Questions in Slack and their answers, as everybody in the channel sees them."""

from pathlib import Path

from tests.walks.office import QUESTION, assert_told, office


async def test_a_question_is_answered_in_its_thread(tmp_path: Path) -> None:
    async with office(tmp_path) as here:
        did = await here.types(here.alice, QUESTION)
        assert did.status == 200

        answer = await here.sees(here.bob, "High")

        assert answer.thread_ts is not None
        assert "26 days of annual leave" in here.transcript()
        await assert_told(here, "question_by_command")
