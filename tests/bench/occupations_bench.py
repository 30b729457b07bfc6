"""How well a description finds its code in a list of 373 occupations, by the classification graph offline.

The list is NCO-2015's families with the definitions of ISCO-08 and all titles as synonyms; the descriptions
are ESCO's, each labelled with its family, whole, without the words of their own titles, and the titles
alone. Rows with an even number were looked at when weights and margins were chosen. Run it with
`python -m tests.bench.occupations_bench [--shared PATH] [--half seen] [--vectors FILE]`; with the vectors kept in a
file, every code looked at and no search alone beside it, it takes a minute and not ten.
"""

import argparse
import asyncio
import csv
import itertools
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Final

from bot.compose import App
from masis.codelists.index import CodeIndex
from masis.domain import Answered, AskedBack, NeedsClarification, Question, Workspace
from masis.graphs.classification.agents import ClassificationContext
from masis.graphs.classification.graph import CLASSIFICATION
from masis.graphs.classification.state import State
from masis.graphs.classification.stored_codes import IN_LISTS, SEARCHED
from masis.graphs.classification.thresholds import MOST_QUESTIONS
from masis.graphs.common import AnyBoundGraph, Conclusion, Request
from masis.runs import run
from masis.text.lexical import terms
from tests.bench.corpora import SHARED
from tests.bench.eval_bench import opened
from tests.bench.kept_vectors import HERE, KeptList, KeptVectors, context

OCCUPATIONS: Final = SHARED / "occupations"
INPUTS: Final = {"whole": "description", "masked": "description_masked", "title": "title"}
TOP: Final = 5
BINS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.01)
MOST_TWINS: Final = 200
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ended:
    """A run of the graph, and what the list has as right."""

    right: str
    state: State
    conclusion: Conclusion

    @property
    def ranked(self) -> list[str]:
        """The codes in the order in which they are favoured."""
        return [each.code for each in self.state["retrieved_results"]]

    @property
    def asks(self) -> bool:
        """Whether it asked back."""
        return isinstance(self.conclusion.outcome, NeedsClarification)

    @property
    def code(self) -> str:
        """The code that it gives; empty where it asks."""
        final = self.state["analyzer_response"]
        return final.code if final and not self.asks else ""

    @property
    def is_right(self) -> bool:
        """Whether it gives the code, or its parent with the code among those below."""
        final = self.state["analyzer_response"]
        return self.code == self.right or bool(
            final and not self.asks and self.right in final.among
        )

    @property
    def is_exact(self) -> bool:
        """Whether it gives the very code."""
        return self.code == self.right

    @property
    def confidence(self) -> float:
        """What it promises."""
        outcome = self.conclusion.outcome
        return outcome.confidence if isinstance(outcome, Answered) else 0.0


def code_list(shared: Path) -> bytes:
    """Write the list as a spreadsheet has it: a row a code, parents by what codes begin with."""
    groups = {row["code"]: row for row in _csv(shared / "isco08_groups.csv")}
    titles: dict[str, str] = {}
    names: dict[str, dict[str, None]] = defaultdict(dict)
    for row in _csv(shared / "nco2015.csv"):
        for level in ("division", "subdivision", "group", "family"):
            titles[row[f"{level}_code"]] = row[level]
        names[row["family_code"]][row["title"]] = None
    written = StringIO()
    writer = csv.writer(written)
    writer.writerow(["Code", "Title", "Description", "Synonyms"])
    for code, title in sorted(titles.items()):
        group = groups.get(code, {"title": title, "description": ""})
        called = [group["title"], *names[code]] if group["title"] != title else list(names[code])
        writer.writerow([code, title, group["description"], "; ".join(called)])
    return written.getvalue().encode()


def _csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


async def filled(app: App, shared: Path) -> Workspace:
    """Return the workspace with the list in it."""
    made = await app.repository.create_workspace(app.owner, "occupations")
    result = await app.ingest.ingest(made, "occupations.csv", code_list(shared))
    if result.status == "refused":
        raise LookupError(result.reason)
    found = await app.repository.workspace_by_id(made.id)
    assert found is not None
    return found


