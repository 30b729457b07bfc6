"""Which calculation a question asks for, of what and of which periods."""

import pytest

from masis.calculating.asked_calculation import wanted
from masis.text.periods import name


@pytest.mark.parametrize(
    ("question", "kind", "spans"),
    [
        ("how much did glaze sales grow 2024 to 2025", "growth", ["2025", "2024"]),
        ("glaze sales q2 26 vs q2 25, yoy in %?", "growth", ["Q2 2026", "Q2 2025"]),
        ("growth of glaze sales 2024 -> 2025 in percent?", "growth", ["2025", "2024"]),
        ("how many more firings were there in 2025 than the year before?", "difference", ["2025", "2024"]),
        ("CAGR of Q1 sales 2023 to 2026?", "cagr", ["Q1 2026", "Q1 2023"]),
        ("by how many percentage points did the hit rate rise in 2025?", "points", ["2025", "2024"]),
        ("what is left of the kiln budget 2026 after Q2?", "difference", ["Q2 2026", "2026"]),
        ("what share of the sales did glaze make up in 2025?", "share", ["2025"]),
        ("gross margin in 2025", "share", ["2025"]),
        ("sales per head in 2025", "per_unit", ["2025"]),
        ("glaze sales by quarter for 2025 as a table", "list", ["Q4 2025", "Q3 2025", "Q2 2025", "Q1 2025"]),
        ("average sales per quarter in 2025", "mean", ["Q4 2025", "Q3 2025", "Q2 2025", "Q1 2025"]),
        ("how many order lines have a discount of 8 % or more", "count", []),
        ("how many people in the directory started in 2020 or later", "count", []),
        ("what is order A-12 worth net, after the discount?", "product", []),
        ("heaviest shelf on the list?", "maximum", []),
        ("which member ordered the most clay?", "rank", []),
        ("overheads jan-sep 2026 total", "sum", ["the first nine months of 2026"]),
    ],
)  # fmt: skip
def test_kinds_and_periods_are_understood(question: str, kind: str, spans: list[str]) -> None:
    meant = wanted(question)
    assert meant is not None
    assert (meant.kind, [name(each) for each in meant.periods]) == (kind, spans)


@pytest.mark.parametrize(
    "question",
    [
        "why did glaze sales fall in 2025?",
        "what is the difference between glazing and firing?",
        "how many kilns are there?",
        "when is the quarterly report due?",
        "which table has the limits?",
        "what do we mean by order intake",
        "who do I ask on top of the rota?",
        "how many firings in a row can they make me do",
    ],
)
def test_questions_in_words_want_none(question: str) -> None:
    assert wanted(question) is None


def test_several_kinds_are_asked_at_once() -> None:
    meant = wanted("mean and median price of the shelves")
    assert meant is not None
    assert {meant.kind, *meant.also} == {"mean", "median"}


def test_change_is_wanted_both_ways() -> None:
    meant = wanted("glaze sales 2025 vs 2024")
    assert meant is not None
    assert (meant.kind, meant.also) == ("difference", ["growth"])


@pytest.mark.parametrize(
    ("question", "as_table"),
    [
        ("pie chart of sales by line in 2025", False),
        ("sales by line in 2025 as a bar chart", False),
        ("sales by line in 2025 as a table", True),
        ("sales by line in 2025", False),
    ],
)
def test_form_is_told_from_question(question: str, *, as_table: bool) -> None:
    meant = wanted(question)
    assert meant is not None
    assert (meant.kind, meant.as_table, meant.by) == ("list", as_table, "line")


def test_document_named_by_quarter_is_none() -> None:
    meant = wanted("how far is the 2026 forecast of sales (q3 report) above the sales of 2025?")
    assert meant is not None
    assert "Q3" not in " ".join(name(each) for each in meant.periods)


@pytest.mark.parametrize(
    ("question", "parts"),
    [("clay per quarter in 2025", 4), ("costs per quarter 2025", 4), ("glazing by month 2025", 12)],
)
def test_parts_of_a_period_are_a_list(question: str, parts: int) -> None:
    meant = wanted(question)
    assert meant is not None
    assert (meant.kind, len(meant.periods)) == ("list", parts)


@pytest.mark.parametrize(
    "question", ["holiday per year 2026", "who is on the rota per month in 2026", "leave per year"]
)
def test_rate_of_a_period_is_no_list(question: str) -> None:
    assert wanted(question) is None


def test_largest_party_is_no_largest_figure() -> None:
    """With whom something was done says whose figures are asked for; what was largest is still asked."""
    assert wanted("how much did we make with our biggest customer last year") is None
    assert wanted("what did we pay to the largest supplier") is None
    assert wanted("what was the highest revenue of a quarter") is not None
