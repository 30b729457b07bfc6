"""Define what flows through the analysis graph. Every key is always present."""

from typing import Literal, TypedDict

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


LineKind = Literal["result", "said", "input"]


class Line(Value):
    """A line of the answer: a result with its formula, what is said of it in words, or a figure.

    `own` says that code wrote it of the answer itself: it claims nothing that a document could bear out.
    """

    text: str
    kind: LineKind
    own: bool = False


class Fault(Value):
    """Say what is wrong with an answer: with one of its lines, or with what is drawn."""

    of: Literal["line", "drawing"] = "line"
    line: str = ""
    why: str


class State(RunState):
    """The whole state.

    `recalled` are passages whose figures earlier runs of the thread kept. `queries` are those that were
    searched, `retrievals` how many of them, `evidence` what all of them brought, with the rest of its
    tables. `operands` are the figures that are meant; without them another graph answers. `refusal`
    says why they cannot be calculated with. `lines` are those of the answer, `draft` the whole of it
    with `[chunk_id]` citations, `faults` what its check found, `heals` how often parts of it were left
    out. `display` is what was asked to be drawn, `undrawn` says what was not, and why. `asked` is what
    whole tables said, where the question asks one. `written` says that a model wrote lines of the answer.
    """

    request: Request
    question: Question
    asked: TableAnswer | None
    wanted: Wanted | None
    display: Display | None
    recalled: list[EvidenceChunk]
    queries: list[str]
    retrievals: int
    evidence: list[EvidenceChunk]
    operands: Operands | None
    computed: list[Computed]
    refusal: Incomparable | None
    lines: list[Line]
    written: bool
    draft: str | None
    charts: list[Chart]
    tables: list[ShownTable]
    undrawn: list[str]
    audit: CitationAudit | None
    badge: Badge | None
    faults: list[Fault]
    heals: int


# --- what each node reads ------------------------------------------------------------------


class ToRecall(TypedDict):
    """Read by recall."""

    workspace_id: WorkspaceId
    request: Request
    question: Question


class ToUnderstand(TypedDict):
    """Read by understand."""

    question: Question


class ToRetrieve(TypedDict):
    """Read by retrieve."""

    workspace_id: WorkspaceId
    request: Request
    question: Question
    wanted: Wanted | None
    recalled: list[EvidenceChunk]
    queries: list[str]
    retrievals: int
    evidence: list[EvidenceChunk]


class ToValidate(TypedDict):
    """Read by validate, and by the ways out of it."""

    wanted: Wanted | None
    retrievals: int
    evidence: list[EvidenceChunk]
    operands: Operands | None


class ToRefine(TypedDict):
    """Read by refine."""

    wanted: Wanted | None
    queries: list[str]


class ToExtract(TypedDict):
    """Read by extract, and by the ways out of it."""

    question: Question
    wanted: Wanted | None
    evidence: list[EvidenceChunk]
    operands: Operands | None


class ToCalculate(TypedDict):
    """Read by calculate."""

    wanted: Wanted | None
    operands: Operands | None
    evidence: list[EvidenceChunk]


class ToCheck(TypedDict):
    """Read by check."""

    wanted: Wanted | None
    operands: Operands | None
    evidence: list[EvidenceChunk]
    computed: list[Computed]
    refusal: Incomparable | None


class ToExplain(TypedDict):
    """Read by explain."""

    question: Question
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

    lines: list[Line]
    charts: list[Chart]
    tables: list[ShownTable]
    heals: int


class ToQuality(TypedDict):
    """Read by quality, and by the ways out of it."""

    question: Question
    operands: Operands | None
    evidence: list[EvidenceChunk]
    computed: list[Computed]
    lines: list[Line]
    draft: str | None
    charts: list[Chart]
    audit: CitationAudit | None
    badge: Badge | None
    faults: list[Fault]
    heals: int


class ToHeal(TypedDict):
    """Read by heal."""

    lines: list[Line]
    charts: list[Chart]
    tables: list[ShownTable]
    undrawn: list[str]
    faults: list[Fault]
    heals: int


# --- what each node writes -----------------------------------------------------------------


class Recalled(Report):
    """Left by recall."""

    recalled: list[EvidenceChunk]


class Understood(Report):
    """Left by understand."""

    wanted: Wanted | None
    display: Display | None
    queries: list[str]


class Retrieved(Report):
    """Left by retrieve."""

    evidence: list[EvidenceChunk]
    retrievals: int


class Validated(Report):
    """Left by validate."""

    operands: Operands | None


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

    lines: list[Line]
    written: bool


class Drawn(Report):
    """Left by draw."""

    charts: list[Chart]
    tables: list[ShownTable]
    undrawn: list[str]


class Assembled(Report):
    """Left by assemble."""

    draft: str


class Judged(Report):
    """Left by quality."""

    audit: CitationAudit
    badge: Badge | None
    faults: list[Fault]


class Healed(Report):
    """Left by heal."""

    lines: list[Line]
    charts: list[Chart]
    tables: list[ShownTable]
    undrawn: list[str]
    heals: int
