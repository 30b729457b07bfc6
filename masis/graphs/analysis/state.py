"""Define what flows through the analysis graph. Every key is always present."""

from typing import TypedDict

from masis.calculating.asked_calculation import Wanted
from masis.calculating.calculation import Incomparable
from masis.calculating.charts.asked_display import Display
from masis.calculating.found_operands import Operands
from masis.domain import (
    Badge,
    Calculation,
    CitationAudit,
    EvidenceChunk,
    Question,
    Value,
    WorkspaceId,
)
from masis.graphs.common import Report, Request, RunState
from masis.tables.asking import TableAnswer
from masis.values.shown import Chart, ShownTable


class Computed(Value):
    """A calculation, and what it is of where there are several: its label, and its series."""

    label: str
    calculation: Calculation
    series: str = ""


class State(RunState):
    """The whole state.

    `queries` are those that were searched, `evidence` what all of them brought, with the rest of its
    tables. `operands` are the figures that are meant; without them another graph answers. `refusal`
    says why they cannot be calculated with. `draft` is the answer with `[chunk_id]` citations, `heals`
        how often parts of it were left out. `display` is what was asked to be drawn, `undrawn` says what was
    not, and why. `asked` is what whole tables said, where the question asks one.
    """

    request: Request
    question: Question
    asked: TableAnswer | None
    wanted: Wanted | None
    display: Display | None
    queries: list[str]
    evidence: list[EvidenceChunk]
    operands: Operands | None
    computed: list[Computed]
    refusal: Incomparable | None
    draft: str | None
    charts: list[Chart]
    tables: list[ShownTable]
    undrawn: list[str]
    audit: CitationAudit | None
    badge: Badge | None
    heals: int


# --- what each node reads ------------------------------------------------------------------


class ToUnderstand(TypedDict):
    """Read by understand."""

    question: Question


class ToRetrieve(TypedDict):
    """Read by retrieve."""

    workspace_id: WorkspaceId
    request: Request
    question: Question
    wanted: Wanted | None
    queries: list[str]
    evidence: list[EvidenceChunk]


class ToRefine(TypedDict):
    """Read by refine, and by the ways out of extract."""

    wanted: Wanted | None
    queries: list[str]
    operands: Operands | None


class ToExtract(TypedDict):
    """Read by extract."""

    wanted: Wanted | None
    queries: list[str]
    evidence: list[EvidenceChunk]


class ToCalculate(TypedDict):
    """Read by calculate."""

    wanted: Wanted | None
    operands: Operands | None
    evidence: list[EvidenceChunk]


class ToCheck(TypedDict):
    """Read by check."""

    operands: Operands | None
    evidence: list[EvidenceChunk]
    computed: list[Computed]
    refusal: Incomparable | None


class ToExplain(TypedDict):
    """Read by explain."""

    wanted: Wanted | None
    operands: Operands | None
    evidence: list[EvidenceChunk]
    computed: list[Computed]
    refusal: Incomparable | None


class ToDraw(TypedDict):
    """Read by draw."""

    wanted: Wanted | None
    display: Display | None
    operands: Operands | None
    evidence: list[EvidenceChunk]
    computed: list[Computed]
    refusal: Incomparable | None


class ToAssemble(TypedDict):
    """Read by assemble."""

    question: Question
    operands: Operands | None
    evidence: list[EvidenceChunk]
    computed: list[Computed]
    draft: str | None
    badge: Badge | None
    heals: int


class ToHeal(TypedDict):
    """Read by heal, and by the ways out of assemble."""

    draft: str | None
    audit: CitationAudit | None
    badge: Badge | None
    heals: int


# --- what each node writes -----------------------------------------------------------------


class Understood(Report):
    """Left by understand."""

    wanted: Wanted | None
    display: Display | None
    queries: list[str]


class Retrieved(Report):
    """Left by retrieve."""

    evidence: list[EvidenceChunk]


class Refined(Report):
    """Left by refine."""

    queries: list[str]


class Extracted(Report):
    """Left by extract."""

    operands: Operands | None


class Calculated(Report):
    """Left by calculate; the evidence is then what the figures stand in."""

    evidence: list[EvidenceChunk]
    computed: list[Computed]
    refusal: Incomparable | None


class Checked(Report):
    """Left by check."""

    computed: list[Computed]
    badge: Badge | None


class Explained(Report):
    """Left by explain."""

    draft: str


class Drawn(Report):
    """Left by draw."""

    charts: list[Chart]
    tables: list[ShownTable]
    undrawn: list[str]


class Assembled(Report):
    """Left by assemble."""

    audit: CitationAudit
    badge: Badge | None


class Healed(Report):
    """Left by heal."""

    draft: str
    heals: int
