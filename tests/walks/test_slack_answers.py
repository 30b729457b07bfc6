"""Questions in Slack and their answers, as everybody in the channel sees them."""

from pathlib import Path

from masis.answering.citations import NOT_FOUND_MARK
from tests.openai_server import critique, says, scores
from tests.walks.office import QUESTION, Held, assert_told, link, office, writes

MADE_UP = "c_aaaaaaaaaaaa"
CLAIM = "Every employee has 26 days of annual leave a year"


async def test_question_is_answered_in_thread(tmp_path: Path) -> None:
    """A question is answered in its thread."""
    async with office(tmp_path) as here:
        did = await here.types(here.alice, QUESTION)
        assert did.status == 200

        answer = await here.sees(here.bob, "High")

        assert answer.thread_ts is not None
        assert "26 days of annual leave" in here.transcript()
        await assert_told(here, "question_by_command")
        begun = [call.args["text"] for call in here.slack.called("chat.postMessage")]
        assert "Working on it: Understand" in begun, "what is shown first is true already"


async def test_mention_is_answered_only_in_thread(tmp_path: Path) -> None:
    """A mention is answered in its thread and told in no other way."""
    async with office(tmp_path) as here:
        did = await here.says(here.alice, f"@MASIS {QUESTION}")
        assert did.message is not None
        answer = await here.sees(here.bob, "High", thread=did.message)
        assert answer.thread_ts == did.message.ts

        await here.alice.edits(did.message, f"@MASIS {QUESTION} Please!")
        await here.says(here.bob, "Good to know.", thread=answer)

        await assert_told(here, "question_by_mention")
        assert len(await here.bot.services.runs.recent(here.tenant, 10)) == 1


async def test_direct_message_asks_only_workspace(
    tmp_path: Path,
) -> None:
    """A direct message asks the only workspace that somebody can reach."""
    async with office(tmp_path) as here:
        direct = here.alice.direct()
        await here.says(here.alice, QUESTION, channel=direct)
        await here.sees(here.alice, "High", channel=direct)

        carol = here.slack.person("carol")
        await here.says(carol, QUESTION, channel=carol.direct())
        await here.sees(carol, "are in no channel", channel=carol.direct())

        await assert_told(here, "question_by_direct_message")
        assert not here.bob.sees(direct)


async def test_running_retry_is_shown(tmp_path: Path) -> None:
    """A retry is shown while it goes on."""
    async with office(tmp_path) as here:
        assert here.service is not None
        second = Held(writes(f"{CLAIM} [1]."))
        here.service.will("writer", says(f"{CLAIM} [{MADE_UP}]."), second)
        await here.types(here.alice, QUESTION)
        shown = await here.sees(here.bob, "✓ Retry 1: widened search\n▸ Draft")
        here.saw("Bob sees meanwhile", here.text(shown))
        assert MADE_UP not in here.transcript()
        assert CLAIM not in here.transcript()

        second.go.set()
        await here.sees(here.bob, "High")

        await assert_told(here, "retry_shown")


async def test_long_answer_ends_in_file(
    tmp_path: Path,
) -> None:
    """A long answer goes over messages and what is over three into a file."""
    line = f"{CLAIM} {'<' * 60} [1]."
    async with office(tmp_path) as here:
        assert here.service is not None
        here.service.will("writer", writes("\n\n".join([f"{CLAIM} [1]."] * 280)))
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "Part 2 of 2")
        here.service.will("writer", writes("\n\n".join([line] * 140)))
        other = here.slack.channel("other", here.bob)
        await link(here, other)
        await here.types(here.bob, QUESTION, other)
        await here.sees(here.bob, "Part 3 of 3", channel=other)
        await here.settled()

        lines = [*here.lines(), *here.lines(other)]
        posted = sum(told.strip().startswith(CLAIM) for told in lines)
        rest = [file.content.decode() for file in here.slack.world.files.values()]
        assert posted + sum(text.count(CLAIM) for text in rest) == 280 + 140
        assert len(rest) == 1
        await assert_told(here, "long_answer")


async def test_a_table_stays_a_table(tmp_path: Path) -> None:
    table = (
        "| What | How much |\n| --- | --- |\n"
        "| Annual leave | 26 days a year [1] |\n| Carried over | up to 4 days [1] |\n"
    )
    async with office(tmp_path) as here:
        assert here.service is not None
        here.service.will("writer", writes(f"Leave in figures:\n\n{table}"))
        await here.types(here.alice, QUESTION)
        answer = await here.sees(here.bob, "High")

        assert answer.blocks[0]["type"] == "markdown"
        await assert_told(here, "table_answer")


async def test_unsourced_claims_are_counted_and_named(
    tmp_path: Path,
) -> None:
    """Claims without a source are counted and named below the answer."""
    async with office(tmp_path) as here:
        assert here.service is not None
        draft = (
            f"{CLAIM} [1]. Most employees take all of it in August. It is 30 days for managers [1]."
        )
        here.service.will("writer", writes(draft))
        here.service.will("auditor", critique(confidence=0.8))
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "Low")

        await assert_told(here, "uncited_claim")


async def test_invented_citations_are_marked_unlinked(tmp_path: Path) -> None:
    """Made up citations are marked and never linked."""
    async with office(tmp_path) as here:
        assert here.service is not None
        draft = f"{CLAIM} [1]. Managers have 40 days of annual leave [{MADE_UP}]."
        here.service.will("writer", *[writes(draft)] * 3)
        await here.types(here.alice, QUESTION)
        asked = await here.sees(here.bob, "1 made-up citation")
        await here.clicks(here.bob, asked, "Show the best draft")
        shown = await here.modal(here.bob, "did not pass")

        assert NOT_FOUND_MARK in shown
        await assert_told(here, "made_up_citation")
        assert MADE_UP not in here.transcript()


async def test_medium_score_shows_medium_badge(tmp_path: Path) -> None:
    """The badge is never better than what it rests on."""
    async with office(tmp_path) as here:
        assert here.service is not None
        here.service.will("auditor", critique(confidence=0.7))
        here.service.will("judge", scores(completeness=0.5))
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "Medium 70 %")
        await here.says(here.bob, "@MASIS How often are laptops replaced?")
        await here.sees(here.bob, "High")

        await assert_told(here, "medium_badge")


async def test_answer_without_model_says_extractive(
    tmp_path: Path,
) -> None:
    """Without a model service the answer says that it is extractive."""
    async with office(tmp_path, model=False) as here:
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "extractive")

        await assert_told(here, "extractive_answer")


async def test_missing_model_service_is_one_failure(tmp_path: Path) -> None:
    """A model service that is down is one honest failure."""
    down = "http://127.0.0.1:9/v1"
    async with office(tmp_path, MASIS_MODEL_BASE_URL=down) as here:
        await here.types(here.alice, QUESTION)
        failed = await here.sees(here.bob, "I could not answer this")

        assert failed.thread_ts is not None
        await assert_told(here, "model_service_down")
