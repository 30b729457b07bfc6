"""Does a source bear out a claim? Checks in code, by what can be compared without understanding."""

import math
import operator
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from masis.policy import SUPPORT_MARK
from masis.text.facts import (
    ACRONYM_MIN,
    FISCAL_YEAR,
    ORDINALS,
    QUARTER,
    WORD,
    Facts,
    Values,
    facts,
    initials,
    is_acronym,
    is_claimed,
    names,
    runs,
    same_date,
)
from masis.text.lexical import stop_word_share, terms
from masis.text.sentences import sentences, units, words

_QUOTED = re.compile(r"[\"“]([^\"“”\n]{8,300})[\"”]")
_PREFIX: Final = 5
"""Words that share so many first letters are one name: Germany and German, Norway's no."""

_WINDOW: Final = 3
"""Adjacent sentences that may bear out a claim together."""
_REACH: Final = 4
_CLAIM_REACH: Final = 2
"""How far apart two words may stand: further in the source, which may say more between them."""
_CONTEXT: Final = 2
_CONTEXT_SHARED: Final = 2
"""How many words to each side are a word's surroundings, and how many its opposite must share."""
_ORDER_FLOOR: Final = 0.05
_NOT = re.compile(r"n['’]t\b")
_NEGATIONS: Final = frozenset(
    [
        *("no", "not", "never", "none", "nor", "neither", "without", "cannot", "unable"),
        *("fail", "failed", "fails", "lack", "lacks", "deny", "denied", "refuse", "refused"),
    ]
)
_MAX_MISSING: Final = 20

_OPPOSED: Final = """
    increase decrease, increase reduce, increase decline, rise fall, rise drop, rise
    decline, grow shrink, grow decline, growth decline, higher lower, high low, more less,
    more fewer, most least, above below, gain loss, gain lose, profit loss, improve worsen,
    improve deteriorate, improve decline, strong weak, strengthen weaken, positive negative,
    success failure, succeed fail, successful unsuccessful, accept reject, approve reject,
    agree disagree, allow forbid, allow prohibit, permit forbid, include exclude, before
    after, early late, earlier later, first last, start end, begin end, open close, buy
    sell, win lose, long short, large small, big small, major minor, maximum minimum, expand
    contract, expand reduce, up down, upward downward, add remove, always never, many few,
    easy difficult, easy hard, simple complex, simple complicated, likely unlikely, able
    unable, possible impossible, necessary unnecessary, important unimportant, useful
    useless, fast slow, quick slow, public private, internal external, domestic foreign,
    active inactive, complete incomplete, certain uncertain, satisfied dissatisfied,
    favorable unfavorable, cheap expensive, free paid, support oppose, encourage discourage,
    continue stop, outperform underperform, exceed miss, raise lower, raise cut, robust
    weak, effective ineffective, efficient inefficient, available unavailable, interested
    uninterested, affordable expensive, familiar unfamiliar, good bad, better worse, best
    worst, advantage disadvantage, temporary permanent, mandatory optional, required
    optional, inside outside, increase lower, boost reduce, optimistic pessimistic,
    confident doubtful, enhance diminish, enhance reduce, surplus deficit, asset liability,
    income expense, inflow outflow, ahead behind, true false, same different, similar
    different, relevant irrelevant, limited unlimited, limited extensive, minimal
    significant, insignificant significant, declining increasing, strength weakness, benefit
    drawback, complicate simplify, clear unclear, transparent opaque, flexible rigid, modern
    outdated, unique common, exclusive general, slightly significantly, steady volatile,
    stable unstable, rapid slow
"""

_WORD = re.compile(r"\w+")


def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for pair in _OPPOSED.split(","):
        one, other = (frozenset(terms(word)) for word in pair.split())
        for term in one | other:
            found[term] = found.get(term, frozenset()) | (other if term in one else one)
    return found


_OPPOSITES: Final = _opposites()


class Signals(NamedTuple):
    """Hold what is measured of a claim and its source.

    `order` is the logarithm of the share of the claim's neighbouring words that stand together in
    a sentence of the source, `coverage` the share of its words in the best place there. `missing`
    is 1 when a figure, date, time, code or name is, `denied` 1 when the claim has a negation and
    the best place has none; `turned` counts words whose opposite stands in the source.
    """

    order: float
    coverage: float
    missing: float
    denied: float
    turned: float


BIAS: Final = 0.21
COEFFICIENTS: Final = Signals(order=1.1, coverage=1.97, missing=-1.4, denied=-1.29, turned=-1.18)
"""A logistic regression, fitted by `tests/bench/support_bench.py --fit` on half of WiCE (dev),
HaluEval (QA) and SummEdits (business domains); the bench prints its figures on the other half.
"""


