"""The model-backed agents of a classification, over real HTTP, against a scripted service."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from masis.adapters.openai_chat import OpenAIChat
from masis.graphs.classification.by_rule import RuleAnalyzer
from masis.graphs.classification.model import ModelAnalyzer, ModelExpander
from masis.graphs.classification.state import Said, State
from masis.models.gateway import Backoff
from masis.models.pipeline import guarded
from masis.ports import ChatModel
from tests import openai_server as service
from tests.masis.graphs.classification.scripted import CLEAR, TWINS, Finder, Talk
from tests.openai_server import KEY, Behaviour, OpenAIServer

EXPANDED = {"query": "tram tickets", "ambiguities": ["who rides"], "assumptions": ["it is paid by us"]}  # fmt: skip
FAULTY = 4
MATCHED = {"status": "MATCH_FOUND", "code": "201", "query": "", "question": ""}
IMPROVED = {"status": "IMPROVED_SEARCH", "code": "", "query": "railway fares", "question": ""}


class Desk:
    """A running service, and a conversation whose agents ask it."""

    def __init__(self, server: OpenAIServer, chat: ChatModel) -> None:
        self.server = server
        self.chat = chat

    async def say(self, finder: Finder, text: str, *said: Behaviour) -> State:
        """Describe something to models that reply so, first the expander's."""
        half = 1 if len(said) < FAULTY else len(said) // 2
        self.server.will("writer", *said[:half])
        self.server.will("auditor", *said[half:])
        talk = Talk(finder, ModelAnalyzer(self.chat, RuleAnalyzer()), ModelExpander(self.chat))
        return await talk.say(text)


async def decided(desk: Desk, finder: Finder, *said: Any) -> Any:
    state = await desk.say(finder, "tickets for the tram", *map(service.says_json, said))
    return state["analyzer_response"]


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with OpenAIServer() as server:
        adapter = OpenAIChat(server.endpoints(), timeout=20)
        yield Desk(server, guarded(adapter, per_minute=1000, backoff=Backoff(base=0.0)))
        await adapter.close()


async def test_the_straight_way_takes_two_calls(desk: Desk) -> None:
    """The expander's query is searched beside what was said, and the analyzer is shown no more than codes."""
    finder = Finder(CLEAR)
    final = await decided(desk, finder, EXPANDED, MATCHED)
    assert (final.status, final.code) == ("MATCH_FOUND", "201")
    assert finder.asked == [["tram tickets", "tickets for the tram"]]
    expander, analyzer = desk.server.asked
    assert (expander.schema, analyzer.schema) == ("ExpansionReply", "AnalysisReply")
    assert expander.data == {"said": [{"by": "asker", "text": "tickets for the tram"}]}
    assert analyzer.data["candidates"][0] == {"code": "201", "title": "Trains", "part_of": "Travel"}
    assert expander.key == KEY


async def test_one_search_is_improved(desk: Desk) -> None:
    finder = Finder(CLEAR)
    again = {"status": "MATCH_FOUND", "code": "201", "question": ""}
    final = await decided(desk, finder, EXPANDED, IMPROVED, again)
    assert final.code == "201"
    assert finder.asked[1:] == [["railway fares"]]
    assert [each.schema for each in desk.server.asked[1:]] == ["AnalysisReply", "LastAnalysisReply"]


async def test_asking_what_is_meant_expands_nothing(desk: Desk) -> None:
    """No call of a model is spent on what says no more, and no model reads something into it."""
    said = [Said(role="asker", text="tram"), Said(role="bot", text="Which?", options=["A", "B"])]
    asks = Said(role="asker", text="what do you mean?")
    expansion = await ModelExpander(desk.chat).expand([*said, asks])
    assert (expansion.query, expansion.asks_meaning) == ("tram", True)
    assert not desk.server.asked


async def test_models_match_no_twins(desk: Desk) -> None:
    final = await decided(desk, Finder(TWINS), EXPANDED, MATCHED)
    assert (final.status, final.code) == ("MORE_INFO", "")


@pytest.mark.parametrize("fault", [service.refuses(), service.breaks_json(), service.fails(500), service.resets()])  # fmt: skip
async def test_faults_leave_it_to_the_rules(desk: Desk, fault: Behaviour) -> None:
    finder = Finder(CLEAR)
    state = await desk.say(finder, "tickets for the tram", *[fault] * 18)
    assert state["analyzer_response"].code == "201"  # type: ignore[union-attr]
    assert finder.asked == [["tickets for the tram"]]
