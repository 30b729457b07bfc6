"""Gets each message of a run into its chat once, whatever dies or drops on the way.

A row is written before anything is sent. Where it is doubtful whether a message arrived, Slack is
asked; only where Slack does not know it either, it is sent again: rather twice than never.
"""

import datetime as dt
import logging
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from bot.slack.client.calls import BotToken
from bot.slack.client.lookups import objects, part, word
from bot.slack.client.pacing import Clock
from bot.slack.client.web import SlackWeb
from bot.slack.slack_errors import Ambiguous, RateLimited, Refused, SlackError
from bot.slack.views.message import Attachment, Message
from masis.conversation import RUN_NAMESPACE, ChatRun, Link, Posted
from storage.chat.outbox import Begun, Outbox

log = logging.getLogger(__name__)

SETTLE_SECONDS: Final = 3.0
"""What Slack took a moment ago may not show yet: 2 to 5 s were enough in trials."""
ATTEMPTS: Final = 3
RATE_LIMIT_WAIT_SECONDS: Final = 300.0
"""How long a message waits out Slack's rate limits; a run may take 10 minutes."""
CLOCK_SKEW: Final = dt.timedelta(minutes=5)
"""Slack's clock names the messages, ours the rows."""
_TAKEN_BEFORE: Final = frozenset({"duplicate_message_not_found", "duplicate_channel_not_found"})
"""Slack remembers the client_msg_id of a message that it cannot find any more."""


_Known = Callable[[dict[str, Any]], str]
"""Gives the id to be noted if a message of Slack's is ours, else nothing."""


@dataclass(frozen=True, slots=True)
class _Sending:
    """One message on its way: how it is sent, and by what it is known again."""

    run: ChatRun
    row: Begun
    send: Callable[[], Awaitable[str]]
    known: _Known


