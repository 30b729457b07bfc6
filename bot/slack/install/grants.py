"""Ask Slack what it grants an app.

That is who a token is, a token for a code, a new token for an ending one.

Slack's answers are checked like anybody's: what they hold is stored, shown and sent.
"""

import datetime as dt
from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError

from bot.slack.client.pacing import Clock
from bot.slack.client.wire import SECONDS, Wire
from bot.slack.slack_errors import Garbled
from masis.conversation import Tenant
from masis.domain import Value
from masis.installation import Installation, Renewed

M = TypeVar("M", bound=BaseModel)

NO_SECRET: Final = SecretStr("")

NAME_CHARS: Final = 200
TOKEN_CHARS: Final = 4_000
"""Slack's tokens have about 170."""
SCOPES_HEADER: Final = "x-oauth-scopes"


class Identity(Value):
    """Hold whose a token is. `organisation` says that it opens every team of its enterprise."""

    tenant: Tenant
    organisation: bool = False
    app_id: str = ""
    bot_id: str = ""
    bot_user_id: str = ""
    scopes: list[str] = []
    team_name: str = ""


class Grants:
    """Asks Slack for identities and tokens. `close` ends its session.

    Nothing is asked twice here: a code and a refresh token are good for one use, and a second one
    after a lost answer is refused by Slack.
    """

    def __init__(
        self,
        *,
        api_url: str,
        client_id: str = "",
        client_secret: SecretStr = NO_SECRET,
        clock: Clock | None = None,
        seconds: float = SECONDS,
    ) -> None:
        self.clock: Final = clock or Clock()
        self._wire = Wire(api_url, self.clock, seconds=seconds)
        self._client_id = client_id
        self._client_secret = client_secret

    async def close(self) -> None:
        """End the session."""
        await self._wire.close()

    async def identity(self, token: SecretStr) -> Identity:
        """Ask whose the token is.

        Raises:
            SlackError: Slack does not know it, or cannot be asked.
        """
        response = await self._wire.client.auth_test(token=token.get_secret_value())
        found = _checked("auth.test", _AuthTest, response.data)
        return Identity(
            tenant=Tenant(enterprise=found.enterprise_id, team=found.team_id),
            organisation=found.is_enterprise_install,
            app_id=found.app_id,
            bot_id=found.bot_id,
            bot_user_id=found.user_id,
            scopes=_words(response.headers.get(SCOPES_HEADER, "")),
            team_name=found.team,
        )

    async def exchange(self, code: str, redirect_uri: str) -> Installation:
        """Turn the code of a finished installation into its token.

        Raises:
            SlackError: Slack refused the code, or cannot be asked.
        """
        granted = await self._access(code=code, redirect_uri=redirect_uri)
        token = SecretStr(granted.access_token)
        # The grant does not say the bot's own id, by which its own messages are known.
        identity = await self.identity(token)
        team = "" if granted.is_enterprise_install else granted.team.id
        tenant = Tenant(enterprise=granted.enterprise.id, team=team)
        if not (tenant.enterprise if granted.is_enterprise_install else tenant.team):
            raise Garbled("oauth.v2.access named neither a team nor an enterprise.")
        now = self._now()
        return Installation(
            tenant=tenant,
            token=token,
            refresh_token=SecretStr(granted.refresh_token),
            expires_at=_after(now, granted.expires_in),
            app_id=granted.app_id,
            bot_id=identity.bot_id,
            bot_user_id=granted.bot_user_id or identity.bot_user_id,
            scopes=_words(granted.scope),
            enterprise_name=granted.enterprise.name,
            team_name=granted.team.name,
            installed_by=granted.authed_user.id,
            installed_at=now,
        )

    async def renew(self, installation: Installation) -> Renewed:
        """Turn the refresh token into a new token and the next refresh token.

        Raises:
            SlackError: Slack refused it, or cannot be asked.
        """
        refresh_token = installation.refresh_token.get_secret_value()
        granted = await self._access(grant_type="refresh_token", refresh_token=refresh_token)
        return Renewed(
            token=SecretStr(granted.access_token),
            refresh_token=SecretStr(granted.refresh_token or refresh_token),
            expires_at=_after(self._now(), granted.expires_in),
        )

    async def _access(self, **arguments: str) -> "_Access":
        # In the body: the vendor's `oauth_v2_access` uses a deprecated class of aiohttp's.
        app = {
            "client_id": self._client_id,
            "client_secret": self._client_secret.get_secret_value(),
        }
        response = await self._wire.client.api_call("oauth.v2.access", data=app | arguments)
        return _checked("oauth.v2.access", _Access, response.data)

    def _now(self) -> dt.datetime:
        return dt.datetime.fromtimestamp(self.clock.wall(), dt.UTC)


def _after(moment: dt.datetime, seconds: int | None) -> dt.datetime | None:
    return None if seconds is None else moment + dt.timedelta(seconds=seconds)


# --- Slack's answers -----------------------------------------------------------------------


def _nothing_is_empty(value: object) -> object:
    return "" if value is None else value


def _nobody(value: object) -> object:
    return {} if value is None else value


Id = Annotated[str, BeforeValidator(_nothing_is_empty), Field(pattern=r"^[A-Z0-9]{0,32}$")]
Name = Annotated[str, BeforeValidator(_nothing_is_empty), Field(max_length=NAME_CHARS)]
Token = Annotated[
    str, BeforeValidator(_nothing_is_empty), Field(max_length=TOKEN_CHARS, pattern=r"^[!-~]*$")
]
Scopes = Annotated[str, BeforeValidator(_nothing_is_empty), Field(max_length=4_000)]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)


class _Named(_Answer):
    id: Id = ""
    name: Name = ""


Named = Annotated[_Named, BeforeValidator(_nobody)]


class _AuthTest(_Answer):
    enterprise_id: Id = ""
    team_id: Id = ""
    team: Name = ""
    user_id: Id = ""
    bot_id: Id = ""
    app_id: Id = ""
    is_enterprise_install: bool = False


class _Access(_Answer):
    access_token: Annotated[Token, Field(min_length=1)]
    refresh_token: Token = ""
    expires_in: Annotated[int, Field(gt=0, le=10**9)] | None = None
    scope: Scopes = ""
    bot_user_id: Id = ""
    app_id: Id = ""
    team: Named = _Named()
    enterprise: Named = _Named()
    authed_user: Named = _Named()
    is_enterprise_install: bool = False


def _checked(method: str, kind: type[M], data: Any) -> M:
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        fields = ", ".join(str(each["loc"][0]) for each in error.errors() if each["loc"])
        raise Garbled(f"{method} was answered with an unusable {fields}.") from None


def _words(scopes: str) -> list[str]:
    """Scopes as Slack writes them, parted by commas."""
    return [scope.strip() for scope in scopes.split(",") if scope.strip()]
