"""How often the offline critic sees that documents disagree, and how often it makes that up.

`python -m tests.bench.conflict_bench` runs over the pairs of `conflicts/pairs.jsonl`, which were
written for it, and over RAMDocs, whose documents stand beside the checkout in `../shared/data`;
`--whole` also runs the graph on each conflict of RAMDocs, and `--ordinary` asks the questions of the
other sets, through the real search (`--data FOLDER` keeps what is indexed for that). Every constant
of `masis/extractive/conflict.py` and of what it reads by was chosen on the even items and on the pairs called
tuning. The documents of the odd items and the pairs called held out were not read for that; the
texts of the odd questions had been seen, and the doubts' thresholds follow the counts of both halves.
"""

import argparse
import asyncio
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, Final

from bot.compose import App
from bot.evaluation.evaluation import Question
from masis import domain
from masis.adapters.minilm import PROFILE, MiniLMEmbedder
from masis.adapters.minilm_reader import MiniLMReader
from masis.answering import citations
from masis.documents.chunking import chunk_document
from masis.documents.parsing.recognition.read_document import read_document
from masis.domain import EvidenceChunk, SearchResult, WorkspaceId
from masis.extractive import answers, conflict
from masis.extractive.answerability import FITTED
from masis.graphs.common import Context
from masis.graphs.research.agents import ResearchAgents
from masis.graphs.research.graph import RESEARCH, conclude
from masis.graphs.research.offline import (
    OfflineCritic,
    OfflineEvaluator,
    OfflineSynthesizer,
    Reader,
    WorkspaceLexicon,
)
from masis.graphs.research.state import MASISInput
from masis.policy import COVERAGE_GATE
from masis.ports import AnswerReader
from masis.retrieval import evidence, succession
from masis.retrieval.extraction import Scored
from masis.retrieval.sentence_vectors import SentenceVectors
from masis.runs import run
from masis.text import lexical
from tests.bench import eval_bench
from tests.bench.eval_bench import Corpus

ITEMS: Final = eval_bench.SHARED / "ramdocs-conflict" / "items.jsonl"
PLACE: Final = WorkspaceId("ramdocs")
PAIRS: Final = Path(__file__).parent / "conflicts" / "pairs.jsonl"
_OF_CHUNK: Final = {
    "workspace_id",
    "document_id",
    "version_id",
    "position",
    "text",
    "context",
    "place",
}
CACHED: Final = 50_000
UNSEEN: Final = slice(200, 400)
"""Of CLAPNQ's questions: the first 200 are those of `make eval`."""

_FACT = re.compile(r"\d[\d,.]*|\b[A-Z][\w’'-]+")
_SIGNS = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Document:
    """One document of an item with the answer it was labelled with; "" for none."""

    text: str
    answer: str


@dataclass(frozen=True, slots=True)
class Case:
    """A question with documents that disagree (`conflict`), or with those of one answer alone."""

    question: str
    documents: Sequence[Document]
    conflict: bool
    held_out: bool

    @property
    def kind(self) -> str:
        """What kind of answer is compared; "none" where the question wants no such thing."""
        read = answers.asked(self.question)
        return read.kind if read else "none"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was said of a case: whether there is a conflict, and between which answers."""

    case: Case
    seen: bool
    right_pair: bool


# --- the cases -----------------------------------------------------------------------------


def cases() -> Iterator[Case]:
    """Items whose documents give several answers, and each item with the most frequent one alone."""
    for number, line in enumerate(ITEMS.open(encoding="utf-8")):
        item = json.loads(line)
        held_out = number % 2 == 1
        documents = [_document(row) for row in item["documents"]]
        if _several([d.answer for d in documents]):
            yield Case(item["question"], documents, conflict=True, held_out=held_out)
        agreeing = _agreeing(item, documents)
        if len(agreeing) > 1:
            yield Case(item["question"], agreeing, conflict=False, held_out=held_out)


def _document(row: dict[str, Any]) -> Document:
    return Document(row["text"], "" if row["type"] == "noise" else row["answer"])


def _agreeing(item: dict[str, Any], documents: Sequence[Document]) -> list[Document]:
    """Those of the most frequent answer and of none, without any that names another answer.

    Such ones exist: a document labelled 1985 says that the party was founded in 1972.
    """
    known = Counter(d.answer for d in documents if d.answer)
    if not known:
        return []
    answer = known.most_common(1)[0][0]
    listed = [*item["gold_answers"], *item["wrong_answers"], *known]
    others = [_folded(a) for a in listed if _several([a, answer])]
    return [
        d
        for d in documents
        if d.answer in {"", answer}
        and not any(f" {other} " in f" {_folded(d.text)} " for other in others)
    ]


def _several(found: Sequence[str]) -> bool:
    """Whether two answers are not forms of each other ("film" and "a film" are)."""
    folded = [_folded(answer) for answer in found if answer]
    return any(a not in b and b not in a for a, b in combinations(folded, 2))


def _folded(text: str) -> str:
    return _SIGNS.sub(" ", text.casefold()).strip()


# --- reading -------------------------------------------------------------------------------


class Frequencies:
    """Term weights from all of RAMDocs' documents, as if they were one workspace."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = len(texts)
        self._found = Counter(
            lexical.term_id(term) for text in texts for term in set(lexical.terms(text))
        )

    async def weights(self, workspace_id: WorkspaceId, question: str) -> dict[str, float]:  # noqa: ARG002 - there is one
        """The IDF of each of the question's terms."""
        return lexical.idf_weights(lexical.terms(question), self._texts, self._found)


