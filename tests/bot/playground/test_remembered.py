from pathlib import Path

import numpy as np
import pytest

from bot.playground import samples
from bot.playground.remembered import FILE, Recording, Remembered, by_heart, key, make, read, write
from masis.adapters.minilm import PROFILE, MiniLMEmbedder
from tests.fakes import FakeEmbedder


async def test_known_vectors_are_not_recomputed(tmp_path: Path) -> None:
    """What is known by heart is not made again."""
    recording = Recording(FakeEmbedder())
    made = await recording.embed(["one", "two"])
    write(tmp_path / FILE, recording.made, recording.profile)
    real = FakeEmbedder()
    remembered = Remembered(real, read(tmp_path / FILE, real.profile))

    rows = await remembered.embed(["two", "three", "one"])

    assert real.asked == [["three"]]
    assert rows[[2, 0]] == pytest.approx(made, abs=1e-3)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-3)


async def test_other_models_vectors_are_ignored(tmp_path: Path) -> None:
    """Vectors of another model are left alone."""
    assert read(tmp_path / FILE, PROFILE) == {}
    write(tmp_path / FILE, {key("one"): np.ones(3)}, PROFILE)
    other = FakeEmbedder()
    assert other.profile.id != PROFILE.id
    assert read(tmp_path / FILE, other.profile) == {}
    assert by_heart(other) is other


def test_sample_vectors_are_shipped() -> None:
    """The vectors of the sample ship with it."""
    known = read(samples.SAMPLE / FILE, PROFILE)

    assert len(known) > 400
    assert {row.shape for row in known.values()} == {(PROFILE.dimension,)}


@pytest.mark.long
async def test_shipped_vectors_match_the_sample(
    tmp_path: Path,
) -> None:
    """The vectors that ship are those of the sample as it is read now."""
    await make(tmp_path / FILE)
    now, shipped = (read(each / FILE, PROFILE) for each in (tmp_path, samples.SAMPLE))

    assert now.keys() == shipped.keys(), "python -m bot.playground.remembered makes them anew"
    assert all(float(now[each] @ shipped[each]) > 0.999 for each in now)


async def test_question_is_embedded_by_model() -> None:
    """A question is embedded by the model itself."""
    async with MiniLMEmbedder(threads=1) as model:
        (row,) = await by_heart(model).embed(["How much leave?"], "query")
        (real,) = await model.embed(["How much leave?"], "query")
    assert row == pytest.approx(real)
