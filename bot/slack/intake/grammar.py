"""Read what people write to MASIS: the verbs of `/masis`, and questions.

A verb counts only in its own grammar, so that "link between churn and price?" is a question.
Slack's own markup in what it sends (`<@U1|ann>`, `&lt;`) is read back into what was typed.
"""

import difflib
import re
from dataclasses import dataclass
from typing import Final

from bot.chat.words.visible_text import one_line, visible
from masis.domain import FILE_ENDINGS
from masis.policy import MAX_QUESTION_CHARS

MOST_READ: Final = 40_000
"""Characters of a message that are looked at; Slack sends no more."""
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

_TOKEN: Final = re.compile(r"<([^<>\n]{1,3000})>")
_MAIL: Final = "mailto:"
_MANY: Final = ("!subteam", "!here", "!channel", "!everyone")
"""How the mention of several people at once begins."""
_QUOTED: Final = re.compile(r'["“„«]\s*([^"“”„«»\n]+?)\s*["”“»]')
_FILE: Final = re.compile(rf"[^?\n]+\.(?:{'|'.join(FILE_ENDINGS)})", re.IGNORECASE)
_ASKS: Final = re.compile(
    "what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did", re.IGNORECASE
)
"""A sentence that begins so is a question, even if it ends with a file's name."""


def parse(text: str) -> Command:
    """Read what stands behind `/masis`, as Slack sends it."""
    return read(plain(text))


def read(text: str) -> Command:
    """The same for plain text: a verb in its own grammar, or else a question."""
    first, _, rest = text.strip().partition(" ")
    verb, behind = first.lower(), rest.strip()
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


def mention_text(text: str, bot_user_id: str) -> str:
    """Return what a message says beside its mention of the bot, as plain text."""
    told = text[:MOST_READ]
    if bot_user_id:
        told = re.sub(rf"<@{re.escape(bot_user_id)}(?:\|[^<>\n]{{0,200}})?>[ \t]*[:,]?", " ", told)
    return plain(told)


def names_others(text: str, *known: str) -> bool:
    """Say whether a message mentions anybody but these: a person, a group, or all who are there."""
    told = {found[1].partition("|")[0] for found in _TOKEN.finditer(text[:MOST_READ])}
    people = {target[1:] for target in told if target.startswith("@")}
    return bool(people.difference(known)) or any(target.startswith(_MANY) for target in told)


def plain(text: str) -> str:
    """Slack's text as it was typed: names for mentions and channels, no entities, nothing hidden."""
    told = _TOKEN.sub(lambda found: _told(found[1]), text[:MOST_READ])
    # Slack escapes these three alone; what a person wrote as an entity stays as they wrote it.
    told = told.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    lines = (" ".join(line.split()) for line in visible(told).split("\n"))
    return "\n".join(lines).strip()


def _told(token: str) -> str:
    """One `<…>` of Slack's as people read it."""
    target, _, label = token.partition("|")
    if target.startswith("@"):
        return f"@{label.removeprefix('@') or 'someone'}"
    if target.startswith("#"):
        return f"#{label or 'channel'}"
    if target.startswith("!"):
        word = target[1:].partition("^")[0]
        return label or (f"@{word}" if word in {"here", "channel", "everyone"} else word)
    if target.startswith(_MAIL):
        return label or target.removeprefix(_MAIL)
    return target if not label or label in target else f"{label} ({target})"


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
