import pytest

from bot.chat.surface import Shown
from bot.observability.metrics import Metrics
from bot.observability.run_spans import observed_runs
from masis.conversation import ChatRun
from masis.errors import StoreUnavailable
from tests.bot.observability.test_metrics import a_run, value
from tests.spans import recorded


class Handler:
    """Shows what it is told to, or breaks off."""

    def __init__(self, shown: Shown | Exception | None) -> None:
        self._shown = shown

    async def __call__(self, _run: ChatRun) -> Shown | None:
        if isinstance(self._shown, Exception):
            raise self._shown
        return self._shown


async def test_what_a_run_shows_counts_once() -> None:
    metrics = Metrics()
    with recorded() as spans:
        await observed_runs(Handler(Shown("refused")), metrics)(a_run(id="r1", attempt=2))
    [span] = spans.named("run")
    about = dict(span.attributes or {})
    assert (about["masis.outcome"], about["masis.attempt"]) == ("refused", 2)
    assert value(metrics, "masis_runs_total", status="refused") == 1
    assert value(metrics, "masis_recoveries_total") == 1


@pytest.mark.parametrize("shown", [None, StoreUnavailable("locked")])
async def test_a_run_that_shows_nothing_counts_nowhere(shown: Exception | None) -> None:
    """Neither one whose end stood there before, nor one that is tried again."""
    metrics = Metrics()
    with recorded() as spans:
        handle = observed_runs(Handler(shown), metrics)
        if shown is None:
            await handle(a_run())
        else:
            with pytest.raises(StoreUnavailable):
                await handle(a_run())
    [span] = spans.named("run")
    assert "masis.outcome" not in dict(span.attributes or {})
    assert value(metrics, "masis_runs_total", status="failed") == 0
