from pathlib import Path

import numpy as np
import pytest

from bot.playground import samples
from bot.playground.remembered import FILE, Recording, Remembered, by_heart, key, make, read, write
from masis.adapters.minilm import PROFILE, MiniLMEmbedder
from tests.fakes import FakeEmbedder


async def test_what_is_known_by_heart_is_not_made_again(tmp_path: Path) -> None:
    recording = Recording(FakeEmbedder())
    made = await recording.embed(["one", "two"])
    write(tmp_path / FILE, recording.made, recording.profile)
    real = FakeEmbedder()
    remembered = Remembered(real, read(tmp_path / FILE, real.profile))

    rows = await remembered.embed(["two", "three", "one"])

    assert real.asked == [["three"]]
    assert rows[[2, 0]] == pytest.approx(made, abs=1e-3)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-3)


async def test_vectors_of_another_model_are_left_alone(tmp_path: Path) -> None:
    assert read(tmp_path / FILE, PROFILE) == {}
    write(tmp_path / FILE, {key("one"): np.ones(3)}, PROFILE)
    other = FakeEmbedder()
    assert other.profile.id != PROFILE.id
    assert read(tmp_path / FILE, other.profile) == {}
    assert by_heart(other) is other


def test_the_vectors_of_the_sample_ship_with_it() -> None:
    known = read(samples.SAMPLE / FILE, PROFILE)

    assert len(known) > 400
    assert {row.shape for row in known.values()} == {(PROFILE.dimension,)}


@pytest.mark.long
async def test_the_vectors_that_ship_are_those_of_the_sample_as_it_is_read_now(
    tmp_path: Path,
) -> None:
    await make(tmp_path / FILE)
    now, shipped = (read(each / FILE, PROFILE) for each in (tmp_path, samples.SAMPLE))

    assert now.keys() == shipped.keys(), "python -m bot.playground.remembered makes them anew"
    assert all(float(now[each] @ shipped[each]) > 0.999 for each in now)


async def test_a_question_is_embedded_by_the_model_itself() -> None:
    async with MiniLMEmbedder(threads=1) as model:
        (row,) = await by_heart(model).embed(["How much leave?"], "query")
        (real,) = await model.embed(["How much leave?"], "query")
    assert row == pytest.approx(real)
