"""Keep where graphs wait for a reply: the graph library's checkpointers, on the database that holds our rows.

What they keep is the place alone: which nodes are to run, and that a question waits. The state's keys, the
reply and errors are left out before anything is written, since each of them may hold a text.
"""

import json
import secrets
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

import psycopg
import sqlalchemy as sa
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.types import Interrupt

from masis.errors import RunHeldUp, StoreUnavailable
from masis.graphs.resuming import Reached
from storage import checkpoint_rows
from storage.durable.execution import current
from storage.sql.database import Database
from storage.sql.sqlite import is_sqlite

_PLACE: Final = "branch:to:"
"""How the library calls what says that a node is to run."""
_ASKED: Final = "__interrupt__"

Library = AsyncSqliteSaver | AsyncPostgresSaver


class SqlCheckpoints:
    """Keeps where graphs wait in our database; the library's tables are made by our migrations."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._saver = PlaceSaver(database)

    @property
    def saver(self) -> BaseCheckpointSaver[str]:
        """Return what the graph library reads and writes them by."""
        return self._saver

    async def reached(self, session_id: str) -> Reached:
        """Tell where the graph of a session stands."""
        found = await self._saver.aget_tuple(_of(session_id))
        if found is None:
            return "nothing"
        asked = any(channel == _ASKED for _, channel, _ in found.pending_writes or [])
        return "asked" if asked else "pending"

    async def copy(self, session_id: str, to: str) -> None:
        """Begin the checkpoints of another session with the last one of this one, which stays."""
        found = await self._saver.aget_tuple(_of(session_id))
        if found is None:
            return
        versions = found.checkpoint["channel_versions"]
        there = await self._saver.aput(_of(to), found.checkpoint, found.metadata, versions)
        for task, channel, value in found.pending_writes or []:
            await self._saver.aput_writes(there, [(channel, value)], task)

    async def remove(self, session_ids: Collection[str]) -> None:
        """Remove the checkpoints of sessions, bytes and all."""
        with _held_up():
            await self._database.transact(
                lambda connection: checkpoint_rows.remove(connection, session_ids)
            )


class PlaceSaver(BaseCheckpointSaver[str]):
    """Hands what is a place in a graph to the library's checkpointer, on a connection of our own pool.

    So it keeps to the one writer of a file and to a server's pooler, and its failures are the database's.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(serde=PlaceSerializer())
        self._database = database

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Read the last checkpoint of a session, or the one that is named."""
        async with self._library(writes=False) as library:
            return await library.aget_tuple(config)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Write a checkpoint down, without the state's values."""
        values = checkpoint["channel_values"]
        places = {name: values[name] for name in values if name.startswith(_PLACE)}
        kept: Checkpoint = {**checkpoint, "channel_values": places}
        async with self._library() as library:
            return await library.aput(config, kept, metadata, new_versions)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Write down that a question waits, and nothing of what nodes gave or were given."""
        kept = [each for each in writes if each[0] == _ASKED]
        if kept:
            async with self._library() as library:
                await library.aput_writes(config, kept, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Remove a session's checkpoints."""
        async with self._library() as library:
            await library.adelete_thread(thread_id)

    def get_next_version(self, current: str | None, channel: None) -> str:  # noqa: ARG002 - the library's
        """Return the version after that one: counted, and unlike that of another branch."""
        counted = int(current.partition(".")[0]) if current else 0
        return f"{counted + 1:032}.{secrets.token_hex(8)}"

    @asynccontextmanager
    async def _library(self, *, writes: bool = True) -> AsyncIterator[Library]:
        opened = self._database.write() if writes else self._database.read()
        with _held_up():
            async with opened as connection:
                raw = (await connection.get_raw_connection()).driver_connection
                try:
                    yield self._made(raw)
                except psycopg.Error as error:
                    raise sa.exc.DBAPIError(None, None, error) from error

    def _made(self, raw: Any) -> Library:
        if not is_sqlite(self._database.url):
            return AsyncPostgresSaver(raw, serde=self.serde)
        library = AsyncSqliteSaver(raw, serde=self.serde)
        library.is_setup = True
        return library


class PlaceSerializer:
    """Writes plain values as JSON, and that a question waits by its id alone; refuses all else."""

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Write a value down.

        Raises:
            TypeError: it is none that a place consists of.
        """
        return "place", json.dumps(obj, default=_plain).encode()

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Read a value."""
        return json.loads(data[1], object_hook=_read)


_WAITS: Final = "$waits"


def _plain(value: object) -> dict[str, str]:
    if isinstance(value, Interrupt) and value.value is None:
        return {_WAITS: value.id}
    raise TypeError(f"a {type(value).__name__} is no place in a graph")


def _read(found: dict[str, Any]) -> Any:
    return Interrupt(value=None, id=found[_WAITS]) if set(found) == {_WAITS} else found


def _of(session_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": session_id, "checkpoint_ns": ""}}


@contextmanager
def _held_up() -> Iterator[None]:
    """Let a run wait for a database that is away, as between its steps."""
    try:
        yield
    except StoreUnavailable as error:
        if current() is None or not error.retryable:
            raise
        raise RunHeldUp(str(error)) from error
