"""Buttons and menus. What a button carries says what is meant; who may is looked up anew."""

import datetime as dt
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from slack_bolt.async_app import AsyncAck, AsyncBoltContext

from bot.chat.words import shared_sentences
from bot.slack import ids
from bot.slack.intake.ack_deadline import within
from bot.slack.intake.intake import Asked
from bot.slack.intake.notices import notice_of
from bot.slack.intake.payload_values import Click, Json, Unreadable
from bot.slack.listeners.answering import Answering
from bot.slack.listeners.home_tab import Home
from bot.slack.listeners.opening import Opening, closed_because
from bot.slack.listeners.queries import Reading
from bot.slack.services import Services
from bot.slack.slack_errors import SlackError
from bot.slack.text import sentences
from masis.conversation import OPEN, ChatRun, Session, Vote

log = logging.getLogger(__name__)

Do = Callable[[Click], Awaitable[None]]

STARTED_SECONDS: Final = 2.5
"""Slack wants its answer within 3."""


class Clicks:
    """One listener for all of them: acknowledged at once, done after it, told where it failed.

    A click that starts a run starts it before the ack, like every other question.
    """

    def __init__(
        self,
        services: Services,
        answering: Answering,
        reading: Reading,
        opening: Opening,
        home: Home,
    ) -> None:
        self._services = services
        self._answering = answering
        self._reading = reading
        self._opening = opening
        self._home = home
        self._starts: dict[str, Do] = {
            ids.WIDER: self._wider,
            ids.REPLY: self._reply,
            ids.SUGGESTED: self._suggested,
        }
        self._does: dict[str, Do] = {
            ids.CANCEL: self._cancel,
            ids.DISMISS: self._dismiss,
            ids.FEEDBACK: self._vote,
            ids.WORKSPACE: self._choose,
            ids.AUDIT: reading.audit,
            ids.AUDIT_PAGE: reading.audit_page,
            ids.PASSAGE: reading.passage,
            ids.DRAFT: reading.draft,
            ids.DOCS_PAGE: reading.docs_page,
            ids.HISTORY_PAGE: reading.history_page,
            ids.REPLY_FORM: opening.reply,
            ids.LINK: opening.link_clicked,
            ids.SETTINGS: opening.settings,
        }

    async def clicked(
        self, ack: AsyncAck, body: Json, action: Json, context: AsyncBoltContext
    ) -> None:
        """Do what was clicked, or begin it."""
        try:
            click = Click.of(body, action, context)
        except Unreadable:
            await ack()
            return
        name = next((each for each in ids.ACTIONS if ids.pattern(each).match(click.action)), "")
        if name in self._starts:
            await self._started(click, self._starts[name])
        elif name in self._does:
            work = self._answering.guarded(click, self._does[name](click))
            self._services.tasks.start(name, work)
        await ack()

    async def _started(self, click: Click, start: Do) -> None:
        """Slack repeats no click: what did not begin in time is told."""
        try:
            await within(STARTED_SECONDS, self._answering.guarded(click, start(click)))
        except TimeoutError:
            await self._later(click, sentences.UNAVAILABLE)

    # --- what starts a run -----------------------------------------------------------------

    async def _wider(self, click: Click) -> None:
        """The question again, with the net that a retry casts."""
        run = await self._run(click, ids.RunRef.loaded(click.value).run)
        if run is None:
            return await self._later(click, shared_sentences.NOT_FOUND)
        session = await self._services.sessions.open_in_thread(run.tenant, run.channel, run.thread)
        if session is not None and not await self._may_answer(click, session):
            return await self._later(click, sentences.NOT_THE_ASKER)
        taken = await self._services.intake.widen(_asked(click, run.question, run), run, session)
        begun = shared_sentences.WIDER_STARTED if taken.admitted else sentences.WIDER_IF_ADMITTED
        return await self._later(click, begun if taken.state == "accepted" else notice_of(taken))

    async def _reply(self, click: Click) -> None:
        """One of the suggested replies."""
        chosen = ids.SuggestedReply.loaded(click.value)
        session = await self._session(click, chosen.session)
        if session is None or chosen.choice >= len(session.suggestions):
            return await self._later(click, shared_sentences.NOT_FOUND)
        if session.status != "open":
            return await self._later(click, closed_because(session.status))
        if not await self._may_answer(click, session):
            return await self._later(click, sentences.NOT_THE_ASKER)
        run = await self._services.runs.get(click.tenant, session.run_id)
        asked = _asked(click, session.suggestions[chosen.choice], run)
        taken = await self._services.intake.reply(asked, session)
        if taken.state == "accepted":
            said = sentences.answered_by(click.user, asked.text)
            self._services.tasks.start("closed", self._answering.close_question(session, said))
            return await self._later(click, shared_sentences.REPLY_TAKEN)
        return await self._later(click, notice_of(taken))

    async def _suggested(self, click: Click) -> None:
        """A question that was offered, in a thread of its own: nobody typed it."""
        question = ids.Suggested.loaded(click.value).question
        asked = replace(_asked(click, question, None), thread="")
        await self._later(click, notice_of(await self._services.intake.ask(asked)))

    # --- what does not ---------------------------------------------------------------------

    async def _cancel(self, click: Click) -> None:
        run = await self._run(click, ids.RunRef.loaded(click.value).run)
        if run is None or run.status not in OPEN:
            await self._answering.tell(click, sentences.NOTHING_RUNS, click.thread)
        elif not await self._may_end(click, run.asker):
            await self._answering.tell(click, sentences.NOT_YOURS, click.thread)
        else:
            await self._services.engine.cancel(run.id, click.user)

    async def _dismiss(self, click: Click) -> None:
        """A clarification that nobody wants to answer."""
        session = await self._session(click, ids.SessionRef.loaded(click.value).session)
        if session is None:
            await self._answering.tell(click, shared_sentences.NOT_FOUND, click.thread)
        elif not await self._may_end(click, session.asker):
            await self._answering.tell(click, sentences.NOT_YOURS, click.thread)
        elif session.status != "open":
            await self._answering.tell(click, closed_because(session.status), click.thread)
        elif await self._services.sessions.cancel(click.tenant, session.id, click.user):
            await self._answering.close_question(session, sentences.cancelled_by(click.user))
            await self._answering.nothing_awaited(session)

    async def _vote(self, click: Click) -> None:
        """Keep a vote; ask for the reason of a bad one while its trigger lives."""
        feedback = ids.Feedback.loaded(click.value)
        run = await self._run(click, feedback.run)
        if run is None:
            await self._answering.tell(click, shared_sentences.NOT_FOUND, click.thread)
            return
        asks_why = not feedback.good and await self._asked_why(click, run)
        now = dt.datetime.now(dt.UTC)
        vote = Vote(tenant=run.tenant, run_id=run.id, user=click.user, good=feedback.good, at=now)
        await self._services.votes.cast(vote, run.workspace_id)
        await self._answering.show_votes(run)
        if not asks_why:  # the form says it too
            said = sentences.VOTED_GOOD if feedback.good else sentences.VOTED_BAD
            await self._answering.tell_beside(click, said, click.thread)

    async def _asked_why(self, click: Click, run: ChatRun) -> bool:
        """Open the form for the reason, and say whether it is open. The vote counts without it."""
        try:
            await self._opening.reason(click, run)
        except SlackError as error:
            log.info("nobody is asked why a vote was bad: %s", error.code)
            return False
        return True

    async def _choose(self, click: Click) -> None:
        """A workspace for direct messages; the question that led to the picker is asked then."""
        chosen = ids.WorkspaceRef.loaded(click.value).workspace
        mine = await self._services.access.reachable(click.tenant, click.user)
        workspace = next((each for each in mine if each.id == chosen), None)
        if workspace is None:
            await self._answering.tell(click, shared_sentences.NOT_FOUND, click.thread)
            return
        await self._services.links.choose_direct(click.tenant, click.user, workspace.id)
        await self._home.chosen(click, workspace)

    # --- who and where ---------------------------------------------------------------------

    async def _run(self, click: Click, run_id: str) -> ChatRun | None:
        """The team's run, if the click came from the channel where it was asked."""
        run = await self._services.runs.get(click.tenant, run_id)
        return run if run is not None and run.channel == click.channel else None

    async def _session(self, click: Click, session_id: str) -> Session | None:
        session = await self._services.sessions.by_id(click.tenant, session_id)
        return session if session is not None and session.channel == click.channel else None

    async def _may_answer(self, click: Click, session: Session) -> bool:
        return await self._may_end(click, session.asker)

    async def _may_end(self, click: Click, asker: str) -> bool:
        if click.user == asker:
            return True
        return await self._services.access.manages(click.tenant, click.user)

    async def _later(self, click: Click, text: str) -> None:
        """Tell it after the ack."""
        self._services.tasks.start("told", self._answering.tell(click, text, click.thread))


def _asked(click: Click, text: str, run: ChatRun | None) -> Asked:
    return Asked(
        tenant=click.tenant,
        channel=click.channel,
        user=click.user,
        text=text,
        origin="action",
        key=click.key,
        thread=run.thread if run is not None else click.thread,
        direct=click.channel.startswith("D"),
    )
