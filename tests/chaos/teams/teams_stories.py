"""What somebody does in Teams to bring the program to a moment, and what has to come of it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from bot.chat.shown.form_shown import QUOTAS
from bot.chat.words import admin_sentences, shared_sentences
from bot.chat.words.shared_sentences import WORKING
from bot.playground.teams import card_text
from bot.playground.teams.connector_standin import Message
from bot.playground.teams.issuer import HOME
from bot.playground.teams.room import button, invoke
from bot.playground.teams.teams_payloads import (
    BEN,
    CHANNEL,
    ROOT,
    activity,
    mention,
    person,
    personal,
    rated,
)
from bot.teams.cards.carried import IN_REPLY
from bot.teams.inbound.activities import FILE
from bot.teams.managing.form_cards import IN_WORKSPACE
from bot.teams.text import sentences
from masis.conversation import run_id
from storage.chat.teams_places import place_id
from tests.bot.teams.card_checker import texts
from tests.chaos.teams.teams_town import SPARE, TeamsTown
from tests.chaos.town import GENEROUS, SETTLED_SECONDS
from tests.walks.teams_office import TEAM

StoryName = Literal[
    "mention",
    "riddle",
    "input",
    "button",
    "reply",
    "cancel",
    "wider",
    "rated",
    "audit",
    "link",
    "settings",
    "delete",
    "upload",
    "attached",
    "personal",
    "alone",
    "guest",
    "unlinked",
    "welcome",
    "follow_up",
]

QUESTION: Final = "How many days of annual leave does every employee have?"
RIDDLE: Final = "When is the swimming pool heated?"
CONFLICT: Final = "How many nights may a guest stay in the lodge?"
CHOICE: Final = "lodge-notice.md counts"
CHOSEN: Final = "1 of 1 claim cited"
"""What the answer to a choice says, and the question back does not."""
ANSWER: Final = "26 days"
REMINDER: Final = sentences.ABOVE.format(who="").strip()
"""What somebody is told beside an answer that took long."""
MOST_OPENED: Final = 10
LATE_REPLY_SECONDS: Final = 2.0
"""The connector's reply to a placeholder is held so long: somebody presses Cancel meanwhile."""

Json = dict[str, Any]


class StoredRows(NamedTuple):
    """A query that has to count so many rows once all has come to rest."""

    what: str
    query: str
    given: Mapping[str, object]
    least: int = 1
    most: int = 1


