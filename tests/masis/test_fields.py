import pytest

from masis.fields import (
    MOST_FIELDS,
    MOST_VALUE_CHARS,
    RESERVED,
    bounded,
    key_of,
    of_assignments,
    together,
)


def test_names_become_keys_that_can_be_typed_and_values_one_line() -> None:
    said = [
        ("Cost Center", " 47\n11 "),
        ("owner", "Jane\x00Doe"),
        ("Owner", "later"),
        ("empty", " "),
    ]
    assert bounded(said) == {"cost-center": "47 11", "owner": "Jane Doe"}


def test_as_many_and_as_long_as_may_be_are_kept() -> None:
    many = bounded((f"key-{at}", "x" * 1000) for at in range(100))
    assert len(many) == MOST_FIELDS
    assert {len(value) for value in many.values()} == {MOST_VALUE_CHARS}


@pytest.mark.parametrize(
    "name", [*sorted(RESERVED), "Type", "4th", "http://x", "", "é", "a" * 41, "a:b"]
)
def test_what_another_filter_is_called_or_nobody_could_type_is_no_key(name: str) -> None:
    assert key_of(name) == ""


def test_what_was_given_wins_and_is_never_crowded_out() -> None:
    read = {f"key-{at}": "read" for at in range(MOST_FIELDS)}
    found = together(read, {"key-1": "given", "own": "given"})
    assert (found["key-1"], found["own"], found["key-0"]) == ("given", "given", "read")
    assert len(found) == MOST_FIELDS


def test_assignments_are_read_and_an_empty_one_takes_away() -> None:
    assert of_assignments(["Owner=Jane = Doe", "status="]) == {"owner": "Jane = Doe", "status": ""}


@pytest.mark.parametrize("written", ["owner", "=x", "in=x", "a b c!=x", f"owner={'x' * 201}"])
def test_what_is_no_assignment_is_refused_in_words(written: str) -> None:
    with pytest.raises(ValueError, match=r"is no field|is longer"):
        of_assignments([written])
    with pytest.raises(ValueError, match="at most"):
        of_assignments([f"key-{at}=x" for at in range(MOST_FIELDS + 1)])
