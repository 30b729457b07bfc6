from urllib.parse import parse_qs, urlencode, urlsplit

import aiohttp
import pytest

from bot.playground.server import Playground
from bot.playground.slack.installed import AppConfig
from bot.playground.slack.world import NoSuchThing
from tests.bot.playground.small_bot import client, refused, served

pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated")
"""Slack's own client still uses it for its calls of OAuth."""

BACK = "http://127.0.0.1:9/slack/oauth_redirect"


def asked(slack: Playground, **more: str) -> str:
    """Slack's page, as the app sends a browser there."""
    given = {
        "client_id": slack.world.app.client_id,
        "scope": "chat:write,commands",
        "state": "s1",
        "redirect_uri": BACK,
    }
    return f"{slack.authorize_url}?{urlencode(given | more)}"


def code_in(callback: str) -> str:
    return parse_qs(urlsplit(callback).query)["code"][0]


class TestInstalling:
    async def test_an_approval_becomes_a_token_once(self, slack: Playground) -> None:
        team = slack.world.add_team("Vendel")
        victor = slack.person("victor", "admin", team)
        callback = victor.approves(asked(slack))
        app = slack.world.app
        exchange = {
            "client_id": app.client_id,
            "client_secret": app.client_secret,
            "code": code_in(callback),
            "redirect_uri": BACK,
        }
        told = await client(slack, "").oauth_v2_access(**exchange)

        assert callback.startswith(f"{BACK}?")
        assert (told["team"]["id"], told["authed_user"]["id"]) == (team.id, victor.id)
        assert (told["scope"], "refresh_token" in told.data) == ("chat:write,commands", False)
        assert (await client(slack, str(told["access_token"])).auth_test())["team_id"] == team.id
        assert await refused(client(slack, "").oauth_v2_access(**exchange)) == "invalid_code"

    @pytest.mark.parametrize(
        ("changed", "error"),
        [
            ({"client_secret": "wrong"}, "bad_client_secret"),
            ({"client_id": "wrong"}, "invalid_client_id"),
            ({"redirect_uri": "http://127.0.0.1:9/other"}, "bad_redirect_uri"),
            ({"grant_type": "password"}, "invalid_grant_type"),
        ],
    )
    async def test_what_does_not_match_is_refused(
        self, slack: Playground, changed: dict[str, str], error: str
    ) -> None:
        app = slack.world.app
        exchange = {
            "client_id": app.client_id,
            "client_secret": app.client_secret,
            "code": code_in(slack.owner.approves(asked(slack))),
            "redirect_uri": BACK,
        }

        call = client(slack, "").oauth_v2_access(**(exchange | changed))
        assert await refused(call) == error

    async def test_unconfigured_scope_cannot_be_approved(self, slack: Playground) -> None:
        """A scope that the settings lack cannot be approved."""
        with pytest.raises(NoSuchThing, match="admin"):
            slack.owner.approves(asked(slack, scope="admin"))
        with pytest.raises(NoSuchThing, match="client id"):
            slack.owner.approves(asked(slack, client_id="9.9"))

    async def test_owner_approval_redirects_the_browser(self, slack: Playground) -> None:
        """A browser is sent back by the owner."""
        async with (
            aiohttp.ClientSession() as session,
            session.get(asked(slack), allow_redirects=False) as response,
        ):
            assert response.status == 302
            assert "state=s1" in response.headers["Location"]


async def test_refresh_token_works_only_once() -> None:
    """A refresh token is good once and gives the next."""
    async with Playground(app=AppConfig(rotates_tokens=True)) as slack:
        app = slack.world.app
        who = {"client_id": app.client_id, "client_secret": app.client_secret}
        refresh = slack.world.new_refresh(slack.installation)
        web = client(slack, "")
        told = await web.oauth_v2_access(**who, grant_type="refresh_token", refresh_token=refresh)

        assert (told["expires_in"], told["access_token"] == slack.bot_token) == (43_200, False)
        again = web.oauth_v2_access(**who, grant_type="refresh_token", refresh_token=refresh)
        assert await refused(again) == "invalid_refresh_token"
        following = str(told["refresh_token"])
        assert (
            await web.oauth_v2_access(**who, grant_type="refresh_token", refresh_token=following)
        )["ok"]


async def test_an_app_can_remove_itself(slack: Playground) -> None:
    app = slack.world.app
    async with served(slack) as bot:
        await client(slack).apps_uninstall(client_id=app.client_id, client_secret=app.client_secret)
        await slack.settled()

    assert {event["type"] for event in bot.events} == {"app_uninstalled", "tokens_revoked"}
    assert await refused(client(slack).auth_test()) == "account_inactive"
