"""Search and gate in six languages: the bundled embedder, the multilingual one, and words alone.

Run it with `python -m tests.bench.languages_bench` (five minutes of one core). Twenty-four passages
of a company with offices in six countries stand in one workspace with the sample's English
documents. Each is asked for once in its own language and once in English, in other words than its
own; six questions have no answer. The sample's own questions show what the choice costs in English.
With `--inflected` twenty German and Dutch passages are asked for instead, in other inflections and with
their compounds taken apart or put together (a minute).
"""

import argparse
import asyncio
import json
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.evaluation import evaluation
from masis.adapters.minilm import MiniLMEmbedder
from masis.adapters.multilingual_e5 import MultilingualE5Embedder
from masis.assistant import Assistant
from masis.domain import Block, ParsedDocument, WorkspaceId
from masis.extractive.answerability import fitted
from masis.graphs.common import Context
from masis.graphs.research.agents import ResearchAgents
from masis.graphs.research.graph import RESEARCH
from masis.graphs.research.offline import (
    OfflineCritic,
    OfflineEvaluator,
    OfflineSynthesizer,
    Reader,
    WorkspaceLexicon,
)
from masis.policy import COVERAGE_GATE, FIRST_PASS_LIMIT, RELEVANCE_THRESHOLD, Policy
from masis.retrieval.evidence import gate, nearest_floor
from masis.retrieval.search import Retrieval
from masis.retrieval.sentence_vectors import SentenceVectors
from tests.bench.corpora import Asked, Collection, Gold, Indexed, sample
from tests.bench.workbench import Workbench, workbench