async def chunks(case: Case, vectors: SentenceVectors) -> list[EvidenceChunk]:
    """The documents as evidence, each one chunk, nearest first."""
    rows = await vectors.of(PLACE, [d.text for d in case.documents])
    near = rows @ await vectors.question(PLACE, case.question)
    found = [_chunk(n, d.text, float(near[n])) for n, d in enumerate(case.documents)]
    return sorted(found, key=lambda chunk: -chunk.nearness)


def _chunk(number: int, text: str, near: float) -> EvidenceChunk:
    relevance = PROFILE.relevance(near)
    return EvidenceChunk(
        workspace_id=PLACE,
        chunk_id=f"c_{chr(ord('a') + number) * 12}",
        document_id=f"d_{number}",
        version_id="v",
        document=f"{number}.md",
        title="",
        text=text,
        score=relevance,
        cosine=near,
        nearness=near,
        rank_score=near,
    )


async def judged(case: Case, reader: Reader, vectors: SentenceVectors) -> Verdict:
    """What the offline critic says."""
    found = await chunks(case, vectors)
    audit = await OfflineCritic(reader).audit(domain.Question.plain(case.question), "", found)
    assert audit.critique is not None
    said = audit.critique.conflicting_evidence
    named = {name for mark in citations.find(said[0]) for name in mark.ids} if said else set()
    between = [case.documents[ord(name[-1]) - ord("a")].answer for name in named]
    return Verdict(case, bool(said), all(between) and _several(between))


@dataclass(frozen=True, slots=True)
class Given:
    """A researcher that has one case's documents and no others."""

    found: list[EvidenceChunk]

    async def search(
        self,
        workspace_id: WorkspaceId,  # noqa: ARG002 - there is one
        query: str,  # noqa: ARG002 - and one question
        *,
        limit: int,
        **_: object,
    ) -> SearchResult:
        """The documents, nearest first."""
        return SearchResult(candidates=self.found[:limit], indexed=len(self.found), workspace=PLACE)


async def badge_of(
    case: Case, reader: Reader, vectors: SentenceVectors, reads: AnswerReader
) -> str:
    """The level of the badge at the end of a whole run."""
    agents = ResearchAgents(
        researcher=Given(await chunks(case, vectors)),
        synthesizer=OfflineSynthesizer(reader),
        critic=OfflineCritic(reader, FITTED, reads),
        evaluator=OfflineEvaluator(reader),
        extractive=True,
    )
    state = MASISInput(user_query=case.question, workspace_id=PLACE).to_state()
    ended = await run(RESEARCH.bound(Context(agents=agents)), state, None, lambda _: None)
    outcome = conclude(ended, "bench", extractive=True)
    return outcome.badge.level if outcome.badge else "none"


async def timed(found: Sequence[Case], reader: Reader, vectors: SentenceVectors) -> None:
    """Print how long one look for conflicts takes, and for doubts, beside one reading."""
    spent = dict.fromkeys(("reading", "conflicts", "doubts"), 0.0)
    for case in found:
        evidence_of = await chunks(case, vectors)
        start = time.perf_counter()
        scored = (await reader.read(case.question, evidence_of)).scored
        read = time.perf_counter()
        conflict.conflicts(case.question, scored)
        looked = time.perf_counter()
        conflict.doubts(case.question, scored)
        ended = time.perf_counter()
        for name, seconds in zip(spent, (read - start, looked - read, ended - looked), strict=True):
            spent[name] += seconds
    each = ", ".join(f"{name} {1e3 * spent[name] / len(found):.1f} ms" for name in spent)
    print(f"a call, vectors remembered, {len(found)} cases: {each}")


