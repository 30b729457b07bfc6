"""A run's end as programs read it, from the command line and over HTTP alike."""

import datetime as dt
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from pydantic import Field

from masis.calculating.charts.chart_js import chart_js
from masis.domain import (
    Answered,
    AnyOutcome,
    Calculation,
    Citation,
    ClarificationKind,
    Critique,
    DateSource,
    Evaluation,
    Failed,
    Figure,
    NeedsClarification,
    NotLinked,
    Refused,
    SourceStatement,
    Unit,
    Value,
)
from masis.values.coded import Coded
from masis.values.shown import Chart, ShownTable

if TYPE_CHECKING:
    # The command line's help needs neither a graph nor vectors.
    from masis.assistant import Finished
    from masis.records import StoredRun

DECIMALS: Final = 4
"""Of a score or a confidence that a program reads."""

BLANKED: Final = "A document that this answer quotes was deleted, and its texts with it."

Status = Literal["success", "needs_clarification", "refused", "failed", "cancelled"]

_OUTCOMES: Final[Mapping[str, type[AnyOutcome]]] = {
    "success": Answered,
    "needs_clarification": NeedsClarification,
    "refused": Refused,
    "failed": Failed,
}


def outcome_of(run: "StoredRun") -> AnyOutcome:
    """Return the outcome that a kept run ended with."""
    return _OUTCOMES[run.status].model_validate(run.outcome)


class Source(Value):
    """One citation: `[n]` stands in the answer, `text` is the passage as it was when cited.

    `date` is the document's, and `date_source` says whether its text, its title or its file has it.
    """

    n: int
    chunk_id: str
    document: str
    place: str
    date: dt.date | None = None
    date_source: DateSource | None = None
    text: str
    attached: bool = Field(
        default=False, description="Whether it is of a file that came with the question."
    )

    @classmethod
    def of(cls, citation: Citation) -> Self:
        """The citation, its place in words."""
        return cls(
            n=citation.n,
            chunk_id=citation.chunk_id,
            document=citation.document,
            place=citation.place.label(),
            date=citation.date,
            date_source=citation.date_source,
            text=citation.text,
            attached=citation.attached,
        )


class CalculatedFigure(Value):
    """A figure of a calculation: as it stands in its document, and where."""

    said: str
    written: str
    chunk_id: str
    place: str

    @classmethod
    def of(cls, figure: Figure) -> Self:
        """The figure, its place in words."""
        return cls(
            said=figure.said,
            written=figure.written,
            chunk_id=figure.chunk_id,
            place=figure.place.label(),
        )


class Calculated(Value):
    """A calculation of the answer: its kind, formula and result, and the figures that it is of."""

    kind: str
    formula: str
    result: str
    unit: str
    shown: str
    inputs: list[CalculatedFigure]

    @classmethod
    def of(cls, done: Calculation) -> Self:
        """The calculation; its result is the exact decimal."""
        return cls(
            kind=done.kind,
            formula=done.formula,
            result=f"{done.result:f}",
            unit=done.unit,
            shown=done.shown,
            inputs=[CalculatedFigure.of(leaf) for each in done.inputs for leaf in each.leaves],
        )


class DrawnChart(Chart):
    """A chart of the answer: its exact values, and the same as Chart.js draws them."""

    chartjs: dict[str, Any] = Field(description="The configuration for Chart.js 4.")

    @classmethod
    def of(cls, chart: Chart) -> Self:
        """The chart with its configuration."""
        return cls(**chart.model_dump(), chartjs=chart_js(chart))


