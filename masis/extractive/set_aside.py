"""Leave out of the evidence the statements that are set aside.

What says the same as these goes, too; the rest stays.

Pure and lexical. A document that was not chosen stays evidence for everything else that it says. A
third document that repeats a statement set aside is no better than it: the repetition goes too.
"""

from collections.abc import Sequence
from typing import Final

from masis.domain import EvidenceChunk, Question, SourceStatement
from masis.extractive import answers
from masis.text import lexical
from masis.text.sentences import Unit, units

SAME_WORDS: Final = 0.75
"""Of the terms of a sentence that stand in a statement set aside too, it says the same."""
SAME_QUESTION: Final = 0.6
"""Of the question's terms that a sentence of a third document holds, it answers that question."""
LEAST_TERMS: Final = 3
"""Of a sentence that is compared by its terms: two words are soon shared."""


def in_force(question: Question, evidence: Sequence[EvidenceChunk]) -> list[EvidenceChunk]:
    """Return the evidence without the sentences that the question's choices set aside.

    A chunk of which no sentence is left goes.
    """
    excluded = _Excluded(question)
    if not excluded.documents:
        return list(evidence)
    return [left for chunk in evidence if (left := excluded.cut_from(chunk)) is not None]


class _Excluded:
    """The statements that do not count, and what they give as an answer."""

    def __init__(self, question: Question) -> None:
        self._asked = answers.asked(question.standalone)
        self._question = frozenset(lexical.terms(question.standalone))
        self._choices = [each for each in question.choices if each.set_aside]
        self.documents = {said.document_id for each in self._choices for said in each.set_aside}
        self._chosen = {said.document_id for each in self._choices for said in each.in_force}

    def cut_from(self, chunk: EvidenceChunk) -> EvidenceChunk | None:
        """Return the chunk without what does not count; None where nothing is left."""
        if chunk.document_id in self._chosen - self.documents:
            return chunk
        parts = units(chunk.text)
        out = [
            unit for unit in parts if unit.kind != "heading" and self._does_not_count(chunk, unit)
        ]
        if not out:
            return chunk
        if all(unit.kind == "heading" or unit in out for unit in parts):
            return None
        return chunk.model_copy(update={"text": _without(chunk.text, out)})

    def _does_not_count(self, chunk: EvidenceChunk, unit: Unit) -> bool:
        return any(
            self._repeats(unit.flat, said, choice.in_force)
            if said.document_id == chunk.document_id
            else chunk.document_id not in choice.among
            and self._answers(unit.flat)
            and self._repeats(unit.flat, said, choice.in_force)
            for choice in self._choices
            for said in choice.set_aside
        )

    def _repeats(
        self, text: str, said: SourceStatement, counting: Sequence[SourceStatement]
    ) -> bool:
        return _says(text, said.text) or self._gives(text, said, counting)

    def _answers(self, text: str) -> bool:
        shared = self._question & frozenset(lexical.terms(text))
        return len(shared) >= SAME_QUESTION * len(self._question)

    def _gives(self, text: str, said: SourceStatement, counting: Sequence[SourceStatement]) -> bool:
        """Say whether a sentence gives a value of the statement.

        Values of the statements that count are left out.
        """
        values = self._values(said.text).difference(*(self._values(each.text) for each in counting))
        return not values.isdisjoint(self._values(text))

    def _values(self, text: str) -> set[answers.Value]:
        if self._asked is None:
            return set(answers.quantities(text))
        return set(answers.given(self._asked, text))


def _says(text: str, said: str) -> bool:
    """Say whether a sentence is the statement, or the same in other words and with its figures."""
    ours, theirs = _folded(text), _folded(said)
    if not (ours and theirs):
        return False
    if ours in theirs or theirs in ours:
        return True
    terms, known = frozenset(lexical.terms(text)), frozenset(lexical.terms(said))
    figures = {term for term in terms if any(map(str.isdigit, term))}
    return (
        len(terms) >= LEAST_TERMS
        and len(terms & known) >= SAME_WORDS * len(terms)
        and figures <= known
    )


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


def _without(text: str, out: Sequence[Unit]) -> str:
    """The text without these units, and without the lines that only their marks are left of."""
    kept, at = [], 0
    for unit in out:
        kept.append(text[at : unit.start])
        at = unit.end
    lines = "".join([*kept, text[at:]]).splitlines()
    return "\n".join(
        line for line in lines if not line.strip() or any(map(str.isalnum, line))
    ).strip()
