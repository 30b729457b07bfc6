"""Forms that were sent. Who may send one is asked again: it may have been open for hours."""

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, Final

from pydantic import ValidationError
from slack_bolt.async_app import AsyncAck, AsyncBoltContext

from bot.chat.admin import NotDone
from bot.chat.words import admin_sentences, shared_sentences
from bot.chat.words.admin_sentences import MODE_CHOICES
from bot.slack import ids
from bot.slack.intake.ack_deadline import within
from bot.slack.intake.intake import Asked, Taken
from bot.slack.intake.notices import notice_of
from bot.slack.intake.payload_values import Json, Submitted, Unreadable, inputs_of
from bot.slack.listeners.answering import Answering
from bot.slack.listeners.opening import closed_because
from bot.slack.services import Services
from bot.slack.slack_errors import SlackError
from bot.slack.text import sentences
from bot.slack.text.defuse import Said
from bot.slack.text.thread_sentences import FOLLOW_UP_CHOICES
from bot.slack.views import modal
from bot.slack.views.message import notice
from masis import failures
from masis.codelists.code_list import KIND
from masis.conversation import ChatFile, FollowUpRule, Mode, TeamSettings, Vote
from masis.errors import MasisError

Errors = dict[str, str]
"""By block id, what is wrong there; empty when the form was taken."""
Do = Callable[[Submitted], Awaitable[Errors]]

SECONDS: Final = 2.5
"""Slack closes the form with an error of its own after 3."""
SHOWN_SECONDS: Final = 2.0
"""How long a form waits for what goes on without it; it closes before `SECONDS` are over."""
DOING_SECONDS: Final = 300.0
"""How long that may take: a document of 10,000 passages is deleted in a fraction of it."""

_QUOTAS: Final = {
    ids.IN_USER_PER_MINUTE: "user_per_minute",
    ids.IN_USER_RUNNING: "user_running",
    ids.IN_CHANNEL_PER_MINUTE: "channel_per_minute",
    ids.IN_WORKSPACE_PER_MINUTE: "workspace_per_minute",
    ids.IN_WORKSPACE_RUNNING: "workspace_running",
}
_LINK_FIELDS: Final = {
    "channel": ids.IN_CHANNEL,
    "workspace": ids.IN_WORKSPACE,
    "new": ids.IN_NEW_WORKSPACE,
    "external": ids.IN_EXTERNAL,
}


