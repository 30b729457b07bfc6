"""An office with the real bot in its Slack: real documents, stores, engine, HTTP on both sides.

Slack is the local stand-in, the model service a local server that says what a walk tells it to.
"""

import asyncio
import base64
import datetime as dt
import difflib
import html
import itertools
import os
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest
from aiohttp import web

from bot.compose import App, compose
from bot.database_address import DATABASE_FILE
from bot.http import EVENTS_PATH
from bot.playground import transcript
from bot.playground.people.outcomes import Did
from bot.playground.people.people import Person
from bot.playground.server import Playground
from bot.playground.slack.entities import Channel, Json, Message, View
from bot.playground.slack.installed import AppConfig
from bot.serve import listening, slack_bot
from bot.settings import Settings, load, variable
from bot.slack.compose import SlackBot
from bot.slack.install.manifest import packaged
from bot.slack.install.oauth import INSTALL_PATH, REDIRECT_PATH
from masis.conversation import Link, TeamSettings, Tenant
from masis.domain import Workspace
from tests.current_schema import copy_to
from tests.openai_server import KEY, MODELS, Asked, Behaviour, OpenAIServer, says

HANDBOOK: Final = {
    "leave.md": (
        "# Leave\n\n## Annual leave\n\nEvery employee has 26 days of annual leave a year. "
        "Up to 4 days of annual leave may be carried over until 31 March of the next year.\n"
    ),
    "laptops.txt": (
        "Laptops\n\nLaptops are replaced every 4 years. Report a lost laptop to the IT desk "
        "within 2 hours.\n"
    ),
}
QUESTION: Final = "How many days of annual leave does every employee have?"
SECONDS: Final = 45.0
"""How long a walk waits for something, at most; on a machine with much else to do it takes 15."""
WRITE: Final = "MASIS_TEST_WRITE_WALKS"
"""Set to 1, the transcripts are written instead of compared."""
TRANSCRIPTS: Final = Path(__file__).with_name("transcripts")
_MASKED: Final = (
    (r"\b(relevance|kept|dropped|coverage) [01]\.\d+", r"\1 0.xx"),
    (r"\b[\d,]+ tokens", "x tokens"),
    (r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "(run id)"),
    (r"\bc_[a-z2-7]{12}\b", "(chunk id)"),
    (r"\b[\d,]+ (day|week|month|year)s? old\b", "(age) old"),
    (r"· \d+ min ago$", "· just now"),
    (r"127\.0\.0\.1:\d+", "(this machine)"),
    (r"\b\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?\b", "(date and time)"),
    (r"\b[\d,.]+ (ms|s)\b", r"x \1"),
)
"""What differs from one machine or moment to another, and what stands in its place."""


