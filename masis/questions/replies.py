"""Build the question that is asked once a clarification has its reply."""

from collections.abc import Collection

from masis.domain import ClarificationKind, Question
from masis.policy import MAX_QUESTION_CHARS
from masis.questions.choice import says_nothing


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
    before = standalone.removeprefix(text).strip().rpartition("\n")[2]
    narrowed = f"{text}\n{before}" if before and before != reply else text
    return Question(text=text, standalone=_narrowed(narrowed, reply), reply=reply)


def _narrowed(question: str, reply: str) -> str:
    """Return a question with what narrows it, the reply whole, within `MAX_QUESTION_CHARS`."""
    room = MAX_QUESTION_CHARS - len(reply) - 1
    return f"{question[:room].rstrip()}\n{reply}" if room > 0 and question.strip() else reply
