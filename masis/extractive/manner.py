"""Tell in which manner a question is asked: as people type into a chat, or as they write.

Pure and lexical. The manner says nothing of an answer. But at one and the same probability fewer of the
sentences that nothing answers pass than of the questions typed as they come, so that one mark for all would
cost one of the manners (`tests/bench/RESULTS.md`).
"""

from typing import Final, Literal

from masis.questions.question_parts import asking

Manner = Literal["chat", "brief", "sentence", "told"]
"""Typed as it comes; written in a few words, in a sentence, or with a case told around it."""
BRIEF: Final = 7
"""Words up to which a written question is brief."""
SENTENCE: Final = 18
"""Words up to which it is a sentence; with more of them a case is told."""
BESIDE: Final = 4
"""So many words more than those that ask tell a case, too."""
_MARKS: Final = "\"'“”‘’() "


def manner(question: str) -> Manner:
    """Return the manner of a question, by its capitals, its marks and its words."""
    if not _is_written(question):
        return "chat"
    count = len(question.split())
    if count > SENTENCE or count > len(" ".join(asking(question)).split()) + BESIDE:
        return "told"
    return "brief" if count <= BRIEF else "sentence"


def _is_written(question: str) -> bool:
    """Say whether it begins with a capital and ends with a mark."""
    bare = question.strip().strip(_MARKS)
    return bare[:1].isupper() and bare[-1:] in {".", "?", "!"}
