"""Keep what an operator watches.

It is counted in this process, or read from the database when asked.

No label names a team, a channel, a person or a run: the number of series stays the same however
many there are.
"""

import datetime as dt
import math
from typing import Final, Literal, get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import choose_encoder

from bot.chat.surface import EndingKind
from masis import __version__
from masis.assistant import Finished
from masis.conversation import Acceptance, ChatRun
from masis.domain import Answered, NeedsClarification, Usage
from masis.policy import RUN_ATTEMPTS
from storage.chat.backlog import Backlog
from storage.queue.fleet import Fleet

CallOutcome = Literal[
    "ok", "refused", "busy", "unavailable", "failed", "cancelled", "not_asked", "over_budget"
]
"""How a model call ended: `busy` is the service's 429, `refused` the model's own no, `not_asked` the
gateway's answer in its place, `over_budget` the refusal to ask, `cancelled` the end of its run."""

Accepted = Literal[
    "accepted", "duplicate", "too_late", "over_quota", "busy", "unavailable", "failed"
]
"""What became of a request at the door. With `unavailable` and `failed` nothing was stored."""

ENDINGS: Final = get_args(EndingKind)
ACCEPTED: Final = get_args(Accepted)
_OTHER: Final = "other"

_RUN_BUCKETS: Final = (0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600)
_NODE_BUCKETS: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_WAIT_BUCKETS: Final = (0.01, 0.1, 1, 5, 10, 30, 60, 120, 300, 600)
_ACK_BUCKETS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3)
"""Slack waits for three seconds."""
_CONFIDENCE_BUCKETS: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.8, 0.9, 1.0)
"""0.65 is the pass mark, 0.80 begins the badge High."""


