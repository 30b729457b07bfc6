"""The words by which a question asks for something to be calculated, and the thresholds of reading one."""

import re
from typing import Final

from masis.text.grammars.recency import NEWEST, OLDEST
from masis.values.tabular import Grain

WORD_COUNTS: Final = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}  # fmt: skip
COUNTS: Final = "|".join(WORD_COUNTS)
MOST_TOP: Final = 50
MOST_CHARS: Final = 400
"""Of a question over a table; a longer one asks documents."""
MOST_UNREAD: Final = 2
"""Words of a question over a table that are said to be nowhere in it; with more of them it asks for something else."""
MOST_WORDS: Final = 16
FEWEST_REFUSED: Final = 100
"""Rows of a table of which it is said what it has not; a smaller one may not be what is asked."""
FEWEST_ASKED: Final = 40
"""Rows of a table that is asked by a query; a smaller one is read from its passages, where its notes stand too."""
SURE_SCORE: Final = 2.0
LEAST_SCORE: Final = 1.4
"""How much of a table a question must name that asks for something to be calculated."""
MENTIONED: Final = 0.3
"""The weight from which on a column is named, and not only spoken of."""
SAME_WORD: Final = 0.8
"""The weight from which on a column is called by a word, and not by one that is like it."""
LISTED: Final = 50
"""Rows that are listed where nobody says how many."""


def asks(pattern: str) -> re.Pattern[str]:
    """Return a pattern that ignores case."""
    return re.compile(pattern, re.IGNORECASE)


