from collections.abc import Sequence

import numpy as np
import pytest

from bot.observability.traced_ports import TracedEmbedding
from masis.domain import EmbeddingProfile, Usage
from masis.errors import ModelServiceUnavailable
from masis.ports import EmbeddingReply
from tests.fakes import PROFILE
from tests.spans import recorded


class Service:
    profile: EmbeddingProfile = PROFILE
    error: Exception | None = None

    async def request(self, texts: Sequence[str]) -> EmbeddingReply:
        if self.error is not None:
            raise self.error
        vectors = np.ones((len(texts), PROFILE.dimension), dtype=np.float32)
        return EmbeddingReply(vectors, Usage(calls=1, prompt_tokens=7))


async def test_a_request_to_an_embedding_service_is_a_span_without_its_texts() -> None:
    with recorded() as spans:
        await TracedEmbedding(Service()).request(["a salary", "another"])
    [found] = spans.named("embeddings")
    assert found.attributes is not None
    assert found.attributes["gen_ai.operation.name"] == "embeddings"
    assert found.attributes["gen_ai.request.model"] == PROFILE.model
    assert found.attributes["gen_ai.usage.input_tokens"] == 7
    assert found.attributes["masis.texts"] == 2
    assert "salary" not in spans.text()


async def test_a_request_that_failed_is_a_span_with_the_name_of_its_error() -> None:
    service = Service()
    service.error = ModelServiceUnavailable("at 10.0.0.7")
    with recorded() as spans, pytest.raises(ModelServiceUnavailable):
        await TracedEmbedding(service).request(["a"])
    [found] = spans.named("embeddings")
    assert found.attributes is not None
    assert found.attributes["error.type"] == "ModelServiceUnavailable"
    assert "10.0.0.7" not in spans.text()
