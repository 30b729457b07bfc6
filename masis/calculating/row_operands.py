"""Find the rows of a table that a calculation is asked of, and the column that gives their figures."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from masis.calculating.asked_calculation import Wanted, about
from masis.calculating.asked_grammar import GENERIC, TOTALS
from masis.calculating.calculation import objection, worked_out
from masis.calculating.dimensions.numbers import whole_number
from masis.calculating.figure_pool import over_time, title_terms, understood
from masis.calculating.figures import (
    LABEL_CHARS,
    Cell,
    Row,
    Table,
    cell_figure,
    words_of,
)
from masis.calculating.found_operands import Group, Operands
from masis.calculating.meant_rows import PRICES, QUANTITY, meant_rows, sample, words_in
from masis.domain import EvidenceChunk, Figure
from masis.text.grammars.named_months import may_be_in, months_named
from masis.text.lexical import terms
from masis.text.periods import periods, within, without_periods
from masis.text.sentences import units

MOST_INPUTS: Final = 2_000
"""Figures of one calculation."""
MISSING: Final = 1 / 3
"""Share of the words asked for that rows need not have; with any they are no sure ones."""
MOST_LISTED: Final = 60
"""Figures of a list."""
_WORTH: Final = frozenset(terms("net worth value gross pounds euros"))
_DISCOUNTS: Final = frozenset(terms("discount rebate reduction"))
_SAYS: Final[dict[str, frozenset[str]]] = {
    "mean": frozenset(terms("average mean")),
    "median": frozenset(terms("median")),
    "sum": frozenset(terms("total altogether sum combined")),
}
"""How a sentence says that it gives the result of a calculation."""
_LEAST_ROWS: Final = 2
_MANY: Final = re.compile(r"\b(?:most|many|more|fewest|fewer|least|less)\b", re.IGNORECASE)
"""Words that ask for how many of something there are, without its name."""


def of_rows(
    wanted: Wanted, evidence: Sequence[EvidenceChunk], read: Sequence[Table]
) -> Operands | None:
    """Return the figures of the rows that are meant, or the rows where they are counted."""
    if _is_stated(wanted, about(wanted.sides[0]), evidence):
        return None
    if wanted.kind == "count":
        return _of_count(wanted, read)
    if wanted.kind == "product":
        return _of_product(wanted, read)
    picked = [
        found for table in read if _has_named(wanted, table) for found in _columns(wanted, table)
    ]
    best = _best(picked, wanted)
    if best is None:
        return _without_money(wanted, read)
    groups = _averaged(wanted, list(_groups(wanted, best)))
    if not groups:
        return None
    figures = [figure for group in groups for figure in group.figures]
    alike = not objection(figures, "sum", forecasts=True)
    rivals = [each for each in picked if each is not best and each.rank == best.rank]
    return Operands(
        groups=groups,
        is_sure=best.is_exact and not rivals and not best.missing and alike,
        among=" and ".join(best.filters),
        is_money=any(figure.currency for figure in figures),
    )


def _averaged(wanted: Wanted, groups: list[Group]) -> list[Group]:
    """Put figures together of which each stands alone: the average cost per station is one of all."""
    alone = len(groups) > 1 and all(len(group.figures) == 1 for group in groups)
    if wanted.kind not in {"mean", "median"} or not alone:
        return groups
    return [Group(label="", figures=[figure for group in groups for figure in group.figures])]


def _has_named(wanted: Wanted, table: Table) -> bool:
    """Tell whether the rows of a table are of what is asked for: no list price tells the cheapest customer.

    A column beside others that names it is not enough: the price is that of the row's own thing.
    """
    who = frozenset(terms(wanted.who)) - GENERIC
    if not (who and wanted.prices and wanted.kind in {"maximum", "minimum"}):
        return True
    own = f"{table.first} {table.heading} {' '.join(row.cells[0].text for row in table.rows[:_LEAST_ROWS])}"
    titles = title_terms(table.rows[0].chunk)
    return not who.isdisjoint(titles | frozenset(terms(own)))


def _without_money(wanted: Wanted, read: Sequence[Table]) -> Operands | None:
    """Return the first figures of the table that is asked of in money, and that has none."""
    for table in read if wanted.money else []:
        meant = meant_rows(wanted, table)
        if (
            meant is None
            or not meant.asked
            or meant.asked - meant.of_what
            or len(table.rows) < _LEAST_ROWS
        ):
            continue
        cells = [(row, cell) for row in meant.rows for cell in row.cells[1:]]
        figures = [
            each for row, cell in cells if (each := cell_figure(table, row, cell)) is not None
        ]
        if figures and not any(figure.currency for figure in figures):
            return Operands(
                groups=[Group(label="", figures=figures[:_LEAST_ROWS])],
                is_sure=False,
                is_money=False,
            )
    return None


class _Picked(NamedTuple):
    """A column of a table, the rows that are meant, and how many words asked for they lack."""

    table: Table
    header: str
    rows: list[Row]
    missing: int
    matched: int
    filters: tuple[str, ...]
    is_exact: bool
    asked: int
    is_timely: bool = True

    @property
    def rank(self) -> tuple[int, int, int, bool]:
        """Return how well it fits: the greater, the better."""
        return -self.missing, self.matched, len(self.filters), self.is_timely


def _best(picked: Sequence[_Picked], wanted: Wanted) -> _Picked | None:
    if not picked:
        return None
    best = max(picked, key=lambda each: each.rank)
    # Without a cell that is named the rows would be some, and not those that are meant.
    is_bounded = bool(best.filters or wanted.limits)
    return None if best.missing > (MISSING * best.asked if is_bounded else 0) else best


def _is_stated(wanted: Wanted, asked: frozenset[str], evidence: Sequence[EvidenceChunk]) -> bool:
    """Tell whether a sentence gives what would be calculated: "the average bid time was 16 days"."""
    says = _SAYS.get(wanted.kind, frozenset())
    return any(
        says & said and asked <= said
        for chunk in evidence
        for unit in units(chunk.text)
        if unit.kind != "table_row" and any(map(str.isdigit, unit.text))
        for said in [frozenset(terms(unit.text))]
    )


# --- which column ------------------------------------------------------------------------------


def _columns(wanted: Wanted, table: Table) -> Iterator[_Picked]:
    """Yield the columns of figures that may be meant, each with its rows."""
    if len(table.rows) < _LEAST_ROWS:
        return
    meant = meant_rows(wanted, table)
    if meant is None:
        return
    asked = meant.asked
    for header in table.headers:
        if not table.is_numeric(header) or header == table.first:
            continue
        words = frozenset(terms(words_of(header)))
        matched = _matched(wanted, asked, words)
        over = periods(header)
        rows = [row for row in meant.rows if _is_meant(wanted, row, header, has_period=bool(over))]
        is_bare = bool(over) and not without_periods(words_of(header)).strip()
        # A column that is called by its currency alone is of what the table is of.
        if (is_bare and wanted.kind != "list") or _is_of_money_alone(table, header, words):
            matched = matched or asked & meant.of_what
        if not matched or len(rows) < _LEAST_ROWS:
            continue
        if over and wanted.periods and over[0].period not in wanted.periods:
            continue
        missing = asked - words - meant.of_what - _covered_by_rows(asked, rows)
        strays = (
            words - asked - meant.of_what - GENERIC - QUANTITY - PRICES - frozenset(wanted.measures)
        )
        sums = _sums(header, rows)
        data = [row for row in rows if row not in sums or not _says_whole(row)]
        # A ranking by a quantity that no word of the question names may be meant by another figure.
        is_assumed = wanted.kind == "rank" and not _names_figure(wanted, words)
        exact = not (strays or sums or is_assumed)
        yield _Picked(
            table, header, data, len(missing), len(matched), meant.values, exact, len(asked)
        )


def _is_of_money_alone(table: Table, header: str, words: frozenset[str]) -> bool:
    """Tell whether a column is the only one of figures, and called by nothing but a currency."""
    numeric = [each for each in table.headers if table.is_numeric(each)]
    figure = sample(table, header) if not words and numeric == [header] else None
    return figure is not None and bool(figure.currency)


def _matched(wanted: Wanted, asked: frozenset[str], words: frozenset[str]) -> frozenset[str]:
    """Return what of a column's name is meant; of what is dear or cheap that can be a price alone."""
    if wanted.prices and not words & PRICES:
        return frozenset()
    if wanted.measures:
        return words & frozenset(term for each in wanted.measures for term in terms(each))
    return asked & words or _meant_by_kind(wanted, words)


