import datetime as dt

import pytest

from masis.choice import chosen
from tests.scripted_agents import chunk

MARCH = chunk(
    0, text="£68,000", document="minutes/2026-03-12-meeting.md", date=dt.date(2026, 3, 12)
)
APRIL = chunk(
    1, text="£74,500", document="minutes/2026-04-16-meeting.md", date=dt.date(2026, 4, 16)
)
ASKED = "What is the budget for 2026?\n"


@pytest.mark.parametrize(
    "said",
    [
        f"{ASKED}minutes/2026-04-16-meeting.md counts",
        f"{ASKED}2026-04-16-Meeting.md",
        "What is the budget in 2026-04-16-meeting.md?",
        f"{ASKED}the april one",
        f"{ASKED}Take the meeting of 16 April.",
        f"{ASKED}2026-04-16",
        f"{ASKED}the newer one, please",
        f"{ASKED}Go by the latest",
    ],
)
def test_a_document_is_chosen_by_its_name_date_or_age(said: str) -> None:
    assert chosen(said, MARCH, APRIL) is APRIL
    assert chosen(said, APRIL, MARCH) is APRIL


def test_the_older_one_may_be_chosen_too() -> None:
    assert chosen(f"{ASKED}the earlier meeting", APRIL, MARCH) is MARCH


@pytest.mark.parametrize(
    "said",
    [
        "What is the budget for 2026?",
        "What is the latest budget of April?",
        f"{ASKED}I do not know",
        f"{ASKED}in May",
        f"{ASKED}March or April",
        f"{ASKED}neither the older nor the newer one",
        f"{ASKED}2026-03-12-meeting.md and 2026-04-16-meeting.md",
    ],
)
def test_what_names_neither_or_both_chooses_none(said: str) -> None:
    assert chosen(said, MARCH, APRIL) is None


def test_a_small_may_is_no_month_and_no_date_is_no_age() -> None:
    may = MARCH.model_copy(update={"date": dt.date(2026, 5, 1)})
    assert chosen(f"{ASKED}whichever may count", may, APRIL) is None
    assert chosen(f"{ASKED}May", may, APRIL) is may
    undated = MARCH.model_copy(update={"date": None})
    assert chosen(f"{ASKED}the newer one", undated, APRIL) is None