class Metrics:
    """The figures of one process, in a registry of their own."""

    def __init__(self) -> None:
        self.registry: Final = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._requests(self.registry)
        self._work(self.registry)
        self._models(self.registry)
        self._database(self.registry)

    def _requests(self, registry: CollectorRegistry) -> None:
        self._build = Gauge("masis_build_info", "The version.", ["version"], registry=registry)
        self._build.labels(__version__).set(1)
        acks = Histogram(
            "masis_ack_seconds",
            "From a delivery of Slack's to its acknowledgement.",
            buckets=_ACK_BUCKETS,
            registry=registry,
        )
        self.acknowledged = acks.observe
        """Note the seconds in which a delivery of Slack's was answered."""
        self._accepts = Counter(
            "masis_accepts", "Requests at the door.", ["state"], registry=registry
        )
        for state in ACCEPTED:
            self._accepts.labels(state)

    def _work(self, registry: CollectorRegistry) -> None:
        self._runs = Counter(
            "masis_runs", "Requests by the outcome that was shown.", ["status"], registry=registry
        )
        for status in ENDINGS:  # a series that begins at 1 has no rate
            self._runs.labels(status)
        self._run_seconds = Histogram(
            "masis_run_seconds",
            "From the beginning of a question's research to its end.",
            buckets=_RUN_BUCKETS,
            registry=registry,
        )
        self._outcome_seconds = Histogram(
            "masis_outcome_seconds",
            "From a request's acceptance to its outcome in the thread.",
            buckets=_RUN_BUCKETS,
            registry=registry,
        )
        self._node_seconds = Histogram(
            "masis_node_seconds",
            "One pass of one step of the research.",
            ["node"],
            buckets=_NODE_BUCKETS,
            registry=registry,
        )
        self._answers(registry)

    def _answers(self, registry: CollectorRegistry) -> None:
        self._recoveries = Counter(
            "masis_recoveries", "Runs begun again after a crash or a failure.", registry=registry
        )
        self._ambiguous = Counter(
            "masis_post_ambiguous",
            "Messages sent again because Slack could not say whether it had them.",
            registry=registry,
        )
        self._invalid = Counter(
            "masis_citations_invalid", "Citations that were made up.", registry=registry
        )
        self._confidence = Histogram(
            "masis_confidence",
            "The confidence of what was shown.",
            buckets=_CONFIDENCE_BUCKETS,
            registry=registry,
        )

    def _models(self, registry: CollectorRegistry) -> None:
        self._calls = Counter(
            "masis_llm_calls", "Model calls.", ["model", "outcome"], registry=registry
        )
        self._tokens = Counter(
            "masis_llm_tokens",
            "Tokens by the service's count.",
            ["model", "kind"],
            registry=registry,
        )
        self._cost = Counter(
            "masis_llm_cost",
            "Model calls in the currency of MASIS_MODEL_PRICES; without a price nothing is added.",
            ["model"],
            registry=registry,
        )
        self._over_budget = Counter(
            "masis_budget_refusals",
            "Requests at the door, and model calls, that no budget paid for.",
            ["at"],
            registry=registry,
        )
        for at in ("door", "call"):
            self._over_budget.labels(at)
        self._waits = Histogram(
            "masis_llm_wait_seconds",
            "What a model call waited for its turn, and between its retries.",
            buckets=_WAIT_BUCKETS,
            registry=registry,
        )

    def _database(self, registry: CollectorRegistry) -> None:
        self._depth = Gauge(
            "masis_queue_depth", "Requests that wait or are queued.", registry=registry
        )
        self._running = Gauge("masis_runs_running", "Requests at work.", registry=registry)
        self._oldest = Gauge(
            "masis_oldest_queued_seconds",
            "How long the oldest request that waits or is queued has been there.",
            registry=registry,
        )
        self._workers = Gauge(
            "masis_workers",
            "Processes that work, on PostgreSQL: those that beat, and dead ones nobody took over.",
            ["state"],
            registry=registry,
        )
        self._taken_over = Counter(
            "masis_workers_taken_over",
            "Dead processes whose runs this one handed on.",
            registry=registry,
        )
        self._up = Gauge(
            "masis_database_up",
            "Whether the database could be read for this page: 1 or 0.",
            registry=registry,
        )

    # --- what is told ----------------------------------------------------------------------

    def accepted(self, state: Acceptance | Accepted) -> None:
        """A request came to the door."""
        self._accepts.labels(state if isinstance(state, str) else state.state).inc()

    def over_budget(self, at: Literal["door", "call"]) -> None:
        """A budget was spent: nobody was let in, or no model asked."""
        self._over_budget.labels(at).inc()

    def paid(self, model: str, cost: float | None) -> None:
        """A model call was answered, at this price where it is known."""
        if cost is not None:
            self._cost.labels(model).inc(cost)

    def begun(self, run: ChatRun) -> None:
        """A run was handed over; what its last attempt does is no new beginning."""
        again = run.attempt > 1 or run.steps > 0
        if again and run.attempt <= RUN_ATTEMPTS:
            self._recoveries.inc()

    def ended(self, run: ChatRun, status: str) -> None:
        """An outcome stands in its thread. `status` is one of the kinds of `Ending`."""
        self._runs.labels(status if status in ENDINGS else _OTHER).inc()
        if run.accepted_at is not None:
            took = (dt.datetime.now(dt.UTC) - run.accepted_at).total_seconds()
            self._outcome_seconds.observe(max(0.0, took))  # the wall clock may have been set

    def researched(self, finished: Finished) -> None:
        """A question's research came to an end."""
        self._run_seconds.observe(finished.seconds)
        for node, taken in finished.figures.get("node_latency_ms", {}).items():
            for milliseconds in taken:
                # As many as the graphs have: no name of a node comes from outside.
                self._node_seconds.labels(node).observe(milliseconds / 1000)
        audits = finished.figures.get("citation_violations", [])
        self._invalid.inc(sum(len(audit["invalid"]) for audit in audits))
        outcome = finished.outcome
        # Without a draft the confidence is 0 by definition, and says nothing about the models.
        if isinstance(outcome, Answered | NeedsClarification) and outcome.audit is not None:
            self._confidence.observe(outcome.confidence)

    def called(self, model: str, outcome: CallOutcome, usage: Usage | None = None) -> None:
        """A model was asked. `model` is a configured one: there are as many as roles."""
        self._calls.labels(model, outcome).inc()
        if usage is not None:
            self._tokens.labels(model, "prompt").inc(usage.prompt_tokens)
            self._tokens.labels(model, "completion").inc(usage.completion_tokens)

    def waited(self, seconds: float) -> None:
        """A model call had its turn, or was refused it."""
        self._waits.observe(max(0.0, seconds))

    def ambiguous(self) -> None:
        """A message is sent a second time, perhaps."""
        self._ambiguous.inc()

    def backlog(self, backlog: Backlog | None, now: dt.datetime) -> None:
        """Set the gauges of what is still to be done; None where the database did not say."""
        self._up.set(backlog is not None)
        if backlog is None:
            for gauge in (self._depth, self._running, self._oldest):
                gauge.set(math.nan)
            return
        self._depth.set(backlog.waiting + backlog.queued)
        self._running.set(backlog.running)
        oldest = backlog.oldest
        self._oldest.set(0 if oldest is None else max(0.0, (now - oldest).total_seconds()))

    def fleet(self, fleet: Fleet | None) -> None:
        """Set the gauges of the workers, alive and dead; None where the database did not say."""
        self._workers.labels("alive").set(math.nan if fleet is None else fleet.alive)
        self._workers.labels("dead").set(math.nan if fleet is None else fleet.dead)

    def taken_over(self) -> None:
        """This process found a dead one, and its runs go on."""
        self._taken_over.inc()

    # --- what is shown ---------------------------------------------------------------------

    def page(self, accept: str = "") -> tuple[bytes, str]:
        """All figures, in the form that the `Accept` header asks for, and that form's name."""
        encode, content_type = choose_encoder(accept)
        return encode(self.registry), content_type
