"""The graph's agents with a model service. What fails, or cannot be used, leaves it to the rules."""

from collections.abc import Sequence
from typing import Final

from masis.codelists.places import without_places
from masis.errors import BudgetSpent, ModelServiceError
from masis.graphs.classification import prompts
from masis.graphs.classification.agents import Analyzer
from masis.graphs.classification.by_rule import expansion_of
from masis.graphs.classification.state import Analysis, Candidate, Expansion, Said
from masis.models.prompting import clipped, inert
from masis.models.two_tries import two_tries
from masis.ports import ChatModel, ChatReply

MOST_QUERY_CHARS: Final = 600
MOST_QUESTION_CHARS: Final = 240
MOST_NOTES: Final = 4


class ModelExpander:
    """Words a description for the search with the writer model, beside the rule's reading of it."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    async def expand(self, messages: Sequence[Said]) -> Expansion:
        """Return what the model would search, with what was said; what a reply chose is no model's to say.

        Nor is there more to search where somebody only asks what is meant.
        """
        by_rule = expansion_of(messages)
        if by_rule.chosen or by_rule.asks_meaning or not by_rule.query:
            return by_rule
        asked = prompts.expanding(messages)
        try:
            found = await two_tries(self._chat, "writer", asked, prompts.ExpansionReply, _expansion)
        except (ModelServiceError, BudgetSpent):
            return by_rule
        if found.value is None:
            return by_rule.model_copy(update={"usage": found.usage})
        query = without_places(_line(found.value.query, MOST_QUERY_CHARS)).text
        notes = [_line(each, MOST_QUESTION_CHARS) for each in found.value.assumptions[:MOST_NOTES]]
        return by_rule.model_copy(
            update={
                "query": query or by_rule.query,
                "wordings": list(dict.fromkeys([query, *by_rule.wordings]))
                if query
                else by_rule.wordings,
                "ambiguities": [
                    _line(each, MOST_QUESTION_CHARS)
                    for each in found.value.ambiguities[:MOST_NOTES]
                ],
                "assumptions": [*by_rule.assumptions, *filter(None, notes)],
                "usage": found.usage,
            }
        )


class ModelAnalyzer:
    """Decides with the auditor model; where there is no usable reply, by rule."""

    def __init__(self, chat: ChatModel, rule: Analyzer) -> None:
        self._chat = chat
        self._rule = rule

    async def analyze(
        self,
        messages: Sequence[Said],
        expansion: Expansion,
        candidates: Sequence[Candidate],
        *,
        is_near: bool,
        may_improve: bool,
    ) -> Analysis:
        """Return the model's status; on the second search its schema knows no other search."""
        by_rule = await self._rule.analyze(
            messages, expansion, candidates, is_near=is_near, may_improve=may_improve
        )
        if not candidates or expansion.chosen or candidates[0].is_asked:
            return by_rule
        asked = prompts.analyzing(messages, expansion, candidates, may_improve=may_improve)
        schema = prompts.AnalysisReply if may_improve else prompts.LastAnalysisReply
        try:
            found = await two_tries(self._chat, "auditor", asked, schema, _analysis)
        except (ModelServiceError, BudgetSpent):
            return by_rule
        if found.value is None:
            return by_rule.model_copy(update={"usage": found.usage})
        return found.value.model_copy(update={"usage": found.usage})


def _expansion(reply: ChatReply) -> prompts.ExpansionReply | None:
    return reply.parsed if isinstance(reply.parsed, prompts.ExpansionReply) else None


def _analysis(reply: ChatReply) -> Analysis | None:
    said = reply.parsed
    if isinstance(said, prompts.AnalysisReply):
        query = without_places(_line(said.query, MOST_QUERY_CHARS)).text
        if said.status == "IMPROVED_SEARCH" and not query:
            return None
        question = _line(said.question, MOST_QUESTION_CHARS)
        return Analysis(status=said.status, code=said.code.strip(), query=query, question=question)
    if isinstance(said, prompts.LastAnalysisReply):
        question = _line(said.question, MOST_QUESTION_CHARS)
        return Analysis(status=said.status, code=said.code.strip(), question=question)
    return None


def _line(text: str, limit: int) -> str:
    return clipped(inert(text[: 2 * limit]), limit)
