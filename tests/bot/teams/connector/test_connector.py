"""Each call over real HTTP: what is repeated, what is not, and what its failure is called."""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator
from dataclasses import dataclass
from email.utils import format_datetime
from typing import Any, Final

import pytest

from bot.playground.teams.connector_standin import ConnectorStandin, Fault, connecting, member
from bot.playground.teams.issuer import APP, HOME, HOSTS, SECRET, Issuer, issuing
from bot.playground.teams.teams_payloads import ANN, CHANNEL, GROUP, ROOT
from bot.settings import load
from bot.teams.bounded_http import BoundedHttp
from bot.teams.connector.client_token import ClientToken
from bot.teams.connector.connector import Connector, Spot
from bot.teams.connector.connector_errors import (
    Ambiguous,
    CardTooLarge,
    ForeignAddress,
    NotThere,
    RateLimited,
    Refused,
    RemovedFromPlace,
    SecretRefused,
    TeamsError,
    Unavailable,
)
from bot.teams.connector.conversation_limits import (
    LOOKING,
    PROGRESS_SHARE,
    SENDING,
    Clock,
    Limit,
    Window,
    Windows,
)
from bot.teams.inbound.clouds import CLOUDS

SAID: Final = {"type": "message", "text": "working"}


class Time:
    """A clock that goes on when somebody sleeps."""

    def __init__(self) -> None:
        self.at = 1000.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds
        await asyncio.sleep(0)


@dataclass
class Reached:
    connector: Connector
    standin: ConnectorStandin
    issuer: Issuer
    token: ClientToken
    time: Time
    spot: Spot


@pytest.fixture
async def reached() -> AsyncIterator[Reached]:
    async with issuing() as issuer, connecting() as standin:
        http, time = BoundedHttp(seconds=0.5), Time()
        cloud = CLOUDS["public"].model_copy(update={"login_url": issuer.url})
        secret = load(teams_app_id=APP, teams_app_secret=SECRET, teams_home_tenant=HOME)
        token = ClientToken(
            http,
            cloud=cloud,
            app_id=APP,
            secret=secret.teams_app_secret,
            home_tenant=HOME,
            now=time.now,
        )
        windows = Windows(Clock(time.now, time.sleep))
        connector = Connector(http, app_id=APP, token=token, hosts=HOSTS, windows=windows)
        spot = Spot(standin.url, CHANNEL, ROOT)
        try:
            yield Reached(connector, standin, issuer, token, time, spot)
        finally:
            await http.close()


# --- the seven calls -----------------------------------------------------------------------


async def test_message_lands_in_its_thread(reached: Reached) -> None:
    posted = await reached.connector.post(reached.spot, SAID)
    message = reached.standin.messages[posted]
    assert (message.conversation, message.thread) == (CHANNEL, ROOT)
    assert "%3Bmessageid%3D" in reached.standin.calls[0].path
    assert reached.standin.calls[0].token == "token-1"


async def test_update_replaces_a_message(reached: Reached) -> None:
    posted = await reached.connector.post(reached.spot, SAID)
    for _ in range(2):
        assert await reached.connector.update(reached.spot, posted, {"type": "message"})
    assert "text" not in reached.standin.messages[posted].activity
    assert ";" not in reached.standin.calls[1].path


async def test_targeted_message_has_one_reader(reached: Reached) -> None:
    posted = await reached.connector.post(reached.spot, SAID, targeted="29:ann")
    assert reached.standin.messages[posted].targeted == "29:ann"


async def test_deleted_message_is_gone(reached: Reached) -> None:
    posted = await reached.connector.post(reached.spot, SAID)
    for _ in range(2):
        await reached.connector.delete(reached.spot, posted)
    assert reached.standin.shown == []


async def test_chat_with_one_person(reached: Reached) -> None:
    url = reached.standin.url
    opened = await reached.connector.open_chat(url, tenant=HOME, user="29:ann")
    assert opened == "a:chat-29:ann"
    assert reached.standin.calls[0].body["tenantId"] == HOME


async def test_member_is_found_or_not(reached: Reached) -> None:
    reached.standin.members[ANN] = member(role="guest")
    found = await reached.connector.member(reached.spot, ANN)
    assert found is not None
    assert (found.id, found.tenant, found.role) == (ANN, HOME, "guest")
    assert await reached.connector.member(reached.spot, "29:nobody") is None


async def test_team_and_its_channels(reached: Reached) -> None:
    url = reached.standin.url
    assert (await reached.connector.team(url, "19:t@thread.tacv2")).group == GROUP
    kinds = [each.kind for each in await reached.connector.channels(url, "19:t@thread.tacv2")]
    assert kinds == ["standard", "private"]


# --- what goes wrong -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault", ["taken, then dropped", "dropped", "slow", "garbled", 408, 500, 502, 503, 504]
)
async def test_doubtful_post_is_never_repeated(reached: Reached, fault: Fault) -> None:
    """Creating a message has no key of its own: sent again it may stand there twice."""
    reached.standin.fail("POST", fault)
    reached.standin.slow_seconds = 1.0
    with pytest.raises(Ambiguous):
        await reached.connector.post(reached.spot, SAID)
    assert reached.standin.verbs() == ["POST"]


