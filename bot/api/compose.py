"""Put the HTTP API together as a surface."""

from bot.api.authentication import Door
from bot.api.documents import Documents
from bot.api.events import Events
from bot.api.file_bodies import FileBodies, FileBounds
from bot.api.lookup import Lookup
from bot.api.routes import Api
from bot.api.surface import API, ApiSurface, is_api
from bot.api.waits import Waits
from bot.chat.surface import ServedSurface
from bot.compose import App
from masis.errors import InvalidSettings
from storage.accounts.api_tokens import ApiTokens
from storage.chat.admin_log import AdminLog
from storage.chat.received_files import ReceivedFiles
from storage.chat.requests import ChatRuns
from storage.chat.run_steps import RunSteps
from storage.documents.pages import DocumentPages
from storage.queue.engine import DbosEngine


def http_api(app: App, engine: DbosEngine) -> ServedSurface:
    """Build the API on an engine. Nobody is let in while there are no tokens."""
    tokens, runs = ApiTokens(app.database), ChatRuns(app.database)
    steps, files = RunSteps(app.database), ReceivedFiles(app.database)
    door, waits, lookup = Door(tokens), Waits(), Lookup(runs, app.repository)
    documents = Documents(
        door=door,
        engine=app.observed(engine),
        forget=engine.forget,
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


async def check_alone(app: App) -> None:
    """Check that the API may be served without a chat.

    Raises:
        InvalidSettings: requests of a chat are open, which nobody could answer from here.
    """
    opened = await ChatRuns(app.database).open_runs(None)
    waiting = sum(not is_api(run) for run in opened)
    if waiting:
        raise InvalidSettings(
            f"MASIS_SLACK_BOT_TOKEN: questions from Slack are still open ({waiting}). Serve with"
            " Slack's settings until they are answered."
        )
