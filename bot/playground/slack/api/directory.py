"""Answer who and what there is: `auth.*`, `team.*`, `users.*`, `bots.*`, `blocks.*`."""

from collections.abc import Mapping
from typing import Any

from bot.playground.slack.api.call import Call, Refused
from bot.playground.slack.checker.block_kit import block_violations, violations
from bot.playground.slack.checker.checks import Surface
from bot.playground.slack.entities import Json


def auth_test(call: Call) -> Json:
    """`auth.test`."""
    installation = call.installation
    team = call.world.teams[installation.team_id]
    told = {
        "url": f"https://{team.domain}.slack.com/",
        "team": team.name,
        "user": call.bot.name.lower(),
        "team_id": team.id,
        "user_id": installation.bot_user_id,
        "bot_id": installation.bot_id,
        "is_enterprise_install": False,
    }
    if team.enterprise_id:
        told["enterprise_id"] = team.enterprise_id
    if call.token is not None and call.token.expires_at is not None:
        told["expires_in"] = int(call.token.expires_at - call.world.clock())
    return told


def team_info(call: Call) -> Json:
    """`team.info`."""
    team_id = call.text("team") or call.installation.team_id
    team = call.world.teams.get(team_id)
    if team is None or team_id != call.installation.team_id:
        raise Refused("team_not_found")
    return {"team": team.json()}


def users_info(call: Call) -> Json:
    """`users.info`: a stranger is of another team, and in no channel with the bot."""
    user = call.user()
    foreign = user.team_id != call.installation.team_id
    return {"user": user.json() | {"is_stranger": foreign and not call.shares_a_channel(user)}}


def users_list(call: Call) -> Json:
    """`users.list`."""
    team = [u for u in call.world.users.values() if u.team_id == call.installation.team_id]
    page, more = call.page(team)
    told = [user.json() for user in page]
    return {"members": told, "cache_ts": int(call.world.clock()), **more}


def bots_info(call: Call) -> Json:
    """`bots.info`."""
    wanted = call.text("bot") or call.installation.bot_id
    for user in call.world.users.values():
        if user.bot_id == wanted and user.team_id == call.installation.team_id:
            ours = wanted == call.installation.bot_id
            return {
                "bot": {
                    "id": wanted,
                    "deleted": user.deleted,
                    "name": user.name,
                    "updated": 0,
                    "app_id": call.world.app.id if ours else "A0OTHERAPP",
                    "user_id": user.id,
                }
            }
    raise Refused("bot_not_found")


def validate_blocks(call: Call) -> Json:
    """`blocks.validate`: exactly one of blocks, a message, a view."""
    given = [name for name in ("blocks", "message", "view") if call.args.get(name) is not None]
    if len(given) != 1:
        raise Refused.saying("invalid_arguments", ["provide exactly one of blocks, message, view"])
    found = _problems(given[0], call.args[given[0]])
    if found:
        errors = [_error(problem) for problem in found]
        raise Refused(f"invalid_{given[0]}", errors=errors)
    return {}


def _problems(name: str, value: Any) -> list[str]:
    if name == "blocks":
        return block_violations("message", value, "")
    if not isinstance(value, Mapping):
        return ["must provide an object [json-pointer:]"]
    surface: Surface = "message"
    if name == "view":
        surface = "home" if value.get("type") == "home" else "modal"
    return violations(surface, value)


def _error(problem: str) -> Json:
    message, _, pointer = problem.partition(" [json-pointer:")
    return {"pointer": pointer.rstrip("]"), "code": "failed_constraint", "message": message}
