"""Which turns about a table get a question back: of those that leave open which figure is meant, and of the others.

The turns are of PACIFIC (MIT): 492 of 67 conversations, each about one table of an annual report with
its paragraphs; 90 leave open which year, period or kind is meant. Each is asked as it is understood
within its conversation, of a workspace with that table alone, so that finding it is no part of the
figure. A turn that leaves something open is served by a question back that names at least two things
which the table has, or by an answer that shows at least two of its figures, each with what it is of.
Run it with `python -m tests.bench.clarify_bench`; `--show N` prints so many turns. The exit code is 1
when the data is not beside the checkout.
"""

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.compose import App
from masis.documents.ingestion import Source
from masis.domain import Answered, AnyOutcome, NeedsClarification
from tests.bench.corpora import SHARED
from tests.bench.eval_bench import opened

FOLDER: Final = SHARED / "pacific-clarify"
_OF_TIME: Final = re.compile(r"\b(?:year|period|date|quarter|month|time)s?\b", re.IGNORECASE)
LEAST: Final = 2
"""Things to choose from."""
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn, and what became of it."""

    row: Row
    outcome: AnyOutcome
    table: str
    """The words of what it is about."""
    rows: Sequence[Sequence[str]]
    """Of its table."""

    @property
    def is_open(self) -> bool:
        """Return whether it leaves open which figure is meant."""
        return bool(self.row["needs_clarification"])

    @property
    def options(self) -> list[str]:
        """Return what a question back says that it could be."""
        match self.outcome:
            case NeedsClarification(options=options, statements=statements):
                return [*options, *(each.text for each in statements)]
        return []

    @property
    def asks_back(self) -> bool:
        """Return whether it came back."""
        return isinstance(self.outcome, NeedsClarification)

    @property
    def asks_which(self) -> bool:
        """Return whether it came back to ask which one is meant, naming what it could be."""
        return len(self.options) >= LEAST

    @property
    def names_what_is_there(self) -> bool:
        """Return whether all that is named stands in the table."""
        return self.asks_which and all(each.lower() in self.table for each in self.options)

    @property
    def shows_several(self) -> bool:
        """Return whether an answer shows several of the figures: it leaves the choice to who reads it.

        Of one row where a time is left open; else of several rows or columns.
        """
        match self.outcome:
            case Answered(answer=answer, small_talk=False):
                shown = set(re.findall(r"\d[\d,.]*\d|\d", answer))
                lines = [[cell for cell in row if _is_figure(cell)] for row in self.rows]
                met = [sum(_bare(cell) in shown for cell in row) for row in lines]
                return (
                    max(met, default=0) >= LEAST
                    if self.is_of_time
                    else sum(map(bool, met)) >= LEAST
                )
        return False

    @property
    def is_of_time(self) -> bool:
        """Return whether it is a time that it leaves open."""
        return _OF_TIME.search(str(self.row["gold_response"])) is not None


def _is_figure(cell: str) -> bool:
    bare = _bare(cell)
    return bool(re.fullmatch(r"\d[\d,.]*", bare)) and not re.fullmatch(r"(?:19|20)\d\d", bare)


def _bare(cell: str) -> str:
    return cell.strip(" ()$£€%-–")


def document(context: Row) -> str:
    """Write a context as a page: its table between its paragraphs."""
    first, *rest = context["table"]
    cells = [first, ["---"] * len(first), *rest]
    table = "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in cells)
    return "\n\n".join(["# Notes to the accounts", table, *context["paragraphs"]])


def _cell(text: str) -> str:
    return " ".join(str(text).split()).replace("|", "/") or " "


async def ask(app: App, context: Row, turns: Sequence[Row]) -> list[Asked]:
    """Ask the turns about one table."""
    place = await app.repository.create_workspace(app.owner, context["context_id"])
    page = document(context).encode()
    async for put_in in app.ingest.ingest_many(place, [Source("notes.md", lambda: page)]):
        assert put_in.status == "added", put_in
    filled = await app.repository.workspace_by_id(place.id)
    assert filled is not None
    words = " ".join(_cell(cell) for row in context["table"] for cell in row)
    words = f"{words} {' '.join(context['paragraphs'])}".lower()
    return [
        Asked(
            row,
            (await app.assistant.ask(filled, row["standalone_question"])).outcome,
            words,
            context["table"],
        )
        for row in turns
    ]


def _share(members: Sequence[Asked], test: Callable[[Asked], bool]) -> str:
    met = sum(map(test, members))
    return f"{met}/{len(members)} ({100 * met / max(len(members), 1):.0f}%)"


def report(turns: Sequence[Asked]) -> None:
    """Print the figures of turns."""
    for name, some in (
        ("leave something open", [each for each in turns if each.is_open]),
        ("leave nothing open", [each for each in turns if not each.is_open]),
    ):
        print(f"{name}: {len(some)} turns")
        print(f"  asked which one is meant           {_share(some, lambda one: one.asks_which)}")
        print(f"  answered with several figures      {_share(some, lambda one: one.shows_several)}")
        print(f"  asked back at all                  {_share(some, lambda one: one.asks_back)}")
    back = [each for each in turns if each.asks_which]
    print(
        f"questions back that name what is there {_share(back, lambda one: one.names_what_is_there)}"
    )


def read(name: str) -> list[Row]:
    """Read a file of the data."""
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


async def main(options: argparse.Namespace) -> None:
    """Ask every other conversation, and then the others; print the figures of both halves."""
    turns = read("turns")
    halves: tuple[list[Asked], list[Asked]] = ([], [])
    async with opened(None) as app:
        for at, context in enumerate(read("contexts")[: options.first]):
            mine = [row for row in turns if row["context_id"] == context["context_id"]]
            halves[at % 2].extend(await ask(app, context, mine))
    for name, half in zip(("first half", "second half"), halves, strict=True):
        print(f"--- {name}")
        report(half)
    print("--- all")
    report([*halves[0], *halves[1]])
    for each in halves[0][: options.show]:
        print(_told(each))


def _told(asked: Asked) -> str:
    match asked.outcome:
        case NeedsClarification(kind=kind, clarification_question=said):
            became = f"{kind}: {said}"
        case Answered(answer=answer):
            became = f"answered: {answer}"
        case outcome:
            became = type(outcome).__name__
    wanted = f"{'OPEN ' if asked.is_open else ''}{asked.row['gold_response']}"
    return f"{asked.row['standalone_question']}\n  {wanted}\n  {' / '.join(became.splitlines())}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, help="ask about the first so many tables only")
    parser.add_argument("--show", type=int, default=0, help="print so many turns of the first half")
    return parser.parse_args()


if __name__ == "__main__":
    if not FOLDER.is_dir():
        sys.exit(f"{FOLDER} is not there")
    asyncio.run(main(_options()))
