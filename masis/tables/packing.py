"""Write the cells of a column down in few bytes, block by block, and read them back as arrays.

A block is its number of rows, its length, and arrays that are compressed together: numbers as whole
numbers of the column's smallest unit (pence for two decimals), dates as seconds, texts by their place
in a list of the block's own. What has no value is marked.
"""

import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from masis.values.tabular import Column, PackedTable, TableShape

Array = NDArray[Any]

_HEAD: Final = struct.Struct("<II")
_LEVEL: Final = 1
"""Of compression: higher ones take several times as long for a tenth less."""
_PARTED: Final = "\0"
MOST_BLOCK_BYTES: Final = 256 * 1024 * 1024
"""Of a block as it is unpacked: what is larger was not written here."""
WIDTHS: Final = (np.int8, np.int16, np.int32, np.int64)


def packed_block(column: Column, cells: Sequence[Any]) -> bytes:
    """Pack a block of a column's cells: texts, seconds, booleans or whole numbers; None is no value."""
    body = _texts(cells) if column.type == "text" else _whole(cells)
    packed = zlib.compress(body, _LEVEL)
    return _HEAD.pack(len(cells), len(packed)) + packed


def packed_numbers(numbers: Sequence[int]) -> bytes:
    """Pack the numbers of rows, as the steps from one to the next."""
    steps = np.diff(np.asarray(numbers, dtype=np.int64), prepend=0)
    packed = zlib.compress(steps.astype(np.int32).tobytes(), _LEVEL)
    return _HEAD.pack(len(numbers), len(packed)) + packed


def row_numbers(packed: bytes) -> Array:
    """Read the numbers of rows."""
    steps = [np.frombuffer(body, dtype=np.int32) for _, body in _blocks(packed)]
    whole = np.concatenate(steps) if steps else np.empty(0, dtype=np.int32)
    return np.cumsum(whole.astype(np.int64))


def _whole(cells: Sequence[Any]) -> bytes:
    blank = np.fromiter((cell is None for cell in cells), dtype=np.bool_, count=len(cells))
    values = np.fromiter((cell or 0 for cell in cells), dtype=np.int64, count=len(cells))
    least, most = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    width = next(each for each in WIDTHS if np.iinfo(each).min <= least and most <= np.iinfo(each).max)  # fmt: skip
    return bytes([np.dtype(width).itemsize]) + np.packbits(blank).tobytes() + values.astype(width).tobytes()  # fmt: skip


def _texts(cells: Sequence[str | None]) -> bytes:
    places: dict[str | None, int] = {None: 0}
    codes = [places.setdefault(cell, len(places)) for cell in cells]
    words = _PARTED.join(text for text in places if text is not None).encode("utf-8", "replace")
    return struct.pack("<II", len(places), len(words)) + words + np.asarray(codes, dtype=np.uint32).tobytes()  # fmt: skip


# --- reading ---------------------------------------------------------------------------------


def texts(packed: bytes) -> Array:
    """Read the cells of a column of texts: an array of objects, None for no value."""
    parts: list[Array] = []
    for rows, body in _blocks(packed):
        count, size = struct.unpack_from("<II", body)
        words = body[8 : 8 + size].decode().split(_PARTED) if count > 1 else []
        found = np.empty(count, dtype=object)
        found[1:] = words
        codes = np.frombuffer(body, dtype=np.uint32, count=rows, offset=8 + size)
        parts.append(found[codes])
    return np.concatenate(parts) if parts else np.empty(0, dtype=object)


def whole(packed: bytes) -> "tuple[Array, NDArray[np.bool_]]":
    """Read the cells of any other column: whole numbers, and which cells have no value."""
    values: list[Array] = []
    blanks: list[Array] = []
    for rows, body in _blocks(packed):
        width = next(each for each in WIDTHS if np.dtype(each).itemsize == body[0])
        marks = (rows + 7) // 8
        bits = np.frombuffer(body, dtype=np.uint8, count=marks, offset=1)
        blanks.append(np.unpackbits(bits, count=rows).astype(np.bool_))
        values.append(np.frombuffer(body, dtype=width, count=rows, offset=1 + marks).astype(np.int64))  # fmt: skip
    if not values:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.bool_)
    return np.concatenate(values), np.concatenate(blanks)


def _blocks(packed: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(packed):
        rows, size = _HEAD.unpack_from(packed, at)
        at += _HEAD.size
        reader = zlib.decompressobj()
        yield rows, reader.decompress(packed[at : at + size], MOST_BLOCK_BYTES)
        at += size


# --- whole tables ----------------------------------------------------------------------------


def framed(table: PackedTable) -> bytes:
    """Write a table down as one run of bytes: what it is, the numbers of its rows, its columns."""
    parts = [table.shape.model_dump_json().encode(), table.numbers, *table.cells]
    sizes = struct.pack(f"<I{len(parts)}I", len(parts), *map(len, parts))
    return b"".join([sizes, *parts])


def unframed(body: bytes) -> PackedTable:
    """Read what `framed` wrote.

    Raises:
        ValueError: it is no table.
    """
    try:
        (count,) = struct.unpack_from("<I", body)
        sizes = struct.unpack_from(f"<{count}I", body, 4)
    except struct.error as error:
        raise ValueError("no table") from error
    parts, at = [], 4 + 4 * count
    for size in sizes:
        parts.append(body[at : at + size])
        at += size
    if at != len(body) or count < 2:
        raise ValueError("no whole table")
    shape = TableShape.model_validate_json(parts[0])
    if len(shape.columns) != count - 2:
        raise ValueError("a table without all of its columns")
    return PackedTable(shape=shape, numbers=parts[1], cells=parts[2:])
