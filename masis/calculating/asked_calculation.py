"""Understand by rule which calculation a question asks for, of what and of which periods."""

import re
from collections.abc import Sequence
from typing import Final, Literal

from masis.calculating import asked_grammar as grammar
from masis.calculating import asked_shape
from masis.calculating.asked_grammar import GENERIC
from masis.calculating.asked_shape import Limit
from masis.calculating.charts.asked_display import asked_display
from masis.calculating.ended_spans import spans_in
from masis.domain import CalculationKind, Period, Value
from masis.text.grammars.calendar import MONTHS
from masis.text.grammars.scales import SCALE
from masis.text.grammars.successions import successive
from masis.text.lexical import terms
from masis.text.periods import before, name, parts, periods, until_end_of, without_periods
from masis.values.base import PeriodKind

MOST_TOP: Final = 20
"""Places of a ranking."""
OVER_TIME: Final = frozenset({"growth", "difference", "points", "ratio", "cagr"})
"""The kinds of one thing in two periods."""
AskedKind = CalculationKind | Literal["list"]
"""What is asked for: a calculation, or figures to be shown as they stand."""


class Listing(Value):
    """What figures are wanted of, one beside the other, by what, and of which periods."""

    of: str
    by: str = ""
    periods: list[Period] = []


class Wanted(Value):
    """What is to be calculated: of one thing, or of two, the first set against the second.

    `also` are further results that are asked of the same figures. `periods` are those that the question
    names; each of two things may name its own. `top` is how many places a ranking has, from the lowest
    on where it is of the `lowest`, `who` what is asked for by its extreme, `by` what it ranks, or what a list has a figure for each of; `each`
    are the periods of which it has one. `counts` says that a number of things is asked for, `prices` that
    it is what they cost, `measures` the words of columns that give what an adjective is about. `shared`
    is what is asked of both things alike. `limits` bound the rows that are meant. `money` says that it is
    to be in money, `in_percent` that figures side by side are to be shares of all, `is_left` that it is what is left of a budget, `of_change` that what is ranked is how
    each row changed, `as_table` that a table of it is wanted. `listing` are the figures that are to be set
    side by side.
    """

    kind: AskedKind
    sides: list[str]
    also: list[CalculationKind] = []
    periods: list[Period] = []
    each: PeriodKind | None = None
    forecasts: bool = False
    bound: Literal["", "least", "most"] = ""
    top: int = 0
    lowest: bool = False
    by: str = ""
    who: str = ""
    counts: bool = False
    prices: bool = False
    measures: list[str] = []
    shared: str = ""
    limits: list[Limit] = []
    money: bool = False
    in_percent: bool = False
    aside: str = ""
    is_left: bool = False
    of_change: bool = False
    as_table: bool = False
    listing: Listing | None = None


def wanted(question: str) -> Wanted | None:
    """Return the calculation that a question asks for; None where it asks for none."""
    if grammar.REASON.search(question):
        return None
    question = grammar.PARTY.sub("", question)
    display = asked_display(_spelt(question))
    text = display.rest
    meant = (
        _of_left(text)
        or _of_forecast(text)
        or _of_pair(text)
        or _of_one(text, is_drawn=display.asked)
    )
    if meant is None:
        return None
    return meant.model_copy(
        update={
            "as_table": display.table and not display.chart,
            "forecasts": bool(grammar.FORECASTS.search(text)),
            "bound": _bound(text),
            "who": _who(text),
            "counts": bool(grammar.COUNTING.search(text)),
            "prices": bool(grammar.PRICING.search(text)),
            "aside": _without_aside(text)[1],
            "money": bool(grammar.MONEY.search(text)),
            "in_percent": bool(grammar.IN_PERCENT.search(text)),
        }
    )


_SPELT: Final = (
    (re.compile(r"\s*(?:->|→|=>)\s*"), " to "),
    (re.compile(r"\bin comparison (?:with|to)\b|\brelative to\b", re.IGNORECASE), "compared to"),
    (re.compile(r"\bh ?ow much\b", re.IGNORECASE), "how much"),
    (re.compile(r"\bwhats\b", re.IGNORECASE), "what is"),
    (re.compile(r"\bdiff\b", re.IGNORECASE), "difference"),
    (re.compile(r"\b(q[1-4]) ?[-–] ?(?=q[1-4]\b)", re.IGNORECASE), r"\1 to "),
    (re.compile(r",? ?\b(?:incl\.?|including|inclusive of) [^,;.?]+", re.IGNORECASE), ""),
    (re.compile(r"^(?:so|and|also|ok|please|pls|can you|could you|calculate|compute|work out|tell me)\b[\s,:]*", re.IGNORECASE), ""),
)  # fmt: skip


