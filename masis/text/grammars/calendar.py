"""Name the months and the days of the week, once for every grammar that reads them."""

from typing import Final

MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
"""In lower case, in the order of the year."""

SHORT_MONTHS: Final = tuple(month[:3] for month in MONTHS)
"""Their first three letters, by which each of them is known."""

WEEKDAYS: Final = (*("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),)
"""In lower case, Monday first."""

LONG_MONTHS: Final = {**dict(zip(SHORT_MONTHS, MONTHS, strict=True)), "sept": MONTHS[8]}
"""The whole names, by the short ones."""

DAYS_AND_MONTHS: Final = frozenset((*WEEKDAYS, *(f"{day}s" for day in WEEKDAYS), *MONTHS, *LONG_MONTHS))  # fmt: skip
"""Days, one or several, and months, whole or short."""

ANY_MONTH: Final = "|".join(MONTHS)
"""An alternation of the whole names, for a group of a pattern that ignores case."""

ANY_SHORT_MONTH: Final = "|".join(SHORT_MONTHS)
"""An alternation of the first three letters."""

WRITTEN_MONTH: Final = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
"""An alternation of months as people write them, whole or short."""

MONTH: Final = rf"(?P<month>{WRITTEN_MONTH})"
"""A month as people write it, as the group `month`; its case is to be ignored."""

BEGUN_MONTH: Final = (
    r"jan\w*|feb\w*|mar(?:ch)?|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*"
)
"""An alternation of words that begin as a month does, where no other word does."""

WEEKDAY: Final = f"(?:{'|'.join(day.removesuffix('day') for day in WEEKDAYS)})day"
"""The whole name of a day of the week; its case is to be ignored."""
