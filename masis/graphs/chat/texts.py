"""The words of the chat graph: what it calls its step, and what it says to small talk."""

from typing import Final

from masis.text.lexical import terms
from masis.words.chat_words import spelt_out

UNDERSTAND: Final = "Understand"
REWRITE: Final = "Read the thread"
PLAN: Final = "Plan the search"
GREET: Final = "Say hello"

HELLO: Final = (
    "Hello! Ask me something about your documents: I answer with the passages that say so."
)
THANKED: Final = "You are welcome."
UNDERSTOOD: Final = "Understood as: {question}"
ABOUT: Final = (
    "I answer questions from the documents of this workspace, and cite the passage for every claim."
)


def understood_as(typed: str, understood: str) -> str:
    """Say how a question was understood; nothing where that adds no word to what was typed."""
    added = set(terms(understood)) - set(terms(spelt_out(typed)))
    return UNDERSTOOD.format(question=" ".join(understood.split())) if added else ""
