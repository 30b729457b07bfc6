"""Tell a reply to a clarification, and build the question that is asked once it is there."""

import re
from collections.abc import Collection
from typing import Final

from masis.domain import AnyOutcome, ClarificationKind, NeedsClarification, Question
from masis.policy import MAX_QUESTION_CHARS
from masis.questions import choice, unclear
from masis.questions.choice import says_nothing
from masis.words.chat_words import small_talk

_MOST_REPLIED: Final = 12
"""Words; who is asked which one is meant says it in fewer."""
_ASKS: Final = re.compile(
    r"\?\s*$|^\W*(?:and|but|or|so|ok(?:ay)?)?[\s,]*(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do"
    r"|does|did|can|could|will|would|should|may|must|has|have|had|list|show|summari[sz]e|compare|explain|describe"
    r"|tell|give)\b|^\W*(?:and|also|plus|(?:what|how) about)\b",
    re.IGNORECASE,
)


def is_reply(text: str, outcome: AnyOutcome | None) -> bool:
    """Return whether a message that follows an outcome answers what was asked back there.

    What asks something is a question of its own; so is everything where nothing was offered to
    choose from, since the thread says what such words are about.
    """
    if not isinstance(outcome, NeedsClarification) or small_talk(text):
        return False
    if outcome.kind == "ambiguous" and unclear.pronoun(outcome.question):
        return False  # what is named then goes into the question itself
    if text in (*outcome.options, *outcome.questions):
        return True
    if outcome.kind == "conflict":
        return choice.read(text, outcome.statements) is not None or (
            says_nothing(text) and not _ASKS.search(text)
        )
    is_short = len(text.split()) <= _MOST_REPLIED
    return outcome.kind == "ambiguous" and is_short and not _ASKS.search(text)


def answering(
    text: str,
    standalone: str,
    kind: ClarificationKind,
    reply: str,
    *,
    questions: Collection[str] = (),
) -> Question:
    """Return what is asked once a clarification of that kind has its reply.

    The reply to a conflict chooses between sources, and is not searched. Any other one narrows the
    question or says it anew: it is searched with the question and the reply before, unless it says
    nothing. One of the `questions` that were offered is asked alone.
    """
    if reply in questions:
        return Question(text=text, standalone=reply, reply=reply)
    if kind == "conflict" or says_nothing(reply):
        return Question(text=text, standalone=standalone, reply=reply)
    # A follow-up is narrowed as it was understood, and not as it was typed.
    base = text if standalone.startswith(text) else standalone.partition("\n")[0]
    before = standalone.removeprefix(base).strip().rpartition("\n")[2]
    narrowed = f"{base}\n{before}" if before and before != reply else base
    return Question(text=text, standalone=_narrowed(narrowed, reply), reply=reply)


def _narrowed(question: str, reply: str) -> str:
    """Return a question with what narrows it, the reply whole, within `MAX_QUESTION_CHARS`."""
    room = MAX_QUESTION_CHARS - len(reply) - 1
    return f"{question[:room].rstrip()}\n{reply}" if room > 0 and question.strip() else reply
