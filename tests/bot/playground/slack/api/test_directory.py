import pytest

from bot.playground.server import Playground
from bot.playground.slack.entities import Role
from tests.bot.playground.small_bot import client, refused, section


async def test_the_app_learns_who_it_is(slack: Playground) -> None:
    told = await client(slack).auth_test()

    assert (told["team_id"], told["user_id"], told["bot_id"]) == (
        slack.team.id,
        slack.installation.bot_user_id,
        slack.installation.bot_id,
    )
    assert "enterprise_id" not in told.data


async def test_organisation_team_is_marked() -> None:
    """A team of an organisation says so."""
    async with Playground(enterprise="Northmoor Group") as slack:
        assert str((await client(slack).auth_test())["enterprise_id"]).startswith("E")


@pytest.mark.parametrize(
    ("role", "true"),
    [
        ("member", set()),
        ("admin", {"is_admin"}),
        ("owner", {"is_admin", "is_owner"}),
        ("guest", {"is_restricted"}),
        ("single_channel_guest", {"is_restricted", "is_ultra_restricted"}),
        ("bot", {"is_bot"}),
    ],
)
async def test_a_role_is_told_in_flags(slack: Playground, role: Role, true: set[str]) -> None:
    person = slack.person("alice", role)
    user = (await client(slack).users_info(user=person.id))["user"]

    assert {name for name, value in user.items() if value is True} == true


async def test_outsider_becomes_known_by_sharing(
    slack: Playground,
) -> None:
    """Somebody of another team is a stranger until they share a channel."""
    partner = slack.world.add_team("Vendel")
    victor = slack.person("victor", team=partner)
    web = client(slack)

    assert (await web.users_info(user=victor.id))["user"]["is_stranger"]
    slack.channel("project", victor, connected=[partner])
    assert not (await web.users_info(user=victor.id))["user"]["is_stranger"]
    assert await refused(web.users_info(user="U404")) == "user_not_found"


async def test_listed_is_ones_own_team(slack: Playground) -> None:
    slack.person("victor", team=slack.world.add_team("Vendel"))

    told = await client(slack).users_list()
    assert [user["name"] for user in told["members"]] == ["olivia", "MASIS"]


async def test_team_info_requires_its_scope(slack: Playground) -> None:
    """The team is told with the scope for it."""
    web = client(slack)
    assert await refused(web.team_info()) == "missing_scope"
    slack.installation.scopes += ("team:read",)

    assert (await web.team_info())["team"]["domain"] == "northmoor"
    assert await refused(web.team_info(team="T404")) == "team_not_found"


async def test_bot_info_includes_its_app(slack: Playground) -> None:
    """A bot is told with its app."""
    web = client(slack)
    told = await web.bots_info(bot=slack.installation.bot_id)

    assert told["bot"]["app_id"] == slack.world.app.id
    assert await refused(web.bots_info(bot="B404")) == "bot_not_found"


async def test_blocks_are_validated_without_being_posted(slack: Playground) -> None:
    web = client(slack)
    good = await web.api_call("blocks.validate", json={"blocks": [section("a")]})

    assert good["ok"]
    bad = web.api_call("blocks.validate", json={"message": {"blocks": [section("a" * 3001)]}})
    assert await refused(bad) == "invalid_message"
    both = web.api_call("blocks.validate", json={"blocks": [], "view": {}})
    assert await refused(both) == "invalid_arguments"
