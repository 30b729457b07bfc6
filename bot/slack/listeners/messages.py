"""Mentions, direct messages and replies in threads."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from slack_bolt.async_app import AsyncAck, AsyncBoltContext

from bot.chat.shown.progress_shown import ProgressShown
from bot.slack.intake import typed_text
from bot.slack.intake.intake import Asked, Taken
from bot.slack.intake.notices import notice_of
from bot.slack.intake.payload_values import Json, Said, Unreadable
from bot.slack.listeners.answering import Answering
from bot.slack.services import Services
from bot.slack.text import sentences
from bot.slack.untagged import KNOWN_SECONDS
from bot.slack.views.message import Message, notice
from bot.slack.views.picker import workspace_picker
from bot.slack.views.progress import progress
from masis.conversation import Session
from masis.errors import StoreUnavailable
from masis.questions.replies import is_only_talk
from masis.words.chat_words import small_talk

_SILENT: Final = frozenset({"accepted", "duplicate"})
"""What is not told: the run shows itself."""
_TOLD_UNTAGGED: Final = frozenset({"accepted", "over_quota", "too_long"})
"""What is told who mentioned nobody: only what became of a question that was to MASIS."""

_ANSWERED_UNTAGGED: Final = frozenset({"hello", "thanks", "about"})
"""Small talk that wants a word back from somebody whom it does not name."""


class Messages:
    """Handle what people write where MASIS can read it."""

    def __init__(self, services: Services, answering: Answering) -> None:
        self._services = services
        self._answering = answering

    async def mention(self, ack: AsyncAck, event: Json, context: AsyncBoltContext) -> None:
        """`@MASIS question`, in a channel or a thread."""
        await self._heard(event, context, named=True)
        await ack()

    async def message(self, ack: AsyncAck, event: Json, context: AsyncBoltContext) -> None:
        """Any message: a question in a direct message, a reply, a follow-up, or none of them."""
        await self._heard(event, context, named=False)
        await ack()

    async def _heard(self, event: Json, context: AsyncBoltContext, *, named: bool) -> None:
        try:
            said = Said.of(event, context)
        except Unreadable:
            return
        if said is None or said.user == context.bot_user_id:
            return
        bot = context.bot_user_id or ""
        if not named and not said.direct and bot and f"<@{bot}" in said.text:
            return  # it comes as a mention too
        asked = _asked(said, typed_text.mention_text(said.text, bot))
        is_to_us = said.direct or named
        session = await self._open_session(said)
        if session is not None and is_only_talk(asked.text, session.kind) and not asked.files:
            session = None
        if session is not None and (is_to_us or not typed_text.names_others(said.text, said.user)):
            await self._replied(asked, session, named=named)
        elif session is None and is_to_us:
            await self._asked(asked)
        elif session is None and await self._services.follow_ups.is_meant(said, bot):
            await self._followed_up(asked)

    async def _open_session(self, said: Said) -> Session | None:
        if not said.thread:
            return None
        sessions = self._services.sessions
        return await sessions.open_in_thread(said.tenant, said.channel, said.thread)

    async def _asked(self, asked: Asked) -> None:
        """Take a question in; a later delivery of it is the same question.

        Raises:
            StoreUnavailable: it could not be stored now; Slack repeats the message.
        """
        taken = _stored(await self._services.intake.ask(asked))
        if taken.state == "no_choice":
            self._services.tasks.start(
                "workspace picker", self._once(asked, self._offer_workspaces)
            )
        elif taken.state == "small_talk":
            self._services.tasks.start("greeting", self._once(asked, self._greet))
        else:
            self._tell(asked, taken)

    async def _followed_up(self, asked: Asked) -> None:
        """Take a question in that mentions nobody.

        Raises:
            StoreUnavailable: it could not be stored now; Slack repeats the message.
        """
        taken = _stored(await self._services.intake.ask(asked))
        said = small_talk(asked.text, in_thread=asked.is_within)
        if taken.state == "small_talk" and said in _ANSWERED_UNTAGGED:
            self._services.tasks.start("greeting", self._greet_once(asked))
        elif taken.state in _TOLD_UNTAGGED:
            self._tell(asked, taken)

    async def _greet(self, asked: Asked) -> None:
        await self._tell_privately(asked, await self._services.greeting.message(asked))

    async def _greet_once(self, asked: Asked) -> None:
        """Answer each kind of small talk once in a thread: who ends it is not to end it twice."""
        said = small_talk(asked.text, in_thread=asked.is_within)
        key = f"{said}:{asked.channel}:{asked.thread}:{asked.user}"
        if await self._services.claims.take(asked.tenant, key):
            await self._greet(asked)

    async def _replied(self, asked: Asked, session: Session, *, named: bool) -> None:
        """The asker's reply counts, and a manager's.

        Raises:
            SlackError: Slack did not say who it is; it repeats the message.
            TimeoutError: not in time; the same.
            StoreUnavailable: it could not be stored now; the same.
        """
        if asked.user == session.asker:
            await self._took(asked, session)
            return
        async with asyncio.timeout(KNOWN_SECONDS):
            manages = await self._services.access.manages(asked.tenant, asked.user)
        if manages:
            await self._took(asked, session)
        else:
            self._services.tasks.start(
                "not the asker", self._told_not_theirs(asked, session, named=named)
            )

    async def _told_not_theirs(self, asked: Asked, session: Session, *, named: bool) -> None:
        """Tell somebody that the question is not theirs.

        Who speaks to MASIS is told each time; who merely writes there once.
        """
        key = f"told:{asked.key}" if named else f"note:{session.id}:{asked.user}"
        if await self._services.claims.take(asked.tenant, key):
            await self._privately(asked, sentences.NOT_THE_ASKER)

    async def _took(self, asked: Asked, session: Session) -> None:
        """The first valid reply is the one.

        Raises:
            StoreUnavailable: it could not be stored now; Slack repeats the message.
        """
        taken = _stored(await self._services.intake.reply(asked, session))
        if taken.state == "accepted":
            said = sentences.answered_by(asked.user, asked.text)
            self._services.tasks.start("closed", self._answering.close_question(session, said))
        self._tell(asked, taken)

    def _tell(self, asked: Asked, taken: Taken) -> None:
        if taken.state == "accepted" and taken.behind_in_thread:
            self._services.tasks.start("queued note", self._show_queued(asked, taken))
        elif taken.state not in _SILENT:
            private = partial(self._privately, text=notice_of(taken, len(asked.text)))
            self._services.tasks.start("private note", self._once(asked, private))

    async def _once(self, asked: Asked, tell: Callable[[Asked], Awaitable[None]]) -> None:
        """Slack may deliver one message many times; a run has its row against that."""
        if await self._services.claims.take(asked.tenant, f"told:{asked.key}"):
            await tell(asked)

    async def _show_queued(self, asked: Asked, taken: Taken) -> None:
        """The run's own progress message, which begins with its place behind another."""
        run = await self._services.runs.get(asked.tenant, taken.run_id)
        if run is not None:
            waiting = progress(run, ProgressShown.planned(run).waiting(sentences.WAITING_IN_THREAD))
            await self._services.delivery.post(run, "progress", waiting)

    async def _offer_workspaces(self, asked: Asked) -> None:
        services = self._services
        found = await services.access.reachable(asked.tenant, asked.user)
        message = workspace_picker(found) if found else notice(sentences.NO_WORKSPACE_FOR_YOU)
        await services.web.post(asked.tenant, asked.channel, message, thread=asked.thread)

    async def _privately(self, asked: Asked, text: str) -> None:
        await self._tell_privately(asked, notice(text))

    async def _tell_privately(self, asked: Asked, shown: Message) -> None:
        web = self._services.web
        if asked.direct:  # where nobody else reads, and what is posted stays
            await web.post(asked.tenant, asked.channel, shown, thread=asked.thread)
        else:
            await web.ephemeral(asked.tenant, asked.channel, asked.user, shown, thread=asked.thread)


def _stored(taken: Taken) -> Taken:
    """Return what became of a message that could be stored, or is refused for good.

    Raises:
        StoreUnavailable: it could not be stored now; without an ack Slack sends it again.
    """
    if taken.state in {"busy", "unavailable"}:
        raise StoreUnavailable(notice_of(taken))
    return taken


def _asked(said: Said, text: str) -> Asked:
    return Asked(
        tenant=said.tenant,
        channel=said.channel,
        user=said.user,
        text=text,
        origin="message",
        key=f"{said.channel}:{said.ts}",
        thread=said.root,
        message=said.ts,
        direct=said.direct,
        files=said.files,
    )
