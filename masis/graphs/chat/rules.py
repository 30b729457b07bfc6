"""The graph's agents without a language model."""

import asyncio
import re
from collections.abc import Sequence
from typing import Final, Protocol

from masis.calculating import figure_follow_ups
from masis.conversation import Exchange
from masis.domain import WorkspaceId
from masis.graphs.chat import texts
from masis.graphs.chat.agents import Understood
from masis.graphs.chat.state import Reply
from masis.questions import unclear
from masis.questions.follow_ups import CASE, DOUBT, follow_up
from masis.rewriting import small_words
from masis.text.lexical import terms
from masis.words.chat_words import plain, small_talk

OFFERED = 3
"""Questions beside a greeting."""
_VAGUE = frozenset(terms(" ".join(small_words.VAGUE)))
_US = frozenset(terms("us"))
GOES_ON = 1
"""Different words of a message that can be searched; who has more may have changed the subject."""


_AT_A_PLACE: Final = re.compile(
    r"\b(?:in|behind|from|over|near|up|down|around|to) there\b", re.IGNORECASE
)
"""Says a place by a word that stands for it."""


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
        """Return the sentence for that kind of small talk; who thanks or leaves gets no questions."""
        kind = small_talk(text) or small_talk(text, in_thread=True) or "hello"
        if kind not in texts.WITH_QUESTIONS:
            return Reply(text=texts.GREETINGS[kind])
        offered = await self._questions(workspace_id)
        return Reply(text=texts.GREETINGS[kind], questions=list(offered)[:OFFERED])


class RuleRewriter:
    """Understands a follow-up by its words."""

    async def rewrite(self, text: str, messages: Sequence[Exchange]) -> Understood:
        """Return the message with what it leaves out.

        Words alone tell of what only goes on, or answers what was asked back; the evidence decides
        about all else, as what a message leaves out may as well be another subject.
        """
        # Its first use reads a list of words from the disk.
        return await asyncio.to_thread(_understood, text, messages)


def _understood(text: str, messages: Sequence[Exchange]) -> Understood:
    # Spelt out, so that "wen" is no name that a follow-up could be about.
    before = [
        each.model_copy(
            update={"question": plain(each.question), "standalone": plain(each.standalone)}
        )
        for each in messages
    ]
    of_figures = figure_follow_ups.follow_up(text, before)
    if of_figures is not None:
        return Understood(alone=text, carried=of_figures, is_likely=True, changes_slot=True)
    meant = follow_up(text, before)
    own = {*terms(meant.alone)} - _VAGUE - _US
    is_whole = meant.reason == "goes on" and bool(own)
    if meant.reason in {CASE, DOUBT}:
        is_certain = meant.kind == "carried"
        return Understood(
            alone=meant.alone,
            carried=meant.carried,
            is_sure=is_certain,
            changes_slot=is_certain,
            subject=meant.subject,
        )
    goes_on = (
        len(own) <= GOES_ON
        or bool(unclear.pronoun(meant.alone) or _AT_A_PLACE.search(meant.alone))
        or (bool(messages) and bool(unclear.pronoun(messages[-1].standalone)))
    )
    return Understood(
        alone=meant.alone,
        carried=meant.carried,
        is_sure=meant.kind == "alone" or (meant.kind == "carried" and goes_on and not is_whole),
        is_likely=meant.kind == "carried",
        is_whole=is_whole,
        subject=meant.subject,
    )
