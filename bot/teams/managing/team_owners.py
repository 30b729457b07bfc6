"""Ask Microsoft Graph who somebody is in a team, by the consent that its owner gives with the app."""

import re
import time
from typing import Any, Final, Literal

from cachetools import LRUCache, TTLCache
from pydantic import SecretStr
from yarl import URL

from bot.teams.bounded_http import BoundedHttp, NoReply, Reply
from bot.teams.connector.client_token import ClientToken
from bot.teams.connector.connector_errors import SecretRefused, TeamsError, Unavailable
from bot.teams.inbound.clouds import Cloud
from masis.conversation import Tenant

Role = Literal["owner", "member", "guest", "none"]

PERMISSION: Final = "TeamMember.Read.Group"
"""What the package asks the owner of a team for."""
REMEMBERED: Final = 10_000
REMEMBERED_SECONDS: Final = 60.0
"""How long somebody counts as an owner who is none any more, where nothing is changed."""
TENANTS: Final = 200
"""Whose tokens are kept; one that is forgotten is asked for anew."""
_GUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_REFUSED: Final = frozenset({401, 403, 404})


class NotConsented(TeamsError):
    """Graph does not tell MASIS who is in this team."""


class TeamOwners:
    """Tells what somebody is in a team."""

    def __init__(self, http: BoundedHttp, *, cloud: Cloud, app_id: str, secret: SecretStr) -> None:
        self._http = http
        self._cloud = cloud
        self._app_id = app_id
        self._secret = secret
        self._tokens: LRUCache[str, ClientToken] = LRUCache(TENANTS)
        self._roles: TTLCache[tuple[Tenant, str], Role] = TTLCache(
            REMEMBERED, REMEMBERED_SECONDS, time.monotonic
        )

    async def role(self, tenant: Tenant, user: str, *, fresh: bool = False) -> Role:
        """Return what somebody is in a team; `fresh` asks Graph, for what changes things.

        Raises:
            NotConsented: Graph does not tell MASIS.
            Unavailable: Graph does not answer now.
        """
        key = tenant, user
        known = None if fresh else self._roles.get(key)
        if known is None:
            known = self._roles[key] = await self._asked(tenant, user)
        return known

    async def _asked(self, tenant: Tenant, user: str) -> Role:
        if not (_GUID.fullmatch(user) and _GUID.fullmatch(tenant.team)):
            return "none"
        url = URL(f"{self._cloud.graph_url}/v1.0/teams/{tenant.team}/members")
        only = f"(microsoft.graph.aadUserConversationMember/userId eq '{user}')"
        reply = await self._got(self._token(tenant.enterprise), url.with_query({"$filter": only}))
        if reply.status in _REFUSED:
            raise NotConsented(f"Graph answered with status {reply.status}.")
        if not reply.is_success:
            raise Unavailable(f"Graph answered with status {reply.status}.")
        return _role(reply.object(), user)

    async def _got(self, token: ClientToken, url: URL) -> Reply:
        try:
            held = await token.get()
        except SecretRefused as error:
            # The app is not known in a tenant where nobody has consented to anything.
            raise NotConsented("The login of this tenant does not know the app.") from error
        headers = {"Authorization": f"Bearer {held}", "Accept": "application/json"}
        try:
            return await self._http.send("GET", url, headers=headers)
        except NoReply as error:
            raise Unavailable(str(error)) from error

    def _token(self, enterprise: str) -> ClientToken:
        found = self._tokens.get(enterprise)
        if found is None:
            found = self._tokens[enterprise] = ClientToken(
                self._http,
                cloud=self._cloud,
                app_id=self._app_id,
                secret=self._secret,
                home_tenant=enterprise,
                scope=self._cloud.graph_url,
            )
        return found


def _role(body: dict[str, Any], user: str) -> Role:
    """Read what somebody is out of a list of members; nobody's word counts but their own row's."""
    listed = body.get("value")
    rows = [each for each in (listed if isinstance(listed, list) else []) if isinstance(each, dict)]
    mine = next((each for each in rows if str(each.get("userId")).lower() == user), None)
    if mine is None:
        return "none"
    roles = mine.get("roles")
    held = {str(each).lower() for each in roles} if isinstance(roles, list) else set()
    if "guest" in held:
        return "guest"
    return "owner" if "owner" in held else "member"
