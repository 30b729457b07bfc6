"""The nouns of MASIS: frozen values that are passed along, stored and shown."""

import base64
import datetime as dt
import hashlib
import re
from itertools import pairwise
from typing import Annotated, Final, Literal, NewType, Self

from pydantic import Field

from masis.values.base import AskedBack as AskedBack
from masis.values.base import Period as Period
from masis.values.base import Value as Value
from masis.values.calculated import Calculation as Calculation
from masis.values.calculated import CalculationKind as CalculationKind
from masis.values.calculated import Figure as Figure
from masis.values.calculated import Place as Place
from masis.values.calculated import ScaleNote as ScaleNote
from masis.values.coded import Coded
from masis.values.shown import Chart, ShownTable
from masis.values.tabular import PackedTable

WorkspaceId = NewType("WorkspaceId", str)
"""A workspace's opaque id. It is made by `workspace_id`, never by hand from user input."""

_WORKSPACE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")

Unit = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
"""A finite number in [0, 1]."""


def workspace_id(text: str) -> WorkspaceId:
    """Check that `text` can be a workspace id.

    Raises:
        ValueError: it is empty or has characters outside `[A-Za-z0-9_-]`, or is over 64 long.
    """
    if not isinstance(text, str) or not _WORKSPACE_ID.fullmatch(text):
        raise ValueError("a workspace id is 1 to 64 letters, digits, '_' or '-'")
    return WorkspaceId(text)


def opaque_id(prefix: str, *parts: str) -> str:
    """A short id that depends on `parts` alone: `prefix`, `_` and 12 lower-case base32 characters."""
    # The unit separator keeps ("ab", "c") and ("a", "bc") apart.
    digest = hashlib.sha256("\x1f".join(parts).encode()).digest()
    return f"{prefix}_{base64.b32encode(digest)[:12].decode().lower()}"


def document_id_of(workspace_id: str, name: str) -> str:
    """Return the id that a workspace's document of a name has, also once it is deleted and put in anew.

    One that was renamed keeps the id of its first name.
    """
    return opaque_id("d", workspace_id, name)


ATTACHED: Final = "f"
"""The prefix of the ids of what came with a question: no document of the workspace has it."""


def is_attached(document_id: str) -> bool:
    """Say whether an id is that of a file that came with a question, and of no document."""
    return document_id.startswith(f"{ATTACHED}_")


# --- documents -----------------------------------------------------------------------------

Format = Literal[
    "md",
    "txt",
    "html",
    "pdf",
    "docx",
    "pptx",
    "xlsx",
    "csv",
    "eml",
    "odt",
    "epub",
    "json",
    "rtf",
    "doc",
    "xls",
    "msg",
    "image",
]
FILE_ENDINGS: Final = (
    "md", "txt", "html", "htm", "pdf", "docx", "pptx", "xlsx", "csv", "tsv", "eml", "odt", "epub",
    "json", "jsonl", "rtf", "doc", "xls", "msg", "png", "jpg", "jpeg", "tif", "tiff", "webp",
)  # fmt: skip
"""How the names of files end whose formats are read; an image only with text recognition."""


_NOWHERE: Final = Place()


class Block(Value):
    """One structural piece of a parsed document, in reading order.

    A table row's text is `Column: cell | Column: cell`, so that it can be read alone. `is_queried` says
    that a query over the whole table finds it: in a workspace it is no passage.
    """

    kind: Literal["heading", "paragraph", "list_item", "table_row", "code"]
    text: str
    level: int = 0
    is_queried: bool = False
    # One for all blocks that have none: pydantic would copy a default, a hundred thousand times.
    place: Place = Field(default_factory=lambda: _NOWHERE)


DateSource = Literal["text", "title", "file"]
"""Where a document's date stands: in its text, its title or name, or what its file notes of itself."""