def _names_figure(wanted: Wanted, words: frozenset[str]) -> bool:
    """Tell whether a question names the figures of a column, or says that there are many of something."""
    asked = " ".join([*wanted.sides, *wanted.measures])
    said = frozenset(terms(asked))
    is_quantity = bool(words & QUANTITY) and bool(said & QUANTITY or _MANY.search(asked))
    return wanted.counts or wanted.prices or is_quantity or bool(said & words)


def _meant_by_kind(wanted: Wanted, words: frozenset[str]) -> frozenset[str]:
    """Return what of a column's name is meant without being named: how many, what it costs."""
    counts = wanted.counts or wanted.kind == "rank"
    return words & ((QUANTITY if counts else frozenset()) | (PRICES if wanted.prices else frozenset()))  # fmt: skip


def _covered_by_rows(asked: frozenset[str], rows: Sequence[Row]) -> frozenset[str]:
    """Return the terms that every row says: "piece" in each."""
    common = asked
    for row in rows:
        common &= frozenset(terms(row.line))
    return common


def _sums(header: str, rows: Sequence[Row]) -> list[Row]:
    """Return the rows that are the sum of all others, as a whole is of its parts, or happen to be."""
    read = [whole_number(row.cell(header)) for row in rows]
    values = [number.value for number in read if number]
    if len(rows) < 3 or len(values) < len(rows):
        return []
    total = sum(values)
    return [row for row, value in zip(rows, values, strict=True) if 2 * value == total]


