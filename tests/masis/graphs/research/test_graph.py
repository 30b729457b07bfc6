from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.errors import GraphRecursionError
from langsmith.utils import get_env_var, tracing_is_enabled
from pydantic import ValidationError

from masis.domain import (
    Answered,
    CitationAudit,
    Critique,
    EvidenceChunk,
    Narrowed,
    NeedsClarification,
    Place,
    Question,
    Scores,
    Unknown,
)
from masis.errors import ModelServiceError
from masis.filters import Filters
from masis.graphs.common import Node, mermaid
from masis.graphs.research.decisions import (
    Findings,
    decide,
    route_from_supervisor,
)
from masis.graphs.research.graph import RESEARCH, build, conclude
from masis.graphs.research.model import ModelSynthesizer
from masis.graphs.research.state import MASISInput, State
from masis.graphs.research.texts import (
    NO_EVIDENCE_ANSWER,
    NOT_BORNE_OUT,
    OVER_COMPRESSION_GAP,
)
from masis.policy import Policy, allowed_retries
from masis.runs import run
from masis.text.redaction import HIDDEN
from tests.examples import examples
from tests.scripted_agents import (
    GOOD_SCORES,
    Cast,
    ScriptedCritic,
    ScriptedEvaluator,
    ScriptedResearcher,
    ScriptedSynthesizer,
    chunk,
    chunk_id,
    cited,
    critique,
)

QUESTION = "When does office number 0 open?"
INVENTED = f"Office number 0 opens at nine in the morning [{'c_' + 'z' * 12}]."


def first_state(max_retries: int | None = None) -> State:
    return MASISInput(
        user_query=QUESTION, workspace_id="w_test", max_retries=max_retries
    ).to_state()


async def play(cast: Cast, max_retries: int | None = None) -> State:
    result: Any = await build().ainvoke(first_state(max_retries), context=cast.context())
    state: State = result
    return state


def last_audit(state: State) -> CitationAudit:
    assert state["this_draft"] is not None
    return state["this_draft"].audit


def steps(state: State) -> list[str]:
    return [entry["node"] for entry in state["trace"]]


# --- paths ---------------------------------------------------------------------------------


