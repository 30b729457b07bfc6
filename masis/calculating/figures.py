"""Read the figures of passages: from table rows as they stand there, and from sentences."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from masis.calculating.asked_grammar import TOTALS
from masis.calculating.cell_places import Names, of_cell, row_numbers
from masis.calculating.dimensions.dimensions import NO_UNIT, Dimensions, Spot, TableUnit, dimensions
from masis.calculating.dimensions.numbers import (
    DASHES,
    NUMBER,
    ZERO,
    Number,
    number_of,
    whole_number,
)
from masis.calculating.dimensions.table_units import Begun, Said, said_in, unit_of
from masis.calculating.ended_spans import Ended, Named, is_unnamed, named_in, with_names
from masis.domain import EvidenceChunk, Figure, Period, Place, ScaleNote
from masis.tables.cell_values import decimal_mark
from masis.text.grammars.calendar import MONTH
from masis.text.grammars.scales import LETTERS, WORDS
from masis.text.lexical import terms
from masis.text.periods import PlacedPeriod, periods, without_periods
from masis.text.sentences import sentences, units

MOST_ROWS: Final = 5_000
"""Rows of a table that are read."""
LEAST_LIKE: Final = 3
"""Columns by whose names two tables are parts of one."""
MOST_NAMES: Final = 3
"""Cells of a row that say what it is about."""
MOST_HEADING: Final = 12
"""Words of a line that is the heading of the table below it."""
LABEL_CHARS: Final = 80
"""A longer cell is a remark, and names nothing."""

_DAY_OF = re.compile(rf" ?(?:[–-] ?\d{{1,2}} )?(?:of )?{MONTH}\b", re.IGNORECASE)
"""What stands behind a number that is the day of a month: "22 October"."""
_NAMED = re.compile(r"[\w:;,] [A-Z][a-z]+ $")
"""What stands before a number that names a thing: "of Priority 1"."""
_TABLE_UNIT = re.compile(
    rf"^(?:Unit|Currency): (?P<unit>.+)$|\b(?:figures|amounts|values|numbers)[^.\n]{{0,30}} in (?P<prose>[£$€][^.\n]{{0,12}}|[£$€]? ?(?:{WORDS})s?[^.\n]{{0,20}})",
    re.IGNORECASE | re.MULTILINE,
)
_EXPECTED = re.compile(
    r"\b(?:forecasts?|forecasted|outlook|guidance|projected|projections?|expected|expects?|targets?)\b",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"(?:[\s,;()]|\b(?:after|against|from|compared|with|to|versus|vs|than|up|down|and|but|in|of|for|the|at)\b)*",
    re.IGNORECASE,
)
_OF_THE = re.compile(
    r"\b(?:of|in|for) (?:the|this) (?P<kind>quarter|year|half|month)\b(?! of)", re.IGNORECASE
)
_SHORT: Final = {"qty": "quantity", "pct": "percent", "amt": "amount", "avg": "average"}


# --- tables ------------------------------------------------------------------------------------


class Cell(NamedTuple):
    """A cell of a row, under its column's name."""

    header: str
    text: str


class Row(NamedTuple):
    """A row of a table as it stands in a passage, read from `Column: cell | Column: cell`.

    `number` is that of its row in a sheet, 0 where it cannot be told, `section` the line without cells that
    stands above it within the table: "International" above "Net sales".
    """

    cells: list[Cell]
    chunk: EvidenceChunk
    line: str
    number: int = 0
    section: str = ""

    def cell(self, header: str) -> str:
        """Return the cell of a column; empty where the row has none."""
        return next((cell.text for cell in self.cells if cell.header == header), "")


Spotted = tuple[str, str, str]
"""A cell by its passage, its line and its column."""


