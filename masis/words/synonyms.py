"""Words of the workplace that mean the same: a list that comes along, and what an admin adds to it."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Final, NamedTuple

from masis.text.lexical import terms

_LIST: Final = "synonyms.txt"
MOST_GROUPS: Final = 200
"""That a workspace may add."""
MOST_PHRASES: Final = 12
"""In one group."""
MOST_CHARS: Final = 60
"""Of one phrase."""
ONLY_FOUND: Final = "~"
"""Before a phrase that is searched for the others of its group, and not the other way round."""
MOST_WORDS: Final = 4
_PARTICLES: Final = frozenset({"off", "out", "up", "down", "over", "back", "in", "on", "away"})
"""Last words of verbs of two words."""
_OF_A_VERB: Final = 2
"""Words."""
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")

Group = tuple[str, ...]


class Found(NamedTuple):
    """A phrase of a question that has synonyms, where it stands."""

    start: int
    end: int
    phrase: str
    others: Group


class InOtherWords(NamedTuple):
    """A phrase of a question by its terms, the terms of each of its synonyms, and whether it is a verb of two words."""

    own: frozenset[str]
    others: tuple[frozenset[str], ...]
    is_verb: bool

    def is_said(self, there: Collection[str]) -> bool:
        """Tell whether a text of these terms has a synonym of it."""
        return any(other and other.issubset(there) for other in self.others)


@cache
def bundled() -> tuple[Group, ...]:
    """Return the groups that come along."""
    text = (resources.files("masis.words") / "data" / _LIST).read_text(encoding="utf-8")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return tuple(tuple(part.strip() for part in line.split(",")) for line in lines if line)


def found(question: str, groups: Iterable[Sequence[str]]) -> list[Found]:
    """Return the phrases of a question that have synonyms, the longest first of those that overlap."""
    others = _by_words(tuple(map(tuple, groups)))
    words = list(_WORD.finditer(question))
    hits: list[Found] = []
    at = 0
    while at < len(words):
        hit = next(_starting(words[at : at + MOST_WORDS], question, others), None)
        if hit is not None:
            hits.append(hit)
            at += len(_words(hit.phrase))
        else:
            at += 1
    return hits


def in_other_words(question: str) -> list[InOtherWords]:
    """Return the phrases of a question that have bundled synonyms, by terms."""
    return [
        InOtherWords(
            frozenset(terms(each.phrase)),
            tuple(frozenset(terms(other)) for other in each.others),
            _is_verb(each.phrase),
        )
        for each in found(question, bundled())
    ]


def said(there: Collection[str], phrases: Iterable[InOtherWords]) -> set[str]:
    """Return the terms of the phrases for which a text of these terms has a synonym."""
    return {term for each in phrases if each.is_said(there) for term in each.own}


def said_in_part(there: Collection[str], phrases: Iterable[InOtherWords]) -> set[str]:
    """Return the terms of verbs of two words of which a text has one alone: a "sign-in" signs nothing off."""
    return {
        term
        for each in phrases
        if each.is_verb and not each.own.issubset(there) and not each.is_said(there)
        for term in each.own
    }


def _is_verb(phrase: str) -> bool:
    words = phrase.lower().split()
    return len(words) == _OF_A_VERB and words[-1] in _PARTICLES


def _starting(
    words: Sequence[re.Match[str]], question: str, others: dict[Group, Group]
) -> Iterator[Found]:
    for count in range(len(words), 0, -1):
        run = words[:count]
        key = tuple(_singular(word[0].lower()) for word in run)
        if key in others:
            start, end = run[0].start(), run[-1].end()
            yield Found(start, end, question[start:end], others[key])


@lru_cache(maxsize=64)
def _by_words(groups: tuple[Group, ...]) -> dict[Group, Group]:
    """Each phrase's synonyms, by its words; of a phrase in several groups those of all."""
    known: dict[Group, Group] = {}
    for group in groups:
        said = [phrase.removeprefix(ONLY_FOUND) for phrase in group]
        for phrase in (phrase for phrase in group if not phrase.startswith(ONLY_FOUND)):
            others = tuple(other for other in said if other != phrase)
            key = tuple(map(_singular, _words(phrase)))
            known[key] = tuple(dict.fromkeys([*known.get(key, ()), *others]))
    return known


def _words(phrase: str) -> list[str]:
    return [match[0].lower() for match in _WORD.finditer(phrase)]


def _singular(word: str) -> str:
    """A word without the ending of its plural, as far as that tells two forms of one word apart."""
    return word[:-1] if len(word) > MOST_WORDS and word.endswith("s") and word[-2] != "s" else word


def checked(phrases: Iterable[str]) -> Group:
    """Return a group as it is kept: at least two different phrases, short ones.

    Raises:
        ValueError: it is none; the message says why.
    """
    group = tuple(dict.fromkeys(" ".join(_words(phrase)) for phrase in phrases))
    if "" in group or len(group) <= 1:  # a word and another one
        raise ValueError("give two words or phrases that mean the same")
    if len(group) > MOST_PHRASES:
        raise ValueError(f"a group holds {MOST_PHRASES} words and phrases at most")
    if long := [phrase for phrase in group if _is_long(phrase)]:
        raise ValueError(f"“{long[0][:MOST_CHARS]}” is too long: {MOST_WORDS} words at most")
    return group


def _is_long(phrase: str) -> bool:
    return len(phrase) > MOST_CHARS or len(phrase.split()) > MOST_WORDS