@dataclass
class Story:
    """One story: where it is told, and what was acknowledged of it."""

    town: TeamsTown
    number: int
    runs: set[str] = field(default_factory=set)
    """What must be stored: each of these was acknowledged."""
    notices: int = 0
    """Messages that are no run's, and that have to stand in the story's places."""
    ends: tuple[str, ...] = (ANSWER,)
    """Every outcome shows one of these."""
    stored: list[StoredRows] = field(default_factory=list)
    wait_seconds: float = SETTLED_SECONDS
    """For what it waits for to be shown; while programs are killed that has no other end than theirs."""

    @property
    def thread(self) -> str:
        """Return the thread that its messages hang in; also the id of its first one."""
        return str(1_700_000_500_000 + self.number)

    @property
    def chat(self) -> str:
        """Return the asker's own chat."""
        return f"a:1chat-of-story-{self.number}"

    @property
    def channel(self) -> str:
        """Return a channel that nobody else writes in."""
        return f"19:story{self.number}@thread.tacv2"

    @property
    def places(self) -> set[str]:
        """Return what its messages may stand in."""
        return {self.thread, self.chat, self.channel}

    def before(self, name: StoryName) -> Callable[[], Awaitable[None]] | None:
        """Return what was done before the program was started that is to die, if anything."""
        return _BEFORE[name](self) if name in _BEFORE else None

    async def whole(self, name: StoryName) -> None:
        """Tell a story with what comes before it, as soon as that has come to its end."""
        if (before := self.before(name)) is not None:
            await before()
            await self._until(self._has_ended, "what comes before")
        await self.of(name)()

    async def _until(self, holds: Callable[[], object], what: str) -> None:
        await self.town.until(holds, what, self.wait_seconds)

    def _has_ended(self) -> bool:
        return any(not is_at_work(each) for each in self._shown())

    def of(self, name: StoryName) -> Callable[[], Awaitable[None]]:
        """Return the story of that name."""
        told: Callable[[], Awaitable[None]] = getattr(self, name)
        return told

    # --- asking ----------------------------------------------------------------------------

    async def mention(self) -> None:
        """Ask in a thread of the channel."""
        await self._says(self._mention(QUESTION))

    async def follow_up(self) -> None:
        """Ask on in the thread."""
        self.ends = (ANSWER, "4 days")
        await self._says(self._mention("and how many of them may be carried over?", self._next))

    async def riddle(self) -> None:
        """Ask what no document answers: it is asked back."""
        self.ends = (sentences.REPLY_HERE,)
        await self._says(self._mention(RIDDLE))

    async def conflict(self) -> None:
        """Ask what two documents say differently: which one counts is asked back."""
        self.ends = (sentences.REPLY_HERE,)
        await self._says(self._mention(CONFLICT))

    async def personal(self) -> None:
        """Ask in one's own chat."""
        await self._says(self._personal(QUESTION))

    async def alone(self) -> None:
        """Ask in the channel by a slash command, so that nobody else sees it."""
        body = self._mention("", self.thread)
        body |= {"text": f"ask {QUESTION}", "entities": []}
        body["recipient"] |= {"isTargeted": True}
        await self._says(body)

    async def guest(self) -> None:
        """Ask as somebody who may not: told alone, and nothing else is shown."""
        self.notices, self.ends = 1, ("Guests cannot use MASIS",)
        await self._says(self._mention(QUESTION) | {"from": person(BEN, "Ben Example")})

    async def unlinked(self) -> None:
        """Ask in a channel that asks nothing."""
        self.notices, self.ends = 1, (sentences.NOT_LINKED,)
        await self.town.sends(self._elsewhere(self._mention(QUESTION)))

    async def welcome(self) -> None:
        """Put MASIS into the team."""
        self.notices, self.ends = 1, (sentences.WELCOME,)
        added = activity("installationUpdate", action="add", id=self.thread)
        added["conversation"]["id"] = added["channelData"]["channel"]["id"] = self.channel
        await self.town.sends(added)

    # --- replying and pressing -------------------------------------------------------------

    async def input(self) -> None:
        """Reply in the card's field."""
        await self._replies(ANSWER, sentences.REPLY, **{IN_REPLY: QUESTION})

    async def button(self) -> None:
        """Reply by a button."""
        await self._replies(CHOSEN, CHOICE)

    async def reply(self) -> None:
        """Reply by a mention in the thread."""
        self.ends = ("Answered by", CHOSEN)
        await self._says(self._mention(CHOICE, self._next))

    async def _replies(self, answer: str, title: str, **typed: str) -> None:
        self.ends = ("Answered by", answer)
        await self._presses_for_a_run(self._outcome(), title, **typed)

    async def wider(self) -> None:
        """Search wider."""
        await self._presses_for_a_run(self._outcome(), shared_sentences.SEARCH_WIDER)

    async def cancel(self) -> None:
        """Ask, and stop it as soon as it is shown at work."""
        self.ends = (ANSWER, "Stopped")
        connector = self.town.connector
        connector.slow_seconds = LATE_REPLY_SECONDS
        connector.fail("POST", "taken, then slow")
        await self._says(self._mention(QUESTION))
        await self._until(self._shown, "the placeholder stands there")
        await self._presses(self._shown()[0], shared_sentences.CANCEL)

    async def rated(self) -> None:
        """Vote on an answer."""
        body = self._within(rated("like", id=self._next, replyToId=self._outcome().id))
        await self.town.sends(body)
        query = (
            "SELECT count(*) FROM votes v JOIN chat_runs r ON r.id = v.run_id WHERE r.thread = :t"
        )
        self.stored.append(StoredRows("votes", query, {"t": self.thread}))

    # --- dialogs ---------------------------------------------------------------------------

    async def audit(self) -> None:
        """Open how an answer came about."""
        shown = await self._opens(self._outcome(), shared_sentences.HOW)
        assert "What the audit found" in texts(shown), shown

    async def link(self) -> None:
        """Link another channel."""
        form = await self._opens(self._shown()[-1], sentences.LINK_HERE)
        await self._submits(form, **{IN_WORKSPACE: self.town.workspace.id})
        here = {"c": place_id(HOME, self.channel)}
        query = "SELECT count(*) FROM links WHERE channel = :c"
        self.stored.append(StoredRows("links", query, here))
        self._is_logged("link", here["c"])

    async def settings(self) -> None:
        """Change a quota."""
        form = await self._opens(self._shown()[-1], admin_sentences.OPEN_SETTINGS)
        quotas = {name: getattr(GENEROUS, name) for name in QUOTAS}
        quotas["user_per_minute"] = most = 1000 - self.number % 500
        await self._submits(form, **quotas)
        settings = "CAST(settings AS TEXT)"
        query = f"SELECT count(*) FROM team_settings WHERE {settings} LIKE :like"  # noqa: S608 - our own words
        like = {"like": f'%"user_per_minute":%{most},%'}
        self.stored.append(StoredRows("settings", query, like))
        query = "SELECT count(*) FROM admin_log WHERE action = 'settings' AND detail LIKE :like"
        self.stored.append(StoredRows("log of settings", query, like))

    async def delete(self) -> None:
        """Delete a document."""
        form = await self._opens(self._shown()[-1], admin_sentences.DELETE_DOCUMENT)
        await self._submits(form)
        query = "SELECT count(*) FROM documents WHERE name = :name"
        self.stored.append(StoredRows("documents", query, {"name": self._spare}, 0, 0))
        chosen = form["actions"][0]["data"]["chosen"]
        self._is_logged("delete", chosen)

    def _is_logged(self, action: str, target: str) -> None:
        query = "SELECT count(*) FROM admin_log WHERE action = :action AND target = :target"
        given = {"action": action, "target": target}
        self.stored.append(StoredRows(f"log of {action}", query, given))

    # --- files -----------------------------------------------------------------------------

    async def upload(self) -> None:
        """Put a file into the workspace, in one's own chat."""
        self.ends = (f"“gates{self.number}.md” is added", "is there already")
        await self._says(self._personal("Upload to handbook", f"gates{self.number}.md"))
        query = "SELECT count(*) FROM documents WHERE name = :name"
        self.stored.append(StoredRows("documents", query, {"name": f"gates{self.number}.md"}))
        query = "SELECT count(*) FROM admin_log WHERE action = 'upload'"
        uploads = next(self.town.uploads)
        self.stored.append(StoredRows("log of uploads", query, {}, uploads, uploads))

    async def attached(self) -> None:
        """Ask about a file that comes with the question."""
        self.ends = ("at noon",)
        question = f"When does gate number {self.number} open?"
        await self._says(self._personal(question, f"plan{self.number}.md"))

    def _file(self, name: str) -> Json:
        text = f"# Gates\n\nGate number {self.number} opens at noon.\n"
        url = self.town.connector.file(name, text.encode())
        content = {"downloadUrl": url, "uniqueId": f"f{self.number}"}
        return {"contentType": FILE, "name": name, "content": content}

    # --- what came before ------------------------------------------------------------------

    async def link_word(self) -> None:
        """Say in a channel that it is to be linked; the button comes to who said it."""
        await self._word("link", self.channel)

    async def settings_word(self) -> None:
        """Say that the settings are to be changed."""
        await self._word("settings", CHANNEL)

    async def delete_word(self) -> None:
        """Say that a document is to be deleted."""
        await self._word(f"delete {self._spare}", CHANNEL)

    async def _word(self, text: str, channel: str) -> None:
        body = self._mention(text)
        self.notices, self.ends = 1, ("",)
        await self.town.sends(body if channel == CHANNEL else self._elsewhere(body))
        await self._until(self._shown, f"the answer to “{text}”")

    @property
    def _spare(self) -> str:
        return f"spare{self.number % SPARE}.md"

    # --- activities ------------------------------------------------------------------------

    @property
    def _next(self) -> str:
        """The id of the story's second activity."""
        return str(1_700_000_700_000 + self.number)

    def _mention(self, text: str, name: str = "") -> Json:
        return self._within(mention(text, id=name or self.thread))

    def _personal(self, text: str, *files: str) -> Json:
        body = personal(text, id=self.thread, attachments=[self._file(each) for each in files])
        body["conversation"]["id"] = self.chat
        return body

    def _within(self, body: Json) -> Json:
        body["conversation"]["id"] = f"{CHANNEL};messageid={self.thread}"
        return body

    def _elsewhere(self, body: Json) -> Json:
        body["conversation"]["id"] = f"{self.channel};messageid={self.thread}"
        body["channelData"]["channel"]["id"] = self.channel
        return body

    def _shown(self) -> list[Message]:
        found = self.town.shown()
        return [each for place in sorted(self.places) for each in found.get(place, [])]

    def _outcome(self) -> Message:
        """Return the newest message of the story's that is not at work any more, and no reminder."""
        shown = self._shown()
        return [each for each in shown if not is_at_work(each) and not is_reminder(each)][-1]

    async def _says(self, body: Json) -> None:
        """Write something that a run has to come of."""
        await self.town.sends(body)
        self.runs.add(_run_of("message", body))

    async def _presses_for_a_run(self, message: Message, title: str, **typed: str) -> None:
        self.runs.add(_run_of("action", await self._presses(message, title, **typed)))

    async def _presses(self, message: Message, title: str, **typed: str) -> Json:
        # As it was drawn first: somebody presses what they see, which may be gone by then.
        drawn = message.versions[0]["attachments"][0]["content"]
        action = button(drawn if title == shared_sentences.CANCEL else message.card, title)
        value = {"action": action | {"data": action["data"] | typed}}
        body = invoke("adaptiveCard/action", value, f"p{self.number}")
        body |= place_of(message) | {"replyToId": message.id}
        await self.town.sends(body)
        return body

    async def _opens(self, message: Message, title: str) -> Json:
        """Open a dialog, once more where MASIS says that it takes longer."""
        value = {"data": button(message.card, title)["data"]}
        for again in range(MOST_OPENED):
            body = invoke("task/fetch", value, f"o{self.number}-{again}") | place_of(message)
            shown = (await self.town.sends(body))["task"]["value"]
            if isinstance(shown, dict):
                card: Json = shown["card"]["content"]
                return card
        raise AssertionError(f"“{title}” does not open: {shown}")

    async def _submits(self, form: Json, **typed: Any) -> None:
        """Send a form off; a person sends what was not taken once more."""
        (action,) = form["actions"]
        held = {each["id"]: each["value"] for each in card_text.fields(form) if "value" in each}
        value = {"data": action["data"] | held | typed}
        body = invoke("task/submit", value, f"s{self.number}") | place_of(self._shown()[-1])
        await self.town.sends(body)


