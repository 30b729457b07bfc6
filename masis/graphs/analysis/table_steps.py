"""The steps of an analysis that ask whole tables: a query over all rows, and its result in words."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, TypedDict

from langgraph.runtime import Runtime

from masis.answering import citations
from masis.calculating.calculation import Incomparable, stated
from masis.calculating.charts.asked_display import Display, asked_display
from masis.calculating.charts.charting import Shown
from masis.calculating.charts.result_tables import of_rows
from masis.calculating.result_calculations import Done, calculated
from masis.domain import (
    Answered,
    Badge,
    CitationAudit,
    Critique,
    EvidenceChunk,
    Place,
    Question,
    WorkspaceId,
    opaque_id,
)
from masis.filters import parse
from masis.graphs.analysis import texts as sentences
from masis.graphs.analysis.agents import AnalysisContext
from masis.graphs.common import Conclusion, Report, Request, RunState, made
from masis.run_figures import of_usage
from masis.tables import telling as texts
from masis.tables.asking import TableAnswer
from masis.tables.sql import BLANK
from masis.text.redaction import redacted
from masis.values.shown import Chart, ShownTable
from masis.values.tabular import QueryResult, ResultColumn, TableInfo

SURE: Final = 0.95
"""The confidence of a query all of whose words were read."""
ASSUMED: Final = 0.75
REFUSED: Final = 0.7
WRITTEN: Final = 0.7
"""The most that an answer can be whose query a model wrote."""
TITLE_CHARS: Final = 80
SHARE: Final = "Share"


class ToAsk(TypedDict):
    """Read by ask_tables."""

    workspace_id: WorkspaceId
    request: Request
    question: Question


class AskedTables(Report):
    """Left by ask_tables."""

    asked: TableAnswer | None


class ToTell(TypedDict):
    """Read by tell_result."""

    question: Question
    asked: TableAnswer | None


class Told(Report):
    """Left by tell_result."""

    draft: str
    charts: list[Chart]
    tables: list[ShownTable]
    undrawn: list[str]
    audit: CitationAudit
    badge: Badge | None


class TableState(RunState):
    """Hold what of the graph's state tells of whole tables."""

    question: Question
    asked: TableAnswer | None
    draft: str | None
    charts: list[Chart]
    tables: list[ShownTable]
    undrawn: list[str]
    audit: CitationAudit | None
    badge: Badge | None


async def ask_tables(state: ToAsk, runtime: Runtime[AnalysisContext]) -> AskedTables:
    """Read the question as a query over the workspace's tables, and run it; else nothing."""
    asking = runtime.context.agents.asking
    if asking is None or state["request"].is_settled:
        return {"asked": None, "trace": [], "figures": {}}
    typed, filters = parse(state["question"].standalone, runtime.context.field_keys)
    found = await asking.ask(
        state["workspace_id"], asked_display(typed).rest or typed, filters.files
    )
    if found is None:
        return {"asked": None, "trace": [], "figures": {}}
    told = found if found.tables else None
    return {"asked": told, "trace": [_traced(found)], "figures": of_usage(found.usage)}


def _traced(found: TableAnswer) -> dict[str, object]:
    """Return what asking the tables leaves in the trail: the query, and why others were not run."""
    entry: dict[str, object] = {
        "node": "ask_tables",
        "tables": [each.name for each in found.tables],
        "named": sorted({*found.shown, *(each.document_id for each in found.tables)}),
        "unread": found.unread,
        "refused": found.refused,
    }
    more = {"written": found.written, "rejected": found.rejected, "by_rule": found.by_rule}
    entry |= {key: value for key, value in more.items() if value}
    if found.result is not None:
        entry |= {"query": found.result.sql, "rows": found.result.looked_at}
        entry |= {"matched": found.result.matched, "result": len(found.result.rows)}
    return entry


