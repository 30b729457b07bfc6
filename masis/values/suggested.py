"""Questions that a workspace answers, and the documents that they were tried on."""

import hashlib
from collections.abc import Iterable

from masis.values.base import Value


class Suggestion(Value):
    """Hold a question, and the title of the document that answers it."""

    text: str
    document: str


class Kept(Value):
    """Hold the questions of a workspace, and the digest of the documents that they were tried on."""

    documents: str
    questions: list[Suggestion]


def digest(held: Iterable[tuple[str, str]]) -> str:
    """Return a digest of what a workspace holds: the ids of its documents with their versions."""
    said = "\n".join(f"{document} {version}" for document, version in sorted(held))
    return hashlib.sha256(said.encode()).hexdigest()
