"""How good the offline agents' answers are: two-fold over seven sets of questions, pooled.

Four of the sets are short questions, as people type them into a chat, and long ones, in which they
tell their case, about the documents of the sample and of the handbook; they were written by people
who had read the documents and no code. The confidence learns from the plain questions as well, all of which
have been looked at by now (`plain_bench.py`).
Run it with `make eval`, and with `MASIS_EMBEDDER=multilingual` for that embedder's model. The
confidence model is fitted on one half of the questions (of all sets) and judged on the other by
whole runs of the graph, then the halves change places. By manner and by place it is judged on each
place with the model of all the others: that is what a new user's documents are. The last lines are the
coefficients fitted on all questions, as they stand in `masis/extractive/answerability.py`.

To fit anew after search or signals have changed: `python -m tests.bench.eval_bench --quick --write`.
"""

import argparse
import asyncio
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from pydantic import TypeAdapter

from bot.compose import App, compose
from bot.evaluation.evaluation import (
    Gold,
    Question,
    Result,
    by_kind,
    cites,
    contains,
    evaluate,
    load,
    summarise,
)
from bot.settings import Settings
from masis.assistant import Assistant
from masis.documents.ingestion import Source
from masis.domain import Answered, AnyOutcome, EvidenceChunk, NeedsClarification, Workspace
from masis.domain import Question as AskedQuestion
from masis.extractive import answerability
from masis.extractive.answerability import (
    FITTED,
    OTHERS,
    STATED,
    STOPPED,
    Marks,
    Model,
    Signals,
    fitted,
)
from masis.extractive.manner import Manner, manner
from masis.graphs.common import Context
from masis.graphs.research.graph import RESEARCH
from masis.graphs.research.offline import OfflineCritic, Reader, Reading, WorkspaceLexicon
from tests.bench import plain_questions
from tests.bench.drawing import Curve, trade_off
from tests.bench.plain_questions import HALVES

HERE: Final = Path(__file__).parent
SAMPLE: Final = HERE.parents[1] / "bot" / "playground" / "sample"
SHARED: Final = HERE.parents[2] / "shared" / "data"

