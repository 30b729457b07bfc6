"""Slack's Web API as MASIS uses it: paced, bounded, with typed errors.

Every call names its tenant, and an answer of one tenant is never kept for another.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Literal

from cachetools import TTLCache

from bot.slack.client.calls import (
    Calls,
    Json,
    TokenLost,
    TokenSource,
    at_best,
    doubt,
    left_out,
    settled,
)
from bot.slack.client.lookups import ChannelInfo, channel_of, objects, part, person_of, word
from bot.slack.client.pacing import Clock
from bot.slack.client.uploads import TextFile, put
from bot.slack.client.wire import HOOK_HOSTS, SECONDS
from bot.slack.limits import PAGE, SESSION_TITLE, SUGGESTED_PROMPTS
from bot.slack.persons import Person
from bot.slack.slack_errors import (
    Garbled,
    MessageTooLong,
    RateLimited,
    Refused,
    SlackError,
    Unavailable,
)
from bot.slack.views.message import Message
from masis.conversation import Tenant

__all__ = ["ChannelInfo", "SessionState", "SlackWeb"]

log = logging.getLogger(__name__)

REMEMBERED: Final = 5_000
REMEMBERED_SECONDS: Final = 60.0
"""How long a person's rights and a channel's kind may be out of date."""
NO_AGENT_SECONDS: Final = 3600.0
"""How long an app that is no agent is not asked again whether it has become one."""
MEMBER_PAGES: Final = 20
LOOKUP_MESSAGES: Final = 100
THREAD_PAGE: Final = 200
THREAD_PAGES: Final = 5
THREAD_STATUS: Final = "is working on it..."
"""After the bot's name, in the status of old; a native session has words of Slack's own."""

_NO_AGENT: Final = frozenset(
    {"not_authorized", "unknown_method", "missing_scope", "not_allowed_token_type"}
)
_NO_BLOCKS: Final = frozenset({"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long"})
_FINE: Final = 200

_Key = tuple[Tenant, str]
"""Begins with the tenant, so that nothing of one tenant is found for another."""

SessionState = Literal["processing", "active", "suspended", "closed"]


class SlackWeb:
    """Slack's Web API, for any tenant. `close` ends its one session.

    All methods raise `SlackError`, unless they say that they give False instead.
    `on_token_lost` is told when a team's token opens nothing any more.
    """

    def __init__(
        self,
        *,
        api_url: str,
        tokens: TokenSource,
        clock: Clock | None = None,
        seconds: float = SECONDS,
        on_token_lost: TokenLost | None = None,
    ) -> None:
        self.calls: Final = Calls(
            api_url=api_url,
            tokens=tokens,
            clock=clock,
            seconds=seconds,
            on_token_lost=on_token_lost,
        )
        self.wire: Final = self.calls.wire
        self._client = self.wire.client
        self._call = self.calls.paced
        now = self.calls.clock.now
        self._people: TTLCache[_Key, Person] = TTLCache(REMEMBERED, REMEMBERED_SECONDS, now)
        self._channels: TTLCache[_Key, ChannelInfo] = TTLCache(REMEMBERED, REMEMBERED_SECONDS, now)
        self._no_agents: TTLCache[Tenant, bool] = TTLCache(REMEMBERED, NO_AGENT_SECONDS, now)

    async def close(self) -> None:
        """End the session."""
        await self.wire.close()

    # --- messages ------------------------------------------------------------------------

    async def post(
        self,
        tenant: Tenant,
        channel: str,
        message: Message,
        *,
        thread: str = "",
        metadata: Json | None = None,
        client_msg_id: str = "",
    ) -> str:
        """Post a message, in the channel's turn, and give its ts.

        Raises:
            Ambiguous: it was sent, and Slack may have taken it.
            SlackError: it was certainly not posted.
        """

        async def send(content: Message) -> Json:
            return await self.calls.once(
                tenant,
                self._client.chat_postMessage,
                channel=channel,
                thread_ts=thread or None,
                **_content(content),
                unfurl_links=False,
                unfurl_media=False,
                metadata=metadata,
                client_msg_id=client_msg_id or None,
            )

        async def call() -> Json:
            return await _or_plain(message, send)

        with doubt("A message"):
            posted = await self.calls.pacing.post(tenant, channel, call)
            if not word(posted, "ts"):
                raise Garbled("Slack took a message and did not say which one it is.")
        return word(posted, "ts")

    async def update(
        self, tenant: Tenant, channel: str, ts: str, message: Message, *, droppable: bool = False
    ) -> bool:
        """Show a new state of a message; updates of one message never overtake each other.

        A `droppable` one (progress, soon out of date) never waits: it gives False while the
        message is being updated, the budget runs low or Slack is in trouble.
        """

        async def send(content: Message) -> Json:
            return await self._call(
                tenant,
                self._client.chat_update,
                patient=not droppable,
                channel=channel,
                ts=ts,
                **_content(content),
            )

        queue = self.calls.pacing.in_order(tenant, channel, ts)
        if droppable and (queue.busy or not self.calls.pacing.has_room(tenant, "chat.update")):
            return False
        async with queue.head():
            try:
                # Who is stopped here still waits for Slack's answer: a request that was let go
                # of could arrive after the next one, and stay.
                await settled(_or_plain(message, send))
            except (RateLimited, Unavailable):
                if not droppable:
                    raise
                return False
        return True

    async def ephemeral(
        self, tenant: Tenant, channel: str, user: str, message: Message, *, thread: str = ""
    ) -> None:
        """Tell one person alone, in the channel. Once: nobody can see whether it arrived."""
        await self._call(
            tenant,
            self._client.chat_postEphemeral,
            repeat=False,
            channel=channel,
            user=user,
            thread_ts=thread or None,
            **_content(message),
        )

    async def delete(self, tenant: Tenant, channel: str, ts: str) -> None:
        """Take a message back; one that is gone already is fine."""
        try:
            await self._call(tenant, self._client.chat_delete, channel=channel, ts=ts)
        except Refused as error:
            if error.code != "message_not_found":
                raise

    async def respond(
        self,
        tenant: Tenant,
        response_url: str,
        message: Message,
        *,
        ephemeral: bool = True,
        replace: bool = False,
    ) -> None:
        """Answer at an interaction's own address, which needs no token and lives 30 minutes.

        Raises:
            Refused: the address is not Slack's, or takes no messages any more.
            SlackError: Slack cannot be reached.
        """
        url = self.wire.trusted(response_url, HOOK_HOSTS)
        if url is None:
            raise Refused("A response address is not Slack's.", code="foreign_address")
        body = {
            **message.payload(),
            "response_type": "ephemeral" if ephemeral else "in_channel",
            "replace_original": replace,
        }
        reply = await self.wire.send("a response address", "POST", url, {"json": body})
        self.wire.check("a response address", reply.status, reply.headers)
        if reply.status != _FINE:
            log.warning("a response address of %s gave %d", tenant.owner, reply.status)
            raise Refused("Slack's response address takes no messages any more.", code="used_url")

    # --- looking things up ---------------------------------------------------------------

    async def replies(
        self,
        tenant: Tenant,
        channel: str,
        thread: str,
        *,
        oldest: str = "",
        limit: int = LOOKUP_MESSAGES,
    ) -> list[Json]:
        """A thread's messages from `oldest` on, with metadata.

        Some apps get this once a minute, and 15 messages: it is for doubtful posts alone.
        """
        body = await self._call(
            tenant,
            self._client.conversations_replies,
            channel=channel,
            ts=thread,
            oldest=oldest or None,
            limit=limit,
            include_all_metadata=True,
        )
        return objects(body, "messages")

    async def whole_thread(self, tenant: Tenant, channel: str, thread: str) -> list[Json]:
        """A thread's messages, oldest first; none where it is longer than `THREAD_PAGES` pages."""
        found: list[Json] = []
        cursor = ""
        for _ in range(THREAD_PAGES):
            body = await self._call(
                tenant,
                self._client.conversations_replies,
                patient=False,
                channel=channel,
                ts=thread,
                cursor=cursor or None,
                limit=THREAD_PAGE,
            )
            found += objects(body, "messages")
            cursor = word(part(body, "response_metadata"), "next_cursor")
            if not cursor:
                return found
        return []

    async def history(
        self, tenant: Tenant, channel: str, *, oldest: str = "", limit: int = LOOKUP_MESSAGES
    ) -> list[Json]:
        """A channel's messages, latest first, with metadata. As scarce as `replies`."""
        body = await self._call(
            tenant,
            self._client.conversations_history,
            channel=channel,
            oldest=oldest or None,
            limit=limit,
            include_all_metadata=True,
        )
        return objects(body, "messages")

    async def user(self, tenant: Tenant, user: str, *, fresh: bool = False) -> Person:
        """Return who somebody is. This is up to a minute old, unless asked for `fresh`."""
        known = None if fresh else self._people.get((tenant, user))
        if known is None:
            known = person_of(user, await self._call(tenant, self._client.users_info, user=user))
            self._people[tenant, user] = known
        return known

    async def channel(self, tenant: Tenant, channel: str, *, fresh: bool = False) -> ChannelInfo:
        """Return what a channel is. This is up to a minute old, unless asked for `fresh`."""
        known = None if fresh else self._channels.get((tenant, channel))
        if known is None:
            body = await self._call(tenant, self._client.conversations_info, channel=channel)
            known = channel_of(channel, body)
            self._channels[tenant, channel] = known
        return known

    def known_user(self, tenant: Tenant, user: str) -> Person | None:
        """Return who somebody is, where that is known without asking Slack."""
        return self._people.get((tenant, user))

    def known_channel(self, tenant: Tenant, channel: str) -> ChannelInfo | None:
        """Return what a channel is, where that is known without asking Slack."""
        return self._channels.get((tenant, channel))

    async def members_contain(self, tenant: Tenant, channel: str, user: str) -> bool:
        """Say whether somebody is in a channel.

        False also means that `MEMBER_PAGES` pages did not show them.
        """
        cursor = ""
        for _ in range(MEMBER_PAGES):
            body = await self._call(
                tenant,
                self._client.conversations_members,
                channel=channel,
                cursor=cursor or None,
                limit=PAGE,
            )
            members = body.get("members")
            if isinstance(members, list) and user in members:
                return True
            cursor = word(part(body, "response_metadata"), "next_cursor")
            if not cursor:
                return False
        log.warning("a channel of %s has more members than are read", tenant.owner)
        return False

    async def auth_test(self, tenant: Tenant) -> Json:
        """Return what Slack says about the token: team, enterprise, bot and app."""
        return await self._call(tenant, self._client.auth_test)

    # --- views ---------------------------------------------------------------------------

    async def open_view(self, tenant: Tenant, trigger_id: str, view: Json) -> str:
        """Open a modal within the 3 seconds of a trigger, and give its id."""
        opened = await self._call(
            tenant, self._client.views_open, repeat=False, trigger_id=trigger_id, view=view
        )
        return word(part(opened, "view"), "id")

    async def push_view(self, tenant: Tenant, trigger_id: str, view: Json) -> str:
        """Put a modal on top of the open one, and give its id."""
        pushed = await self._call(
            tenant, self._client.views_push, repeat=False, trigger_id=trigger_id, view=view
        )
        return word(part(pushed, "view"), "id")

    async def update_view(self, tenant: Tenant, view_id: str, view: Json) -> None:
        """Show something else in an open modal."""
        await self._call(tenant, self._client.views_update, view_id=view_id, view=view)

    async def publish_home(self, tenant: Tenant, user: str, view: Json) -> None:
        """Show somebody their App Home."""
        await self._call(tenant, self._client.views_publish, user_id=user, view=view)

    # --- agents --------------------------------------------------------------------------

    async def session_status(
        self,
        tenant: Tenant,
        channel: str,
        thread: str,
        status: SessionState,
        *,
        title: str = "",
        initiator: str = "",
    ) -> bool:
        """Show how far a thread's session is, as well as this app may; False if nothing took.

        An app that is no agent shows the status of old, which Slack clears after 2 minutes.
        """
        if self._no_agents.get(tenant) is not None:
            return await self._thread_status(tenant, channel, thread, status)
        try:
            await self._call(
                tenant,
                self._client.agents_sessions_setStatus,
                patient=False,
                channel_id=channel,
                thread_ts=thread,
                status=status,
                title=title[:SESSION_TITLE] or None,
                initiator_user_id=initiator or None,
            )
        except SlackError as error:
            if error.code not in _NO_AGENT:
                return left_out(tenant, error)
            self._no_agents[tenant] = True
            return await self._thread_status(tenant, channel, thread, status)
        return True

    async def _thread_status(
        self, tenant: Tenant, channel: str, thread: str, status: SessionState
    ) -> bool:
        words = THREAD_STATUS if status == "processing" else ""
        return await at_best(
            tenant,
            self._call(
                tenant,
                self._client.assistant_threads_setStatus,
                patient=False,
                channel_id=channel,
                thread_ts=thread,
                status=words,
            ),
        )

    async def suggested_prompts(
        self,
        tenant: Tenant,
        channel: str,
        prompts: Sequence[tuple[str, str]],
        *,
        thread: str = "",
        title: str = "",
    ) -> bool:
        """Offer up to 4 prompts, each a title and what it asks; False if they did not take."""
        offered = [{"title": name, "message": ask} for name, ask in prompts[:SUGGESTED_PROMPTS]]
        return await at_best(
            tenant,
            self._call(
                tenant,
                self._client.assistant_threads_setSuggestedPrompts,
                patient=False,
                channel_id=channel,
                prompts=offered,
                thread_ts=thread or None,
                title=title or None,
            ),
        )

    # --- files ---------------------------------------------------------------------------

    async def file_info(self, tenant: Tenant, file: str) -> Json:
        """A file as `files.info` shows it."""
        return part(await self._call(tenant, self._client.files_info, file=file), "file")

    async def upload_file(
        self, tenant: Tenant, channel: str, thread: str, name: str, text: str, *, comment: str = ""
    ) -> str:
        """Put a text file into a thread, and give the file's id.

        Raises:
            Ambiguous: the file may be in the thread.
            SlackError: it is certainly not there.
        """
        return await put(self.calls, tenant, channel, thread, TextFile(name, text, comment))


async def _or_plain(message: Message, send: Callable[[Message], Awaitable[Json]]) -> Json:
    """Send a message, in words where Slack refuses its blocks: nothing was posted then."""
    try:
        return await send(message)
    except (Refused, MessageTooLong) as error:
        if message.plain is None or error.code not in _NO_BLOCKS:
            raise
        log.warning("Slack refused the blocks of a message (%s): it is sent in words", error.code)
        return await send(message.plain)


def _content(message: Message) -> Json:
    # Nothing in a text becomes a link or a mention that its blocks did not make one.
    return {**message.payload(), "parse": "none"}
