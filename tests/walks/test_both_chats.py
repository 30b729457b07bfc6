"""Slack, Teams and the API served by one process: each is answered from what is its own."""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

import aiohttp

from bot.api.routes import ROOT
from bot.playground.teams.connector_standin import connecting, member
from bot.playground.teams.issuer import APP, HOME, SECRET, issuing
from bot.playground.teams.room import TeamsRoom
from bot.playground.teams.teams_payloads import ANN, mention
from storage.privacy.purge import Purge
from tests.walks.office import QUESTION, office
from tests.walks.teams_office import TEAM, fill, words

THEIRS: Final = "# Leave\n\nEvery employee has 31 days of annual leave a year.\n"


async def test_each_chat_answers_from_its_own(tmp_path: Path) -> None:
    """Workspaces of the same name hold another document in each."""
    async with AsyncExitStack() as closing:
        issuer = await closing.enter_async_context(issuing())
        connector = await closing.enter_async_context(connecting())
        connector.members = {ANN: member()}
        teams: dict[str, Any] = {
            "MASIS_TEAMS_APP_ID": APP,
            "MASIS_TEAMS_APP_SECRET": SECRET,
            "MASIS_TEAMS_HOME_TENANT": HOME,
            "MASIS_TEAMS_LOGIN_URL": issuer.url,
            "MASIS_TEAMS_METADATA_URL": issuer.metadata_url,
            "MASIS_TEAMS_GRAPH_URL": issuer.url,
            "MASIS_TEAMS_SERVICE_HOSTS": "127.0.0.1",
        }
        served = office(tmp_path, model=False, MASIS_EMBEDDER="none", **teams)
        here = await closing.enter_async_context(served)
        room = TeamsRoom(issuer, connector, here.address)
        await fill(here.app, {"leave.md": THEIRS})

        await room.say(mention(QUESTION))
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "High")
        await room.until(lambda: bool(connector.shown) and not room.is_at_work())
        (card,) = map(words, connector.shown)
        assert ("31 days" in card, "26 days" in card) == (True, False)
        slack = here.transcript()
        assert ("26 days" in slack, "31 days" in slack) == (True, False)

        runs = here.bot.services.runs
        assert [len(await runs.recent(each, 9)) for each in (here.tenant, TEAM)] == [1, 1]
        url = f"{here.address}{ROOT}/workspaces/{here.workspace.id}"
        async with aiohttp.ClientSession() as browser:
            assert (await browser.post(url, json={"question": QUESTION})).status == 401

        await Purge(here.app.database).purge_team(TEAM)
        assert [len(await runs.recent(each, 9)) for each in (here.tenant, TEAM)] == [1, 0]
        assert await here.app.repository.workspace(here.tenant.owner, "handbook") is not None
        assert await here.app.repository.workspace(TEAM.owner, "handbook") is None
