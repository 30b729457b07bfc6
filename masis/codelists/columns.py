"""Tell by the names and cells of a table's columns which holds codes, and what the others say of them."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from masis.values.base import Value

Row = Mapping[str, str]
"""The cells of a row by the names of their columns."""

FEWEST: Final = 6
"""Codes of a list; a shorter table is read like any other."""
SAMPLED: Final = 400
"""Rows by which columns are told apart."""
MOST_CODE_CHARS: Final = 24
MOST_NUMBERS: Final = 1
"""Columns of amounts beside the code: a table with more of them is of figures, whatever its keys."""

_CODE: Final = re.compile(r"\b(?:code|codes|key|no|nr|number|id|identifier|soc|class)\b|#")
_TITLE: Final = re.compile(
    r"\b(?:title|name|label|designation|occupation|job|category|class|type|group|item|account"
    r"|cost cent(?:er|re)|heading|term)\b"
)
_DESCRIPTION: Final = re.compile(
    r"\b(?:description|definition|explanation|notes?|scope|meaning|usage|use (?:for|when)|details?"
    r"|covers|when to use|what it covers)\b"
)
_SYNONYMS: Final = re.compile(
    r"\b(?:synonyms?|alternative|alt|aliases|also called|also known as|keywords?|examples?"
    r"|index terms?|includes)\b"
)
_EXCLUDED: Final = re.compile(r"\b(?:exclud\w+|not for|does not cover|not included|except)\b")
_PARENT: Final = re.compile(r"\b(?:parent|broader|belongs to|part of|reports to|above|superior)\b")
_LEVEL: Final = re.compile(r"\b(?:level|depth|tier)\b")
_SHAPE: Final = re.compile(
    rf"(?=.*\d|[A-Z])[A-Za-z0-9][A-Za-z0-9./\-_:]{{0,{MOST_CODE_CHARS - 1}}}"
)
_NUMBER: Final = re.compile(r"[-+(]?[$€£]?\s?\d[\d,. ]*\s?%?\)?")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")


class Above(Value):
    """The columns of one level above: its code, and its title where there is one."""

    code: str
    title: str = ""


class Columns(Value):
    """Name the columns of a code list. `above` are those of the levels above, the nearest first."""

    code: str
    title: str
    description: list[str] = []
    synonyms: list[str] = []
    excluded: list[str] = []
    parent: str = ""
    level: str = ""
    above: list[Above] = []


def recognised(rows: Sequence[Row], *, is_said: bool = False) -> Columns | None:
    """Tell the columns of a code list; None where the table is none.

    Where somebody says that it is one (`is_said`), a short one is, and one with amounts.
    """
    sample = rows[:SAMPLED]
    names = list(dict.fromkeys(name for row in sample for name in row))
    code = _code_column(names, sample)
    if code is None or (len(rows) < FEWEST and not is_said):
        return None
    others = [name for name in names if name != code]
    title = _title_column(others, sample)
    if title is None:
        return None
    rest = [name for name in others if name != title]
    if not is_said and _has_figures(rest, sample):
        return None
    parent = next((name for name in rest if _PARENT.search(_plain(name))), "")
    level = next((name for name in rest if _LEVEL.search(_plain(name)) and name != parent), "")
    return Columns(
        code=code,
        title=title,
        description=_saying(rest, _DESCRIPTION),
        synonyms=_saying(rest, _SYNONYMS, but=_DESCRIPTION),
        excluded=_saying(rest, _EXCLUDED),
        parent=parent,
        level=level,
        above=[] if parent or level else _above(code, rest, sample),
    )


def _code_column(names: Sequence[str], rows: Sequence[Row]) -> str | None:
    """Return the column whose cells are codes, each another one: one that is called so, else the first."""
    called = [name for name in names if _CODE.search(_plain(name))]
    for name in called:
        if _are_codes([row[name] for row in rows if row.get(name)], len(rows)):
            return name
    return None


def _are_codes(cells: Sequence[str], rows: int) -> bool:
    shaped = [cell for cell in cells if _SHAPE.fullmatch(cell)]
    # The rows of a long cell repeat its code.
    return len(shaped) >= 0.9 * len(cells) > 0 and len(cells) >= 0.9 * rows


def _title_column(names: Sequence[str], rows: Sequence[Row]) -> str | None:
    """Return the column that names each code: one that is called so, else the first of short texts."""
    texts = [name for name in names if _is_text(name, rows)]
    named = [name for name in texts if _TITLE.search(_plain(name)) and not _says_more(name)]
    plain = [name for name in texts if not _says_more(name)]
    said = [name for name in texts if _DESCRIPTION.search(_plain(name))]
    titles = [name for name in named if re.search(r"\b(?:title|name|label)\b", _plain(name))]
    return next(iter([*titles, *named, *plain, *said]), None)


def _says_more(name: str) -> bool:
    patterns = (_DESCRIPTION, _SYNONYMS, _EXCLUDED, _PARENT, _LEVEL)
    return any(pattern.search(_plain(name)) for pattern in patterns)


def _is_text(name: str, rows: Sequence[Row]) -> bool:
    cells = [row[name] for row in rows if row.get(name)]
    return bool(cells) and sum(bool(_WORD.search(cell)) for cell in cells) >= 0.8 * len(cells)


def _has_figures(names: Sequence[str], rows: Sequence[Row]) -> bool:
    """Tell whether the table is of amounts, which are not codes of levels above."""
    numbers = [
        name
        for name in names
        if not (_CODE.search(_plain(name)) or _PARENT.search(_plain(name)) or _says_more(name))
        and _is_number(name, rows)
    ]
    return len(numbers) > MOST_NUMBERS


def _is_number(name: str, rows: Sequence[Row]) -> bool:
    cells = [row[name] for row in rows if row.get(name)]
    return bool(cells) and sum(bool(_NUMBER.fullmatch(cell)) for cell in cells) > len(cells) / 2


def _saying(
    names: Sequence[str], pattern: re.Pattern[str], but: re.Pattern[str] | None = None
) -> list[str]:
    return [
        name
        for name in names
        if pattern.search(_plain(name)) and not (but and but.search(_plain(name)))
    ]


def _above(code: str, names: Sequence[str], rows: Sequence[Row]) -> list[Above]:
    """Return the columns of the levels above: codes that several rows share, the most of them first."""
    found: list[tuple[int, Above]] = []
    for name in names:
        cells = [row[name] for row in rows if row.get(name)]
        different = len(set(cells))
        if not _CODE.search(_plain(name)) or not _are_codes(cells, len(rows)):
            continue
        if different >= 0.9 * len(cells) or not _begin_alike(rows, code, name):
            continue
        base = _plain(re.sub(r"(?i)[_\s-]*(?:code|no|number|id)$", "", name))
        title = next((other for other in names if _plain(other) == base and other != name), "")
        found.append((different, Above(code=name, title=title)))
    return [above for _, above in sorted(found, key=lambda each: -each[0])]


def _begin_alike(rows: Sequence[Row], code: str, above: str) -> bool:
    """Tell whether codes with the same beginning are under the same code."""
    held = [row for row in rows if row.get(code) and row.get(above)]
    return sum(row[code].startswith(row[above]) for row in held) >= 0.9 * len(held)


def _plain(name: str) -> str:
    return " ".join(re.sub(r"[_\-.:/()]+", " ", name).casefold().split())
