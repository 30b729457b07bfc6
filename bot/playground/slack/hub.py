"""Hold what the stand-in's parts share: the world, the way to the app, faults, the call log."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from bot.playground.slack.bots import Bots
from bot.playground.slack.faults import Faults, Rates
from bot.playground.slack.world import World

KEPT_CALLS: Final = 10_000
KEPT_TICKETS: Final = 100
"""Of websockets that were asked for and never opened."""


@dataclass
class Logged:
    """One call of the Web API, as it arrived, and how it was answered."""

    method: str
    args: Mapping[str, Any]
    token: str | None
    at: float
    ok: bool = False
    error: str | None = None
    fault: str | None = None


class Fetched(NamedTuple):
    """One request for a file."""

    file_id: str
    token: str | None
    status: int


@dataclass
class Hub:
    """Shared by every part; `base_url` and `socket_url` are known once the server listens."""

    world: World
    bots: Bots
    faults: Faults
    rates: Rates | None = None
    base_url: str = ""
    socket_url: str = ""
    calls: deque[Logged] = field(default_factory=lambda: deque(maxlen=KEPT_CALLS))
    fetched: deque[Fetched] = field(default_factory=lambda: deque(maxlen=KEPT_CALLS))
    tickets: deque[str] = field(default_factory=lambda: deque(maxlen=KEPT_TICKETS))
    codes: dict[str, "Code"] = field(default_factory=dict)
    trigger_life_s: float = 0.0


class Code(NamedTuple):
    """An OAuth code: who approved, for what, until when. Good for one exchange."""

    team_id: str
    installer_id: str
    scopes: tuple[str, ...]
    redirect_uri: str | None
    expires_at: float
