"""The websockets: a browser says who it is, is told what changes, and says what its person does."""

import asyncio
import json
import logging
from collections.abc import Coroutine
from typing import Any, Final

from aiohttp import WSCloseCode, WSMsgType, web
from pydantic import BaseModel, ValidationError

from bot.playground.page import contract
from bot.playground.page.changes import ChangeLog
from bot.playground.page.page_actions import PageActions
from bot.playground.page.scene import Scene
from bot.playground.page.seen import Seen

log = logging.getLogger(__name__)

MOST_TABS: Final = 20
AT_ONCE: Final = 32
"""Actions of one tab that wait for the bot."""
HELLO_S: Final = 10.0
SEND_S: Final = 10.0
"""How long a tab may take for one frame; one that sleeps comes back and goes on where it was."""
HEARTBEAT_S: Final = 20.0
GATHER_S: Final = 0.02
"""Changes that come together are told together."""

TOO_FAST: Final = "Too much at once. Wait a moment, and try again."
NOT_UNDERSTOOD: Final = "The page asked for something that this release does not know. Reload it."


class WrongWords(Exception):
    """A frame is none of the contract's; the message says why, without repeating it."""


class Live:
    """All tabs. What a person did goes on when the tab that it was done in is closed."""

    def __init__(self, scene: Scene, changes: ChangeLog) -> None:
        self._scene = scene
        self._changes = changes
        self._tabs: set[web.WebSocketResponse] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one tab until either side closes."""
        socket = web.WebSocketResponse(
            heartbeat=HEARTBEAT_S, max_msg_size=contract.MESSAGE_BYTES, timeout=1.0
        )
        await socket.prepare(request)
        if len(self._tabs) >= MOST_TABS:
            await socket.close(code=WSCloseCode.TRY_AGAIN_LATER, message=b"too many tabs")
            return socket
        self._tabs.add(socket)
        try:
            await Tab(self, self._scene, self._changes, socket).serve()
        except WrongWords as error:
            await socket.close(code=WSCloseCode.POLICY_VIOLATION, message=str(error).encode())
        except TimeoutError:
            await socket.close(code=WSCloseCode.TRY_AGAIN_LATER, message=b"too far behind")
        except ConnectionError:
            log.debug("a tab went away")
        finally:
            self._tabs.discard(socket)
        return socket

    def begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Let something go on beside its tab; it ends with the page at the latest."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """Send every tab away, and forget what is on its way."""
        for socket in [*self._tabs]:
            await socket.close(code=WSCloseCode.GOING_AWAY, message=b"the playground has ended")
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Tab:
    """One browser tab: who it is, and up to which change it has been told."""

    def __init__(
        self, live: Live, scene: Scene, changes: ChangeLog, socket: web.WebSocketResponse
    ) -> None:
        self._live = live
        self._scene = scene
        self._changes = changes
        self._socket = socket
        self._lock = asyncio.Lock()
        self._seen = Seen(scene, scene.asker)
        self._told = 0
        self._under_way = 0

    async def serve(self) -> None:
        """Greet, then tell and listen until the tab is closed.

        Raises:
            WrongWords: the browser said something that is not in the contract.
            TimeoutError: it does not take what it is told.
        """
        async with asyncio.timeout(HELLO_S):
            first = await self._socket.receive()
            if first.type in {WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED}:
                return
            hello = understood(first.data if first.type is WSMsgType.TEXT else "")
            if not isinstance(hello, contract.Hello):
                raise WrongWords("say hello first")
            await self._greet(hello)
        telling = asyncio.ensure_future(self._tell())
        listening = asyncio.ensure_future(self._listen())
        try:
            await asyncio.wait({telling, listening}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (telling, listening):
                task.cancel()
            ended = await asyncio.gather(telling, listening, return_exceptions=True)
        for error in ended:
            if isinstance(error, Exception):
                raise error

    async def _greet(self, hello: contract.Hello) -> None:
        """Become who the browser says it is, and tell it what it does not know."""
        async with self._lock:
            self._seen = Seen(self._scene, self._scene.player(hello.person))
            goes_on = hello.seq is not None and hello.epoch == self._changes.epoch
            known = self._seen.person.id == hello.person
            if goes_on and known and self._changes.since(hello.seq or 0) is not None:
                self._told = hello.seq or 0
                await self._catch_up()
            else:
                await self._whole()

    async def _tell(self) -> None:
        """Tell what changes, for as long as the tab is open."""
        feed = self._scene.slack.world.feed
        while not self._socket.closed:
            await feed.until(lambda: self._changes.seq > self._told, timeout_s=None)
            await asyncio.sleep(GATHER_S)
            async with self._lock:
                await self._catch_up()

    async def _catch_up(self) -> None:
        """Everything since the change that the tab was told last."""
        missed = self._changes.since(self._told)
        if missed is None:
            await self._whole()
            return
        self._told = self._changes.seq
        changes = self._seen.changes(missed)
        await self._send(contract.Changes(seq=self._told, changes=changes))

    async def _whole(self) -> None:
        self._told = self._changes.seq
        await self._send(self._seen.state(self._changes.epoch, self._told))

    async def _listen(self) -> None:
        """Take what the browser asks for until it leaves."""
        async for message in self._socket:
            if message.type is not WSMsgType.TEXT:
                raise WrongWords("text frames only")
            try:
                asked = understood(message.data)
            except WrongWords:
                action_id = id_of(message.data)
                if action_id is None:
                    raise
                await self._answer(contract.Reply(id=action_id, ok=False, error=NOT_UNDERSTOOD))
                continue
            if isinstance(asked, contract.Hello):
                await self._greet(asked)
            elif self._under_way >= AT_ONCE:
                await self._answer(contract.Reply(id=asked.id, ok=False, error=TOO_FAST))
            else:
                self._begin(asked)

    def _begin(self, action: contract.AnyAction) -> None:
        """Do it as who the tab is now, whoever it is when it is done."""
        actions = PageActions(self._scene, self._seen)

        async def done() -> None:
            await self._answer(await actions.do(action))

        def ended(_: asyncio.Task[None]) -> None:
            self._under_way -= 1

        self._under_way += 1
        self._live.begin(done()).add_done_callback(ended)

    async def _answer(self, reply: contract.Reply) -> None:
        async with self._lock:
            if not self._socket.closed:
                await self._send(reply)

    async def _send(self, frame: BaseModel) -> None:
        async with asyncio.timeout(SEND_S):
            await self._socket.send_str(frame.model_dump_json())


def understood(text: str) -> contract.Hello | contract.AnyAction:
    """A frame of a browser's.

    Raises:
        WrongWords: it is none of the contract's.
    """
    try:
        return contract.FROM_BROWSER.validate_json(text)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors(include_input=False)[0]["loc"])
        raise WrongWords(f"not in the contract: {where[:60] or 'the whole frame'}") from None


def id_of(text: str) -> int | None:
    """The number of an action that is otherwise not understood."""
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError):
        return None
    number = asked.get("id") if isinstance(asked, dict) else None
    return number if type(number) is int and number >= 0 else None