class Table(NamedTuple):
    """Rows under the same first column, and what is said of all of them above.

    `mark` is the decimal mark that its figures have: "1.234" is a thousand beside "5,20". `columns`
    are those of a row without an empty cell, in their order, `units` what is said of the unit of its
    figures, `currencies` those of columns that say it in their first cells alone, `shares` cells
    that are so of a whole, `spans` what its stretches are called that end on a day, `written` how the
    document writes the columns that are called by them here, `apart` the rows that their sections tell apart.
    """

    rows: list[Row]
    unit: str
    heading: str = ""
    mark: str = "."
    columns: tuple[str, ...] = ()
    units: TableUnit = NO_UNIT
    currencies: tuple[tuple[str, str], ...] = ()
    shares: frozenset[Spotted] = frozenset()
    spans: tuple[tuple[Ended, Period], ...] = ()
    written: tuple[tuple[str, str], ...] = ()
    apart: frozenset[str] = frozenset()

    @property
    def headers(self) -> list[str]:
        """Return the names of the columns, in order."""
        return list(dict.fromkeys(cell.header for row in self.rows for cell in row.cells))

    @property
    def first(self) -> str:
        """Return the name of the column that names the rows."""
        return self.rows[0].cells[0].header

    def is_numeric(self, header: str) -> bool:
        """Tell whether a column holds figures, dashes aside."""
        said = [text for row in self.rows if (text := row.cell(header)) and text not in DASHES]
        read = sum(whole_number(text) is not None for text in said)
        return bool(said) and read >= 0.6 * len(said)


_Key = tuple[str, str, str]


def tables(chunks: Sequence[EvidenceChunk]) -> list[Table]:
    """Read the tables of passages; rows of one document under one heading and first column are one."""
    read = _Reader()
    for chunk in sorted(chunks, key=lambda each: (each.version_id, each.position)):
        read.passage(chunk)
    found = _joined(list(read.tables()))
    called = _names_of_spans(found, chunks)
    return [_described(_with_spans(each, called)) for each in found]


def _described(table: Table) -> Table:
    """Return a table with what its cells say of all of its figures."""
    marked = table._replace(mark=_mark(table), columns=_columns(table))
    return marked._replace(
        currencies=_currencies(marked), shares=_shares(marked), apart=_told_apart(marked)
    )


def _names_of_spans(found: Sequence[Table], chunks: Sequence[EvidenceChunk]) -> dict[str, Named]:
    """Return by versions what the stretches of their columns are called; one day has one name in all of them."""
    ended: dict[str, list[str]] = {}
    for table in found:
        said = [header for header in table.headers if is_unnamed(header)]
        ended.setdefault(table.rows[0].chunk.version_id, []).extend(said)
    if not any(ended.values()):
        return {}
    by_text: dict[str, list[str]] = {}
    titles: dict[str, list[str]] = {}
    for chunk in chunks:
        by_text.setdefault(chunk.version_id, []).append(chunk.text)
        titles.setdefault(chunk.version_id, [chunk.document, chunk.title])
    return named_in(ended, by_text, titles)


def _with_spans(table: Table, by_version: Mapping[str, Named]) -> Table:
    """Return a table whose columns say what their stretches are called: "Q3 2023 (three months ended …)"."""
    named = by_version.get(table.rows[0].chunk.version_id, {})
    headers = [header for header in table.headers if is_unnamed(header)]
    if not named or not headers:
        return table
    called = {header: with_names(header, named, beside=True) for header in headers}
    rows = [
        row._replace(cells=[cell._replace(header=called.get(cell.header, cell.header)) for cell in row.cells])
        for row in table.rows
    ]  # fmt: skip
    written = tuple((made, header) for header, made in called.items())
    return table._replace(rows=rows, spans=tuple(named.items()), written=written)


_BARE: Final = re.compile(r"[^|:.\d]{2,100}:?")
_FEW: Final = 6
"""Words of a line that begins a section, twice as many where it ends with a colon."""


def _section(line: str, before: str) -> str:
    """Return the section that a line without cells begins: a few words alone; an empty one ends none."""
    plain = line.strip()
    if not plain:
        return before
    most = 2 * _FEW if plain.endswith(":") else _FEW
    is_section = bool(_BARE.fullmatch(plain)) and len(plain.split()) <= most
    return plain.rstrip(":") if is_section else ""


