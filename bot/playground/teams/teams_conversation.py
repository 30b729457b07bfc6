"""Hold a conversation in a stand-in for Teams: the parts of a demo, or what is typed at a terminal."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

from bot.chat.words import shared_sentences
from bot.playground import samples
from bot.playground.narrator import Say
from bot.playground.teams import card_text
from bot.playground.teams.connector_standin import Message
from bot.playground.teams.room import Entry, NotTaken, TeamsRoom
from bot.playground.teams.teams_payloads import ANN, BEN, CHANNEL, mention, person
from bot.teams.cards.carried import IN_REPLY
from bot.teams.managing.form_cards import IN_WORKSPACE
from bot.teams.text import sentences
from masis.errors import MasisError

SECONDS: Final = 90.0
HOW: Final = (
    "You are an owner of a team, in its channel. Type a question: it mentions MASIS. “+ …” goes on in"
    " the thread of the one before, a number presses that button, an empty line ends it."
)
THREAD: Final = "+"
_BEGUN: Final = frozenset(
    {shared_sentences.ON_IT, shared_sentences.REPLY_TAKEN, shared_sentences.WIDER_STARTED}
)
"""What is said of a press that has a further answer for its outcome."""

Ask = Callable[[str], str]
"""Asks who sits at the terminal for a line; raises `EOFError` at the end."""


class NotAsItShould(MasisError):
    """The conversation did not go as it should; the message says where."""


class TeamsConversation:
    """The parts, in an order that needs no explanation. `say` takes a line."""

    def __init__(self, room: TeamsRoom, say: Say) -> None:
        self._room = room
        self._say = say
        self._told: set[Entry] = set()
        self._thread = ""

    # --- one conversation ------------------------------------------------------------------

    async def held(self) -> None:
        """Hold all of it.

        Raises:
            NotAsItShould: a part did not end as it should.
        """
        first, *others = samples.questions()
        self._say("\nAn owner of the team links its channel")
        told = await self._asks(first.question)
        form = await self._room.dialog(told, sentences.LINK_HERE)
        chosen = next(each["value"] for each in form["body"][1]["choices"])
        await self._room.submit(form, **{IN_WORKSPACE: chosen})
        for number, each in enumerate([first, *others], start=1):
            await self._question(number, each)
        await self._guest(first)

    async def held_in_short(self) -> None:
        """Hold the parts that show what is another than in Slack, in a channel that is linked.

        Raises:
            NotAsItShould: a part did not end as it should.
        """
        self._told.update(self._room.entries())
        first, *others = samples.questions()
        asked_back = [each for each in others if each.reply][:1]
        for number, each in enumerate([first, *asked_back], start=1):
            await self._question(number, each)
        await self._guest(first)

    async def _question(self, number: int, each: samples.Shown) -> None:
        """Ask a question, and where it comes back reply within its card."""
        self._say(f"\n{number}. {each.shows}")
        shown = await self._asks(each.question)
        if each.reply:
            await self._room.press(shown, sentences.REPLY, **{IN_REPLY: each.reply})
            await self._ended(len(self._room.connector.shown) + 1)

    async def _guest(self, question: samples.Shown) -> None:
        self._say("\nA guest is refused")
        await self._asks(question.question, BEN)
        self._tell()
        if not any(sentences.GUEST in each.text for each in self._told):
            raise NotAsItShould("The guest was not refused.")

    async def _asks(self, question: str, user: str = ANN) -> Message:
        before = len(self._room.connector.shown)
        await self._mention(question, user)
        return await self._ended(before + 1)

    async def _mention(self, text: str, user: str = ANN, thread: str = "") -> None:
        """Mention MASIS in a new thread, or in one that is there."""
        body = mention(text) | {"from": person(user, self._room.names.get(user, ""))}
        self._thread = thread or self._room.connector.next_id()
        body["conversation"]["id"] = f"{CHANNEL};messageid={self._thread}"
        await self._room.say(body)

    async def _ended(self, messages: int) -> Message:
        """Wait for the so-many-eth message and the end of all work; tells what is new."""

        def is_there() -> bool:
            found = self._room.connector.shown
            return len(found) >= messages and not self._room.is_at_work()

        try:
            await self._room.until(is_there, SECONDS)
        except TimeoutError:
            raise NotAsItShould(f"Nothing was answered within {SECONDS:.0f} s.") from None
        self._tell()
        return self._room.connector.shown[-1]

    def _tell(self) -> None:
        """Say what was not said yet."""
        for entry in self._room.entries():
            if entry not in self._told:
                self._told.add(entry)
                self._say(entry.text)

    # --- at the terminal -------------------------------------------------------------------

    async def typed(self, ask: Ask) -> None:
        """Take lines until an empty one."""
        self._say(HOW)
        while line := (await asyncio.to_thread(_asked, ask, "> ")).strip():
            try:
                await self._did(line, ask)
            except (LookupError, NotAsItShould, NotTaken) as error:
                self._say(str(error))
            self._buttons()

    async def _did(self, line: str, ask: Ask) -> None:
        before = len(self._room.connector.shown)
        if line.isdecimal():
            await self._pressed(int(line), ask)
            return
        goes_on = line.startswith(THREAD) and bool(self._thread)
        text = line.removeprefix(THREAD).strip()
        await self._mention(text, thread=self._thread if goes_on else "")
        await self._ended(before + 1)

    def _buttons(self) -> None:
        """Number what can be pressed under the newest message."""
        shown = self._room.connector.shown
        titles = [each["title"] for each in card_text.buttons(shown[-1].card)] if shown else []
        if titles:
            self._say("  ".join(f"{at}: {title}" for at, title in enumerate(titles, start=1)))

    async def _pressed(self, number: int, ask: Ask) -> None:
        message = self._room.connector.shown[-1]
        found = card_text.buttons(message.card)
        if not 1 <= number <= len(found):
            raise LookupError(shared_sentences.NOT_FOUND)
        pressed = found[number - 1]
        if pressed["type"] == "Action.Submit":
            await self._filled(await self._room.dialog(message, pressed["title"]), ask)
        else:
            held = pressed.get("associatedInputs") == "auto"
            typed = await self._fields(message.card, ask) if held else {}
            before = len(self._room.connector.shown)
            told = await self._room.press(message, pressed["title"], **typed)
            await self._ended(before + (told in _BEGUN))
        self._tell()

    async def _filled(self, form: dict[str, Any], ask: Ask) -> None:
        """Fill a dialog's form in, until it is taken."""
        while fields := card_text.fields(form):
            self._tell()
            typed = await self._fields(form, ask)
            told = await self._room.submit(form, **typed)
            if isinstance(told, str) or not fields:
                return
            form = told

    async def _fields(self, card: dict[str, Any], ask: Ask) -> dict[str, str]:
        """Ask for each field of a card; a choice is meant by what it is called."""
        typed = {}
        for each in card_text.fields(card):
            told = each.get("label") or each.get("title", "")
            text = (await asyncio.to_thread(_asked, ask, f"{told}: ")).strip()
            named = {item["title"]: item["value"] for item in each.get("choices", [])}
            if text:
                typed[each["id"]] = named.get(text, text)
        return typed


def _asked(ask: Ask, prompt: str) -> str:
    try:
        return ask(prompt)
    except EOFError:
        return ""
