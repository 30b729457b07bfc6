"""The hybrid search of two public libraries, over chunks and vectors that were made elsewhere.

It runs in an environment of its own (`make peers`), where nothing of this repository is installed:
`python rank.py FOLDER` reads `job.json` and `vectors.npz` of that folder and writes `ranked.json`.
Both libraries are set up as their documentation shows hybrid search, with their own defaults for
words and fusion; given are the chunks, the vectors, and how many results are wanted.
"""

# mypy: disable-error-code="import-not-found,misc"
# The libraries are in an environment of their own, which mypy does not see.

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from haystack import Document
from haystack.components.joiners import DocumentJoiner
from haystack.components.retrievers.in_memory import (
    InMemoryBM25Retriever,
    InMemoryEmbeddingRetriever,
)
from haystack.document_stores.in_memory import InMemoryDocumentStore
from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import TextNode
from llama_index.retrievers.bm25 import BM25Retriever

Search = Callable[[str], list[str]]
Vectors = dict[str, list[float]]
"""The vector of each question by its text."""


class Known(BaseEmbedding):
    """Looks a question up; the chunks bring their vectors along."""

    vectors: Vectors

    def _get_query_embedding(self, query: str) -> list[float]:
        return self.vectors[query]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self.vectors[query]

    def _get_text_embedding(self, text: str) -> list[float]:
        raise LookupError(f"a chunk of {len(text)} characters came without its vector")


def llama_index(
    texts: Mapping[str, str], chunks: Mapping[str, list[float]], questions: Vectors, limit: int
) -> Search:
    """`VectorStoreIndex` and `BM25Retriever` under `QueryFusionRetriever`, reciprocal rerank."""
    nodes = [TextNode(id_=key, text=text, embedding=chunks[key]) for key, text in texts.items()]
    index = VectorStoreIndex(nodes, embed_model=Known(vectors=questions))
    fused = QueryFusionRetriever(
        [
            index.as_retriever(similarity_top_k=limit),
            BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=limit),
        ],
        llm=MockLLM(),
        num_queries=1,
        mode="reciprocal_rerank",
        similarity_top_k=limit,
        use_async=False,
    )
    return lambda question: [found.node.node_id for found in fused.retrieve(question)]


def haystack(
    texts: Mapping[str, str], chunks: Mapping[str, list[float]], questions: Vectors, limit: int
) -> Search:
    """The in-memory store's BM25 and embedding retrievers, joined by reciprocal rank fusion."""
    store = InMemoryDocumentStore()
    store.write_documents(
        [Document(id=key, content=text, embedding=chunks[key]) for key, text in texts.items()]
    )
    words = InMemoryBM25Retriever(store, top_k=limit)
    meaning = InMemoryEmbeddingRetriever(store, top_k=limit)
    joiner = DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=limit)

    def search(question: str) -> list[str]:
        lists = [
            words.run(query=question)["documents"],
            meaning.run(query_embedding=questions[question])["documents"],
        ]
        return [found.id for found in joiner.run(documents=lists)["documents"]]

    return search


PEERS: Mapping[str, tuple[Callable[..., Search], Sequence[str]]] = {
    "LlamaIndex": (llama_index, ("llama-index-core", "llama-index-retrievers-bm25")),
    "Haystack": (haystack, ("haystack-ai",)),
}
"""By name: how it is set up, and the packages whose versions say which one it was."""


def main(folder: Path) -> None:
    """Rank every question of the job by every peer."""
    job: dict[str, Any] = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    with np.load(folder / "vectors.npz") as arrays:
        chunks = dict(zip(job["texts"], arrays["chunks"].tolist(), strict=True))
        questions = dict(zip(job["questions"], arrays["questions"].tolist(), strict=True))
    ranked = {}
    for name, (build, packages) in PEERS.items():
        search = build(job["texts"], chunks, questions, job["limit"])
        ranked[name] = {
            "versions": {package: version(package) for package in packages},
            "found": {question: search(question) for question in job["questions"]},
        }
    (folder / "ranked.json").write_text(json.dumps(ranked), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
