"""Tables of PDFs whose text overflows its column, wraps, or stands near its neighbour."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from masis.documents.parsing.pdf.ruled_tables import page_items
from masis.documents.parsing.placed_words import Line, Word
from masis.documents.parsing.recognition.read_document import read_document
from tests.bench.fidelity import drawn_tables
from tests.pdfs import Face, Run, made, right, rule, text_width

PLANS = (
    ("Plan", "Single sign-on", "Support"),
    ("Team plan for very small offices", "No", "Mail on working days only"),
    ("Business", "Yes", "Phone"),
    ("Enterprise with its own region", "Yes", "Always"),
    ("Trial", "No", "None"),
)
AS_ROWS = [
    " | ".join(f"{name}: {cell}" for name, cell in zip(PLANS[0], row, strict=True))
    for row in PLANS[1:]
]


def drawn(
    rows: Sequence[Sequence[str]],
    lefts: Sequence[float],
    *,
    size: float = 10,
    face: Face = "Helvetica",
    by_word: bool = False,
) -> list[Run]:
    """Rows of cells, each drawn from the left edge of its column, however long it is."""
    runs = []
    for number, row in enumerate(rows):
        for text, left in zip(row, lefts, strict=True):
            x = left
            for part in text.split() if by_word else [text] * bool(text):
                runs.append(Run(part, x, 700 - 1.5 * size * number, size, face))
                x += text_width(f"{part} ", size, face)
    return runs


def grid(lefts: Sequence[float], rows: int, size: float = 10) -> str:
    """The rules around the cells of `drawn`; the last left edge is the right end."""
    heights = [700 + 1.1 * size - 1.5 * size * number for number in range(rows + 1)]
    across = "".join(rule(lefts[0], y, lefts[-1], y) for y in heights)
    return across + "".join(rule(x, heights[0], x, heights[-1]) for x in lefts)


def table(runs: Sequence[Run], drawing: str = "") -> list[str]:
    """The text of a page of these runs."""
    return [block.text for block in read_document("a.pdf", made([runs], drawing)).blocks]


@pytest.mark.parametrize("by_word", [False, True], ids=["cell by cell", "word by word"])
@pytest.mark.parametrize(("face", "size"), [("Helvetica", 10), ("Times-Roman", 11), ("Courier", 8)])
def test_overflowing_text_stays_whole(face: Face, size: float, by_word: bool) -> None:
    """Text over the next column stays whole."""
    lefts = [60, 130, 210]
    assert table(drawn(PLANS, lefts, size=size, face=face, by_word=by_word)) == AS_ROWS


@pytest.mark.parametrize("by_word", [False, True], ids=["cell by cell", "word by word"])
def test_text_over_a_rule_stays_whole(by_word: bool) -> None:
    drawing = grid([57, 127, 207, 340], len(PLANS))
    assert table(drawn(PLANS, [60, 130, 210], by_word=by_word), drawing) == AS_ROWS


def test_overflowing_text_leaves_cell_empty() -> None:
    """Text over an empty cell leaves it empty."""
    rows = [("Item", "Price", "Note"), ("Pump with frame", "12", "new"), ("Hose", "3", "old")]
    rows += [("Valve of stainless steel, long", "", "sold out"), ("Ring", "1", "new")]
    lefts = [60, 150, 230]
    expected = "Item: Valve of stainless steel, long | Note: sold out"
    assert expected in table(drawn(rows, lefts))
    assert expected in table(drawn(rows, lefts), grid([57, 147, 227, 300], len(rows)))


def test_wide_figures_belong_to_end() -> None:
    """Figures too wide belong where they end."""
    rows = [("Year", "Sold"), ("North", "12"), ("South", "1,204,500,300"), ("West", "340")]
    runs = drawn([(first, "") for first, _ in rows], [60, 0])
    runs += [right(figure, 190, 700 - 15 * at) for at, (_, figure) in enumerate(rows)]
    drawing = grid([57, 140, 193], len(rows))
    assert table(runs, drawing)[1:] == [
        "Year: South | Sold: 1,204,500,300",
        "Year: West | Sold: 340",
    ]


def test_adjacent_figures_and_text_are_separate() -> None:
    """Figures and text beside them are two cells."""
    rows = [("12", "weekly"), ("1,250", "daily"), ("7", "every month"), ("430", "never")]
    runs = [Run("Report", 60, 715), right("Pages", 180, 715), Run("Sent", 185, 715)]
    for at, (figure, text) in enumerate(rows):
        y = 700 - 15 * at
        runs += [Run(f"Report {at + 1}", 60, y), right(figure, 180, y), Run(text, 185, y)]
    assert table(runs) == [
        f"Report: Report {at + 1} | Pages: {figure} | Sent: {text}"
        for at, (figure, text) in enumerate(rows)
    ]


def wrapped(gap: float) -> list[Run]:
    """Rows whose cells go over several lines, drawn cell by cell, `gap` between two rows."""
    rows = [
        (("Leave",), ("Who asks",), ("Notice",)),
        (("Parental", "leave"), ("Everybody who has", "worked a year", "or longer"), ("8 weeks",)),
        (("Sabbatical",), ("Engineers",), ("half a year,", "in writing")),
        (("Care days",), ("Everybody, for", "relatives"), ("none",)),
    ]
    runs, top = [], 700.0
    for row in rows:
        for lines, x in zip(row, (60, 150, 270), strict=True):
            runs += [Run(line, x, top - 12 * number) for number, line in enumerate(lines)]
        top -= 12 * max(map(len, row)) + gap
    return runs


def test_unruled_lines_are_one_cell() -> None:
    """Lines of a cell without rules are one cell."""
    assert table(wrapped(8)) == [
        "Leave: Parental leave | Who asks: Everybody who has worked a year or longer | Notice: 8 weeks",
        "Leave: Sabbatical | Who asks: Engineers | Notice: half a year, in writing",
        "Leave: Care days | Who asks: Everybody, for relatives | Notice: none",
    ]


def test_groups_of_full_rows_stay_rows() -> None:
    rows = [("Month", "Visits"), ("May", "12"), ("June", "13"), ("July", "14"), ("August", "15")]
    heights = (700, 688, 676, 656, 644)
    runs = [
        Run(cell, x, y)
        for row, y in zip(rows, heights, strict=True)
        for cell, x in zip(row, (60, 200), strict=True)
    ]
    assert table(runs) == [f"Month: {month} | Visits: {visits}" for month, visits in rows[1:]]


def test_adjacent_addresses_are_no_table() -> None:
    """Two addresses side by side are no table."""
    left = ("Bill to", "Anna Berg", "Hill Road 4", "Leeds")
    other = ("Ship to", "Store 12", "Dock Street 9", "Hull")
    runs = [
        Run(line, x, 700 - 12 * at)
        for x, lines in ((60, left), (300, other))
        for at, line in enumerate(lines)
    ]
    assert " ".join(table(runs)) == " ".join([*left, *other])


def test_two_text_columns_are_no_table() -> None:
    """Text in two columns is no table."""
    words = [
        "the",
        "pump",
        "must",
        "be",
        "stopped",
        "before",
        "anybody",
        "opens",
        "the",
        "lid",
        "of",
        "the",
        "case",
    ]
    lines = [" ".join(words[at : at + 7]) for at in range(8)]
    runs = [Run(line, x, 700 - 12 * at, 9) for x in (60, 320) for at, line in enumerate(lines)]
    document = read_document("a.pdf", made([runs]))
    assert {block.kind for block in document.blocks} == {"paragraph"}


def test_edge_figure_is_no_page_number() -> None:
    """A figure near the edge is no page number."""
    rows = [("Site", "Staff"), ("Leeds", "12"), ("Hull", "7")]
    drawing = "".join(rule(x, 655, x, 717) for x in (57, 197, 257))
    drawing += "".join(rule(57, y, 257, y) for y in (717, 696, 676, 655))
    runs = [
        Run(cell, x, 700 - 20 * at)
        for at, row in enumerate(rows)
        for cell, x in zip(row, (60, 200), strict=True)
    ]
    # Drawn column by column, each figure is a line of its own.
    assert table(sorted(runs, key=lambda run: run.x), drawing) == [
        "Site: Leeds | Staff: 12",
        "Site: Hull | Staff: 7",
    ]


# --- words drawn apart -----------------------------------------------------------------------


def item_rows(texts: Sequence[str], figure_x: float = 250) -> list[Run]:
    """Rows of a label that is drawn in two parts, a word's space apart, and a figure."""
    runs = [Run("The figures of the year stand below, in thousands.", 60, 740)]
    for at, text in enumerate(texts):
        first, _, rest = text.partition(" ")
        y = 700 - 15 * at
        runs += [Run(first, 60, y), Run(rest, 60 + text_width(f"{first} ", 10), y)]
        runs.append(right(str(100 + at), figure_x, y))
    return runs


