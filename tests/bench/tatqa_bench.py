"""How many arithmetic questions of TAT-QA come out right, with the right table and its text given.

Right is the exact value in its scale and with its sign, as far as the annotators' two decimals go. The tables
are written as our parsers write them, below the paragraphs of their page; nothing is searched. Run it with
`python -m tests.bench.tatqa_bench FOLDER`, the folder with `contexts.jsonl` and `questions.jsonl`; with
`--wrong N` it prints so many that did not come out right.
"""

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any, Final

from masis.calculating.asked_calculation import wanted
from masis.calculating.calculation import Incomparable, calculate, stated
from masis.calculating.operands import operands
from masis.documents.parsing.cleaning import one_line
from masis.documents.parsing.tables.row_text import readable_rows
from masis.domain import Calculation, EvidenceChunk

SCALES: Final = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_KINDS: Final = (
    ("mean", re.compile(r"\)\s*/\s*\d$|average", re.IGNORECASE)),
    ("growth", re.compile(r"^\(?.*-.*\)?\s*/|/.*-\s*1$")),
    ("difference", re.compile(r"^[^/+*]*-[^/+*]*$")),
    ("sum", re.compile(r"^[^/*-]*\+[^/*-]*$")),
    ("share", re.compile(r"/")),
)


@dataclass(frozen=True, slots=True)
class End:
    """What became of a question: right, wrong or why nothing was calculated, and what was."""

    question: dict[str, Any]
    verdict: str
    said: str = ""
    is_sure: bool = False
    lacks_scale: bool = False

    @property
    def kind(self) -> str:
        """Return by what kind of arithmetic the annotators came to the answer."""
        derivation = self.question["derivation"].strip()
        return next((kind for kind, form in _KINDS if form.search(derivation)), "other")


def evidence(context: dict[str, Any]) -> list[EvidenceChunk]:
    """Return the passages of a context: its paragraphs, and its table below them."""
    cells = [[one_line(cell) for cell in row] for row in context["table"]]
    table = "\n".join(line for _, line in readable_rows(cells))
    texts = [*context["paragraphs"], table]
    return [
        EvidenceChunk(chunk_id=f"c_{at}", document_id="d", version_id="v", document="report", title="", text=text, position=at, score=1)
        for at, text in enumerate(texts)
    ]  # fmt: skip


def ended(question: dict[str, Any], found: Sequence[EvidenceChunk]) -> End:
    """Return what became of a question."""
    meant = wanted(question["question"])
    if meant is None:
        return End(question, "not understood")
    meets = operands(meant, found)
    if meets is None or not meets.groups:
        return End(question, "no figures")
    asked = "sum" if meant.kind == "rank" else meant.kind
    kind = meets.kind or ("sum" if asked == "list" else asked)
    done = calculate(kind, meets.groups[0].figures, forecasts=meant.forecasts)
    if isinstance(done, Incomparable):
        return End(question, "refused", done.reason)
    verdict = "right" if is_right(question, done) else "wrong"
    return End(question, verdict, stated(done), meets.is_sure, _lacks_scale(question, done))  # fmt: skip


def is_right(question: dict[str, Any], done: Calculation) -> bool:
    """Tell whether a result has the annotated value, scale and sign."""
    answer, scale = Decimal(str(question["answer"])), question["scale"]
    if (scale == "percent") != (done.unit in {"%", "points"}):
        # A proportion without a scale is the same as its percentage.
        is_share = done.unit == "%" and not scale
        return is_share and _rounded(done.result / 100, answer) == answer
    return _rounded(done.result / SCALES.get(scale, 1), answer) == answer


def _lacks_scale(question: dict[str, Any], done: Calculation) -> bool:
    answer, scale = Decimal(str(question["answer"])), SCALES.get(question["scale"], 1)
    return scale > 1 and _rounded(done.result, answer) == answer


def _rounded(value: Decimal, like: Decimal) -> Decimal:
    places = max(0, -int(like.as_tuple().exponent))
    return value.quantize(Decimal(1).scaleb(-max(places, 2 if places else 0)), ROUND_HALF_UP)


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def report(ends: Sequence[End]) -> Iterator[str]:
    """Yield the lines of the report."""
    count = Counter((each.verdict, each.is_sure) for each in ends)
    for (verdict, is_sure), number in count.most_common():
        yield f"{verdict + (', sure' if is_sure else ''):20} {number}/{len(ends)}"
    sure = [each for each in ends if each.is_sure]
    wrong = [each for each in sure if each.verdict == "wrong"]
    yield f"wrong of the sure    {len(wrong)}/{len(sure)}, {sum(each.lacks_scale for each in sure)} for want of the scale"
    by: dict[str, list[End]] = defaultdict(list)
    for each in ends:
        by[each.kind].append(each)
    for kind, members in sorted(by.items()):
        yield f"  {kind:18} {sum(each.verdict == 'right' for each in members)}/{len(members)}"


def main(options: argparse.Namespace) -> None:
    """Ask each arithmetic question of its own table, and print what became of them."""
    known = {
        each["context_id"]: evidence(each) for each in _read(options.folder / "contexts.jsonl")
    }
    asked = [each for each in _read(options.folder / "questions.jsonl") if each["answer_type"] == "arithmetic"]  # fmt: skip
    ends = [ended(each, known[each["context_id"]]) for each in asked]
    print("\n".join(report(ends)))
    bad = [each for each in ends if each.verdict != "right"]
    for each in bad[: options.wrong]:
        asked_, answer = each.question["question"], f"{each.question['answer']} {each.question['scale']}"  # fmt: skip
        sure = ", sure" if each.is_sure else ""
        print(f"{each.verdict}{sure} · {asked_} · {answer} = {each.question['derivation']} · {each.said}")  # fmt: skip


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--wrong", type=int, default=0, help="print so many that are not right")
    return parser.parse_args()


if __name__ == "__main__":
    main(_options())
