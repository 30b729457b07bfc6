"""What people, operators and mishaps do in a town, each written into its ledger."""

import asyncio
import contextlib
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from bot.chat.words import admin_sentences
from bot.playground.people.people import Person
from bot.playground.slack.bots import Delivery, Retry
from bot.playground.slack.entities import Channel, Message
from bot.playground.slack.hub import Logged
from bot.playground.slack.interactions import label, pressable
from masis.conversation import OPEN, run_id
from masis.errors import DocumentRefused
from tests.properties.commit_order import keep_order
from tests.properties.invariants import Quiet, check, identity, quiet
from tests.properties.ledger import Accepted, Asked, Ledger, Version
from tests.properties.teams_deeds import TeamsDeeds
from tests.properties.teams_team import OWNER, PEOPLE, TEAMS, TeamsHouse
from tests.properties.town import (
    DOCUMENTS,
    SECONDS,
    WORKSPACES,
    House,
    Town,
    decide,
    town,
    workspace_id,
)
from tests.walks.office import install

Way = Literal["command", "mention"]
Row = dict[str, Any]
TOPICS: Final = ("vault", "gate", "chess")
"""There are documents on the first two."""
ANSWER_SECONDS: Final = 0.3
"""How long a held back answer of Slack's takes: enough to be killed before it."""
VOTES: Final = ("Good answer", "Bad answer")


def question(topic: str) -> str:
    """What somebody asks about it."""
    return f"What is the {topic} code of the office?"


def _held_back(calls: Iterable[Logged]) -> int:
    """How many calls took effect and were answered late."""
    return sum(call.fault == "slow" and call.ok for call in calls)


def buttons(message: Message) -> Iterator[str]:
    """What can be pressed under a message, each by what it alone is called."""
    offered = list(pressable(message.blocks))
    labels = Counter(label(each.button.get("text")) for each in offered)
    for each in offered:
        said = label(each.button.get("text"))
        yield said if said and labels[said] == 1 else each.element["action_id"]


def text_of(version: Version) -> bytes:
    """A document of one sentence, which answers the question about its topic."""
    sentence = f"The {version.document} code of the office is {version.canary}."
    return f"# Codes\n\n{sentence}\n".encode()


class Reaction(NamedTuple):
    """To what somebody reacts: which of the requests, counted from the newest, and how."""

    which: int
    by_asker: bool
    patient: bool
    """Once it has ended, like somebody who reads what came of it; else at once."""


class Founded(NamedTuple):
    """A town before anything happened in it, to be copied: its data, and what is known of it."""

    data: Path
    ledger: Ledger


async def found(folder: Path) -> Founded:
    """Found a town."""
    async with town(folder) as here:
        deeds = Deeds(here)
        await deeds.found()
        keep_order(here.life.database)
    return Founded(here.folder, deeds.ledger)