@dataclass
class Office:
    """Who is there, where they talk, and what they have done so far."""

    slack: Playground
    app: App
    bot: SlackBot
    address: str
    service: OpenAIServer | None
    workspace: Workspace
    channel: Channel
    alice: Person
    bob: Person
    admin: Person
    deeds: list[str] = field(default_factory=list)

    # --- doing ---------------------------------------------------------------------------

    async def types(self, who: Person, text: str, channel: Channel | None = None) -> Did:
        """Somebody types `/masis` with that behind it."""
        place = channel or self.channel
        self.deeds.append(f"{who.user.shown} types {_where(place)}: /masis {text}".rstrip())
        return await who.slash("/masis", text, place)

    async def says(
        self, who: Person, text: str, thread: Message | None = None, channel: Channel | None = None
    ) -> Did:
        """Somebody writes a message, in a thread where one is named."""
        place = channel or self.channel
        where = "in the thread" if thread else _where(place)
        self.deeds.append(f"{who.user.shown} says {where}: {text}")
        return await who.says(place, text, thread=thread)

    async def clicks(self, who: Person, message: Message, what: str) -> Did:
        """Somebody clicks what a message offers."""
        self.deeds.append(f"{who.user.shown} clicks [{what}]")
        return await who.clicks(message, what)

    async def submits(
        self, who: Person, given: Mapping[str, Any] | None = None, view: View | None = None
    ) -> Did:
        """Somebody fills a form in, the one on top where none is named, and sends it."""
        filled = "; ".join(
            f"{name}: {self._filled(value)}" for name, value in (given or {}).items()
        )
        self.deeds.append(f"{who.user.shown} sends the form" + (f" with {filled}" * bool(filled)))
        did = await who.submits(given, view)
        for wrong in [*did.errors.values(), *did.trouble]:
            self.deeds.append(f"The form says: {wrong}")
        return did

    def _filled(self, value: str | list[str | Json]) -> str:
        """What stands in a field; people, channels and files by their names."""
        world = self.slack.world
        names = {user.id: user.shown for user in world.users.values()}
        names |= {channel.id: f"#{channel.name}" for channel in world.channels.values()}
        values = [value] if isinstance(value, str) else value
        words = (each if isinstance(each, str) else str(each["name"]) for each in values)
        return ", ".join(names.get(word, word) for word in words)

    @property
    def tenant(self) -> Tenant:
        """Whose Slack it is."""
        return self.bot.team or Tenant(team=self.slack.team.id)

    # --- seeing --------------------------------------------------------------------------

    async def sees(
        self,
        who: Person,
        text: str,
        *,
        thread: Message | None = None,
        channel: Channel | None = None,
    ) -> Message:
        """Wait until somebody sees a message with that in it; gives the newest."""
        place = channel or self.channel

        def found() -> Message | None:
            both = zip(who.sees(place, thread), who.reads(place, thread), strict=True)
            return next((m for m, told in reversed(list(both)) if text in told), None)

        try:
            seen = await self.slack.until(found, SECONDS)
        except TimeoutError:
            raise AssertionError(f"nobody said {text!r}:\n{self.transcript()}") from None
        assert seen is not None
        return seen

    async def modal(self, who: Person, text: str) -> str:
        """Wait until somebody's form shows that; gives all of it, and keeps it to be told."""
        return await self._reads("form", who, text, who.reads_modal)

    async def home(self, who: Person, text: str) -> str:
        """The same of the app's home tab."""
        return await self._reads("home tab", who, text, who.reads_home)

    async def _reads(self, what: str, who: Person, text: str, read: Callable[[], str]) -> str:
        try:
            await self.slack.until(lambda: text in read(), SECONDS)
        except TimeoutError:
            raise AssertionError(f"{text!r} is not in:\n{read()}") from None
        self.saw(f"{who.user.shown} reads this {what}", read())
        return read()

    def saw(self, what: str, told: str) -> None:
        """Keep what is seen now and not in the end."""
        self.deeds.append(f"{what}:\n{_indented(told)}")

    def text(self, message: Message) -> str:
        """A message as it is read."""
        return transcript.message_text(self.slack.world, message)

    def lines(self, channel: Channel | None = None) -> list[str]:
        """The lines of all messages of a channel."""
        messages = (channel or self.channel).messages.values()
        return [line for message in messages for line in self.text(message).splitlines()]

    async def settled(self) -> None:
        """Wait until every run has ended, and nothing is on its way to anybody."""
        async with asyncio.timeout(SECONDS):
            await self.slack.settled()
            await self.bot.services.tasks.drain(SECONDS)
            while await self.bot.services.runs.open_runs(None):  # noqa: ASYNC110 - a table tells nobody
                await asyncio.sleep(0.02)
            await self.bot.services.tasks.drain(SECONDS)
            await self.slack.settled()

    def transcript(self) -> str:
        """What was done, and what everybody saw in the end."""
        done = "\n".join(f"{n}. {deed}" for n, deed in enumerate(self.deeds, start=1))
        channels = self.slack.world.channels.values()
        shown = [part for each in channels for part in self._shown(each)]
        return masked("\n\n".join([done, *shown]) + "\n")

    def read(self, channel: Channel) -> str:
        """What everybody saw in a channel in the end."""
        return masked("\n\n".join(self._shown(channel)) + "\n")

    def _shown(self, channel: Channel) -> Iterator[str]:
        """A channel as all see it, then what is private: it comes at no certain moment."""
        world = self.slack.world
        if channel.messages:
            yield transcript.conversation(world, channel, viewer_id="")
        for user in world.users.values():
            mine = [m for m in world.private if (m.channel_id, m.only_for) == (channel.id, user.id)]
            told = [
                ("(in the thread) " if note.is_reply else "")
                + transcript.message_text(world, note).replace("\n", "\n    ")
                for note in sorted(mine, key=lambda note: note.ts)
            ]
            if told:
                yield "\n".join([f"Only {user.shown} sees {_where(channel)}:", *told])


