"""An answer as every surface shows it: what is chosen, in which order, and what is only counted."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from bot.chat.shown.answer_shown import answer_shown
from bot.chat.shown.badge_shown import badge_shown
from bot.chat.shown.noted_lines import NOTE_CHARS, NotedLines
from bot.chat.shown.source_shown import source_shown
from bot.chat.words.badge_words import MAX_LISTED
from masis.domain import Badge, Place
from masis.values.coded import Coded
from tests.bot.slack.view_samples import TODAY, answered, faulty_audit, source
from tests.drawn_samples import chart, table

ASKED = "How much annual leave is there?"


def test_answer_is_chosen_whole() -> None:
    shown = answer_shown(answered(), ASKED, TODAY)
    assert shown.text == "Annual leave is 26 days [1]."
    assert shown.summary == "High 86 %: Annual leave is 26 days [1]."
    assert shown.badge.line == "High 86 % · 1 of 1 claim cited · 1 document · extractive"
    assert [each.n for each in shown.sources] == [1]
    assert shown.may_widen


def test_code_and_wide_search_widen_nothing() -> None:
    """A search for a code has nothing to widen, nor has one that was wide."""
    code = Coded(code="PR21", title="Pump leaks")
    assert not answer_shown(answered(code=code), ASKED).may_widen
    listed = table().model_copy(update={"as_file": True})
    assert not answer_shown(answered(tables=[listed]), ASKED).may_widen
    assert not answer_shown(answered(), ASKED, is_wider=True).may_widen


def test_reading_is_said_where_it_differs() -> None:
    """The question as it was read stands there where it is not what was typed."""
    assert answer_shown(answered(understood=ASKED), ASKED).understood == ""
    said = answer_shown(answered(understood="How much leave in Leeds?"), ASKED).understood
    assert "How much leave in Leeds?" in said


def test_figures_have_their_source() -> None:
    drawn = chart("bar").model_copy(update={"sources": [source(1).chunk_id]})
    shown = answer_shown(answered(charts=[drawn], tables=[table()]), ASKED)
    assert shown.charts[0].source == "Source: handbook/leave.md [1]"
    assert shown.tables[0].figure == table()


def test_claims_are_counted_beyond_the_first() -> None:
    shown = answer_shown(answered(audit=faulty_audit("It is 9.", 20)), ASKED)
    assert shown.not_held[0] == "20 made-up citations in the draft, marked in the text"
    assert shown.not_held.count("+15 more") == 2


def test_lowered_badge_is_a_word_alone() -> None:
    shown = badge_shown(answered(badge=Badge(level="Medium", confidence=0.9)))
    assert (shown.level, shown.verdict) == ("Medium", "Medium")


def test_missing_badge_says_why() -> None:
    shown = badge_shown(answered(badge=None))
    assert not shown.level
    assert shown.line == shown.verdict != ""


# --- sources -------------------------------------------------------------------------------


def test_source_has_place_and_age() -> None:
    cited = source(title="Leave", place=Place(page=4))
    assert source_shown(cited, TODAY).parts("attached") == [
        "handbook/leave.md",
        "p. 4",
        "3 months old",
    ]
    other = source(title="Annual\nleave")
    assert source_shown(other, TODAY).parts("")[0] == "Annual leave"
    assert source_shown(other).heading == "Annual leave"


def test_source_without_a_day_has_its_date() -> None:
    """What is kept has the date, which stays true."""
    assert source_shown(source()).dated == "18 Aug 2026"
    assert source_shown(source(date_source="file")).dated == "file dated 18 Aug 2026"
    assert source_shown(source(date=None)).dated == ""
    assert source_shown(source(date=None), TODAY).dated == "undated"
    assert source_shown(source(date=TODAY + dt.timedelta(days=2)), TODAY).dated.startswith("dated")


# --- what is noted -------------------------------------------------------------------------


def test_notes_beyond_the_first_are_counted() -> None:
    noted = NotedLines.of([f"gap {number}" for number in range(8)], "⚠️ ")
    assert noted.listed[0] == "⚠️ gap 0"
    assert noted.listed[MAX_LISTED:] == ["+3 more: see “How I got this”"]
    assert len(noted.lines) == 8


@given(st.lists(st.text(max_size=2 * NOTE_CHARS), max_size=12))
def test_notes_are_whole_or_say_so(said: list[str]) -> None:
    """Whatever is not listed whole is counted, or cut visibly."""
    noted = NotedLines.of(said)
    is_marked = any(line.endswith("…") or line.startswith("+") for line in noted.listed)
    assert noted.is_whole == (noted.listed == list(noted.lines))
    assert noted.is_whole or is_marked
