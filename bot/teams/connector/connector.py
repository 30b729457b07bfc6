"""Call Teams' connector: seven calls, each bounded, paced, and with errors that say what to do."""

import datetime as dt
import json
import random
import re
from collections.abc import Hashable, Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from yarl import URL

from bot.teams.bounded_http import BoundedHttp, NoReply, Reply
from bot.teams.connector import conversation_limits as limits
from bot.teams.connector.client_token import ClientToken
from bot.teams.connector.connector_errors import (
    Ambiguous,
    CardTooLarge,
    ForeignAddress,
    NotThere,
    RateLimited,
    Refused,
    RemovedFromPlace,
    TeamsError,
    Unavailable,
    code_of,
)
from bot.teams.connector.conversation_limits import LOOKING, SENDING, WHOLE, Limit, Windows
from bot.teams.inbound.clouds import is_service_address
from masis.domain import Value
from storage.chat.teams_places import TeamsPlace

_ID: Final = re.compile(r"[A-Za-z0-9:_.|=-]{1,64}")
_CONVERSATION: Final = re.compile(r"[A-Za-z0-9:@._;=-]{1,1024}")
_MOST_TEXT: Final = 200
_MOST_CHANNELS: Final = 1000
_NOT_TAKEN: Final = frozenset({412, 429})
"""Answers that say that nothing was done."""
_IN_DOUBT: Final = frozenset({408, 500, 502, 503, 504})
"""Answers behind which it may have been done."""
_TYPES: Final[Mapping[int, type[TeamsError]]] = {
    403: RemovedFromPlace,
    404: NotThere,
    413: CardTooLarge,
}
_UNAUTHORIZED: Final = 401
_RATE_LIMITED: Final = 429
MOST_RETRY_AFTER: Final = 3600.0

Json = dict[str, Any]


class Spot(NamedTuple):
    """Name the place of a message. `thread` is the id of the message that the thread hangs from.

    `tenant` is the organisation whose limits it counts against.
    """

    service_url: str
    conversation: str
    thread: str = ""
    tenant: str = ""

    @classmethod
    def of(cls, place: TeamsPlace, thread: str = "") -> "Spot":
        """Return a place as a call names it."""
        return cls(place.service_url, place.conversation, thread, place.tenant.enterprise)

    @property
    def path(self) -> str:
        """Return the conversation's path; with its thread a message lands in that."""
        named = f"{self.conversation};messageid={self.thread}" if self.thread else self.conversation
        return f"v3/conversations/{quote(named, safe='')}"


class Member(Value):
    """Hold what Teams says about somebody in a conversation. `id` is theirs in Entra."""

    id: str
    tenant: str
    role: str = ""
    name: str = ""


class Team(Value):
    """Hold what Teams says about a team. `group` is its id in Entra."""

    id: str
    group: str
    name: str = ""


class Channel(Value):
    """Hold what Teams says about a channel. The name of the general one is empty."""

    id: str
    name: str = ""
    kind: str = "standard"


class Call(NamedTuple):
    """One call: what is counted against which limits, and whether to repeat it.

    `repeats`: doing it twice is doing it once. One that is not `patient` is tried once.
    """

    verb: str
    service_url: str
    path: str
    counted: str
    limits: tuple[Limit, ...]
    body: Json | None = None
    query: Mapping[str, str] = {}
    repeats: bool = True
    patient: bool = True
    tenant: str = ""

    @property
    def windows(self) -> tuple[tuple[Hashable, tuple[Limit, ...]], ...]:
        """Return the windows that it is counted in: its conversation's, and its organisation's."""
        whole = "organisation", self.tenant or self.service_url
        return (self.counted, self.limits), (whole, WHOLE)