class _Reader:
    """Gathers the rows of passages by their tables, and what stands above each."""

    def __init__(self) -> None:
        self._rows: dict[_Key, list[Row]] = {}
        self._headings: dict[_Key, str] = {}
        self._begun: dict[_Key, Begun] = {}
        self._lines: dict[tuple[str, str], list[str]] = {}
        self._said: list[Said] = []
        self._columns: dict[tuple[str, str], dict[str, str]] = {}
        self._first = ""
        self._others: set[str] = set()
        self._last: tuple[str, int] = ("", 0)
        self._section = ""

    def passage(self, chunk: EvidenceChunk) -> None:
        """Read the lines of a passage."""
        self._first, self._others = "", set()
        if (chunk.version_id, chunk.position - 1) != self._last:
            self._section = ""
        self._last = (chunk.version_id, chunk.position)
        said = chunk.text.splitlines()
        nameless = _nameless_columns(said)
        lines = [(line, _cells(line, nameless)) for line in said]
        numbers = iter(row_numbers(chunk.place, sum(bool(cells) for _, cells in lines)))
        above: list[str] = []
        for at, (line, cells) in enumerate(lines):
            if cells:
                row = Row(cells, chunk, line, next(numbers, 0), self._section)
                self._row(row, at, above)
                continue
            self._section = _section(line, self._section)
            if 0 < len(line.split()) <= MOST_HEADING:
                above = [*above[:1], line.strip()]
            self._by_name(line, chunk)
        plain = [(at, line) for at, (line, cells) in enumerate(lines) if not cells]
        self._said += said_in(chunk, plain)

    def _row(self, row: Row, at: int, above: Sequence[str]) -> None:
        if row.cells[0].header in self._others:
            row = row._replace(cells=[Cell(self._first, ""), *row.cells])
        self._first, self._others = (
            row.cells[0].header,
            {cell.header for cell in row.cells[1:]}
            | (self._others if row.cells[0].header == self._first else set()),
        )
        chunk, header = row.chunk, row.cells[0].header
        key = (chunk.version_id, chunk.context, header or self._unnamed(row))
        rows = self._rows.setdefault(key, [])
        self._headings.setdefault(key, " – ".join(dict.fromkeys(above)))
        self._begun.setdefault(key, Begun(header, chunk, at))
        if len(rows) < MOST_ROWS:
            rows.append(row)

    def _unnamed(self, row: Row) -> str:
        """Return what tells a table without a name of its first column: that of one of the others."""
        headers = [cell.header for cell in row.cells[1:]] or [""]
        spot = (row.chunk.version_id, row.chunk.context)
        known = self._columns.setdefault(spot, {})
        found = next((known[header] for header in headers if header in known), f"\0{headers[0]}")
        known.update(dict.fromkeys(headers, found))
        return found

    def _by_name(self, line: str, chunk: EvidenceChunk) -> None:
        if match := _TABLE_UNIT.search(line):
            spot = (chunk.version_id, chunk.context)
            self._lines.setdefault(spot, []).append(match["unit"] or match["prose"])
            self._lines.setdefault((chunk.version_id, ""), []).append(match["prose"] or "")

    def tables(self) -> Iterator[Table]:
        """Yield what was read as tables."""
        begun = list(self._begun.values())
        for key, rows in self._rows.items():
            lines = [*self._lines.get(key[:2], []), *self._lines.get((key[0], ""), [])]
            unit = next(filter(None, lines), "")
            units = unit_of(self._begun[key], self._said, begun)._replace(by_name=unit)
            yield Table(rows, unit, self._headings[key], units=units)