async def classify(
    bound: AnyBoundGraph, place: Workspace, text: str, right: str, asked: Sequence[AskedBack] = ()
) -> Ended:
    """Run the graph once."""
    reply = asked[-1].reply if asked else ""
    question = Question(text=text, standalone=text, reply=reply, asked_back=list(asked))
    request = Request(question=question, workspace_id=place.id)
    state = await run(bound, CLASSIFICATION.start(request))
    ended = CLASSIFICATION.conclude(state, "r_bench", bound.context)
    assert isinstance(ended, Conclusion), "a list is there"
    return Ended(right, state, ended)


@dataclass(frozen=True, slots=True)
class Replied:
    """A talk that was asked back: what came of its first reply, and of all of them."""

    first: Ended
    last: Ended
    was_offered: bool


async def replied(
    bound: AnyBoundGraph, place: Workspace, begun: Ended, row: Row, right: str
) -> Replied:
    """Reply truthfully until it asks no more."""
    unsaid = iter(_unsaid(row, begun.state["question"].text))
    asked: list[AskedBack] = []
    ends: list[Ended] = []
    ended = begun
    while isinstance(outcome := ended.conclusion.outcome, NeedsClarification):
        offered = next((each for each in outcome.options if each.startswith(right)), "")
        more = next(unsaid, "")
        if not (offered or more) or len(asked) == MOST_QUESTIONS:
            break
        reply = offered or f"None of these, {more}"
        asked.append(AskedBack(question=outcome.clarification_question, options=outcome.options, reply=reply))  # fmt: skip
        ended = await classify(bound, place, begun.state["question"].text, begun.right, asked)
        ends.append(ended)
    return Replied(ends[0], ends[-1], asked[0].reply.startswith(right))


def _unsaid(row: Row, said: str) -> list[str]:
    """Return what can be said of a job beside its code's title: what it is called, or its description."""
    own = row["description_masked"].replace("[JOB]", "They") if said == row["title"] else row["title"]  # fmt: skip
    return [own, *row["alt_titles"]]


async def bare(app: App, place: Workspace, text: str) -> list[str]:
    """Rank codes by the product's search alone: a code by its best passage."""
    found = await app.retrieval.search(place.id, text, limit=SEARCHED, filters=IN_LISTS)
    index = (await app.code_lists.of(place.id))[0]
    codes = (
        index.entries[at].code.code
        for chunk in found.candidates
        for at in index.by_chunk.get(chunk.chunk_id, ())
    )
    return list(dict.fromkeys(codes))


# --- two codes are right -----------------------------------------------------------------------


