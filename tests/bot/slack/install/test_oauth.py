import asyncio
import contextlib
import datetime as dt
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import BaseTestServer, TestServer
from pydantic import SecretStr

from bot.slack.install import oauth
from bot.slack.install.grants import Grants
from bot.slack.install.oauth import InstallPages, check_keys
from bot.slack.install.tokens import InstalledTokens
from masis.conversation import Tenant
from masis.errors import InvalidSettings, StoreUnavailable
from masis.installation import Installation
from storage.accounts.install_states import SqlInstallStates
from storage.accounts.installations import SqlInstallations
from storage.secrets import KeyRing, generate_key
from storage.sql.database import Database
from tests.bot.slack.granting import (
    CLIENT_ID,
    Answer,
    GrantingSlack,
    Team,
    answers,
    database_in,
    refuses,
)

KEY = f"k1:{generate_key()}"
SCOPES = ["commands", "chat:write"]
T1 = Tenant(team="T1")
Serve = Callable[[str], Awaitable[BaseTestServer]]


@pytest.fixture
async def slack() -> AsyncIterator[GrantingSlack]:
    async with GrantingSlack() as started:
        yield started


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await database_in(tmp_path)
    yield opened
    await opened.close()


@pytest.fixture
def store(database: Database) -> SqlInstallations:
    return SqlInstallations(database, KeyRing.parse(SecretStr(KEY)))


@pytest.fixture
async def grants(slack: GrantingSlack) -> AsyncIterator[Grants]:
    made = slack.grants()
    yield made
    await made.close()


@pytest.fixture
async def tokens(store: SqlInstallations, grants: Grants) -> AsyncIterator[InstalledTokens]:
    made = InstalledTokens(installations=store, grants=grants)
    yield made
    await made.close()


@pytest.fixture
async def serve(
    store: SqlInstallations, database: Database, grants: Grants, tokens: InstalledTokens
) -> AsyncIterator[Serve]:
    """Serves the pages under a public address."""
    async with contextlib.AsyncExitStack() as closing:

        async def start(public_url: str) -> BaseTestServer:
            pages = InstallPages(
                public_url=public_url,
                client_id=CLIENT_ID,
                scopes=SCOPES,
                installations=store,
                states=SqlInstallStates(database),
                grants=grants,
                tokens=tokens,
            )
            app = web.Application()
            app.add_routes(pages.routes())
            return await closing.enter_async_context(TestServer(app, host="127.0.0.1"))

        yield start


@pytest.fixture
async def server(serve: Serve) -> BaseTestServer:
    return await serve("http://127.0.0.1")


@contextlib.asynccontextmanager
async def browser_at(server: BaseTestServer) -> AsyncIterator[aiohttp.ClientSession]:
    """A browser: it keeps cookies, and follows nothing by itself."""
    jar = aiohttp.CookieJar(unsafe=True)  # also of a bare address
    async with aiohttp.ClientSession(server.make_url("/"), cookie_jar=jar) as session:
        yield session


@pytest.fixture
async def browser(server: BaseTestServer) -> AsyncIterator[aiohttp.ClientSession]:
    async with browser_at(server) as session:
        yield session


class Shown:
    """A page as it was shown."""

    def __init__(self, status: int, body: str, headers: dict[str, str]) -> None:
        self.status = status
        self.body = body
        self.headers = headers
        found = re.search("<h1>(.*?)</h1>", body)
        self.title = found[1] if found else ""
        found = re.search('href="(.*?)"', body)
        self.link = found[1].replace("&amp;", "&") if found else ""


async def show(browser: aiohttp.ClientSession, path: str, **query: str) -> Shown:
    async with browser.get(path, params=query, allow_redirects=False) as response:
        return Shown(response.status, await response.text(), dict(response.headers))


async def begin(browser: aiohttp.ClientSession) -> str:
    """Begin an installation; its state."""
    shown = await show(browser, "/slack/install")
    assert shown.status == 200
    return parse_qs(urlsplit(shown.link).query)["state"][0]


async def finish(browser: aiohttp.ClientSession, **query: str) -> Shown:
    return await show(browser, "/slack/oauth_redirect", **query)


# --- the way it goes -----------------------------------------------------------------------


async def test_the_first_page_leads_to_slack(browser: aiohttp.ClientSession) -> None:
    shown = await show(browser, "/slack/install")
    parts = urlsplit(shown.link)
    assert (parts.scheme, parts.netloc, parts.path) == ("https", "slack.com", "/oauth/v2/authorize")
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    assert len(query.pop("state")) == 43
    assert query == {
        "client_id": CLIENT_ID,
        "scope": "commands,chat:write",
        "redirect_uri": "http://127.0.0.1/slack/oauth_redirect",
    }


