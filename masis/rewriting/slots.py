"""Find the phrase of the question before in whose place a phrase of a fragment stands: contractors for "staff"."""

import re
from typing import Final, NamedTuple

from masis.rewriting import small_words
from masis.rewriting.noun_phrases import Parsed, Phrase, content
from masis.rewriting.subjects import Thread
from masis.text.grammars.calendar import WEEKDAY
from masis.words import countries

_LEAST_LIKE: Final = 2.0
"""Of a phrase of the question before, for the new one to be put in its place surely."""


class Piece(NamedTuple):
    """A phrase of the fragment, with its preposition and what stands behind it."""

    text: str
    preposition: str
    phrase: Phrase | None
    rest: str
    corrects: bool = False


class Slot(NamedTuple):
    """Where a phrase of the question before stands, and whether the new one surely comes there."""

    start: int
    end: int
    phrase: Phrase
    sure: bool


def slot_of(piece: Piece, last: Parsed, thread: Thread) -> Slot | None:
    """Return the phrase of the question before in whose place a piece stands."""
    new = piece.phrase
    if new is None:
        return None
    olds = [old for old in last.phrases if not _is_word_of_verb(old)]
    rated = [
        (_LEAST_LIKE if _is_day_for(piece, old) else _likeness(piece, new, old, thread), old)
        for old in olds
    ]
    rated = [each for each in rated if each[0] > 0]
    if not rated:
        return None
    like, old = max(rated, key=lambda each: (each[0], -each[1].start))
    start = old.start if piece.preposition or _alike(new, old) else _whole(last, old).start
    behind = _AGO.match(last.text, old.end) if old.of_time else None
    return Slot(start, behind.end() if behind else old.end, old, like >= _LEAST_LIKE)


_AGO: Final = re.compile(r"\s+(?:before|ago|earlier)\b", re.IGNORECASE)


def _is_word_of_verb(old: Phrase) -> bool:
    """Tell whether a phrase is but a participle or an adjective: "left" in "do we have left"."""
    word = old.words[-1]
    lone = len(old.words) == 1 and not old.determiner
    return lone and (small_words.is_participle(word) or word in small_words.ADJECTIVES)


def _alike(new: Phrase, old: Phrase) -> bool:
    """Tell whether two phrases are of one sort, as far as their form tells."""
    if new.of_time:
        return True
    if is_name(new) and is_name(old):
        return True
    return (
        new.named == old.named or (new.of_people and old.of_people) or new.head == old.head
    ) and (bool(new.determiner) == bool(old.determiner) or new.named or new.of_people)


def _whole(last: Parsed, old: Phrase) -> Phrase:
    """The phrase that an old one only tells the place of: "a night in Rome" for "Rome"."""
    if old.role not in _TELLING_WHERE:
        return old
    for phrase in last.phrases:
        between = last.text[phrase.end : old.start].strip().lower()
        if between == old.role and not phrase.relation:
            return phrase
    return old


_TELLING_WHERE: Final = frozenset({"in", "at", "with", "on"})


