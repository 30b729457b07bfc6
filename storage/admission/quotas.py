"""Why a request is refused, in the words that its asker reads."""

import math

from masis.policy import MAX_EXPECTED_WAIT, QUEUE_LIMIT, QUEUE_LIMIT_PER_WORKSPACE
from masis.spending import Budget, Spent
from storage.admission.quota_snapshot import QuotaSnapshot

_A_MINUTE = "Wait a minute and ask again."
_WHEN_DONE = "Ask again when one of them is done."
_LATER = "Ask again in some minutes."


def over_budget(snapshot: QuotaSnapshot, budget: Budget) -> str:
    """That the workspace spent what it may in a day; empty when it did not."""
    return budget.refusal(Spent(tokens=snapshot.spent_tokens, cost=snapshot.spent_cost))


def too_much(snapshot: QuotaSnapshot) -> str:
    """That too many ask, or wait; empty when it is not so."""
    limits = snapshot.settings
    quotas = (
        (
            snapshot.user_open,
            limits.user_running,
            f"{{}} of your questions are still being worked on. {_WHEN_DONE}",
        ),
        (
            snapshot.user_last_minute,
            limits.user_per_minute,
            f"You asked {{}} questions within a minute. {_A_MINUTE}",
        ),
        (
            snapshot.channel_last_minute,
            limits.channel_per_minute,
            f"This channel asked {{}} questions within a minute. {_A_MINUTE}",
        ),
        (
            snapshot.workspace_last_minute,
            limits.workspace_per_minute,
            f"This workspace was asked {{}} questions within a minute. {_A_MINUTE}",
        ),
        (
            snapshot.workspace_queued,
            QUEUE_LIMIT_PER_WORKSPACE,
            f"{{}} questions to this workspace wait already. {_LATER}",
        ),
        (snapshot.queued, QUEUE_LIMIT, f"Too many questions wait already. {_LATER}"),
    )
    over = (reason.format(used) for used, limit, reason in quotas if used >= limit)
    return next(over, "")


def too_long(seconds: float) -> str:
    """That it would be served too late; empty when it would not."""
    if seconds <= MAX_EXPECTED_WAIT:
        return ""
    return (
        f"You would wait about {math.ceil(seconds / 60)} minutes for an answer, so the question was"
        f" not taken in. {_LATER}"
    )
