"""Telling what differs between two versions."""

from masis.extractive.wholes import versions
from tests.whole_papers import part

OLD = [
    part(
        0,
        "Staff have 25 days of leave. Ask your manager on the yellow card.",
        "1. Leave",
        paper="a",
    ),
    part(1, "Item: Meals | Limit: £30\nItem: Hotel | Limit: £100", "2. Limits", paper="a"),
    part(2, "Parking is free.", "3. Parking", paper="a"),
]
NEW = [
    part(0, "Staff have 28 days of leave. Ask your manager in the portal.", "1. Leave", paper="b"),
    part(1, "Item: Meals | Limit: £34\nItem: Hotel | Limit: £100", "2. Limits", paper="b"),
    part(2, "Dogs stay at home.", "4. Dogs", paper="b"),
]


def told(*subject: str) -> list[str]:
    return [line.text for line in versions.lines(versions.changes(OLD, NEW), subject)]


def test_changes_are_told_figures_first() -> None:
    """What changed its figures stands first, then other words, then what is new or gone."""
    assert told() == [
        "Leave – was: “Staff have 25 days of leave”; now: “Staff have 28 days of leave”",
        "Meals – Limit: £30 → £34",
        "Leave – was: “Ask your manager on the yellow card”; now: “Ask your manager in the portal”",
        "Dogs – new: “Dogs stay at home”",
        "Parking – no longer there: “Parking is free”",
    ]


def test_subject_narrows_the_changes() -> None:
    """Of a subject only its own changes are told."""
    assert told("limit") == ["Meals – Limit: £30 → £34"]


def test_each_change_cites_both() -> None:
    """Both versions are cited where both say something."""
    first = versions.lines(versions.changes(OLD, NEW), [])[0]
    assert first.ids == [OLD[0].chunk_id, NEW[0].chunk_id]


def test_same_versions_have_no_changes() -> None:
    """What says the same is no change."""
    assert versions.changes(OLD, OLD) == []