async def tell_result(state: ToTell, runtime: Runtime[AnalysisContext]) -> Told:
    """Say the result in words and draw it; what does not stand in it is shown as not held up."""
    found = made(state["asked"])
    evidence = source_of(found)
    done = _calculated(found, evidence)
    said = [*_results(done), *_lines(found, is_shown=bool(done) and _has_shares(found))]
    draft = "\n".join(f"{line} [{evidence.chunk_id}]" for line in said)
    logged = [each.calculation for each in done] if isinstance(done, list) else []
    audit = citations.audit(draft, [evidence], state["question"].standalone, calculations=logged)
    badge = _badge(found, is_refused=isinstance(done, Incomparable))
    if audit.unsupported or audit.invalid:
        badge = Badge(level="Low", confidence=0.0, note=citations.summary(audit))
    shown = _drawn(found, asked_display(state["question"].standalone), evidence)
    entry = {
        "node": "tell_result",
        "claims": audit.claims,
        "unsupported": len(audit.unsupported),
        "charts": [f"{chart.kind} of {len(chart.categories)}" for chart in shown.charts],
    }
    return {
        "draft": draft,
        "charts": shown.charts,
        "tables": shown.tables,
        "undrawn": shown.notes,
        "audit": audit,
        "badge": badge,
        "trace": [entry],
        "figures": {},
    }


def conclude(state: TableState, run_id: str) -> Conclusion:
    """Return the answer over a table."""
    found, badge = made(state["asked"]), made(state["badge"])
    evidence = source_of(found)
    done = _calculated(found, evidence)
    audit = state["audit"] or CitationAudit()
    shown, sources = citations.number(state["draft"] or "", audit, [evidence])
    answered = Answered(
        run_id=run_id,
        question=state["question"].text,
        answer=shown,
        confidence=badge.confidence,
        badge=badge,
        citations=[each.model_copy(update={"text": redacted(each.text)}) for each in sources],
        critique=Critique(confidence=badge.confidence),
        evaluation=None,
        audit=audit,
        extractive=not found.written,
        calculations=[each.calculation for each in done] if isinstance(done, list) else [],
        charts=state["charts"],
        tables=state["tables"],
        gaps=state["undrawn"],
    )
    return Conclusion(answered, [evidence])


# --- what is said --------------------------------------------------------------------------------


def _has_shares(found: TableAnswer) -> bool:
    """Tell whether each group's figure stands in the formula of its share."""
    query = found.read.query if found.read else None
    return query is not None and query.derived == "share" and bool(query.groups)


def _lines(found: TableAnswer, *, is_shown: bool = False) -> list[str]:
    """Say the result; its figures not again where they are shown already."""
    table = found.tables[0]
    if found.unread:
        return [texts.unread(found.unread, table), texts.has_columns(table)]
    if found.result is not None and found.written:
        return texts.written_lines(found.result, table)
    if found.refused or found.read is None or found.result is None:
        return [texts.refused(found.refused, table)]
    query, result = found.read.query, found.result
    if result.matched and texts.is_without_value(query, result):
        return [texts.no_value(query, result), texts.looked_at(query, result, found.tables)]
    return [
        *([] if is_shown else texts.lines(query, result)),
        *texts.held(query, result, found.tables),
        texts.looked_at(query, result, found.tables),
        *texts.asides(query, result, found.tables),
        *found.read.assumed,
    ]


def _calculated(found: TableAnswer, evidence: EvidenceChunk) -> list[Done] | Incomparable:
    """Return what is calculated of the result's figures, or why it cannot be."""
    if found.result is None or found.read is None or not found.result.matched:
        return []
    return calculated(found.read.query, found.result, evidence.chunk_id, texts.cell)


def _results(done: list[Done] | Incomparable) -> list[str]:
    """Say what was calculated, each with its formula."""
    if isinstance(done, Incomparable):
        return [sentences.cannot(done, "")]
    return [
        f"- {each.label}: {stated(each.calculation)}" if each.label else sentences.result(each.calculation, "").strip()
        for each in done[: texts.MOST_LINES]
    ]  # fmt: skip


def _badge(found: TableAnswer, *, is_refused: bool) -> Badge:
    if found.result is not None and found.written:
        return Badge(level="Medium", confidence=WRITTEN, note=texts.WRITTEN_BADGE)
    if found.result is None or found.read is None or is_refused:
        return Badge(level="Medium", confidence=REFUSED, note=texts.REFUSED_BADGE)
    if not found.result.matched:
        return Badge(level="Medium", confidence=ASSUMED, note=texts.NONE_BADGE)
    if texts.is_without_value(found.read.query, found.result):
        return Badge(level="Low", confidence=0.0, note=texts.NO_VALUE_BADGE)
    if found.read.assumed:
        return Badge(level="Medium", confidence=ASSUMED, note=texts.ASSUMED_BADGE)
    return Badge(level="High", confidence=SURE)


