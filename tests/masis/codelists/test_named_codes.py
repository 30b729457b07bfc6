"""Which code a text names outright."""

import pytest

from masis.codelists.named_codes import asked_code, named_code

TITLES = {
    "PR21": "Pump leaks",
    "IT1": "Devices",
    "4110": "General clerks",
    "M1": "Motors",
    "IT": "Information technology",
}
KINDS = [frozenset({"ticket", "type"})]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("pr21", "PR21"),
        ("it's PR21, I think", "PR21"),
        ("PR21 pump leaks", "PR21"),
        ("code 4110.", "4110"),
        ("4110 bolts are missing", ""),
        ("a flat tyre on the M1", ""),
        ("PR21 or IT1", ""),
        ("not PR21", ""),
        ("a pump leaks", ""),
    ],
)
def test_codes_alone_or_with_their_titles(text: str, code: str) -> None:
    assert named_code(text, TITLES) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("what does PR21 mean?", "PR21"),
        ("whats it1", "IT1"),
        ("tell me about PR21", "PR21"),
        ("what is M1 Motors", "M1"),
        ("what does a leak on the M1 cost", ""),
        ("what do PR21 and IT1 mean", ""),
        ("what is a pump", ""),
        ("what is IT?", "IT"),
        ("IT", "IT"),
        ("what is it?", ""),
        ("WHAT IS IT?", ""),
        ("which ticket types are there under IT1?", "IT1"),
        ("how many ticket types are there for M1", "M1"),
        ("how many tickets are there for M1", ""),
    ],
)
def test_codes_whose_meaning_is_asked(text: str, code: str) -> None:
    assert asked_code(text, TITLES, KINDS) == code
