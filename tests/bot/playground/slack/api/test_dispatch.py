import aiohttp
import pytest

from bot.playground.server import Playground
from bot.playground.slack.installed import AppConfig
from tests.bot.playground.small_bot import client, refused


async def posted(slack: Playground, **more: object) -> str:
    call = client(slack).api_call("chat.postMessage", json={"text": "hi", **more})
    return await refused(call)


class TestArguments:
    async def test_unknown_argument_is_named(self, slack: Playground) -> None:
        """An argument that a method lacks is refused by name."""
        general = slack.channel("general")

        assert await posted(slack, channel=general.id, colour="red") == "invalid_arguments"
        assert slack.calls[-1].args["colour"] == "red"

    async def test_a_required_one_must_be_there(self, slack: Playground) -> None:
        assert await posted(slack) == "missing_argument"

    async def test_every_method_takes_token_and_team(self, slack: Playground) -> None:
        """Token and team go with every method."""
        body = {"team_id": slack.team.id, "token": slack.bot_token}

        assert (await client(slack).api_call("auth.test", json=body))["ok"]

    async def test_an_object_is_no_string(self, slack: Playground) -> None:
        assert await posted(slack, channel={"id": "C1"}) == "invalid_arguments"

    async def test_form_carries_json_as_string(self, slack: Playground) -> None:
        """A form carries json as a string."""
        general = slack.channel("general")
        form = {"channel": general.id, "blocks": '[{"type": "divider"}]'}
        await client(slack).api_call("chat.postMessage", data=form)

        (message,) = general.messages.values()
        assert message.blocks[0]["type"] == "divider"
        broken = client(slack).api_call("chat.postMessage", data={**form, "blocks": "[{"})
        assert await refused(broken) == "invalid_blocks_format"

    @pytest.mark.parametrize(("body", "error"), [("{", "invalid_json"), ("[]", "json_not_object")])
    async def test_body_must_be_an_object(self, slack: Playground, body: str, error: str) -> None:
        """A body that is no object is refused."""
        headers = {"Content-Type": "application/json"}
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{slack.api_url}/auth.test", data=body, headers=headers) as response,
        ):
            assert (await response.json())["error"] == error


class TestCallers:
    async def test_unknown_method_is_refused(self, slack: Playground) -> None:
        """A method that is none is unknown."""
        assert await refused(client(slack).api_call("chat.shout")) == "unknown_method"

    async def test_missing_token_differs_from_unknown(self, slack: Playground) -> None:
        """No token and an unknown one are told apart."""
        assert await refused(client(slack, "xoxb-nobody").auth_test()) == "invalid_auth"
        assert await refused(client(slack, "").auth_test()) == "not_authed"

    async def test_revoked_and_expired_tokens_are_refused(self) -> None:
        """A revoked and an expired token end."""
        now = [1_000.0]
        async with Playground(clock=lambda: now[0]) as slack:
            token = slack.world.new_token(slack.installation, life_s=60.0)
            assert (await client(slack, token.value).auth_test())["expires_in"] == 60
            now[0] += 60
            assert await refused(client(slack, token.value).auth_test()) == "token_expired"
            await client(slack).auth_revoke()
            assert await refused(client(slack).auth_test()) == "token_revoked"

    async def test_missing_scope_is_named(self) -> None:
        """A scope that is missing is named."""
        async with Playground(app=AppConfig(scopes=("commands",))) as slack:
            general = slack.channel("general")

            assert await posted(slack, channel=general.id) == "missing_scope"
            assert await refused(client(slack).users_info(user=slack.owner.id)) == "missing_scope"

    async def test_app_token_only_opens_connections(self, slack: Playground) -> None:
        """An app token opens connections and no more."""
        app = client(slack, slack.app_token)

        assert await refused(app.auth_test()) == "not_allowed_token_type"
        url = str((await app.apps_connections_open(app_token=slack.app_token))["url"])
        assert url.startswith("ws://127.0.0.1:")
        bot = client(slack).apps_connections_open(app_token=slack.bot_token)
        assert await refused(bot) == "not_allowed_token_type"


async def test_calls_are_logged_with_outcome(slack: Playground) -> None:
    """Every call is logged with how it ended."""
    await client(slack).auth_test()
    await refused(client(slack).api_call("users.info", json={"user": "U404"}))

    (call,) = slack.called("users.info")
    assert (call.args["user"], call.token, call.ok, call.error) == (
        "U404",
        slack.bot_token,
        False,
        "user_not_found",
    )
    assert [call.method for call in slack.calls] == ["auth.test", "users.info"]
