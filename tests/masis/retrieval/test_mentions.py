"""What a question says about the document itself."""

import datetime as dt

import pytest

from masis.domain import EvidenceChunk
from masis.retrieval.mentions import latest, named

JULY = dt.date(2023, 7, 28)
OCTOBER = dt.date(2023, 10, 27)
MAY = dt.date(2023, 5, 26)


def chunk(document: str, date: dt.date | None = None) -> EvidenceChunk:
    return EvidenceChunk(
        chunk_id="c",
        document_id=document,
        version_id="v",
        document=document,
        title="",
        date=date,
        text="",
        score=0.0,
    )


REPORTS = [chunk("2023_Q1_NVDA.pdf"), chunk("2023_Q3_NVDA.pdf"), chunk("menu.md")]


def test_file_named_in_question_counts_most() -> None:
    """The file whose name stands in the question counts most."""
    first, third, menu = named("What was the revenue in Q3 2023?", {}, REPORTS)
    assert third == 1.0
    assert 0.0 < first < third
    assert menu == 0.0


def test_spelled_quarter_matches_file_name() -> None:
    """A quarter in words is that of the files name."""
    first, third, _ = named("What was the revenue in the first quarter of 2023?", {}, REPORTS)
    assert first > third


def test_folders_are_part_of_a_name() -> None:
    inside, outside = [chunk("travel/leave.md"), chunk("tools/slack.md")]
    assert named("travel rules", {}, [inside, outside]) == [1.0, 0.0]


def test_one_common_word_is_partial_mention() -> None:
    """One common word is no full mention."""
    weights = dict.fromkeys(["pump", "pressur", "valv", "hous", "seal", "torqu"], 5.0)
    question = "pump pressure valve housing seal torque policy"
    (only,) = named(question, weights | {"polici": 0.5}, [chunk("policy.docx")])
    assert 0.0 < only < 0.1


def test_unmentioned_names_count_nothing() -> None:
    """Where no name is mentioned nothing counts."""
    assert named("How long is my leave?", {}, REPORTS) == [0.0, 0.0, 0.0]
    assert named("How long is my leave?", {}, []) == []


@pytest.mark.parametrize("word", ["latest", "most recent", "Newest"])
def test_latest_question_ranks_newest_first(word: str) -> None:
    """Who asks for the latest gets the newest first."""
    found = [chunk("a", MAY), chunk("b", OCTOBER), chunk("c"), chunk("d", JULY)]
    assert latest(f"What does the {word} report say?", found) == [0.0, 1.0, 0.0, 0.5]


def test_dates_count_only_for_latest() -> None:
    """Dates do not count for who does not ask for the latest."""
    found = [chunk("a", MAY), chunk("b", OCTOBER)]
    assert latest("What does the report say?", found) == [0.0, 0.0]


@pytest.mark.parametrize(
    ("question", "counts"),
    [
        ("how were sales last quarter", True),
        ("what was decided last week?", True),
        ("revenue of the last quarter of 2024", False),
        ("last quarter 2023", False),
        ("how were sales last quarter in the north", True),
        ("who is off in the last week of december", False),
        ("who is off the last week in december", False),
        ("notice in the last month of the lease", False),
        ("what do i get in my last month", False),
    ],
)
def test_last_quarter_stands_in_newest(question: str, counts: bool) -> None:
    """What is told of the last quarter or week is told by what was written last."""
    assert any(latest(question, [chunk("a", MAY), chunk("b", OCTOBER)])) is counts


def test_one_date_alone_says_nothing() -> None:
    assert latest("the latest report", [chunk("a", MAY), chunk("b", MAY)]) == [0.0, 0.0]
