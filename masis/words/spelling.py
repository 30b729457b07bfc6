"""Find the word that a mistyped one stands for.

It is the nearest that the documents are written with.

Pure. A word is only replaced where it is neither one of the documents' nor one of English, nor a name,
a code or a number: what is merely not written down must stay what it is.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from masis.text.given_names import GIVEN_NAMES
from masis.words import countries, synonyms
from masis.words.english import is_english
from masis.words.mistyped import LEAST_CHARS, LONG_WORD, MAX_CHARS, is_slip, sounds_like

MOST_WORDS: Final = 50_000
"""Of a workspace: the rarest of a larger one are nobody's first guess."""
MOST_OF_A_VERSION: Final = 20_000
MOST_CORRECTED: Final = 4
"""Words of one question; one with more of them is no English, or no question."""
MANY: Final = 2
NAME_OF_ENGLISH: Final = 0.7
"""The share of its passages whose documents write a word as a name, so that it is one; the list of English
words has places and people, too."""
NAME_OF_NONE: Final = 0.3
"""The same for a word that is not of English."""
"""Passages that a word stands in before it is taken for one that is meant; an English one may stand in
one alone, since it is certainly spelt right."""
SHORT: Final = 4
"""Up to so many characters a word has more neighbours than it has meanings: only letters that changed
places, are doubled, missing or too many count."""

WORD: Final = re.compile(r"[^\W\d_]+")
_INSIDE: Final = re.compile(
    r"(?<![\w'’-])[a-zß-öø-ÿ]+,? (?P<run>[A-ZÀ-ÖØ-Þ][^\W\d_]+(?: [A-ZÀ-ÖØ-Þ][^\W\d_]+)*)"
)
"""Words with a capital behind one without: inside of a sentence."""
_GERMAN: Final = re.compile(r"\b(?:der|die|das|und|nicht|ist|für|mit|wird|werden|eine?|dem|den)\b")
_IS_GERMAN: Final = 3
_LOOKED_AT: Final = 1000
_TYPED: Final = re.compile(r"\S+")
_AROUND: Final = "\"'`“”‘’„«»()[]{}<>*.,;:!?…-–—"
_POSSESSIVE: Final = ("'s", "’s")
_ENDS_SENTENCE: Final = tuple(".!?:\n")
_SMALL: Final = frozenset({"on", "up", "in", "off", "out", "at", "by", "to", "no", "re"})
_TITLES: Final = frozenset(
    {"mr", "mrs", "ms", "miss", "dr", "prof", "professor", "called", "named"}
)
QUESTION_WORDS: Final = frozenset(
    """
    what when where which while whose with should could would difference different compare comparison
    does doing have having about there their because between before after please people need know
    many much long often still until allowed want wants happen happens email number total maximum
    minimum average tell show give list find explain summarise summarize company something anything
    """.split()
)
"""What questions are made of, and documents need not have."""
_TITLED: Final = 0.6
"""From this share of words in capitals on capitals say nothing: it is written as a title is."""


class Typed(NamedTuple):
    """A word of a question that may be mistyped, where it stands."""

    word: str
    start: int
    end: int


def counted(texts: Iterable[str]) -> dict[str, int]:
    """Count in how many texts each word stands; a name keeps its capital.

    A name is never in lower case, and has its capital inside of a sentence too. In German all nouns have.
    """
    found: Counter[str] = Counter()
    names: set[str] = set()
    plain: set[str] = set()
    for text in texts:
        words = {word for word in WORD.findall(text) if LEAST_CHARS <= len(word) <= MAX_CHARS}
        found.update({word.lower() for word in words})
        plain.update(word for word in words if word.islower())
        if len(_GERMAN.findall(text[:_LOOKED_AT])) < _IS_GERMAN:
            names.update(word.lower() for run in _INSIDE.findall(text) for word in run.split())
    usual = found.most_common(MOST_OF_A_VERSION)
    names -= plain
    return {word.capitalize() if word in names else word: count for word, count in usual}


