"""Recognising questions for a whole, and leaving all others alone."""

import pytest

from masis.questions.whole_forms.asked_wholes import AskedWhole, WholeKind, asked_for


def kind(question: str) -> WholeKind | None:
    found = asked_for(question)
    return found.kind if found else None


def of(question: str) -> str:
    found = asked_for(question)
    assert found is not None
    return found.of


@pytest.mark.parametrize(
    "question",
    [
        "what is in here",
        "whats in here",
        "what documents are there?",
        "which files do we have about pensions",
        "show me the files",
        "any documents on pumps?",
        "what have you got on parking",
        "what policies do we have",
        "list all minutes",
        "show me all the HR documents",
    ],
)
def test_documents_are_asked_for(question: str) -> None:
    """What there is to read is asked for in many ways."""
    assert kind(question) == "documents"


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("list our suppliers", "suppliers"),
        ("LIST ALL THE FIRST AIDERS", "first aiders"),
        ("can you give me a list of the directors please", "directors"),
        ("all suppliers please", "suppliers"),
        ("whos on the committee then, all of them", "everybody on the committee"),
        ("what are all the sites", "sites"),
        ("name the steps of a return", "steps of a return"),
    ],
)
def test_lists_are_asked_for(question: str, thing: str) -> None:
    """A list is asked for with what it is of."""
    assert kind(question) == "list"
    assert of(question) == thing


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("summarise the board pack", "the board pack"),
        ("sumarise the board pack pls", "the board pack"),
        ("tl;dr of the may minutes", "the may minutes"),
        ("tldr may minutes", "may minutes"),
        ("gimme the short version of the expenses policy", "the expenses policy"),
        ("tower plan summary", "tower plan"),
        ("give me the gist of the contract for me before my 11 oclock", "the contract"),
        ("key points from the q2 report", "the q2 report"),
    ],
)
def test_summaries_are_asked_for(question: str, document: str) -> None:
    """A summary is asked for with the document's name, without what surrounds it."""
    assert kind(question) == "summary"
    assert of(question) == document


def test_who_decides_does_so_at_a_meeting() -> None:
    asked = asked_for("what did the board decide in september")
    assert asked is not None
    assert (asked.kind, asked.of) == ("summary", "board meeting in september")


@pytest.mark.parametrize(
    "question",
    [
        "what changed between the 2025 and 2026 policy",
        "how has the leave policy changed",
        "compare the old and the new leave policy",
        "leave policy 2023 vs 2026",
        "what's different in the new leave policy",
    ],
)
def test_versions_may_be_compared(question: str) -> None:
    """Two versions may be meant where a time or a change is named."""
    found = asked_for(question)
    assert found is not None
    assert found.kind == "compare"
    assert found.versions


def test_two_things_are_compared() -> None:
    """Two things are compared by their names, and no versions are meant."""
    assert asked_for("compare gold and silver plans") == AskedWhole(
        kind="compare", of="gold and silver plans", sides=("gold", "silver plans")
    )


@pytest.mark.parametrize(
    "question",
    [
        "who is on the list?",
        "who is on call this week",
        "what is the list price of a pump",
        "list price pump",
        "which document says how much mileage is",
        "is there a dress code",
        "who is the managing director",
        "do we have a policy on dogs",
        "how many days of leave do i get",
        "what does the handbook say about bereavement",
        "what's new",
        "summarise",
        "list",
        "list them",
        "",
    ],
)
def test_other_questions_are_left_alone(question: str) -> None:
    """A fact, or nothing in particular, is no whole."""
    assert asked_for(question) is None


def test_ambiguous_forms_are_strict() -> None:
    """A form that may ask for a fact as well wants exactly that list."""
    found = asked_for("what are the opening hours")
    assert found is not None
    assert found.strict


def test_reply_names_the_document() -> None:
    """The reply to a question back says more of what it is of."""
    assert of("summarise the minutes\nminutes-2026-05.md") == "the minutes minutes-2026-05.md"


def test_long_cases_are_no_wholes() -> None:
    """Who tells a case asks for no whole."""
    assert asked_for(f"list our suppliers {'and so on ' * 60}") is None


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("what manuals & guides have we got on file", "documents"),
        ("list every document you have", "documents"),
        ("anything about pensions?", "documents"),
        ("which of the documents deal with fire safety", "documents"),
        ("steps for closing the shop", "list"),
        ("how do i order paper, step by step", "list"),
        ("which machines need a check", "list"),
        ("what does the lease say, short version", "summary"),
        ("in a nutshell, what's in the lease", "summary"),
        ("what did the council decide in may? short", "summary"),
        ("bronze and silver tickets - whats the difference", "compare"),
        ("has the parking policy changed", "compare"),
    ],
)
def test_wholes_in_other_words(question: str, asked: str) -> None:
    """The same is asked for in fragments, and with the wish for few words at either end."""
    assert kind(question) == asked


@pytest.mark.parametrize(
    "question",
    [
        "what does gold cover that silver doesnt",
        "what has the gold plan got that silver does not have",
    ],
)
def test_what_one_lacks_is_compared(question: str) -> None:
    found = asked_for(question)
    assert found is not None
    assert found.kind == "compare"
    assert found.sides is not None
    assert [next(w for w in side.split() if w in {"gold", "silver"}) for side in found.sides] == [
        "gold",
        "silver",
    ]
