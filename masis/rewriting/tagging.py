"""Guess the kind of each word of a question: small words by lists, the others by where they stand.

A word that no list knows is taken for a noun: names and terms are such.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from masis.rewriting import small_words

KINDS: Final = {
    "D": "determiner",
    "P": "preposition",
    "O": "of",
    "X": "auxiliary",
    "W": "question word",
    "R": "pronoun",
    "C": "conjunction",
    "A": "adverb",
    "V": "verb",
    "J": "adjective behind a verb",
    "N": "noun, or what stands with it",
    ".": "sign",
}

_LISTS: Final[Sequence[tuple[str, frozenset[str]]]] = (
    ("O", frozenset({"of"})),
    ("X", small_words.AUXILIARIES),
    ("W", small_words.WH),
    ("R", small_words.PERSONAL - {"her"}),
    ("D", small_words.DETERMINERS),
    ("P", small_words.PREPOSITIONS),
    ("C", small_words.CONJUNCTIONS),
    ("A", small_words.ADVERBS),
)
_LEAST_ADVERB: Final = 5
_REACH: Final = 12
"""Words before a verb among which its auxiliary is looked for."""
_DEMONSTRATIVE: Final = frozenset(
    {"this", "that", "these", "those", "her", "his", "both", "another"}
)
_QUANTIFYING: Final = frozenset(
    {"all", "each", "any", "some", "more", "most", "much", "many", "less", "few"}
)
WHICH: Final = frozenset({"last", "next", "this", "same"})
"""What tells which year or week is meant."""


def kinds_of(words: Sequence[str]) -> list[str]:
    """Return the kinds of words in small letters, as `KINDS` names them."""
    kinds = [_listed(word) for word in words]
    for at in range(len(words)):
        kinds[at] = _in_place(_Place(kinds, words, at)) or kinds[at]
    _set_verbs(kinds, words)
    return kinds


def _listed(word: str) -> str:
    if not word[0].isalnum():
        return "."
    kind = next((kind for kind, words in _LISTS if word in words), "")
    if kind:
        return kind
    return "A" if word.endswith("ly") and len(word) >= _LEAST_ADVERB else "N"


class _Place(NamedTuple):
    """A word, or the first of a run of nouns, among its neighbours."""

    kinds: list[str]
    words: Sequence[str]
    at: int

    @property
    def word(self) -> str:
        return self.words[self.at]

    def near(self, step: int) -> str:
        """The word some steps away, or nothing."""
        at = self.at + step
        return self.words[at] if 0 <= at < len(self.words) else ""

    def kind(self, step: int) -> str:
        """The kind of the word some steps away; a sign where the text ends."""
        at = self.at + step
        return self.kinds[at] if 0 <= at < len(self.kinds) else "."


# --- words that their neighbours make another ------------------------------------------------


def _in_place(place: _Place) -> str:
    """The kind of a word that its neighbours make another, else nothing."""
    word = place.word
    if word in _DEMONSTRATIVE or word in _QUANTIFYING:
        return _pointing(place)
    told = _OTHERWISE.get(word)
    if told is not None:
        return told(place)
    if word in small_words.IMPERATIVES and place.kind(-1) == "." and place.kind(1) != "X":
        return "V"
    return "A" if place.near(-1) == "how" and word in small_words.DEGREES else ""


def _pointing(place: _Place) -> str:
    """The kind of "that" and "some": alone, or with a noun."""
    alone = place.kind(1) not in {"N", "A"}
    after, last = place.near(1), not place.near(2)
    if place.kind(-1) == "X" and place.kind(1) == "N" and small_words.is_verb(after):
        alone = small_words.is_plain_verb(after) or last or _listed(place.near(2)) in "R.AP"
    elif place.kind(-1) == "X" and (small_words.is_adjective(after) or after.isdigit()):
        alone = last or _listed(place.near(2)) != "N"
    if place.word == "that" and place.near(-1) == "it" and place.near(-2) in small_words.BE:
        return "C"
    if not alone:
        return ""
    return "R" if place.word in _DEMONSTRATIVE else "A"


def _have(place: _Place) -> str:
    return "V" if place.kind(1) != "R" and place.kind(-1) in {"R", "X", "N"} else ""


def _do(place: _Place) -> str:
    return "V" if place.kind(1) != "R" and place.kind(-1) in {"R", "X"} else ""


def _may(place: _Place) -> str:
    return "N" if place.kind(-1) == "P" or place.kind(1) == "." else ""


_OTHERWISE: Final[dict[str, Callable[[_Place], str]]] = {
    "have": _have,
    "has": _have,
    "had": _have,
    "do": _do,
    "does": _do,
    "did": _do,
    "may": _may,
    "like": lambda place: "V" if place.kind(-1) in {"R", "X"} else "",
    "it": lambda place: "N" if place.kind(-1) == "D" else "",
    "first": lambda place: "N" if place.kind(1) == "N" else "A",
    "no": lambda place: "" if place.kind(1) == "N" else "A",
}


# --- verbs -----------------------------------------------------------------------------------


def _set_verbs(kinds: list[str], words: Sequence[str]) -> None:
    """Set the verb of each run of nouns, or the adjective behind "is"."""
    at = 0
    while at < len(kinds):
        end = at
        while end < len(kinds) and kinds[end] == "N":
            end += 1
        if end > at:
            _set_verb(_Place(kinds, words, at), end)
        at = max(end, at + 1)


def _set_verb(place: _Place, end: int) -> None:
    if _tells_which(place.words, place.at):
        return
    if _follows_counted(place, end) or _acts_on_somebody(place, end):
        place.kinds[end - 1] = "V"
        return
    if any(rule(place, end) for rule in _BEGINS_WITH_VERB):
        place.kinds[place.at] = "V"
        return
    auxiliary = _auxiliary(place)
    if auxiliary in small_words.BE:
        _set_predicate(place, end)
    elif auxiliary or place.kind(-1) in {"D", "O", "W", "R", "C", "."}:
        _set_main_verb(place, end, helped=bool(auxiliary))
    elif _ends_predicate(place, end):
        place.kinds[end - 1] = "J"


def _tells_which(words: Sequence[str], at: int) -> bool:
    """Whether a word is as "last" in "last year"."""
    return words[at] in WHICH and at + 1 < len(words) and words[at + 1] in small_words.PERIODS


def _follows_get(place: _Place, _end: int) -> bool:
    """Whether it is as "paid" in "we get paid"."""
    return place.near(-1) in {"get", "gets", "got"} and small_words.is_participle(place.word)


def _follows_many(place: _Place, end: int) -> bool:
    """Whether it is as "fit" in "how many fit in there"."""
    alone = end == place.at + 1 and place.kind(1) == "P"
    return alone and place.near(-1) in {"many", "much"} and small_words.is_verb(place.word)


def _follows_counted(place: _Place, end: int) -> bool:
    """Tell whether the second of two nouns is as "fit" in "how many bikes fit in there"."""
    if end == place.at + 2 and place.near(-1) in {"which", "what"}:
        return _agrees(place.word, place.words[end - 1]) and place.kind(2) in {"P", "R"}
    if place.near(-1) not in {"many", "much"} or place.near(-2) != "how" or end != place.at + 2:
        return False
    return place.kind(2) in {"P", "R", "A", "."} and small_words.is_verb(place.words[end - 1])


def _acts_on_somebody(place: _Place, end: int) -> bool:
    """Tell whether the last of some nouns is as "visits" in "my mother visits me", or "phoned" in "somebody phoned me"."""
    word, behind = place.words[end - 1], place.words[end : end + 1]
    acts = small_words.is_verb(word) or word.endswith("ed")
    is_led = end > place.at + 1 or place.kind(-1) == "R"
    return acts and is_led and bool(behind) and behind[0] in {"me", "us", "him", "them"}


def _agrees(noun: str, verb: str) -> bool:
    """Tell whether a word is the verb of the noun before it by its ending: "dampers fit", "damper fits"."""
    is_plural = noun.endswith("s") and not noun.endswith("ss")
    return small_words.is_verb(verb) and is_plural != verb.endswith("s")


def _is_gerund(place: _Place, end: int) -> bool:
    """Whether it is as "consuming" in "of consuming drinks", or as "working" in "stopped working"."""
    word = place.word
    if not word.endswith("ing") or place.kind(-1) not in {"P", "O", "V"}:
        return False
    if end == place.at + 1:
        return place.kind(-1) == "V" or (place.kind(1) == "D" and small_words.is_verb(word))
    return small_words.is_verb(word) and word not in small_words.GERUND_NOUNS


def _follows_adverb(place: _Place, _end: int) -> bool:
    """Whether it is as "work" in "did it originally work"."""
    return place.kind(-1) == "A" and place.kind(-2) == "N" and small_words.is_verb(place.word)


def _follows_subject(place: _Place, _end: int) -> bool:
    """Whether it stands where "I" or "to" has its verb."""
    before = -1
    while place.kind(before) == "A":
        before -= 1
    earlier, word = place.near(before), place.word
    if earlier in {"i", "you", "we", "they", "he", "she"}:
        helped = place.near(before - 1) in small_words.BE
        return small_words.is_verb(word) or not (helped or small_words.is_adjective(word))
    known = earlier in {"to", "that", "this"} or earlier in small_words.SUBJECTS
    return known and place.kind(before) != "D" and small_words.is_verb(word)


def _follows_question_word(place: _Place, end: int) -> bool:
    """Whether it is as "signs" in "who signs", or as "happen" in "what would happen"."""
    earlier, word = place.near(-1), place.word
    if earlier in {"who", "what", "which"}:
        return small_words.is_plain_verb(word) or (earlier != "which" and small_words.is_verb(word))
    helped = place.kind(-1) == "X" and earlier not in small_words.BE and end == place.at + 1
    return helped and place.near(-2) in {"what", "who"} and small_words.is_verb(word)


_BEGINS_WITH_VERB: Final[Sequence[Callable[[_Place, int], bool]]] = (
    _follows_get,
    _follows_many,
    _is_gerund,
    _follows_adverb,
    _follows_subject,
    _follows_question_word,
)


def _auxiliary(place: _Place) -> str:
    """The auxiliary that a run of nouns stands behind, with no other verb between."""
    for back in range(-1, -_REACH, -1):
        kind, word = place.kind(back), place.near(back)
        if kind == "X":
            return word
        if kind in {"V", "J", "P", "."} or (kind == "C" and word not in {"and", "or"}):
            return ""
    return ""


def _set_predicate(place: _Place, end: int) -> None:
    """Behind "is" the last word of several is an adjective, or a verb's participle."""
    kinds, words, start = place.kinds, place.words, place.at
    names = place.near(-2) in {"what", "who"}
    if place.kind(-1) == "X" and place.at > 1 and not names and _is_doing(place.word):
        kinds[start] = "V"
        return
    begin = start if place.kind(-1) in {"N", "R", "A"} else start + 1
    for at in range(begin, end):
        word, last = words[at], at + 1 == end
        told = word.endswith("ing") and names
        if (last or word.endswith("ed")) and small_words.is_participle(word) and not told:
            kinds[at] = "V"
            return
        if last and not told and (small_words.is_adjective(word) or _is_doing(word)):
            kinds[at] = "V" if small_words.is_verb(word) else "J"
            return
    if end - start == 1 and place.kind(-1) in {"X", "A"} and small_words.is_adjective(words[start]):
        kinds[start] = "J"


