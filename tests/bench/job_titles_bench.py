"""How well a job title as people give it finds its code in O*NET's 1,016 occupations, offline.

None of the 300 titles names the official one, each has one code, and nothing was chosen by them. A reply
is truthful: the right title where it is offered, and nothing more where it is not. Run it with
`python -m tests.bench.job_titles_bench [--shared PATH] [--first N] [--kept FILE --data FOLDER]`: what stands in
the file is not asked again, so that a run that was broken off goes on.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from bot.compose import App
from masis.domain import AskedBack, NeedsClarification, Workspace
from masis.graphs.classification.graph import CLASSIFICATION
from masis.graphs.common import AnyBoundGraph
from tests.bench.eval_bench import opened
from tests.bench.occupations_bench import OCCUPATIONS, TOP, Ended, bare, classify
from tests.bench.outcomes import Row, rows, share

MOST_WORDS: Final = 4
MOST_RANKED: Final = 10


async def filled(app: App, shared: Path) -> Workspace:
    """Return the workspace with O*NET's list in it, as it is published."""
    known = await app.repository.workspaces(app.owner)
    if held := next((each for each in known if each.name == "onet"), None):
        return held
    made = await app.repository.create_workspace(app.owner, "onet")
    text = (shared / "onet_occupations.csv").read_bytes()
    result = await app.ingest.ingest(made, "onet_occupations.csv", text)
    if result.status == "refused":
        raise LookupError(result.reason)
    found = await app.repository.workspace_by_id(made.id)
    assert found is not None
    return found


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a title: where its code ranks, what it was given, and what a reply brought."""

    title: str
    right: str
    bare: list[str]
    ranked: list[str]
    asks: bool
    code: str
    is_right: bool
    confidence: float
    was_offered: bool
    is_right_then: bool


async def done(app: App, bound: AnyBoundGraph, place: Workspace, row: Row) -> Done:
    """Classify a title, and choose the right one where it is offered."""
    title, right = row["job_title"], row["label_onet_soc"]
    ended = await classify(bound, place, title, right)
    index = (await app.code_lists.of(place.id))[0]
    then = await _chosen(bound, place, ended, index.titles[right]) if ended.asks else None
    return Done(
        title=title,
        right=right,
        bare=(await bare(app, place, title))[:TOP],
        ranked=ended.ranked[:MOST_RANKED],
        asks=ended.asks,
        code=ended.code,
        is_right=ended.is_right,
        confidence=ended.confidence,
        was_offered=then is not None,
        is_right_then=then is not None and then.is_right,
    )


async def _chosen(bound: AnyBoundGraph, place: Workspace, begun: Ended, title: str) -> Ended | None:
    """Choose the right title; None where it is not offered."""
    outcome = begun.conclusion.outcome
    assert isinstance(outcome, NeedsClarification)
    offered = next((each for each in outcome.options if each.startswith(title)), "")
    if not offered:
        return None
    back = AskedBack(question=outcome.clarification_question, options=outcome.options, reply=offered)  # fmt: skip
    return await classify(bound, place, begun.state["question"].text, begun.right, [back])


def _kept(path: Path | None) -> dict[str, Done]:
    if path is None or not path.exists():
        return {}
    found = [Done(**row) for row in rows(path)]
    return {each.title: each for each in found}


def report(found: Sequence[Done]) -> None:
    """Print the figures."""
    given = [each for each in found if not each.asks]
    asked = [each for each in found if each.asks]
    print(f"titles                {len(found)}")
    print("bare search top-1    ", share(found, lambda each: each.right in each.bare[:1]))
    print("bare search top-5    ", share(found, lambda each: each.right in each.bare))
    for most in (1, TOP, MOST_RANKED):
        print(f"top-{most:<17}", share(found, lambda each, most=most: each.right in each.ranked[:most]))  # type: ignore[misc]  # fmt: skip
    print("asked back           ", share(found, lambda each: each.asks))
    for words in range(1, MOST_WORDS + 1):
        held = [each for each in found if min(len(each.title.split()), MOST_WORDS) == words]
        more = " or more" if words == MOST_WORDS else ""
        print(f"  of {words}{more} words", share(held, lambda each: each.asks))
    print("right of the rest    ", share(given, lambda each: each.is_right))
    print("offered              ", share(asked, lambda each: each.was_offered))
    print("right after the reply", share(asked, lambda each: each.is_right_then))
    promised = sum(each.confidence for each in given) / max(1, len(given))
    print(f"promised of the rest  {promised:.2f}")


async def main(options: argparse.Namespace) -> None:
    """Classify every title that is not kept, and report all."""
    asked = rows(options.shared / "labelled_job_titles.jsonl")[:: options.each][: options.first]
    kept = _kept(options.kept)
    begun, before = time.perf_counter(), len(kept)
    with tempfile.TemporaryDirectory() as folder:
        async with opened(options.data or Path(folder)) as app:
            place = await filled(app, options.shared)
            bound = CLASSIFICATION.bound(app.classification_context)
            for row in asked:
                if row["job_title"] in kept:
                    continue
                one = await done(app, bound, place, row)
                kept[one.title] = one
                if options.kept:
                    with options.kept.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(asdict(one)) + "\n")
                if options.show and not one.is_right:
                    print(f"  {one.title} | {row['label_title']} | asks: {one.asks} | {one.ranked[:3]}")  # fmt: skip
    report([kept[row["job_title"]] for row in asked])
    if new := len(kept) - before:
        print(f"{(time.perf_counter() - begun) / new:.2f} s a title, with putting the list in")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=OCCUPATIONS)
    parser.add_argument("--data", type=Path, help="keep the workspace in this folder")
    parser.add_argument("--show", action="store_true", help="print each miss")
    parser.add_argument("--each", type=int, default=1, help="take every so manieth title")
    parser.add_argument("--first", type=int, help="of these the first so many")
    parser.add_argument(
        "--kept", type=Path, help="write each title's outcome here, and go on with it"
    )
    asyncio.run(main(parser.parse_args()))
