"""Clocks that disagree: this machine's, Slack's, the database's; and one that is set meanwhile.

Durations are measured by clocks that nobody sets. The wall clock counts where others read it too:
in Slack's signatures (five minutes are forgiven), and in what is kept until a certain time.
"""

import datetime as dt
import email.utils
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

from bot.slack.client.pacing import Clock
from bot.slack.client.wire import Wire
from bot.slack.slack_errors import SlackError
from masis.errors import StoreUnavailable

log = logging.getLogger(__name__)

SKEW_SECONDS: Final = 60.0
"""More than a slow answer, and far from the five minutes at which Slack's requests are refused."""

Wall = Callable[[], float]


async def compare(
    database: Callable[[], Awaitable[dt.datetime]],
    slack_api_url: str = "",
    wall: Wall = time.time,
) -> list[str]:
    """A sentence for each clock that this machine's is more than a minute off; also logged.

    `database` gives its time. Without `slack_api_url` Slack is not asked. Who cannot be asked is
    not compared.
    """
    found = {"the database's": await _at_database(database, wall)}
    if slack_api_url:
        found["Slack's"] = await _at_slack(slack_api_url, wall)
    told = [_sentence(whose, off) for whose, off in found.items() if abs(off) > SKEW_SECONDS]
    for sentence in told:
        log.warning("%s", sentence)
    return told


def _sentence(whose: str, off: float) -> str:
    how = "ahead of" if off > 0 else "behind"
    return (
        f"This machine's clock is {abs(off):.0f} seconds {how} {whose}: requests of Slack's will be"
        " refused beyond 300, and clarifications close too early or too late. Set it by NTP."
    )


async def _at_slack(api_url: str, wall: Wall) -> float:
    """Seconds that we are ahead of Slack, by the date of a reply that needs no token."""
    wire = Wire(api_url, Clock())
    try:
        before = wall()
        reply = await wire.send("auth.test", "POST", f"{wire.api_url}auth.test", {})
        date = email.utils.parsedate_to_datetime(reply.headers.get("Date", ""))
        return _ahead(before, wall(), date.timestamp())
    except (SlackError, ValueError) as error:
        log.info("Slack's clock cannot be read: %s", type(error).__name__)
        return 0.0
    finally:
        await wire.close()


async def _at_database(database: Callable[[], Awaitable[dt.datetime]], wall: Wall) -> float:
    try:
        before = wall()
        theirs = await database()
    except StoreUnavailable as error:
        log.info("The database's clock cannot be read: %s", type(error).__name__)
        return 0.0
    return _ahead(before, wall(), theirs.timestamp())


def _ahead(before: float, after: float, theirs: float) -> float:
    """Measure how much later it is here.

    The clocks may have been read at any time between sending and receiving.
    """
    if theirs > after:
        return after - theirs
    return max(before - theirs, 0.0)
