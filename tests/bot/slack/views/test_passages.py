import pytest

from bot.chat.words import shared_sentences
from bot.slack.text import sentences
from bot.slack.views.passages import draft, passage
from masis.domain import Place
from tests.bot.slack.view_samples import (
    HOSTILE,
    TODAY,
    asked_back,
    check,
    document,
    faulty_audit,
    source,
    texts,
)


def test_passage_shows_source_and_age() -> None:
    """A passage says what it is and how old."""
    view = passage(source(), TODAY, document(version_id="v1", version_number=3))

    assert texts(view).split("\n") == [
        "Source [1]",
        "Close",
        "*Annual leave*",
        "handbook/leave.md",
        "p. 4 · 3 months old · version 3, the current one",
        "Annual leave is 26 days.",
    ]
    check("modal", view)


@pytest.mark.parametrize(
    ("version", "said"),
    [("v1", "the current one"), ("v9", "an earlier version; the current one is version 3")],
)
def test_old_version_passage_is_labelled(version: str, said: str) -> None:
    """A passage of an old version is named as such."""
    now = document(version_id=version, version_number=3)

    assert said in texts(passage(source(), TODAY, now))


def test_deleted_document_passage_says_so() -> None:
    """A passage of a deleted document says so."""
    view = passage(source(text="", document="", title=""), TODAY, None)

    assert sentences.VERSION_GONE in texts(view)
    assert shared_sentences.MADE_EMPTY in texts(view)
    check("modal", view)


def test_a_long_passage_stands_whole() -> None:
    text = "A line of the passage.\n" * 400

    assert texts(passage(source(text=text), TODAY)).count("A line of the passage.") == 400


def test_draft_shows_warning_badge_and_sources() -> None:
    """A draft is shown with a warning its badge and its sources."""
    view = draft(asked_back(), TODAY)

    assert texts(view).split("\n") == [
        "The best draft",
        "Close",
        f"⚠️ *{shared_sentences.DRAFT_WARNING}*",
        "It is 10 [1].",
        "🔴 Low 50 % · 1 of 2 claims cited · 2 documents · the sources disagree",
        "*[1]* Annual leave · a.md · p. 4 · 3 months old",
        "*[2]* Annual leave · b.md · p. 4 · 3 months old",
    ]
    check("modal", view)


def test_modal_without_draft_says_so() -> None:
    """Without a draft the modal says so."""
    assert shared_sentences.NO_DRAFT in texts(draft(asked_back(audit=None), TODAY))


def test_blank_draft_and_many_sources_fit() -> None:
    """A blanked draft and many sources fit."""
    many = [source(n) for n in range(1, 30)]
    view = draft(asked_back(answer="", citations=many), TODAY)

    assert shared_sentences.MADE_EMPTY in texts(view)
    assert "+9 more" in texts(view)
    check("modal", view)


def test_no_field_is_live() -> None:
    ugly = source(
        document=HOSTILE, title=HOSTILE, text=HOSTILE * 99, place=Place(headings=[HOSTILE] * 99)
    )

    check("modal", passage(ugly, TODAY, document(name=HOSTILE)))
    asked = asked_back(answer=HOSTILE * 99, citations=[ugly], audit=faulty_audit(HOSTILE, 30))
    check("modal", draft(asked, TODAY))
