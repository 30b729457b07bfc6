"""One whole conversation in the playground, as text: for machines, and for who has no browser."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from bot.chat.words.phrases import named
from bot.playground import samples
from bot.playground.narrator import POSTED, Narrator, Say, kind_of, place
from bot.playground.page.scene import WORKSPACE, Scene
from bot.playground.people.outcomes import Did
from bot.playground.people.people import Person
from bot.playground.slack.entities import Channel, Message, View
from bot.slack.ids import COMMAND
from bot.slack.text import sentences
from masis.errors import MasisError
from masis.graphs.chat.texts import THANKED
from masis.words.chat_words import small_talk

Found = TypeVar("Found")
SECONDS: Final = 60.0
"""How long each part may take, on a slow machine too."""


class NotAsItShould(MasisError):
    """The conversation did not go as it should; the message says where."""


class Conversation:
    """The parts, in an order that needs no explanation. `say` takes a line."""

    def __init__(self, scene: Scene, say: Say) -> None:
        self._scene = scene
        self._say = say
        self._feed = scene.slack.world.feed
        self._before: set[str] = set()

    async def held(self) -> None:
        """Hold all of it.

        Raises:
            NotAsItShould: a part did not end as it should.
        """
        with self._feed.telling(Narrator(self._scene.slack.world, self._say)):
            asked = [(each, self._scene.linked) for each in samples.questions()]
            asked += [(each, self._scene.tickets) for each in samples.codes()]
            for number, (each, channel) in enumerate(asked, start=1):
                await self._question(f"{number}. {each.shows}", each, channel)
            await self._guest()
            await self._link()

    async def _question(self, title: str, each: samples.Shown, channel: Channel) -> None:
        """A question, and where it comes back the reply."""
        asker = self._scene.asker
        self._title(title)
        await self._types(asker, each.question, channel)
        ended = await self._end(channel, 1)
        if each.reply:
            if kind_of(ended) != "clarification":
                raise NotAsItShould(f"“{each.question}” did not come back for a reply.")
            self._say(f"> {asker.user.shown} in the thread: {each.reply}")
            root = ended.root_ts
            await asker.says(channel, each.reply, thread=root)
            ended = await self._end(channel, 2, root)
        if kind_of(ended) not in {"answer", "clarification"}:
            raise NotAsItShould(f"“{each.question}” {POSTED[kind_of(ended)]}.")
        await self._goes_on(each.then, ended.root_ts, 2 if each.reply else 1)

    async def _goes_on(self, lines: Sequence[str], root: str, ended: int) -> None:
        """What the asker writes under an answer, without a mention; so many ends are there already."""
        asker, channel = self._scene.asker, self._scene.linked
        for text in lines:
            self._say(f"> {asker.user.shown} in the thread: {text}")
            await asker.says(channel, text, thread=root)
            if small_talk(text, in_thread=True):
                await self._reads(asker, channel, THANKED)
                continue
            ended += 1
            found = await self._end(channel, ended, root)
            if kind_of(found) not in {"answer", "clarification"}:
                raise NotAsItShould(f"“{text}” {POSTED[kind_of(found)]}.")

    async def _guest(self) -> None:
        """Somebody who may not."""
        self._title("A guest is refused")
        question = samples.questions()[0].question
        guest, channel = self._scene.guest, self._scene.linked
        await self._types(guest, question, channel)
        await self._reads(guest, channel, sentences.GUEST)

    async def _link(self) -> None:
        """A channel without documents, until an admin links it."""
        self._title("An admin links a channel")
        slack, asker, admin = self._scene.slack, self._scene.asker, self._scene.admin
        question = samples.questions()[0].question
        channel = next(c for c in slack.world.channels.values() if c.name == "lunch")
        await self._types(asker, question, channel)
        await self._reads(asker, channel, sentences.not_linked(can_link=False))
        await self._types(admin, f"link {WORKSPACE}", channel)
        await self._until(lambda: _can_be_sent(admin.modal), "the form to link did not open")
        self._say(f"> {admin.user.shown} fills in the form:")
        for line in admin.reads_modal().splitlines():
            self._say(f"    {line}")
        did = await admin.submits()
        if did.errors or did.trouble:
            raise NotAsItShould("The form to link a channel was not taken.")
        await self._reads(admin, channel, named(WORKSPACE))
        # Whoever asked before has asked as often as one person may in a minute.
        await self._types(admin, question, channel)
        ended = await self._end(channel, 1)
        if kind_of(ended) != "answer":
            raise NotAsItShould("The channel was linked, and yet nothing was answered.")

    # --- each step ---------------------------------------------------------------------------

    def _title(self, title: str) -> None:
        self._say(f"\n{title}")

    async def _types(self, who: Person, text: str, channel: Channel) -> Did:
        self._say(f"> {who.user.shown} {place(channel)}: {COMMAND} {text}")
        self._before = set(channel.messages)
        return await who.slash(COMMAND, text, channel)

    async def _end(self, channel: Channel, number: int, root: str = "") -> Message:
        """The so-many-eth last word of a thread: of the one that began now where none is named."""

        def found() -> Message | None:
            new = [m for ts, m in channel.messages.items() if ts not in self._before]
            ends = [m for m in new if kind_of(m) in POSTED and root in {"", m.root_ts}]
            return ends[number - 1] if len(ends) >= number else None

        ended = await self._until(found, "nobody answered")
        await self._until(lambda: self._came_to_rest(channel, ended), "the progress did not end")
        return ended

    def _came_to_rest(self, channel: Channel, ended: Message) -> bool:
        """Say whether nothing in the thread says that MASIS still works on it."""
        blocks = [b for m in channel.replies(ended.root_ts) for b in m.blocks]
        states = {task.get("status") for b in blocks for task in b.get("tasks") or []}
        return not states & {"pending", "in_progress"}

    async def _reads(self, who: Person, channel: Channel, words: str) -> None:
        def found() -> bool:
            return any(words in told for told in who.reads(channel))

        await self._until(found, f"{who.user.shown} was not told: {words}")

    async def _until(self, found: Callable[[], Found | None], missing: str) -> Found:
        try:
            return await self._feed.until(found, SECONDS)
        except TimeoutError:
            raise NotAsItShould(f"Within {SECONDS:.0f} s {missing}.") from None


def _can_be_sent(form: View | None) -> bool:
    """Say whether a form is there as a whole. At first it only says that it is loading."""
    return form is not None and bool(form.content.get("submit"))