def _says_whole(row: Row) -> bool:
    said = [cell.text for cell in row.cells if len(cell.text) <= LABEL_CHARS]
    return not TOTALS.isdisjoint(terms(" ".join(said)))


def _is_meant(wanted: Wanted, row: Row, header: str, *, has_period: bool) -> bool:
    """Tell whether a row has such a figure and is of a period that is asked for."""
    return whole_number(row.cell(header)) is not None and (has_period or _is_of_period(wanted, row))


def _is_of_period(wanted: Wanted, row: Row) -> bool:
    months = frozenset[int]() if wanted.periods else months_named(wanted.sides[0])
    if not (wanted.periods or months):
        return True
    said = [
        found[0].period
        for cell in row.cells
        if len(cell.text) <= LABEL_CHARS and (found := periods(cell.text))
    ]
    if months:
        return may_be_in(months, said)
    if said:
        return any(within(each, period) for each in said[:2] for period in wanted.periods)
    titles = periods(f"{row.chunk.context}\n{row.chunk.title}\n{row.chunk.document}")
    return any(within(each.period, p) or within(p, each.period) for each in titles for p in wanted.periods)  # fmt: skip


def _groups(wanted: Wanted, picked: _Picked) -> Iterator[Group]:
    """Yield the figures of the rows: together, or by the column that a ranking is of.

    Nothing where no column is called what is to be ranked: who sold the most is no order's number.
    """
    by = _by(wanted, picked.table)
    if wanted.kind == "rank" and not by:
        if wanted.by:
            return
        by = picked.table.first
    grouped: dict[str, list[Figure]] = {}
    for row in picked.rows[:MOST_INPUTS]:
        figure = cell_figure(picked.table, row, Cell(picked.header, row.cell(picked.header)))
        if figure is not None:
            grouped.setdefault(row.cell(by) if by else "", []).append(figure)
    for label, figures in grouped.items():
        yield Group(label=label, figures=figures)


def _by(wanted: Wanted, table: Table) -> str:
    """Return the column that figures are grouped by."""
    said = frozenset(terms(wanted.by))
    return next((header for header in table.headers if said and said & frozenset(terms(words_of(header)))), "")  # fmt: skip


# --- rows as such ------------------------------------------------------------------------------


def _of_count(wanted: Wanted, read: Sequence[Table]) -> Operands | None:
    """Return the rows that are counted, as figures of one each."""
    best: tuple[int, int, int] | None = None
    found: Operands | None = None
    for table in read:
        meant = meant_rows(wanted, table) if len(table.rows) >= _LEAST_ROWS else None
        if meant is None or not (meant.filters or wanted.limits):
            continue
        rows = [row for row in meant.rows if _is_of_period(wanted, row)][:MOST_INPUTS]
        heads = _heads(table)
        missing = meant.asked - meant.of_what - heads - _covered_by_rows(meant.asked, rows)
        rank = (-len(missing), len(meant.filters), len(table.rows))
        if not rows or len(missing) > MISSING * len(meant.asked) or (best and rank <= best):
            continue
        named = [
            header
            for header in table.headers
            if meant.asked & frozenset(terms(f"{header} {words_of(header)}"))
        ]
        if wanted.kind == "list" and len(named) < _LEAST_ROWS:
            continue
        best = rank
        figures = [_row_figure(row) for row in rows]
        found = Operands(
            groups=[Group(label="", figures=figures)],
            is_sure=not missing,
            among=" and ".join(meant.values),
        )
    return found


