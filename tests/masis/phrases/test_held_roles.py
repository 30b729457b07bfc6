"""Whose name is asked for, and who has the role."""

from masis.phrases.held_roles import asks_who_is, has_role, role_of


def test_the_role_is_read() -> None:
    assert asks_who_is("who is our kiln master?")
    assert role_of("who is our kiln master?") == role_of("whos the kiln master")
    assert role_of("what is a kiln master?") == []


def test_a_row_has_a_role_in_a_cell() -> None:
    role = role_of("who is the kiln master?")
    assert has_role("name: Ada Lund | role: Kiln Master", role, is_row=True)
    assert not has_role("name: Ada Lund | note: reports to the Kiln Master", role, is_row=True)
    assert has_role("Ada Lund is the kiln master.", role, is_row=False)