@pytest.mark.parametrize("fault", [412, 429])
async def test_untaken_post_is_repeated(reached: Reached, fault: Fault) -> None:
    reached.standin.fail("POST", fault, fault)
    await reached.connector.post(reached.spot, SAID)
    assert len(reached.standin.shown) == 1
    assert reached.standin.verbs() == ["POST"] * 3


@pytest.mark.parametrize(
    "fault", ["taken, then dropped", "dropped", "slow", 408, 412, 429, 500, 502, 503, 504]
)
async def test_update_is_repeated(reached: Reached, fault: Fault) -> None:
    posted = await reached.connector.post(reached.spot, SAID)
    reached.standin.slow_seconds = 1.0
    reached.standin.fail("PUT", fault)
    assert await reached.connector.update(reached.spot, posted, SAID)


async def test_repeats_have_an_end(reached: Reached) -> None:
    reached.standin.fail("PUT", *[502] * 10)
    with pytest.raises(Unavailable):
        await reached.connector.update(reached.spot, "1", SAID)
    assert len(reached.standin.calls) == 4


async def test_unreachable_connector_is_unavailable(reached: Reached) -> None:
    """What cannot have arrived is no doubt."""
    spot = Spot("http://127.0.0.1:1/amer/", CHANNEL)
    with pytest.raises(Unavailable):
        await reached.connector.post(spot, SAID)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (400, Refused),
        (403, RemovedFromPlace),
        (404, NotThere),
        (413, CardTooLarge),
        ("redirect", Refused),
        ("endless", Ambiguous),
    ],
)
async def test_errors_have_types(reached: Reached, fault: Fault, error: type[TeamsError]) -> None:
    reached.standin.fail("POST", fault)
    with pytest.raises(error):
        await reached.connector.post(reached.spot, SAID)
    assert len(reached.standin.calls) == 1


async def test_deleted_message_cannot_be_updated(reached: Reached) -> None:
    with pytest.raises(NotThere) as caught:
        await reached.connector.update(reached.spot, "1", SAID)
    assert caught.value.code == "ActivityNotFoundInConversation"


async def test_retry_after_is_kept(reached: Reached) -> None:
    reached.standin.retry_after = "17"
    reached.standin.fail("POST", 429)
    await reached.connector.post(reached.spot, SAID)
    assert sum(reached.time.slept) == 17


@pytest.mark.parametrize(
    ("date", "least", "most"),
    [
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0, 0),
        ("in fifty minutes", 2000, 3000),
        ("Wed, 21 Oct 9999 07:28:00 GMT", 3600, 3600),
        ("soon", 1, 4),
        ("-5", 1, 4),
    ],
)
async def test_date_to_retry_after_is_kept(
    reached: Reached, date: str, least: float, most: float
) -> None:
    soon = dt.datetime.now(dt.UTC) + dt.timedelta(minutes=50)
    reached.standin.retry_after = format_datetime(soon) if date == "in fifty minutes" else date
    reached.standin.fail("POST", *[429] * 5)
    with pytest.raises(RateLimited) as caught:
        await reached.connector.post(reached.spot, SAID)
    assert least <= caught.value.retry_after <= most


async def test_long_rate_limit_is_told(reached: Reached) -> None:
    reached.standin.retry_after = "600"
    reached.standin.fail("POST", 429)
    with pytest.raises(RateLimited) as caught:
        await reached.connector.post(reached.spot, SAID)
    assert caught.value.retry_after == 600


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/amer/",
        "https://evil.trafficmanager.net/amer/",
        "http://127.0.0.1@evil.example/",
        "",
    ],
)
async def test_token_goes_to_no_foreign_address(reached: Reached, url: str) -> None:
    """The stored address is looked at again before each call: it may be from a time before a setting."""
    with pytest.raises(ForeignAddress):
        await reached.connector.post(Spot(url, CHANNEL), SAID)
    assert reached.standin.calls == []


# --- tokens --------------------------------------------------------------------------------


async def test_token_is_asked_once(reached: Reached) -> None:
    assert await asyncio.gather(*(reached.token.get() for _ in range(5))) == ["token-1"] * 5
    (asked,) = reached.issuer.granted
    assert asked["path"] == f"/{HOME}/oauth2/v2.0/token"
    assert asked["scope"] == "https://api.botframework.com/.default"


async def test_token_is_renewed_in_time(reached: Reached) -> None:
    await reached.token.get()
    reached.time.at += 0.79 * 3600
    assert await reached.token.get() == "token-1"
    reached.time.at += 0.02 * 3600
    assert await reached.token.get() == "token-2"


