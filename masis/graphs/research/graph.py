"""Connect the nodes of the research graph, and conclude what a finished state means."""

from collections.abc import Hashable, Sequence
from typing import Any, Final

from langgraph.graph import END, START

from masis.answering import citations
from masis.domain import Answered, Badge, Citation, ClarificationKind, Critique, NeedsClarification
from masis.graphs.codec import Codec
from masis.graphs.common import Compiled, Conclusion, Graph, GraphStep, Request, Wrap, assembled
from masis.graphs.research import badge_caps, improvement, nodes, texts
from masis.graphs.research.agents import ResearchAgents, ResearchContext
from masis.graphs.research.decisions import (
    is_audited,
    nearest_claims,
    route_from_researcher,
    route_from_supervisor,
)
from masis.graphs.research.disagreement import disagreeing
from masis.graphs.research.state import (
    AuditedDraft,
    MASISInput,
    State,
    ToAudit,
    ToDecide,
    ToResearch,
    ToScore,
    ToWrite,
)
from masis.policy import MAX_RETRIES_ALLOWED
from masis.questions import nearest
from masis.questions.question_audit import QuestionAudit
from masis.text.redaction import redacted

NEAREST_SHOWN_FOR: Final = frozenset(
    {"low_confidence", "partly_answered", "not_covered", "ambiguous"}
)
"""Why a question may be asked back with the nearest of the draft beside it: not where sources conflict,
or nobody has audited it."""

FROM_SUPERVISOR: Final[dict[Hashable, str]] = {
    "first_run": "researcher",
    "retry": "researcher",
    "end": END,
}
FROM_RESEARCHER: Final[dict[Hashable, str]] = {"evidence": "synthesizer", "none": "supervisor"}


def build(wrap: Wrap | None = None) -> Compiled[State]:
    """Compile the graph. `wrap` goes around every node, to make it a durable step for instance."""
    reads = {
        "supervisor": (nodes.supervisor, ToDecide),
        "researcher": (nodes.researcher, ToResearch),
        "synthesizer": (nodes.synthesizer, ToWrite),
        "critic": (nodes.critic, ToAudit),
        "evaluator": (nodes.evaluator, ToScore),
    }
    graph = assembled(State, reads, wrap)
    graph.add_edge(START, "supervisor")
    graph.add_conditional_edges("supervisor", route_from_supervisor, FROM_SUPERVISOR)
    graph.add_conditional_edges("researcher", route_from_researcher, FROM_RESEARCHER)
    graph.add_edge("synthesizer", "critic")
    graph.add_edge("critic", "evaluator")
    graph.add_edge("evaluator", "supervisor")
    limit = RESEARCH.recursion_limit({"max_retries": MAX_RETRIES_ALLOWED})
    return graph.compile(name=RESEARCH.name).with_config(recursion_limit=limit)


def start(request: Request) -> State:
    """Return the state in which a request begins."""
    asked = request.question
    return MASISInput(
        user_query=asked.standalone,
        first_question=asked.text,
        earlier=asked.earlier,
        reply=asked.reply,
        choices=asked.choices,
        workspace_id=request.workspace_id,
        max_retries=request.max_retries,
        wider=request.wider,
        searches=request.searches,
    ).to_state()


def _concluded(state: State, run_id: str, context: ResearchContext) -> Conclusion:
    outcome = conclude(state, run_id, extractive=context.agents.extractive)
    shown = state["best_draft"] or state["unsure_draft"]
    return Conclusion(outcome, shown.evidence if shown else state["evidence"])


def conclude(state: State, run_id: str, *, extractive: bool) -> Answered | NeedsClarification:
    """Conclude what a finished state means to the asker.

    It is the best audited draft, or a question back.
    """
    best = state["best_draft"]
    if best is None:
        return _without_draft(state, run_id, extractive=extractive)
    shown, sources = citations.number(best.answer, best.audit, best.evidence)
    verdict = badge_caps.of(
        best,
        audited=is_audited(best),
        question=state["first_question"],
        understood=state["user_query"],
    )
    shared = {
        "run_id": run_id,
        "answer": shown,
        "citations": [_shown(source) for source in sources],
        "extractive": extractive,
        **_judged(best, verdict),
        **_asked_of(state),
    }
    if state["requires_human_review"]:
        kind, this = _kind(state), state["this_draft"]
        return NeedsClarification(
            kind=kind,
            clarification_question=redacted(state["clarification_question"] or ""),
            critique=best.critique,
            statements=disagreeing(this) if this and kind == "conflict" else [],
            options=_options(state),
            nearest=_nearest(best, sources) if kind in NEAREST_SHOWN_FOR else "",
            **shared,
        )
    return Answered(
        critique=best.critique or Critique(confidence=0.0),
        improvement=improvement.sentence(best, verdict),
        **shared,
    )