class Connector:
    """Teams' connector. `hosts` are where the bot's token may be sent: looked at before each call."""

    def __init__(
        self,
        http: BoundedHttp,
        *,
        app_id: str,
        token: ClientToken,
        hosts: frozenset[str],
        windows: Windows,
    ) -> None:
        self._bot = f"28:{app_id}"
        self._http = http
        self._token = token
        self._hosts = hosts
        self._windows = windows
        self.share: Final = windows.share
        self.sleep: Final = windows.clock.sleep

    # --- the seven calls -------------------------------------------------------------------

    async def post(self, spot: Spot, activity: Json, *, targeted: str = "") -> str:
        """Post a message and return its id. `targeted` is the one who alone sees it.

        Raises:
            Ambiguous: it may be there or not; nobody can tell.
            TeamsError: it is not there.
        """
        body = dict(activity)
        if targeted:
            body["recipient"] = {"id": targeted, "isTargeted": True}
        reply = await self._do(
            self._sending("POST", spot, "activities", body, targeted=bool(targeted), repeats=False)
        )
        return _posted(reply)

    async def update(
        self,
        spot: Spot,
        message: str,
        activity: Json,
        *,
        droppable: bool = False,
        targeted: bool = False,
    ) -> bool:
        """Put something else in a message's place; may be repeated freely.

        False where a `droppable` one was left out. `targeted`: one person alone sees the message.

        Raises:
            NotThere: there is no such message (any more).
            TeamsError: it was not done.
        """
        body = {**activity, "id": message}
        path = f"activities/{quote(message, safe='')}"
        call = self._sending("PUT", spot, path, body, targeted=targeted, patient=not droppable)
        if droppable and not all(self._windows.has_room(*each) for each in call.windows):
            return False
        await self._do(call)
        return True

    async def typing(self, spot: Spot) -> None:
        """Show for some seconds that something is being written, where much is left of the limits.

        Raises:
            TeamsError: it is not shown.
        """
        call = self._sending("POST", spot, "activities", {"type": "typing"}, patient=False)
        if all(self._windows.has_room(*each) for each in call.windows):
            await self._do(call)

    async def delete(self, spot: Spot, message: str, *, targeted: bool = False) -> bool:
        """Take a message back; False where Teams says that there is none.

        `targeted`: one person alone sees it.

        Raises:
            TeamsError: it was not done.
        """
        path = f"activities/{quote(message, safe='')}"
        call = self._sending("DELETE", spot, path, None, targeted=targeted)
        try:
            await self._do(call)
        except NotThere:
            return False
        return True

    async def open_chat(self, service_url: str, *, tenant: str, user: str) -> str:
        """Return the conversation with one person alone; the same each time.

        Raises:
            TeamsError: there is none.
        """
        body = {
            "bot": {"id": self._bot},
            "members": [{"id": user}],
            "isGroup": False,
            "tenantId": tenant,
            "channelData": {"tenant": {"id": tenant}},
        }
        call = Call("POST", service_url, "v3/conversations", user, LOOKING, body, tenant=tenant)
        return _named((await self._do(call)).object(), _CONVERSATION)

    async def member(self, spot: Spot, user: str) -> Member | None:
        """Return somebody in the conversation, None who is not.

        Raises:
            TeamsError: Teams does not say.
        """
        path = f"{spot._replace(thread='').path}/members/{quote(user, safe='')}"
        where = spot.service_url, path, spot.conversation
        call = Call("GET", *where, LOOKING, tenant=spot.tenant)
        try:
            found = (await self._do(call)).object()
        except NotThere:
            return None
        return Member(
            id=_text(found.get("aadObjectId")).lower(),
            tenant=_text(found.get("tenantId")).lower(),
            role=_text(found.get("userRole")).lower(),
            name=_text(found.get("name")),
        )

    async def team(self, service_url: str, team: str) -> Team:
        """Return a team.

        Raises:
            TeamsError: Teams does not say.
        """
        path = f"v3/teams/{quote(team, safe='')}"
        found = (await self._do(Call("GET", service_url, path, team, LOOKING))).object()
        group = _text(found.get("aadGroupId")).lower()
        return Team(id=team, group=group, name=_text(found.get("name")))

    async def channels(self, service_url: str, team: str) -> list[Channel]:
        """Return the channels of a team.

        Raises:
            TeamsError: Teams does not say.
        """
        path = f"v3/teams/{quote(team, safe='')}/conversations"
        found = (await self._do(Call("GET", service_url, path, team, LOOKING))).object()
        listed = found.get("conversations")
        return [
            Channel(
                id=each["id"],
                name=_text(each.get("name")),
                kind=_text(each.get("type")) or "standard",
            )
            for each in (listed[:_MOST_CHANNELS] if isinstance(listed, list) else [])
            if isinstance(each, dict) and isinstance(each.get("id"), str)
        ]

    # --- how a call is made ----------------------------------------------------------------

    def _sending(
        self,
        verb: str,
        spot: Spot,
        path: str,
        body: Json | None,
        *,
        targeted: bool = False,
        repeats: bool = True,
        patient: bool = True,
    ) -> Call:
        # An update goes to the message, wherever its thread is.
        where = spot if verb == "POST" else spot._replace(thread="")
        query = {"isTargetedActivity": "true"} if targeted else {}
        whole = f"{where.path}/{path}"
        return Call(
            verb,
            spot.service_url,
            whole,
            spot.conversation,
            SENDING,
            body,
            query,
            repeats=repeats,
            patient=patient,
            tenant=spot.tenant,
        )

    async def _do(self, call: Call) -> Reply:
        """Make a call, again where that is safe."""
        limited = failed = 0
        while True:
            for key, counted in call.windows:
                await self._windows.turn(key, counted)
            try:
                return await self._once(call)
            except RateLimited as error:
                limited += 1
                self._windows.close(call.counted, call.limits, error.retry_after)
                too_long = error.retry_after > limits.LONGEST_WAIT
                if not call.patient or too_long or limited >= limits.RATE_LIMIT_TRIES:
                    raise
            except Unavailable:
                failed += 1
                if not call.patient or failed > limits.REPEATS:
                    raise
                await self._pause(failed)

    async def _once(self, call: Call) -> Reply:
        """Make a call once, and say what its failure means.

        Raises:
            Unavailable: it was not done, or may be repeated freely.
            Ambiguous: it may have been done, and may not be repeated.
            TeamsError: it was not done.
        """
        try:
            reply = await self._send(call, await self._token.get())
        except NoReply as error:
            if call.repeats or error.unsent:
                raise Unavailable(str(error)) from error
            raise Ambiguous(str(error)) from error
        if reply.is_success:
            return reply
        said = f"Teams answered {call.verb} with status {reply.status}"
        if reply.status == _RATE_LIMITED:
            raise RateLimited(said, retry_after=_retry_after(reply))
        if reply.status in _IN_DOUBT and not call.repeats:
            raise Ambiguous(said)
        if reply.status in _IN_DOUBT | _NOT_TAKEN:
            raise Unavailable(said)
        code = code_of(reply.object())
        raise _TYPES.get(reply.status, Refused)(f"{said} {code}".rstrip() + ".", code=code)

    async def _send(self, call: Call, token: str) -> Reply:
        """Send it; with a new token once more where Teams does not take the old one."""
        reply = await self._request(call, token)
        if reply.status != _UNAUTHORIZED:
            return reply
        self._token.forget(token)
        return await self._request(call, await self._token.get())

    async def _request(self, call: Call, token: str) -> Reply:
        if not is_service_address(call.service_url, self._hosts):
            raise ForeignAddress("The stored address of this conversation is none of Teams'.")
        url = URL(f"{call.service_url.rstrip('/')}/{call.path}", encoded=True)
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        data = None
        if call.body is not None:
            headers["Content-Type"] = "application/json; charset=utf-8"
            data = json.dumps(call.body, ensure_ascii=False).encode("utf-8", "replace")
        return await self._http.send(
            call.verb,
            url.with_query(dict(call.query)) if call.query else url,
            headers=headers,
            data=data,
        )

    async def _pause(self, failed: int) -> None:
        pause = limits.PAUSE_SECONDS * 2 ** (failed - 1)
        await self._windows.clock.sleep(pause * (1 + random.random()))  # noqa: S311 - spreads load


