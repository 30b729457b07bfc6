"""Hold the patterns by which a question tells what it wants calculated."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from masis.domain import CalculationKind
from masis.text.lexical import terms
from masis.values.base import PeriodKind

_THINGS: Final = r"[^?.;]"
_MORE: Final = (
    r"(?:more|less|fewer|higher|lower|bigger|larger|smaller|longer|shorter|cheaper|dearer|greater"
    r"|heavier|lighter|older|younger|faster|slower)"
)
CHANGE: Final = (
    r"(?:gr[eo]w|grown|growth|ris(?:e|en|es)|rose|fall(?:en|s)?|fell|increas\w+|decreas\w+|chang\w+|dropp?\w*"
    r"|declin\w+|shrank|shrunk|shrink|improv\w+|worsen\w*|went (?:up|down))"
)
PERCENT: Final = r"(?:%|per ?cent|percentage)"
MEASURES: Final[dict[str, tuple[str, str, str]]] = {
    "weight": ("heaviest", "lightest", "weight kg weigh mass"),
    "length": (
        "longest",
        "shortest",
        "length duration time long days hours months minutes mm cm term",
    ),
    "height": ("tallest", "lowest-lying", "height tall"),
    "speed": ("fastest", "slowest", "speed time"),
    "price": ("priciest", "cheapest", "price cost fee rate amount"),
}
"""What an adjective measures: the most, the least, and the words of columns that give it."""


def adjectives(kind: str) -> str:
    """Return an alternation of the adjectives for the most, or for the least."""
    return "|".join(most if kind == "maximum" else least for most, least, _ in MEASURES.values())


WHO: Final = re.compile(
    r"\b(?:who|which|what)(?:['’]?s)?(?: (?:is|are|was|were|of))? (?:the |our |my )?(?:most |least )?(?:cheapest|dearest|priciest|costliest|expensive|best|worst|highest|lowest|biggest|largest|smallest) (?P<by>[a-z][a-z-]+)\W*$"
    r"|\bwhich (?P<noun>[a-z][a-z-]+) (?:is|are|was|were|charges?|costs?|asks?|has|have|had)\b",
    re.IGNORECASE,
)
"""Who or which of what is the dearest, or the first."""
PARTY: Final = re.compile(
    r"\b(?:with|from|to|for|by) (?:our|my|the) (?:biggest|largest|best|smallest|oldest|newest|most important)"
    r" (?:customer|client|supplier|competitor|account|partner|vendor)\b(?! (?:by|in|of)\b)",
    re.IGNORECASE,
)
"""With whom something was done, which is no largest of figures."""
COUNTED: Final = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}


def asks(pattern: str) -> re.Pattern[str]:
    """Compile a pattern whose case does not matter."""
    return re.compile(pattern, re.IGNORECASE)


PARTS_OF: Final = r"(?:share|percentage|per ?cent|proportion|fraction|part|%)"
_DOES: Final = r"(?:is|are|was|were|did|do|does|came|comes|come|goes|go|went|has|have|had|makes?|made|account(?:s|ed)?|contribut\w+)"
_MAKES: Final = r"(?: from| up| for| to| on| as)?"
SHARES: Final = (
    asks(
        rf"\b{PARTS_OF} of (?:the )?(?P<one>[^?.;]+?) (?:over|out of|relative to|in relation to)"
        r" (?:the )?(?P<other>[^?.;]+)"
    ),
    asks(
        rf"(?P<one>[^(?.;,]+?) as (?:an? |the )?{PARTS_OF} of (?:the |all (?:the )?|our )?(?P<other>[^)?.;]+)"
    ),
    asks(
        rf"\b{PARTS_OF} of (?:the |our |all (?:the )?)?(?P<other>[^?.;]+?)"
        rf" {_DOES}{_MAKES} (?P<one>[^?.;]+)"
    ),
    asks(
        rf"\bhow much of (?:the |our |all )?(?P<other>[^?.;]+?) {_DOES}{_MAKES} (?P<one>(?!left\b|used\b|remain|spent\b|unspent\b|over\b)[^?.;]+)"
    ),
    asks(
        rf"\bwhat {PARTS_OF} (?:did|do|does|has|have|had|is|are|was|were) (?P<one>[^?.;]+?) (?:make up |account for |contribute to |represent |have |of|in) ?(?:of |in )?(?:the |our |all )?(?P<other>[^?.;]+)"
    ),
    asks(
        rf"\b(?P<one>[\w&/-]+(?: [\w&/-]+){{0,3}})(?:'s|’s|s') {PARTS_OF} (?:of|in) (?:the |our |all |total )?(?P<other>[^?.;]+)"
    ),
    asks(
        r"\b(?:the |our )?share of (?P<one>[^?.;]+?) in (?:the |our |all |total )?(?P<other>(?!\d|q\d|the (?:first|second|third|fourth))[^?.;]+)"
    ),
)
RATIOS: Final = (
    asks(rf"\bhow many times (?:(?:as \w+ as|{_MORE}(?: \w+)? than|the) )?(?P<other>[^?.;]+?) (?:is|are|was|were|did|does) (?P<one>[^?.;]+)"),
    asks(rf"\bhow many times (?:as \w+|{_MORE}|more \w+) (?:is|are|was|were) (?P<one>[^?.;]+?) (?:as|than) (?P<other>[^?.;]+)"),
    asks(r"^(?P<one>[^?.;]+?) (?:is|are|was|were|costs?|pays?|makes?|has|have) how many times (?:as \w+ as |that of |the price of )?(?:the |an? )?(?P<other>[^?.;]+)"),
    asks(r"\bratio (?:of|between) (?P<one>[^?.;]+?) (?:to|and|over) (?P<other>[^?.;]+)"),
)  # fmt: skip
_SPANS: Final = r"(?:day|week|month|year|hour|annum|night|minute|quarter|term)s?\b"
PER: Final = (
    asks(
        r"(?:^|\b(?:what (?:is|was|were|are)|give me|show me) )(?:the |our )?(?:average |mean )?(?P<one>(?!\w+ (?:do|does|did|is|are)\b|[\w ]*\b(?:prices?|costs?|fees?"
        rf"|rates?|allowances?|charges?|how|what)\b)[a-z]+(?: [\w'-]+){{0,8}}) per (?P<other>(?!{_SPANS})[a-z][\w²-]+(?: (?!(?:in|for|on|at|during|by|with|using)\b)[a-z-]+)?)"
        r"(?= in\b| for\b|,|\?|\.|$| on\b| at\b| during\b| \d| q\d| h\d)"
    ),
    asks(
        rf"\bhow (?:many|much) (?P<one>[^?.;]+?) (?:per|for each|for every) (?P<other>(?!{_SPANS})[a-z][a-z-]+)(?= in\b| for\b|,|\?|\.|$| on\b| at\b| during\b| (?:did|do|does|have|has|were|was)\b)"
    ),
)
_BEYOND: Final = (
    r"(?:exceed(?:s|ed)?|surpass(?:es|ed)?|outstrip(?:s|ped)?|tops|topped|beat(?:s)?|undercut(?:s)?|miss(?:es|ed)?|trails?|trailed|lags?(?: behind)?"
    r"|fall(?:s)? short of|fell short of|(?:stay|stays|stayed|lie|lies|lay|be|remain\w*|come in|came in|ended|end) (?:above|below|over|under|within)"
    r"|above|below|over|under|ahead of|behind|short of|differ(?:s|ed)? from|deviate[sd]? from)"
)
_IS: Final = r"(?:is|are|was|were|do|does|did|has|have|had|will|would)"
DIFFERENCES: Final = (
    asks(r"\b(?:differences?|gap) (?:in (?P<of>[^?.;]+?) )?between (?:the )?(?P<one>[^?.;]+?) and (?:the )?(?P<other>[^?.;]+)"),
    asks(r"^(?P<one>[^?.;]+?) (?:vs\.?|versus|against|compared (?:with|to)|minus) (?:the )?(?P<other>[^?.;,]+?)\W*\b(?:difference|gap)?\W*$"),
    asks(r"^(?P<one>[^?.;,]+?) (?:vs\.?|versus|against|compared (?:with|to)|or) (?:the )?(?P<other>[^?.;,]+?)(?:,| -) (?:who|which|how|what|by how|difference)\b"),
    asks(rf"\b(?:how|by how|so) (?:much|many|far) {_MORE}\b (?P<one>[^?.;]+?) (?:than|compared (?:with|to)|over|on) (?:in |for |on )?(?P<other>[^?.;]+)"),
    asks(rf"\b(?:how|by how) (?:far|much|many)(?: [a-z£%]+)? {_IS} (?P<one>[^?.;]+?) (?:{_MORE} than|{_BEYOND}) (?P<other>[^?.;]+)"),
    asks(r"\bcompare (?:the )?(?P<one>[^?.;]+?) (?:and|with|to|against) (?:the )?(?P<other>[^?.;]+)"),
    asks(rf"^(?P<one>[^?.;]+?)[,:] how (?:many|much|far) (?:[a-z]+ )?(?:{_MORE} than|{_BEYOND}) (?P<other>[^?.;]+)"),
)  # fmt: skip
_BUDGET: Final = r"(?P<one>[^?.;]*?\b(?:budget|funds?|quota)\b[^?.;]*?)"
LEFT: Final = (
    asks(
        rf"\b(?:how much|what|how many)(?: money)?(?: is| was| of)?(?: left)? ?(?:of |in |from )?(?:the |our )?{_BUDGET}"
        r" (?:is |was |are |were |do we have |have we |has been |still )*(?:left|remain\w*|unspent|unused|over|available|outstanding)\b(?P<other>[^?.;]*)"
    ),
    asks(
        rf"\b(?:what|how much) (?:is|was|do we have) (?:still )?left (?:of|in|from) (?:the |our )?{_BUDGET}(?P<other>$|[?.;]| (?:after|by|at|in)\b[^?.;]*)"
    ),
)
"""A budget, and what was spent of it."""
SPENT: Final = asks(r"\b(?:budget|allowance|funds?|quota)\b")
VERSUS: Final = asks(
    r"\b(?:vs\.?|versus|compared?(?: (?:with|to))?|against|up or down|relative to|than)\b"
)
KINDS: Final[tuple[tuple[CalculationKind, re.Pattern[str]], ...]] = (
    ("cagr", asks(r"\bcagr\b|\bcompound(?:ed)? (?:annual|yearly)\b|\b(?:average|annuali[sz]ed|mean) (?:annual |yearly )?growth\b|\bgrowth (?:rate )?(?:per|a|each) (?:year|annum)\b")),
    ("points", asks(r"\bpercentage[ -]points?\b|\bpp\b|%-points?|\bhow many points\b|\bp\.p\.")),
    ("ratio", asks(r"\b(?:ratio|proportion|percentage|share) of\b")),
    ("rank", asks(rf"\b(?:top|first|bottom|last|best|biggest|largest|highest|lowest|smallest) (?:\d{{1,2}}|{'|'.join(COUNTED)})\b(?! (?:months?|quarters?|weeks?|days?|years?|half))|\brank(?:ed|ing)?\b")),
    ("median", asks(r"\bmedian\b")),
    ("mean", asks(r"\bav(?:e?ra|er)ge\b|\bavg\b|\bmean (?:of|value|number|cost|price)\b|\b(?:the|and|or|arithmetic) mean\b|^mean\b|\bon average\b")),
    (
        "growth",
        asks(
            rf"\b{CHANGE}\b{_THINGS}*(?:\bin |by (?:how many )?)?{PERCENT}|{PERCENT} (?:change|increase|decrease|rise"
            rf"|growth|drop|fall)|\bgrowth\b|\bhow (?:much|fast|far|strongly) (?:did|do|does|has|have)\b{_THINGS}*\bgr[eo]w"
            rf"|\b(?:by )?(?:how many |how much |what ){PERCENT}{_THINGS}*\b(?:{CHANGE}|{_MORE})\b|^and in {PERCENT}"
            rf"|\bhow much {_MORE}\b{_THINGS}*{PERCENT}|\b(?:yoy|y/y|y-o-y|qoq|year[- ](?:on|over)[- ]year|quarter[- ](?:on|over)[- ]quarter)\b"
            rf"|\bchange\b{_THINGS}*{PERCENT}|{PERCENT}{_THINGS}*\bchange\b"
        ),
    ),
    (
        "difference",
        asks(
            rf"\bhow (?:much|many|far)\b{_THINGS}*\b(?:{_MORE}|{CHANGE})\b|\bby how (?:much|many)\b|\bdifferences?\b"
            rf"|\bwhat did\b{_THINGS}*\bchange\b|\b(?:did|has|have|do|does)\b{_THINGS}*\b{CHANGE}\b|\bup or down\b"
            r"|\b(?:the|an?|total|net|overall) (?:change|increase|decrease|rise|fall|decline|drop)\b(?: ?/ ?\(?(?:increase|decrease)\)?)? (?:in|of) "
            r"|^(?:change|increase|decrease|rise|fall|drop) (?:in|of) "
        ),
    ),
    (
        "maximum",
        asks(rf"\b(?:highest|largest|biggest|greatest|most expensive|costliest|dearest|strongest|best|maximum|max|peak|{adjectives('maximum')})\b"),
    ),
    ("minimum", asks(rf"\b(?:lowest|smallest|least expensive|cheapest|weakest|minimum|min|{adjectives('minimum')})\b")),
    ("sum", asks(r"\b(?:in total|all in|all told|altogether|combined|sum of|totals?|added up|adds? up|all together|together|in sum|overall)\b|^sum\b")),
)  # fmt: skip
BOTH_WAYS: Final = asks(
    rf"\b(?:and|or) (?:also )?(?:in |by )?(?:how many |what )?{PERCENT}|\b(?:absolute\w*|in pounds|in £|amount)\b{_THINGS}*\b(?:and|or)\b{_THINGS}*{PERCENT}|{PERCENT}{_THINGS}*\band\b{_THINGS}*\b(?:absolute\w*|pounds|amount)\b"
)
"""A change is wanted as an amount and in percent."""
OF_ROWS: Final[frozenset[str]] = frozenset({"mean", "median", "maximum", "minimum", "sum", "count"})
FORECASTS: Final = asks(r"\b(?:forecasts?|outlook|guidance|projected|expected|planned|target|budget)\b")  # fmt: skip
COUNTING: Final = asks(r"\b(?:how many|number of)\b")
PRICING: Final = asks(
    r"\b(?:expensive|cheap\w*|costs?(?! of (?:sales|goods|revenues?|services|materials|production|capital)\b)|costl\w+|dear\w*|pay|pays|paid|prices?)\b"
    r"|\bhow much (?:more|less) (?:is|are|was|were)\b"
)
REASON: Final = asks(r"\b(?:why|how come|what (?:caused|drove|explains))\b")
"""Who asks for the reason of a change wants words."""
MEASURED: Final = asks(
    rf"{_MORE}|\b(?:price|cost|fee|rate|amount|number|earnings|revenue|sales|turnover|budget|margin|profit|income|rent|interest|volume|quantity|capacity|salar\w+|pay"
    r"|wages?|allowance|limit|expenses?|spend|size|weight|length|premium|score|headcount|result)s?\b|[%£$€]|\bhow (?:far|much)\b|\bpoints\b|\bvalue of\b"
)
"""What is asked to differ is an amount: "the difference between a and b" may be told in words."""
GENERIC: Final = frozenset(
    terms(
        "how much many far fast what which was were did does percent percentage point points pp grow grew grown"
        " growth rise rose risen fall fell fallen increase increased decrease decreased change changed drop dropped"
        " decline declined improve improved shrink shrank difference different compared against versus vs more less"
        " fewer higher lower bigger larger smaller longer shorter cheaper greater highest lowest largest smallest"
        " biggest greatest most least expensive cheapest costly cost costs pay paid pays total altogether"
        " combined sum average avrage mean median plain top rank ranked ranking ratio share proportion fraction"
        " per up down between from to than year years quarter half above below over under all give show tell please"
        " exactly roughly number amount figure value order ordered by with whole full calculate compute one our we us"
        " altogether together yoy qoq cagr compound annual annually yearly compare compared comparison vs growing rate"
        " avg quarterly monthly make table chart list each breakdown broken split exceed exceeds beat top whats so long"
        " many few fewest first last second third fourth end start beginning calculated plain simple overall sum"
        " much times time again say said earlier previous prior before after ago against gap remain remaining left"
        " available going gone got get gets develop developed evolve trend absolute percentages pct percents i.e e.g"
        " number numbers count worth still so far fast fastest quick quickest slow slowest strong strongest steep steepest"
        " grew growing rising falling pls plz thx thanks thank k m bn mn take took taken made bring brought pounds pound euros dollars gbp eur percent pct"
    )
)
"""Terms that say what to calculate, and not of what."""
TOTALS: Final = frozenset(terms("total totals all sum overall altogether together whole entire"))
"""Terms of rows that add others up."""


ADDED_UP: Final = asks(r"\b(?:added|adds?) up\b")
"""Says what to calculate, unlike "value added"."""
MONEY: Final = asks(
    r"\bin (?:pounds|euros?|dollars?|gbp|eur|usd|£|\$|€|money)|\bworth\b|\b(?:monetary|total|net|gross|stock) value\b|\bvalue in\b"
)
MOST_BACK: Final = 40
"""Periods that one may lie before another."""
IN_PERCENT: Final = asks(rf"{PERCENT}(?! of\b)(?![ -]?points?)")
POINTS: Final = asks(r"\bpercentage[ -]points?\b|\bpp\b|%-points?|\bhow many points\b")
CHANGED: Final = asks(
    rf"\b{CHANGE}\b|\byoy\b|\by/y\b|\byear[- ](?:on|over)[- ]year\b|\bup or down\b"
)
BEFORE: Final = asks(
    r"\b(?:the |a )?(year|quarter|month|half[ -]year)s? (?:before|earlier|prior|ago)\b"
    r"|\b(?:previous|prior|preceding|last) (year|quarter|month)\b(?! of)|\b(yoy|y/y|y-o-y|year[- ](?:on|over)[- ]year|qoq|quarter[- ](?:on|over)[- ]quarter)\b"
)
SPANS_BEFORE: Final[tuple[tuple[str, PeriodKind], ...]] = (
    ("yoy", "year"), ("y/y", "year"), ("y-o-y", "year"), ("year", "year"), ("qoq", "quarter"), ("quarter", "quarter"),
    ("month", "month"), ("half", "half"),
)  # fmt: skip
LISTED: Final = asks(
    r"\b(?:lines?|rows?|entries|records|items|lists?|directory|register|chart|table|sheet|csv|log|catalogue|spreadsheet|file)\b"
)
"""Words for what is written row by row."""
MOST: Final = asks(
    r"\b(?:which|what|who)(?P<by>(?: [a-z-]+){0,2}) (?:has|have|had|is|are|was|were|did|ordered|bought|sold|made|brought|took|spent|won|lost|earned|got|placed|generated|received|uses?|used|costs?)\b"
    r"[^?.;]*\b(?:the )?(?P<which>most|fewest|least)\b(?! (?:expensive|recent|recently|of|important|likely))"
)
TOP: Final = asks(
    rf"\b(?:the )?(?:top|first|bottom|last|best|biggest|largest|highest|lowest|smallest) (?P<count>\d{{1,2}}|{'|'.join(COUNTED)})\b(?! (?:months?|quarters?|weeks?|days?|years?|half))"
)
TOP_OF: Final = asks(
    rf"\b(?:top|first|bottom|last|best|biggest|largest|highest|lowest|smallest) (?:\d{{1,2}}|{'|'.join(COUNTED)}) (?P<by>[a-z -]{{3,30}}?) (?:by|in|with|for)\b"
)
NET: Final = asks(
    r"\b(?:worth|value|total|cost|price|amount|invoice)\b[^?.;]*\b(?:net|after|less|minus|deducting|with|including)\b[^?.;]*\bdiscount"
    r"|\bnet\b[^?.;]*\b(?:worth|order value|line value|value of (?:the )?(?:order|line))\b|\bworth\b[^?.;]*\bnet\b"
    r"|\bnet\b[^?.;]*\bafter (?:the )?(?:\w+ )?discount|\b(?:order|line) value\b|\b(?:how much|what) (?:is|was|are|were) [^?.;]*\bworth\b|\btotal value in\b"
)
"""What a line comes to: its quantity at its price, less its discount."""
WHOLE: Final = asks(r"\b(?:all|total|whole|entire|everything)\b")
RANKED: Final = asks(r"\brank (?:the |all |our )?(?P<by>[a-z -]{3,30}?) (?:by|in|with|for)\b")
LOWEST: Final = asks(r"\b(?:bottom|lowest|smallest|fewest|least|last)\b")
GROUPED: Final = asks(
    r"\b(?:by|per|for each|for every|broken down by|split by|grouped by) (?!how\b|the end\b|(?:quarter|month|year|half|week|day|hour)s?\b|\d)(?:main |each )?(?P<by>[a-z][a-z-]+)(?= in\b| for\b| of\b|,|\?|\.|$| on\b| at\b| during\b| \d| q\d| as\b| and\b| please\b)"
)


# --- shares that have a name -------------------------------------------------------------------


class Defined(NamedTuple):
    """What a name stands for: two things, and how one is set against the other."""

    kind: CalculationKind
    sides: tuple[str, str]


_DEFINED: Final[tuple[tuple[re.Pattern[str], Defined], ...]] = (
    (asks(r"\bgross (?:profit )?margin\b"), Defined("share", ("revenue less cost of sales", "revenue"))),
    (asks(r"\b(?:operating|ebit) (?:profit )?margin\b"), Defined("share", ("operating result", "revenue"))),
    (asks(r"\b(?:net|profit) margin\b"), Defined("share", ("net profit", "revenue"))),
    (asks(r"\bgross profit\b"), Defined("difference", ("revenue", "cost of sales"))),
    (asks(r"\boperating (?:result|profit|income)\b"), Defined("difference", ("revenue less cost of sales", "overheads"))),
)  # fmt: skip
"""Terms of accounting that every report uses alike."""


def defined(text: str) -> Defined | None:
    """Return what a text's first term of accounting stands for."""
    return next((meant for pattern, meant in _DEFINED if pattern.search(text)), None)


