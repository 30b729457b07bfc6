"""What an answer leaves open of its question: the badge, the sentences, and what is asked back."""

from collections.abc import Iterable
from typing import Any

import pytest

from masis.domain import Answered, NeedsClarification, WorkspaceId
from masis.graphs.research.graph import RESEARCH, build, conclude
from masis.graphs.research.state import AuditedDraft, MASISInput, State
from masis.text.lexical import terms
from tests.scripted_agents import (
    Cast,
    ScriptedCritic,
    ScriptedResearcher,
    ScriptedSynthesizer,
    badge_of,
    chunk,
    chunk_id,
    critique,
)

LEASE = "The lease of the Hull yard costs £4,000 a month."
SITES = (
    "| Site: Leeds | Phone: 0113 496 0142 |\n| Site: York | Phone: 01632 960187 |\n"
    "| Site: Hull | Phone: 01632 960233 |"
)


class Words:
    """Documents of these words."""

    def __init__(self, text: str) -> None:
        self._known = frozenset(terms(text))

    async def known(self, workspace_id: WorkspaceId, words: Iterable[str]) -> frozenset[str]:  # noqa: ARG002 - the one that is asked
        return self._known.intersection(words)


async def play(
    question: str, text: str = LEASE, confidence: float = 0.9, known: str = "", **more: Any
) -> State:
    """A run over one passage, which the draft quotes whole where none is given."""
    quoted = f"{text.replace('|', '').rstrip('.')} [{chunk_id(0)}]."
    cast = Cast(
        researcher=ScriptedResearcher([[chunk(0, text=text, score=more.pop("score", 0.8))]]),
        synthesizer=ScriptedSynthesizer([more.pop("draft", "") or quoted]),
        critic=ScriptedCritic([critique(confidence, **more)]),
        vocabulary=Words(f"{text} {known}"),
    )
    start = MASISInput(user_query=question, workspace_id="w", max_retries=0).to_state()
    result: Any = await build().ainvoke(start, context=cast.context())
    state: State = result
    return state


async def answered(question: str, **more: Any) -> Answered:
    outcome = conclude(await play(question, **more), "r1", extractive=False)
    assert isinstance(outcome, Answered)
    return outcome


async def asked_back(question: str, **more: Any) -> NeedsClarification:
    outcome = conclude(await play(question, **more), "r1", extractive=False)
    assert isinstance(outcome, NeedsClarification)
    return outcome


async def test_a_plain_answer_leaves_nothing_open() -> None:
    outcome = await answered("How much is the lease of the Hull yard?")

    assert (badge_of(outcome).level, outcome.gaps) == ("High", [])


@pytest.mark.parametrize(
    ("question", "known", "gap"),
    [
        ("How much is the lease in brazil?", "", "The documents do not mention brazil."),
        ("How much is the lease in brazil?", "Brazil", "What was found does not mention brazil."),
        ("What was the lease in 2019?", "", "The documents do not mention 2019."),
        ("What is the lease of the Veltona yard?", "", "The documents do not mention Veltona."),
    ],
)
async def test_unmentioned_name_is_low_and_named(question: str, known: str, gap: str) -> None:
    """A name without mention is low and told."""
    outcome = await answered(question, known=known)

    assert badge_of(outcome).level == "Low"
    assert "no passage mentions" in badge_of(outcome).note
    assert outcome.gaps == [gap]


async def test_open_part_caps_badge_at_medium() -> None:
    """An open part is medium at most."""
    outcome = await answered("How much is the lease of the Hull yard, and why?")

    assert badge_of(outcome).level == "Medium"
    assert badge_of(outcome).note == "a part of the question has no answer"
    assert outcome.gaps == ["Nothing was found on this part of the question: “why”."]


async def test_a_quoted_figure_is_no_calculation() -> None:
    outcome = await answered("How much is the lease of both yards in total?")

    assert (badge_of(outcome).level, badge_of(outcome).note) == ("Medium", "nothing was calculated")
    assert outcome.gaps == [
        "Nothing was calculated: these are the figures as the documents give them."
    ]


async def test_a_stated_total_may_be_high() -> None:
    text = "The lease of both yards costs £9,000 in total."

    outcome = await answered("How much is the lease of both yards in total?", text=text)

    assert (badge_of(outcome).level, outcome.gaps) == ("High", [])


async def test_absent_topic_is_named_without_draft() -> None:
    """What nothing speaks of is named without a draft beside it."""
    outcome = await asked_back("What is the stock price?", confidence=0.4)

    assert outcome.kind == "not_covered"
    assert outcome.clarification_question == (
        "No document here mentions “stock price”. If they call it something else, reply with that "
        "word. If not, upload the document that covers it."
    )
    assert outcome.nearest == ""


async def test_near_draft_accompanies_absent_word() -> None:
    """A near draft stands beside a word that is absent."""
    outcome = await asked_back("How much is the deposit of the Hull yard?", confidence=0.6)

    assert outcome.kind == "not_covered"
    assert "“deposit”" in outcome.clarification_question
    assert outcome.nearest == f"{LEASE} [1]"


