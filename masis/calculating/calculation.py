"""Calculate with figures that stand in documents: exact decimals, a formula to check, or a refusal in words."""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Final, NamedTuple

from masis.domain import Calculation, CalculationKind, EvidenceChunk, Figure, Period, Value
from masis.text.grammars.scales import SUFFIXES
from masis.text.periods import name

ONE_PLACE: Final = Decimal("0.1")
TWO_PLACES: Final = Decimal("0.01")
WHOLE_FROM: Final = 1000
"""From this quotient on no decimals are shown."""
MOST_TERMS: Final = 60
"""Figures that a formula writes out; more are named by their number."""
MOST_PLACES: Final = 3
"""Decimals of a result in a larger scale than its figures have; with more it stays in theirs."""
PAIRS: Final = frozenset({"difference", "growth", "points", "share", "ratio", "per_unit", "cagr"})
"""The kinds of two figures: the first is set against the second."""
_OF_SEVERAL_UNITS: Final = frozenset({"per_unit", "count", "product"})
_PERIOD_NAMES: Final = {
    "year": "a full year",
    "half": "a half-year",
    "nine_months": "nine months",
    "quarter": "a quarter",
    "month": "a month",
    "day": "a day",
}


class Incomparable(Value):
    """Say in words why figures cannot be calculated with."""

    reason: str
    inputs: list[Figure]


# --- what can be compared ----------------------------------------------------------------------


def objection(figures: Sequence[Figure], kind: CalculationKind, *, forecasts: bool) -> str:
    """Return why these figures cannot be calculated with; empty where they can.

    `forecasts` says that it was asked to set a forecast against what came.
    """
    if kind in PAIRS and len(figures) != 2:
        return "two figures are needed"
    if not figures:
        return "there are no figures"
    of_one_kind = [] if kind in _OF_SEVERAL_UNITS else [_currencies, _units]
    checks = [*of_one_kind, _points(kind), _periods, _forecasts(allowed=forecasts), _versions(kind)]
    checks += [_zero(kind), _years(kind), _shares_of_one(kind)]
    return next(filter(None, (check(figures) for check in checks)), "")


def _currencies(figures: Sequence[Figure]) -> str:
    found = list(dict.fromkeys(figure.currency for figure in figures))
    if len(found) == 1:
        return ""
    if "" in found:
        return "one is an amount of money and the other is not"
    return f"they are in different currencies, {' and '.join(found)}"


def _units(figures: Sequence[Figure]) -> str:
    found = list(dict.fromkeys(figure.unit for figure in figures))
    if len(found) == 1:
        return ""
    named = [unit or "no unit" for unit in found]
    return f"they are in different units, {' and '.join(named)}"


def _points(kind: CalculationKind) -> Callable[[Sequence[Figure]], str]:
    def check(figures: Sequence[Figure]) -> str:
        is_percent = all(figure.unit == "%" for figure in figures)
        if kind == "points" and not is_percent:
            return "percentage points are the difference of two percentages, and these are none"
        return ""

    return check


def _periods(figures: Sequence[Figure]) -> str:
    kinds = list(dict.fromkeys(each.period.kind for each in figures if each.period))
    # What was counted on a day stands beside what came in a span: revenue per head at year's end.
    spans = [kind for kind in kinds if kind != "day"]
    if len(spans) < 2:
        return ""
    named = " and ".join(_PERIOD_NAMES[kind] for kind in spans)
    return f"{named} are not comparable"


def _forecasts(*, allowed: bool) -> Callable[[Sequence[Figure]], str]:
    def check(figures: Sequence[Figure]) -> str:
        if allowed or len({figure.expected for figure in figures}) == 1:
            return ""
        return "one is a forecast and the other is what came"

    return check


_RESTATED: Final = re.compile(r"\b(?:restated|revised)\b", re.IGNORECASE)
_WHOLE: Final = 100
_OVER_TIME: Final = frozenset({"difference", "growth", "points", "cagr"})


def _versions(kind: CalculationKind) -> Callable[[Sequence[Figure]], str]:
    def check(figures: Sequence[Figure]) -> str:
        if kind not in _OVER_TIME:
            return ""
        said = {bool(_RESTATED.search(f"{each.metric} {each.entity}")) for each in figures}
        return "one is restated and the other is as it was first reported" if len(said) > 1 else ""

    return check