@dataclass
class Deeds:
    """Does what the machine's rules say. What cannot be done just now is not done."""

    here: Town
    ledger: Ledger = field(default_factory=Ledger)
    told: list[str] = field(default_factory=list)
    """What was done so far, for who has to understand what went wrong."""
    troubled: bool = False
    """Whether Slack may be in trouble, which an admin is told and has to try again."""

    @property
    def teams(self) -> TeamsDeeds:
        """Return what is done in the Teams team."""
        return TeamsDeeds(self)

    async def found(self) -> None:
        """Each workspace of each team has a document, and a channel that asks it."""
        for number, house in enumerate(self.here.all_houses):
            for channel, workspace in enumerate(WORKSPACES):
                await self.link((number, channel), workspace)
                await self.ingest((number, channel), DOCUMENTS[0])
            await decide(self.here, house)

    async def begin(self, keeps: bool) -> None:
        """The second team wants its data kept after it leaves, or not."""
        house = self.here.houses[1]
        house.keeps = keeps
        await decide(self.here, house)

    # --- asking ----------------------------------------------------------------------------

    async def ask(self, place: tuple[int, int], who: int, topic: str, way: Way) -> None:
        """A question in a channel."""
        if place[0] == TEAMS:
            await self.teams.ask(place[1], who, question(topic), alone=way == "command")
            return
        house, channel = self._place(place)
        person = house.people[who]
        if way == "mention":
            did = await person.says(channel, f"@MASIS {question(topic)}")
            assert did.message is not None
            await self._asked(place[0], channel, self._last("app_mention", did.message.ts))
        elif place[0] in self.ledger.removed:
            return
        else:
            await person.slash("/masis", question(topic), channel)
            await self._asked(place[0], channel, self._last("slash_commands"))

    async def _asked(self, number: int, channel: Channel, sent: Delivery | None) -> None:
        expected = self.ledger.answers(number, channel.id)
        if sent is None:  # the app is not there any more
            assert not expected
            return
        asked = Asked(number, channel, sent.kind, sent.payload, self._id_of(number, sent))
        self.ledger.asked.append(asked)
        row = await self.took(asked)
        assert (row is not None) == expected, (asked, sent.ack)
        if row is not None:
            assert self.ledger.accepted[row["id"]].workspace == self.ledger.link_of(channel.id)

    async def say_in_thread(self, to: Reaction, topic: str, named: bool) -> None:
        """One more message in the thread of an earlier question: a reply, or a question."""
        run = await self._reacted_to(to)
        thread = self._stored(run.run_id)["thread"] if run else ""
        if run is None or not thread:
            return
        if run.house == TEAMS:
            who = self._member(run, to.by_asker)
            await self.teams.say_in_thread(run, thread, who, question(topic))
            return
        channel = self.here.slack.world.channels[run.channel]
        text = f"@MASIS {question(topic)}" if named else question(topic)
        did = await self._who(run, to.by_asker).says(channel, text, thread=thread)
        assert did.message is not None
        kind = "app_mention" if named else "message"
        sent = self._last(kind, did.message.ts)
        if sent is not None:
            asked = Asked(run.house, channel, sent.kind, sent.payload, self._id_of(run.house, sent))
            self.ledger.asked.append(asked)
            await self.took(asked)

    async def click(self, to: Reaction, nth: int) -> None:
        """Press one of the buttons under the messages of an earlier question."""
        run = await self._reacted_to(to)
        if run is None or run.house in self.ledger.removed:
            return
        if run.house == TEAMS:
            who = self._member(run, to.by_asker)
            await self.teams.click(run, nth, who, question(TOPICS[0]))
            return
        offered = [
            (message, what) for message in self._messages_of(run) for what in buttons(message)
        ]
        if not offered:
            return
        message, what = offered[nth % len(offered)]
        person = self._who(run, to.by_asker)
        await person.clicks(message, what)
        await self._interacted(run)
        if what in VOTES:
            self.ledger.votes.add((run.run_id, person.id))
        if person.modal is not None and "Your reply" in person.reads_modal():
            await person.submits({"Your reply": question(TOPICS[0])})
            await self._interacted(run)

    async def _interacted(self, run: Accepted) -> None:
        sent = self._last("interactive")
        assert sent is not None
        channel = self.here.slack.world.channels[run.channel]
        asked = Asked(run.house, channel, sent.kind, sent.payload)
        self.ledger.asked.append(asked)
        await self.took(asked)
        await self.here.answered()

    async def redeliver(self, which: int, times: int) -> None:
        """Slack delivers something once more, or several times at once."""
        if not self.ledger.asked:
            return
        asked = self.ledger.asked[-1 - which % len(self.ledger.asked)]
        if asked.kind == "teams":
            await self.teams.redeliver(asked, times)
            return
        retry = Retry(1, "http_timeout") if asked.kind == "events_api" else None
        bots = self.here.slack.bots
        await asyncio.gather(*(bots.send(asked.kind, asked.payload, retry) for _ in range(times)))
        await self.took(asked)
        await self.here.answered()

    async def took(self, asked: Asked) -> Row | None:
        """Note what was taken in: nothing but what was asked, and that once."""
        fresh = set(self._ids()) - set(self.ledger.accepted)
        if asked.run_id:
            assert fresh <= {asked.run_id}, (asked, fresh)
        assert len(fresh) <= 1, (asked, fresh)
        if not fresh:
            return None
        asked.run_id = fresh.pop()
        row = self._stored(asked.run_id)
        self.ledger.accepted[asked.run_id] = Accepted(
            run_id=asked.run_id,
            house=asked.house,
            channel=asked.channel.id,
            asker=row["asker"],
            workspace=row["workspace"],
            step=self.ledger.step,
            life=self.ledger.life,
        )
        self.ledger.taken_in_life += 1
        return row

    # --- documents -------------------------------------------------------------------------

    async def ingest(self, place: tuple[int, int], document: str) -> None:
        """The operator puts a new text of a document into the workspace of that number."""
        number, name = place[0], WORKSPACES[place[1]]
        found = await workspace_id(self.here, self._house(number), name)
        if found is None:
            return
        made = self.ledger.new_version(number, name, document)
        app = self.here.life.app
        workspace = await app.repository.workspace_by_id(found)
        assert workspace is not None
        try:
            await app.ingest.ingest(workspace, f"{document}.md", text_of(made))
        except DocumentRefused:
            return  # an upload of the same document was faster
        self.ledger.activated(made)

    async def upload(self, place: tuple[int, int], document: str) -> None:
        """An admin adds a file to the channel's workspace; nobody knows when it will be there."""
        if place[0] == TEAMS:
            await self._upload_in_teams(place[1], document)
            return
        house, channel = self._place(place)
        workspace = self.ledger.link_of(channel.id)
        if place[0] in self.ledger.removed or workspace is None:
            return
        made = self.ledger.new_version(place[0], workspace, document)
        did = await house.admin.uploads(channel, [(f"{document}.md", text_of(made))])
        assert did.message is not None
        await house.admin.shortcut("masis_add_files", did.message)
        sent = self._last("interactive")
        await self._asked(place[0], channel, sent)

    async def _upload_in_teams(self, channel: int, document: str) -> None:
        place = self.here.teams.channels[channel]
        workspace = self.ledger.link_of(place.id)
        if workspace is None or not self.ledger.answers(TEAMS, place.id):
            return
        made = self.ledger.new_version(TEAMS, workspace, document)
        await self.teams.upload(channel, document, workspace, text_of(made))

    async def delete(self, place: tuple[int, int], document: str) -> None:
        """An admin deletes a document of the channel's workspace."""
        workspace = self.ledger.link_of(self._channel(place))
        if place[0] in self.ledger.removed or workspace is None:
            return
        if place[0] == TEAMS:
            if await self.teams.delete(place[1], document):
                gone = self.ledger.of_document(TEAMS, workspace, document)
                self.ledger.deleted(gone, len(self.here.slack.calls))
            return
        house, channel = self._place(place)
        if not await self._form(house.admin, channel, f"delete {document}.md", "[Delete]"):
            return
        did = await house.admin.submits()
        await self.here.answered()
        if self._went_well(not did.errors):
            gone = self.ledger.of_document(place[0], workspace, document)
            self.ledger.deleted(gone, len(self.here.slack.calls))

    # --- links and installations -----------------------------------------------------------

    async def link(self, place: tuple[int, int], workspace: str | None) -> None:
        """An admin links a channel, or takes its link away."""
        if place[0] in self.ledger.removed:
            return
        if place[0] == TEAMS:
            assert await self.teams.link(place[1], workspace)
            self.ledger.links[self._channel(place)] = workspace
            self.ledger.suspended.discard(self._channel(place))
            return
        house, channel = self._place(place)
        if workspace is None:
            await house.admin.slash("/masis", "unlink", channel)
            await self.here.answered()
            well = not self.select("SELECT * FROM links WHERE channel = ?", channel.id)
        else:
            well = await self._linked(house, channel, workspace)
        if self._went_well(well):
            self.ledger.links[channel.id] = workspace
            self.ledger.suspended.discard(channel.id)

    async def _linked(self, house: House, channel: Channel, workspace: str) -> bool:
        """Send the form; a workspace that is not there (any more) is made."""
        known = await workspace_id(self.here, house, workspace)
        words = f"link {workspace}" if known else "link"
        if not await self._form(house.admin, channel, words, "[Link]"):
            return False
        new = {admin_sentences.NEW_NAME: workspace}
        if f"{admin_sentences.WORKSPACE}: <" in house.admin.reads_modal():
            new[admin_sentences.WORKSPACE] = admin_sentences.NEW_WORKSPACE
        did = await house.admin.submits({} if known else new)
        await self.here.answered()
        return not did.errors

    async def uninstall(self, number: int) -> None:
        """An admin removes the app."""
        if number in self.ledger.removed:
            return
        if number == TEAMS:
            await self.teams.uninstall()
            self.ledger.left(TEAMS, self.here.teams, len(self.here.slack.calls))
            return
        house = self.here.houses[number]
        world = self.here.slack.world
        tokens = world.tokens_of(world.installations[house.team.id])
        await house.admin.uninstalls()
        await self.here.slack.settled()
        calls = len(self.here.slack.calls)
        self.ledger.dead_tokens |= {token.value: calls for token in tokens}
        self.ledger.left(number, house, calls)

    async def install(self, number: int) -> None:
        """An admin installs the app again."""
        if number not in self.ledger.removed:
            return
        if number == TEAMS:
            await self.teams.install()
            self.ledger.removed.discard(TEAMS)
            self.ledger.suspended -= {each.id for each in self.here.teams.channels}
            return
        house = self.here.houses[number]
        page = await install(self.here.life.address, house.admin)
        assert "MASIS is now in" in page, page
        await decide(self.here, house)
        self.ledger.removed.discard(number)

    async def purge(self) -> None:
        """The operator has the Teams team forgotten, while nothing is under way."""
        await self.teams.purge()
        self.ledger.forgot(TEAMS, self.here.teams, len(self.here.slack.calls))

    async def pry(self, which: int, nth: int) -> None:
        """Somebody of the Teams team sends what names a Slack team's run."""
        others = [each for each in self.ledger.living() if each.house != TEAMS]
        if others:
            run = others[-1 - which % len(others)]
            await self.teams.pry(run, self._stored(run.run_id), nth)

    # --- mishaps ---------------------------------------------------------------------------

    async def teams_fault(self, verb: str, fault: Any, times: int) -> None:
        """Something goes wrong at Teams with the next calls."""
        self.here.teams.connector.slow_seconds = ANSWER_SECONDS
        self.teams.fault(verb, fault, times)

    async def fault(self, kind: Any, method: str, times: int) -> None:
        """Something goes wrong at Slack with the next calls."""
        self.troubled = True
        faults = self.here.slack.faults
        faults.add(kind=kind, method=method, times=times, retry_after="0", delay_s=ANSWER_SECONDS)

    async def pause(self, seconds: float) -> None:
        """Time goes by."""
        await asyncio.sleep(seconds)

    async def restart(self) -> None:
        """The operator stops the bot and starts it again."""
        await self.here.stop()
        await self._born()

    async def crash(self, late: float) -> None:
        """The process is killed and started again."""
        await self.here.crash(late)
        await self._born()

    async def crash_in_post(self, nth: int) -> None:
        """The process is killed when Slack has taken its next message but one or two, unnoticed."""
        slack, faults = self.here.slack, self.here.teams.connector.faults
        before, known = _held_back(slack.calls), len(faults) + nth
        slack.faults.add(kind="slow", method="chat.postMessage", times=nth, delay_s=ANSWER_SECONDS)
        await self.teams_fault("*", "taken, then slow", nth)
        with contextlib.suppress(TimeoutError):  # then nothing is to be posted
            async with asyncio.timeout(2 * ANSWER_SECONDS):
                while _held_back(slack.calls) < before + nth and len(faults) > known - nth:  # noqa: ASYNC110 - two chats
                    await asyncio.sleep(0.01)
        await self.crash(0.0)

    async def _born(self) -> None:
        self.ledger.life += 1
        self.ledger.taken_in_life = 0
        await self.here.start()

    async def look(self) -> Quiet:
        """Wait until all is quiet, and check everything."""
        self.here.slack.faults.clear()
        self.here.teams.connector.faults.clear()
        self.troubled = False
        found = await quiet(self.here, self.ledger)
        check(found)
        self.ledger.observed(found.active())
        return found

    # --- finding ---------------------------------------------------------------------------

    def _house(self, number: int) -> House | TeamsHouse:
        return self.here.all_houses[number]

    def _channel(self, place: tuple[int, int]) -> str:
        return self._house(place[0]).channels[place[1]].id

    def _member(self, run: Accepted, by_asker: bool) -> str:
        """The asker, or somebody else of the Teams team."""
        return next(who for who in (*PEOPLE, OWNER) if (who == run.asker) == by_asker)

    def _place(self, place: tuple[int, int]) -> tuple[House, Channel]:
        house = self.here.houses[place[0]]
        return house, house.channels[place[1]]

    async def _reacted_to(self, to: Reaction) -> Accepted | None:
        """One of the requests that were taken in; which one depends on the machine alone."""
        living = list(self.ledger.living())
        if not living:
            return None
        run = living[-1 - to.which % len(living)]
        async with asyncio.timeout(SECONDS):
            while to.patient and self._stored(run.run_id)["status"] in OPEN:  # noqa: ASYNC110 - a table tells nobody
                await asyncio.sleep(0.01)
        return run

    def _who(self, run: Accepted, by_asker: bool) -> Person:
        """The asker, or somebody else of the team."""
        house = self.here.houses[run.house]
        people = (*house.people, house.admin)
        return next(person for person in people if (person.id == run.asker) == by_asker)

    def _messages_of(self, run: Accepted) -> list[Message]:
        """The run's messages, the newest first."""
        messages = self.here.slack.world.channels[run.channel].messages.values()
        mine = [each for each in messages if (identity(each.metadata) or ("",))[0] == run.run_id]
        return mine[::-1]

    def _last(self, kind: str, ts: str = "") -> Delivery | None:
        """What was delivered last of that kind; of an event, that of that message."""
        for sent in reversed(self.here.slack.bots.deliveries):
            event = sent.payload.get("event", {})
            if sent.kind == kind or (event.get("type"), event.get("ts")) == (kind, ts):
                return sent
        return None

    def _id_of(self, number: int, sent: Delivery) -> str:
        """The run that a delivery stands for; empty for what is not known by it alone."""
        tenant, event = self.here.houses[number].tenant, sent.payload.get("event", {})
        match sent.kind:
            case "slash_commands":
                return run_id(tenant, "command", sent.payload["trigger_id"])
            case "events_api":
                return run_id(tenant, "message", f"{event['channel']}:{event['ts']}")
        return ""

    def _went_well(self, well: bool) -> bool:
        """Whether it did; where Slack is in trouble it may not have."""
        assert well or self.troubled
        return well

    async def _form(self, admin: Person, channel: Channel, words: str, button: str) -> bool:
        """Open a form by a command; False where it says why it may not be filled in."""
        while admin.modal is not None:
            await admin.closes()
        await admin.slash("/masis", words, channel)
        await self.here.answered()
        return button in admin.reads_modal()

    def _ids(self) -> list[str]:
        return [row["id"] for row in self.select("SELECT id FROM chat_runs")]

    def _stored(self, name: str) -> Row:
        query = (
            "SELECT r.*, w.name AS workspace FROM chat_runs r"
            " JOIN workspaces w ON w.id = r.workspace_id WHERE r.id = ?"
        )
        return self.select(query, name)[0]

    def select(self, query: str, *values: str) -> list[Row]:
        with closing(sqlite3.connect(self.here.life.database, timeout=SECONDS)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(query, values)]
