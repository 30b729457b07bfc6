"""The four steps of a classification. Each takes from the state, calls a building block, returns an update."""

from collections.abc import Sequence
from typing import Final

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from masis import run_figures
from masis.domain import EvidenceChunk, WorkspaceId
from masis.graphs.classification import needs, texts
from masis.graphs.classification.agents import ClassificationContext
from masis.graphs.classification.ambiguity import Nearness, decided, is_near, rivals, without
from masis.graphs.classification.code_replies import since_restart
from masis.graphs.classification.state import (
    Analyzed,
    Candidate,
    Expansion,
    Replied,
    Restarted,
    Retrieved,
    Said,
    ToAnalyze,
    ToAsk,
    ToExpand,
    ToRetrieve,
)
from masis.graphs.classification.thresholds import (
    MOST_CANDIDATES,
    MOST_EXPLAINED,
    MOST_IMPROVED,
)
from masis.graphs.common import TraceEntry, made

TOLD: Final = 5
"""Candidates that the trail tells of."""


async def expander(state: ToExpand, runtime: Runtime[ClassificationContext]) -> Restarted:
    """Read what is to be classified, and begin everything else anew."""
    said = since_restart(state["messages"])
    expansion = await runtime.context.agents.expander.expand(said)
    entry: TraceEntry = {"node": "expander", "query": expansion.query}
    told = {
        "places": expansion.places,
        "ambiguities": expansion.ambiguities,
        "chosen": expansion.chosen,
    }
    entry |= {name: value for name, value in told.items() if value}
    return {
        "expander_analysis": expansion,
        "code_lists": [],
        "retrieved_results": [],
        "evidence": [],
        "relevance": 0.0,
        "spread": None,
        "analyzer_response": None,
        "improved_search": False,
        "improved_search_count": 0,
        "trace": [entry],
        "figures": run_figures.of_usage(expansion.usage),
    }


async def retrieval(state: ToRetrieve, runtime: Runtime[ClassificationContext]) -> Retrieved:
    """Search the code lists: by the description, or by what the analyzer would rather search."""
    expansion = made(state["expander_analysis"])
    if expansion.anew and not state["improved_search"]:
        expansion = await _of_new_subject(expansion, state["workspace_id"], runtime.context)
    wordings = expansion.wordings
    if state["improved_search"]:
        wordings = [made(state["analyzer_response"]).query]
    found = await runtime.context.agents.finder.find(
        state["workspace_id"],
        [text for text in wordings if text.strip()],
        kind=expansion.kind,
        limit=MOST_CANDIDATES,
    )
    candidates = found.candidates
    if not state["improved_search"]:
        candidates = await needs.marked(
            candidates, expansion, state["workspace_id"], runtime.context
        )
    merged = _merged(state["retrieved_results"], candidates)
    entry: TraceEntry = {
        "node": "retrieval",
        "texts": len(wordings),
        "codes": len(found.candidates),
    }
    entry |= {"improved": state["improved_search"], "relevance": round(found.relevance, 3)}
    entry["lists"] = found.lists
    if several := [each.code for each in candidates if each.is_need]:
        entry["needs"] = several
    return {
        "expander_analysis": expansion,
        "code_lists": found.lists,
        "retrieved_results": merged,
        "evidence": _together(state["evidence"], found.evidence),
        "relevance": max(state["relevance"], found.relevance),
        "spread": found.spread,
        "improved_search": False,
        "trace": [entry],
        "figures": {},
    }


async def _of_new_subject(
    expansion: Expansion, workspace_id: WorkspaceId, context: ClassificationContext
) -> Expansion:
    """Leave out what was said before a reply that is near to one code by itself: it is about something else."""
    told = expansion.anew[-1]
    alone = await context.agents.finder.find(
        workspace_id, [told], kind=expansion.kind, limit=MOST_CANDIDATES
    )
    allowed = without(alone.candidates, expansion.rejected)
    is_told = is_near(allowed, alone.relevance, context.policy.threshold(0))
    if not is_told or rivals(allowed, told):
        return expansion
    return expansion.model_copy(update={"query": told, "wordings": expansion.anew, "anew": []})


def _asked_back(messages: Sequence[Said]) -> tuple[int, int]:
    """Count the questions back, and the explanations that are none of them, a few at most."""
    back = [message.text for message in messages if message.role == "bot"]
    explained = min(sum(map(texts.explains, back)), MOST_EXPLAINED)
    return len(back) - explained, explained


async def analyzer(state: ToAnalyze, runtime: Runtime[ClassificationContext]) -> Analyzed:
    """Choose one status; what may not be chosen is decided in code."""
    context, candidates = runtime.context, state["retrieved_results"]
    expansion = made(state["expander_analysis"])
    threshold = context.policy.threshold(0)
    may_improve = state["improved_search_count"] < MOST_IMPROVED and bool(expansion.query)
    messages = since_restart(state["messages"])
    said = await context.agents.analyzer.analyze(
        messages,
        expansion,
        candidates,
        is_near=is_near(candidates, state["relevance"], threshold),
        may_improve=may_improve,
    )
    if said.status == "IMPROVED_SEARCH" and not (may_improve and said.query.strip()):
        said = said.model_copy(update={"status": "MORE_INFO", "reason": "unclear"})
    asked, explained = _asked_back(messages)
    final = decided(
        said,
        candidates,
        expansion,
        asked=asked,
        explained=explained,
        nearness=Nearness(state["relevance"], threshold, state["spread"]),
    )
    improves = final.status == "IMPROVED_SEARCH"
    question = Said(role="bot", text=final.question, options=final.options)
    entry: TraceEntry = {
        "node": "analyzer",
        "said": said.status,
        "status": final.status,
        "code": final.code,
    }
    entry |= {"reason": final.reason, "asked": asked, "confidence": round(final.confidence, 3)}
    entry["best"] = [f"{each.code} {each.score:.1f}" for each in candidates[:TOLD]]
    entry["named"] = sorted({each.document_id for each in candidates})
    return {
        "messages": [question] if final.status == "MORE_INFO" and final.reason != "limit" else [],
        "analyzer_response": final,
        "improved_search": improves,
        "improved_search_count": state["improved_search_count"] + improves,
        "trace": [entry],
        "figures": run_figures.of_usage(said.usage),
    }


async def user_info(state: ToAsk, runtime: Runtime[ClassificationContext]) -> Replied:
    """Wait for the asker's reply; nothing is done before it, and nothing derived lives on behind it."""
    # What waits is kept without its words: they are the outcome's.
    reply = interrupt(None)
    return {
        "messages": [Said(role="asker", text=str(reply))],
        "expander_analysis": None,
        "code_lists": [],
        "retrieved_results": [],
        "evidence": [],
        "relevance": 0.0,
        "spread": None,
        "analyzer_response": None,
        "improved_search": False,
        "improved_search_count": 0,
        "trace": [{"node": "user_info", "pass": 1}],
        "figures": {},
    }


def _merged(held: Sequence[Candidate], new: Sequence[Candidate]) -> list[Candidate]:
    """Put the candidates of two searches together, each once, with the score that favours it more."""
    best: dict[str, Candidate] = {}
    for each in (*held, *new):
        if each.id not in best or best[each.id].score < each.score:
            best[each.id] = each
    return sorted(best.values(), key=lambda each: -each.score)


def _together(held: Sequence[EvidenceChunk], new: Sequence[EvidenceChunk]) -> list[EvidenceChunk]:
    return list({chunk.chunk_id: chunk for chunk in (*held, *new)}.values())
