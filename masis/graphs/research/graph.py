"""Who follows whom in the research graph, and what a finished state means."""

import time
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Any, Final

import langsmith
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from masis.answering import citations
from masis.domain import Answered, Badge, Citation, Critique, NeedsClarification
from masis.graphs.context import Context
from masis.graphs.research import badge_caps, improvement, nodes, texts
from masis.graphs.research.decisions import (
    allowed_retries,
    is_audited,
    nearest_claims,
    route_from_researcher,
    route_from_supervisor,
)
from masis.graphs.research.disagreement import disagreeing
from masis.graphs.research.state import (
    AuditedDraft,
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

Update = dict[str, Any]
Node = Callable[[Any, Runtime[Context]], Awaitable[Any]]
Wrap = Callable[[str, Node], Node]
ResearchGraph = CompiledStateGraph[State, Context, State, State]

NEAREST_SHOWN_FOR: Final = frozenset(
    {"low_confidence", "partly_answered", "not_covered", "ambiguous"}
)
"""Why a question may be asked back with the nearest of the draft beside it: not where sources conflict,
or nobody has audited it."""

NODE_TIMEOUT_S: Final = 600.0
"""No node may outlive the ten minutes after which a run ends in an honest failure."""


FROM_SUPERVISOR: Final[dict[Hashable, str]] = {
    "first_run": "researcher",
    "retry": "researcher",
    "end": END,
}
FROM_RESEARCHER: Final[dict[Hashable, str]] = {"evidence": "synthesizer", "none": "supervisor"}


def recursion_limit(max_retries: int | None) -> int:
    """Supersteps that a run can need: the first and last supervisor visit, five a pass."""
    return 2 + 5 * (allowed_retries(max_retries) + 1)


def build(wrap: Wrap | None = None) -> ResearchGraph:
    """Compile the graph. `wrap` goes around every node, to make it a durable step for instance."""
    # An environment in which other programs are traced must not send what is asked and read away.
    langsmith.configure(enabled=False)
    graph = StateGraph(State, context_schema=Context)
    graph.set_node_defaults(timeout=NODE_TIMEOUT_S)
    reads = {
        "supervisor": (nodes.supervisor, ToDecide),
        "researcher": (nodes.researcher, ToResearch),
        "synthesizer": (nodes.synthesizer, ToWrite),
        "critic": (nodes.critic, ToAudit),
        "evaluator": (nodes.evaluator, ToScore),
    }
    for name, (node, schema) in reads.items():
        step: Any = timed(name, wrap(name, node) if wrap else node)
        graph.add_node(name, step, input_schema=schema)
    graph.add_edge(START, "supervisor")
    graph.add_conditional_edges("supervisor", _from_supervisor, FROM_SUPERVISOR)
    graph.add_conditional_edges("researcher", _from_researcher, FROM_RESEARCHER)
    graph.add_edge("synthesizer", "critic")
    graph.add_edge("critic", "evaluator")
    graph.add_edge("evaluator", "supervisor")
    compiled = graph.compile(name="research")
    return compiled.with_config(recursion_limit=recursion_limit(MAX_RETRIES_ALLOWED))


# LangGraph sends a plain function to a thread, which takes longer than the rest of a step.
async def _from_supervisor(state: ToDecide) -> str:
    return route_from_supervisor(state)


async def _from_researcher(state: ToDecide) -> str:
    return route_from_researcher(state)


def timed(name: str, node: Node) -> Node:
    """Put the pass and the duration into the node's trace entry, and the latency into metrics."""

    async def step(state: Any, runtime: Runtime[Context]) -> Update:  # noqa: ANN401 - any node's
        started = time.perf_counter()
        update: Update = dict(await node(state, runtime))
        duration = round((time.perf_counter() - started) * 1000, 1)
        if not update.get("trace"):
            return update
        stamp = {"pass": state["retry_count"] + 1, "duration_ms": duration}
        update["trace"] = [{**entry, **stamp} for entry in update["trace"]]
        update["metrics"] = {
            **update.get("metrics", {}),
            "node_latency_ms": {name: [duration]},
        }
        return update

    step.__name__ = name
    return step


def conclude(state: State, run_id: str, *, extractive: bool) -> Answered | NeedsClarification:
    """What a finished state means to the asker: the best audited draft, or a question back."""
    best: AuditedDraft | None = state["metrics"].get("best_draft")
    if best is None:
        return _without_draft(state, run_id, extractive=extractive)
    shown, sources = citations.number(best.answer, best.audit, best.evidence)
    audited = is_audited(best)
    verdict = badge_caps.of(best, audited=audited)
    shared: dict[str, Any] = {
        "run_id": run_id,
        "question": state["first_question"],
        "reply": state["reply"],
        "choices": state["choices"],
        "searched_for": _searched_for(state),
        "answer": shown,
        "confidence": best.confidence if audited and verdict else 0.0,
        "badge": verdict,
        "citations": [_shown(source) for source in sources],
        "evaluation": best.evaluation,
        "audit": best.audit,
        "extractive": extractive,
        "lexical_only": bool(state["metrics"].get("lexical_only")),
        "gaps": gaps(best.left_open),
    }
    if state["requires_human_review"]:
        kind, statements = _kind(state), disagreeing(state["metrics"]["this_draft"])
        return NeedsClarification(
            kind=kind,
            clarification_question=redacted(state["clarification_question"] or ""),
            critique=best.critique,
            statements=statements if kind == "conflict" else [],
            options=_options(state),
            nearest=_nearest(best, sources) if kind in NEAREST_SHOWN_FOR else "",
            **shared,
        )
    return Answered(
        critique=best.critique or Critique(confidence=0.0),
        improvement=improvement.sentence(best, verdict),
        **shared,
    )


def _shown(source: Citation) -> Citation:
    """A source whose excerpt holds no secret: whoever may ask reads it."""
    return source.model_copy(update={"text": redacted(source.text)})


def mermaid() -> str:
    """The drawing of the graph, made from the compiled graph itself."""
    drawing = build().get_graph().draw_mermaid()
    # Two routes to one node are drawn as one arrow, which then names the first alone.
    both = " / ".join(str(route) for route, node in FROM_SUPERVISOR.items() if node == "researcher")
    return drawing.replace("&nbsp;first_run&nbsp;", f"&nbsp;{both}&nbsp;")


def _without_draft(state: State, run_id: str, *, extractive: bool) -> NeedsClarification:
    nearest, sources = _unsure(state)
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
        answer=texts.NO_EVIDENCE_ANSWER,
        confidence=0.0,
        badge=Badge(level="Low", confidence=0.0, note=texts.NOTHING_TO_AUDIT),
        evaluation_skipped_reason=state["metrics"].get("evaluation_skipped_reason"),
        extractive=extractive,
        lexical_only=bool(state["metrics"].get("lexical_only")),
    )