FOLDER: Final = Path(__file__).parent / "languages"
LANGUAGES: Final = ("de", "fr", "es", "it", "pl", "pt")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of one question: whether what answers comes first, whether it is kept, whether anything is.

    `nearness` is that of the nearest candidate.
    """

    id: str
    first: bool
    kept: bool
    stopped: bool
    nearness: float


@dataclass(frozen=True, slots=True)
class Asking:
    """A search in a filled workspace."""

    retrieval: Retrieval
    workspace: WorkspaceId
    indexed: Indexed

    async def all(self, collection: Collection, items: Sequence[Asked]) -> list[Outcome]:
        """Ask each of them."""
        return [await self.one(collection, item) for item in items]

    async def one(self, collection: Collection, item: Asked) -> Outcome:
        """Ask, and look where the answer is."""
        found = await self.retrieval.search(self.workspace, item.text, limit=FIRST_PASS_LIMIT)
        right = set().union(*self.indexed.units(collection, item))
        floor = nearest_floor(found.candidates)
        kept, _ = gate(found.candidates, RELEVANCE_THRESHOLD, COVERAGE_GATE, floor)
        return Outcome(
            item.id,
            first=bool(found.candidates) and found.candidates[0].chunk_id in right,
            kept=not right.isdisjoint(chunk.chunk_id for chunk in kept),
            stopped=not kept,
            nearness=max((chunk.nearness for chunk in found.candidates), default=0.0),
        )


def _rows(name: str) -> list[dict[str, Any]]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _paper(row: dict[str, Any]) -> tuple[str, ParsedDocument]:
    block = Block(kind="paragraph", text=row["text"])
    return row["id"], ParsedDocument(format="txt", title=row["title"], blocks=[block])


def languages() -> tuple[Collection, list[Asked], list[Asked]]:
    """The passages, and their questions in their own language and in English."""
    rows = _rows("passages.jsonl")
    documents = dict(map(_paper, rows))
    strangers = [Asked(row["language"], row["question"]) for row in _rows("unanswered.jsonl")]
    own, english = (
        [Asked(row["id"], row[field], (Gold(row["id"]),)) for row in rows]
        for field in ("question", "in_english")
    )
    return Collection("languages", documents, own, strangers), own, english


async def inflected(folder: Path) -> None:
    """Print how passages are found and quoted that have the words of a question in another form."""
    async with workbench(folder, embedder=MultilingualE5Embedder()) as bench:
        rows = _rows("inflected.jsonl")
        papers = [_paper(row) for row in [*rows, *_rows("passages.jsonl")]]
        asked = [Asked(row["id"], row["question"], (Gold(row["id"]),)) for row in rows]
        collection = Collection("inflected", dict(papers), asked, [])
        workspace, indexed = await bench.fill("inflected", [collection])
        for language in ("de", "nl"):
            mine = [each for each in asked if each.id.startswith(f"{language}/")]
            for lexical in (False, True):
                asking = Asking(bench.retrieval(lexical=lexical), workspace.id, indexed)
                found = _found(await asking.all(collection, mine))
                print(language, "words alone" if lexical else "with vectors", ", ".join(found))
            await answered(bench, workspace.id, {language: mine})


async def measured(bench: Workbench, name: str, *, lexical: bool = False) -> None:
    """Print a row of the table, and what each language has of it."""
    spoken, own, english = languages()
    handbook = sample()
    workspace, indexed = await bench.fill(name, [spoken, handbook])
    asking = Asking(bench.retrieval(lexical=lexical), workspace.id, indexed)
    theirs = await asking.all(spoken, own)
    across = await asking.all(spoken, english)
    open_ = await asking.all(spoken, spoken.strangers)
    ours = await asking.all(handbook, handbook.questions)
    left = await asking.all(handbook, handbook.strangers)
    cells = [*_found(theirs), *_found(across), _stopped(open_), *_found(ours), _stopped(left)]
    print(f"| {name} | {' | '.join(cells)} |")
    if not lexical:
        await answered(bench, workspace.id, {"own": own, "English": english, "": spoken.strangers})
    for language in LANGUAGES:
        members = [one for one in theirs if one.id.startswith(f"{language}/")]
        print(f"  {language}: first, kept {', '.join(_found(members))}")
    for kind, outcomes in (("own", theirs), ("in English", across), ("unanswered", open_)):
        near = sorted(one.nearness for one in outcomes)
        print(f"  nearness {kind}: {near[0]:.2f}, median {statistics.median(near):.2f}")


async def answered(
    bench: Workbench, workspace: WorkspaceId, asked: Mapping[str, Sequence[Asked]]
) -> None:
    """Print what whole runs of the offline agents come to."""
    reader = Reader(WorkspaceLexicon(bench.repository), SentenceVectors(bench.embedder))
    agents = ResearchAgents(
        researcher=bench.retrieval(),
        synthesizer=OfflineSynthesizer(reader),
        critic=OfflineCritic(reader, fitted(bench.embedder.profile)),
        evaluator=OfflineEvaluator(reader),
        extractive=True,
    )
    context = Context(agents=agents, policy=Policy())
    bot = Assistant(repository=bench.repository, graphs={RESEARCH.name: RESEARCH.bound(context)})
    place = await bench.repository.workspace_by_id(workspace)
    assert place is not None
    for kind, items in asked.items():
        results = await evaluation.evaluate(bot, place, [_question(item) for item in items])
        told = [one for one in results if one.answered]
        right = sum(bool(one.cites_gold) for one in told)
        print(f"  {kind or 'unanswered'}: answered {len(told)} of {len(items)}, {right} cite it")


def _question(item: Asked) -> evaluation.Question:
    return evaluation.Question(
        id=item.id,
        question=item.text,
        kind="single" if item.gold else "unanswerable",
        answerable=bool(item.gold),
        gold=[evaluation.Gold(doc=gold.document) for gold in item.gold],
    )


def _found(outcomes: Sequence[Outcome]) -> list[str]:
    whole = len(outcomes)
    return [
        f"{sum(one.first for one in outcomes)} of {whole}",
        f"{sum(one.kept for one in outcomes)} of {whole}",
    ]


def _stopped(outcomes: Sequence[Outcome]) -> str:
    return f"{sum(one.stopped for one in outcomes)} of {len(outcomes)}"


async def main(folder: Path, kept: Path | None) -> None:
    """The table, a row an embedder; vectors are kept in the folder `kept` for the next run."""
    for embedder in (MiniLMEmbedder(), MultilingualE5Embedder()):
        place = folder / embedder.profile.name
        place.mkdir()
        file = f"{place.name}-{embedder.profile.version}.npz"
        async with workbench(place, kept and kept / file, embedder=embedder) as bench:
            await measured(bench, place.name)
            if isinstance(embedder, MiniLMEmbedder):
                await measured(bench, "words alone", lexical=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vectors", type=Path, help="a folder that vectors are kept in")
    parser.add_argument("--inflected", action="store_true", help="ask in other forms of the words")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        asyncio.run(inflected(place) if options.inflected else main(place, options.vectors))
