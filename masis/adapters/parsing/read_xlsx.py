"""Reads Excel workbooks: every visible sheet as tables, values as they are displayed."""

import datetime as dt
import io
import re
import warnings
from typing import Any, Final

import openpyxl

from masis.adapters.parsing import limits
from masis.adapters.parsing.dates import saved_date
from masis.adapters.parsing.properties import core_fields, further_fields
from masis.adapters.parsing.reading import Reading
from masis.adapters.parsing.sheets import add_sheet
from masis.domain import Place

_MAX_ROWS: Final = limits.CELLS
_CURRENCY = re.compile(r"\[\$([^\]-]*)[^\]]*\]")
_DECORATION = re.compile(r"\[[^\]]*\]|[_*].|\\")
_LITERAL = re.compile(r'"([^"]*)"|([$€£¥])')
_DIGITS = re.compile(r"[0#?][0#?,.]*")
_FRACTION = re.compile(r"\.(0+)")


def read(name: str, content: bytes) -> Reading:
    """Read a workbook's stored values; formulas show what they last gave."""
    del name
    reading = Reading()
    with warnings.catch_warnings():
        # Parts of a workbook that openpyxl leaves out (validation, drawings) hold no text.
        warnings.simplefilter("ignore")
        workbook = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        reading.title = workbook.properties.title or ""
        reading.date = saved_date(workbook.properties.modified)
        reading.fields = core_fields(workbook.properties) + further_fields(content)
        for sheet in workbook.worksheets:
            if sheet.sheet_state == "visible":
                _add(reading, sheet)
        workbook.close()
    return reading


def _add(reading: Reading, sheet: Any) -> None:  # noqa: ANN401 - read-only sheets have no usable type
    # The stated dimension is often wrong, and one far cell would make every row 16,384 wide.
    sheet.reset_dimensions()
    grid: list[list[str]] = []
    beyond = False
    for row in sheet.iter_rows():
        if len(grid) >= _MAX_ROWS:
            beyond = True
            break
        shown = [
            displayed(cell.value, cell.number_format) if cell.value is not None else ""
            for cell in row
        ]
        beyond = beyond or any(shown[limits.COLUMNS :])
        while shown and not shown[-1]:
            shown.pop()
        reading.body.count_cells(sum(1 for cell in shown if cell))
        grid.append(shown[: limits.COLUMNS])
    if beyond:
        reading.body.notes.append(
            f"Sheet {sheet.title}: cells far outside the table were left out."
        )
    if not any(map(any, grid)):
        return
    reading.body.heading(sheet.title, 1, Place(sheet=sheet.title))
    add_sheet(reading.body, grid, Place(sheet=sheet.title))


def displayed(value: object, number_format: str) -> str:
    """A cell as a person sees it: dates in ISO form, percent, thousands and currency kept."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dt.datetime):
        plain = value.time() == dt.time()
        return value.date().isoformat() if plain else value.isoformat(" ", "minutes")
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, int | float):
        return _number(value, number_format or "General")
    return str(value)


def _number(value: float, number_format: str) -> str:
    pattern = _plain_pattern(number_format.split(";", maxsplit=1)[0])
    digits = _DIGITS.search(pattern)
    if digits is None or "E+" in pattern.upper():
        return _general(value)
    fraction = _FRACTION.search(digits[0])
    places = len(fraction[1]) if fraction else 0
    if "%" in pattern:
        return f"{value * 100:.{places}f}%"
    thousands = "," if "," in digits[0].rstrip(",") else ""
    before = _literal(pattern[: digits.start()])
    after = _literal(pattern[digits.end() :])
    sign = "-" if value < 0 else ""
    space = " " if len(before) > 1 else ""  # CHF 12, but £12
    return f"{sign}{before}{space}{abs(value):{thousands}.{places}f} {after}".rstrip()


def _plain_pattern(pattern: str) -> str:
    """A number format without colours, conditions, locales and padding; currencies quoted."""
    pattern = _CURRENCY.sub(r'"\1"', pattern)
    return _DECORATION.sub("", pattern)


def _literal(pattern: str) -> str:
    """What a format writes beside the digits: units and currencies, not brackets and dashes."""
    written = "".join(quoted or bare for quoted, bare in _LITERAL.findall(pattern)).strip()
    return written if re.search(r"[^\W\d_]|[$€£¥]", written) else ""


def _general(value: float) -> str:
    """Without a format: no `.0`, and no binary dust behind the 12th digit."""
    if isinstance(value, int) or float(value).is_integer():
        return str(int(value)) if abs(value) < 1e15 else f"{value:g}"  # noqa: PLR2004 - where floats lose digits
    return f"{value:.12g}"