def _unsure(state: State) -> tuple[str, list[Citation]]:
    """What may stand beside the question back where nothing was close enough, with its sources."""
    unsure: AuditedDraft | None = state.get("unsure_draft")
    if unsure is None:
        return "", []
    shown, sources = citations.number(unsure.answer, unsure.audit, unsure.evidence)
    return shown, [_shown(source) for source in sources]


def gaps(asked: QuestionAudit) -> list[str]:
    """What an answer leaves open of its question, a sentence each."""
    told = texts.does_not_mention(asked.nowhere, asked.unmentioned)
    told += [texts.nothing_on(asked.unanswered)] if asked.unanswered else []
    return told + ([texts.FIGURES_AS_GIVEN] if asked.calculation else [])


def _nearest(best: AuditedDraft, sources: Sequence[Citation]) -> str:
    """What of the best draft may stand beside the question back; never what its source has not."""
    return "\n".join(nearest.numbered(nearest_claims(best), best.answer, sources))


def _searched_for(state: State) -> list[str]:
    wording = state.get("wording")
    return wording.searched_for if wording else []


def _options(state: State) -> list[str]:
    told: dict[str, Any] = state["metrics"].get("clarification") or {}
    return list(told.get("options", ()))


def _kind(state: State) -> Any:  # noqa: ANN401 - one of ClarificationKind
    last, best = state["trace"][-1], state["metrics"].get("best_draft")
    if told := state["metrics"].get("clarification"):
        return told["kind"]
    # A run that began under an earlier version has not written its kind down.
    if last.get("decision") == "hitl_not_audited" and best is not None and is_audited(best):
        return "low_confidence"
    if last["node"] == "researcher":
        return "below_threshold" if state["metrics"].get("indexed_chunks") else "empty_workspace"
    return {
        "hitl_conflict": "conflict",
        "hitl_not_audited": "not_audited",
    }.get(last["decision"], "low_confidence")
