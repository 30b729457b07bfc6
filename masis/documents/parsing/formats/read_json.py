"""Reads JSON and JSON lines: records as `key: value` paths that can be read alone."""

import json
from collections.abc import Sequence
from typing import Any, Final

from masis.documents.parsing import document_limits
from masis.documents.parsing.cleaning import one_line, visible
from masis.documents.parsing.dates import metadata_date
from masis.documents.parsing.decoding import decoded
from masis.documents.parsing.document_blocks import BlockCollector
from masis.documents.parsing.json_values import json_value
from masis.documents.parsing.recognition.read_document import Reading

_ROW_CHARS: Final = 700
"""A record up to this long is one row; it stays whole in a chunk with its headings."""
_LONG_TEXT: Final = 200
"""A longer value is running text under its key, not a cell of a row."""
_NAMES: Final = ("title", "name", "subject", "label", "question", "id", "key", "code")
_TITLE_KEYS: Final = ("title", "name")
_DATE_KEYS: Final = ("updated", "updated_at", "modified", "date", "published", "created_at")
_LONGEST_NAME: Final = 120


def read(name: str, content: bytes) -> Reading:
    """Read a JSON value, or one a line; figures stay as they are written."""
    del name
    reading = Reading()
    value = json_value(decoded(content))
    if isinstance(value, dict):
        named = {key.lower(): one for key, one in value.items() if isinstance(one, str)}
        reading.title = next((named[key] for key in _TITLE_KEYS if named.get(key)), "")
        dated = (metadata_date(named.get(key)) for key in _DATE_KEYS)
        reading.date = next((date for date in dated if date), None)
    _Walk(reading.body).over(value)
    return reading


class _Walk:
    """Goes through a value once: short records become rows, long ones sections of their own."""

    def __init__(self, body: BlockCollector) -> None:
        self._body = body

    def over(self, value: Any, level: int = 1) -> None:
        """Add a value whose own headings stand on `level`."""
        if isinstance(value, dict):
            self._record(value, level)
        elif isinstance(value, list):
            for number, one in enumerate(value, start=1):
                self._element(one, number, level)
        else:
            self._body.paragraph(_shown(value))

    def _element(self, value: Any, number: int, level: int) -> None:
        if not isinstance(value, dict | list):
            self._body.count_cells(1)
            self._body.item(_shown(value))
        elif (row := _row(value)) is not None:
            self._add(row)
        else:
            self._body.heading(_name(value) or f"Record {number}", level)
            self.over(value, level + 1)

    def _record(self, record: dict[str, Any], level: int) -> None:
        """First what is short, packed into rows, then each longer value under its key."""
        long: list[tuple[str, Any]] = []
        row: list[str] = []
        for key, whole in record.items():
            value = whole if level < document_limits.JSON_NESTING else _written(whole)
            pairs = _pairs(one_line(key), value)
            if pairs is None or _size(pairs) > _LONG_TEXT:
                long.append((key, value))
                continue
            if row and _size([*row, *pairs]) > _ROW_CHARS:
                self._add(row)
                row = []
            row += pairs
        self._add(row)
        for key, value in long:
            self._body.heading(key, level)
            if isinstance(value, str):
                for line in visible(value).split("\n"):
                    self._body.paragraph(line)
            else:
                self.over(value, level + 1)

    def _add(self, pairs: Sequence[str]) -> None:
        self._body.count_cells(len(pairs))
        self._body.row(" | ".join(pairs))


def _row(value: Any) -> list[str] | None:
    """A record as the cells of one row; None where it is too long, or holds records itself."""
    pairs = _pairs("", value)
    if pairs is None or _size(pairs) > _ROW_CHARS or max(map(len, pairs), default=0) > _LONG_TEXT:
        return None
    return pairs


def _pairs(path: str, value: Any, depth: int = 0) -> list[str] | None:
    """`path: value` of everything within; None where that cannot be one row."""
    if depth > document_limits.JSON_NESTING:
        return None
    if isinstance(value, dict):
        found: list[str] = []
        for key, inner in value.items():
            below = _pairs(f"{path}.{one_line(key)}" if path else one_line(key), inner, depth + 1)
            if below is None or _size(found) > _ROW_CHARS:
                return None
            found += below
        return found
    if isinstance(value, list):
        if any(isinstance(one, dict | list) for one in value):
            return None
        shown = ", ".join(text for text in map(_shown, value) if text)
    else:
        shown = _shown(value)
    shown = one_line(shown)
    if not shown:
        return []
    return [f"{path}: {shown}" if path else shown]


def _size(pairs: Sequence[str]) -> int:
    return sum(len(pair) + len(" | ") for pair in pairs)


def _name(value: Any) -> str:
    """Return what a record is called by one of its own fields."""
    if not isinstance(value, dict):
        return ""
    named = {key.lower(): one for key, one in value.items() if isinstance(one, str)}
    found = (one_line(named[key]) for key in _NAMES if key in named)
    return next((name for name in found if 0 < len(name) <= _LONGEST_NAME), "")


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
