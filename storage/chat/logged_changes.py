"""Change what those decide who run MASIS in a team: each change and its line in the log at once."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Final, Literal

from sqlalchemy.ext.asyncio import AsyncConnection

from masis.conversation import AdminAction, Link, Sent, TeamSettings
from storage.chat.admin_log import is_decided_since, is_written_down, write_down
from storage.chat.links import Rule, find_link, put_link, set_rule, take_link
from storage.chat.team_settings import put_settings
from storage.sql.database import Database
from storage.sql.exclusive import take_admission_lock

Change = Literal["done", "done before", "decided since"]
"""Done now, done by an earlier attempt, or not at all, as somebody decided otherwise since."""
LINKING: Final = frozenset({"link", "unlink", "settings"})
"""What is decided of a channel. Its rules are set by the form of the settings, too."""
SETTING: Final = frozenset({"settings"})
_RULES: Final[Mapping[Rule, str]] = {"follow_ups": "follow-ups", "mode": "mode"}
"""Their names in the log."""


class _DecidedSince(Exception):
    """Say that what was to be changed is another one by now."""


class LoggedChanges:
    """Does each change once, and writes down that it was done.

    Both are one transaction: what is taken up again after a crash was done and is written down, or
    neither, and somebody else's decision of the meantime is not overwritten.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def link(self, link: Link, action: AdminAction, sent: Sent) -> Change:
        """Link a channel.

        Raises:
            UnknownWorkspace: the tenant has no such workspace; the old link stays.
        """

        async def change(connection: AsyncConnection) -> None:
            previous = await connection.run_sync(find_link, link.tenant, link.channel)
            if previous is not None and _is_newer(previous, sent):
                raise _DecidedSince
            await put_link(connection, link)

        return await self._once(action, sent, LINKING, change)

    async def unlink(self, link: Link, action: AdminAction, sent: Sent) -> Change:
        """Take this very link away, and none that somebody made in its place."""

        async def change(connection: AsyncConnection) -> None:
            if _is_newer(link, sent) or not await take_link(connection, link):
                raise _DecidedSince

        return await self._once(action, sent, LINKING, change)

    async def save(
        self,
        settings: TeamSettings,
        action: AdminAction,
        sent: Sent,
        *,
        channel: str = "",
        rules: Mapping[Rule, str],
    ) -> Change:
        """Change a team's settings, and the rules of a linked channel where there are any.

        Nothing of it is changed where the channel was linked anew since: the rules are another link's.
        """

        async def change(connection: AsyncConnection) -> None:
            if rules:
                link = await connection.run_sync(find_link, action.tenant, channel)
                if link is not None and _is_newer(link, sent):
                    raise _DecidedSince
            await put_settings(connection, action.tenant, settings)
            for rule, value in rules.items():
                if await set_rule(connection, action.tenant, channel, rule, value):
                    told = {"target": channel, "detail": f"{_RULES[rule]}: {value}"}
                    await write_down(connection, action.model_copy(update=told))

        return await self._once(action, sent, SETTING, change)

    async def _once(
        self,
        action: AdminAction,
        sent: Sent,
        others: Collection[str],
        change: Callable[[AsyncConnection], Awaitable[None]],
    ) -> Change:
        tenant, once = action.tenant, sent.once
        try:
            async with self._database.write() as connection:
                # What was decided is read, then changed: nobody may decide in between.
                await connection.run_sync(take_admission_lock)
                if once and await is_written_down(connection, tenant, action.action, once):
                    return "done before"
                if sent.at and await is_decided_since(
                    connection, tenant, others, action.target, sent.at
                ):
                    return "decided since"
                if not await write_down(connection, action, once):
                    return "done before"
                await change(connection)
        except _DecidedSince:
            return "decided since"
        return "done"


def _is_newer(link: Link, sent: Sent) -> bool:
    """Say whether a link was made after it was sent, also where the log has no line of that."""
    return sent.at is not None and link.linked_at > sent.at
