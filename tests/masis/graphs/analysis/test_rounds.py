"""What the analysis graph does again, how often at most, and what it does side by side."""

import asyncio
from decimal import Decimal

import pytest

from masis.calculating.charts.charting import Shown
from masis.domain import Answered
from masis.graphs.analysis import drawing
from masis.graphs.analysis.agents import Understanding
from masis.graphs.analysis.graph import ANALYSIS
from masis.graphs.analysis.rule_agents import RuleUnderstander
from masis.graphs.analysis.state import Computed
from masis.graphs.common import Onward
from masis.values.shown import Chart, Series
from tests.masis.graphs.analysis.working import (
    GROWTH,
    REPORT,
    Doubting,
    Remembering,
    Shelf,
    agents,
    concluded,
    passage,
    visited,
    worked,
)

CHARTED = "revenue of clay and glaze in 2024 and 2025 as a bar chart"
NOTHING = passage("notes", "Nobody fires the kiln on Sunday.", "Notes")


@pytest.mark.parametrize("needed", [1, 2, 3])
async def test_it_searches_until_figures_are_there(needed: int) -> None:
    shelf = Shelf([*[(NOTHING,)] * (needed - 1), (REPORT,)])
    state = await worked(GROWTH, agents(shelf))
    assert state["retrievals"] == len(shelf.asked) == visited(state, "validate") == needed
    assert visited(state, "refine") == needed - 1
    assert isinstance(concluded(state), Answered)


async def test_there_is_no_fourth_search() -> None:
    shelf = Shelf([(NOTHING,)])
    state = await worked(GROWTH, agents(shelf))
    assert state["retrievals"] == len(shelf.asked) == 3
    assert visited(state, "extract") == 1


async def test_sound_answers_are_not_healed() -> None:
    state = await worked(GROWTH)
    assert (state["heals"], visited(state, "quality"), visited(state, "heal")) == (0, 1, 0)


async def test_second_heal_runs_and_no_third() -> None:
    """A checker that is never content: one line goes, then all but the result; then it goes out."""
    checker = Doubting("input")
    state = await worked(GROWTH, agents(checker=checker))
    assert (state["heals"], visited(state, "heal"), visited(state, "quality")) == (2, 2, 3)
    found = concluded(state)
    assert isinstance(found, Answered)
    assert "+5.9 %" in found.answer
    assert found.answer.count("I left out") == 1
    assert "- " not in found.answer


async def test_three_searches_and_two_heals_fit() -> None:
    """The longest way through the graph is within its own limit of supersteps."""
    shelf = Shelf([(NOTHING,), (NOTHING,), (REPORT,)])
    state = await worked(GROWTH, agents(shelf, checker=Doubting("input")))
    assert (state["retrievals"], state["heals"]) == (3, 2)
    assert isinstance(concluded(state), Answered)


async def test_doubted_result_is_no_high() -> None:
    state = await worked(GROWTH, agents(checker=Doubting("result")))
    found = concluded(state)
    assert isinstance(found, Answered)
    assert found.badge
    assert (found.badge.level, state["heals"]) == ("Medium", 0)
    assert "doubts" in found.badge.note


async def test_wrong_chart_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A point that no figure bears out: the words stay, and that the chart is gone is said."""
    wrong = Chart(
        kind="bar", title="x", categories=["Clay"], series=[Series(name="a", values=[Decimal(1)])]
    )
    monkeypatch.setattr(drawing, "drawn", lambda *_: Shown(charts=[wrong]))
    state = await worked(CHARTED)
    found = concluded(state)
    assert isinstance(found, Answered)
    assert (found.charts, state["heals"]) == ([], 1)
    assert any("left out what was drawn" in gap for gap in found.gaps)


# --- side by side ------------------------------------------------------------------------------


def _kept(state_of: Computed) -> Remembering:
    return Remembering(state_of.calculation.inputs, [REPORT])


async def test_kept_figures_are_looked_at_again() -> None:
    """A follow-up is answered from the passages of the figures before, whatever its search brings."""
    before = await worked(GROWTH)
    having = agents(Shelf([(NOTHING,)]), recaller=_kept(before["computed"][0]))
    state = await worked("difference in revenue of clay between 2024 and 2025", having)
    assert state["retrievals"] == 1
    found = concluded(state)
    assert isinstance(found, Answered)
    assert "£460k" in found.answer


async def test_other_subjects_recall_nothing() -> None:
    before = await worked(GROWTH)
    having = agents(Shelf([(NOTHING,)]), recaller=_kept(before["computed"][0]))
    state = await worked("how many percent did the headcount rise from 2024 to 2025?", having)
    assert state["recalled"] == []


async def test_change_without_percentage_keeps_further_results() -> None:
    """What else is asked of the figures is told beside the amount."""

    class Further(RuleUnderstander):
        async def understand(self, question: str) -> Understanding:
            found = await super().understand(question)
            wanted = found.wanted and found.wanted.model_copy(update={"also": ["ratio"]})
            return found.model_copy(update={"wanted": wanted})

    loss = passage("report", "Line: Clay | 2024: -20 | 2025: 30\nLine: Glaze | 2024: 4 | 2025: 5")
    asked = "how much did clay grow from 2024 to 2025 in %?"
    state = await worked(asked, agents(Shelf([(loss,)]), understander=Further()))
    assert [each.calculation.kind for each in state["computed"]] == ["difference", "ratio"]


@pytest.mark.parametrize("slow", ["recall", "understand"])
async def test_merging_is_the_same_in_any_order(slow: str) -> None:
    """Whichever of the two ends first, the trail and the state are the same."""
    before = await worked(GROWTH)

    class Slow(RuleUnderstander):
        async def understand(self, question: str) -> Understanding:
            await asyncio.sleep(0.05 if slow == "understand" else 0)
            return await super().understand(question)

    kept = _kept(before["computed"][0])
    kept.delay = 0.05 if slow == "recall" else 0.0
    state = await worked(GROWTH, agents(recaller=kept, understander=Slow()))
    assert [entry["node"] for entry in state["trace"]][:3] == ["recall", "understand", "retrieve"]
    assert state["recalled"] == [REPORT]
    assert isinstance(concluded(state), Answered)


# --- handed on ---------------------------------------------------------------------------------


async def test_undrawn_question_says_why_it_goes_on() -> None:
    state = await worked("revenue of clay by quarter as a chart", agents(Shelf([(NOTHING,)])))
    found = concluded(state)
    assert isinstance(found, Onward)
    assert found.said == "I drew no chart: I found no figures for it that can be set side by side."


async def test_nodes_are_those_of_its_drawing() -> None:
    built = ANALYSIS.build(None)
    assert {step.node for step in ANALYSIS.steps} == set(built.nodes) - {"__start__"}
