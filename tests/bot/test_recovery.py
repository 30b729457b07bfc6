import logging
from pathlib import Path

import pytest
from filelock import FileLock

from bot.compose import App, compose
from bot.recovery import recover, recover_all
from bot.settings import load
from masis.domain import Workspace
from storage.documents.leftovers import leftovers


async def half_written(app: App, name: str) -> Workspace:
    """A workspace in which an ingestion died."""
    workspace = await app.repository.create_workspace("local", name)
    await app.repository.begin_version(workspace.id, "leave.md", "hash", 1)
    return workspace


async def test_crash_remains_are_removed_when_idle(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What crashes left in any workspace is removed but where another is at work."""
    async with compose(load(data_dir=tmp_path, embedder="none")) as app:
        first, second, busy = [await half_written(app, name) for name in ("a", "b", "busy")]
        hidden = app.repository.hidden_versions
        await recover(app, first)
        assert (await hidden(first.id), len(await hidden(second.id))) == ([], 1)
        (tmp_path / "vectors").mkdir(exist_ok=True)
        with (
            FileLock(tmp_path / "vectors" / f"{busy.id}.lock"),
            caplog.at_level(logging.WARNING),
        ):
            await recover_all(app)
        assert (await hidden(second.id), len(await hidden(busy.id))) == ([], 1)
        assert f"{busy.id} is in use" in caplog.text
        await recover_all(app)
        assert await hidden(busy.id) == []


async def test_recent_server_work_is_kept(
    tmp_path: Path,
) -> None:
    """On a server what was begun of late may be at work in another process."""
    settings = load(data_dir=tmp_path, embedder="none", qdrant_url="http://127.0.0.1:1")
    async with compose(settings) as app:
        workspace = await half_written(app, "a")
        await recover(app, workspace)
        await recover_all(app)
        assert len(await app.repository.hidden_versions(workspace.id)) == 1


async def test_damaged_workspace_stops_no_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Damaged vectors of a workspace keep no others from being tidied."""
    settings = load(data_dir=tmp_path, embedder="none")
    async with compose(settings) as app:
        for name in ("a", "b"):
            workspace = await half_written(app, name)
            await app.ingest.ingest(workspace, "fees.md", b"# Fees\n\nA card costs 5 euros.")
    async with compose(settings) as app:
        found = await leftovers(app.database, begun_before=0)
        damaged, other = found
        for each in (tmp_path / "vectors" / damaged).rglob("segment.json"):
            each.write_text("no json")
        with caplog.at_level(logging.WARNING):
            await recover_all(app)
        assert await leftovers(app.database, begun_before=0) == {damaged: found[damaged]}
    assert f"what a crash left in {damaged} cannot be removed: The vectors" in caplog.text
    assert other not in caplog.text


async def test_own_current_work_is_kept(
    tmp_path: Path,
) -> None:
    """What this process itself began since it is at work is left alone."""
    async with compose(load(data_dir=tmp_path, embedder="none")) as app:
        workspace = await half_written(app, "a")
        await recover_all(app, at_work=60.0)
        assert len(await app.repository.hidden_versions(workspace.id)) == 1
        await recover_all(app)
        assert await app.repository.hidden_versions(workspace.id) == []
