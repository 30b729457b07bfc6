"""Write abbreviations that people type in a chat in full: "pw", "mtg", "last yr", "4 visitors".

Pure, by closed tables. A workspace whose documents have an abbreviation themselves means something by
it: there it stays (`in_full`).
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from masis.text.grammars.calendar import LONG_MONTHS

FULL: Final = {
    # "Mar" is a word as well.
    **{short: month for short, month in LONG_MONTHS.items() if short not in {"mar", month}},
    "acc": "account",
    "acct": "account",
    "accts": "accounts",
    "addr": "address",
    "amnt": "amount",
    "amt": "amount",
    "appt": "appointment",
    "appts": "appointments",
    "asst": "assistant",
    "avg": "average",
    "bday": "birthday",
    "bldg": "building",
    "cert": "certificate",
    "certs": "certificates",
    "config": "configuration",
    "cust": "customer",
    "custs": "customers",
    "dept": "department",
    "depts": "departments",
    "diff": "difference",
    "eod": "end of the day",
    "eom": "end of the month",
    "eoy": "end of the year",
    "eqpt": "equipment",
    "excl": "excluding",
    "ext": "extension",
    "fri": "friday",
    "govt": "government",
    "hols": "holidays",
    "hrs": "hours",
    "incl": "including",
    "info": "information",
    "inv": "invoice",
    "invs": "invoices",
    "lic": "licence",
    "maint": "maintenance",
    "max": "maximum",
    "mgmt": "management",
    "mgrs": "managers",
    "min": "minimum",
    "mins": "minutes",
    "mon": "monday",
    "mth": "month",
    "mths": "months",
    "mtg": "meeting",
    "mtgs": "meetings",
    "msg": "message",
    "msgs": "messages",
    "nr": "number",
    "num": "number",
    "ot": "overtime",
    "pic": "photo",
    "pics": "photos",
    "pkg": "package",
    "pmt": "payment",
    "prev": "previous",
    "pswd": "password",
    "pw": "password",
    "pwd": "password",
    "pws": "passwords",
    "pymt": "payment",
    "qty": "quantity",
    "rcpt": "receipt",
    "rcpts": "receipts",
    "rd": "road",
    "ref": "reference",
    "reg": "registration",
    "regs": "regulations",
    "reqs": "requirements",
    "sched": "schedule",
    "spec": "specification",
    "specs": "specifications",
    "std": "standard",
    "tel": "telephone",
    "temp": "temperature",
    "temps": "temperatures",
    "thu": "thursday",
    "thur": "thursday",
    "thurs": "thursday",
    "tue": "tuesday",
    "tues": "tuesday",
    "veh": "vehicle",
    "wed": "wednesday",
    "weds": "wednesday",
    "wk": "week",
    "wknd": "weekend",
    "wknds": "weekends",
    "wks": "weeks",
    "yr": "year",
    "yrs": "years",
}
"""What an abbreviation in lower case stands for where no document has it."""

_WORD: Final = re.compile(r"(?<![\w.@/'’&-])[a-z]{2,6}(?![\w@/'’&-]|\.\w)")
_DO: Final = (
    "ask|be|book|bring|buy|call|change|claim|cancel|come|do|fill|find|get|give|go|have|join|know|leave"
    "|log|make|order|park|pay|print|put|register|report|request|return|see|send|sign|speak|submit|take"
    "|talk|tell|travel|use|wait|wear|work|write"
)
_TO: Final = re.compile(
    rf"\b(?P<before>able|allowed|get|going|got|had|has|have|how|like|meant|need|needs|supposed|want"
    rf"|wants|what|when|where|who) 2 (?={_DO}\b)(?!(?:call|change|order|park|report|request|sign)s\b)"
)
_ONE: Final = r"(?:the|a|an|my|our|your|ur|his|her|their|this|that|me|us|him|them|u|you|it)\b"
_PEOPLE: Final = (
    r"(?:visitors|guests|staff|contractors|customers|new starters|everyone|everybody)\b"
)
_HOUR: Final = "".join(
    rf"(?<!\b{word})"
    for word in ("at", "by", "from", "before", "after", "until", "till", "since", "around", "about")
)
"""Behind these a figure is an hour: "at 4 this morning"."""
_FOR: Final = re.compile(rf"(?<=[a-z]){_HOUR} 4 (?={_ONE})")
_COUNTS: Final = (
    "about|all|and|any|are|at|be|bring|every|expect|expecting|first|for|get|getting|got|had|has|have"
    "|in|invite|is|last|least|most|need|next|of|only|or|other|our|than|the|these|those|to|were|with"
)
_FOR_PEOPLE: Final = re.compile(rf"(?P<before>\b(?!(?:{_COUNTS}) )[a-z]+) 4 (?={_PEOPLE})")
_WITH: Final = re.compile(
    r"(?<![\w/])(?:w/ ?(?=\w)|w (?=(?:the|a|an|my|our|your|their|his|her|no|all|this|that)\b))"
)
_LEAST: Final = re.compile(
    r"(?<!\d )(?<!\bmany )(?<!\bfew )(?<!\ba )(?<!\bper )(?<!\beach )(?<![\w-])min (?=(?!and|for|from|after|before|per|the)[a-z]{3})"
)
_QUID: Final = re.compile(r"(?<![\w£.,])(\d[\d,]*k?) ?quid\b")
_MINUTES: Final = re.compile(r"(?<=\bmany )min\b|(?<=\d )min\b")
_SIGNS: Final = (
    (re.compile(r"(?<![\w/])w/o\b"), "without"),
    (re.compile(r"(?<![\w/])b/c\b"), "because"),
    (re.compile(r"(?<![\w/])b4\b"), "before"),
    (re.compile(r"(?<![\w/])2(?:moro|morrow)\b"), "tomorrow"),
    (re.compile(r"(?<![\w/])2day\b"), "today"),
    (
        re.compile(r"\btill(?= (?:what|when|which|the|mid|noon|\d|tomorrow|today|\w+day\b))"),
        "until",
    ),
)


def with_small_words(text: str) -> str:
    """Write what stands for a small word in full: "w/o", "have 2 pay", "the form 4 my boss"."""
    for sign, word in _SIGNS:
        text = sign.sub(word, text)
    text = _WITH.sub("with ", text)
    text = _QUID.sub(r"£\1", _LEAST.sub("minimum ", text))
    text = _TO.sub(lambda match: f"{match['before']} to ", text)
    text = _FOR.sub(" for ", text)
    return _FOR_PEOPLE.sub(lambda match: f"{match['before']} for ", text)


def abbreviations(text: str) -> Iterator[str]:
    """Yield what of a text may be abbreviated."""
    yield from dict.fromkeys(match[0] for match in _WORD.finditer(text) if match[0] in FULL)


def in_full(text: str, has: Callable[[str], bool] = lambda _: False) -> str:
    """Return a text with abbreviations in full, but those that a workspace's documents have."""
    text = text if has("min") else _MINUTES.sub("minutes", text)
    return _WORD.sub(
        lambda match: match[0] if has(match[0]) else FULL.get(match[0], match[0]), text
    )
