import pytest

from masis.errors import QueryRefused
from masis.tables.sql import quoted, statement, text
from masis.values.tabular import Filter, Group, Measure, TableQuery
from tests.masis.tables.samples import info, packed

TABLE = info(packed())


def test_names_and_texts_are_quoted() -> None:
    assert quoted('a"; DROP TABLE x --') == '"a""; DROP TABLE x --"'
    assert text("O'Neill\0") == "'O''Neill'"


def test_query_over_a_column_is_written() -> None:
    query = TableQuery(
        tables=["t_1"],
        measures=[Measure(aggregate="mean", column="Hours to resolve")],
        groups=[Group(column="Opened", grain="month")],
        filters=[Filter(column="Status", operator="is", values=["Open'); --"])],
        order="Opened",
        descending=False,
    )
    made = statement([TABLE], query)
    assert "lower(\"Status\") IN ('open''); --')" in made.sql
    assert made.sql.endswith("ORDER BY 1 ASC NULLS LAST LIMIT 201")
    assert [each.name for each in made.columns] == ["Opened (month)", "average Hours to resolve"]
    assert set(made.names) == {"Status", "Opened", "Hours to resolve"}


@pytest.mark.parametrize(
    "query",
    [
        TableQuery(tables=[], measures=[Measure(aggregate="sum", column="Salary")]),
        TableQuery(tables=[], columns=["Salary"]),
        TableQuery(tables=[], measures=[Measure(aggregate="count")], groups=[Group(column="x")]),
        TableQuery(
            tables=[],
            measures=[Measure(aggregate="count")],
            filters=[Filter(column="Hours to resolve", operator="above", values=["1 OR 1=1"])],
        ),
    ],
)
def test_unknown_names_are_refused(query: TableQuery) -> None:
    with pytest.raises(QueryRefused):
        statement([TABLE], query)
