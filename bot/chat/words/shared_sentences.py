"""Every sentence that people read alike in each chat; a chat's own stand in its `text/sentences.py`."""

from typing import Final

from bot.chat.words.counts import counted
from bot.chat.words.phrases import named, shortened
from bot.chat.words.visible_text import one_line
from masis.domain import ClarificationKind

APP: Final = "MASIS"
MADE_EMPTY: Final = "This text was removed because a document that it quotes was deleted."
ON_IT: Final = "On it."
WORKING: Final = "Working on it"
RETRY_HINT: Final = "Asking again may help."
WITHHELD_RELINKED: Final = (
    "The channel was linked to another workspace meanwhile; the answer is withheld. Ask again."
)
HOW: Final = "How I got this"
SEARCH_WIDER: Final = "Search wider"
SOURCES: Final = "Sources"
CANCEL: Final = "Cancel"
WIDER_STARTED: Final = "On it: I look at more passages and accept weaker ones."
ASKS_BACK: Final = "I need your help to answer this"
QUESTION_GOES_ON: Final = f"The question is longer than fits here: “{HOW}” has all of it."
UNSURE: Final = "I am not sure about this one"
"""Stands over what is likely right, and the question whether it is."""
WHY: Final[dict[ClarificationKind, str]] = {
    "empty_workspace": "Why: the workspace has no documents.",
    "below_threshold": "Why: no passage is close enough to the question.",
    "conflict": "Why: the sources disagree, and further searches did not settle it.",
    "low_confidence": "Why: what I found did not pass my checks.",
    "not_audited": "Why: nobody has checked the draft.",
    "not_covered": "Why: nothing that was found speaks of it.",
    "ambiguous": "Why: several passages fit the question alike.",
    "partly_answered": "Why: only a part of the question has an answer.",
    "choice": "Why: more than one code may fit.",
    "no_code": "Why: there is no code to give.",
}
SHOW_DRAFT: Final = "Show the best draft"
DRAFT_WARNING: Final = (
    "This draft did not pass. Check each statement against its source before you use it."
)
NO_DRAFT: Final = "There is no draft: nothing was found that could be used."
REPLY_TAKEN: Final = "On it, with your reply."
BACK: Final = "Back"
NOT_FOUND: Final = "This is not here, or not any more."
NAMED_TWICE: Final = "Another file of this name came behind it: the last one counts."
UNEXPECTED: Final = "Something unexpected went wrong. Please try again."
FIRST_ROUND: Final = "First pass"


def over_quota(reason: str) -> str:
    """The quota that is used up, in the words of whoever counts."""
    return f"{one_line(reason).rstrip('.')}. Nothing was searched."


def retry(number: int) -> str:
    """Name a pass after the first one."""
    return f"Retry {number}"


def more(number: int) -> str:
    """Say how many are counted and not listed."""
    return f"+{number} more"


def more_in_trail(number: int) -> str:
    """Say how many are counted and not listed, and where they stand."""
    return f"{more(number)}: see “{HOW}”"


def more_in_channels(number: int) -> str:
    """Say how the workspaces are asked for which a menu has no room."""
    return f"{counted(number, 'more workspace')}: ask each in a channel that is linked to it."


def not_in_source(sentence: str, missing: str) -> str:
    """A claim that is not borne out by what it cites."""
    told = f"Not in its source: {named(sentence)}"
    return f"{told} ({one_line(missing)})" if missing else told


def without_source(sentence: str) -> str:
    """A claim that cites nothing."""
    return f"Without a source: {named(sentence)}"


def made_up(number: int) -> str:
    """Citations that do not exist."""
    return f"{counted(number, 'made-up citation')} in the draft, marked in the text"


def suggest_source(document: str) -> str:
    """A reply to a conflict: which source counts."""
    return f"{one_line(document)} counts"


def replied(reply: str) -> str:
    """Say what the asker replied when the question came back."""
    return f"replied {named(shortened(reply))}"


def suggest_document(document: str) -> str:
    """A reply when nothing was close: where to look."""
    return f"Look in {one_line(document)}"


def suggest_only(document: str) -> str:
    """A reply to a weak draft: what to go by."""
    return f"Go by {one_line(document)}"
