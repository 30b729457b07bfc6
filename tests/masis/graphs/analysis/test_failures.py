"""How each step of the analysis ends where something fails: once, visibly, in its own words."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

import pytest
from langgraph.runtime import Runtime

from masis.adapters.duckdb_tables import table_engine as engine
from masis.assistant import Assistant, Finished
from masis.domain import Answered, Failed, Question, Workspace, WorkspaceId
from masis.errors import (
    EmbeddingError,
    MasisError,
    QueryRefused,
    StoreUnavailable,
    VectorsUnavailable,
)
from masis.graphs.analysis.agents import AnalysisAgents
from masis.graphs.analysis.graph import ANALYSIS
from masis.graphs.common import Context, Node, Onward, Request
from masis.graphs.registry import GRAPHS
from masis.runs import run
from masis.tables.asking import TableAnswer
from tests.fakes import FakeRepository
from tests.masis.graphs.analysis.working import (
    GROWTH,
    HERE,
    THREAD,
    Shelf,
    agents,
    concluded,
    worked,
)
from tests.masis.tables.samples import info, packed

PLACE = Workspace(id=HERE, owner="local", name="kiln")
CHARTED = "revenue of clay and glaze in 2024 and 2025 as a bar chart"


async def ended(having: AnalysisAgents) -> Finished:
    """Ask as people do; what came of it is kept once."""
    repository = FakeRepository()
    bound = GRAPHS["analysis"].bound(Context(agents=having))
    assistant = Assistant(repository=repository, graphs={"analysis": bound})
    finished = await assistant.ask(PLACE, GROWTH, thread=THREAD)
    assert list(repository.runs) == [finished.outcome.run_id]
    return finished


class Broken:
    """An agent of any kind that fails whatever it is asked."""

    def __init__(self, error: MasisError) -> None:
        self._error = error

    async def _fail(self, *_: object, **__: object) -> Any:
        raise self._error

    search = beside = ask = recall = understand = extract = explain = check = _fail


@pytest.mark.parametrize(
    "agent",
    ["finder", "tables", "asking", "recaller", "understander", "extractor", "explainer", "checker"],
)
async def test_every_agent_fails_once_and_visibly(agent: str) -> None:
    """Whichever fails, there is one outcome, it is kept once, and the trail ends at that step."""
    broken = Broken(StoreUnavailable("The disk is gone."))
    finished = await ended(replace(agents(), **{agent: broken}))
    assert isinstance(finished.outcome, Failed)
    assert finished.outcome.error.startswith("The database of MASIS does not answer.")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (VectorsUnavailable("x"), "The document search does not answer"),
        (EmbeddingError("x"), "The service that the document search needs does not work."),
        (StoreUnavailable("x"), "The database of MASIS does not answer."),
    ],
)
async def test_failed_search_says_so(error: MasisError, said: str) -> None:
    finished = await ended(agents(Shelf(error=error)))
    assert isinstance(finished.outcome, Failed)
    assert finished.outcome.error.startswith(said)


# --- whole tables ------------------------------------------------------------------------------


class Refusing:
    """Tables that a question asks, and whose process gives up."""

    def __init__(self, why: str) -> None:
        self._why = why

    async def ask(
        self, workspace_id: WorkspaceId, question: str, files: Collection[str] = ()
    ) -> TableAnswer:
        assert (workspace_id, question, list(files)) == (HERE, GROWTH, [])
        return TableAnswer(tables=[info(packed())], refused=self._why)


@pytest.mark.parametrize(
    "why", [engine.TOO_SLOW, engine.TOO_MUCH, engine.LOST, engine.GONE, str(QueryRefused("No."))]
)
async def test_refused_query_ends_in_its_own_words(why: str) -> None:
    state = await worked(GROWTH, agents(asking=Refusing(why)))
    found = concluded(state)
    assert isinstance(found, Answered)
    assert f"I could not ask tickets.csv: {why}" in found.answer
    assert found.badge
    assert (found.badge.level, found.badge.note) == ("Medium", "nothing was calculated")
    assert [entry["node"] for entry in state["trace"]] == ["ask_tables", "tell_result"]


# --- checks ------------------------------------------------------------------------------------


def changing(node: str, change: Callable[[dict[str, Any]], None]) -> Callable[[str, Node], Node]:
    """Go around one node and change what it leaves behind."""

    def wrap(name: str, work: Node) -> Node:
        async def step(state: Any, runtime: Runtime[Any]) -> Any:
            update = await work(state, runtime)
            if name == node:
                change(update)
            return update

        return step

    return wrap


async def handed_on(node: str, change: Callable[[dict[str, Any]], None], asked: str) -> Onward:
    context = Context(agents=agents())
    bound = ANALYSIS.bound(context, changing(node, change))
    request = Request(question=Question.plain(asked), workspace_id=HERE)
    found = ANALYSIS.conclude(await run(bound, ANALYSIS.start(request)), "r_1", context)
    assert isinstance(found, Onward)
    return found


def _miscalculated(update: dict[str, Any]) -> None:
    first = update["computed"][0]
    wrong = first.calculation.model_copy(update={"shown": "+99.9 %"})
    update["computed"] = [first.model_copy(update={"calculation": wrong})]


def _misread(update: dict[str, Any]) -> None:
    group = update["operands"].groups[0]
    figures = [each.model_copy(update={"written": "4,711"}) for each in group.figures]
    groups = [group.model_copy(update={"figures": figures})]
    update["operands"] = update["operands"].model_copy(update={"groups": groups})


@pytest.mark.parametrize(("node", "change"), [("calculate", _miscalculated), ("extract", _misread)])
async def test_failed_check_is_handed_on(
    node: str, change: Callable[[dict[str, Any]], None]
) -> None:
    """What does not come out again is not shown; another graph answers, and that is said."""
    found = await handed_on(node, change, GROWTH)
    assert found.graph == "research"
    assert found.said.startswith("I calculated nothing: what came out did not agree")


async def test_failed_check_draws_nothing() -> None:
    found = await handed_on("calculate", _miscalculated, CHARTED)
    assert found.said.startswith("I drew no chart: what came out did not agree")


def test_every_step_has_a_name_for_people() -> None:
    assert all(step.title for step in ANALYSIS.steps)