async def floor(case: Case, reader: Reader, vectors: SentenceVectors) -> Verdict:
    """Two documents whose nearest sentences share no figure and no capitalised word."""
    reading = await reader.read(case.question, await chunks(case, vectors))
    best: dict[str, Scored] = {}
    for one in sorted(reading.scored, key=lambda s: -s.score):
        best.setdefault(one.passage.chunk.document_id, one)
    asked = set(_FACT.findall(case.question))
    facts = [set(_FACT.findall(one.passage.text)) - asked for one in best.values()]
    seen = any(a and b and not a & b for a, b in combinations(facts, 2))
    return Verdict(case, seen, right_pair=False)


# --- reporting -----------------------------------------------------------------------------


def report(title: str, verdicts: Sequence[Verdict]) -> None:
    """Precision and recall over these cases, and of every kind of answer."""
    print(f"\n{title}")
    groups: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        groups["all"].append(verdict)
        groups[verdict.case.kind].append(verdict)
    for kind, members in groups.items():
        print(f"  {kind:8} {_line(members)}")


def _line(members: Sequence[Verdict]) -> str:
    there = [v for v in members if v.case.conflict]
    controls = [v for v in members if not v.case.conflict]
    hits, alarms = (sum(v.seen for v in part) for part in (there, controls))
    right = sum(v.seen and v.right_pair for v in there)
    return (
        f"seen {hits} of {len(there)} ({_percent(hits, len(there))}), the right pair {right}; "
        f"false alarms {alarms} of {len(controls)} ({_percent(alarms, len(controls))}); "
        f"precision {_percent(hits, hits + alarms)}"
    )


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "-"


@dataclass(frozen=True, slots=True)
class Pair:
    """Documents of `conflicts/pairs.jsonl`; of a conflict what the two shown passages must say."""

    id: str
    half: str
    kind: str
    question: str
    conflict: bool
    evidence: list[EvidenceChunk]
    between: list[str]

    def is_right(self, shown: Sequence[Scored]) -> bool:
        """Whether one of the two passages says the one thing, and the other the other."""
        one, other = (scored.passage.text for scored in shown)
        return any(
            ours in one and theirs in other for ours, theirs in permutations(self.between, 2)
        )


async def written_pairs() -> None:
    """The pairs that were written for this, half of them before anything was tuned."""
    embedder = MiniLMEmbedder(threads=1)
    vectors = SentenceVectors(embedder, CACHED)
    found = [await _pair(json.loads(line), vectors) for line in PAIRS.open(encoding="utf-8")]
    reader = Reader(
        Frequencies([f"{c.context} {c.text}" for p in found for c in p.evidence]), vectors
    )
    groups: dict[str, list[tuple[Pair, Sequence[Scored]]]] = defaultdict(list)
    for pair in found:
        scored = (await reader.read(pair.question, pair.evidence)).scored
        older = succession.older_versions(pair.evidence)
        said = [
            two
            for two in conflict.conflicts(pair.question, scored)
            if not succession.settled(two[0].passage.chunk, two[1].passage.chunk, older)
        ]
        groups[pair.half].append((pair, said[0] if said else ()))
    await embedder.close()
    for half, members in groups.items():
        real = [(pair, shown) for pair, shown in members if pair.conflict]
        seeming = [(pair, shown) for pair, shown in members if not pair.conflict]
        print(
            f"pairs, {half}: seen {sum(bool(s) for _, s in real)} of {len(real)}, "
            f"the right pair {sum(bool(s) and p.is_right(s) for p, s in real)}; "
            f"false alarms {sum(bool(s) for _, s in seeming)} of {len(seeming)}"
        )
        for pair, shown in members:
            if pair.conflict != bool(shown):
                print(
                    f"    {'missed' if pair.conflict else 'made up'} ({pair.kind}): {pair.question}"
                )


async def _pair(row: dict[str, Any], vectors: SentenceVectors) -> Pair:
    found: list[EvidenceChunk] = []
    for number, document in enumerate(row["documents"]):
        parsed = read_document(document["name"], document["text"].encode())
        for piece in chunk_document(
            parsed, workspace_id=PLACE, document_id=f"d_{number}", version_id="v"
        ):
            rows = await vectors.of(PLACE, [piece.indexed_text])
            near = float(rows[0] @ await vectors.question(PLACE, row["question"]))
            found.append(
                EvidenceChunk(
                    **piece.model_dump(include=_OF_CHUNK),
                    chunk_id=piece.id,
                    document=document["name"],
                    title=parsed.title,
                    date=parsed.date,
                    score=PROFILE.relevance(near),
                    cosine=near,
                    nearness=near,
                    rank_score=near,
                )
            )
    return Pair(
        row["id"],
        row["half"],
        row["kind"],
        row["question"],
        row["conflict"],
        sorted(found, key=lambda chunk: -chunk.nearness),
        row["pair"],
    )