def _spelt(question: str) -> str:
    for pattern, meant in _SPELT:
        question = pattern.sub(meant, question)
    return question.strip()


def about(text: str) -> frozenset[str]:
    """Return the terms of what is calculated, without those of the calculation, of periods and of amounts."""
    said = grammar.ADDED_UP.sub(" ", without_periods(text))
    return frozenset(terms(_AMOUNT.sub(" ", said))) - GENERIC - _MONTHS


def amounts(text: str) -> frozenset[str]:
    """Return the terms of amounts by which alone a text may say what it is of: "costs per quarter"."""
    return frozenset(terms(text)) & _AMOUNTS


_AMOUNTS: Final = frozenset(terms("cost costs price prices pay"))
_AMOUNT: Final = re.compile(
    rf"(?<![\w-])(?:[£$€] ?\d[\d,.]*(?: ?(?:{SCALE}))?|\d[\d,.]* ?(?:{SCALE})|\d{{1,3}}(?:,\d{{3}})+)\b",
    re.IGNORECASE,
)


_MONTHS: Final = frozenset(terms(" ".join(MONTHS)))


# --- two things --------------------------------------------------------------------------------


def _of_left(question: str) -> Wanted | None:
    """Read what is left of a budget: it, less what was spent of it so far."""
    found_in = (pattern.search(question) for pattern in grammar.LEFT)
    match = next(filter(None, found_in), None)
    if match is None or not about(match["one"]):
        return None
    found = _periods(question)
    last = next((each for each in found if each.kind == "quarter"), None)
    spent = without_periods(grammar.SPENT.sub("spend", match["one"]))
    until = until_end_of(last) if last else next(iter(found), None)
    sides = [match["one"], f"{spent} {name(until)}" if until else spent]
    return Wanted(kind="difference", sides=sides, periods=found, is_left=True)


def _of_forecast(question: str) -> Wanted | None:
    """Read how far one is over a forecast, a budget or a target: what came, set against it."""
    match = grammar.OVER_FORECAST.search(question)
    if match is None or not about(grammar.FORECASTS.sub(" ", match["other"])):
        return None
    kind: CalculationKind = "growth" if grammar.IN_PERCENT.search(question) else "difference"
    came = grammar.FORECASTS.sub(" ", match["other"])
    return Wanted(kind=kind, sides=[came, match["other"]], periods=_periods(question))


def _of_pair(question: str) -> Wanted | None:
    """Read what is set against what, where the question names both."""
    patterns: tuple[tuple[CalculationKind, tuple[re.Pattern[str], ...]], ...] = (
        ("share", grammar.SHARES),
        ("ratio", grammar.RATIOS),
        ("per_unit", grammar.PER),
        ("difference", grammar.DIFFERENCES),
    )
    plain, aside = _without_aside(question)
    changes = len(_compared(question)) == 2 and (
        grammar.POINTS.search(question) or grammar.CHANGED.search(question)
    )
    for kind, several in patterns:
        if kind == "share" and changes:
            continue
        text = question if kind == "share" else plain
        for match in filter(None, (pattern.search(text) for pattern in several)):
            one, other = match["one"].strip(), match["other"].strip()
            if _is_pair(kind, text, one, other):
                return _paired(kind, question, one, other, "" if kind == "share" else aside)
    return _of_defined(question)


def _is_pair(kind: str, question: str, one: str, other: str) -> bool:
    if not about(one) or not about(other):
        return False
    if kind != "difference":
        return True
    # Two periods of one thing are no two things.
    alike = bool(grammar.FORECAST.search(one)) == bool(grammar.FORECAST.search(other))
    is_one_thing = alike and len(_compared(question)) == 2 and about(one) >= about(other)
    return bool(grammar.MEASURED.search(question)) and not is_one_thing


_ASIDE: Final = re.compile(r"\(([^()]*)\)\W*$")


def _without_aside(question: str) -> tuple[str, str]:
    """Return a question without what it says behind it in brackets, and that: "(order intake)"."""
    match = _ASIDE.search(question)
    if match is None or periods(match[1]):
        return question, ""
    return question[: match.start()].strip(), match[1]


