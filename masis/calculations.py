"""Whether a question asks for something to be calculated, and whether a source states just that."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from masis.lexical import terms
from masis.question_parts import asking

_FIGURE: Final = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twice|half|double)\b",
    re.IGNORECASE,
)
_AMOUNT: Final = (
    r"(?:revenue|sales|cost|price|fee|rate|amount|number|figure|budget|margin|profit|income|salar"
    r"|allowance|limit|expense|spend|size|weight|length|price|tax|days|hours|weeks|months|years"
    r"|percent|%|[£$€])"
)
_MORE: Final = (
    r"(?:more|less|fewer|higher|lower|bigger|larger|smaller|longer|shorter|cheaper|dearer|greater)"
)
_BY: Final = (
    r"\b(?:up|down|gr[eo]w|grown|rose|risen|fell|fallen|increased?|decreased?|drop|dropped|declined?"
    r"|shrank|shrunk) (?:(?:by|of) (?:\w+ )?[£$€]?\d|(?:\w+ )?\d\S*\s?(?:%|per ?cent))"
)
"""A source that states a change: "up 8 %", "fell by 27 kg"; "up from 187" leaves it to be calculated."""


class _Kind(NamedTuple):
    """How a calculation is asked for, and with which words a source states its result."""

    asks: re.Pattern[str]
    states: re.Pattern[str]
    needs_figures: bool = False


def _kind(asks: str, states: str, *, needs_figures: bool = False) -> _Kind:
    return _Kind(re.compile(asks, re.IGNORECASE), re.compile(states, re.IGNORECASE), needs_figures)


_KINDS: Final = (
    _kind(
        r"\bhow (?:much|many|far|long)\b[^?.]{0,40}\b(?:more|less|fewer|higher|lower|bigger|larger"
        r"|smaller|longer|shorter|cheaper|dearer|greater)\b|\bby how (?:much|many)\b[^?.]{0,60}\b(?:gr[eo]w|ris|rose|f[ae]ll|increas|decreas|chang|drop|differ)"
        rf"|\bdifferences? (?:in|of) [^?.]{{0,40}}{_AMOUNT}|\b{_AMOUNT}\w* differences?\b"
        r"|\bhow many times (?:more|as|larger|bigger|higher)\b",
        rf"\bdifferences?\b|\d\S* (?:\S+ )?{_MORE}\b|{_BY}",
    ),
    _kind(
        rf"(?s:^(?=.*\b{_AMOUNT}).*\b(?:differences? between|compar(?:e|ed|es|ing|ison)|versus|vs)\b)",
        r"\bdifferences?\b|\bcompar|\bmore than\b|\bless than\b|\bfewer than\b|\b\w+er than\b|\bversus\b",
        needs_figures=True,
    ),
    _kind(
        r"\bratios?\b|\bproportion of\b|\b(?:what|as a|which|the) (?:share|percentage|fraction|per ?cent|%) of\b"
        r"|\bper (?:head|capita|employee|person|unit|customer|member)\b",
        r"\bratios?\b|\bproportion|\bshares?\b|%|\bper ?cent|\bfraction|\bper \w+",
    ),
    _kind(
        r"\bhow (?:many|much)\b[^?.]{0,80}\b(?:outside|other than|except|excluding|apart from|remain\w*)\b",
        r"\b(?:outside|other than|except|excluding|apart from|remain\w*|rest|others?)\b",
    ),
    _kind(
        r"\bhow (?:many|much)\b[^?.,;]{0,60}\b(?:(?:has|have|had|did|do|does|are|is|were|was) not|\w{2,6}n['’]t)\b",
        r"\bnot\b|n['’]t\b|\b(?:no|never|without|still|outstanding|missing|remain\w*|rest|others?|un\w+)\b",
    ),
    _kind(
        r"\bin total\b|\baltogether\b|\bcombined\b|\bsum of\b|\b(?:grand )?totals?\b|\badd(?:ed)? up\b"
        r"|\bin sum\b|\bhow (?:many|much)\b[^?.]{0,80}\btogether\b|\ball together\b|\btaken together\b"
        r"|\boverall (?:cost|number|amount|figure)\b",
        r"\btotal|\baltogether\b|\bcombined\b|\bsum\b|\bin all\b|\boverall\b|\btogether\b",
    ),
    _kind(
        r"\baverage\b|\bmean (?:of|value|number|cost|price|time|age|salary)\b|\bthe mean\b|\bmedian\b",
        r"\baverage|\bmean\b|\bmedian\b",
    ),
    _kind(
        r"\bgrowth\b|\b(?:percentage|per ?cent|net|total|relative) (?:change|increase|decrease|rise|drop)"
        r"|\bhow (?:much|fast|far|strongly) (?:did|has|have|had|does|will)\b[^?.]{0,60}\b(?:gr[eo]w|grown|rise|rose|risen|fall|fell|fallen"
        r"|increased?|decreased?|change|changed|drop|dropped|shrunk|shrank|shrink)\b"
        r"|\b(?:change|increase|decrease|rise|drop|decline) in [^?.]{0,60}\b(?:between|from|since|over)\b",
        rf"\b(?:growth|change)[^.|]{{0,40}}\d|{_BY}|\d\S*\s?(?:%|per ?cent) (?:growth|{_MORE})",
    ),
)


_SPAN: Final = r"(?P<{0}>year|month|week|day|hour|annum)"
_ADVERBS: Final = {
    "yearly": "year", "annually": "year", "annum": "year", "monthly": "month", "weekly": "week",
    "daily": "day", "hourly": "hour",
}  # fmt: skip
_ASKS_PER: Final = re.compile(
    rf"\bhow much\b[^?.]{{0,80}}\b(?:(?:per|a|an|each|every|whole|full) {_SPAN.format('span')}\b"
    rf"|(?P<adverb>{'|'.join(_ADVERBS)})\b)"
    rf"|\b{_AMOUNT}\w*\b[^?.]{{0,60}}\b(?:per|a|each|every|whole|full) {_SPAN.format('priced')}\b",
    re.IGNORECASE,
)
_GIVES_PER: Final = re.compile(
    rf"\d[\d.,]*(?:\s\w+)?\s(?:(?:per|a|an|each|every) {_SPAN.format('span')}\b"
    rf"|(?P<adverb>{'|'.join(_ADVERBS)})\b)",
    re.IGNORECASE,
)


def _is_converted(question: str, said: Sequence[str]) -> bool:
    """Tell whether an amount is asked for one span of time and stated for others alone."""
    asked = {_span(match) for match in _ASKS_PER.finditer(question)}
    stated = {_span(match) for text in said for match in _GIVES_PER.finditer(text)}
    told = set(terms(" ".join(said)))
    return bool(asked and stated) and all(
        span not in stated and told.isdisjoint(terms(f"{span} {_PLAIN.get(span, '')}"))
        for span in asked
    )


_PLAIN: Final = {
    "year": "annual yearly annum",
    "month": "monthly",
    "week": "weekly",
    "day": "daily",
}


def _span(match: re.Match[str]) -> str:
    found = next(word for word in match.groupdict().values() if word).casefold()
    return _ADVERBS.get(found, found)


def is_asked_only(question: str, said: Sequence[str]) -> bool:
    """Tell whether a question asks for a calculation whose result no statement gives.

    A statement gives it where it has the word that is asked for (a "total", an "average"), a
    figure, and one of the question's other words.
    """
    question = " ".join(asking(question))
    asked = [kind for kind in _KINDS if kind.asks.search(question)]
    has_figures = any(map(_FIGURE.search, said))
    return _is_converted(question, said) or any(
        not any(_states(kind, question, statement) for statement in said)
        for kind in asked
        if has_figures or not kind.needs_figures
    )


def _states(kind: _Kind, question: str, statement: str) -> bool:
    if not kind.states.search(statement) or not _FIGURE.search(statement):
        return False
    rest = set(terms(kind.asks.sub(" ", question)))
    return not rest or not rest.isdisjoint(terms(statement))
