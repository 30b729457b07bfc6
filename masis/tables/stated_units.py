"""Read where a text says in what unit figures are: "(In thousands)", "£k", "all amounts in millions of euros"."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from masis.text.grammars.currencies import CODE
from masis.text.grammars.scales import AMBIGUOUS, COLUMN_LETTERS, COLUMN_SCALES, PLAIN_LETTERS
from masis.text.lexical import terms
from masis.text.quantities import SIGNS

MOST_CHARS: Final = 2_000
"""Characters of a text that are read."""
Reach = Literal["next", "all", "some"]
"""Of which figures it is said: of those that follow, of all in the document, of some that are not named."""

_SIGNS: Final = r"U\.?S\.? ?\$|\b[A-Z]{1,2}\$|[£$€¥]"
_MONEY: Final = (
    rf"(?:{_SIGNS}|\b(?:{CODE})(?=k\b|m\b|mn\b|bn\b|[^A-Za-z]|$)"
    r"|\b(?:(?:US|U\.S\.) )?dollars?\b|\b(?:pounds? )?sterling\b|\beuros?\b)"
)
_CURRENCY: Final = rf"(?:{_MONEY}|\bpounds?\b)"
"""What is a currency beside a scale: "pounds" alone may be what something weighs."""
_SIGN: Final = rf"\b{_SIGNS}|\b(?:{CODE})\b"
_LONG: Final = r"(?:\bthousands?\b|\b(?:m|b)illions?\b|['’‘]000s?\b['’‘]?|\b000['’‘]?s?\b['’‘]?)"
_SHORT: Final = rf"(?:\b(?:{COLUMN_LETTERS})\b\.?)"
_SCALE: Final = rf"(?:{_LONG}|{_SHORT})"
_UNIT: Final = re.compile(
    rf"(?:\bin (?:the )?(?:{_CURRENCY} ?{_SCALE}|{_SCALE} (?:of )?(?:the )?{_CURRENCY}|{_LONG}(?! of\b)|{_MONEY}(?! ?{_SCALE}))"
    rf"|{_CURRENCY},? (?:are |is )?(?:stated |shown |expressed )?in {_LONG}|{_CURRENCY} ?(?:{_SCALE}|(?<=[£$€¥A-Z])(?:{COLUMN_LETTERS})\b)"
    rf"|(?<![\d.,])(?<!\d ){_SCALE} (?:of )?{_CURRENCY})(?! ?\d)",
    re.IGNORECASE,
)
_ALONE: Final = re.compile(
    rf"[\s(\[]*(?:{_LONG}|\b(?:{PLAIN_LETTERS})\b\.?|{_MONEY})[\s)\]]*", re.IGNORECASE
)
_LETTERS: Final = re.compile(rf"[\s(\[]*(?:{'|'.join(AMBIGUOUS)})\.?[\s)\]]*", re.IGNORECASE)
_AMOUNT: Final = re.compile(
    r"(?:\b|_)(?:revenues?|sales|turnover|costs?|prices?|fees?|budgets?|salar(?:y|ies)|wages?|profits?|loss(?:es)?|income|earnings|expenses?"
    r"|expenditure|spend(?:ing)?|debts?|cash|assets|liabilities|equity|capex|opex|ebitd?a?|tax(?:es)?|rents?|funding|investments?)(?:\b|_)",
    re.IGNORECASE,
)
"""Names of what is money, whatever stands beside them."""
_ASIDE: Final = re.compile(r"[(\[]([^()\[\]]{1,160}(?:\([^()]{0,40}\)[^()\[\]]{0,80})?)(?:[)\]]|$)")
_SENTENCE: Final = re.compile(r"(?<=[.!?;])(?<![A-Z]\.)\s+|\n+")
_SUBJECT: Final = re.compile(
    r"\b(?:figures|amounts?|values|numbers|sums|money|currency|tables?|statements|data|results)\b",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(r"^\W*(?:units?|currency|scale|amounts?|figures|values)\b[^:]{0,20}:", re.IGNORECASE)  # fmt: skip
_OF_ALL: Final = re.compile(r"\b(?:all|tabular|throughout|unless)\b", re.IGNORECASE)
_STATED: Final = re.compile(
    r"^\W*(?:all|the|our|these|tabular|monetary|unless|amounts|figures|values|currency)\b"
    r"|\b(?:unless|except|throughout|(?:are|is) (?:stated|shown|expressed|presented|reported|given)|expressed)\b",
    re.IGNORECASE,
)
_SOME: Final = re.compile(r"\b(?:some|certain|several|most|many|others?|where (?:noted|indicated|stated|marked)|sometimes|mostly|may)\b", re.IGNORECASE)  # fmt: skip
_EXCEPT: Final = re.compile(r"\b(?:except(?:ing)?(?: for)?|excluding|other than|apart from)\b([^).;]{0,80})", re.IGNORECASE)  # fmt: skip
_UNITS: Final = re.compile(r"^\W*$|^[\W\d_]*(?:(?:all|figures|amounts|values|in|and|are|of|the|unaudited|audited|year|years|ended|stated|shown)\b\W*)*$", re.IGNORECASE)  # fmt: skip
_DOLLARS: Final = re.compile(r"u\.?s\.? ?\$|(?:us |u\.s\. )?dollars?", re.IGNORECASE)
COUNTED: Final = re.compile(
    r"(?:\b|_)(?:qty|quantity|number|no|count|counted|headcount|pieces|units|persons|people|staff|employees|customers|subscribers|rate|pct|visits|calls"
    r"|hours|days|sites|stores|shops|orders|tickets)(?:\b|_)",
    re.IGNORECASE,
)
"""Names of what is counted: the money of a table is not its unit."""
_EACH: Final = re.compile(r"\bper\b|\bprices?\b|\beach\b", re.IGNORECASE)
"""Of one thing: a table in thousands has it in full."""
_SHARE: Final = re.compile(r"\bper (?:\w+ )?share\b|\bshares\b", re.IGNORECASE)
_PLAIN: Final = frozenset(terms("number numbers of the and data amount amounts figures for in"))
_LONGEST_LINE: Final = 160


class Stated(NamedTuple):
    """Hold what is said of figures: their currency, what they are to be multiplied by, and in what words.

    `apart` are the words for what it is not said of.
    """

    currency: str = ""
    scale: int = 1
    said: str = ""
    apart: str = ""
    reach: Reach = "next"

    @property
    def dimensions(self) -> tuple[str, int]:
        """Return currency and scale."""
        return self.currency, self.scale

    def holds_for(self, *names: str) -> bool:
        """Tell whether it is said of a figure of this column and row: of no price, and of nothing excepted."""
        is_each = not self.currency and any(map(_EACH.search, names))
        return not is_each and not self._excepts(" ".join(names))

    def _excepts(self, name: str) -> bool:
        """Tell whether a figure is of what it is not said of: "except per share data"."""
        own = frozenset(terms(name))
        apart = (frozenset(terms(self.apart)) - _PLAIN) & own
        return bool(apart and (_SHARE.search(name) or apart - frozenset(terms("share shares"))))


def unit_in(text: str) -> Stated | None:
    """Read the unit that a name states: that of a column, a row, a table: "Net sales (in thousands)"."""
    return _unit_of_name(text) if len(text) <= _NAME_CHARS else _unit_of(text)


def _unit_of(text: str) -> Stated | None:
    match = _UNIT.search(text[:MOST_CHARS])
    if match is not None:
        return _read(match[0], text)
    asides = [text, *_ASIDE.findall(text)]
    alone = next((each for each in asides if _is_alone(each.strip(), text)), None)
    return _read(alone, text) if alone else None


# The name of a column is read for each of its cells.
_unit_of_name = lru_cache(maxsize=2048)(_unit_of)
_NAME_CHARS: Final = 200


def _is_alone(aside: str, name: str) -> bool:
    """Tell whether a remark is a unit of money and nothing else: "(m)" is one of "Revenue (m)"."""
    letters = is_of_money(name) and _LETTERS.fullmatch(aside)
    return bool(_ALONE.fullmatch(aside) or letters)


def is_of_money(name: str) -> bool:
    """Tell whether a name is that of an amount, in which a lone "m" is a million and no metre."""
    return bool(_AMOUNT.search(name))


def currency_in(text: str) -> str:
    """Return the currency that a name has: that of "Price ($)", "2019 NT$", "Net GBP"."""
    match = re.search(_SIGN, text)
    return _sign(match[0]) if match else ""


def statements(text: str) -> Iterator[Stated]:
    """Yield what sentences, lines and remarks in brackets say of the unit of figures."""
    yield from _statements(text[:MOST_CHARS])


# A run looks at the same passages with every search.
@lru_cache(maxsize=512)
def _statements(text: str) -> tuple[Stated, ...]:
    return tuple(filter(None, map(_statement, _SENTENCE.split(text))))


def _statement(sentence: str) -> Stated | None:
    match = _UNIT.search(sentence)
    label = _LABEL.search(sentence)
    if match is None:
        rest = sentence[label.end() :].strip() if label else ""
        return _read(rest, sentence) if rest and _ALONE.fullmatch(rest) else None
    found = _read(match[0], sentence)
    rest = f"{sentence[: match.start()]} {sentence[match.end() :]}"
    aside = next((each for each in _ASIDE.findall(sentence) if _UNIT.search(each)), "")
    subject = _SUBJECT.search(rest)
    is_short = len(sentence) <= _LONGEST_LINE
    if _SOME.search(rest) and subject:
        return found._replace(reach="some")
    if aside:
        return found._replace(reach="all" if _OF_ALL.search(aside) else "next")
    if label:
        return found
    if subject and _STATED.search(sentence):
        return found._replace(reach="all")
    return found if is_short and _UNITS.search(rest) else None


def _read(unit: str, text: str) -> Stated:
    plain = " ".join(unit.split())
    sign = re.search(_CURRENCY, plain, re.IGNORECASE)
    rest = plain.replace(sign[0], " ", 1) if sign else plain
    scale = re.search(rf"{_SCALE}|(?:{COLUMN_LETTERS})$", rest, re.IGNORECASE)
    apart = _EXCEPT.search(text)
    return Stated(
        _sign(sign[0]) if sign else "",
        _scale(scale[0]) if scale else 1,
        plain.strip(" ()[]"),
        apart[1].strip() if apart else "",
    )


def _sign(said: str) -> str:
    plain = said.strip().casefold()
    if _DOLLARS.fullmatch(plain):
        return "$"
    if plain.startswith(("pound", "sterling", "euro")):
        return "€" if plain.startswith("euro") else "£"
    return SIGNS.get(said.upper(), said.upper())


def _scale(said: str) -> int:
    plain = said.casefold().strip(".'’‘ ").removesuffix("s").strip("'’‘")
    return COLUMN_SCALES.get(plain, 1)
