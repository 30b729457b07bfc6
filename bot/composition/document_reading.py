"""Build what reads files and puts documents in."""

from collections.abc import Callable

from bot.observability.observed_ports import ObservedIngest
from masis.documents.attaching import Attaching
from masis.documents.ingestion import Ingest
from masis.documents.parsing.reader_versions import PARSER_VERSIONS
from masis.documents.parsing.sandbox.pool import ParserPool
from masis.domain import WorkspaceId
from masis.ports import Embedder, Parser, Repository, VectorStores
from storage.documents.outdated_readers import OlderDocuments, older_documents
from storage.sql.database import Database

__all__ = ["Attaching", "ParserPool", "ingest", "older"]


def ingest(
    repository: Repository,
    stores: VectorStores,
    embedder: Embedder | None,
    parser: Parser,
    forget: Callable[[WorkspaceId], None],
) -> Ingest:
    """Build what puts documents in, and takes them out."""
    return ObservedIngest(
        repository=repository,
        stores=stores,
        embedder=embedder,
        parser=parser,
        forget=forget,
        parsers=PARSER_VERSIONS,
    )


async def older(database: Database, owner: str | None) -> OlderDocuments:
    """Count an owner's documents that an older reader read; for None everybody's.

    Raises:
        StoreUnavailable: the database cannot be read.
    """
    return await older_documents(database, PARSER_VERSIONS, owner)
