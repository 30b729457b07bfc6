from types import SimpleNamespace
from typing import Any

import pytest

from storage import workflows
from storage.workflows import Workflows


class Shrinking:
    """A client of DBOS, one of whose runs ends after the first page."""

    def __init__(self) -> None:
        self.ids = [f"run-{number}" for number in range(6)]

    async def list_workflows_async(self, *, offset: int, limit: int, **_: object) -> list[Any]:
        page = self.ids[offset : offset + limit]
        if offset == 0 and "run-0" in page:
            self.ids.remove("run-0")
        return [SimpleNamespace(workflow_id=each, executor_id="me") for each in page]


async def test_none_at_work_is_passed_over_while_others_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workflows, "_BATCH", 2)
    listing = object.__new__(Workflows)
    monkeypatch.setattr(listing, "_client", Shrinking(), raising=False)
    assert set(await listing.at_work()) == {f"run-{number}" for number in range(6)}