async def assert_told(here: Office, name: str) -> None:
    """Compare the whole walk with `transcripts/<name>.txt`, once it has come to rest."""
    await here.settled()
    assert_golden(here.transcript(), TRANSCRIPTS / f"{name}.txt")


def assert_golden(told: str, golden: Path) -> None:
    """Compare with a file; see `WRITE`."""
    if os.environ.get(WRITE) == "1":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(told, encoding="utf-8")
    assert golden.is_file(), f"there is no {golden.name}: set {WRITE}=1 to write it"
    kept = golden.read_text(encoding="utf-8")
    changed = difflib.unified_diff(kept.splitlines(), told.splitlines(), golden.name, "now", n=1)
    assert told == kept, "\n".join([*changed, f"{WRITE}=1 writes {golden.name} anew"])


def masked(told: str) -> str:
    """A transcript without what no two walks have in common, and repeated lines only counted."""
    for pattern, mask in _MASKED:
        told = re.sub(pattern, mask, told, flags=re.MULTILINE)
    kept = [line for line in told.splitlines() if line.strip() or not line]
    lines = [(line, len(list(same))) for line, same in itertools.groupby(kept)]
    counted = (f"{line} (× {n})" if line and n > 1 else line for line, n in lines)
    return "\n".join(counted) + "\n"


def _where(channel: Channel) -> str:
    return f"in #{channel.name}" if channel.name else "in a direct message"


def _indented(text: str) -> str:
    return "\n".join(f"       {line}" for line in text.splitlines())


@asynccontextmanager
async def office(
    folder: Path,
    *,
    documents: Mapping[str, str] = HANDBOOK,
    model: bool = True,
    socket: bool = False,
    linked: bool = True,
    slack: Playground | None = None,
    oauth: bool = False,
    **environment: str,
) -> AsyncIterator[Office]:
    """An office at work. With `slack` the bot starts again in one that has gone on meanwhile."""
    async with AsyncExitStack() as closing:
        # The stand-in lets a channel be posted to as fast as one likes; a post a second is slow.
        closing.enter_context(pytest.MonkeyPatch.context()).setattr(
            "bot.slack.client.pacing.POSTS_PER_CHANNEL_S", 100.0
        )
        service = await closing.enter_async_context(OpenAIServer()) if model else None
        world = slack if slack is not None else await closing.enter_async_context(slack_of_ours())
        chosen = settings(
            folder, _environment(world, service, socket=socket, oauth=oauth) | environment
        )
        if not chosen.database_url.get_secret_value():
            await asyncio.to_thread(copy_to, chosen.data_dir / DATABASE_FILE)
        app = await closing.enter_async_context(compose(chosen))
        bot = await closing.enter_async_context(slack_bot(app, every=0.03))
        address = await closing.enter_async_context(listening(app, bot))
        closing.push_async_callback(world.settled)
        world.request_url = None if socket else f"{address}{EVENTS_PATH}"
        tenant = bot.team or Tenant(team=world.team.id)
        if oauth:
            await install(address, world.owner)
        workspace = await app.repository.create_workspace(tenant.owner, "handbook")
        for name, text in documents.items():
            await app.ingest.ingest(workspace, name, text.encode())
        people = {user.name: Person(world.hub, user) for user in world.world.users.values()}
        alice = people.get("alice") or world.person("alice")
        bob = people.get("bob") or world.person("bob")
        known = {channel.name: channel for channel in world.world.channels.values()}
        channel = known.get("handbook") or world.channel("handbook", alice, bob, world.owner)
        here = Office(
            world, app, bot, address, service, workspace, channel, alice, bob, world.owner
        )
        if linked and channel.name not in known:
            await link(here, channel)
        yield here


