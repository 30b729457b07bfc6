"""Documents over HTTP: sent, put in by a run, listed and deleted, with a right of their own."""

import asyncio
import io
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from sqlalchemy import func, select

from bot.api.file_bodies import FileBounds
from bot.api.surface import NOT_WHOLE, REVOKED, STOPPED
from masis.conversation import LOCAL_TENANT, Tenant
from storage.chat.admin_log import AdminLog
from storage.sql.tables import chat_runs, upload_parts, uploads
from tests.bot.api.service import Reply, Service
from tests.bot.api.test_routes import problem, rows

SLACK = Tenant(team="T1")
LEAVE = b"# Leave\nEvery employee has 26 days of annual leave a year.\n"
BOTH = ("ask", "documents")


class Client:
    """A client whose token may handle documents."""

    def __init__(self, service: Service, token: str) -> None:
        self.service = service
        self.token = token

    def place(self, query: str = "") -> str:
        return f"{self.service.place()}/documents{query}"

    async def put(self, content: bytes = LEAVE, name: str = "leave.txt", **headers: str) -> Reply:
        headers = {"Content_Type": "application/octet-stream", **headers}
        return await self.send("POST", self.place(f"?name={name}"), content, **headers)

    async def send(self, method: str, path: str, body: object = None, **headers: str) -> Reply:
        return await self.service.send(method, path, body, token=self.token, **headers)

    async def ended(self, upload_id: str) -> dict[str, Any]:
        reply = await self.send("GET", f"/masis/uploads/{upload_id}", Prefer="wait=10")
        assert reply.status == 200, reply
        body: dict[str, Any] = reply.body
        return body

    async def listed(self, query: str = "") -> dict[str, Any]:
        reply = await self.send("GET", self.place(query))
        assert reply.status == 200, reply
        body: dict[str, Any] = reply.body
        return body


@pytest.fixture
async def client(idle: Service) -> Client:
    return Client(idle, await idle.another(idle.workspace, rights=BOTH))


@pytest.fixture
async def working(client: Client) -> Client:
    """The same, with the service at work."""
    await client.service.start()
    return client


# --- in, listed, out -----------------------------------------------------------------------


async def test_file_becomes_a_document(working: Client) -> None:
    reply = await working.put()
    assert reply.status == 202
    upload = reply.body
    assert (upload["name"], upload["state"], upload["reason"]) == ("leave.txt", "processing", None)
    assert reply.headers["Location"] == f"/masis/uploads/{upload['id']}"
    assert reply.headers["Retry-After"] == "2"
    ended = await working.ended(upload["id"])
    assert (ended["state"], ended["share"], ended["result"]) == ("ready", 1.0, "added")
    assert ended["chunks"] == ended["version"] == 1
    listing = await working.listed()
    assert [each["name"] for each in listing["documents"]] == ["leave.txt", "paper-0.md"]
    assert listing["documents"][0]["id"] == ended["document_id"]
    assert listing["documents"][0]["state"] == "ready"
    assert (listing["uploads"], listing["next"]) == ([], None)
    assert await rows(working.service, upload_parts) == 0


async def test_new_bytes_replace_a_document(working: Client) -> None:
    first = await working.ended((await working.put()).body["id"])
    second = await working.ended((await working.put(b"Now it is 28 days.")).body["id"])
    third = await working.put(b"Now it is 28 days.", Prefer="wait=10")
    assert (third.status, third.headers["Preference-Applied"]) == (200, "wait=10")
    assert [each["result"] for each in (second, third.body)] == ["updated", "unchanged"]
    assert {each["document_id"] for each in (first, second, third.body)} == {first["document_id"]}


async def test_refusal_has_its_reason(working: Client) -> None:
    ended = await working.ended((await working.put(b"refuse this")).body["id"])
    assert ended["state"] == "refused"
    assert ended["reason"] == "The file is damaged and could not be read."
    assert (ended["document_id"], ended["result"], ended["chunks"]) == (None, None, None)
    listing = await working.listed()
    assert listing["uploads"] == [ended]
    assert [each["name"] for each in listing["documents"]] == ["paper-0.md"]
    assert await rows(working.service, upload_parts) == 0