def twins(index: CodeIndex) -> list[tuple[str, set[str]]]:
    """Return texts that name two codes of different parents alike: the words that their titles share."""
    found: dict[str, set[str]] = {}
    pairs = itertools.combinations([entry.code for entry in index.entries], 2)
    for one, other in pairs:
        words = _shared(one.title, other.title)
        if one.parent != other.parent and len(words) >= 1:
            found.setdefault(" ".join(words), set()).update({one.code, other.code})
    return sorted(found.items())[:: max(1, len(found) // MOST_TWINS)]


def _shared(one: str, other: str) -> list[str]:
    held = set(terms(other))
    return [word for word in one.split() if terms(word) and set(terms(word)) <= held]


# --- the report ----------------------------------------------------------------------------


def _share(members: Sequence[Any], test: Callable[[Any], bool]) -> str:
    met = sum(map(test, members))
    return f"{met / len(members):.2f} of {len(members)}" if members else "-"


def report(name: str, rows: Sequence[Ended], found: Sequence[list[str]]) -> None:
    """Print the figures of one kind of input, with those of the search alone where they are there."""
    print(f"\n{name}: {len(rows)}")
    given = [each for each in rows if not each.asks]
    if found:
        print("  bare search top-1 ", _share(list(zip(rows, found, strict=True)), lambda p: p[0].right in p[1][:1]))  # fmt: skip
        print("  bare search top-5 ", _share(list(zip(rows, found, strict=True)), lambda p: p[0].right in p[1][:TOP]))  # fmt: skip
    print("  top-1             ", _share(rows, lambda each: each.right in each.ranked[:1]))
    print("  top-5             ", _share(rows, lambda each: each.right in each.ranked[:TOP]))
    print("  top-10            ", _share(rows, lambda each: each.right in each.ranked[:10]))
    print("  top-1, 2 digits   ", _share(rows, lambda each: each.right[:2] in {c[:2] for c in each.ranked[:1]}))  # fmt: skip
    print("  asked back        ", _share(rows, lambda each: each.asks))
    print("  right of the rest ", _share(given, lambda each: each.is_exact))
    print("  … or its parent   ", _share(given, lambda each: each.is_right))


def report_replies(rows: Sequence[Ended], again: Sequence[Replied]) -> None:
    """Print what came of the texts that were asked about, once somebody replied truthfully."""
    print("  right after reply ", _share(again, lambda each: each.first.is_right))
    print("  … was offered     ", _share(again, lambda each: each.was_offered))
    print("  … asks once more  ", _share(again, lambda each: each.first.asks))
    print("  … a wrong code    ", _share(again, lambda each: not each.first.asks and not each.first.is_right))  # fmt: skip
    print("  right at the end  ", _share(again, lambda each: each.last.is_right))
    print("  right of all, then", _share([*(e for e in rows if not e.asks), *(e.last for e in again)], lambda each: each.is_right))  # fmt: skip


def calibration(rows: Sequence[Ended]) -> None:
    """Print what was promised and what was right, and the expected calibration error."""
    given = [each for each in rows if not each.asks]
    error = 0.0
    for low, high in itertools.pairwise(BINS):
        held = [each for each in given if low <= each.confidence < high]
        if held:
            promised = sum(each.confidence for each in held) / len(held)
            right = sum(each.is_right for each in held) / len(held)
            error += abs(promised - right) * len(held) / len(given)
            print(f"  promised {promised:.2f}  right {right:.2f}  of {len(held)}")
    print(f"  expected calibration error {error:.3f}")


async def main(options: argparse.Namespace) -> None:
    """Run every description in its three forms, then reply to what came back."""
    read = [json.loads(line) for line in (options.shared / "labelled_descriptions.jsonl").read_text(encoding="utf-8").splitlines()]  # fmt: skip
    rows = read[{"seen": slice(0, None, 2), "unseen": slice(1, None, 2), "all": slice(None)}[options.half]]  # fmt: skip
    if options.vectors:
        vectors = KeptVectors(options.vectors)
        codes = KeptList("occupations.csv", code_list(options.shared))
        held = Workspace(id=HERE, owner="bench", name="occupations")
        try:
            await measure(context(codes, vectors), held, codes.index, rows)
        finally:
            await vectors.close()
        return
    with tempfile.TemporaryDirectory() as folder:
        async with opened(options.data or Path(folder)) as app:
            known = await app.repository.workspaces(app.owner)
            place = next((each for each in known if each.name == "occupations"), None)
            place = place or await filled(app, options.shared)
            index = (await app.code_lists.of(place.id))[0]
            await measure(app.classification_context, place, index, rows, app)


async def measure(
    agents: ClassificationContext,
    place: Workspace,
    index: CodeIndex,
    rows: Sequence[Row],
    app: App | None = None,
) -> None:
    """Print the figures of every form; with an `app` those of its search alone beside them."""
    bound = CLASSIFICATION.bound(agents)
    titles = {code: each.title for code, each in index.codes.by_code.items()}
    for name, key in INPUTS.items():
        begun = time.perf_counter()
        texts = [row[key].replace("[JOB]", "").strip() for row in rows]
        ended = [await classify(bound, place, text, row["label_family"]) for text, row in zip(texts, rows, strict=True)]  # fmt: skip
        report(name, ended, [await bare(app, place, text) for text in texts] if app else [])
        again = [
            await replied(bound, place, each, row, titles[each.right])
            for each, row in zip(ended, rows, strict=True)
            if each.asks
        ]
        report_replies(ended, again)
        print(f"  {(time.perf_counter() - begun) / len(rows):.2f} s a description")
        calibration(ended)
    both = twins(index)
    forced = [(await classify(bound, place, text, ""), codes) for text, codes in both]
    print("\nshared words of two titles:", len(forced))
    print("  one code forced   ", _share(forced, lambda pair: pair[0].code in titles and not pair[0].state["analyzer_response"].among and not pair[0].asks))  # fmt: skip
    print("  asked back        ", _share(forced, lambda pair: pair[0].asks))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=OCCUPATIONS)
    parser.add_argument("--data", type=Path, help="keep the workspace in this folder")
    parser.add_argument(
        "--vectors", type=Path, help="look at every code, by vectors kept in this file"
    )
    parser.add_argument("--half", choices=("seen", "unseen", "all"), default="all")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_options()))
