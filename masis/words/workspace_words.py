"""The words of workspaces, remembered by the process for as long as their documents stay."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from masis.domain import WorkspaceId
from masis.ports import Repository
from masis.words.spelling import Words, merged

MOST_KEPT: Final = 200_000
"""Words in memory, of all workspaces together: some 30 MB."""
READ_AT_ONCE: Final = 200
"""Versions whose words are read in one go."""


@dataclass
class _Kept:
    versions: set[str] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)
    words: Words = field(default_factory=lambda: Words({}))


class WorkspaceWords:
    """Gives the words of a workspace's visible documents, and reads what is new of them.

    Raises:
        StoreUnavailable: the database cannot be read.
    """

    def __init__(self, repository: Repository, most: int = MOST_KEPT) -> None:
        self._repository = repository
        self._most = most
        # The one used longest ago first. A cache of cachetools refuses what alone exceeds its bound.
        self._kept: OrderedDict[WorkspaceId, _Kept] = OrderedDict()

    async def of(self, workspace_id: WorkspaceId) -> Words:
        """Return the words of the documents that are visible now."""
        active = await self._repository.active_versions(workspace_id)
        kept = self._kept.get(workspace_id)
        if kept is not None and kept.versions == set(active):
            self._kept.move_to_end(workspace_id)
            return kept.words
        fresh = await self._read(workspace_id, active, kept)
        self._kept[workspace_id] = fresh
        self._kept.move_to_end(workspace_id)
        self._let_go()
        return fresh.words

    def forget(self, workspace_id: WorkspaceId) -> None:
        """Drop the words of a workspace; to be called when something of it is deleted."""
        self._kept.pop(workspace_id, None)

    async def _read(
        self, workspace_id: WorkspaceId, active: Sequence[str], kept: _Kept | None
    ) -> _Kept:
        """Read the versions that are not counted yet; all of them where one has gone."""
        fresh = _Kept()
        if kept is not None and kept.versions.issubset(active):
            fresh = _Kept(set(kept.versions), Counter(kept.counts))
        missing = [version for version in active if version not in fresh.versions]
        for portion in _portions(missing):
            found = await self._repository.version_words(workspace_id, portion)
            fresh.counts = await asyncio.to_thread(merged, fresh.counts, list(found.values()))
            fresh.versions.update(portion)
        fresh.words = await asyncio.to_thread(Words, fresh.counts)
        return fresh

    def _let_go(self) -> None:
        """Keep the workspaces used last, and always the one just read."""
        total = sum(len(kept.words) for kept in self._kept.values())
        while total > self._most and len(self._kept) > 1:
            _, gone = self._kept.popitem(last=False)
            total -= len(gone.words)


def _portions(versions: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(versions), READ_AT_ONCE):
        yield versions[start : start + READ_AT_ONCE]
