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
        r"|smaller|longer|shorter|cheaper|dearer|greater)\b|\bby how (?:much|many)\b"
        rf"|\bdifferences? (?:in|of) [^?.]{{0,40}}{_AMOUNT}|\b{_AMOUNT}\w* differences?\b"
        r"|\bhow many times (?:more|as|larger|bigger|higher)\b",
        r"\bdifferences?\b|\b(?:more|less|fewer|higher|lower|bigger|larger|smaller|longer|shorter"
        r"|cheaper|dearer|greater)\b|\b(?:up|down|rose|fell|grew|dropped|increased?|decreased?) \w*",
    ),
    _kind(
        r"\bdifferences? between\b|\bcompar(?:e|ed|es|ing|ison)\b|\bversus\b|\bvs\b",
        r"\bdifferences?\b|\bcompar|\bmore than\b|\bless than\b|\bfewer than\b|\b\w+er than\b|\bversus\b",
        needs_figures=True,
    ),
    _kind(
        r"\bratios?\b|\bproportion of\b|\bwhat (?:share|percentage|fraction|per ?cent|%) of\b"
        r"|\bper (?:head|capita|employee|person|unit|customer|member)\b",
        r"\bratios?\b|\bproportion|\bshares?\b|%|\bper ?cent|\bfraction|\bper \w+",
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
        r"\bgrowth\b|\bgr[eo]w|\bros?e\b|\brisen\b|\bf[ea]ll|\bfallen\b|\bincreas|\bdecreas|\bchange"
        r"|\bdrop|\bshr[aiu]nk|\bup\b|\bdown\b|\bdeclin",
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