def _currencies(table: Table) -> tuple[tuple[str, str], ...]:
    """Return the currencies of columns of periods whose first figure has one, as reports write it once."""
    found: list[tuple[str, str]] = []
    for header in table.headers[1:]:
        numbers = [number for row in table.rows if (number := whole_number(row.cell(header)))]
        signs = {number.currency for number in numbers if number.currency}
        is_bare = bool(periods(header)) and not without_periods(words_of(header)).strip()
        if is_bare and len(signs) == 1 and numbers[0].currency:
            found.append((header, signs.pop()))
    return tuple(found)


def _shares(table: Table) -> frozenset[Spotted]:
    """Return the cells of tables of shares, which reports write as percent in the first row and the last alone."""
    found: set[Spotted] = set()
    for header in table.headers[1:]:
        run = _Run(table.heading)
        for row in table.rows:
            number = whole_number(row.cell(header), table.mark)
            if number is not None:
                closed = run.closed_by(row, number)
                found |= {(each.chunk.chunk_id, each.line, header) for each in closed}
    return frozenset(found)


_WHOLE: Final = 100
"""Percent of itself, which a table of shares begins with."""
_IN_PERCENT: Final = re.compile(r"\bpercent|%|\bmix\b", re.IGNORECASE)


class _Run:
    """Gathers the rows of a column from one in percent to the next, as far as all may be in percent."""

    def __init__(self, heading: str) -> None:
        self._heading = heading
        self._rows: list[Row] = []
        self._first: Number | None = None

    def closed_by(self, row: Row, number: Number) -> list[Row]:
        """Take a row; return those of the table of shares that it closes."""
        goes_on = self._goes_on(row)
        if number.unit == "%":
            closed = [*self._rows, row] if goes_on and self._is_of_shares() else []
            self._rows, self._first = ([], None) if closed else ([row], number)
            return closed
        self._rows = [*self._rows, row] if goes_on and self._may_be_share(number) else []
        return []

    def _goes_on(self, row: Row) -> bool:
        if not self._rows:
            return False
        before, here = self._rows[-1].chunk, row.chunk
        return here.version_id == before.version_id and here.position <= before.position + 1

    def _may_be_share(self, number: Number) -> bool:
        is_bare = not (number.currency or number.unit) and abs(number.value) <= _WHOLE
        return is_bare and self._first is not None and _decimals(number) == _decimals(self._first)

    def _is_of_shares(self) -> bool:
        """Tell whether the rows are in percent: of a whole, or under a name that says so."""
        if self._first is None or len(self._rows) == 1:
            return False
        # Counts may stand below a rate that happens to be 100 %: they have no decimals.
        if self._first.value == _WHOLE and _decimals(self._first):
            return True
        sections = {each.section for each in self._rows}
        heading = self._heading if self._first.value == _WHOLE else ""
        return len(sections) == 1 and bool(_IN_PERCENT.search(f"{sections.pop()} {heading}"))


def _decimals(number: Number) -> int:
    return -int(number.value.as_tuple().exponent)


def _columns(table: Table) -> tuple[str, ...]:
    """Return the columns of the row that has most of them; none where two have one name."""
    fullest = max(table.rows, key=lambda row: len(row.cells))
    names = tuple(cell.header for cell in fullest.cells)
    return names if len(set(names)) == len(names) else ()


def _mark(table: Table) -> str:
    """Return the decimal mark that those figures of a table have which can have but one."""
    said = (cell.text for row in table.rows for cell in row.cells if whole_number(cell.text))
    told = Counter(map(decimal_mark, said))
    return "," if told[","] > told["."] else "."


def _joined(found: Sequence[Table]) -> list[Table]:
    """Join the tables of a document that have the same columns under several headings."""
    joined: dict[tuple[str, ...], Table] = {}
    for at, table in enumerate(found):
        headers = table.headers
        is_like = len(headers) >= LEAST_LIKE and not any(map(periods, headers))
        key = (table.rows[0].chunk.version_id, *headers) if is_like else (str(at),)
        known = joined.get(key)
        joined[key] = known._replace(rows=[*known.rows, *table.rows]) if known else table
    return list(joined.values())


