"""Try out, for `masis doctor`, the parts of the composed application."""

import shlex
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import numpy as np

from bot.cli.doctor import teams_probes
from bot.cli.doctor.findings import Check
from bot.compose import App
from bot.owners import LOCAL_OWNER
from bot.rendering import show, show_chat
from bot.settings import ROLES, Settings
from bot.slack.install.key_ring import installations
from masis.conversation import Tenant
from masis.domain import Workspace, opaque_id, workspace_id
from masis.errors import MasisError, ModelServiceUnavailable, StoreLocked, StoreUnavailable
from masis.ports import AnswerReader, ChatModel, Message, Point, RerankService, Role
from storage.chat.teams import teams
from storage.documents.census import with_documents
from storage.documents.outdated_readers import OlderDocuments

MOST_WORKSPACES: Final = 200
"""That are looked at in one go: each opens a store, or asks the server."""

Probe = Callable[[App], Awaitable[str]]
"""Gives what it found, or raises a MasisError that says what is wrong."""


async def probe(app: App, owner: str | None = None) -> list[Check]:
    """Try out everything that can be tried, with the workspaces of an owner or of everybody."""
    probes: list[tuple[str, Probe]] = [
        ("database", _database),
        ("embedder", _embedder),
        *_reading(app),
        ("vectors", _vectors),
        ("workspaces", partial(_workspaces, owner=owner)),
    ]
    if app.settings.slack_client_id:
        probes.append(("installations", _installations))
    checks = [await _probed(app, name, each) for name, each in probes]
    checks.append(await _parsed(app, owner))
    checks += await teams_probes.consents(app.settings, await teams(app.database))
    checks += await _services(app)
    return [*checks, await _reranker(app.rerank_service)] if app.rerank_service else checks


async def _probed(app: App, name: str, probe: Probe) -> Check:
    try:
        return Check(name=name, state="ok", detail=await probe(app))
    except MasisError as error:
        return Check(name=name, state="fail", detail=str(error))


async def _database(app: App) -> str:
    """A transaction begins with the right to write, so a read-only or locked file shows here."""
    async with app.database.write():
        pass
    return "opened, and may be written"


async def _embedder(app: App) -> str:
    if app.embedder is None:
        return "none: search is by words alone (MASIS_EMBEDDER)"
    found = await app.embedder.embed(["Is everything there?"], "query")
    return f"{app.embedder.profile.id} gives vectors of {found.shape[1]} numbers"


def _reading(app: App) -> list[tuple[str, Probe]]:
    """The probe of the reading model, where the agents in use have one: the offline ones do."""
    if app.chat is not None or (reader := app.answer_reader) is None:
        return []
    return [("reading model", partial(_reader, reader))]


async def _reader(reader: AnswerReader, _: App) -> str:
    """Answers do without it, less surely judged, so a file that is missing or altered shows here."""
    await reader.answers("Is it read?", ["It is read."])
    return "reads passages with a question in mind"


async def _vectors(app: App) -> str:
    """Write, find and drop one vector in a workspace of doctor's own."""
    scratch = workspace_id("doctor")  # no workspace's: theirs are opaque
    profile = app.embedder.profile if app.embedder else None
    dense = np.full(profile.dimension, profile.dimension**-0.5, np.float32) if profile else None
    point = Point(
        chunk_id=opaque_id("c", scratch),
        document_id="d",
        version_id="v",
        position=0,
        format="txt",
        dense=dense,
        sparse={1: 1.0},
    )
    try:
        store = await app.stores.open(scratch, profile)
        await store.upsert([point])
        hits = await store.search(dense, {1: 1.0}, limit=1)
    finally:
        await app.stores.drop(scratch)
    if [hit.chunk_id for hit in hits] != [point.chunk_id]:
        raise StoreUnavailable("a vector that was written was not found again; look at the store")
    return "written, found and dropped"


async def _workspaces(app: App, owner: str | None) -> str:
    """The vectors of workspaces can be opened, fit, and are as many as their passages."""
    found, left = await with_documents(app.database, owner, MOST_WORKSPACES)
    held = 0
    for workspace in found:
        try:
            await _check_points(app, workspace)
        except StoreLocked:
            held += 1
        except MasisError as error:
            raise StoreUnavailable(f"{_shown_name(workspace)}: {error}") from None
    if not found:
        return "none with documents yet"
    said = [f"{len(found) - held} can be opened"]
    if held:
        said.append(f"{held} not looked at, since another process has them open")
    if left:
        said.append(f"{left:,} more not looked at: `masis doctor --team T` takes one team's")
    return "; ".join(said)


