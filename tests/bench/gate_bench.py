"""What the relevance gate stops and what it loses, as its threshold moves.

Run it with `python -m tests.bench.gate_bench`. A question is stopped when nothing is kept for it. An
answerable one is lost when the search brought a passage that answers and none such is kept. The
gate is the product's, whole: relevance, words (`COVERAGE_GATE`) and distance (`RELATIVE_GATE`).
"""

import argparse
import asyncio
import math
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from masis.domain import EvidenceChunk
from masis.policy import COVERAGE_GATE, FIRST_PASS_LIMIT, RELEVANCE_THRESHOLD
from masis.retrieval.evidence import gate, nearest_floor
from tests.bench.corpora import SHARED, Asked, Collection, collections
from tests.bench.drawing import Curve, trade_off
from tests.bench.workbench import Workbench, workbench

ENCYCLOPEDIA: Final = "clapnq"
OWN_DOCUMENTS: Final = ("sample", "demo-workspace")
OFF_TOPIC: Final = 40
"""Questions of each other collection that are put to one, evenly picked."""
THRESHOLDS: Final = np.round(np.arange(0.0, 1.0001, 0.01), 2)
SHOWN: Final = (0.0, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9)
PICTURE: Final = Path(__file__).parent / "gate_tradeoff.png"


@dataclass(frozen=True, slots=True)
class Found:
    """The candidates of one question, and the ids among them that answer it."""

    candidates: list[EvidenceChunk]
    right: frozenset[str] = frozenset()

    def is_stopped(self, threshold: float) -> bool:
        """Whether nothing is kept."""
        return not self._kept(threshold)

    def is_lost(self, threshold: float) -> bool:
        """Whether nothing that answers is kept."""
        return self.right.isdisjoint(chunk.chunk_id for chunk in self._kept(threshold))

    def _kept(self, threshold: float) -> list[EvidenceChunk]:
        floor = nearest_floor(self.candidates)
        return gate(self.candidates, threshold, COVERAGE_GATE, floor)[0]

    def left_behind(self) -> list[EvidenceChunk]:
        """What the distance to the nearest alone drops, at the threshold in use."""
        near = {chunk.chunk_id for chunk in self._kept(RELEVANCE_THRESHOLD)}
        return [chunk for chunk in self.relevant() if chunk.chunk_id not in near]

    def relevant(self) -> list[EvidenceChunk]:
        """What is kept by relevance and words, however far behind the nearest."""
        return gate(self.candidates, RELEVANCE_THRESHOLD, COVERAGE_GATE)[0]


@dataclass(frozen=True, slots=True)
class Kind:
    """Answerable questions and those to be stopped, and at each threshold the two shares."""

    name: str
    good: Sequence[Found]
    bad: Sequence[Found]

    def lost(self, threshold: float) -> float:
        return statistics.fmean(found.is_lost(threshold) for found in self.good)

    def stopped(self, threshold: float) -> float:
        return statistics.fmean(found.is_stopped(threshold) for found in self.bad)


async def kinds(bench: Workbench) -> list[Kind]:
    """Near-misses of an encyclopedia, questions that a company's papers leave open, and strangers."""
    read = collections()
    good: dict[str, list[Found]] = {}
    bad: dict[str, list[Found]] = {}
    foreign: list[Found] = []
    for collection in read:
        if collection.name not in {ENCYCLOPEDIA, *OWN_DOCUMENTS}:
            continue
        search = await _searching(bench, collection)
        found = [await search(item) for item in collection.questions]
        good[collection.name] = [one for one in found if one.right]
        bad[collection.name] = [await search(item) for item in collection.strangers]
        others = [other for other in read if other is not collection]
        foreign += [await search(item) for other in others for item in _some(other.questions)]
    own = [_together(sets, OWN_DOCUMENTS) for sets in (good, bad)]
    return [
        Kind("near-misses (CLAPNQ)", good[ENCYCLOPEDIA], bad[ENCYCLOPEDIA]),
        Kind("left open by own documents (sample, handbook)", *own),
        Kind("about something else", _together(good, good), foreign),
    ]