def _cells(line: str, nameless: frozenset[str] = frozenset()) -> list[Cell]:
    """Return the cells of a row; none where the line is no row.

    `nameless` are the columns of a table whose first one has no name, as that of a report: a colon in
    its labels parts nothing there.
    """
    parts = [part.partition(": ") for part in line.removeprefix("- ").split(" | ")]
    if len(parts) < 2:
        return []
    if not parts[0][1] or nameless.issuperset(header for header, _, _ in parts[1:]):
        return _nameless(parts)
    cells: list[Cell] = []
    for header, colon, text in parts:
        if colon and len(header) <= LABEL_CHARS:
            cells.append(Cell(header.strip(), text.strip()))
        elif cells:
            cells[-1] = cells[-1]._replace(text=f"{cells[-1].text} | {header}{colon}{text}")
    return cells


def _nameless(parts: Sequence[tuple[str, str, str]]) -> list[Cell]:
    """Return the cells of a row whose first column has no name; none where no figure stands beside it."""
    label, *others = parts
    named = all(colon and len(header) <= LABEL_CHARS for header, colon, _ in others)
    if not named or len("".join(label)) > LABEL_CHARS:
        return []
    cells = [Cell(header.strip(), text.strip()) for header, _, text in others]
    has_figure = any(whole_number(cell.text) for cell in cells)
    return [Cell("", "".join(label).strip()), *cells] if has_figure else []


def _nameless_columns(lines: Sequence[str]) -> frozenset[str]:
    """Return the columns of the rows of a passage whose first column has no name."""
    found = (cells for line in lines if (cells := _cells(line)) and not cells[0].header)
    return frozenset(cell.header for cells in found for cell in cells[1:])


def cell_figure(table: Table, row: Row, cell: Cell) -> Figure | None:
    """Return the figure of a cell, with what its row, its column and the table say of it."""
    number = whole_number(cell.text, table.mark) or (ZERO if cell.text in DASHES else None)
    if number is None:
        return None
    label = row.cells[0].text if row.cells[0] != cell else ""
    spot = Spot(label, cell.header, dict(table.currencies).get(cell.header, ""))
    of_whole = (row.chunk.chunk_id, row.line, cell.header) in table.shares
    number = number._replace(unit="%") if of_whole else number
    found = dimensions(number, spot, table.units)
    header = words_of(without_periods(cell.header))
    named = without_periods(label).strip(" -–,:")
    return Figure(
        metric=header or named,
        entity=", ".join(_names_of(row, cell)[0 if header else 1 :][:MOST_NAMES]),
        period=_period_of(table, row, cell),
        value=number.value,
        unit=found.unit,
        currency=found.currency,
        scale=found.scale,
        stated=_stated(table, found),
        doubt=table.units.doubt or _said(table) if found.is_doubtful else "",
        expected=bool(_EXPECTED.search(f"{cell.header} {label} {row.chunk.context}")),
        chunk_id=row.chunk.chunk_id,
        place=_place(table, row, cell),
        section=row.section if _tells(table, row) else "",
        of_whole=of_whole,
        written=cell.text,
        said=f"{row.cells[0].text} – {_as_written(table, cell.header)}: {cell.text}"
        if label
        else row.line,
    )


def _told_apart(table: Table) -> frozenset[str]:
    """Return the names of rows that stand in several sections, by which they are told apart; totals are of all."""
    sections: dict[str, set[str]] = {}
    for row in table.rows:
        sections.setdefault(row.cells[0].text, set()).add(row.section)
    return frozenset(
        label
        for label, several in sections.items()
        if len(several) > 1 and TOTALS.isdisjoint(terms(label))
    )


def _tells(table: Table, row: Row) -> bool:
    """Tell whether a section says which row it is: others of its name stand in other sections."""
    label = row.cells[0].text
    return label in table.apart and not frozenset(terms(row.section)) <= frozenset(terms(label))