def test_environment_cannot_switch_tracing_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tracing that the environment asks for stays off."""
    for name in ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2"):
        monkeypatch.setenv(name, "true")
    remembered: Any = get_env_var
    remembered.cache_clear()
    build()
    enabled = tracing_is_enabled()
    remembered.cache_clear()
    assert enabled is False


async def test_good_draft_takes_three_model_calls() -> None:
    """A good first draft takes three model calls and one search."""
    state = await play(Cast())

    assert steps(state) == ["researcher", "synthesizer", "critic", "evaluator", "supervisor"]
    assert state["figures"]["model_calls"] == 3
    assert state["figures"]["searches"] == 1
    assert state["trace"][-1]["decision"] == "finalize"
    assert state["final_answer"] == cited(0)


async def test_one_retry_takes_six_model_calls() -> None:
    """One retry takes six model calls and two searches."""
    cast = Cast(critic=ScriptedCritic([critique(0.5), critique(0.9)]))

    state = await play(cast)

    assert state["figures"]["model_calls"] == 6
    assert state["figures"]["searches"] == 2
    assert state["retry_count"] == 1
    assert [e["decision"] for e in state["trace"] if e["node"] == "supervisor"] == [
        "retry",
        "finalize",
    ]


async def test_exhausted_run_takes_nine_model_calls() -> None:
    """An exhausted run takes nine model calls and three searches."""
    state = await play(Cast(critic=ScriptedCritic([critique(0.542)])))

    assert state["figures"]["model_calls"] == 9
    assert state["figures"]["searches"] == 3
    assert state["requires_human_review"]
    assert state["trace"][-1]["decision"] == "hitl_quality"
    question = state["clarification_question"] or ""
    assert "2 refinement attempts" in question
    assert "54.2 %" in question


async def test_no_evidence_costs_no_model_call() -> None:
    """No evidence costs no model call and says what to do."""
    weak = [chunk(n, score=0.3) for n in range(4)]

    state = await play(Cast(researcher=ScriptedResearcher([weak])))

    assert steps(state) == ["researcher"]
    assert "model_calls" not in state["figures"]
    assert state["figures"]["searches"] == 1
    assert state["figures"]["evaluation"] is None
    assert state["figures"]["evaluation_skipped_reason"] == "no_evidence"
    assert state["draft_answer"] is None
    question = state["clarification_question"] or ""
    assert "4 passages" in question
    assert "0.30" in question
    assert "rephrase" in question


# --- filters -------------------------------------------------------------------------------


async def narrowed(filters: str, told: Narrowed, found: list[EvidenceChunk]) -> tuple[Cast, State]:
    cast = Cast(researcher=ScriptedResearcher([found], narrowed=told))
    asked = MASISInput(user_query=f"{QUESTION} {filters}", workspace_id="w_test").to_state()
    state: Any = await build().ainvoke(asked, context=cast.context())
    return cast, state


async def test_filters_reach_search_but_no_agent() -> None:
    """Filters reach the search and no agent reads them as words."""
    told = Narrowed(filters="in:handbook/ type:pdf", documents=3)

    cast, state = await narrowed("type:pdf in:handbook/", told, [chunk(0)])

    assert cast.researcher.filters == [Filters(folders=("handbook/",), formats=("pdf",))]
    assert cast.researcher.asked[0][1] == QUESTION
    assert cast.researcher.questions == [QUESTION]
    assert [asked.standalone for asked in cast.synthesizer.questions] == [QUESTION]
    entry = state["trace"][0]
    assert (entry["filters"], entry["documents"]) == ("in:handbook/ type:pdf", 3)
    outcome = conclude(state, "r1", extractive=False)
    assert outcome.question == f"{QUESTION} type:pdf in:handbook/"


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (Narrowed(filters="type:epub", documents=0), "No document of this workspace is within"),
        (Narrowed(filters="after:2030-01-01", documents=0, undated=2), "2 documents have no date"),
        (Narrowed(filters="section:x", documents=4), "4 documents are within section:x"),
        (
            Narrowed(
                filters="@a.md",
                documents=0,
                unknown=[Unknown(written="a.md", near=["b/aa.md", "ab.md"])],
            ),
            "has no “a.md”. Did you mean “b/aa.md” or “ab.md”?",
        ),
        (
            Narrowed(filters="@a.md", documents=0, unknown=[Unknown(written="a.md")]),
            "has no “a.md”. Please check the name",
        ),
        (Narrowed(filters="", documents=9, unread=["“x” is no date"]), "“x” is no date."),
    ],
    ids=["nothing", "undated", "no passage", "near", "unknown", "unread"],
)
async def test_empty_filter_result_says_so(told: Narrowed, said: str) -> None:
    """Filters that leave nothing are said instead of no documents."""
    _, state = await narrowed("type:pdf", told, [])

    outcome = conclude(state, "r1", extractive=False)

    assert isinstance(outcome, NeedsClarification)
    assert outcome.kind == "below_threshold"
    assert said in outcome.clarification_question


# --- nothing found ------------------------------------------------------------------------------


async def test_empty_workspace_asks_for_documents() -> None:
    """An empty workspace asks for documents and names itself."""
    state = await play(Cast(researcher=ScriptedResearcher([[]], indexed=0)))

    outcome = conclude(state, "r1", extractive=False)

    assert isinstance(outcome, NeedsClarification)
    assert outcome.kind == "empty_workspace"
    assert "“handbook”" in outcome.clarification_question
    assert "Upload" in outcome.clarification_question
    assert outcome.answer == NO_EVIDENCE_ANSWER
    assert outcome.evaluation is None
    assert outcome.evaluation_skipped_reason == "no_evidence"
    assert outcome.badge is not None
    assert outcome.badge.level == "Low"


async def test_retry_without_evidence_keeps_earlier_draft() -> None:
    """No evidence on a retry gives the earlier draft with its scores."""
    cast = Cast(
        researcher=ScriptedResearcher([[chunk(0)], [chunk(1, score=0.2)]]),
        critic=ScriptedCritic([critique(0.5)]),
    )

    state = await play(cast)
    outcome = conclude(state, "r1", extractive=False)

    assert state["figures"]["model_calls"] == 3
    assert isinstance(outcome, NeedsClarification)
    assert outcome.kind == "below_threshold"
    assert outcome.answer == "Office number 0 opens at nine in the morning [1]."
    assert outcome.confidence == 0.5
    assert outcome.evaluation is not None
    assert outcome.evaluation.faithfulness == 0.9
    assert outcome.citations[0].chunk_id == chunk_id(0)


async def test_lone_conflict_is_retried_then_asked() -> None:
    """A lone conflict is retried under its own reason and then asked about."""
    papers = [
        chunk(0, date="2025-11-20", document="board.pdf"),
        chunk(1, date="2026-10-05", document="forecast.xlsx"),
    ]
    conflict = f"9 o'clock [{chunk_id(0)}] against 10 o'clock [{chunk_id(1)}]"
    cast = Cast(
        researcher=ScriptedResearcher([papers]),
        critic=ScriptedCritic([critique(0.9, conflicting_evidence=[conflict])]),
    )

    state = await play(cast, max_retries=1)
    outcome = conclude(state, "r1", extractive=False)

    assert state["figures"]["retry_reasons"][0]["reason"] == (
        "conflicting_evidence_attempting_resolution"
    )
    assert state["trace"][-1]["decision"] == "hitl_conflict"
    assert isinstance(outcome, NeedsClarification)
    assert outcome.kind == "conflict"
    assert outcome.clarification_question == (
        "The sources disagree:\n"
        "1. board.pdf (20 Nov 2025): “Office number 0 opens at nine in the morning.”\n"
        "2. forecast.xlsx (5 Oct 2026): “Office number 1 opens at nine in the morning.”\n"
        "Which one counts?"
    )
    assert [said.document for said in outcome.statements] == ["board.pdf", "forecast.xlsx"]


async def test_conflict_outranks_low_confidence_finally() -> None:
    """A conflict outranks low confidence when retries are used up."""
    cast = Cast(critic=ScriptedCritic([critique(0.2, conflicting_evidence=["a against b"])]))

    state = await play(cast, max_retries=0)

    assert state["trace"][-1]["decision"] == "hitl_conflict"
    assert state["clarification_question"] == "The sources disagree on this. Which one counts?"


async def test_failed_audit_gets_lowest_badge_unretried() -> None:
    """An audit that failed is not retried and gets the lowest badge."""
    state = await play(Cast(critic=ScriptedCritic([None])))
    outcome = conclude(state, "r1", extractive=False)

    assert steps(state).count("researcher") == 1
    assert state["figures"]["model_calls"] == 2, "nobody scores what nobody audited"
    assert state["confidence"] == 0.0
    assert isinstance(outcome, NeedsClarification)
    assert outcome.kind == "not_audited"
    assert outcome.badge is not None
    assert outcome.badge.level == "Not audited"
    assert outcome.audit is not None
    assert outcome.audit.citations == [chunk_id(0)], "the deterministic audit ran all the same"


async def test_failed_scores_count_as_unaudited() -> None:
    """Scores that failed count as not audited."""
    state = await play(Cast(evaluator=ScriptedEvaluator([None])))
    outcome = conclude(state, "r1", extractive=False)

    assert isinstance(outcome, NeedsClarification)
    assert outcome.kind == "not_audited"
    assert outcome.confidence == 0.0


async def test_writer_refusal_leaves_graph_as_error() -> None:
    """A refusal of the writer leaves the graph as an error."""

    class Refusing(ScriptedSynthesizer):
        async def draft(self, *_: Any) -> Any:
            raise ModelServiceError("The model refused to write an answer.")

    with pytest.raises(ModelServiceError, match="refused"):
        await play(Cast(synthesizer=Refusing()))


# --- numbers -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "draft", "expected"),
    [
        (0.88, f"{cited(0)} The building is painted in a dark green.", 0.8536),
        (0.95, " ".join([cited(0), *["The building is painted in dark green."] * 10]), 0.665),
        (
            0.58,
            f"{INVENTED} Rooms are free [{'c_' + 'y' * 12}] on most days. "
            + " ".join(["The building is painted in dark green."] * 3),
            0.2639,
        ),
    ],
)
async def test_golden_confidences(raw: float, draft: str, expected: float) -> None:
    cast = Cast(synthesizer=ScriptedSynthesizer([draft]), critic=ScriptedCritic([critique(raw)]))

    state = await play(cast, max_retries=0)

    assert state["confidence"] == pytest.approx(expected, abs=5e-5)
    assert state["figures"]["confidence_raw"] == raw
    assert raw * state["figures"]["penalty_factor"] == pytest.approx(state["confidence"], abs=1e-4)


async def test_invented_citation_is_always_a_hallucination() -> None:
    """An invented citation is a hallucination whatever the critic says."""
    cast = Cast(synthesizer=ScriptedSynthesizer([INVENTED]), critic=ScriptedCritic([critique(1.0)]))

    state = await play(cast, max_retries=0)
    outcome = conclude(state, "r1", extractive=False)

    assert state["critique"] is not None
    assert state["critique"].hallucination_detected
    assert state["critique"].needs_retry
    assert state["confidence"] == 0.5
    assert state["figures"]["evaluation"]["faithfulness"] == 0.40
    assert isinstance(outcome, NeedsClarification)
    assert outcome.badge is not None
    assert outcome.badge.level == "Low"
    assert "c_zzzz" not in outcome.answer
    assert "not found" in outcome.answer


def forgets_to_count(name: str, node: Node) -> Node:
    """Wrap the supervisor so that its decision to retry never raises the count."""

    async def step(state: Any, runtime: Any) -> Any:
        return {**await node(state, runtime), "retry_count": 0}

    return step if name == "supervisor" else node


@pytest.mark.parametrize("max_retries", [1, 2, 5])
async def test_supervisor_that_miscounts_is_stopped(max_retries: int) -> None:
    """A supervisor that forgets to count is stopped."""
    cast = Cast(critic=ScriptedCritic([critique(0.1)]))
    graph = cast.bound(forgets_to_count)
    with pytest.raises(GraphRecursionError):
        await run(graph, first_state(max_retries))
    assert len(cast.researcher.asked) <= max_retries + 2


SECRET = "ghp_" + "a1B2" * 9


async def test_document_secret_is_never_shown() -> None:
    """A secret in a document is shown to nobody."""
    said = f"The deploy key is {SECRET} until Friday"
    paper = chunk(0, text=f"{said}.")
    cast = Cast(
        researcher=ScriptedResearcher([[paper]]),
        synthesizer=ScriptedSynthesizer([f"{said} [{chunk_id(0)}]."]),
        critic=ScriptedCritic([critique(0.7, logical_gaps=[f"Whose is {SECRET}?"])]),
    )

    state = await play(cast)
    outcome = conclude(state, "r1", extractive=False)

    assert isinstance(outcome, Answered)
    assert SECRET not in str(outcome.model_dump())
    assert outcome.answer == f"The deploy key is {HIDDEN} until Friday [1]."
    assert outcome.citations[0].text == f"The deploy key is {HIDDEN} until Friday."
    assert not outcome.audit.unsupported


@pytest.mark.parametrize("extractive", [True, False])
async def test_only_model_written_text_is_graded(extractive: bool) -> None:
    """Only what a model writes is graded."""
    beside = f"The board fired the chief executive after a long dispute [{chunk_id(0)}]."
    cast = Cast(synthesizer=ScriptedSynthesizer([f"{cited(0)} {beside}"]))
    context = cast.context()
    agents = replace(context.agents, extractive=extractive)

    state = await run(RESEARCH.bound(replace(context, agents=agents)), first_state())
    outcome = conclude(state, "r1", extractive=extractive)

    assert isinstance(outcome, Answered)
    assert outcome.badge is not None
    assert outcome.badge.level == ("High" if extractive else "Medium")
    assert outcome.badge.note == ("" if extractive else NOT_BORNE_OUT)


async def test_retry_still_drops_far_behind_chunk() -> None:
    """A retry keeps what the nearest leaves behind."""
    near, far = chunk(0, nearness=0.9), chunk(1, nearness=0.3)
    cast = Cast(
        researcher=ScriptedResearcher([[near, far]]),
        critic=ScriptedCritic([critique(0.3), critique(0.9)]),
    )

    state = await play(cast)

    first, second = state["figures"]["retrieval_scores"]
    assert [each["kept"] for each in first["candidates"]] == [True, False]
    assert first["candidates"][1]["because"] == "far_behind_nearest"
    assert cast.critic.passed_over[0] == [far]
    assert [each["kept"] for each in second["candidates"]] == [True, True]


@pytest.mark.parametrize("draft", ["\u200b\u2060", "…", f"[{chunk_id(0)}]"])
async def test_draft_without_statements_has_no_badge(draft: str) -> None:
    """A draft that states nothing has no badge."""
    cast = Cast(synthesizer=ScriptedSynthesizer([draft]))

    outcome = conclude(await play(cast, max_retries=0), "r1", extractive=False)

    assert isinstance(outcome, NeedsClarification)
    assert outcome.badge is None
    assert outcome.confidence == 0.0


async def test_unsupported_claims_are_not_high() -> None:
    """Claims that nothing bears out are not high."""
    draft = f"## The board fired the chief executive\n\n{cited(0)}"
    cast = Cast(synthesizer=ScriptedSynthesizer([draft]))

    outcome = conclude(await play(cast), "r1", extractive=False)

    assert isinstance(outcome, Answered)
    assert outcome.badge is not None
    assert outcome.badge.level == "Medium"
    assert "The board fired the chief executive" in outcome.improvement


@pytest.mark.parametrize(("max_retries", "passes"), [(None, 3), (0, 1), (1, 2), (2, 3), (5, 6)])
async def test_max_retries_counts_extra_passes(max_retries: int | None, passes: int) -> None:
    cast = Cast(critic=ScriptedCritic([critique(0.1)]))

    state = await play(cast, max_retries)

    assert state["figures"]["searches"] == passes
    assert state["figures"]["model_calls"] == 3 * passes
    assert len(state["figures"]["confidence_history"]) == passes


@pytest.mark.parametrize("max_retries", [-1, 6])
def test_max_retries_outside_range_is_refused(max_retries: int) -> None:
    """Max retries outside its range is refused at the door."""
    with pytest.raises(ValidationError, match="max_retries"):
        MASISInput(user_query=QUESTION, workspace_id="w", max_retries=max_retries)


@pytest.mark.parametrize(("given_", "held"), [(None, 2), (0, 0), (5, 5), (-1, 0), (6, 5)])
def test_handmade_state_retries_are_clamped(given_: int | None, held: int) -> None:
    """A state made by hand is held to the same range."""
    assert allowed_retries(given_) == held


@pytest.mark.parametrize(("confidence", "decision"), [(0.65, "finalize"), (0.6499, "hitl_quality")])
async def test_the_pass_mark_itself_passes(confidence: float, decision: str) -> None:
    state = await play(Cast(critic=ScriptedCritic([critique(confidence)])), max_retries=0)

    assert state["trace"][-1]["decision"] == decision


async def test_chunk_on_threshold_is_kept() -> None:
    """A chunk on the threshold is kept and one below is not."""
    found = [chunk(0, score=0.60), chunk(1, score=0.5999), chunk(2, score=0.1, coverage=0.8)]

    state = await play(Cast(researcher=ScriptedResearcher([found])))

    entry = state["trace"][0]
    assert [c.chunk_id for c in state["evidence"]] == [chunk_id(0), chunk_id(2)]
    assert entry["chunks"] + entry["filtered_out"] == len(found)
    kept = {c["chunk_id"]: c["kept"] for c in state["figures"]["retrieval_scores"][0]["candidates"]}
    assert kept == {chunk_id(0): True, chunk_id(1): False, chunk_id(2): True}


async def test_retry_widens_search_for_missing_content() -> None:
    """A retry widens the net and searches for what was missing."""
    long_gap = "the opening hours on public holidays " * 20
    found = critique(0.5, unsupported_claims=["It opens at ten."], logical_gaps=[long_gap])
    cast = Cast(critic=ScriptedCritic([found, critique(0.9)]))

    state = await play(cast)

    first, second = cast.researcher.asked
    assert first == ("w_test", QUESTION, 10)
    assert second[2] == 20
    assert second[1].startswith(QUESTION)
    assert "It opens at ten." in second[1]
    assert len(second[1]) < len(QUESTION) + 460, (
        "each text of the critique is cut at 200 characters"
    )
    assert state["user_query"] == QUESTION
    assert cast.researcher.questions == [QUESTION, QUESTION], "coverage is the question's"
    one, two = (entry for entry in state["trace"] if entry["node"] == "researcher")
    assert (one["threshold_used"], two["threshold_used"]) == (0.60, 0.55)
    assert (one["augmented_query_used"], two["augmented_query_used"]) == (False, True)
    assert (one["route"], two["route"]) == ("first_run", "retry")
    assert cast.synthesizer.asked[0][1] is None
    told = cast.synthesizer.asked[1][1]
    assert told is not None
    assert told.unsupported_claims == ["It opens at ten."]


async def test_fired_clamp_retries_unless_disabled() -> None:
    """A clamp that fired wants a retry unless the setting is off."""
    severe = " ".join([cited(0), *["The building is painted in dark green."] * 5])
    draft = ScriptedSynthesizer([severe])
    sure = ScriptedCritic([critique(1.0)])

    strict = await play(Cast(synthesizer=draft, critic=sure), max_retries=0)

    assert strict["figures"]["evaluation"]["clamps"]
    assert strict["trace"][-1]["decision"] == "hitl_quality"

    lenient = Findings(
        confidence=0.9,
        low_confidence=False,
        citation_issue=False,
        hallucination=False,
        asks_for_retry=False,
        clamped=False,
        conflict=False,
        audited=True,
    )
    assert decide(lenient, 0, 2).decision == "finalize"
    assert decide(lenient.model_copy(update={"clamped": True}), 0, 2).decision == "retry"


# --- the best draft ------------------------------------------------------------------------


async def test_best_audited_draft_survives_worse_ones() -> None:
    """The best audited draft is kept when later ones are worse."""
    cast = Cast(
        researcher=ScriptedResearcher([[chunk(0)], [chunk(1)], [chunk(2)]]),
        synthesizer=ScriptedSynthesizer([cited(0), cited(1), cited(2)]),
        critic=ScriptedCritic([critique(0.5), critique(0.6), critique(0.4)]),
    )

    state = await play(cast)
    outcome = conclude(state, "r1", extractive=False)

    assert state["final_answer"] == cited(1)
    assert state["confidence"] == 0.4, "the state's confidence is the last pass's"
    assert outcome.confidence == 0.6
    assert [c.document for c in outcome.citations] == ["paper-1.md"]
    assert state["clarification_question"] is not None
    assert "60.0 %" in state["clarification_question"]


async def test_valid_citations_beat_higher_confidence() -> None:
    """A draft without invalid citations beats a more confident one with them."""
    cast = Cast(
        synthesizer=ScriptedSynthesizer([cited(0), INVENTED]),
        critic=ScriptedCritic([critique(0.3), critique(1.0)]),
    )

    state = await play(cast, max_retries=1)

    assert state["final_answer"] == cited(0)
    assert state["figures"]["evaluation"]["faithfulness"] == 0.9, "the scores are the best draft's"


async def test_finalized_pass_is_shown() -> None:
    """The finalized pass is the one that is shown."""
    cast = Cast(
        critic=ScriptedCritic([critique(0.9, hallucination_detected=True), critique(0.7)]),
        synthesizer=ScriptedSynthesizer([cited(0), f"In short: {cited(0)}"]),
    )

    state = await play(cast)
    outcome = conclude(state, "r1", extractive=False)

    assert isinstance(outcome, Answered)
    assert outcome.confidence == 0.7
    assert outcome.answer.startswith("In short")
    assert outcome.badge is not None
    assert outcome.badge.level == "Medium"


@pytest.mark.parametrize(
    "draft",
    [
        "There is insufficient evidence on this question.",
        "**Four days**",
        "You may carry over 9 days until 31 May, as the evidence is not provided.",
        "You may carry over nine days.",
    ],
)
async def test_draft_without_citations_is_no_answer(draft: str) -> None:
    """A draft that cites nothing is never an answer."""
    cast = Cast(synthesizer=ScriptedSynthesizer([draft]), critic=ScriptedCritic([critique(1.0)]))

    state = await play(cast, max_retries=0)
    outcome = conclude(state, "r1", extractive=False)

    assert isinstance(outcome, NeedsClarification)
    assert "it cites no source" in outcome.clarification_question


async def test_failed_later_scores_keep_earlier_draft() -> None:
    """Scores that fail on a later pass leave the earlier draft in its place."""
    cast = Cast(
        synthesizer=ScriptedSynthesizer([cited(0), f"In short: {cited(0)}"]),
        critic=ScriptedCritic([critique(0.6), critique(0.9)]),
        evaluator=ScriptedEvaluator([GOOD_SCORES, None]),
    )

    state = await play(cast)
    outcome = conclude(state, "r1", extractive=False)

    assert state["confidence"] == 0.0, "what was not scored has no confidence"
    assert state["final_answer"] == cited(0)
    assert isinstance(outcome, NeedsClarification)
    assert outcome.kind == "low_confidence"
    assert outcome.confidence == 0.6


# --- compression ---------------------------------------------------------------------------


def long_evidence() -> list[Any]:
    return [
        chunk(n, text=f"Office {n} opens at nine. " + "It is large and bright. " * 50)
        for n in range(10)
    ]


async def test_retry_query_omits_words_about_draft() -> None:
    """A retry searches for content and not for our words about the draft."""
    drafts = [f"Office number 0 opens at 10:45 in the morning [{chunk_id(0)}].", cited(0)]
    cast = Cast(
        researcher=ScriptedResearcher([long_evidence(), [chunk(0)]]),
        synthesizer=ScriptedSynthesizer(drafts, {chunk_id(n): "Nine." for n in range(3, 10)}),
    )

    state = await play(cast)

    (draft, *_) = state["figures"]["confidence_history"]
    assert draft >= 0.65, "over-compression alone asks for the retry"
    second = cast.researcher.asked[1][1]
    assert second.startswith(f"{QUESTION} Office number 0 opens at 10:45 in the morning")
    assert "not in what it cites" not in second
    assert OVER_COMPRESSION_GAP not in second


async def test_over_compression_retry_searches_the_question() -> None:
    """A retry for over compression alone searches for the question."""
    cast = Cast(
        researcher=ScriptedResearcher([long_evidence(), [chunk(0)]]),
        synthesizer=ScriptedSynthesizer(summaries={chunk_id(n): "Nine." for n in range(3, 10)}),
    )

    state = await play(cast)

    assert [query for _, query, _ in cast.researcher.asked] == [QUESTION, QUESTION]
    again = [entry for entry in state["trace"] if entry["node"] == "researcher"][1]
    assert (again["route"], again["augmented_query_used"]) == ("retry", False)


async def test_compressing_long_evidence_keeps_every_id() -> None:
    """Long evidence is compressed with one more call and every id survives."""
    summaries = {chunk_id(n): f"Office {n}: nine. {'x' * 180}" for n in range(3, 10)}
    cast = Cast(
        researcher=ScriptedResearcher([long_evidence()]),
        synthesizer=ScriptedSynthesizer(summaries=summaries),
    )

    state = await play(cast)

    assert state["figures"]["model_calls"] == 4
    shown, _ = cast.synthesizer.asked[0]
    assert [c.chunk_id for c in shown] == [chunk_id(n) for n in range(10)]
    assert [len(c.text) > 1000 for c in shown] == [True] * 3 + [False] * 7
    assert state["trace"][1]["context_compressed"] is True
    assert all(len(c.text) > 1000 for c in state["evidence"]), "the audit sees the whole texts"


async def test_over_compression_gap_wants_retry() -> None:
    """Over compression is a gap that the critic keeps and that wants a retry."""
    cast = Cast(
        researcher=ScriptedResearcher([long_evidence(), [chunk(0)]]),
        synthesizer=ScriptedSynthesizer(summaries={chunk_id(n): "Nine." for n in range(3, 10)}),
    )

    state = await play(cast)

    second_critique = cast.synthesizer.asked[1][1]
    assert second_critique is not None
    assert second_critique.logical_gaps == [OVER_COMPRESSION_GAP]
    assert state["figures"]["retry_reasons"][0]["reason"] == "quality_issue_detected"
    assert state["critique"] is not None
    assert state["critique"].logical_gaps == [], "the second pass was not compressed"
    assert state["trace"][-1]["decision"] == "finalize"


@pytest.mark.parametrize(("size", "compressed"), [(6000, False), (6001, True)])
async def test_evidence_over_limit_is_compressed(
    size: int,
    compressed: bool,
) -> None:
    """Evidence above six thousand characters is compressed."""
    papers = [chunk(n, text=f"{n} ".ljust(1500, "x")) for n in range(3)]
    papers.append(chunk(3, text="3 ".ljust(size - 4500, "x")))
    writer = ModelSynthesizer(NoChat())
    cast = Cast(
        researcher=ScriptedResearcher([papers]),
        synthesizer=ScriptedSynthesizer(max_context_chars=writer.max_context_chars),
    )

    state = await play(cast)

    assert state["trace"][1]["context_compressed"] is compressed


class NoChat:
    """A model that nobody may ask."""

    async def complete(self, *_: object, **__: object) -> Any:
        raise AssertionError("nobody was to be asked")


# --- trace ---------------------------------------------------------------------------------


@pytest.mark.parametrize("found", [[], [chunk(0)]])
async def test_every_run_reports_retries_and_violations(found: list[EvidenceChunk]) -> None:
    """Every run says its retries and violations."""
    state = await play(Cast(researcher=ScriptedResearcher([found])), max_retries=0)

    assert state["figures"]["retry_reasons"] == []
    violations: list[dict[str, list[str]]] = [{"invalid": [], "uncited": []}] if found else []
    assert state["figures"]["citation_violations"] == violations


FIELDS = {
    "researcher": {
        *("node", "route", "chunks", "filtered_out", "avg_score", "threshold_used"),
        *("augmented_query_used", "pass", "duration_ms"),
    },
    "synthesizer": {
        *("node", "context_compressed", "citations", "answer_length", "pass", "duration_ms"),
    },
    "critic": {
        *("node", "confidence", "hallucination", "invalid_citations", "uncited_claims"),
        *("pass", "duration_ms"),
    },
    "evaluator": {
        *("node", "overall_score", "faithfulness", "relevance", "completeness"),
        *("reasoning_quality", "pass", "duration_ms"),
    },
    "supervisor": {
        *("node", "decision", "confidence", "retry_count", "reason", "pass", "duration_ms"),
    },
}


@pytest.mark.parametrize(
    "cast",
    [
        Cast(),
        Cast(critic=ScriptedCritic([critique(0.1), critique(0.9)])),
        Cast(critic=ScriptedCritic([critique(0.1)])),
        Cast(critic=ScriptedCritic([None])),
        Cast(researcher=ScriptedResearcher([[]])),
        Cast(researcher=ScriptedResearcher([[chunk(0)], []]), critic=ScriptedCritic([critique(0)])),
    ],
)
async def test_trace_entries_have_all_designed_fields(cast: Cast) -> None:
    """Trace entries have the fields of the design on every path."""
    state = await play(cast)

    for entry in state["trace"]:
        assert set(entry) == FIELDS[entry["node"]]
    assert [e["pass"] for e in state["trace"]] == sorted(e["pass"] for e in state["trace"])
    latencies = state["figures"]["node_latency_ms"]
    assert sum(len(of_node) for of_node in latencies.values()) == len(state["trace"])


async def test_the_happy_trace_says_what_happened() -> None:
    state = await play(Cast(critic=ScriptedCritic([critique(0.88)])))

    plain = [
        {k: v for k, v in entry.items() if k not in {"duration_ms", "pass"}}
        for entry in state["trace"]
    ]
    assert plain == [
        {
            "node": "researcher",
            "route": "first_run",
            "chunks": 1,
            "filtered_out": 0,
            "avg_score": 0.8,
            "threshold_used": 0.6,
            "augmented_query_used": False,
        },
        {
            "node": "synthesizer",
            "context_compressed": False,
            "citations": 1,
            "answer_length": len(cited(0)),
        },
        {
            "node": "critic",
            "confidence": 0.88,
            "hallucination": False,
            "invalid_citations": 0,
            "uncited_claims": 0,
        },
        {
            "node": "evaluator",
            "overall_score": 0.9,
            "faithfulness": 0.9,
            "relevance": 0.9,
            "completeness": 0.9,
            "reasoning_quality": 0.9,
        },
        {
            "node": "supervisor",
            "decision": "finalize",
            "confidence": 0.88,
            "retry_count": 0,
            "reason": "quality_threshold_met",
        },
    ]


# --- router and termination ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("human", "last", "draft", "route"),
    [
        (True, "retry", None, "end"),
        (True, "retry", "draft", "end"),
        (True, None, None, "end"),
        (False, "retry", "draft", "retry"),
        (False, "retry", None, "retry"),
        (False, None, None, "first_run"),
        (False, "finalize", None, "first_run"),
        (False, "finalize", "draft", "end"),
        (False, None, "draft", "end"),
    ],
)
async def test_the_router_asks_in_this_order(
    human: bool,
    last: str | None,
    draft: str | None,
    route: str,
) -> None:
    state = first_state()
    state["requires_human_review"] = human
    state["trace"] = [{"node": "supervisor", "decision": last}] if last else []
    state["draft_answer"] = draft

    assert await route_from_supervisor(state) == route


def test_first_state_has_every_key() -> None:
    """Every key is there from the start."""
    assert first_state() == {
        "user_query": QUESTION,
        "first_question": QUESTION,
        "earlier": "",
        "reply": "",
        "choices": [],
        "wording": None,
        "searches": [],
        "workspace_id": "w_test",
        "max_retries": 2,
        "wider": False,
        "evidence": [],
        "passed_over": [],
        "whole": None,
        "unsure_draft": None,
        "this_draft": None,
        "earlier_draft": None,
        "best_draft": None,
        "draft_answer": None,
        "final_answer": None,
        "critique": None,
        "confidence": 0.0,
        "retry_count": 0,
        "requires_human_review": False,
        "clarification_question": None,
        "clarification": None,
        "trace": [],
        "figures": {},
    }


@pytest.mark.parametrize("workspace", ["", " ", "a b", "*", "w/../x", "x" * 65])
def test_missing_scope_is_refused_at_entry(workspace: str) -> None:
    """A scope that is none is refused at the door."""
    with pytest.raises(ValidationError, match="workspace_id"):
        MASISInput(user_query=QUESTION, workspace_id=workspace)


@pytest.mark.parametrize("question", ["", "   ", "x" * 4001])
def test_invalid_question_is_refused_at_entry(question: str) -> None:
    """A question that is none or a document is refused at the door."""
    with pytest.raises(ValidationError, match="user_query"):
        MASISInput(user_query=question, workspace_id="w")


unit = st.floats(0, 1)
critiques = st.none() | st.builds(
    Critique,
    confidence=unit,
    hallucination_detected=st.booleans(),
    unsupported_claims=st.lists(st.text(max_size=30), max_size=2),
    logical_gaps=st.lists(st.text(max_size=30), max_size=2),
    conflicting_evidence=st.lists(st.text(max_size=30), max_size=1),
    needs_retry=st.booleans(),
)
scores = st.none() | st.builds(
    Scores, faithfulness=unit, relevance=unit, completeness=unit, reasoning_quality=unit
)
candidates = st.lists(st.builds(chunk, st.integers(0, 31), score=unit), max_size=25)
drafts = st.one_of(st.just(cited(0)), st.just(INVENTED), st.text(min_size=1, max_size=200))


@settings(max_examples=examples(60), deadline=None)
@given(
    found=st.lists(candidates, min_size=1, max_size=6),
    written=st.lists(drafts, min_size=1, max_size=6),
    audits=st.lists(critiques, min_size=1, max_size=6),
    judged=st.lists(scores, min_size=1, max_size=6),
    max_retries=st.none() | st.integers(0, 5),
    clamps_matter=st.booleans(),
)
async def test_every_run_terminates_with_any_agents(
    *,
    found: list[Any],
    written: list[str],
    audits: list[Any],
    judged: list[Any],
    max_retries: int | None,
    clamps_matter: bool,
) -> None:
    """Every run ends whatever the agents do."""
    cast = Cast(
        ScriptedResearcher(found),
        ScriptedSynthesizer(written),
        ScriptedCritic(audits),
        ScriptedEvaluator(judged),
        Policy(clamp_is_an_issue=clamps_matter),
    )
    limit = RESEARCH.recursion_limit({"max_retries": max_retries})

    state: Any = await build().ainvoke(
        first_state(max_retries),
        {"recursion_limit": limit},
        context=cast.context(),
    )
    outcome = conclude(state, "r1", extractive=False)

    passes = allowed_retries(max_retries) + 1
    assert 1 <= state["figures"]["searches"] <= passes
    assert state["figures"].get("model_calls", 0) <= 4 * passes
    assert 0.0 <= outcome.confidence <= 1.0
    assert isinstance(outcome, NeedsClarification) == state["requires_human_review"]
    assert outcome.answer
    if isinstance(outcome, NeedsClarification):
        assert outcome.clarification_question
    if isinstance(outcome, Answered):
        assert not outcome.audit.invalid
        assert outcome.confidence >= 0.65
        assert outcome.badge is not None
    if outcome.badge is not None and outcome.badge.level == "High":
        assert outcome.evaluation is not None
        assert not outcome.evaluation.clamps
        assert outcome.audit is not None
        assert outcome.audit.claims == outcome.audit.cited_claims
        assert not outcome.audit.unsupported
    issued = {c.chunk_id for pass_ in found for c in pass_}
    assert {c.chunk_id for c in outcome.citations} <= issued


def test_drawing_shows_retries_and_short_circuit() -> None:
    """The drawing shows both ways to the researcher and the short circuit."""
    drawing = mermaid(RESEARCH)

    assert "supervisor -. &nbsp;first_run / retry&nbsp; .-> researcher" in drawing
    assert "researcher -. &nbsp;none&nbsp; .-> supervisor" in drawing
    assert "evaluator --> supervisor" in drawing


# --- what stands beside the evidence -------------------------------------------------------


class OneBeside:
    """Brings one chunk along, and remembers what for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, int]] = []

    async def beside(
        self, question: str, evidence: Sequence[EvidenceChunk], room: int
    ) -> list[EvidenceChunk]:
        self.asked.append((question, len(evidence), room))
        return [chunk(1, score=0.0, place=Place(headings=["Price list"]))]


