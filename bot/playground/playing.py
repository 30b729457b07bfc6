"""The playground from its first line to its last: served to browsers, or played once as text."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final

from bot.playground.library import Load
from bot.playground.narrator import Journal, Say
from bot.playground.oneshot import Conversation
from bot.playground.page.page_server import Page
from bot.playground.page.scene import Scene, opening, stand_in
from bot.playground.running import bot_in
from bot.playground.slack.feed import Change
from bot.playground.teams.teams_conversation import TeamsConversation
from bot.serve import told_by_signals

Open = Callable[[str], None]
"""Opens an address in a browser."""

ADDRESS: Final = "The playground is at {url}"
HOW: Final = (
    "Ask in #handbook with /masis or @MASIS, or in Teams' channel with @MASIS. Ctrl-C ends it;"
    " nothing of it is kept."
)
IN_TEAMS: Final = "\nThe same in Microsoft Teams"
ENDING: Final = "The playground ends."


class Start:
    """Says each part of the bot's start once."""

    def __init__(self, scene: Scene, note: Say) -> None:
        self._scene = scene
        self._note = note
        self._said = ""

    def tell(self, change: Change) -> None:
        """Say what the bot does now, where it is something else than before."""
        words = self._scene.ready.words
        if change.kind == "ready" and words != self._said and self._scene.ready.phase != "failed":
            self._said = words
            self._note(f"{words}.")


class Playing:
    """Starts everything, and ends it. `note` takes a line for who sits at the terminal."""

    def __init__(self, load: Load, note: Say) -> None:
        self._load = load
        self._note = note

    async def served(
        self,
        port: int,
        open_: Open | None,
        on_stop: Callable[[], None],
        stop: asyncio.Event | None = None,
    ) -> None:
        """Serve the page until `stop` is set, or the process is told to end; `on_stop` is called then.

        Raises:
            MasisError: the bot cannot start, or the port is taken.
        """
        stop, hurry = stop or asyncio.Event(), asyncio.Event()
        with told_by_signals(stop, hurry):
            async with stand_in() as slack:
                scene = opening(slack)
                async with Page(scene, port=port) as page:
                    self._note(ADDRESS.format(url=page.url))
                    self._note(HOW)
                    if open_ is not None:
                        await asyncio.to_thread(open_, page.url)
                    await self._work(scene, stop, hurry)
                    on_stop()
                    self._note(ENDING)

    async def _work(self, scene: Scene, stop: asyncio.Event, hurry: asyncio.Event) -> None:
        """The bot at work until it is time to stop, be it during its start."""
        with ExitStack() as telling:
            for told in (Journal(scene.slack.world, self._note), Start(scene, self._note)):
                telling.enter_context(scene.slack.world.feed.telling(told))
            working = asyncio.create_task(self._until(scene, stop, hurry))
            stopping = asyncio.create_task(stop.wait())
            await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
            # Nobody waits for an answer in a playground that ends.
            hurry.set()
            if scene.ready.phase != "ready":
                working.cancel()
            stopping.cancel()
            await asyncio.gather(working, stopping, return_exceptions=True)
            if not working.cancelled() and (error := working.exception()):
                raise error

    async def _until(self, scene: Scene, stop: asyncio.Event, hurry: asyncio.Event) -> None:
        async with bot_in(scene, self._load, hurry=hurry):
            await stop.wait()

    async def oneshot(self, say: Say) -> None:
        """Hold one conversation.

        Raises:
            MasisError: the bot cannot start, or the conversation went otherwise than it should.
        """
        hurry = asyncio.Event()
        async with stand_in() as slack:
            scene = opening(slack)
            with slack.world.feed.telling(Start(scene, self._note)):
                async with bot_in(scene, self._load, hurry=hurry):
                    await Conversation(scene, say).held()
                    say(IN_TEAMS)
                    await TeamsConversation(scene.teams.room, say).held_in_short()
                    hurry.set()
