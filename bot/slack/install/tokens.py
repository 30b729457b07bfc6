"""Each tenant's bot token: from its installation, or the one of a bot for a single workspace.

Not slack_sdk's token rotator: it takes no claim, so that of two processes one uses a spent refresh
token, and where Slack cannot be reached it drops the old one, which still lives.
"""

import asyncio
import datetime as dt
import logging
import re
import uuid
from typing import Final, Protocol, Self

from cachetools import TTLCache
from pydantic import ConfigDict, Field, SecretStr

from bot.slack.install.grants import Grants, Identity
from bot.slack.slack_errors import Refused, SlackError, TokenRevoked, Unavailable
from masis.conversation import Tenant
from masis.domain import Value
from masis.errors import InvalidSettings, StoreUnavailable
from masis.installation import Installation, InstallationStore, Renewed

__all__ = ["BotToken", "InstalledTokens", "NotInstalled", "OneToken", "TokenRevoked", "Tokens"]

log = logging.getLogger(__name__)

REMEMBERED: Final = 10_000
REMEMBERED_SECONDS: Final = 60.0
"""How long another process's uninstallation may go unnoticed here; our own is noticed at once."""
RENEW_BEFORE: Final = dt.timedelta(minutes=30)
"""A token lives 12 hours; half an hour is enough for a failing renewal to be tried many times."""
LEAST_LIFE: Final = dt.timedelta(seconds=90)
"""A token is remembered for a minute, and has to last for the call at its end."""
CLAIM_SECONDS: Final = 30.0
"""Longer than a renewal may take (its time limit is 10 s); a claim of the dead ends by itself."""
_WAIT_SECONDS: Final = 0.1
_WAITS: Final = 150
"""15 s for another process's renewal."""
_TRIES: Final = 3
_PAUSES: Final = (0.2, 1.0)
"""Before storing a renewed token is tried again: the old one is used up."""
_PRINTABLE: Final = re.compile(r"[!-~]+")
_START_PAUSES: Final = (1.0, 3.0)


class NotInstalled(SlackError):
    """The app is not installed in this workspace, or not any more."""

    sentence = (
        "MASIS is not installed in this workspace. A Slack admin can install it, then ask again."
    )


class BotToken(Value):
    """A team's token, and who the bot is there."""

    model_config = ConfigDict(hide_input_in_errors=True)

    token: str = Field(repr=False)
    bot_id: str = ""
    bot_user_id: str = ""
    app_id: str = ""
    scopes: frozenset[str] = frozenset()
    expires_at: dt.datetime | None = None


class Tokens(Protocol):
    """Knows each tenant's token, and renews it in time."""

    async def for_tenant(self, tenant: Tenant) -> BotToken:
        """The token that opens this tenant now.

        Raises:
            NotInstalled: there is none.
            TokenRevoked: Slack has ended it.
            SlackError: it ran out, and Slack cannot renew it now.
            StoreUnavailable: the database cannot be read.
        """
        ...

    def drop(self, tenant: Tenant) -> None:
        """Hand out no more what is remembered for the tenant."""
        ...

    async def lost(self, tenant: Tenant, error: SlackError) -> None:
        """Note that Slack refused the tenant's token for good."""
        ...

    async def close(self) -> None:
        """Let a renewal that is under way come to its end."""
        ...


