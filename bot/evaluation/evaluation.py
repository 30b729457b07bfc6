"""Measure how good the answers are. Questions with known answers go in, and shares come out."""

import csv
import io
import json
import re
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, Literal

from pydantic import ValidationError

from masis.domain import Answered, Citation, NeedsClarification, Value, Workspace
from masis.errors import InvalidSettings
from masis.policy import MAX_QUESTION_CHARS
from masis.text.characters import UNSTORABLE
from masis.text.phrase_forms import one_form

if TYPE_CHECKING:
    # Figures are made of results; no graph is needed for that.
    from masis.assistant import Assistant, Finished

MAX_QUESTIONS: Final = 2_000
"""Of one file: each costs a run, and its whole trail stands in the report."""

MAX_NAME: Final = 100
"""Characters of an id or a kind, which head tables."""

BANDS: Final = 10
"""Of confidence, all of one width: fine enough to see a bend, wide enough to hold some answers."""

COLUMNS: Final = (
    "Columns: question (needed), must_include, gold, answerable (true, false or null), kind, id."
)

_ANSWERABLE: Final = {"true": True, "yes": True, "false": False, "no": False, "null": None}
"""What a CSV's cell says; an empty one says true."""

Verdict = Literal[
    "right",
    "incomplete",
    "other_source",
    "unchecked",
    "not_answered",
    "held_back",
    "answered_anyway",
    "failed",
]
"""What a question's end is worth. `held_back` is as good as `right`: nothing was to be answered."""

GOOD: Final = frozenset[Verdict]({"right", "held_back"})

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
    """Hold what became of one question."""

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

    @property
    def verdict(self) -> Verdict:
        """Judge how the question ended; `unchecked` where the file does not say what is right."""
        if self.status == "failed":
            return "failed"
        if not self.answerable:
            return "answered_anyway" if self.answered else "held_back"
        if not self.answered:
            return "not_answered"
        if self.contained is False:
            return "incomplete"
        if self.cites_gold is False:
            return "other_source"
        return "unchecked" if self.contained is None and self.cites_gold is None else "right"

    @property
    def holds(self) -> bool | None:
        """Say whether the words are right, however sure the run was; None where nobody can say."""
        checks = [check for check in (self.contained, self.cites_gold) if check is not None]
        if not self.answer or self.answerable is None or (self.answerable and not checks):
            return None
        return self.answerable and all(checks)


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


