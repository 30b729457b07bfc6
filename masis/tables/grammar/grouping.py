"""Tell by what a question puts rows together: behind "by" or "per", or what "which" asks for."""

from collections.abc import Iterator

from masis.tables.grammar import matching
from masis.tables.grammar.asking_words import (
    ADDITIVE,
    GRAINS,
    GROUPED,
    HAVING,
    HAVING_AMOUNT,
    LEAST,
    MOST,
    NUMEROUS,
    SUPERLATIVE_END,
    TOP,
    TOP_WITH,
    TWO_SIDES,
    WHAT_DATE,
    WHICH,
)
from masis.tables.grammar.filtering import compares_years, date_column
from masis.tables.grammar.found import Found
from masis.tables.grammar.words import Token
from masis.values.tabular import Group


def ranks(text: str) -> bool:
    """Tell whether the most or the least of something is asked for."""
    return bool(MOST.search(text) or LEAST.search(text))


def groups_of(found: Found) -> list[Group]:
    """Return by what rows are put together: behind "by" or "per", or what "which" asks for."""
    made = [*_of_time(found), *_of_names(found)]
    if not made and compares_years(found) and (column := date_column(found)):
        grain = GRAINS.get(next(each.period.kind for each in found.dates if each.period), "year")
        made.append(Group(column=column.name, grain=grain))
    if not made and TWO_SIDES.search(found.asked.text):
        several = next(
            (each for each in found.filters if each.operator == "is" and len(each.values) > 1), None
        )
        made += [Group(column=several.column)] if several else []
    return [each for each in dict.fromkeys(made) if not _names_rows(found, each)]


def _of_time(found: Found) -> Iterator[Group]:
    """Yield the stretches of time that rows are put together by."""
    asked = found.asked
    if WHAT_DATE.search(asked.text) and is_of_number(found) and (dated := date_column(found)):
        yield Group(column=dated.name, grain="day")
    for token in asked.tokens:
        grain = GRAINS.get(token.plain)
        before = asked.text[: token.start]
        is_ranked = SUPERLATIVE_END.search(before.rstrip())
        is_asked = token.plain.endswith("ly") or GROUPED.search(before) or WHICH.search(before)
        if grain and (is_asked or is_ranked or _is_second(found, token)):
            column = None if _is_rate(found, grain) else date_column(found)
            if column is not None and not _is_named_year(found, token):
                yield Group(column=column.name, grain=grain)


def _is_second(found: Found, token: Token) -> bool:
    """Tell whether a stretch of time stands behind a group: "by region and month"."""
    text = found.asked.text
    return any(
        text[match.end : token.start].casefold() in {" and ", " & ", ", "}
        and GROUPED.search(text[: match.start])
        for match in found.columns
    )


def _is_rate(found: Found, grain: str) -> bool:
    """Tell whether what is asked for is a column of so much a year, and no date is named beside it."""
    is_dated = any(match.column.type == "date" for match in found.columns)
    rates = [match.column for match in found.columns if match.column.type == "number"]
    return not is_dated and any({"per", grain} <= set(matching.parts(each.name)) for each in rates)


def _of_names(found: Found) -> Iterator[Group]:
    """Yield the columns that rows are put together by."""
    filtered = {each.column for each in found.filters if each.operator == "is"}
    top = TOP.search(found.said)
    is_any = any(_is_grouped(found, match) for match in found.columns) or any(_of_time(found))
    for match in found.columns:
        can = match.column.type in {"text", "boolean"} or _is_sort(found, match)
        before = found.asked.text[max(0, match.start - 5) : match.start].strip()
        is_top = top is not None and _follows(found, top.end(), match.start)
        is_asked = is_top or _is_grouped(found, match) or (is_any and before == "and")
        if can and is_asked and match.column.name not in filtered:
            yield Group(column=match.column.name)


def _is_sort(found: Found, match: matching.Match) -> bool:
    """Tell whether a column of numbers says which sort a row is of, and not how much it is: a year built."""
    column = match.column
    is_whole = column.type == "number" and not (column.places or column.currency or column.unit)
    is_asked = WHICH.search(found.asked.text[: match.start]) and is_of_number(found)
    return column.type == "number" and (column.is_name or bool(is_whole and is_asked))


def _is_grouped(found: Found, match: matching.Match) -> bool:
    """Tell whether the words around a column's name ask for a figure of each of its values."""
    text = found.asked.text
    before, behind = text[: match.start], text[match.end :]
    is_ranked = ranks(found.said)
    return bool(
        GROUPED.search(before)
        or (is_ranked and WHICH.search(before))
        or (is_ranked and text[match.start : match.end].casefold() == "who")
        or SUPERLATIVE_END.search(before.rstrip())
        or HAVING.search(behind)
        or (
            HAVING_AMOUNT.search(behind)
            and (TOP_WITH.search(found.said) or ADDITIVE.search(behind))
        )
    )


def _follows(found: Found, end: int, start: int) -> bool:
    """Tell whether nothing but values stands between how many are wanted and of what."""
    between = [token for token in found.asked.tokens if end <= token.start < start]
    return end <= start and all(token.read.startswith("value:") for token in between)


def _is_named_year(found: Found, token: Token) -> bool:
    """Tell whether "per year" belongs to a column's name: `Price per year`."""
    return token.read.startswith("column:") and not any(
        match.column.type == "date" and match.start <= token.start < match.end
        for match in found.columns
    )


def _names_rows(found: Found, group: Group) -> bool:
    """Tell whether each row has a value of its own: then rows are asked for, and no groups."""
    column = found.table.column(group.column)
    rows = sum(each.shape.rows for each in found.tables)
    return (
        column is not None
        and column.type == "text"
        and not group.grain
        and (column.is_name or column.distinct > 0.9 * rows)
    )


# --- most of what ------------------------------------------------------------------------------


def is_of_number(found: Found) -> bool:
    """Tell whether it is asked where there are the most or the fewest rows: "the most tickets"."""
    return any(
        NUMEROUS.search(found.asked.text[: _start(found, at)])
        for at, token in enumerate(found.asked.tokens)
        if token in found.rows or token.read == "noun"
    )


def _start(found: Found, at: int) -> int:
    """Return where the words begin that stand before a word and are conditions on it."""
    tokens = found.asked.tokens
    while at and tokens[at - 1].read.startswith("value:"):
        at -= 1
    return tokens[at].start


def is_finest(found: Found, group: Group) -> bool:
    """Tell whether a column names the rows as far as anything does: a team, below site and department.

    There the same name stands in several rows, and each of them is one of its own.
    """
    columns = found.table.shape.columns
    texts = [each for each in columns if each.type == "text" and not each.is_name]
    if group.grain or any(each.is_name or each.type == "date" for each in columns):
        return False
    finest = max(texts, key=lambda each: each.distinct, default=None)
    return finest is not None and len(texts) > 1 and finest.name == group.column
