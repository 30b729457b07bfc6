"""Look up which words the documents of a workspace have, by its own term statistics."""

from collections.abc import Iterable
from typing import Final

from masis.domain import WorkspaceId
from masis.ports import Repository
from masis.text import lexical

MOST: Final = 400
"""Words of one question that are looked up; what a longer one names besides counts as there."""


class WorkspaceVocabulary:
    """The words of a workspace's documents."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def known(self, workspace_id: WorkspaceId, words: Iterable[str]) -> frozenset[str]:
        """Those of the terms that stand in a document."""
        distinct = list(dict.fromkeys(words))
        ids = {lexical.term_id(term) for term in distinct[:MOST]}
        _, frequencies = await self._repository.term_frequencies(workspace_id, ids)
        there = {term for term in distinct[:MOST] if frequencies.get(lexical.term_id(term))}
        return frozenset({*there, *distinct[MOST:]})
