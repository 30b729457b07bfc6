"""How well a job title as people give it finds its code in O*NET's 1,016 occupations, offline.

None of the 300 titles names the official one, each has one code, and nothing was chosen by them. A reply
is truthful: the right title where it is offered, and nothing more where it is not. Run it with
`python -m tests.bench.job_titles_bench --shared PATH`.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from bot.compose import App
from masis.domain import AskedBack, NeedsClarification, Workspace
from masis.graphs.classification.graph import CLASSIFICATION
from masis.graphs.common import AnyBoundGraph
from tests.bench.eval_bench import opened
from tests.bench.occupations_bench import OCCUPATIONS, Ended, bare, calibration, classify, report

MOST_WORDS = 4


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


async def chosen(bound: AnyBoundGraph, place: Workspace, begun: Ended, title: str) -> Ended | None:
    """Choose the right title; None where it is not offered."""
    outcome = begun.conclusion.outcome
    assert isinstance(outcome, NeedsClarification)
    offered = next((each for each in outcome.options if each.startswith(title)), "")
    if not offered:
        return None
    back = AskedBack(question=outcome.clarification_question, options=outcome.options, reply=offered)  # fmt: skip
    return await classify(bound, place, begun.state["question"].text, begun.right, [back])


def by_words(rows: Sequence[Ended]) -> None:
    """Print how many are asked back, by how much a title says."""
    for words in range(1, MOST_WORDS + 1):
        held = [each for each in rows if min(len(each.state["question"].text.split()), MOST_WORDS) == words]  # fmt: skip
        if held:
            asked = sum(each.asks for each in held)
            more = " or more" if words == MOST_WORDS else ""
            print(f"  asked back of {words}{more} words: {asked / len(held):.2f} of {len(held)}")


def show(rows: Sequence[Ended], titles: Mapping[str, str]) -> None:
    """Print what came of each title whose code does not lead."""
    for each in rows:
        if each.right not in each.ranked[:1]:
            at = each.ranked.index(each.right) + 1 if each.right in each.ranked else 0
            said = "asks" if each.asks else f"gives {titles[each.code]} {each.confidence:.2f}"
            best = [titles[code] for code in each.ranked[:3]]
            print(
                f"  {each.state['question'].text} | {titles[each.right]}, at {at} | {said} | {best}"
            )


async def main(options: argparse.Namespace) -> None:
    """Classify every title, and choose where the right one is offered."""
    lines = (options.shared / "labelled_job_titles.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines][:: options.each]
    with tempfile.TemporaryDirectory() as folder:
        async with opened(options.data or Path(folder)) as app:
            place = await filled(app, options.shared)
            bound = CLASSIFICATION.bound(app.classification_context)
            index = (await app.code_lists.of(place.id))[0]
            begun = time.perf_counter()
            ended = [await classify(bound, place, row["job_title"], row["label_onet_soc"]) for row in rows]  # fmt: skip
            print(f"{(time.perf_counter() - begun) / len(rows):.2f} s a title")
            report("job titles", ended, [await bare(app, place, row["job_title"]) for row in rows])
            by_words(ended)
            titles = {code: each.title for code, each in index.codes.by_code.items()}
            if options.show:
                show(ended, titles)
            asked = [each for each in ended if each.asks]
            then = [await chosen(bound, place, each, index.titles[each.right]) for each in asked]
            right = sum(each is not None and each.is_right for each in then)
            print(f"  offered           {sum(each is not None for each in then)} of {len(asked)}")
            print(f"  right after reply {right} of {len(asked)}")
            calibration(ended)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=OCCUPATIONS)
    parser.add_argument("--data", type=Path, help="keep the workspace in this folder")
    parser.add_argument("--show", action="store_true", help="print each miss")
    parser.add_argument("--each", type=int, default=1, help="take every so manieth title")
    asyncio.run(main(parser.parse_args()))
