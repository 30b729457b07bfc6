"""How good the offline agents' answers are: two-fold over seven sets of questions, pooled.

Four of the sets are short questions, as people type them into a chat, and long ones, in which they
tell their case, about the documents of the sample and of the handbook; they were written by people
who had read the documents and no code.
Run it with `make eval`, and with `MASIS_EMBEDDER=multilingual` for that embedder's model. The
confidence model is fitted on one half of the questions (of all sets) and judged on the other by
whole runs of the graph, then the halves change places. The last lines are the coefficients fitted
on all of them, as they stand in `masis/answerability.py`.
"""

import argparse
import asyncio
import json
import os
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from sklearn.linear_model import LogisticRegression

from bot.compose import App, compose
from bot.settings import Settings
from masis import domain, evidence
from masis.answer_reading import likelihood
from masis.answerability import FITTED, STOPPED, Model, Signals, fitted
from masis.assistant import Assistant
from masis.domain import Citation, EvidenceChunk, Workspace
from masis.evaluation import Question, Result, by_kind, cites, contains, evaluate, load, summarise
from masis.graphs.context import Context
from masis.graphs.research.agents import ResearchAgents
from masis.graphs.research.offline import (
    OfflineCritic,
    OfflineEvaluator,
    OfflineSynthesizer,
    Reader,
    WorkspaceLexicon,
    read_signals,
)
from masis.ingest import Source
from masis.policy import COVERAGE_GATE
from tests.bench.drawing import Curve, trade_off

HERE: Final = Path(__file__).parent
SAMPLE: Final = HERE.parents[1] / "bot" / "sample"
SHARED: Final = HERE.parents[2] / "shared" / "data"

