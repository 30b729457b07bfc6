"""Test what a follow-up on figures asks for when it is read alone."""

import pytest

from masis.calculating.charts.asked_display import asked_display
from masis.calculating.charts.listed_figures import meant_by
from masis.calculating.figure_follow_ups import follow_up
from masis.conversation import HEARD, Exchange

GROWTH = "How much did clay sales change from 2024 to 2025?"


def said(text: str, earlier: str) -> str | None:
    return follow_up(text, [Exchange(run_id="r_1", question=earlier, standalone=earlier)])


@pytest.mark.parametrize(
    ("text", "earlier", "meant"),
    [
        ("and in percent?", GROWTH, f"in percent: {GROWTH}"),
        ("and in 2023?", GROWTH, "How much did clay sales change from 2022 to 2023?"),
        ("and glaze?", GROWTH, "How much did glaze sales change from 2024 to 2025?"),
        ("what about Q2?", "how much higher were sales in Q3 2026 than in Q3 2025?", "how much higher were sales in Q2 2026 than in Q2 2025?"),
        ("and 2024?", "what was the average sales per quarter in 2025?", "what was the average sales per quarter in 2024?"),
        ("per quarter, as a line chart", "what were the clay sales in 2024?", "clay sales in 2024 by quarter, as a line chart"),
        ("as a chart please", "sales by line in 2025", "sales by line in 2025, as a chart"),
        ("in percent, as a chart", "sales by line in 2025 as a chart", "sales by line in 2025 in percent, as a chart"),
        ("in percent", "sales by line in 2025, as a pie chart", "sales by line in 2025 in percent, as a pie chart"),
        ("and per head?", "sales by line in 2025, as a chart", "sales by line in 2025 per head"),
        ("by line", "what were our sales in 2025?", "sales in 2025 by line"),
        ("and the glaze?", "what share of the budget 2025 is the clay?", "what share of the budget 2025 is the glaze?"),
        ("whats that as a percentage of all lost bids", "how many bids did we lose on price in 2025?", "bids did we lose on price in 2025 as a percentage of all lost bids"),
        ("so what percentage of them did we win?", "how many bids did we submit in 2025?", "so what percentage of bids did we win in 2025"),
        ("how many percentage points up on 2024 is that?", "what was the hit rate in 2025?", "by how many percentage points did hit rate change from 2024 to 2025"),
        ("as a chart", GROWTH, "How much did clay sales change from 2024 to 2025, as a chart"),
        ("as a table", f"{GROWTH[:-1]}, as a chart", "How much did clay sales change from 2024 to 2025, as a table"),
        ("per quarter", GROWTH, "clay sales from 2024 to 2025 by quarter"),
        ("and gross margin?", "in percent: How did revenue grow from 2024 to 2025?", "in percent: How did gross margin grow from 2024 to 2025?"),
        ("and cost of sales?", "How did revenue grow from 2024 to 2025?", "How did cost of sales grow from 2024 to 2025?"),
        ("only the network team", "open tickets by priority, as a chart", "open tickets by priority, only the network team, as a chart"),
        ("just hardware", "open tickets by priority, only the network team, as a chart", "open tickets by priority, only hardware, as a chart"),
        ("by site", "open tickets by priority, only hardware, as a table", "open tickets by site, only hardware, as a table"),
        ("and in pounds?", "how much did clay sales grow in % from 2024 to 2025?", "by how much did clay sales change from 2024 to 2025"),
    ],
)  # fmt: skip
def test_one_slot_is_changed(text: str, earlier: str, meant: str) -> None:
    found = said(text, earlier)
    assert found is not None
    assert found.casefold() == meant.casefold()
    assert meant_by(found, asked_display(found)) is not None


@pytest.mark.parametrize(
    ("text", "earlier"),
    [
        ("who approves it?", GROWTH),
        ("and where is the form?", "how much is the hotel limit?"),
        ("thanks", GROWTH),
        ("and 2024?", "who wrote the plan?"),
        ("and the deadline?", "what were the sales in 2025?"),
        ("tell me about the holidays instead, and how many days of leave I have this year", GROWTH),
    ],
)
def test_other_messages_are_left_alone(text: str, earlier: str) -> None:
    assert said(text, earlier) is None


def test_what_others_wrote_is_no_earlier_question() -> None:
    heard = Exchange(run_id="", question=GROWTH, standalone=GROWTH, status=HEARD)
    assert follow_up("and in percent?", [heard]) is None
