import pytest

from bot.slack.intake import intake
from storage.queue.engine import DbosEngine


@pytest.fixture(autouse=True)
def _children_are_kept(_parser_children_are_kept: None) -> None:
    """Every office reads its documents."""


@pytest.fixture(autouse=True)
def _busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a request be taken in for as long as a machine full of tests may need.

    The product gives it less than a second, since Slack waits; what comes of one that is late has
    tests of its own, where the database is made to be late.
    """
    monkeypatch.setattr(intake, "ACCEPT_SECONDS", 20.0)
    defaults = DbosEngine.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "accept_seconds", 20.0)
