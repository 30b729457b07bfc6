"""Test over generated documents that each number stands in a cited cell, in its scale and its currency.

A document is written with its figures' true amounts known: whatever the answer calculates with, cites or draws
must be these, wherever the scale stands. What a reader of the file loses on the way is seen here.
"""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from masis.calculating.calculation import holds
from masis.documents.chunking import chunk_document
from masis.documents.parsing.formats import read_csv, read_html
from masis.domain import Answered, EvidenceChunk, Figure, ParsedDocument, Question
from masis.graphs.analysis.graph import ANALYSIS
from masis.graphs.analysis.rule_agents import by_rule
from masis.graphs.common import Context, Onward, Request
from masis.runs import run_sync
from tests.examples import examples
from tests.masis.graphs.analysis.test_analysis import HERE, Stored

LABELS = ("Tiles", "Bricks", "Pipes", "Slabs", "Vases")
SCALES = {1: "", 1_000: "thousands", 1_000_000: "millions"}
SIGNS = {"": "", "$": "US dollars", "£": "pounds", "€": "euros"}
SUFFIX = {"": 1, "k": 1_000, "M": 1_000_000, "bn": 1_000_000_000}
NUMBER = re.compile(r"(?<![\w.,])\d(?:[\d,]*\d)?(?:\.\d+)?")
YEARS = (2023, 2024)


class Page(NamedTuple):
    """A generated document: its bytes, and the true amount of each cell by its row and its year."""

    content: str
    amounts: Mapping[tuple[str, int], Decimal]
    currency: str
    scale: int
    place: str

    @property
    def is_open(self) -> bool:
        """Return whether nobody can tell the scale of its table."""
        return self.place == "elsewhere" and self.scale > 1


@st.composite
def pages(draw: st.DrawFn) -> Page:
    scale = draw(st.sampled_from([1, 1_000, 1_000_000]))
    currency = draw(st.sampled_from(list(SIGNS)))
    place = draw(st.sampled_from(["corner", "caption", "heading", "line", "column", "all", "elsewhere"]))  # fmt: skip
    labels = draw(st.lists(st.sampled_from(LABELS), min_size=3, max_size=5, unique=True))
    values = draw(st.lists(st.integers(min_value=-9_999, max_value=99_999), min_size=2 * len(labels), max_size=2 * len(labels), unique=True))  # fmt: skip
    cells = {
        (label, year): values[2 * at + step]
        for at, label in enumerate(labels)
        for step, year in enumerate(YEARS)
    }
    held = 1 if place == "elsewhere" else scale
    amounts = {spot: Decimal(value * held) for spot, value in cells.items()}
    return Page(_written(cells, labels, scale, currency, place), amounts, "" if place == "elsewhere" else currency, scale, place)  # fmt: skip


def _written(
    cells: Mapping[tuple[str, int], int],
    labels: Sequence[str],
    scale: int,
    currency: str,
    place: str,
) -> str:
    # Pounds alone may be a weight.
    named = f"{SIGNS[currency]} sterling" if (currency, scale) == ("£", 1) else SIGNS[currency]
    said = " of ".join(filter(None, [SCALES[scale], named if scale > 1 else ""]))
    unit = f"in {said or named}" if said or currency else ""
    short = f"{currency}{ {1: '', 1_000: 'k', 1_000_000: 'm'}[scale] }" if currency else ""
    over = short or (f"({unit})" if unit else "")
    heads = [f"{year} {over}".strip() if place == "column" else str(year) for year in YEARS]
    corner = f"({unit.capitalize()})" if place == "corner" and unit else ""
    rows = [[corner, *heads], *([label, *(_cell(cells[label, year]) for year in YEARS)] for label in labels)]  # fmt: skip
    table = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    caption = f"<caption>Yield ({unit})</caption>" if place == "caption" and unit else ""
    line = f"<p>Unit: {unit.removeprefix('in ')}</p>" if place == "line" and unit else ""
    of_all = f"<p>All amounts are {unit}.</p>" if place == "all" and unit else ""
    other = (
        f"<p>Some tables of this report are {unit}.</p>" if place == "elsewhere" and unit else ""
    )
    heading = f"<h2>Yield, {unit}</h2>" if place == "heading" and unit else "<h2>Yield</h2>"
    return (
        f"<html><head><title>Ovens</title></head><body><main><h1>Ovens</h1>{of_all}{other}{heading}"
        f"{line}<table>{caption}{table}</table></main></body></html>"
    )


def _cell(value: int) -> str:
    return f"({-value:,})" if value < 0 else f"{value:,}"


def evidence(parsed: ParsedDocument, name: str) -> list[EvidenceChunk]:
    """Return the passages of a document that was read, as a search brings them."""
    made = chunk_document(parsed, workspace_id=HERE, document_id="d_p", version_id="v_p")
    return [
        EvidenceChunk(
            **each.model_dump(exclude={"id"}),
            chunk_id=each.id,
            document=name,
            title=parsed.title,
            score=0.8,
        )
        for each in made
    ]


