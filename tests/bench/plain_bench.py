"""How questions fare as people type them into a chat.

888 questions over the sample, a handbook and four small workspaces (a school, a clinic's back
office, a software team, a theatre), by writers who had read the documents and no code: lower case, half
sentences, typing errors, greetings, other words than the documents', a case told first. A third is
not answered there. Half of each place (`seen`) was looked at while answers were made better, the
other half (`hidden`) was asked once at the end, then looked at, too; the theatre (`fresh`) was
asked once after that, and 98 over the sample as a newcomer asks (`newcomer`), which have been looked at since. Forty
more are asked in the weakest manners (other words, a case told, "can I", a greeting): `weak` was looked at, `weak_kept`
only at the end. 100 over the sample by a second newcomer (`stranger`) and 120 by three more (`third`) were asked once. Run it with `python -m tests.bench.plain_bench`; `--show` prints each outcome.
"""

import argparse
import asyncio
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from bot.compose import App
from bot.evaluation.evaluation import contains
from masis.documents.ingestion import Source
from masis.domain import Answered, AnyOutcome, NeedsClarification, Workspace
from tests.bench.eval_bench import opened
from tests.bench.outcomes import level, passes, shown
from tests.bench.plain_questions import FOLDERS, HALVES, Row, questions

MARKS: Final = tuple(step / 20 for step in range(4, 20))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and how it ended."""

    row: Row
    outcome: AnyOutcome

    @property
    def answerable(self) -> bool:
        """Return whether the documents answer it."""
        return bool(self.row["answerable"])

    @property
    def level(self) -> str:
        """Return the badge of an answer, or what else came."""
        return level(self.outcome)

    @property
    def passes(self) -> bool:
        """Return whether it came back as an answer that is High or Medium."""
        return passes(self.outcome)

    @property
    def confidence(self) -> float:
        """Return the run's confidence; 0 where there is none or where sources disagree."""
        match self.outcome:
            case Answered(confidence=confidence):
                return confidence
            case NeedsClarification(kind=kind, confidence=confidence) if kind != "conflict":
                return confidence
        return 0.0

    @property
    def shown(self) -> str:
        """Return what stands in front of the asker without a click, less a question back."""
        return shown(self.outcome)

    @property
    def drafted(self) -> str:
        """Return the draft, shown or behind the button."""
        if isinstance(self.outcome, Answered | NeedsClarification):
            return f"{self.outcome.answer}\n{self.shown}"
        return ""

    def holds(self, text: str) -> bool:
        """Return whether a text has the words that make an answer right."""
        return self.answerable and contains(text, self.row["must_show"])


async def filled(app: App, name: str) -> Workspace:
    """Make the workspace of that name with its documents in it."""
    made = await app.repository.create_workspace(app.owner, name)
    folder = FOLDERS[name]
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    sources = [
        Source(path.relative_to(folder).as_posix(), partial(bytes, path.read_bytes()))
        for path in paths
    ]
    async for result in app.ingest.ingest_many(made, sources):
        assert result.status != "refused", result
    place = await app.repository.workspace_by_id(made.id)
    assert place is not None
    return place


async def ask(app: App, place: Workspace, row: Row) -> Asked:
    """Run one question."""
    return Asked(row, (await app.assistant.ask(place, row["question"])).outcome)


# --- the report ----------------------------------------------------------------------------


def _share(members: Sequence[Asked], test: Callable[[Asked], bool]) -> str:
    if not members:
        return "    -"
    return f"{100 * sum(map(test, members)) / len(members):4.0f}%"


def _line(name: str, members: Sequence[Asked]) -> str:
    there = [each for each in members if each.answerable]
    absent = [each for each in members if not each.answerable]
    figures = [
        f"{len(there):4}",
        _share(there, lambda each: each.holds(each.shown)),
        _share(there, lambda each: each.holds(each.drafted)),
        _share(there, lambda each: each.passes),
        _share(there, lambda each: each.passes and each.holds(each.shown)),
        f"{len(absent):4}",
        _share(absent, lambda each: each.passes),
        _share(absent, lambda each: each.level == "High"),
        _share(absent, lambda each: bool(each.shown.strip())),
    ]
    return f"  {name:14}" + "  ".join(f"{figure:>6}" for figure in figures)


def _by(members: Iterable[Asked], key: str) -> dict[str, list[Asked]]:
    groups: dict[str, list[Asked]] = defaultdict(list)
    for each in members:
        groups[each.row[key]].append(each)
    return dict(sorted(groups.items()))


def report(half: str, members: Sequence[Asked]) -> None:
    """Print the figures of one half: all, by manner, by place, by kind, and by mark."""
    print(f"\n{half}: of the answerable ones the right words shown, in the draft, High or Medium,")
    print("  High or Medium and right; of the others High or Medium, High, with something shown")
    print(_line("all", members))
    for key in ("manner", "place", "kind"):
        for name, group in _by(members, key).items():
            print(_line(name, group))
    print("  mark: answerable at or over it, right among them, unanswerable at or over it")
    for mark, there, right, absent in curve(members):
        print(f"  {mark:.2f}  {there:4.0%}  {right:4.0%}  {absent:4.0%}")


def curve(members: Sequence[Asked]) -> list[tuple[float, float, float, float]]:
    """Return for each mark the shares of questions whose confidence reaches it."""
    there = [each for each in members if each.answerable]
    absent = [each for each in members if not each.answerable]
    return [
        (
            mark,
            sum(each.confidence >= mark for each in there) / len(there),
            sum(each.confidence >= mark and each.holds(each.drafted) for each in there)
            / len(there),
            sum(each.confidence >= mark for each in absent) / len(absent),
        )
        for mark in MARKS
    ]


def _told(each: Asked) -> str:
    verdict = "right" if each.holds(each.shown) else "draft" if each.holds(each.drafted) else "no"
    if not each.answerable:
        verdict = "absent"
    back = getattr(each.outcome, "clarification_question", "")
    row = each.row
    head = f"{row['id']} {row['manner']} · {verdict} · {each.level} {each.confidence:.2f}"
    return f"\n{head} · {row['question']}\n  wants {row['must_show']}\n{back}\n{each.shown}"


async def main(options: argparse.Namespace) -> None:
    """Ask the chosen halves and print their figures."""
    names = [name for name in options.places.split(",") if FOLDERS[name].is_dir()]
    if missing := set(options.places.split(",")) - set(names):
        print(f"skipped, the development data is not beside the checkout: {', '.join(missing)}")
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as app:
            places = {name: await filled(app, name) for name in names}
            for half in options.halves.split(","):
                ended = [await ask(app, places[r["place"]], r) for r in questions(half, names)]
                if options.show:
                    print("\n".join(map(_told, ended)))
                report(half, ended)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--halves", default=",".join(HALVES))
    parser.add_argument("--places", default=",".join(FOLDERS))
    parser.add_argument("--show", action="store_true", help="print every outcome")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_options()))
