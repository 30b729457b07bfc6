"""Share what the adapters that run a small BERT as an ONNX model on the CPU have in common."""

import asyncio
import ctypes
import functools
import hashlib
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from masis.adapters.onnx_rows import widened_by_row
from masis.errors import MasisError

# What runs a model is loaded with it: 20 MB that a process without questions does without.
if TYPE_CHECKING:
    import onnxruntime as ort
    from tokenizers import BertWordPieceTokenizer

MAX_CHARS: Final = 8_000
"""More characters than 256 tokens of any prose have; bounds the tokenizer's work."""

_REST_SECONDS: Final = 1.0
"""Without work, before memory is given back."""

_VOCABULARY: Final = Path(__file__).parent / "data" / "bert_vocab.txt"

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class OnnxModel:
    """The one file that is ever run under a name, and what is said where it cannot be.

    Raises:
        MasisError: the file is missing, altered or failed; its class is `error`.
    """

    name: str
    """As messages call it: `the embedding model`."""
    sha256: str
    reinstall: str
    """What to do about a missing or altered file."""
    error: type[MasisError]

    def start(self, path: Path, threads: int) -> "ort.InferenceSession":
        """Check the file's hash, then start the bytes that were checked, with its rows kept small."""
        from masis.adapters import onnx_engine

        try:
            model = path.read_bytes()
        except OSError as error:
            raise self.error(f"{self.name} {path} cannot be read; {self.reinstall}") from error
        if hashlib.sha256(model).hexdigest() != self.sha256:
            raise self.error(f"{self.name} {path} was altered; {self.reinstall}")
        try:
            return onnx_engine.session(widened_by_row(model), threads)
        except onnx_engine.ERRORS as error:
            raise self.error(f"{self.name} cannot be started: {error}") from error

    def run(
        self, session: "ort.InferenceSession", output: str, inputs: Mapping[str, npt.NDArray[Any]]
    ) -> npt.NDArray[np.float32]:
        """One output of the model for one batch of inputs."""
        from masis.adapters import onnx_engine

        try:
            made = session.run([output], dict(inputs))[0]
        except onnx_engine.ERRORS as error:
            raise self.error(f"{self.name} failed: {error}") from error
        return np.asarray(made, dtype=np.float32)

    def check_finite(self, numbers: npt.NDArray[np.float32]) -> None:
        """Refuse what the model made where any of it is no number."""
        if not np.isfinite(numbers).all():
            raise self.error(f"{self.name} gave numbers that are none; restart MASIS")

    def word_pieces(self) -> "BertWordPieceTokenizer":
        """The tokenizer of the English BERT without upper case, from which the models descend."""
        if not _VOCABULARY.is_file():
            raise self.error(f"{self.name} lacks its vocabulary {_VOCABULARY}; reinstall MASIS")
        return _word_pieces()

    def closed(self) -> MasisError:
        """The error of a use after the end."""
        return self.error(f"{self.name} was closed; open a new one")


@functools.cache
def _word_pieces() -> "BertWordPieceTokenizer":
    """One for all models, of 6 MB. It is never changed: who wants fewer tokens cuts them off."""
    from tokenizers import BertWordPieceTokenizer

    return BertWordPieceTokenizer(str(_VOCABULARY), lowercase=True)


class ModelThread:
    """The one thread in which a model is loaded and all its work is done.

    Given in small pieces, nobody's work waits for more than the piece at work and those of others
    that came before it, and the event loop for none.
    """

    def __init__(self, name: str, model: OnnxModel) -> None:
        self._model = model
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._closed = False
        self._rest: asyncio.TimerHandle | None = None

    async def run(self, work: Callable[[_Given], _Made], given: _Given) -> _Made:
        """Do one piece of work there.

        Raises:
            MasisError: the model was closed; its class is the model's.
        """
        if self._closed:
            raise self._model.closed()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, work, given)
        finally:
            self._give_back_later()

    def _give_back_later(self) -> None:
        """Give memory back once no work has come for a while."""
        if self._rest is not None:
            self._rest.cancel()
        if not self._closed:
            loop = asyncio.get_running_loop()
            self._rest = loop.call_later(_REST_SECONDS, self._worker.submit, give_back)

    async def close(self) -> None:
        """Take no more work, and wait for what was given."""
        self._closed = True
        if self._rest is not None:
            self._rest.cancel()
        await asyncio.to_thread(self._worker.shutdown)


def give_back() -> None:
    """Return to the system what was needed for a moment, which glibc would keep.

    After loading 64 MB of 265, in 12 ms (`tests/bench/RESULTS.md`). Other C libraries have no such
    call.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