TARGETED: Final = ("single", "format")
HELD_BACK: Final = ("unanswerable", "ambiguous")
MARKS: Final = np.linspace(0.05, 0.90, 171)
"""Where the pass mark may lie."""
COST: Final = 1.25
"""Of refusing what can be answered, in terms of answering what cannot; the targets, 10 % and 20 %,
say 2, and a wrong answer under a good badge costs trust."""
SIGNALS: Final = tuple(Signals.model_fields)
MANNERS: Final = ("short", "long")
"""In which people ask; ends the name of a set of such questions."""
SETS: Final = (
    "sample",
    "sample-short",
    "sample-long",
    "handbook",
    "handbook-short",
    "handbook-long",
    "clapnq",
)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents, by the name of the workspace that holds them, and the questions put to them."""

    name: str
    workspace: str
    files: list[tuple[str, bytes]]
    questions: list[Question]


@dataclass(frozen=True, slots=True)
class Observed:
    """The first draft on one question, its signals, and whether it is right.

    `stopped` is where the signals take the gate to be.
    """

    corpus: str
    question: Question
    signals: Signals | None
    right: bool
    stopped: float = STOPPED


# --- the sets ------------------------------------------------------------------------------


def sample() -> Corpus:
    return Corpus("sample", "sample", _folder(SAMPLE / "docs"), _asked_of(SAMPLE))


def handbook() -> Corpus:
    root = SHARED / "demo-workspace"
    return Corpus("handbook", "handbook", _folder(root / "docs"), _asked_of(root))


def asked_otherwise(of: Corpus) -> Iterator[Corpus]:
    """The short and the long questions to the same documents."""
    for manner in MANNERS:
        questions = _questions(HERE / f"{manner}_questions" / f"{of.name}.jsonl")
        yield replace(of, name=f"{of.name}-{manner}", questions=questions)


def _asked_of(root: Path) -> list[Question]:
    return _questions(root / "questions.jsonl")


def clapnq(most: int) -> Corpus:
    root = SHARED / "clapnq-dev"
    passages = [json.loads(line) for line in (root / "passages.jsonl").open(encoding="utf-8")]
    files = [(f"{p['doc_id']}.md", f"# {p['title']}\n\n{p['text']}\n".encode()) for p in passages]
    rows = [json.loads(line) for line in (root / "questions.jsonl").open(encoding="utf-8")]
    answerable = [row for row in rows if row["answerable"]][: most // 2]
    other = [row for row in rows if not row["answerable"]][: most // 2]
    return Corpus("clapnq", "clapnq", files, [_clapnq(row) for row in [*answerable, *other]])


def _clapnq(row: dict[str, object]) -> Question:
    gold = [{"doc": f"{row['gold_doc_id']}.md"}] if row["answerable"] else []
    return Question.model_validate(
        {
            "id": row["id"],
            "question": row["question"],
            "kind": "single" if row["answerable"] else "unanswerable",
            "answerable": row["answerable"],
            "gold": gold,
        }
    )


def _folder(root: Path) -> list[tuple[str, bytes]]:
    return [
        (str(path.relative_to(root)), path.read_bytes())
        for path in sorted(root.rglob("*"))
        if path.is_file()
    ]


def _questions(path: Path) -> list[Question]:
    return load(path.read_text(encoding="utf-8"), path.name)


# --- observing -----------------------------------------------------------------------------


async def fill(app: App, corpus: Corpus) -> Workspace:
    """The corpus as a workspace; nothing is done where it is there already."""
    workspace = await app.repository.create_workspace(app.owner, corpus.workspace)

    sources = [Source(name, partial(bytes, content)) for name, content in corpus.files]
    async for result in app.ingest.ingest_many(workspace, sources):
        if result.status == "refused":
            print(f"  refused {result.name}: {result.reason}")
    filled = await app.repository.workspace_by_id(workspace.id)
    assert filled is not None
    print(f"{corpus.name}: {filled.documents} documents, {filled.chunks} chunks")
    return filled


def _in_use(app: App) -> Model:
    """The model whose scale the signals are read on."""
    return fitted(app.embedder.profile if app.embedder else None)


def _reader(app: App) -> Reader:
    return Reader(WorkspaceLexicon(app.repository), app.sentences)


async def observe(app: App, workspace: Workspace, corpus: Corpus) -> list[Observed]:
    """One pass on each question."""
    return [await _observed(app, workspace, corpus.name, q) for q in corpus.questions]


async def _observed(app: App, workspace: Workspace, name: str, question: Question) -> Observed:
    found = await app.retrieval.search(workspace.id, question.question, limit=10)
    floor = evidence.nearest_floor(found.candidates)
    threshold = app.policy.threshold(0)
    kept, _ = evidence.gate(found.candidates, threshold, COVERAGE_GATE, floor)
    if not kept:
        return Observed(name, question, None, right=False)
    reader, stopped = _reader(app), _in_use(app).stopped
    draft = await OfflineSynthesizer(reader).draft(
        domain.Question.plain(question.question), kept, None
    )
    reading = await reader.read(question.question, kept)
    read = await likelihood(app.answer_reader, question.question, kept)
    signals = read_signals(question.question, reading, _in_use(app), read)
    right = _is_right(question, draft.text, kept)
    return Observed(name, question, signals, right, stopped)


def _is_right(question: Question, text: str, kept: Sequence[EvidenceChunk]) -> bool:
    if not question.answerable:
        return False
    if question.must_include:
        return contains(text, question.must_include)
    cited = [_citation(chunk) for chunk in kept if f"[{chunk.chunk_id}]" in text]
    return cites(cited, question.gold)


def _citation(chunk: EvidenceChunk) -> Citation:
    values = chunk.model_dump(include=set(Citation.model_fields) - {"n"})
    return Citation.model_validate({**values, "n": 1})


# --- fitting -------------------------------------------------------------------------------


def fit(observed: Sequence[Observed]) -> Model:
    """A regression on whether the question is answerable here, and its marks.

    In each set both answers weigh the same. At the pass mark `COST` times the share of answerable
    questions that is refused equals the share of the others that passes: that uses all of them,
    where the mark that holds back a certain share hangs on one or two of fifteen. The High mark lies
    half way from there to certainty.
    """
    rows = [o for o in observed if o.signals is not None and _teaches(o)]
    values = np.array([[getattr(o.signals, name) for name in SIGNALS] for o in rows])
    labels = np.array([bool(o.question.answerable) for o in rows])
    groups = [(o.corpus, bool(o.question.answerable)) for o in rows]
    weights = np.array([1.0 / groups.count(group) for group in groups]) * len(rows)
    regression = LogisticRegression(C=1.0, max_iter=1000).fit(values, labels, weights)
    model = Model(
        intercept=round(float(regression.intercept_[0]), 3),
        coefficients={
            name: round(float(value), 3)
            for name, value in zip(SIGNALS, regression.coef_[0], strict=True)
        },
        passing=0.5,
        high=0.75,
        stopped=rows[0].stopped,
    )
    passing = _pass_mark(model, [o for o in observed if o.corpus != "clapnq"])
    return model.model_copy(
        update={"passing": passing, "high": round(passing + (1 - passing) * 0.5, 3)}
    )


def _teaches(o: Observed) -> bool:
    return o.question.kind in {*TARGETED, *HELD_BACK}


def _pass_mark(model: Model, observed: Sequence[Observed]) -> float:
    """Where both errors weigh alike; in the middle where several marks do equally well."""
    known = [
        (model.probability(o.signals) if o.signals else 0.0, bool(o.question.answerable))
        for o in observed
        if _teaches(o)
    ]
    good = np.array([p for p, yes in known if yes])
    bad = np.array([p for p, yes in known if not yes])
    apart = [abs(COST * (good < mark).mean() - (bad >= mark).mean()) for mark in MARKS]
    return round(float(MARKS[np.isclose(apart, min(apart))].mean()), 3)


def halves(items: Sequence[Observed]) -> Iterator[tuple[list[Observed], list[Observed]]]:
    """Each half with the other one; every second question of each kind."""
    ordered = sorted(items, key=lambda o: (o.corpus, o.question.kind, o.question.id))
    yield ordered[0::2], ordered[1::2]
    yield ordered[1::2], ordered[0::2]


def assistant(app: App, model: Model) -> Assistant:
    """The real assistant with offline agents that use this confidence model."""
    reader = _reader(app)
    agents = ResearchAgents(
        researcher=app.retrieval,
        synthesizer=OfflineSynthesizer(reader),
        critic=OfflineCritic(reader, model, app.answer_reader),
        evaluator=OfflineEvaluator(reader),
        extractive=True,
        wordings=app.wordings,
    )
    return Assistant(repository=app.repository, context=Context(agents=agents, policy=app.policy))


# --- reporting -----------------------------------------------------------------------------


def report(title: str, results: Sequence[Result]) -> None:
    """The shares, the targeted kinds together and every kind alone."""
    targeted = [r for r in results if r.kind in {*TARGETED, *HELD_BACK}]
    summary = summarise(targeted)
    print(f"\n{title}: {len(results)} questions")
    if any(r.contained is not None for r in targeted):
        print(f"  contained        {summary.contained}   (target 85 %)")
    print(f"  cites gold       {summary.cites_gold}   (target 95 %)")
    print(f"  held back        {summary.held_back}   (target 80 %)")
    print(f"  false refusals   {summary.false_refusals}   (target at most 10 %)")
    for kind, members in by_kind(results).items():
        told = summarise(members)
        answered = sum(r.answered for r in members)
        asked_back = sum(r.clarification == "conflict" for r in members)
        print(
            f"    {kind:13} {len(members):3}: answered {answered}, of which contained "
            f"{told.contained.hits} and gold {told.cites_gold.hits}; conflict asked {asked_back}"
        )


def held_out(observed: Sequence[Observed], corpus: str) -> list[tuple[float, bool]]:
    """Each targeted question's probability by the other half's model, and whether it has an answer."""
    return [
        (half.probability(o.signals) if o.signals else 0.0, bool(o.question.answerable))
        for learn, hold in halves(observed)
        for half in [fit(learn)]
        for o in hold
        if o.corpus == corpus and _teaches(o)
    ]


def draw(observed: Sequence[Observed], model: Model, path: Path) -> None:
    """The trade-off on CLAPNQ as the mark moves, each question scored by the other half's model.

    The dot is where the pass mark of `model` lies.
    """
    known = held_out(observed, "clapnq")
    marks = np.linspace(0, 1, 201)
    curve = Curve(
        label="offline confidence (held-out halves)",
        passed=[float(np.mean([p >= mark for p, yes in known if yes])) for mark in marks],
        stopped=[float(np.mean([p < mark for p, yes in known if not yes])) for mark in marks],
        chosen=int(np.argmin(abs(marks - model.passing))),
    )
    trade_off(
        [curve],
        path,
        title="CLAPNQ dev: near-miss unanswerable questions",
        axes=("answerable questions answered", "unanswerable questions held back"),
        dot="chosen pass mark",
    )


def auroc(known: Sequence[tuple[float, bool]]) -> float:
    """How often an answerable question scores above an unanswerable one; ties count half."""
    good = np.array([p for p, yes in known if yes])
    bad = np.array([p for p, yes in known if not yes])
    wins = (good[:, None] > bad[None, :]).mean() + 0.5 * (good[:, None] == bad[None, :]).mean()
    return float(wins)


async def main(options: argparse.Namespace) -> None:
    corpora = [c for c in _corpora(options) if c.name in options.sets]
    async with opened(options.data) as app:
        places = {corpus.name: await fill(app, corpus) for corpus in corpora}
        observed = [o for c in corpora for o in await observe(app, places[c.name], c)]
        if not options.quick:
            await two_fold(app, places, observed, show=options.show)
        whole = fit(observed)
        print("\nfirst drafts, held out: answerable against the rest (floor on clapnq: 0.72)")
        for corpus in corpora:
            drafts = [o for o in observed if o.corpus == corpus.name]
            right = sum(o.right for o in drafts if o.question.kind in TARGETED)
            of = sum(bool(o.question.answerable) and o.question.kind in TARGETED for o in drafts)
            area = auroc(held_out(observed, corpus.name))
            print(f"  {corpus.name}: AUROC {area:.3f}, right {right} of {of}")
        if "clapnq" in places and _in_use(app) is FITTED:
            draw(observed, whole, HERE / "clapnq_tradeoff.png")
        print("\nfitted on all:", json.dumps(whole.model_dump(), indent=2))


async def two_fold(
    app: App, places: dict[str, Workspace], observed: Sequence[Observed], *, show: bool
) -> None:
    """Fit on one half, run the whole graph on the other."""
    pooled: dict[str, list[Result]] = {name: [] for name in places}
    for learn, hold in halves(observed):
        model = fit(learn)
        bot = assistant(app, model)
        for name, place in places.items():
            asked = [o.question for o in hold if o.corpus == name]
            pooled[name] += await evaluate(bot, place, asked, _shown if show else None)
    for name, results in pooled.items():
        report(f"{name}, two-fold", results)
    own = {name: results for name, results in pooled.items() if name != "clapnq"}
    report("pooled", [r for name, rs in own.items() for r in rs if not name.endswith(MANNERS)])
    for manner in MANNERS:
        report(
            f"pooled, {manner}",
            [r for name, rs in own.items() for r in rs if name.endswith(manner)],
        )


def _shown(result: Result) -> None:
    print(
        f"\n--- {result.id} {result.kind} · {result.level} {result.confidence:.2f} · "
        f"{result.clarification or result.status} · contained {result.contained} "
        f"· gold {result.cites_gold}\n{result.answer}"
    )


def _corpora(options: argparse.Namespace) -> Iterator[Corpus]:
    yield from (sample(), *asked_otherwise(sample()))
    if SHARED.is_dir():
        yield from (handbook(), *asked_otherwise(handbook()))
        yield clapnq(options.clapnq)
    else:
        print("handbook and clapnq are skipped: the development data is not beside the checkout")


@asynccontextmanager
async def opened(folder: Path | None) -> AsyncIterator[App]:
    """The application on a folder that is kept, or on one that goes away."""
    os.environ["MASIS_AGENTS"] = "offline"
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["MASIS_DATA_DIR"] = str(folder or temporary)
        async with compose(Settings()) as app:
            yield app


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--clapnq", type=int, default=200, help="how many of its 600 questions")
    parser.add_argument("--data", type=Path, help="keep the indexed documents here")
    parser.add_argument("--quick", action="store_true", help="fit only, one pass a question")
    parser.add_argument("--show", action="store_true", help="print every answer")
    options = parser.parse_args()
    options.sets = options.sets.split(",")
    return options


if __name__ == "__main__":
    asyncio.run(main(_options()))
