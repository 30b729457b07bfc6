"""Do what a browser asks for, as the person it is. Each action goes the way that Slack's own go."""

from collections.abc import Iterable
from typing import Any, Final

from bot.playground.page import contract
from bot.playground.page.scene import START_WAIT_S, Scene
from bot.playground.page.seen import Seen
from bot.playground.page.teams_actions import TeamsActions
from bot.playground.people.outcomes import Did
from bot.playground.slack.api.call import Refused
from bot.playground.slack.entities import Channel, File, Json, Message, View
from bot.playground.slack.interactions import CannotDo, Exactly, elements, find

NOT_SEEN: Final = "That is not there any more."
NOT_ON_TOP: Final = "That form is not open any more."
NO_FILE: Final = "Upload the file first."
NOT_READY: Final = "MASIS has not started. The terminal says why."
SILENT: Final = {
    "timeout": "MASIS did not answer within three seconds. Slack would show a warning here.",
    "nobody_listens": "MASIS is not running. The terminal says why.",
}
"""Instead of an answer; anything else the app answered wrongly."""
WRONG: Final = "MASIS could not take that. The terminal says why."

_NOT_CHOSEN: Final = frozenset(
    {"button", "feedback_buttons", "icon_button", "rich_text_input", "workflow_button"}
)
"""Elements that are pressed and no more; rich text cannot be typed here."""

AtOnce = (
    contract.Slash
    | contract.Press
    | contract.Close
    | contract.UseShortcut
    | contract.React
    | contract.OpenHome
    | contract.Stop
)