def test_words_a_space_apart_stay_one_cell() -> None:
    labels = ["Paid interest", "Paid rent", "Paid income taxes", "Owed in all"]
    found = " ".join(table(item_rows(labels)))
    assert all(label in found for label in labels)


def test_names_part_where_the_figures_below_end() -> None:
    width = text_width("Served", 10)
    runs = [Run("Town", 60, 715), right("Asked", 170, 715), Run("Served", 182, 715)]
    for at, town in enumerate(("Ghent", "Bruges", "Ostend", "Namur")):
        y = 700 - 15 * at
        runs += [Run(town, 60, y), right(str(90 + 5 * at), 170, y)]
        runs.append(right(str(70 + 4 * at), 182 + width, y))
    assert table(runs) == [
        f"Town: {town} | Asked: {90 + 5 * at} | Served: {70 + 4 * at}"
        for at, town in enumerate(("Ghent", "Bruges", "Ostend", "Namur"))
    ]


def test_cells_that_touch_are_two() -> None:
    names = ("backup-1", "manual-3", "export-9", "shared-7")
    edge = 60 + text_width("backup-1", 10, "Courier")
    runs = [Run("Plan", 60, 715, face="Courier"), Run("Sent", edge, 715, face="Courier")]
    runs.append(right("Cost", 300, 715, face="Courier"))
    for at, (name, sent) in enumerate(
        zip(names, ("never", "daily", "twice", "weekly"), strict=True)
    ):
        y = 700 - 15 * at
        runs += [Run(name, 60, y, face="Courier"), Run(sent, edge, y, face="Courier")]
        runs.append(right(str(40 + at), 300, y, face="Courier"))
    assert table(runs)[0] == "Plan: backup-1 | Sent: never | Cost: 40"


