"""Define what the chat graph's agents can do."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from masis.attached import Attached, with_files
from masis.conversation import Exchange, Spot
from masis.domain import SearchResult, Usage, Value, WorkspaceId
from masis.filters import NO_FILTERS, Filters
from masis.graphs.chat.state import Intent, Reply
from masis.graphs.common import Context
from masis.records import StoredRun


class Memory(Protocol):
    """Remembers what was asked in a thread."""

    async def recall(self, thread: Spot, workspace_id: WorkspaceId) -> list[Exchange]:
        """Return the thread's last exchanges that were answered from this workspace, oldest first.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        ...


class Routing(Value):
    """Say what a message wants; None where that cannot be told."""

    intent: Intent | None
    usage: Usage = Usage()


class Router(Protocol):
    """Tells what a message wants that no rule tells."""

    async def route(self, text: str, messages: Sequence[Exchange]) -> Routing:
        """Return the intent alone; a fact is never answered here."""
        ...


class Greeter(Protocol):
    """Answers small talk."""

    async def greet(self, text: str, workspace_id: WorkspaceId) -> Reply:
        """Return one short sentence, with up to three questions that the workspace answers."""
        ...


class Understood(Value):
    """Hold what a message means when it is read alone.

    `carried` is the question with what the thread lends it, `alone` the one without; they are the
    same where nothing is lent. `is_sure` says that `carried` needs no proof by a search, `is_likely`
    that its words speak for it, `is_whole` that nothing is missing in `alone`. `subject` is what was lent.
    `changes_slot` says that passages need not have the words of the message: it changes a calculation, doubts
    what was answered, or tells of a case.
    """

    alone: str
    carried: str
    is_sure: bool = True
    is_likely: bool = False
    is_whole: bool = False
    changes_slot: bool = False
    subject: str = ""
    wider: bool = False
    usage: Usage = Usage()


class Answers(Protocol):
    """Keeps the answers that were given."""

    async def run(self, workspace_id: WorkspaceId, run_id: str) -> StoredRun | None:
        """A kept run of that workspace.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        ...


class Reworded(Value):
    """An answer in other words, with the citations of the first; None where none can be used."""

    text: str | None
    usage: Usage = Usage()


class Reworder(Protocol):
    """Puts an answer into other words."""

    async def reword(self, answer: str, language: str) -> Reworded:
        """Say the answer in that language, or shorter where none is named."""
        ...


class Rewriter(Protocol):
    """Makes a message of a thread a question that stands alone."""

    async def rewrite(self, text: str, messages: Sequence[Exchange]) -> Understood:
        """Return what the message means; no name or figure in it comes from elsewhere.

        Raises:
            ModelServiceError: the model refused.
        """
        ...


class Names(Protocol):
    """Knows how the documents of a workspace write names."""

    async def written(self, workspace_id: WorkspaceId, texts: Sequence[str]) -> list[str]:
        """Return texts with their names written so.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        ...


class Probe(Protocol):
    """Searches a workspace as the researcher does."""

    async def search(
        self,
        workspace_id: WorkspaceId,
        query: str,
        *,
        limit: int,
        question: str | None = None,
        filters: Filters = NO_FILTERS,
    ) -> SearchResult:
        """At most `limit` candidates within `filters`, best first."""
        ...


class CodeNames(Protocol):
    """Knows what the code lists of a workspace are called."""

    async def names(self, workspace_id: WorkspaceId) -> frozenset[str]:
        """Return the terms of their titles and of their code columns; none where there is no list.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        ...

    async def asked(self, workspace_id: WorkspaceId, question: str) -> bool:
        """Tell whether a question asks what a code of a list stands for.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        ...

    async def are_all(self, workspace_id: WorkspaceId) -> bool:
        """Tell whether the workspace has code lists and no other document.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        ...


class Tables(Protocol):
    """Tells what the whole tables of a workspace are asked."""

    async def is_asked(
        self, workspace_id: WorkspaceId, question: str, files: Collection[str] = ()
    ) -> bool:
        """Tell whether a question asks one of them.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        ...


@dataclass(frozen=True, slots=True)
class ChatAgents:
    """One implementation of each.

    Without a `router` rules alone tell what a message wants; without a `reworder` an answer stays as
    it was written; without `codes` nothing is classified, without `tables` no whole table asked;
    without `names` a name that was typed without a capital is a word like others.
    """

    memory: Memory
    greeter: Greeter
    rewriter: Rewriter
    probe: Probe
    answers: Answers
    router: Router | None = None
    reworder: Reworder | None = None
    codes: CodeNames | None = None
    tables: Tables | None = None
    names: Names | None = None

    def with_files(self, attached: Attached) -> "ChatAgents":
        """Return the agents of one run, who probe the files of its question as well."""
        return replace(self, probe=with_files(self.probe, attached))


ChatContext = Context[ChatAgents]
"""What a run of this graph is handed beside its state."""
