"""Why a request is refused, in the words that its asker reads."""

import math

from masis.policy import MAX_EXPECTED_WAIT, QUEUE_LIMIT, QUEUE_LIMIT_PER_WORKSPACE
from masis.spending import Budget, Spent
from storage.chat.quota_snapshot import Standing

_A_MINUTE = "Wait a minute and ask again."
_WHEN_DONE = "Ask again when one of them is done."
_LATER = "Ask again in some minutes."


def over_budget(found: Standing, budget: Budget) -> str:
    """That the workspace spent what it may in a day; empty when it did not."""
    return budget.refusal(Spent(tokens=found.spent_tokens, cost=found.spent_cost))


def too_much(found: Standing) -> str:
    """That too many ask, or wait; empty when it is not so."""
    limits = found.settings
    quotas = (
        (
            found.user_open,
            limits.user_running,
            f"{{}} of your questions are still being worked on. {_WHEN_DONE}",
        ),
        (
            found.user_last_minute,
            limits.user_per_minute,
            f"You asked {{}} questions within a minute. {_A_MINUTE}",
        ),
        (
            found.channel_last_minute,
            limits.channel_per_minute,
            f"This channel asked {{}} questions within a minute. {_A_MINUTE}",
        ),
        (
            found.workspace_last_minute,
            limits.workspace_per_minute,
            f"This workspace was asked {{}} questions within a minute. {_A_MINUTE}",
        ),
        (
            found.workspace_queued,
            QUEUE_LIMIT_PER_WORKSPACE,
            f"{{}} questions to this workspace wait already. {_LATER}",
        ),
        (found.queued, QUEUE_LIMIT, f"Too many questions wait already. {_LATER}"),
    )
    over = (reason.format(used) for used, limit, reason in quotas if used >= limit)
    return next(over, "")


def too_long(seconds: float) -> str:
    """That its turn would come too late; empty when it would not."""
    if seconds <= MAX_EXPECTED_WAIT:
        return ""
    return (
        f"You would wait about {math.ceil(seconds / 60)} minutes for an answer, so the question was"
        f" not taken in. {_LATER}"
    )