TARGETED: Final = ("single", "format")
HELD_BACK: Final = ("unanswerable", "ambiguous")
PASSING: Final[Mapping[Manner, float]] = {
    "chat": 0.15,
    "brief": 0.20,
    "sentence": 0.35,
    "told": 0.20,
}
"""The share of the questions without an answer that may come back High or Medium on places held out, by
the manner of writing. The target on questions never seen is a fifth; further passes and chance come on
top. Most sentences that come so near were written as near misses; of the others one in seven passes."""
HIGH: Final = 0.03
"""The share of them that may come back High."""
LEAST_HIGH: Final[Mapping[Manner, float]] = {"brief": 0.702, "sentence": 0.773, "told": 0.899}
"""High marks that a fit may raise and not lower: those of the fit before. Some fifteen questions
without an answer in each of these manners say too little of three in a hundred."""
LEAST_ABSENT: Final = 10
"""Questions without an answer that a manner must have for marks of its own."""
LEAST_LEAD: Final = 0.001
"""Of a mark above the first that may not pass, at the precision that marks have."""
AGAINST: Final = frozenset({"rivals", "absent", "brief"})
"""What can only speak against an answer; all others but those of how it is asked can only speak for one."""
EITHER: Final = frozenset({"length", "written"})
STRENGTH: Final = 1.0
"""Of the regression's regularisation; from 0.3 to 10 little changes."""
BINS: Final = 10
"""Of the probability, each a tenth wide, for its calibration."""
RETRIES: Final = 1
"""A second one looks at the same candidates."""
BY_HAND: Final[Mapping[str, float]] = {"others": OTHERS, "stated": STATED}
"""Weights that are not fitted; where they are set is why."""
SIGNALS: Final = tuple(name for name in Signals.model_fields if name not in {*BY_HAND, "manner"})
"""Those that are fitted; the manner chooses the marks."""
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
    "plain",
)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents, by the name of the workspace that holds them, and the questions put to them.

    `manners` are those of questions that are asked in several, by their ids.
    """

    name: str
    workspace: str
    files: list[tuple[str, bytes]]
    questions: list[Question]
    manners: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Observed:
    """A question, the signals of each pass over it, and whether its draft is right.

    `stopped` is where the signals take the gate to be.
    """

    corpus: str
    place: str
    manner: str
    question: Question
    passes: tuple[Signals, ...]
    right: bool
    stopped: float = STOPPED

    @property
    def answerable(self) -> bool:
        """Return whether the documents answer it."""
        return bool(self.question.answerable)

    @property
    def written(self) -> Manner:
        """Return in which manner it is written, which chooses the marks."""
        return manner(self.question.question)

    def marks(self, model: Model) -> Marks:
        """Return those of its manner."""
        return model.manners.get(self.written, model)

    def probability(self, model: Model) -> float:
        """Return that of the pass which counts: a run goes on until one passes."""
        return max(map(model.probability, self.passes), default=0.0)


_OBSERVED: Final = TypeAdapter(list[Observed])


# --- the sets ------------------------------------------------------------------------------


def sample() -> Corpus:
    return Corpus("sample", "sample", _folder(SAMPLE / "docs"), _asked_of(SAMPLE))


def handbook() -> Corpus:
    root = SHARED / "demo-workspace"
    return Corpus("handbook", "handbook", _folder(root / "docs"), _asked_of(root))


def asked_otherwise(of: Corpus) -> Iterator[Corpus]:
    """The short and the long questions to the same documents."""
    for name in MANNERS:
        questions = _questions(HERE / f"{name}_questions" / f"{of.name}.jsonl")
        yield replace(of, name=f"{of.name}-{name}", questions=questions)


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


def plain() -> Iterator[Corpus]:
    """The plain questions, by place."""
    for name, folder in plain_questions.FOLDERS.items():
        if folder.is_dir():
            rows = [row for half in HALVES for row in plain_questions.questions(half, [name])]
            asked = [_plain(row) for row in rows]
            manners = {row["id"]: row["manner"] for row in rows}
            yield Corpus(f"plain-{name}", name, _folder(folder), asked, manners)


def _plain(row: plain_questions.Row) -> Question:
    return Question(
        id=row["id"],
        question=row["question"],
        kind="single" if row["answerable"] else "unanswerable",
        answerable=row["answerable"],
        must_include=row["must_show"],
        gold=[Gold(doc=name) for name in row["doc"]],
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


class Recording(OfflineCritic):
    """Notes the signals of every pass, and takes each for too weak, so that all passes are made."""

    def __init__(self, app: App) -> None:
        nothing = Model(intercept=-30.0, coefficients={}, passing=0.98, high=0.99)
        model = nothing.model_copy(update={"stopped": _in_use(app).stopped})
        super().__init__(_reader(app), model, app.answer_reader, app.context.agents.vocabulary)
        self.noted: list[Signals] = []

    async def signals(
        self, question: AskedQuestion, evidence: Sequence[EvidenceChunk], reading: Reading
    ) -> Signals | None:
        """Read the signals, and note them."""
        found = await super().signals(question, evidence, reading)
        self.noted += [found] if found else []
        return found


async def observe(app: App, workspace: Workspace, corpus: Corpus) -> list[Observed]:
    """One run on each question, with all its passes; not those that are answered as a whole."""
    found = [await _observed(app, workspace, corpus, q) for q in corpus.questions]
    return [each for each in found if each is not None]


async def _observed(
    app: App, workspace: Workspace, corpus: Corpus, question: Question
) -> Observed | None:
    critic = Recording(app)
    asked = question.question
    run = await _assistant(app, critic).ask(workspace, asked, max_retries=RETRIES)
    if isinstance(run.outcome, Answered) and not critic.noted:
        return None
    return Observed(
        corpus=corpus.name,
        place=corpus.workspace,
        manner=corpus.manners.get(question.id) or _manner(corpus.name),
        question=question,
        passes=tuple(critic.noted),
        right=_is_right(question, run.outcome),
        stopped=_in_use(app).stopped,
    )


def _manner(corpus: str) -> str:
    """The manner of a whole set, by its name."""
    return next((each for each in (*MANNERS, "clapnq") if corpus.endswith(each)), "sentence")


def _is_right(question: Question, outcome: AnyOutcome) -> bool:
    if not question.answerable or not isinstance(outcome, Answered | NeedsClarification):
        return False
    if question.must_include:
        return contains(outcome.answer, question.must_include)
    return cites(outcome.citations, question.gold)


# --- fitting -------------------------------------------------------------------------------


def fit(observed: Sequence[Observed]) -> Model:
    """A regression on whether the question is answerable here, its marks left at halves.

    In each manner of asking both answers weigh the same, and each manner as much as every other.
    """
    rows = [o for o in observed if o.passes and _teaches(o)]
    values = np.array([[getattr(o.passes[0], name) for name in SIGNALS] for o in rows])
    labels = np.array([o.answerable for o in rows])
    counts = Counter((o.manner, o.answerable) for o in rows)
    weights = np.array([1.0 / counts[o.manner, o.answerable] for o in rows])
    intercept, slopes = _regression(values, labels, weights * len(rows) / weights.sum())
    return Model(
        intercept=round(intercept, 3),
        coefficients={
            **{name: round(slopes.get(name, 0.0), 3) for name in SIGNALS},
            **BY_HAND,
        },
        passing=0.5,
        high=0.75,
        stopped=rows[0].stopped,
    )


def _regression(
    values: np.ndarray, labels: np.ndarray, weights: np.ndarray
) -> tuple[float, dict[str, float]]:
    """Logistic, with ridge; a signal that would weigh against its sense is left out."""
    # Every process of the tests imports this file: a second and a half that none of them needs.
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    kept = list(SIGNALS)
    while True:
        columns = [SIGNALS.index(name) for name in kept]
        model = LogisticRegression(C=STRENGTH, max_iter=1000)
        found = model.fit(values[:, columns], labels, weights)
        slopes = {name: float(value) for name, value in zip(kept, found.coef_[0], strict=True)}
        wrong = {name: abs(slopes[name]) for name in kept if _is_wrong(name, slopes[name])}
        if not wrong:
            return float(found.intercept_[0]), slopes
        kept.remove(max(wrong, key=wrong.__getitem__))


def _is_wrong(name: str, slope: float) -> bool:
    if name in EITHER:
        return False
    return slope > 0 if name in AGAINST else slope < 0


def with_marks(model: Model, judged: Sequence["Judged"]) -> Model:
    """The model with the marks that let pass as many questions without an answer as may.

    CLAPNQ's do not count here, whose subjects are no workplace's, nor do ambiguous ones: what they ask
    for stands in the documents, more than once. A manner with too few questions has the marks of a chat.
    """
    absent = [each for each in judged if not each.of.answerable and _marks(each.of)]
    by_manner = {name: [o for o in absent if o.of.written == name] for name in PASSING}
    found = {
        name: Marks(
            passing=_mark(members, PASSING[name]),
            high=max(_mark(members, HIGH), LEAST_HIGH.get(name, 0.0)),
        )
        for name, members in by_manner.items()
        if len(members) >= LEAST_ABSENT
    }
    chat = found.pop("chat", None) or Marks(
        passing=_mark(absent, PASSING["chat"]), high=_mark(absent, HIGH)
    )
    return model.model_copy(update={"passing": chat.passing, "high": chat.high, "manners": found})


def _marks(o: Observed) -> bool:
    return o.corpus != "clapnq" and o.question.kind != "ambiguous"


def _mark(absent: Sequence["Judged"], share: float) -> float:
    """Half way between the last probability that may pass and the first that may not.

    Of few questions none may pass; then the mark lies just above the first.
    """
    ordered = sorted((each.probability for each in absent), reverse=True)
    passing = int(share * len(ordered))
    if passing >= len(ordered):
        raise ValueError("all may pass")
    last = ordered[passing - 1] if passing else ordered[0]
    return round((last + ordered[passing]) / 2 + LEAST_LEAD, 3)


def _teaches(o: Observed) -> bool:
    return o.question.kind in {*TARGETED, *HELD_BACK}


def _is_plain(o: Observed) -> bool:
    return o.corpus.startswith("plain")


def halves(items: Sequence[Observed]) -> Iterator[tuple[list[Observed], list[Observed]]]:
    """Each half with the other one; every second question of each kind."""
    ordered = sorted(items, key=lambda o: (o.corpus, o.question.kind, o.question.id))
    yield ordered[0::2], ordered[1::2]
    yield ordered[1::2], ordered[0::2]


def assistant(app: App, model: Model) -> Assistant:
    """The real assistant with offline agents that use this confidence model."""
    vocabulary = app.context.agents.vocabulary
    return _assistant(app, OfflineCritic(_reader(app), model, app.answer_reader, vocabulary))


def _assistant(app: App, critic: OfflineCritic) -> Assistant:
    agents = replace(app.context.agents, critic=critic)
    graphs = {RESEARCH.name: RESEARCH.bound(Context(agents=agents, policy=app.policy))}
    return Assistant(repository=app.repository, graphs=graphs)


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


@dataclass(frozen=True, slots=True)
class Judged:
    """A targeted question with its probability by the model of all other places."""

    of: Observed
    probability: float

    def passes(self, model: Model) -> bool:
        """Return whether it is High or Medium by the marks of its manner."""
        return self.probability >= self.of.marks(model).passing

    def is_high(self, model: Model) -> bool:
        """Return whether it is High."""
        return self.probability >= self.of.marks(model).high


def held_out(observed: Sequence[Observed]) -> list[Judged]:
    """Each targeted question, judged by a model that has seen nothing of its place."""
    return [
        Judged(o, o.probability(model))
        for learn, hold in _folds(observed)
        for model in [fit(learn)]
        for o in hold
        if _teaches(o)
    ]


def _folds(observed: Sequence[Observed]) -> Iterator[tuple[list[Observed], list[Observed]]]:
    """Each place's questions with those of all others; halves where there is one place."""
    places = sorted({o.place for o in observed})
    if len(places) == 1:
        yield from halves(observed)
        return
    for place in places:
        yield [o for o in observed if o.place != place], [o for o in observed if o.place == place]


