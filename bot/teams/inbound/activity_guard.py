"""Let in what Teams says in the name of an allowed tenant, and nothing else.

Eight checks, in this order: the form of the body, the signature, the claims, the key's
endorsement, the service address that the token names, its host, the tenant, and the recipient.
Nothing turns them off: tests and the stand-in sign with keys of their own.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

import jwt
from jwt.exceptions import InvalidTokenError

from bot.teams.inbound.clouds import Cloud, is_service_address
from bot.teams.inbound.signing_keys import SigningKey, SigningKeys

MAX_BODY_BYTES: Final = 1024 * 1024
LEEWAY_SECONDS: Final = 300
"""How far clocks may be apart, as Microsoft has it."""
CHANNEL: Final = "msteams"

_BEARER: Final = re.compile(r"Bearer ([A-Za-z0-9_-]{1,4096}(?:\.[A-Za-z0-9_-]{1,12288}){2})")
_MOST_KID: Final = 200
_REQUIRED: Final = ["exp", "iss", "aud"]

Json = dict[str, Any]


class NotLetIn(Exception):
    """A request that is not let in: its status, and a reason that quotes nothing of it."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status: Final = status


def _denied(reason: str) -> NotLetIn:
    return NotLetIn(401, reason)


def bearer(header: str) -> str:
    """Return the token of an `Authorization` header.

    Raises:
        NotLetIn: there is none, or nothing that has the form of one.
    """
    found = _BEARER.fullmatch(header)
    if found is None:
        raise _denied("no token")
    return found[1]


class ActivityGuard:
    """Checks activities for one app. `tenants` are the Entra tenants that are allowed."""

    def __init__(
        self, *, app_id: str, cloud: Cloud, tenants: frozenset[str], keys: SigningKeys
    ) -> None:
        self._app_id = app_id
        self._cloud = cloud
        self._tenants = tenants
        self._keys = keys

    async def checked(self, token: str, body: bytes) -> Json:
        """Return the activity, which Teams has said.

        Raises:
            NotLetIn: it is not to be let in.
            KeysUnavailable: nobody's signature can be checked now.
        """
        activity = _object(body)
        key = await self._key(token)
        claims = self._claims(token, key)
        if CHANNEL not in key.endorsements or activity.get("channelId") != CHANNEL:
            raise _denied("not endorsed for Teams")
        if not claims.get("serviceurl") or claims["serviceurl"] != activity.get("serviceUrl"):
            raise _denied("another service address than the token's")
        if not is_service_address(activity["serviceUrl"], self._cloud.service_hosts):
            raise _denied("a service host that is none of Teams'")
        if tenant_of(activity) not in self._tenants:
            raise _denied("a tenant that is not allowed")
        if not self._is_recipient(activity):
            raise _denied("for another bot")
        return activity

    async def _key(self, token: str) -> SigningKey:
        try:
            header = jwt.get_unverified_header(token)
        except InvalidTokenError:
            raise _denied("no token") from None
        kid = header.get("kid")
        if header.get("alg") != "RS256" or not isinstance(kid, str) or len(kid) > _MOST_KID:
            raise _denied("not signed by RS256 with a named key")
        found = await self._keys.find(kid)
        if found is None:
            raise _denied("an unknown key")
        return found

    def _claims(self, token: str, key: SigningKey) -> Mapping[str, Any]:
        try:
            return jwt.decode(
                token,
                key.key,
                algorithms=["RS256"],
                audience=self._app_id,
                issuer=self._cloud.issuer,
                leeway=LEEWAY_SECONDS,
                options={"require": _REQUIRED, "strict_aud": True},
            )
        except (InvalidTokenError, TypeError, ValueError, OverflowError) as error:
            raise _denied(f"the token does not hold: {type(error).__name__}") from None

    def _is_recipient(self, activity: Json) -> bool:
        recipient = activity.get("recipient")
        name = recipient.get("id") if isinstance(recipient, dict) else None
        return isinstance(name, str) and name.rpartition(":")[2].lower() == self._app_id


def tenant_of(activity: Json) -> str:
    """Return the Entra tenant of an activity; empty where it names none, or two."""
    named = [_inner(activity, "channelData", "tenant", "id")]
    conversation = activity.get("conversation")
    if isinstance(conversation, dict) and "tenantId" in conversation:
        named.append(conversation["tenantId"])
    texts = {each.lower() for each in named if isinstance(each, str)}
    is_one = len(texts) == 1 and all(isinstance(each, str) for each in named)
    return texts.pop() if is_one else ""


def _inner(value: object, *names: str) -> object:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _object(body: bytes) -> Json:
    """Read one JSON object.

    Raises:
        NotLetIn: it is none.
    """
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise NotLetIn(400, "malformed body")
    return found
