"""One process takes requests in and another works on them: all that they share is PostgreSQL."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import NamedTuple

import pytest

from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.bot.api.document_client import Client
from tests.bot.api.followed import following
from tests.bot.api.service import Service, stocked
from tests.scripted_agents import Cast, ScriptedResearcher


class Two(NamedTuple):
    """A service that takes in, and one that works."""

    ingress: Service
    worker: Service


@pytest.fixture
async def two(postgres_url: str) -> AsyncIterator[Two]:
    """Two services that know nothing of each other."""
    async with AsyncExitStack() as closing:
        made: list[Service] = []
        workspace, found = None, None
        for _ in range(2):
            database = await Database.open(postgres_url)
            closing.push_async_callback(database.close)
            if workspace is None or found is None:
                workspace, found = await stocked(SqlRepository(database))
            service = Service(
                database, workspace, "", Cast(researcher=ScriptedResearcher([[found]]))
            )
            closing.push_async_callback(service.stop)
            made.append(service)
        ingress, worker = made
        ingress.token = await ingress.another(ingress.workspace, rights=("ask", "documents"))
        await ingress.start(working=False)
        yield Two(ingress, worker)


async def test_run_is_followed_from_elsewhere(two: Two) -> None:
    run_id = (await two.ingress.ask(Prefer="wait=0")).body["run_id"]
    async with following(two.ingress, run_id) as stream:
        await two.worker.start()
        events = await stream.rest()
    assert [each.event for each in events[-3:]] == ["answer", "sources", "end"]
    assert [each.id for each in events[:-3]] == [str(n + 1) for n in range(len(events) - 3)]
    assert len(events) > 3
    assert events[-3].data == (await two.ingress.look(run_id)).body
    assert events[-1].data["status"] == "success"


async def test_file_is_put_in_elsewhere(two: Two) -> None:
    client = Client(two.ingress, two.ingress.token)
    upload_id = (await client.put(Idempotency_Key="k-1")).body["id"]
    await two.worker.start()
    ended = await client.ended(upload_id)
    assert (ended["state"], ended["result"]) == ("ready", "added")
    assert (two.ingress.parser.asked, two.worker.parser.asked) == ([], ["leave.txt"])
    assert (await client.put(Idempotency_Key="k-1")).body == ended
    names = [each["name"] for each in (await client.listed())["documents"]]
    assert names == ["leave.txt", "paper-0.md"]
    deleted = await client.send("DELETE", client.place(f"/{ended['document_id']}"))
    assert deleted.status == 200
    assert len((await client.listed())["documents"]) == 1
