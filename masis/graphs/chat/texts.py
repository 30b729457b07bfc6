"""The words of the chat graph: what it calls its step, and what it says to small talk."""

from collections.abc import Sequence
from typing import Final

from masis.words.chat_words import SmallTalk

UNDERSTAND: Final = "Understand"
REWRITE: Final = "Read the thread"
PLAN: Final = "Plan the search"
GREET: Final = "Say hello"
RECALL: Final = "Look at the last answer"

HELLO: Final = (
    "Hello! Ask me about your documents, and I will answer with the passages that say so."
)
THANKED: Final = "You are welcome."
BYE: Final = "Goodbye!"
ABOUT: Final = (
    "I am a bot: I answer questions from the documents of this workspace, cite the passage for every"
    " claim, and say so where they hold no answer. Ask me as you would ask a colleague."
)
NO_HARM: Final = "No problem."
NOTED: Final = "All right."
MISSED: Final = "Sorry about that. Please ask it in other words, or write “search wider” and I will look further."
GREETINGS: Final[dict[SmallTalk, str]] = {
    "hello": HELLO,
    "thanks": THANKED,
    "bye": BYE,
    "about": ABOUT,
    "sorry": NO_HARM,
    "noted": NOTED,
    "missed": MISSED,
}
"""What each kind of small talk gets."""
WITH_QUESTIONS: Final[frozenset[SmallTalk]] = frozenset({"hello", "about"})
"""The kinds after which somebody may want to ask, and not know what."""

SOURCES: Final = "My last answer rests on these passages:"
FIRST_POINT: Final = "The first point of my last answer:"
ONLY_POINT: Final = "My last answer has one point:"
POINTS: Final = "The points of my last answer:"
TABLE: Final = "A table of my last answer:"
SAYS: Final = "What it says"
ITEM: Final = "Item"
STANDS_IN: Final = "Stands in"
PART: Final = "What my last answer says of “{words}”:"
FIGURES: Final = "The figures of my last answer:"
NO_PART: Final = (
    "My last answer says nothing of “{words}”. Ask it as a question, and I will look for it."
)
NO_FIGURES: Final = "My last answer has no figure."
PLAINER: Final = "The points of my last answer, in no plainer words for want of a language model:"
WRITTEN: Final = (
    "I write no messages and only quote documents; the points of my last answer, to copy:"
)
UNSURE: Final = "I was not sure of an answer. The nearest that I found:"
MORE: Final = "The passages that I cited also say:"
REWORDED: Final = "a model put the last answer into other words"
CODE_GIVEN: Final = "This is the code that fits it best."
NO_ANSWER: Final = (
    "There is no answer in this thread that I could show again. Please ask a question first."
)
NO_LANGUAGE: Final = "I cannot translate: no language model is set up here. I quote the documents in their own language."
WHICH_LANGUAGE: Final = "Into which language?"
NOT_REWORDED: Final = (
    "I could not put that into other words without changing what it says. The answer above stands."
)


def what_is_meant(word: str, options: Sequence[str]) -> str:
    """Ask what a word stands for, by what it could be."""
    return f"What do you mean by “{word}”: {', '.join(options[:-1])} or {options[-1]}?"
