"""Read what people write to MASIS: its verbs, and questions.

A verb counts only in its own grammar, so that "link between churn and price?" is a question.
"""

import difflib
import re
from dataclasses import dataclass
from typing import Final

from bot.chat.words.visible_text import one_line
from masis.domain import FILE_ENDINGS
from masis.policy import MAX_QUESTION_CHARS

MOST_NAME: Final = 200
"""Of a workspace's or a document's name."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question, in the person's words."""

    question: str


@dataclass(frozen=True, slots=True)
class Classify:
    """A description whose code is wanted; empty where none was typed."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class TooLong:
    """A question that is longer than any question."""

    length: int


@dataclass(frozen=True, slots=True)
class Help:
    """Ask for help: what can be asked and done."""


@dataclass(frozen=True, slots=True)
class Link:
    """Link this channel; without a name the form asks for it."""

    workspace: str = ""


@dataclass(frozen=True, slots=True)
class Unlink:
    """Take this channel's link away."""


@dataclass(frozen=True, slots=True)
class Status:
    """Ask what this channel can search."""


@dataclass(frozen=True, slots=True)
class Docs:
    """The documents of this channel's workspace."""


@dataclass(frozen=True, slots=True)
class Upload:
    """Put files into this channel's workspace."""


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove a document; without a name the form asks for it."""

    document: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """The team's settings."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """End the person's running question."""


@dataclass(frozen=True, slots=True)
class History:
    """The person's recent questions in this channel."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A lone word that looks like a misspelt verb."""

    word: str
    nearest: str


Bare = Help | Unlink | Status | Docs | Upload | Settings | Cancel | History
Command = Ask | Classify | TooLong | Link | Delete | Unknown | Bare

_BARE: Final[tuple[type[Bare], ...]] = (
    Help,
    Unlink,
    Status,
    Docs,
    Upload,
    Settings,
    Cancel,
    History,
)
BARE: Final[dict[str, Bare]] = {kind.__name__.lower(): kind() for kind in _BARE}
"""Verbs that take nothing behind them."""

VERBS: Final = ("ask", "classify", "link", "delete", *BARE)

_NEAR: Final = 0.74
"""The likeness from which a lone word is taken for a slip: `lnik`, `stats`, `halp`, `setings`."""

_QUOTED: Final = re.compile(r'["“„«]\s*([^"“”„«»\n]+?)\s*["”“»]')
_FILE: Final = re.compile(rf"[^?\n]+\.(?:{'|'.join(FILE_ENDINGS)})", re.IGNORECASE)
_ASKS: Final = re.compile(
    "what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did", re.IGNORECASE
)
"""A sentence that begins so is a question, even if it ends with a file's name."""


def read(text: str) -> Command:
    """Read plain text: a verb in its own grammar, or else a question."""
    first, _, rest = text.strip().partition(" ")
    verb, behind = first.lower().removeprefix("/"), rest.strip()
    if not behind:
        verb = verb.rstrip("?!.")
    if verb == "ask":
        return asked(behind)
    if verb == "classify":
        return TooLong(len(behind)) if len(behind) > MAX_QUESTION_CHARS else Classify(behind)
    if verb in BARE and not behind:
        return BARE[verb]
    if verb in {"link", "delete"}:
        name = _name(behind, file=verb == "delete")
        if name is not None:
            return Link(name) if verb == "link" else Delete(name)
    if first and not behind and (near := _nearest(verb)):
        return Unknown(one_line(first)[:MOST_NAME], near)
    return asked(text)


def asked(text: str) -> Ask | TooLong | Help:
    """Plain text as a question, whatever it begins with; help when there is none."""
    question = text.strip()
    if not question:
        return Help()
    if len(question) > MAX_QUESTION_CHARS:
        return TooLong(len(question))
    return Ask(question)


def _name(text: str, *, file: bool) -> str | None:
    """The name behind a verb, empty when there is none; None when it is no name but a sentence."""
    if not text:
        return ""
    if quoted := _QUOTED.fullmatch(text):
        return quoted[1][:MOST_NAME]
    if len(text) > MOST_NAME or text.endswith("?"):
        return None
    words = text.split()
    if len(words) == 1:
        return text
    is_sentence = _ASKS.fullmatch(words[0]) is not None
    return text if file and not is_sentence and _FILE.fullmatch(text) else None


def _nearest(word: str) -> str:
    """The verb that a word is a slip of, or nothing."""
    found = difflib.get_close_matches(word[:MOST_NAME], VERBS, n=1, cutoff=_NEAR)
    return found[0] if found else ""
