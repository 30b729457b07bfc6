"""Look up which words the documents of a workspace have, by its own term statistics."""

import asyncio
import copy
from collections.abc import Iterable
from typing import Final, Self

from masis.attached import Attached
from masis.domain import WorkspaceId
from masis.ports import Repository
from masis.text import lexical
from masis.words.attachment_words import ABOUT_FILES

MOST: Final = 400
"""Words of one question that are looked up; what a longer one names besides counts as there."""


class WorkspaceVocabulary:
    """The words of a workspace's documents."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._attached = Attached()

    def with_files(self, attached: Attached) -> Self:
        """Return the words of the workspace and of the files of one run's question."""
        beside = copy.copy(self)
        beside._attached = attached  # noqa: SLF001 - its own copy
        return beside

    async def known(self, workspace_id: WorkspaceId, words: Iterable[str]) -> frozenset[str]:
        """Those of the terms that stand in a document."""
        distinct = list(dict.fromkeys(words))
        ids = {lexical.term_id(term) for term in distinct[:MOST]}
        _, frequencies = await self._repository.term_frequencies(workspace_id, ids)
        there = {term for term in distinct[:MOST] if frequencies.get(lexical.term_id(term))}
        if self._attached.files:
            there |= ABOUT_FILES.intersection(distinct)
            there |= (await asyncio.to_thread(self._attached.frequencies, distinct)).keys()
        return frozenset({*there, *distinct[MOST:]})
