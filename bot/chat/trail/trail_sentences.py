"""Every sentence of “How I got this”, as each chat says it."""

from typing import Final

from bot.chat.words.counts import counted
from bot.chat.words.visible_text import one_line
from masis.graphs.chat.texts import UNDERSTAND

SCORES: Final = "Scores"
NOT_SCORED: Final = "There was nothing to score."
ASKED_BACK: Final = "What I asked back"
NOTED: Final = "What stays open"
FINDINGS: Final = "What the audit found"
NOTHING_FOUND: Final = "Nothing to object to."
FIGURES: Final = "What it took"
CALCULATIONS: Final = "Figures and calculations"
DELETED_DOCUMENT: Final = "a deleted document"
BLANKED_RUN: Final = (
    "A document that this answer quotes was deleted, so its texts were removed. The figures stand."
)
UNDERSTANDING: Final = UNDERSTAND
"""The title of that step, as in the plan."""
INTENTS: Final[dict[str, str]] = {
    "chat": "small talk",
    "direct_rag": "a question",
    "specific_doc_rag": "a question about named documents",
    "analysis": "a calculation",
    "classification": "a code",
    "last_answer": "a request about the last answer",
}
"""What a message was taken for."""


def search_plan(plan: str) -> str:
    """Say what was searched for."""
    return f"search plan: {one_line(plan)}"


def taken_for(intent: str, exchanges: int, heard: int) -> str:
    """Say what a message was taken for, and what was read before it."""
    parts = [f"taken for {intent}"]
    parts += [f"{counted(exchanges, 'earlier question')} of the thread"] if exchanges else []
    parts += [f"{counted(heard, 'message')} of the thread read"] if heard else []
    return " · ".join(parts)


def looked_at(candidates: int, kept: int, threshold: str) -> str:
    """The head of a search's passages."""
    return f"Looked at {counted(candidates, 'passage')}, kept {kept} (threshold {threshold}):"


def more_calculations(number: int) -> str:
    """Count the calculations that are not listed."""
    return f"and {number:,} more calculations"


def more_figures(number: int) -> str:
    """Count the figures of a calculation that are not listed."""
    return f"and {number:,} more figures"
