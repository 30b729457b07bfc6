"""Make anew what the multilingual embedder takes off its vectors.

Run it with `python -m tests.bench.e5_common`, and with `--check` to see how far from it fewer texts
would be. Another result is another profile: every workspace of that embedder has to be ingested
again. The texts are seven passages and questions in each of eight languages, each about something
else, so that neither a language nor a subject is taken for what all texts have in common. Their
translations say where English lies: between a text and its translation only the language differs.
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from masis.adapters import multilingual_e5

TEXTS: Final = Path(__file__).parent / "languages" / "centre.jsonl"
FIELDS: Final[dict[multilingual_e5.Kind, str]] = {"document": "passage", "query": "question"}
DECIMALS: Final = 5
"""Of a component; its mean size is 0.04."""

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

    def mean(self, given: list[str], kind: multilingual_e5.Kind) -> NDArray[np.float32]:
        """Of these texts."""
        for text in given:
            if (kind, text) not in self._known:
                self._known[kind, text] = self._model.run([text], kind)[0]
        mean: NDArray[np.float32] = np.mean([self._known[kind, text] for text in given], axis=0)
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


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    unit: NDArray[np.float32] = vector / np.linalg.norm(vector)
    return unit


def main(*, check: bool) -> None:
    """Write the file beside the adapter, or print how steady it is."""
    rows, raw = texts(), Raw()
    whole = common(rows, raw)
    if not check:
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
    main(check=parser.parse_args().check)
