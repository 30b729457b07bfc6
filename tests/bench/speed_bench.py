"""Speed, as ratios within one run: what MASIS adds to the work that nobody can spare it.

Run it with `python -m tests.bench.speed_bench` (about four minutes of two busy cores). The
handbook beside the checkout is measured too where it is there: an even part of its files, all of
them with `--whole`.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, Literal

from tokenizers import BertWordPieceTokenizer

from bot.compose import App, compose
from bot.evaluation.evaluation import Question
from bot.evaluation.evaluation import load as load_questions
from bot.settings import load
from masis import domain
from masis.assistant import Assistant, Finished
from masis.documents.chunking import chunk_document
from masis.documents.ingestion import Source
from masis.documents.parsing.recognition.read_document import read_document
from masis.domain import (
    Answered,
    CitationAudit,
    Critique,
    EmbeddingProfile,
    EvidenceChunk,
    SearchResult,
    Workspace,
    WorkspaceId,
    workspace_id,
)
from masis.filters import NO_FILTERS, Filters
from masis.graphs.common import BoundGraph, Context
from masis.graphs.research.agents import (
    Audit,
    Critic,
    Draft,
    Evaluator,
    Judgement,
    ResearchAgents,
    Researcher,
    Summaries,
    Synthesizer,
)
from masis.graphs.research.graph import RESEARCH, build
from masis.graphs.research.state import MASISInput
from masis.policy import COVERAGE_GATE, FIRST_PASS_LIMIT, RELEVANCE_THRESHOLD
from masis.ports import Embedder, Vectors
from masis.retrieval.evidence import gate, nearest_floor
from masis.runs import run as run_graph
from tests.openai_server import KEY, Asked, OpenAIServer
from tests.scripted_agents import Cast, ScriptedResearcher, ScriptedSynthesizer

ROOT: Final = Path(__file__).parents[2]
SAMPLE: Final = ROOT / "bot" / "playground" / "sample"
VOCABULARY: Final = ROOT / "masis" / "adapters" / "data" / "bert_vocab.txt"
HANDBOOK: Final = ROOT.parent / "shared" / "data" / "demo-workspace"

EVERY: Final = 8
"""Of the handbook's files, so that a run stays in minutes."""
ASKED: Final = 40
"""Questions of each collection, at most, that the offline agents are asked."""
RUNS: Final = 100
EMBED_BATCH: Final = 64
"""What the ingestion gives the embedder at once."""

PHASES: Final = {
    "parse": "parsing (in its child process)",
    "chunk": "chunking",
    "write": "durable writes",
}

EMBEDDER_SHARE: Final = 0.90
OVERHEAD_MS: Final = 15.0
CALLS: Final = 3
PROMPT_TOKENS: Final = 4_000
ASK_RATIO: Final = 1.5
OTHERS: Final = "PaperQA2: 11 calls, 11,558 prompt tokens"
HEAVY: Final = ("langgraph", "qdrant_client", "qdrant_edge", "openai", "onnxruntime", "sqlalchemy")


# --- measuring -----------------------------------------------------------------------------


