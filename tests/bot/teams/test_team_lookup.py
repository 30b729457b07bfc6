"""Which team something was said in, where Teams does not name it by its id in Entra."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.playground.teams.teams_payloads import GROUP, Json, activity, mention, personal
from bot.teams.connector.connector_errors import Unavailable
from bot.teams.inbound.activities import Where, read
from bot.teams.team_lookup import TeamLookup
from storage.chat.teams_places import TeamsPlaces
from tests.bot.teams.test_one_outcome import Town, made

NEW = {"conversationType": "channel", "id": "19:new@thread.tacv2;messageid=1"}


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    async with made(tmp_path) as found:
        yield found


def lookup(town: Town) -> TeamLookup:
    return TeamLookup(town.connector, TeamsPlaces(town.database))


def where(town: Town, body: Json) -> Where:
    heard = read(body | {"serviceUrl": town.standin.url})
    assert heard is not None
    return heard.where


def new(town: Town) -> Where:
    """A message in a channel that MASIS knows nothing of."""
    body = mention()
    return where(town, body | {"conversation": body["conversation"] | NEW})


async def test_message_gets_its_team_once(town: Town) -> None:
    teams, said = lookup(town), new(town)
    assert said.group == ""
    for _ in range(3):
        assert (await teams.completed(said)).group == GROUP
    assert len(town.standin.calls) == 1


async def test_known_place_asks_nobody(town: Town) -> None:
    assert (await lookup(town).completed(where(town, mention()))).group == GROUP
    assert town.standin.calls == []


async def test_named_team_and_chat_stay(town: Town) -> None:
    for body in (activity("installationUpdate", action="add"), personal()):
        said = where(town, body)
        assert await lookup(town).completed(said) == said
    assert town.standin.calls == []


async def test_team_that_nobody_names_stays_unknown(town: Town) -> None:
    town.standin.fail("GET", 404)
    assert (await lookup(town).completed(new(town))).group == ""


async def test_silent_teams_is_asked_later(town: Town) -> None:
    """It is tried again later."""
    town.standin.fail("GET", *[503] * 10)
    with pytest.raises(Unavailable):
        await lookup(town).completed(new(town))