def _ends_predicate(place: _Place, end: int) -> bool:
    """Tell whether a run behind a preposition ends with what "is" tells: "is the office in Rome open"."""
    last = place.words[end - 1]
    is_last = last in small_words.ADJECTIVES and place.kind(end - place.at) == "."
    if end == place.at + 1 or not is_last:
        return False
    before = list(zip(place.kinds[: place.at], place.words, strict=False))
    told = any(kind in {"V", "J"} for kind, _ in before)
    return not told and any(kind == "X" and word in small_words.BE for kind, word in before)


def _is_doing(word: str) -> bool:
    return word.endswith("ing") and small_words.is_verb(word)


def _set_main_verb(place: _Place, end: int, *, helped: bool) -> None:
    """Set the verb behind a subject: one that is seldom a noun, else the last that may be."""
    words = place.words
    first = place.at if place.kind(-1) == "R" and not helped else place.at + 1
    verbs = [at for at in range(first, end) if small_words.is_verb(words[at])]
    verbs = [at for at in verbs if not (words[at].endswith("ing") or _tells_which(words, at))]
    plain = [at for at in verbs if small_words.is_plain_verb(words[at])]
    if helped:
        plain = [at for at in plain if not words[at].endswith("s")]
        verbs = [at for at in verbs if not words[at].endswith("ed")]
    if plain:
        place.kinds[plain[0]] = "V"
    elif helped and verbs:
        place.kinds[verbs[-1]] = "V"
