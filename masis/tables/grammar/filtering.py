"""Read the conditions of a question: values of texts, bounds of numbers, stretches of time."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from masis.tables.grammar import conditions, matching
from masis.tables.grammar.asking_words import BEGINS, BLANK, DATES_OF, FILLED, MONTH_OF, NOT
from masis.tables.grammar.conditions import Dated
from masis.tables.grammar.found import Found
from masis.tables.grammar.matching import Match
from masis.tables.grammar.words import FILLERS, AskedWords
from masis.text.grammars.calendar import SHORT_MONTHS
from masis.values.tabular import (
    Column,
    Filter,
    Operator,
    TableInfo,
)

BEGUN: Final = "begun"
"""What words were read as that name a sort of rows by the letters which their names begin with."""

# --- conditions ------------------------------------------------------------------------------


def value_filters(found: Found, values: Sequence[matching.Valued]) -> list[Filter]:
    """Return the conditions on texts; several values of a column are alternatives."""
    wanted: dict[tuple[str, bool], list[str]] = {}
    for each in (_of_named_column(found, one) for one in values):
        before = found.asked.text[: each.start]
        denial = NOT.search(before)
        denied = denial is not None
        if denial is not None:
            found.asked.read(denial.start(), denial.end(), "condition")
        wanted.setdefault((each.column.name, denied), []).extend(each.values)
    made = [
        Filter(column=name, operator="is not" if denied else "is", values=list(dict.fromkeys(said)))
        for (name, denied), said in wanted.items()
    ]
    made += [*_denied(found), *_begun(found)]
    for match in found.columns:
        made += _presence(found.asked, match)
    return made


def _of_named_column(found: Found, each: matching.Valued) -> matching.Valued:
    """Return a value as one of the column whose name stands right before it: "reports to ingrid"."""
    text = found.asked.text
    for match in found.columns:
        between = text[match.end : each.start].split() if match.end <= each.start else ["far"]
        if match.column.name == each.column.name or not set(between) <= FILLERS:
            continue
        said = text[each.start : each.end].casefold().split()
        values = [value.casefold() for value in match.column.values]
        held = tuple(value for value in values if set(said) <= set(matching.parts(value)))
        if held:
            is_exact = each.is_exact and len(held) == 1 and held[0].split() == said
            return each._replace(column=match.column, values=held, is_exact=is_exact)
    return each


def _presence(asked: AskedWords, match: Match) -> Iterator[Filter]:
    """Yield that a column is blank, or is not, where the words before its name say so."""
    before = asked.text[: match.start]
    blank, filled = BLANK.search(before), FILLED.search(before)
    said = [each for each in (blank, filled) if each]
    if said:
        # The longer of them has the denial: "dont have an", "not without".
        longest = min(said, key=lambda each: each.start())
        asked.read(longest.start(), longest.end(), "condition")
        operator: Operator = "filled" if longest is filled else "blank"
        yield Filter(column=match.column.name, operator=operator)


def _begun(found: Found) -> Iterator[Filter]:
    """Yield the rows that words name by the letters which their names begin with."""
    for each in list(matching.beginnings(found.asked, found.table)):
        denial = NOT.search(found.asked.text[: each.start].removesuffix("the "))
        words = found.asked.text[each.start : each.end]
        found.asked.read(denial.start() if denial else each.start, each.end, BEGUN)
        told = {"words": words, "name": each.column.name, "letters": each.letters.upper()}
        found.assumed.append(BEGINS.format(**told))
        operator: Operator = "begins not" if denial else "begins"
        yield Filter(column=each.column.name, operator=operator, values=[each.letters])


def _denied(found: Found) -> Iterator[Filter]:
    """Yield the columns that a word with "un" before it says to be blank: "unassigned"."""
    for token in found.asked.tokens:
        word = token.plain.removeprefix("un").removeprefix("-")
        if token.read or word == token.plain or len(word) < 5:
            continue
        for column in found.table.shape.columns:
            if any(matching.alike(word, part) for part in matching.parts(column.name)):
                token.read = f"column:{column.name}"
                yield Filter(column=column.name, operator="blank")
                break


def number_filters(found: Found, compared: Sequence[conditions.Compared]) -> list[Filter] | None:
    """Return the conditions on numbers; None where one is of no column that can be told."""
    made: list[Filter] = []
    for each in compared:
        column = _compared_column(found, each)
        if column is None:
            return None
        found.asked.read(each.start, each.end, f"column:{column.name}")
        values = _in_scale(each, column)
        if each.operator == "between":
            made.append(Filter(column=column.name, operator="at least", values=[values[0]]))
            made.append(Filter(column=column.name, operator="at most", values=[values[1]]))
        else:
            made.append(Filter.model_validate({"column": column.name, "operator": each.operator, "values": [values[0]]}))  # fmt: skip
    return made


def _in_scale(each: conditions.Compared, column: Column) -> list[str]:
    """Return the bounds as a column in thousands or millions has them: £30,000 is 30 of one in £k."""
    if column.scale == 1 or not (each.currency or each.is_scaled or _are_in_full(each, column)):
        return list(each.values)
    return [f"{(Decimal(value) / column.scale).normalize():f}" for value in each.values]


def _are_in_full(each: conditions.Compared, column: Column) -> bool:
    """Tell whether bounds can be meant in full alone: all lie beyond the column, and in it when divided."""
    if not (column.least and column.most):
        return False
    least, most = Decimal(column.least), Decimal(column.most)
    bounds = [Decimal(value) for value in each.values]
    return all(bound > most and least <= bound / column.scale <= most for bound in bounds)


def span_filters(asked: AskedWords, table: TableInfo) -> list[Filter] | None:
    """Return the conditions "3 year contracts" on a column called by these words; None where there is none."""
    made: list[Filter] = []
    compared = list(conditions.compared(asked))
    for each in conditions.spans(asked):
        if any(one.start <= each.start < one.end for one in compared):
            continue
        fits = [column for column in table.shape.columns if _is_called_by(asked, column, each.unit)]
        if len(fits) != 1:
            return None
        asked.read(each.start, each.end, f"condition:{fits[0].name}")
        made.append(Filter(column=fits[0].name, operator="is", values=list(each.values)))
    return made


def _is_called_by(asked: AskedWords, column: Column, unit: str) -> bool:
    """Tell whether a column of numbers is in a unit, and all its name is said."""
    words = matching.parts(column.name)
    return (
        column.type == "number"
        and any(matching.alike(unit, word) for word in words)
        and all(any(matching.alike(token.plain, word) for token in asked.tokens) for word in words)
    )


def _compared_column(found: Found, each: conditions.Compared) -> Column | None:
    """Return the column that a number is compared with: named beside it, else the only one of its kind."""
    numbers = [match for match in found.columns if match.column.type == "number"]
    if each.currency:
        fits = [column for column in found.table.shape.columns if column.currency == each.currency]
        return fits[0] if len(fits) == 1 else None
    if each.unit:
        word = each.unit
        named = [column for column in found.table.shape.columns if column.type == "number" and (column.unit == word or any(matching.alike(word, part) for part in matching.parts(column.name)))]  # fmt: skip
        if len(named) == 1:
            at = (
                each.end
                + len(found.asked.text[each.end :])
                - len(found.asked.text[each.end :].lstrip())
            )
            found.asked.read(at, at + len(word), f"column:{named[0].name}")
            return named[0]
    if numbers:
        return min(numbers, key=lambda match: min(abs(match.start - each.end), abs(each.start - match.end))).column  # fmt: skip
    fits = [
        column
        for column in found.table.shape.columns
        if column.type == "number" and not column.is_name
    ]
    return fits[0] if len(fits) == 1 else None


def date_filters(found: Found) -> list[Filter] | None:
    """Return the conditions on dates; None where no column of dates can be told."""
    open_ones = [each for each in found.dates if not of_periods(found.table, [each])]
    if not open_ones:
        return []
    column = date_column(found)
    if column is None:
        named = all(each.period and each.period.kind == "year" for each in open_ones)
        years = {each.period.year for each in open_ones if each.period}
        stated = [matching.years(table) for table in found.tables]
        if named and all(stated) and years <= set().union(*stated):
            return []
        return None
    if compares_years(found):
        return _spanned(column, open_ones)
    made: list[Filter] = []
    for each in open_ones:
        placed = _with_year(each, column, found.assumed)
        if placed is None:
            return None
        made += _stretch(column, placed)
    return made


def compares_years(found: Found) -> bool:
    """Tell whether periods are set side by side: "2025 vs 2026"."""
    kinds = {each.period.kind for each in found.dates if each.period}
    sides = [each for each in found.dates if each.since and each.before]
    return len(sides) > 1 and len(kinds) == 1


def _spanned(column: Column, dates: Sequence[Dated]) -> list[Filter]:
    since = min(each.since for each in dates if each.since)
    before = max(each.before for each in dates if each.before)
    return _stretch(column, Dated(since, before, None, 0, 0))


def _with_year(each: Dated, column: Column, assumed: list[str]) -> Dated | None:
    """Give a month without a year the only year in which the column has it."""
    if each.since or each.before or each.period is None:
        return each
    first, last = column.least[:7], column.most[:7]
    years = [
        year
        for year in range(int(first[:4] or 0), int(last[:4] or 0) + 1)
        if first <= f"{year}-{each.period.part:02}" <= last
    ]
    if not years:
        return None
    placed = conditions.in_year(each, years[-1])
    if len(years) > 1:
        assumed.append(MONTH_OF.format(year=years[-1]))
    return placed


def _stretch(column: Column, each: Dated) -> list[Filter]:
    made = []
    if each.since:
        made.append(Filter(column=column.name, operator="from", values=[each.since.isoformat()]))
    if each.before:
        made.append(Filter(column=column.name, operator="before", values=[each.before.isoformat()]))
    return made


def date_column(found: Found) -> Column | None:
    """Return the column that dates are of: the one that is named, else the table's first."""
    named = [match.column for match in found.columns if match.column.type == "date"]
    if named:
        return named[0]
    dates = [column for column in found.table.shape.columns if column.type == "date"]
    for column in dates:
        words = matching.parts(column.name)
        if any(
            matching.alike(token.plain, word) >= 0.9
            for token in found.asked.tokens
            for word in words
        ):
            return column
    if len(dates) > 1:
        found.assumed.append(DATES_OF.format(name=dates[0].name))
    return dates[0] if dates else None


# --- columns that are called by periods ---


def of_periods(table: TableInfo, dates: Sequence[Dated]) -> list[Match]:
    """Return the columns that are called by the periods that are asked about: `Oct 26`."""
    return [
        Match(column, each.start, each.end, 1.0)
        for each in dates
        for column in table.shape.columns
        if matching.is_period(column) and _is_called(column.name, each)
    ]


def _is_called(name: str, stretch: Dated) -> bool:
    period = stretch.period
    if period is None or period.kind not in {"month", "year", "quarter"}:
        return False
    year = re.search(r"(?<!\d)((?:19|20)?\d{2})(?!\d)", name)
    stated = (int(year[1]) + (2000 if len(year[1]) == 2 else 0)) if year else None
    if period.year is not None and stated is not None and period.year != stated:
        return False
    plain = name.casefold()
    if period.kind == "month":
        return plain.startswith(SHORT_MONTHS[period.part - 1])
    if period.kind == "quarter":
        return f"q{period.part}" in plain
    return (
        stated is not None
        and not any(month in plain for month in SHORT_MONTHS)
        and "q" not in plain
    )
