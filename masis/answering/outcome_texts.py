"""Say what stands beside an outcome, whichever graph made it."""

from collections.abc import Sequence
from typing import Final

from masis.text.lexical import terms
from masis.words.chat_words import spelt_out
from masis.words.thread_words import taken_about

NOTHING_STATED: Final = "This draft states nothing that could be checked."
"""Stands where a badge would, which a draft without claims has none of."""
WORD_FOR_WORD: Final = "These are the documents' own words; nothing is added."
"""Stands where a badge would, which passages that are shown again have none of."""
DROPPED: Final = {
    "below_threshold": "not close enough",
    "far_behind_nearest": "far behind the nearest",
    "repeats_another": "repeats another",
}
"""Why a passage that was found is not in the evidence."""
ASK_INSTEAD: Final = "What the documents do answer:"
"""Leads in questions that can be asked instead."""
NEAREST: Final = "The nearest that the documents say:"
"""Leads in what of a draft is shown beside a question back."""
UNDERSTOOD: Final = "Understood as: {question}"
ABOUT_THAT: Final = "Taken to be about: {question}"


def understood_as(typed: str, understood: str) -> str:
    """Say how a question was understood; nothing where that adds no word to what was typed."""
    if about := taken_about(typed, understood):
        return ABOUT_THAT.format(question=about)
    added = set(terms(understood)) - set(terms(spelt_out(typed)))
    return UNDERSTOOD.format(question=" ".join(understood.split())) if added else ""


def searched_for(phrases: Sequence[str]) -> str:
    """Tell what was searched in place of words as they were typed."""
    quoted = [f"“{each}”" for each in phrases]
    listed = " or ".join(filter(None, (", ".join(quoted[:-1]), *quoted[-1:])))
    return f"searched for {listed}"


def below_nearest(nearest: str, question: str) -> str:
    """A question back with what it is about above it, where something near is shown."""
    return f"{NEAREST}\n{nearest}\n\n{question}" if nearest else question