def _stated(table: Table, found: Dimensions) -> ScaleNote | None:
    """Return what the table says of a figure's scale, where it is not in a name or in the cell."""
    stated = table.units.stated
    if not found.is_stated or stated is None or stated.dimensions == ("", 1):
        return None
    return ScaleNote(said=stated.said, chunk_id=table.units.spot)


def _said(table: Table) -> str:
    return table.units.stated.said if table.units.stated else ""


def _place(table: Table, row: Row, cell: Cell) -> Place:
    column = table.columns.index(cell.header) if cell.header in table.columns else None
    named = _as_written(table, cell.header) if row.cells[0] != cell else ""
    heading = table.heading.rpartition(" – ")[2]
    names = Names("" if heading in row.chunk.place.headings else heading, row.cells[0].text, named)
    return of_cell(row.chunk.place, row.number, column, len(table.columns), names)


def _as_written(table: Table, header: str) -> str:
    return dict(table.written).get(header, header)


def _names_of(row: Row, cell: Cell) -> list[str]:
    """Return the cells that say what a row is about: the first, and other short ones in words."""
    return [
        each.text if at else f"{words_of(each.header)} {each.text}"
        for at, each in enumerate(row.cells)
        if each != cell
        and len(each.text) <= LABEL_CHARS
        and (
            at == 0 or not (whole_number(each.text) or periods(each.text) or _is_remark(each.text))
        )
    ]


def _is_remark(text: str) -> bool:
    """Tell whether a cell is a sentence, which names nothing."""
    return text.endswith(".") and len(text.split()) > MOST_NAMES


def words_of(header: str) -> str:
    """Return a column's name as words: without brackets, unit and underscores, short forms written out."""
    plain = re.sub(
        rf"\([^()]*\)|, ?(?:[£$€%]|in )[^,]*$|[£$€](?:(?:[KM]|{LETTERS})\b)?|%", " ", header
    )
    words = re.split(r"[\s_]+", plain.strip(" ,:-"))
    return " ".join(_SHORT.get(word.casefold(), word) for word in words if word)


def _period_of(table: Table, row: Row, cell: Cell) -> Period | None:
    """Return the period over a cell, else beside it in its row, else in the titles above."""
    date_cells = [each.text for each in row.cells if each != cell and len(each.text) <= LABEL_CHARS]
    chunk = row.chunk
    for text in (cell.header, *date_cells, table.unit, chunk.context, chunk.title):
        found = periods(text)
        if found:
            return _with_year(found[0].period, chunk)
    return None


def _with_year(period: Period | None, chunk: EvidenceChunk) -> Period | None:
    """Give a part of a year the year that the titles name."""
    if period is None or period.year is not None:
        return period
    years = {p.period.year for text in (chunk.context, chunk.title) for p in periods(text)} - {None}
    return period.model_copy(update={"year": years.pop()}) if len(years) == 1 else period


# --- sentences ---------------------------------------------------------------------------------


def sentence_figures(chunk: EvidenceChunk) -> Iterator[Figure]:
    """Yield the figures of a passage's sentences, each with the words of its part of the sentence."""
    before = ""
    for unit in units(chunk.text):
        if unit.kind != "table_row" and not _cells(unit.text):
            for sentence in sentences(unit):
                for figure in _of_sentence(sentence.text, chunk, before):
                    before = figure.metric
                    yield figure


class _Found(NamedTuple):
    start: int
    end: int
    number: Number
    bound: Literal["", "least", "most"]


_TO = re.compile(r"\s?(?:[–—-]|to|and)\s?", re.IGNORECASE)


_PRONOUN = re.compile(r"\b(?:it|this|that|they|these)\b", re.IGNORECASE)


