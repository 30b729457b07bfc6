import pytest

from bot.slack.intake import intake
from bot.teams.jobs import job_worker
from masis.policy import ACCEPT_SECONDS
from storage.queue import engine
from storage.queue.engine import EngineTimes


@pytest.fixture(autouse=True)
def _children_are_kept(_parser_children_are_kept: None) -> None:
    """Every office reads its documents."""


@pytest.fixture
def limits_of_the_product(_busy_machine: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a request in within the product's own time, also on a machine full of tests."""
    monkeypatch.setattr(intake, "ACCEPT_SECONDS", ACCEPT_SECONDS)
    monkeypatch.setattr(engine, "EngineTimes", EngineTimes)


@pytest.fixture(autouse=True)
def unhurried_teams(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no slow Teams: who wants the bounds of an answer sets them."""
    monkeypatch.setattr(job_worker, "ANSWER_SECONDS", 30.0)
    monkeypatch.setattr(job_worker, "STORE_SECONDS", 30.0)
