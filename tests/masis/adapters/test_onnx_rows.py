import importlib.util
from pathlib import Path

import numpy as np
import onnxruntime as ort
import pytest

from masis.adapters import minilm
from masis.adapters.onnx_rows import widened_by_row

READER = Path(minilm.__file__).parent / "data" / "answer_reader.onnx"


@pytest.fixture(scope="module")
def model() -> bytes:
    """The bundled embedder's file, whose words' vectors are widened whole."""
    spec = importlib.util.find_spec(minilm.PACKAGE)
    assert spec is not None
    assert spec.origin is not None
    return (Path(spec.origin).parent / "model.onnx").read_bytes()


def test_rewritten_model_gives_the_same_numbers(model: bytes) -> None:
    rewritten = widened_by_row(model)
    assert rewritten != model
    ids = np.random.default_rng(1).integers(0, 30_522, (3, 40))
    inputs = {
        "input_ids": ids,
        "attention_mask": np.ones_like(ids),
        "token_type_ids": np.zeros_like(ids),
    }
    before, after = (
        ort.InferenceSession(each).run(["last_hidden_state"], inputs)[0]
        for each in (model, rewritten)
    )
    assert np.array_equal(before, after)


def test_second_rewrite_changes_nothing(model: bytes) -> None:
    rewritten = widened_by_row(model)
    assert widened_by_row(rewritten) is rewritten


def test_model_without_wide_rows_stays() -> None:
    """The reader's rows are looked up first already."""
    reader = READER.read_bytes()
    assert widened_by_row(reader) is reader
