"""The description of the HTTP API: OpenAPI 3.1, its schemas generated from the models in use."""

import json
from functools import cache
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from bot.api.document_values import Deleted, Listing, Upload
from bot.api.documents import MOST_ON_A_PAGE, PAGE
from bot.api.events import EndEvent, SourcesEvent, StepEvent
from bot.api.http_requests import DEFAULT_WAIT_SECONDS, MAX_WAIT_SECONDS, Ask
from bot.api.problems import CONTENT_TYPE, Problem
from bot.api.server_sent import CONTENT_TYPE as EVENTS
from bot.results import Pending, Result
from masis import __version__
from masis.documents.parsing.limits import FILE_BYTES

Node = dict[str, Any]
"""A part of the document."""

_SCHEMAS: Final = "#/components/schemas/"
_ABOUT: Final = (
    "Ask a workspace's documents. Every claim of an answer cites its source; the confidence is"
    " computed. A token reaches one workspace, and the runs that were asked of it this way; with"
    " the right to, its documents."
)
_PROBLEMS: Final = {
    "400": "The request cannot be read.",
    "401": "No token that works was shown.",
    "403": "The token has no right to do this.",
    "404": "There is no such thing, or the token does not reach it.",
    "408": "The body did not arrive in time.",
    "409": "The Idempotency-Key stands for another question or file.",
    "413": f"The body is over 64 KiB; a file over {FILE_BYTES // 1_000_000} MB.",
    "415": "The body is not application/json; a file is sent in a form, or encoded.",
    "422": "The body is not a question, or a file has no name; `errors` says what is wrong.",
    "429": "Too many: by a quota, tokens that were wrong, streams or uploads that are open.",
    "503": "The database does not answer; see Retry-After.",
}
_ASKING: Final = tuple(_PROBLEMS)
_LOOKING: Final = ("401", "403", "404", "429", "503")
_LISTING: Final = ("400", *_LOOKING)
_WITH_RETRY_AFTER: Final = frozenset({"429", "503"})


@cache
def text() -> str:
    """The document as JSON."""
    return json.dumps(document(), ensure_ascii=False, indent=2)


