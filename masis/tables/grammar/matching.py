"""Find what the words of a question name in a table: its columns, the values in them, the table itself."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from masis.tables.cell_values import CURRENCY_NAMES, MEASURED_IN
from masis.tables.grammar.words import FILLERS, AskedWords, Token, stem
from masis.text.given_names import GIVEN_NAMES
from masis.text.grammars.calendar import ANY_SHORT_MONTH
from masis.text.periods import periods
from masis.values.tabular import Column, TableInfo
from masis.words import countries
from masis.words.abbreviations import FULL
from masis.words.mistyped import is_slip

LONGEST: Final = 6
"""Words of a value that is looked for."""
_PREFIX: Final = 5
"""Letters that two forms of a word share: `expiring` and `Expiry`."""
_ASIDE: Final = re.compile(r"[(\[][^()\[\]]*[)\]]")
_PART: Final = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")
_SMALL: Final = frozenset({"of", "the", "to", "in", "per", "by", "and", "for", "on", "at", "a", "no", "date", "name", "number", "id", "is"})  # fmt: skip
"""Words of a column's name that need not be said."""
_PREPOSITIONS: Final = frozenset({"of", "to", "in", "per", "by", "for", "on", "at", "from", "until", "without", "incl", "excl"})  # fmt: skip
_UNITS: Final = (
    frozenset({"pct", "percent", "eur", "gbp", "usd", "amount", "value", "sum"}) | MEASURED_IN
)
"""Words at the end of a name that say what its figures are in."""
_NAMES: Final = frozenset({"name", "names"})
"""Words behind what a name is of: a "customer name" is a customer."""
_NOUN: Final = 0.2
"""The weight of a column of whose name only what it is of is said: "contracts" of "contract years"."""
_ID: Final = re.compile(r"(?=[^\s]*\d)[^\W_]{0,8}[-/#]?\d[\w/-]*")
_NAME_CHARS: Final = 32
_FEW_VALUES: Final = 200
"""Of a column whose values are looked for by a part of them."""

KINDS: Final = {
    "money": frozenset("pay paid pays spend spent spending cost costs price prices priced expensive cheap cheapest dearest priciest costliest worth revenue turnover sales amount value money fee fees charge charges sold sell sells selling earn earned".split()),
    "duration": frozenset("long longest longer short shortest took take takes duration time hours days minutes quick quickest slow slowest fast fastest".split()),
    "length": frozenset("long longest longer short shortest shorter far farther farthest furthest".split()),
    "people": frozenset("people ppl person persons heads head headcount staff employees employee colleagues workers fte ftes".split()),
    "quantity": frozenset("quantity quantities qty units pieces".split()),
    "date": frozenset("when latest newest oldest earliest recent old older new end ends ending ended expire expires expired expiring start starts started due dated".split()),
    "person": frozenset("who whom whose".split()),
}  # fmt: skip
"""Words that mean a column by what its cells are, and not by its name."""
VAGUE: Final = frozenset(
    "amount value worth time long longest longer short shortest take took takes spend spent spending".split()
)
"""Those of them that say of any amount how much it is."""
_PERSONS: Final = frozenset(
    map(
        stem,
        "assignee customer client employee owner rep agent name contact manager person author engineer lead user"
        " supplier vendor requester seller buyer staff member teacher driver".split(),
    )
)
_PRICES: Final = frozenset(map(stem, ("price", "cost", "fee", "charge", "amount")))
_RATES: Final = frozenset(
    map(
        stem,
        (
            "price",
            "fee",
            "rate",
            "rating",
            "average",
            "mean",
            "share",
            "margin",
            "percent",
            "score",
            "age",
        ),
    )
)
AMOUNTS: Final = ("money", "duration", "people", "quantity")
_QUANTITIES: Final = frozenset(map(stem, ("qty", "quantity", "units", "pieces")))
_DURATIONS: Final = frozenset({"hour", "hours", "h", "hrs", "day", "days", "d", "min", "mins", "minutes", "minut", "durat", "time", "second", "seconds", "week", "month"})  # fmt: skip

_LENGTHS: Final = frozenset(
    {"km", "m", "cm", "mm", "mi", "miles", "metres", "meters", "kilometres"}
)
_LENGTH_NAMES: Final = frozenset(map(stem, ("distance", "length", "mileage")))