async def test_installation_is_stored_with_next_steps(
    browser: aiohttp.ClientSession,
    store: SqlInstallations,
    slack: GrantingSlack,
    tokens: InstalledTokens,
) -> None:
    """An installation is stored and says what comes next."""
    slack.codes["c-1"] = Team(expires_in=43_200)
    shown = await finish(browser, state=await begin(browser), code="c-1")
    assert (shown.status, shown.title) == (200, "MASIS is installed")
    assert "MASIS is now in Acme." in shown.body
    assert "/masis link" in shown.body
    found = await store.find(T1)
    assert found is not None
    assert found.token.get_secret_value() == "xoxb-1"
    assert found.refresh_token.get_secret_value() == "xoxe-1"
    assert found.expires_at is not None
    assert found.expires_at - found.installed_at == dt.timedelta(hours=12)
    assert (found.app_id, found.bot_id, found.bot_user_id) == ("A1", "BBOT", "UBOT")
    assert (found.scopes, found.installed_by, found.team_name) == (SCOPES, "U1", "Acme")
    assert slack.access[0]["redirect_uri"] == "http://127.0.0.1/slack/oauth_redirect"
    assert (await tokens.for_tenant(T1)).token == "xoxb-1"


async def test_organisation_is_stored_without_team(
    browser: aiohttp.ClientSession, store: SqlInstallations, slack: GrantingSlack
) -> None:
    """An organisation is kept without a team."""
    slack.codes["c-1"] = Team(team="", enterprise="E1")
    shown = await finish(browser, state=await begin(browser), code="c-1")
    assert "MASIS is now in Org." in shown.body
    found = await store.find(Tenant(enterprise="E1", team="T7"))
    assert found is not None
    assert found.tenant == Tenant(enterprise="E1")
    assert found.expires_at is None


async def test_organisation_team_is_stored_twice(
    browser: aiohttp.ClientSession, store: SqlInstallations, slack: GrantingSlack
) -> None:
    """A team of an organisation is kept under both."""
    slack.codes["c-1"] = Team(team="T1", enterprise="E1")
    await finish(browser, state=await begin(browser), code="c-1")
    assert await store.find(Tenant(enterprise="E1", team="T1")) is not None
    assert await store.find(T1) is None


async def test_reinstallation_replaces_token_at_once(
    browser: aiohttp.ClientSession, slack: GrantingSlack, tokens: InstalledTokens
) -> None:
    """A second installation replaces the token at once."""
    slack.codes |= {"c-1": Team(), "c-2": Team()}
    await finish(browser, state=await begin(browser), code="c-1")
    await tokens.for_tenant(T1)
    await finish(browser, state=await begin(browser), code="c-2")
    assert (await tokens.for_tenant(T1)).token == "xoxb-2"


async def test_two_tabs_can_both_finish(
    browser: aiohttp.ClientSession, slack: GrantingSlack
) -> None:
    """Two tabs of one browser can both be finished."""
    slack.codes |= {"c-1": Team(), "c-2": Team(team="T2")}
    first, second = await begin(browser), await begin(browser)
    assert (await finish(browser, state=second, code="c-2")).status == 200
    assert (await finish(browser, state=first, code="c-1")).status == 200


# --- state ---------------------------------------------------------------------------------


async def test_the_same_address_installs_once(
    browser: aiohttp.ClientSession, slack: GrantingSlack
) -> None:
    slack.codes |= {"c-1": Team(), "c-2": Team()}
    state = await begin(browser)
    assert (await finish(browser, state=state, code="c-1")).status == 200
    again = await finish(browser, state=state, code="c-2")
    assert (again.status, again.title) == (400, "This installation cannot be finished")
    assert "c-2" in slack.codes


async def test_concurrent_callbacks_install_once(
    browser: aiohttp.ClientSession, slack: GrantingSlack
) -> None:
    """Six at once install once in each of ten rounds."""
    for round_ in range(10):
        codes = [f"c-{round_}-{n}" for n in range(6)]
        slack.codes |= {code: Team() for code in codes}
        state = await begin(browser)
        shown = await asyncio.gather(*(finish(browser, state=state, code=code) for code in codes))
        assert sorted(each.status for each in shown) == [200, 400, 400, 400, 400, 400]
        assert len(slack.access) == round_ + 1


