"""Make a code list searchable: the texts that speak for each code, and how its words weigh."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from masis.codelists.code_list import Code, CodeList
from masis.codelists.named_codes import asked_code
from masis.text.lexical import idf, terms

K1: Final = 1.2
B: Final = 0.5
"""BM25's constants, of codes whose texts differ in length by what the list says of them."""
SMOOTHING: Final = 20.0
"""Words of the whole list that are mixed into those of the codes below one parent, which may have few."""
MOST_TEXTS: Final = 120
"""Names and sentences of one code that are looked at."""
MOST_REPEATED: Final = 2
"""Times that a word of a text counts which is said more often."""

_SENTENCE: Final = re.compile(r"(?<=[.;:!?])\s+|\s[-–•]\s|\s\([a-z]{1,2}\)\s")
_SHORT: Final = 8
"""Characters; what is shorter is a number or a mark."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A text that speaks for a code, with its terms."""

    text: str
    terms: frozenset[str]


@dataclass(frozen=True, slots=True)
class Entry:
    """A code that something can be classified as, with its names and the sentences on it."""

    code: Code
    names: list[Spoken]
    sentences: list[Spoken]


class CodeIndex:
    """Knows the words of a code list's leaves.

    What a code is said not to be is no word of it.
    """

    def __init__(self, codes: CodeList) -> None:
        self.codes = codes
        self.titles = {each.code: each.title for each in codes.codes}
        self.entries = [_entry(code) for code in codes.leaves]
        counts = [Counter(terms(_whole(entry))) for entry in self.entries]
        lengths = [sum(found.values()) for found in counts]
        average = sum(lengths) / len(lengths) if lengths else 1.0
        frequencies = Counter(term for found in counts for term in found)
        self._idf = {term: idf(df, len(counts)) for term, df in frequencies.items()}
        self._unsaid = idf(1, len(counts))
        self._postings: dict[str, list[tuple[int, float]]] = {}
        for at, found in enumerate(counts):
            norm = K1 * (1 - B + B * lengths[at] / (average or 1.0))
            for term, count in found.items():
                said = count * (K1 + 1) / (count + norm)
                self._postings.setdefault(term, []).append((at, said * self._idf[term]))
        self.terms_of_row = [len(found) for found in counts]
        self._groups = self._grouped(counts)
        self._all = Counter[str]()
        for found in counts:
            self._all.update(found)
        self.by_chunk = _by_chunk(self.entries)
        self.at = {entry.code.code: at for at, entry in enumerate(self.entries)}
        self.has_titles_alone = not any(each.sentences or each.names[1:] for each in self.entries)

    def asked(self, text: str) -> str:
        """Return the code of which a text asks what it stands for, or what is below it; else nothing."""
        return asked_code(text, self.titles, self.codes.kinds)

    def lexical(self, text: str) -> dict[int, float]:
        """Score the entries that a word of the text stands in, against what its words weigh.

        A word that the list does not have weighs as much as one that it has once.
        """
        asked = Counter(terms(text))
        weight = sum(self._idf.get(term, self._unsaid) for term in asked)
        found: dict[int, float] = {}
        for term, count in asked.items():
            for at, said in self._postings.get(term, ()):
                found[at] = found.get(at, 0.0) + said * min(count, MOST_REPEATED)
        return {at: score / weight for at, score in found.items()} if weight else {}

    def group(self, code: Code) -> str:
        """Return the parent of a code; one at the top stands for itself."""
        return code.parent if code.parent in self.codes.by_code else code.code

    def of_groups(self, text: str) -> dict[str, float]:
        """Tell for each parent how much likelier the words of a text are below it than in the list.

        That is the logarithm of the query likelihood, with Dirichlet smoothing. Nothing where no code has a parent.
        """
        if not self.codes.children:
            return {}
        asked = Counter(term for term in terms(text) if term in self._all)
        total = self._all.total()
        found = {}
        for group, (said, length) in self._groups.items():
            weighed = 0.0
            for term, count in asked.items():
                usual = self._all[term] / total
                likely = (said[term] + SMOOTHING * usual) / (length + SMOOTHING)
                weighed += min(count, MOST_REPEATED) * math.log(likely / usual)
            found[group] = weighed
        return found

    def _grouped(self, counts: Sequence[Counter[str]]) -> dict[str, tuple[Counter[str], int]]:
        """Put the words of the codes below each parent together, and count them."""
        words: dict[str, Counter[str]] = {}
        for entry, found in zip(self.entries, counts, strict=True):
            words.setdefault(self.group(entry.code), Counter()).update(found)
        return {group: (found, found.total()) for group, found in words.items()}

    def holders(self, asked: Iterable[str]) -> dict[int, list[str]]:
        """Return the entries that terms stand in, with those of them that do."""
        found: dict[int, list[str]] = {}
        for term in dict.fromkeys(asked):
            for at, _ in self._postings.get(term, ()):
                found.setdefault(at, []).append(term)
        return found

    def known(self, text: str) -> set[str]:
        """The terms of a text that the list has."""
        return {term for term in terms(text) if term in self._idf}

    def nearest_by_words(self, spoken: Sequence[Spoken], asked: set[str], most: int) -> list[str]:
        """Return at most so many texts: the first, then those with the most words that are asked."""
        first, rest = list(spoken[:1]), list(spoken[1:])
        rest.sort(key=lambda each: -self._covered(each, asked))
        return [each.text for each in (*first, *rest[: most - 1])]

    def _covered(self, spoken: Spoken, asked: set[str]) -> float:
        said = sum(self._idf.get(term, 0.0) for term in spoken.terms & asked)
        return said / (1 + math.log1p(len(spoken.terms)))


def _entry(code: Code) -> Entry:
    names = dict.fromkeys(filter(None, [code.title, *code.synonyms]))
    sentences = dict.fromkeys(_sentences(code.description))
    return Entry(code, _spoken(list(names)), _spoken(list(sentences)))


def _spoken(texts: Sequence[str]) -> list[Spoken]:
    return [Spoken(text, frozenset(terms(text))) for text in texts[:MOST_TEXTS]]


def _sentences(said: str) -> Iterator[str]:
    parts = (part.strip(" ;-") for part in _SENTENCE.split(said))
    return (part for part in parts if len(part) > _SHORT)


def _whole(entry: Entry) -> str:
    code = entry.code
    return " ".join([code.title, *code.synonyms, code.description])


def _by_chunk(entries: Sequence[Entry]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at, entry in enumerate(entries):
        for row in entry.code.rows:
            found.setdefault(row.chunk_id, []).append(at)
    return found