@dataclass(slots=True)
class Stopwatch:
    """Adds up the time in which at least one of the watched calls was under way."""

    seconds: float = 0.0
    _open: int = 0
    _since: float = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the block; blocks that overlap count once."""
        if self._open == 0:
            self._since = time.perf_counter()
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1
            if self._open == 0:
                self.seconds += time.perf_counter() - self._since


class TimedEmbedder:
    """An embedder under the watch. It is an `Embedder` itself."""

    def __init__(self, embedder: Embedder, watch: Stopwatch) -> None:
        self._embedder = embedder
        self._watch = watch

    @property
    def profile(self) -> EmbeddingProfile:
        return self._embedder.profile

    async def embed(
        self, texts: Sequence[str], kind: Literal["document", "query"] = "document"
    ) -> Vectors:
        with self._watch.running():
            return await self._embedder.embed(texts, kind)


@dataclass(slots=True)
class TimedResearcher:
    """A researcher under the watch. `stored` adds up what store and database took of it."""

    researcher: Researcher
    watch: Stopwatch
    stored: float = 0.0

    async def search(
        self,
        workspace_id: WorkspaceId,
        query: str,
        *,
        limit: int,
        question: str | None = None,
        filters: Filters = NO_FILTERS,
    ) -> SearchResult:
        with self.watch.running():
            result = await self.researcher.search(
                workspace_id, query, limit=limit, question=question, filters=filters
            )
        self.stored += result.timings.get("search", 0.0) / 1000
        return result


@dataclass(frozen=True, slots=True)
class TimedSynthesizer:
    """A synthesizer under the watch."""

    synthesizer: Synthesizer
    watch: Stopwatch

    @property
    def max_context_chars(self) -> int | None:
        return self.synthesizer.max_context_chars

    async def draft(
        self,
        question: domain.Question,
        evidence: Sequence[EvidenceChunk],
        critique: Critique | None,
    ) -> Draft:
        with self.watch.running():
            return await self.synthesizer.draft(question, evidence, critique)

    async def summarise(
        self, question: domain.Question, chunks: Sequence[EvidenceChunk]
    ) -> Summaries:
        with self.watch.running():
            return await self.synthesizer.summarise(question, chunks)


@dataclass(frozen=True, slots=True)
class TimedCritic:
    """A critic under the watch."""

    critic: Critic
    watch: Stopwatch

    async def audit(
        self,
        question: domain.Question,
        draft: str,
        evidence: Sequence[EvidenceChunk],
        passed_over: Sequence[EvidenceChunk],
    ) -> Audit:
        with self.watch.running():
            return await self.critic.audit(question, draft, evidence, passed_over)


@dataclass(frozen=True, slots=True)
class TimedEvaluator:
    """An evaluator under the watch."""

    evaluator: Evaluator
    watch: Stopwatch

    async def score(
        self,
        question: domain.Question,
        answer: str,
        evidence: Sequence[EvidenceChunk],
        audit: CitationAudit,
        critique: Critique,
    ) -> Judgement:
        with self.watch.running():
            return await self.evaluator.score(question, answer, evidence, audit, critique)


def told(name: str, value: float, target: str, *, reached: bool) -> None:
    """A line of the report."""
    print(f"  {name:56}{value:9,.4g}   target {target}{'' if reached else '   MISSED'}")


# --- the collections -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Collection:
    """Files, and the questions that they answer."""

    name: str
    files: list[tuple[str, bytes]]
    questions: list[Question]


def texts(files: Iterable[tuple[str, bytes]]) -> Iterator[list[str]]:
    """What the embedder is given of each document, in batches as the ingestion makes them."""
    for name, content in files:
        chunks = chunk_document(
            read_document(name, content),
            workspace_id=workspace_id("w"),
            document_id="d",
            version_id="v",
        )
        found = [chunk.indexed_text for chunk in chunks]
        yield from (found[at : at + EMBED_BATCH] for at in range(0, len(found), EMBED_BATCH))


def collections(*, whole: bool) -> Iterator[Collection]:
    """The sample, and the handbook where it is."""
    yield _collection("sample", SAMPLE, 1)
    if HANDBOOK.is_dir():
        yield _collection("handbook", HANDBOOK, 1 if whole else EVERY)
    else:
        print("the handbook is skipped: the development data is not beside the checkout")


def _collection(name: str, root: Path, every: int) -> Collection:
    docs = root / "docs"
    paths = sorted(path for path in docs.rglob("*") if path.is_file())[::every]
    files = [(path.relative_to(docs).as_posix(), path.read_bytes()) for path in paths]
    text = (root / "questions.jsonl").read_text(encoding="utf-8")
    questions = [each for each in load_questions(text, name) if each.answerable]
    return Collection(name, files, questions)


@dataclass(frozen=True, slots=True)
class Bench:
    """The application as the command line composes it, with a watch on its embedder."""

    app: App
    embedding: Stopwatch


@asynccontextmanager
async def opened(folder: Path, **settings: object) -> AsyncIterator[Bench]:
    """The application on a folder of its own, whatever the environment says of agents."""
    chosen = {"agents": "offline", **settings}
    async with compose(load(folder / "no.env", data_dir=folder, **chosen)) as app:
        assert app.embedder is not None
        embedding = Stopwatch()
        app.embedder = TimedEmbedder(app.embedder, embedding)
        yield Bench(app, embedding)


# --- ingestion -----------------------------------------------------------------------------


@dataclass(slots=True)
class Spent:
    """Seconds on the clock and of this process's processors, parsing children left out."""

    wall: float = 0.0
    processor: float = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the block."""
        wall, processor = time.perf_counter(), time.process_time()
        yield
        self.wall += time.perf_counter() - wall
        self.processor += time.process_time() - processor


async def ingestion(bench: Bench, collection: Collection) -> Workspace:
    """Put the collection in, against the embedder alone on the same texts.

    Half of them it embeds before and half after, so that other work weighs on both alike.
    """
    app, embedder = bench.app, bench.app.embedder
    assert embedder is not None
    await embedder.embed(["The model is loaded with its first text."])
    workspace = await app.repository.create_workspace(app.owner, collection.name)
    sources = [Source(name, partial(bytes, content)) for name, content in collection.files]
    batches = list(texts(collection.files))
    alone, whole, phases = Spent(), Spent(), Counter[str]()
    await _embedded(embedder, batches[::2], alone)
    busy = -bench.embedding.seconds
    with whole.running():
        async for result in app.ingest.ingest_many(workspace, sources):
            phases.update(dict(result.seconds))
    busy += bench.embedding.seconds
    await _embedded(embedder, batches[1::2], alone)
    filled = await app.workspace(collection.name)
    print(f"\nIngestion of {collection.name}: {filled.documents} files, {filled.chunks} chunks")
    share = alone.wall / whole.wall
    told(
        "embedder alone / whole ingestion, by the clock",
        share,
        "at least 0.90",
        reached=share >= EMBEDDER_SHARE,
    )
    print(f"  the same by processor time: {alone.processor / whole.processor:.2f}")
    print(f"  the embedder was at work in {busy / whole.wall:.1%} of the whole")
    for phase, name in PHASES.items():
        print(f"  {name}: {phases[phase] / whole.wall:.1%} of the whole, beside the embedder")
    print(f"  {filled.chunks / whole.wall:.1f} chunks a second")
    return filled


async def _embedded(embedder: Embedder, batches: Iterable[list[str]], alone: Spent) -> None:
    with alone.running():
        for batch in batches:
            await embedder.embed(batch)


# --- a run, without its agents --------------------------------------------------------------


@dataclass(slots=True)
class Run:
    """Seconds of one question: the whole, its agents, its embedding, its search in the store."""

    whole: float
    agents: float
    embedding: float
    store: float
    passes: int


async def offline_runs(
    bench: Bench, workspace: Workspace, questions: Sequence[Question]
) -> list[Run]:
    """Each question once: model and stores are warm, the question is new."""
    agents, inner = Stopwatch(), bench.app.context.agents
    researcher = TimedResearcher(inner.researcher, agents)
    watched = ResearchAgents(
        researcher=researcher,
        synthesizer=TimedSynthesizer(inner.synthesizer, agents),
        critic=TimedCritic(inner.critic, agents),
        evaluator=TimedEvaluator(inner.evaluator, agents),
        extractive=True,
    )
    context = Context(agents=watched, policy=bench.app.policy)
    graphs = {RESEARCH.name: RESEARCH.bound(context)}
    assistant = Assistant(repository=bench.app.repository, graphs=graphs)
    runs = []
    for question in questions:
        before = agents.seconds, bench.embedding.seconds, researcher.stored
        begun = time.perf_counter()
        finished = await assistant.ask(workspace, question.question)
        runs.append(
            Run(
                time.perf_counter() - begun,
                agents.seconds - before[0],
                bench.embedding.seconds - before[1],
                researcher.stored - before[2],
                finished.trace[-1]["pass"],
            )
        )
    return runs


def asking(name: str, runs: Sequence[Run]) -> None:
    """Print what the offline runs cost beside what cannot be spared."""
    print(f"\nOffline answers from {name}: {len(runs)} new questions, all parts warm")
    ratio = statistics.median(run.whole / (run.embedding + run.store) for run in runs)
    told("whole / (embedding + search in the store)", ratio, "under 1.5", reached=ratio < ASK_RATIO)
    print(f"  {statistics.median(run.whole for run in runs) * 1000:.0f} ms a question")
    once = [(run.whole - run.agents) * 1000 for run in runs if run.passes == 1]
    rest = statistics.median(once)
    told("all but the agents in a pass, ms", rest, "at most 15", reached=rest <= OVERHEAD_MS)
    print(f"  ({len(once)} of them took one pass)")


async def overhead(bench: Bench, workspace: Workspace, questions: Sequence[Question]) -> None:
    """Whole runs with agents that take no time, over real evidence and real drafts."""
    app = bench.app
    casts = [await _replayed(app, workspace, question) for question in questions]
    graph, stored, processor = [], [], []
    for at in range(RUNS):
        question, cast = casts[at % len(casts)]
        bound = BoundGraph(RESEARCH, _graph(), cast.context())
        state = MASISInput(user_query=question, workspace_id=workspace.id).to_state()
        spent = Spent()
        with spent.running():
            await run_graph(bound, state)
        graph.append(spent.wall * 1000)
        processor.append(spent.processor * 1000)
        assistant = Assistant(repository=app.repository, graphs={RESEARCH.name: bound})
        begun = time.perf_counter()
        await assistant.ask(workspace, question)
        stored.append((time.perf_counter() - begun) * 1000)
    print(f"\nA run whose agents take no time: {RUNS} runs, medians")
    median = statistics.median(stored)
    told(
        "the whole run, its audit trail stored, ms",
        median,
        "at most 15",
        reached=median <= OVERHEAD_MS,
    )
    print(f"  without the storing {statistics.median(graph):.1f} ms", end="")
    print(f", of that processor time {statistics.median(processor):.1f} ms")


_graph = lru_cache(maxsize=1)(build)


async def _replayed(app: App, workspace: Workspace, question: Question) -> tuple[str, Cast]:
    """A cast that gives the evidence and the draft that the real agents gave."""
    found = await app.retrieval.search(workspace.id, question.question, limit=FIRST_PASS_LIMIT)
    floor = nearest_floor(found.candidates)
    kept, _ = gate(found.candidates, RELEVANCE_THRESHOLD, COVERAGE_GATE, floor)
    evidence = kept or found.candidates
    draft = await app.context.agents.synthesizer.draft(
        domain.Question.plain(question.question), evidence, None
    )
    candidates = [chunk.model_copy(update={"score": 0.9}) for chunk in evidence]
    writer = ScriptedSynthesizer([draft.text], max_context_chars=None)
    cast = Cast(researcher=ScriptedResearcher([candidates]), synthesizer=writer)
    return question.question, cast


# --- with a model service ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prompted:
    """What the service was asked in one run."""

    asked: list[Asked]
    finished: Finished

    @property
    def is_happy(self) -> bool:
        """Whether the first pass was answered."""
        return isinstance(self.finished.outcome, Answered) and len(self.finished.trace) <= HAPPY

    @property
    def tokens(self) -> int:
        """Prompt tokens as the service counts them."""
        return int(self.finished.figures["prompt_tokens"])

    @property
    def pieces(self) -> Counter[str]:
        """BERT's word pieces by role, forms of the replies included: more than GPT-4o's tokens."""
        return Counter({role: sum(map(_pieces, asked)) for role, asked in self.by_role().items()})

    def by_role(self) -> dict[str, list[Asked]]:
        """Who was asked what; `summariser` is the writer when it shortens evidence."""
        found: dict[str, list[Asked]] = {}
        for asked in self.asked:
            name = "summariser" if asked.schema == "SummariesReply" else asked.role
            found.setdefault(name, []).append(asked)
        return found


HAPPY: Final = 5
"""Trace entries of a run of one pass: four agents, and the supervisor's word."""


