"""Answer what no listener hears, and what a listener did not foresee.

Both are logged without their words.
"""

import logging
import traceback
from typing import Final

from slack_bolt import BoltResponse
from slack_bolt.error import BoltUnhandledRequestError

from bot.slack.intake.payload_values import Json
from masis.errors import StoreUnavailable

log = logging.getLogger(__name__)

_RATE_LIMITED: Final = "app_rate_limited"


async def unforeseen(error: Exception, body: Json) -> BoltResponse | None:
    """Bolt's error handler. An event of any kind is received, so that Slack does not repeat it.

    Whatever else nobody hears keeps its 404, what cannot be stored now gets a 503, and a mistake of
    ours its 500: Slack shows the person that it failed, and repeats an event.
    """
    if isinstance(error, BoltUnhandledRequestError):
        return _unheard(body)
    if isinstance(error, StoreUnavailable):
        log.warning("a request of Slack's could not be stored; an event comes again: %s", error)
        return BoltResponse(status=503)
    # An error's text may quote what somebody wrote: its name and place say enough.
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{frame.name}:{frame.lineno}"
    log.error("a request of Slack's was not dealt with: %s in %s", type(error).__name__, where)
    return None


def _unheard(body: Json) -> BoltResponse | None:
    kind = body.get("type")
    if kind == _RATE_LIMITED:
        log.warning("Slack holds events back: a team sends more than 30,000 an hour")
    return BoltResponse(status=200) if kind in {_RATE_LIMITED, "event_callback"} else None