def draw(judged: Sequence[Judged], model: Model, path: Path, title: str) -> None:
    """The trade-off as the mark moves; the dots are where the marks of `model` lie."""
    marks = np.linspace(0, 1, 201)
    there, absent = (
        np.array([each.probability for each in judged if each.of.answerable is yes])
        for yes in (True, False)
    )
    curve = Curve(
        label="offline confidence (held-out places)",
        passed=[float((there >= mark).mean()) for mark in marks],
        stopped=[float((absent < mark).mean()) for mark in marks],
        chosen=int(np.argmin(abs(marks - model.passing))),
        also=(int(np.argmin(abs(marks - model.high))),),
    )
    trade_off(
        [curve],
        path,
        title=title,
        axes=("answerable questions answered", "unanswerable questions held back"),
        dot="pass mark and High mark",
    )


def table(judged: Sequence[Judged], model: Model, key: Callable[[Observed], str]) -> None:
    """Print what passes the marks, group by group."""
    for name in sorted({key(each.of) for each in judged}):
        print(_line(name, [each for each in judged if key(each.of) == name], model))


def _line(name: str, judged: Sequence[Judged], model: Model) -> str:
    there = [each for each in judged if each.of.answerable]
    absent = [each for each in judged if not each.of.answerable]
    figures = (
        _share(there, lambda each: each.passes(model)),
        _share(there, lambda each: each.passes(model) and each.of.right),
        _share(there, lambda each: each.is_high(model)),
        _share(absent, lambda each: each.passes(model)),
        _share(absent, lambda each: each.is_high(model)),
    )
    known = [(each.probability, each.of.answerable) for each in judged]
    told = "  ".join(f"{figure:>6}" for figure in figures)
    return f"  {name:16}{len(there):4}{len(absent):5}  {told}   {auroc(known):.3f}"


