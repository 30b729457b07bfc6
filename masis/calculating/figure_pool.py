"""Gather the figures that passages hold, and what comes of them: a year of its quarters."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from masis.calculating.asked_grammar import GENERIC
from masis.calculating.calculation import worked_out
from masis.calculating.dimensions.numbers import DASHES, whole_number
from masis.calculating.figures import (
    Row,
    Table,
    cell_figure,
    sentence_figures,
    words_of,
)
from masis.domain import EvidenceChunk, Figure, Period
from masis.text.lexical import terms
from masis.text.periods import ends_with, parts, periods, without_periods
from masis.words.mistyped import is_mistyped

MOST_SERIES: Final = 400
"""Columns and rows of figures over time that are read."""
MOST_TITLE_WORDS: Final = 6
"""Words of a line that is a heading."""
_STOCKS: Final = frozenset(
    terms(
        "headcount staff employees people persons members stock inventory balance debt debtors creditors cash"
        " backlog assets liabilities equity subscribers customers sites"
    )
)
"""What is counted on a day: that of a year is that of its last quarter, and no sum."""
_NO_SUMS: Final = frozenset(
    terms(
        "price rate average score margin mean median percent temperature ratio share days index rating limit"
    )
)
"""What is neither added up nor counted on a day."""
_SAME: Final = tuple(
    frozenset(terms(words))
    for words in (
        "head headcount employees staff workers people person persons capita workforce ppl",
        "won win wins winning",
        "lost lose loses losing",
        "spent spend spending expenditure",
        "sold sell sells",
        "bought buy purchase purchased",
        "begun began begin start started",
    )
)
"""Forms of one word, and words for one thing."""
_ALIKE: Final = (
    *_SAME,
    *(
        frozenset(terms(words))
        for words in (
            "revenue turnover sales",
            "profit result income earnings",
            "lost lose loses losing loss",
            "pieces units quantity qty",
            "cost costs expense expenses",
            "mileage miles driven drove drive",
        )
    ),
)
"""Words that stand for each other where the documents have only one of them."""


class Title(NamedTuple):
    """What stands over a passage."""

    words: frozenset[str]
    periods: list[Period]


class Pool(NamedTuple):
    """All figures that were read, with the terms of each and what stands over their passages.

    `heads` are the terms of its column and of what names its row alone, without the row's remarks.
    """

    figures: list[Figure]
    own: list[frozenset[str]]
    heads: list[frozenset[str]]
    titles: dict[str, Title]
    words: frozenset[str]
    documents: dict[str, str]

    def understood(self, asked: frozenset[str]) -> frozenset[str]:
        """Return the terms asked for as the documents have them: spelt right, or in a word alike."""
        return frozenset(meant for term in asked if (meant := understood(term, self.words)))


def pool(
    evidence: Sequence[EvidenceChunk], read: Sequence[Table], wanted: Iterable[Period]
) -> Pool:
    """Gather the figures of passages and of their tables, and what the `wanted` periods come to."""
    asked = list(dict.fromkeys(wanted))
    figures: list[Figure] = []
    for table in read:
        placed = list(_placed(table))
        figures += [each.figure for each in placed]
        figures += _over_time(table, placed, asked)
    figures += [each for chunk in evidence for each in sentence_figures(chunk)]
    titles = {each.chunk_id: _title(each) for each in evidence}
    for table in read:
        heading = frozenset(terms(table.heading)) | _of_sum(table)
        for name in {row.chunk.chunk_id for row in table.rows} & titles.keys():
            titles[name] = titles[name]._replace(words=titles[name].words | heading)
    own = [_own(figure) for figure in figures]
    words = frozenset(term for several in own for term in several)
    words |= frozenset(term for title in titles.values() for term in title.words)
    heads = [_heads(figure) for figure in figures]
    documents = {each.chunk_id: each.document_id for each in evidence}
    return Pool(figures, own, heads, titles, words, documents)


_TOTAL: Final = re.compile(r"(?:grand |sub-?)?totals? (?:of )?(?P<of>.+)", re.IGNORECASE)


def _of_sum(table: Table) -> frozenset[str]:
    """Return what the last row says that it is the total of: all rows above it are of that."""
    *rows, last = table.rows
    match = _TOTAL.fullmatch(last.cells[0].text.strip())
    if match is None or len(rows) < LEAST_SUMMED:
        return frozenset()
    for cell in last.cells[1:]:
        total = whole_number(cell.text)
        parts_ = [number.value for row in rows if (number := whole_number(row.cell(cell.header)))]
        if total is not None and len(parts_) >= LEAST_SUMMED and sum(parts_) == total.value:
            return frozenset(terms(without_periods(match["of"])))
    return frozenset()


LEAST_SUMMED: Final = 2


def understood(term: str, known: frozenset[str]) -> str:
    """Return a term as the documents have it: itself, one alike, or what it is mistyped for.

    It is empty where it is mistyped for one that says what to calculate.
    """
    if term in known or not term.isalpha():
        return term
    alike = next(
        (group & known for group in _ALIKE if term in group and group & known), frozenset()
    )
    if alike:
        return min(alike)
    if term.endswith("s") and term[:-1] in known:
        return term[:-1]
    if any(word[:1] == term[:1] and is_mistyped(term, word) for word in GENERIC):
        return ""
    near = [word for word in known if word[:1] == term[:1] and is_mistyped(term, word)]
    return near[0] if len(near) == 1 else term


def alternatives(term: str) -> frozenset[str]:
    """Return the words that a term may stand for, itself among them."""
    return next((group for group in _SAME if term in group), frozenset({term}))


# --- figures and their places ------------------------------------------------------------------


class Placed(NamedTuple):
    """A figure of a table, and the line of figures over time that it belongs to."""

    figure: Figure
    series: tuple[str, str]


def _placed(table: Table) -> Iterator[Placed]:
    """Yield the figures of a table's cells; a dash among figures is a zero."""
    numeric = {header for header in table.headers if table.is_numeric(header)}
    for row in table.rows:
        named = not periods(row.cells[0].header)
        for cell in row.cells[named:]:
            if cell.text in DASHES and cell.header not in numeric:
                continue
            figure = cell_figure(table, row, cell)
            if figure is not None:
                yield Placed(figure, (words_of(without_periods(cell.header)), _label(row)))