def _judged(best: AuditedDraft, verdict: Badge | None) -> dict[str, Any]:
    """What is known of how good a draft is."""
    return {
        "confidence": best.confidence if is_audited(best) and verdict else 0.0,
        "badge": verdict,
        "evaluation": best.evaluation,
        "audit": best.audit,
        "gaps": gaps(best.left_open),
    }


def _asked_of(state: State) -> dict[str, Any]:
    """What was asked, and how it was searched."""
    return {
        "question": state["first_question"],
        "reply": state["reply"],
        "choices": state["choices"],
        "searched_for": _searched_for(state),
        "lexical_only": bool(state["figures"].get("lexical_only")),
    }


def _shown(source: Citation) -> Citation:
    """A source whose excerpt holds no secret: whoever may ask reads it."""
    return source.model_copy(update={"text": redacted(source.text)})


def _without_draft(state: State, run_id: str, *, extractive: bool) -> NeedsClarification:
    nearest, sources = _unsure(state)
    unsure = state["unsure_draft"]
    return NeedsClarification(
        run_id=run_id,
        question=state["first_question"],
        reply=state["reply"],
        choices=state["choices"],
        searched_for=_searched_for(state),
        kind=_kind(state),
        clarification_question=state["clarification_question"] or "",
        nearest=nearest,
        citations=sources,
        options=_options(state),
        gaps=_besides(unsure.left_open) if unsure else [],
        answer=texts.NO_EVIDENCE_ANSWER,
        confidence=0.0,
        badge=Badge(level="Low", confidence=0.0, note=texts.NOTHING_TO_AUDIT),
        evaluation_skipped_reason=state["figures"].get("evaluation_skipped_reason"),
        extractive=extractive,
        lexical_only=bool(state["figures"].get("lexical_only")),
    )


def _unsure(state: State) -> tuple[str, list[Citation]]:
    """Return what may stand beside the question back where nothing was close enough.

    Its sources come with it.
    """
    unsure = state["unsure_draft"]
    if unsure is None:
        return "", []
    shown, sources = citations.number(unsure.answer, unsure.audit, unsure.evidence)
    return shown, [_shown(source) for source in sources]


def gaps(asked: QuestionAudit) -> list[str]:
    """List what an answer leaves open of its question, a sentence each."""
    said = texts.does_not_mention(asked.nowhere, asked.unmentioned)
    said += [texts.nothing_on(asked.unanswered)] if asked.unanswered else []
    return said + ([texts.FIGURES_AS_GIVEN] if asked.calculation else [])


def _besides(asked: QuestionAudit) -> list[str]:
    """List what stays open beside the words that no document has: the question back names those."""
    return gaps(asked.model_copy(update={"nowhere": [], "unmentioned": []}))


def _nearest(best: AuditedDraft, sources: Sequence[Citation]) -> str:
    """Return what of the best draft may stand beside the question back.

    It is never what its source has not.
    """
    return "\n".join(nearest.numbered(nearest_claims(best), best.answer, sources))


def _searched_for(state: State) -> list[str]:
    wording = state.get("wording")
    return wording.searched_for if wording else []


def _options(state: State) -> list[str]:
    back = state["clarification"]
    return back.options if back else []


def _kind(state: State) -> ClarificationKind:
    back = state["clarification"]
    return back.kind if back else "low_confidence"


_CODEC: Final = Codec(State)

RESEARCH: Final[Graph[State, ResearchAgents]] = Graph(
    name="research",
    build=build,
    start=start,
    conclude=_concluded,
    encode=_CODEC.encode,
    decode=_CODEC.decode,
    steps=(
        GraphStep("supervisor", "decide", texts.DECIDE, in_plan=False),
        GraphStep("researcher", "search", texts.SEARCH, again=texts.SEARCH_AGAIN),
        GraphStep("synthesizer", "draft", texts.DRAFT),
        GraphStep("critic", "audit", texts.AUDIT),
        GraphStep("evaluator", "evaluate", texts.EVALUATE),
    ),
)
"""Search, draft, audit, evaluate; again where that may help."""