def _share(judged: Sequence[Judged], test: Callable[[Judged], bool]) -> str:
    return f"{100 * sum(map(test, judged)) / len(judged):.0f} %" if judged else "-"


def auroc(known: Sequence[tuple[float, bool]]) -> float:
    """How often an answerable question scores above an unanswerable one; ties count half."""
    good = np.array([p for p, yes in known if yes])
    bad = np.array([p for p, yes in known if not yes])
    wins = (good[:, None] > bad[None, :]).mean() + 0.5 * (good[:, None] == bad[None, :]).mean()
    return float(wins)


def report_held_out(judged: Sequence[Judged], model: Model) -> None:
    """Print what passes the marks of the questions of places that the model has not seen."""
    print(
        "\nplaces held out: questions with and without an answer; of those with one High or Medium,"
    )
    print("  that and right, High; of those without High or Medium, High; AUROC (clapnq: 0.72)")
    plain_ones = [each for each in judged if _is_plain(each.of)]
    if plain_ones:
        print(_line("all plain", plain_ones, model))
        table(plain_ones, model, lambda o: o.manner)
        table(plain_ones, model, lambda o: o.place)
    table([each for each in judged if not _is_plain(each.of)], model, lambda o: o.corpus)


def report_badges(judged: Sequence[Judged], model: Model) -> None:
    """Print of each manner of writing how many come back High and Medium, and how many of these are right."""
    print("\nby badge, places held out: High, of these right; Medium, of these right")
    print(f"  {'all':16}{_badges(judged, model)}")
    for name in PASSING:
        print(f"  {name:16}{_badges([j for j in judged if j.of.written == name], model)}")
    print(f"  expected calibration error of the probability {calibration_error(judged):.3f}")


