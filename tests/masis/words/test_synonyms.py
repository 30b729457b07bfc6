"""Words of the workplace that mean the same."""

import pytest

from masis.text.lexical import terms
from masis.words.synonyms import (
    MOST_CHARS,
    MOST_PHRASES,
    ONLY_FOUND,
    bundled,
    checked,
    found,
    in_other_words,
    said,
    said_in_part,
)

GROUPS = [
    ("annual leave", "holiday"),
    ("line manager", "boss", "~manager"),
    ("fit note", "doctor's note"),
]


def test_phrase_matches_singular_and_plural() -> None:
    """A phrase is found in any number."""
    [hit] = found("How many holidays do I get?", GROUPS)
    assert (hit.phrase, hit.others) == ("holidays", ("annual leave",))
    assert [each.phrase for each in found("a doctor's note for my boss", GROUPS)] == [
        "doctor's note",
        "boss",
    ]


def test_a_marked_phrase_is_only_found() -> None:
    assert found("ask the manager", GROUPS) == []
    assert found("my boss", GROUPS)[0].others == ("line manager", "manager")


def test_the_longest_phrase_counts() -> None:
    [hit] = found("the line manager says", GROUPS)
    assert hit.phrase == "line manager"


def test_bundled_groups_pass_admin_checks() -> None:
    """The bundled groups are as an admin may add them."""
    groups = bundled()
    assert 60 <= len(groups) <= 480
    for group in groups:
        assert len(checked(phrase.removeprefix(ONLY_FOUND) for phrase in group)) == len(group)


@pytest.mark.parametrize(
    "phrases",
    [
        ["kiln"],
        ["kiln", " KILN "],
        ["kiln", "..."],
        ["kiln", "k" * (MOST_CHARS + 1)],
        ["kiln", "a b c d e"],
        [f"kiln{'abcdefghijklmnop'[n]}" for n in range(MOST_PHRASES + 1)],
    ],
)
def test_what_is_no_group_is_refused(phrases: list[str]) -> None:
    with pytest.raises(ValueError, match=r"."):
        checked(phrases)


def test_verb_of_two_words_is_whole() -> None:
    """A row called "sign-in" signs nothing off; one that approves does, and one noun of two says much."""
    verb = in_other_words("who signs off a kiln")
    noun = in_other_words("where is the parking space")

    assert said_in_part(terms("kiln and sign-in"), verb) == set(terms("signs off"))
    assert not said_in_part(terms("Ada signs it off"), verb)
    assert not said_in_part(terms("Ada must approve it"), verb)
    assert said(terms("Ada must approve it"), verb) == set(terms("signs off"))
    assert not said_in_part(terms("parking is behind the kiln"), noun)
