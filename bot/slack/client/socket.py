"""Socket Mode: what Slack has to say comes over a websocket that the bot opens."""

import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import aiohttp
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest

from bot.slack.slack_errors import Unavailable
from masis.errors import InvalidSettings

log = logging.getLogger(__name__)

QUIET: Final = "bot.slack.client.socket.wire"


@asynccontextmanager
async def connected(
    app: AsyncApp, app_token: str, *, on_ack: Callable[[float], None] | None = None
) -> AsyncIterator[None]:
    """Keep the connection as long as the block goes on; a lost one is made anew.

    `on_ack` is told how many seconds each delivery was answered after.

    Raises:
        InvalidSettings: Slack does not accept the app token.
    """
    # The client logs every frame, which holds what people write.
    quiet = logging.getLogger(QUIET)
    quiet.setLevel(logging.ERROR)
    handler = _Handler(app, app_token, quiet, on_ack)
    try:
        try:
            await handler.connect_async()  # type: ignore[no-untyped-call] # Bolt's is untyped
        except aiohttp.ClientError as error:
            raise Unavailable(
                "Slack cannot be reached for Socket Mode. Check the network."
            ) from error
        except SlackApiError as error:
            raise InvalidSettings(
                f"MASIS_SLACK_APP_TOKEN: Slack does not accept it ({error.response['error']}); copy"
                " the app-level token (xapp-…, scope connections:write) from the app's page"
            ) from error
        yield
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call] # the same


class _Handler(AsyncSocketModeHandler):
    """Bolt's, which tells how long it took."""

    def __init__(
        self,
        app: AsyncApp,
        app_token: str,
        logger: logging.Logger,
        on_ack: Callable[[float], None] | None,
    ) -> None:
        super().__init__(app, app_token, logger=logger)
        self._on_ack = on_ack

    async def handle(self, client: SocketModeClient, req: SocketModeRequest) -> None:  # type: ignore[override] # Bolt's own differs from its base
        """Answer one delivery."""
        began = time.monotonic()
        await super().handle(client, req)
        if self._on_ack is not None:
            self._on_ack(time.monotonic() - began)
