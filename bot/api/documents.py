"""Documents over HTTP: put in, looked up, listed and deleted, each of a token's own workspace."""

import datetime as dt
import json
import uuid
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.api import http_requests
from bot.api.answers import (
    AGAIN_SECONDS,
    as_json,
    check_quota,
    check_right,
    handled,
    key_reused,
    only,
)
from bot.api.authentication import Door
from bot.api.document_values import Deleted, DocumentEntry, Listing, Upload
from bot.api.file_bodies import FileBodies, Received, document_name, received_of
from bot.api.lookup import Lookup
from bot.api.problems import malformed, not_found
from bot.api.surface import API, PREFIX
from bot.api.waits import Waits
from masis.conversation import AdminAction, ChatRun, run_id
from masis.documents.ingestion import Ingest
from masis.domain import Document, Workspace, WorkspaceId
from masis.errors import UnknownWorkspace
from masis.ports import Repository, RunEngine
from storage.accounts.api_tokens import ApiToken
from storage.chat.admin_log import AdminLog
from storage.chat.received_files import ReceivedFiles
from storage.chat.requests import ChatRuns
from storage.documents.pages import DocumentPages

UPLOADS: Final = "/masis/uploads"
PAGE: Final = 100
MOST_ON_A_PAGE: Final = 1000
UPLOADS_LISTED: Final = 100
"""The newest that go on or were refused; the older ones are found by their ids."""

ForgetSteps = Callable[[WorkspaceId], Awaitable[int]]
"""Deletes what the steps of a workspace's runs left: it may quote its documents."""


