"""Slack and HTTP side by side: one bot, one engine, each with its own."""

import datetime as dt
from pathlib import Path

import aiohttp
import pytest

from storage.accounts.api_tokens import ApiTokens
from tests.walks.office import QUESTION, office


@pytest.mark.parametrize("socket", [False, True])
async def test_api_questions_stay_out_of_slack(tmp_path: Path, *, socket: bool) -> None:
    """A program asks while people ask in slack."""
    async with office(tmp_path, socket=socket) as here:
        lifetime = dt.timedelta(days=1)
        _, shown = await ApiTokens(here.app.database).create(
            here.tenant, here.workspace.id, lifetime=lifetime
        )
        asking = f"{here.address}/masis/workspaces/{here.workspace.id}"
        bearer = {"Authorization": f"Bearer {shown.get_secret_value()}"}
        before = here.transcript()
        async with (
            aiohttp.ClientSession(headers=bearer) as session,
            session.post(asking, json={"query": QUESTION}) as answer,
        ):
            body = await answer.json()
        assert (answer.status, body["status"]) == (200, "success")
        assert "26 days of annual leave" in body["answer"]
        await here.settled()
        assert here.transcript() == before, "nothing of it is said in Slack"

        await here.types(here.alice, QUESTION)
        posted = await here.sees(here.alice, "High")
        asked = await here.bot.services.runs.recent(here.tenant, 10)
        assert len(asked) == 2
        by_alice = next(run for run in asked if run.asker == here.alice.user.id)
        async with (
            aiohttp.ClientSession(headers=bearer) as session,
            session.get(f"{here.address}/masis/runs/{by_alice.id}") as foreign,
        ):
            assert foreign.status == 404
        assert posted