async def _searching(
    bench: Workbench, collection: Collection
) -> Callable[[Asked], Awaitable[Found]]:
    """The product's search of a collection, as far as the gate sees it."""
    workspace, indexed = await bench.fill(collection.name, [collection])
    retrieval = bench.retrieval()

    async def search(item: Asked) -> Found:
        result = await retrieval.search(workspace.id, item.text, limit=FIRST_PASS_LIMIT)
        units = indexed.units(collection, item)
        seen = {chunk.chunk_id for chunk in result.candidates}
        return Found(result.candidates, frozenset(seen & set().union(*units)))

    return search


def _some(questions: Sequence[Asked]) -> Sequence[Asked]:
    return questions[:: max(1, math.ceil(len(questions) / OFF_TOPIC))]


def _together(by_collection: Mapping[str, list[Found]], names: Iterable[str]) -> list[Found]:
    return [found for name in names for found in by_collection[name]]


def table(found: Sequence[Kind]) -> str:
    """Markdown: a row for each threshold, the shares lost and stopped of each kind."""
    heads = [f"{kind.name}: lost of {len(kind.good)}, stopped of {len(kind.bad)}" for kind in found]
    lines = [f"| relevance | {' | '.join(heads)} |", f"|---|{'---|' * len(found)}"]
    for threshold in SHOWN:
        cells = [f"{kind.lost(threshold):.1%}, {kind.stopped(threshold):.1%}" for kind in found]
        mark = "**" if threshold == RELEVANCE_THRESHOLD else ""
        lines.append(f"| {mark}{threshold:.2f}{mark} | {' | '.join(cells)} |")
    return "\n".join(lines)


def distance_table(found: Sequence[Kind]) -> str:
    """Markdown: of the answerable questions of each kind what distance drops, and what of it answers."""
    lines = [
        "| | passages kept without it | dropped by it | of those that answer |",
        "|---|---|---|---|",
    ]
    for kind in found:
        kept = sum(len(one.relevant()) for one in kind.good)
        answering = sum(c.chunk_id in one.right for one in kind.good for c in one.relevant())
        dropped = [(one, chunk) for one in kind.good for chunk in one.left_behind()]
        lost = sum(chunk.chunk_id in one.right for one, chunk in dropped)
        share = f"{len(dropped)}, {len(dropped) / max(1, kept):.1%}"
        lines.append(f"| {kind.name} | {kept} | {share} | {lost} of {answering} |")
    return "\n".join(lines)


def draw(found: Sequence[Kind], path: Path) -> None:
    """All kinds in one picture."""
    curves = [
        Curve(
            label=kind.name,
            passed=[1 - kind.lost(threshold) for threshold in THRESHOLDS],
            stopped=[kind.stopped(threshold) for threshold in THRESHOLDS],
            chosen=int(np.argmin(abs(THRESHOLDS - RELEVANCE_THRESHOLD))),
        )
        for kind in found
    ]
    trade_off(
        curves,
        path,
        title="The relevance gate alone",
        axes=("answerable questions whose passage is kept", "unanswerable questions stopped"),
        dot=f"relevance {RELEVANCE_THRESHOLD:.2f} (used)",
    )


async def main(folder: Path, vectors: Path | None) -> None:
    """Search in this folder, print the table and save the picture."""
    async with workbench(folder, vectors) as bench:
        found = await kinds(bench)
    print(table(found))
    print(f"\nWhat the distance to the nearest drops\n\n{distance_table(found)}")
    draw(found, PICTURE)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vectors", type=Path, help="a file that vectors are kept in")
    options = parser.parse_args()
    if not SHARED.is_dir():
        sys.exit(f"{SHARED} is missing: the development data stands beside the checkout")
    with tempfile.TemporaryDirectory() as temporary:
        asyncio.run(main(Path(temporary), options.vectors))
