"""Put the HTTP API together as a surface."""

from collections import Counter
from collections.abc import Collection
from typing import Final

from bot.api.authentication import Door
from bot.api.documents.document_routes import Documents, ForgetSteps
from bot.api.documents.file_bodies import FileBodies, FileBounds
from bot.api.events import Events
from bot.api.lookup import Lookup
from bot.api.routes import Api
from bot.api.surface import API, ApiSurface, is_api
from bot.api.waits import Waits
from bot.chat.surface import ServedSurface
from bot.compose import App
from masis.conversation import SLACK, TEAMS
from masis.errors import InvalidSettings
from masis.ports import RunEngine
from storage.accounts.api_tokens import ApiTokens
from storage.api.received_files import ReceivedFiles
from storage.api.run_steps import RunSteps
from storage.chat.admin_log import AdminLog
from storage.chat.requests import ChatRuns
from storage.documents.document_pages import DocumentPages


def http_api(app: App, engine: RunEngine, *, forget: ForgetSteps) -> ServedSurface:
    """Build the API on an engine. Nobody is let in while there are no tokens.

    `forget` deletes what the steps of a workspace's runs left.
    """
    tokens, runs = ApiTokens(app.database), ChatRuns(app.database)
    steps, files = RunSteps(app.database), ReceivedFiles(app.database)
    door, waits, lookup = Door(tokens), Waits(), Lookup(runs, app.repository)
    documents = Documents(
        door=door,
        engine=app.observed(engine),
        forget=forget,
        runs=runs,
        lookup=lookup,
        files=files,
        bodies=FileBodies(files, FileBounds(most_bytes=app.max_file_bytes)),
        pages=DocumentPages(app.database),
        repository=app.repository,
        ingest=app.ingest,
        admin_log=AdminLog(app.database),
        waits=waits,
    )
    api = Api(
        door=door,
        engine=app.observed(engine),
        runs=runs,
        repository=app.repository,
        lookup=lookup,
        events=Events(lookup=lookup, steps=steps, is_stopping=lambda: app.readiness.is_draining),
        waits=waits,
    )
    return ServedSurface(
        name=API,
        shows=ApiSurface(tokens=tokens, repository=app.repository, steps=steps, files=files),
        routes=[*documents.routes(), *api.routes()],
    )


async def has_tokens(app: App) -> bool:
    """Say whether anybody could ask over HTTP."""
    return await ApiTokens(app.database).any_works()


async def check_alone(app: App, beside: Collection[str] = ()) -> None:
    """Check that the API may be served without a chat but those `beside` it.

    Raises:
        InvalidSettings: requests of a chat are open, which nobody could answer from here.
    """
    opened = await ChatRuns(app.database).open_runs(None)
    waiting = Counter(
        run.surface for run in opened if not is_api(run) and run.surface not in beside
    )
    for chat, count in sorted(waiting.items()):
        setting, name = _CHATS.get(chat, _CHATS[SLACK])
        raise InvalidSettings(
            f"{setting}: questions from {name} are still open ({count}). Serve with"
            f" {name}'s settings until they are answered."
        )


_CHATS: Final = {
    SLACK: ("MASIS_SLACK_BOT_TOKEN", "Slack"),
    TEAMS: ("MASIS_TEAMS_APP_ID", "Microsoft Teams"),
}
"""What to set so that a chat is served, and how it is called."""