def _pieces(asked: Asked) -> int:
    form = asked.body.get("response_format")
    said = [message["content"] for message in asked.messages]
    said += [json.dumps(form["json_schema"]["schema"])] if form else []
    return sum(len(_tokenizer().encode(text).ids) for text in said)


@lru_cache(maxsize=1)
def _tokenizer() -> BertWordPieceTokenizer:
    return BertWordPieceTokenizer(str(VOCABULARY), lowercase=True)


async def prompting(folder: Path, workspace: str, questions: Sequence[Question]) -> None:
    """The answerable questions through the real client, and what each run asked of the service."""
    runs = []
    async with OpenAIServer() as server:
        service = {"agents": "model", "model_base_url": server.url, "model_api_key": KEY}
        async with opened(folder, **service, model_calls_per_minute=100_000) as bench:
            place = await bench.app.workspace(workspace)
            for question in questions:
                server.asked.clear()
                finished = await bench.app.assistant.ask(place, question.question)
                runs.append(Prompted(list(server.asked), finished))
    _report_prompts(runs)


def _report_prompts(runs: Sequence[Prompted]) -> None:
    happy = [run for run in runs if run.is_happy]
    calls = Counter(len(run.asked) for run in happy)
    print(f"\nA model service, {len(runs)} questions: {len(happy)} answered in one pass")
    median = statistics.median(calls.elements())
    told("model calls, median", median, "3 at most", reached=median <= CALLS)
    print(f"  runs by calls: {dict(sorted(calls.items()))} (a fourth one shortens long evidence)")
    for name, counts in {
        "the service's count": [run.tokens for run in happy],
        "BERT's word pieces": [run.pieces.total() for run in happy],
    }.items():
        middle = statistics.median(counts)
        told(
            f"prompt tokens, {name}, median", middle, "under 4,000", reached=middle < PROMPT_TOKENS
        )
        below = sum(count < PROMPT_TOKENS for count in counts) / len(counts)
        print(f"  most {max(counts):,}; under {PROMPT_TOKENS:,} in {below:.0%} of the runs")
    mean = sum((run.pieces for run in happy), Counter[str]())
    print("  by role:", ", ".join(f"{role} {n / mean.total():.0%}" for role, n in mean.items()))
    print(f"  measured of another system: {OTHERS}")


# --- imports -------------------------------------------------------------------------------


def importing(module: str) -> None:
    """What the import of one module loads, in a fresh interpreter."""
    code = (
        "import sys, time; begun = time.perf_counter();"
        f"import {module}; took = time.perf_counter() - begun;"
        f"print(took, *sorted(set({HEAVY!r}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own interpreter and words
    took, *loaded = done.stdout.split()
    print(f"\nimport {module}: {float(took) * 1000:.0f} ms, of {', '.join(HEAVY)}", end=" ")
    print(f"it loads {', '.join(loaded) or 'none'}")


async def main(*, whole: bool) -> None:
    """Measure everything, the sample first."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        found = list(collections(whole=whole))
        async with opened(folder) as bench:
            for collection in found:
                workspace = await ingestion(bench, collection)
                runs = await offline_runs(bench, workspace, collection.questions[:ASKED])
                asking(collection.name, runs)
            sample = await bench.app.workspace(found[0].name)
            await overhead(bench, sample, found[0].questions[:ASKED])
        await prompting(folder, found[0].name, found[0].questions)
    importing("masis.answering.citations")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whole", action="store_true", help="all files of the handbook")
    asyncio.run(main(whole=parser.parse_args().whole))