def document() -> Node:
    """The document."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "MASIS", "version": __version__, "description": _ABOUT},
        "paths": {
            "/masis/workspaces/{workspace_id}": {"post": _ask()},
            "/masis/runs/{run_id}": {"get": _look()},
            "/masis/runs/{run_id}/events": {"get": _follow()},
            "/masis/workspaces/{workspace_id}/documents": {
                "post": _put(),
                "get": _list(),
            },
            "/masis/workspaces/{workspace_id}/documents/{document_id}": {"delete": _delete()},
            "/masis/uploads/{upload_id}": {"get": _look_at_upload()},
        },
        "security": [{"token": []}],
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": _schemas(),
        },
    }


def _ask() -> Node:
    return {
        "operationId": "ask",
        "summary": "Ask a workspace",
        "parameters": [
            _workspace(),
            _prefer(DEFAULT_WAIT_SECONDS),
            _key("run"),
        ],
        "requestBody": {"required": True, "content": _content("application/json", Ask)},
        "responses": _results(Result, Pending) | _problems(_ASKING),
    }


def _look() -> Node:
    return {
        "operationId": "look",
        "summary": "Get the result of a run",
        "parameters": [
            _parameter("run_id", "path", "The run's id, as it was given when it was asked."),
            _prefer(0),
        ],
        "responses": _results(Result, Pending) | _problems(_LOOKING),
    }


def _follow() -> Node:
    last = "The id of the last event that came; the stream goes on after it."
    return {
        "operationId": "follow",
        "summary": "Follow a run as server-sent events",
        "parameters": [
            _parameter("run_id", "path", "The run's id, as it was given when it was asked."),
            _parameter("Last-Event-ID", "header", last),
        ],
        "responses": {
            "200": {
                "description": (
                    "The events: `status` for each step that begins or ends, and once the run has"
                    " ended `answer`, `sources` and `end`. The data of each is JSON, as `x-events`"
                    " says. A stream that ends without `end` is to be opened again."
                ),
                "content": {
                    EVENTS: {
                        "schema": {"type": "string"},
                        "x-events": {
                            "status": _schema(StepEvent),
                            "answer": _schema(Result),
                            "sources": _schema(SourcesEvent),
                            "end": _schema(EndEvent),
                        },
                    }
                },
            },
            "204": {"description": "The client has had the event `end`: there is no more."},
        }
        | _problems(_LOOKING),
    }


def _put() -> Node:
    return {
        "operationId": "put",
        "summary": "Put a document in",
        "parameters": [
            _workspace(),
            _parameter("name", "query", "The document's name; one of that name is replaced.")
            | {"required": True},
            _prefer(0),
            _key("upload"),
        ],
        "requestBody": {
            "required": True,
            "description": "The file's own bytes. What it is they say, and its name.",
            "content": {"application/octet-stream": {}},
        },
        "responses": _results(Upload, Upload) | _problems(_ASKING),
    }


def _look_at_upload() -> Node:
    return {
        "operationId": "lookAtUpload",
        "summary": "Get how far an upload is, or what came of it",
        "parameters": [
            _parameter("upload_id", "path", "The upload's id, as it was given when it was sent."),
            _prefer(0),
        ],
        "responses": _results(Upload, Upload) | _problems(_LOOKING),
    }


def _list() -> Node:
    limit = f"How many, 1 to {MOST_ON_A_PAGE}; {PAGE} without it."
    return {
        "operationId": "list",
        "summary": "List documents by name, and the newest uploads that are none, or not yet",
        "parameters": [
            _workspace(),
            _parameter("limit", "query", limit),
            _parameter("after", "query", "`next` of the page before."),
        ],
        "responses": {
            "200": {
                "description": "A page.",
                "content": _content("application/json", Listing),
            }
        }
        | _problems(_LISTING),
    }


def _delete() -> Node:
    return {
        "operationId": "delete",
        "summary": "Delete a document, and the texts of stored answers that quote it",
        "parameters": [
            _workspace(),
            _parameter("document_id", "path", "The document's id, as the list has it."),
        ],
        "responses": {
            "200": {"description": "It is gone.", "content": _content("application/json", Deleted)}
        }
        | _problems(_LOOKING),
    }


def _workspace() -> Node:
    return _parameter("workspace_id", "path", "The workspace that the token is for.")


def _key(what: str) -> Node:
    said = f"1 to 255 printable characters. With this token the same key is the same {what}."
    return _parameter("Idempotency-Key", "header", said)


def _prefer(default: int) -> Node:
    said = (
        f"`wait=N` waits up to N seconds for the result (at most {MAX_WAIT_SECONDS}),"
        f" `respond-async` not at all (RFC 7240). Without it: {default} seconds."
    )
    return _parameter("Prefer", "header", said)


def _parameter(name: str, place: str, said: str) -> Node:
    return {
        "name": name,
        "in": place,
        "required": place == "path",
        "description": said,
        "schema": {"type": "string"},
    }


def _results(ended: type[BaseModel], going: type[BaseModel]) -> Node:
    place = _header("Where it is.")
    return {
        "200": {
            "description": "It has ended.",
            "headers": {"Content-Location": place},
            "content": _content("application/json", ended),
        },
        "202": {
            "description": "It goes on; look again at the Location.",
            "headers": {"Location": place, "Retry-After": _header("Seconds.")},
            "content": _content("application/json", going),
        },
    }


def _problems(codes: tuple[str, ...]) -> Node:
    return {code: _problem(code) for code in codes}


def _problem(code: str) -> Node:
    headers = {"Retry-After": _header("Seconds.")} if code in _WITH_RETRY_AFTER else {}
    return {
        "description": _PROBLEMS[code],
        "content": _content(CONTENT_TYPE, Problem),
        **({"headers": headers} if headers else {}),
    }


def _header(said: str) -> Node:
    return {"description": said, "schema": {"type": "string"}}


def _content(kind: str, model: type[BaseModel]) -> Node:
    return {kind: {"schema": _schema(model)}}


def _schema(model: type[BaseModel]) -> Node:
    return {"$ref": f"{_SCHEMAS}{model.__name__}"}


def _schemas() -> Node:
    _, made = models_json_schema(
        [
            (Ask, "validation"),
            (Result, "serialization"),
            (Pending, "serialization"),
            (StepEvent, "serialization"),
            (SourcesEvent, "serialization"),
            (EndEvent, "serialization"),
            (Upload, "serialization"),
            (Listing, "serialization"),
            (Deleted, "serialization"),
            (Problem, "serialization"),
        ],
        ref_template=f"{_SCHEMAS}{{model}}",
    )
    schemas: Node = made["$defs"]
    return schemas