async def test_another_browser_cannot_finish_it(
    browser: aiohttp.ClientSession, server: BaseTestServer, slack: GrantingSlack
) -> None:
    """Who lures somebody to an address with their own code and state gets nothing installed."""
    slack.codes["c-1"] = Team()
    state = await begin(browser)
    async with browser_at(server) as other:
        assert (await finish(other, state=state, code="c-1")).status == 400
        await begin(other)  # now it has a cookie of its own
        assert (await finish(other, state=state, code="c-1")).status == 400
    assert slack.access == []
    assert (await finish(browser, state=state, code="c-1")).status == 200


@pytest.mark.parametrize(
    "state", ["", "x", "A" * 43, "A" * 5000, "<script>alert(1)</script>", "\0"]
)
async def test_an_invented_state_is_none(
    browser: aiohttp.ClientSession, slack: GrantingSlack, state: str
) -> None:
    await begin(browser)
    shown = await finish(browser, state=state, code="c-1")
    assert shown.status == 400
    assert "<script" not in shown.body
    assert slack.access == []


async def test_state_expires_after_ten_minutes(
    browser: aiohttp.ClientSession, slack: GrantingSlack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten minutes are the end of it."""
    monkeypatch.setattr(oauth, "STATE_SECONDS", 0.001)
    async with browser.get("/slack/install") as response:
        (_, cookie), *_ = response.cookies.items()
        found = re.search("state=([A-Za-z0-9_-]{43})", await response.text())
    assert found is not None
    browser.cookie_jar.update_cookies({cookie.key: cookie.value}, response.url)
    shown = await finish(browser, state=found[1], code="c-1")
    assert (shown.status, shown.title) == (410, "This took too long")
    assert slack.access == []


# --- what Slack says -----------------------------------------------------------------------


@pytest.mark.parametrize("error", ["access_denied", "<img src=x onerror=alert(1)>", ""])
async def test_slack_refusal_is_not_repeated(
    browser: aiohttp.ClientSession, slack: GrantingSlack, error: str
) -> None:
    """A refusal on slacks page is told and not repeated."""
    state = await begin(browser)
    shown = await finish(browser, state=state, error=error)
    assert (shown.status, shown.title) == (403, "MASIS was not installed")
    assert shown.link == "/slack/install"
    assert "<img" not in shown.body
    assert (await finish(browser, state=state, code="c-1")).status == 400
    assert slack.access == []


@pytest.mark.parametrize("code", ["", "unknown", "a b", "x" * 501, "<b>"])
async def test_invalid_code_is_reported(browser: aiohttp.ClientSession, code: str) -> None:
    """A code that is none is told."""
    shown = await finish(browser, state=await begin(browser), code=code)
    assert (shown.status, shown.title) == (400, "This installation cannot be finished")


TROUBLES: list[tuple[Answer, int, str]] = [
    (refuses("bad_client_secret"), 502, "cannot be installed now"),
    (refuses("bad_redirect_uri"), 502, "cannot be installed now"),
    (refuses("code_already_used"), 400, "cannot be finished"),
    (refuses("ratelimited"), 502, "did not answer"),
    (answers("<html>", 500), 502, "did not answer"),
    (answers("<html>"), 502, "did not answer"),
    (answers({"ok": True}), 502, "did not answer"),
    (answers({"ok": True, "access_token": "xoxb-9", "team": {"id": "T1<b>"}}), 502, "did not"),
    (answers({"ok": True, "access_token": "xoxb-9", "team": None}), 502, "did not answer"),
]


@pytest.mark.parametrize(("trouble", "status", "title"), TROUBLES)
async def test_incomplete_grant_is_not_stored(
    browser: aiohttp.ClientSession, slack: GrantingSlack, trouble: Answer, status: int, title: str
) -> None:
    """What slack does not grant is not stored."""
    slack.script.append(trouble)
    slack.tokens["xoxb-9"] = Team()
    shown = await finish(browser, state=await begin(browser), code="c-1")
    assert shown.status == status
    assert title in shown.title


async def test_anonymous_grant_is_not_stored(
    browser: aiohttp.ClientSession, store: SqlInstallations, slack: GrantingSlack
) -> None:
    """Nothing is stored of a grant that names nobody."""
    slack.codes["c-1"] = Team(changed={"team": None})
    assert (await finish(browser, state=await begin(browser), code="c-1")).status == 502
    assert await store.key_counts() == {}


async def test_names_are_shown_as_text(
    browser: aiohttp.ClientSession, slack: GrantingSlack
) -> None:
    slack.codes["c-1"] = Team(name='<script>alert("1")</script>')
    shown = await finish(browser, state=await begin(browser), code="c-1")
    assert "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;" in shown.body
    assert "<script" not in shown.body


# --- the pages -----------------------------------------------------------------------------


async def test_every_page_sets_security_headers(
    browser: aiohttp.ClientSession,
) -> None:
    """Every page forbids scripts frames referrers and caches."""
    state = await begin(browser)
    for shown in (
        await show(browser, "/slack/install"),
        await finish(browser, state=state, error="access_denied"),
        await finish(browser, state=state),
    ):
        policy = shown.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; style-src 'sha256-")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert shown.headers["Referrer-Policy"] == "no-referrer"
        assert shown.headers["Cache-Control"] == "no-store"
        assert shown.headers["X-Content-Type-Options"] == "nosniff"
        assert shown.headers["Content-Type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("public_url", "name", "secure"),
    [("https://masis.example", "__Host-masis-install", True), ("http://h", "masis-install", False)],
)
async def test_cookie_is_bound_to_server(
    serve: Serve, public_url: str, name: str, *, secure: bool
) -> None:
    """The cookie is bound to this server."""
    server = await serve(public_url)
    async with browser_at(server) as browser, browser.get("/slack/install") as response:
        cookie = response.cookies[name]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    assert cookie["max-age"] == "600"
    assert bool(cookie["secure"]) is secure
    assert cookie["domain"] == ""


async def test_a_preview_begins_nothing(browser: aiohttp.ClientSession) -> None:
    async with browser.head("/slack/install") as response:
        assert response.status == 405
        assert not response.cookies


async def test_flood_is_refused_before_writing(
    browser: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flood is turned away before it writes."""
    shown = [await show(browser, "/slack/install") for _ in range(3)]
    assert {each.status for each in shown} == {200}
    written = []

    async def begin_(*_: object) -> None:
        written.append(1)

    monkeypatch.setattr(SqlInstallStates, "begin", begin_)
    found = [await show(browser, "/slack/install") for _ in range(oauth.BEGUN_PER_MINUTE)]
    assert [each.status for each in found].count(503) == 3
    assert found[-1].headers["Retry-After"] == "60"
    assert len(written) == oauth.BEGUN_PER_MINUTE - 3


async def test_lost_database_is_no_crash(
    browser: aiohttp.ClientSession, slack: GrantingSlack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that is gone is no crash."""

    async def unavailable(*_: object) -> None:
        raise StoreUnavailable("The disk is full.")

    slack.codes["c-1"] = Team()
    state = await begin(browser)
    monkeypatch.setattr(SqlInstallations, "save", unavailable)
    assert (await finish(browser, state=state, code="c-1")).status == 503
    monkeypatch.setattr(SqlInstallStates, "begin", unavailable)
    assert (await show(browser, "/slack/install")).status == 503


async def test_logs_omit_oauth_secrets(
    browser: aiohttp.ClientSession,
    slack: GrantingSlack,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No log holds a token a code or a state."""
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("aiohttp.access").setLevel(logging.CRITICAL)  # as `masis serve` has it
        slack.codes["c-canary"] = Team(expires_in=43_200)
        states = [await begin(browser)]
        await finish(browser, state=states[0], code="c-canary")
        states.append(await begin(browser))
        await finish(browser, state=states[1], code="c-unknown")

        async def no_key(self: object, installation: Installation) -> None:  # noqa: ARG001 - the store's signature
            raise InvalidSettings("MASIS_SECRET_KEYS: there is no key")

        monkeypatch.setattr(SqlInstallations, "save", no_key)
        slack.codes["c-canary"] = Team()
        states.append(await begin(browser))
        assert (await finish(browser, state=states[2], code="c-canary")).status == 502
    assert "there is no key" in caplog.text
    for secret in ("xox", "cs-7d1f0c", "c-canary", "c-unknown", *states):
        assert secret not in caplog.text


# --- keys ----------------------------------------------------------------------------------


def test_installations_require_a_key() -> None:
    """Installations without a key are refused at the start."""
    for missing in ("", " ", ","):
        with pytest.raises(InvalidSettings, match=r"MASIS_SECRET_KEYS.*masis keys generate"):
            check_keys(client_id=CLIENT_ID, secret_keys=SecretStr(missing))
    check_keys(client_id=CLIENT_ID, secret_keys=SecretStr(KEY))
    check_keys(client_id="", secret_keys=SecretStr(""))