class Forms:
    """One listener for all of them. A form is done before its ack, so that it can show an error."""

    def __init__(self, services: Services, answering: Answering) -> None:
        self._services = services
        self._answering = answering
        self._does: dict[str, tuple[Do, str]] = {
            ids.LINK_VIEW: (self._link, ids.IN_CHANNEL),
            ids.SETTINGS_VIEW: (self._settings, ids.IN_MANAGERS),
            ids.UPLOAD_VIEW: (self._upload, ids.IN_FILES),
            ids.DELETE_VIEW: (self._delete, ids.IN_DOCUMENT),
            ids.REPLY_VIEW: (self._reply, ids.IN_REPLY),
            ids.REASON_VIEW: (self._reason, ids.IN_REASON),
            ids.ASK_VIEW: (self._ask, ids.IN_QUESTION),
        }

    async def submitted(self, ack: AsyncAck, body: Json, context: AsyncBoltContext) -> None:
        """Do what the form says, and close it; or show in it what is wrong."""
        callback = str(body.get("view", {}).get("callback_id", ""))
        if callback not in self._does:
            await ack()
            return
        do, field = self._does[callback]
        errors = await self._done(do, field, body, context)
        if not errors:
            await ack()
        elif shown := _placed(errors, inputs_of(body)):
            await ack(response_action="errors", errors=shown)
        else:
            # A form that only asks for a yes has no field to show an error at.
            await ack(
                response_action="update", view=modal.sentence_modal(next(iter(errors.values())))
            )

    async def _done(self, do: Do, field: str, body: Json, context: AsyncBoltContext) -> Errors:
        try:
            return await within(SECONDS, do(Submitted.of(body, context)))
        except Unreadable:
            return {}
        except MasisError as error:
            return _wrong(field, error)
        except TimeoutError:
            return {field: sentences.UNAVAILABLE}

    # --- admins and managers ---------------------------------------------------------------

    async def _link(self, sent: Submitted) -> Errors:
        channel, workspace = sent.typed(ids.IN_CHANNEL), sent.typed(ids.IN_WORKSPACE)
        new = sent.typed(ids.IN_NEW_WORKSPACE)
        if not channel:
            return {ids.IN_CHANNEL: sentences.CHOOSE_CHANNEL}
        old = workspace not in {"", ids.NEW}
        if bool(new) == old:
            return {
                ids.IN_NEW_WORKSPACE: admin_sentences.NOT_BOTH if old else admin_sentences.NAME_IT
            }

        async def link() -> Said:
            made, chosen = await self._services.admin.link(
                sent.tenant,
                sent.user,
                channel,
                workspace=workspace,
                new=new,
                external=ids.YES in sent.several(ids.IN_EXTERNAL),
                follow_ups=_rule(sent) or "mine",
                mode=_mode(sent) or "auto",
            )
            return sentences.linked(made.channel, chosen.name, chosen.documents)

        place = ids.Form(channel=channel)
        return await self._to_its_end(sent, place, ids.IN_CHANNEL, link())

    async def _settings(self, sent: Submitted) -> Errors:
        quotas: dict[str, int] = {}
        for block, name in _QUOTAS.items():
            try:
                quotas[name] = int(sent.typed(block))
            except ValueError:
                return {block: admin_sentences.WHOLE_NUMBER}
        try:
            settings = TeamSettings(
                managers=sent.several(ids.IN_MANAGERS),
                guests=ids.YES in sent.several(ids.IN_GUESTS),
                external_channels=ids.YES in sent.several(ids.IN_EXTERNAL_CHANNELS),
                keep_when_uninstalled=ids.YES in sent.several(ids.IN_KEEP),
                **quotas,
            )
        except ValidationError as error:
            wrong = {str(each["loc"][0]) for each in error.errors()}
            blocks = [block for block, name in _QUOTAS.items() if name in wrong]
            return dict.fromkeys(blocks or [ids.IN_MANAGERS], admin_sentences.WHOLE_NUMBER)
        form = ids.SettingsForm.loaded(sent.private)
        await self._services.admin.save(
            sent.tenant,
            sent.user,
            settings,
            channel=form.channel,
            follow_ups=_rule(sent),
            mode=_mode(sent),
        )
        self._say(sent, form, admin_sentences.SETTINGS_SAVED)
        return {}

    async def _upload(self, sent: Submitted) -> Errors:
        form = ids.UploadForm.loaded(sent.private)
        await self._services.admin.check(sent.tenant, sent.user, "upload", form.channel)
        files = sent.several(ids.IN_FILES)
        kind = KIND if ids.YES in sent.several(ids.IN_CODE_LISTS) else ""
        taken = await self._services.intake.upload(_asked(sent, form, ""), files, kind)
        return {} if _fine(taken) else {ids.IN_FILES: notice_of(taken)}

    async def _delete(self, sent: Submitted) -> Errors:
        form = ids.DeleteForm.loaded(sent.private)
        document = form.document or sent.typed(ids.IN_DOCUMENT)

        async def delete() -> Said:
            admin = self._services.admin
            result = await admin.delete(sent.tenant, sent.user, form.channel, document)
            # Each stored answer was posted once; what stands in Slack stays there.
            return sentences.deleted(result.name, result.blanked, result.blanked)

        return await self._to_its_end(sent, form, ids.IN_DOCUMENT, delete())

    # --- askers ----------------------------------------------------------------------------

    async def _reply(self, sent: Submitted) -> Errors:
        services, form = self._services, ids.ReplyForm.loaded(sent.private)
        session = await services.sessions.by_id(sent.tenant, form.session)
        if session is None:
            return {ids.IN_REPLY: shared_sentences.NOT_FOUND}
        if session.status != "open":
            return {ids.IN_REPLY: closed_because(session.status)}
        if sent.user != session.asker and not await services.access.manages(sent.tenant, sent.user):
            return {ids.IN_REPLY: sentences.NOT_THE_ASKER}
        chosen = sent.several(ids.IN_DOCUMENTS)
        documents = await services.repository.documents(session.workspace_id)
        names = [each.name for each in documents if each.id in chosen]
        text = "\n".join([sent.typed(ids.IN_REPLY), *names])
        taken = await services.intake.reply(_asked(sent, form, text), session)
        if taken.state == "accepted":
            said = sentences.answered_by(sent.user, text.replace("\n", ", "))
            self._later("closed", self._answering.close_question(session, said))
        return {} if _fine(taken) else {ids.IN_REPLY: notice_of(taken, len(text))}

    async def _reason(self, sent: Submitted) -> Errors:
        form = ids.ReasonForm.loaded(sent.private)
        run = await self._services.runs.get(sent.tenant, form.run)
        if run is None:
            return {ids.IN_REASON: shared_sentences.NOT_FOUND}
        vote = Vote(
            tenant=run.tenant,
            run_id=run.id,
            user=sent.user,
            good=False,
            reason=sent.typed(ids.IN_REASON),
            at=dt.datetime.now(dt.UTC),
        )
        await self._services.votes.cast(vote, run.workspace_id)
        self._say(sent, form, sentences.REASON_STORED)
        return {}

    async def _ask(self, sent: Submitted) -> Errors:
        form = ids.AskForm.loaded(sent.private)
        text = sent.typed(ids.IN_QUESTION)
        files = tuple(ChatFile(id=each) for each in form.files)
        asked = replace(_asked(sent, form, text), files=files)
        taken = await self._services.intake.ask(asked)
        return {} if _fine(taken) else {ids.IN_QUESTION: notice_of(taken, len(text))}

    # --- what must not be cut in the middle ------------------------------------------------

    async def _to_its_end(
        self, sent: Submitted, form: ids.Form, field: str, doing: Coroutine[Any, Any, Said]
    ) -> Errors:
        """Do what goes on when the form's time is over; its end is then told in private.

        What it gives is told in either case.
        """
        ended: asyncio.Future[Errors] = asyncio.get_running_loop().create_future()

        async def work() -> None:
            errors: Errors = {field: shared_sentences.UNEXPECTED}
            said: Said = ""
            try:
                said = await doing
                errors = {}
            except MasisError as error:
                errors = _wrong(field, error)
            finally:  # also after what nobody foresaw
                if not ended.done():
                    ended.set_result(errors)
                elif errors:
                    await self._privately(sent, form, next(iter(errors.values())))
            if said:
                await self._privately(sent, form, said)

        if not self._services.tasks.start("a form", work(), seconds=DOING_SECONDS):
            doing.close()
            return {field: sentences.UNAVAILABLE}
        try:
            await asyncio.wait({ended}, timeout=SHOWN_SECONDS)
            return ended.result() if ended.done() else {}
        finally:
            ended.cancel()

    # --- after it --------------------------------------------------------------------------

    def _say(self, sent: Submitted, form: ids.Form, text: str) -> None:
        """Tell it where the form was opened; on the home tab the closed form says enough."""
        if form.channel:
            web = self._services.web
            said = web.ephemeral(
                sent.tenant, form.channel, sent.user, notice(text), thread=form.thread
            )
            self._later("told", said)

    async def _privately(self, sent: Submitted, form: ids.Form, said: Said) -> None:
        """Tell it where the form was opened, or in direct messages where Slack does not let us."""
        web, message = self._services.web, notice(said)
        try:
            await web.ephemeral(sent.tenant, form.channel, sent.user, message, thread=form.thread)
        except SlackError as error:
            if not error.permanent or error.disables_installation:
                raise
            await web.post(sent.tenant, sent.user, message)

    def _later(self, name: str, work: Awaitable[None]) -> None:
        async def done() -> None:
            await work

        self._services.tasks.start(name, done())


