"""Recognises text in pictures, where `masis[ocr]` is installed.

RapidOCR (Apache-2.0) carries its models (PP-OCRv6, Apache-2.0) in its wheel and runs them on
onnxruntime: nothing is fetched.
"""

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, Final

from masis.documents.parsing.placed_words import Line, Word

if TYPE_CHECKING:
    import numpy as np

DPI: Final = 200
"""Fewer cost accuracy with small print; more cost time alone."""
MOST_PIXELS: Final = 8_000_000
"""Larger pictures are made smaller. A page of A4 at 200 dpi has 3.9 million."""
_PARAMETERS: Final[dict[str, object]] = {
    "Global.log_level": "critical",
    "Global.max_side_len": 3000,
    # Lines are found on a smaller copy: it takes 0.6 GB instead of 0.8 and a third less time, and
    # finds the same lines on pages of usual print.
    "Det.limit_type": "max",
    "Det.limit_side_len": 1280,
    "Rec.rec_batch_num": 2,
    # One file is read by one thread: others are embedded at the same time.
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
}
_FONT_SHARE: Final = 0.75
"""Of a line's box; the rest is the room that the finder leaves around it."""
_ALIKE: Final = 1.3
"""Boxes of one size of print differ by up to this factor, as its letters go up and down."""
_FEWEST_IN_COLUMN: Final = 5
_WIDE_SHARE: Final = 0.6
_COLUMN_SHARE: Final = 0.3
"""Lines of a column run over more of the page on average; cells of a table over less."""

_after_page: list[Callable[[], None]] = []


def available() -> bool:
    """Say whether the extra is installed."""
    return importlib.util.find_spec("rapidocr") is not None


def after_each_page(call: Callable[[], None]) -> None:
    """Have `call` called after each page or picture: recognition takes seconds for each."""
    _after_page[:] = [call]


def recognised(picture: "np.ndarray[Any, Any]", page: int, dpi: float) -> list[Line]:
    """The lines of text in a picture (height, width, blue-green-red), in reading order.

    Their places are in points from the picture's lower left corner, at `dpi` pixels an inch.

    Raises:
        MemoryError: it takes more memory than there is.
    """
    found = _engine()(picture)
    for call in _after_page:
        call()
    if found.boxes is None or found.txts is None:
        return []
    height, points = picture.shape[0], 72 / dpi
    boxes = [
        Word(
            text,
            left=float(box[:, 0].min()) * points,
            right=float(box[:, 0].max()) * points,
            bottom=(height - float(box[:, 1].max())) * points,
            top=(height - float(box[:, 1].min())) * points,
        )
        for box, text in zip(found.boxes, found.txts, strict=True)
        if text.strip()
    ]
    return list(_lines(boxes, page))


@cache
def _engine() -> Callable[["np.ndarray[Any, Any]"], Any]:
    _allow_memory()
    from rapidocr import RapidOCR  # optional, and slow to import
    from rapidocr.inference_engine.onnxruntime import ONNXRuntimeError

    engine = RapidOCR(params=_PARAMETERS)

    def run(picture: "np.ndarray[Any, Any]") -> Any:
        try:
            return engine(picture)
        except ONNXRuntimeError as error:
            # The models take every picture; what fails is the allocation of what is between layers.
            raise MemoryError from error

    return run


def _allow_memory() -> None:
    """Raise the memory limit of this process to what its parent allows for recognition."""
    try:
        import resource  # not on Windows
    except ImportError:
        return
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


# --- lines ---------------------------------------------------------------------------------


def _lines(boxes: Sequence[Word], page: int) -> Iterator[Line]:
    """The boxes as lines of words, those side by side in one line, columns one after the other."""
    if not boxes:
        return
    usual = median(box.top - box.bottom for box in boxes)
    for row in _rows(_by_column(boxes)):
        height = median(box.top - box.bottom for box in row)
        size = usual if 1 / _ALIKE < height / usual < _ALIKE else height
        words = [word for box in row for word in _words(box)]
        yield Line(page, round(size * _FONT_SHARE * 2) / 2, bold=False, words=words)


def _rows(boxes: Sequence[Word]) -> Iterator[list[Word]]:
    """Boxes that stand side by side, from left to right."""
    row: list[Word] = []
    for box in boxes:
        if row and not _beside(row[-1], box):
            yield sorted(row, key=lambda one: one.left)
            row = []
        row.append(box)
    if row:
        yield sorted(row, key=lambda one: one.left)


def _beside(first: Word, second: Word) -> bool:
    overlap = min(first.top, second.top) - max(first.bottom, second.bottom)
    apart = first.right <= second.left or second.right <= first.left
    return apart and overlap > 0.5 * min(first.top - first.bottom, second.top - second.bottom)


def _by_column(boxes: Sequence[Word]) -> list[Word]:
    """From the top down; where the page has two columns, first the left and then the right one."""
    downwards = sorted(boxes, key=lambda box: -(box.top + box.bottom))
    gutter = _gutter(boxes)
    if gutter is None:
        return downwards
    ordered: list[Word] = []
    left: list[Word] = []
    right: list[Word] = []
    for box in downwards:
        if box.left < gutter < box.right:  # a heading over both columns
            ordered += [*left, *right, box]
            left, right = [], []
        else:
            (left if box.right <= gutter else right).append(box)
    return [*ordered, *left, *right]


def _gutter(boxes: Sequence[Word]) -> float | None:
    """Find where a page is parted into two columns of running text; None for other pages."""
    width = max(box.right for box in boxes) - min(box.left for box in boxes)
    narrow = [box for box in boxes if box.right - box.left < _WIDE_SHARE * width]
    reach = 0.0
    for before, box in pairwise(sorted(narrow, key=lambda one: one.left)):
        reach = max(reach, before.right)
        sides = (
            [one for one in narrow if one.right <= reach],
            [one for one in narrow if one.left >= box.left],
        )
        if box.left > reach and all(_is_column(side, width) for side in sides):
            return (reach + box.left) / 2
    return None


def _is_column(boxes: Sequence[Word], width: float) -> bool:
    enough = len(boxes) >= _FEWEST_IN_COLUMN
    return enough and fmean(box.right - box.left for box in boxes) > _COLUMN_SHARE * width


def _words(box: Word) -> Iterator[Word]:
    """A box's words with the places that they have if all letters are of one width."""
    each = (box.right - box.left) / max(1, len(box.text))
    start = 0
    for text in box.text.split():
        start = box.text.index(text, start)
        left = box.left + start * each
        start += len(text)
        yield Word(text, left, box.left + start * each, box.bottom, box.top)
