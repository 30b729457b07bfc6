"""Kinds of one thing, by the word in front of it."""

from masis.text.modifiers import kinds_of, other_kinds

LEAVE = frozenset({"leav"})


def test_word_in_front_says_the_kind() -> None:
    assert kinds_of("leav", "Call-out leave is used within 90 days.") == {"out"}
    assert kinds_of("leav", "They have 27 days of annual leave.") == {"annual"}
    assert kinds_of("leav", "They have 27 days of leave.") == frozenset()
    assert kinds_of("budget", "The approved budget is £68,000.") == frozenset()


def test_different_kinds_are_no_rivals() -> None:
    one, other = "Call-out leave is used within 90 days.", "They have 27 days of annual leave."
    assert other_kinds("how many days of leave do i get", one, other, LEAVE)
    assert not other_kinds("how many days of leave", other, "You get 25 days of leave.", LEAVE)


def test_both_may_be_of_another_kind() -> None:
    one = "The service tooling budget for 2026 stands at £68,000."
    other = "The approved service tooling budget for 2026 is £74,500."
    shared = frozenset({"tool", "budget"})
    assert other_kinds("What was the budget for production tooling?", one, other, shared)
    assert not other_kinds("What is the service tooling budget?", one, other, shared)
    assert not other_kinds("What is the tooling budget?", one, other, shared)