def _of_sentence(sentence: str, chunk: EvidenceChunk, earlier: str) -> Iterator[Figure]:
    """Yield the figures of a sentence; a pronoun stands for what the `earlier` figure was of."""
    named = periods(sentence)
    found = _numbers(sentence, named)
    metric, period = "", None
    expected = bool(_EXPECTED.search(sentence) or _EXPECTED.search(chunk.context))
    for at, each in enumerate(found):
        before = sentence[found[at - 1].end if at else 0 : each.start]
        after = sentence[each.end : found[at + 1].start if at + 1 < len(found) else len(sentence)]
        own = without_periods(before)
        is_contrast = bool(at and _CONTRAST.fullmatch(own))
        metric = metric if is_contrast else f"{own} {_behind(after)}"
        if _PRONOUN.search(metric) and not terms(metric):
            metric = earlier
        if each.bound != "most":
            period = _sentence_period(before, after, named, chunk, is_contrast=is_contrast)
        yield Figure(
            metric=" ".join(metric.split()),
            period=_with_year(period, chunk),
            value=each.number.value,
            unit=each.number.unit,
            currency=each.number.currency,
            scale=each.number.scale,
            bound=each.bound,
            expected=expected,
            chunk_id=chunk.chunk_id,
            place=chunk.place,
            written=sentence[each.start : each.end],
            said=sentence.strip(),
        )


def _behind(after: str) -> str:
    """Return the words behind a figure that say what it counts: "39 field engineers"."""
    return " ".join(
        re.split(r"[,;:.()]| (?:and|at|in|on|but|against|after|from) ", after)[0].split()[:4]
    )


def _numbers(sentence: str, named: Sequence[PlacedPeriod]) -> list[_Found]:
    """Return the numbers of a sentence; what names a time is none."""
    found: list[_Found] = []
    for match in NUMBER.finditer(sentence):
        if any(each.start < match.end() and match.start() < each.end for each in named):
            continue
        if _DAY_OF.match(sentence, match.end()):
            continue
        is_plain = not (match["currency"] or match["unit"])
        if is_plain and (_NAMED.search(sentence[: match.start()]) or _is_clause(sentence, match)):
            continue
        start = match.start() + (1 if match["open"] and not match["close"] else 0)
        number = number_of(match)
        if (
            number.value < 0
            and not match["open"]
            and re.match(r"\w", sentence[start - 1 : start] or " ")
        ):
            continue
        text = sentence[start : match.end()].rstrip(")") if match["close"] and not match["open"] else sentence[start : match.end()]  # fmt: skip
        lead = len(text) - len(text.lstrip(" +"))
        found.append(_Found(start + lead, start + len(text), number, ""))
    for at in range(1, len(found)):
        if found[at - 1].number.value < found[at].number.value and _TO.fullmatch(sentence[found[at - 1].end : found[at].start]):  # fmt: skip
            found[at - 1] = found[at - 1]._replace(bound="least")
            found[at] = found[at]._replace(bound="most")
    return found


def _is_clause(sentence: str, match: re.Match[str]) -> bool:
    """Tell whether a number begins a clause and numbers it: "2.2 The plan comprises"."""
    return not sentence[: match.start()].strip() and sentence[match.end() :][:2].strip().isupper()


def _sentence_period(
    before: str,
    after: str,
    named: Sequence[PlacedPeriod],
    chunk: EvidenceChunk,
    *,
    is_contrast: bool,
) -> Period | None:
    """Return a figure's period: behind it, before it, that of the sentence, that of the titles."""
    behind = periods(re.split(r"[;]|, (?:after|against|from|compared)", after)[0])
    ahead = periods(before)
    titles = [each.period for text in (chunk.context, chunk.title) for each in periods(text)]
    if ahead and not is_contrast:
        return ahead[-1].period
    if behind:
        return behind[0].period
    if ahead:
        return ahead[-1].period
    if match := _OF_THE.search(before):
        kind = match["kind"].casefold()
        return next((each for each in titles if each.kind == kind), None)
    alone = {each.period for each in named}
    if (
        len(named) == 1
        and alone
        and not is_contrast
        and not re.search(r"against|after|from", after)
    ):
        return named[0].period
    return titles[0] if titles else None