def _years(kind: CalculationKind) -> Callable[[Sequence[Figure]], str]:
    def check(figures: Sequence[Figure]) -> str:
        if kind != "cagr" or _years_between(figures) > 0:
            return ""
        return "a growth per year needs two different years"

    return check


def _years_between(figures: Sequence[Figure]) -> int:
    years = [each.period.year or 0 for each in figures if each.period]
    return years[0] - years[1] if len(years) == 2 and min(years) else 0


def _shares_of_one(kind: CalculationKind) -> Callable[[Sequence[Figure]], str]:
    def check(figures: Sequence[Figure]) -> str:
        if kind != "sum" or any(figure.unit != "%" for figure in figures):
            return ""
        # Shares of one whole come to that whole at most; discounts and rates are of a whole each.
        is_more = sum(figure.value for figure in figures) > _WHOLE
        return "percentages of different wholes cannot be added" if is_more else ""

    return check


def _zero(kind: CalculationKind) -> Callable[[Sequence[Figure]], str]:
    def check(figures: Sequence[Figure]) -> str:
        divides = kind in {"growth", "share", "ratio", "per_unit", "cagr"}
        if divides and figures[1].value == 0:
            return "nothing can be divided by zero"
        if has_no_percentage(kind, figures):
            return "a growth in percent says nothing from a negative figure on"
        return ""

    return check


def has_no_percentage(kind: CalculationKind, figures: Sequence[Figure]) -> bool:
    """Tell whether a change has no percentage: from zero, or from below it to above.

    What stays below zero, as losses and costs in brackets do, became so many percent more or less.
    """
    if kind not in {"growth", "cagr"} or len(figures) != 2:
        return False
    now, then = figures
    return then.value == 0 or (then.value < 0 and (kind == "cagr" or now.value >= 0))


def begins_below_zero(figures: Sequence[Figure]) -> bool:
    """Tell whether a change begins at a figure below zero."""
    return figures[-1].value < 0


def crosses_zero(figures: Sequence[Figure]) -> bool:
    """Tell whether one figure is below zero and another is not."""
    return len({figure.value < 0 for figure in figures}) > 1


# --- the calculations --------------------------------------------------------------------------


def calculate(
    kind: CalculationKind, figures: Sequence[Figure], *, forecasts: bool = False
) -> Calculation | Incomparable:
    """Calculate, or say why that cannot be. Of a pair the first is set against the second.

    A rank is one of all figures, the largest first: its result is the first one's.
    """
    reason = objection(figures, kind, forecasts=forecasts)
    if reason:
        return Incomparable(reason=reason, inputs=list(figures))
    done = _PAIR[kind](*figures) if kind in PAIRS else _OTHERS.get(kind, _of_many)(kind, figures)
    return Calculation(kind=kind, inputs=list(figures), **done)


def holds(calculation: Calculation, sources: Sequence[EvidenceChunk]) -> bool:
    """Tell whether a calculation comes out as it says, of figures that stand in these sources."""
    texts = {chunk.chunk_id: chunk.text for chunk in sources}
    again = calculate(calculation.kind, calculation.inputs, forecasts=True)
    return again == calculation and all(
        _stands(each, texts, sources) for each in calculation.inputs
    )


def _stands(figure: Figure, texts: Mapping[str, str], sources: Sequence[EvidenceChunk]) -> bool:
    """Tell whether a figure stands in its passage, or is what came of a calculation that holds."""
    done = figure.worked
    if done is None:
        return bool(figure.written) and figure.written in texts.get(figure.chunk_id, "")
    return figure.amount == done.result and holds(done, sources)


def worked_out(
    kind: CalculationKind, figures: Sequence[Figure], metric: str, period: Period | None
) -> Figure | None:
    """Return what comes of a calculation as a figure to go on with; None where it cannot be."""
    done = calculate(kind, figures)
    if isinstance(done, Incomparable):
        return None
    # A sum of thousands is one of thousands; of what was divided no scale is left.
    first, scale = figures[0], min(each.scale for each in figures)
    is_money = bool(done.unit) and done.unit == first.currency
    if kind not in _KEEPING_SCALE:
        scale = 1
    return Figure(
        metric=metric,
        period=period,
        value=done.result / scale,
        unit="" if is_money else done.unit,
        currency=first.currency if is_money else "",
        scale=scale,
        expected=any(each.expected for each in figures),
        chunk_id=first.leaves[0].chunk_id,
        place=first.place,
        written="",
        said="",
        worked=done,
    )


