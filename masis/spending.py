"""Account for what model calls cost: whose they are, a token's price, and what a day may cost."""

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal, InvalidOperation
from typing import Final, NamedTuple, Self

from masis.conversation import LOCAL_TENANT, Tenant
from masis.domain import Usage, Value, Workspace

MILLION: Final = 1_000_000
"""Money is kept as whole millionths of the currency, prices are for so many tokens."""

LIST_PRICES: Final = (
    "gpt-4o-mini:0.15/0.60 gpt-4o-mini-2024-07-18:0.15/0.60 gpt-4o:2.50/10"
    " gpt-4o-2024-08-06:2.50/10 gpt-4o-2024-11-20:2.50/10 text-embedding-ada-002:0.10/0"
)
"""US dollars for a million tokens: OpenAI's list prices of November 2026."""

_MOST: Final = Decimal(1_000_000)
"""A price above it is a slip of the keyboard."""
_NUMBER: Final = re.compile(r"\d{1,7}(\.\d{1,6})?")


# --- whose call it is ----------------------------------------------------------------------


class Payer(Value):
    """On whose behalf a model is called; empty where nobody asked."""

    tenant: Tenant = LOCAL_TENANT
    channel: str = ""
    user: str = ""
    workspace_id: str | None = None
    run_id: str = ""


_payer: ContextVar[Payer | None] = ContextVar("masis_payer", default=None)


def payer() -> Payer:
    """Return who pays for the calls of this run."""
    return _payer.get() or Payer()


@contextmanager
def paid_by(who: Payer) -> Iterator[None]:
    """Make the calls within the block `who`'s; tasks started inside are too."""
    token = _payer.set(who)
    try:
        yield
    finally:
        _payer.reset(token)


@contextmanager
def paid_by_workspace(workspace: Workspace, run_id: str = "") -> Iterator[None]:
    """The same for who has nobody else to name; a payer of this workspace is kept."""
    if payer().workspace_id == workspace.id:
        yield
        return
    tenant = Tenant.of_owner(workspace.owner)
    with paid_by(Payer(tenant=tenant, workspace_id=workspace.id, run_id=run_id)):
        yield


# --- what it costs -------------------------------------------------------------------------


class Price(NamedTuple):
    """Of a million tokens, in the operator's currency."""

    prompt: Decimal
    completion: Decimal


class Prices:
    """The prices of models, by their names."""

    def __init__(self, prices: Mapping[str, Price]) -> None:
        self._prices = dict(prices)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `MODEL:PROMPT/COMPLETION` pairs parted by blanks; a name may hold colons.

        Raises:
            ValueError: they have another form, or a model stands there twice.
        """
        found: dict[str, Price] = {}
        for pair in text.split():
            name, colon, price = pair.rpartition(":")
            prompt, slash, completion = price.partition("/")
            if not (name and colon and slash) or name in found:
                raise ValueError(f"{pair[:80]} is no MODEL:PROMPT/COMPLETION")
            found[name] = Price(_amount(prompt), _amount(completion))
        return cls(found)

    def __contains__(self, model: str) -> bool:
        return model in self._prices

    def cost(self, model: str, usage: Usage) -> int | None:
        """Return what a call cost in millionths, half a one rounded up; None without a price."""
        price = self._prices.get(model)
        if price is None:
            return None
        exact = usage.prompt_tokens * price.prompt + usage.completion_tokens * price.completion
        return int(exact + Decimal("0.5"))


def _amount(text: str) -> Decimal:
    try:
        amount = Decimal(text) if _NUMBER.fullmatch(text) else None
    except InvalidOperation:
        amount = None
    if amount is None or amount > _MOST:
        raise ValueError(f"{text[:20]} is no price")
    return amount


class Charge(Value):
    """One call that a service answered. `cost` is in millionths, None without a price."""

    id: str
    payer: Payer
    role: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    cost: int | None
    at: dt.datetime


# --- what may be spent ---------------------------------------------------------------------


class Spent(Value):
    """A sum of calls; `cost` in millionths."""

    tokens: int = 0
    cost: int = 0


class Budget(Value):
    """Limit what a workspace may spend in a day (UTC), `cost` in millionths; 0 is no limit."""

    tokens: int = 0
    cost: int = 0

    @property
    def is_limited(self) -> bool:
        """Return whether there is anything to count."""
        return bool(self.tokens or self.cost)

    def share(self, spent: Spent) -> float | None:
        """Return how much of the budget is used, by whichever limit is nearer; None without one."""
        used = [(spent.tokens, self.tokens), (spent.cost, self.cost)]
        return max((part / whole for part, whole in used if whole), default=None)

    def refusal(self, spent: Spent) -> str:
        """Why nothing more may be spent, for whoever asks; empty while something may."""
        if self.tokens and spent.tokens >= self.tokens:
            return _SPENT.format(what=f"{self.tokens:,} tokens")
        if self.cost and spent.cost >= self.cost:
            return _SPENT.format(what="money")
        return ""


NO_BUDGET: Final = Budget()
"""Whatever it costs."""

_SPENT: Final = (
    "This workspace used up its {what} for today. Ask again after midnight UTC, or ask who runs"
    " MASIS for more."
)
