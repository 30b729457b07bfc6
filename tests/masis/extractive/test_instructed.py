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
