"""The embedding adapter through the real client and real HTTP, behind its gateway."""

import json
from collections.abc import AsyncIterator

import numpy as np
import pytest

from masis.adapters.openai_embedder import ADA_002, OpenAIEmbedder
from masis.errors import EmbeddingError, InvalidSettings
from masis.models.embedding import ServedEmbedder
from masis.models.gateway import Backoff
from tests import openai_server as service
from tests.openai_server import KEY, Behaviour, OpenAIServer

AT_ONCE = Backoff(base=0.0)


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as running:
        yield running


@pytest.fixture
async def embedder(server: OpenAIServer) -> AsyncIterator[ServedEmbedder]:
    adapter = OpenAIEmbedder(server.endpoint(ADA_002))
    yield ServedEmbedder(adapter, backoff=AT_ONCE, batch=4)
    await adapter.close()


def rows(*vectors: list[float]) -> Behaviour:
    data = [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    return service.sends(json.dumps({"data": data}))


async def test_texts_have_ordered_unit_vectors(embedder: ServedEmbedder) -> None:
    """Each text has its unit vector in order."""
    vectors = await embedder.embed(["annual leave", "price list", "annual leave"])
    assert vectors.shape == (3, 1536)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    assert np.array_equal(vectors[0], vectors[2])
    assert vectors[0] @ vectors[1] < 0.9


async def test_many_texts_go_in_bounded_batches(
    server: OpenAIServer, embedder: ServedEmbedder
) -> None:
    texts = [f"text {number}" for number in range(10)]
    vectors = await embedder.embed(texts)
    assert [len(batch) for batch in server.embedded] == [4, 4, 2]
    alone = [await embedder.embed([text], "query") for text in texts]
    assert np.allclose(vectors, np.concatenate(alone))


async def test_no_texts_ask_nobody(server: OpenAIServer, embedder: ServedEmbedder) -> None:
    assert (await embedder.embed([])).shape == (0, 1536)
    assert server.embedded == []


async def test_empty_text_has_a_vector(embedder: ServedEmbedder) -> None:
    """An empty text has a vector too."""
    assert np.isfinite(await embedder.embed([""])).all()


def test_ada_002_relevance_is_its_cosine(server_profile: OpenAIEmbedder) -> None:
    """The relevance of ada 002 is its cosine."""
    profile = server_profile.profile
    assert profile.id == "text-embedding-ada-002/1536/1"
    assert [profile.relevance(cosine) for cosine in (-1.0, 0.0, 0.6, 1.0)] == [0.0, 0.0, 0.6, 1.0]


@pytest.fixture
def server_profile() -> OpenAIEmbedder:
    return OpenAIEmbedder(OpenAIServer(url="http://127.0.0.1:9/v1").endpoint(ADA_002))


async def test_unknown_model_requires_a_dimension(server: OpenAIServer) -> None:
    """A model that nobody knows wants its dimension."""
    with pytest.raises(InvalidSettings, match="MASIS_EMBEDDING_DIMENSION"):
        OpenAIEmbedder(server.endpoint("my-embedder"))
    server.dimension = 8
    known = OpenAIEmbedder(
        server.endpoint("my-embedder"), dimension=8, calibration=[(0, 0), (1, 1)]
    )
    assert (await known.request(["a"])).vectors.shape == (1, 8)
    await known.close()


async def test_vectors_of_another_length_are_refused(
    server: OpenAIServer, embedder: ServedEmbedder
) -> None:
    server.dimension = 384
    with pytest.raises(EmbeddingError, match="length 384 instead of 1536") as caught:
        await embedder.embed(["a"])
    assert not caught.value.retryable
    assert len(server.embedded) == 1


@pytest.mark.parametrize(
    "behaviour",
    [
        service.sends_html(),
        service.sends('{"data": []}'),
        service.sends('{"data": [{"index": 0, "embedding": "AAAA"}]}'),
        service.sends('{"data": [{"index": 7, "embedding": [1.0]}]}'),
        rows([1.0] * 1536, [1.0] * 1536),
        rows([0.0] * 1536),
        rows([float("nan")] * 1536),
        rows([float("inf")] * 1536),
        rows([1e300] * 1536),
        service.floods(33_000_000),
    ],
)
async def test_invalid_vector_raises_an_error(
    server: OpenAIServer, embedder: ServedEmbedder, behaviour: Behaviour
) -> None:
    """What is no vector is stored by nobody."""
    server.embedding_failures.append(behaviour)
    with pytest.raises(EmbeddingError, match="MASIS_EMBEDDING_BASE_URL"):
        await embedder.embed(["a"])


@pytest.mark.parametrize("behaviour", [service.fails(500), service.is_busy("0"), service.resets()])
async def test_unavailable_service_is_asked_again(
    server: OpenAIServer, embedder: ServedEmbedder, behaviour: Behaviour
) -> None:
    """A service that was unavailable is asked again."""
    server.embedding_failures.extend([behaviour, behaviour])
    assert (await embedder.embed(["a"])).shape == (1, 1536)
    assert len(server.embedded) == 3


async def test_lasting_unavailability_is_retryable(
    server: OpenAIServer, embedder: ServedEmbedder
) -> None:
    """A service that stays unavailable is worth another question later."""
    server.embedding_failures.extend([service.fails(503)] * 3)
    with pytest.raises(EmbeddingError, match="no answer for now") as caught:
        await embedder.embed(["a"])
    assert caught.value.retryable
    assert len(server.embedded) == 3


@pytest.mark.parametrize("behaviour", [service.refuses_the_key(), service.has_no_quota()])
async def test_key_and_quota_errors_are_final(
    server: OpenAIServer, embedder: ServedEmbedder, behaviour: Behaviour
) -> None:
    """Key and quota are not asked about twice."""
    server.embedding_failures.append(behaviour)
    with pytest.raises(EmbeddingError) as caught:
        await embedder.embed(["a"])
    assert not caught.value.retryable
    assert KEY not in str(caught.value)
    assert len(server.embedded) == 1
