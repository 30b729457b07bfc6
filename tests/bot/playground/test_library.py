import asyncio
from pathlib import Path

import pytest
from filelock import FileLock

from bot.playground import library, samples
from bot.playground.library import Library, fingerprint
from bot.settings import Settings, load
from tests.bot.program import HANDBOOK, write


@pytest.fixture(autouse=True)
def _small_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "sample" / "docs", {"leave.md": HANDBOOK["leave.md"]})
    monkeypatch.setattr(samples, "SAMPLE", tmp_path / "sample")


@pytest.fixture
def made(tmp_path: Path) -> Library:
    def loaded(**overrides: object) -> Settings:
        return load(Path("no.env"), **({"data_dir": tmp_path, "embedder": "none"} | overrides))

    return Library(loaded, tmp_path / "playground", owners=["slack::T1"], workspace="handbook")


async def test_sample_is_copied_per_start(made: Library, tmp_path: Path) -> None:
    """The sample is read once and every start has a copy of its own."""
    told: list[tuple[int, int]] = []
    starts = [made.filled(lambda *progress: told.append(progress)) for _ in range(2)]
    kept, also = await asyncio.gather(*starts)
    assert told == [(0, 1), (1, 1)]
    assert also == kept
    assert await made.filled(lambda *_: pytest.fail("it was read again")) == kept
    async with made.world(kept) as one, made.world(kept) as other:
        assert one != other
        assert (one / "masis.db").read_bytes() == (kept / "masis.db").read_bytes()
        (one / "masis.db").write_bytes(b"")
    assert not one.exists()
    assert (kept / "masis.db").stat().st_size > 0
    assert list((tmp_path / "playground" / library.WORLDS).iterdir()) == []


async def test_killed_playgrounds_leftovers_are_removed(made: Library, tmp_path: Path) -> None:
    """What a killed playground left is removed and an open ones is not."""
    kept = write(tmp_path / "kept", {"masis.db": "x"})
    worlds = tmp_path / "playground" / library.WORLDS
    for name in ("dead", "alive"):
        write(worlds / name, {"masis.db": "x"})
        (worlds / f"{name}.lock").touch()
    with FileLock(worlds / "alive.lock"):
        async with made.world(kept):
            assert not (worlds / "dead").exists()
            assert (worlds / "alive").exists()


async def test_data_folder_is_private(
    tmp_path: Path,
) -> None:
    """Nobody else may enter the data folder that a playground makes."""

    def loaded(**overrides: object) -> Settings:
        return load(Path("no.env"), **({"data_dir": tmp_path, "embedder": "none"} | overrides))

    folder = tmp_path / "share" / "masis" / library.FOLDER
    await Library(loaded, folder, owners=["slack::T1"], workspace="handbook").filled(
        lambda *_: None
    )
    assert [path.stat().st_mode & 0o777 for path in (folder, folder.parent)] == [0o700, 0o700]


def test_a_changed_sample_is_read_anew(tmp_path: Path) -> None:
    before = fingerprint("x")
    assert before == fingerprint("x")
    assert before != fingerprint("y")
    write(tmp_path / "sample" / "docs", {"new.md": "# New"})
    assert before != fingerprint("x")