async def test_share_is_told_where_known(client: Client) -> None:
    """Passages are embedded in portions: how many are done is seen while it goes on."""
    lines = "\n".join(f"# Part {n}\n" + f"Sentence {n} is here. " * 40 for n in range(150))
    gate = client.service.embedder.gate = asyncio.Event()
    await client.service.start()
    upload_id = (await client.put(lines.encode())).body["id"]
    place = f"/masis/uploads/{upload_id}"
    async with asyncio.timeout(20):
        while (seen := (await client.send("GET", place)).body)["share"] is None:
            assert seen["state"] == "processing"
            await asyncio.sleep(0.05)
    assert (await client.listed())["uploads"] == [seen]
    assert 0 <= seen["share"] < 1
    gate.set()
    assert (await client.ended(upload_id))["share"] == 1.0


async def test_deleted_document_is_gone(working: Client) -> None:
    ended = await working.ended((await working.put()).body["id"])
    place = working.place(f"/{ended['document_id']}")
    reply = await working.send("DELETE", place)
    assert (reply.status, reply.body) == (
        200,
        {"id": ended["document_id"], "name": "leave.txt", "blanked": 0},
    )
    assert [each["name"] for each in (await working.listed())["documents"]] == ["paper-0.md"]
    problem(await working.send("DELETE", place), 404, "not_found")


async def test_deletion_empties_answers_that_quote(working: Client) -> None:
    run_id = (await working.service.ask()).body["run_id"]
    [paper] = (await working.listed())["documents"]
    reply = await working.send("DELETE", working.place(f"/{paper['id']}"))
    assert (reply.status, reply.body["blanked"]) == (200, 1)
    assert "was deleted" in (await working.service.look(run_id)).body["error"]


async def test_list_goes_page_by_page(working: Client) -> None:
    for name in ("b.txt", "a.txt"):
        await working.ended((await working.put(name=name)).body["id"])
    first = await working.listed("?limit=2")
    assert [each["name"] for each in first["documents"]] == ["a.txt", "b.txt"]
    rest = await working.listed(f"?limit=2&after={first['next']}")
    assert [each["name"] for each in rest["documents"]] == ["paper-0.md"]
    assert rest["next"] is None
    for wrong in ("0", "1001", "x", "-1", "²"):
        problem(await working.send("GET", working.place(f"?limit={wrong}")), 400, "malformed")


async def test_actions_stand_in_the_log(working: Client) -> None:
    ended = await working.ended((await working.put(Idempotency_Key="k")).body["id"])
    await working.put(Idempotency_Key="k")
    await working.send("DELETE", working.place(f"/{ended['document_id']}"))
    log = await AdminLog(working.service.database).list(LOCAL_TENANT)
    token = working.token.split("_")[1]
    assert [(each.action, each.actor) for each in log] == [
        ("delete", f"api:{token}"),
        ("upload", f"api:{token}"),
    ]


# --- who may -------------------------------------------------------------------------------


async def test_right_is_needed(working: Client) -> None:
    """A token that may ask may not handle documents, and the other way round."""
    service = working.service
    upload_id = (await working.put()).body["id"]
    for method, path in (
        ("POST", working.place("?name=x.txt")),
        ("GET", working.place()),
        ("DELETE", working.place("/d_x")),
        ("GET", f"/masis/uploads/{upload_id}"),
    ):
        problem(await service.send(method, path), 403, "forbidden")
        problem(await service.send(method, path, token="nonsense"), 401, "unauthenticated")
    run_id = (await service.ask()).body["run_id"]
    alone = await service.another(service.workspace, rights=("documents",))
    for method, path, body in (
        ("POST", service.place(), {"query": "?"}),
        ("GET", f"/masis/runs/{run_id}", None),
        ("GET", f"/masis/runs/{run_id}/events", None),
    ):
        problem(await service.send(method, path, body, token=alone), 403, "forbidden")
    assert (await service.send("GET", working.place(), token=alone)).status == 200