_NAMED_ONCE: Final = 10
"""One row in so many may have the name of another person."""
_FULL_NAME: Final = re.compile(r"(?:[^\W\d_][\w.'’-]*,? ){1,3}[^\W\d_][\w.'’-]*")


class Match(NamedTuple):
    """A column that words name; `weight` says how surely."""

    column: Column
    start: int
    end: int
    weight: float


class Valued(NamedTuple):
    """A column of which words name values."""

    column: Column
    values: tuple[str, ...]
    start: int
    end: int
    is_exact: bool


@lru_cache(maxsize=4096)
def parts(name: str) -> tuple[str, ...]:
    """Return the words of a name, without what stands in brackets, joined ones parted."""
    plain = _ASIDE.sub(" ", name).replace("_", " ")
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", plain)
    return tuple(word.casefold() for word in _PART.findall(plain))


@lru_cache(maxsize=16_384)
def alike(said: str, named: str) -> float:
    """Tell how surely two words are forms of one: 1 for the same, 0 for others."""
    if said == named:
        return 1.0
    one, other = stem(FULL.get(said, said)), stem(FULL.get(named, named))
    if one == other:
        return 0.9
    shared = len(_common(said, named))
    shorter = min(len(one), len(other))
    if shared >= _PREFIX and shared >= shorter - 1:
        return 0.7
    return 0.5 if len(named) > _PREFIX and is_slip(said, named) else 0.0


def _common(one: str, other: str) -> str:
    at = 0
    while at < min(len(one), len(other)) and one[at] == other[at]:
        at += 1
    return one[:at]


# --- columns ---------------------------------------------------------------------------------


def columns(asked: AskedWords, table: TableInfo) -> Iterator[Match]:
    """Yield the columns whose names the free words say, the surest first of those that overlap."""
    found: list[Match] = []
    for column in table.shape.columns:
        found += _named(asked, column)
    found.sort(key=lambda each: (-(each.end - each.start), -each.weight))
    taken: list[Match] = []
    for each in sorted(found, key=lambda each: -each.weight):
        if not any(each.start < one.end and each.end > one.start for one in taken):
            taken.append(each)
    yield from sorted(taken, key=lambda each: each.start)


def _named(asked: AskedWords, column: Column) -> Iterator[Match]:
    """Yield where a column's name is said: all of its words that matter, or its most telling one."""
    words = parts(column.name)
    telling = [word for word in words if word not in _SMALL] or list(words)
    if not telling or is_period(column):
        return
    tokens = asked.tokens
    for at, token in enumerate(tokens):
        if token.read or (token.plain in FILLERS and token.plain not in words):
            continue
        if not any(alike(token.plain, word) for word in telling):
            continue
        run, sure = _run(tokens, at, words)
        said = {word for word in telling if any(alike(each.plain, word) for each in run)}
        share = len(said) / len(telling)
        if not said or (len(run) == 1 and run[0].plain in FILLERS and share < 1):
            continue
        weight = sure * (0.4 + 0.6 * share) + 0.05 * len(said)
        if head(words) not in said and not _means(asked, column):
            weight = _NOUN
        yield Match(column, run[0].start, run[-1].end, weight)


def head(words: Sequence[str]) -> str:
    """Return the word of a name that says what it is: "price" of "price per year", "years" of "contract years"."""
    cut = next((at for at, word in enumerate(words) if at and word in _PREPOSITIONS), len(words))
    telling = [word for word in words[:cut] if word not in _UNITS]
    of_what = [word for word in telling if word not in _NAMES]
    return (of_what or telling or [words[cut - 1]])[-1]


def _means(asked: AskedWords, column: Column) -> bool:
    """Tell whether a question speaks of what a column's cells are, in words of their kind."""
    return any(
        each.plain in said and is_of(column, kind)
        for kind, said in KINDS.items()
        for each in asked.tokens
    )