@dataclass(frozen=True, slots=True)
class SupportScore:
    """Hold how far a source bears out a claim: `value` in [0, 1], and what speaks against it.

    `missing` are figures, dates, codes and names as written, `turned` the terms whose opposite
    stands in the source.
    """

    value: float
    signals: Signals
    missing: list[str]
    turned: list[str]


def missing(sentence: str, sources: Sequence[str]) -> list[str]:
    """List what stands in a sentence and in none of its sources, as written, 20 things at most.

    Compared are figures by value ("1.2 thousand" is "1,200"), dates and times by day and minute,
    codes, names (other capitalised words inside a sentence), acronyms and quotations.
    """
    source = _source("\n\n".join(sources))
    found = [*_absent(sentence, source), *_missing_quotations(sentence, source)]
    return list(dict.fromkeys(found))[:_MAX_MISSING]


def lacking(source: str, names: Sequence[str]) -> list[str]:
    """List the names that a source lacks, with their kin (Germany, German) and acronyms' meaning."""
    read = _source(source)
    return [name for name in names if not read.knows(name)]


def support(claim: str, source: str | Sequence[str]) -> SupportScore:
    """Grade how far a source bears out a claim, by its words, their order and what differs.

    0.5 is the best threshold over the sets that it was fitted on. Neither weights of words nor an
    embedder's cosine made it better there. What only understanding can see is beyond it: two
    names exchanged, a conclusion, a paraphrase in other words.
    """
    whole = _source(source if isinstance(source, str) else "\n\n".join(source))
    said = terms(claim)
    window = whole.best_window(said)
    missing = _absent(claim, whole)
    turned = _turned(said, whole)
    signals = Signals(
        order=math.log(_ORDER_FLOOR + whole.order(said, window.coverage)),
        coverage=window.coverage,
        missing=float(bool(missing)),
        denied=float(_denies(claim) and not any(map(_denies, window.sentences))),
        turned=float(len(turned)),
    )
    return SupportScore(_logistic(signals), signals, missing, turned)


SAYS_OTHERWISE: Final = "its source says the opposite"
SAYS_LITTLE: Final = "its source speaks of something else"
_LEAST_WORDS: Final = 4
_BETWEEN: Final = re.compile(r"[\W_]+")
_ENGLISH: Final = 0.25
"""The share of stop words from which on a text is taken for English prose, which the grade was
fitted on: a row of a table has fewer, and so have the languages that share some with it."""
_MOST_READ: Final = 4000
"""Characters by which the language of a source is told."""


def objection(claim: str, sources: Sequence[str]) -> str:
    """Return why the sources' words do not bear out a claim, for people; empty where they do.

    An opposite or a "not" that the source has not is told whatever the grade: so edited sentences
    differ, and hardly any sound one. What is no English sentence is not graded, and neither is one
    whose source is in another language.
    """
    if len(words(claim)) < _LEAST_WORDS or not _is_english(claim):
        return ""
    source = "\n\n".join(sources)
    if not _is_english(source[:_MOST_READ]):
        return ""
    score = support(claim, source)
    if score.turned or score.signals.denied:
        return SAYS_OTHERWISE
    return SAYS_LITTLE if score.value < SUPPORT_MARK else ""


def _is_english(text: str) -> bool:
    return stop_word_share(text) >= _ENGLISH


def _logistic(signals: Signals) -> float:
    total = BIAS + sum(map(operator.mul, COEFFICIENTS, signals))
    return round(1 / (1 + math.exp(-total)), 4)


class _Window(NamedTuple):
    """The adjacent sentences of a source that hold most of a claim, and the share they hold."""

    sentences: list[str]
    coverage: float


