"""Make anew what the multilingual embedder takes off its vectors.

Run it with `python -m tests.bench.e5_common`, with `--check` to see how far from it fewer texts
would be, and with `--steps` to see what each of the two steps gains. Another result is another profile: every workspace of that embedder has to be ingested
again. The texts are seven passages and questions in each of eight languages, each about something
else, so that neither a language nor a subject is taken for what all texts have in common. Their
translations say where English lies: between a text and its translation only the language differs.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from masis.adapters import multilingual_e5
from masis.documents.chunking import chunk_document
from masis.domain import Chunk, WorkspaceId
from tests.bench.corpora import sample
from tests.bench.languages_bench import languages

TEXTS: Final = Path(__file__).parent / "languages" / "centre.jsonl"
FIELDS: Final[dict[multilingual_e5.Kind, str]] = {"document": "passage", "query": "question"}
DECIMALS: Final = 5
"""Of a component; its mean size is 0.04."""

EVERY: Final = 3
"""Of the sample's chunks, every third stands among the passages of `--steps`."""

Row = dict[str, str]
"""`language`, `passage`, `question`, and but for English both `..._in_english`."""


def texts() -> list[Row]:
    """All of them, by language."""
    return [json.loads(line) for line in TEXTS.read_text(encoding="utf-8").splitlines()]


class Raw:
    """The vectors as the model gives them; each text is embedded once."""

    def __init__(self) -> None:
        path = multilingual_e5._installed("e5-small-q4.bin")
        self._model = multilingual_e5._Model(path, threads=1)
        self._known: dict[tuple[str, str], NDArray[np.float32]] = {}

    def of(self, given: Sequence[str], kind: multilingual_e5.Kind) -> NDArray[np.float32]:
        """A row a text."""
        for text in given:
            if (kind, text) not in self._known:
                self._known[kind, text] = self._model.run([text], kind)[0]
        return np.stack([self._known[kind, text] for text in given])

    def mean(self, given: Sequence[str], kind: multilingual_e5.Kind) -> NDArray[np.float32]:
        """Of these texts."""
        mean: NDArray[np.float32] = self.of(given, kind).mean(axis=0)
        return mean


def common(rows: list[Row], raw: Raw) -> dict[str, NDArray[np.float32]]:
    """The mean of each kind, and the direction from the other languages to English."""
    found, apart = {}, []
    for kind, field in FIELDS.items():
        found[str(kind)] = raw.mean([row[field] for row in rows], kind)
        pairs = [row for row in rows if f"{field}_in_english" in row]
        there = raw.mean([row[f"{field}_in_english"] for row in pairs], kind)
        apart.append(_unit(there - raw.mean([row[field] for row in pairs], kind)))
    return found | {"english": _unit(np.sum(apart, axis=0))}


def first(rows: list[Row], each: int) -> list[Row]:
    """The first `each` of every language."""
    seen: Counter[str] = Counter()
    kept = []
    for row in rows:
        seen[row["language"]] += 1
        if seen[row["language"]] <= each:
            kept.append(row)
    return kept


def steps(raw: Raw) -> None:
    """Print a table: the passages of six languages among the sample's, by their vectors alone."""
    spoken, own, english = languages()
    among = [block.text for one in spoken.documents.values() for block in one.blocks]
    among += [chunk.indexed_text for chunk in _sample_chunks()[::EVERY]]
    given = multilingual_e5.COMMON
    means = {kind: np.array(given[kind], dtype=np.float32) for kind in FIELDS}
    nothing = np.zeros(multilingual_e5.DIMENSION, dtype=np.float32)
    direction = np.array(given["english"], dtype=np.float32)
    for name, mean, off in (
        ("as the model gives them", dict.fromkeys(FIELDS, nothing), nothing),
        ("without the mean", means, nothing),
        ("and without the direction", means, direction),
    ):
        passages = _rows(raw.of(among, "document") - mean["document"], off)
        cells = []
        for asked in (own, english):
            questions = _rows(raw.of([one.text for one in asked], "query") - mean["query"], off)
            cells.append(_told(questions @ passages.T))
        print(f"| {name} | {' | '.join(cells)} |")


def _sample_chunks() -> list[Chunk]:
    return [
        chunk
        for name, parsed in sample().documents.items()
        for chunk in chunk_document(
            parsed, workspace_id=WorkspaceId("w"), document_id=name, version_id="1"
        )
    ]


def _rows(vectors: NDArray[np.float32], off: NDArray[np.float32]) -> NDArray[np.float32]:
    rest = vectors - (vectors @ off)[:, None] * off
    rows: NDArray[np.float32] = rest / np.linalg.norm(rest, axis=1, keepdims=True)
    return rows


def _told(cosines: NDArray[np.float32]) -> str:
    """The n-th row's passage is the n-th: how often it comes first, and how near the others are."""
    own = cosines.diagonal()
    first = int((cosines.argmax(axis=1) == np.arange(len(own))).sum())
    others = cosines[np.logical_not(np.eye(*cosines.shape, dtype=np.bool_))]
    return (
        f"{first} of {len(own)}, {np.median(own):.2f} to {np.median(others):.2f}"
        f" and {np.quantile(others, 0.99):.2f}"
    )


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    unit: NDArray[np.float32] = vector / np.linalg.norm(vector)
    return unit


def main(options: argparse.Namespace) -> None:
    """Write the file beside the adapter, or print how good or how steady it is."""
    rows, raw = texts(), Raw()
    if options.steps:
        steps(raw)
        return
    whole = common(rows, raw)
    if not options.check:
        lines = [
            f'"{name}": {json.dumps([round(float(value), DECIMALS) for value in vector])}'
            for name, vector in whole.items()
        ]
        multilingual_e5._COMMON.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="ascii")
        return
    for each in range(1, 7):
        kept = first(rows, each)
        some = common(kept, raw)
        told = [f"{name} {_unit(some[name]) @ _unit(whole[name]):.4f}" for name in whole]
        print(f"{len(kept)} texts: {', '.join(told)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="print and write nothing")
    parser.add_argument("--steps", action="store_true", help="print a table and write nothing")
    main(parser.parse_args())