def test_a_figure_behind_long_text_is_a_cell() -> None:
    rows = [("Pump", "9,161"), ("Hose", "1,316"), ("Valve", "2,083"), ("Valve of steel", "161")]
    runs = [Run("Item", 60, 715), right("Sold", 146, 715), Run("Note", 170, 715)]
    for at, (item, sold) in enumerate(rows):
        y = 700 - 15 * at
        runs += [Run(item, 60, y), right(sold, 146, y), Run("new", 170, y)]
    long = 146 - text_width("161", 10) - 60 - text_width("Valve of steel", 10)
    assert 0 < long < 13  # too near to be told apart by space
    assert table(runs)[-1] == "Item: Valve of steel | Sold: 161 | Note: new"


def test_a_long_first_cell_alone_is_a_row() -> None:
    rows = [("Plan", "Support", "Sent"), ("small", "mail", "weekly"), ("large", "phone", "daily")]
    rows += [("none for offices", "", ""), ("extra", "office", "never"), ("gold", "mail", "daily")]
    assert table(drawn(rows, [60, 150, 230])) == [
        "Plan: small | Support: mail | Sent: weekly",
        "Plan: large | Support: phone | Sent: daily",
        "Plan: none for offices",
        "Plan: extra | Support: office | Sent: never",
        "Plan: gold | Support: mail | Sent: daily",
    ]


def test_a_title_between_tables_is_no_row() -> None:
    rows = [("Plan", "Support", "Sent"), ("small", "mail", "weekly"), ("large", "phone", "daily")]
    runs = [*drawn(rows, [60, 150, 230]), Run("Other plans", 60, 648)]
    runs += [replace(run, y=run.y - 75) for run in drawn(rows, [60, 150, 230])]
    assert "Other plans" in table(runs)


def test_words_over_each_other_read_as_drawn() -> None:
    rows = [("Item", "Owner", "Note"), ("Pump", "remote team", "new"), ("Hose", "mail", "old")]
    rows += [("Valve", "partner request private", "team"), ("Ring", "team", "new")]
    x = 150 + text_width("partner request p", 10)
    found = table(drawn(rows, [60, 150, x], by_word=True))
    assert "Item: Valve | Owner: partner request private | Note: team" in found


def test_drawn_table_cells_are_mostly_placed() -> None:
    """Nearly all cells of drawn tables are in place."""
    counts = drawn_tables.measured(60)
    moved = sum(count for kind, count in counts.items() if kind.startswith("moved: "))
    assert moved <= 0.02 * (counts.total() - moved)


def test_successive_drawn_tables_differ() -> None:
    """No drawn table is the one before."""
    tables = [drawn_tables.drawn(seed) for seed in range(10)]
    assert all(one.content != other.content for one, other in pairwise(tables))
    assert drawn_tables.drawn(3) == tables[3]


def test_thousands_of_cells_are_read() -> None:
    # Each would be compared with all the others.
    """Thousands of cells in a line are read."""
    rows = [
        Line(
            1, 9, bold=False, words=[Word("x", at, at + 1, y, y + 9) for at in range(0, 90_000, 15)]
        )
        for y in (540, 528, 516, 504)
    ]
    assert page_items(rows, [])
