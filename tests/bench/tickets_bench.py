"""How people's own words find the ticket types of the sample company, or another list's codes, offline.

Each row was written by somebody who saw the list and not the product: `clear` has one right code, `ambiguous`
two of which a reply tells the right one, `none` has no code at all; `off` in `tickets/off_list.jsonl` is about
nothing that a company has tickets for. Run it with
`python -m tests.bench.tickets_bench [--list FILE] [--rows FILE] [--show] [--calls]`; with `--calls` beside a scripted model
service, whose calls are counted.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any, Final

from aiohttp import web

from bot.compose import App
from bot.playground.samples import SAMPLE
from masis.adapters.openai_chat import OpenAIChat
from masis.codelists.described import described
from masis.domain import AskedBack, NeedsClarification, Workspace
from masis.graphs.classification.agents import ClassificationContext
from masis.graphs.classification.by_rule import RuleAnalyzer
from masis.graphs.classification.graph import CLASSIFICATION
from masis.graphs.classification.model import ModelAnalyzer, ModelExpander
from masis.graphs.common import AnyBoundGraph
from masis.models.gateway import Backoff
from masis.models.pipeline import guarded
from tests import openai_server as service
from tests.bench.eval_bench import opened
from tests.bench.occupations_bench import TOP, Ended, classify

ROWS: Final = Path(__file__).with_name("tickets") / "seen.jsonl"
TYPES: Final = "ticket-types.csv"
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """A row with what came of it, and of the reply where it was asked back."""

    row: Row
    first: Ended
    then: Ended | None

    @property
    def given(self) -> set[str]:
        """The code that was given at once, or those below the parent that was."""
        return _codes(self.first)


def _codes(ended: Ended) -> set[str]:
    final = ended.state["analyzer_response"]
    if final is None or ended.asks:
        return set()
    return set(final.among) or {final.code}


async def filled(app: App, name: str, codes: bytes) -> Workspace:
    """Return a workspace with the list in it."""
    made = await app.repository.create_workspace(app.owner, "tickets")
    await app.ingest.ingest(made, name, codes)
    found = await app.repository.workspace_by_id(made.id)
    assert found is not None
    return found


async def told(bound: AnyBoundGraph, place: Workspace, row: Row) -> Told:
    """Classify a row, and reply as its writer would."""
    right = row["codes"][0] if row["codes"] else ""
    first = await classify(bound, place, row["say"], right)
    outcome = first.conclusion.outcome
    if not isinstance(outcome, NeedsClarification) or not row["reply"]:
        return Told(row, first, None)
    back = AskedBack(
        question=outcome.clarification_question, options=outcome.options, reply=row["reply"]
    )
    then = await classify(bound, place, row["say"], row["after"][0], [back])
    return Told(row, first, then)


def _share(met: int, of: int) -> str:
    return f"{met:3} of {of:3}  {met / of:.2f}" if of else "  -"


def report(done: Sequence[Told]) -> None:
    """Print the figures, a kind of row at a time."""
    clear = [each for each in done if each.row["kind"] == "clear"]
    open_ = [each for each in done if each.row["kind"] == "ambiguous"]
    none = [each for each in done if each.row["kind"] == "none"]
    print("clear: top-1        ", _share(sum(e.first.right in e.first.ranked[:1] for e in clear), len(clear)))  # fmt: skip
    print("       top-5        ", _share(sum(e.first.right in e.first.ranked[:TOP] for e in clear), len(clear)))  # fmt: skip
    print(
        "       right code   ", _share(sum(e.given == {e.first.right} for e in clear), len(clear))
    )
    print("       … among few  ", _share(sum(len(e.given) > 1 and e.first.right in e.given for e in clear), len(clear)))  # fmt: skip
    print("       asked back   ", _share(sum(e.first.asks for e in clear), len(clear)))
    print("       … and offered", _share(sum(_offers(e.first, e.row["codes"]) for e in clear), sum(e.first.asks for e in clear)))  # fmt: skip
    print("       wrong code   ", _share(sum(bool(e.given) and e.first.right not in e.given for e in clear), len(clear)))  # fmt: skip
    print("ambiguous: asked    ", _share(sum(e.first.asks for e in open_), len(open_)))
    print("       … offered both", _share(sum(_offers(e.first, e.row["codes"]) for e in open_), len(open_)))  # fmt: skip
    print("       given both   ", _share(sum(set(e.row["codes"]) <= e.given for e in open_), len(open_)))  # fmt: skip
    print("       forced one   ", _share(sum(len(e.given) == 1 for e in open_), len(open_)))
    replied = [each for each in open_ if each.then is not None]
    print("       right after the reply", _share(sum(_codes(e.then) == set(e.row["after"]) for e in replied if e.then), len(replied)))  # fmt: skip
    print("       asks once more       ", _share(sum(e.then.asks for e in replied if e.then), len(replied)))  # fmt: skip
    print("none:  forced one   ", _share(sum(bool(e.given) for e in none), len(none)))
    print(f"titles offered at once {_titles(done):.1f}")


def report_off(done: Sequence[Told]) -> None:
    """Print what became of texts that no list of this kind has a code for."""
    for half in ("seen", "fresh"):
        held = [each for each in done if each.row.get("half") == half]
        if held:
            print(f"off, {half:5}: nothing near", _share(sum(_is_lost(each.first) for each in held), len(held)))  # fmt: skip
            print("       codes offered     ", _share(sum(each.first.asks and not _is_lost(each.first) for each in held), len(held)))  # fmt: skip
            print("       a code            ", _share(sum(bool(each.given) for each in held), len(held)))  # fmt: skip


def _is_lost(ended: Ended) -> bool:
    final = ended.state["analyzer_response"]
    return final is not None and final.reason == "nothing_near"


def _titles(done: Sequence[Told]) -> float:
    asked = [each.first.conclusion.outcome for each in done if not _is_lost(each.first)]
    counts = [len(each.options) for each in asked if isinstance(each, NeedsClarification)]
    return sum(counts) / len(counts) if counts else 0.0


def _offers(ended: Ended, codes: Sequence[str]) -> bool:
    final = ended.state["analyzer_response"]
    return ended.asks and final is not None and set(codes) <= set(final.among)


def show(each: Told) -> None:
    """Print what became of a row."""
    final = each.first.state["analyzer_response"]
    assert final is not None
    best = [f"{c.code} {c.score:.1f}" for c in each.first.state["retrieved_results"][:4]]
    print(
        f"{each.row['id']} {each.row['kind'][:5]:5} {','.join(each.row['codes']):10} "
        f"{final.status[:5]} {final.reason:9} {final.code:5} {','.join(final.among):20} "
        f"near {each.first.state['relevance']:.2f} {' '.join(best)} | {each.row['say'][:90]}"
    )
    if each.then is not None:
        said = each.then.state["analyzer_response"]
        assert said is not None
        best = [f"{c.code} {c.score:.1f}" for c in each.then.state["retrieved_results"][:4]]
        print(f"      -> {each.row['after']} {said.status[:5]} {said.code} {said.among} {' '.join(best)} | {each.row['reply'][:80]}")  # fmt: skip


async def _matches(request: web.Request, asked: service.Asked) -> web.StreamResponse:
    """Choose the first candidate, whatever it is."""
    first = {"status": "MATCH_FOUND", "code": asked.data["candidates"][0]["code"], "question": ""}
    more = {"query": ""} if asked.schema == "AnalysisReply" else {}
    return await service.says_json({**first, **more})(request, asked)


async def count_calls(
    context: ClassificationContext, place: Workspace, rows: Sequence[Row]
) -> None:
    """Print how many calls of a model a description takes, and a reply to a question back."""
    said = service.says_json({"query": "", "ambiguities": [], "assumptions": []})
    counted: dict[str, Counter[int]] = {"code": Counter(), "asked back": Counter(), "reply": Counter()}  # fmt: skip
    async with service.OpenAIServer() as server:
        adapter = OpenAIChat(server.endpoints(), timeout=20)
        chat = guarded(adapter, per_minute=100_000, backoff=Backoff(base=0.0))
        server.will("writer", *[said] * (4 * len(rows)))
        server.will("auditor", *[_matches] * (4 * len(rows)))
        agents = replace(context.agents, expander=ModelExpander(chat), analyzer=ModelAnalyzer(chat, RuleAnalyzer()))  # fmt: skip
        bound = CLASSIFICATION.bound(replace(context, agents=agents))
        for row in rows:
            before = len(server.asked)
            first = await classify(bound, place, row["say"], "")
            counted["asked back" if first.asks else "code"][len(server.asked) - before] += 1
            outcome = first.conclusion.outcome
            if isinstance(outcome, NeedsClarification) and row["reply"]:
                back = AskedBack(question=outcome.clarification_question, options=outcome.options, reply=row["reply"])  # fmt: skip
                before = len(server.asked)
                await classify(bound, place, row["say"], "", [back])
                counted["reply"][len(server.asked) - before] += 1
        await adapter.close()
    for what, calls in counted.items():
        print(f"calls, {what:11}", ", ".join(f"{n}: {count} times" for n, count in sorted(calls.items())))  # fmt: skip


async def main(options: argparse.Namespace) -> None:
    """Classify every row, and reply where it was asked back."""
    codes = options.list.read_bytes()
    rows = [json.loads(line) for line in options.rows.read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as app:
            place = await filled(app, options.list.name, codes)
            if options.calls:
                await count_calls(app.classification_context, place, rows)
                return
            bound = CLASSIFICATION.bound(app.classification_context)
            names = await app.code_lists.names(place.id)
            begun = time.perf_counter()
            done = [await told(bound, place, row) for row in rows]
            for each in done if options.show else ():
                show(each)
            report_off(done) if done[0].row["kind"] == "off" else report(done)
            print("asks for a code by its words", _share(sum(described(row["say"], names) is not None for row in rows), len(rows)))  # fmt: skip
            print(f"{(time.perf_counter() - begun) / len(rows):.2f} s a row")


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, default=ROWS)
    with resources.as_file(SAMPLE / "codelists" / TYPES) as types:
        parser.add_argument("--list", type=Path, default=types, help="another list of codes")
    parser.add_argument("--show", action="store_true", help="print what became of each row")
    parser.add_argument("--calls", action="store_true", help="count the calls of a scripted model")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_read_options()))