def is_defined(kind: str, sides: Sequence[str]) -> bool:
    """Tell whether two things set against each other are what a term of accounting stands for."""
    return any((kind, tuple(sides)) == meant for _, meant in _DEFINED)


def defined_name(text: str) -> str:
    """Return a text's first term of accounting as it stands there; empty where it has none."""
    found = (pattern.search(text) for pattern, _ in _DEFINED)
    return next((match[0].capitalize() for match in found if match), "")


# --- what changed the most ---------------------------------------------------------------------

_ROSE: Final = r"(?:gr[eo]w|grown|growth|ris(?:es?|en)|rose|increas\w+|gain\w*|fell|fall(?:s|en)?|drop\w*|declin\w+|decreas\w+|shrank|shrunk|chang\w+|improv\w+|went up|went down)"
MOST_CHANGED: Final = asks(
    rf"\b(?:which|what|who)(?: of (?:the |our )?)?(?P<by>(?: [a-z-]+){{1,3}}?) (?:has |have |had )?{_ROSE}\b[^?.;]*?\b(?:fastest|most|least|slowest|strongest|quickest|best|worst)\b"
    rf"|\b(?:fastest|most|slowest|strongest|quickest)[ -](?:growing|rising|falling|declining|changed)\b"
    rf"|\b(?:biggest|largest|highest|steepest|strongest|smallest|lowest|greatest|top (?:\d{{1,2}}|{'|'.join(COUNTED)})) (?:[a-z-]+ ){{0,2}}?{_ROSE}\b"
)
FASTEST: Final = asks(r"\b(?:fastest|slowest|quickest|growth|growing)\b")
FELL: Final = asks(
    r"\b(?:fell|fall(?:s|en|ing)?|drop\w*|declin\w+|decreas\w+|shrank|shrunk|went down)\b"
)
LEAST: Final = asks(r"\b(?:least|slowest|smallest|lowest|worst)\b")
OVER_FORECAST: Final = asks(
    rf"\b(?:how|by how) (?:far|much|many)(?: [a-z£%]+){{0,2}} (?:are|were|is|was|have|did) (?:we|it|they|you)(?: been| come| came)? (?:now )?{_BEYOND} (?:the |our )?"
    r"(?P<other>[^?.;]*\b(?:forecast|budget|target|plan|outlook)\b[^?.;]*)"
)
FORECAST: Final = asks(r"\b(?:forecasts?|outlook|guidance|projected|projections?)\b")