def _rule(sent: Submitted) -> FollowUpRule | None:
    """Return the chosen rule of a channel; None where the form has none."""
    chosen = sent.typed(ids.IN_FOLLOW_UPS)
    return next((rule for rule in FOLLOW_UP_CHOICES if rule == chosen), None)


def _mode(sent: Submitted) -> Mode | None:
    """Return whether small talk is answered there; None where the form does not ask."""
    chosen = sent.typed(ids.IN_MODE)
    return next((mode for mode in MODE_CHOICES if mode == chosen), None)


def _wrong(field: str, error: MasisError) -> Errors:
    """Return what the form shows of an error, at the field that it is about."""
    match error:
        case SlackError():
            return {field: error.sentence or shared_sentences.UNEXPECTED}
        case NotDone():
            return {_LINK_FIELDS.get(error.field, field): str(error)}
    return {field: failures.sentence_of(error, about="deed")}


def _placed(errors: Errors, inputs: Sequence[str]) -> Errors:
    """The errors at fields that the form has: Slack refuses any other, and shows no markup there."""
    return {
        block if block in inputs else inputs[0]: said.replace("`", "")
        for block, said in errors.items()
        if inputs
    }


def _fine(taken: Taken) -> bool:
    return taken.state in {"accepted", "duplicate"}


def _asked(sent: Submitted, form: ids.Form, text: str) -> Asked:
    return Asked(
        tenant=sent.tenant,
        channel=form.channel,
        user=sent.user,
        text=text,
        origin="form",
        key=sent.view,
        thread=form.thread,
        direct=form.channel.startswith("D"),
    )
