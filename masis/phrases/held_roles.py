"""Read whose name a question asks for, and tell whether a text names somebody who has that role.

Pure and lexical.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final

from masis.text import lexical
from masis.text.grammars.calendar import MONTHS, WEEKDAYS

_ASKS_WHO_IS: Final = re.compile(
    r"\bwho(?:['’]?s| is| are| was) (?:(?:the|our|my|your|a) )?(?P<role>[^?.!,]{3,80})",
    re.IGNORECASE,
)
_CELL_PARTS: Final = re.compile(r"[,;&()]| and ")
NAME: Final = re.compile(r"[^\W\d_a-z][^\W\d_]*(?:[’'-][^\W\d_]+)*")
_NAMED_TIMES: Final = " ".join((*WEEKDAYS, *(month for month in MONTHS if month != "may")))
"""May is a person's name as well."""
_TITLES: Final = frozenset(
    lexical.terms(
        f"""
        {_NAMED_TIMES}
        account accountant adviser agreement and approved assistant associate board business chair chairman
        chairperson chief clinic clinical committee company coordinator council customer department
        deputy desk director dr engineer executive finance financial head human information lead leader
        limited ltd manager managing meeting mr mrs ms office officer operations part planner plc
        policy president prof quality resources sales school secretary senior service services staff
        supervisor supplier support teacher team technical treasurer vice works
        the this that these those all any each every
        """
    )
)
"""Words that are written large and name nobody."""


def asks_who_is(question: str) -> bool:
    """Tell whether a question asks for somebody's name."""
    return _ASKS_WHO_IS.search(question) is not None


def role_of(question: str) -> list[str]:
    """Read the role of who is asked for: "managing director" of "who is our managing director"."""
    match = _ASKS_WHO_IS.search(question)
    return lexical.terms(match["role"]) if match else []


def is_title(text: str) -> bool:
    """Tell whether a text is what somebody is, and not called: "Key Account Manager"."""
    return not _TITLES.isdisjoint(lexical.terms(text))


def names_somebody(text: str, asked: Collection[str]) -> bool:
    """Tell whether a text has a name of two words or more, none of them among the terms asked for.

    A job title is written large as well: "Managing Director" is no answer to who that is.
    """
    run = 0
    last = 0
    for match in NAME.finditer(text):
        own = lexical.terms(match[0])
        is_name = bool(own) and not set(own) & _TITLES and not set(own) & set(asked)
        run = (run + 1 if run and text[last : match.start()] == " " else 1) if is_name else 0
        last = match.end()
        if run > 1:
            return True
    return False


def has_role(text: str, role: Sequence[str], *, is_row: bool) -> bool:
    """Tell whether a text has the role word by word; a row has it in a cell of its own."""
    if is_row:
        cells = (cell.rpartition(": ")[2] for cell in text.split(" | "))
        parts = (part for cell in cells for part in _CELL_PARTS.split(cell))
        return any(lexical.terms(part) == role for part in parts)
    return f" {' '.join(role)} " in f" {' '.join(lexical.terms(text))} "
