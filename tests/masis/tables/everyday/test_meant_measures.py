"""Test that money is never answered by a number of rows."""

import datetime as dt

import pytest

from masis.tables.everyday.typed_questions import read
from masis.tables.grammar.family import Read
from tests.masis.tables.samples import info, packed

TODAY = dt.date(2026, 11, 28)
SALES = (
    ["Order", "Date", "Customer", "Qty", "Net (£)"],
    *([f"SO-{at}", f"2026-0{1 + at % 9}-11", ("Anker", "Boland", "Cray")[at % 3], str(1 + at % 5), str(40 + at)] for at in range(90)),
)  # fmt: skip
SEVERAL = (
    [*SALES[0], "Cost (£)"],
    *([*row, str(20 + at)] for at, row in enumerate(SALES[1:])),
)


def asked(question: str, rows: tuple[list[str], ...] = SALES) -> Read | None:
    found = read(question, [info(packed(rows), name="sales.csv")], TODAY)
    return found if isinstance(found, Read) else None


@pytest.mark.parametrize(
    "question",
    [
        "how much did we sell to each customer in the first half of 2026, as a table",
        "sales worth by customer",
    ],
)
def test_money_is_added_up(question: str) -> None:
    found = asked(question)
    assert found is not None
    assert [(each.aggregate, each.column) for each in found.query.measures] == [("sum", "Net (£)")]


def test_doubtful_amount_is_not_counted_instead() -> None:
    """Of two amounts none is taken, and no number of rows either."""
    question = "how much did we sell to each customer in the first half of 2026"
    found = asked(question, SEVERAL)
    assert found is None or "count" not in {each.aggregate for each in found.query.measures}


def test_rows_are_counted_where_they_are_asked_for() -> None:
    found = asked("number of orders by customer in 2026")
    assert found is not None
    assert [each.aggregate for each in found.query.measures] == ["count"]