def _run(tokens: Sequence[Token], at: int, words: Sequence[str]) -> tuple[list[Token], float]:
    """Return the words from one on that stand in a name, and how surely they are its own."""
    run: list[Token] = []
    sure = 0.0
    for token in tokens[at : at + LONGEST + 2]:
        best = max((alike(token.plain, word) for word in words), default=0.0)
        if token.read or not best:
            break
        run.append(token)
        sure = max(sure, best)
    while len(run) > 1 and run[-1].plain in _SMALL:
        run.pop()
    return run, sure


def is_period(column: Column) -> bool:
    """Tell whether a column is called by a period: `Oct 26`, `2025`, `Q1`."""
    found = periods(column.name)
    return column.type == "number" and (
        any(len(column.name) - (each.end - each.start) <= 2 for each in found)
        or bool(_MONTH_NAME.fullmatch(column.name))
    )


def grain_of(column: Column) -> str:
    """Return of which stretch of time a column is that is called by one; empty for others."""
    if not is_period(column):
        return ""
    found = periods(column.name)
    return found[0].period.kind if found else "month"


_MONTH_NAME: Final = re.compile(
    rf"(?:{ANY_SHORT_MONTH})[a-z]*\.?[ -/']?(?:(?:19|20)?\d{{2}})?", re.IGNORECASE
)  # fmt: skip


def of_kind(asked: AskedWords, table: TableInfo, kind: str) -> Match | None:
    """Return the column that words of its kind mean, where there is one such column."""
    token = next(
        (each for each in asked.tokens if not each.read and each.plain in KINDS[kind]), None
    )
    if token is None:
        return None
    fits = [column for column in table.shape.columns if is_of(column, kind)]
    if kind == "money" and not fits:  # its currency stands in another column
        several = (column for column in table.shape.columns if is_money(column))
        fits = [column for column in several if is_additive(column)]
    return Match(fits[0], token.start, token.end, 0.6) if len(fits) == 1 else None


def is_quantity(column: Column) -> bool:
    """Tell whether a column says how many of something a row has."""
    return is_of(column, "quantity")


def is_money(column: Column) -> bool:
    """Tell whether a column says what something costs."""
    named = {stem(word) for word in parts(column.name)} & _PRICES
    is_product = column.formula is not None and column.formula.kind == "product"
    return column.type == "number" and bool(column.currency or named or is_product)


def is_additive(column: Column) -> bool:
    """Tell whether the cells of a column come to something: amounts and hours do, prices and rates do not."""
    if column.type != "number" or column.is_name or column.unit == "%":
        return False
    if column.formula is not None:
        return True
    is_rate = is_rate_of(column)
    return (not is_rate and any(is_of(column, kind) for kind in AMOUNTS)) or (
        is_money(column) and not is_rate
    )


def is_rate_of(column: Column) -> bool:
    """Tell whether a column says so much for one, which comes to nothing added up: a price, a score, a share."""
    words = parts(column.name)
    is_called = "per" in words or bool({stem(word) for word in words} & _RATES)
    return column.formula is None and (column.unit == "%" or is_called)


def is_of(column: Column, kind: str) -> bool:
    """Tell whether a column's cells are of a kind of amount, or dates, or persons."""
    stems = {stem(word) for word in parts(column.name)}
    match kind:
        case "money":
            return column.type == "number" and bool(column.currency)
        case "duration":
            return column.type == "number" and bool(column.unit in _DURATIONS or stems & _DURATIONS)
        case "length":
            return column.type == "number" and bool(column.unit in _LENGTHS or stems & _LENGTH_NAMES)  # fmt: skip
        case "quantity":
            is_price = bool(stems & _PRICES)  # "Unit price" counts no units
            return column.type == "number" and bool(stems & _QUANTITIES) and not is_price
        case "people":
            return column.type == "number" and bool(stems & {"head", "headcount", "fte", "employe", "staff", "person", "people"})  # fmt: skip
        case "date":
            return column.type == "date"
    return column.type == "text" and bool(stems & _PERSONS) and not column.is_name


# --- values ----------------------------------------------------------------------------------


def identifiers(asked: AskedWords, table: TableInfo) -> Iterator[Valued]:
    """Yield the columns that name rows, where the question has such a name: "T-10432"."""
    for token in asked.tokens:
        if token.read or not _ID.fullmatch(token.text):
            continue
        for column in table.shape.columns:
            if column.type == "text" and _is_like(token.text, column):
                yield Valued(column, (token.text,), token.start, token.end, is_exact=True)
                break