def read(content: str) -> list[EvidenceChunk]:
    found = read_html.read("ovens.html", content.encode())
    return evidence(ParsedDocument(format="html", title=found.title, blocks=found.body.blocks), "ovens.html")  # fmt: skip


def answer(asked: str, chunks: list[EvidenceChunk]) -> tuple[Answered, list[EvidenceChunk]] | None:
    stored = Stored(chunks)
    bound = ANALYSIS.bound(Context(agents=by_rule(stored, stored)))
    request = Request(question=Question.plain(asked), workspace_id=HERE)
    state = run_sync(ANALYSIS, ANALYSIS.start(request), bound.context)
    found = ANALYSIS.conclude(state, "r_1", bound.context)
    if isinstance(found, Onward) or not isinstance(found.outcome, Answered):
        return None
    return found.outcome, found.evidence


QUESTIONS = (
    "how did {0} change from 2023 to 2024?",
    "by what percentage did {0} grow from 2023 to 2024?",
    "what is the difference between {0} and {1} in 2024?",
    "{0} as a share of the total in 2024",
    "total of {0} over 2023 and 2024",
    "average of {0} over 2023 and 2024",
    "yield in 2024 as a bar chart",
    "yield by year as a table",
)


@settings(max_examples=examples(60), deadline=None)
@given(page=pages(), asked=st.sampled_from(QUESTIONS))
def test_numbers_keep_their_scale(page: Page, asked: str) -> None:
    """Units, currencies, scales and periods never mix, and none is lost."""
    labels = list(dict.fromkeys(label for label, _ in page.amounts))
    found = answer(asked.format(labels[0].lower(), labels[1].lower()), read(page.content))
    if found is None:
        return
    answered, sources = found
    leaves = [leaf for done in answered.calculations for figure in done.inputs for leaf in figure.leaves]  # fmt: skip
    for done in answered.calculations:
        assert holds(done, sources)
    for figure in leaves:
        assert_true(figure, page)
    assert_shown(answered)
    assert_drawn(answered, page)
    if page.is_open and any(
        done.unit not in {"%", "points", "times"} for done in answered.calculations
    ):
        assert answered.badge is not None
        assert answered.badge.level != "High"


def assert_true(figure: Figure, page: Page) -> None:
    """A figure is the amount of the cell that it says it stands in."""
    label, dash, rest = figure.said.partition(" – ")
    assert dash
    year = next(year for year in YEARS if str(year) in rest)
    assert figure.amount == page.amounts[label, year]
    assert figure.currency == page.currency
    assert figure.period is not None
    assert figure.period.year == year


def assert_shown(answered: Answered) -> None:
    """Each number of the text stands in a cited passage or comes of a logged calculation."""
    borne = " ".join(
        [
            *(each.text for each in answered.citations),
            *(f"{each.shown} {each.formula}" for each in answered.calculations),
            *(f"{figure.amount / scale:,f}" for each in answered.calculations for figure in each.inputs for scale in SUFFIX.values()),
        ]
    )  # fmt: skip
    known = set(NUMBER.findall(borne)) | {str(len(each.inputs)) for each in answered.calculations}
    known |= {number.rstrip("0").rstrip(".") for number in known if "." in number}
    text = re.sub(r"^\d+\. |\[\d+\]", "", answered.answer, flags=re.MULTILINE)
    assert set(NUMBER.findall(text)) <= known, answered.answer


def assert_drawn(answered: Answered, page: Page) -> None:
    """Each point of a chart is a true amount in the unit that stands at it."""
    for chart in answered.charts:
        if chart.unit.startswith("%"):
            continue
        factor = SUFFIX[chart.unit.removeprefix(page.currency).strip()]
        true = {*page.amounts.values(), *(each.result for each in answered.calculations)}
        for series in chart.series:
            for value in series.values:
                assert value is None or value * factor in true


@settings(max_examples=examples(60), deadline=None)
@given(
    amounts=st.lists(st.integers(min_value=1, max_value=9_999), min_size=6, max_size=12),
    unit=st.sampled_from([("Unit: £k", "£", 1_000), ("All figures in millions of euros", "€", 1_000_000), ("(In thousands)", "", 1_000)]),
)  # fmt: skip
def test_whole_tables_keep_their_scale(amounts: list[int], unit: tuple[str, str, int]) -> None:
    """The column of a file has the scale that stands above it, as its passages have."""
    said, sign, scale = unit
    rows = "\n".join(f"O-{at},Site {at % 2},{amount}" for at, amount in enumerate(amounts))
    found = read_csv.read("orders.csv", f"{said}\nOrder,Site,Takings\n{rows}".encode())
    (table,) = found.tables
    column = next(each for each in table.shape.columns if each.name == "Takings")
    codes = {"£": "GBP", "€": "EUR", "": ""}
    assert (column.currency, column.scale) == (codes[sign], scale)
    parsed = ParsedDocument(format="csv", title="orders", blocks=found.body.blocks)
    told = answer("total takings of the orders at Site 0", evidence(parsed, "orders.csv"))
    assert told is None or all(
        figure.scale == scale and figure.currency == sign
        for done in told[0].calculations
        for figure in done.inputs
    )
