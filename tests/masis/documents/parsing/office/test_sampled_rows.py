"""Test which rows of long tables are text."""

from collections.abc import Callable, Iterable

import pytest

from masis.documents.parsing.formats import read_csv

ROWS = 2_400


def csv(heads: str, row: Callable[[int], Iterable[object]]) -> bytes:
    lines = [heads, *(",".join(map(str, row(at))) for at in range(ROWS))]
    return "\n".join(lines).encode()


def test_first_rows_of_figures_are_text() -> None:
    """Queries answer for the rows of orders; what is text of them are the first thousand."""
    found = read_csv.read("orders.csv", csv("Order,Customer,Net", lambda at: (f"O-{at}", f"Fir Stores {'AB'[at % 2]}", at)))  # fmt: skip
    assert len(found.body.blocks) < 1_001
    assert [table.shape.rows for table in found.tables] == [ROWS]
    assert found.body.notes == ["It is large: its first 1,000 rows can be quoted, and questions over all 2,400 are answered by a query."]  # fmt: skip


@pytest.mark.parametrize("title", ["repair of pump number {}", "Site {} is closed until May"])
def test_rows_with_words_stay_text(title: str) -> None:
    """A remark, a title or a name of each row is searched by its words."""
    found = read_csv.read("codes.csv", csv("Code,Title", lambda at: (at, title.format(f"x{at}"))))
    assert len(found.body.blocks) >= ROWS