class Result(Value):
    """A run's end. A field that has no value in it is null or empty.

    With `needs_clarification` the `answer` is the best draft, and `clarification_question` what
    to settle before asking again. `error` says why there is no answer, or no text any more.
    """

    status: Status
    question: str | None = Field(default=None, description="What was asked first.")
    reply: str | None = Field(
        default=None, description="What was replied when it was asked back, where this came of it."
    )
    understood: str | None = Field(
        default=None, description="The question as its thread makes it, where that says more."
    )
    answer: str | None = None
    small_talk: bool = Field(
        default=False, description="Whether it was a word between people: nothing was searched."
    )
    confidence: Unit | None = None
    badge: Literal["High", "Medium", "Low", "Not audited"] | None = None
    improvement: str | None = Field(
        default=None, description="What would make an answer better that is not High."
    )
    searched_for: list[str] = Field(
        default=[], description="What was searched in place of words as they were typed."
    )
    requires_human_review: bool = False
    clarification_question: str | None = None
    clarification_kind: ClarificationKind | None = None
    options: list[str] = Field(
        default=[], description="What a question back may be about; a reply may be one of them."
    )
    nearest: str = Field(
        default="", description="What of an unsure draft comes nearest to the question."
    )
    questions: list[str] = Field(
        default=[], description="What can be asked instead; a reply may be one of them."
    )
    gaps: list[str] = Field(
        default=[], description="What of the question the answer leaves open, a sentence each."
    )
    unread: list[str] = Field(
        default=[], description="Which files of the question were not read, and why."
    )
    statements: list[SourceStatement] = Field(
        default=[], description="With a conflict: what the documents say, in the order shown."
    )
    citations: list[Source] = []
    calculations: list[Calculated] = Field(
        default=[], description="What was calculated for the answer, with formulas and figures."
    )
    charts: list[DrawnChart] = Field(
        default=[],
        description="Its charts, at most two: exact values, and Chart.js JSON beside them.",
    )
    tables: list[ShownTable] = Field(
        default=[],
        description="Its tables, at most two; `total_rows` counts those that are not here.",
    )
    code: Coded | None = Field(
        default=None, description="The code of a list, where a code was asked for."
    )
    critique: Critique | None = None
    evaluation: Evaluation | None = None
    trace: list[dict[str, Any]] = Field(default=[], description="One entry a step, in order.")
    metrics: dict[str, Any] = {}
    run_id: str | None = None
    thread: str | None = Field(default=None, description="The thread that it was asked in.")
    error: str | None = None

    @classmethod
    def of(
        cls,
        outcome: AnyOutcome,
        status: str,
        trace: list[dict[str, Any]],
        metrics: Mapping[str, Any],
    ) -> Self:
        """An outcome and its trail, every score cut to what it can mean."""
        plain = rounded(outcome.model_dump(mode="json"))
        result = outcome if isinstance(outcome, Answered | NeedsClarification) else None
        return cls.model_validate(
            {
                "status": status,
                "question": outcome.question or None,
                "reply": outcome.reply or None,
                "understood": outcome.understood or None,
                "answer": plain.get("answer"),
                "small_talk": plain.get("small_talk", False),
                "confidence": plain.get("confidence"),
                "badge": result.badge.level if result and result.badge else None,
                "improvement": plain.get("improvement") or None,
                "searched_for": plain.get("searched_for", []),
                "requires_human_review": isinstance(outcome, NeedsClarification),
                "clarification_question": plain.get("clarification_question"),
                "clarification_kind": plain.get("kind"),
                "options": plain.get("options", []),
                "nearest": plain.get("nearest", ""),
                "questions": plain.get("questions", []),
                "gaps": plain.get("gaps", []),
                "unread": plain.get("unread", []),
                "statements": plain.get("statements", []),
                "citations": [Source.of(each) for each in result.citations] if result else [],
                **_figures(outcome),
                "critique": plain.get("critique"),
                "evaluation": plain.get("evaluation"),
                "trace": rounded(trace),
                "metrics": rounded(metrics),
                "run_id": outcome.run_id,
                "error": _error(outcome),
            }
        )

    @classmethod
    def of_finished(cls, finished: "Finished") -> Self:
        """A run that ended just now."""
        return cls.of(finished.outcome, finished.status, finished.trace, finished.figures)

    @classmethod
    def of_stored(cls, run: "StoredRun") -> Self:
        """A run that was kept."""
        result = cls.of(outcome_of(run), run.status, run.trace, run.figures)
        return result.model_copy(update={"error": BLANKED}) if run.blanked else result

    def in_thread(self, thread: str) -> Self:
        """Return the same with the thread that it was asked in; empty for none."""
        return self.model_copy(update={"thread": thread or None})

    @classmethod
    def nothing(cls, status: Status, error: str, run_id: str | None = None) -> Self:
        """There is no outcome: it never began, or was ended before it had one."""
        return cls(status=status, error=error, run_id=run_id)


class Pending(Value):
    """A run that goes on; its result will be found at the `Location`."""

    status: Literal["queued", "running"]
    run_id: str


def _figures(outcome: AnyOutcome) -> dict[str, Any]:
    """What an answer has of figures: its calculations, charts and tables."""
    if not isinstance(outcome, Answered):
        return {}
    return {
        "calculations": [Calculated.of(each) for each in outcome.calculations],
        "charts": [DrawnChart.of(each) for each in outcome.charts],
        "tables": outcome.tables,
        "code": outcome.code,
    }


def _error(outcome: AnyOutcome) -> str | None:
    match outcome:
        case Failed(error=said) | Refused(reason=said) | NotLinked(instructions=said):
            return said
        case _:
            return None


def rounded(value: Any) -> Any:
    """The value with every number cut to what it can mean; costs stay, they may be tiny."""
    if isinstance(value, float):
        return round(value, DECIMALS)
    if isinstance(value, Mapping):
        return {key: each if key == "cost_usd" else rounded(each) for key, each in value.items()}
    return [rounded(each) for each in value] if isinstance(value, list) else value
