"""How questions that want a calculation fare over the sample workspace, as `masis chat` is asked them.

Somebody who knows the documents and no code wrote them: changes, shares, sums, rankings, counts, tables,
charts, what cannot be compared, and look-alikes whose figure stands in a document. Half of them (`seen`)
was looked at while answers were made better. Run it with `python -m tests.bench.analysis_bench --file
PATH`; it prints the figures by kind and writes each answer down to be read.
"""

import argparse
import asyncio
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.cli.questions.terminal_thread import TerminalThread
from bot.compose import App
from masis.assistant import Finished
from masis.domain import Answered, Workspace
from tests.bench.calculations.scripted_models import beside_service
from tests.bench.eval_bench import opened
from tests.bench.outcomes import Row, asked_back, level, rows, share, shown
from tests.bench.plain_bench import filled

HERE: Final = Path(__file__).parent / "calculations"
WORKSPACE: Final = "sample"
REFUSED: Final = "refuse"
STATED: Final = "lookup"
"""The kinds of questions that want a refusal, and a figure as it stands."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and what became of it."""

    row: Row
    finished: Finished

    @property
    def kind(self) -> str:
        """Return what the writer wants calculated."""
        return str(self.row["kind"])

    @property
    def level(self) -> str:
        """Return the badge of an answer, or what else came."""
        return level(self.finished.outcome)

    @property
    def shown(self) -> str:
        """Return what stands in front of the asker without a click, with what was not found."""
        outcome = self.finished.outcome
        gaps = outcome.gaps if isinstance(outcome, Answered) else []
        return "\n".join(filter(None, [shown(outcome), asked_back(outcome), *gaps]))

    @property
    def right(self) -> bool:
        """Return whether every group of what makes it right is shown."""
        return all(any(_stands(said, self.shown) for said in group) for group in self.row["answer"])

    @property
    def calculated(self) -> bool:
        """Return whether the analysis graph answered."""
        return self.finished.graph == "analysis"

    @property
    def wrong_as_high(self) -> bool:
        """Return whether a wrong answer came as High."""
        return self.level == "High" and not self.right


def _stands(said: str, shown: str) -> bool:
    """Return whether a text is shown, and is not the beginning or the end of another figure."""
    before, after = r"(?<!\d)(?<!\d[.,])", r"(?!\d)(?![.,]\d)"
    # What was rounded to a decimal may be shown with more of them.
    is_whole = said[-1:].isdigit() and "." not in said
    edges = (before if said[:1].isdigit() else "", after if is_whole else "")
    return bool(re.search(f"{edges[0]}{re.escape(said)}{edges[1]}", shown, re.IGNORECASE))


async def ask(app: App, place: Workspace, row: Row) -> Asked:
    """Ask a question, after the one before it where there is one."""
    thread = TerminalThread(app, place)
    if row["earlier"]:
        await thread.say(row["earlier"])
    return Asked(row, await thread.say(row["say"]))


# --- the report ----------------------------------------------------------------------------


def figures(asked: Sequence[Asked]) -> dict[str, str]:
    """Return the figures of all questions, each with what it counts."""
    by: dict[str, list[Asked]] = defaultdict(list)
    for each in asked:
        by[each.kind].append(each)
    worked = [each for each in asked if each.kind not in {REFUSED, STATED}]
    computed = [each for each in asked if each.calculated]
    answered = [each for each in asked if each.level in {"High", "Medium"}]
    return {
        "to be calculated, right shown": share(worked, lambda each: each.right),
        "  … by the analysis graph": share(worked, lambda each: each.right and each.calculated),
        "refusals right": share(by[REFUSED], lambda each: each.right),
        "look-alikes right": share(by[STATED], lambda each: each.right),
        "answered by the analysis graph": share(asked, lambda each: each.calculated),
        "  right of these": share(computed, lambda each: each.right),
        "  wrong as High of these": share(computed, lambda each: each.wrong_as_high),
        "wrong as High of all answered": share(answered, lambda each: each.wrong_as_high),
        **{
            f"  {kind}": share(members, lambda each: each.right)
            for kind, members in sorted(by.items())
        },
    }


def transcript(asked: Sequence[Asked]) -> str:
    """Write the answers down, to be read."""
    lines = ["# Calculations over the sample workspace"]
    for each in asked:
        mark = "✓" if each.right else "✗"
        understood = each.finished.outcome.understood
        lines += ["", f"{mark} **{each.row['say']}** ({each.row['id']}, {each.kind})"]
        lines += [f"    {line}" for line in each.shown.splitlines() if line.strip()]
        lines += [f"- {each.finished.graph}, {each.level}"]
        lines += [f"- understood: {understood}"] if understood else []
        lines += [] if each.right else [f"- wants: {[group[0] for group in each.row['answer']]}"]
    return "\n".join(lines) + "\n"


async def main(options: argparse.Namespace) -> None:
    """Ask each question, print the figures and write the answers down."""
    calls: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        data = options.data or Path(folder)
        async with beside_service(data, options.service, calls) if options.service else opened(data) as app:  # fmt: skip
            known = await app.repository.workspaces(app.owner)
            place = next((each for each in known if each.name == WORKSPACE), None)
            place = place or await filled(app, WORKSPACE)
            only = options.only.split(",") if options.only else []
            asked_for = [row for row in rows(options.file) if not only or row["id"] in only]
            asked = [await ask(app, place, row) for row in asked_for]
    for name, figure in figures(asked).items():
        print(f"{name:40} {figure}")
    if calls:
        print("calls of the service:", ", ".join(f"{form} {n}" for form, n in calls.most_common()))
        print(f"  … a question: {calls.total() / len(asked):.1f}")
    if options.transcript:
        options.transcript.write_text(transcript(asked), encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=HERE / "seen.jsonl")
    parser.add_argument("--transcript", type=Path, help="write the answers to this file")
    parser.add_argument("--data", type=Path, help="keep the workspace in this folder")
    parser.add_argument("--service", choices=("plain", "wrong"), help="beside a scripted model service that leaves all to the rules, or is wrong")  # fmt: skip
    parser.add_argument("--only", default="", help="ask those of these ids only")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_options()))