def _paired(kind: CalculationKind, question: str, one: str, other: str, aside: str) -> Wanted:
    shared = " ".join(filter(None, [_shared(question), aside]))
    if kind == "difference" and grammar.POINTS.search(question):
        kind = "points"
    elif kind == "difference" and grammar.IN_PERCENT.search(question):
        kind = "growth"
    also = _also_percent(question) if kind == "difference" else []
    sides = [f"{shared} {side}".strip() for side in (one, other)]
    return Wanted(kind=kind, sides=sides, also=also, periods=_periods(question), shared=shared)


def _shared(question: str) -> str:
    """Return what two things differ in, where the question says it of both."""
    match = grammar.DIFFERENCES[0].search(question)
    return (match["of"] or "") if match else ""


def _of_defined(question: str) -> Wanted | None:
    """Read a share that has a name of its own: "operating margin in 2025"."""
    found = grammar.defined(question)
    if found is None or found.kind != "share" or len(_compared(question)) > 1:
        return None
    if asked_shape.each(question) or grammar.CHANGED.search(question):
        return None
    return Wanted(kind="share", sides=list(found.sides), periods=_periods(question))


# --- one thing ---------------------------------------------------------------------------------


def _of_one(question: str, *, is_drawn: bool) -> Wanted | None:
    """Read a calculation of one thing: in two periods, or over the rows of a table."""
    found = _counted(question) or _worth(question)
    if found is not None:
        return found
    kinds = [kind for kind, pattern in grammar.KINDS if pattern.search(question)]
    compared = _compared(question)
    kind = next((kind for kind in kinds if kind not in OVER_TIME or len(compared) == 2), None)
    if _is_versus(question, kind, compared):
        kind, kinds = "difference", ["difference", "growth"]
    if kind == "difference" and grammar.POINTS.search(question):
        kind = "points"
    elif (
        kind == "difference" and grammar.IN_PERCENT.search(question) and not _also_percent(question)
    ):
        kind = "growth"
    elif kind == "growth" and _is_in_money(question):
        kind = "difference"
    changed = _most_changed(question, compared)
    if changed is not None:
        return changed
    if kind in OVER_TIME and about(question):
        also = [
            *_also_percent(question),
            *(["growth"] if kinds == ["difference", "growth"] else []),
        ]
        return Wanted(
            kind=kind,
            sides=[question],
            also=also[:1] if kind == "difference" else [],
            periods=compared,
        )
    ranked = _ranked(question, next(iter(kinds), None) if kind is None else kind)
    if ranked is not None:
        return ranked
    return _of_rows(question, kind, kinds, is_drawn=is_drawn)


_IN_MONEY: Final = re.compile(r"\bin (?:pounds|euros?|dollars?|gbp|eur|usd|£|\$|€|money|absolute terms)(?!\w)", re.IGNORECASE)  # fmt: skip


def _is_in_money(question: str) -> bool:
    return bool(_IN_MONEY.search(question)) and not grammar.IN_PERCENT.search(question)


def _is_versus(question: str, kind: CalculationKind | None, compared: Sequence[Period]) -> bool:
    """Tell whether two periods' figures are set side by side: "total sales 2024 vs 2025" adds none up."""
    is_asked = kind == "sum" or (kind is None and bool(grammar.MEASURED.search(question)))
    return is_asked and len(compared) == 2 and bool(grammar.VERSUS.search(question))


def _of_rows(
    question: str, kind: CalculationKind | None, kinds: list[CalculationKind], *, is_drawn: bool
) -> Wanted | None:
    each, by = asked_shape.each(question), _grouped(question)
    if kind is None and (is_drawn or each or by) and not (_is_other(question) and not is_drawn):
        asked: AskedKind | None = "list"
    else:
        asked = kind
    rest = asked_shape.without_each(question)
    if asked is None or not (about(rest) or (each and asked == "list" and amounts(rest))):
        return None
    also = [other for other in kinds if other in grammar.OF_ROWS and other != kind]
    named_ = _named_each(rest, asked, each)
    return Wanted(
        kind=asked,
        sides=[rest],
        also=also if kind in grammar.OF_ROWS else [],
        periods=named_,
        each=each,
        by=by,
        limits=asked_shape.limits(question),
        measures=_measures(question),
    )


def _is_other(question: str) -> bool:
    """Tell whether only the word for each period makes a question look as if it wanted a list."""
    each = asked_shape.each(question)
    is_parted = each and any(len(_split(period, each)) > 1 for period in _periods(question))
    if is_parted and not _SENTENCE.search(question):
        return False
    return not (grammar.MEASURED.search(question) and periods(question))


