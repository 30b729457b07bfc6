"""Blank a kept run when a document that it quotes is deleted. Its numbers stay, not its words."""

import re
from typing import Any, Final

_OPAQUE_ID: Final = re.compile(r"[a-z]_[a-z2-7]{12}")
_WORD: Final = re.compile(r"[A-Za-z0-9_.:-]{1,64}|Not audited")

_OUR_WORDS: Final = frozenset(
    {
        *("run_id", "node", "route", "decision", "reason", "status", "kind", "level", "at"),
        *("date_source", "by_choice", "because"),
    }
)
"""Keys whose values are the code's own words. Whatever else is text may come from a document."""


def blanked(value: Any, key: str = "") -> Any:
    """`value` with every text emptied that may quote a document; numbers, ids and form stay.

    What was a date becomes null, so that the rest can still be read as the model it was.
    """
    match value:
        case dict():
            return {name: blanked(item, name) for name, item in value.items() if _names(name)}
        case list():
            return [blanked(item, key) for item in value]
        case str() if key == "date":
            return None
        case str():
            return value if _is_ours(value, key) else ""
    return value


def _names(key: str) -> bool:
    """Say whether a key is a field's name or an id.

    A sentence as a key came from somewhere else.
    """
    return re.fullmatch(r"[A-Za-z0-9_]{1,64}", key) is not None


def _is_ours(text: str, key: str) -> bool:
    if _OPAQUE_ID.fullmatch(text):
        return True
    return key in _OUR_WORDS and _WORD.fullmatch(text) is not None
