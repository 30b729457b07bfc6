"""Do what the buttons of cards mean. Who may is looked up anew at each press."""

import datetime as dt
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from bot.chat.tasks import Tasks
from bot.chat.words import shared_sentences
from bot.teams.cards import carried, notice_card
from bot.teams.cards.card_elements import CARD_TYPE
from bot.teams.cards.carried import (
    Choice,
    RunRef,
    SessionRef,
    Suggested,
    TypedQuestion,
    TypedReply,
    WorkspaceRef,
)
from bot.teams.connector.connector_errors import TeamsError
from bot.teams.inbound.activities import Pressed, Rated
from bot.teams.managing.team_commands import command_of
from bot.teams.outcome_delivery import PROGRESS, OutcomeDelivery
from bot.teams.question_intake import Asked, QuestionIntake, Taken
from bot.teams.run_lookup import RunLookup
from bot.teams.surface import TeamsSurface
from bot.teams.teams_access import TeamsAccess
from bot.teams.teams_greeting import Greeting
from bot.teams.text import sentences
from masis.conversation import OPEN, ChatRun, Session, Vote
from masis.errors import MasisError
from masis.ports import RunEngine
from masis.questions.replies import is_only_talk
from storage.chat.sessions import Sessions
from storage.chat.teams_places import TeamsPlace
from storage.chat.trails import Trails
from storage.chat.votes import Votes

log = logging.getLogger(__name__)

CLOSING_SECONDS: Final = 60.0
"""For a question to be shown closed: Teams may want to be asked again."""
_SHOWS_ITSELF: Final = frozenset(
    {
        shared_sentences.ON_IT,
        shared_sentences.REPLY_TAKEN,
        shared_sentences.WIDER_STARTED,
        sentences.CANCELLED,
        sentences.STOPPING,
    }
)
"""What need not be told late: a message of its own says it."""
_MESSAGE_TYPE: Final = "application/vnd.microsoft.activity.message"

Json = dict[str, Any]
Do = Callable[[Pressed, TeamsPlace], Awaitable[Json]]


def told(sentence: str) -> Json:
    """Answer a press with a sentence for the one who pressed."""
    return {"statusCode": 200, "type": _MESSAGE_TYPE, "value": sentence}


def closing(sentence: str) -> Json:
    """Answer a dialog with a sentence in its place."""
    return {"task": {"type": "message", "value": sentence}}


def redrawn(shown: Json) -> Json:
    """Answer a press with another card, for the one who pressed."""
    card = shown["attachments"][0]["content"]
    return {"statusCode": 200, "type": CARD_TYPE, "value": card}


def told_late(answer: Json) -> str:
    """Return what an answer says that came too late to be shown; empty where its run says it."""
    said = answer.get("value") or answer.get("task", {}).get("value")
    if isinstance(said, dict):  # a form once more, with what is wrong in it
        said = sentences.FORM_AGAIN
    return said if isinstance(said, str) and said not in _SHOWS_ITSELF else ""


