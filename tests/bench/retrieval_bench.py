"""Recall@5 and nDCG@10 of each way to search, over four collections alone and in one store.

Run it with `python -m tests.bench.retrieval_bench`, or with `make peers` beside the hybrid search of
two public libraries, which get the same chunks and vectors. `--vectors FILE` keeps the vectors for
the next run. The exit code is 1 when the data is not beside the checkout, or when the product's
search is not above its parts.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from masis.domain import WorkspaceId
from tests.bench.corpora import SHARED, Collection, Indexed, collections
from tests.bench.ranking import Judged, judged, lead, means, table, worst
from tests.bench.workbench import RANKED, Workbench, workbench

USED: Final = "MASIS"
PARTS: Final = ("BM25", "dense")
PEER_SECONDS: Final = 3600.0
_PEER_SCRIPT: Final = Path(__file__).parent / "peers" / "rank.py"

Figures = dict[str, dict[str, list[Judged]]]
"""By way to search and collection: every question."""


@dataclass(frozen=True, slots=True)
class Place:
    """A filled workspace, and the collections whose questions are put to it."""

    workspace: WorkspaceId
    indexed: Indexed
    collections: Sequence[Collection]

    @property
    def asked(self) -> list[str]:
        """Every question, once."""
        items = [item for collection in self.collections for item in collection.questions]
        return list(dict.fromkeys(item.text for item in items))

    def judged(self, collection: Collection, found: Mapping[str, Sequence[str]]) -> list[Judged]:
        """The questions of one collection, by the chunks found for each text."""
        return [
            judged(item.id, self.indexed.ranked(collection, found[item.text]), units)
            for item in collection.questions
            for units in [self.indexed.units(collection, item)]
            if units
        ]


async def measured(bench: Workbench, place: Place, peers: Path | None) -> Figures:
    """All ways to search in one workspace, the product's last."""
    ranked: dict[str, Mapping[str, Sequence[str]]] = {}
    if peers is not None:
        ranked = await _by_peers(bench, place, peers)
    for way, search in bench.searchers(place.workspace).items():
        ranked[way] = {text: await search(text) for text in place.asked}
    return {
        way: {collection.name: place.judged(collection, found) for collection in place.collections}
        for way, found in ranked.items()
    }


async def _by_peers(
    bench: Workbench, place: Place, python: Path
) -> dict[str, Mapping[str, Sequence[str]]]:
    """The libraries of another environment, on these chunks and vectors."""
    texts = {key: chunk.indexed_text for key, chunk in place.indexed.chunks.items()}
    vectors = await bench.embedder.embed(list(texts.values()))
    asked = await bench.embedder.embed(place.asked, "query")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        job = {"texts": texts, "questions": place.asked, "limit": RANKED}
        (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
        np.savez(folder / "vectors.npz", chunks=vectors, questions=asked)
        command = [str(python), str(_PEER_SCRIPT), str(folder)]
        # Nobody is told what is measured here.
        silent = os.environ | {"HAYSTACK_TELEMETRY_ENABLED": "False"}
        await asyncio.to_thread(
            subprocess.run, command, check=True, timeout=PEER_SECONDS, env=silent
        )
        ranked: dict[str, Any] = json.loads((folder / "ranked.json").read_text(encoding="utf-8"))
    return {
        _versioned(name, result["versions"]): result["found"] for name, result in ranked.items()
    }


def _versioned(name: str, versions: Mapping[str, str]) -> str:
    """The library with the version of its main package."""
    return f"{name} {next(iter(versions.values()))}"


def show(title: str, place: Place, figures: Figures) -> None:
    """The table, and what the product is ahead of the others by."""
    print(f"\n{title}: {len(place.indexed.chunks)} chunks; recall@5 / nDCG@10\n")
    print(table(figures))
    others = [way for way in figures if way != USED and not way.startswith("MASIS")]
    for collection in place.collections:
        used = figures[USED][collection.name]
        gaps = [
            f"{gap:+.3f} (±{error:.3f}) over {way}"
            for way in others
            for gap, error in [lead(used, figures[way][collection.name])]
        ]
        print(f"{collection.name}, {len(used)} questions: {'; '.join(gaps)}")


def show_worst(place: Place, figures: Figures) -> None:
    """The five worst questions of the product in each collection."""
    for collection in place.collections:
        asked = {item.id: item for item in collection.questions}
        for result in worst(figures[USED][collection.name]):
            item = asked[result.question]
            wanted = ", ".join(sorted({gold.document for gold in item.gold}))
            print(f"{collection.name} {item.id} {result.gain:.2f}: {item.text} [{wanted}]")


def beats_its_parts(figures: Figures) -> bool:
    """Whether the product's mean nDCG over the collections is above that of both its parts."""
    gains = {
        way: sum(means(results)[1] for results in by_collection.values())
        for way, by_collection in figures.items()
    }
    return all(gains[USED] > gains[part] for part in PARTS)


async def main(folder: Path, options: argparse.Namespace) -> bool:
    """Measure in this folder; whether the search in use beats its parts, alone and in the pool."""
    chosen = [one for one in collections() if one.name in options.sets or not options.sets]
    alone: Figures = {}
    async with workbench(folder, options.vectors) as bench:
        for collection in chosen:
            place = await _filled(bench, collection.name, [collection])
            figures = await measured(bench, place, options.peers)
            show(collection.name, place, figures)
            show_worst(place, figures)
            for way, results in figures.items():
                alone.setdefault(way, {}).update(results)
        pool = await _filled(bench, "pool", chosen)
        together = await measured(bench, pool, options.peers)
    print(f"\neach alone; recall@5 / nDCG@10\n\n{table(alone)}")
    show("all in one store", pool, together)
    return beats_its_parts(alone) and beats_its_parts(together)


async def _filled(bench: Workbench, name: str, chosen: Sequence[Collection]) -> Place:
    workspace, indexed = await bench.fill(name, chosen)
    return Place(workspace.id, indexed, chosen)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="*", default=[], help="names of collections; all if none")
    parser.add_argument("--vectors", type=Path, help="a file that vectors are kept in")
    parser.add_argument("--peers", type=Path, help="the Python of the libraries' environment")
    return parser.parse_args()


if __name__ == "__main__":
    if not SHARED.is_dir():
        sys.exit(f"{SHARED} is missing: the development data stands beside the checkout")
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(0 if asyncio.run(main(Path(temporary), _options())) else 1)