class ParsedDocument(Value):
    """Hold what a parser gives: plain text with its structure.

    `date` is the document's own date.

    `fields` are those of its metadata; `given` those that whoever put it in gave it, which win.
    `parser` is the version of the reader that read it. `tables` are its whole tables.
    """

    format: Format
    title: str
    date: dt.date | None = None
    date_source: DateSource | None = None
    parser: int = 0
    blocks: list[Block]
    notes: list[str] = []
    fields: dict[str, str] = {}
    given: dict[str, str] = {}
    tables: list[PackedTable] = []


class Chunk(Value):
    """A piece of one document version, the unit of search and citation.

    `text` is what people see and models read: blocks one a line (list items begin with `- `,
    paragraphs are parted by an empty line). `context` (title and headings) is embedded and
    indexed in front of it.
    """

    id: str
    workspace_id: WorkspaceId
    document_id: str
    version_id: str
    position: int
    text: str
    context: str = ""
    place: Place = Place()

    @property
    def indexed_text(self) -> str:
        """Return what is embedded and indexed: context line and text."""
        return f"{self.context}\n{self.text}" if self.context else self.text


class Origin(Value):
    """The folder that a sync had a document's bytes from, and what its file looked like then.

    `source` names the folder; empty where the bytes came otherwise. While a file's `stamp` is the
    same nobody has written to it; empty says nothing.
    """

    source: str = ""
    stamp: str = ""


class Document(Value):
    """A document as people know it, with its active version, and where that came from.

    `fields` are all its free fields (see `masis.fields`), `given` those that it was given. `parser`
    is the version of the reader that read it, 0 where that is not known.
    """

    id: str
    workspace_id: WorkspaceId
    name: str
    title: str
    format: Format
    version_id: str
    version_number: int
    content_hash: str
    size_bytes: int
    chunks: int
    date: dt.date | None
    date_source: DateSource | None = None
    ingested_at: dt.datetime
    parser: int = 0
    origin: Origin = Origin()
    fields: dict[str, str] = {}
    given: dict[str, str] = {}


class Workspace(Value):
    """A set of documents that are searched together. `owner` is `local` for the command line."""

    id: WorkspaceId
    owner: str
    name: str
    embedding_profile: str | None = None
    documents: int = 0
    chunks: int = 0


# --- questions ------------------------------------------------------------------------------


class SourceStatement(Value):
    """A sentence by which a document disagrees with others, as the asker is shown it."""

    document_id: str
    document: str
    title: str = ""
    date: dt.date | None = None
    date_source: DateSource | None = None
    text: str


ChoiceKind = Literal["documents", "both", "neither", "unclear", "undecided"]
"""What a reply said of statements that disagree: these documents count, all or none of them do,
or nothing of that, once and then a second time."""


class Choice(Value):
    """Hold which of the statements that disagree count, by the asker's reply.

    `documents` holds ids.
    """

    kind: ChoiceKind
    statements: list[SourceStatement]
    documents: list[str] = []

    @property
    def among(self) -> frozenset[str]:
        """The ids of the documents between which it was chosen."""
        return frozenset(statement.document_id for statement in self.statements)

    @property
    def set_aside(self) -> list[SourceStatement]:
        """The statements that do not count."""
        if self.kind not in {"documents", "neither"}:
            return []
        return [said for said in self.statements if said.document_id not in self.documents]

    @property
    def in_force(self) -> list[SourceStatement]:
        """The statements that count."""
        return [said for said in self.statements if said not in self.set_aside]

    @property
    def settles(self) -> bool:
        """Return whether it is settled which of these documents counts.

        It is not asked again then.
        """
        return self.kind != "unclear"


DEFAULT_GRAPH: Final = "chat"
"""The name of the graph that a question enters where none is named."""
CODE_GRAPH: Final = "classification"
"""The name of the graph that finds the code of what is described, which a person may ask for by name."""


