"""What is shown beside a question back where no passage is close enough to answer from."""

from typing import Any

import pytest

from masis.domain import Choice, NeedsClarification, SourceStatement
from masis.graphs.research.graph import RESEARCH, build, conclude
from masis.graphs.research.state import MASISInput, State
from tests.scripted_agents import (
    Cast,
    ScriptedQuoter,
    ScriptedResearcher,
    chunk,
    chunk_id,
)

LEASE = "The lease of the Hull yard costs £4,000 a month."
RENT = "What is the rent of the yard?"
QUOTED = f"{LEASE.rstrip('.')} [{chunk_id(0)}]."


async def play(quoter: ScriptedQuoter | None, question: str = RENT, score: float = 0.3) -> State:
    found = [chunk(n, text=LEASE if n == 0 else f"Rule {n}.", score=score) for n in range(6)]
    cast = Cast(researcher=ScriptedResearcher([found]), quoter=quoter)
    start = MASISInput(user_query=question, workspace_id="w").to_state()
    result: Any = await build().ainvoke(start, context=cast.context())
    state: State = result
    return state


def ended(state: State) -> NeedsClarification:
    outcome = conclude(state, "r1", extractive=False)
    assert isinstance(outcome, NeedsClarification)
    return outcome


async def test_probable_answer_precedes_the_question() -> None:
    """What probably answers stands above the question."""
    state = await play(ScriptedQuoter(QUOTED))
    outcome = ended(state)

    assert outcome.kind == "below_threshold"
    assert outcome.nearest == "The lease of the Hull yard costs £4,000 a month [1]."
    assert [source.chunk_id for source in outcome.citations] == [chunk_id(0)]
    assert outcome.clarification_question == (
        "Is this what you meant? If not, say it in other words, or name the document that should "
        "say it. (6 passages looked at, none close enough to be sure.)"
    )


async def test_nothing_without_a_shared_word() -> None:
    """What shares no word with the question is not near to it, whatever the reading model says."""
    assert ended(await play(ScriptedQuoter(QUOTED), "When is the summer picnic?")).nearest == ""


async def test_no_answer_is_made_of_it() -> None:
    """It has neither an audit nor a badge to speak of, takes no model call, and the trail tells."""
    state = await play(ScriptedQuoter(QUOTED))
    outcome = ended(state)

    assert [entry["node"] for entry in state["trace"]] == ["researcher"]
    assert state["trace"][0]["shown_unsure"] == 1
    assert "model_calls" not in state["figures"]
    assert (outcome.confidence, outcome.audit) == (0.0, None)
    assert outcome.badge is not None
    assert outcome.badge.level == "Low"


@pytest.mark.parametrize("quoter", [None, ScriptedQuoter()], ids=["no quoter", "nothing"])
async def test_no_probable_answer_shows_nothing(
    quoter: ScriptedQuoter | None,
) -> None:
    """Where nothing probably answers nothing is shown."""
    state = await play(quoter)
    outcome = ended(state)

    assert (outcome.nearest, outcome.citations) == ("", [])
    assert "best relevance 0.30, needed 0.60" in outcome.clarification_question
    assert "shown_unsure" not in state["trace"][0]


async def test_only_first_passages_are_quoted() -> None:
    """Only the first passages are quoted from."""
    quoter = ScriptedQuoter()

    await play(quoter)

    assert [[each.chunk_id for each in asked] for asked in quoter.asked] == [
        [chunk_id(0), chunk_id(1), chunk_id(2)]
    ]


async def test_wordless_question_gets_no_quote() -> None:
    """A question without words is not quoted for."""
    quoter = ScriptedQuoter(QUOTED)

    await play(quoter, "what can you do?")

    assert quoter.asked == []


async def test_found_evidence_skips_the_quoter() -> None:
    """With evidence nobody is asked to quote."""
    quoter = ScriptedQuoter(QUOTED)

    await play(quoter, score=0.9)

    assert quoter.asked == []


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("What is the rent of the Veltona yard?", QUOTED),
        (RENT, f"The lease of the Hull yard costs £7,000 a month [{chunk_id(0)}]."),
        (RENT, "The lease of the Hull yard costs £4,000 a month [c_zzzzzzzzzzzz]."),
    ],
    ids=["another name", "another figure", "another source"],
)
async def test_passage_on_other_topic_is_withheld(question: str, quoted: str) -> None:
    """What is about something else is not shown."""
    assert ended(await play(ScriptedQuoter(quoted), question)).nearest == ""


async def test_secrets_are_struck_out_of_it() -> None:
    secret = "AKIAIOSFODNN7EXAMPLE"
    found = [chunk(0, text=f"The key of the yard is {secret}.", score=0.3)]
    quoted = f"The key of the yard is {secret} [{chunk_id(0)}]."
    cast = Cast(researcher=ScriptedResearcher([found]), quoter=ScriptedQuoter(quoted))
    start = MASISInput(user_query="What opens the yard?", workspace_id="w").to_state()
    state: Any = await build().ainvoke(start, context=cast.context())
    outcome = ended(state)

    assert secret not in f"{outcome.nearest}{outcome.citations}"


async def test_rejected_document_is_not_quoted() -> None:
    """What was set aside is not quoted from."""
    aside = SourceStatement(document_id=chunk(0).document_id, document="a.md", text=LEASE)
    quoter = ScriptedQuoter(QUOTED)
    found = [chunk(0, text=LEASE, score=0.3)]
    cast = Cast(researcher=ScriptedResearcher([found]), quoter=quoter)
    choice = Choice(kind="neither", statements=[aside])
    start = MASISInput(user_query=RENT, workspace_id="w", choices=[choice]).to_state()
    state: Any = await build().ainvoke(start, context=cast.context())

    assert ended(state).nearest == ""


async def test_it_survives_being_written_down() -> None:
    state = await play(ScriptedQuoter(QUOTED))
    draft = state["unsure_draft"]
    assert draft is not None

    kept = RESEARCH.decode(
        RESEARCH.encode({"unsure_draft": draft}), {each.chunk_id: each for each in draft.evidence}
    )

    assert kept["unsure_draft"] == draft
