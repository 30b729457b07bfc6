"""The four steps. Each takes from the state, calls a building block, returns an update."""

import asyncio
from collections.abc import Sequence
from typing import Final

from langgraph.runtime import Runtime

from masis import run_figures
from masis.conversation import Exchange
from masis.domain import PlannedSearch, Question, SearchResult, WorkspaceId
from masis.filters import Filters, parse
from masis.graphs.chat.agents import ChatAgents, ChatContext, Probe, Understood
from masis.graphs.chat.state import (
    Greeted,
    Intent,
    Planned,
    Rewritten,
    Routed,
    ToGreet,
    ToPlan,
    ToRewrite,
    ToRoute,
)
from masis.policy import Policy
from masis.words.chat_words import small_talk

PROBED: Final = 5
"""Candidates of a search that only tells where a message belongs."""
FAR: Final = 0.5
"""Of the threshold: what is not as near as that asks nothing that the documents speak of."""


async def router(state: ToRoute, runtime: Runtime[ChatContext]) -> Routed:
    """Tell what the message wants: by rule where one does, else by how near the documents are."""
    context, asked = runtime.context, state["question"]
    thread = state["thread"]
    messages = await _recalled(state, context) if thread and thread.thread else []
    named = _files(asked, context)
    usage: run_figures.Figures = {}
    if state["request"].is_settled:
        intent, tier = _searching(named), "settled"
    elif named:
        intent, tier = "specific_doc_rag", "named"
    elif state["mode"] == "auto" and small_talk(asked.text):
        intent, tier = "chat", "rule"
    else:
        intent, tier, usage = await _by_probe(state, messages, context)
    entry = {"node": "router", "intent": intent, "tier": tier, "exchanges": len(messages)}
    return {
        "messages": messages,
        "intent": intent,
        "targeted_docs": named,
        "trace": [entry],
        "figures": usage,
    }


async def greeter(state: ToGreet, runtime: Runtime[ChatContext]) -> Greeted:
    """Answer small talk in a sentence, with questions that this workspace answers."""
    reply = await runtime.context.agents.greeter.greet(
        state["question"].text, state["workspace_id"]
    )
    entry = {"node": "greeter", "questions": len(reply.questions)}
    return {"reply": reply, "trace": [entry], "figures": {}}


async def rewriter(state: ToRewrite, runtime: Runtime[ChatContext]) -> Rewritten:
    """Make the message a question that stands alone, by what the thread was about."""
    asked, context = state["question"], runtime.context
    if state["request"].is_settled or not state["messages"]:
        return {
            "question": asked,
            "wider": state["request"].wider,
            "trace": [{"node": "rewriter", "rewritten": False}],
            "figures": {},
        }
    typed, filters = parse(asked.standalone, context.field_keys)
    meant = await context.agents.rewriter.rewrite(typed, state["messages"])
    said = meant.carried
    if not meant.is_sure and meant.alone != meant.carried:
        said = await _by_evidence(meant, context.agents.probe, state["workspace_id"], filters)
    standalone = f"{said} {filters.written()}".strip() if filters else said
    entry = {"node": "rewriter", "rewritten": said != typed, "understood": said}
    return {
        "question": asked.model_copy(update={"standalone": standalone}),
        "wider": meant.wider,
        "trace": [entry],
        "figures": run_figures.of_usage(meant.usage),
    }


async def planner(state: ToPlan, runtime: Runtime[ChatContext]) -> Planned:
    """Plan the searches: one for each document that is named, else one of all of them."""
    typed, filters = parse(state["question"].standalone, runtime.context.field_keys)
    section = filters.sections[0] if filters.sections else ""
    plan = [
        PlannedSearch(query=typed, document=name, section=section)
        for name in state["targeted_docs"] or [""]
    ]
    searches = [_shown(each) for each in plan]
    return {
        "semantic_queries": plan,
        "trace": [{"node": "planner", "plan": searches}],
        "figures": {},
    }


# --- what a message wants --------------------------------------------------------------------


async def _recalled(state: ToRoute, context: ChatContext) -> list[Exchange]:
    thread = state["thread"]
    assert thread is not None  # noqa: S101 - asked for by the caller
    return await context.agents.memory.recall(thread, state["workspace_id"])


def _files(asked: Question, context: ChatContext) -> list[str]:
    """The documents that the message names by `@`."""
    return list(parse(asked.standalone, context.field_keys).filters.files)


def _searching(named: Sequence[str]) -> Intent:
    return "specific_doc_rag" if named else "direct_rag"


async def _by_probe(
    state: ToRoute, messages: Sequence[Exchange], context: ChatContext
) -> tuple[Intent, str, run_figures.Figures]:
    """Ask a model where the documents are neither near nor far; without one everything is searched."""
    agents, asked = context.agents, state["question"]
    if agents.router is None or state["mode"] != "auto":
        return "direct_rag", "search", {}
    found = await agents.probe.search(state["workspace_id"], asked.standalone, limit=PROBED)
    if not _is_between(found, context.policy):
        return "direct_rag", "search", {}
    routing = await agents.router.route(asked.text, messages)
    return routing.intent or "direct_rag", "model", run_figures.of_usage(routing.usage)


def _is_between(found: SearchResult, policy: Policy) -> bool:
    threshold = policy.threshold(0)
    best = max((chunk.score for chunk in found.candidates), default=0.0)
    return FAR * threshold <= best < threshold


# --- what a message means --------------------------------------------------------------------


async def _by_evidence(
    meant: Understood, probe: Probe, workspace_id: WorkspaceId, filters: Filters
) -> str:
    """Search the question with what the thread lends it, and without; the nearer one is meant."""
    carried, alone = await asyncio.gather(
        *(
            probe.search(workspace_id, text, limit=PROBED, question=text, filters=filters)
            for text in (meant.carried, meant.alone)
        )
    )
    return meant.carried if _nearest(carried) >= _nearest(alone) else meant.alone


def _nearest(found: SearchResult) -> float:
    return max((chunk.score for chunk in found.candidates), default=0.0)


def _shown(planned: PlannedSearch) -> str:
    """A planned search, for the trail."""
    where = f" in {planned.document}" if planned.document else ""
    return f"{planned.query}{where}"


__all__ = ["ChatAgents", "greeter", "planner", "rewriter", "router"]
