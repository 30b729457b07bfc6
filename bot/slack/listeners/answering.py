"""Telling somebody something in private, and opening forms, from wherever they clicked or typed."""

import contextlib
import datetime as dt
import logging
from collections.abc import Awaitable
from typing import Protocol

from bot.chat.words import shared_sentences
from bot.slack.services import Services
from bot.slack.slack_errors import SlackError
from bot.slack.text import sentences
from bot.slack.text.defuse import Said
from bot.slack.views.answer import answer
from bot.slack.views.clarification import closed
from bot.slack.views.message import Message, notice
from masis.conversation import ChatRun, Payload, Session, Tenant
from masis.domain import Answered
from masis.errors import MasisError, StoreUnavailable
from masis.failures import sentence_of

log = logging.getLogger(__name__)


class Caller(Protocol):
    """Define who did something, and where they can be told about it."""

    @property
    def tenant(self) -> Tenant:
        """Their team."""

    @property
    def user(self) -> str:
        """Return the person who did it."""

    @property
    def channel(self) -> str:
        """Return the channel where it was done; empty on the home tab."""

    @property
    def trigger(self) -> str:
        """Return the trigger, which opens a form within 3 seconds."""

    @property
    def response_url(self) -> str:
        """Return the address where Slack takes an answer; empty where there is none."""


class Answering:
    """Reaches the caller by the response address, else by a private message in the channel."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._web = services.web

    async def tell(
        self, caller: Caller, message: Message | str, thread: str = "", *, turned: bool = False
    ) -> None:
        """Tell the caller alone; `turned` says it in the place of the page they clicked on."""
        shown = notice(message) if isinstance(message, str) else message
        web = self._web
        if caller.response_url:
            try:
                await web.respond(caller.tenant, caller.response_url, shown, replace=turned)
            except SlackError:
                if not caller.channel:
                    raise
            else:
                return
        if caller.channel:
            await web.ephemeral(caller.tenant, caller.channel, caller.user, shown, thread=thread)

    async def tell_beside(self, caller: Caller, message: Message | str, thread: str = "") -> None:
        """Tell the caller in a private message of its own, where the response address would replace."""
        if caller.channel:
            shown = notice(message) if isinstance(message, str) else message
            await self._web.ephemeral(
                caller.tenant, caller.channel, caller.user, shown, thread=thread
            )

    async def guarded(self, caller: Caller, work: Awaitable[None]) -> None:
        """Do the work, and tell the caller where it failed: in words that name what to do."""
        try:
            await work
        except SlackError as error:
            log.warning("a caller of %s was not served: %s", caller.tenant.owner, error.code)
            if not error.disables_installation:
                await self._told_anyway(caller, error.sentence or shared_sentences.UNEXPECTED)
        except StoreUnavailable:
            await self._told_anyway(caller, sentences.UNAVAILABLE)
        except MasisError as error:
            await self._told_anyway(caller, sentence_of(error))

    async def close_question(self, session: Session, said: Said) -> None:
        """Show a clarification without its buttons, and why it takes no reply any more."""
        run = await self._services.runs.get(session.tenant, session.run_id)
        if run is not None:
            await self._services.delivery.update(run, "clarification", closed(session, said))

    async def show_votes(self, run: ChatRun) -> None:
        """Show under an answer how it was received."""
        services = self._services
        trail = await services.trails.of(run.tenant, run.id)
        if trail is None or trail.blanked or trail.status != "success":
            return
        votes = await services.votes.of(run.tenant, run.id)
        good = sum(vote.good for vote in votes)
        today = dt.datetime.now(dt.UTC).date()
        outcome = Answered.model_validate(trail.outcome)
        shown = answer(run, outcome, today, good=good, bad=len(votes) - good).messages
        last = len(shown) - 1
        await services.delivery.update(run, "answer", shown[last], part=last)

    async def nothing_awaited(self, session: Session) -> None:
        """Let Slack's own sign of the thread show that nothing is expected of anybody."""
        spot = session.tenant, session.channel, session.thread
        await self._web.session_status(*spot, "active", initiator=session.asker)

    async def _told_anyway(self, caller: Caller, text: str) -> None:
        with contextlib.suppress(SlackError):
            await self.tell(caller, text)

    async def open(self, caller: Caller, view: Payload) -> str:
        """Open a form, and give its id."""
        return await self._web.open_view(caller.tenant, caller.trigger, view)

    async def change(self, caller: Caller, view_id: str, view: Payload) -> None:
        """Show something else in an open form."""
        await self._web.update_view(caller.tenant, view_id, view)