class InstalledTokens:
    """The tokens of installations. It is `Tokens`.

    A token that is about to end is renewed once, however many ask for it: in this process they
    wait for one task, and between processes one holds the claim in the database.
    """

    def __init__(self, *, installations: InstallationStore, grants: Grants) -> None:
        self._installations = installations
        self._grants = grants
        self._clock = grants.clock
        self._remembered = self._empty()
        # Counted up whenever something is dropped: what was read before is then not trusted.
        self._drops = 0
        self._loading: dict[Tenant, asyncio.Task[BotToken]] = {}
        self._tasks: set[asyncio.Task[BotToken]] = set()

    async def for_tenant(self, tenant: Tenant) -> BotToken:
        """The token that opens this tenant now."""
        for _ in range(_TRIES):
            if (remembered := self._remembered.get(tenant)) is not None:
                return remembered
            drops = self._drops
            token = await self._loaded(tenant)
            if drops == self._drops:
                return token
        raise Unavailable("Installations change faster than they can be read.", unsent=True)

    def drop(self, tenant: Tenant) -> None:  # noqa: ARG002 - see the comment
        """Hand out no more what is remembered for the tenant."""
        # Everything goes: an organisation's token is remembered for each of its teams, dropping is
        # rare, and each of the others costs one read.
        self._remembered = self._empty()
        self._loading.clear()
        self._drops += 1

    async def lost(self, tenant: Tenant, error: SlackError) -> None:
        """Disable the installation, unless it has another token by now."""
        used = self._remembered.get(tenant)
        found = await self._installations.find(tenant)
        if (
            used is not None
            and found is not None
            and await self._installations.disable(found.tenant, SecretStr(used.token), error.code)
        ):
            log.warning("The installation of %s was disabled: %s", found.tenant.owner, error.code)
        self.drop(tenant)

    async def close(self) -> None:
        """Let a renewal that is under way come to its end."""
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=CLAIM_SECONDS)

    # --- loading ---------------------------------------------------------------------------

    async def _loaded(self, tenant: Tenant) -> BotToken:
        """Load the token in one task for everybody who asks meanwhile.

        Who asks may be cancelled; the task goes on, since a renewal that is broken off is lost.
        """
        task = self._loading.get(tenant)
        if task is None:
            task = asyncio.create_task(self._load(tenant, self._drops))
            self._loading[tenant] = task
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _load(self, tenant: Tenant, drops: int) -> BotToken:
        try:
            token = await self._current(tenant)
        finally:
            if drops == self._drops:
                del self._loading[tenant]
        if drops == self._drops:
            self._remembered[tenant] = token
        return token

    async def _current(self, tenant: Tenant) -> BotToken:
        for _ in range(_WAITS):
            found = await self._installations.find(tenant)
            if found is None:
                raise NotInstalled("MASIS is not installed there.")
            if found.disabled:
                raise TokenRevoked(TokenRevoked.sentence, code=found.disabled)
            if not self._ends_within(found, RENEW_BEFORE) or not found.refresh_token:
                return _bot_token(found)
            if (renewed := await self._renewed(found)) is not None:
                return renewed
            if not self._ends_within(found, LEAST_LIFE):
                return _bot_token(found)
            await self._clock.sleep(_WAIT_SECONDS)
        raise Unavailable("Another process is renewing the token. Try again.", unsent=True)

    def _ends_within(self, installation: Installation, span: dt.timedelta) -> bool:
        ends = installation.expires_at
        return ends is not None and ends < self._now() + span

    def _now(self) -> dt.datetime:
        return dt.datetime.fromtimestamp(self._clock.wall(), dt.UTC)

    def _empty(self) -> TTLCache[Tenant, BotToken]:
        return TTLCache(REMEMBERED, REMEMBERED_SECONDS, self._clock.now)

    # --- renewal ---------------------------------------------------------------------------

    async def _renewed(self, found: Installation) -> BotToken | None:
        """A new token; None where another one has the claim, or has just been stored."""
        claim = uuid.uuid4().hex
        claimed = await self._installations.claim_renewal(
            found.tenant, claim, ending_before=self._now() + RENEW_BEFORE, seconds=CLAIM_SECONDS
        )
        if claimed is None:
            return None
        try:
            renewed = await self._grants.renew(claimed)
        except SlackError as error:
            return await self._not_renewed(claimed, claim, error)
        if not await self._stored(claimed.tenant, claim, renewed):
            return None
        log.info("The token of %s was renewed", claimed.tenant.owner)
        return _bot_token(claimed.model_copy(update=dict(renewed)))

    async def _not_renewed(
        self, claimed: Installation, claim: str, error: SlackError
    ) -> BotToken | None:
        """Return the old token while it lives.

        A refresh token that is void disables the installation.
        """
        log.warning("The token of %s was not renewed: %s", claimed.tenant.owner, error)
        if error.disables_installation or error.code == "invalid_refresh_token":
            await self._installations.disable(claimed.tenant, claimed.token, error.code)
            raise TokenRevoked(TokenRevoked.sentence, code=error.code) from error
        await self._installations.release_renewal(claimed.tenant, claim)
        if self._ends_within(claimed, LEAST_LIFE):
            raise error
        return _bot_token(claimed)

    async def _stored(self, tenant: Tenant, claim: str, renewed: Renewed) -> bool:
        for pause in _PAUSES:
            try:
                return await self._installations.renew(tenant, claim, renewed)
            except StoreUnavailable:
                await self._clock.sleep(pause)
        return await self._installations.renew(tenant, claim, renewed)


