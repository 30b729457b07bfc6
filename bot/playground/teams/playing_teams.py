"""Try MASIS in a stand-in for Teams: one conversation as text, or what is typed at the terminal."""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from pydantic import SecretStr

from bot.compose import compose
from bot.playground.library import Library, Load
from bot.playground.narrator import Say
from bot.playground.running import READING, UNHURRIED, separate
from bot.playground.teams.room import TeamsRoom
from bot.playground.teams.teams_conversation import Ask, TeamsConversation
from bot.playground.teams.teams_payloads import ANN, CHANNEL
from bot.playground.teams.teams_scene import TEAM, teams_scene
from bot.serve import serve
from bot.settings import Settings
from masis.conversation import Link
from storage.chat.links import Links
from storage.chat.team_settings import TeamSettingsStore
from storage.chat.teams_places import place_id

FOLDER: Final = "playground-teams"
WORKSPACE: Final = "handbook"


@asynccontextmanager
async def room_in(load: Load, note: Say, *, linked: bool) -> AsyncIterator[TeamsRoom]:
    """The real program with the sample's documents, and Teams around it.

    Raises:
        MasisError: it cannot start.
    """
    async with AsyncExitStack() as closing:
        scene = teams_scene({})
        await closing.enter_async_context(scene.served())
        apart = separate(load)
        folder = (await asyncio.to_thread(apart)).data_dir / FOLDER
        library = Library(apart, folder, owners=[TEAM.owner], workspace=WORKSPACE)
        note(f"{READING}.")
        world = await closing.enter_async_context(
            library.world(await library.filled(lambda _done, _total: None))
        )
        settings = apart(data_dir=world, slack_bot_token=SecretStr(""), **scene.settings())
        await _prepare(settings, linked=linked)
        scene.room.address = await closing.enter_async_context(_served(settings))
        yield scene.room


async def _prepare(settings: Settings, *, linked: bool) -> None:
    async with compose(settings) as app:
        await TeamSettingsStore(app.database).save(TEAM, UNHURRIED)
        workspace = await app.repository.create_workspace(TEAM.owner, WORKSPACE)
        if linked:
            link = Link(
                tenant=TEAM,
                channel=place_id(TEAM.enterprise, CHANNEL),
                workspace_id=workspace.id,
                linked_by=ANN,
                linked_at=dt.datetime.now(dt.UTC),
            )
            await Links(app.database).link(link)


@asynccontextmanager
async def _served(settings: Settings) -> AsyncIterator[str]:
    """The program at work until the block ends; gives its address."""
    stop = asyncio.Event()
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def announce(line: str) -> None:
        if line.startswith("Health:"):
            address.set_result(line.split()[1].removesuffix("/healthz"))

    serving = asyncio.create_task(serve(settings, announce, stop))
    serving.add_done_callback(lambda _: address.done() or address.cancel())
    try:
        yield await address
    finally:
        stop.set()
        await serving


async def oneshot(load: Load, note: Say, say: Say) -> None:
    """Hold one conversation.

    Raises:
        MasisError: the program cannot start, or the conversation went otherwise than it should.
    """
    async with room_in(load, note, linked=False) as room:
        await TeamsConversation(room, say).held()


async def at_terminal(load: Load, note: Say, say: Say, ask: Ask = input) -> None:
    """Let who sits at the terminal talk to MASIS.

    Raises:
        MasisError: the program cannot start.
    """
    async with room_in(load, note, linked=True) as room:
        await TeamsConversation(room, say).typed(ask)
