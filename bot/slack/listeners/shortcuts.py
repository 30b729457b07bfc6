"""Do what a message's menu offers: ask about it, and add its files to the workspace."""

from slack_bolt.async_app import AsyncAck, AsyncBoltContext

from bot.slack.intake import typed_text
from bot.slack.intake.intake import Asked
from bot.slack.intake.notices import notice_of
from bot.slack.intake.payload_values import Json, Shortcut, Unreadable
from bot.slack.listeners.answering import Answering
from bot.slack.listeners.opening import Opening
from bot.slack.services import Services
from bot.slack.text import sentences
from masis.policy import MAX_QUESTION_CHARS


class Shortcuts:
    """Two shortcuts; the second starts a run, so that it is accepted before the ack."""

    def __init__(self, services: Services, answering: Answering, opening: Opening) -> None:
        self._services = services
        self._answering = answering
        self._opening = opening

    async def ask_about(self, ack: AsyncAck, body: Json, context: AsyncBoltContext) -> None:
        """Open the question about a message."""
        try:
            call = Shortcut.of(body, context)
        except Unreadable:
            await ack()
            return
        text = typed_text.plain(call.text)[:MAX_QUESTION_CHARS]
        work = self._answering.guarded(call, self._opening.ask_about(call, text))
        self._services.tasks.start("ask about", work)
        await ack()

    async def add_files(self, ack: AsyncAck, body: Json, context: AsyncBoltContext) -> None:
        """Put the message's files into the channel's workspace."""
        try:
            call = Shortcut.of(body, context)
        except Unreadable:
            await ack()
            return
        asked = Asked(
            tenant=call.tenant,
            channel=call.channel,
            user=call.user,
            text="",
            origin="action",
            key=call.key,
            thread=call.thread,
        )
        taken = await self._services.intake.upload(asked, list(call.files))
        begun = sentences.FILES_TAKEN if taken.admitted else sentences.FILES_IF_ADMITTED
        special = {"empty": sentences.NO_FILES, "accepted": begun}
        text = special.get(taken.state) or notice_of(taken)
        work = self._answering.guarded(call, self._answering.tell(call, text))
        self._services.tasks.start("add files", work)
        await ack()
