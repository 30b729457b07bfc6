import asyncio
import hashlib
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from masis.adapters import multilingual_e5
from masis.adapters.multilingual_e5 import (
    BATCH_CHARS,
    PROFILE,
    SHA256,
    Kind,
    MultilingualE5Embedder,
    _batches,
)
from masis.errors import EmbeddingError
from masis.policy import RELEVANCE_THRESHOLD
from masis.ports import Vectors

needs_model = pytest.mark.skipif(
    not multilingual_e5.available(), reason="masis[multilingual] is not installed"
)


@pytest.fixture(scope="module")
def model() -> Iterator[MultilingualE5Embedder]:
    """One embedder for the whole module: it belongs to no event loop."""
    embedder = MultilingualE5Embedder(threads=1)
    yield embedder
    asyncio.run(embedder.close())


@needs_model
class TestVectors:
    async def test_rows_are_normalised_and_ordered(self, model: MultilingualE5Embedder) -> None:
        """Rows are of length one and in order."""
        texts = ["Urlaub " * 40, "congé maladie", "", "precio de la licencia " * 5]
        together = await model.embed(texts)
        assert together.shape == (4, 384)
        assert together.dtype == np.float32
        assert np.linalg.norm(together, axis=1) == pytest.approx([1.0] * 4, abs=1e-5)
        for row, text in enumerate(texts):
            alone = (await model.embed([text]))[0]
            assert float(together[row] @ alone) == pytest.approx(1, abs=1e-3)

    async def test_no_texts_give_no_rows(self, model: MultilingualE5Embedder) -> None:
        assert (await model.embed([])).shape == (0, 384)

    async def test_questions_match_answers_across_languages(
        self, model: MultilingualE5Embedder
    ) -> None:
        """Questions find their answers in their own language and in another."""
        questions = await model.embed(
            [
                "Wie viele Urlaubstage bekomme ich?",
                "Combien de jours de vacances ai-je ?",
                "How many vacation days do I get?",
            ],
            "query",
        )
        passages = await model.embed(
            [
                "Mitarbeiter haben 25 Tage bezahlten Urlaub im Jahr.",
                "Les salariés ont droit à 25 jours de congés payés par an.",
                "Der Drucker im zweiten Stock steht neben der Treppe.",
                "La réunion des ventes a lieu le lundi à neuf heures.",
                "The router restarts every Sunday night.",
            ]
        )
        cosines = questions @ passages.T
        assert cosines[:, :2].min() > cosines[:, 2:].max()
        own = [PROFILE.relevance(float(cosines[row, row])) for row in (0, 1)]
        assert min(own) > RELEVANCE_THRESHOLD
        assert PROFILE.relevance(float(cosines[2, 4])) < RELEVANCE_THRESHOLD

    async def test_question_embedding_differs_from_text(
        self, model: MultilingualE5Embedder
    ) -> None:
        """A question is embedded otherwise than a text."""
        kinds: tuple[Kind, Kind] = ("document", "query")
        one, other = [(await model.embed(["bezahlter Urlaub"], kind))[0] for kind in kinds]
        assert float(one @ other) < 0.95

    async def test_text_beyond_bound_is_ignored(
        self, model: MultilingualE5Embedder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What stands behind the bound is not seen."""
        monkeypatch.setattr(multilingual_e5, "MAX_CHARS", 70)
        head = "urlaub " * 10
        one, other = await model.embed([head, head + "router " * 9_000])
        assert float(one @ other) == pytest.approx(1.0, abs=1e-3)

    async def test_zero_bytes_and_surrogates_are_embedded(
        self, model: MultilingualE5Embedder
    ) -> None:
        """Zero bytes and halves of characters end nothing."""
        cut, whole, odd = await model.embed(
            ["Urlaub", "Urlaub\x00 und Krankheit im Winter", "\ud800\ufffd\U0001f600漢"]
        )
        assert float(cut @ whole) < 0.95
        assert np.isfinite(odd).all()

    async def test_expanding_character_is_written_out(self, model: MultilingualE5Embedder) -> None:
        """A sign that the engine has no room for is written out."""
        sign, words = "\ufdfa" * 20, "صلى الله عليه وسلم" * 20
        assert multilingual_e5._bytes(sign) == multilingual_e5._bytes(words)  # or the process ends
        one, other = await model.embed([sign, words])
        assert float(one @ other) == pytest.approx(1.0, abs=1e-3)

    async def test_decomposed_accents_embed_equally(self, model: MultilingualE5Embedder) -> None:
        """Letters with their accents apart are the same."""
        composed, apart = await model.embed(["Übertragene Tage", "U\u0308bertragene Tage"])
        assert float(composed @ apart) == pytest.approx(1.0, abs=1e-3)


@needs_model
class TestWork:
    async def test_model_runs_in_one_thread(
        self, model: MultilingualE5Embedder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It works in one thread beside the event loop."""
        threads: set[int] = set()
        embed = model._embed

        def noting(batch: list[str], kind: Kind) -> Vectors:
            threads.add(threading.get_ident())
            return embed(batch, kind)

        monkeypatch.setattr(model, "_embed", noting)
        await asyncio.gather(*(model.embed([f"text {n}"]) for n in range(4)))
        assert len(threads) == 1
        assert threading.get_ident() not in threads

    async def test_question_does_not_wait_for_ingestion(
        self, model: MultilingualE5Embedder
    ) -> None:
        """A question does not wait for all of an ingestion."""
        long = asyncio.create_task(model.embed(["Betriebsanleitung " * 20] * 24))
        await asyncio.sleep(0)
        await model.embed(["eine Frage"], "query")
        assert not long.done()
        long.cancel()
        with pytest.raises(asyncio.CancelledError):
            await long

    def test_embedder_serves_successive_event_loops(self, model: MultilingualE5Embedder) -> None:
        """It serves one event loop after another."""
        first = asyncio.run(model.embed(["Urlaub"]))
        assert np.array_equal(first, asyncio.run(model.embed(["Urlaub"])))

    async def test_a_closed_embedder_says_so(self) -> None:
        async with MultilingualE5Embedder() as closed:
            pass
        with pytest.raises(EmbeddingError, match="closed"):
            await closed.embed(["Urlaub"])


class TestTheModelFile:
    @needs_model
    def test_the_pinned_hash_is_the_packages(self) -> None:
        content = multilingual_e5._installed("e5-small-q4.bin").read_bytes()
        assert hashlib.sha256(content).hexdigest() == SHA256

    @pytest.mark.parametrize("content", [b"E5S1 something else", b""])
    async def test_an_altered_model_is_not_run(self, tmp_path: Path, content: bytes) -> None:
        altered = tmp_path / "e5-small-q4.bin"
        altered.write_bytes(content)
        async with MultilingualE5Embedder(model_path=altered) as embedder:
            with pytest.raises(EmbeddingError, match=r"(altered|read); install it"):
                await embedder.embed(["Urlaub"])

    async def test_missing_model_is_explained(self, tmp_path: Path) -> None:
        """A missing model says what to do."""
        async with MultilingualE5Embedder(model_path=tmp_path / "gone.bin") as embedder:
            with pytest.raises(EmbeddingError, match=r"pip install 'masis\[multilingual\]'"):
                await embedder.embed(["Urlaub"])

    async def test_missing_package_is_explained(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A missing package says what to do."""
        monkeypatch.setattr(multilingual_e5, "PACKAGE", "no_such_package_here")
        assert not multilingual_e5.available()
        async with MultilingualE5Embedder() as embedder:
            with pytest.raises(EmbeddingError, match=r"not installed; install it with `pip"):
                await embedder.embed(["Urlaub"])

    @pytest.mark.skipif(
        os.uname().sysname != "Linux" or os.uname().machine != "x86_64",
        reason="the engine for other machines needs nothing of the kind",
    )
    async def test_unsupported_processor_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A processor on which the engine would crash is refused."""
        older = tmp_path / "cpuinfo"
        older.write_text("flags : fpu sse2 avx fma\n", encoding="ascii")
        monkeypatch.setattr(multilingual_e5, "_PROCESSOR", older)
        async with MultilingualE5Embedder() as embedder:
            with pytest.raises(EmbeddingError, match="AVX2; set MASIS_EMBEDDER=bundled"):
                await embedder.embed(["Urlaub"])


class TestTheProfile:
    def test_common_parts_determine_the_profile(self) -> None:
        # A change here has every workspace of this embedder ingested again.
        """Other common parts would be another profile."""
        assert PROFILE.id == "multilingual-e5-small-q4/384/0.3.0-37a3ab83"
        digest = hashlib.sha256(multilingual_e5._COMMON.read_bytes()).hexdigest()
        assert PROFILE.version.endswith(digest[:8])

    def test_profile_is_known_before_loading(self) -> None:
        """It is known before the model is loaded."""
        assert MultilingualE5Embedder().profile is PROFILE

    def test_calibration_rises_to_one(self) -> None:
        """The calibration rises from nothing to one."""
        curve = [PROFILE.relevance(cosine / 100) for cosine in range(-100, 101)]
        assert curve == sorted(curve)
        assert (curve[0], curve[-1]) == (0.0, 1.0)

    def test_english_direction_has_unit_length(self) -> None:
        """The direction of english is of length one."""
        common = json.loads(multilingual_e5._COMMON.read_bytes())
        assert {name: len(vector) for name, vector in common.items()} == {
            "document": 384,
            "query": 384,
            "english": 384,
        }
        assert np.linalg.norm(common["english"]) == pytest.approx(1.0, abs=1e-3)


def test_batches_are_in_order_and_bounded() -> None:
    lengths = [800, 100, 110, 50_000, 90, 790, 0]
    batches = list(_batches(lengths, BATCH_CHARS))
    assert [row for start, end in batches for row in range(start, end)] == list(range(7))
    assert all(end - start == 1 or sum(lengths[start:end]) <= BATCH_CHARS for start, end in batches)
    assert (0, 3) in batches
    assert list(_batches([], BATCH_CHARS)) == []