def _badges(members: Sequence[Judged], model: Model) -> str:
    high = [j for j in members if j.is_high(model)]
    medium = [j for j in members if j.passes(model) and not j.is_high(model)]
    return "  ".join(f"{len(ones):4} {_share(ones, _is_right_one):>5}" for ones in (high, medium))


def _is_right_one(judged: Judged) -> bool:
    return judged.of.right


def calibration_error(judged: Sequence[Judged]) -> float:
    """How far the probability lies from the answerable share, in the mean over ten bins.

    Both answers weigh the same in each manner of asking, as they did in the fit.
    """
    counts = Counter((j.of.manner, j.of.answerable) for j in judged)
    weights = np.array([1.0 / counts[j.of.manner, j.of.answerable] for j in judged])
    said = np.array([j.probability for j in judged])
    found = np.array([j.of.answerable for j in judged])
    bins = np.minimum((said * BINS).astype(int), BINS - 1)
    off = [
        abs((weights[bins == one] * (said - found)[bins == one]).sum()) for one in np.unique(bins)
    ]
    return float(sum(off) / weights.sum())


async def main(options: argparse.Namespace) -> None:
    corpora = [c for c in _corpora(options) if _set(c.name) in options.sets]
    async with opened(options.data) as app:
        if options.observed and options.observed.is_file():
            observed = _OBSERVED.validate_json(options.observed.read_bytes())
        else:
            observed = await _observed_all(app, corpora, options)
        conclude(observed, _in_use(app), options)


async def _observed_all(
    app: App, corpora: Sequence[Corpus], options: argparse.Namespace
) -> list[Observed]:
    places = {corpus.name: await fill(app, corpus) for corpus in corpora}
    observed = [o for c in corpora for o in await observe(app, places[c.name], c)]
    if options.observed:
        options.observed.write_bytes(_OBSERVED.dump_json(observed))
    if not options.quick:
        await two_fold(app, places, observed, show=options.show)
    return observed


