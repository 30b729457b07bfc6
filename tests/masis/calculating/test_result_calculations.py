"""What is calculated of a query's result: of its cells alone, and of one unit."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.calculating import calculation
from masis.calculating.calculation import Incomparable
from masis.calculating.result_calculations import calculated
from masis.domain import EvidenceChunk
from masis.tables import telling
from masis.values.tabular import Derived, Group, Measure, QueryResult, ResultColumn, TableQuery
from tests.examples import examples

UNITS = st.sampled_from([("GBP", ""), ("EUR", ""), ("", "hours"), ("", "%"), ("", "")])
AMOUNTS = st.decimals(min_value=1, max_value=10**9, places=2).map(str)


def _result(columns: list[ResultColumn], rows: list[list[str | None]]) -> QueryResult:
    return QueryResult(
        tables=["t"], columns=columns, rows=rows, looked_at=9, matched=9, sql="SELECT"
    )


def _column(name: str, unit: tuple[str, str]) -> ResultColumn:
    return ResultColumn(name=name, type="number", currency=unit[0], unit=unit[1])


def _source(text: str) -> EvidenceChunk:
    return EvidenceChunk(chunk_id="c", document_id="d", version_id="v", document="t.csv", title="", text=text, position=0, score=1)  # fmt: skip


@settings(max_examples=examples(200), deadline=None)
@given(AMOUNTS, AMOUNTS, UNITS, UNITS, st.sampled_from(["share", "growth", "difference"]))
def test_units_and_currencies_never_mix(
    one: str, other: str, first: tuple[str, str], second: tuple[str, str], kind: Derived
) -> None:
    """Every calculation is of cells that are shown, and there is none of two units."""
    measures = [Measure(aggregate="sum", column="a", label="A"), Measure(aggregate="sum", column="b", label="B")]  # fmt: skip
    query = TableQuery(tables=["t"], measures=measures, derived=kind)
    result = _result([_column("A", first), _column("B", second)], [[one, other]])
    done = calculated(query, result, "c", telling.cell)
    if first != second:
        assert isinstance(done, Incomparable)
        return
    assert isinstance(done, list)
    text = "\n".join(telling.lines(query, result))
    assert all(calculation.holds(each.calculation, [_source(text)]) for each in done)


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(AMOUNTS, min_size=1, max_size=12))
def test_shares_of_groups_come_to_all(amounts: list[str]) -> None:
    query = TableQuery(tables=["t"], measures=[Measure(aggregate="sum", column="a")], groups=[Group(column="g")], derived="share")  # fmt: skip
    named = ResultColumn(name="g", type="text")
    rows: list[list[str | None]] = [[str(at), each] for at, each in enumerate(amounts)]
    done = calculated(query, _result([named, _column("a", ("GBP", ""))], rows), "c", telling.cell)
    assert isinstance(done, list)
    shares = [each.calculation.result for each in done]
    assert abs(sum(shares, Decimal(0)) - 100) < Decimal("0.000001")


@pytest.mark.parametrize("rows", [[["5", None]], [["5", "0"]]])
def test_what_cannot_be_divided_is_refused(rows: list[list[str | None]]) -> None:
    measures = [Measure(aggregate="sum", column="a"), Measure(aggregate="sum", column="b")]
    query = TableQuery(tables=["t"], measures=measures, derived="growth")
    columns = [_column("a", ("", "")), _column("b", ("", ""))]
    assert isinstance(calculated(query, _result(columns, rows), "c", telling.cell), Incomparable)
