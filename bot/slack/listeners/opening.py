"""Opening forms: at once with a loading view, since a trigger lives three seconds; then filled."""

import difflib
from collections.abc import Awaitable, Callable

from bot.chat.admin import NotDone
from bot.chat.authority import Action
from bot.chat.words import admin_sentences, shared_sentences
from bot.slack import ids
from bot.slack.intake.payload_values import Click, Shortcut, Slash
from bot.slack.listeners.answering import Answering, Caller
from bot.slack.services import Services
from bot.slack.text import sentences
from bot.slack.views import forms, modal
from masis.conversation import MAX_FILES, ChatRun, Payload, Session

Fill = Callable[[], Awaitable[Payload]]


class Opening:
    """Every form. Who may not send it is told so instead of being shown it."""

    def __init__(self, services: Services, answering: Answering) -> None:
        self._services = services
        self._answering = answering

    # --- admins and managers ---------------------------------------------------------------

    async def link(self, call: Slash, workspace: str) -> None:
        """The form that links a channel."""
        await self._managed(
            call, "link", admin_sentences.LINK_CHANNEL, self._link_form(call, workspace)
        )

    async def link_clicked(self, click: Click) -> None:
        """The same from the home tab."""
        await self._managed(click, "link", admin_sentences.LINK_CHANNEL, self._link_form(click, ""))

    async def unlink(self, call: Slash) -> None:
        """Take the link away; nothing more is asked, since linking again brings it back."""
        workspace = await self._services.admin.unlink(call.tenant, call.user, call.channel)
        if workspace is None:
            await self._answering.tell(call, admin_sentences.NOTHING_TO_UNLINK)
        else:
            await self._answering.tell(call, admin_sentences.unlinked(workspace.name))

    async def upload(self, call: Slash) -> None:
        """The form that takes files."""

        async def fill() -> Payload:
            workspace, _ = await self._services.admin.documents(call.tenant, call.channel)
            return forms.upload_form(ids.UploadForm(channel=call.channel), workspace)

        await self._managed(call, "upload", sentences.ADD_FILES, fill)

    async def delete(self, call: Slash, document: str) -> None:
        """The form that deletes a document."""

        async def fill() -> Payload:
            workspace, documents = await self._services.admin.documents(call.tenant, call.channel)
            if not document:
                return forms.delete_form(ids.DeleteForm(channel=call.channel), workspace, documents)
            chosen = next((each for each in documents if each.name == document), None)
            if chosen is None:
                names = [each.name for each in documents]
                near = difflib.get_close_matches(document, names, n=1)
                raise NotDone(sentences.no_such_document(document, near[0] if near else ""))
            form = ids.DeleteForm(channel=call.channel, document=chosen.id)
            return forms.delete_form(form, workspace, documents)

        await self._managed(call, "delete", admin_sentences.DELETE_DOCUMENT, fill)

    async def settings(self, caller: Caller) -> None:
        """The team's settings, asked for by a command or on the home tab."""

        async def fill() -> Payload:
            settings = await self._services.settings.of(caller.tenant)
            link = await self._services.links.of(caller.tenant, caller.channel)
            form = ids.SettingsForm(channel=caller.channel)
            return forms.settings_form(form, settings, link)

        await self._managed(caller, "settings", admin_sentences.OPEN_SETTINGS, fill)

    # --- askers ----------------------------------------------------------------------------

    async def reply(self, click: Click) -> None:
        """The form that replies to a clarification."""
        view = await self._answering.open(click, modal.loading(sentences.ANSWER_IN_FORM))
        session = await self._services.sessions.by_id(
            click.tenant, ids.SessionRef.loaded(click.value).session
        )
        if session is None or session.channel != click.channel:
            shown = modal.sentence_modal(shared_sentences.NOT_FOUND)
        elif session.status != "open":
            shown = modal.sentence_modal(closed_because(session.status))
        elif not await self._answers(click, session.asker):
            shown = modal.sentence_modal(sentences.NOT_THE_ASKER)
        else:
            documents = await self._services.repository.documents(session.workspace_id)
            shown = forms.reply_form(_reply_form(session), session, documents)
        await self._answering.change(click, view, shown)

    async def reason(self, click: Click, run: ChatRun) -> None:
        """Why an answer was not good."""
        await self._answering.open(click, forms.feedback_reason(_reason_form(run)))

    async def ask_about(self, call: Shortcut, text: str) -> None:
        """A question about a message, which stands in the form to be changed."""
        form = ids.AskForm(
            channel=call.channel,
            thread=call.thread,
            message=call.message,
            files=list(call.files[:MAX_FILES]),
        )
        await self._answering.open(call, forms.ask_form(form, text))

    # --- how -------------------------------------------------------------------------------

    def _link_form(self, caller: Caller, named: str) -> Fill:
        async def fill() -> Payload:
            services = self._services
            known = await services.admin.workspaces(caller.tenant)
            link = await services.links.of(caller.tenant, caller.channel)
            chosen = next((each.id for each in known if each.name == named), "")
            if named and not chosen:
                raise NotDone(sentences.no_such_workspace(named))
            settings = await services.settings.of(caller.tenant)
            return forms.link_form(
                ids.LinkForm(channel=caller.channel),
                known,
                chosen=chosen or (link.workspace_id if link else ""),
                external_allowed=settings.external_channels,
                link=link,
            )

        return fill

    async def _managed(self, caller: Caller, action: Action, title: str, fill: Fill) -> None:
        view = await self._answering.open(caller, modal.loading(title))
        try:
            await self._services.admin.check(caller.tenant, caller.user, action, caller.channel)
            shown = await fill()
        except NotDone as error:
            shown = modal.sentence_modal(str(error))
        await self._answering.change(caller, view, shown)

    async def _answers(self, click: Click, asker: str) -> bool:
        if click.user == asker:
            return True
        return await self._services.access.manages(click.tenant, click.user)


def _reply_form(session: Session) -> ids.ReplyForm:
    return ids.ReplyForm(channel=session.channel, thread=session.thread, session=session.id)


def _reason_form(run: ChatRun) -> ids.ReasonForm:
    return ids.ReasonForm(channel=run.channel, thread=run.thread, run=run.id)


def closed_because(status: str) -> str:
    """Why a clarification takes no reply any more."""
    return {
        "answered": sentences.ALREADY_ANSWERED,
        "expired": sentences.REPLY_EXPIRED,
    }.get(status, sentences.REPLY_CANCELLED)