def source_of(found: TableAnswer) -> EvidenceChunk:
    """Return what an answer over tables cites: the result with its rows' places, and the query."""
    table, result = found.tables[0], found.result
    spans = result.places if result is not None else []
    label = texts.place(spans) if spans else ""
    sheets = list(dict.fromkeys(each.shape.sheet for each in found.tables if each.shape.sheet))
    query = result.sql if result is not None else ""
    return EvidenceChunk(
        chunk_id=opaque_id("c", table.version_id, table.table_id, query, *found.unread),
        document_id=table.document_id,
        version_id=table.version_id,
        document=table.source,
        title=table.source,
        place=Place(sheet=", ".join(sheets) or None, cells=label or None),
        text="\n".join([*_lines(found), *_all_rows(found)]),
        score=1.0,
    )


def _all_rows(found: TableAnswer) -> list[str]:
    """Return the whole result as it came, and the query."""
    if found.result is None:
        return [f"{each.name}: {each.type}" for each in found.tables[0].shape.columns]
    result = found.result
    head = " | ".join(each.name for each in result.columns)
    rows = [" | ".join(cell if cell is not None else "" for cell in row) for row in result.rows]
    return [head, *rows, f"Query: {result.sql}"]


def _drawn(found: TableAnswer, display: Display, evidence: EvidenceChunk) -> Shown:
    """Return the result as a table, and a chart where it is asked for or says more."""
    if found.result is None or not (found.read or found.written):
        return Shown()
    result = found.result
    if found.read and texts.is_without_value(found.read.query, result):
        return Shown()
    is_grouped = bool(found.read.query.groups) if found.read else _is_grouped(result)
    names, units, rows = _laid_out(found, result)
    is_small = len(rows) <= 1 or not (is_grouped or _is_series(found))  # several
    if not display.asked and is_small and len(rows) <= texts.MOST_LINES:
        return Shown()
    is_limited = found.read is not None and bool(found.read.query.limit)
    total = len(rows) if is_limited else len(rows) + result.is_cut
    return of_rows(
        _title(display),
        names,
        rows,
        display=display,
        source=_source(found.tables, result.looked_at),
        total_rows=total,
        sources=[evidence.chunk_id],
        units=units,
    )


def _is_series(found: TableAnswer) -> bool:
    return found.read is not None and found.read.query.is_series


def _laid_out(
    found: TableAnswer, result: QueryResult
) -> tuple[list[str], list[str], list[list[str | Decimal | None]]]:
    """Return the names, the units and the rows of what is shown; columns of a series are rows there."""
    cells = [
        [_cell(cell, column) for cell, column in zip(row, result.columns, strict=True)]
        for row in result.rows
    ]
    done = _calculated(found, source_of(found))
    if _has_shares(found) and isinstance(done, list):
        shares: list[list[str | Decimal | None]] = [
            [each.label, _percent(each.calculation.result)] for each in done
        ]
        names = ", ".join(each.name for each in result.columns[:-1])
        return [names, SHARE], ["", "%"], shares
    if not (_is_series(found) and found.read and cells):
        return [each.name for each in result.columns], [*map(texts.unit, result.columns)], cells
    measures = found.read.query.measures
    rows = [[each.column, cell] for each, cell in zip(measures, cells[0], strict=True)]
    what = result.columns[0].name.removesuffix(measures[0].column).strip().capitalize()
    return ["Period", what], ["", texts.unit(result.columns[0])], rows


def _percent(result: Decimal) -> Decimal:
    """Return a share as it is drawn."""
    return result.quantize(Decimal("0.1"))


def _is_grouped(result: QueryResult) -> bool:
    """Tell whether a query that was written puts rows together: names beside what was calculated."""
    calculated = [bool(each.aggregate) for each in result.columns]
    return any(calculated) and not all(calculated)


def _cell(cell: str | None, column: ResultColumn) -> str | Decimal | None:
    if cell is None:
        return None if column.aggregate else BLANK
    return (
        Decimal(texts.rounded(cell, column))
        if column.type == "number"
        else texts.cell(cell, column)
    )


def _source(tables: Sequence[TableInfo], rows: int) -> str:
    return f"{' and '.join(each.name for each in tables)}, {rows:,} rows"


def _title(display: Display) -> str:
    said = " ".join(display.rest.split()).strip(" ?.!,;:")
    said = said[:1].upper() + said[1:]
    return said if len(said) <= TITLE_CHARS else f"{said[: TITLE_CHARS - 1].rstrip()}…"