_SOLD: Final = r"[ -](?:selling|sold|performing)\b"
TOP: Final = asks(rf"\b(?P<way>top|bottom|first|last|best|worst|highest|lowest|biggest|largest|smallest) (?P<count>\d{{1,3}}|{COUNTS})\b(?:{_SOLD})?|\b(?P<number>{COUNTS}|\d{{1,2}}) (?P<end>top|best|worst|highest|lowest|biggest|largest|smallest|most|least|oldest|newest|longest|shortest|cheapest|dearest|priciest)\b(?:{_SOLD}| expensive)?")  # fmt: skip
_LARGEST: Final = r"(?:highest|biggest|largest|greatest|most|best|lowest|smallest|least|fewest|longest|shortest|cheapest)"
TOP_WITH: Final = asks(
    rf"\b(?P<number>{COUNTS}|\d{{1,2}}) [a-z-]+(?: [a-z-]+)? (?:with|having|(?:that|who|which) (?:have|had))(?: the)? (?P<way>{_LARGEST})\b"
)
"""Several are wanted: "the three customers with the largest net sales"."""
COUNT: Final = asks(r"\bhow many\b|\b(?:the |total |overall )?(?:number|count|no\.?|quantity) of\b|^count\b|\bhow often (?:was|were|did|has|have|had)\b|\bcounts?\b")  # fmt: skip
"""How often something has happened is counted; how often it is to be done is a rule."""
MEAN: Final = asks(
    r"\bav(?:e?ra|er)ge?s?\b|\bavg\.?(?!\w)|(?<!we )(?<!you )(?<!they )(?<!it )(?<!that )\bmean\b|\bon average\b"
)
MEDIAN: Final = asks(r"\bmedian\b")
SUM: Final = asks(r"\b(?:in total|total(?:s|led)?|sum(?:med)?(?: of)?|(?:al)?together|combined|overall|added up|how much)\b")  # fmt: skip
ADDITIVE: Final = asks(
    r"\b(?:sales|revenue|turnover|spend(?:ing)?|spent|sold|sell|paid|pay|expenses|expenditure)\b"
)
"""Words for what is added up where nobody says in total."""
TOTAL_OF: Final = asks(r"\b(?:total|overall|combined)(?: number of)? $")
"""Stands before what is counted: "total orders per region"."""
TOTAL: Final = asks(r"\b(?:total|sum of|altogether|combined)\b")
SUMMED: Final = asks(r"\b(?:how much|(?:sum|worth) of)\b")
MUCH: Final = asks(r"\bhow much\b")
_NOBODYS: Final = r"(?<!\bmy )(?<!\byour )(?<!\bhis )(?<!\bher )(?<!\btheir )"
"""Stands before "first" and "last" where they rank rows: "my first day" is a day of mine."""
MOST: Final = asks(rf"\b(?:most|highest|largest|biggest|greatest|max(?:imum)?|longest|slowest|top|best|busiest|dearest|priciest|costliest|most expensive|heaviest|{NEWEST}|{_NOBODYS}last)\b")  # fmt: skip
LEAST: Final = asks(rf"\b(?:least|lowest|smallest|fewest|min(?:imum)?|shortest|fastest|quickest|cheapest|least expensive|worst|lightest|{OLDEST}|{_NOBODYS}first)\b")  # fmt: skip
BOUND: Final = asks(r"\bat (?:least|most)\b")
SUPERLATIVE_END: Final = asks(r"\b(?:highest|largest|biggest|greatest|busiest|best|top|lowest|smallest|worst|cheapest|slowest|fastest|quickest|heaviest)(?: single)?$")  # fmt: skip
PER: Final = asks(r"\b(?:per|for each|for every) $")
OFTEN: Final = asks(r"\b(?:most|least) (?:often|frequent(?:ly)?)\b")
OF_ROWS: Final = asks(r"\s+(?:of|for|on|from) (?:(?:all|the|our|these|those) )*")
NUMEROUS: Final = asks(r"\b(?:most|fewest|least)(?: of)?(?: the| our| all)?\s*$")
"""Stands before what there are most or fewest of: rows, where it is no amount."""
NUMEROUS_OF: Final = asks(r"\b(?:most|fewest|least) ")
WHAT_DATE: Final = asks(r"\b(?:what|which) dates?\b")
OVER_ALL: Final = asks(r"\b(?:overall|altogether|in total|total|combined|(?:over|across|of) all)\b")
IN_TIME: Final = asks(rf"\b(?:{NEWEST}|{OLDEST}|{_NOBODYS}(?:first|last)|soonest|next)\b")
ALL_OF: Final = asks(r"\b(?:all|every|any)(?: of)?(?: the| our| these)?\s*$")
BY_DATE: Final = asks(rf"\b(?:{NEWEST}|{OLDEST})\b")
DEAR: Final = asks(r"\b(?:(?:most|least) expensive|cheapest|dearest|priciest|costliest)\b")
"""Superlatives of money alone."""
DISTINCT: Final = asks(r"\bhow many (?:different|distinct|unique)\b|\bnumber of (?:different|distinct|unique)\b")  # fmt: skip
DIFFERENT: Final = asks(r"\b(?:different|distinct|unique)\b")
DONE: Final = asks(r"\b(?:did|do|does|have|has|had) (?:we|you|they|i|he|she|it)\s+$")
"""Stands before a verb, which says what was done."""
MOST_BEHIND: Final = asks(r"\s+(?:the )?(?:most|fewest|least)\b")
HAVING: Final = asks(r"^\s*(?:with|having|(?:that |which |who )?(?:has|had))(?: the)? (?:fewest|most|(?:least|smallest|lowest|highest|largest|biggest|greatest) (?:number|count|no\.?) of)\b")  # fmt: skip
HAVING_AMOUNT: Final = asks(
    rf"^\s*(?:with|having|(?:that |which |who )?(?:has|have|had))(?: the)? {_LARGEST}\b"
)
GROUPED: Final = asks(r"\b(?:by|per|for each|for every|each|grouped by|split by|broken down by|in each|across)\b(?: the)?\s*$")  # fmt: skip
OF_WHICH: Final = asks(r"^(?:which|who|whose|what \w+s)\b")
_MANY: Final = rf"(?:{COUNTS}|\d{{1,2}})"
WHICH: Final = asks(rf"\b(?:which|what|whose)(?: {_MANY})?\s*$")
WHICH_MANY: Final = asks(rf"\b(?:which|what) (?P<number>{_MANY}) (?=[^?.]*\b(?P<way>{_LARGEST})\b)")
"""Several are wanted of what comes then: "which 3 sites have the most tickets"."""
GRAINS: Final[dict[str, Grain]] = {
    "year": "year", "years": "year", "yearly": "year", "annually": "year", "month": "month", "months": "month",
    "monthly": "month", "quarter": "quarter", "quarters": "quarter", "quarterly": "quarter", "day": "day", "daily": "day",
}  # fmt: skip
_HAVE_NOT: Final = r"(?:do|does|did)(?:n['’]?t| not) have|(?:have|has|had)(?:n['’]?t| not)(?: yet)? got|(?:have|has|had)(?:n['’]?t| not)(?= an?| any)"
_LACKING: Final = r"without|w/o|with no|missing|blank|empty"
BLANK: Final = asks(rf"\b(?:{_HAVE_NOT}|{_LACKING}|(?:is|are|has|have|had) no|no|not (?:yet )?(?:set|filled|given|assigned))(?: an?| any)?\s*$")  # fmt: skip
FILLED: Final = asks(rf"\b(?:(?:not|(?:is|are)n['’]?t) (?:{_LACKING})(?: an?| any)?|(?:with|have|has|had|having)(?: got)?(?: an?| any))\s*$")  # fmt: skip
DENIALS: Final = asks(r"not|(?:is|are|was|were|have|has|had|do|does|did)n['’]?t")
NOT: Final = asks(r"\b(?:not|(?:is|are|was|were|have|has)n['’]?t|except(?: for)?|excluding|other than|but not|apart from|non|without|w/o|leav(?:e|ing) out|ignor(?:e|ing)|not counting)[ -](?:in |from |the |yet |been )*$")  # fmt: skip
LIST: Final = asks(r"^(?:please )?(?:list|show|give|name|find)\b|\b(?:names|list of|which ones|who are)\b|\bnames?$|\bids?$")  # fmt: skip
WHO: Final = asks(r"^who(?:['’]?s| is| are)?\b(?!.*\bheads? (?:of|in|at)\b)")
SHARE: Final = asks(r"\b(?:how many times|times (?:as|the)|how much (?:more|less|higher|lower|cheaper)|by how (?:much|many)|share|proportion|percentage|percent|per cent|ratio|fraction|grow\w*|grew|difference|change[ds]?|correlat\w+|trend|forecast|predict\w*|why|how come)\b|%")  # fmt: skip
REASON: Final = asks(r"\b(?:why|how come|what (?:caused|drove|explains))\b")
TWO_SIDES: Final = asks(r"\b(?:vs\.?|versus|compared (?:to|with)|against)\b")


SIZED: Final = asks(r"\b(?:biggest|largest|greatest|best|top|smallest|worst)\b")
VALUE: Final = asks(r"\b(?:value|size|amount|worth)\b")
ORDERED_BY: Final = "I ordered them by “{name}”."
ORDERED_BY_ROWS: Final = "I ordered them by how many rows each has."
EACH_ROW: Final = "Each row is one of its own: the same “{name}” may stand in several."
BEGINS: Final = "I took “{words}” for the rows whose “{name}” begins with “{letters}”."
COUNTED: Final = "I counted the rows; I did not add up “{name}”."
OF_ALL_THAT_FIT: Final = "Each share is one of all the rows that fit."
ADDED_UP: Final = "I added up “{name}”."
TAKEN_FOR: Final = "I took “{name}” for it."
DATES_OF: Final = "I took the dates for those of “{name}”."
MONTH_OF: Final = "I took the month for that of {year}, the latest in the table."


def operator(text: str) -> bool:
    """Tell whether a text asks for something to be counted, added up, averaged or put in order."""
    return any(each.search(text) for each in (TOP, COUNT, MEAN, MEDIAN, SUM, MOST, LEAST))
