"""Questions that a workspace answers well, made from its own documents and asked before they are shown."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import chain, zip_longest
from typing import Final, NamedTuple, Protocol

from masis.codelists.examples import examples
from masis.codelists.stored import is_one
from masis.domain import (
    Answered,
    AnyOutcome,
    Document,
    EvidenceChunk,
    Failed,
    Workspace,
    WorkspaceId,
)
from masis.errors import MasisError
from masis.ports import Repository
from masis.questions.document_questions import KINDS, Made, questions
from masis.questions.question_parts import ASKING
from masis.text.lexical import terms
from masis.text.sentences import words
from masis.values.suggested import Kept, Suggestion, digest

log = logging.getLogger(__name__)

SHOWN: Final = 3
MOST_DOCUMENTS: Final = 24
"""Looked into, the newest first: each is one read of the database."""
FIRST_CHUNKS: Final = 6
"""Of each: what a document is about stands at its beginning."""
MOST_OF_ONE: Final = 3
"""Questions of one document that are thought of; different documents come first."""
MOST_ASKED: Final = 16
"""Of a workspace, until three are answered well; without a model each takes a tenth of a second."""
BESIDE: Final = 2
MOST_ASKED_BESIDE: Final = 3
"""The same beside a question back, for which somebody waits."""
MAKING_SECONDS: Final = 30.0
"""After which no other question is asked; what was answered until then is shown."""

Attempt = Callable[[Workspace, str], Awaitable[AnyOutcome]]
"""Asks a question of a workspace, and keeps nothing of it."""


class KeptSuggestions(Protocol):
    """Keeps questions until the documents of their workspace change.

    Raises:
        StoreUnavailable: they cannot be read, or written.
    """

    async def read(self, workspace_id: WorkspaceId) -> Kept | None:
        """Return the questions of a workspace; None where none are kept."""
        ...

    async def keep(self, workspace_id: WorkspaceId, kept: Kept) -> None:
        """Keep the questions of a workspace, unless its documents have changed meanwhile."""
        ...


class _Tried(NamedTuple):
    """Questions that were answered, how many could not be asked, and how many there was no time for."""

    found: list[Made]
    failed: int
    untried: int


class Suggestions:
    """Makes and remembers questions. `attempt` must ask the workspace without a model service.

    A question is shown only when its own document alone answers it with High or Medium.
    """

    def __init__(self, repository: Repository, attempt: Attempt, kept: KeptSuggestions) -> None:
        self._repository = repository
        self._attempt = attempt
        self._kept = kept
        self._lock = asyncio.Lock()

    async def ready(self, workspace: Workspace) -> list[Suggestion] | None:
        """The questions of the workspace as it is now; None where they have to be made first.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        return await self._known(workspace, await self._repository.documents(workspace.id))

    async def known(self, workspace_id: WorkspaceId) -> list[str]:
        """The questions of a workspace; none while they are still to be made.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        workspace = await self._repository.workspace_by_id(workspace_id)
        ready = await self.ready(workspace) if workspace else None
        return [each.text for each in ready or []]

    async def of(self, workspace: Workspace) -> list[Suggestion]:
        """The questions of the workspace as it is now, made where they are not known: one at a time.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        async with self._lock:
            documents = await self._repository.documents(workspace.id)
            known = await self._known(workspace, documents)
            return await self._made(workspace, documents) if known is None else known

    async def near(
        self, workspace: Workspace, question: str, evidence: Sequence[EvidenceChunk]
    ) -> list[str]:
        """Questions that the evidence answers, with a word of what was asked, the nearest first."""
        asked = frozenset(terms(question)) - ASKING
        made = chain.from_iterable(
            questions(chunk.text, chunk.place.headings, chunk.document_id) for chunk in evidence
        )
        shared = {each: len(asked.intersection(terms(each.text))) for each in made}
        other = [e for e in shared if shared[e] and _said(e.text) != _said(question)]
        ranked = sorted(other, key=lambda each: (-shared[each], KINDS.index(each.kind)))
        tried = await self._answered(workspace, ranked[:MOST_ASKED_BESIDE], BESIDE)
        return [each.text for each in tried.found]

    # --- making ------------------------------------------------------------------------------

    async def _known(
        self, workspace: Workspace, documents: Sequence[Document]
    ) -> list[Suggestion] | None:
        kept = await self._kept.read(workspace.id)
        return kept.questions if kept and kept.documents == _digest(documents) else None

    async def _made(self, workspace: Workspace, documents: Sequence[Document]) -> list[Suggestion]:
        newest = sorted(documents, key=lambda each: each.ingested_at, reverse=True)
        by_document = [await self._of_document(each) for each in newest[:MOST_DOCUMENTS]]
        tried = await self._answered(workspace, _round_robin(by_document)[:MOST_ASKED], SHOWN)
        titles = {each.id: each.title or each.name for each in documents}
        made = [Suggestion(text=e.text, document=titles[e.document_id]) for e in tried.found]
        # What could not be tried now may be answered later.
        if tried.failed + tried.untried == 0 or len(made) == SHOWN:
            await self._kept.keep(workspace.id, Kept(documents=_digest(documents), questions=made))
        return made

    async def _of_document(self, document: Document) -> list[Made]:
        """The questions of a document that read best."""
        chunks = await self._repository.neighbours(
            document.workspace_id, document.version_id, range(FIRST_CHUNKS)
        )
        own = [
            chunk
            for chunk in chunks
            if (chunk.workspace_id, chunk.document_id) == (document.workspace_id, document.id)
        ]
        if is_one(document):
            return [Made(text, "asked", document.id) for text in examples(document, own)]
        made = dict.fromkeys(
            each
            for chunk in own
            for each in questions(chunk.text, chunk.place.headings, chunk.document_id)
        )
        return sorted(made, key=lambda each: KINDS.index(each.kind))[:MOST_OF_ONE]

    async def _answered(self, workspace: Workspace, made: Sequence[Made], most: int) -> _Tried:
        """The first of them that their own documents answer."""
        found: dict[str, Made] = {}
        failed, untried, begun = 0, 0, time.monotonic()
        for at, each in enumerate(made):
            if len(found) == most:
                break
            if time.monotonic() - begun > MAKING_SECONDS:
                untried = len(made) - at
                break
            if each.text in found:
                continue
            outcome = await self._outcome(workspace, each)
            failed += outcome is None
            if outcome is not None and _is_answer(outcome, each):
                found[each.text] = each
        return _Tried(list(found.values()), failed, untried)

    async def _outcome(self, workspace: Workspace, made: Made) -> AnyOutcome | None:
        """Return what comes of asking it; None where nothing could be asked."""
        try:
            outcome = await self._attempt(workspace, made.text)
        except MasisError as error:
            log.info("a suggestion could not be tried: %s", type(error).__name__)
            return None
        return None if isinstance(outcome, Failed) else outcome


def _is_answer(outcome: AnyOutcome, made: Made) -> bool:
    return (
        isinstance(outcome, Answered)
        and outcome.badge is not None
        and outcome.badge.level in {"High", "Medium"}
        and not outcome.gaps
        # Where another document is cited as well, it may say otherwise.
        and {cited.document_id for cited in outcome.citations} == {made.document_id}
    )


def _digest(documents: Iterable[Document]) -> str:
    return digest((each.id, each.version_id) for each in documents)


def _round_robin(by_document: Sequence[Sequence[Made]]) -> list[Made]:
    """The first question of every document, those that read best first, then every second one."""
    rounds = zip_longest(*by_document)
    return [
        each
        for each_round in rounds
        for each in sorted(filter(None, each_round), key=lambda each: KINDS.index(each.kind))
    ]


def _said(question: str) -> list[str]:
    """A question's words, however it is written."""
    return [word.casefold() for word in words(question)]
