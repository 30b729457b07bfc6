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
        r"\bin total\b|\baltogether\b|\bcombined\b|\bsum of\b|\b(?:grand )?totals?\b|\badd(?:ed)? up\b"
        r"|\bin sum\b|\ball together\b|\btaken together\b|\boverall (?:cost|number|amount|figure)\b",
        r"\btotal|\baltogether\b|\bcombined\b|\bsum\b|\bin all\b|\boverall\b|\ball together\b",
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


def is_asked_only(question: str, said: Sequence[str]) -> bool:
    """Tell whether a question asks for a calculation whose result no statement gives.

    A statement gives it where it has the word that is asked for (a "total", an "average"), a
    figure, and one of the question's other words.
    """
    question = " ".join(asking(question))
    asked = [kind for kind in _KINDS if kind.asks.search(question)]
    has_figures = any(map(_FIGURE.search, said))
    return any(
        not any(_states(kind, question, statement) for statement in said)
        for kind in asked
        if has_figures or not kind.needs_figures
    )


def _states(kind: _Kind, question: str, statement: str) -> bool:
    if not kind.states.search(statement) or not _FIGURE.search(statement):
        return False
    rest = set(terms(kind.asks.sub(" ", question)))
    return not rest or not rest.isdisjoint(terms(statement))
