"""Every sentence that people read in Teams."""

import datetime as dt
import math
from typing import Final

from bot.rendering.counts import counted
from bot.teams.text.inert_text import one_line
from masis.conversation import BY_OPERATOR
from masis.domain import ClarificationKind, DateSource

APP: Final = "MASIS"
NOTHING: Final = "–"
QUOTED: Final = 200
"""Characters of a person's words that a sentence repeats."""

# --- the app's entry in Teams --------------------------------------------------------------

FULL_NAME: Final = "MASIS, answers from documents"
IN_SHORT: Final = "Answers questions from your documents; every claim cites its source."
IN_FULL: Final = (
    "MASIS answers questions from the documents of your team. Every claim of an answer cites its"
    " source, the confidence is computed and not claimed, and where the documents do not say it,"
    " MASIS asks back instead of guessing. Mention it in a channel, or write to it alone."
)
COMMANDS: Final = (("What can you do?", "Says what MASIS answers, and what it could be asked."),)

# --- an answer -----------------------------------------------------------------------------

HOW: Final = "How I got this"
SEARCH_WIDER: Final = "Search wider"
READ_ON: Final = "Read on"
SOURCES: Final = "Sources"
PASSAGE: Final = "Passage"
ALL_SOURCES: Final = "All sources"
GOES_ON: Final = "The answer is longer than fits here: “Read on” shows the rest."
ATTACHED: Final = "attached to the question"
MADE_EMPTY: Final = "This text was removed because a document that it quotes was deleted."
TABLE: Final = "Table"
CHART: Final = "Chart"
CONTINUED: Final = "Next"
BACK: Final = "Back"


def more(number: int) -> str:
    """Say how many are counted and not listed."""
    return f"+{number} more"


def page_of(page: int, pages: int) -> str:
    """Say which page this is."""
    return f"Page {page} of {pages}"


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


def columns_left_out(number: int) -> str:
    """Say what of a table is not shown."""
    return f"{counted(number, 'more column')} in the document."


# --- a clarification -----------------------------------------------------------------------

ASKS_BACK: Final = "I need your help to answer this"
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
HOW_TO_REPLY: Final = "Reply below, or mention me in this thread."
HOW_TO_CHOOSE: Final = "Choose one of these, or reply below."
REPLY_HERE: Final = "Your reply"
REPLY: Final = "Reply"
SHOW_DRAFT: Final = "Show the best draft"
CANCEL: Final = "Cancel"
DRAFT_WARNING: Final = (
    "This draft did not pass. Check each statement against its source before you use it."
)
NO_DRAFT: Final = "There is no draft: nothing was found that could be used."
SCORES: Final = {
    "faithfulness": "Faithfulness",
    "relevance": "Relevance",
    "completeness": "Completeness",
    "reasoning_quality": "Reasoning",
}
NOT_THE_ASKER: Final = (
    "Only the person who asked may reply to this question, so yours was not taken."
    " Ask your own question outside this thread and I will answer it."
)
NOT_YOURS: Final = "Only the person who asked may do this."
NOT_OPEN: Final = {
    "answered": "This question was answered already, so your reply came too late.",
    "expired": "This question has expired. Ask the original question again.",
    "cancelled": "This question was cancelled. Ask again if you still want to know.",
}
ON_IT: Final = "On it."
REPLY_TAKEN: Final = "On it, with your reply."
WIDER_STARTED: Final = "On it: I look at more passages and accept weaker ones."
NO_REPLY: Final = "Type your reply first, then press “Reply”."
CANCELLED: Final = "This question was cancelled."


def suggest_source(document: str) -> str:
    """A reply to a conflict: which source counts."""
    return f"{one_line(document)} counts"


def suggest_document(document: str) -> str:
    """A reply when nothing was close: where to look."""
    return f"Look in {one_line(document)}"


def suggest_only(document: str) -> str:
    """A reply to a weak draft: what to go by."""
    return f"Go by {one_line(document)}"


def expired(hours: int) -> str:
    """Nobody replied in time."""
    return (
        f"Nobody replied within {counted(hours, 'hour')}, so this question is closed. "
        "Ask it again whenever you like."
    )


def answered_by(name: str, reply: str) -> str:
    """Say who replied and what counts. This stands in the place of the buttons."""
    who = one_line(name) or "somebody"
    said = f": {named(shortened(reply))}" if reply else ""
    return f"Answered by {who}{said}. The new answer follows below."


def replied(reply: str) -> str:
    """Say what the asker replied when the question came back."""
    return f"replied {named(shortened(reply))}"


# --- while it runs, and how it ends --------------------------------------------------------

WORKING: Final = "Working on it"
GONE_FURTHER: Final = "This question is shown below."
NOTHING_RUNS: Final = "This question is not running any more."
STOPPING: Final = "This question is being stopped."
RETRY_HINT: Final = "Asking again may help."
UPLOADS: Final = "Files cannot be put into a workspace from Teams. Ask the operator of MASIS."
NOT_FOUND: Final = "This is not here, or not any more."
OLD_BUTTON: Final = "This button belongs to an older message of MASIS. Please ask again."
UNEXPECTED: Final = "Something unexpected went wrong. Please try again."
NOWHERE: Final = "I could not show the answer where you asked. Ask again, or ask somewhere else."
TOO_LARGE: Final = "The answer is too large for Teams. Ask for a part of it."


