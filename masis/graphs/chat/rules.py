"""The graph's agents without a language model."""

from collections.abc import Sequence
from typing import Protocol

from masis.conversation import Exchange
from masis.domain import WorkspaceId
from masis.graphs.chat import texts
from masis.graphs.chat.agents import Understood
from masis.graphs.chat.state import Reply
from masis.questions.follow_ups import follow_up
from masis.words.chat_words import small_talk

OFFERED = 3
"""Questions beside a greeting."""


class Questions(Protocol):
    """Knows questions that a workspace answers."""

    async def __call__(self, workspace_id: WorkspaceId) -> Sequence[str]:
        """Return those that are known by now, the best first."""
        ...


class RuleGreeter:
    """Answers small talk with a fixed sentence."""

    def __init__(self, questions: Questions) -> None:
        self._questions = questions

    async def greet(self, text: str, workspace_id: WorkspaceId) -> Reply:
        """Return the sentence for that kind of small talk; thanks get no questions."""
        if small_talk(text) == "thanks":
            return Reply(text=texts.THANKED)
        offered = await self._questions(workspace_id)
        return Reply(text=texts.HELLO, questions=list(offered)[:OFFERED])


class RuleRewriter:
    """Understands a follow-up by its words."""

    async def rewrite(self, text: str, messages: Sequence[Exchange]) -> Understood:
        """Return the message with what it leaves out; the evidence decides where words do not."""
        meant = follow_up(text, messages)
        return Understood(
            alone=meant.alone,
            carried=meant.carried,
            is_sure=meant.kind != "either",
            subject=meant.subject,
        )
