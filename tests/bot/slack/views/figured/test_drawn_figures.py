"""Charts and tables in Slack: within its limits, with their source, and in words where it takes none."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.playground.slack.checker.block_kit import violations
from bot.slack import limits
from bot.slack.text import figure_sentences
from bot.slack.views.answer import MAX_MESSAGES, answer
from bot.slack.views.figured import drawn_figures
from bot.slack.views.message import Message, Shown
from masis.calculating.charts import figure_forms
from masis.values.shown import Chart, ChartKind, Series, ShownTable
from tests.bot.slack.view_samples import HOSTILE, RUN_ID, TODAY, answered, run, sound
from tests.drawn_samples import KINDS, QUARTERS, at_the_limits, chart, table
from tests.examples import examples


def shown(**changes: Any) -> Shown:
    return answer(run(), answered(**changes), TODAY)


def last(**changes: Any) -> Message:
    return shown(**changes).messages[-1]


def of_kind(message: Message, kind: str) -> list[dict[str, Any]]:
    return [block for block in message.blocks if block["type"] == kind]


def plain_of(message: Message) -> Message:
    assert message.plain is not None
    return message.plain


@pytest.mark.parametrize("kind", ["bar", "line", "area"])
def test_chart_as_slack_gets_it(kind: ChartKind) -> None:
    """Golden: a chart over categories, and its source line."""
    message = last(charts=[chart(kind)])
    (block,) = of_kind(message, "data_visualization")
    points = zip(QUARTERS, [5682, 5987.5, 6221, 5854], strict=True)

    assert block == {
        "type": "data_visualization",
        "title": "Revenue by quarter (£k)",
        "chart": {
            "type": kind,
            "series": [
                {"name": "Revenue", "data": [{"label": q, "value": value} for q, value in points]}
            ],
            "axis_config": {"categories": QUARTERS, "y_label": "£k"},
        },
    }
    below = message.blocks[message.blocks.index(block) + 1]
    assert below["elements"][0]["text"] == "Source: handbook/leave.md [1]"


def test_pie_as_slack_gets_it() -> None:
    (block,) = of_kind(last(charts=[chart("pie", unit="%")]), "data_visualization")
    assert block["title"] == "Revenue by quarter (%)"
    assert block["chart"]["type"] == "pie"
    assert block["chart"]["segments"][1] == {"label": "Q2 2025", "value": 5987.5}


def test_table_as_slack_gets_it() -> None:
    """Golden: words and numbers are cells of their kind, so that Slack sorts them."""
    message = last(tables=[table(2)])
    (block,) = of_kind(message, "data_table")

    assert block == {
        "type": "data_table",
        "caption": "Orders by customer",
        "rows": [
            [{"type": "raw_text", "text": "Customer"}, {"type": "raw_text", "text": "Order 1 (£)"}],
            [
                {"type": "raw_text", "text": "Customer 0"},
                {"type": "raw_number", "value": 0.25, "text": "0.25"},
            ],
            [
                {"type": "raw_text", "text": "Customer 1"},
                {"type": "raw_number", "value": 250.25, "text": "250.25"},
            ],
        ],
        "page_size": 10,
        "row_header_column_index": 0,
    }
    below = message.blocks[message.blocks.index(block) + 1]
    assert below["elements"][0]["text"] == "Source: handbook/leave.md, 12,431 rows [1]"


@pytest.mark.parametrize("kind", KINDS)
def test_chart_of_every_kind_fits(kind: ChartKind) -> None:
    charts = [at_the_limits(kind), at_the_limits(kind, name="ü")]
    message = last(charts=charts)

    assert violations("message", message.payload()) == []
    assert violations("message", plain_of(message).payload()) == []
    assert len(of_kind(message, "data_visualization")) == limits.MESSAGE_CHARTS


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (200, 2), (201, 20), (1000, 30), (0, 2)])
def test_table_of_every_size_fits(rows: int, columns: int) -> None:
    message = last(tables=[table(rows, columns)] * 2)
    assert violations("message", message.payload()) == []
    assert violations("message", plain_of(message).payload()) == []


def test_all_at_once_fits_beside_long_answer() -> None:
    """The longest answer with two charts and two tables stays within all limits, in both forms."""
    text = "A sentence of some length that states a thing [1].\n\n" * 3000
    made = shown(
        answer=text,
        charts=[at_the_limits("bar"), at_the_limits("line")],
        tables=[table(500, 25, "long " * 60)] * 2,
    )
    assert len(made.messages) == MAX_MESSAGES
    for message in (*made.messages, plain_of(made.messages[-1])):
        assert violations("message", message.payload()) == []


def test_short_labels_stay_different() -> None:
    names = drawn_figures.labels(
        ["Controllers and probes for pools", "Controllers and probes for dairies"]
    )
    assert names == ["Controllers and pro…", "Controllers and… (2)"]
    assert all(len(name) <= limits.CHART_LABEL for name in names)


def test_part_of_nothing_has_no_slice() -> None:
    series = [Series(name="a", values=[Decimal(0), *chart().series[0].values[1:]])]
    (block,) = of_kind(last(charts=[chart("pie", series=series)]), "data_visualization")
    assert [point["label"] for point in block["chart"]["segments"]] == QUARTERS[1:]


def test_long_table_becomes_a_file() -> None:
    """Rows that Slack does not take are in a file, which is named."""
    made = shown(tables=[table(812, total_rows=12_431)])
    (file,) = made.tables
    said = json.dumps(made.messages[-1].blocks, ensure_ascii=False)

    assert file.name == f"masis-table-{RUN_ID}-1.csv"
    assert file.text.count("\r\n") == 813
    assert "The first 100 of 12,431 rows." in said
    assert f"The first 812 rows are in the file {file.name}." in said


def test_wide_table_becomes_a_file() -> None:
    made = shown(tables=[table(3, 25)])
    (block,) = of_kind(made.messages[-1], "data_table")
    assert len(block["rows"][0]) == limits.TABLE_COLUMNS
    assert len(made.tables[0].text.splitlines()[1].split(",")) == 25
    assert "5 more columns are in the file." in json.dumps(made.messages[-1].blocks)


def test_short_table_needs_no_file() -> None:
    assert shown(tables=[table(50)]).tables == []


def test_refused_blocks_have_words_instead() -> None:
    """What Slack does not take stands as a Markdown table, and it is said."""
    message = plain_of(last(charts=[chart()], tables=[table(2)]))
    said = [block["text"] for block in of_kind(message, "markdown")[1:]]

    assert not of_kind(message, "data_visualization") + of_kind(message, "data_table")
    assert figure_sentences.AS_WORDS in json.dumps(message.blocks, ensure_ascii=False)
    assert "| Q2 2025 | 5,987.5 |" in said[0]
    assert said[1].startswith("**Orders by customer**\n\n| Customer | Order 1 (£) |\n| --- | --- |")


def test_answer_without_figures_has_no_other_form() -> None:
    assert last().plain is None


@pytest.mark.parametrize("kind", KINDS)
def test_cells_and_labels_are_data(kind: ChartKind) -> None:
    """Nothing in a title, label or cell mentions, links or writes markup."""
    hostile = [f"{HOSTILE} {at}" for at in range(4)]
    made = chart(kind, title=HOSTILE, unit=HOSTILE, categories=hostile)
    message = last(charts=[made], tables=[table(3, cell=HOSTILE, title=HOSTILE, source=HOSTILE)])
    sound(message, plain_of(message))


@pytest.mark.parametrize("cell", ["=HYPERLINK(1)", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", " =1"])  # fmt: skip
def test_csv_cell_is_no_formula(cell: str) -> None:
    made = figure_forms.csv_text(table(1, cell=cell))
    first = made.split("\r\n")[1].lstrip('"')
    assert first.startswith("'")


def test_negative_number_stays_a_number() -> None:
    made = figure_forms.csv_text(_one("-12.5"))
    assert made.split("\r\n")[1] == "a,-12.5"


def _one(number: str) -> ShownTable:
    made = table(1)
    return made.model_copy(update={"rows": [["a", number]]})


@settings(deadline=None, max_examples=examples(60))
@given(
    st.lists(st.text(max_size=60), min_size=1, max_size=20),
    st.text(max_size=400),
    st.sampled_from(KINDS),
)
def test_any_text_makes_sound_blocks(names: list[str], text: str, kind: ChartKind) -> None:
    values: list[Any] = list(range(1, len(names) + 1))
    made: Chart = chart(
        kind,
        title=text,
        unit=text[:30],
        categories=names[:12],
        series=[Series(name=text[:50], values=values[:12])],
    )
    message = last(charts=[made], tables=[table(2, cell=text)])
    sound(message, plain_of(message))


def test_long_title_leaves_unit_out() -> None:
    """A title that is cut in the middle of its unit says neither."""
    title = "Net order value by customer, first half of the year"[:49]
    block = drawn_figures.visualization(chart("bar", title=title))
    assert block["title"] == title
    assert block["chart"]["axis_config"]["y_label"] == "£k"
    short = drawn_figures.visualization(chart("bar", title="Net by customer"))
    assert short["title"] == "Net by customer (£k)"
