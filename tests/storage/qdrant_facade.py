"""A small Qdrant REST server over the embedded engine, for the unmodified client on loopback.

It has the endpoints, status codes and answers that our adapter uses, and the engine's real scores.
It is not the server: no cluster, no aliases, no strict mode. It can be told to misbehave.
"""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import qdrant_edge as edge
from aiohttp import web

Json = dict[str, Any]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_INDEX_TYPES = {
    "keyword": edge.PayloadSchemaType.Keyword,
    "integer": edge.PayloadSchemaType.Integer,
}
READY = "/readyz"


@dataclass
class Collection:
    """One shard with the configuration it was made with."""

    shard: edge.EdgeShard
    config: Json
    indexes: dict[str, Json] = field(default_factory=dict)


class QdrantFacade:
    """Serves `folder` at `url` between `start` and `stop`.

    `next_responses` are given, one a request, instead of real answers; `delay` comes before any.
    """

    def __init__(self, folder: Path, *, api_key: str = "") -> None:
        self._folder = folder
        self._api_key = api_key
        self._collections: dict[str, Collection] = {}
        self._runner: web.AppRunner | None = None
        self.url = ""
        self.requests: list[tuple[str, str, Json]] = []
        self.next_responses: list[web.Response] = []
        self.delay = 0.0

    async def start(self) -> None:
        app = web.Application(middlewares=[self._gate], client_max_size=32 * 2**20)
        one = "/collections/{name}"
        app.add_routes(
            [
                web.get(READY, self._ready),
                web.get("/collections", self._list),
                web.get(one, self._info),
                web.put(one, self._create),
                web.get(f"{one}/exists", self._exists),
                web.put(f"{one}/index", self._index),
                web.put(f"{one}/points", self._upsert),
                web.post(f"{one}/points/query", self._query),
                web.post(f"{one}/points/scroll", self._scroll),
                web.post(f"{one}/points/delete", self._delete),
                web.post(f"{one}/points/count", self._count),
            ]
        )
        # A client that gave up takes its request with it, so that stopping waits for nobody.
        self._runner = web.AppRunner(app, handler_cancellation=True)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
        for collection in self._collections.values():
            collection.shard.close()
        self._collections.clear()

    @web.middleware
    async def _gate(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        body = await request.json() if request.can_read_body else {}
        self.requests.append((request.method, request.path, body))
        await asyncio.sleep(self.delay)
        if self.next_responses:
            return self.next_responses.pop(0)
        # Like the server's own it is asked without a key, by whoever balances or restarts.
        is_open = request.path == READY
        if self._api_key and not is_open and request.headers.get("api-key") != self._api_key:
            return web.Response(status=401, text="Must provide an API key or an Authorization")
        name = request.match_info.get("name")
        fresh = request.path.endswith("/exists") or handler == self._create
        if name is not None and name not in self._collections and not fresh:
            return _error(404, f"Not found: Collection `{name}` doesn't exist!")
        try:
            return await handler(request)
        except Exception as error:  # noqa: BLE001 - the engine raises nothing more exact
            return _error(400, f"Wrong input: {error}")

    async def _ready(self, _request: web.Request) -> web.Response:
        return web.Response(text="all shards are ready")

    async def _list(self, _request: web.Request) -> web.Response:
        return _result({"collections": [{"name": name} for name in self._collections]})

    async def _exists(self, request: web.Request) -> web.Response:
        return _result({"exists": request.match_info["name"] in self._collections})

    async def _info(self, request: web.Request) -> web.Response:
        collection = self._of(request)
        count = await asyncio.to_thread(collection.shard.count, edge.CountRequest())
        optimizer = {
            "deleted_threshold": 0.2,
            "vacuum_min_vector_number": 1000,
            "default_segment_number": 0,
            "flush_interval_sec": 5,
        }
        hnsw = {"m": 16, "ef_construct": 100, "full_scan_threshold": 10000}
        return _result(
            {
                "status": "green",
                "optimizer_status": "ok",
                "points_count": count,
                "segments_count": 1,
                "config": {
                    "params": collection.config,
                    "hnsw_config": hnsw,
                    "optimizer_config": optimizer,
                },
                "payload_schema": {
                    name: {"data_type": schema["type"], "params": schema, "points": count}
                    for name, schema in collection.indexes.items()
                },
            }
        )

    async def _create(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name in self._collections:
            return _error(409, f"Wrong input: Collection `{name}` already exists!")
        body = await request.json()
        folder = self._folder / name
        folder.mkdir(parents=True)
        dense = {
            key: edge.EdgeVectorParams(size=value["size"], distance=edge.Distance.Cosine)
            for key, value in body.get("vectors", {}).items()
        }
        sparse = {
            key: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)
            for key, value in body["sparse_vectors"].items()
            if value["modifier"] == "idf"
        }
        config = edge.EdgeConfig(vectors=dense or None, sparse_vectors=sparse)
        shard = edge.EdgeShard.create(str(folder), config)
        params = {key: body[key] for key in ("vectors", "sparse_vectors") if body.get(key)}
        self._collections[name] = Collection(shard, params)
        return _result(value=True)

    async def _index(self, request: web.Request) -> web.Response:
        body = await request.json()
        collection = self._of(request)
        operation = edge.UpdateOperation.create_field_index(
            body["field_name"], _INDEX_TYPES[body["field_schema"]["type"]]
        )
        await asyncio.to_thread(collection.shard.update, operation)
        collection.indexes[body["field_name"]] = body["field_schema"]
        return _done()

    async def _upsert(self, request: web.Request) -> web.Response:
        body = await request.json()
        points = [
            edge.Point(
                uuid.UUID(point["id"]),
                {name: _vector(vector) for name, vector in point["vector"].items()},
                point["payload"],
            )
            for point in body["points"]
        ]
        operation = edge.UpdateOperation.upsert_points(points)
        await asyncio.to_thread(self._of(request).shard.update, operation)
        return _done()

    async def _delete(self, request: web.Request) -> web.Response:
        scope = _filter((await request.json())["filter"])
        operation = edge.UpdateOperation.delete_points_by_filter(scope)
        await asyncio.to_thread(self._of(request).shard.update, operation)
        return _done()

    async def _count(self, request: web.Request) -> web.Response:
        body = await request.json()
        counted = edge.CountRequest(exact=body["exact"], filter=_filter(body["filter"]))
        return _result({"count": await asyncio.to_thread(self._of(request).shard.count, counted)})

    async def _query(self, request: web.Request) -> web.Response:
        body = await request.json()
        query = edge.QueryRequest(
            limit=body["limit"],
            query=_scoring(body["query"], body.get("using")),
            prefetches=[_prefetch(branch) for branch in body.get("prefetch") or []],
            filter=_filter(body["filter"]),
            params=_params(body.get("params")),
            with_payload=body["with_payload"],
        )
        found = await asyncio.to_thread(self._of(request).shard.query, query)
        points = [
            {"id": str(point.id), "version": 0, "score": point.score, "payload": point.payload}
            for point in found
        ]
        return _result({"points": points})

    async def _scroll(self, request: web.Request) -> web.Response:
        body = await request.json()
        asked = edge.ScrollRequest(
            limit=body["limit"],
            filter=_filter(body["filter"]),
            with_payload=body["with_payload"],
            with_vector=body["with_vector"],
        )
        found, _ = await asyncio.to_thread(self._of(request).shard.scroll, asked)
        points = [
            {"id": str(point.id), "payload": point.payload, "vector": point.vector}
            for point in found
        ]
        return _result({"points": points, "next_page_offset": None})

    def _of(self, request: web.Request) -> Collection:
        return self._collections[request.match_info["name"]]


def _result(value: object) -> web.Response:
    return web.json_response({"result": value, "status": "ok", "time": 0.001})


def _done() -> web.Response:
    return _result({"operation_id": 1, "status": "completed"})


def _error(status: int, message: str) -> web.Response:
    return web.json_response({"status": {"error": message}, "time": 0.001}, status=status)


def _vector(value: list[float] | Json) -> list[float] | edge.SparseVector:
    if isinstance(value, dict):
        return edge.SparseVector(value["indices"], value["values"])
    return value


def _scoring(query: Any, using: str | None) -> Any:
    if isinstance(query, dict) and "fusion" in query:
        assert query["fusion"] == "dbsf"
        return edge.Fusion.Dbsf()
    nearest = query["nearest"] if isinstance(query, dict) and "nearest" in query else query
    return edge.Query.Nearest(_vector(nearest), using=using)


def _prefetch(branch: Json) -> edge.Prefetch:
    return edge.Prefetch(
        limit=branch["limit"],
        query=_scoring(branch["query"], branch["using"]),
        filter=_filter(branch["filter"]),
        params=_params(branch.get("params")),
    )


def _params(params: Json | None) -> edge.SearchParams | None:
    if not params:
        return None
    idf = edge.IdfParams(corpus=_filter(params["idf"]["corpus"])) if params.get("idf") else None
    return edge.SearchParams(exact=bool(params.get("exact")), idf=idf)


def _filter(scope: Json) -> edge.Filter:
    parts = {
        name: [_condition(condition) for condition in scope.get(name) or []]
        for name in ("must", "should", "must_not")
    }
    return edge.Filter(
        must=parts["must"], should=parts["should"] or None, must_not=parts["must_not"]
    )


def _condition(condition: Json) -> Any:
    if {"must", "should", "must_not"} & condition.keys():
        return _filter(condition)
    if "has_id" in condition:
        return edge.HasIdCondition({uuid.UUID(point) for point in condition["has_id"]})
    match = condition["match"]
    any_of = edge.MatchAny(match["any"]) if "any" in match else edge.MatchValue(match["value"])
    return edge.FieldCondition(key=condition["key"], match=any_of)