def _heads(table: Table) -> frozenset[str]:
    """Return the terms of the columns' names, written out and as they stand there."""
    said = (f"{header} {words_of(header)}" for header in table.headers)
    return frozenset(term for each in said for term in terms(each))


def _row_figure(row: Row) -> Figure:
    return Figure(
        metric="row",
        entity=row.cells[0].text,
        value=Decimal(1),
        chunk_id=row.chunk.chunk_id,
        place=row.chunk.place,
        written=row.line.strip(),
        said=row.line.strip().removeprefix("- "),
    )


def _of_product(wanted: Wanted, read: Sequence[Table]) -> Operands | None:
    """Return the quantity, the price and the discount of the lines that are named."""
    for table in read:
        meant = meant_rows(wanted, table)
        columns = _factors(table)
        if meant is None or not meant.filters or len(columns) < 2:
            continue
        rows = [row for row in meant.rows if _is_of_period(wanted, row)]
        missing = meant.asked - meant.of_what - _DISCOUNTS - _WORTH
        if not rows or missing or len(rows) > MOST_INPUTS:
            continue
        lines = [_factor_figures(table, row, columns) for row in rows]
        among = " and ".join(meant.values)
        if len(lines) == 1:
            return Operands(groups=[Group(label="", figures=lines[0])], is_sure=True, among=among)
        made = [
            worked_out("product", line, f"{row.cells[0].text}", None)
            for row, line in zip(rows, lines, strict=True)
        ]
        figures = [figure for figure in made if figure is not None]
        if len(figures) == len(lines):
            return Operands(
                groups=[Group(label="", figures=figures)], is_sure=True, among=among, kind="sum"
            )
    return None


def _factors(table: Table) -> list[str]:
    """Return the columns of quantity, price and discount, as far as a table has them."""
    found: list[str] = []
    for wanted in (QUANTITY, PRICES, _DISCOUNTS):
        matches = [
            header
            for header in table.headers
            if table.is_numeric(header)
            and frozenset(terms(words_of(header))) & wanted
            and header not in found
        ]
        if len(matches) != 1 and wanted is not _DISCOUNTS:
            return []
        found += matches[:1]
    return found


def _factor_figures(table: Table, row: Row, columns: Sequence[str]) -> list[Figure]:
    made = [cell_figure(table, row, Cell(header, row.cell(header))) for header in columns]
    return [figure for figure in made if figure is not None]


# --- lists -------------------------------------------------------------------------------------


def of_list(wanted: Wanted, read: Sequence[Table]) -> Operands | None:
    """Return the figures of a column, a row each: "revenue by line in 2025"."""
    rows = _of_count(wanted, read) if wanted.as_table and not wanted.by else None
    if rows is not None:
        return rows.model_copy(update={"kind": "count"})
    picked = [found for table in read for found in _listed(wanted, table)]
    best = _best(picked, wanted)
    if best is None or len(best.rows) > MOST_LISTED:
        return None
    groups = list(_groups(wanted, best))
    by = _by(wanted, best.table)
    if by and len(groups) < len(best.rows) and len(groups) > 1:
        return Operands(groups=groups, is_sure=not best.missing and best.is_exact, kind="sum")
    figures = [figure for group in groups for figure in group.figures]
    rivals = [each for each in picked if each is not best and each.rank == best.rank]
    return Operands(
        groups=[Group(label="", figures=figures)],
        is_sure=best.is_exact and not rivals and not best.missing,
        among=" and ".join(best.filters),
    )


