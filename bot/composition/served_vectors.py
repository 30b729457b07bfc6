"""Build the vectors that a Qdrant server keeps."""

from storage.vectors.qdrant_server import ONCE, TRIES
from storage.vectors.qdrant_store import ServerVectorStores


def stores(address: str, key: str, *, patient: bool) -> ServerVectorStores:
    """The vectors on a server; who is not `patient` is told at once that it is away."""
    return ServerVectorStores(address, key, tries=TRIES if patient else ONCE)
