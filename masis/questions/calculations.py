"""Say whether a question asks for a calculation, and whether a source states just its result."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from masis.questions.question_parts import asking
from masis.text.lexical import terms

_FIGURE: Final = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twice|half|double)\b",
    re.IGNORECASE,
)
_AMOUNT: Final = (
    r"(?:revenue|sales|cost|price|fee|rate|amount|number|figure|budget|margin|profit|income|salar"
    r"|allowance|limit|expense|spend|size|weight|length|price|tax|days|hours|weeks|months|years"
    r"|premium|turnover|headcount|temperature|score|result|speed|interest|dividend|pay|value|rise"
    r"|percent|%|[£$€])"
)
_MORE: Final = (
    r"(?:more|less|fewer|higher|lower|bigger|larger|smaller|longer|shorter|cheaper|dearer|greater"
    r"|heavier|lighter|older|younger|faster|slower|taller|wider|deeper|hotter|colder|warmer)"
)
_BY: Final = (
    r"\b(?:up|down|gr[eo]w|grown|rose|risen|fell|fallen|increased?|decreased?|drop|dropped|declined?"
    r"|shrank|shrunk) (?:(?:by|of) (?:\w+ )?[£$€]?\d|(?:\w+ )?\d\S*\s?(?:%|per ?cent))"
)
"""A source that states a change: "up 8 %", "fell by 27 kg"; "up from 187" leaves it to be calculated."""


_MOST: Final = (
    r"(?:(?<!at )\b(?:the )?(?:cheapest|dearest|costliest|(?:most|least) (?:expensive|costly)|longest|shortest|heaviest"
    r"|lightest|fastest|slowest|hottest|coldest)\b(?!-)"
    r"|(?<!at )\bthe (?:most|least|fewest)\b(?=\W*$|[?.,;]"
    rf"| (?:{_AMOUNT}|people|pupils|staff|units|i|we|you|they|he|she|it|one|anyone|an?|the|that|can|could|may|must|per|in|on"
    r"|for|each|every|to|of (?:all|any))))"
)
"""A superlative of an amount; "at least" is a limit, and "the most recent" no amount."""
_MOST_OF: Final = (
    rf"\b(?:highest|lowest|biggest|largest|smallest|greatest)\b[^?.]{{0,30}}{_AMOUNT}"
    rf"|\b{_AMOUNT}\w*\b[^?.]{{0,60}}\b(?:highest|lowest|biggest|largest|smallest|greatest)\b"
)
_LIMIT: Final = (
    r"\b(?:(?:cheap|dear|costli|long|short|heavi|light|fast|slow|hott|cold|high|low|bigg|larg|small|great|few)est|most|least"
    r"|max(?:imum)?|min(?:imum)?|up to|from (?=[£$€])|limited to|ceiling|(?:not?|cannot|never|must not|may not)"
    r"\b[^.]{0,30}\b(?:more|less|fewer|longer|exceed\w*|under|over|below|above))(?!\w)"
)
"""A source that states the most or the least of something, or a limit."""
_MONEY: Final = re.compile(
    r"\b(?:pay|paid|pays|costs?|prices?|spend|spent|charged?|fees?|cheapest|dearest|costl\w+|expensive|premiums?"
    r"|salar\w+|wages?|earn\w*)\b",
    re.IGNORECASE,
)
AMOUNT_OF_MONEY: Final = re.compile(
    r"[£$€]\s?\d|\b(?:GBP|USD|EUR)(?=\b|\d)|\d\s?(?:[£$€]|(?:pounds?|euros?|dollars?|pence|p)\b|%|per ?cent)"
    r"|\d\.\d\d\b|[£$€]\)",
    re.IGNORECASE,
)


class _Kind(NamedTuple):
    """Hold how a calculation is asked for, and with which words a source states its result."""

    asks: re.Pattern[str]
    states: re.Pattern[str]
    needs_figures: bool = False


def _kind(asks: str, states: str, *, needs_figures: bool = False) -> _Kind:
    return _Kind(re.compile(asks, re.IGNORECASE), re.compile(states, re.IGNORECASE), needs_figures)


_KINDS: Final = (
    _kind(rf"{_MOST}|{_MOST_OF}", _LIMIT, needs_figures=True),
    _kind(
        r"\b(?:twice|double|triple|half|(?:three|four|five|ten|\d+) times) (?:as|the|that|what|of what)\b",
        r"\b(?:twice|double|triple|half|times)\b",
        needs_figures=True,
    ),
    _kind(
        r"\b(?:how much|what)(?: money)? (?:do|does|did|would|will|can|could|might)\b[^?.]{0,60}\bsaved?\b",
        r"\bsav(?:e|es|ed|ings?)\b",
    ),
    _kind(
        rf"\bhow (?:much|many|far|long)\b[^?.]{{0,40}}\b{_MORE}\b"
        r"|\bby how (?:much|many)\b[^?.]{0,60}\b(?:gr[eo]w|ris|rose|f[ae]ll|increas|decreas|chang|drop|differ)"
        rf"|\bdifferences? (?:in|of) [^?.]{{0,40}}{_AMOUNT}|\b{_AMOUNT}\w* differences?\b"
        r"|\bhow many times (?:more|as|larger|bigger|higher)\b",
        rf"\bdifferences?\b|\d\S* (?:\S+ )?{_MORE}\b|{_BY}",
    ),
    _kind(
        r"\bwhat (?:is|was) the (?:[a-z]+ )?(?:change|increase|decrease|rise|fall|growth)"
        r"(?: ?/ ?\(?(?:decrease|increase|fall)\)?)? in\b",
        rf"\b(?:chang|increas|decreas|grew|growth|rise|rose|fall|fell|drop)\w*|\b{_MORE}\b|{_BY}|\bplus\b",
        needs_figures=True,
    ),
    _kind(
        rf"(?s:^(?=.*\b{_AMOUNT}).*\b(?:differences? between|compar(?:e|ed|es|ing|ison)|versus|vs)\b)",
        r"\bdifferences?\b|\bcompar|\bmore than\b|\bless than\b|\bfewer than\b|\b\w+er than\b|\bversus\b",
        needs_figures=True,
    ),
    _kind(
        r"\bratios?\b|\bproportion of\b|\b(?:what|as a|which|the) (?:share|percentage|fraction|per ?cent|%) of\b"
        r"|\bper (?:head|capita|employee|person|unit|customer|member)\b",
        r"\bratios?\b|\bproportion|\bshares?\b|%|\bper ?cent|\bfraction|\bper \w+",
    ),
    _kind(
        r"\bhow (?:much|many|large|big)\b[^?.]{0,80}\b(?:in|as) (?:a )?(?:per ?cent(?:age)?\b|%)",
        r"%|\bper ?cent|\bshares?\b|\bproportion|\bfraction",
    ),
    _kind(
        r"\b(?:is|are|was|were|costs?|pays?|earns?|takes?|weighs?|has|have) how many times (?:the|that|what|as|an?)\b"
        r"|\bhow many times the\b",
        r"\btimes (?:the|that|what|as|an?|its|their|more)\b|\btwice\b|\bdouble\b|\btriple\b|\bhalf\b",
        needs_figures=True,
    ),
    _kind(
        r"\bhow (?:many|much)\b[^?.]{0,80}\b(?:outside|other than|except|excluding|apart from|remain\w*)\b",
        r"\b(?:outside|other than|except|excluding|apart from|remain\w*|rest|others?)\b",
    ),
    _kind(
        r"\bhow (?:many|much)\b[^?.,;]{0,60}\b(?:(?:has|have|had|did|do|does|are|is|were|was) not|\w{2,6}n['’]t)\b",
        r"\bnot\b|n['’]t\b|\b(?:no|never|without|still|outstanding|missing|remain\w*|rest|others?|un\w+)\b",
    ),
    _kind(
        r"\bin total\b|\baltogether\b|\bcombined\b|\bsum of\b|\b(?:grand )?totals?\b|\badd(?:ed)? up\b"
        r"|\bin sum\b|\bhow (?:many|much)\b[^?.]{0,80}\btogether\b|\ball together\b|\btaken together\b"
        r"|\boverall (?:cost|number|amount|figure)\b",
        r"\btotal|\baltogether\b|\bcombined\b|\bsum\b|\bin all\b|\boverall\b|\btogether\b",
    ),
    _kind(
        r"\baverage\b|\bmean (?:of|value|number|cost|price|time|age|salary)\b|\bthe mean\b|\bmedian\b",
        r"\baverage|\bmean\b|\bmedian\b",
    ),
    _kind(
        r"\bgrowth\b|\b(?:percentage|per ?cent|net|total|relative) (?:change|increase|decrease|rise|drop)"
        r"|\bhow (?:much|fast|far|strongly) (?:did|has|have|had|does|will)\b[^?.]{0,60}\b(?:gr[eo]w|grown|rise|rose|risen|fall|fell|fallen"
        r"|increased?|decreased?|change|changed|drop|dropped|shrunk|shrank|shrink)\b"
        r"|\b(?:change|increase|decrease|rise|drop|decline) in [^?.]{0,60}\b(?:between|from|since|over)\b",
        rf"\b(?:growth|change)[^.|]{{0,40}}\d|{_BY}|\d\S*\s?(?:%|per ?cent) (?:growth|{_MORE})",
    ),
)


_SPAN: Final = r"(?P<{0}>year|month|week|day|hour|annum)"
_UNIT: Final = r"(?P<{0}>year|month|week|day|hour|annum|term|quarter|session|lesson|visit|night)"
_ADVERBS: Final = {
    "yearly": "year", "annually": "year", "annual": "year", "annum": "year", "monthly": "month", "weekly": "week",
    "daily": "day", "hourly": "hour",
}  # fmt: skip
_ASKS_PER: Final = re.compile(
    r"\b(?:how much|what (?:do|does|did|will|would)\b(?=[^?.]{0,80}\b(?:cost|pay|charge|earn|spend)))"
    rf"\b[^?.]{{0,80}}\b(?:(?:per|a|an|each|every|whole|full) {_SPAN.format('span')}\b"
    rf"|(?P<adverb>{'|'.join(_ADVERBS)})\b)"
    rf"|\b{_AMOUNT}\w*\b[^?.]{{0,60}}\b(?:per|a|each|every|whole|full) {_SPAN.format('priced')}\b",
    re.IGNORECASE,
)
_GIVES_PER: Final = re.compile(
    rf"\d[\d.,]*(?:\s\w+)?\s(?:(?:per|a|an|each|every) {_UNIT.format('span')}\b"
    rf"|(?P<adverb>{'|'.join(_ADVERBS)})\b)"
    rf"|\bper {_UNIT.format('column')}\b[^.;|\d]{{0,12}}: ?[£$€]?\d|\bper: {_UNIT.format('named')}\b"
    r"|\b(?P<before>annual|yearly|monthly|weekly|daily|hourly) (?:cost|price|fee|charge|amount|rate|rent|sum|payment)\b"
    r"[^.;|\d]{0,12}: ?[£$€]?\d",
    re.IGNORECASE,
)


def _is_converted(question: str, said: Sequence[str]) -> bool:
    """Tell whether an amount is asked for one span of time and stated for others alone."""
    asked = {_span(match) for match in _ASKS_PER.finditer(question)}
    stated = {_span(match) for text in said for match in _GIVES_PER.finditer(text)}
    told = set(terms(" ".join(said)))
    return bool(asked and stated) and all(
        span not in stated and told.isdisjoint(terms(f"{span} {_PLAIN.get(span, '')}"))
        for span in asked
    )


_PLAIN: Final = {
    "year": "annual yearly annum",
    "month": "monthly",
    "week": "weekly",
    "day": "daily",
}


def _span(match: re.Match[str]) -> str:
    found = next(word for word in match.groupdict().values() if word).casefold()
    return _ADVERBS.get(found, found)


_SEVERAL: Final = re.compile(
    r"\b(?:how much|what|whats|price|cost)\b[^?.]{0,60}?(?<![\w.,£$€-])"
    r"(?P<count>two|three|four|five|six|seven|eight|nine|ten|twelve|[2-9]|[1-9]\d{1,3}) (?:\w+ )?(?!years? old)[a-z]{3,20}s\b",
    re.IGNORECASE,
)
"""A price is asked for several of a thing."""
_SEVERAL_FIRST: Final = re.compile(
    r"(?<![\w.,£$€-])(?P<count>two|three|four|five|six|seven|eight|nine|ten|twelve|[2-9]|[1-9]\d{1,3}) (?!years? old)[a-z]{3,20}(?:s|people)?\b"
    r"[^?]{0,80}[,;.] ?(?:how much|what|whats)\b[^?.]{0,40}\b(?:pay|costs?|prices?|charged?|fees?|claim|spend)\b",
    re.IGNORECASE,
)
"""A price is asked for several of a thing that were spoken of before."""
_EACH: Final = re.compile(r"\b(?:per|each|every|an?)\b", re.IGNORECASE)
_COUNTS: Final = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "twelve": 12,
}  # fmt: skip


def _is_of_several(question: str, said: Sequence[str]) -> bool:
    """Tell whether the price of several is asked for, and that of one is all that is stated."""
    match = _SEVERAL.search(question) or _SEVERAL_FIRST.search(question)
    if match is None or not _MONEY.search(question):
        return False
    word = match["count"].casefold()
    count = rf"(?<![\d.,])(?:{_COUNTS.get(word, word)}|{word})(?![\d,]|\.\d)"
    text = "\n".join(said)
    return not re.search(count, text, re.IGNORECASE) and any(
        _EACH.search(each) and AMOUNT_OF_MONEY.search(each) for each in said
    )


_PER_THING: Final = re.compile(
    r"\b(?:per|for each|for every) (?P<thing>[a-z]{2,20}(?: [a-z]{2,20}){0,2})", re.IGNORECASE
)
_EACH_THING: Final = re.compile(
    r"(?:\b(?:per|each|every|an?)|(?<=\d)/|(?<=\d) /) ?(?P<thing>[a-z]{2,20}(?: [a-z]{2,20}){0,2})",
    re.IGNORECASE,
)
_OF_MONEY: Final = re.compile(
    r"[£$€]\s?\d[\d,.]*|\d[\d,.]*\s?(?:GBP|USD|EUR|pounds?|euros?|dollars?|pence|p)\b"
)
_BEHIND: Final = 40
"""Characters behind an amount in which it is said of what it is the price."""


def _is_per_another(question: str, said: Sequence[str]) -> bool:
    """Tell whether money is asked for per one thing, and every amount is given per another."""
    asked = _PER_THING.search(question)
    if asked is None or not _MONEY.search(question):
        return False
    wanted = set(terms(asked["thing"]))
    texts = [text.partition("\n")[0] for text in said]
    behind = [
        text[one.end() : one.end() + _BEHIND] for text in texts for one in _OF_MONEY.finditer(text)
    ]
    given = [_EACH_THING.search(text.partition(". ")[0]) for text in behind]
    return any(given) and all(
        each is not None and wanted.isdisjoint(terms(each["thing"])) for each in given
    )


def is_asked_only(question: str, said: Sequence[str]) -> bool:
    """Tell whether a question asks for a calculation whose result no statement gives.

    A statement gives it where it has the word that is asked for (a "total", an "average"), a
    figure, and one of the question's other words.
    """
    question = " ".join(asking(question))
    asked = [kind for kind in _KINDS if kind.asks.search(question)]
    has_figures = any(map(_FIGURE.search, said))
    return (
        _is_converted(question, said)
        or _is_of_several(question, said)
        or _is_per_another(question, said)
        or any(
            not any(_states(kind, question, statement) for statement in said)
            for kind in asked
            if has_figures or not kind.needs_figures
        )
    )


def _states(kind: _Kind, question: str, statement: str) -> bool:
    if not kind.states.search(statement) or not _FIGURE.search(statement):
        return False
    if kind is _KINDS[0] and _MONEY.search(question) and not AMOUNT_OF_MONEY.search(statement):
        return False
    rest = set(terms(kind.asks.sub(" ", question)))
    return not rest or not rest.isdisjoint(terms(statement))
