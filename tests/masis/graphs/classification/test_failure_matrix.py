"""Walk through what can go wrong, a row of the original's matrix each: what it is, and how it ends."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from masis.domain import WorkspaceId
from masis.graphs.classification.agents import Found
from masis.graphs.classification.state import Analysis, Candidate, Expansion, Said, State
from masis.graphs.classification.thresholds import MOST_QUESTIONS
from tests.masis.graphs.classification.scripted import (
    CLEAR,
    IMPROVE,
    MATCH,
    OFFICE,
    TWINS,
    Finder,
    Script,
    Talk,
    candidate,
)

NOISE = [candidate("901", "Railings", 3.0, []), candidate("902", "Rallies", 2.9, [OFFICE])]


@dataclass
class Noisy:
    """A search that brings noise until it is asked for one word."""

    cure: str
    asked: list[list[str]] = field(default_factory=list)

    async def find(
        self, workspace_id: WorkspaceId, texts: Sequence[str], *, kind: str = "", limit: int
    ) -> Found:
        self.asked.append(list(texts))
        is_cured = any(self.cure in text for text in texts)
        return await Finder(CLEAR if is_cured else NOISE).find(
            workspace_id, texts, kind=kind, limit=limit
        )


class Hallucinating:
    """An expander that searches what nobody said."""

    async def expand(self, messages: Sequence[Said]) -> Expansion:
        assert messages
        return Expansion(query="rallying", wordings=["rallying"])


def _ended(state: State) -> tuple[str, str]:
    final = state["analyzer_response"]
    assert final is not None
    return final.status, final.code


async def test_ambiguity_of_the_asker_asks() -> None:
    talk = Talk(Finder(TWINS), Script([MATCH]))
    assert _ended(await talk.say("somebody who drives")) == ("MORE_INFO", "")
    assert talk.waits


async def test_noise_is_searched_past() -> None:
    finder = Noisy("railway")
    state = await Talk(finder, Script([IMPROVE, MATCH])).say("tickets for rails")
    assert _ended(state) == ("MATCH_FOUND", "201")
    assert finder.asked == [["tickets for rails"], ["railway"]]


async def test_hallucinated_queries_are_searched_past() -> None:
    finder = Noisy("railway")
    talk = Talk(finder, Script([IMPROVE, MATCH]), Hallucinating())
    assert _ended(await talk.say("tickets for rails")) == ("MATCH_FOUND", "201")
    assert finder.asked == [["rallying"], ["railway"]]


async def test_fragments_converge_on_their_parent() -> None:
    found: list[Candidate] = [candidate("201", "Trains", 9.0), candidate("202", "Trams", 8.9)]
    state = await Talk(Finder(found), Script([MATCH])).say("tickets for journeys on rails")
    assert _ended(state) == ("MATCH_FOUND", "20")


async def test_repeated_uncertainty_asks_on() -> None:
    """It asks at most three times; the parent that is given then says why."""
    unsure = Script([Analysis(status="IMPROVED_SEARCH", query="railway")])
    talk = Talk(Finder(TWINS), unsure)
    state = await talk.say("somebody who drives")
    for _ in range(MOST_QUESTIONS):
        assert _ended(state) == ("MORE_INFO", "")
        state = await talk.reply("it is about customers")
    final = state["analyzer_response"]
    assert final is not None
    assert (final.status, final.reason) == ("MATCH_FOUND", "limit")
