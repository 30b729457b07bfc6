"""Test which rows of long tables are text."""

from collections.abc import Callable, Iterable
from itertools import islice, product

import pytest

from masis.documents.parsing.formats import read_csv

ROWS = 2_400


def csv(heads: str, row: Callable[[int], Iterable[object]]) -> bytes:
    lines = [heads, *(",".join(map(str, row(at))) for at in range(ROWS))]
    return "\n".join(lines).encode()


def test_first_rows_of_figures_are_text() -> None:
    """Queries answer for the rows of orders; what is text of them are the first thousand."""
    found = read_csv.read("orders.csv", csv("Order,Customer,Net", lambda at: (f"O-{at}", f"Fir Stores {'AB'[at % 2]}", at)))  # fmt: skip
    assert sum(not block.is_queried for block in found.body.blocks) < 1_001
    assert len(found.body.blocks) == ROWS, "a file of one question is read whole"
    assert [table.shape.rows for table in found.tables] == [ROWS]
    assert found.body.notes == ["It is large: its first 1,000 rows can be quoted, and questions over all 2,400 are answered by a query."]  # fmt: skip


def test_rows_with_one_word_names_stay_text() -> None:
    """A list of names is searched by them, though each is one word."""
    names = ["".join(each) for each in islice(product("abdefgklmnoprst", repeat=3), ROWS)]
    found = read_csv.read("plants.csv", csv("Code,Plant,Price", lambda at: (at, names[at], at % 9)))
    assert len(found.body.blocks) >= ROWS


@pytest.mark.parametrize("title", ["repair of pump number {}", "Site {} is closed until May"])
def test_rows_with_words_stay_text(title: str) -> None:
    """A remark, a title or a name of each row is searched by its words."""
    found = read_csv.read("codes.csv", csv("Code,Title", lambda at: (at, title.format(f"x{at}"))))
    assert len(found.body.blocks) >= ROWS
