"""The world that the page opens with, and what it keeps beside Slack's own state."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from bot.chat.grammar import VERBS
from bot.playground import samples
from bot.playground.page import contract, page_models
from bot.playground.people.people import Person
from bot.playground.server import Playground
from bot.playground.slack.entities import Channel
from bot.playground.slack.installed import AppConfig
from bot.playground.slack.world import Said
from bot.playground.teams.teams_scene import TeamsScene, teams_scene
from bot.slack.ids import COMMAND
from bot.slack.install.manifest import packaged
from bot.slack.limits import MESSAGE_TEXT
from bot.slack.text import sentences

TEAM: Final = "Tarnbeck"
PARTNER: Final = "Northmoor Water"
WORKSPACE: Final = "handbook"
"""The sample workspace, and the channel that is linked to it."""

SHARED: Final = "northmoor-water"
"""The channel that another organisation is in. It is linked too, and yet refused."""

START_WAIT_S: Final = 120.0
"""How long what people do waits for the bot at its first start, on a slow machine too."""
TRIGGER_LIFE_S: Final = 10.0
"""Slack gives three seconds; a laptop that just woke up may need more, and nobody learns from it."""

ABOUT_PEOPLE: Final = {
    "owen": "Asks questions. Is no manager: cannot link, upload or delete.",
    "denise": "Slack admin: links channels, uploads and deletes documents, changes settings.",
    "jonas": "A guest from outside: is refused until an admin allows guests.",
}
CODE_ASKED: Final = "Which ticket type is it when my laptop's screen is cracked?"
HELP: Final = "what MASIS is, and every command"
TOPICS: Final = {
    WORKSPACE: "Linked to the sample workspace: ask away",
    samples.TICKETS: "Linked to a list of ticket types: describe one, or /masis classify",
    "lunch": "Without documents at first: an admin links some with /masis link",
    SHARED: "Shared with another organisation: refused until an admin allows it",
}
STARTING: Final = page_models.Readiness(
    phase="starting", done=0, total=0, words="MASIS is starting"
)


@dataclass
class Scene:
    """Slack's world with three people to be, and what of it each has read.

    Args:
        slack: the stand-in.
        players: who a browser may be, the first first.
        linked: the channel of the sample workspace.
        shared: the one that another organisation is in.
        tickets: the channel of the sample's code list.
        teams: the same people in Teams.
    """

    slack: Playground
    players: list[Person]
    linked: Channel
    shared: Channel
    tickets: Channel
    teams: TeamsScene
    read: dict[tuple[str, str], str] = field(default_factory=dict)
    """The newest message that a person has read in a channel, by both ids."""
    ready: page_models.Readiness = STARTING
    questions: list[page_models.Suggestion] = field(default_factory=list)
    """What the documents of the linked channel answer."""

    @property
    def asker(self) -> Person:
        """Return the person who asks questions."""
        return self.players[0]

    @property
    def admin(self) -> Person:
        """Return the person who may do everything."""
        return self.players[1]

    @property
    def guest(self) -> Person:
        """Return the person who may do nothing at first."""
        return self.players[2]

    def player(self, user_id: str | None) -> Person:
        """The person of that id; the first where nobody of that id may be played."""
        return next((one for one in self.players if one.id == user_id), self.asker)

    def becomes(self, ready: page_models.Readiness) -> None:
        """Say how far the bot's start is."""
        self.ready = ready
        self.slack.world.feed.tell("ready")

    def offers(self, questions: list[page_models.Suggestion]) -> None:
        """Say what the documents answer."""
        self.questions = questions
        self.slack.world.feed.tell("about")

    def has_read(self, person: Person, channel: Channel, ts: str) -> None:
        """Note what somebody has read; nothing is unread by that."""
        key = (person.id, channel.id)
        if ts > self.read.get(key, ""):
            self.read[key] = ts
            self.slack.world.feed.tell("read", channel=channel.id, user=person.id)


def stand_in() -> Playground:
    """The team, with the app as our manifest describes it."""
    return Playground(
        app=AppConfig.of(packaged()),
        team=TEAM,
        owner="denise",
        start_wait_s=START_WAIT_S,
        trigger_life_s=TRIGGER_LIFE_S,
    )


def opening(slack: Playground) -> Scene:
    """People and channels as they are before anybody does anything."""
    asker, admin = slack.person("owen"), slack.owner
    guest, colleague = slack.person("jonas", "guest"), slack.person("beatriz")
    partner = slack.world.add_team(PARTNER)
    stranger = slack.person("harriet", team=partner)
    everybody = (asker, admin, guest, colleague)
    linked = slack.channel(WORKSPACE, *everybody)
    tickets = slack.channel(samples.TICKETS, asker, admin, colleague)
    slack.channel("lunch", asker, admin, colleague)
    shared = slack.channel(SHARED, asker, admin, stranger, connected=[partner])
    for channel in slack.world.channels.values():
        channel.topic = TOPICS[channel.name]
    _say(slack, linked, colleague, samples.questions()[0].question)
    _say(slack, shared, stranger, "Hello from Northmoor. Shall we put our questions here?")
    _say(slack, tickets, colleague, CODE_ASKED)
    for person in (asker, admin, guest):
        person.direct()
    teams = teams_scene({each.user.name: each.user.shown for each in (asker, admin, guest)})
    feed = slack.world.feed
    teams.tell = lambda message: feed.tell("teams", message=message)
    teams.tell_typing = lambda chat, at: feed.tell("teams_typing", chat=chat, at=at)
    return Scene(slack, [asker, admin, guest], linked, shared, tickets, teams)


def _say(slack: Playground, channel: Channel, who: Person, text: str) -> None:
    """Something that was said before the app listened."""
    slack.world.post(channel, Said(text=text, user_id=who.id))


# --- what does not change --------------------------------------------------------------------


def about(scene: Scene) -> page_models.About:
    """Describe what the page shows of the app, from its manifest and from its own help."""
    features = packaged()["features"]
    return page_models.About(
        app=scene.slack.installation.bot_user_id,
        team=scene.slack.team.name,
        commands=[
            page_models.Command(
                command=each["command"],
                about=each["description"],
                usage=each["usage_hint"],
                verbs=list(_verbs()) if each["command"] == COMMAND else [],
            )
            for each in features["slash_commands"]
        ],
        shortcuts=[
            page_models.Shortcut(
                callback_id=each["callback_id"], name=each["name"], about=each["description"]
            )
            for each in features["shortcuts"]
            if each["type"] == "message"
        ],
        suggestions=[
            page_models.Suggestion(about=each.shows, text=each.question, channel=channel)
            for channel, shown in (("", samples.questions()), (scene.tickets.id, samples.codes()))
            for each in shown
        ],
        questions=scene.questions,
        permalinks=scene.slack.base_url,
        file_bytes=contract.FILE_BYTES,
        files=contract.FILES,
        text_chars=MESSAGE_TEXT,
    )


def _verbs() -> Iterator[page_models.Verb]:
    """List what the bot's own help lists: the plain question, which has no verb, and every verb."""
    for usage, told in sentences.COMMANDS:
        verb, _, hint = usage.partition(" ")
        named = verb in VERBS
        yield page_models.Verb(
            verb=verb if named else "", hint=hint if named else usage, about=told
        )
    yield page_models.Verb(verb="help", hint="", about=HELP)
