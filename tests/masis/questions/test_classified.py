"""Which questions describe something and want its code."""

import pytest

from masis.questions.classified import described
from masis.text.lexical import terms

NAMES = frozenset(terms("cost centre ticket type occupation"))


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ("Which occupation code has somebody who mixes concrete?", "somebody who mixes concrete"),
        ("which cost centre does this invoice for paper belong to?", "invoice for paper"),
        ("What ticket type is a broken screen?", "a broken screen"),
        ("The coffee machine leaks. What ticket type is this?", "The coffee machine leaks"),
        ("classify: a person who repairs lifts", "a person who repairs lifts"),
        ("Which cost centre should I book train tickets to?", "train tickets"),
        ("what kind of ticket is it when the printer jams?", "when the printer jams"),
        ("find the code for a lorry driver", "a lorry driver"),
    ],
)
def test_descriptions_are_read(asked: str, what: str) -> None:
    found = described(asked, NAMES)
    assert found is not None
    assert found.text == what


@pytest.mark.parametrize(
    "asked",
    [
        "Which cost centres are there?",
        "How many cost centres are there?",
        "What is code 2643?",
        "what code of conduct applies to contractors?",
        "Which type of leave do I have?",
        "Which kiln is the hottest?",
        "code review: how many approvals?",
        "When is the kiln fired?",
    ],
)
def test_other_questions_are_not(asked: str) -> None:
    assert described(asked, NAMES) is None
