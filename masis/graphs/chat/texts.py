"""The words of the chat graph: what it calls its step, and what it says to small talk."""

from typing import Final

UNDERSTAND: Final = "Understand"
REWRITE: Final = "Read the thread"
PLAN: Final = "Plan the search"
GREET: Final = "Say hello"

HELLO: Final = (
    "Hello! Ask me something about your documents: I answer with the passages that say so."
)
THANKED: Final = "You are welcome."
ABOUT: Final = (
    "I answer questions from the documents of this workspace, and cite the passage for every claim."
)
