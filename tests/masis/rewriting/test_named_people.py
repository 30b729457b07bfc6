"""Names of people in a text."""

from masis.rewriting.named_people import people


def test_people_are_told_by_their_names() -> None:
    text = "Only Isaac Wren opens it; Managing Director Wim van Zuylek and Kirsty McLeod ask. Isaac Wren."
    assert people(text) == ["Isaac Wren", "Wim van Zuylek", "Kirsty McLeod"]


def test_titles_and_places_name_nobody() -> None:
    assert people("The Head of Service sits at Canal Side, Annual Report, first Monday.") == []