def suspects(question: str) -> Iterator[Typed]:
    """The words of a question that are no word of English and may be mistyped: no name and no code."""
    found = list(_TYPED.finditer(question))
    capitals = sum(match[0][:1].isupper() for match in found)
    titled = len(found) > 1 and capitals > _TITLED * len(found)
    before = ""
    for match in found:
        each = _bare(match)
        begins = not before or before.endswith(_ENDS_SENTENCE)
        named = each.word[:1].isupper() and not begins and not titled
        if _may_be_mistyped(each.word) and not named and before.lower().strip(".") not in _TITLES:
            yield each
        before = match[0]


def _bare(match: re.Match[str]) -> Typed:
    """Return a word without the signs around it and a possessive ending."""
    left = match[0].lstrip(_AROUND)
    word = left.rstrip(_AROUND)
    for ending in _POSSESSIVE:
        word = word.removesuffix(ending)
    start = match.end() - len(left)
    return Typed(word, start, start + len(word))


def _may_be_mistyped(word: str) -> bool:
    if not LEAST_CHARS <= len(word) <= MAX_CHARS or not word.isalpha():
        return False
    plain = word.lower()
    if word[1:] != plain[1:] and not word.isupper():
        return False
    return not (is_english(plain) or plain in GIVEN_NAMES or any(countries.mentioned(word)))


def _synonyms(known: Collection[str]) -> Iterator[str]:
    """The single words of the groups of which a phrase is known; of no words the list is not read."""
    if not known:
        return
    for group in synonyms.bundled():
        parts = (WORD.findall(phrase) for phrase in group)
        if any(all(word in known for word in words) for words in parts):
            yield from (each for each in group if len(each) > SHORT and each.isalpha())


