"""How questions about figures fare over twelve quarterly reports (PDF), as `masis chat` is asked them.

Two sets: calculations written by a reader of the reports (`calculations/sec10q_seen.jsonl` was looked at,
`sec10q.jsonl` was asked at the end), and the annotators' questions over tables whose answers state a few
figures, of which is counted how many are shown. Run it with `python -m tests.bench.sec10q_bench`; putting in
takes minutes, so keep the workspace with `--data FOLDER`.
"""

import argparse
import asyncio
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from bot.compose import App
from masis.documents.ingestion import Source
from masis.domain import Workspace
from tests.bench import analysis_bench
from tests.bench.analysis_bench import Asked
from tests.bench.corpora import SHARED
from tests.bench.eval_bench import opened
from tests.bench.outcomes import Row, rows, share

REPORTS: Final = SHARED / "sec-10q"
WORKSPACE: Final = "reports"
SETS: Final = ("sec10q_seen", "sec10q")
MOST_ANNOTATED: Final = 40
MOST_FIGURES: Final = 6
"""An answer that states more figures than these is an essay."""

_STATED: Final = re.compile(
    r"\$\d[\d,]*(?:\.\d+)?|\b\d[\d,]*(?:\.\d+)?(?=%)|\b\d{1,3}(?:,\d{3})+\b"
)
_NUMBER: Final = re.compile(r"(?<![\d.,])\d[\d,]*(?:\.\d+)?")
_SCALES: Final = (1, 1_000, 1_000_000)
"""A figure in billions may stand in millions or thousands in the report."""


def annotated() -> list[Row]:
    """Return the annotators' questions over tables whose answers state a few figures."""
    found = [
        {"id": row["id"], "say": row["question"], "earlier": "", "kind": "annotated"}
        | {"answer": [[each] for each in stated(row["answer"])]}
        for row in rows(REPORTS / "questions.jsonl")
        if row["evidence_kind"] == "Table" and 0 < len(stated(row["answer"])) <= MOST_FIGURES
    ]
    return found[:MOST_ANNOTATED]


def stated(answer: str) -> list[str]:
    """Return the amounts and percentages of an annotated answer, each once."""
    return list(dict.fromkeys(each.lstrip("$").rstrip(",") for each in _STATED.findall(answer)))


def stands(figure: str, text: str) -> bool:
    """Tell whether a text shows a figure, be it in another scale with more digits."""
    value, places = float(figure.replace(",", "")), len(figure.partition(".")[2])
    numbers = [float(each.replace(",", "")) for each in _NUMBER.findall(text)]
    scales = _SCALES if places else _SCALES[:1]
    return any(round(each / scale, places) == value for each in numbers for scale in scales)


@dataclass(frozen=True, slots=True)
class Annotated:
    """A question of the annotators, what came back, and how many of its figures that shows."""

    asked: Asked

    @property
    def figures(self) -> list[str]:
        """Return the figures of the annotated answer."""
        return [figure for (figure,) in self.asked.row["answer"]]

    @property
    def held(self) -> int:
        """Return how many of them are shown, in the answer or in its tables."""
        return sum(stands(each, everything(self.asked)) for each in self.figures)

    @property
    def right(self) -> bool:
        """Return whether all of them are shown."""
        return self.held == len(self.figures)


def everything(asked: Asked) -> str:
    """Return what is shown with the cells of its tables."""
    tables = getattr(asked.finished.outcome, "tables", [])
    cells = [" | ".join(row) for table in tables for row in table.rows]
    return "\n".join([asked.shown, *cells])


def report(members: Sequence[Annotated]) -> None:
    """Print what came of the annotators' questions."""
    high = [each for each in members if each.asked.level == "High"]
    some, all_of = sum(each.held for each in members), sum(len(each.figures) for each in members)
    print(f"\nannotated questions over tables: {len(members)}, their figures shown {some}/{all_of}")
    print(f"  all figures shown      {share(members, lambda each: each.right)}")
    print(f"  at least one shown     {share(members, lambda each: each.held > 0)}")
    print(f"  none, and said as High {share(high, lambda each: not each.held)}")


async def filled(app: App) -> Workspace:
    """Return the workspace of the reports, made if it is not kept."""
    known = await app.repository.workspaces(app.owner)
    if place := next((each for each in known if each.name == WORKSPACE), None):
        return place
    made = await app.repository.create_workspace(app.owner, WORKSPACE)
    paths = sorted((REPORTS / "docs").glob("*.pdf"))
    sources = [Source(path.name, partial(bytes, path.read_bytes())) for path in paths]
    async for result in app.ingest.ingest_many(made, sources):
        assert result.status != "refused", result
    place = await app.repository.workspace_by_id(made.id)
    assert place is not None
    return place


async def main(options: argparse.Namespace) -> None:
    """Ask each question, print the figures and write the answers down."""
    only = options.only.split(",") if options.only else []
    with tempfile.TemporaryDirectory() as folder:
        async with opened(options.data or Path(folder)) as app:
            place = await filled(app)
            asked: list[Asked] = []
            for name in options.sets.split(",") if options.sets else []:
                path = analysis_bench.HERE / f"{name}.jsonl"
                these = [await analysis_bench.ask(app, place, row) for row in _chosen(rows(path), only)]  # fmt: skip
                print(f"\n{name}")
                for figure in analysis_bench.figures(these).items():
                    print("{:40} {}".format(*figure))
                asked += these
            if not options.own:
                theirs = [await analysis_bench.ask(app, place, row) for row in _chosen(annotated(), only)]  # fmt: skip
                report(list(map(Annotated, theirs)))
                asked += theirs
    if options.transcript:
        options.transcript.write_text(analysis_bench.transcript(asked), encoding="utf-8")


def _chosen(found: Sequence[Row], only: Sequence[str]) -> list[Row]:
    return [row for row in found if not only or row["id"] in only]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default=",".join(SETS), help="of the calculations")
    parser.add_argument("--own", action="store_true", help="leave the annotators' questions out")
    parser.add_argument("--data", type=Path, help="keep the workspace in this folder")
    parser.add_argument("--transcript", type=Path, help="write the answers to this file")
    parser.add_argument("--only", default="", help="ask those of these ids only")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_options()))