def table_figures(table: Table) -> list[Figure]:
    """Return the figures of a table's cells; a dash among figures is a zero."""
    return [each.figure for each in _placed(table)]


def _label(row: Row) -> str:
    """Return what names a row, where that is no period."""
    first = row.cells[0].text
    return "" if periods(first) else first


def over_time(
    table: Table, asked: Sequence[Period], said: frozenset[str]
) -> dict[str, dict[Period, Figure]]:
    """Return the lines of a table that have each of the periods, by their names.

    Of several of one name it is the one whose column is `said`.
    """
    made: dict[str, dict[Period, Figure]] = {}
    best: dict[str, int] = {}
    for (header, label), line in _series(list(_placed(table))).items():
        known = {each.period: each for each in line if each.period}
        come = [found for period in asked if (found := _of_period(line, period, table.unit))]
        known |= {each.period: each for each in come if each.period}
        fits = len(frozenset(terms(header)) & said)
        if all(period in known for period in asked) and fits > best.get(label or header, -1):
            made[label or header], best[label or header] = known, fits
    return made


def _series(placed: Sequence["Placed"]) -> dict[tuple[str, str], list[Figure]]:
    series: dict[tuple[str, str], list[Figure]] = {}
    for each in placed:
        if each.figure.period is not None and each.figure.period.year is not None:
            series.setdefault(each.series, []).append(each.figure)
    return dict(list(series.items())[:MOST_SERIES])


def _over_time(table: Table, placed: Sequence[Placed], asked: Sequence[Period]) -> list[Figure]:
    """Return what the asked periods come to that have no cell of their own."""
    return [
        made
        for line in _series(placed).values()
        for period in asked
        if (made := _of_period(line, period, table.unit)) is not None
    ]


def _of_period(line: Sequence[Figure], period: Period, unit: str) -> Figure | None:
    """Return the figure of a period by those of its parts: their sum, or the last of what is counted."""
    by_period = {each.period: each for each in line}
    if period in by_period or len(by_period) != len(line) or period.kind == "day":
        return None
    words = frozenset(terms(f"{line[0].metric} {line[0].entity.partition(',')[0]}"))
    if line[0].unit == "%" or words & _NO_SUMS:
        return None
    if words & _STOCKS or _is_at_the_end(line[0], unit):
        return _last(line, period)
    return next(filter(None, (_sum(by_period, several, period) for several in parts(period))), None)


def _is_at_the_end(figure: Figure, unit: str) -> bool:
    """Tell whether the table says of this column that it is counted on a day."""
    said = [
        part for part in re.split(r"[;,] ", unit) if set(terms(figure.metric)) & set(terms(part))
    ]
    return any("at the end" in part for part in said)


def _last(line: Sequence[Figure], period: Period) -> Figure | None:
    """Return what was counted when the period ended, as its figure."""
    found = next((each for each in line if each.period and ends_with(each.period, period)), None)
    return found.model_copy(update={"period": period}) if found else None


def _sum(
    by_period: dict[Period | None, Figure], several: Sequence[Period], period: Period
) -> Figure | None:
    figures = [by_period[each] for each in several if each in by_period]
    if len(figures) < len(several) or len({each.expected for each in figures}) > 1:
        return None
    first = figures[0]
    named = first.entity if all(each.entity == first.entity for each in figures) else ""
    made = worked_out("sum", figures, first.metric, period)
    return made.model_copy(update={"entity": named}) if made else None


# --- words -------------------------------------------------------------------------------------


def _own(figure: Figure) -> frozenset[str]:
    """Return the terms of a figure: of its column and row, or of its part of the sentence."""
    said = f"{figure.metric} {figure.entity} {figure.section} {figure.unit}"
    short = [letters for name in (figure.metric, figure.entity) for letters in _initials(name)]
    return frozenset(terms(said)) | frozenset(terms(" ".join(short)))


def _heads(figure: Figure) -> frozenset[str]:
    """Return the terms of what a figure stands under and beside, without its row's other cells."""
    label, dash, _ = figure.said.partition(" – ")
    named = label if dash and figure.entity else ""
    return frozenset(terms(without_periods(f"{figure.metric} {named}")))


_NAME: Final = re.compile(r"(?:[A-Z][a-z]+ ){1,3}[A-Z][a-z]+")


def _initials(text: str) -> Iterator[str]:
    """Yield the first letters of names: "UK" for "United Kingdom"."""
    for match in _NAME.finditer(text):
        yield "".join(word[0] for word in match[0].split())


def _title(chunk: EvidenceChunk) -> Title:
    named = [each.period for text in (chunk.context, chunk.title) for each in periods(text)]
    return Title(title_terms(chunk), named)


def title_terms(chunk: EvidenceChunk) -> frozenset[str]:
    """Return the terms of what stands over a passage: its titles, its headings and its file's name."""
    headings = [
        line
        for line in chunk.text.splitlines()
        if len(line.split()) <= MOST_TITLE_WORDS
        and not line.endswith((".", ":"))
        and ": " not in line
    ]
    return frozenset(terms("\n".join([chunk.context, chunk.title, chunk.document, *headings])))
