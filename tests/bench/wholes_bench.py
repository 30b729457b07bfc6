"""How much of a whole is shown where one is asked for: a list, a summary, what changed.

Questions over the sample and five small workspaces, each with the items that a complete answer shows
(any of an item's wordings counts) and with what must not be in it. Written by readers of the documents
who had seen no code; `hidden` and `fresh` were asked once before anybody looked at them. Run it with
`python -m tests.bench.wholes_bench`; `--show` prints each outcome, `--file` asks other questions.
"""

import argparse
import asyncio
import re
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from masis.domain import AnyOutcome
from tests.bench.eval_bench import opened
from tests.bench.outcomes import Row, asked_back, level, passes, rows, shown
from tests.bench.plain_bench import filled
from tests.bench.plain_questions import FOLDERS

HERE: Final = Path(__file__).parent / "wholes"
HALVES: Final = ("seen", "hidden", "fresh")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for a whole, and what came back."""

    row: Row
    outcome: AnyOutcome

    @property
    def shown(self) -> str:
        """Return what stands in front of the asker, with the names of the sources."""
        return f"{shown(self.outcome)}\n{asked_back(self.outcome)}"

    @property
    def level(self) -> str:
        """Return the badge of an answer, or what else came."""
        return level(self.outcome)

    @property
    def missing(self) -> list[str]:
        """Return the items that are not shown, by their first wording."""
        said = _plain(self.shown)
        return [item[0] for item in self.row["items"] if not any(_plain(w) in said for w in item)]

    @property
    def wrong(self) -> list[str]:
        """Return what is shown and must not be."""
        said = _plain(self.shown)
        return [text for text in self.row["not"] if _plain(text) in said]

    @property
    def share(self) -> float:
        """Return the share of the items that are shown."""
        return 1.0 - len(self.missing) / max(1, len(self.row["items"]))

    @property
    def complete(self) -> bool:
        """Return whether all items are shown, and nothing that must not be."""
        return not self.missing and not self.wrong


def _plain(text: str) -> str:
    """A text for comparing: without marks of citations, one kind of quotation, dash and blank."""
    text = re.sub(r"\s?\[\d[\d, ]*\](?:\[\d+\])*", "", text.casefold())
    text = text.replace("’", "'").replace("–", "-").replace("—", "-")
    return " ".join(text.split())


def report(name: str, members: Sequence[Asked]) -> None:
    """Print the figures of one file: by kind the items shown, complete answers, High or Medium ones."""
    print(f"\n{name}: questions, items shown, complete, High or Medium, with something wrong in it")
    groups: dict[str, list[Asked]] = defaultdict(list)
    for each in members:
        groups["all"].append(each)
        groups[each.row["kind"]].append(each)
    for kind, group in groups.items():
        count = len(group)
        figures = (
            sum(each.share for each in group) / count,
            sum(each.complete for each in group) / count,
            sum(passes(each.outcome) for each in group) / count,
            sum(bool(each.wrong) for each in group) / count,
        )
        print(f"  {kind:12}{count:4}  " + "  ".join(f"{100 * each:4.0f}%" for each in figures))


def _told(each: Asked) -> str:
    row = each.row
    head = (
        f"\n{row['id']} {row['kind']} · {row['workspace']} · {each.level} · {100 * each.share:.0f}%"
    )
    faults = f"  missing {each.missing}\n  wrong {each.wrong}"
    return f"{head} · {row['say']}\n{faults}\n{each.shown}"


async def main(options: argparse.Namespace) -> None:
    """Ask the questions of each file and print the figures."""
    paths = options.file or [HERE / f"{half}.jsonl" for half in HALVES]
    with tempfile.TemporaryDirectory() as folder:
        async with opened(options.keep or Path(folder)) as app:
            places = {}
            for path in filter(Path.is_file, paths):
                ended = []
                for row in rows(path):
                    name = row["workspace"]
                    if name not in places:
                        places[name] = await filled(app, name)
                    asked = await app.assistant.ask(places[name], row["say"])
                    ended.append(Asked(row, asked.outcome))
                if options.show:
                    print("\n".join(map(_told, ended)))
                report(path.stem, ended)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, action="append", help="ask these questions instead")
    parser.add_argument("--keep", type=Path, help="keep the indexed documents here")
    parser.add_argument("--show", action="store_true", help="print every outcome")
    options = parser.parse_args()
    unknown = {row["workspace"] for path in options.file or () for row in rows(path)} - set(FOLDERS)
    if unknown:
        parser.error(f"no such workspaces: {', '.join(sorted(unknown))}")
    return options


if __name__ == "__main__":
    asyncio.run(main(_options()))