class _Source:
    """A source, taken apart once for all claims that are held against it."""

    def __init__(self, text: str) -> None:
        found = facts(text)
        self.dates = found.dates
        self.times = {time.minute for time in found.times}
        self.values = Values(found)
        self.condensed = _condensed(text)
        self.lowered = text.lower()
        self.spoken = _spoken(text)
        self.acronyms = {match[0] for match in WORD.finditer(text) if is_acronym(match[0])}
        self._capitals = {initials(run) for run in runs(text)}
        self._firsts = "".join(word[0] for word in _WORD.findall(self.lowered)).upper()
        self.sentences = [part.flat for unit in units(text) for part in sentences(unit)]
        self._terms = [terms(sentence) for sentence in self.sentences]
        self.known = {term for found in self._terms for term in found}
        self._prefixes = {term[:_PREFIX] for term in self.known if len(term) >= _PREFIX}

    @cached_property
    def _pairs(self) -> set[tuple[str, str]]:
        # A grade of support asks for the order of words, the check of facts does not.
        return {pair for found in self._terms for pair in _pairs(found, _REACH)}

    def knows(self, name: str) -> bool:
        """Say whether a name stands here.

        A related form counts (Germany, German), and so does what an acronym means.
        """
        acronym = name.replace(".", "")
        if is_acronym(acronym) and self._means(acronym):
            return True
        parts = [part for part in name.split("-") if part[:1].isupper()]
        known = [term for part in parts for term in terms(f"{part}." if "." in part else part)]
        return all(term in self.known or term[:_PREFIX] in self._prefixes for term in known)

    def _means(self, acronym: str) -> bool:
        spelled = any(capitals.endswith(acronym) for capitals in self._capitals)
        return spelled or (len(acronym) > ACRONYM_MIN and acronym in self._firsts)

    def best_window(self, said: Sequence[str]) -> _Window:
        """The adjacent sentences that hold the most of what is said."""
        wanted = set(said)
        if not wanted or not self._terms:
            return _Window([], 0.0)
        held = [wanted.intersection(found) for found in self._terms]
        starts = range(max(1, len(held) - _WINDOW + 1))
        sizes = [len(set().union(*held[at : at + _WINDOW])) for at in starts]
        best = max(starts, key=sizes.__getitem__)
        return _Window(self.sentences[best : best + _WINDOW], sizes[best] / len(wanted))

    def order(self, said: Sequence[str], otherwise: float) -> float:
        """The share of neighbouring words that stand in the same order and sentence here."""
        pairs = set(_pairs(said, _CLAIM_REACH))
        return len(pairs & self._pairs) / len(pairs) if pairs else otherwise

    def best_overlap(self, term: str, context: set[str]) -> int:
        """Count the words of the context beside a term, in the sentence with the most."""
        return max(
            (len(context.intersection(found)) for found in self._terms if term in found), default=-1
        )


@lru_cache(maxsize=64)
def _source(text: str) -> _Source:
    return _Source(text)


def _pairs(found: Sequence[str], reach: int) -> Iterator[tuple[str, str]]:
    """Each term with the `reach` terms behind it."""
    for at, term in enumerate(found):
        for other in found[at + 1 : at + 1 + reach]:
            yield term, other


def _absent(claim: str, source: _Source) -> list[str]:
    """The figures, dates, codes and names of a claim that the source has not."""
    found = [*_missing_facts(facts(claim), source), *_missing_names(claim, source)]
    return list(dict.fromkeys(found))[:_MAX_MISSING]


def _missing_facts(claim: Facts, source: _Source) -> Iterator[str]:
    for figure in claim.figures:
        if is_claimed(figure) and not source.values.bear_out(figure):
            yield figure.text
    for date in claim.dates:
        if not any(same_date(date, other, source.values) for other in source.dates):
            yield date.text
    yield from (time.text for time in claim.times if time.minute not in source.times)
    for code in claim.codes:
        if _condensed(code) not in source.condensed and not _is_period(code, source):
            yield code


def _condensed(text: str) -> str:
    return _BETWEEN.sub("", text.lower())


def _is_period(code: str, source: _Source) -> bool:
    """Say whether a fiscal year or a quarter stands in the source in words."""
    year, quarter = FISCAL_YEAR.fullmatch(code), QUARTER.fullmatch(code)
    if year:
        return source.values.has(2000 + int(year[1])) or source.values.has(int(year[1]))
    return bool(quarter) and f"{ORDINALS[int(code[1]) - 1]} quarter" in source.lowered


# --- names and quotations ------------------------------------------------------------------


def _missing_names(sentence: str, source: _Source) -> Iterator[str]:
    spelled_out = _spelled_out(sentence, source.acronyms)
    for name in names(sentence):
        if name not in spelled_out and not source.knows(name):
            yield name


def _spelled_out(sentence: str, acronyms: Collection[str]) -> set[str]:
    """The words of names that the source has as an acronym: CEO for Chief Executive Officer."""
    found = (run[-size:] for run in runs(sentence) for size in range(ACRONYM_MIN, len(run) + 1))
    return {word for run in found if initials(run) in acronyms for word in run}


def _missing_quotations(sentence: str, source: _Source) -> Iterator[str]:
    for match in _QUOTED.finditer(sentence):
        if _spoken(match[1]) not in source.spoken:
            yield match[0]


def _spoken(text: str) -> str:
    """The words alone, with a blank around each."""
    return f" {' '.join(_WORD.findall(text.lower()))} "


def _denies(text: str) -> bool:
    spoken = _NOT.sub(" not ", text.lower())
    return not _NEGATIONS.isdisjoint(_WORD.findall(spoken))


def _turned(said: Sequence[str], source: _Source) -> list[str]:
    """Words whose opposite stands in the source with more of their surroundings than they do."""
    found = []
    for at, term in enumerate(said):
        context = {*said[max(0, at - _CONTEXT) : at], *said[at + 1 : at + 1 + _CONTEXT]} - {term}
        opposites = _OPPOSITES.get(term, ())
        against = max((source.best_overlap(other, context) for other in opposites), default=-1)
        if against >= _CONTEXT_SHARED and against > source.best_overlap(term, context):
            found.append(term)
    return list(dict.fromkeys(found))
