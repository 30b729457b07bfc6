"""Every call of a service on somebody's account: checked before, written down after."""

import asyncio
import datetime as dt
import logging
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, TypeVar

from masis.domain import Usage, WorkspaceId
from masis.errors import BudgetSpent, StoreUnavailable
from masis.ports import ChatReply, EmbeddingReply, Ledger, RerankReply
from masis.spending import MILLION, Budget, Charge, Prices, payer

log = logging.getLogger(__name__)

T = TypeVar("T")
Name = TypeVar("Name", bound=str)
Reply = TypeVar("Reply", ChatReply, EmbeddingReply, RerankReply)
"""What a service replied, with what it took."""

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

    async def afford(self, _: str, send: Callable[[], Awaitable[T]]) -> T:
        """Send, where the payer's workspace may spend something.

        Raises:
            BudgetSpent: it may not, today; nothing was asked.
            StoreUnavailable: nobody knows.
        """
        scope = payer().workspace_id
        if scope is not None and self._budget.is_limited:
            reason = self._budget.refusal(await self._ledger.spent(WorkspaceId(scope)))
            if reason:
                raise BudgetSpent(reason)
        return await send()

    async def pay(
        self, models: Callable[[Name], str], name: Name, send: Callable[[], Awaitable[Reply]]
    ) -> Reply:
        """Send, and write down what the payer in force owes for it; gives the reply with its price."""
        reply = await send()
        usage = await self._charge(name, models(name), reply.usage)
        return replace(reply, usage=usage)

    async def _charge(self, role: str, model: str, usage: Usage) -> Usage:
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
