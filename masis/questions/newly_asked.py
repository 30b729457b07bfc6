"""Find what a follow-up puts in the place of something that was asked before: "and for contractors?"."""

import contextlib
import datetime as dt
import re
from collections.abc import Iterator, Sequence
from typing import Final

from masis.answering import citations
from masis.domain import EvidenceChunk, Question
from masis.questions.question_audit import speaks_of_nothing
from masis.rewriting.noun_phrases import parse
from masis.text.facts import facts
from masis.text.grammars.calendar import WEEKDAY
from masis.text.lexical import terms
from masis.words.abbreviations import in_full
from masis.words.chat_words import plain

_THIS_YEAR: Final = re.compile(r"\b(?:this|the current) year\b", re.IGNORECASE)
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_SWAPPED: Final = re.compile(
    r"^(?:(?:ok|okay|so|and|but|also|then)[\s,]+)*"
    r"(?:(?:what|how) about|(?:the )?same(?= (?:for|in|at|with)\b)|(?<=and )|(?<=but )|(?<=also ))\s*"
    r"(?:for|in|with|on|at|of|from|by|to)?\s*(?:the |a |an |our |my )?(?P<thing>[^,;:.!?\n]{2,60})\W*$",
    re.IGNORECASE,
)
_THE_SAME: Final = re.compile(
    r"^(?P<thing>[^,;:.!?\n]{2,60}?),? (?:the same|as well|too)\W*$", re.IGNORECASE
)
_ASKS: Final = re.compile(
    r"(?:if|when|while|who|whom|whose|what|which|where|why|how|is|are|do|does|did|can|could|will|would|should|must|may"
    r"|i|we|you|they|he|she|it|there)\b",
    re.IGNORECASE,
)
"""Begins what is a question or a condition of its own, and no thing."""
_DAY: Final = re.compile(
    r"\b(?:today|tonight|tomorrow"
    rf"|(?:this|next|the coming) (?:weekend|week|morning|afternoon|evening|{WEEKDAY}))\b",
    re.IGNORECASE,
)
"""A day that is told from today on."""
_BARE_YEAR: Final = re.compile(
    r"(?:(?:and|so|ok)\s+)?(?:(?:for|in)\s+['’]?|['’]|(?=\d{4}))(?P<year>(?:19|20)?\d\d)\W*$",
    re.IGNORECASE,
)
"""A message that tells a year alone: "for 26?"."""
_NUMBER: Final = re.compile(r"\d+")
_GERUND: Final = "ing"
_WORD: Final = re.compile(r"[^\W\d_]+")
_MOST_WORDS: Final = 5
"""Of a thing; more are a question of their own."""


def swapped_in(typed: str) -> str:
    """Return the thing that a follow-up asks the same question about; empty where it is none."""
    said = plain(typed).strip()
    match = _SWAPPED.match(said) or _THE_SAME.match(said)
    if match is None or len(match["thing"].split()) > _MOST_WORDS or _ASKS.match(match["thing"]):
        return ""
    return match["thing"].strip()


def unspoken(question: Question, said: Sequence[str], searched: str = "") -> list[str]:
    """Return the thing that a follow-up is about, where no statement of its answer speaks of it.

    The rest of the question was lent by the thread: an answer that fits that alone answers the
    question before. A thing that was searched in other words (`searched`) may be said in these.
    """
    if question.reply or question.text == question.standalone:
        return []
    if (year := _BARE_YEAR.match(plain(question.text))) is not None:
        told = any(
            number.endswith(year["year"]) for text in said for number in _NUMBER.findall(text)
        )
        return [] if told else [year["year"]]
    thing = in_full(swapped_in(question.text))
    own = {term for word in thing.split() if not speaks_of_nothing(word) for term in terms(word)}
    if searched and not own.issubset(terms(searched)):
        return []
    spoken = {term for statement in said for term in terms(statement)}
    return [thing] if own and own.isdisjoint(spoken) else []


def of_another_form(question: Question, said: Sequence[str]) -> list[str]:
    """Return what a follow-up asks of a new thing, where what is said of that has another word's stem.

    Who asks of "leave" for managers does not ask what is told of managers under "Leaving".
    """
    thing = in_full(swapped_in(question.text))
    own = set(terms(thing))
    told = [statement for statement in said if not own.isdisjoint(terms(statement))]
    if question.text == question.standalone or not own or not told:
        return []
    nouns = {
        word: set(terms(word)) - own
        for phrase in parse(question.standalone).phrases
        for word in phrase.words
        if not word.endswith(_GERUND)
    }
    shared = [_forms(told, stems) for stems in nouns.values() if stems]
    met = [(word, forms) for word, forms in zip(nouns, shared, strict=False) if forms]
    is_other = bool(met) and all(each.endswith(_GERUND) for _, forms in met for each in forms)
    return [f"{met[0][0]} for {thing}"] if is_other else []


def _forms(said: Sequence[str], stems: set[str]) -> set[str]:
    """The words of statements that have one of the stems."""
    words = {word.lower() for statement in said for word in _WORD.findall(statement)}
    return {word for word in words if not stems.isdisjoint(terms(word))}


def of_the_past(
    question: str, draft: str, evidence: Sequence[EvidenceChunk], today: dt.date
) -> list[str]:
    """Return the day that is asked of, where all that answers tells of days before today.

    "Who is on call this weekend?" is not answered by a plan for a weekend of last September.
    """
    asked = _DAY.search(in_full(plain(question)))
    cited = {name for claim in citations.claims(draft) for name in claim.ids}
    if asked is None or not cited:
        return []
    latest = [max(_days(chunk), default=None) for chunk in evidence if chunk.chunk_id in cited]
    is_past = bool(latest) and all(day is not None and day < today for day in latest)
    return [asked[0]] if is_past else []


def _days(chunk: EvidenceChunk) -> Iterator[dt.date]:
    """The days that a passage tells, those without a year of the year of its document."""
    for found in facts(f"{chunk.context}\n{chunk.text}").dates:
        year = found.year or (chunk.date.year if chunk.date else None)
        if year is not None and found.day is not None and year >= dt.MINYEAR:
            with contextlib.suppress(ValueError):
                yield dt.date(year, found.month, found.day)


def other_year(question: str, draft: str, evidence: Sequence[EvidenceChunk]) -> list[str]:
    """Return "this year" where it is asked of, and all years told are before their document's own."""
    asked = _THIS_YEAR.search(in_full(plain(question)))
    dates = {chunk.chunk_id: chunk.date for chunk in evidence}
    told = False
    for claim in citations.claims(draft) if asked else ():
        written = max(map(int, _YEAR.findall(claim.text)), default=None)
        years = [date.year for name in claim.ids if (date := dates.get(name))]
        if written is None or not years:
            continue
        if written >= min(years):
            return []
        told = True
    return [asked[0]] if asked and told else []