async def test_old_token_outlasts_an_outage(reached: Reached) -> None:
    await reached.token.get()
    reached.issuer.status = 503
    reached.time.at += 0.9 * 3600
    assert await reached.token.get() == "token-1"
    assert await reached.token.get() == "token-1"
    assert len(reached.issuer.granted) == 2
    reached.time.at += 0.2 * 3600
    with pytest.raises(Unavailable):
        await reached.token.get()


async def test_refused_token_is_replaced(reached: Reached) -> None:
    reached.standin.tokens = {"token-2"}
    await reached.connector.post(reached.spot, SAID)
    assert [call.token for call in reached.standin.calls] == ["token-1", "token-2"]


async def test_wrong_secret_is_told(reached: Reached) -> None:
    reached.token._form["client_id"] = "x"
    reached.issuer.status = 401
    with pytest.raises(SecretRefused, match="MASIS_TEAMS_APP_SECRET"):
        await reached.token.get()


@pytest.mark.parametrize("life", ["soon", None, -5, 10**12])
async def test_odd_lives_are_bounded(reached: Reached, life: Any) -> None:
    reached.issuer.expires_in = life
    await reached.token.get()
    reached.time.at += 30
    assert await reached.token.get() == "token-1"
    reached.time.at += 2 * 24 * 3600
    assert await reached.token.get() == "token-2"


# --- limits --------------------------------------------------------------------------------


@pytest.mark.parametrize("limits", [SENDING, LOOKING])
def test_no_window_is_ever_overfull(limits: tuple[Limit, ...]) -> None:
    window, now, sent = Window(limits), 0.0, []
    for _ in range(4000):
        now += window.wait(now) + 1e-6
        window.take(now)
        sent.append(now)
    for limit in limits:
        for first, behind in zip(sent, sent[limit.calls :], strict=False):
            assert behind - first >= limit.seconds


@pytest.mark.parametrize("processes", [1, 3, 100, 5000])
def test_processes_together_keep_the_limits(processes: int) -> None:
    """Each sends its share: what the others send nobody counts."""
    window, now, sent = Window(SENDING), 0.0, []
    for _ in range(300):
        now += window.wait(now, processes) + 1e-6
        window.take(now)
        sent.append(now)
    for limit in SENDING:
        mine = max(1, limit.calls // processes)
        for first, behind in zip(sent, sent[mine:], strict=False):
            assert behind - first >= limit.seconds


async def test_organisation_has_a_limit_of_its_own(reached: Reached) -> None:
    """However many conversations it has; another organisation waits for nothing."""
    spots = [reached.spot._replace(conversation=f"19:{at}@thread.tacv2") for at in range(40)]
    await asyncio.gather(
        *(reached.connector.post(each._replace(tenant=HOME), SAID) for each in spots[:30])
    )
    assert reached.time.slept == []
    await reached.connector.post(spots[31]._replace(tenant="another"), SAID)
    assert reached.time.slept == []
    await reached.connector.post(spots[32]._replace(tenant=HOME), SAID)
    assert sum(reached.time.slept) > 0


async def test_burst_waits_its_turn(reached: Reached) -> None:
    await asyncio.gather(*(reached.connector.post(reached.spot, SAID) for _ in range(10)))
    assert len(reached.standin.shown) == 10
    assert sum(reached.time.slept) >= 2


async def test_progress_leaves_room_for_answers(reached: Reached) -> None:
    posted = await reached.connector.post(reached.spot, SAID)
    shown = 0
    for _ in range(1800):
        reached.time.at += 1.9
        shown += await reached.connector.update(reached.spot, posted, SAID, droppable=True)
    assert shown == int(PROGRESS_SHARE * 1800) - 1


async def test_progress_yields_to_the_organisation(reached: Reached) -> None:
    """What other conversations of an organisation need is not waited for."""
    home = reached.spot._replace(tenant=HOME)
    posted = await reached.connector.post(home, SAID)
    for at in range(29):
        other = home._replace(conversation=f"19:{at}@thread.tacv2")
        await reached.connector.post(other, SAID)
    assert not await reached.connector.update(home, posted, SAID, droppable=True)
    await reached.connector.typing(home)
    assert reached.standin.typing == [], "the sign that something is written yields too"
    assert reached.time.slept == []
    assert "PUT" not in reached.standin.verbs()
    reached.time.at += 1.1
    assert await reached.connector.update(home, posted, SAID, droppable=True)


async def test_progress_is_tried_once(reached: Reached) -> None:
    posted = await reached.connector.post(reached.spot, SAID)
    reached.standin.fail("PUT", 502)
    with pytest.raises(Unavailable):
        await reached.connector.update(reached.spot, posted, SAID, droppable=True)
    assert reached.standin.verbs() == ["POST", "PUT"]


async def test_limits_are_shared_among_processes(reached: Reached) -> None:
    posted = await reached.connector.post(reached.spot, SAID)
    for _ in range(10):
        reached.time.at += 2
        await reached.connector.update(reached.spot, posted, SAID)
    assert await reached.connector.update(reached.spot, posted, SAID, droppable=True)
    reached.connector.share(4)
    assert not await reached.connector.update(reached.spot, posted, SAID, droppable=True)