_BEFORE: Final[dict[StoryName, Callable[[Story], Callable[[], Awaitable[None]]]]] = {
    "input": lambda story: story.riddle,
    "button": lambda story: story.conflict,
    "reply": lambda story: story.conflict,
    "wider": lambda story: story.mention,
    "rated": lambda story: story.mention,
    "audit": lambda story: story.mention,
    "follow_up": lambda story: story.mention,
    "link": lambda story: story.link_word,
    "settings": lambda story: story.settings_word,
    "delete": lambda story: story.delete_word,
}


def is_at_work(message: Message) -> bool:
    """Say whether a message says that MASIS works on something."""
    return WORKING in texts(message.card)


def is_reminder(message: Message) -> bool:
    """Say whether a message tells somebody who waited long that their answer is above."""
    return REMINDER in "\n".join(texts(message.card))


def place_of(message: Message) -> Json:
    """Return where a message stands, as what a client sends of it says it."""
    if message.conversation.startswith("19:"):
        body = mention()
        body["channelData"]["channel"]["id"] = message.conversation
        whole = f"{message.conversation};messageid={message.thread or ROOT}"
    else:
        body, whole = personal(), message.conversation
    body["conversation"]["id"] = whole
    return {name: body[name] for name in ("conversation", "channelData")}


def _run_of(origin: str, body: Json) -> str:
    """Return the run that an activity asks for: a repeated one asks for the same."""
    place = place_id(HOME, body["conversation"]["id"].partition(";")[0])
    return run_id(TEAM, origin, f"{place}:{body['id']}")
