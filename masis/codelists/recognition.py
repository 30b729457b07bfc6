"""Tell at ingestion whether a document is a code list."""

from typing import Final

from masis.codelists.columns import recognised
from masis.codelists.rows import cells_of, rows_in
from masis.codelists.values import KIND, KIND_FIELD
from masis.domain import ParsedDocument
from masis.fields import Fields

MOSTLY: Final = 0.8
"""Of a document's blocks: a list that stands within a text is a part of that."""
MOST_ROWS: Final = 2_000
"""Rows by which it is told."""


def fields(parsed: ParsedDocument) -> Fields:
    """Return the field that says of a document that it is a code list; none where it says a kind."""
    known = parsed.given.get(KIND_FIELD) or parsed.fields.get(KIND_FIELD)
    return {} if known or not is_code_list(parsed) else {KIND_FIELD: KIND}


def is_code_list(parsed: ParsedDocument) -> bool:
    """Tell whether a document is a table of codes and little else."""
    blocks = parsed.blocks[:MOST_ROWS]
    rows = [block.text for block in blocks if block.kind == "table_row"]
    if len(rows) < MOSTLY * len(blocks):
        return False
    return recognised(list(cells_of(rows_in(rows)))) is not None
