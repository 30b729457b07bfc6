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


def test_names_become_typeable_keys() -> None:
    """Names become keys that can be typed and values one line."""
    said = [
        ("Cost Center", " 47\n11 "),
        ("owner", "Jane\x00Doe"),
        ("Owner", "later"),
        ("empty", " "),
    ]
    assert bounded(said) == {"cost-center": "47 11", "owner": "Jane Doe"}


def test_field_count_and_length_are_bounded() -> None:
    """As many and as long as may be are kept."""
    many = bounded((f"key-{at}", "x" * 1000) for at in range(100))
    assert len(many) == MOST_FIELDS
    assert {len(value) for value in many.values()} == {MOST_VALUE_CHARS}


@pytest.mark.parametrize(
    "name", [*sorted(RESERVED), "Type", "4th", "http://x", "", "é", "a" * 41, "a:b"]
)
def test_reserved_or_untypeable_key_is_refused(name: str) -> None:
    """What another filter is called or nobody could type is no key."""
    assert key_of(name) == ""


def test_given_fields_override_read_ones() -> None:
    """What was given wins and is never crowded out."""
    read = {f"key-{at}": "read" for at in range(MOST_FIELDS)}
    found = together(read, {"key-1": "given", "own": "given"})
    assert (found["key-1"], found["own"], found["key-0"]) == ("given", "given", "read")
    assert len(found) == MOST_FIELDS


def test_empty_assignment_removes_a_field() -> None:
    """Assignments are read and an empty one takes away."""
    assert of_assignments(["Owner=Jane = Doe", "status="]) == {"owner": "Jane = Doe", "status": ""}


@pytest.mark.parametrize("written", ["owner", "=x", "in=x", "a b c!=x", f"owner={'x' * 201}"])
def test_invalid_assignment_is_refused(written: str) -> None:
    """What is no assignment is refused in words."""
    with pytest.raises(ValueError, match=r"is no field|is longer"):
        of_assignments([written])
    with pytest.raises(ValueError, match="at most"):
        of_assignments([f"key-{at}=x" for at in range(MOST_FIELDS + 1)])
