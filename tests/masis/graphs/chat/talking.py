"""A thread with an answer in it, and agents at the ports of the chat graph that a test scripts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from masis.answering import citations
from masis.conversation import LOCAL_TENANT, Exchange, Mode, Spot
from masis.domain import (
    Answered,
    Badge,
    Critique,
    EvidenceChunk,
    NeedsClarification,
    Question,
    Usage,
    WorkspaceId,
)
from masis.graphs.chat.agents import ChatAgents, CodeNames, Reworded, Router, Routing, Understood
from masis.graphs.chat.graph import CHAT, conclude
from masis.graphs.chat.rules import RuleGreeter, RuleRewriter
from masis.graphs.chat.state import Intent, State
from masis.graphs.common import Conclusion, Context, Onward, Request
from masis.records import StoredRun
from masis.runs import run
from tests.scripted_agents import ScriptedResearcher, chunk

WORKSPACE = WorkspaceId("w_aaaaaaaaaaaa")
THREAD = Spot(tenant=LOCAL_TENANT, channel="C1", thread="1.0")
KILN = chunk(
    1,
    text="The kiln is fired on Mondays and Thursdays. Bowls are glazed on the day before it is"
    " fired. Mugs must dry for 48 hours before they are glazed.",
)
RATES = chunk(2, text="A shelf of the kiln costs 12 pounds a week. Members pay 9 pounds a week.")
DRAFT = (
    f"The kiln is fired on Mondays and Thursdays [{KILN.chunk_id}]. A shelf of the kiln costs 12"
    f" pounds a week [{RATES.chunk_id}]."
)
ASKED = "When is the kiln fired and what does a shelf cost?"


def answered(draft: str = DRAFT, evidence: Sequence[EvidenceChunk] = (KILN, RATES)) -> Answered:
    """An answer as a run ends with."""
    audit = citations.audit(draft, list(evidence))
    shown, sources = citations.number(draft, audit, list(evidence))
    return Answered(
        run_id="run-1",
        question=ASKED,
        answer=shown,
        confidence=0.9,
        badge=Badge(level="High", confidence=0.9),
        citations=sources,
        critique=Critique(confidence=0.9),
        evaluation=None,
        audit=audit,
        extractive=True,
    )


def back(nearest: str = "") -> NeedsClarification:
    """A question back, with what was near where anything was."""
    told = answered(f"Kiln [{KILN.chunk_id}].")
    return NeedsClarification(
        run_id="run-1",
        question=ASKED,
        kind="low_confidence",
        clarification_question="Is this what you meant?",
        answer=told.answer,
        nearest=nearest,
        confidence=0.4,
        badge=None,
        citations=told.citations,
        extractive=True,
    )


def kept(**more: Any) -> StoredRun:
    """The run of that answer, as it is stored."""
    values: dict[str, Any] = {
        "run_id": "run-1",
        "workspace_id": WORKSPACE,
        "graph": "research",
        "question": ASKED,
        "status": "success",
        "outcome": answered().model_dump(mode="json"),
        "evidence": [KILN, RATES],
        "trace": [],
        "figures": {},
    }
    return StoredRun.model_validate(values | more)


EXCHANGE = Exchange(run_id="run-1", question=ASKED, standalone=ASKED, status="success")


@dataclass
class ScriptedMemory:
    """Recalls these exchanges, and keeps these runs."""

    exchanges: list[Exchange] = field(default_factory=lambda: [EXCHANGE])
    runs: list[StoredRun] = field(default_factory=lambda: [kept()])
    recalled: list[tuple[Spot, WorkspaceId]] = field(default_factory=list)

    async def recall(self, thread: Spot, workspace_id: WorkspaceId) -> list[Exchange]:
        self.recalled.append((thread, workspace_id))
        return self.exchanges

    async def run(self, workspace_id: WorkspaceId, run_id: str) -> StoredRun | None:
        found = (each for each in self.runs if each.workspace_id == workspace_id)
        return next((each for each in found if each.run_id == run_id), None)


@dataclass
class ScriptedRouter:
    """Finds this intent."""

    intent: Intent | None = None
    asked: list[str] = field(default_factory=list)

    async def route(self, text: str, messages: Sequence[Exchange]) -> Routing:  # noqa: ARG002
        self.asked.append(text)
        return Routing(intent=self.intent, usage=Usage(calls=1))


@dataclass
class ScriptedRewriter:
    """Understands every message as this."""

    understood: Understood
    asked: list[tuple[str, list[Exchange]]] = field(default_factory=list)

    async def rewrite(self, text: str, messages: Sequence[Exchange]) -> Understood:
        self.asked.append((text, list(messages)))
        return self.understood


@dataclass
class ScriptedReworder:
    """Says this in other words."""

    text: str | None
    languages: list[str] = field(default_factory=list)

    async def reword(self, answer: str, language: str) -> Reworded:  # noqa: ARG002
        self.languages.append(language)
        return Reworded(text=self.text, usage=Usage(calls=1))


async def offered(workspace_id: WorkspaceId) -> list[str]:  # noqa: ARG001
    """Questions that the workspace answers."""
    return [f"Question {n}?" for n in range(5)]


@dataclass
class Talk:
    """The chat graph with its agents, and where it is asked."""

    memory: ScriptedMemory = field(default_factory=ScriptedMemory)
    probe: ScriptedResearcher = field(default_factory=ScriptedResearcher)
    rewriter: Any = field(default_factory=RuleRewriter)
    router: Router | None = None
    reworder: ScriptedReworder | None = None
    codes: CodeNames | None = None
    thread: Spot | None = THREAD
    state: State | None = None

    async def say(self, text: str, *, mode: Mode = "auto", **more: Any) -> Conclusion | Onward:
        """What comes of a message."""
        agents = ChatAgents(
            memory=self.memory,
            greeter=RuleGreeter(offered),
            rewriter=self.rewriter,
            probe=self.probe,
            answers=self.memory,
            router=self.router,
            reworder=self.reworder,
            codes=self.codes,
        )
        context = Context(agents=agents)
        question = more.pop("question", Question.plain(text))
        request = Request(
            question=question, workspace_id=WORKSPACE, thread=self.thread, mode=mode, **more
        )
        self.state = await run(CHAT.bound(context), CHAT.start(request))
        return conclude(self.state, "run-2", context)

    async def answer(self, text: str, **more: Any) -> Answered:
        """What is said at once."""
        ended = await self.say(text, **more)
        assert isinstance(ended, Conclusion)
        assert isinstance(ended.outcome, Answered)
        return ended.outcome

    async def onward(self, text: str, **more: Any) -> Request:
        """What is asked of the graph that answers."""
        ended = await self.say(text, **more)
        assert isinstance(ended, Onward)
        return ended.request


def trace(talk: Talk, node: str) -> dict[str, Any]:
    """The entry of that node."""
    assert talk.state is not None
    return next(entry for entry in talk.state["trace"] if entry["node"] == node)


def far() -> ScriptedResearcher:
    """A search that finds something between near and far."""
    return ScriptedResearcher(results=[[chunk(3, score=0.45)]])
