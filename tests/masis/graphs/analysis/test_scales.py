"""Test that answers have the scale that a document gives its figures, and say where it stays open."""

import pytest

from masis.domain import Answered, CitationAudit, EvidenceChunk
from masis.graphs.analysis.quality_check import without_own_words
from masis.graphs.analysis.state import Line
from tests.masis.graphs.analysis.test_analysis import Stored, ended

ROWS = "Revenue | 2023: $ 57,300 | 2022: $ 44,100\nOperating loss | 2023: (1,200) | 2022: (3,400)"
THOUSANDS = "\n".join(f"(In thousands): {row}" for row in ROWS.splitlines())


def page(text: str, at: int = 0) -> EvidenceChunk:
    more = {"document_id": "d_page", "version_id": "v_page", "document": "page.html"}
    return EvidenceChunk(chunk_id=f"c_page{at}{'a' * 7}", title="Page", context="Page", text=text, position=at, score=0.8, **more)  # fmt: skip


async def told(asked: str, *pages: EvidenceChunk) -> Answered:
    found = await ended(asked, Stored(list(pages)))
    assert isinstance(found, Answered)
    return found


async def test_growth_is_told_in_millions() -> None:
    """Figures in thousands come to millions, and the scale is cited."""
    found = await told("How did revenue grow from 2022 to 2023?", page(THOUSANDS))
    assert "+$13.2M (29.9 %)" in found.answer
    assert "in thousands: “In thousands” [1]" in found.answer
    assert found.badge is not None
    assert found.badge.level == "High"


async def test_scale_above_table_is_cited() -> None:
    found = await told("How did revenue grow from 2022 to 2023?", page("Unit: €k"), page(ROWS, 1))
    assert "in thousands: “€k” [2]" in found.answer
    assert [each.text for each in found.citations][1].startswith("Unit")


async def test_open_scale_is_never_high() -> None:
    said = "Some tables of this report are in thousands of dollars."
    found = await told("By how much did revenue rise from 2022 to 2023?", page(said), page(ROWS, 1))
    assert "+$13,200" in found.answer
    assert "“in thousands of dollars”" in found.answer
    assert found.badge is not None
    assert found.badge.level == "Medium"


async def test_percentage_needs_no_scale() -> None:
    said = "Some tables of this report are in thousands of dollars."
    found = await told("By what percentage did revenue rise from 2022 to 2023?", page(said), page(ROWS, 1))  # fmt: skip
    assert "29.9 %" in found.answer
    assert found.badge is not None
    assert found.badge.level == "High"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("Operating loss | 2023: (1,200) | 2022: (3,400)", "The loss fell by $2.2M"),
        ("Operating loss | 2023: (3,400) | 2022: (1,200)", "The loss grew by $2.2M"),
        ("Operating profit/(loss) | 2023: 1,200 | 2022: (3,400)", "From a loss of $3,400k to a profit of $1,200k"),
    ],
)  # fmt: skip
async def test_loss_is_told_as_people_do(row: str, words: str) -> None:
    text = f"$ in thousands\n\nRevenue | 2023: 57,300 | 2022: 44,100\n{row}"
    found = await told("how did the operating loss change from 2022 to 2023?", page(text))
    assert found.answer.startswith(words)


ACROSS = "$ in thousands\n\nOperating profit/(loss) | 2023: 1,200 | 2022: (3,400)\nCash flow | 2023: (800) | 2022: 600"
NO_PERCENTAGE = "I give no percentage, for one that begins below zero says nothing."


@pytest.mark.parametrize("asked", ["by what percentage did", "in percent: how did"])
async def test_change_from_loss_is_an_amount(asked: str) -> None:
    """There is no percentage from a negative figure on, and still a difference."""
    found = await told(f"{asked} the operating profit change from 2022 to 2023?", page(ACROSS))
    assert "a profit of $1,200k: $1,200k − (−$3,400k) = +$4.6M [1]" in found.answer
    assert NO_PERCENTAGE in found.answer
    assert "%" not in found.answer
    assert found.audit is not None
    assert found.audit.uncited == []


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("Net loss | 2023: (300) | 2022: (700)", "The loss fell by 57.1 %: ((−$300k)"),
        ("Interest expense | 2023: (90) | 2022: (60)", "The expense grew by 50.0 %: ((−$90k)"),
    ],
)
async def test_what_stays_below_zero_has_percentage(row: str, words: str) -> None:
    asked = f"by what percentage did the {row.partition(' |')[0].lower()} change from 2022 to 2023?"
    found = await told(
        asked, page(f"$ in thousands\n\nRevenue | 2023: 57,300 | 2022: 44,100\n{row}")
    )
    assert found.answer.startswith(words)
    assert found.badge is not None
    assert found.badge.level == "High"


async def test_change_across_zero_has_no_percentage() -> None:
    found = await told("how did the cash flow change from 2022 to 2023?", page(ACROSS))
    assert found.answer.startswith("From a positive amount of $600k to a negative amount of $800k:")
    assert "%" not in found.answer


async def test_growths_from_below_zero_are_unranked() -> None:
    """A loss that trebled is not what grew the most."""
    rows = "Segment: Retail | 2023: 100 | 2024: 120\nSegment: Online | 2023: -10 | 2024: -30\nSegment: Trade | 2023: -10 | 2024: -5"
    found = await told("which segment grew the most in percent from 2023 to 2024?", page(rows))
    assert found.answer.startswith("I cannot calculate this: growths in percent cannot be ranked")
    assert found.calculations == []


async def test_percentage_from_below_zero_has_points() -> None:
    """A change in percentage points says all, and lacks no percentage."""
    rows = "Revenue | 2023: 57,300 | 2022: 44,100\nOperating margin | 2023: 3 % | 2022: -2 %"
    asked = "by what percentage did the operating margin change from 2022 to 2023?"
    found = await told(asked, page(rows))
    assert found.answer.startswith("Rise: +5.0 percentage points")
    assert "no percentage" not in found.answer


def test_own_words_excuse_their_line_alone() -> None:
    """A claim without a source stays one, in whatever words it begins."""
    own = Line(text="I cannot calculate this: there are no figures.", kind="result", own=True)
    claim = "I cannot calculate this: profits were invented."
    audit = CitationAudit(uncited=[own.text, claim], claims=2)
    left = without_own_words(audit, [own, Line(text=claim, kind="said")])
    assert (left.uncited, left.claims) == ([claim], 1)


async def test_refusal_is_no_claim() -> None:
    """What code says of the answer itself lacks no source."""
    rows = (
        "Line: Training | 2025 restated: 42 | 2026: 46\nLine: Travel | 2025 restated: 13 | 2026: 9"
    )
    found = await told("how much did training grow from 2025 to 2026?", page(rows))
    assert found.answer.startswith("I cannot calculate this: one is restated")
    assert found.audit is not None
    assert found.audit.uncited == []


async def test_percentage_changes_in_points() -> None:
    rows = "Line | 2025: 1\nGross margin | 2025: 45.9 % | 2024: 41.3 %\nNet margin | 2025: 9.1 % | 2024: 8.0 %"
    found = await told("in percent: how did gross margin grow from 2024 to 2025?", page(rows))
    assert "+4.6 percentage points" in found.answer
    assert "11" not in found.answer


async def test_growth_is_drawn_of_its_figures() -> None:
    found = await told("How did revenue grow from 2022 to 2023, as a chart", page(THOUSANDS))
    assert [chart.categories for chart in found.charts] == [["2022", "2023"]]