class Documents:
    """Answers requests about documents. Files go in by the same runs as those of a chat."""

    def __init__(
        self,
        *,
        door: Door,
        engine: RunEngine,
        forget: ForgetSteps,
        runs: ChatRuns,
        lookup: Lookup,
        files: ReceivedFiles,
        bodies: FileBodies,
        pages: DocumentPages,
        repository: Repository,
        ingest: Ingest,
        admin_log: AdminLog,
        waits: Waits,
    ) -> None:
        self._door = door
        self._engine = engine
        self._forget = forget
        self._runs = runs
        self._lookup = lookup
        self._files = files
        self._bodies = bodies
        self._pages = pages
        self._repository = repository
        self._ingest = ingest
        self._admin_log = admin_log
        self._waits = waits

    def routes(self) -> list[web.RouteDef]:
        """List the routes served below `/masis`."""
        here = "/masis/workspaces/{workspace_id}/documents"
        one, upload = f"{here}/{{document_id}}", f"{UPLOADS}/{{upload_id}}"
        return [
            web.post(here, handled(self.put)),
            web.get(here, handled(self.list)),
            web.route("*", here, only("GET", "POST")),
            web.delete(one, handled(self.delete)),
            web.route("*", one, only("DELETE")),
            web.get(upload, handled(self.look)),
            web.route("*", upload, only("GET")),
        ]

    async def put(self, request: web.Request) -> web.Response:
        """Take a file in, which is put into the workspace by a run of its own.

        Raises:
            Refusal: it was not taken in.
            StoreUnavailable: the database does not answer.
        """
        token = await self._let_in(request)
        name, key = document_name(request), http_requests.idempotency_key(request)
        try:
            received = await self._bodies.receive(request, token)
            run = _run(token, name, received, key)
            acceptance = await self._engine.accept(run)
        except UnknownWorkspace:
            raise not_found() from None
        if acceptance.state != "accepted":
            await self._files.drop(token.workspace_id, received.content_id)
        check_quota(acceptance)
        if acceptance.state == "duplicate":
            await self._check_same(run)
        else:
            await self._note(token, "upload", name, once=run.id)
        return await self._answer(request, token, run.id)

    async def look(self, request: web.Request) -> web.Response:
        """Say how far an upload is, or what came of it.

        Raises:
            Refusal: the token reaches no such upload.
            StoreUnavailable: the database does not answer.
        """
        token = await self._door.enter(request)
        check_right(token, "documents")
        return await self._answer(request, token, request.match_info["upload_id"])

    async def list(self, request: web.Request) -> web.Response:
        """List the workspace's documents a page at a time, and what is not one yet.

        Raises:
            Refusal: the token does not reach the workspace, or the page is none.
            StoreUnavailable: the database does not answer.
        """
        token = await self._let_in(request)
        limit, after = _page(request)
        found = await self._pages.after(token.workspace_id, after, limit + 1)
        there = found[:limit]
        open_or_refused = await self._files.not_ready(
            token.tenant, token.workspace_id, API, UPLOADS_LISTED
        )
        listing = Listing(
            documents=[DocumentEntry.of(each) for each in there],
            uploads=[Upload.of(run, progress) for run, progress in open_or_refused],
            next=there[-1].name if len(found) > limit else None,
        )
        return as_json(listing)

    async def delete(self, request: web.Request) -> web.Response:
        """Delete a document at once, with what quotes it.

        Raises:
            Refusal: the workspace has no such document, or the token does not reach it.
            StoreUnavailable: the database or the vectors do not answer.
        """
        token = await self._let_in(request)
        workspace, document = await self._found(token, request.match_info["document_id"])
        # Noted before, so that no deletion that was broken off is missing in the log.
        await self._note(token, "delete", document.id)
        try:
            result = await self._ingest.delete(workspace, document.name)
        finally:
            # Its texts may be gone from the rows already; the steps quote them, too.
            await self._forget(workspace.id)
        if result.status == "unknown":  # somebody was faster
            raise not_found()
        return as_json(Deleted(id=document.id, name=document.name, blanked=result.blanked))

    async def _let_in(self, request: web.Request) -> ApiToken:
        token = await self._door.enter(request)
        if request.match_info["workspace_id"] != token.workspace_id:
            raise not_found()
        check_right(token, "documents")
        return token

    async def _found(self, token: ApiToken, document_id: str) -> tuple[Workspace, Document]:
        workspace = await self._repository.workspace_by_id(token.workspace_id)
        document = await self._pages.of_id(token.workspace_id, document_id)
        if workspace is None or document is None:
            raise not_found()
        return workspace, document

    async def _check_same(self, run: ChatRun) -> None:
        """Refuse a key that stands for another file."""
        before = await self._runs.get(run.tenant, run.id)
        if before and _said(before) != _said(run):
            raise key_reused("file")

    async def _answer(self, request: web.Request, token: ApiToken, upload_id: str) -> web.Response:
        seconds, heeded = http_requests.wait_seconds(request, 0)
        upload = await self._waits.until(
            lambda seen: seen.state != "processing",
            lambda: self._seen(token, upload_id),
            seconds,
        )
        headers = {"Preference-Applied": heeded} if heeded else {}
        place = f"{UPLOADS}/{upload.id}"
        if upload.state == "processing":
            again = {"Location": place, "Retry-After": str(AGAIN_SECONDS)}
            return as_json(upload, HTTPStatus.ACCEPTED, headers | again)
        return as_json(upload, HTTPStatus.OK, headers | {"Content-Location": place})

    async def _seen(self, token: ApiToken, upload_id: str) -> Upload:
        run = await self._lookup.found(token, upload_id, is_upload=True)
        return Upload.of(run, await self._files.of(run))

    async def _note(self, token: ApiToken, action: str, target: str, *, once: str = "") -> None:
        done = AdminAction(
            tenant=token.tenant,
            actor=f"{PREFIX}{token.id}",
            action=action,
            target=target,
            at=dt.datetime.now(dt.UTC),
        )
        await self._admin_log.add(done, once=once)


def _run(token: ApiToken, name: str, received: Received, key: str | None) -> ChatRun:
    """The run that an upload stands for; quotas count it as they count a question."""
    who = f"{PREFIX}{token.id}"
    known = key and run_id(token.tenant, "api upload", f"{token.id}\x1f{key}")
    return ChatRun(
        id=known or str(uuid.uuid4()),
        tenant=token.tenant,
        surface=API,
        channel=who,
        asker=who,
        kind="upload",
        question=name,
        query=json.dumps(received._asdict()),
        workspace_id=token.workspace_id,
    )


def _said(run: ChatRun) -> tuple[str, str]:
    """Return what two uploads with one key must have in common."""
    return run.question, received_of(run).sha256


def _page(request: web.Request) -> tuple[int, str]:
    """Read how many documents are wanted, and after which name.

    Raises:
        Refusal: that is no number.
    """
    given = request.query.get("limit", str(PAGE))
    if not (given.isascii() and given.isdigit() and 1 <= int(given[:9]) <= MOST_ON_A_PAGE):
        raise malformed(f"limit should be 1 to {MOST_ON_A_PAGE}.")
    return int(given[:9]), request.query.get("after", "")
