"""How questions and replies of people fare in three small workspaces: a clinic, a company, a school.

The documents, the 150 questions and the 96 replies to conflicts were written by a person who had
read no code. Half of each (`seen`) was looked at while answers were made better, the other half
(`hidden`) was asked once at the end. Run it with `python -m tests.bench.workspaces_bench`; `--show`
prints each outcome. `parts.jsonl` and `calculations.jsonl` are questions of two parts and for
calculations, a quarter of each with all that they ask for in the documents.
"""

import argparse
import asyncio
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Final

from bot.compose import App
from bot.evaluation.evaluation import contains
from masis.documents.ingestion import Source
from masis.domain import Answered, AnyOutcome, NeedsClarification, Workspace
from masis.graphs.research import texts
from masis.questions.replies import answering
from tests.bench.eval_bench import opened
from tests.bench.outcomes import level

HERE: Final = Path(__file__).parent / "workspaces"
PLACES: Final = ("clinic", "brokers", "school")
HALVES: Final = ("seen", "hidden")
Row = dict[str, Any]


def rows(name: str, half: str) -> list[Row]:
    """The questions or the replies of one half."""
    lines = (HERE / half / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


async def filled(app: App, name: str) -> Workspace:
    """The workspace of that name with its documents in it."""
    made = await app.repository.create_workspace(app.owner, name)
    files = [path for path in sorted((HERE / name).iterdir()) if path.is_file()]
    sources = [Source(path.name, partial(bytes, path.read_bytes())) for path in files]
    async for result in app.ingest.ingest_many(made, sources):
        assert result.status != "refused", result
    place = await app.repository.workspace_by_id(made.id)
    assert place is not None
    return place


# --- questions -----------------------------------------------------------------------------


async def asked(
    app: App, places: dict[str, Workspace], half: str, *, show: bool
) -> dict[str, list[tuple[Row, AnyOutcome]]]:
    """Every question's outcome, by its type."""
    found: dict[str, list[tuple[Row, AnyOutcome]]] = defaultdict(list)
    for row in rows("questions", half):
        outcome = (await app.assistant.ask(places[row["org"]], row["question"])).outcome
        found[row["type"]].append((row, outcome))
        if show:
            print(f"\n{row['type']} · {level(outcome)} · {row['question']}\n{_text(outcome)}")
    return found


def _text(outcome: AnyOutcome) -> str:
    if not isinstance(outcome, Answered | NeedsClarification):
        return str(outcome)
    back = outcome.clarification_question if isinstance(outcome, NeedsClarification) else ""
    return "\n".join(filter(None, [back, *outcome.gaps, outcome.answer]))


def report_questions(half: str, found: dict[str, list[tuple[Row, AnyOutcome]]]) -> None:
    """A line a type: how often the answer's words stand there, and how it ended."""
    print(f"\n{half}: the expected words in the answer or draft, and how it ended")
    for name, members in found.items():
        expected = [m for m in members if m[0]["must_include"]]
        right = sum(
            contains(outcome.answer, row["must_include"])
            for row, outcome in expected
            if isinstance(outcome, Answered | NeedsClarification)
        )
        ends = Counter(level(outcome) for _, outcome in members)
        told = ", ".join(f"{end} {count}" for end, count in ends.most_common())
        print(f"  {name:17} {right:2} of {len(expected):2}   {told}")
    answers = [o.answer for ms in found.values() for _, o in ms if isinstance(o, Answered)]
    lengths = sorted(map(len, answers))
    over = sum(length > 600 for length in lengths)
    print(
        f"  {len(lengths)} answers: {lengths[len(lengths) // 2]} characters in the median, {over} over 600"
    )


# --- open parts and calculations -----------------------------------------------------------


async def report_left_open(
    app: App, places: dict[str, Workspace], half: str, *, show: bool
) -> None:
    """How many open parts and calculations are told, and how many answers are held down for nothing."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in [*of_half("parts", half), *of_half("calculations", half)]:
        outcome = (await app.assistant.ask(places[row["org"]], row["question"])).outcome
        is_told, badge = told(row, outcome), level(outcome)
        kind = "two parts" if "open" in row else "calculation"
        is_open = bool(row.get("open") or row.get("calculated"))
        end = "High" if badge == "High" else "told" if is_told else "not told"
        counts[f"{kind}, {'open' if is_open else 'answered'}"][end] += 1
        if show and is_told != is_open:
            print(f"\n{kind} · {badge} · {row['question']}\n{_text(outcome)}")
    for name, ends in sorted(counts.items()):
        print(f"  {half}: {name:21} {dict(ends.most_common())}")


def of_half(name: str, half: str) -> list[Row]:
    """The questions of a file that holds both halves."""
    lines = (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["half"] == half]


def told(row: Row, outcome: AnyOutcome) -> bool:
    """Whether the outcome names the open part, or any where none is; or says that nothing is computed."""
    said = _text(outcome)
    if "open" not in row:
        return texts.FIGURES_AS_GIVEN in said
    named = [
        line for line in said.splitlines() if "Nothing was found on" in line or "nothing on" in line
    ]
    return any(row["open"] in line for line in named)


# --- replies to conflicts ------------------------------------------------------------------


async def replied(
    app: App, places: dict[str, Workspace], half: str, *, show: bool
) -> Iterator[str]:
    """How each reply ended: right, wrong, or its conflict was never asked about."""
    asked_back: dict[tuple[str, str], AnyOutcome] = {}
    ends = []
    for row in rows("replies", half):
        place, key = places[row["org"]], (row["org"], row["question"])
        if key not in asked_back:
            asked_back[key] = (await app.assistant.ask(place, row["question"])).outcome
        back = asked_back[key]
        if not isinstance(back, NeedsClarification) or back.kind != "conflict":
            ends.append("conflict not asked about")
            continue
        question = answering(row["question"], row["question"], "conflict", row["reply"])
        end = (await app.assistant.ask(place, question, parent_run_id=back.run_id)).outcome
        is_right = holds(row["chooses"], back, end)
        ends.append("right" if is_right else "wrong")
        if show:
            print(f"\n{ends[-1]} · {row['question']} · {row['reply']!r}\n{_text(end)}")
    return iter(ends)


def holds(chooses: str | None, back: NeedsClarification, end: AnyOutcome) -> bool:
    """Whether the outcome is what the reply chose, of the statements that were shown."""
    if not isinstance(end, Answered | NeedsClarification):
        return False
    is_answer = isinstance(end, Answered)
    cited = {PurePosixPath(each.document).name for each in end.citations}
    shown = {PurePosixPath(each.document).name for each in back.statements}
    if chooses is None:
        return isinstance(end, NeedsClarification) and end.kind == "conflict"
    if chooses == "both":
        return is_answer and len(cited & shown) > 1
    if chooses == "neither":
        return not (is_answer and cited & shown)
    return is_answer and chooses in cited and not cited & (shown - {chooses})


def report_replies(half: str, ends: Iterable[str]) -> None:
    """How many replies ended how."""
    told = ", ".join(f"{end} {count}" for end, count in Counter(ends).most_common())
    print(f"\n{half}: replies to conflicts: {told}")


async def main(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as app:
            places = {name: await filled(app, name) for name in PLACES}
            for half in options.halves.split(","):
                report_questions(half, await asked(app, places, half, show=options.show))
                await report_left_open(app, places, half, show=options.show)
                report_replies(half, await replied(app, places, half, show=options.show))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--halves", default=",".join(HALVES))
    parser.add_argument("--show", action="store_true", help="print every outcome")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_options()))
