"""Inject the faults that were ordered, and enforce Slack's rate limits for whoever wants them."""

import math
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from bot.slack.limits import POST_BURST, POSTS_PER_CHANNEL_S, RATES, Tier

MethodFault = Literal["429", "500", "503", "html", "drop", "drop_after", "slow", "error", "silent"]
EventFault = Literal["duplicate", "hold", "lose"]
MINUTE_S: Final = 60.0
SILENCE_S: Final = 60.0
"""How long a silent answer keeps its caller waiting at most."""

Matches = Callable[[Mapping[str, Any]], bool]


@dataclass
class Fault:
    """One thing that goes wrong the next `times` times.

    `429` answers with `retry_after` as its header, in whatever form it is given, or none. `drop`
    closes the connection before the call is accepted, `drop_after` when it has taken effect. `slow`
    takes effect at once and answers after `delay_s`. `error` answers with that error of Slack's.
    """

    kind: MethodFault | EventFault
    times: int
    method: str | None = None
    event: str | None = None
    retry_after: str | None = "1"
    delay_s: float = 0.0
    error: str = "internal_error"
    copies: int = 2
    matches: Matches | None = None


class Faults:
    """Keep the faults that were ordered, in the order in which they were ordered."""

    def __init__(self) -> None:
        self._ordered: list[Fault] = []

    def add(
        self,
        *,
        kind: MethodFault | EventFault,
        times: int = 1,
        method: str | None = None,
        event: str | None = None,
        retry_after: str | None = "1",
        delay_s: float = 0.0,
        error: str = "internal_error",
        copies: int = 2,
        matches: Matches | None = None,
    ) -> Fault:
        """Order a fault for a method, or for an event to the app (`message`, `app_mention`, …).

        Raises:
            ValueError: it names neither or both; nothing would ever go wrong.
        """
        if (method is None) == (event is None):
            raise ValueError("a fault needs a method or an event, and not both")
        fault = Fault(kind, times, method, event, retry_after, delay_s, error, copies, matches)
        self._ordered.append(fault)
        return fault

    def clear(self) -> None:
        """Let all go well again."""
        self._ordered.clear()

    def of_method(self, method: str, args: Mapping[str, Any]) -> Fault | None:
        """Return the fault that this call meets."""
        return self._take(lambda fault: fault.method == method, args)

    def of_event(self, kind: str, event: Mapping[str, Any]) -> Fault | None:
        """Return the fault that this event meets."""
        return self._take(lambda fault: fault.event == kind, event)

    def _take(self, fits: Callable[[Fault], bool], about: Mapping[str, Any]) -> Fault | None:
        for fault in self._ordered:
            if fits(fault) and (fault.matches is None or fault.matches(about)):
                fault.times -= 1
                if fault.times <= 0:
                    self._ordered.remove(fault)
                return fault
        return None


class Rates:
    """Slack's limits: each method its calls a minute and team, and each channel its posts."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._calls: dict[tuple[str, str], deque[float]] = {}
        self._posts: dict[str, tuple[float, float]] = {}

    def wait_s(self, team_id: str, method: str, channel_id: str | None) -> int:
        """Return how many seconds a caller must wait; 0 lets the call through, and counts it."""
        if method == "chat.postMessage" and channel_id:
            return self._post(channel_id)
        tier = RATES.get(method, Tier.SPECIAL)
        if tier == Tier.SPECIAL:
            return 0
        now = self._clock()
        calls = self._calls.setdefault((team_id, method), deque())
        while calls and calls[0] <= now - MINUTE_S:
            calls.popleft()
        if len(calls) >= tier:
            return max(1, math.ceil(calls[0] + MINUTE_S - now))
        calls.append(now)
        return 0

    def _post(self, channel_id: str) -> int:
        """One post a second on average; a few may come at once."""
        now = self._clock()
        left, at = self._posts.get(channel_id, (float(POST_BURST), now))
        left = min(float(POST_BURST), left + (now - at) / POSTS_PER_CHANNEL_S)
        allowed = left >= 1
        self._posts[channel_id] = (left - 1 if allowed else left, now)
        return 0 if allowed else max(1, math.ceil((1 - left) * POSTS_PER_CHANNEL_S))