_KEEPING_SCALE: Final = frozenset({"sum", "difference"})


def stated(calculation: Calculation) -> str:
    """Return the calculation as a line: its result and its formula."""
    return f"{calculation.shown} = {calculation.formula}"


def source(calculation: Calculation) -> str:
    """Return all that a calculation bears out: its result, its formula, and of how many figures it is."""
    return f"{stated(calculation)}\n{len(calculation.inputs)}"


class Step(NamedTuple):
    """A calculation on the way, and what it gives as it is shown: its period, and its figure."""

    calculation: Calculation
    shown: str


def steps(calculation: Calculation, named: str = "") -> list[Step]:
    """Return a calculation behind those whose results it goes on with."""
    before = [
        step
        for each in calculation.inputs
        if each.worked
        for step in steps(each.worked, f"{when(each.period)} {shown(each)}")
    ]
    return [*before, Step(calculation, named)]


_Done = dict[str, str | Decimal]


def _difference(one: Figure, other: Figure) -> _Done:
    result = one.amount - other.amount
    formula = f"{shown(one)} − {shown(other)}"
    if one.unit == "%":
        return {"result": result, "unit": "points", "formula": formula, "shown": _signed(result, "points")}  # fmt: skip
    said = result_amount(result, one.currency, one.unit, min(one.scale, other.scale), signed=True)
    return {"result": result, "unit": _unit(one), "formula": formula, "shown": said}


def _growth(one: Figure, other: Figure) -> _Done:
    result = (one.amount - other.amount) / other.amount * 100
    formula = f"({shown(one)} − {shown(other)}) / {shown(other)}"
    return {"result": result, "unit": "%", "formula": formula, "shown": _signed(result, "%")}


def _share(one: Figure, other: Figure) -> _Done:
    result = one.amount / other.amount * 100
    said = f"{_rounded(result, ONE_PLACE)} %"
    return {"result": result, "unit": "%", "formula": _divided(one, other), "shown": said}


def _ratio(one: Figure, other: Figure) -> _Done:
    result = one.amount / other.amount
    said = f"{_rounded(result, TWO_PLACES)} times"
    return {"result": result, "unit": "times", "formula": _divided(one, other), "shown": said}


def _per_unit(one: Figure, other: Figure) -> _Done:
    result = one.amount / other.amount
    said = amount(_quotient(result), one.currency, one.unit, 1)
    return {"result": result, "unit": _unit(one), "formula": _divided(one, other), "shown": said}


def _cagr(one: Figure, other: Figure) -> _Done:
    years = _years_between((one, other))
    quotient = one.amount / other.amount
    result = ((quotient.ln() / years).exp() - 1) * 100 if quotient > 0 else Decimal(-100)
    formula = f"({shown(one)} / {shown(other)})^(1/{years}) − 1"
    return {"result": result, "unit": "%", "formula": formula, "shown": f"{_signed(result, '%')} a year"}  # fmt: skip


_PAIR: Final[dict[CalculationKind, Callable[[Figure, Figure], _Done]]] = {
    "difference": _difference,
    "growth": _growth,
    "points": _difference,
    "share": _share,
    "ratio": _ratio,
    "per_unit": _per_unit,
    "cagr": _cagr,
}


def _count(_: CalculationKind, figures: Sequence[Figure]) -> _Done:
    result = Decimal(len(figures))
    return {"result": result, "unit": "", "formula": "number of rows", "shown": f"{result:,}"}


def _product(_: CalculationKind, figures: Sequence[Figure]) -> _Done:
    """Multiply; what is in percent is taken off."""
    result, currency, formula = Decimal(1), "", []
    for each in figures:
        currency = currency or each.currency
        taken_off = each.unit == "%"
        result *= 1 - each.amount / 100 if taken_off else each.amount
        formula.append(f"(1 − {shown(each)})" if taken_off else shown(each))
    said = amount(_rounded(result, TWO_PLACES), currency, "", 1)
    return {"result": result, "unit": currency, "formula": " × ".join(formula), "shown": said}


_OTHERS: Final = {"count": _count, "product": _product}


