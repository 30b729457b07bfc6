"""Get the token that MASIS calls Teams with, and renew it in time."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from pydantic import SecretStr

from bot.teams.bounded_http import BoundedHttp, NoReply, Reply
from bot.teams.connector.connector_errors import SecretRefused, Unavailable
from bot.teams.inbound.clouds import Cloud

log = logging.getLogger(__name__)

RENEWED_AT: Final = 0.8
"""Of a token's life: so that a failing login has time to come back."""
_LEAST_SECONDS: Final = 60.0
_MOST_SECONDS: Final = 24 * 3600.0
_PAUSE_SECONDS: Final = 5.0
"""Between attempts to renew a token that still holds."""
_REFUSED: Final = range(400, 404)


class ClientToken:
    """The app's own token; one serves the conversations of every tenant.

    With a `scope` it is for another service, and of the tenant that is named.
    """

    def __init__(
        self,
        http: BoundedHttp,
        *,
        cloud: Cloud,
        app_id: str,
        secret: SecretStr,
        home_tenant: str,
        scope: str = "",
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._http = http
        self._url = f"{cloud.login_url}/{home_tenant}/oauth2/v2.0/token"
        self._form = {
            "grant_type": "client_credentials",
            "client_id": app_id,
            # In every cloud the connector's scope is named after its issuer.
            "scope": f"{scope or cloud.issuer}/.default",
        }
        self._secret = secret
        self._now = now
        self._lock = asyncio.Lock()
        self._token = ""
        self._renew_at = self._ends_at = float("-inf")

    async def get(self) -> str:
        """Return a token that holds.

        Raises:
            SecretRefused: the login does not take the app's secret.
            Unavailable: the login cannot be reached now.
        """
        if self._now() < self._renew_at:
            return self._token
        async with self._lock:
            if self._now() >= self._renew_at:
                await self._renew()
        return self._token

    def forget(self, token: str) -> None:
        """Renew a token that was not taken, before it is used again."""
        if token == self._token:
            self._renew_at = self._ends_at = float("-inf")

    async def _renew(self) -> None:
        try:
            self._keep(await self._ask())
        except (SecretRefused, Unavailable) as error:
            if self._now() >= self._ends_at:
                raise
            log.warning("the token for Teams is not renewed: %s", type(error).__name__)
            self._renew_at = min(self._now() + _PAUSE_SECONDS, self._ends_at)

    async def _ask(self) -> Reply:
        form = self._form | {"client_secret": self._secret.get_secret_value()}
        try:
            reply = await self._http.send("POST", self._url, data=form)
        except NoReply as error:
            raise Unavailable("The login of Teams does not answer.") from error
        if reply.status in _REFUSED:
            raise SecretRefused(
                "The login of Teams refuses the app. Check MASIS_TEAMS_APP_ID,"
                " MASIS_TEAMS_APP_SECRET and MASIS_TEAMS_HOME_TENANT."
            )
        return reply

    def _keep(self, reply: Reply) -> None:
        body = reply.object() if reply.is_success else {}
        token, life = body.get("access_token"), body.get("expires_in")
        if not isinstance(token, str) or not token.isprintable() or not token:
            raise Unavailable(f"The login of Teams gave no token (status {reply.status}).")
        seconds = float(life) if isinstance(life, int | float) else _LEAST_SECONDS
        seconds = min(max(seconds, _LEAST_SECONDS), _MOST_SECONDS)
        self._token = token
        self._renew_at = self._now() + seconds * RENEWED_AT
        self._ends_at = self._now() + seconds
