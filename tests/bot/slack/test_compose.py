from pathlib import Path
from typing import cast

from bot.compose import compose
from bot.settings import load
from bot.slack.compose import _purging
from masis.conversation import Tenant
from storage.queue.engine import DbosEngine


async def test_uninstallation_clears_team_caches(
    data_dir: Path,
) -> None:
    """An uninstallation drops what the process remembers of the team."""
    tenant = Tenant(team="T0INVENTED")
    async with compose(load(data_dir=data_dir), owner=tenant.owner) as app:
        handbook = await app.repository.create_workspace(tenant.owner, "handbook")
        await app.ingest.ingest(handbook, "leave.md", b"# Leave\n\nAnnual leave is 28 days.")
        await app.retrieval.search(handbook.id, "How long is annual leave?", limit=10)
        assert app.sentences is not None
        assert len(app.sentences._cache) > 1
        # No run is open, so that the engine is asked for nothing.
        await _purging(app, cast(DbosEngine, None))(tenant)
        assert len(app.sentences._cache) == 0
        assert await app.repository.workspaces(tenant.owner) == []
