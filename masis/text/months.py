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

ANY_MONTH: Final = "|".join(MONTHS)
"""An alternation of the whole names, for a group of a pattern that ignores case."""

ANY_SHORT_MONTH: Final = "|".join(SHORT_MONTHS)
"""An alternation of the first three letters."""

MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
"""A month as people write it, whole or short, as the group `month`; its case is to be ignored."""