def _listed(wanted: Wanted, table: Table) -> Iterator[_Picked]:
    """Yield the columns whose figures may be listed; one that only a period names is its heading's."""
    meant = meant_rows(wanted, table) if len(table.rows) >= _LEAST_ROWS else None
    if meant is None or (wanted.by and not _by(wanted, table)):
        return
    by = frozenset(terms(wanted.by))
    for header in table.headers:
        if not table.is_numeric(header) or header == table.first:
            continue
        words = frozenset(terms(words_of(without_periods(header))))
        over = periods(header)
        if (
            over
            and wanted.periods
            and not any(within(over[0].period, each) for each in wanted.periods)
        ):
            continue
        rows = [row for row in meant.rows if _is_meant(wanted, row, header, has_period=bool(over))]
        sums = _sums(header, rows)
        rows = [row for row in rows if row not in sums]
        matched = meant.asked & (words or meant.of_what)
        missing = meant.asked - words - meant.of_what - by
        if matched and len(rows) >= _LEAST_ROWS:
            exact = not words - meant.asked - meant.of_what - GENERIC - QUANTITY
            yield _Picked(
                table,
                header,
                rows,
                len(missing),
                len(matched),
                meant.values,
                exact,
                len(meant.asked),
                is_timely=not (over and wanted.periods) or over[0].period in wanted.periods,
            )


# --- changes -----------------------------------------------------------------------------------


def of_changes(wanted: Wanted, read: Sequence[Table]) -> Operands | None:
    """Return the figures of each row, or of each column, in the two periods that are compared."""
    best: Operands | None = None
    most = (0, 0)
    for table in read:
        titles = title_terms(table.rows[0].chunk) | frozenset(terms(table.heading))
        known = titles | words_in(table)
        said = about(wanted.sides[0]) | frozenset(terms(wanted.by))
        asked = frozenset(meant for term in said if (meant := understood(term, known)))
        lines = over_time(table, wanted.periods, asked)
        groups = [
            Group(label=label, figures=[line[each] for each in wanted.periods])
            for label, line in lines.items()
            if not frozenset(terms(label)) & TOTALS
        ]
        groups = _of_one_unit(groups)
        missing = asked - known
        fits = (len(asked & known), len(groups))
        if len(groups) >= _LEAST_ROWS and len(missing) <= MISSING * len(asked) and fits > most:
            most = fits
            best = Operands(groups=groups, is_sure=not missing)
    return best


def _of_one_unit(groups: Sequence[Group]) -> list[Group]:
    """Return the groups in the unit that most of them have, without what is the sum of the others."""
    units_ = [
        (group.figures[0].currency, group.figures[0].unit, group.figures[0].scale)
        for group in groups
    ]
    usual = max(units_, key=units_.count, default=None)
    kept = [group for group, unit in zip(groups, units_, strict=True) if unit == usual]
    total = sum(group.figures[0].amount for group in kept)
    if len(kept) < 3:
        return kept
    return [group for group in kept if 2 * group.figures[0].amount != total]


# --- wholes ------------------------------------------------------------------------------------


def whole_of(figure: Figure, asked: frozenset[str], read: Sequence[Table]) -> Figure | None:
    """Return the sum of the column that a figure stands in, where its name is what is asked for."""
    for table in read:
        spot = next(
            (
                row
                for row in table.rows
                if row.chunk.chunk_id == figure.chunk_id
                and figure.said.startswith(row.cells[0].text)
            ),
            None,
        )
        header = figure.said.partition(" – ")[2].rpartition(": ")[0]
        # Rows of periods are parts of no whole that a share could be of.
        if spot is None or header not in table.headers or periods(spot.cells[0].text):
            continue
        said = (
            frozenset(terms(words_of(header)))
            | frozenset(terms(table.heading))
            | title_terms(table.rows[0].chunk)
        )
        if asked - said - TOTALS:
            continue
        return _whole(table, header)
    return None


def _whole(table: Table, header: str) -> Figure | None:
    """Return the total that a table gives of a column, else the sum of its rows."""
    totals = [row for row in table.rows if frozenset(terms(row.cells[0].text)) & TOTALS]
    totals = totals or _sums(header, table.rows)
    rows = totals[:1] or table.rows
    made = [cell_figure(table, row, Cell(header, row.cell(header))) for row in rows]
    figures = [each for each in made if each is not None]
    if totals or len(figures) < len(rows):
        return figures[0] if totals and figures else None
    return worked_out("sum", figures, words_of(header), figures[0].period)


def is_sum(figure: Figure, read: Sequence[Table]) -> bool:
    """Tell whether a figure is the sum of the others of its column, or says to be of all."""
    label, _, header = figure.said.partition(" – ")
    header = header.rpartition(": ")[0]
    for table in read:
        if header in table.headers and table.rows[0].chunk.version_id:
            for row in [
                row
                for row in table.rows
                if row.chunk.chunk_id == figure.chunk_id and row.cells[0].text == label
            ]:
                return bool(frozenset(terms(label)) & TOTALS) or row in _sums(header, table.rows)
    return False
