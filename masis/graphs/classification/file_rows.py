"""Classify each row of a file that came with the question, and give them all back as a table."""

from collections.abc import Sequence
from typing import Final

from langgraph.runtime import Runtime

from masis.codelists.row_texts import SentRow
from masis.domain import Answered, Badge, CitationAudit, Critique, WorkspaceId
from masis.graphs.classification import needs, texts
from masis.graphs.classification.agents import ClassificationAgents, ClassificationContext
from masis.graphs.classification.ambiguity import Nearness, decided
from masis.graphs.classification.by_rule import expansion_of
from masis.graphs.classification.state import (
    Analysis,
    Candidate,
    CodedRow,
    RowsCoded,
    Said,
    State,
    ToCodeRows,
)
from masis.graphs.common import Conclusion, TraceEntry
from masis.models import run_clock
from masis.policy import BADGE_HIGH, BADGE_MEDIUM, MOST_CLASSIFIED_ROWS
from masis.values.shown import ShownColumn, ShownTable

TOLD_EVERY: Final = 5
"""Rows after which it is told how far it is."""
BATCH: Final = 25
"""Rows of one step: what was finished before a crash is not done again."""
MOST_BATCHES: Final = -(-MOST_CLASSIFIED_ROWS // BATCH)
MOST_COLUMNS: Final = 30
"""Of the sender's that come back."""
CANDIDATES: Final = 10
SUREST: Final = 0.99
"""As sure as a row is shown to be: nobody has looked at it."""


async def rows(state: ToCodeRows, runtime: Runtime[ClassificationContext]) -> RowsCoded:
    """Find the codes of the next rows by rule, one after the other; a person looks at those that are open."""
    context, begin = runtime.context, len(state["coded_rows"])
    said = context.agents.rows[:MOST_CLASSIFIED_ROWS]
    batch = said[begin : begin + BATCH]
    found: list[CodedRow] = []
    lists = state["code_lists"]
    named: set[str] = set()
    for number, row in enumerate(batch, start=begin):
        if number % TOLD_EVERY == 0:
            _tell(texts.row_of(number + 1, len(said)))
        coded, documents, known = await _coded(context, state["workspace_id"], row.text)
        lists = known or lists
        found.append(coded)
        named.update(documents)
    open_ = sum(each.needs_person for each in found)
    entry: TraceEntry = {"node": "rows", "rows": len(found), "open": open_}
    entry["named"] = sorted(named)
    return {
        "coded_rows": found,
        "rows_left": len(said) - begin - len(found),
        "code_lists": lists,
        "trace": [entry],
        "figures": {},
    }


async def _coded(
    context: ClassificationContext, workspace_id: WorkspaceId, text: str
) -> tuple[CodedRow, set[str], list[str]]:
    """Return the row with the code of a description, the documents that say so, and the lists there are."""
    if not text:
        return CodedRow(), set(), []
    expansion = expansion_of([Said(role="asker", text=text)])
    found = await context.agents.finder.find(
        workspace_id, expansion.wordings, kind=expansion.kind, limit=CANDIDATES
    )
    if not found.candidates:
        return CodedRow(), set(), found.lists
    candidates = await needs.marked(found.candidates, expansion, workspace_id, context)
    best = Analysis(status="MATCH_FOUND", code=candidates[0].code)
    threshold = context.policy.threshold(0)
    final = decided(
        best,
        candidates,
        expansion,
        asked=0,
        nearness=Nearness(found.relevance, threshold, found.spread),
    )
    documents = {each.document_id for each in candidates}
    return _row(final, candidates), documents, found.lists


def _row(final: Analysis, candidates: Sequence[Candidate]) -> CodedRow:
    """Return what is written for a row: where it is open the nearest code, for a person to look at."""
    is_open = final.status != "MATCH_FOUND" or bool(final.among) or bool(candidates[0].below)
    code = candidates[0].code if is_open else final.code
    title = next(each.title for each in candidates if each.code == code)
    needs_person = is_open or final.confidence < BADGE_MEDIUM
    return CodedRow(code=code, title=title, confidence=final.confidence, needs_person=needs_person)


def _tell(said: str) -> None:
    clock = run_clock.current()
    if clock is not None:
        clock.note(said)


# --- what is given back ----------------------------------------------------------------------


def answered(state: State, agents: ClassificationAgents, run_id: str) -> Conclusion:
    """Return the rows with their codes."""
    found, said = state["coded_rows"], agents.rows
    open_ = sum(each.needs_person for each in found)
    sure = sum(each.confidence for each in found) / len(found)
    lists = state["code_lists"]
    notes = [texts.from_list(lists[0], lists[1:])] if len(lists) > 1 else []
    left = [texts.rows_left(len(found), len(said))] if len(said) > len(found) else []
    columns = len(_columns(said))
    if columns > MOST_COLUMNS:
        left.append(texts.columns_left(MOST_COLUMNS, columns))
    outcome = Answered(
        run_id=run_id,
        question=state["question"].text,
        answer=texts.rows_coded(len(found), open_),
        confidence=sure,
        badge=_badge(sure, open_),
        citations=[],
        critique=Critique(confidence=sure),
        evaluation=None,
        audit=CitationAudit(),
        extractive=True,
        tables=[_table(found, said)],
        gaps=[*left, *notes],
    )
    return Conclusion(outcome)


def _badge(sure: float, open_: int) -> Badge:
    level = (
        "High" if sure >= BADGE_HIGH and not open_ else "Medium" if sure >= BADGE_MEDIUM else "Low"
    )
    return Badge(level=level, confidence=sure, note=texts.rows_open(open_) if open_ else "")


def _columns(sent: Sequence[SentRow]) -> list[str]:
    """Return the names of the sender's columns."""
    return list(dict.fromkeys(name for row in sent for name in row.cells))


def _table(found: Sequence[CodedRow], sent: Sequence[SentRow]) -> ShownTable:
    """Return what was sent, with the codes beside it."""
    own = _columns(sent)[:MOST_COLUMNS]
    made = [
        [
            *([row.cells.get(name, "") for name in own] or [row.text]),
            coded.code,
            coded.title,
            f"{min(coded.confidence, SUREST) * 100:.0f}" if coded.code else "",
            texts.NEEDS_PERSON if coded.needs_person else "",
        ]
        for coded, row in zip(found, sent, strict=False)
    ]
    sure = ShownColumn(name=texts.ROW_CONFIDENCE, numeric=True, unit="%")
    columns = [ShownColumn(name=name) for name in own or [texts.ROW_TEXT]]
    columns += [ShownColumn(name=texts.beside(name, own)) for name in texts.ROW_CODE]
    columns += [sure, ShownColumn(name=texts.ROW_OPEN)]
    return ShownTable(
        title=texts.ROWS_TITLE, columns=columns, rows=made, total_rows=len(made), as_file=True
    )