def _likeness(piece: Piece, new: Phrase, old: Phrase, thread: Thread) -> float:
    """How well a new phrase fits in the place of an old one; 0 where it does not."""
    shared = set(map(small_words.singular, new.words)) & set(map(small_words.singular, old.words))
    if new.of_time != old.of_time or (new.bare_relation != old.bare_relation and not shared):
        return 0.0
    if new.of_people and not (old.of_people or old.named or shared):
        return 0.0
    if not piece.preposition and _is_fixed(old) and new.plural != old.plural:
        return 0.0
    if piece.preposition and old.role == "asked":
        return 0.0  # what was asked for stays: "in a full year" only narrows "how many days"
    same_preposition = bool(piece.preposition) and say_the_same(piece.preposition, old.role)
    if piece.preposition and not same_preposition and not (new.of_people and old.of_people):
        return 0.0 if not (new.of_time and old.of_time) else 2.0
    score = 2.0 * same_preposition + 3.0 * new.of_time
    score += 3.0 * bool(shared) + 2.5 * (new.head == old.head)
    score += 2.0 * (new.of_people and old.of_people) + 2.0 * (new.named and old.named)
    score += 0.5 * (bool(new.determiner) == bool(old.determiner))
    score += 3.0 * (code(new) is not None and code(new) == code(old))
    score += 2.0 * (new.bare_relation and old.bare_relation)
    score += 2.0 * (picks(new) and picks(old)) - 1.0 * (new.of_people != old.of_people)
    # Who meant another place or another one of its kind told it in a word, as it was asked.
    score += 3.0 * (piece.corrects and _is_detail(new) and _is_detail(old) and old.role in _DETAILS)
    score += 1.5 * _is_new(old, thread) - (4.0 if piece.corrects else 2.0) * _of_other_sorts(
        new, old
    )
    score += 0.5 * (new.plural == old.plural) + 0.5 * (
        old.role in {"subject", "about", "of", "owner"}
    )
    return max(0.0, score - 2.0 * (old.role == "asked"))


def say_the_same(one: str, other: str) -> bool:
    """Tell whether one preposition says what another does: "for the loaders" what "per visit" does."""
    return one == other or (one, other) == ("for", "per")


def _is_day_for(piece: Piece, old: Phrase) -> bool:
    """Tell whether a piece is of all such days, and in place of those that were asked about: "saturdays"."""
    new = piece.phrase
    is_lone = new is not None and new.text == piece.text and len(new.words) == 1
    is_days = is_lone and bool(_DAYS.fullmatch(piece.text))
    were_days = old.plural and small_words.singular(old.head) in _OF_DAYS
    return is_days and were_days and not old.of_time and old.role in _FOR_DAYS


_DAYS: Final = re.compile(rf"{WEEKDAY}s|weekends|weekdays|nights|evenings", re.IGNORECASE)
_OF_DAYS: Final = frozenset({"holiday", "day", "weekday", "weekend", "night", "evening", "shift"})
_FOR_DAYS: Final = frozenset({"for", "on", "at"})


def _is_detail(phrase: Phrase) -> bool:
    return len(phrase.words) == 1 and not phrase.determiner and not phrase.relation


_DETAILS: Final = frozenset({"in", "at", "from", "for", "of", "with", "to", "on"})


def _is_fixed(old: Phrase) -> bool:
    """Tell whether a phrase may belong to what is asked, as in "in stock"."""
    return old.role in _TELLING_WHERE and _is_detail(old) and not (old.named or old.of_time)


def _of_other_sorts(new: Phrase, old: Phrase) -> bool:
    """Tell whether one is a place and the other a thing: "the York office", "the fire alarm"."""
    is_place = new.head in small_words.PLACES
    return is_place != (old.head in small_words.PLACES) and not old.named


def _is_new(old: Phrase, thread: Thread) -> bool:
    """Whether the question before is about a phrase, or only it brought that in: new is set against new."""
    if thread.typed is None:
        best = thread.best()
        return best is not None and best.phrase.words == old.words
    return content(old.text) <= thread.typed


def picks(phrase: Phrase) -> bool:
    """Tell whether a phrase picks one of several: "the largest"."""
    return any(map(small_words.is_superlative, phrase.words))


def code(phrase: Phrase) -> str | None:
    """The form of a code: letters and figures in their order."""
    last = phrase.words[-1]
    if not any(map(str.isdigit, last)):
        return None
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", last))


def is_name(phrase: Phrase) -> bool:
    """Tell whether a phrase is the name of somebody, a place or a country, and no code."""
    is_code = any(map(str.isdigit, phrase.text))
    is_written = phrase.named or phrase.bare[:1].isupper()
    return not is_code and (is_written or any(countries.mentioned(phrase.bare)))