def slack_of_ours(**more: Any) -> Playground:
    """A Slack in which the app is what our manifest says."""
    return Playground(app=AppConfig.of(packaged()), **more)


async def link(here: Office, channel: Channel, workspace: Workspace | None = None) -> None:
    """Link a channel as if an admin had done it long ago."""
    await here.bot.services.links.link(
        Link(
            tenant=here.tenant,
            channel=channel.id,
            workspace_id=(workspace or here.workspace).id,
            linked_by=here.admin.id,
            linked_at=dt.datetime(2026, 11, 2, 9, 0, tzinfo=dt.UTC),
            private=channel.kind == "private",
        )
    )


async def decide(here: Office, **changed: object) -> None:
    """Settings as if an admin had saved them long ago."""
    await here.bot.services.settings.save(here.tenant, TeamSettings.model_validate(changed))


async def install(address: str, installer: Person) -> str:
    """Go through the pages of an installation in one browser; gives what the last one says."""
    async with aiohttp.ClientSession() as browser:
        async with browser.get(f"{address}{INSTALL_PATH}") as begun:
            page = html.unescape(await begun.text())
            cookie = begun.headers["Set-Cookie"].partition(";")[0]
        back = installer.approves(page.partition('href="')[2].partition('"')[0])
        query = back.partition("?")[2]
        # The public address is a name that only the test's proxy would know.
        shown = browser.get(f"{address}{REDIRECT_PATH}?{query}", headers={"Cookie": cookie})
        async with shown as ended:
            return html.unescape(await ended.text())


def writes(text: str) -> Behaviour:
    """A draft in which `[1]`, `[2]` … cite the passages that the model was given, in their order."""

    async def answer(request: web.Request, asked: Asked) -> web.StreamResponse:
        draft = text
        for number, chunk_id in enumerate(asked.data["evidence"], start=1):
            draft = draft.replace(f"[{number}]", f"[{chunk_id}]")
        return await says(draft)(request, asked)

    return answer


class Held:
    """An answer of the model service that waits until a walk lets it go."""

    def __init__(self, then: Behaviour) -> None:
        self.asked = asyncio.Event()
        self.go = asyncio.Event()
        self._then = then

    async def __call__(self, request: web.Request, asked: Asked) -> web.StreamResponse:
        """Answer once it may."""
        self.asked.set()
        await self.go.wait()
        return await self._then(request, asked)


def settings(folder: Path, environment: Mapping[str, str]) -> Settings:
    """As they are read from this environment and no other."""
    with pytest.MonkeyPatch.context() as patch:
        for name in Settings.model_fields:
            patch.delenv(variable(name), raising=False)
        for name, value in environment.items():
            patch.setenv(name, value)
        return load(folder / "no.env", data_dir=folder / "data")


def _environment(
    slack: Playground, service: OpenAIServer | None, *, socket: bool, oauth: bool
) -> dict[str, str]:
    given = {
        "MASIS_SLACK_API_URL": slack.api_url,
        "MASIS_SLACK_SIGNING_SECRET": slack.signing_secret,
        "MASIS_HTTP_PORT": "0",
        "MASIS_EMBEDDING_THREADS": "1",
    }
    if oauth:
        given |= {
            "MASIS_SLACK_CLIENT_ID": slack.world.app.client_id,
            "MASIS_SLACK_CLIENT_SECRET": slack.world.app.client_secret,
            "MASIS_SECRET_KEYS": f"k1:{base64.urlsafe_b64encode(bytes(range(32))).decode()}",
            "MASIS_PUBLIC_URL": "https://masis.example",
        }
    else:
        given["MASIS_SLACK_BOT_TOKEN"] = slack.bot_token
    if socket:
        given["MASIS_SLACK_APP_TOKEN"] = slack.app_token
    if service is None:
        return given | {"MASIS_AGENTS": "offline"}
    return given | {
        "MASIS_AGENTS": "model",
        "MASIS_MODEL_BASE_URL": service.url,
        "MASIS_MODEL_API_KEY": KEY,
        "MASIS_MODEL_CALLS_PER_MINUTE": "1000",
        **{f"MASIS_{role.upper()}_MODEL": model for role, model in MODELS.items()},
    }
