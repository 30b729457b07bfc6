"""Calculate with the figures that a query over whole tables gave: a share, a change, the mean of its groups."""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from masis.calculating.calculation import Incomparable, calculate, worked_out
from masis.domain import Calculation, Figure
from masis.text.periods import periods
from masis.values.tabular import MIXED, SYMBOLS, QueryResult, ResultColumn, TableQuery

Write = Callable[[str | None, ResultColumn], str]
"""Writes a cell as the answer shows it."""


class Done(NamedTuple):
    """A calculation with a result's figures, and of which group it is."""

    label: str
    calculation: Calculation


def calculated(
    query: TableQuery, result: QueryResult, chunk_id: str, write: Write
) -> list[Done] | Incomparable:
    """Return what is calculated of a result, or why it cannot be; nothing where nothing is asked.

    Every input is a cell of the result, as `write` shows it in the passage of this id.
    """
    if not query.derived or not result.rows:
        return []
    keys = len(query.groups)
    figures = list(_figures(result, keys, chunk_id, write))
    if query.derived == "mean":
        return _one(calculate("mean", figures))
    if query.derived == "share" and keys:
        return _shares(figures)
    return _one(calculate(query.derived, figures))


def _figures(result: QueryResult, keys: int, chunk_id: str, write: Write) -> Iterator[Figure]:
    """Yield the figures of a result: those of its only row, or the first of each group."""
    for row in result.rows:
        name = ", ".join(map(write, row[:keys], result.columns[:keys]))
        measured = zip(row[keys:], result.columns[keys:], strict=True)
        for cell, column in list(measured)[: 1 if keys else None]:
            if cell is not None:
                yield _figure(cell, column, name or column.name, chunk_id, write)


def _figure(cell: str, column: ResultColumn, name: str, chunk_id: str, write: Write) -> Figure:
    shown = write(cell, column)
    is_one = column.currency != MIXED
    return Figure(
        metric=name,
        period=next((each.period for each in periods(name)), None),
        value=Decimal(cell),
        unit=column.unit,
        currency=SYMBOLS.get(column.currency, column.currency) if is_one else "",
        scale=column.scale,
        chunk_id=chunk_id,
        written=shown,
        said=f"{name}: {shown}",
    )


def _one(done: Calculation | Incomparable) -> list[Done] | Incomparable:
    return done if isinstance(done, Incomparable) else [Done("", done)]


def _shares(figures: Sequence[Figure]) -> list[Done] | Incomparable:
    """Return the share that each has of them all."""
    total = worked_out("sum", figures, "total", None)
    if total is None:
        return Incomparable(reason="the figures do not add up", inputs=list(figures))
    made = [(each.metric, calculate("share", [each, total])) for each in figures]
    refused = next((done for _, done in made if isinstance(done, Incomparable)), None)
    if refused is not None:
        return refused
    return [Done(name, done) for name, done in made if isinstance(done, Calculation)]