class OneToken:
    """The token of a bot for a single workspace. It is `Tokens`, made by `start`."""

    def __init__(self, token: SecretStr, identity: Identity) -> None:
        self.identity: Final = identity
        self._ended = False
        self._token = BotToken(
            token=token.get_secret_value(),
            bot_id=identity.bot_id,
            bot_user_id=identity.bot_user_id,
            app_id=identity.app_id,
            scopes=frozenset(identity.scopes),
        )

    @classmethod
    async def start(cls, token: SecretStr, grants: Grants) -> Self:
        """Ask Slack once whose the token is; it is asked three times where it cannot be reached.

        Raises:
            InvalidSettings: Slack does not accept it, or it is no bot token.
            SlackError: Slack cannot be asked.
        """
        if not _PRINTABLE.fullmatch(token.get_secret_value()):
            raise InvalidSettings(
                "MASIS_SLACK_BOT_TOKEN: it holds a blank or a character that no token has; copy it"
                " once more"
            )
        identity = await _identified(token, grants)
        if not (identity.bot_id and identity.bot_user_id and identity.tenant.team):
            raise InvalidSettings("MASIS_SLACK_BOT_TOKEN: this is no bot token (xoxb-…)")
        return cls(token, identity)

    async def for_tenant(self, tenant: Tenant) -> BotToken:
        """The token, for its own workspace alone."""
        if not self._covers(tenant):
            raise NotInstalled("The bot token belongs to another workspace.")
        if self._ended:
            raise TokenRevoked(TokenRevoked.sentence, code="token_revoked")
        return self._token

    def drop(self, tenant: Tenant) -> None:
        """Hand it out no more: a new one comes with a restart."""
        if self._covers(tenant) or tenant == Tenant(enterprise=self.identity.tenant.enterprise):
            self._ended = True

    async def lost(self, tenant: Tenant, error: SlackError) -> None:
        """Hand it out no more, and tell the operator."""
        self.drop(tenant)
        log.error("Slack refuses the bot token (%s): set a new one and restart", error.code)

    async def close(self) -> None:
        """Nothing is under way."""

    def _covers(self, tenant: Tenant) -> bool:
        own = self.identity.tenant
        if self.identity.organisation and own.enterprise:
            return tenant.enterprise == own.enterprise
        return tenant == own


async def _identified(token: SecretStr, grants: Grants) -> Identity:
    for pause in (*_START_PAUSES, None):
        try:
            return await grants.identity(token)
        except SlackError as error:
            if error.disables_installation or isinstance(error, Refused):
                raise InvalidSettings(
                    f"MASIS_SLACK_BOT_TOKEN: Slack does not accept it ({error.code}); copy the"
                    " bot token from the app's page once more"
                ) from error
            if pause is None or not error.retryable:
                raise
            await grants.clock.sleep(pause)
    raise AssertionError("the last try returns or raises")


def _bot_token(installation: Installation) -> BotToken:
    return BotToken(
        token=installation.token.get_secret_value(),
        bot_id=installation.bot_id,
        bot_user_id=installation.bot_user_id,
        app_id=installation.app_id,
        scopes=frozenset(installation.scopes),
        expires_at=installation.expires_at,
    )
