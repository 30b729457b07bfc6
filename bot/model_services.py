"""Find where each model service is, and the name by which its calls are counted together."""

import hashlib
from typing import TYPE_CHECKING

from bot.settings import Service, Settings

if TYPE_CHECKING:
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