def _posted(reply: Reply) -> str:
    """Return the id of a message that was taken.

    Raises:
        Ambiguous: it was taken, and Teams does not say as what.
    """
    try:
        return _named(reply.object(), _ID)
    except Refused:
        raise Ambiguous("Teams took a message and did not name it.") from None


def _named(body: Json, form: re.Pattern[str]) -> str:
    name = body.get("id")
    if not isinstance(name, str) or not form.fullmatch(name):
        raise Refused("Teams named nothing that can be used.")
    return name


def _text(value: object) -> str:
    return value[:_MOST_TEXT] if isinstance(value, str) else ""


def _retry_after(reply: Reply) -> float:
    """Return the seconds that Teams asks to wait; where it does not say, a few, spread out."""
    said = reply.headers.get("Retry-After", "").strip()
    if said.isascii() and said.isdigit():
        return min(float(said), MOST_RETRY_AFTER)
    try:
        until = parsedate_to_datetime(said)
        seconds = (until - dt.datetime.now(until.tzinfo)).total_seconds()
        return min(max(seconds, 0.0), MOST_RETRY_AFTER)
    except (ValueError, TypeError, OverflowError):
        pass
    return limits.PAUSE_SECONDS * (2 + 2 * random.random())  # noqa: S311 - spreads load
