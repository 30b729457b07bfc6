import asyncio
import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import pytest
from pydantic import BaseModel

from masis.conversation import LOCAL_TENANT, Tenant
from masis.domain import Usage, Workspace, WorkspaceId
from masis.errors import BudgetSpent, ModelServiceUnavailable, StoreUnavailable
from masis.models.accounting import Accountant
from masis.models.permits import MemoryCallPermits
from masis.models.pipeline import GuardedChat, guarded
from masis.ports import ROLES, ChatModel, ChatReply, Message, Role
from masis.spending import (
    LIST_PRICES,
    NO_BUDGET,
    Budget,
    Charge,
    Payer,
    Prices,
    Spent,
    paid_by,
    paid_by_workspace,
    payer,
)
from tests.masis.models.test_gateway import now, play

TEAM = Tenant(team="T1")
ASKER = Payer(tenant=TEAM, channel="C1", user="U1", workspace_id="w", run_id="r")


@dataclass
class Written:
    """A ledger that remembers, unless it is away."""

    charges: list[Charge] = field(default_factory=list)
    is_away: bool = False

    async def write(self, charges: Sequence[Charge]) -> None:
        await asyncio.sleep(0)
        if self.is_away:
            raise StoreUnavailable("no connection")
        self.charges += charges

    async def spent(self, workspace_id: WorkspaceId) -> Spent:
        mine = [each for each in self.charges if each.payer.workspace_id == workspace_id]
        tokens = sum(each.prompt_tokens + each.completion_tokens for each in mine)
        return Spent(tokens=tokens, cost=sum(each.cost or 0 for each in mine))


@dataclass
class Service:
    """A chat model whose every answer takes 1,000 tokens in and 100 out."""

    asked: int = 0
    failure: Exception | None = None

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        del role, messages, schema
        self.asked += 1
        if self.failure is not None:
            raise self.failure
        usage = Usage(calls=1, prompt_tokens=1000, completion_tokens=100)
        return ChatReply(text="yes", usage=usage)


def accounted(
    ledger: Written, service: Service, budget: Budget = NO_BUDGET, prices: str = LIST_PRICES
) -> tuple[ChatModel, Accountant]:
    accountant = Accountant(ledger, prices=Prices.parse(prices), budget=budget)
    paid = partial(accountant.pay, lambda _: "gpt-4o")
    return GuardedChat(service, [accountant.afford, paid]), accountant


# --- what is written down ------------------------------------------------------------------


async def test_answered_call_is_recorded_with_payer() -> None:
    """Every call that was answered is written down with whose it is."""
    ledger = Written()
    chat, _ = accounted(ledger, Service())
    with paid_by(ASKER):
        reply = await chat.complete("auditor", [])
    (charge,) = ledger.charges
    assert charge.payer == ASKER
    assert (charge.role, charge.model) == ("auditor", "gpt-4o")
    assert (charge.prompt_tokens, charge.completion_tokens, charge.cost) == (1000, 100, 3500)
    assert reply.usage.cost_usd == pytest.approx(0.0035)


async def test_unanswered_call_costs_nothing() -> None:
    """A call that was not answered costs nothing."""
    ledger = Written()
    chat, _ = accounted(ledger, Service(failure=ModelServiceUnavailable("gone")))
    with pytest.raises(ModelServiceUnavailable):
        await chat.complete("writer", [])
    assert ledger.charges == []


async def test_unpriced_model_counts_tokens_only() -> None:
    """Without a price tokens alone are counted."""
    ledger = Written()
    chat, _ = accounted(ledger, Service(), prices="")
    reply = await chat.complete("writer", [])
    assert [charge.cost for charge in ledger.charges] == [None]
    assert reply.usage.cost_usd is None


async def test_failed_write_is_retried_later() -> None:
    """What cannot be written now is written with the next or at the end."""
    ledger = Written(is_away=True)
    chat, accountant = accounted(ledger, Service())
    await chat.complete("writer", [])
    await accountant.close()
    ledger.is_away = False
    await chat.complete("judge", [])
    assert [charge.role for charge in ledger.charges] == ["writer", "judge"]
    ledger.is_away = True
    await chat.complete("auditor", [])
    ledger.is_away = False
    await accountant.close()
    assert [charge.role for charge in ledger.charges] == ["writer", "judge", "auditor"]


async def test_cancelled_caller_pays_for_answer() -> None:
    """Who is broken off after the answer has paid for it."""
    ledger = Written()
    chat, accountant = accounted(ledger, Service())
    call = asyncio.create_task(chat.complete("writer", []))
    await asyncio.sleep(0)
    call.cancel()
    await asyncio.wait([call])
    await accountant.close()
    assert call.cancelled()
    assert len(ledger.charges) == 1


