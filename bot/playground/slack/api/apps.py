"""Becoming installed and uninstalled: `oauth.*`, `apps.*`, `auth.revoke`."""

import secrets
from collections.abc import Sequence

from bot.playground.slack.api.call import Call, Refused
from bot.playground.slack.entities import Json
from bot.playground.slack.hub import Code, Hub
from bot.playground.slack.installed import Installation, Token
from bot.slack.limits import BOT_TOKEN_LIFE_S


def oauth_access(call: Call) -> Json:
    """`oauth.v2.access`: a token for a code, or a new one for a refresh token."""
    if call.text("client_id") != call.world.app.client_id:
        raise Refused("invalid_client_id")
    if not secrets.compare_digest(call.text("client_secret"), call.world.app.client_secret):
        raise Refused("bad_client_secret")
    match call.text("grant_type"):
        case "" | "authorization_code":
            return _grant(call, *_exchanged(call))
        case "refresh_token":
            installation = call.world.refreshes.pop(call.text("refresh_token"), None)
            if installation is None:
                raise Refused("invalid_refresh_token")
            return _grant(call, installation, installation.installer_id)
        case _:
            raise Refused("invalid_grant_type")


def _exchanged(call: Call) -> tuple[Installation, str]:
    code = call.hub.codes.pop(call.text("code"), None)
    if code is None or code.expires_at < call.world.clock():
        raise Refused("invalid_code")
    if code.redirect_uri != (call.text("redirect_uri") or None):
        raise Refused("bad_redirect_uri")
    return _installed(call.hub, code), code.installer_id


def _installed(hub: Hub, code: Code) -> Installation:
    world = hub.world
    installation = world.install(world.teams[code.team_id], world.users[code.installer_id])
    installation.scopes = code.scopes
    return installation


def _grant(call: Call, installation: Installation, installer_id: str) -> Json:
    world = call.world
    team = world.teams[installation.team_id]
    enterprise = {"id": team.enterprise_id, "name": team.enterprise_name}
    told: Json = {
        "app_id": world.app.id,
        "authed_user": {"id": installer_id},
        "scope": ",".join(installation.scopes),
        "token_type": "bot",
        "bot_user_id": installation.bot_user_id,
        "team": {"id": team.id, "name": team.name},
        "enterprise": enterprise if team.enterprise_id else None,
        "is_enterprise_install": False,
    }
    if not world.app.rotates_tokens:
        return told | {"access_token": world.new_token(installation).value}
    token = world.new_token(installation, BOT_TOKEN_LIFE_S)
    return told | {
        "access_token": token.value,
        "refresh_token": world.new_refresh(installation),
        "expires_in": BOT_TOKEN_LIFE_S,
    }


def open_connection(call: Call) -> Json:
    """`apps.connections.open`: where a websocket may connect, once."""
    ticket = secrets.token_urlsafe(12)
    call.hub.tickets.append(ticket)
    return {"url": f"{call.hub.socket_url}/link?ticket={ticket}"}


def revoke(call: Call) -> Json:
    """`auth.revoke`: this token ends."""
    token = call.token
    if token is None:
        raise Refused("not_authed")
    if call.flag("test"):
        return {"revoked": False}
    token.revoked = True
    tell_revoked(call.hub, call.installation, [token])
    return {"revoked": True}


def uninstall(call: Call) -> Json:
    """`apps.uninstall`."""
    app = call.world.app
    if call.text("client_id") != app.client_id:
        raise Refused("invalid_client_id")
    if call.text("client_secret") != app.client_secret:
        raise Refused("bad_client_secret")
    installation = call.installation
    tokens = call.world.tokens_of(installation)
    call.world.remove(installation)
    tell_revoked(call.hub, installation, tokens)
    tell_uninstalled(call.hub, installation)
    return {}


def tell_revoked(hub: Hub, installation: Installation, tokens: Sequence[Token]) -> None:
    """Announce that tokens ended. Slack names the bot user, not the token."""
    users = {t.installation.bot_user_id for t in tokens if t.installation}
    event = {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": sorted(users)}}
    event["event_ts"] = hub.world.new_ts()
    hub.bots.background(hub.bots.announce(event, [installation]))


def tell_uninstalled(hub: Hub, installation: Installation) -> None:
    """Announce that the app is gone from a team."""
    event = {"type": "app_uninstalled", "event_ts": hub.world.new_ts()}
    hub.bots.background(hub.bots.announce(event, [installation]))