async def played_beside(cast: Cast, question: str = QUESTION) -> tuple[State, OneBeside]:
    neighbours = OneBeside()
    context = cast.context()
    agents = replace(context.agents, neighbours=neighbours)
    context = replace(context, agents=agents)
    state: Any = await build().ainvoke(first_state() | {"user_query": question}, context=context)
    return state, neighbours


async def test_neighbours_are_citable_but_not_finds() -> None:
    """What stands beside the evidence can be cited and counts as no find."""
    cast = Cast(synthesizer=ScriptedSynthesizer([f"{cited(0)} {cited(1)}"]))
    state, neighbours = await played_beside(cast)
    [search] = [entry for entry in state["trace"] if entry["node"] == "researcher"]
    assert (search["chunks"], search["neighbours"], search["avg_score"]) == (1, 1, 0.8)
    assert [each.chunk_id for each in state["evidence"]] == [chunk_id(0), chunk_id(1)]
    assert last_audit(state).citations == [chunk_id(0), chunk_id(1)]
    assert neighbours.asked == [(QUESTION, 1, 6000 - len(chunk(0).text))]


@pytest.mark.parametrize(("section", "beside"), [("price list", 1), ("leave", 0)])
async def test_section_filter_excludes_other_neighbours(section: str, beside: int) -> None:
    """Who names a section gets nothing of another one."""
    named = f'{QUESTION} section:"{section}"'
    state, _ = await played_beside(Cast(synthesizer=ScriptedSynthesizer([cited(0)])), named)
    assert len(state["evidence"]) == 1 + beside


