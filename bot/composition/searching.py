"""Build what finds passages, and what words questions anew."""

from masis.ports import Embedder, Repository, Reranker, VectorStores
from masis.retrieval.multi_query import MOST_QUERIES
from masis.retrieval.rerank import Rerank
from masis.retrieval.search import Retrieval
from masis.retrieval.sentence_vectors import SentenceVectors
from masis.words.wording import Wordings
from masis.words.workspace_words import WorkspaceWords
from storage.documents.synonym_rows import SqlSynonyms
from storage.sql.database import Database

__all__ = ["SentenceVectors", "retrieval", "retrieval_here", "wordings"]


def retrieval(
    repository: Repository,
    stores: VectorStores,
    embedder: Embedder | None,
    vectors: SentenceVectors | None,
    reranker: Reranker | None,
    *,
    by_sentence: bool,
    several: bool,
) -> Retrieval:
    """The search as a run has it; `several` says that a model words queries beside the question."""
    return Retrieval(
        repository=repository,
        stores=stores,
        embedder=embedder,
        sentences=vectors,
        rerank=_rerank(by_sentence=by_sentence),
        reranker=reranker,
        queries=MOST_QUERIES if several else 1,  # offline, several gained nothing
    )


def retrieval_here(
    repository: Repository,
    stores: VectorStores,
    embedder: Embedder | None,
    sentences: SentenceVectors | None,
) -> Retrieval:
    """A search that calls no service; where the embedder is one, it is by words alone."""
    return Retrieval(
        repository=repository,
        stores=stores,
        embedder=embedder if sentences else None,
        sentences=sentences,
        rerank=_rerank(by_sentence=sentences is not None),
        queries=1,
    )


def wordings(repository: Repository, words: WorkspaceWords, database: Database) -> Wordings:
    """Build what words questions anew by what documents say."""
    return Wordings(repository, words, SqlSynonyms(database))


def _rerank(*, by_sentence: bool) -> Rerank:
    return Rerank() if by_sentence else Rerank(sentences=0)
