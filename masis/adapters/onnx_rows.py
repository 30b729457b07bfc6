"""Rewrite an ONNX model so that a table of eight-bit rows is widened row by row, not whole.

A file that keeps its words' vectors in eight bits, and says that they be made floating-point numbers
before one is looked up, is loaded with all of them as such: 47 MB instead of 12 for 30,000 words. To
look the rows up first gives the same numbers. Only the few fields of the format that this takes are
known here; every other byte stays.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

_GRAPH: Final = 7
"""The fields' numbers in `onnx.proto`: of a model, of a graph, of a node."""
_NODE: Final = 1
_INPUT: Final = 1
_OUTPUT: Final = 2
_OP_TYPE: Final = 4
_ATTRIBUTE: Final = 5
_VARINT: Final = 0
_BYTES: Final = 2
_FIXED: Final = {1: 8, 5: 4}


class _Field(NamedTuple):
    number: int
    kind: int
    start: int
    """Hold the place where the field begins, and its value."""
    value: int
    end: int


class _Node(NamedTuple):
    field: _Field
    inputs: list[str]
    outputs: list[str]
    kind: str
    attributes: list[bytes]


def widened_by_row(model: bytes) -> bytes:
    """The model with its rows looked up before they are widened; as it is where it has none such.

    What is no model stays as it is, too: whoever loads it says so best.
    """
    try:
        return _rewritten(model)
    except (IndexError, KeyError, StopIteration, UnicodeDecodeError, ValueError):
        return model


def _rewritten(model: bytes) -> bytes:
    graph = next(field for field in _fields(model, 0, len(model)) if field.number == _GRAPH)
    nodes = [
        _node(model, field)
        for field in _fields(model, graph.value, graph.end)
        if field.number == _NODE
    ]
    made = {name: node for node in nodes for name in node.outputs}
    gone: list[_Node] = []
    added: list[bytes] = []
    for gather in nodes:
        scaled = made.get(gather.inputs[0]) if gather.kind == "Gather" else None
        cast = made.get(scaled.inputs[0]) if scaled is not None and scaled.kind == "Mul" else None
        if scaled is None or cast is None or cast.kind != "Cast":
            continue
        if _is_used_once(nodes, scaled) and _is_used_once(nodes, cast):
            gone += [cast, scaled, gather]
            added += _row_by_row(cast, scaled, gather)
    return _edited(model, graph, gone, added) if gone else model


def _row_by_row(cast: _Node, scaled: _Node, gather: _Node) -> Iterator[bytes]:
    """Four nodes for the three: the row, its numbers, its scale, and their product."""
    (table,), (_, scales) = cast.inputs, scaled.inputs
    ids, [found] = gather.inputs[1], gather.outputs
    row, wide, scale = f"{found}_row", f"{found}_wide", f"{found}_scale"
    yield _encoded("Gather", [table, ids], row, gather.attributes)
    yield _encoded("Cast", [row], wide, cast.attributes)
    yield _encoded("Gather", [scales, ids], scale, gather.attributes)
    yield _encoded("Mul", [wide, scale], found, scaled.attributes)


def _is_used_once(nodes: list[_Node], node: _Node) -> bool:
    return sum(node.outputs[0] in each.inputs for each in nodes) == 1


def _edited(model: bytes, graph: _Field, gone: list[_Node], added: list[bytes]) -> bytes:
    """The model with other nodes. The new ones stand where the first that goes stood."""
    parts, at = [], graph.value
    for field in sorted((node.field for node in gone), key=lambda field: field.start):
        parts.append(model[at : field.start])
        at = field.end
        parts += added
        added = []
    parts.append(model[at : graph.end])
    body = b"".join(parts)
    return b"".join((model[: graph.start], _tagged(_GRAPH, body), model[graph.end :]))


# --- the format ----------------------------------------------------------------------------


def _fields(data: bytes, at: int, end: int) -> Iterator[_Field]:
    while at < end:
        start = at
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == _VARINT:
            _, after = _varint(data, at)
        elif kind == _BYTES:
            length, at = _varint(data, at)
            after = at + length
        else:
            after = at + _FIXED[kind]
        yield _Field(tag >> 3, kind, start, at, after)
        at = after


def _node(data: bytes, field: _Field) -> _Node:
    parts: dict[int, list[bytes]] = {}
    for part in _fields(data, field.value, field.end):
        parts.setdefault(part.number, []).append(data[part.value : part.end])
    inputs, outputs = (
        [name.decode() for name in parts.get(number, [])] for number in (_INPUT, _OUTPUT)
    )
    kind = parts.get(_OP_TYPE, [b""])[0].decode()
    return _Node(field, inputs, outputs, kind, parts.get(_ATTRIBUTE, []))


def _encoded(kind: str, inputs: list[str], output: str, attributes: list[bytes]) -> bytes:
    body = b"".join(
        [
            *(_tagged(_INPUT, name.encode()) for name in inputs),
            _tagged(_OUTPUT, output.encode()),
            _tagged(_OP_TYPE, kind.encode()),
            *(_tagged(_ATTRIBUTE, each) for each in attributes),
        ]
    )
    return _tagged(_NODE, body)


def _tagged(number: int, value: bytes) -> bytes:
    return bytes([number << 3 | _BYTES]) + _as_varint(len(value)) + value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:  # noqa: PLR2004 - the highest bit says that another byte follows
            return value, at
        shift += 7


def _as_varint(value: int) -> bytes:
    encoded = bytearray()
    while value > 0x7F:  # noqa: PLR2004 - seven bits a byte
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)
