"""Tells JSON from other text, and decodes it."""

import json
from typing import Any, Final

from masis.documents.parsing import refusals
from masis.errors import DocumentRefused

_SAMPLE: Final = 64 * 1024
_LINES_LOOKED_AT: Final = 20
_FEWEST_LINES: Final = 2

# Figures stay as they are written: 1.10 is not 1.1, and no number grows beyond bounds.
_DECODER: Final = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)


def is_json(text: str) -> bool:
    """Say whether a text is a JSON object or list, or lines of such objects."""
    start = text[:1024].lstrip()
    return start.startswith(("{", "[")) and (_is_value(text) or _are_lines(text))


def json_value(text: str) -> Any:
    """The value of a JSON text; of JSON lines the list of their values.

    Raises:
        DocumentRefused: a line is damaged.
    """
    if _is_value(text):
        return _DECODER.decode(text.strip())
    try:
        return [_DECODER.decode(line.strip()) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError) as error:
        raise DocumentRefused(refusals.JSON_LINES) from error


def _is_value(text: str) -> bool:
    try:
        _DECODER.decode(text.strip())
    except (ValueError, RecursionError):
        return False
    return True


def _are_lines(text: str) -> bool:
    """Say whether each of the first lines is a JSON object."""
    lines = [line for line in text[:_SAMPLE].splitlines() if line.strip()]
    whole = lines if len(text) <= _SAMPLE else lines[:-1]
    return len(whole) >= _FEWEST_LINES and all(
        line.lstrip().startswith("{") and _is_value(line) for line in whole[:_LINES_LOOKED_AT]
    )
