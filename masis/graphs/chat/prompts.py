"""Every word that the chat graph says to a model; what all prompts share is `masis.models.prompting`."""

from collections.abc import Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel, Field

from masis.answering.citations import neutralise
from masis.conversation import Exchange
from masis.models.prompting import RULE, clipped, inert, messages, typed
from masis.ports import Message

NAME_CHARS: Final = 120
"""Of a title or a heading that was cited."""
THREAD_CHARS: Final = 600
"""Of one question of the thread."""

ROUTER: Final = f"""\
You sort messages of a workplace chat to a bot that answers questions from documents. You answer none of them.
{RULE}
`thread` is what was asked before, oldest first. Is `message` small talk (a greeting, thanks, a joke, talk about the bot itself: "chat"), does it want something calculated from figures that documents may hold: a change, a share, a sum, an average, a ranking, a number of rows, a chart of them ("calculation"), or may documents of a company hold what else it asks or refers to ("question")? Where it could be both: "unsure"."""

REWRITER: Final = f"""\
You rewrite the last message of a chat as one question that can be understood alone. You answer nothing.
{RULE}
`thread` is what was asked before, oldest first, with the titles and headings of the passages that answered.
- Replace pronouns and put in what `message` leaves out, by words that stand in `thread` or in `message`. Use no other words than these and small ones that join them.
- Keep every name and figure of `message` exactly; keep its language and what it wants to know.
- Where `message` starts another subject, or is understood alone, give it back as it is, and carry nothing over."""

REWORDER: Final = f"""\
You put an audited answer into other words. You add nothing and correct nothing.
{RULE}
- End every sentence with the ids that stand behind it in `answer`, in the same square brackets.
- Copy figures, dates and names exactly.
- With `language`, say all of it in that language. Without, say what matters most in at most two short sentences, in the words of `answer`.
Write the text alone, without preamble."""

SYSTEM_PROMPTS: Final = (ROUTER, REWRITER, REWORDER)


class RouteReply(BaseModel):
    """What a message wants, as a model tells it."""

    intent: Literal["chat", "calculation", "question", "unsure"]


class StandaloneReply(BaseModel):
    """A message as a question that stands alone, before its words are believed."""

    standalone: str = Field(description="the message as a question that is understood alone")
    subject: str = Field(description="what the thread lent it; empty where nothing")


def routing(text: str, thread: Sequence[Exchange]) -> list[Message]:
    """Ask what a message wants."""
    return messages(ROUTER, {"message": typed(text), "thread": _asked(thread)})


def rewriting(text: str, thread: Sequence[Exchange]) -> list[Message]:
    """Ask for a message as a question that stands alone."""
    return messages(REWRITER, {"message": typed(text), "thread": _asked(thread)})


def rewording(answer: str, language: str) -> list[Message]:
    """Ask for an answer in a language, or in fewer words where none is named."""
    into = {"language": language} if language else {}
    return messages(REWORDER, {"answer": inert(answer), **into})


def _asked(thread: Sequence[Exchange]) -> list[dict[str, Any]]:
    return [
        {
            "question": clipped(typed(each.standalone or each.question), THREAD_CHARS),
            "about": [clipped(neutralise(inert(name)), NAME_CHARS) for name in each.about],
        }
        for each in thread
    ]
