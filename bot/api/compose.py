"""Put the HTTP API together as a surface."""

from bot.api.authentication import Door
from bot.api.events import Events
from bot.api.lookup import Lookup
from bot.api.routes import Api
from bot.api.surface import API, ApiSurface, is_api
from bot.chat.surface import ServedSurface
from bot.compose import App
from masis.errors import InvalidSettings
from masis.ports import RunEngine
from storage.accounts.api_tokens import ApiTokens
from storage.chat.requests import ChatRuns
from storage.chat.run_steps import RunSteps


def http_api(app: App, engine: RunEngine) -> ServedSurface:
    """Build the API on an engine. Nobody is let in while there are no tokens."""
    tokens = ApiTokens(app.database)
    runs, steps = ChatRuns(app.database), RunSteps(app.database)
    lookup = Lookup(runs, app.repository)
    api = Api(
        door=Door(tokens),
        engine=app.observed(engine),
        runs=runs,
        repository=app.repository,
        lookup=lookup,
        events=Events(lookup=lookup, steps=steps, is_stopping=lambda: app.readiness.is_draining),
    )
    return ServedSurface(
        name=API,
        shows=ApiSurface(tokens=tokens, repository=app.repository, steps=steps),
        routes=api.routes(),
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