def failed(error: str, *, retryable: bool = False) -> str:
    """The run could not be mended; `error` names what to do."""
    hint = f" {RETRY_HINT}" if retryable and "again" not in error else ""
    return f"I could not answer this. {error}{hint}"


def stopped(by: str) -> str:
    """Somebody ended the run."""
    who = " by the operator of MASIS" if by == BY_OPERATOR else ""
    return f"Stopped{who}. Nothing more will be posted for this question."


# --- what is not taken in ------------------------------------------------------------------

EMPTY_QUESTION: Final = "There is no question in this. Write one behind the mention."
NOT_LINKED: Final = (
    "This channel is not linked to a workspace yet, so there is nothing to search."
    " The operator of MASIS can link it with `masis teams link`."
)
NOT_STANDARD: Final = "I answer in standard channels alone, and this one is private or shared."
NO_GROUPS: Final = "I answer in channels and in personal chats, not in group chats."
NO_TEAM: Final = "Teams does not say which team this is, so I cannot tell whose documents to read."
NO_CHOICE: Final = (
    "You are in channels that ask different workspaces, and here I cannot tell which one you mean."
    " Ask in the channel of that one."
)
NOTHING_TO_ASK: Final = "There is no workspace that you can ask here. You can ask those of the channels that you are in."
NO_FILES: Final = "I cannot read files in Teams. Ask the question without them."
STRANGER: Final = (
    "These documents belong to another organisation than you do, so I cannot answer you."
)
GUEST: Final = "Guests cannot use MASIS here."
WITHHELD_RELINKED: Final = (
    "The channel was linked to another workspace meanwhile; the answer is withheld. Ask again."
)
WITHHELD_UNLINKED: Final = (
    "The channel's link was taken away meanwhile; the answer is withheld."
    " Ask again when the channel is linked."
)
WITHHELD_NO_ACCESS: Final = (
    "You are in no channel that asks this workspace, so I cannot answer you from it."
)


def too_long(length: int, most: int) -> str:
    """The question is over the limit."""
    return f"This question has {length:,} characters, and {most:,} is the most. Make it shorter."


def over_quota(reason: str) -> str:
    """The quota that is used up, in the words of whoever counts."""
    return f"{one_line(reason).rstrip('.')}. Nothing was searched."


def suspended(reason: str) -> str:
    """The channel's link does not count for now."""
    return f"This channel's link is suspended: {one_line(reason).rstrip('.')}."


# --- the welcome ---------------------------------------------------------------------------

WELCOME: Final = "Hello, I answer questions from your documents"
WELCOME_TEAM: Final = (
    "Mention me in a channel with a question. Every claim of an answer cites its source, and its"
    " confidence is computed, not claimed. A channel asks the workspace that it is linked to."
)
WELCOME_PERSONAL: Final = (
    "Write me a question. Every claim of an answer cites its source, and its confidence is computed,"
    " not claimed. You can ask the workspaces of the channels that you are in."
)

# --- the audit -----------------------------------------------------------------------------

BLANKED_RUN: Final = "A document that this answer quotes was deleted, and its texts with it."
SCORES_TITLE: Final = "Scores"
NOT_SCORED: Final = "Not scored."
FIRST_ROUND: Final = "First pass"
FINDINGS: Final = "Findings"
NOTHING_FOUND: Final = "Nothing was found."
FIGURES: Final = "Figures"
CALCULATIONS: Final = "Calculations"
DELETED_DOCUMENT: Final = "(deleted document)"


def looked_at(candidates: int, kept: int, threshold: str) -> str:
    """Say what a search brought, and what of it was kept."""
    return f"{counted(candidates, 'passage')} looked at, {kept} kept (threshold {threshold})"


# --- pieces --------------------------------------------------------------------------------

_AGES: Final = (
    (14, 1.0, "day"),
    (61, 7.0, "week"),
    (731, 30.4375, "month"),
    (math.inf, 365.25, "year"),
)
"""Below how many days an age is said in which unit, and how many days that is on average."""


def age(then: dt.date | None, today: dt.date, source: DateSource | None = None) -> str:
    """Say how old a document is: `today`, `5 days old`, `3 months old`; `undated` without a date.

    Where the date is that of its file, which is no word of the document's, it is said to be that.
    """
    if then is None:
        return "undated"
    if source == "file":
        return f"file dated {then.day} {then:%b %Y}"
    days = (today - then).days
    if days <= 0:
        return f"dated {then.day} {then:%b %Y}" if days else "today"
    size, noun = next((size, noun) for below, size, noun in _AGES if days < below)
    return f"{counted(int(days / size), noun)} old"


def shortened(text: str) -> str:
    """As much of a text as goes into a line."""
    words = one_line(text)
    return words if len(words) <= QUOTED else f"{words[: QUOTED - 1].rstrip()}…"


def named(name: str) -> str:
    """A name in a sentence: in typographic quotes and one line."""
    return f"“{one_line(name)}”"
