"""`/masis`: a question is accepted before the ack; whatever else goes on after it."""

from collections.abc import Callable, Coroutine
from typing import Any, Final

from slack_bolt.async_app import AsyncAck, AsyncBoltContext

from bot.chat import grammar
from bot.slack.intake.intake import Asked
from bot.slack.intake.notices import notice_of
from bot.slack.intake.payload_values import Json, Slash, Unreadable
from bot.slack.intake.typed_text import parse
from bot.slack.listeners.answering import Answering
from bot.slack.listeners.opening import Opening
from bot.slack.listeners.queries import Reading
from bot.slack.services import Services
from bot.slack.text import sentences
from bot.slack.text.code_sentences import NOTHING_TO_CLASSIFY
from bot.slack.views.channel_info import help_message
from bot.slack.views.message import Message, notice
from masis.domain import CODE_GRAPH, DEFAULT_GRAPH
from masis.policy import MAX_QUESTION_CHARS

Work = Coroutine[Any, Any, None]

TOO_MUCH: Final = sentences.UNAVAILABLE


class Commands:
    """The slash command. An ack is a private message, and the last thing a listener does."""

    def __init__(
        self, services: Services, answering: Answering, reading: Reading, opening: Opening
    ) -> None:
        self._services = services
        self._answering = answering
        self._reading = reading
        self._opening = opening
        self._bare: dict[type, Callable[[Slash], Work]] = {
            grammar.Status: reading.status,
            grammar.Docs: reading.docs,
            grammar.History: reading.history,
            grammar.Cancel: reading.cancel,
            grammar.Unlink: opening.unlink,
            grammar.Upload: opening.upload,
            grammar.Settings: opening.settings,
        }

    async def masis(self, ack: AsyncAck, body: Json, context: AsyncBoltContext) -> None:
        """Do what was typed, or begin it."""
        try:
            call = Slash.of(body, context)
        except Unreadable:
            await ack()
            return
        message = await self._answered(call, parse(call.text))
        if message is None:
            await ack()
        else:
            await ack(response_type="ephemeral", text=message.text, blocks=list(message.blocks))

    async def _answered(self, call: Slash, command: grammar.Command) -> Message | None:
        """Return what to say at once; None for what answers later."""
        match command:
            case grammar.Ask(question):
                return await self._asked(call, question)
            case grammar.Classify(text):
                return await self._classified(call, text)
            case grammar.TooLong(length):
                return notice(sentences.too_long(length, MAX_QUESTION_CHARS))
            case grammar.Help():
                return help_message()
            case grammar.Unknown(word, nearest):
                return notice(sentences.unknown_verb(word, nearest))
        begun = self._services.tasks.start(type(command).__name__, self._later(call, command))
        return None if begun else notice(TOO_MUCH)

    async def _classified(self, call: Slash, text: str) -> Message | None:
        if not text:
            return notice(NOTHING_TO_CLASSIFY)
        return await self._asked(call, text, CODE_GRAPH)

    async def _asked(
        self, call: Slash, question: str, graph: str = DEFAULT_GRAPH
    ) -> Message | None:
        asked = _asked(call, question, graph)
        taken = await self._services.intake.ask(asked)
        match taken.state:
            case "no_choice":
                work = self._reading.workspaces(call)
            case "small_talk":
                work = self._greet(call, asked)
            case _:
                return notice(notice_of(taken, len(question)))
        begun = self._services.tasks.start(taken.state, self._answering.guarded(call, work))
        return None if begun else notice(TOO_MUCH)

    async def _greet(self, call: Slash, asked: Asked) -> None:
        await self._answering.tell(call, await self._services.greeting.message(asked))

    def _later(self, call: Slash, command: grammar.Command) -> Work:
        """Choose the work of a command that needs more than the database, or a form."""
        match command:
            case grammar.Link(workspace):
                work = self._opening.link(call, workspace)
            case grammar.Delete(document):
                work = self._opening.delete(call, document)
            case _:
                work = self._bare[type(command)](call)
        return self._answering.guarded(call, work)


def _asked(call: Slash, question: str, graph: str) -> Asked:
    return Asked(
        tenant=call.tenant,
        channel=call.channel,
        user=call.user,
        text=question,
        origin="command",
        key=call.trigger,
        direct=call.direct,
        graph=graph,
    )