class Words:
    """The words of a workspace, to look near ones up in."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        """Take the words with the number of passages that each stands in."""
        usual = sorted(counts.items(), key=lambda item: -item[1])[:MOST_WORDS]
        # A word with a synonym that the documents have is searched by that, so it is meant as well.
        others = QUESTION_WORDS.union(_synonyms({word.lower() for word, _ in usual}))
        usual += [(word, 0) for word in sorted(others) if word not in counts]
        self._counts = {word.lower(): count for word, count in usual}
        self._names = frozenset(
            {word.lower() for word, _ in usual if not word.islower()} | GIVEN_NAMES
        )
        self._of_length: dict[int, list[str]] = {}
        for word in self._counts:
            self._of_length.setdefault(len(word), []).append(word)

    def __len__(self) -> int:
        return len(self._counts)

    def is_name(self, word: str) -> bool:
        """Tell whether documents have a word, in lower case here, with a capital alone."""
        return word in self._names and self._counts.get(word, 0) >= MANY

    def name_near(self, typed: str) -> str | None:
        """Return the one name of the documents, with its capital, that a word misses by a letter.

        None where several are as near, or none begins with its letter: a name is asked about, never
        put in the place of another.
        """
        plain = typed.lower()
        if not LEAST_CHARS <= len(plain) <= MAX_CHARS or plain in self._counts:
            return None
        near = {
            word: away
            for word, away in self._near(plain)
            if word[0] == plain[0] and word in self._names and self._counts[word]
        }
        nearest = [word for word, away in near.items() if away == min(near.values())]
        return nearest[0].capitalize() if len(nearest) == 1 else None

    def has(self, part: str) -> bool:
        """Tell whether a part of a compound is a word: one of the documents', of English, or a small one."""
        return part in _SMALL or self._counts.get(part, 0) > 0 or is_english(part)

    def nearest(self, typed: str, *, slips_only: bool = False) -> str | None:
        """Return the word that is meant, in lower case; None where none is near or it is there itself.

        Documents may have a plural in the singular alone. With `slips_only` a letter may be missing,
        doubled or in the wrong place: where no list tells which words there are, another letter makes
        another word.
        """
        plain = typed.lower()
        if plain in self._counts:
            return None
        if slips_only:
            return self._nearest(plain, is_slip)
        if near := self._nearest(plain):
            return near
        one = self._nearest(plain[:-1]) if plain.endswith("s") else None
        return f"{one}s" if one else None

    def heard(self, typed: str) -> list[str]:
        """Return what may be meant by a word of English that no document has: what sounds so, or a slip of it.

        Several passages must have what it is a slip of, and no name is meant.
        """
        plain = typed.lower()
        if self._counts.get(plain, 0) or plain in self._names or not is_english(plain):
            return []
        near = [word for word, _ in self._near(plain) if is_slip(plain, word)]
        meant = [word for word in near if self._counts[word] >= MANY]
        found = dict.fromkeys([*sounds_like(plain), *meant])
        return [word for word in found if word not in self._names]

    def _nearest(
        self, plain: str, fits: Callable[[str, str], bool] = lambda *_: True
    ) -> str | None:
        near = {
            word: away
            for word, away in self._near(plain)
            if self._may_be_meant(word) and fits(plain, word)
        }
        ranks = {
            word: (away, word[0] != plain[0], -self._counts[word], word)
            for word, away in near.items()
        }
        return min(near, key=ranks.__getitem__, default=None)

    def _near(self, plain: str) -> Iterator[tuple[str, int]]:
        """The words within reach, each with how many letters it is away."""
        allowed = 2 if len(plain) >= LONG_WORD else 1
        for length in range(len(plain) - allowed, len(plain) + allowed + 1):
            found = process.extract(
                plain,
                self._of_length.get(length, ()),
                scorer=OSA.distance,
                score_cutoff=allowed,
                limit=None,
            )
            yield from (
                (word, int(away))
                for word, away, _ in found
                if len(plain) > SHORT or keeps_letters(plain, word)
            )
        yield from ((word, 1) for word in self._jumbled(plain))

    def _jumbled(self, plain: str) -> Iterator[str]:
        """The words with the same letters in another order, between the same first and last one."""
        if len(plain) <= SHORT:
            return
        letters = sorted(plain)
        for word in self._of_length.get(len(plain), ()):
            if word[0] == plain[0] and word[-1] == plain[-1] and sorted(word) == letters:
                yield word

    def _may_be_meant(self, word: str) -> bool:
        """Nobody means a name when they mistype a word: another name may be near it."""
        if word in QUESTION_WORDS:
            return True
        return word not in self._names and (self._counts[word] >= MANY or is_english(word))


def keeps_letters(typed: str, word: str) -> bool:
    """Tell whether two words differ in letters that changed places, or one that is missing or too many."""
    return len(typed) != len(word) or sorted(typed) == sorted(word)


def replaced(question: str, meant: Mapping[Typed, str]) -> str:
    """Return a question with words replaced; a capital at the beginning of one stays."""
    parts: list[str] = []
    at = 0
    for typed, word in sorted(meant.items(), key=lambda item: item[0].start):
        parts += [
            question[at : typed.start],
            word.capitalize() if typed.word[0].isupper() else word,
        ]
        at = typed.end
    return "".join([*parts, question[at:]])


def merged(counts: Counter[str], words: Iterable[Mapping[str, int]]) -> Counter[str]:
    """Add words to those counted; a word that is mostly in lower case is no name.

    A document in which a name begins each row, or only stands in a path, does not tell that it is one. A
    word of English has to be one nearly everywhere: "the Board" of one document is a board in others.
    """
    for each in words:
        counts.update(each)
    for word in [word for word in counts if word[0].isupper() and word.lower() in counts]:
        plain = word.lower()
        share = counts[word] / (counts[word] + counts[plain])
        is_name = share > (NAME_OF_ENGLISH if is_english(plain) else NAME_OF_NONE)
        said, other = (word, plain) if is_name else (plain, word)
        counts[said] += counts.pop(other)
    if len(counts) > 2 * MOST_WORDS:
        return Counter(dict(counts.most_common(MOST_WORDS)))
    return counts