class Question(Value):
    """A question in its parts, of which each reader takes its own; none is ever glued to another.

    `text` is what the asker wrote first, `standalone` what is searched, drafted and scored,
    `earlier` the question before it in its conversation, and `reply` the answer to what was asked
    back, by which one of several sources is chosen; empty where there was none. `files` are the
    names of those that came with it. `choices` are what this reply and earlier ones said of
    statements that disagree. `asked_back` is what was asked on the way to a code, oldest first.
    """

    text: str
    standalone: str
    earlier: str = ""
    reply: str = ""
    files: list[str] = []
    choices: list[Choice] = []
    asked_back: list[AskedBack] = []

    @classmethod
    def plain(cls, text: str) -> Self:
        """Return a question that is searched as it was written, and follows nothing."""
        return cls(text=text, standalone=text)


class PlannedSearch(Value):
    """A search that was planned: in one document where one is named, else in all of them.

    `goes_on` says that nobody named the document: the answer before rests on it.
    """

    query: str
    document: str = ""
    section: str = ""
    goes_on: bool = False


# --- search and evidence -------------------------------------------------------------------


class EmbeddingProfile(Value):
    """Identify the vectors of an embedder, and say what their cosine means.

    `calibration` maps a raw cosine to the relevance scale by straight lines between its points
    (cosine, relevance), both rising; outside them it is clamped. The 0.60 of the original design
    belongs to text-embedding-ada-002, whose map is the identity.
    """

    name: str
    model: str
    dimension: int
    version: str
    calibration: list[tuple[float, float]]

    @property
    def id(self) -> str:
        """The identity that a collection is bound to."""
        return f"{self.name}/{self.dimension}/{self.version}"

    def relevance(self, cosine: float) -> float:
        """The relevance in [0, 1] of a raw cosine."""
        points = self.calibration
        if cosine <= points[0][0]:
            return max(0.0, min(1.0, points[0][1]))
        for (x0, y0), (x1, y1) in pairwise(points):
            if cosine <= x1:
                return max(0.0, min(1.0, y0 + (y1 - y0) * (cosine - x0) / (x1 - x0)))
        return max(0.0, min(1.0, points[-1][1]))


class EvidenceChunk(Value):
    """A chunk that a search brought, with everything needed to judge and to show it.

    `score` is on the relevance scale: the calibrated `nearness`, which is the raw `cosine` with
    that of the best sentence and the coverage mixed in, on the same scale. `coverage` is the
    IDF-weighted share of the question's terms that stand in the chunk, `rank_score` what it was
    ordered by after fusion and reranking (comparable within one search only). `asked_by_name` marks
    what was not found: it begins a document that the question names and asks for as a whole.
    `replaced_by` is the id of the document, found with it, that says at its head that it replaces this one.
    """

    workspace_id: WorkspaceId = WorkspaceId("")
    chunk_id: str
    document_id: str
    version_id: str
    document: str
    title: str
    date: dt.date | None = None
    date_source: DateSource | None = None
    place: Place = Place()
    position: int = 0
    text: str
    context: str = ""
    score: float
    cosine: float = 0.0
    nearness: float = 0.0
    coverage: float = 0.0
    rank_score: float = 0.0
    asked_by_name: bool = False
    replaced_by: str = ""

    @property
    def attached(self) -> bool:
        """Return whether it is of a file that came with the question."""
        return is_attached(self.document_id)


class Unknown(Value):
    """Hold what a filter names and that is not there, and the names most like it.

    `documents` has for each of these the id of one that it is of: what was told goes with them.
    """

    written: str
    near: list[str] = []
    documents: list[str] = []


class Narrowed(Value):
    """Report what filters left of a workspace.

    `documents` is how many, of which a search may find some.

    `filters` are these as they are written. `undated` counts the documents that were left out
    because they have no date to compare.
    """

    filters: str
    documents: int
    undated: int = 0
    unknown: list[Unknown] = []
    unread: list[str] = []