async def test_foreign_documents_look_missing(working: Client) -> None:
    service = working.service
    upload_id = (await working.put()).body["id"]
    ended = await working.ended(upload_id)
    payroll = await service.repository.create_workspace("local", "payroll")
    acme = await service.repository.create_workspace(SLACK.owner, "acme")
    for token, workspace in (
        (await service.another(payroll, rights=BOTH), payroll),
        (await service.another(acme, SLACK, BOTH), acme),
    ):
        own = f"{service.place(workspace)}/documents"
        for method, path in (
            ("POST", working.place("?name=x.txt")),
            ("GET", working.place()),
            ("DELETE", working.place(f"/{ended['document_id']}")),
            ("DELETE", f"{own}/{ended['document_id']}"),
            ("GET", f"/masis/uploads/{upload_id}"),
        ):
            problem(await service.send(method, path, token=token), 404, "not_found")
        listing = (await service.send("GET", own, token=token)).body
        assert listing == {"documents": [], "uploads": [], "next": None}


async def test_upload_and_run_are_apart(working: Client) -> None:
    """An upload is no run of a question, and a question's run is no upload."""
    upload_id = (await working.put()).body["id"]
    run_id = (await working.service.ask()).body["run_id"]
    for path in (
        f"/masis/runs/{upload_id}",
        f"/masis/runs/{upload_id}/events",
        f"/masis/uploads/{run_id}",
    ):
        problem(await working.send("GET", path), 404, "not_found")


async def test_other_methods_are_refused(working: Client) -> None:
    for method, path, allowed in (
        ("PUT", working.place(), "GET, POST"),
        ("GET", working.place("/d_x"), "DELETE"),
        ("DELETE", "/masis/uploads/x", "GET"),
    ):
        reply = await working.send(method, path)
        problem(reply, 405, "method_not_allowed")
        assert reply.headers["Allow"] == allowed


# --- what is not taken in ------------------------------------------------------------------


@pytest.mark.parametrize("query", ["", "?name=", "?name=%20", "?name=a%0Ab", "?name=a&name=b"])
async def test_file_needs_a_name(working: Client, query: str) -> None:
    problem(await working.send("POST", working.place(query), LEAVE), 422, "invalid")
    long = f"?name={'x' * 256}"
    problem(await working.send("POST", working.place(long), LEAVE), 422, "invalid")


async def test_other_bodies_are_refused(working: Client) -> None:
    form = {"Content_Type": "multipart/form-data; boundary=x"}
    problem(await working.put(**form), 415, "unsupported_media_type")
    problem(await working.put(Content_Encoding="gzip"), 415, "unsupported_media_type")
    problem(await working.put(b""), 400, "malformed")
    assert await rows(working.service, chat_runs) == await rows(working.service, upload_parts) == 0


async def test_large_file_is_refused(client: Client) -> None:
    """By what its head says, and by what comes where the head says nothing."""
    client.service.file_bounds = FileBounds(most_bytes=3_000_000)
    await client.service.start()

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(4):
            yield b"x" * 1_000_000

    for body in (io.BytesIO(b"x" * 3_000_001), pieces()):
        reply = await chunked(client, body)
        assert reply in {413, None}, reply
    assert await rows(client.service, chat_runs) == await rows(client.service, upload_parts) == 0
    assert await chunked(client, io.BytesIO(b"x" * 3_000_000)) == 202


async def chunked(client: Client, body: object) -> int | None:
    """Send a body as it is; gives the status, None where the connection ended before."""
    url = f"{client.service.url}{client.place('?name=large.txt')}"
    shown = {"Authorization": f"Bearer {client.token}"}
    try:
        async with (
            aiohttp.ClientSession() as session,
            session.post(url, data=body, headers=shown) as answer,
        ):
            return answer.status
    except aiohttp.ClientConnectionError:
        return None