_SENTENCE: Final = re.compile(
    r"^(?:how|what|which|who|when|where|why)\b"
    r"|\b(?:is|are|was|were|do|does|did|has|have|had|can|could|may|must|should|will|would)\b",
    re.IGNORECASE,
)
"""What is no name of figures alone: "overheads per quarter in 2025" is one."""


def _counted(question: str) -> Wanted | None:
    """Read a number of rows: it is asked of a list, or of what is bounded, and never of what is "in a row"."""
    if not grammar.COUNTING.search(question) or successive(question) or not about(question):
        return None
    limits = asked_shape.limits(question)
    if not limits and not grammar.LISTED.search(question):
        return None
    rest = asked_shape.without_limits(question)
    if any(
        pattern.search(rest)
        for kind, pattern in grammar.KINDS
        if kind in OVER_TIME | {"mean", "median"}
    ):
        return None
    return Wanted(kind="count", sides=[rest], periods=_periods(rest), limits=limits)


def _worth(question: str) -> Wanted | None:
    """Read what a line comes to, after its discount, or what all of something is worth."""
    if not grammar.NET.search(question) or not about(question):
        return None
    if grammar.WHOLE.search(question):
        return Wanted(kind="sum", sides=[question], periods=_periods(question))
    return Wanted(kind="product", sides=[question], periods=_periods(question))


def _ranked(question: str, kind: CalculationKind | None) -> Wanted | None:
    """Read a ranking, and who is first of one: "which customer ordered the most pumps"."""
    match = grammar.MOST.search(question)
    if kind == "rank":
        rest, by, top = grammar.TOP.sub(" ", question), _grouped(question), _top(question)
        lowest = bool(grammar.LOWEST.search(question))
    elif match is not None and kind not in {"mean", "median", "maximum", "minimum"}:
        rest, by, top = question, match["by"], 1
        lowest = match["which"].casefold() in {"least", "fewest", "lowest"}
    else:
        return None
    if not about(rest):
        return None
    return Wanted(
        kind="rank",
        sides=[rest],
        periods=_periods(question),
        top=top,
        by=by,
        lowest=lowest,
        limits=asked_shape.limits(question),
    )


def _most_changed(question: str, compared: list[Period]) -> Wanted | None:
    """Read which row changed the most: "which line grew fastest", "top 3 price rises"."""
    match = grammar.MOST_CHANGED.search(question)
    if match is None or len(compared) != 2:
        return None
    fell = grammar.FELL.search(question) is not None
    kind: CalculationKind = (
        "growth"
        if grammar.IN_PERCENT.search(question) or grammar.FASTEST.search(question)
        else "difference"
    )
    return Wanted(
        kind=kind,
        sides=[grammar.TOP.sub(" ", question)],
        also=["growth"] if kind == "difference" else [],
        periods=compared,
        top=_top(question)
        if grammar.TOP.search(question)
        else MOST_TOP
        if _ALL.search(question)
        else 1,
        by=(match.groupdict().get("by") or _grouped(question) or "").strip(),
        lowest=fell or bool(grammar.LEAST.search(question)),
        of_change=True,
    )


_ALL: Final = re.compile(r"\b(?:list|show|give)(?: me)? (?:them )?all\b", re.IGNORECASE)


def _measures(question: str) -> list[str]:
    found = [
        words
        for most, least, words in grammar.MEASURES.values()
        if re.search(rf"\b(?:{most}|{least})\b", question, re.IGNORECASE)
    ]
    return found[0].split() if found else []


def _also_percent(question: str) -> list[CalculationKind]:
    return ["growth"] if grammar.BOTH_WAYS.search(question) else []


# --- periods -----------------------------------------------------------------------------------


_DOCUMENT: Final = re.compile(
    r"\b(?:q[1-4]|(?:first|second|third|fourth) quarter|h[12]) (?:report|pack|board pack|review|results|paper|workbook|figures)\b",
    re.IGNORECASE,
)
"""A document that is called by a period is none."""


def named(question: str) -> list[Period]:
    """Return the periods that a question names; "Q1 of 2024 and 2026" are two quarters."""
    found = [each.period for each in periods(_DOCUMENT.sub(" ", question))]
    open_ = [each for each in found if each.year is None]
    years = [each for each in found if each.kind == "year"]
    if len(open_) != 1 or len(years) < 2 or len(years) + 1 != len(found):
        return found
    return [open_[0].model_copy(update={"year": each.year}) for each in years]