# --- budgets -------------------------------------------------------------------------------


async def test_budget_ends_after_exhausting_call() -> None:
    """A budget that is reached ends with the call that reached it."""
    ledger, service = Written(), Service()
    chat, _ = accounted(ledger, service, Budget(tokens=3000))
    with paid_by(ASKER):
        for _ in range(3):
            await chat.complete("writer", [])
        with pytest.raises(BudgetSpent, match="used up its 3,000 tokens for today"):
            await chat.complete("writer", [])
    assert service.asked == 3
    with paid_by(ASKER.model_copy(update={"workspace_id": "other"})):
        await chat.complete("writer", [])


async def test_money_budget_counts_millionths() -> None:
    """A budget of money is in millionths."""
    ledger, service = Written(), Service()
    chat, _ = accounted(ledger, service, Budget(cost=7000))
    with paid_by(ASKER):
        await chat.complete("writer", [])
        await chat.complete("writer", [])
        with pytest.raises(BudgetSpent, match="used up its money"):
            await chat.complete("writer", [])


@dataclass
class SlowlyRead(Written):
    """A ledger whose first few looks take nearly a second each, and the others none."""

    slow: int = 3

    async def spent(self, workspace_id: WorkspaceId) -> Spent:
        self.slow -= 1
        await asyncio.sleep(0.9 if self.slow >= 0 else 0)
        return await super().spent(workspace_id)


@dataclass
class Clocked(Service):
    """A service that notes when it was asked."""

    begun: list[float] = field(default_factory=list)

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        self.begun.append(now())
        return await super().complete(role, messages, schema)


def test_slow_budget_read_keeps_calls_spaced() -> None:
    """A slow look at the budget does not bunch up calls."""
    service = Clocked()

    async def scene() -> None:
        accountant = Accountant(SlowlyRead(), prices=Prices.parse(""), budget=Budget(tokens=10**6))
        permits = dict.fromkeys(ROLES, MemoryCallPermits(3, window=1.0))
        chat = guarded(service, permits=permits, accountant=accountant)
        with paid_by(ASKER):
            await asyncio.gather(*(chat.complete("writer", []) for _ in range(9)))

    play(scene())
    pairs = zip(service.begun, service.begun[3:], strict=False)
    assert all(later - earlier >= 1.0 for earlier, later in pairs)
    assert len(service.begun) == 9


async def test_nobodys_calls_have_no_budget() -> None:
    chat, _ = accounted(Written(), Service(), Budget(tokens=1))
    await chat.complete("writer", [])
    await chat.complete("writer", [])


# --- payers and prices ---------------------------------------------------------------------


def test_unpaid_run_is_charged_to_workspace() -> None:
    """A run without a payer is its workspaces."""
    theirs = Workspace(id=WorkspaceId("w"), owner=TEAM.owner, name="acme")
    local = Workspace(id=WorkspaceId("v"), owner="local", name="mine")
    with paid_by_workspace(theirs, "r9"):
        assert payer() == Payer(tenant=TEAM, workspace_id="w", run_id="r9")
    with paid_by_workspace(local):
        assert payer() == Payer(tenant=LOCAL_TENANT, workspace_id="v")
    with paid_by(ASKER), paid_by_workspace(theirs, "r9"):
        assert payer() == ASKER
    with paid_by(ASKER), paid_by_workspace(local):
        assert payer().workspace_id == "v"
    assert payer() == Payer()


def test_price_names_may_contain_colons() -> None:
    """Prices are read by the name of the model colons and all."""
    prices = Prices.parse("llama3:8b:0/0 gpt-4o:2.50/10")
    used = Usage(prompt_tokens=1_000_000, completion_tokens=1_000_000)
    assert prices.cost("gpt-4o", used) == 12_500_000
    assert prices.cost("llama3:8b", used) == 0
    assert prices.cost("llama3", used) is None
    assert prices.cost("gpt-4o", Usage(prompt_tokens=1)) == 3


@pytest.mark.parametrize(
    "wrong", ["gpt-4o", "gpt-4o:1", ":1/2", "a:1/x", "a:-1/2", "a:1e9/2", "a:1/2 a:3/4", "a:1/"]
)
def test_prices_in_another_form_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="is no"):
        Prices.parse(wrong)


def test_a_charge_is_a_plain_value() -> None:
    charge = Charge(
        id="c",
        payer=ASKER,
        role="writer",
        model="m",
        prompt_tokens=1,
        completion_tokens=2,
        cost=None,
        at=dt.datetime.now(dt.UTC),
    )
    assert Charge.model_validate_json(charge.model_dump_json()) == charge