class PageActions:
    """Do what one person asks for, with what that person sees."""

    def __init__(self, scene: Scene, seen: Seen) -> None:
        self._scene = scene
        self._seen = seen
        self._person = seen.person
        self._world = scene.slack.world

    async def do(self, action: contract.AnyAction) -> contract.Reply:
        """Do it, and say what came of it."""
        try:
            return await self._done(action)
        except CannotDo as error:
            return contract.Reply(id=action.id, ok=False, error=_sentence(str(error)))
        except Refused as error:
            told = f"Slack would refuse what MASIS answered: {error.error}"
            return contract.Reply(id=action.id, ok=False, error=told)

    async def _done(self, action: contract.AnyAction) -> contract.Reply:
        match action:
            case contract.Read():
                channel = self._channel(action.channel)
                self._scene.has_read(self._person, channel, action.ts)
                return contract.Reply(id=action.id, ok=True)
            case contract.Say():
                did = await self._say(action)
                # Slack sends an event again and again, and tells its author nothing of it.
                ts = did.message.ts if did.message else None
                return contract.Reply(id=action.id, ok=True, ts=ts)
            case contract.Suggest():
                return await self._options(action)
            case (
                contract.TeamsSay()
                | contract.TeamsPress()
                | contract.TeamsOpen()
                | contract.TeamsSend()
                | contract.TeamsRate()
            ):
                await self._awake()
                return await TeamsActions(self._scene, self._person, self._file).do(action)
            case contract.Submit():
                return _submitted(action, await self._submit(action))
        await self._awake()
        return _reply(action, await self._told(action))

    async def _told(self, action: AtOnce) -> Did:
        """Do an action that the app is told of as it stands."""
        person = self._person
        match action:
            case contract.Slash():
                work = self._slash(action)
            case contract.Press():
                work = self._press(action)
            case contract.Close():
                self._on_top(action.view)
                work = person.closes()
            case contract.UseShortcut():
                work = person.shortcut(action.callback_id, self._message(action.channel, action.ts))
            case contract.React():
                work = self._react(action)
            case contract.OpenHome():
                work = person.opens_home(action.tab)
            case contract.Stop():
                work = person.stops(self._channel(action.channel), action.thread_ts)
        return await work

    async def _awake(self) -> None:
        """Wait for the bot: a click or a command that Slack cannot deliver is lost.

        Raises:
            CannotDo: it does not start.
        """
        try:
            await self._world.feed.until(
                lambda: self._scene.ready.phase in {"ready", "failed"}, START_WAIT_S
            )
        except TimeoutError:
            raise CannotDo(NOT_READY) from None
        if self._scene.ready.phase == "failed":
            raise CannotDo(NOT_READY)

    # --- what needs more than a line -------------------------------------------------------

    async def _say(self, action: contract.Say) -> Did:
        channel = self._channel(action.channel)
        if action.thread_ts and action.thread_ts not in channel.messages:
            raise CannotDo(NOT_SEEN)
        if not action.text.strip() and not action.files:
            raise CannotDo("There is nothing to send.")
        return await self._person.says(
            channel,
            action.text,
            thread=action.thread_ts,
            files=[self._file(each) for each in action.files],
            broadcast=action.broadcast,
        )

    async def _react(self, action: contract.React) -> Did:
        message = self._message(action.channel, action.ts)
        if message.only_for:
            raise CannotDo("Slack has no reactions on private messages.")
        if action.take_back:
            return await self._person.takes_back(message, action.name)
        if self._person.id in message.reactions.get(action.name, []):
            return Did()
        return await self._person.reacts(message, action.name)

    async def _options(self, action: contract.Suggest) -> contract.Reply:
        await self._awake()
        menu = Exactly(action.block_id, action.action_id)
        given = await self._person.asks_options(self._place(action.at), menu, action.typed)
        options = contract.Options(
            options=_objects(given.get("options")),
            option_groups=_objects(given.get("option_groups")),
        )
        return contract.Reply(id=action.id, ok=True, options=options)

    async def _slash(self, action: contract.Slash) -> Did:
        did = await self._person.slash(action.command, action.text, self._channel(action.channel))
        # Slack itself has said that it failed, to who typed it.
        return Did(message=did.message)

    async def _press(self, action: contract.Press) -> Did:
        place = self._place(action.at)
        menu = Exactly(action.block_id, action.action_id, action.value)
        element = find(place.blocks, menu).element
        return await self._person.clicks(place, menu, self._chosen(element, action.chosen))

    async def _submit(self, action: contract.Submit) -> Did:
        view = self._on_top(action.view)
        await self._awake()
        given: dict[tuple[str, str], Any] = {}
        for block, element in elements(view.blocks):
            key = block["block_id"], element["action_id"]
            chosen = self._chosen(element, action.values.get(key[0], {}).get(key[1]))
            if chosen is not None:
                given[key] = chosen
        return await self._person.submits(given, view)

    def _chosen(self, element: Json, chosen: contract.Chosen) -> Any:
        """Return what was typed or chosen, as the stand-in takes it for that element.

        Raises:
            CannotDo: it is of another kind than the element's.
        """
        kind = str(element["type"])
        several = kind.startswith("multi_") or kind in {"checkboxes", "file_input"}
        if chosen is None or kind in _NOT_CHOSEN:
            return None
        if several != isinstance(chosen, list):
            raise CannotDo("that is no choice of this menu")
        if kind == "file_input":
            return [self._file(str(each)).json(full=True) for each in chosen]
        if kind == "datetimepicker":
            return int(chosen) if isinstance(chosen, str) and chosen.isdecimal() else None
        told = [
            each.model_dump(exclude_none=True) if isinstance(each, contract.MenuOption) else each
            for each in (chosen if isinstance(chosen, list) else [chosen])
        ]
        return told if several else told[0]

    # --- what is there ---------------------------------------------------------------------

    def _channel(self, channel_id: str) -> Channel:
        channel = self._world.channels.get(channel_id)
        if channel is None or not self._seen.sees(channel):
            raise CannotDo(NOT_SEEN)
        return channel

    def _message(self, channel_id: str, ts: str) -> Message:
        message = self._seen.message(channel_id, ts)
        if message is None:
            raise CannotDo(NOT_SEEN)
        return message

    def _place(self, place: contract.InMessage | contract.InView) -> Message | View:
        if isinstance(place, contract.InMessage):
            return self._message(place.channel, place.ts)
        view = self._seen.view(place.view)
        if view is None:
            raise CannotDo(NOT_SEEN)
        return view

    def _on_top(self, view_id: str) -> View:
        view = self._person.modal
        if view is None or view.id != view_id:
            raise CannotDo(NOT_ON_TOP)
        return view

    def _file(self, file_id: str) -> File:
        """A file of this person's own that was not deleted."""
        file = self._world.files.get(file_id)
        if file is None or file.user_id != self._person.id or file.deleted:
            raise CannotDo(NO_FILE)
        return file


def _reply(action: contract.Action, did: Did) -> contract.Reply:
    """An error where the app did not take what it was told."""
    ts = did.message.ts if did.message else None
    failed = next((ack for ack in did.acks if not ack.ok), None)
    if failed is None:
        return contract.Reply(id=action.id, ok=True, ts=ts)
    told = SILENT.get(failed.error or "", WRONG)
    return contract.Reply(id=action.id, ok=False, error=told, ts=ts)


def _submitted(action: contract.Submit, did: Did) -> contract.Reply:
    ok = not did.errors and not did.trouble
    return contract.Reply(
        id=action.id, ok=ok, fields=did.errors, error=" ".join(did.trouble) or None
    )


def _objects(value: object) -> list[Json]:
    """List the objects that the app gave, as far as its value is a list of objects."""
    given: Iterable[object] = value if isinstance(value, list) else []
    return [each for each in given if isinstance(each, dict)]


def _sentence(words: str) -> str:
    """Turn the stand-in's words into a sentence of its own."""
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."