class SearchResult(Value):
    """The candidates of one search, best first, and how many chunks the workspace holds at all.

    `timings` is where its time went, in milliseconds by part (`embedding`, `search`, `rerank`).
    `narrowed` is None where no filter was given. `reranked` says whether the reranker decided about
    the order; None where there is none. `introduction` is how the one document that the question
    names begins, where it asks for that as a whole (see `masis.retrieval.introduction`).
    """

    candidates: list[EvidenceChunk]
    indexed: int
    workspace: str
    lexical_only: bool = False
    timings: dict[str, float] = {}
    narrowed: Narrowed | None = None
    reranked: bool | None = None
    introduction: list[EvidenceChunk] = []


# --- audit and scores ----------------------------------------------------------------------


class Usage(Value):
    """Count what an agent's work cost. `cost_usd` is None where the model's price is not known."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None

    def plus(self, other: Self) -> Self:
        """Return both together; the cost is known only when both are."""
        if self.calls == 0:
            return other
        known = self.cost_usd is not None and other.cost_usd is not None
        return self.model_copy(
            update={
                "calls": self.calls + other.calls,
                "prompt_tokens": self.prompt_tokens + other.prompt_tokens,
                "completion_tokens": self.completion_tokens + other.completion_tokens,
                "cost_usd": (self.cost_usd or 0.0) + (other.cost_usd or 0.0) if known else None,
            }
        )


class Critique(Value):
    """The critic's findings on one draft. `confidence` is raw: before the audit's penalties.

    `possible_conflicts` are not sure enough to ask back.
    """

    confidence: Unit
    hallucination_detected: bool = False
    unsupported_claims: list[str] = []
    logical_gaps: list[str] = []
    conflicting_evidence: list[str] = []
    possible_conflicts: list[str] = []
    needs_retry: bool = False


class Scores(Value):
    """The evaluator's four scores, each in [0, 1]."""

    faithfulness: Unit
    relevance: Unit
    completeness: Unit
    reasoning_quality: Unit


class Evaluation(Value):
    """The four scores after the clamps, their weighted mean, and the clamps that fired."""

    faithfulness: Unit
    relevance: Unit
    completeness: Unit
    reasoning_quality: Unit
    overall_score: Unit
    clamps: list[str] = []
    raw: Scores


class UnsupportedClaim(Value):
    """A cited sentence that what it cites does not bear out.

    `missing` are its figures, dates and names that do not stand there; without any, `reason` says
    why in words for people.
    """

    sentence: str
    missing: list[str] = []
    reason: str = ""

    @property
    def fault(self) -> str:
        """Return what is wrong with the claim, for people."""
        return ", ".join(self.missing) or self.reason


class CitationAudit(Value):
    """Hold what the deterministic audit found in one draft.

    `citations` are the ids in order of first appearance, valid ones only; `invalid` are the
    made-up ones, as written; `uncited` the claims without any citation. A claim is cited when one
    of its citations is valid; `unsupported` are cited claims.
    """

    citations: list[str] = []
    invalid: list[str] = []
    uncited: list[str] = []
    unsupported: list[UnsupportedClaim] = []
    claims: int = 0
    cited_claims: int = 0


# --- outcomes ------------------------------------------------------------------------------

ClarificationKind = Literal[
    "empty_workspace",
    "below_threshold",
    "conflict",
    "low_confidence",
    "not_audited",
    "not_covered",
    "ambiguous",
    "partly_answered",
    "choice",
    "no_code",
]
"""Why a question is asked back. Three say more than that the confidence was low: nothing
speaks of a thing that the question names, several things fit it, or half of it has an answer. `choice`
wants one of several codes; with `no_code` there is none that a reply could help to find."""
WITHOUT_REPLY: Final[frozenset[ClarificationKind]] = frozenset({"empty_workspace", "no_code"})
"""Kinds that no reply mends: there is nothing to search, and it says what to do."""