class Band(Value):
    """The drafts whose confidence lies in [low, high): what was claimed, and what came true."""

    low: float
    high: float
    confidence: float
    right: Share


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
        InvalidSettings: a line is not a question; the message says which, why, and what is.
    """
    rows = _from_csv(text, name) if name.lower().endswith(".csv") else _from_json_lines(text, name)
    questions: list[Question] = []
    lines: dict[str, int] = {}
    for number, row in rows:
        try:
            question = _question(row, number)
        except (ValidationError, TypeError, ValueError) as error:
            raise _refused(name, number, f"not a question ({_reason(error)})") from error
        first = lines.setdefault(question.id, number)
        if first != number:
            raise _refused(name, number, f"not a question (line {first} has the same id)")
        questions.append(question)
        if len(questions) > MAX_QUESTIONS:
            raise InvalidSettings(f"{name} holds over {MAX_QUESTIONS:,} questions: split it.")
    if not questions:
        raise InvalidSettings(f"{name} holds no questions. {COLUMNS}")
    return questions


def _refused(name: str, number: int, why: str) -> InvalidSettings:
    return InvalidSettings(f"{name}, line {number}: {why}. {COLUMNS}")


def _reason(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


_Row = tuple[int, dict[str, object]]
"""The line that it begins in, and its values by column."""


def _from_json_lines(text: str, name: str) -> Iterable[_Row]:
    # Not splitlines: a JSON string may hold other line ends as they are.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise _refused(name, number, "not a JSON object") from error
        if not isinstance(row, dict):
            raise _refused(name, number, "not a JSON object")
        yield number, row


def _from_csv(text: str, name: str) -> Iterable[_Row]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    heading: list[str] = []
    while True:
        number = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise _refused(name, number, f"not CSV ({error})") from error
        if cells is None:
            return
        if not any(cell.strip() for cell in cells):
            continue
        if heading:
            yield number, _by_column(heading, cells, name, number)
            continue
        heading = [cell.strip().lower() for cell in cells]
        if "question" not in heading:
            raise _refused(name, number, "no column is called question (commas part the columns)")


def _by_column(heading: list[str], cells: list[str], name: str, number: int) -> dict[str, object]:
    if len(cells) > len(heading):
        why = f"{len(cells)} cells under {len(heading)} columns; a text with a comma needs quotes"
        raise _refused(name, number, why)
    row = dict(zip(heading, cells, strict=False))
    values: dict[str, object] = {column: cell for column, cell in row.items() if cell.strip()}
    values["must_include"] = _parts(row.get("must_include"))
    values["gold"] = [{"doc": doc} for doc in _parts(row.get("gold"))]
    answerable = row.get("answerable", "").strip().lower()
    if answerable:
        values["answerable"] = _ANSWERABLE.get(answerable, answerable)
    return values


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
    question = Question.model_validate(known)
    _check(question)
    return question


def _check(question: Question) -> None:
    if not question.question.strip():
        raise ValueError("question: it is empty")
    if len(question.question) > MAX_QUESTION_CHARS:
        raise ValueError(f"question: over {MAX_QUESTION_CHARS:,} characters")
    if max(len(question.id), len(question.kind)) > MAX_NAME:
        raise ValueError(f"id, kind: over {MAX_NAME} characters")


def is_text(question: Question) -> bool:
    """Say whether a store takes the question's texts.

    It takes no lone surrogates and no NUL, which JSON can write.
    """
    texts = [question.id, question.kind, question.question, *question.must_include]
    texts += [part for gold in question.gold for part in (gold.doc, gold.quote)]
    return UNSTORABLE.search("".join(texts)) is None


def folded(text: str) -> str:
    """White space, emphasis marks and case ignored."""
    return _BLANKS.sub(" ", text).casefold().strip()


def contains(answer: str, must_include: Sequence[str]) -> bool:
    """Say whether every entry stands in the answer, in one of its alternatives, however spelled."""
    forms = [(form, form(folded(answer))) for form in (str, one_form)]
    return all(
        any(
            _stands_in(form(folded(alternative)), shown)
            for alternative in entry.split("|")
            for form, shown in forms
        )
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
    """Say whether a cited document is a gold one. Names may be relative to different folders."""
    wanted = [g.doc for g in gold]
    return any(same_document(c.document, doc) for c in citations for doc in wanted)


def same_document(one: str, other: str) -> bool:
    """Say whether two names are of one document, seen from different folders."""
    shorter, longer = sorted((one, other), key=len)
    return longer == shorter or longer.endswith("/" + shorter)


def judge(question: Question, finished: "Finished") -> Result:
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
        level=shown.badge.level if shown and shown.badge else "Low",
        confidence=shown.confidence if shown else 0.0,
        contained=contains(answer, question.must_include) if question.must_include else None,
        cites_gold=cites(shown.citations, question.gold) if shown and question.gold else None,
        answer=answer,
        documents=[citation.document for citation in shown.citations] if shown else [],
        seconds=finished.seconds,
    )


async def evaluate(
    assistant: "Assistant",
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
        # A run that failed has held nothing back.
        held_back=_share(other, [r for r in other if r.verdict == "held_back"]),
        false_refusals=_share(answerable, [r for r in answerable if not r.answered]),
    )


def by_kind(results: Sequence[Result]) -> dict[str, list[Result]]:
    """The results of each kind of question, in order of first appearance."""
    kinds: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        kinds[result.kind].append(result)
    return dict(kinds)


def verdicts(results: Iterable[Result]) -> dict[Verdict, int]:
    """Count the results by how they ended. Ends that never came are left out."""
    return dict(Counter(result.verdict for result in results))


def reliability(results: Iterable[Result]) -> list[Band]:
    """Compare what was claimed with what came true, for every draft that can be checked.

    Drafts that were held back count as well: their confidence was to say that they do not hold.
    """
    bands: dict[int, list[Result]] = defaultdict(list)
    for result in results:
        if result.holds is not None:
            bands[min(int(result.confidence * BANDS), BANDS - 1)].append(result)
    return [
        Band(
            low=number / BANDS,
            high=(number + 1) / BANDS,
            confidence=sum(r.confidence for r in found) / len(found),
            right=_share(found, [r for r in found if r.holds]),
        )
        for number, found in sorted(bands.items())
    ]


def _share(whole: Sequence[Result], part: Sequence[Result]) -> Share:
    return Share(hits=len(part), of=len(whole))