class Delivery:
    """Posts, updates and uploads for runs, over the outbox."""

    def __init__(
        self,
        web: SlackWeb,
        outbox: Outbox,
        *,
        clock: Clock | None = None,
        on_ambiguous: Callable[[], None] | None = None,
    ) -> None:
        self._web = web
        self._on_ambiguous = on_ambiguous
        self._outbox = outbox
        self._clock = clock or web.calls.clock

    async def post(
        self,
        run: ChatRun,
        kind: str,
        message: Message,
        *,
        part: int = 0,
        channel: str | None = None,
        thread: str | None = None,
        link: Link | None = None,
    ) -> str:
        """Post a message of the run and give its ts; one that is there already is not repeated.

        Without `channel` and `thread` it goes to the run's own place; an empty thread makes it a
        message of the channel. With a `link` it is begun only while that stands.

        Raises:
            SlackError: it is not there, and what would have to change first.
            LinkChanged: the link does not stand any more.
            RunCancelled: the run was forgotten.
        """
        row = await self._begin(run, kind, part, channel, thread, link=link)
        if row.state == "sent":
            return row.message
        identity = {"run_id": run.id, "kind": kind, "part": part}
        client_msg_id = str(uuid.uuid5(RUN_NAMESPACE, f"{run.id}\x1f{kind}\x1f{part}"))

        async def send() -> str:
            metadata = {"event_type": f"masis_{kind}", "event_payload": identity}
            try:
                return await self._post(run, row, message, metadata, client_msg_id)
            except Refused as error:
                if error.code not in _TAKEN_BEFORE:
                    raise
                log.warning("post_duplicate_lost run=%s kind=%s part=%d", run.id, kind, part)
                return await self._post(run, row, message, metadata, "")

        return await self._deliver(_Sending(run, row, send, _known(identity)))

    async def update(
        self, run: ChatRun, kind: str, message: Message, *, part: int = 0, droppable: bool = False
    ) -> bool:
        """Show a new state of a message that was posted; may be repeated freely.

        False when there is no such message, or a `droppable` state was left out.
        """
        row = next(
            (r for r in await self._outbox.of(run.id) if (r.kind, r.part) == (kind, part)), None
        )
        if row is None or row.state != "sent":
            return False
        return await self._web.update(
            run.tenant, row.channel, row.message, message, droppable=droppable
        )

    async def found(self, run: ChatRun, kind: str, *, part: int = 0) -> str:
        """The ts of a message that was begun; one that was left in doubt is looked for now.

        Empty where it was not begun, or Slack does not know it.

        Raises:
            SlackError: the installation is gone.
        """
        noted = (
            row for row in await self._outbox.of(run.id) if (row.kind, row.part) == (kind, part)
        )
        row = next(noted, None)
        if row is None or row.state == "sent":
            return "" if row is None else row.message
        known = _known({"run_id": run.id, "kind": kind, "part": part})
        ts = await self._look_twice(run, row, known)
        if ts:
            await self._outbox.sent(run.id, kind, part, ts)
        return ts

    async def upload(
        self,
        run: ChatRun,
        kind: str,
        attachment: Attachment,
        *,
        part: int = 0,
        thread: str | None = None,
        comment: str = "",
    ) -> str:
        """Put a file into the run's thread, once, and give its id.

        Raises:
            SlackError: it is not there, and what would have to change first.
            RunCancelled: the run was forgotten.
        """
        row = await self._begin(run, kind, part, None, thread)
        if row.state == "sent":
            return row.message

        async def send() -> str:
            return await self._web.upload_file(
                run.tenant,
                row.channel,
                row.thread,
                attachment.name,
                attachment.text,
                comment=comment,
            )

        def known(message: dict[str, Any]) -> str:
            files = objects(message, "files")
            same = (file for file in files if file.get("name") == attachment.name)
            return next((word(file, "id") for file in same), "")

        return await self._deliver(_Sending(run, row, send, known))

    async def _begin(
        self,
        run: ChatRun,
        kind: str,
        part: int,
        channel: str | None,
        thread: str | None,
        *,
        link: Link | None = None,
    ) -> Begun:
        place = run.channel if channel is None else channel
        hangs_from = run.thread if thread is None else thread
        return await self._outbox.begin(run.id, kind, part, place, hangs_from, link=link)

    async def _post(
        self,
        run: ChatRun,
        row: Posted,
        message: Message,
        metadata: dict[str, Any],
        client_msg_id: str,
    ) -> str:
        return await self._web.post(
            run.tenant,
            row.channel,
            message,
            thread=row.thread,
            metadata=metadata,
            client_msg_id=client_msg_id,
        )

    async def _deliver(self, sending: _Sending) -> str:
        sent = await self._send(sending)
        row = sending.row
        await self._outbox.sent(row.run_id, row.kind, row.part, sent)
        return sent

    async def _send(self, sending: _Sending) -> str:
        row, doubtful = sending.row, not sending.row.fresh
        for _ in range(ATTEMPTS):
            if doubtful:
                if found := await self._look_twice(sending.run, sending.row, sending.known):
                    return found
                log.warning("post_ambiguous run=%s kind=%s part=%d", row.run_id, row.kind, row.part)
                if self._on_ambiguous is not None:
                    self._on_ambiguous()
            try:
                return await self._past_rate_limits(sending.send)
            except Ambiguous:
                doubtful = True
        if found := await self._look_twice(sending.run, sending.row, sending.known):
            return found
        raise Ambiguous(f"Slack did not say {ATTEMPTS} times whether it took a message.")

    async def _past_rate_limits(self, send: Callable[[], Awaitable[str]]) -> str:
        """Send, waiting out rate limits that are longer than a call itself waits out."""
        waited = 0.0
        while True:
            try:
                return await send()
            except RateLimited as error:
                waited += error.retry_after
                if waited > RATE_LIMIT_WAIT_SECONDS:
                    raise
                await self._clock.sleep(error.retry_after)

    async def _look_twice(self, run: ChatRun, row: Posted, known: _Known) -> str:
        if found := await self._look(run, row, known):
            return found
        await self._clock.sleep(SETTLE_SECONDS)
        return await self._look(run, row, known)

    async def _look(self, run: ChatRun, row: Posted, known: _Known) -> str:
        """The id that Slack knows the message by, empty where it does not, or does not say."""
        oldest = f"{(row.at - CLOCK_SKEW).timestamp():.6f}"
        try:
            bot = await self._web.calls.tokens.for_tenant(run.tenant)
            if row.thread:
                messages = await self._web.replies(
                    run.tenant, row.channel, row.thread, oldest=oldest
                )
            else:
                messages = await self._web.history(run.tenant, row.channel, oldest=oldest)
        except SlackError as error:
            if error.disables_installation:
                raise
            log.warning("no look at what was posted of run=%s: %s", row.run_id, error)
            return ""
        ours = (message for message in messages if _is_ours(message, bot))
        return next((found for message in ours if (found := known(message))), "")


def _known(identity: dict[str, Any]) -> _Known:
    """Knows the message with that identity, by its ts."""
    return lambda message: word(message, "ts") if _identity(message) == identity else ""


def _identity(message: dict[str, Any]) -> dict[str, Any]:
    return part(part(message, "metadata"), "event_payload")


def _is_ours(message: dict[str, Any], bot: BotToken) -> bool:
    """Say whether the bot wrote the message.

    Others may post metadata and files that look like ours.
    """
    if not (bot.bot_id or bot.bot_user_id):
        return True
    by_bot = bool(bot.bot_id) and message.get("bot_id") == bot.bot_id
    return by_bot or (bool(bot.bot_user_id) and message.get("user") == bot.bot_user_id)