def _periods(question: str) -> list[Period]:
    return _in_order(named(question))


def _compared(question: str) -> list[Period]:
    """Return the periods in order; a change in one alone is one from the year before, or the quarter."""
    found = _periods(question)
    if len(found) != 1 or not found[0].year:
        return found
    span = _span_before(question, found[0])
    earlier = before(found[0], span) if span else None
    return [*found, earlier] if earlier else found


def _span_before(question: str, period: Period) -> PeriodKind | None:
    """Return how far back lies what a period is set against: "than the quarter before"."""
    match = grammar.BEFORE.search(question)
    if match:
        said = next(text for text in match.groups() if text).casefold()
        span: PeriodKind = next(
            kind for name, kind in grammar.SPANS_BEFORE if said.startswith(name)
        )
        return span if span in {"year", period.kind} else None
    is_stretch = period.kind == "day" and any(spans_in(question))
    is_yearly = period.kind == "year" or (is_stretch and grammar.MEASURED.search(question))
    return "year" if is_yearly and grammar.CHANGED.search(question) else None


def _named_each(question: str, kind: AskedKind, each: PeriodKind | None) -> list[Period]:
    """Return the periods that figures are wanted of: each of a range, each part of one."""
    found = _periods(question)
    if kind in {"mean", "median", "sum", "list", "maximum", "minimum"}:
        found = _each_of_range(question, found)
    if each is None:
        return found
    split = [parts_ for period in found for parts_ in [_split(period, each)]]
    return [part for parts_ in split for part in parts_][:MOST_PERIODS]


MOST_PERIODS: Final = 60


def _split(period: Period, each: PeriodKind) -> list[Period]:
    found = next((several for several in parts(period) if several and several[0].kind == each), [])
    return list(reversed(found)) or [period]


_RANGE: Final = re.compile(
    r"\b(?:19|20)\d{2} ?(?:-|–|to|and|until|through) ?(?:19|20)\d{2}\b|\bq[1-4][^?.;,]{0,8} (?:-|–|to|through|until) q[1-4]\b",
    re.IGNORECASE,
)


def _each_of_range(question: str, found: list[Period]) -> list[Period]:
    """Return the years of a range, or its quarters: "on average between 2017 and 2019"."""
    if len(found) != 2 or found[0].kind != found[1].kind or not _RANGE.search(question):
        return found
    if found[0].kind not in {"year", "quarter"}:
        return found
    if not found[0].year:
        last, first = sorted((each.part for each in found), reverse=True)
        return [found[0].model_copy(update={"part": part}) for part in range(last, first - 1, -1)]
    several = [found[0]]
    while several[-1] != found[1] and len(several) < MOST_TOP:
        earlier = before(several[-1], several[-1].kind)
        if earlier is None:
            return found
        several.append(earlier)
    return several


def _in_order(found: list[Period]) -> list[Period]:
    """Return the periods once each, the later first."""
    once = list(dict.fromkeys(found))
    return sorted(once, key=lambda each: (each.year or 0, each.part, each.day), reverse=True)


# --- small words -------------------------------------------------------------------------------


def _bound(question: str) -> Literal["", "least", "most"]:
    if re.search(r"\b(?:top|upper end|high end|at most|maximum) (?:of|end)\b", question, re.IGNORECASE):  # fmt: skip
        return "most"
    lower = re.search(r"\b(?:bottom|lower end|low end|at least|minimum) (?:of|end)\b", question, re.IGNORECASE)  # fmt: skip
    return "least" if lower else ""


def _top(question: str) -> int:
    match = grammar.TOP.search(question)
    said = match["count"].casefold() if match else ""
    return min(int(said) if said.isdigit() else grammar.COUNTED.get(said, MOST_TOP), MOST_TOP)


def _who(question: str) -> str:
    """Return what kind of thing is asked for by its extreme: "which supplier is the cheapest"."""
    match = grammar.WHO.search(question)
    return next((said for said in match.groups() if said), "") if match else ""


def _grouped(question: str) -> str:
    """Return by what figures are grouped: "top 3 customers by", "revenue by line"."""
    patterns = (grammar.TOP_OF, grammar.RANKED, grammar.GROUPED)
    match = next(filter(None, (pattern.search(question) for pattern in patterns)), None)
    return match["by"].strip() if match else ""