class Beginning(NamedTuple):
    """Words that name a sort of rows by the letters that their names begin with: "credit notes" for CN-7."""

    column: Column
    letters: str
    start: int
    end: int


def beginnings(asked: AskedWords, table: TableInfo) -> Iterator[Beginning]:
    """Yield where a free word and the next have the first letters of the names that some rows have."""
    for one, other in pairwise(asked.tokens):
        letters = f"{one.plain[:1]}{other.plain[:1]}"
        is_free = not one.read and other.read in {"", "table", "noun"}
        if not is_free or {one.plain, other.plain} & FILLERS:
            continue
        for column in table.shape.columns:
            names_rows = column.is_name or column.distinct == table.shape.rows
            if (
                column.type == "text"
                and names_rows
                and any(
                    re.fullmatch(rf"{re.escape(letters)}[-/# ]?\d+", each.casefold())
                    for each in (column.least, column.most)
                )
            ):
                yield Beginning(column, letters, one.start, other.end)
                break


def _is_like(said: str, column: Column) -> bool:
    """Tell whether a name of a row has the form of those that a column holds."""
    forms = {_form(each) for each in (column.least, column.most) if each}
    return (column.is_name or column.distinct == -1) and _form(said) in forms


def _form(text: str) -> str:
    """Return letters as they are, and digits as one mark: `T-10432` is `t-9`."""
    return re.sub(r"\d+", "9", text.casefold())


_Values = Mapping[str, tuple[str, ...]]
"""The values of a column, in lower case, by how they are said."""


def values(asked: AskedWords, table: TableInfo) -> Iterator[Valued]:
    """Yield the columns of which the free words name values: whole ones first, then parts of them."""
    texts = [each for each in table.shape.columns if each.type == "text" and has_names(each)]
    texts.sort(key=lambda each: each.distinct)
    known = [(each, _by_plain(tuple(each.values))) for each in texts]
    for size in range(LONGEST, 0, -1):
        for at in range(len(asked.tokens) - size + 1):
            run = asked.tokens[at : at + size]
            if any(each.read for each in run) or all(_is_filler(each, asked) for each in run):
                continue
            found = _whole(asked, run, known)
            if found is not None:
                asked.read(found.start, found.end, f"value:{found.column.name}")
                yield found
    telling = [each for each in texts if _has_telling_parts(each, table)]
    words = [(each, _by_word(tuple(each.values))) for each in telling]
    for token in asked.tokens:
        if not token.read and token.plain not in FILLERS and len(token.plain) >= 3:
            found = _part(token, words)
            if found is not None:
                asked.read(found.start, found.end, f"value:{found.column.name}")
                yield found


def _has_telling_parts(column: Column, table: TableInfo) -> bool:
    """Tell whether a word of a value means that value: not in remarks, which few rows have."""
    if is_of(column, "person"):
        return True
    return column.distinct <= _FEW_VALUES and column.blanks * 2 <= table.shape.rows


@lru_cache(maxsize=512)
def _is_prose(known: tuple[str, ...]) -> bool:
    """Tell whether texts are remarks, and no names that a question would say."""
    return sum(map(len, known)) > _NAME_CHARS * len(known)


def has_names(column: Column) -> bool:
    """Tell whether a column has texts that a question would say, and no remarks."""
    return bool(column.values) and not _is_prose(tuple(column.values))


def _is_filler(token: Token, asked: AskedWords) -> bool:
    """Tell whether a word names no value: "it" does not, and "IT" among small letters does."""
    is_called = len(token.text) > 1 and token.text.isupper() and not asked.text.isupper()
    return token.plain in FILLERS and not is_called


def _whole(
    asked: AskedWords, run: Sequence[Token], texts: Iterable[tuple[Column, _Values]]
) -> Valued | None:
    said = asked.text[run[0].start : run[-1].end].casefold()
    said = re.sub(r"['’]s$", "", said)
    forms = list(_forms(said, is_one=len(run) == 1))
    for column, known in texts:
        for form in forms:
            if form in known:
                return Valued(column, known[form], run[0].start, run[-1].end, is_exact=True)
    return None


