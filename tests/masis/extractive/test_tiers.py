"""The step of a table that holds a figure of the question."""

import pytest

from masis.extractive.tiers import TIER_LEAD, of_the_kind, of_the_number, of_the_tier
from masis.retrieval.extraction import Scored, passages, score
from tests.scripted_agents import chunk

APPROVAL = (
    "Purchase: up to £300 | Approved by: shift lead\n"
    "Purchase: £300.01 to £4,000 | Approved by: depot manager\n"
    "Purchase: above £4,000 | Approved by: works director\n\n"
    "Splitting a purchase is a breach of this policy."
)
LEAVE = (
    "Service: under 3 years | Leave: 24 days\n"
    "Service: 3 to 7 years | Leave: 27 days\n"
    "Service: 8 years and more | Leave: 30 days"
)
SLOPE = "Slope: 54–60 | Meaning: Good\nSlope: 52 up to 54 | Meaning: Weak\nSlope: below 52 | Meaning: Reject"
LEVELS = "Level: Level 1 up to £500 | Signs: team lead\nLevel: Level 3 up to £4,000 | Signs: line director"
DISCOUNT = "- 10 or more: 4 %\n- 40 or more: 7 %\n- Spare parts are left out."


def read(question: str, text: str) -> list[Scored]:
    return score(question, passages([chunk(0, text=text)]), None, None, {})


def first(question: str, text: str) -> str:
    """The passage that stands first, of those that are left."""
    return max(of_the_tier(question, read(question, text)), key=lambda s: s.score).passage.text


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("who has to approve a purchase of about 9,000?", APPROVAL, "works director"),
        ("whose ok for 250 pounds", APPROVAL, "shift lead"),
        ("who approves purchases over 300", APPROVAL, "depot manager"),
        ("who approves purchases over 4,000", APPROVAL, "works director"),
        ("how much leave after 6 years here", LEAVE, "27 days"),
        ("leave after 31 months", LEAVE, "24 days"),
        ("leave after 12 years", LEAVE, "30 days"),
        ("what discount do 60 pumps get", DISCOUNT, "7 %"),
        ("is a slope of 53 good", SLOPE, "Weak"),
        ("is a slope of 54 good", SLOPE, "Good"),
        ("slope is 50 what now", SLOPE, "Reject"),
        ("who signs for £400", LEVELS, "team lead"),
    ],
)
def test_step_holding_the_figure_leads(question: str, text: str, answer: str) -> None:
    """The step that holds the figure stands first."""
    assert answer in first(question, text)


def test_only_other_steps_are_removed() -> None:
    """The other steps go and nothing else."""
    left = of_the_tier("who approves 250?", read("who approves 250?", APPROVAL))

    assert [s.passage.text for s in left] == [
        "Purchase: up to £300 | Approved by: shift lead",
        "Splitting a purchase is a breach of this policy.",
    ]


def test_matching_step_leads_by_tier_lead() -> None:
    """The step leads its table and no more."""
    found = read("who approves 9,000?", APPROVAL)
    rows = [s.score for s in found if s.passage.unit.kind == "table_row"]

    assert first("who approves 9,000?", APPROVAL).endswith("works director")
    assert max(s.score for s in of_the_tier("who approves 9,000?", found)) == max(rows) + TIER_LEAD


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("who approves a purchase?", APPROVAL),
        ("who approves a purchase of 20 days?", APPROVAL),
        ("what must I do before 8:30?", LEAVE),
        ("what did we buy in 2024?", APPROVAL),
        ("leave after 6 years", "Service: 3 to 7 years | Leave: 27 days"),
    ],
)
def test_without_step_figure_all_rows_stay(question: str, text: str) -> None:
    """Without a figure of the steps all stay."""
    found = read(question, text)

    assert of_the_tier(question, found) == found


def test_rows_of_other_kinds_are_removed() -> None:
    """Of a table with rows of several kinds those of the one that is named stay."""
    text = (
        "Item: Meals, abroad | Limit: £34\nItem: Meals, at home | Limit: £40\n"
        "Item: Hotel, Leeds | Limit: £130\nItem: Hotel, York | Limit: £170"
    )

    def left(question: str) -> list[str]:
        return [s.passage.text[6:11] for s in of_the_kind(question, read(question, text))]

    assert left("what may I spend on meals") == ["Meals", "Meals"]
    assert left("what may I spend on dinner") == ["Meals", "Meals"]
    assert left("what may I spend on a hotel") == ["Hotel", "Hotel"]
    assert len(left("what are the limits")) == 4


def test_rows_of_other_numbers_are_removed() -> None:
    """Of a table the rows of other years go where one holds the year that is named."""
    text = (
        "Year: Years 7 to 9 | Day visit: 1 to 12\nYear: Years 10 and 11 | Day visit: 1 to 15\n\n"
        "Parents may help."
    )

    def left(question: str) -> list[str]:
        return [s.passage.text[:18] for s in of_the_number(question, read(question, text))]

    assert left("adult ratio year 8") == ["Year: Years 7 to 9", "Parents may help."]
    assert left("adult ratio year 11") == ["Year: Years 10 and", "Parents may help."]
    assert len(left("adult ratio year 13")) == 3
    assert len(left("adult ratio for 8 pupils")) == 3
