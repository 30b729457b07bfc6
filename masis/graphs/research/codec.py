"""What a node leaves behind, as small JSON and back.

A chunk is written down by its id, scores and mark: its text stays with its document, and is gone with
it. The draft is the run's own and is written down, once for all the places that hold it.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import BaseModel

from masis import errors
from masis.domain import CitationAudit, Critique, Evaluation, EvidenceChunk
from masis.errors import MasisError, ModelServiceUnavailable
from masis.graphs.research.state import AuditedDraft
from masis.words.wording import Wording

Update = dict[str, Any]
Stored = dict[str, Any]
"""A JSON object."""

_KIND: Final = "$"
"""The key that tells what is no plain JSON; no update has a key of that name."""
_MODELS: Final[dict[str, type[BaseModel]]] = {
    model.__name__: model for model in (CitationAudit, Critique, Evaluation, Wording)
}

_SCORES: Final = ("score", "cosine", "coverage", "rank_score", "nearness")
"""What a search says of a chunk, in the order in which it is written down."""


# --- updates -------------------------------------------------------------------------------


def encode(update: Update) -> Stored:
    """The update as JSON; `decode` gives it back.

    Raises:
        TypeError: it holds something that this module does not know.
    """
    drafts: list[AuditedDraft] = []
    for draft in _drafts(update):
        if draft not in drafts:
            drafts.append(draft)
    return {
        "update": _encoded(update, drafts),
        "drafts": [_encoded_draft(draft) for draft in drafts],
    }


def decode(stored: Stored, evidence: Mapping[str, EvidenceChunk]) -> Update:
    """The update again, its scores those that were stored.

    A chunk that is not in `evidence` was deleted meanwhile, and is left out.
    """
    drafts = [_decoded_draft(draft, evidence) for draft in stored["drafts"]]
    update: Update = _decoded(stored["update"], drafts, evidence)
    return update


def chunk_ids(stored: Stored) -> list[str]:
    """The ids of the chunks that `decode` wants to be given."""
    return sorted(set(_ids(stored)))


# --- errors --------------------------------------------------------------------------------


def encode_error(error: MasisError) -> Stored:
    """A step's failure as JSON; `decode_error` gives it back."""
    wait = error.retry_after if isinstance(error, ModelServiceUnavailable) else None
    return {
        "name": type(error).__name__,
        "message": str(error),
        "retryable": error.retryable,
        "retry_after": wait,
    }


def decode_error(stored: Stored) -> MasisError:
    """The failure again; a plain `MasisError` for a kind that is not there any more."""
    kind = getattr(errors, stored["name"], None)
    if not (isinstance(kind, type) and issubclass(kind, MasisError)):
        kind = MasisError
    error: MasisError = kind(stored["message"])
    error.retryable = stored["retryable"]
    if isinstance(error, ModelServiceUnavailable):
        error.retry_after = stored["retry_after"]
    return error


# --- values --------------------------------------------------------------------------------


def _drafts(value: object) -> Iterator[AuditedDraft]:
    if isinstance(value, AuditedDraft):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _drafts(item)


def _encoded(value: Any, drafts: list[AuditedDraft]) -> Any:  # noqa: ANN401, PLR0911 - any value of a state, by its kind
    match value:
        case AuditedDraft():
            return {_KIND: "draft", "n": drafts.index(value)}
        case EvidenceChunk():
            return _reference(value)
        case BaseModel() if type(value).__name__ in _MODELS:
            return {_KIND: type(value).__name__, "value": value.model_dump(mode="json")}
        case str():
            said = [n for n, draft in enumerate(drafts) if draft.answer == value]
            return {_KIND: "answer", "n": said[0]} if said and value else value
        case None | bool() | int() | float():
            return value
        case list():
            return [_encoded(item, drafts) for item in value]
        case dict() if _KIND not in value and all(isinstance(key, str) for key in value):
            return {key: _encoded(item, drafts) for key, item in value.items()}
    raise TypeError(f"a {type(value).__name__} in a node's update cannot be kept")


def _decoded(value: Any, drafts: list[AuditedDraft], evidence: Mapping[str, EvidenceChunk]) -> Any:  # noqa: ANN401 - the counterpart
    if isinstance(value, list):
        return [_decoded(item, drafts, evidence) for item in value if _is_there(item, evidence)]
    return _decoded_object(value, drafts, evidence) if isinstance(value, dict) else value


def _decoded_object(
    value: Stored, drafts: list[AuditedDraft], evidence: Mapping[str, EvidenceChunk]
) -> Any:  # noqa: ANN401 - what it stands for
    match value.get(_KIND):
        case None:
            return {key: _decoded(item, drafts, evidence) for key, item in value.items()}
        case "draft":
            return drafts[value["n"]]
        case "answer":
            return drafts[value["n"]].answer
        case "chunk":
            return _dereferenced(value, evidence)
        case name:
            return _MODELS[name].model_validate(value["value"])


def _encoded_draft(draft: AuditedDraft) -> Stored:
    plain = draft.model_dump(mode="json", exclude={"evidence"})
    return plain | {"evidence": [_reference(chunk) for chunk in draft.evidence]}


def _decoded_draft(stored: Stored, evidence: Mapping[str, EvidenceChunk]) -> AuditedDraft:
    return AuditedDraft.model_validate(
        stored | {"evidence": _decoded(stored["evidence"], [], evidence)}
    )


def _reference(chunk: EvidenceChunk) -> Stored:
    scores = [getattr(chunk, name) for name in _SCORES]
    mark = {"asked_by_name": True} if chunk.asked_by_name else {}
    return {_KIND: "chunk", "id": chunk.chunk_id, "scores": scores, **mark}


def _is_there(item: object, evidence: Mapping[str, EvidenceChunk]) -> bool:
    is_chunk = isinstance(item, dict) and item.get(_KIND) == "chunk"
    return not is_chunk or item["id"] in evidence  # type: ignore[index] # a dictionary, as just seen


def _dereferenced(stored: Stored, evidence: Mapping[str, EvidenceChunk]) -> EvidenceChunk:
    # A step written down before the last of the scores was added has fewer of them.
    said = dict(zip(_SCORES, stored["scores"], strict=False))
    said["asked_by_name"] = stored.get("asked_by_name", False)
    return evidence[stored["id"]].model_copy(update=said)


def _ids(stored: object) -> Iterator[str]:
    if isinstance(stored, list):
        for item in stored:
            yield from _ids(item)
    elif isinstance(stored, dict):
        if stored.get(_KIND) == "chunk":
            yield stored["id"]
        for item in stored.values():
            yield from _ids(item)