async def whole(
    found: Sequence[Case], said: Sequence[Verdict], reader: Reader, vectors: SentenceVectors
) -> None:
    """How many whole runs over conflicts that are not seen end as High."""
    reads = MiniLMReader(threads=1)
    levels: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for case, verdict in zip(found, said, strict=True):
        if case.conflict:
            half = "held out" if case.held_out else "chosen on"
            level = await badge_of(case, reader, vectors, reads)
            levels[half, "seen" if verdict.seen else "unseen"][level] += 1
    await reads.close()
    for (half, seen), counts in sorted(levels.items()):
        print(
            f"whole runs, {half}, {seen}: {dict(counts)}, High {_percent(counts['High'], counts.total())}"
        )


async def ramdocs(*, whole_runs: bool) -> None:
    found = list(cases())
    embedder = MiniLMEmbedder(threads=1)
    vectors = SentenceVectors(embedder, CACHED)
    reader = Reader(
        Frequencies([d.text for c in found if c.conflict for d in c.documents]), vectors
    )
    said = [await judged(case, reader, vectors) for case in found]
    plain = [await floor(case, reader, vectors) for case in found]
    await timed(found, reader, vectors)
    if whole_runs:
        await whole(found, said, reader, vectors)
    await embedder.close()
    always = [Verdict(case, seen=True, right_pair=False) for case in found]
    halves: dict[str, Callable[[Verdict], bool]] = {
        "held out (odd items)": lambda v: v.case.held_out,
        "chosen on (even items)": lambda v: not v.case.held_out,
    }
    for name, belongs in halves.items():
        report(f"the critic, {name}", [v for v in said if belongs(v)])
        report(f"floor: nothing shared, {name}", [v for v in plain if belongs(v)])
        report(f"floor: always, {name}", [v for v in always if belongs(v)])


async def ordinary(data: Path | None) -> None:
    """False alarms on questions whose documents are not known to disagree, by the real search."""
    whole = eval_bench.clapnq(UNSEEN.stop)
    unseen = Corpus(
        "clapnq", "clapnq", whole.files, _beyond(whole, eval_bench.clapnq(UNSEEN.start))
    )
    async with eval_bench.opened(data) as app:
        own = (eval_bench.sample(), eval_bench.handbook())
        for corpus in (*own, *(c for of in own for c in eval_bench.asked_otherwise(of)), unseen):
            place = await eval_bench.fill(app, corpus)
            counts: dict[str, list[bool]] = defaultdict(list)
            for question in corpus.questions:
                found = await app.retrieval.search(place.id, question.question, limit=10)
                floor = evidence.nearest_floor(found.candidates)
                threshold = app.policy.threshold(0)
                kept, _ = evidence.gate(found.candidates, threshold, COVERAGE_GATE, floor)
                counts[_group(question)].append(
                    bool(kept) and await _alarmed(app, question.question, kept)
                )
            for group, alarms in counts.items():
                print(f"  {corpus.name}, {group}: {sum(alarms)} of {len(alarms)}")


def _beyond(whole: Corpus, known: Corpus) -> list[Question]:
    ids = {question.id for question in known.questions}
    return [question for question in whole.questions if question.id not in ids]


def _group(question: Question) -> str:
    if question.kind == "conflict":
        return "known to disagree"
    return "answerable" if question.answerable else "not answerable"


async def _alarmed(app: App, question: str, kept: Sequence[EvidenceChunk]) -> bool:
    audit = await OfflineCritic(Reader(WorkspaceLexicon(app.repository), app.sentences)).audit(
        domain.Question.plain(question), "", kept
    )
    return audit.critique is not None and bool(audit.critique.conflicting_evidence)


async def main(options: argparse.Namespace) -> None:
    await written_pairs()
    if not ITEMS.is_file():
        print("no more can be measured: the development data is not beside the checkout")
        return
    await ramdocs(whole_runs=options.whole)
    if options.ordinary:
        await ordinary(options.data)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whole", action="store_true", help="run the graph on each conflict")
    parser.add_argument("--ordinary", action="store_true", help="ask the other sets as well")
    parser.add_argument("--data", type=Path, help="keep the indexed documents here")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_options()))
