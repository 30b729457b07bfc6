"""How many arithmetic questions of TAT-QA come out right, with the right table and its text given.

The tables are written as our parsers write them, a row a line; nothing is searched. Run it with
`python -m tests.bench.tatqa_bench FOLDER`, the folder with `contexts.jsonl` and `questions.jsonl`; with
`--wrong N` it prints so many that did not come out right.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from masis.calculating.asked_calculation import wanted
from masis.calculating.calculation import Incomparable, calculate, stated
from masis.calculating.operands import operands
from masis.domain import EvidenceChunk

NEAR: Final = 0.011
"""By so much a result may differ from a rounded one."""
SCALES: Final = (1, 1e3, 1e6, 1e9)
_FIGURE = re.compile(r"[$£€]?\s*\(?[\d,.]+\s*\)?\s*%?")
_YEAR = re.compile(r"(?:19|20)\d\d")


def _is_head(row: Sequence[str]) -> bool:
    cells = [cell.strip() for cell in row[1:] if cell.strip()]
    return not any(_FIGURE.fullmatch(cell) and not _YEAR.fullmatch(cell) for cell in cells)


def _header(above: Sequence[Sequence[str]], column: int) -> str:
    """Return what stands over a column, where cells may span several."""
    parts = []
    for row in above:
        at = column
        while at > 1 and not row[at].strip():
            at -= 1
        parts.append(row[at].strip())
    return " ".join(dict.fromkeys(filter(None, parts))) or f"Column {column}"


def rows(table: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a table's rows as passages hold them."""
    head = 0
    while head < len(table) and _is_head(table[head]):
        head += 1
    names = [_header(table[:head], column) for column in range(1, len(table[0]))]
    for first, *cells in table[head:]:
        said = [f"{name}: {text}" for name, text in zip(names, cells, strict=True) if text.strip()]
        yield " | ".join([f"Item: {first.strip()}", *said])


def evidence(context: dict[str, Any]) -> list[EvidenceChunk]:
    """Return the passages of a context: its table, and its paragraphs."""
    texts = ["\n".join(rows(context["table"])), *context["paragraphs"]]
    return [
        EvidenceChunk(chunk_id=f"c_{at}", document_id="d", version_id="v", document="report", title="", text=text, position=at, score=1)
        for at, text in enumerate(texts)
    ]  # fmt: skip


def verdict(question: dict[str, Any], found: Sequence[EvidenceChunk]) -> tuple[str, str]:
    """Return what became of a question, and the calculation or the reason."""
    meant = wanted(question["question"])
    if meant is None:
        return "not understood", ""
    meets = operands(meant, found)
    if meets is None or not meets.groups:
        return "no figures", ""
    asked = "sum" if meant.kind == "rank" else meant.kind
    kind = meets.kind or ("sum" if asked == "list" else asked)
    done = calculate(kind, meets.groups[0].figures, forecasts=meant.forecasts)
    if isinstance(done, Incomparable):
        return "refused", done.reason
    values = [abs(float(done.result) / scale) for scale in SCALES]
    right = any(abs(value - abs(float(question["answer"]))) <= NEAR for value in values)
    sure = "sure" if meets.is_sure else "probable"
    return f"{'right' if right else 'wrong'}, {sure}", stated(done)


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def main(options: argparse.Namespace) -> None:
    """Ask each arithmetic question of its own table, and print what became of them."""
    known = {
        each["context_id"]: evidence(each) for each in _read(options.folder / "contexts.jsonl")
    }
    asked = [each for each in _read(options.folder / "questions.jsonl") if each["answer_type"] == "arithmetic"]  # fmt: skip
    ends = [(each, *verdict(each, known[each["context_id"]])) for each in asked]
    for end, count in Counter(end for _, end, _ in ends).most_common():
        print(f"{end:20} {count}/{len(asked)}")
    bad = [each for each in ends if not each[1].startswith("right")]
    for question, end, said in bad[: options.wrong]:
        print(f"{end} · {question['question']} · {question['derivation']} · {said}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--wrong", type=int, default=0, help="print so many that are not right")
    return parser.parse_args()


if __name__ == "__main__":
    main(_options())
