"""The synonyms that the admins of a workspace added."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, delete, insert, select

from masis.domain import WorkspaceId, opaque_id
from masis.errors import InvalidSettings, UnknownWorkspace
from masis.words.synonyms import MOST_GROUPS, Group, checked
from storage.sql.database import Database
from storage.sql.exclusive import hold
from storage.sql.rows import scope_of, within
from storage.sql.tables import synonyms


class SqlSynonyms:
    """The synonyms of all workspaces, each asked for its own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, workspace_id: WorkspaceId) -> list[Group]:
        """The groups of a workspace, in the order of their first phrases."""
        return await self._database.inspect(lambda connection: _read(connection, workspace_id))

    async def add(self, workspace_id: WorkspaceId, phrases: Iterable[str]) -> Group:
        """Add a group, together with the groups that have one of its phrases already.

        Raises:
            ValueError: it is no group, or would be too large a one.
            InvalidSettings: the workspace has as many as it may.
            UnknownWorkspace: there is no such workspace.
        """
        group = checked(phrases)

        def add(connection: Connection) -> Group:
            if hold(connection, scope_of(workspace_id)) is None:
                raise UnknownWorkspace("There is no such workspace.")
            known = _read(connection, workspace_id)
            same = [each for each in known if not set(each).isdisjoint(group)]
            joined = checked([phrase for each in [*same, group] for phrase in each])
            if len(known) - len(same) >= MOST_GROUPS:
                raise InvalidSettings(
                    f"The workspace has {MOST_GROUPS} groups of synonyms, which is the most."
                    " Remove one with `masis synonyms remove`."
                )
            _replace(connection, workspace_id, same, joined)
            return joined

        return await self._database.transact(add)

    async def remove(self, workspace_id: WorkspaceId, phrase: str) -> Group | None:
        """Remove a phrase; gives what is left of its group, None where no group has it.

        A group of which one phrase is left means nothing, and goes with it.
        """
        wanted = " ".join(phrase.lower().split())

        def remove(connection: Connection) -> Group | None:
            same = [each for each in _read(connection, workspace_id) if wanted in each]
            if not same:
                return None
            left = tuple(each for each in same[0] if each != wanted)
            _replace(connection, workspace_id, same, left if len(left) > 1 else ())
            return left

        return await self._database.transact(remove)


def _read(connection: Connection, workspace_id: WorkspaceId) -> list[Group]:
    mine = select(synonyms.c.phrases).where(within(synonyms.c, workspace_id))
    return sorted(tuple(phrases) for phrases in connection.scalars(mine))


def _replace(
    connection: Connection, workspace_id: WorkspaceId, old: Sequence[Group], group: Group
) -> None:
    gone = [_id(workspace_id, each) for each in old]
    connection.execute(
        delete(synonyms).where(within(synonyms.c, workspace_id), synonyms.c.id.in_(gone))
    )
    if group:
        row = {"workspace_id": workspace_id, "id": _id(workspace_id, group), "phrases": list(group)}
        connection.execute(insert(synonyms), row)


def _id(workspace_id: WorkspaceId, group: Group) -> str:
    return opaque_id("s", workspace_id, *group)
