"""What a node leaves behind, as small JSON and back, by the types of its graph's state.

A chunk is written down by its id, scores and mark: its text stays with its document, and is gone with
it. Every other value, and every long text, is written down once for all the places that hold it.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final, Generic, TypeVar, get_args, get_type_hints

from pydantic import BaseModel, TypeAdapter
from pydantic_core import PydanticSerializationError, to_jsonable_python

from masis import errors
from masis.domain import EvidenceChunk
from masis.errors import MasisError, ModelServiceUnavailable
from masis.graphs.common import Evidence, RunState, Stored, Update

_KIND: Final = "$"
"""The key that tells what is no plain JSON; nothing that is kept has a key of that name."""
_LONG: Final = 40
"""Characters from which on a text that stands twice is written down once."""
_GONE: Final = object()
"""Stands for a chunk that was deleted meanwhile."""

_SCORES: Final = ("score", "cosine", "coverage", "rank_score", "nearness")
"""What a search says of a chunk, in the order in which it is written down."""
_MARKS: Final[Mapping[str, object]] = {"asked_by_name": False, "replaced_by": ""}
"""What is written down of a chunk only where it is otherwise."""

State = TypeVar("State", bound=RunState)


# --- updates -------------------------------------------------------------------------------


class Codec(Generic[State]):
    """Writes updates of a state down and reads them, each key by its annotation.

    What an annotation calls `Any` is plain JSON: the trace and the figures.
    """

    def __init__(self, state: type[State]) -> None:
        self._state = state

    def encode(self, update: Update) -> Stored:
        """Write an update down; `decode` reads it.

        Raises:
            TypeError: it holds something that does not come back as it was.
        """
        writing = _Writing()
        values = {
            key: writing.plain(value) if key in self._free else writing.value(value)
            for key, value in update.items()
        }
        return {"update": values, "parts": writing.parts}

    def decode(self, stored: Stored, evidence: Evidence) -> Update:
        """Read an update, its scores those that were stored.

        A chunk that is not in `evidence` was deleted meanwhile, and is left out.
        """
        parts: list[Any] = []
        for part in stored["parts"]:
            parts.append(_read(part, parts, evidence))
        values = _read(stored["update"], parts, evidence)
        return {key: self._adapters[key].validate_python(value) for key, value in values.items()}

    @cached_property
    def _hints(self) -> dict[str, Any]:
        return get_type_hints(self._state)

    @cached_property
    def _free(self) -> frozenset[str]:
        return frozenset(key for key, hint in self._hints.items() if _is_free(hint))

    @cached_property
    def _adapters(self) -> dict[str, TypeAdapter[Any]]:
        return {key: TypeAdapter(hint) for key, hint in self._hints.items()}


def chunk_ids(stored: Stored) -> list[str]:
    """Return the ids of the chunks that `decode` wants to be given."""
    return sorted(set(_ids(stored)))


# --- writing -------------------------------------------------------------------------------


class _Writing:
    """Collects the parts of one update: values, and texts that may stand in several places."""

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self._places: dict[str, int] = {}
        self._written: dict[int, Stored] = {}
        """By the identity of a value: the update holds it as long as this."""

    def value(self, value: Any) -> Any:
        """Write a typed value down."""
        match value:
            case str() if len(value) >= _LONG:
                return self._part(value, value)
            case EvidenceChunk():
                return _reference(value)
            case BaseModel():
                return self._model(value)
            case list() | tuple() | set() | frozenset():
                return [self.value(item) for item in value]
            case dict():
                return {_key(name): self.value(each) for name, each in value.items()}
        return _leaf(value)

    def _model(self, value: BaseModel) -> Stored:
        if id(value) not in self._written:
            fields = {name: self.value(each) for name, each in value}
            self._written[id(value)] = self._part(fields, repr(fields))
        return self._written[id(value)]

    def plain(self, value: Any) -> Any:
        """Write down what comes back as it is."""
        match value:
            case None | bool() | int() | float() | str():
                return value
            case list():
                return [self.plain(item) for item in value]
            case dict():
                return {_key(name): self.plain(each) for name, each in value.items()}
        raise _unkept(value)

    def _part(self, part: Any, name: str) -> Stored:
        if name not in self._places:
            self._places[name] = len(self.parts)
            self.parts.append(part)
        return {_KIND: "part", "n": self._places[name]}


def _leaf(value: object) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    try:
        return to_jsonable_python(value)
    except PydanticSerializationError as error:
        raise _unkept(value) from error


def _key(name: object) -> str:
    if not isinstance(name, str) or name == _KIND:
        raise TypeError(f"the key {name!r} in a node's update cannot be kept")
    return name


def _unkept(value: object) -> TypeError:
    return TypeError(f"a {type(value).__name__} in a node's update cannot be kept")


def _is_free(hint: Any) -> bool:
    """Tell whether an annotation leaves open what it holds."""
    return hint is Any or any(_is_free(each) for each in get_args(hint))


def _reference(chunk: EvidenceChunk) -> Stored:
    scores = [getattr(chunk, name) for name in _SCORES]
    marks = {name: value for name in _MARKS if (value := getattr(chunk, name))}
    return {_KIND: "chunk", "id": chunk.chunk_id, "scores": scores, **marks}


# --- reading -------------------------------------------------------------------------------


def _read(value: Any, parts: list[Any], evidence: Evidence) -> Any:
    if isinstance(value, list):
        items = [_read(item, parts, evidence) for item in value]
        return [item for item in items if item is not _GONE]
    if not isinstance(value, dict):
        return value
    match value.get(_KIND):
        case "part":
            return parts[value["n"]]
        case "chunk":
            return _dereferenced(value, evidence)
    found = {key: _read(item, parts, evidence) for key, item in value.items()}
    return {key: None if item is _GONE else item for key, item in found.items()}


def _dereferenced(stored: Stored, evidence: Evidence) -> Any:
    if stored["id"] not in evidence:
        return _GONE
    said = dict(zip(_SCORES, stored["scores"], strict=True))
    said |= {name: stored.get(name, none) for name, none in _MARKS.items()}
    return evidence[stored["id"]].model_copy(update=said)


def _ids(stored: object) -> Iterator[str]:
    if isinstance(stored, list):
        for item in stored:
            yield from _ids(item)
    elif isinstance(stored, Mapping):
        if stored.get(_KIND) == "chunk":
            yield stored["id"]
        for item in stored.values():
            yield from _ids(item)


# --- errors --------------------------------------------------------------------------------


def encode_error(error: MasisError) -> Stored:
    """Write a step's failure down; `decode_error` reads it."""
    wait = error.retry_after if isinstance(error, ModelServiceUnavailable) else None
    return {
        "name": type(error).__name__,
        "message": str(error),
        "retryable": error.retryable,
        "retry_after": wait,
    }


def decode_error(stored: Stored) -> MasisError:
    """Read a failure; a plain `MasisError` for a kind that is not there any more."""
    kind = getattr(errors, stored["name"], None)
    if not (isinstance(kind, type) and issubclass(kind, MasisError)):
        kind = MasisError
    error: MasisError = kind(stored["message"])
    error.retryable = stored["retryable"]
    if isinstance(error, ModelServiceUnavailable):
        error.retry_after = stored["retry_after"]
    return error
