"""Which questions describe something and want its code."""

import pytest

from masis.codelists.described import described
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
        ("what kind of ticket is it when the printer jams?", "the printer jams"),
        ("find the code for a lorry driver", "a lorry driver"),
        ("ticket type for a jammed printer pls", "a jammed printer"),
        ("I need a ticket type for: new printer is slow", "new printer is slow"),
        ("how do I classify a jammed printer?", "a jammed printer"),
        ("The printer jams. What do I log it as?", "The printer jams"),
        ("what would a jammed printer be classed as", "a jammed printer"),
        ("what should I file this under: printer jams again", "printer jams again"),
        ("Hi, what ticket type is this? The printer won't turn on", "The printer won't turn on"),
        ("can you tell me which ticket type to use for a jam", "a jam"),
        ("which code of the ticket list fits a jam", "a jam"),
        ("what code do I put on a ticket about a jam", "a ticket about a jam"),
        ("there is a jam, which ticket type", "a jam"),
        ("The printer jams. Ticket type?", "The printer jams"),
        (
            "which cost centre does this invoice belong to? 3 monitors and a dock",
            "3 monitors and a dock",
        ),
        ("what cost centre should this be booked on - new chairs", "new chairs"),
        ("which cost center is a taxi", "a taxi"),
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
        "what is the door code of the store",
        "is there a discount code for the gym",
        "which ticket type has the most tickets?",
        "which ticket types belong to printers?",
        "what class of travel may I book",
        "which category of supplier is the printer's maker?",
        "how are documents classified?",
        "What type of printer is in the hall?",
        "what does ticket type FA12 mean",
        "which cost centre does it belong to?",
    ],
)
def test_other_questions_are_not(asked: str) -> None:
    assert described(asked, NAMES) is None
