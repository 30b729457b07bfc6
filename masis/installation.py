"""An installation of MASIS in somebody's chat: the credentials that the chat gave for it."""

import datetime as dt
from typing import Protocol

from pydantic import ConfigDict, Field, SecretStr

from masis.conversation import Tenant
from masis.domain import Value


class Installation(Value):
    """Hold what a chat granted.

    The tenant's team is empty where a whole organisation installed MASIS.

    `disabled` says why its token is not to be used any more; the token is empty then.
    """

    model_config = ConfigDict(hide_input_in_errors=True)

    tenant: Tenant
    token: SecretStr
    refresh_token: SecretStr = SecretStr("")
    expires_at: dt.datetime | None = None
    """When the token ends; None for one that does not."""
    app_id: str = Field(default="", max_length=64)
    bot_id: str = Field(default="", max_length=64)
    bot_user_id: str = Field(default="", max_length=64)
    scopes: list[str] = []
    enterprise_name: str = ""
    team_name: str = ""
    installed_by: str = Field(default="", max_length=64)
    installed_at: dt.datetime
    disabled: str = ""


class Renewed(Value):
    """A token that took the place of one about to end."""

    model_config = ConfigDict(hide_input_in_errors=True)

    token: SecretStr
    refresh_token: SecretStr
    expires_at: dt.datetime | None


class Departure(Value):
    """Report what became of a tenant whose installation ended.

    `stale` means that nothing was done: MASIS was installed again after the event. `forgotten` are
    the tenants who do not want their data kept, `open_runs` are still to be cancelled.
    """

    stale: bool = False
    forgotten: list[Tenant] = []
    open_runs: list[str] = []


class InstallationStore(Protocol):
    """Keeps installations, with their secrets encrypted.

    Raises:
        StoreUnavailable: the database cannot be read or written.
        InvalidSettings: a secret is to be kept, and there is no key.
    """

    async def save(self, installation: Installation) -> None:
        """Keep it in the place of an earlier one of the same tenant."""
        ...

    async def find(self, tenant: Tenant) -> Installation | None:
        """The tenant's own, else its organisation's; one that is not disabled goes first.

        Raises:
            SecretUnreadable: its secrets cannot be decrypted.
        """
        ...

    async def claim_renewal(
        self, tenant: Tenant, claim: str, *, ending_before: dt.datetime, seconds: float
    ) -> Installation | None:
        """Take the right to renew the token, for so many seconds, if it still ends before then.

        None where somebody else has the right, or has renewed it. `tenant` is the installation's.
        """
        ...

    async def renew(self, tenant: Tenant, claim: str, renewed: Renewed) -> bool:
        """Store a renewed token; False when the claim does not hold any more."""
        ...

    async def release_renewal(self, tenant: Tenant, claim: str) -> None:
        """Let somebody else try."""
        ...

    async def disable(self, tenant: Tenant, token: SecretStr, reason: str) -> bool:
        """Erase the tokens of the installation, if `token` is still its token, and note why."""
        ...

    async def remove(self, tenant: Tenant, *, before: dt.datetime | None = None) -> Departure:
        """Erase the installation's tokens and put its links out of use, all at once.

        One that was installed after `before` stays as it is.
        """
        ...


class InstallStates(Protocol):
    """Keep which installations were begun, and in which browser. Each can be ended once.

    Raises:
        StoreUnavailable: the database cannot be read or written, or too many are under way.
    """

    async def begin(self, state: str, browser: str, seconds: float) -> None:
        """Note an installation that was begun, for so many seconds."""
        ...

    async def end(self, state: str, browser: str) -> bool | None:
        """Take it: True once, False when it took too long, None for anything else."""
        ...