async def test_full_prompt_admits_no_neighbours() -> None:
    """Nothing comes along where the prompt is full or nothing was found."""
    long = [chunk(at, text=f"Office {at} opens at nine. " * 80) for at in range(4)]
    state, neighbours = await played_beside(Cast(researcher=ScriptedResearcher([long])))
    assert (len(state["evidence"]), neighbours.asked) == (4, [])
    state, neighbours = await played_beside(Cast(researcher=ScriptedResearcher([[]])))
    assert (state["evidence"], neighbours.asked) == ([], [])


# --- a document asked for as a whole -------------------------------------------------------


def begins(number: int, position: int) -> EvidenceChunk:
    return chunk(number, 0.0, document_id="d_named", position=position, asked_by_name=True)


async def test_introduction_is_evidence_but_not_found() -> None:
    """How a named document begins is evidence that was not found."""
    opening = [begins(0, 0), begins(1, 1)]
    cast = Cast(
        researcher=ScriptedResearcher([[chunk(2, 0.3)]], introduction=opening),
        synthesizer=ScriptedSynthesizer([f"{cited(0)} {cited(1)}"]),
    )
    state = await play(cast)
    search = state["trace"][0]
    assert (search["chunks"], search["introduction"], search["avg_score"]) == (0, 2, 0.0)
    assert state["evidence"] == opening
    assert last_audit(state).citations == [chunk_id(0), chunk_id(1)]
    assert state["trace"][-1]["decision"] == "finalize"