class Citation(Value):
    """One numbered source of an answer, with the text as it stood when it was cited."""

    n: int
    chunk_id: str
    document_id: str
    version_id: str
    document: str
    title: str
    place: Place
    date: dt.date | None
    date_source: DateSource | None = None
    text: str

    @property
    def attached(self) -> bool:
        """Return whether it is of a file that came with the question."""
        return is_attached(self.document_id)


class Badge(Value):
    """Show people the confidence: a word, the number it stands for, and why it is capped.

    A draft that states nothing has none.
    """

    level: Literal["High", "Medium", "Low", "Not audited"]
    confidence: Unit
    note: str = ""


class Outcome(Value):
    """Hold what every end of a run shares."""

    run_id: str
    question: str
    """What the asker wrote first."""
    reply: str = ""
    """What was replied when it was asked back, where this run came of that."""
    choices: list[Choice] = []
    """What was chosen between statements that disagree, for who goes on from here."""
    asked_back: list[AskedBack] = []
    """What was asked before on the way to a code, with the replies."""
    understood: str = ""
    """The question as it was understood, where its thread said more than what was written."""
    searched_for: list[str] = []
    """What was searched in place of words as they were typed."""
    unread: list[str] = []
    """Sentences on the files of the question that could not be read, or not whole."""


class Answered(Outcome):
    """An audited answer. `answer` carries `[1]`..`[n]`; what did not hold is marked in it.

    `improvement` says what would make it better, where it is not High. `extractive` says that no
    model wrote it, `lexical_only` that words alone were searched by. `gaps` are sentences on what
    of the question the answer leaves open. `small_talk` says that nothing was searched, and
    `questions` are such as could be asked instead; `retold` that it is the answer before in another
    form, of the question that was `understood`. `calculations` are those whose results it shows,
    `charts` and `tables` (at most two of each) its figures drawn. `code` is what was classified as.
    """

    answer: str
    confidence: Unit
    badge: Badge | None
    citations: list[Citation]
    critique: Critique
    evaluation: Evaluation | None
    audit: CitationAudit
    improvement: str = ""
    extractive: bool = False
    lexical_only: bool = False
    gaps: list[str] = []
    calculations: list[Calculation] = []
    charts: list[Chart] = []
    tables: list[ShownTable] = []
    code: Coded | None = None
    small_talk: bool = False
    retold: bool = False
    questions: list[str] = []


class NeedsClarification(Outcome):
    """A question back to the asker, with the best audited draft where there is one.

    `options` are the things that it may be about, one of which a reply can choose. `nearest` is
    what of the draft may be shown beside the question, marked as unsure; empty where nothing is
    near. `questions` are such as the documents that the draft cites answer, with words of what was
    asked. `gaps` are as in an answer. `statements` are those that disagree, in the order in which
    a reply may count them.
    """

    kind: ClarificationKind
    clarification_question: str
    statements: list[SourceStatement] = []
    answer: str
    confidence: Unit
    badge: Badge | None
    citations: list[Citation] = []
    critique: Critique | None = None
    evaluation: Evaluation | None = None
    evaluation_skipped_reason: str | None = None
    audit: CitationAudit | None = None
    extractive: bool = False
    lexical_only: bool = False
    options: list[str] = []
    nearest: str = ""
    questions: list[str] = []
    gaps: list[str] = []

    @property
    def untold(self) -> list[str]:
        """Return the gaps that the question back does not name itself."""
        return self.gaps if self.kind in {"low_confidence", "below_threshold"} else []


class NotLinked(Outcome):
    """The place where it was asked is linked to no workspace; nothing was searched."""

    instructions: str


class Refused(Outcome):
    """Not allowed, or over quota: nothing ran."""

    reason: str


class Failed(Outcome):
    """Something that could not be mended within the run. `error` names what to do.

    `detail` is the same for who runs MASIS, with addresses and settings; empty where there is no
    more to say. Who asked does not see it.
    """

    error: str
    detail: str = ""
    retryable: bool = False


AnyOutcome = Answered | NeedsClarification | NotLinked | Refused | Failed
