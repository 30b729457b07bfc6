"""Tell by its cells how well a row of a table fits a question of one thing: "Ada's extension"."""

import re
from collections.abc import Collection
from typing import Final

from masis.text import lexical

OWN_ROW_BONUS: Final = 0.15
"""For the row of what a question names."""
OTHERS_ROW_PENALTY: Final = 0.10
"""For a row that only mentions it in another column: whose manager somebody is."""
_FEWEST_CELLS: Final = 3
_CELL: Final = re.compile(r"^(?P<header>[^:]{1,40}): (?P<value>.+)$")
_CODE: Final = re.compile(r"^[^\s]*\d[^\s]*$")
_RELATES: Final = re.compile(
    r"^(?:used|fits?|for|belongs|needed)\b|\b(?:in|for|at|of|by|to|on|with)$", re.IGNORECASE
)
"""How a column is called that tells of a row to what it belongs: "Used in"."""
_OF_PEOPLE: Final = {
    "reports to": "boss manager supervisor line report",
    "line manager": "boss supervisor report",
}
"""What questions call a column of a list of people."""


def fit(text: str, asked: Collection[str]) -> float:
    """Return what speaks for a row where a question asks for one of its columns, or against it."""
    cells = [match for part in text.split(" | ") if (match := _CELL.match(part))]
    if len(cells) < _FEWEST_CELLS:
        return 0.0
    columns = [cell for cell in cells if _is_asked(cell["header"], asked)]
    if not columns:
        return 0.0
    told = {term for cell in columns for term in _named(cell["header"])}
    rest = set(asked) - told
    names = (cell for cell in cells if not _CODE.match(cell["value"]))
    label = next(names, cells[0])
    label = cells[0] if _RELATES.search(label["header"]) else label
    if label not in columns and rest.intersection(lexical.terms(label["value"])):
        return OWN_ROW_BONUS
    others = (cell["value"] for cell in cells if cell is not label and cell not in columns)
    mentioned = any(rest.intersection(lexical.terms(value)) for value in others)
    return -OTHERS_ROW_PENALTY if mentioned else 0.0


def _is_asked(header: str, asked: Collection[str]) -> bool:
    return not _named(header).isdisjoint(asked)


def _named(header: str) -> set[str]:
    """The terms of a column's name, and what questions call it."""
    plain = header.replace("_", " ").lower()
    return {*lexical.terms(plain), *lexical.terms(_OF_PEOPLE.get(plain, ""))}
