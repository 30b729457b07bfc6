"""Part a question for a share, a change or a ratio into the two that it sets against each other."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from masis.tables.grammar.asking_words import COUNT, asks
from masis.text.grammars.calendar import MONTH, SHORT_MONTHS
from masis.text.periods import name, periods
from masis.values.base import Period
from masis.values.tabular import Derived

ALL: Final = "All"
MOST_FORMS: Final = 12
"""Ways to read a question that are tried."""

_PARTS: Final = r"(?:share|proportion|percentage|percent|per ?cent|pct|fraction|%)"
_HAS: Final = (
    r"(?:is|are|was|were|isn['’]?t|aren['’]?t|has|have|had|haven['’]?t|come|comes|came|go|goes|went|belongs?|do|does|did|don['’]?t|doesn['’]?t"
    r"|got|get|gets|lack|lacks|expires?|expired|costs?|takes?|took|last|lasts|lasted|falls?|fell|stays?|stands?|sits?)"
)
_SHARES: Final = (
    asks(rf"{_PARTS} of (?:all |the |our )*(?P<whole>.+?) (?P<part>{_HAS}\b.+)$"),
    asks(rf"{_PARTS} (?:do|does|did|have|has|had) (?:the |our )?(?P<part>.+?) (?:make(?: up)?|have|had|hold) (?:of|in) (?:all |the |our )*(?P<whole>.+)$"),
    asks(rf"^(?:what(?: is|'s|s)? |how (?:much|big|large|high) (?:is|was) )?(?:the )?(?P<part>.+?) as (?:an? )?{_PARTS} of (?:all |the |our )*(?P<whole>.+)$"),
    asks(rf"{_PARTS} of (?:the |our )?(?P<part>.+?) (?:in|of|among|amongst|out of|within|from) (?:all |the |our )*(?P<whole>.+)$"),
    asks(rf"^(?:the )?(?P<part>.+?)['’]s? {_PARTS} (?:of|in) (?:all |the |our )*(?P<whole>.+)$"),
    asks(rf"^how much of (?:all |the |our )*(?P<whole>.+?) (?P<part>{_HAS}\b.+)$"),
)  # fmt: skip
_SHARE_OF: Final = asks(rf"{_PARTS} of (?:the |our )?(?P<part>.+)$")
_SHARE_EACH: Final = asks(rf"\b{_PARTS} (?:of (?P<whole>.+?) )?(?P<by>(?:by|per|for each) .+)$")
_EACH_SHARE: Final = asks(rf"\b{_PARTS} of each (?P<by>[\w-]+) (?:in|of) (?:all |the |our )*(?P<whole>.+)$")  # fmt: skip

_GREW: Final = (
    r"(?:gr[eo]w(?:n|th|s)?|rise[ns]?|rose|increase[ds]?|go(?:ne)? up|went up|fall(?:en|s)?|fell|drop(?:ped|s)?|decrease[ds]?"
    r"|declin(?:e|es|ed)|go(?:ne)? down|went down|change[ds]?|develop(?:ed|ment)?|shrink|shrank|shrunk|gain(?:s|ed)?)"
)
_CHANGE: Final = asks(rf"\b{_GREW}\b|\bdifference\b|\b(?:how (?:much|many)|by how (?:much|many)|what) (?:percent |% |per ?cent )?(?:more|less|fewer|higher|lower|bigger|smaller)\b")  # fmt: skip
_PERCENT: Final = asks(r"%|\bper ?cent|\bpercent|\bpct\b|\bgrowth\b|\bgrow\b|\bgrew\b|\brelative")
_WITHOUT: Final = (
    asks(rf"\b(?:by how (?:much|many)|how (?:much|many|fast|strongly)|what) (?:percent(?:age)?|per ?cent|%)? ?(?:did|do|does|has|have|was|were|is)\b(?=.*\b{_GREW}\b)"),
    asks(r"\b(?:by |in |and )?(?:how many |what |as )?(?:a )?(?:percent(?:age)?s?|per ?cent|pct|%)(?: terms)?(?!\w)"),
    asks(rf"\b(?:the |a )?(?:year[- ](?:on|over)[- ]year |yoy |y/y )?{_GREW}\b(?: (?:of|in))?"),
    asks(r"\b(?:the )?difference (?:of|in|between)?"),
    asks(r"\b(?:by how much|how much|how many|what) (?=(?:more|less|fewer|higher|lower|bigger|smaller))|\b(?:more|less|fewer|higher|lower|bigger|smaller)\b(?! than \d)"),
    asks(r"\b(?:vs\.?|versus|compared? (?:to|with)|compare|against|than|from|to|between)\s*(?=$|[,;?.]|(?:from|to|than|and|vs)\b)"),
)  # fmt: skip
_SHORT_MONTHS: Final = asks(rf"\b(?:from |between )?{MONTH}(?: ?[’']?(?P<year>\d{{2}}|20\d{{2}}))? (?:to|and|vs\.?|versus|until|till|over|against) {MONTH.replace('month', 'later')} ?[’']?(?P<years>\d{{2}}|20\d{{2}})\b")  # fmt: skip
_BACK: Final = asks(r"\b(?:vs\.?|versus|compared? (?:to|with)|against|over|than|on) (?:the )?(?:year before|previous year|last year|year earlier|prior year)\b|\b(?:year[- ](?:on|over)[- ]year|yoy|y/y)\b")  # fmt: skip
_STRETCH: Final = asks(rf"\b(?:from |between )?{MONTH} (?:to|until|through) {MONTH.replace('month', 'later')} (?P<years>20\d{{2}})\b")  # fmt: skip
_MONTH: Final = asks(rf"\b{MONTH}")
_BETWEEN: Final = asks(
    r",? ?(?:or|vs\.?|versus|against|compared (?:to|with)|than|and)(?: in| the| from)* "
)
_ASKS_WHICH: Final = asks(
    r"^(?:did|do|does|have|has|had|was|were|is|are) (?:we|they|you|it)\b|\bmore\b|\bless\b|\bfewer\b|\bin$"
)
_OF_NUMBERS: Final = asks(r"\b(?:more|fewer|less|how many)\b")
_SIDES: Final = 2
_AVERAGE: Final = asks(
    r"\b(?:on )?(?:the )?(?:av(?:e?ra|er)ge?|avg\.?|mean)(?: (?:number|count) of| of)?(?!\w)"
)
_PER_SPAN: Final = asks(r"\b(?:per|a|each|every|by) (?P<span>day|month|quarter|year)\b|\b(?P<adverb>monthly|quarterly|yearly|annual|daily)\b")  # fmt: skip
_ALONE: Final = asks(r"\b(?:on )?(?:the )?(?:av(?:e?ra|er)ge?|avg\.?|mean)\b")
_PER_THING: Final = asks(r"\b(?:per|for each|for every) (?P<thing>[\w-]+)\b")
_ADDED_UP: Final = asks(
    r"\b(?:revenue|turnover|sales|spend|spending|spent|sold|intake|headcount|staff|employees)\b"
)
_SPANS: Final = {"monthly": "month", "quarterly": "quarter", "yearly": "year", "annual": "year", "daily": "day"}  # fmt: skip


_IN_PERCENT: Final = asks(rf"(?<=\w),? (?:in|as an?) {_PARTS}$")
"""How a share is to be shown, which is how each is."""


_BY: Final = asks(r"\b(?:by|per|for each) [\w-]+")


class Parted(NamedTuple):
    """What is calculated, and the two questions whose answers it is of; the second may be none.

    `labels` are what their answers are called.
    """

    derived: Derived
    first: str
    second: str = ""
    labels: tuple[str, str] = ("", "")


def parted(question: str) -> Iterator[Parted]:
    """Yield the ways to part a question, the likeliest first."""
    text = " ".join(question.split()).rstrip("?!. ")
    share = _IN_PERCENT.sub("", text)
    yield from _means(text)
    if share != text and _two_periods(text) is None and _BY.search(share):
        yield Parted("share", share)
    yield from _share_of_each(share)
    yield from _shares(share)
    yield from _changes(text)
    yield from _spans(text)


def _counted(what: str) -> Iterator[str]:
    """Yield a thing as questions for how much of it there is."""
    yield f"total {what}"
    yield f"how many {what}"


def _shares(text: str) -> Iterator[Parted]:
    for pattern in _SHARES:
        if match := pattern.search(text):
            part, whole = match["part"].strip(), match["whole"].strip()
            joined = part if re.match(_HAS, part, re.IGNORECASE) else f"for {part}"
            for both, alone in zip(_counted(f"{whole} {joined}"), _counted(whole), strict=True):
                yield Parted("share", both, alone, (_label(part), _label(whole)))
    if match := _SHARE_OF.search(text):
        for said in _counted(match["part"]):
            yield Parted("share", said, labels=(_label(match["part"]), ALL))


def _share_of_each(text: str) -> Iterator[Parted]:
    if match := _EACH_SHARE.search(text):
        for said in _counted(f"{match['whole']} by {match['by']}"):
            yield Parted("share", said)
    elif match := _SHARE_EACH.search(text):
        before = text[: match.start()]
        for said in _counted(f"{match['whole'] or before} {match['by']}"):
            yield Parted("share", said)


def _label(said: str) -> str:
    plain = re.sub(
        rf"^(?:{_HAS}\s+)?(?:(?:from|in|at|of|for|by)\s+)?", "", said, flags=re.IGNORECASE
    ).strip(" ,")
    return plain[:1].upper() + plain[1:]


# --- changes -----------------------------------------------------------------------------------


def _changes(text: str) -> Iterator[Parted]:
    """Yield what is asked of one thing in two periods, the later set against the earlier."""
    # Two periods without a word for their change stand side by side, as groups.
    if not (_CHANGE.search(text) or _PERCENT.search(text) or _BACK.search(text)):
        return
    found = _two_periods(text)
    if found is None:
        return
    rest, earlier, later = found
    kind: Derived = "growth" if _PERCENT.search(text) else "difference"
    counts = "how many " if COUNT.search(text) else ""
    for pattern in _WITHOUT:
        rest = pattern.sub(" ", rest)
    rest = " ".join(COUNT.sub(" ", rest).split()).strip(" ,;:")
    labels = (name(later), name(earlier))
    for lead in [counts] if counts else ["total ", "how many "]:
        yield Parted(kind, f"{lead}{rest} in {labels[0]}", f"{lead}{rest} in {labels[1]}", labels)


def _spans(text: str) -> Iterator[Parted]:
    """Yield what is asked of one thing in two stretches of months, the first set against the second."""
    found = list(_STRETCH.finditer(text))
    later_first = sorted(found, key=_start, reverse=True)
    if len(found) != _SIDES or not _BETWEEN.fullmatch(text[found[0].end() : found[1].start()]):
        return
    rest = f"{text[: found[0].start()]} {text[found[1].end() :]}"
    rest = _ASKS_WHICH.sub(" ", rest)
    for pattern in _WITHOUT:
        rest = pattern.sub(" ", rest)
    rest = " ".join(COUNT.sub(" ", rest).split()).strip(" ,;:")
    one, other = (_MONTH.sub(lambda month: month[0].capitalize(), each[0]) for each in later_first)
    kind: Derived = "growth" if _PERCENT.search(text) else "difference"
    for lead in ("how many ", "total ") if _OF_NUMBERS.search(text) else ("total ", "how many "):
        yield Parted(kind, f"{lead}{rest} from {one}", f"{lead}{rest} from {other}", (_label(one), _label(other)))  # fmt: skip


def _start(match: re.Match[str]) -> tuple[int, int]:
    """Return the year and the month that a stretch begins with."""
    return int(match["years"]), SHORT_MONTHS.index(match["month"][:3].casefold())


def _two_periods(text: str) -> tuple[str, Period, Period] | None:
    """Return a text without its two periods, and these, the earlier first."""
    if match := _SHORT_MONTHS.search(text):
        year = match["year"] or match["years"]
        said = f"{match['month']} {_full(year)}, {match['later']} {_full(match['years'])}"
        spans = [each.period for each in periods(said)]
        rest = f"{text[: match.start()]} {text[match.end() :]}"
    else:
        placed = periods(text)
        spans = [each.period for each in placed]
        rest = text
        for each in reversed(placed):
            rest = f"{rest[: each.start]}{rest[each.end :]}"
        if len(spans) == 1 and (match := _BACK.search(rest)) and spans[0].year:
            spans.append(spans[0].model_copy(update={"year": spans[0].year - 1}))
            rest = f"{rest[: match.start()]} {rest[match.end() :]}"
    if len(spans) != 2 or spans[0].kind != spans[1].kind or not all(each.year for each in spans):
        return None
    earlier, later = sorted(spans, key=lambda each: (each.year or 0, each.part, each.day))
    return (rest, earlier, later) if earlier != later else None


def _full(year: str) -> str:
    return year if len(year) > 2 else f"20{year}"


# --- means of spans ----------------------------------------------------------------------------


def _means(text: str) -> Iterator[Parted]:
    """Yield how many there are a month, or how much is sold in one: the mean of the months."""
    yield from _mean_of_things(text)
    average, span = _AVERAGE.search(text), _PER_SPAN.search(text)
    if average is None or span is None or not (COUNT.search(text) or _ADDED_UP.search(text)):
        return
    grain = span["span"] or _SPANS[span["adverb"].casefold()]
    rest = _PER_SPAN.sub(" ", _AVERAGE.sub(" ", text))
    lead = "" if COUNT.search(rest) else "how many " if not _ADDED_UP.search(text) else "total "
    yield Parted("mean", f"{lead}{' '.join(rest.split())} per {grain}")


def _mean_of_things(text: str) -> Iterator[Parted]:
    """Yield how many there are for each of several things, or how much: the mean of these."""
    average, per = _AVERAGE.search(text), _PER_THING.search(text)
    if average is None or per is None or _PER_SPAN.search(text):
        return
    counts = COUNT.search(text)
    if not (counts or _ADDED_UP.search(text)):
        return
    rest = " ".join(_PER_THING.sub(" ", _ALONE.sub(" ", text)).split())
    lead = "" if COUNT.search(rest) else "how many " if counts else "total "
    yield Parted("mean", f"{lead}{rest} per {per['thing']}")
