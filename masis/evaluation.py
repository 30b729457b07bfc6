"""How good are the answers? Questions with known answers in, shares out."""

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence

from pydantic import ValidationError

from masis.assistant import Assistant, Finished
from masis.domain import Answered, Citation, NeedsClarification, Value, Workspace
from masis.errors import InvalidSettings

_BLANKS = re.compile(r"[\s*_]+")
_SHORT_PHRASE = 4


class Gold(Value):
    """A document that answers the question, with the words that do."""

    doc: str
    quote: str = ""


class Question(Value):
    """One question with what a good answer holds.

    Each entry of `must_include` must occur, its alternatives parted by `|`. `answerable` is
    False where the documents do not say, None where a good colleague would ask back.
    """

    id: str
    question: str
    kind: str = "single"
    answerable: bool | None = True
    must_include: list[str] = []
    gold: list[Gold] = []


class Result(Value):
    """What became of one question."""

    id: str
    kind: str
    answerable: bool | None
    status: str
    clarification: str | None = None
    level: str
    confidence: float
    contained: bool | None
    cites_gold: bool | None
    answer: str
    documents: list[str]
    seconds: float

    @property
    def answered(self) -> bool:
        """Given as an answer, with a High or Medium badge."""
        return self.status == "success" and self.level in {"High", "Medium"}


class Share(Value):
    """So many of so many."""

    hits: int
    of: int

    @property
    def share(self) -> float:
        """In [0, 1]; 0 of nothing is 0."""
        return self.hits / self.of if self.of else 0.0

    def __str__(self) -> str:
        return f"{self.share * 100:5.1f} % ({self.hits} of {self.of})"


class Summary(Value):
    """The shares of one set of results.

    `contained` and `false_refusals` are over the answerable questions, `cites_gold` over those
    of them that were answered, `held_back` over the unanswerable and ambiguous ones.
    """

    questions: int
    contained: Share
    cites_gold: Share
    held_back: Share
    false_refusals: Share


def load(text: str, name: str) -> list[Question]:
    """Questions from JSON lines, or from CSV with lists parted by `;`.

    Raises:
        InvalidSettings: a line is not a question; the message says which and why.
    """
    rows = _from_csv(text) if name.lower().endswith(".csv") else _from_json_lines(text, name)
    questions = []
    for number, row in rows:
        try:
            questions.append(_question(row, number))
        except (ValidationError, TypeError, KeyError) as error:
            reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
            raise InvalidSettings(f"{name}, line {number}: not a question ({reason}).") from error
    if not questions:
        raise InvalidSettings(f"{name} holds no questions.")
    return questions


def _from_json_lines(text: str, name: str) -> list[tuple[int, dict[str, object]]]:
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            rows.append((number, dict(json.loads(line))))
        except (json.JSONDecodeError, TypeError, ValueError) as error:
            raise InvalidSettings(f"{name}, line {number}: not a JSON object.") from error
    return rows


def _from_csv(text: str) -> list[tuple[int, dict[str, object]]]:
    rows: list[tuple[int, dict[str, object]]] = []
    for number, row in enumerate(csv.DictReader(io.StringIO(text)), 2):
        values: dict[str, object] = {k: v for k, v in row.items() if k and v}
        values["must_include"] = _parts(row.get("must_include"))
        values["gold"] = [{"doc": doc} for doc in _parts(row.get("gold"))]
        rows.append((number, values))
    return rows


def _parts(cell: str | None) -> list[str]:
    return [part.strip() for part in (cell or "").split(";") if part.strip()]


def _question(row: dict[str, object], number: int) -> Question:
    known = {key: row[key] for key in Question.model_fields if key in row}
    known.setdefault("id", f"q{number}")
    if "type" in row and "kind" not in row:
        known["kind"] = row["type"]
    gold = known.get("gold")
    if isinstance(gold, list):
        known["gold"] = [{k: g[k] for k in ("doc", "quote") if k in g} for g in gold]
    return Question.model_validate(known)


def folded(text: str) -> str:
    """White space, emphasis marks and case ignored."""
    return _BLANKS.sub(" ", text).casefold().strip()


def contains(answer: str, must_include: Sequence[str]) -> bool:
    """Whether every entry, in one of its alternatives, stands in the answer."""
    shown = folded(answer)
    return all(
        any(_stands_in(folded(alternative), shown) for alternative in entry.split("|"))
        for entry in must_include
    )


def _stands_in(phrase: str, shown: str) -> bool:
    """Words may go on (`working group` in `working groups`), short ones and figures may not.

    "6" must not be found in "16" or "1.6", nor "no" in "know".
    """
    alone = len(phrase) < _SHORT_PHRASE or phrase[-1].isdigit()
    before = r"(?<![\w.,])" if phrase[:1].isdigit() else r"(?<!\w)" if phrase[:1].isalnum() else ""
    after = r"(?!\w|[.,]\d)" if alone else ""
    return re.search(f"{before}{re.escape(phrase)}{after}", shown) is not None


def cites(citations: Iterable[Citation], gold: Iterable[Gold]) -> bool:
    """Whether a cited document is a gold one; names may be relative to different folders."""
    wanted = [g.doc for g in gold]
    return any(_same(c.document, doc) for c in citations for doc in wanted)


def _same(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return longer == shorter or longer.endswith("/" + shorter)


def judge(question: Question, finished: Finished) -> Result:
    """Hold one outcome against what was expected."""
    outcome = finished.outcome
    shown = outcome if isinstance(outcome, Answered | NeedsClarification) else None
    answer = shown.answer if shown else ""
    return Result(
        id=question.id,
        kind=question.kind,
        answerable=question.answerable,
        status=finished.status,
        clarification=outcome.kind if isinstance(outcome, NeedsClarification) else None,
        level=shown.badge.level if shown else "Low",
        confidence=shown.confidence if shown else 0.0,
        contained=contains(answer, question.must_include) if question.must_include else None,
        cites_gold=cites(shown.citations, question.gold) if shown and question.gold else None,
        answer=answer,
        documents=[citation.document for citation in shown.citations] if shown else [],
        seconds=finished.seconds,
    )


async def evaluate(
    assistant: Assistant,
    workspace: Workspace,
    questions: Sequence[Question],
    on_result: Callable[[Result], Awaitable[None] | None] | None = None,
) -> list[Result]:
    """Ask them all, one after another, and judge each outcome."""
    results = []
    for question in questions:
        result = judge(question, await assistant.ask(workspace, question.question))
        results.append(result)
        told = on_result(result) if on_result else None
        if told is not None:
            await told
    return results


def summarise(results: Sequence[Result]) -> Summary:
    """The shares over these results."""
    answerable = [r for r in results if r.answerable]
    # A question may name documents alone; what has no phrases cannot be missed by them.
    told = [r for r in answerable if r.contained is not None]
    answered = [r for r in answerable if r.answered and r.cites_gold is not None]
    other = [r for r in results if not r.answerable]
    return Summary(
        questions=len(results),
        contained=_share(told, [r for r in told if r.answered and r.contained]),
        cites_gold=_share(answered, [r for r in answered if r.cites_gold]),
        held_back=_share(other, [r for r in other if not r.answered]),
        false_refusals=_share(answerable, [r for r in answerable if not r.answered]),
    )


def by_kind(results: Sequence[Result]) -> dict[str, list[Result]]:
    """The results of each kind of question, in order of first appearance."""
    kinds: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        kinds[result.kind].append(result)
    return dict(kinds)


def _share(whole: Sequence[Result], part: Sequence[Result]) -> Share:
    return Share(hits=len(part), of=len(whole))
