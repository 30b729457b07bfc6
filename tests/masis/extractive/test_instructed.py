"""What is to be done comes first where that is asked."""

from masis.extractive.instructed import as_asked
from masis.retrieval.extraction import Scored, passages
from tests.scripted_agents import chunk


def scored(text: str) -> list[Scored]:
    found = passages([chunk(0, text=text)])
    return [Scored(p, 1.0, 0.0, 0.0, hint=False, vector=n) for n, p in enumerate(found)]


def test_instructions_lead_where_asked_for() -> None:
    told = scored("Leaks are rare in the kiln room. If it leaks, call the night desk.")

    fact, order = as_asked("it leaks what now", told)
    assert order.score > fact.score
    assert as_asked("how often does it leak", told) == told


def test_where_not_comes_last() -> None:
    told = scored("Do not park on the kiln road. Park behind the pottery shed.")

    refused, allowed = as_asked("where do I park", told)
    assert allowed.score > refused.score


def test_who_to_call_is_told_first() -> None:
    """A number, or whom to call, comes first where that is asked."""
    told = scored("One person cannot work: a laptop does not start. Telephone ext. 4400 at once.")

    row, number = as_asked("my laptop is dead, who do i call", told)
    assert number.score > row.score
    assert as_asked("who calls the customers", told) == told


def test_what_a_thing_is_comes_first() -> None:
    told = scored("Slip costs £3 a pound at the desk. Slip is a mixture of clay and water.")

    price, meaning = as_asked("what is slip?", told)
    assert meaning.score > price.score
