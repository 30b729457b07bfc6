"""The bundled reader: an all-MiniLM-L6-v2 that was taught whether a text answers a question, int8."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from masis.adapters.onnx_model import MAX_CHARS, ModelThread, OnnxModel, give_back
from masis.errors import ReadingError

if TYPE_CHECKING:
    import onnxruntime as ort
    from tokenizers import BertWordPieceTokenizer

SHA256: Final = "94e6a875498aa9bdb161f60d9b023d59c29097ea78712984b1f8e06c1aa34666"
"""The hash of `data/answer_reader.onnx`, the only file that is ever run."""

MAX_TEXTS: Final = 64
"""Of one call: two seconds of two busy cores (measured with passages of 740 characters)."""
MAX_TOKENS: Final = 320
"""Of question and text together, as in training; the rest of a longer text is not seen."""
MAX_QUESTION_TOKENS: Final = 40
"""As in training. Of a longer question the end is seen: who tells a case asks last."""
_CLS: Final = 101
_SEP: Final = 102
_MARKS: Final = frozenset({0, _CLS, _SEP, 103})
"""[PAD], [CLS], [SEP] and [MASK]: what a text that spells them out may not put into the frame."""

_FILE: Final = Path(__file__).parent / "data" / "answer_reader.onnx"
_MODEL: Final = OnnxModel("the reading model", SHA256, "reinstall MASIS", ReadingError)


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: "ort.InferenceSession"
    tokenizer: "BertWordPieceTokenizer"


class MiniLMReader:
    """Tells on the CPU whether English texts answer a question; loaded with the first text.

    All work is done by one thread of its own, one text at a time. Texts in a batch would share the
    steps in which the int8 model rounds, so that the others of a call moved a text's probability
    by up to 0.3; and a batch is no faster: 42 passages a second alone, 34 in eights. Both were
    measured, on two busy cores.

    Raises:
        ReadingError: the model is missing, altered or failed; the message says what to do.
    """

    def __init__(self, *, threads: int = 2, model_path: Path = _FILE) -> None:
        self._threads = threads
        self._model_path = model_path
        self._loaded: _Loaded | None = None
        self._broken = ""
        self._thread = ModelThread("minilm-reader", _MODEL)

    async def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        """Estimate how likely each text holds the answer, in [0, 1], in order.

        A blank text holds none.

        Raises:
            ValueError: more than `MAX_TEXTS` texts.
        """
        if len(texts) > MAX_TEXTS:
            raise ValueError(f"{len(texts)} texts at once; give the reader {MAX_TEXTS} at most")
        return [await self._thread.run(self._read, (question, text)) for text in texts]

    async def close(self) -> None:
        """Wait for the texts that were given and free the model."""
        await self._thread.close()
        self._loaded = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _read(self, pair: tuple[str, str]) -> float:
        """The probability that the second, a text, answers the first, a question."""
        loaded = self._open()
        asked = _pieces(loaded.tokenizer, pair[0])
        read = _pieces(loaded.tokenizer, pair[1])
        if not read:
            return 0.0
        logits = _MODEL.run(loaded.session, "answers", _inputs(asked, read))
        _MODEL.check_finite(logits)
        return float(0.5 + 0.5 * np.tanh(0.5 * logits[0]))  # the sigmoid, which cannot overflow

    def _open(self) -> _Loaded:
        """Loaded once; what could not be loaded is not tried again for every question."""
        if self._broken:
            # A new one: an error raised again would keep the frames of every question before.
            raise ReadingError(self._broken)
        if self._loaded is None:
            try:
                self._loaded = _load(self._model_path, self._threads)
            except ReadingError as error:
                self._broken = str(error)
                raise
            give_back()
        return self._loaded


def _load(path: Path, threads: int) -> _Loaded:
    return _Loaded(_MODEL.start(path, threads), _MODEL.word_pieces())


def _pieces(tokenizer: "BertWordPieceTokenizer", text: str) -> list[int]:
    """The text's tokens, without a frame; half a surrogate pair, which the tokenizer refuses, is `?`."""
    plain = text[:MAX_CHARS].encode("utf-8", errors="replace").decode()
    ids = tokenizer.encode(plain, add_special_tokens=False).ids
    return [each for each in ids if each not in _MARKS]


def _inputs(asked: Sequence[int], read: Sequence[int]) -> dict[str, np.ndarray]:
    """The model's inputs, each one row: [CLS] question [SEP] text [SEP]."""
    first = [_CLS, *asked[-MAX_QUESTION_TOKENS:], _SEP]
    second = [*read[: MAX_TOKENS - len(first) - 1], _SEP]
    ids = np.array([first + second], dtype=np.int64)
    return {
        "input_ids": ids,
        "attention_mask": np.ones(ids.shape, dtype=np.float32),
        "token_type_ids": np.array([[0] * len(first) + [1] * len(second)], dtype=np.int64),
    }
