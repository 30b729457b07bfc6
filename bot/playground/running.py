"""The whole playground: Slack's stand-in, the page, and the real bot between them."""

import asyncio
import contextlib
import datetime as dt
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

from pydantic import SecretStr

from bot.compose import App, compose
from bot.http import EVENTS_PATH
from bot.playground import samples
from bot.playground.library import FOLDER, Library, Load
from bot.playground.page.page_models import Readiness, Suggestion
from bot.playground.page.scene import WORKSPACE, Scene
from bot.playground.server import Playground
from bot.playground.slack.entities import Channel
from bot.playground.teams.teams_payloads import CHANNEL
from bot.playground.teams.teams_scene import TEAM, USERS
from bot.serve import listening, slack_bot
from bot.settings import Settings
from bot.slack.compose import SlackBot
from masis.conversation import Link, TeamSettings, Tenant
from masis.errors import MasisError
from masis.values.suggested import Suggestion as Question
from storage.chat.teams_places import place_id

log = logging.getLogger(__name__)

READING: Final = "MASIS is reading the sample documents, once"
WAKING: Final = "MASIS is starting"
READY: Final = "MASIS is ready"

UNHURRIED: Final = TeamSettings(user_per_minute=30, channel_per_minute=60)
"""Who tries it out presses everything within a minute: the careful quotas would soon refuse that."""


@asynccontextmanager
async def bot_in(
    scene: Scene, load: Load, *, hurry: asyncio.Event | None = None
) -> AsyncIterator[SlackBot]:
    """The real bot at work in a scene, with the sample in the workspace of its linked channel.

    Once `hurry` is set its end waits for no question any more.

    Raises:
        MasisError: it cannot start; the scene says so too.
    """
    async with AsyncExitStack() as closing:
        try:
            bot = await _started(scene, load, closing, hurry)
        except MasisError as error:
            scene.becomes(Readiness(phase="failed", done=0, total=0, words=str(error)))
            raise
        scene.becomes(Readiness(phase="ready", done=0, total=0, words=READY))
        offering = asyncio.create_task(_offer(scene, bot))
        closing.push_async_callback(_end, offering)
        yield bot


async def _started(
    scene: Scene, load: Load, closing: AsyncExitStack, hurry: asyncio.Event | None
) -> SlackBot:
    slack, teams, tenant = scene.slack, scene.teams, Tenant(team=scene.slack.team.id)

    def told(done: int, total: int) -> None:
        scene.becomes(Readiness(phase="reading", done=done, total=total, words=READING))

    apart = separate(load)
    folder = (await asyncio.to_thread(apart)).data_dir / FOLDER
    owners = [tenant.owner, TEAM.owner]
    library = Library(apart, folder, owners=owners, workspace=WORKSPACE)
    kept = await library.filled(told)
    scene.becomes(Readiness(phase="starting", done=0, total=0, words=WAKING))
    world = await closing.enter_async_context(library.world(kept))
    await closing.enter_async_context(teams.served())
    settings = apart(data_dir=world, **_reached(slack), **teams.settings())
    app = await closing.enter_async_context(compose(settings))
    bot = await closing.enter_async_context(slack_bot(app, hurry=hurry))
    address = await closing.enter_async_context(listening(app, bot))
    closing.push_async_callback(_quiet, slack)
    await _link(scene, app, bot, tenant)
    for each in (tenant, TEAM):
        await bot.services.settings.save(each, UNHURRIED)
    await teams.installed(address)
    slack.request_url = f"{address}{EVENTS_PATH}"
    return bot


def separate(load: Load) -> Load:
    """The settings without the places that an operator's real bot works in, and without its Slack.

    Models and thresholds stay: what is tried is how this machine's bot would answer.
    """
    nowhere: dict[str, Any] = {
        "database_url": SecretStr(""),
        "qdrant_url": "",
        "QDRANT_HOST": "",
        "slack_app_token": SecretStr(""),
        "slack_client_id": "",
        "slack_client_secret": SecretStr(""),
        "public_url": "",
        "secret_keys": SecretStr(""),
        "http_host": "127.0.0.1",
        "http_port": 0,
    }

    def loaded(**overrides: Any) -> Settings:
        # Trying it out spends nobody's money by surprise.
        keyless = {"agents": "offline"} if load().agents == "auto" else {}
        return load(**(nowhere | keyless | overrides))

    return loaded


def _reached(slack: Playground) -> dict[str, Any]:
    """Return the settings by which the stand-in is reached."""
    return {
        "slack_api_url": slack.api_url,
        "slack_signing_secret": SecretStr(slack.signing_secret),
        "slack_bot_token": SecretStr(slack.bot_token),
    }


async def _offer(scene: Scene, bot: SlackBot) -> None:
    """Say what the linked channels' documents answer, and again when there are others.

    They are looked at whenever something was said there: so an upload ends.
    """
    tenant = Tenant(team=scene.slack.team.id)
    while True:
        said = len(scene.linked.messages)
        offered = [
            Suggestion(about=each.document, text=each.text, channel=channel)
            for name, channel in ((WORKSPACE, ""), (samples.TICKETS, scene.tickets.id))
            for each in await _answered(bot, tenant, name)
        ]
        if offered != scene.questions:
            scene.offers(offered)
        await scene.slack.world.feed.until(_has_more(scene.linked, said), timeout_s=None)


async def _answered(bot: SlackBot, tenant: Tenant, name: str) -> list[Question]:
    """Return what a workspace's documents answer."""
    workspace = await bot.services.repository.workspace(tenant.owner, name)
    return await bot.services.suggestions.of(workspace) if workspace else []


def _has_more(channel: Channel, messages: int) -> Callable[[], bool]:
    return lambda: len(channel.messages) != messages


async def _end(task: asyncio.Task[None]) -> None:
    """Stop the work; that the documents could not be read ends it as well."""
    task.cancel()
    [ended] = await asyncio.gather(task, return_exceptions=True)
    if isinstance(ended, Exception):
        log.warning("what the documents answer is not offered: %s", type(ended).__name__)


async def _quiet(slack: Playground) -> None:
    """Let nobody call a bot that ends, and what is on its way arrive."""
    slack.request_url = None
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(1.0):
            await slack.settled()


async def _link(scene: Scene, app: App, bot: SlackBot, tenant: Tenant) -> None:
    """Link the sample's channels, as if an admin had done it before."""
    asked = [
        (tenant, WORKSPACE, scene.linked.id, scene.admin.id),
        (tenant, WORKSPACE, scene.shared.id, scene.admin.id),
        (tenant, samples.TICKETS, scene.tickets.id, scene.admin.id),
        (TEAM, WORKSPACE, place_id(TEAM.enterprise, CHANNEL), USERS["denise"]),
    ]
    for owner, name, channel, linker in asked:
        workspace = await app.repository.create_workspace(owner.owner, name)
        link = Link(
            tenant=owner,
            channel=channel,
            workspace_id=workspace.id,
            linked_by=linker,
            linked_at=dt.datetime.now(dt.UTC),
        )
        await bot.services.links.link(link)
