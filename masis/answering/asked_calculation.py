"""Understand by rule which calculation a question asks for, of what and of which periods."""

import re
from typing import Final, Literal

from masis.domain import CalculationKind, Period, Value
from masis.text.lexical import terms
from masis.text.months import MONTHS
from masis.text.periods import periods, without_periods

MOST_TOP: Final = 20
"""Places of a ranking."""

_THINGS: Final = r"[^?.;]"
_MORE: Final = (
    r"(?:more|less|fewer|higher|lower|bigger|larger|smaller|longer|shorter|cheaper|dearer|greater"
    r"|heavier|lighter|older|younger|faster|slower)"
)
_CHANGE: Final = (
    r"(?:gr[eo]w|grown|growth|ris(?:e|en|es)|rose|fall(?:en|s)?|fell|increas\w+|decreas\w+|chang\w+|dropp?\w*"
    r"|declin\w+|shrank|shrunk|shrink|improv\w+|worsen\w*|went (?:up|down))"
)
_PERCENT: Final = r"(?:%|per ?cent|percentage)"
_COUNTED: Final = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}


def _asks(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_SHARES: Final = (
    _asks(
        r"\b(?:share|percentage|per ?cent|proportion|fraction) of (?:the )?(?P<one>[^?.;]+?) (?:over|out of|relative to|in relation to)"
        r" (?:the )?(?P<other>[^?.;]+)"
    ),
    _asks(rf"(?P<one>[^(?.;,]+?) as (?:an? )?{_PERCENT} of (?:the )?(?P<other>[^)?.;]+)"),
    _asks(
        r"\b(?:share|percentage|per ?cent|proportion|fraction|%) of (?:the |our |all )?(?P<other>[^?.;]+?)"
        r" (?:is|are|was|were|did|do|does|came|comes|goes|went|has|have|had) (?P<one>[^?.;]+)"
    ),
)
_RATIOS: Final = (
    _asks(r"\bhow many times (?:as \w+ as |the )?(?P<other>[^?.;]+?) (?:is|are|was|were) (?P<one>[^?.;]+)"),
    _asks(r"\bratio of (?P<one>[^?.;]+?) to (?P<other>[^?.;]+)"),
)  # fmt: skip
_PER: Final = (
    _asks(
        r"^(?:what (?:is|was|were|are) )?(?:the |our )?(?P<one>(?!\w+ (?:do|does|did|is|are)\b|[\w ]*\b(?:prices?|costs?|fees?"
        r"|rates?|allowances?|charges?|how|what)\b)[a-z]+(?: [a-z]+){0,2}) per (?P<other>(?!(?:day|week|month|year|hour"
        r"|annum|night|minute|quarter|term)s?\b)[a-z][a-z-]+(?: [a-z-]+)?)(?= in\b| for\b|,|\?|\.|$| on\b| at\b)"
    ),
)
_DIFFERENCES: Final = (
    _asks(r"\bdifferences? (?:in (?P<of>[^?.;]+?) )?between (?:the )?(?P<one>[^?.;]+?) and (?:the )?(?P<other>[^?.;]+)"),
    _asks(r"^(?P<one>[^?.;]+?) (?:vs\.?|versus) (?P<other>[^?.;]+?)\W*\bdifference\b"),
    _asks(rf"\bhow much {_MORE}\b (?P<one>[^?.;]+?) than (?P<other>[^?.;]+)"),
    _asks(rf"\bhow (?:far|much) (?:is|are|was|were) (?P<one>[^?.;]+?) (?:above|below|over|under|{_MORE} than) (?P<other>[^?.;]+)"),
)  # fmt: skip
_KINDS: Final[tuple[tuple[CalculationKind, re.Pattern[str]], ...]] = (
    ("points", _asks(r"\bpercentage[ -]points?\b|\bpp\b|%-points?")),
    ("ratio", _asks(r"\b(?:ratio|proportion|percentage|share) of\b")),
    ("rank", _asks(r"\btop (?:\d{1,2}|two|three|four|five|six|seven|ten)\b|\brank(?:ed|ing)?\b")),
    ("median", _asks(r"\bmedian\b")),
    ("mean", _asks(r"\bav(?:e?ra|er)ge\b|\bmean (?:of|value|number|cost|price)\b|\bthe mean\b")),
    (
        "growth",
        _asks(
            rf"\b{_CHANGE}\b{_THINGS}*(?:\bin |by (?:how many )?)?{_PERCENT}|{_PERCENT} (?:change|increase|decrease|rise"
            rf"|growth|drop|fall)|\bgrowth\b|\bhow (?:much|fast|far) (?:did|has|have)\b{_THINGS}*\bgr[eo]w"
            rf"|\bby (?:how many |what ){_PERCENT}{_THINGS}*\b{_CHANGE}\b|^and in {_PERCENT}"
            rf"|\bhow much {_MORE}\b{_THINGS}*{_PERCENT}"
        ),
    ),
    (
        "difference",
        _asks(
            rf"\bhow (?:much|many|far)\b{_THINGS}*\b(?:{_MORE}|{_CHANGE})\b|\bby how (?:much|many)\b|\bdifferences?\b"
            rf"|\bwhat did\b{_THINGS}*\bchange\b"
            r"|\b(?:the|an?|total|net|overall) (?:change|increase|decrease|rise|fall|decline|drop)\b(?: ?/ ?\(?(?:increase|decrease)\)?)? (?:in|of) "
        ),
    ),
    (
        "maximum",
        _asks(r"\b(?:highest|largest|biggest|greatest|most expensive|costliest|dearest)\b"),
    ),
    ("minimum", _asks(r"\b(?:lowest|smallest|least expensive|cheapest)\b")),
    ("sum", _asks(r"\b(?:in total|altogether|combined|sum of|totals?|added up|all together)\b")),
)
_FORECASTS: Final = _asks(r"\b(?:forecasts?|outlook|guidance|projected|expected|planned|target|budget)\b")  # fmt: skip
_COUNTING: Final = _asks(r"\b(?:how many|number of)\b")
_PRICING: Final = _asks(
    r"\b(?:expensive|cheap\w*|costs?|costl\w+|dear\w*|pay|pays|paid|prices?)\b"
    r"|\bhow much (?:more|less) (?:is|are|was|were)\b"
)
_REASON: Final = _asks(r"\b(?:why|how come|what (?:caused|drove|explains))\b")
"""Who asks for the reason of a change wants words."""
_MEASURED: Final = _asks(
    rf"{_MORE}|\b(?:price|cost|fee|rate|amount|number|revenue|sales|turnover|budget|margin|profit|income|salar\w+|pay"
    r"|wages?|allowance|limit|expenses?|spend|size|weight|length|premium|score|headcount|result)s?\b|[%£$€]|\bhow (?:far|much)\b"
)
"""What is asked to differ is an amount: "the difference between a and b" may be told in words."""
GENERIC: Final = frozenset(
    terms(
        "how much many far fast what which was were did does percent percentage point points pp grow grew grown"
        " growth rise rose risen fall fell fallen increase increased decrease decreased change changed drop dropped"
        " decline declined improve improved shrink shrank difference different compared against versus vs more less"
        " fewer higher lower bigger larger smaller longer shorter cheaper greater highest lowest largest smallest"
        " biggest greatest most least expensive cheapest costly cost costs pay paid pays total altogether"
        " combined sum average avrage mean median plain top rank ranked ranking ratio share proportion fraction"
        " per up down between from to than year years quarter half above below over under all give show tell please"
        " exactly roughly number amount figure value order ordered by with whole full calculate compute one our we us"
        " altogether together"
    )
)
"""Terms that say what to calculate, and not of what."""


class Wanted(Value):
    """What is to be calculated: of one thing, or of two, the first set against the second.

    `periods` are those that the question names; each of two things may name its own. `top` is how many
    places a ranking has, `by` what it ranks. `counts` says that a number of things is asked for,
    `prices` that it is what they cost. `shared` is what is asked of both things alike.
    `listed` says that the figures are wanted as they stand, side by side.
    """

    kind: CalculationKind
    sides: list[str]
    periods: list[Period] = []
    forecasts: bool = False
    bound: Literal["", "least", "most"] = ""
    top: int = 0
    by: str = ""
    counts: bool = False
    prices: bool = False
    shared: str = ""
    listed: bool = False


def wanted(question: str) -> Wanted | None:
    """Return the calculation that a question asks for; None where it asks for none."""
    if _REASON.search(question):
        return None
    named = [each.period for each in periods(question)]
    pair = _pair(question)
    kind = pair[0] if pair else _kind(question, named)
    if kind is None:
        return None
    top = _top(question) if kind == "rank" else 0
    return Wanted(
        kind=kind,
        sides=[f"{_shared(question)} {side}".strip() for side in pair[1]]
        if pair
        else [_TOP.sub(" ", question)],
        periods=_meant(question, kind, named, is_pair=pair is not None),
        forecasts=bool(_FORECASTS.search(question)),
        bound=_bound(question),
        top=top,
        by=_grouped(question) if top else "",
        counts=bool(_COUNTING.search(question)),
        prices=bool(_PRICING.search(question)),
        shared=_shared(question) if pair else "",
    )


def _shared(question: str) -> str:
    """Return what two things differ in, where the question says it of both."""
    match = _DIFFERENCES[0].search(question)
    return (match["of"] or "") if match else ""


def about(text: str) -> frozenset[str]:
    """Return the terms of what is calculated, without those of the calculation and of periods."""
    return frozenset(terms(without_periods(text))) - GENERIC - _MONTHS


_MONTHS: Final = frozenset(terms(" ".join(MONTHS)))


def _pair(question: str) -> tuple[CalculationKind, tuple[str, str]] | None:
    """Return what is set against what, where the question names both."""
    patterns: tuple[tuple[CalculationKind, tuple[re.Pattern[str], ...]], ...] = (
        ("share", _SHARES),
        ("ratio", _RATIOS),
        ("per_unit", _PER),
        ("difference", _DIFFERENCES),
    )
    for kind, several in patterns:
        for match in filter(None, (pattern.search(question) for pattern in several)):
            one, other = match["one"].strip(), match["other"].strip()
            is_vague = kind == "difference" and not _MEASURED.search(question)
            if about(one) and about(other) and not is_vague:
                return kind, (one, other)
    return None


def _kind(question: str, named: list[Period]) -> CalculationKind | None:
    found = next((kind for kind, pattern in _KINDS if pattern.search(question)), None)
    is_change = found in {"growth", "difference", "points", "ratio"}
    if is_change and len(_compared(question, named)) != 2:
        return None
    return found if found and about(question) else None


_CHANGED: Final = _asks(rf"\b{_CHANGE}\b")


def _compared(question: str, named: list[Period]) -> list[Period]:
    """Return the periods in order; a change in one year alone is one from the year before."""
    found = _in_order(named)
    if len(found) == 1 and found[0].kind == "year" and found[0].year and _CHANGED.search(question):
        found.append(found[0].model_copy(update={"year": found[0].year - 1}))
    return found


def _meant(
    question: str, kind: CalculationKind, named: list[Period], *, is_pair: bool
) -> list[Period]:
    """Return the periods that figures are wanted of."""
    if kind in {"growth", "difference", "points", "ratio"} and not is_pair:
        return _compared(question, named)
    return _each_year(question, named) if kind in {"mean", "sum"} else _in_order(named)


_RANGE: Final = _asks(r"\b(?:19|20)\d{2} ?(?:-|–|to|and) ?(?:19|20)\d{2}\b")


def _each_year(question: str, named: list[Period]) -> list[Period]:
    """Return the years of a range, each of them: "on average between 2017 and 2019"."""
    found = _in_order(named)
    years = [each.year for each in found if each.kind == "year" and each.year]
    if len(years) != 2 or len(found) != 2 or not _RANGE.search(question):
        return found
    last, first = years[0], max(years[1], years[0] - MOST_TOP)
    return [Period(kind="year", year=year) for year in range(last, first - 1, -1)]


def _in_order(named: list[Period]) -> list[Period]:
    """Return the periods once each, the later first."""
    once = list(dict.fromkeys(named))
    return sorted(once, key=lambda each: (each.year or 0, each.part), reverse=True)


def _bound(question: str) -> Literal["", "least", "most"]:
    if re.search(r"\b(?:top|upper end|high end|at most|maximum) (?:of|end)\b", question, re.IGNORECASE):  # fmt: skip
        return "most"
    lower = re.search(r"\b(?:bottom|lower end|low end|at least|minimum) (?:of|end)\b", question, re.IGNORECASE)  # fmt: skip
    return "least" if lower else ""


_TOP: Final = _asks(rf"\btop (\d{{1,2}}|{'|'.join(_COUNTED)})\b")


def _top(question: str) -> int:
    match = _TOP.search(question)
    said = match[1].casefold() if match else ""
    return min(int(said) if said.isdigit() else _COUNTED.get(said, MOST_TOP), MOST_TOP)


def _grouped(question: str) -> str:
    """Return by what a ranking is made: "top 3 customers by"."""
    match = re.search(r"\btop (?:\d{1,2}|[a-z]+) ([a-z -]{3,30}?) by\b", question, re.IGNORECASE)
    return match[1] if match else ""
