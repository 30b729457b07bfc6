import pytest

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


def test_a_passage_says_what_it_is_and_how_old() -> None:
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
def test_a_passage_of_an_old_version_is_named_as_such(version: str, said: str) -> None:
    now = document(version_id=version, version_number=3)

    assert said in texts(passage(source(), TODAY, now))


def test_a_passage_of_a_deleted_document_says_so() -> None:
    view = passage(source(text="", document="", title=""), TODAY, None)

    assert sentences.VERSION_GONE in texts(view)
    assert sentences.MADE_EMPTY in texts(view)
    check("modal", view)


def test_a_long_passage_stands_whole() -> None:
    text = "A line of the passage.\n" * 400

    assert texts(passage(source(text=text), TODAY)).count("A line of the passage.") == 400


def test_a_draft_is_shown_with_a_warning_its_badge_and_its_sources() -> None:
    view = draft(asked_back(), TODAY)

    assert texts(view).split("\n") == [
        "The best draft",
        "Close",
        f"⚠️ *{sentences.DRAFT_WARNING}*",
        "It is 10 [1].",
        "🔴 Low 50 % · 1 of 2 claims cited · 2 documents · the sources disagree",
        "*[1]* Annual leave · a.md · p. 4 · 3 months old",
        "*[2]* Annual leave · b.md · p. 4 · 3 months old",
    ]
    check("modal", view)


def test_without_a_draft_the_modal_says_so() -> None:
    assert sentences.NO_DRAFT in texts(draft(asked_back(audit=None), TODAY))


def test_a_blanked_draft_and_many_sources_fit() -> None:
    many = [source(n) for n in range(1, 30)]
    view = draft(asked_back(answer="", citations=many), TODAY)

    assert sentences.MADE_EMPTY in texts(view)
    assert "+9 more" in texts(view)
    check("modal", view)


def test_no_field_is_live() -> None:
    ugly = source(
        document=HOSTILE, title=HOSTILE, text=HOSTILE * 99, place=Place(headings=[HOSTILE] * 99)
    )

    check("modal", passage(ugly, TODAY, document(name=HOSTILE)))
    asked = asked_back(answer=HOSTILE * 99, citations=[ugly], audit=faulty_audit(HOSTILE, 30))
    check("modal", draft(asked, TODAY))
