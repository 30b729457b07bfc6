"""Every call of a service on somebody's account: checked before, written down after."""

import asyncio
import datetime as dt
import logging
import uuid
from collections.abc import Callable, Sequence
from typing import Final

from pydantic import BaseModel

from masis.domain import Usage, WorkspaceId
from masis.errors import BudgetSpent, StoreUnavailable
from masis.ports import ChatModel, ChatReply, Ledger, Message, Role
from masis.spending import MILLION, Budget, Charge, Prices, payer

log = logging.getLogger(__name__)

_WRITE_SECONDS: Final = 10.0
_MOST_UNWRITTEN: Final = 1_000
"""Charges that are kept while the database is away: an hour's of a busy process."""


class Accountant:
    """Knows what a workspace may still spend, and loses no charge but by the process's own end.

    A charge that cannot be written stays here and goes with the next one.
    """

    def __init__(self, ledger: Ledger, *, prices: Prices, budget: Budget | None = None) -> None:
        self._ledger = ledger
        self._prices = prices
        self._budget = budget or Budget()
        self._unwritten: list[Charge] = []
        self._writing: set[asyncio.Task[None]] = set()

    async def check(self) -> None:
        """Check that the payer's workspace may spend something.

        Raises:
            BudgetSpent: it may not, today.
            StoreUnavailable: nobody knows.
        """
        scope = payer().workspace_id
        if scope is None or not self._budget.is_limited:
            return
        reason = self._budget.refusal(await self._ledger.spent(WorkspaceId(scope)))
        if reason:
            raise BudgetSpent(reason)

    async def charge(self, role: str, model: str, usage: Usage) -> Usage:
        """Write a call down; gives its usage with the price."""
        cost = self._prices.cost(model, usage)
        self._unwritten.append(
            Charge(
                id=uuid.uuid4().hex,
                payer=payer(),
                role=role,
                model=model,
                prompt_tokens=usage.prompt_tokens,
                completion_tokens=usage.completion_tokens,
                cost=cost,
                at=dt.datetime.now(dt.UTC),
            )
        )
        writing = asyncio.create_task(self._write())
        self._writing.add(writing)
        writing.add_done_callback(self._writing.discard)
        # Whoever is cancelled now has been answered, and the answer is paid.
        await asyncio.shield(writing)
        return usage if cost is None else usage.model_copy(update={"cost_usd": cost / MILLION})

    async def close(self) -> None:
        """Write what is not written yet."""
        await asyncio.gather(*self._writing)
        if self._unwritten:
            await self._write()

    async def _write(self) -> None:
        charges, self._unwritten = self._unwritten, []
        if not charges:
            return
        try:
            async with asyncio.timeout(_WRITE_SECONDS):
                await self._ledger.write(charges)
        except (StoreUnavailable, TimeoutError) as error:
            kept = [*charges, *self._unwritten]
            lost = max(0, len(kept) - _MOST_UNWRITTEN)
            self._unwritten = kept[lost:]
            log.warning(
                "charges: %d wait for the database, %d are lost (%s)",
                len(self._unwritten),
                lost,
                type(error).__name__,
            )


class Budgeted:
    """A chat model that is not even queued for by who has no budget left.

    It stands outside of the rate limit: a permit there is leave to call right now, and a look at the
    database in between would let calls bunch up. So calls that wait for their permit already may
    spend more than the budget has left, each once.
    """

    def __init__(self, chat: ChatModel, accountant: Accountant) -> None:
        self._chat = chat
        self._accountant = accountant

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        """Ask, unless the budget is spent.

        Raises:
            BudgetSpent: it is; nothing was asked.
            StoreUnavailable: nobody knows.
        """
        await self._accountant.check()
        return await self._chat.complete(role, messages, schema)


class Accounted:
    """A chat model whose answers are on the account of the payer in force."""

    def __init__(
        self, chat: ChatModel, accountant: Accountant, models: Callable[[Role], str]
    ) -> None:
        self._chat = chat
        self._accountant = accountant
        self._models = models

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        """Ask at once, and write down what it cost."""
        reply = await self._chat.complete(role, messages, schema)
        usage = await self._accountant.charge(role, self._models(role), reply.usage)
        return reply.model_copy(update={"usage": usage})
