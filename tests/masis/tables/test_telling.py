"""Test what is said of a result beside its figures."""

from masis.tables.telling import asides
from masis.values.tabular import QueryResult, ResultColumn, TableQuery
from tests.masis.tables.samples import info, packed


def test_listed_part_says_of_how_many() -> None:
    """Fifty of many rows are not said to be all of them."""
    query = TableQuery(tables=["t_1"], columns=["Ticket ID"], limit=50)
    rows: list[list[str | None]] = [[f"T-{at}"] for at in range(50)]
    result = QueryResult(tables=["t_1"], columns=[ResultColumn(name="Ticket ID", type="text")], rows=rows, looked_at=9_000, matched=1_398, sql="")  # fmt: skip
    assert asides(query, result, [info(packed())]) == ["The table has the first 50 of the 1,398 rows that fit."]  # fmt: skip
    whole = asides(query, result.model_copy(update={"matched": 50}), [info(packed())])
    assert whole == ["These are the first 12 of 50; all are in the table."]