async def _parsed(app: App, owner: str | None) -> Check:
    """Check whether documents were read by older readers. They still answer, only less well."""
    try:
        older = await app.older_documents(owner)
    except MasisError as error:
        return Check(name="documents", state="fail", detail=str(error))
    count = older.synced + older.others
    if not count:
        return Check(name="documents", state="ok", detail="all were read by this version's readers")
    said = f"{show.counted(count, 'document')} read by an older version of MASIS, less exactly"
    return Check(name="documents", state="ok", detail=said, hint=_read_again(older))


def _read_again(older: OlderDocuments) -> str:
    said = []
    if older.synced:
        said.append(f"The next `masis sync` of their folders reads {older.synced:,} again.")
    if older.others:
        said.append(
            f"MASIS keeps no files: put {older.others:,} in again with `masis ingest`, or upload"
            " them in Slack again."
        )
    return " ".join(said)


def _shown_name(workspace: Workspace) -> str:
    """A workspace, and whose it is where it is not the command line's."""
    team = _team(workspace)
    return f"“{workspace.name}” of {team}" if team else f"“{workspace.name}”"


def _team(workspace: Workspace) -> str:
    """As `--team` takes it; empty for the command line's own."""
    is_local = workspace.owner == LOCAL_OWNER
    return "" if is_local else show_chat.team(Tenant.of_owner(workspace.owner))


async def _check_points(app: App, workspace: Workspace) -> None:
    """Compare the vectors with the database: one of both may have been lost or put back alone.

    Raises:
        StoreUnavailable: there are more or fewer than passages; a repeated ingestion would find
            the documents unchanged and mend nothing, so that they have to go first.
    """
    store = await app.stores.open(workspace.id, app.embedder.profile if app.embedder else None)
    points = await store.count()
    await store.close()
    # A version that is being written, or that a crash left, has vectors and is not counted; the
    # next ingestion removes it.
    more_is_right = bool(await app.repository.hidden_versions(workspace.id))
    if points < workspace.chunks or (points > workspace.chunks and not more_is_right):
        team = _team(workspace)
        meant = f"--workspace {shlex.quote(workspace.name)}" + (f" --team {team}" if team else "")
        has = f"{show.counted(workspace.chunks, 'passage')} and {show.counted(points, 'vector')}"
        links = " Its channels have to be linked again then." if team else ""
        raise StoreUnavailable(
            f"it has {has}, so a search misses some. Delete it with"
            f" `masis delete --all --yes {meant}`, and ingest its documents again with"
            f" `masis ingest FOLDER {meant}`.{links}"
        )


async def _installations(app: App) -> str:
    """The tokens of installations by OAuth can be read with the keys that are set."""
    kept = installations(app)
    counts = await kept.key_counts()
    await kept.check_keys()
    return f"{sum(counts.values())} whose tokens can be read"


async def _services(app: App) -> list[Check]:
    """A tiny call to each role's model: address, key and name are right, or the error says."""
    if app.chat is None:
        offline = "offline agents need none; MASIS_MODEL_API_KEY or MASIS_MODEL_BASE_URL sets one"
        return [Check(name="model service", state="skipped", detail=offline)]
    return [await _service(app.chat, app.settings, role) for role in ROLES]


async def _service(chat: ChatModel, settings: Settings, role: Role) -> Check:
    name = f"model service, {role}"
    try:
        reply = await chat.complete(role, [Message(role="user", content="Answer with: OK")])
    except MasisError as error:
        return Check(name=name, state="fail", detail=str(error))
    if not reply.text:
        said = f"{settings.model(role)} sent no text ({reply.finish_reason})"
        hint = f"Check MASIS_{role.upper()}_MODEL and MASIS_{role.upper()}_BASE_URL."
        return Check(name=name, state="fail", detail=said, hint=hint)
    return Check(name=name, state="ok", detail=f"{settings.model(role)} answers")


async def _reranker(service: RerankService) -> Check:
    """Two passages to be ordered: its address, key and model are right, or the error says."""
    name = "reranking service"
    try:
        await service.request("Is everything there?", ["Everything is there.", "The rest is away."])
    except ModelServiceUnavailable as error:
        hint = (
            "Until it answers, searches are ordered by sentences. Run `masis doctor` again later."
        )
        return Check(name=name, state="fail", detail=str(error), hint=hint)
    except MasisError as error:
        return Check(name=name, state="fail", detail=str(error))
    return Check(name=name, state="ok", detail=f"{service.model} scores every passage")
