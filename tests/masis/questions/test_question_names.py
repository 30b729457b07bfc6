"""What a question names and its evidence does not mention."""

import pytest

from masis.questions.question_names import counting, unfamiliar, unknown, unmentioned
from masis.text.lexical import terms

EVIDENCE = [
    (
        "Our broker Marsh covers staff in the UK and Germany. Use form HR-15. Northmoor Water "
        "agreement, signed 2024. Release 4.0 came out on 6 October 2026. Plan 2026-2028. The York "
        "Clinic opens at nine; every clinic closes at five. FY23 and Q3 results. Person to person."
    )
]


def missing(question: str, evidence: list[str] | None = None) -> list[str]:
    return [each.written for each in unmentioned(question, evidence or EVIDENCE)]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("which broker covers people in brazil?", ["brazil"]),
        ("What did Acme Health pay in 2021?", ["Acme Health", "2021"]),
        ("Is there a Leeds Clinic?", ["Leeds Clinic"]),
        ("when does the leeds clinic open", ["leeds"]),
        ("When is Release 5 due?", ["Release 5"]),
        ("What is form HR-16 for?", ["HR-16"]),
        ("What were the Q2 results?", ["Q2"]),
        ("Who is Bram de Wit?", ["Bram de Wit"]),
        ("Does the contract with Veltona's people end?", ["Veltona"]),
        ("What did we plan for FY2031?", ["FY2031"]),
        ("what is daniel hoopers phone number", ["daniel"]),
        ("what room is mr hooper in", ["hooper"]),
    ],
)
def test_what_no_evidence_has_is_named(question: str, named: list[str]) -> None:
    assert missing(question) == named


@pytest.mark.parametrize(
    "question",
    [
        "Who covers German staff?",
        "What does Northmoor's agreement say?",
        "When does the York clinic open?",
        "What was planned for 2027?",
        "What did FY2023 bring?",
        "Is hr15 the right form?",
        "where does ms marsh sit",
        "will the mark be paid in may",
        "May I go home on Monday in March?",
        "I joined in 2019, how much do I get?",
        "Is a dinner for £200 allowed?",
        "Can 7 of us use the room for 90 minutes?",
        "What Is The Policy On Visitors?",
        "WHO COVERS THE NIGHT SHIFT?",
        "Acme rang us in 2021 about it. Which form do they need?",
        "",
    ],
)
def test_nothing_is_named_without_need(question: str) -> None:
    assert missing(question) == []


def test_personal_detail_counts_where_documented() -> None:
    """What people tell of themselves counts where documents know it."""
    found = unmentioned("I take two guests to Utrecht, how much may I spend?", EVIDENCE)

    assert counting(found, frozenset({"spend"})) == []
    assert [each.written for each in counting(found, frozenset({"utrecht"}))] == ["Utrecht"]


def test_lone_code_counts_where_undocumented() -> None:
    """A code without its like counts where no document has it."""
    found = unmentioned("What does NW-2024-07 say of attendance?", EVIDENCE)

    assert counting(found, frozenset({"nw", "2024", "07"})) == []
    assert counting(found, frozenset({"2024"})) == found


def test_name_in_no_document_is_unknown() -> None:
    """Unknown are those that no document has."""
    found = unmentioned("Did Acme sign in 2021?", EVIDENCE)

    assert unknown(found, frozenset({"2021"})) == ["Acme"]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("whats the address of greenfork", "greenfork"),
        ("who runs the ilkley office", "ilkley"),
        ("when does our contract with velmora end, and what is the email at velmora", "velmora"),
        ("is bhutan covered by the policy", "bhutan"),
        ("who works at greenfork?", "greenfork"),
        ("what is greenfork's phone number", "greenfork"),
        ("tell me about greenfork", "greenfork"),
        ("who owns greenfork", "greenfork"),
        ("how do i reach the ilkley team", "ilkley"),
    ],
)
def test_lowercase_unknown_word_may_be_name(question: str, name: str) -> None:
    """A small unknown word in a names place is named."""
    assert [each.written for each in unfamiliar(question, frozenset(terms(question)))] == [name]


@pytest.mark.parametrize(
    "question",
    [
        "how do i reheat my porridge",
        "whats the nearest office",
        "who works at weekends",
        "is parking included",
        "can i bring the puppy to work",
        "who do i email about overtime pay",
        "who approves the purchasing plan",
        "how heavy is a crate of melons",
        "when is the quarterly bash",
        "what is the customer's email",
    ],
)
def test_unknown_words_elsewhere_are_no_names(question: str) -> None:
    assert unfamiliar(question, frozenset(terms(question))) == []


def test_known_or_corrected_word_is_familiar() -> None:
    """A known or corrected word is no unfamiliar name."""
    assert unfamiliar("whats the address of greenfork", frozenset({"address"})) == []
