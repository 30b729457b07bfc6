"""Tell at ingestion whether a document is a code list."""

from typing import Final

from masis.codelists.code_list import KIND, KIND_FIELD
from masis.codelists.columns import recognised
from masis.codelists.list_rows import cells_of, rows_in
from masis.domain import ParsedDocument

MOSTLY: Final = 0.8
"""Of a document's blocks: a list that stands within a text is a part of that."""
MOST_ROWS: Final = 2_000
"""Rows by which it is told."""
IS_LIST: Final = "read as a code list"
IS_NONE: Final = "no codes with titles were found in it"


def marked(parsed: ParsedDocument) -> ParsedDocument:
    """Return a document that says whether it is a code list, by its field and in a note.

    What somebody says of its kind stands; where no code can be read then, the note says so.
    """
    kind = parsed.given.get(KIND_FIELD) or parsed.fields.get(KIND_FIELD)
    is_said = kind == KIND
    if kind and not is_said:
        return parsed
    if not is_code_list(parsed, is_said=is_said):
        return parsed.model_copy(update={"notes": [*parsed.notes, IS_NONE]}) if is_said else parsed
    fields = parsed.fields if is_said else {**parsed.fields, KIND_FIELD: KIND}
    return parsed.model_copy(update={"fields": fields, "notes": [*parsed.notes, IS_LIST]})


def is_code_list(parsed: ParsedDocument, *, is_said: bool = False) -> bool:
    """Tell whether a document is a table of codes and little else, or has such a table where that is said."""
    blocks = parsed.blocks[:MOST_ROWS]
    rows = [block.text for block in blocks if block.kind == "table_row"]
    if not is_said and len(rows) < MOSTLY * len(blocks):
        return False
    return recognised(list(cells_of(rows_in(rows))), is_said=is_said) is not None
