"""What questions to a model service cost, from the call to `masis usage`, and a budget's end."""

import asyncio
from pathlib import Path

import pytest

from masis.domain import Answered, Failed, Workspace
from masis.errors import InvalidSettings
from masis.spending import MILLION, Payer, paid_by
from storage.models.ledger import SqlLedger
from storage.sql.tables import call_permits, call_scopes
from tests.bot.program import Masis, lines, program
from tests.openai_server import KEY, MODELS
from tests.walks.test_model_walk import Desk, desk, settings

PRICES = " ".join(f"{model}:2/6" for model in MODELS.values())


async def spent(at: Desk, workspace: Workspace | None = None) -> tuple[int, int]:
    found = await SqlLedger(at.app.database).spent((workspace or at.workspace).id)
    return found.tokens, found.cost


async def test_ledger_matches_run_trail(tmp_path: Path) -> None:
    """The ledger holds what the trail of the run says."""
    async with desk(tmp_path, MASIS_MODEL_PRICES=PRICES) as at:
        finished = await at.ask()
        assert isinstance(finished.outcome, Answered)
        figures = finished.figures
        tokens, cost = await spent(at)
        assert tokens == figures["prompt_tokens"] + figures["completion_tokens"]
        assert cost / MILLION == pytest.approx(figures["cost_usd"], rel=0.01)
        page = at.app.metrics.page()[0].decode()
        assert 'masis_llm_cost_total{model="stub-writer"}' in page


async def test_exhausted_budget_ends_running_question(
    tmp_path: Path,
) -> None:
    """A budget that is reached in the middle of a run ends it after that call."""
    async with desk(tmp_path, MASIS_BUDGET_TOKENS_PER_DAY="1") as at:
        finished = await at.ask()
        assert isinstance(finished.outcome, Failed)
        assert finished.outcome.error.startswith("This workspace used up its 1 tokens for today.")
        assert [asked.model for asked in at.server.asked] == [MODELS["writer"]]
        tokens, _ = await spent(at)
        assert tokens > 1
        assert 'masis_budget_refusals_total{at="call"} 1.0' in at.app.metrics.page()[0].decode()
        other = await at.app.repository.create_workspace(at.app.owner, "other")
        assert await spent(at, other) == (0, 0)


async def test_call_slots_hide_address_and_key(tmp_path: Path) -> None:
    """The places of calls tell neither address nor key."""
    async with desk(tmp_path, MASIS_MODEL_CALLS_PER_MINUTE="30") as at:
        await at.ask()
        rows = await at.app.database.inspect(
            lambda look: [
                *look.execute(call_scopes.select()).all(),
                *look.execute(call_permits.select()).all(),
            ]
        )
    assert len({row.scope for row in rows}) == 1
    assert {row.permits for row in rows if hasattr(row, "permits")} == {30}
    assert not any(KEY in str(row) or "127.0.0.1" in str(row) for row in rows)


def test_an_operator_reads_who_used_what(tmp_path: Path) -> None:
    async def ask() -> int:
        async with desk(tmp_path, MASIS_MODEL_PRICES=PRICES) as at:
            await at.ask()
            asker = Payer(channel="C1", user="U1", workspace_id=at.workspace.id, run_id="r1")
            with paid_by(asker):
                await at.ask()
            return (await spent(at))[0]

    tokens = asyncio.run(ask())
    masis = program(tmp_path / "data", MASIS_AGENTS="offline")
    [row] = lines(masis("usage", "--json", MASIS_BUDGET_TOKENS_PER_DAY=str(2 * tokens)))
    assert (row["name"], row["team"], row["calls"]) == ("handbook", "local", 6)
    assert row["prompt_tokens"] + row["completion_tokens"] == tokens
    assert row["budget_share"] == 0.5
    assert row["unpriced_calls"] == 0
    assert [each["calls"] for each in lines(masis("usage", "--by", "user", "--json"))] == [3, 3]
    assert len(lines(masis("usage", "--by", "run", "--json"))) == 2
    shown_as_a_table(masis, tokens)


def shown_as_a_table(masis: Masis, tokens: int) -> None:
    shown = masis("usage", "--by", "model", "--team", "T0NOBODY")
    assert shown.stdout == ""
    assert "No calls of a model service in the last 30 days." in shown.stderr
    heading, row = masis("usage", MASIS_BUDGET_TOKENS_PER_DAY=str(tokens)).stdout.splitlines()
    assert heading.split("  ")[0] == "Workspace"
    assert row.split()[0] == "handbook"
    assert row.split()[-2:] == ["100%", "local"]
    *_, total = masis("usage", "--by", "model").stdout.splitlines()
    assert total.startswith("In all")
    wrong = masis("usage", "--by", "colour")
    assert wrong.exit_code == 2
    assert "--by should be one of workspace, user, channel, run, model." in wrong.stderr


def test_money_budget_requires_all_prices(tmp_path: Path) -> None:
    """A budget of money wants the price of every model in use."""
    model = {"MASIS_AGENTS": "model", "MASIS_MODEL_API_KEY": KEY}
    money = {"MASIS_BUDGET_MONEY_PER_DAY": "2.5"}
    assert settings(tmp_path, model | money).budget.cost == 2_500_000
    with pytest.raises(InvalidSettings, match=r"MASIS_MODEL_PRICES: .* needs the price of gpt-4o$"):
        settings(tmp_path, model | money | {"MASIS_MODEL_PRICES": "gpt-4o-mini:1/2"})
