"""Define what flows through the classification graph. Every key is always present."""

import operator
from typing import Annotated, Literal, TypedDict

from masis.domain import EvidenceChunk, Question, Unit, Usage, Value, WorkspaceId
from masis.graphs.common import Report, Request, RunState

Status = Literal["MATCH_FOUND", "MORE_INFO", "IMPROVED_SEARCH"]
Reason = Literal[
    "",
    "chosen",
    "looked_up",
    "ambiguous",
    "nothing_near",
    "siblings",
    "unclear",
    "undecided",
    "limit",
]
"""Why code decided otherwise than, or before, the analyzer; empty where it did not."""


class Said(Value):
    """A message of either side. What was asked back has the titles that were offered."""

    role: Literal["asker", "bot"]
    text: str
    options: list[str] = []


class Expansion(Value):
    """What is to be classified, as it is searched; it has no code, so that none is chosen here.

    `wordings` are searched together, the last said first. `places` are the words of place that were
    taken out. `kind` are the words for the kind of code that is wanted. `offered` are the titles that the
    last question back had, `reply` the words of its reply; `chosen` is the one that it names, `rejected`
    are those that replies turn down, where `is_undecided` somebody cannot say, and who `asks_meaning` does not
    understand what was asked. `anew` are the wordings since a reply that may be about something else.
    It `is_follow_up` where something was said since a question back.
    """

    query: str
    wordings: list[str] = []
    ambiguities: list[str] = []
    assumptions: list[str] = []
    anew: list[str] = []
    places: list[str] = []
    kind: str = ""
    offered: list[str] = []
    reply: str = ""
    chosen: str = ""
    rejected: list[str] = []
    is_undecided: bool = False
    is_follow_up: bool = False
    asks_meaning: bool = False
    usage: Usage = Usage()


class Above(Value):
    """A code above another one or below it, with the passage of its row, and how many codes are below it."""

    code: str
    title: str
    chunk_id: str = ""
    holds: int = 0


class Candidate(Value):
    """A code that a search brought. `path` are the codes above it, the topmost first.

    `score` is how much it is favoured, as a logarithm. `about` is what its row says of it, cut; `words` are
    the terms of what was said that its row has, of `row_terms` different ones. `chunk_ids` are the passages
    of its rows, in which `column` holds the codes. What a code stands for that `is_asked` is explained, with
    the codes `below` it; nothing is classified as one that has some. What `is_need` is named by one part of a
    description whose other parts name others.
    """

    code: str
    title: str
    document_id: str
    path: list[Above] = []
    below: list[Above] = []
    score: float
    cosine: float = 0.0
    about: str = ""
    words: list[str] = []
    row_terms: int = 0
    chunk_ids: list[str] = []
    column: str = ""
    is_asked: bool = False
    is_title_alone: bool = False
    is_need: bool = False

    @property
    def id(self) -> str:
        """Return what it is merged by."""
        return f"{self.document_id} {self.code}"

    @property
    def parent(self) -> str:
        """Return the code above it; a code at the top stands for itself."""
        return self.path[-1].code if self.path else self.code


class Analysis(Value):
    """What was decided. `code` is the match, `among` the codes that compete or that are below it.

    `query` is what to search for instead, `question` what the asker is asked with the titles in
    `options`. `reason` says why code decided.
    """

    status: Status
    code: str = ""
    among: list[str] = []
    query: str = ""
    question: str = ""
    options: list[str] = []
    reason: Reason = ""
    confidence: Unit = 0.0
    usage: Usage = Usage()


class CodedRow(Value):
    """The code of one row of a file; without one, and where it is open, a person should look at it."""

    code: str = ""
    title: str = ""
    confidence: Unit = 0.0
    needs_person: bool = True


class State(RunState):
    """The whole state.

    `messages` is the only key that lives on when a reply comes; all else is made anew. `code_lists` are
    the workspace's, first the one that was searched, by their names. `evidence` are
    the passages of the rows in `retrieved_results`; `relevance` is how near the nearest is, `spread` how
    differently near a list is that has titles alone. `coded_rows` grow by a batch at a time, and `rows_left` are
    still to be coded.
    """

    request: Request
    question: Question
    messages: Annotated[list[Said], operator.add]
    expander_analysis: Expansion | None
    code_lists: list[str]
    retrieved_results: list[Candidate]
    evidence: list[EvidenceChunk]
    relevance: float
    spread: float | None
    analyzer_response: Analysis | None
    improved_search: bool
    improved_search_count: int
    coded_rows: Annotated[list[CodedRow], operator.add]
    rows_left: int


class ToBegin(TypedDict):
    """Read by the way in."""

    question: Question


class ToCodeRows(TypedDict):
    """Read by rows."""

    workspace_id: WorkspaceId
    code_lists: list[str]
    coded_rows: list[CodedRow]


class ToGoOn(TypedDict):
    """Read by the way out of rows."""

    rows_left: int


class ToExpand(TypedDict):
    """Read by the expander."""

    messages: list[Said]


class ToRetrieve(TypedDict):
    """Read by retrieval."""

    workspace_id: WorkspaceId
    expander_analysis: Expansion | None
    retrieved_results: list[Candidate]
    evidence: list[EvidenceChunk]
    relevance: float
    spread: float | None
    analyzer_response: Analysis | None
    improved_search: bool


class ToAnalyze(TypedDict):
    """Read by the analyzer."""

    messages: list[Said]
    expander_analysis: Expansion | None
    retrieved_results: list[Candidate]
    relevance: float
    spread: float | None
    improved_search_count: int


class ToAsk(TypedDict):
    """Read by user_info, and by the way out of the analyzer."""

    messages: list[Said]
    analyzer_response: Analysis | None


class Restarted(Report):
    """Left by the expander: everything but the messages begins anew."""

    expander_analysis: Expansion
    code_lists: list[str]
    retrieved_results: list[Candidate]
    evidence: list[EvidenceChunk]
    relevance: float
    spread: float | None
    analyzer_response: Analysis | None
    improved_search: bool
    improved_search_count: int


class Retrieved(Report):
    """Left by retrieval."""

    expander_analysis: Expansion
    code_lists: list[str]
    retrieved_results: list[Candidate]
    evidence: list[EvidenceChunk]
    relevance: float
    spread: float | None
    improved_search: bool


class RowsCoded(Report):
    """Left by rows: the codes of the next ones."""

    coded_rows: list[CodedRow]
    rows_left: int
    code_lists: list[str]


class Analyzed(Report):
    """Left by the analyzer."""

    messages: list[Said]
    analyzer_response: Analysis
    improved_search: bool
    improved_search_count: int


class Replied(Report):
    """Left by user_info: the reply, and nothing that was derived before it."""

    messages: list[Said]
    expander_analysis: None
    code_lists: list[str]
    retrieved_results: list[Candidate]
    evidence: list[EvidenceChunk]
    relevance: float
    spread: float | None
    analyzer_response: None
    improved_search: bool
    improved_search_count: int