async def test_slow_or_broken_body_leaves_nothing(client: Client) -> None:
    client.service.file_bounds = FileBounds(piece_seconds=0.2, per_token=1)
    await client.service.start()
    forever = asyncio.Event()

    async def slow() -> AsyncIterator[bytes]:
        yield b"x" * 2_000_000
        await forever.wait()

    assert await chunked(client, slow()) in {408, None}
    leaving = asyncio.create_task(chunked(client, slow()))
    await asyncio.sleep(0.1)
    leaving.cancel()
    async with asyncio.timeout(10):
        while (reply := await client.put()).status == 429:
            assert reply.body["code"] == "too_many_uploads"
            await asyncio.sleep(0.05)
    await client.ended(reply.body["id"])
    assert await rows(client.service, upload_parts) == 0


async def test_quotas_are_those_of_questions(client: Client) -> None:
    """What is over quota is refused, and its bytes with it."""
    await client.service.start(working=False)
    for n in range(2):
        assert (await client.put(name=f"{n}.txt")).status == 202
    kept = await rows(client.service, upload_parts)
    reply = await client.put(name="more.txt")
    problem(reply, 429, "over_quota")
    assert int(reply.headers["Retry-After"]) > 0
    assert await rows(client.service, upload_parts) == kept == 2


# --- the same once more, and crashes -------------------------------------------------------


async def test_same_key_is_same_upload(working: Client) -> None:
    replies = [await working.put(Idempotency_Key="k-1") for _ in range(3)]
    assert len({reply.body["id"] for reply in replies}) == 1
    assert await rows(working.service, chat_runs) == 1
    for other in (
        await working.put(b"other bytes", Idempotency_Key="k-1"),
        await working.put(name="other.txt", Idempotency_Key="k-1"),
    ):
        problem(other, 409, "key_reused")
    question = await working.service.ask(
        Idempotency_Key="k-1", Authorization=f"Bearer {working.token}"
    )
    assert question.status == 200
    await working.ended(replies[0].body["id"])
    assert await rows(working.service, upload_parts) == 0


async def test_received_file_survives_a_crash(client: Client) -> None:
    await client.service.start(working=False)
    upload_id = (await client.put()).body["id"]
    await client.service.stop()
    await client.service.start()
    assert (await client.ended(upload_id))["result"] == "added"
    assert client.service.parser.asked == ["leave.txt"]


async def test_end_is_told_once(client: Client) -> None:
    """A run that is done again after its end changes nothing of what it told."""
    await client.service.start(working=False)
    upload_id = (await client.put()).body["id"]
    run = await client.service.runs.get(None, upload_id)
    assert run is not None
    handle = client.service.handler()
    await handle(run)
    first = await client.ended(upload_id)
    await handle(run)
    assert await client.ended(upload_id) == first
    assert first["state"] == "ready"


async def test_missing_bytes_are_said(client: Client) -> None:
    await client.service.start(working=False)
    upload_id = (await client.put()).body["id"]
    async with client.service.database.write() as connection:
        await connection.execute(upload_parts.delete())
    await client.service.stop()
    await client.service.start()
    ended = await client.ended(upload_id)
    assert (ended["state"], ended["reason"]) == ("refused", NOT_WHOLE)


@pytest.mark.parametrize("how", ["revoked", "stopped"])
async def test_upload_can_end_before_it_begins(client: Client, how: str) -> None:
    service = client.service
    await service.start(working=False)
    upload_id = (await client.put()).body["id"]
    if how == "revoked":
        await service.tokens.revoke(LOCAL_TENANT, client.token.split("_")[1])
    else:
        assert await service.engine.cancel(upload_id, "operator")
    await service.stop()
    await service.start()
    client.token = await service.another(service.workspace, rights=BOTH)
    ended = await client.ended(upload_id)
    assert ended["state"] == "refused"
    assert ended["reason"] == (REVOKED if how == "revoked" else STOPPED)
    assert service.parser.asked == []
    assert await rows(service, upload_parts) == 0


async def test_deleted_workspace_leaves_nothing(client: Client) -> None:
    await client.service.start(working=False)
    await client.put()
    await client.service.repository.delete_workspace(client.service.workspace.id)
    async with client.service.database.read() as connection:
        for table in (upload_parts, uploads, chat_runs):
            assert await connection.scalar(select(func.count()).select_from(table)) == 0