def conclude(observed: Sequence[Observed], in_use: Model, options: argparse.Namespace) -> None:
    """Fit on all questions, and report on each place by the model of the others."""
    judged = held_out(observed)
    whole = with_marks(fit(observed), judged)
    report_held_out(judged, whole)
    report_badges(judged, whole)
    if in_use is FITTED:
        draw_all(judged, whole)
    print("\nfitted on all:", json.dumps(whole.model_dump(), indent=2))
    if options.write:
        write(whole)


def draw_all(judged: Sequence[Judged], model: Model) -> None:
    """Draw the curves of the plain questions and of CLAPNQ's, where there are any."""
    plain_ones = [each for each in judged if _is_plain(each.of)]
    near = [each for each in judged if each.of.corpus == "clapnq"]
    if plain_ones:
        draw(plain_ones, model, HERE / "plain_tradeoff.png", "Plain questions of five workspaces")
    if near:
        title = "CLAPNQ dev: near-miss unanswerable questions"
        draw(near, model, HERE / "clapnq_tradeoff.png", title)


def write(model: Model) -> None:
    """Put the coefficients and marks into the module that uses them."""
    path = Path(answerability.__file__)
    lines = [f'        "{name}": {value:.3f},' for name, value in model.coefficients.items()]
    block = [
        "FITTED: Final = Model(",
        f"    intercept={model.intercept:.3f},",
        "    coefficients={",
        *lines,
        "    },",
        f"    passing={model.passing:.3f},",
        f"    high={model.high:.3f},",
        "    manners={",
        *(
            f'        "{name}": Marks(passing={its.passing:.3f}, high={its.high:.3f}),'
            for name, its in model.manners.items()
        ),
        "    },",
        ")",
    ]
    text = path.read_text(encoding="utf-8")
    block_now = re.compile(r"^FITTED: Final = Model\(\n.*?^\)$", re.MULTILINE | re.DOTALL)
    changed, count = block_now.subn("\n".join(block), text)
    assert count == 1, count
    path.write_text(changed, encoding="utf-8")


async def two_fold(
    app: App, places: dict[str, Workspace], observed: Sequence[Observed], *, show: bool
) -> None:
    """Fit on one half, run the whole graph on the other."""
    own = {name: place for name, place in places.items() if not name.startswith("plain")}
    pooled: dict[str, list[Result]] = {name: [] for name in own}
    for learn, hold in halves(observed):
        model = with_marks(fit(learn), held_out(learn))
        bot = assistant(app, model)
        for name, place in own.items():
            asked = [o.question for o in hold if o.corpus == name]
            pooled[name] += await evaluate(bot, place, asked, _shown if show else None)
    for name, results in pooled.items():
        report(f"{name}, two-fold", results)
    ours = {name: results for name, results in pooled.items() if name != "clapnq"}
    report("pooled", [r for name, rs in ours.items() for r in rs if not name.endswith(MANNERS)])
    for each in MANNERS:
        report(
            f"pooled, {each}",
            [r for name, rs in ours.items() for r in rs if name.endswith(each)],
        )


def _shown(result: Result) -> None:
    print(
        f"\n--- {result.id} {result.kind} · {result.level} {result.confidence:.2f} · "
        f"{result.clarification or result.status} · contained {result.contained} "
        f"· gold {result.cites_gold}\n{result.answer}"
    )


def _set(name: str) -> str:
    return "plain" if name.startswith("plain") else name


def _corpora(options: argparse.Namespace) -> Iterator[Corpus]:
    yield from (sample(), *asked_otherwise(sample()))
    if SHARED.is_dir():
        yield from (handbook(), *asked_otherwise(handbook()))
        yield clapnq(options.clapnq)
    else:
        print("handbook and clapnq are skipped: the development data is not beside the checkout")
    yield from plain()


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
    parser.add_argument("--observed", type=Path, help="keep the signals here, or fit on those kept")
    parser.add_argument("--write", action="store_true", help="put the fit into answerability.py")
    options = parser.parse_args()
    options.sets = options.sets.split(",")
    return options


if __name__ == "__main__":
    asyncio.run(main(_options()))