class CardPresses:
    """One entry for each verb; what is not known is an older release's.

    A press that was done before, by a process that died over it, does nothing more and says the same.
    """

    def __init__(
        self,
        *,
        access: TeamsAccess,
        delivery: OutcomeDelivery,
        engine: RunEngine,
        greeting: Greeting,
        intake: QuestionIntake,
        lookup: RunLookup,
        sessions: Sessions,
        surface: TeamsSurface,
        tasks: Tasks,
        trails: Trails,
        votes: Votes,
    ) -> None:
        self._access = access
        self._delivery = delivery
        self._engine = engine
        self._greeting = greeting
        self._intake = intake
        self._lookup = lookup
        self._sessions = sessions
        self._surface = surface
        self._tasks = tasks
        self._trails = trails
        self._votes = votes
        self._does: Mapping[str, Do] = {
            carried.CANCEL: self._cancel,
            carried.WIDER: self._wider,
            carried.CHOOSE: self._choose,
            carried.REPLY: self._reply,
            carried.DISMISS: self._dismiss,
            carried.ASK: self._ask,
            carried.ASK_ON: self._ask_on,
            carried.REFRESH: self._refresh,
            carried.WORKSPACE: self._workspace,
        }

    async def pressed(self, press: Pressed, place: TeamsPlace | None) -> Json:
        """Do it, and say what became of it.

        Raises:
            StoreUnavailable: it could not be done now.
            TeamsError: the same.
        """
        does = self._does.get(press.verb)
        if does is None or place is None:
            return told(sentences.OLD_BUTTON)
        try:
            return await does(press, place)
        except MasisError as error:
            if error.retryable:
                raise
            if isinstance(error, TeamsError):
                log.warning("a press in Teams was not served: %s", type(error).__name__)
                return told(shared_sentences.UNEXPECTED)
            return told(str(error))

    async def rated(self, vote: Rated, place: TeamsPlace | None) -> None:
        """Keep a vote on the answer whose message it stands under; the person's last one counts."""
        if place is None or not vote.message:
            return
        run = await self._lookup.by_message(place, vote.message, vote.person.id)
        if run is None:
            return
        now = dt.datetime.now(dt.UTC)
        cast = Vote(
            tenant=run.tenant,
            run_id=run.id,
            user=vote.person.id,
            good=vote.good,
            reason=vote.reason[:MOST_REASON],
            at=now,
        )
        await self._votes.cast(cast, run.workspace_id)

    # --- runs ------------------------------------------------------------------------------

    async def _cancel(self, press: Pressed, place: TeamsPlace) -> Json:
        run = await self._lookup.by_id(place, RunRef.loaded(press.data).run, press.person.id)
        if run is not None and run.cancelled_by == press.person.id:
            return told(sentences.STOPPING)
        if run is None or run.status not in OPEN:
            return told(sentences.NOTHING_RUNS)
        if not await self._is_theirs(press, run):
            return told(sentences.NOT_YOURS)
        await self._engine.cancel(run.id, press.person.id)
        return told(sentences.STOPPING)

    async def _wider(self, press: Pressed, place: TeamsPlace) -> Json:
        """The question again, with the net that a retry casts."""
        run = await self._lookup.by_id(place, RunRef.loaded(press.data).run, press.person.id)
        if run is None:
            return told(shared_sentences.NOT_FOUND)
        asked = _asked(press, place, run.question, run.thread)
        if await self._lookup.is_taken(place, asked.run_id):
            return told(shared_sentences.WIDER_STARTED)
        session = await self._lookup.open_session(place, run.thread)
        if session is not None and not await self._is_theirs(press, run):
            return told(sentences.NOT_THE_ASKER)
        taken = await self._intake.widen(asked, run, session)
        if taken.accepted and session is not None:
            self.close(session, sentences.answered_by(press.person.name, ""))
        return told(taken.said or shared_sentences.WIDER_STARTED)

    async def _ask(self, press: Pressed, place: TeamsPlace) -> Json:
        """A question that was offered: nobody typed it."""
        question = Suggested.loaded(press.data).question
        # In somebody's own chat each is a question of its own, as what is typed there is.
        hangs = "" if place.kind == "personal" else press.where.thread or press.message
        thread = hangs or press.id
        asked = _asked(press, place, question, thread)
        if await self._lookup.is_taken(place, asked.run_id):
            return told(shared_sentences.ON_IT)
        taken = await self._intake.ask(asked)
        return told(taken.said or shared_sentences.ON_IT)

    async def _ask_on(self, press: Pressed, place: TeamsPlace) -> Json:
        """Take what was typed below an answer as a message in its thread is taken."""
        typed = TypedQuestion.loaded(press.data)
        run = await self._lookup.by_id(place, typed.run, press.person.id)
        if run is None or place.kind != "personal":
            return told(shared_sentences.NOT_FOUND)
        if not typed.question.strip():
            return told(sentences.NO_QUESTION)
        asked = _asked(press, place, typed.question, run.thread, below=True)
        if await self._lookup.is_taken(place, asked.run_id):
            return told(shared_sentences.ON_IT)
        return await self._typed(press, asked)

    async def _typed(self, press: Pressed, asked: Asked) -> Json:
        session = await self._lookup.open_session(asked.place, asked.thread)
        if session is not None and not is_only_talk(asked.text, session.kind):
            return await self._replied(press, session, asked)
        if command_of(asked.text) is not None:
            # It shows more than a press can be answered with.
            return told(sentences.COMMAND_BELOW)
        taken = await self._intake.ask(asked)
        if taken.small_talk:
            return told(await self._greeting.words(asked.text))
        return told(taken.said or shared_sentences.ON_IT)

    async def _workspace(self, press: Pressed, place: TeamsPlace) -> Json:
        """Let somebody's own chat ask a workspace that they can reach; the last choice counts."""
        chosen, user = WorkspaceRef.loaded(press.data).workspace, press.person.id
        reachable = await self._access.reachable(place.tenant.enterprise, user, chosen)
        found = next(iter(reachable), None)
        workspace = None if found is None else await self._lookup.workspace(found)
        if place.kind != "personal" or found is None or workspace is None:
            return told(shared_sentences.NOT_FOUND)
        await self._lookup.choose(found, user)
        return told(sentences.chosen(workspace.name))

    async def _refresh(self, press: Pressed, place: TeamsPlace) -> Json:
        """A placeholder is looked at by who asked. One whose id never came back is taken away.

        Where the run has ended, progress arrived behind its outcome, which is shown again.
        """
        run = await self._lookup.by_id(place, RunRef.loaded(press.data).run, press.person.id)
        if run is None or run.asker != press.person.id:
            return told(shared_sentences.NOT_FOUND)
        known = await self._delivery.message(run, PROGRESS)
        # Nobody may know a placeholder of a run that was cut off over it, and ended elsewhere.
        is_settled = bool(known) or run.status not in OPEN
        # Which message it is the client says: one that is known as a run's is never taken away.
        user = press.person.id
        if (
            is_settled
            and press.message
            and not await self._lookup.by_message(place, press.message, user)
        ):
            await self._delivery.remove(run, press.message)
            return told(sentences.GONE_FURTHER)
        if known == press.message and await self._delivery.was_reposted(run):
            await self._delivery.remove(run, known)
            return redrawn(notice_card.notice(sentences.GONE_FURTHER))
        kept = None if run.status in OPEN else await self._trails.of(run.tenant, run.id)
        outcome = None if kept is None else await self._surface.redraw(run, kept)
        return redrawn(outcome or self._surface.shown_now(run))

    # --- clarifications --------------------------------------------------------------------

    async def _choose(self, press: Pressed, place: TeamsPlace) -> Json:
        """One of the suggested replies."""
        chosen = Choice.loaded(press.data)
        session = await self._lookup.session(place, chosen.run, chosen.session, press.person.id)
        if session is None or chosen.choice >= len(session.suggestions):
            return told(shared_sentences.NOT_FOUND)
        reply = session.suggestions[chosen.choice]
        return await self._replied(press, session, _asked(press, place, reply, session.thread))

    async def _reply(self, press: Pressed, place: TeamsPlace) -> Json:
        """Take the reply that was typed into the card."""
        typed = TypedReply.loaded(press.data)
        session = await self._lookup.session(place, typed.run, typed.session, press.person.id)
        if session is None:
            return told(shared_sentences.NOT_FOUND)
        if not typed.reply.strip():
            return told(sentences.NO_REPLY)
        asked = _asked(press, place, typed.reply, session.thread)
        return await self._replied(press, session, asked)

    async def _replied(self, press: Pressed, session: Session, asked: Asked) -> Json:
        run = await self._lookup.by_id(asked.place, session.run_id, press.person.id)
        if session.next_run_id == asked.run_id(session.tenant):
            return told(shared_sentences.REPLY_TAKEN)  # by this very press, before
        if session.status != "open":
            return told(sentences.NOT_OPEN[session.status])
        if run is None or not await self._is_theirs(press, run):
            return told(sentences.NOT_THE_ASKER)
        taken: Taken = await self._intake.reply(asked, session)
        if taken.accepted:
            self.close(session, sentences.answered_by(press.person.name, asked.text))
        return told(taken.said or shared_sentences.REPLY_TAKEN)

    async def _dismiss(self, press: Pressed, place: TeamsPlace) -> Json:
        """A clarification that nobody wants to answer."""
        ref = SessionRef.loaded(press.data)
        session = await self._lookup.session(place, ref.run, ref.session, press.person.id)
        run = await self._lookup.by_id(place, ref.run, press.person.id)
        if session is None or run is None:
            return told(shared_sentences.NOT_FOUND)
        if not await self._is_theirs(press, run):
            return told(sentences.NOT_YOURS)
        if session.status == "cancelled" and session.answered_by == press.person.id:
            return told(sentences.CANCELLED)
        if not await self._sessions.cancel(session.tenant, session.id, press.person.id):
            return told(sentences.NOT_OPEN.get(session.status, sentences.CANCELLED))
        self.close(session, sentences.CANCELLED)
        return told(sentences.CANCELLED)

    def close(self, session: Session, said: str) -> None:
        """Show a clarification closed, as well as that can be done: its reply counts already."""
        self._tasks.start("closed", self._close(session, said), seconds=CLOSING_SECONDS)

    async def _close(self, session: Session, said: str) -> None:
        runs = await self._lookup.runs.of_ids([session.run_id])
        for run in runs:
            try:
                await self._surface.close_question(run, session, said)
            except TeamsError as error:
                log.info("session %s is not shown closed: %s", session.id, type(error).__name__)

    async def _is_theirs(self, press: Pressed, run: ChatRun) -> bool:
        user = press.person.id
        return user == run.asker or await self._access.manages(run.tenant, user)


MOST_REASON: Final = 2000


def _asked(
    press: Pressed, place: TeamsPlace, text: str, thread: str, *, below: bool = False
) -> Asked:
    return Asked(
        place=place,
        user=press.person.id,
        text=text,
        origin="action",
        key=press.id,
        thread=thread,
        below=below,
    )