async def test_unmentioned_name_outranks_conflict() -> None:
    """A name without mention outranks a conflict."""
    outcome = await asked_back(
        "How much is the lease in brazil?", conflicting_evidence=["£4,000 against £5,000"]
    )

    assert outcome.kind == "not_covered"
    assert outcome.nearest == ""


async def test_several_matching_things_become_options() -> None:
    """Several things that fit are the options."""
    draft = f"Site: Leeds – Phone: 0113 496 0142 [{chunk_id(0)}]."

    outcome = await asked_back("phone of the site", text=SITES, confidence=0.4, draft=draft)

    assert (outcome.kind, outcome.options) == ("ambiguous", ["Leeds", "York", "Hull"])
    assert outcome.clarification_question == (
        "Is this what you meant? If not, which site do you mean: Leeds, York or Hull?"
    )
    assert outcome.nearest == "Site: Leeds – Phone: 0113 496 0142. [1]"


async def test_options_stand_alone_without_near_draft() -> None:
    """Without a near draft the options are asked alone."""
    draft = f"Somebody wrote this [{chunk_id(0)}]."

    outcome = await asked_back("phone of the site", text=SITES, confidence=0.4, draft=draft)

    assert outcome.nearest == ""
    assert outcome.clarification_question == (
        "Several things fit. Which site do you mean: Leeds, York or Hull?"
    )


async def test_half_answer_names_answered_half() -> None:
    """Half an answer says which half is there."""
    outcome = await asked_back("How much is the lease of the Hull yard, and why?", confidence=0.5)

    assert outcome.kind == "partly_answered"
    assert outcome.clarification_question.startswith(
        "I found something on “How much is the lease of the Hull yard”, and nothing on “why”."
    )
    assert outcome.nearest == f"{LEASE} [1]"


async def test_unsure_draft_shows_nearest_statement() -> None:
    """An unsure draft shows its nearest statement."""
    outcome = await asked_back("How much is the lease of the Hull yard?", confidence=0.46)

    assert outcome.kind == "low_confidence"
    assert outcome.clarification_question == (
        "Is this what you meant? If not, say it in other words, or name the document that should "
        "say it. (Without a further attempt the confidence is 46.0 %.)"
    )
    assert outcome.nearest == f"{LEASE} [1]"


async def test_distant_draft_is_not_shown() -> None:
    """A draft that is far is not shown."""
    outcome = await asked_back("How much do we get for the yard each?", confidence=0.1)

    assert outcome.kind == "low_confidence"
    assert "I found nothing that clearly answers it." in outcome.clarification_question
    assert outcome.nearest == ""


async def test_question_words_outweigh_low_confidence() -> None:
    """The words of a question outweigh a low confidence."""
    outcome = await asked_back("How much is the lease of the Hull yard?", confidence=0.1)

    assert outcome.nearest == f"{LEASE} [1]"


async def test_claim_missing_from_source_is_withheld() -> None:
    """What its source has not is not shown as nearest."""
    outcome = await asked_back(
        "How much is the lease of the Hull yard?",
        confidence=0.5,
        draft=f"The lease of the Hull yard costs £7,000 a month [{chunk_id(0)}].",
    )

    assert outcome.nearest == ""
    assert "Is this what you meant?" not in outcome.clarification_question


async def test_conflict_shows_no_nearest_statement() -> None:
    """Where sources conflict nothing is shown as nearest."""
    outcome = await asked_back(
        "How much is the lease of the Hull yard?", conflicting_evidence=["£4,000 against £5,000"]
    )

    assert (outcome.kind, outcome.nearest, outcome.options) == ("conflict", "", [])


async def test_absent_word_is_named_without_evidence() -> None:
    """Where nothing qualified what is absent is said."""
    outcome = await asked_back("Is there a swimming pool?", score=0.3)
    other = await asked_back("How much is the lease?", score=0.3)

    assert (outcome.kind, other.kind) == ("below_threshold", "below_threshold")
    assert outcome.clarification_question.startswith(
        "No document here mentions “swimming pool”. I found nothing close enough"
    )
    assert other.clarification_question.startswith("I found nothing close enough")
    assert "(1 passage looked at, best relevance 0.30, needed " in other.clarification_question


async def test_open_findings_survive_storage() -> None:
    """What is left open survives being written down."""
    state = await play("How much is the lease in brazil, and why?")
    draft = state["best_draft"]
    assert draft is not None

    stored = RESEARCH.encode({"best_draft": draft})
    again = RESEARCH.decode(stored, {chunk_id(0): draft.evidence[0]})["best_draft"]

    assert again.left_open == draft.left_open
    assert draft.left_open.unmentioned == ["brazil"]


def test_older_stored_draft_leaves_nothing_open() -> None:
    """A draft from before leaves nothing open."""
    stored = {
        "number": 1,
        "answer": "",
        "confidence": 0.5,
        "confidence_raw": 0.5,
        "penalty_factor": 1.0,
        "critique": None,
        "audit": {},
        "evidence": [],
    }

    assert AuditedDraft.model_validate(stored).left_open.unmentioned == []
