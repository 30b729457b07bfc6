"""The graph's agents with a model service. What fails, or says what nobody said, leaves it to the rules.

All of them ask the writer model: it is the quick one, and its reply is held against rules.
"""

import re
from collections.abc import Sequence
from typing import Final

from masis.conversation import Exchange
from masis.errors import BudgetSpent, ModelServiceError
from masis.graphs.chat import prompts
from masis.graphs.chat.agents import Reworded, Rewriter, Routing, Understood
from masis.graphs.chat.state import Intent
from masis.models.prompting import inert
from masis.models.two_tries import two_tries
from masis.policy import MAX_QUESTION_CHARS
from masis.ports import ChatModel, ChatReply
from masis.text.lexical import terms

_INTENTS: Final[dict[str, Intent]] = {
    "chat": "chat",
    "calculation": "analysis",
    "question": "direct_rag",
}
_FIGURE: Final = re.compile(r"\d+(?:[.,]\d+)*")
_NEGATION: Final = re.compile(
    r"\b(?:not|no|never|without|except|none|nobody)\b|n['’]t\b", re.IGNORECASE
)
"""Small words that turn a question round: no terms of a search, and no model's to add."""


class ModelRouter:
    """Tells small talk, what is to be calculated, and other questions apart with the writer model."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    async def route(self, text: str, messages: Sequence[Exchange]) -> Routing:
        """Return the intent; none where the model is not sure, not there, or not to be understood."""
        asked = prompts.routing(text, messages)
        try:
            found = await two_tries(self._chat, "writer", asked, prompts.RouteReply, _read_route)
        except (ModelServiceError, BudgetSpent):
            return Routing(intent=None)
        return Routing(intent=_INTENTS.get(found.value or ""), usage=found.usage)


class ModelRewriter:
    """Makes a message stand alone with the writer model; what it adds from nowhere is the rule's."""

    def __init__(self, chat: ChatModel, rule: Rewriter) -> None:
        self._chat = chat
        self._rule = rule

    async def rewrite(self, text: str, messages: Sequence[Exchange]) -> Understood:
        """Return what the model understood where every word of it was said, else the rule's."""
        by_rule = await self._rule.rewrite(text, messages)
        if not messages:
            return by_rule
        asked = prompts.rewriting(text, messages)

        def read(reply: ChatReply) -> prompts.StandaloneReply | None:
            said = reply.parsed
            return said if isinstance(said, prompts.StandaloneReply) else None

        try:
            found = await two_tries(self._chat, "writer", asked, prompts.StandaloneReply, read)
        except (ModelServiceError, BudgetSpent):
            return by_rule
        said = _one_line(found.value.standalone) if found.value else ""
        if found.value is None or not is_borne_out(said, text, messages):
            return by_rule.model_copy(update={"usage": found.usage})
        subject = _one_line(found.value.subject)
        lent = subject if set(terms(subject)) <= _said(text, messages) else ""
        return Understood(alone=by_rule.alone, carried=said, subject=lent, usage=found.usage)


class ModelReworder:
    """Puts an answer into other words with the writer model."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    async def reword(self, answer: str, language: str) -> Reworded:
        """Return what the model wrote; none where it wrote nothing, or is not there."""
        asked = prompts.rewording(answer, language)
        try:
            found = await two_tries(self._chat, "writer", asked, None, lambda reply: reply.text)
        except (ModelServiceError, BudgetSpent):
            return Reworded(text=None)
        return Reworded(text=inert(found.value) if found.value else None, usage=found.usage)


def is_borne_out(said: str, text: str, thread: Sequence[Exchange]) -> bool:
    """Say whether a rewrite holds no word from nowhere, and still asks what the message asks."""
    if not said or len(said) > MAX_QUESTION_CHARS:
        return False
    words, typed = set(terms(said)), set(terms(text))
    told = f"{text} {_thread_text(thread)}"
    return (
        words <= _said(text, thread)
        and _figures(said) <= _figures(told)
        and _figures(text) <= _figures(said)
        and (not typed or bool(typed & words))
        and _negations(said) <= _negations(told)
    )


def _read_route(reply: ChatReply) -> str | None:
    return reply.parsed.intent if isinstance(reply.parsed, prompts.RouteReply) else None


def _said(text: str, thread: Sequence[Exchange]) -> set[str]:
    return set(terms(f"{text} {_thread_text(thread)}"))


def _thread_text(thread: Sequence[Exchange]) -> str:
    texts = (
        " ".join((each.question, each.standalone, each.person, *each.about)) for each in thread
    )
    return " ".join(texts)


def _figures(text: str) -> set[str]:
    return set(_FIGURE.findall(text))


def _negations(text: str) -> set[str]:
    found = (match[0].casefold() for match in _NEGATION.finditer(text))
    return {"not" if each.startswith("n") and each.endswith("t") else each for each in found}


def _one_line(text: str) -> str:
    return " ".join(inert(text[: 2 * MAX_QUESTION_CHARS]).split())
