"""Ask Microsoft, for `masis doctor`, and check the settings for Teams."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Final

from yarl import URL

from bot.chat.words.counts import counted
from bot.cli.doctor.findings import Check
from bot.settings import LOOPBACK, Settings
from bot.teams.bounded_http import BoundedHttp, NoReply
from bot.teams.connector.client_token import ClientToken
from bot.teams.connector.connector_errors import TeamsError
from bot.teams.inbound.clouds import cloud_of, tenants_of
from bot.teams.inbound.messages_route import MESSAGES_PATH
from bot.teams.inbound.signing_keys import KeysUnavailable, SigningKeys
from bot.teams.managing.team_owners import PERMISSION, NotConsented, TeamOwners
from masis.conversation import TEAMS, Tenant

_NO_TEAMS: Final = (
    "not set up: MASIS_TEAMS_APP_ID, MASIS_TEAMS_APP_SECRET and MASIS_TEAMS_HOME_TENANT connect it"
)
_NETWORK: Final = (
    "Let this machine reach login.botframework.com, login.microsoftonline.com,"
    " smba.trafficmanager.net and graph.microsoft.com over https, or set HTTPS_PROXY."
)
_WRONG_APP: Final = (
    "Copy the application's id and the directory's id from the app registration's overview, and make"
    " a new client secret under Certificates & secrets: its value, not its id."
)
_ADDRESS: Final = (
    "Set MASIS_PUBLIC_URL to the https address at which Teams reaches this server; it has no way in"
    " without one."
)
_UNREACHED: Final = (
    "Let `masis serve` run with these settings, and the proxy of MASIS_PUBLIC_URL hand on /teams/ to"
    " it unchanged, over https with a certificate that the world trusts. From within a network it may"
    " not be seen although Teams sees it: then look from elsewhere."
)
_NOT_LET_IN: Final = frozenset({400, 401})
_CONSENT: Final = (
    f"An owner adds the app to the team once more and agrees to {PERMISSION}; until then the"
    " operator links its channels with `masis teams link`."
)
MOST_TEAMS: Final = 20
"""Teams whose consent is looked at: each is a call."""
_NOBODY: Final = "00000000-0000-0000-0000-000000000000"
"""Somebody who is in no team."""


async def probe(settings: Settings) -> list[Check]:
    """Check everything of Teams that is set up."""
    if not settings.teams_app_id:
        return [Check(name="teams", state="skipped", detail=_NO_TEAMS)]
    async with AsyncExitStack() as closing:
        http = BoundedHttp()
        closing.push_async_callback(http.close)
        return [
            await _keys(http, settings),
            await _app(http, settings),
            await _address(http, settings),
        ]


async def consents(settings: Settings, teams: Sequence[Tenant]) -> list[Check]:
    """Check in which teams Graph tells who owns them."""
    known = [each for each in teams if each.chat == TEAMS and each.team][:MOST_TEAMS]
    if not (settings.teams_app_id and known):
        return []
    async with AsyncExitStack() as closing:
        http = BoundedHttp()
        closing.push_async_callback(http.close)
        owners = TeamOwners(
            http,
            cloud=cloud_of(settings),
            app_id=settings.teams_app_id,
            secret=settings.teams_app_secret,
        )
        return [await _consent(owners, known)]


async def _keys(http: BoundedHttp, settings: Settings) -> Check:
    """Load the keys by which Teams' requests are known."""
    cloud = cloud_of(settings)
    keys = SigningKeys(http, cloud.metadata_url, cloud.issuer)
    try:
        await keys.find("")
    except KeysUnavailable as error:
        return Check(name="teams keys", state="fail", detail=str(error), hint=_NETWORK)
    return Check(name="teams keys", state="ok", detail=f"those of {cloud.issuer} are there")


async def _app(http: BoundedHttp, settings: Settings) -> Check:
    """Log in as the app."""
    token = ClientToken(
        http,
        cloud=cloud_of(settings),
        app_id=settings.teams_app_id,
        secret=settings.teams_app_secret,
        home_tenant=settings.teams_home_tenant,
    )
    try:
        await token.get()
    except TeamsError as error:
        hint = _WRONG_APP if error.permanent else _NETWORK
        return Check(name="teams app", state="fail", detail=str(error), hint=hint)
    said = f"its secret is taken; people of {counted(len(tenants_of(settings)), 'tenant')} may ask"
    return Check(name="teams app", state="ok", detail=said)


async def _address(http: BoundedHttp, settings: Settings) -> Check:
    """Call the address as Teams does, without what would let anybody in: that is to be refused."""
    name, home = "teams address", URL(settings.public_url.rstrip("/"))
    if home.scheme != "https" and home.host not in LOOPBACK:
        said = "MASIS_PUBLIC_URL is no https address"
        return Check(name=name, state="fail", detail=said, hint=_ADDRESS)
    endpoint = f"{home}{MESSAGES_PATH}"
    try:
        reply = await http.send("POST", endpoint, json={})
    except NoReply as error:
        return Check(name=name, state="fail", detail=str(error), hint=_UNREACHED)
    if reply.status not in _NOT_LET_IN:
        said = f"{endpoint} answers a stranger with status {reply.status}, and not with 401"
        return Check(name=name, state="fail", detail=said, hint=_UNREACHED)
    said = f"the app's messaging endpoint is {endpoint}; it lets no stranger in"
    return Check(name=name, state="ok", detail=said)


async def _consent(owners: TeamOwners, teams: Sequence[Tenant]) -> Check:
    name, without = "teams owners", list[Tenant]()
    for tenant in teams:
        try:
            await owners.role(tenant, _NOBODY)
        except NotConsented:
            without.append(tenant)
        except TeamsError as error:
            return Check(name=name, state="fail", detail=str(error), hint=_NETWORK)
    if without:
        listed = ", ".join(f"{each.enterprise}/{each.team}" for each in without)
        said = f"Graph does not tell who owns {listed}"
        return Check(name=name, state="fail", detail=said, hint=_CONSENT)
    return Check(
        name=name, state="ok", detail=f"Graph tells those of {counted(len(teams), 'team')}"
    )
