"""The words of a workspace's documents."""

from typing import cast

from masis.domain import WorkspaceId
from masis.ports import Repository
from masis.text import lexical
from masis.words.vocabulary import MOST, WorkspaceVocabulary


class Statistics:
    """Term statistics of documents that have these words alone."""

    def __init__(self, text: str) -> None:
        self._ids = {lexical.term_id(term) for term in lexical.terms(text)}
        self.asked: list[int] = []

    async def term_frequencies(
        self, workspace_id: WorkspaceId, terms: set[int]
    ) -> tuple[int, dict[int, int]]:
        assert workspace_id == "w"
        self.asked.append(len(terms))
        return 1, dict.fromkeys(self._ids & terms, 1)


async def test_known_terms_occur_in_documents() -> None:
    """Known are the terms that stand in a document."""
    words = WorkspaceVocabulary(cast(Repository, Statistics("annual leave")))

    assert await words.known(WorkspaceId("w"), ["leav", "holiday"]) == {"leav"}


async def test_long_question_lookup_is_bounded() -> None:
    """A long question is looked up within bounds."""
    statistics = Statistics("annual leave")
    words = WorkspaceVocabulary(cast(Repository, statistics))

    known = await words.known(WorkspaceId("w"), [f"word{n}" for n in range(MOST + 5)])

    assert statistics.asked == [MOST]
    assert len(known) == 5
