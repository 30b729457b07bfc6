"""The document describes what is served: every place, and every body that comes back."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from aiohttp import web
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from bot.api.openapi import document
from tests.bot.api.document_client import Client
from tests.bot.api.followed import following
from tests.bot.api.service import QUESTION, Reply, Service, held

DOCUMENT = document()


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for each in node.values():
            yield from nodes(each)
    elif isinstance(node, list):
        for each in node:
            yield from nodes(each)


def test_every_reference_leads_somewhere() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    named = {node["$ref"] for node in nodes(DOCUMENT) if "$ref" in node}
    assert named
    assert named <= {f"#/components/schemas/{name}" for name in schemas}
    assert set(schemas) == {name.rsplit("/", 1)[1] for name in named}, "nothing is left over"


def test_every_schema_is_one() -> None:
    for schema in DOCUMENT["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_place_names_its_parameters() -> None:
    for path, item in DOCUMENT["paths"].items():
        for operation in item.values():
            inside = {each["name"] for each in operation["parameters"] if each["in"] == "path"}
            assert inside == set(re.findall(r"\{(\w+)\}", path))
            assert all(each["required"] for each in operation["parameters"] if each["in"] == "path")


def test_unknown_field_invalidates_a_question() -> None:
    """A question with unknown fields is no question."""
    asking = DOCUMENT["components"]["schemas"]["Ask"]
    assert asking["additionalProperties"] is False
    assert asking["required"] == ["query"]
    fields = {"query", "max_retries", "in_reply_to", "thread", "mode", "classify"}
    assert set(asking["properties"]) == fields


async def test_it_is_served_to_anybody(service: Service) -> None:
    reply = await service.send("GET", "/masis/openapi.json", token="")
    assert (reply.status, reply.body) == (200, DOCUMENT)


def validator(reference: str) -> Draft202012Validator:
    """What checks values against a schema of the document."""
    registry: Registry[Any] = Registry().with_resource(
        "urn:document", Resource.from_contents(DOCUMENT, DRAFT202012)
    )
    return Draft202012Validator({"$ref": f"urn:document{reference}"}, registry=registry)


def described(reply: Reply, path: str, method: str) -> None:
    """Check a reply against what the document says of it."""
    said = DOCUMENT["paths"][path][method]["responses"][str(reply.status)]
    kind = reply.headers["Content-Type"].partition(";")[0]
    validator(said["content"][kind]["schema"]["$ref"]).validate(reply.body)
    assert set(said.get("headers", {})) <= set(reply.headers)


async def test_what_comes_back_is_as_described(idle: Service) -> None:
    asking, looking = "/masis/workspaces/{workspace_id}", "/masis/runs/{run_id}"
    async with held(idle):
        await idle.start()
        first = await idle.ask(Prefer="wait=0", Idempotency_Key="k-1")
        await idle.ask("Another?", Prefer="wait=0")
        described(first, asking, "post")
        described(await idle.ask("One more?"), asking, "post")
        described(await idle.look(first.body["run_id"]), looking, "get")
    answered = await idle.look(first.body["run_id"], Prefer="wait=10")
    wrong = [
        await idle.ask(QUESTION + "?", Idempotency_Key="k-1"),
        await idle.ask(5),
        await idle.ask(Authorization="Bearer nonsense"),
        await idle.send("POST", idle.place(), b"{", Content_Type="application/json"),
        await idle.send("POST", "/masis/workspaces/w_x", {"query": "?"}),
    ]
    described(answered, looking, "get")
    assert [reply.status for reply in wrong] == [409, 422, 401, 400, 404]
    for reply in wrong:
        described(reply, asking, "post")
    described(await idle.look("nosuch"), looking, "get")


async def test_events_are_as_described(service: Service) -> None:
    run_id = (await service.ask()).body["run_id"]
    said = DOCUMENT["paths"]["/masis/runs/{run_id}/events"]["get"]["responses"]["200"]
    data = said["content"]["text/event-stream"]["x-events"]
    async with following(service, run_id) as stream:
        events = await stream.rest()
    for each in events:
        validator(data[each.event]["$ref"]).validate(each.data)
    assert {each.event for each in events} == set(data)


async def test_documents_are_as_described(idle: Service) -> None:
    here = "/masis/workspaces/{workspace_id}/documents"
    one, upload = f"{here}/{{document_id}}", "/masis/uploads/{upload_id}"
    client = Client(idle, await idle.another(idle.workspace, rights=("documents",)))
    await idle.start()
    first = await client.put()
    described(first, here, "post")
    ended = await client.send("GET", f"/masis/uploads/{first.body['id']}", Prefer="wait=10")
    described(ended, upload, "get")
    described(await client.put(b"refuse", Prefer="wait=10"), here, "post")
    described(await client.put(b""), here, "post")
    described(await client.send("POST", client.place(), b"x"), here, "post")
    described(await client.send("GET", client.place()), here, "get")
    described(await client.send("GET", client.place("?limit=0")), here, "get")
    described(await client.send("GET", "/masis/uploads/nosuch"), upload, "get")
    described(await idle.send("GET", client.place()), here, "get")
    gone = client.place(f"/{ended.body['document_id']}")
    for _ in range(2):
        described(await client.send("DELETE", gone), one, "delete")


@pytest.mark.parametrize(("path", "item"), DOCUMENT["paths"].items())
async def test_every_place_is_served(service: Service, path: str, item: dict[str, Any]) -> None:
    filled = re.sub(r"\{\w+\}", "x", path)
    for method in item:
        reply = await service.send(method.upper(), filled, token="")
        assert reply.status == web.HTTPUnauthorized.status_code