def _forms(said: str, *, is_one: bool) -> Iterator[str]:
    """Yield a text as values may have it: itself, without a plural's ending, a country by its people."""
    yield said
    if said in CURRENCY_NAMES:
        yield CURRENCY_NAMES[said]
    if said.endswith("s") and len(said) > 2:
        yield said[:-1]
        if said.endswith("ies"):
            yield f"{said[:-3]}y"
        if said.endswith("es"):
            yield said[:-2]
    if is_one or " " in said:
        yield from _country_names(said)


@lru_cache(maxsize=4096)
def _country_names(said: str) -> tuple[str, ...]:
    """Return the names of the country that a text is a name of; none where it is of none."""
    found = [each.country for each in countries.mentioned(said) if each.written.casefold() == said]
    return tuple(name for each in found for name in sorted(each.names))


@lru_cache(maxsize=256)
def _by_plain(known: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return values by how they are said: in lower case."""
    found: dict[str, list[str]] = {}
    for value in known:
        found.setdefault(value.casefold(), []).append(value.casefold())
    return {plain: tuple(dict.fromkeys(values)) for plain, values in found.items()}


@lru_cache(maxsize=256)
def _by_word(known: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return values by each word of theirs that is no number."""
    found: dict[str, dict[str, None]] = {}
    for value in known:
        for word in _PART.findall(value.casefold()):
            if len(word) > 2 and not word.isdigit():
                found.setdefault(word, {})[value.casefold()] = None
    return {word: tuple(values) for word, values in found.items()}


def _part(token: Token, texts: Sequence[tuple[Column, _Values]]) -> Valued | None:
    """Find the values that have a word, or of which it is another form, or a slip of the pen."""
    for column, words in texts:
        if token.plain in words and is_of(column, "person"):
            return Valued(column, words[token.plain], token.start, token.end, is_exact=False)
    for column, words in texts:
        if column.distinct > _FEW_VALUES:
            continue
        near = [word for word in words if len(word) > 3 and word in words[word] and (alike(token.plain, word) >= 0.9 or is_slip(token.plain, word))]  # fmt: skip
        if len(near) == 1:
            return Valued(column, words[near[0]], token.start, token.end, is_exact=False)
    return None


# --- the table -------------------------------------------------------------------------------


def named(asked: AskedWords, table: TableInfo) -> list[Token]:
    """Return the words that name the table: its document's, its sheet's, and its title's."""
    stem_of = table.source.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    words = [*parts(stem_of), *parts(table.shape.sheet)]
    if is_of_people(table):
        words += KINDS["people"]
    ids = [parts(each.name) for each in table.shape.columns if each.is_name]
    of_rows = {
        each[0] for each in ids if len(each) > 1
    }  # "orders" of "Order no", not "in order of"
    telling = of_rows | {word for word in words if word not in FILLERS}
    telling = {word for word in telling if not word.isdigit() and len(word) > 2}
    return [
        token
        for token in asked.tokens
        if not token.read
        and (token.plain not in FILLERS or token.plain not in of_rows)
        and any(alike(token.plain, word) >= 0.9 for word in telling)
    ]


def is_of_names(column: Column) -> bool:
    """Tell whether a column's cells are the names of persons."""
    firsts = (value.split()[0].casefold() for value in column.values[:_FEW_VALUES] if value.split())
    return is_of(column, "person") or not GIVEN_NAMES.isdisjoint(firsts)


def is_of_people(table: TableInfo) -> bool:
    """Tell whether each row is a person: people are counted by their rows there."""
    return any(
        each.type == "text"
        and stem("name") in {stem(word) for word in parts(each.name)}
        and each.distinct * _NAMED_ONCE >= (_NAMED_ONCE - 1) * table.shape.rows
        and not any(is_of(other, "quantity") for other in table.shape.columns)
        and any(_FULL_NAME.fullmatch(value) for value in each.values[:1])
        for each in table.shape.columns
    )


def years(table: TableInfo) -> set[int]:
    """Return the years that a table's name states."""
    named_ = f"{table.source} {table.shape.sheet}"
    return {int(year) for year in re.findall(r"(?<!\d)((?:19|20)\d{2})(?!\d)", named_)}