def _of_many(kind: CalculationKind, figures: Sequence[Figure]) -> _Done:
    amounts = sorted(figure.amount for figure in figures)
    first, scale = figures[0], min(figure.scale for figure in figures)
    listed = [shown(figure) for figure in figures]
    names = ", ".join(listed) if len(listed) <= MOST_TERMS else f"{len(listed):,} figures"
    match kind:
        case "sum":
            result = sum(amounts, Decimal(0))
            formula = " + ".join(listed) if len(listed) <= MOST_TERMS else f"sum of {names}"
        case "mean":
            result = sum(amounts, Decimal(0)) / len(amounts)
            total = " + ".join(listed) if len(listed) <= MOST_TERMS else f"sum of {names}"
            formula = f"({total}) / {len(listed):,}"
        case "median":
            middle = len(amounts) // 2
            result = amounts[middle] if len(amounts) % 2 else (amounts[middle - 1] + amounts[middle]) / 2  # fmt: skip
            formula = f"median of {names}"
        case "minimum":
            result, formula = amounts[0], f"the smallest of {names}"
        case _:
            result, formula = amounts[-1], f"the largest of {names}"
    say = result_amount if len(figures) > 1 else amount
    said = say(_mean(result, figures) if kind == "mean" else result, first.currency, first.unit, scale)  # fmt: skip
    return {"result": result, "unit": _unit(first), "formula": formula, "shown": said}


def _mean(result: Decimal, figures: Sequence[Figure]) -> Decimal:
    """Round a mean to one decimal more than its figures have, or to two more where it ends there."""
    scale = min(figure.scale for figure in figures)
    places = max(max(0, -int(figure.value.as_tuple().exponent)) for figure in figures) + 1
    exact = _rounded(result / scale, Decimal(1).scaleb(-places - 1))
    ends = exact * scale == result
    return (exact if ends else _rounded(result / scale, Decimal(1).scaleb(-places))) * scale


def _quotient(result: Decimal) -> Decimal:
    return _rounded(result, Decimal(1) if abs(result) >= WHOLE_FROM else TWO_PLACES)


def _divided(one: Figure, other: Figure) -> str:
    return f"{shown(one)} / {shown(other)}"


def _unit(figure: Figure) -> str:
    return figure.currency or figure.unit


# --- how figures are shown ---------------------------------------------------------------------


def shown(figure: Figure) -> str:
    """Return a figure with its currency, scale and unit: "£23,744k", "83.4 %"."""
    value = figure.amount
    if figure.worked is not None:
        places = max(0, -int(value.as_tuple().exponent))
        value = _rounded(value, TWO_PLACES) if places > 2 and figure.scale == 1 else value
    said = amount(value, figure.currency, figure.unit, figure.scale)
    return f"({said})" if figure.value < 0 else said


def when(period: Period | None) -> str:
    """Return a figure's period as people write it; empty where it has none."""
    return name(period) if period else ""


def amount(value: Decimal, currency: str, unit: str, scale: int, *, signed: bool = False) -> str:
    """Return an amount with its currency, scale and unit."""
    scaled = value / scale
    sign = "−" if scaled < 0 else "+" if signed and scaled > 0 else ""
    behind = f" {unit}" if unit else ""
    said = _plain(abs(scaled))
    pence = "0" if currency and scale == 1 and _places(scaled) == 1 else ""
    return f"{sign}{currency}{said}{pence}{SUFFIXES.get(scale, '')}{behind}"


def result_amount(
    value: Decimal, currency: str, unit: str, scale: int, *, signed: bool = False
) -> str:
    """Return an amount as people write it: thousands of thousands are millions."""
    larger = scale * WHOLE_FROM
    while (
        scale > 1
        and larger in SUFFIXES
        and abs(value) >= larger
        and _places(value / larger) <= MOST_PLACES
    ):
        scale, larger = larger, larger * WHOLE_FROM
    return amount(value, currency, unit, scale, signed=signed)


def _places(value: Decimal) -> int:
    return max(0, -int(value.normalize().as_tuple().exponent))


def _plain(value: Decimal) -> str:
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _signed(value: Decimal, unit: str) -> str:
    rounded = _rounded(value, ONE_PLACE)
    named = "percentage points" if unit == "points" else unit
    sign = "−" if rounded < 0 else "+" if rounded > 0 else ""
    return f"{sign}{abs(rounded)} {named}"


def _rounded(value: Decimal, place: Decimal) -> Decimal:
    return value.quantize(place, rounding=ROUND_HALF_UP)