async def test_found_introduction_chunk_counts_once() -> None:
    """What was found of it is counted as found and comes once."""
    both = chunk(1, 0.8, document_id="d_named", position=1)
    researcher = ScriptedResearcher([[both]], introduction=[begins(0, 0), begins(1, 1)])
    cast = Cast(researcher=researcher, synthesizer=ScriptedSynthesizer([cited(1)]))
    state, neighbours = await played_beside(cast)
    assert state["evidence"] == [begins(0, 0), both]
    assert (state["trace"][0]["chunks"], state["trace"][0]["introduction"]) == (1, 1)
    assert neighbours.asked == []


async def test_failed_introduction_draft_asks_for_detail() -> None:
    """Where the draft from it does not pass it is asked what in it is meant."""
    cast = Cast(
        researcher=ScriptedResearcher([[]], introduction=[begins(0, 0)]),
        critic=ScriptedCritic([critique(0.4)]),
    )
    state = await play(cast, max_retries=0)
    question = state["clarification_question"] or ""
    assert "the beginning of “paper-0.md”" in question
    assert "What in it" in question


async def test_each_agent_gets_reply_separately() -> None:
    """The reply is searched by nobody, and stands beside the question for who reads it."""
    cast = Cast()
    asked = MASISInput(user_query=QUESTION, workspace_id="w_test", reply=" the newer one ")

    state: Any = await build().ainvoke(asked.to_state(), context=cast.context())

    assert cast.researcher.asked[0][1] == QUESTION
    assert cast.synthesizer.questions == [
        Question(text=QUESTION, standalone=QUESTION, reply="the newer one")
    ]
    outcome = conclude(state, "r1", extractive=False)
    assert (outcome.question, outcome.reply) == (QUESTION, "the newer one")
