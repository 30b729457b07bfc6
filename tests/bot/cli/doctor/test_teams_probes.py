"""What `masis doctor` says of Teams, and what to do about it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from bot.cli.doctor.findings import Check
from bot.cli.doctor.teams_probes import consents, probe
from bot.playground.teams.issuer import APP, HOME, SECRET, Issuer, issuing, listening
from bot.playground.teams.teams_payloads import GROUP
from bot.settings import Settings, load
from masis.conversation import TEAMS, Tenant
from tests.bot.program import Masis

TEAM = Tenant(chat=TEAMS, enterprise=HOME, team=GROUP)
URL = "https://masis.example.org"


@pytest.fixture
async def issuer() -> AsyncIterator[Issuer]:
    async with issuing() as made:
        yield made


@asynccontextmanager
async def answering(status: int) -> AsyncIterator[str]:
    """Whatever stands at the public address answers a stranger so."""

    async def handle(request: web.Request) -> web.Response:
        assert "Authorization" not in request.headers
        return web.Response(status=status)

    app = web.Application()
    app.router.add_post("/teams/messages", handle)
    async with listening(app) as url:
        yield url


def settings(issuer: Issuer, **over: Any) -> Settings:
    given = {
        "teams_app_id": APP,
        "teams_app_secret": SECRET,
        "teams_home_tenant": HOME,
        "teams_login_url": issuer.url,
        "teams_metadata_url": issuer.metadata_url,
        "teams_graph_url": issuer.url,
        "public_url": URL,
    }
    return load(**given | over)


async def found(settings: Settings) -> dict[str, Check]:
    return {check.name: check for check in await probe(settings)}


async def test_missing_teams_skips_its_checks() -> None:
    (check,) = await probe(load())
    assert (check.name, check.state) == ("teams", "skipped")
    assert "MASIS_TEAMS_APP_ID" in check.detail


async def test_whole_setup_is_ok(issuer: Issuer) -> None:
    async with answering(401) as url:
        checks = await found(settings(issuer, public_url=url))
    assert {check.state for check in checks.values()} == {"ok"}
    assert f"{url}/teams/messages" in checks["teams address"].detail
    assert "1 tenant" in checks["teams app"].detail


@pytest.mark.parametrize("status", [200, 301, 404, 502])
async def test_address_that_is_not_masis_fails(issuer: Issuer, status: int) -> None:
    async with answering(status) as url:
        check = (await found(settings(issuer, public_url=url)))["teams address"]
    assert (check.state, str(status) in check.detail) == ("fail", True)
    assert "masis serve" in check.hint


async def test_silent_address_says_what_to_do(issuer: Issuer) -> None:
    check = (await found(settings(issuer, public_url="http://127.0.0.1:9")))["teams address"]
    assert check.state == "fail"
    assert "proxy" in check.hint


async def test_wrong_secret_says_where_it_is(issuer: Issuer) -> None:
    check = (await found(settings(issuer, teams_app_secret="wrong")))["teams app"]
    assert check.state == "fail"
    assert "client secret" in check.hint
    assert "wrong" not in check.detail


async def test_silent_microsoft_is_a_network_matter(issuer: Issuer) -> None:
    issuer.status = 503
    async with answering(401) as url:
        checks = await found(settings(issuer, public_url=url))
    assert {name for name, check in checks.items() if check.state == "fail"} == {
        "teams keys",
        "teams app",
    }
    assert all("HTTPS_PROXY" in checks[name].hint for name in ("teams keys", "teams app"))


async def test_server_needs_a_public_address(issuer: Issuer) -> None:
    check = (await found(settings(issuer, public_url="")))["teams address"]
    assert check.state == "fail"
    assert "MASIS_PUBLIC_URL" in check.hint


async def test_consent_is_looked_at_per_team(issuer: Issuer) -> None:
    given = settings(issuer)
    assert await consents(given, [Tenant(team="T1")]) == []
    (told,) = await consents(given, [TEAM, Tenant(team="T1")])
    assert (told.state, told.detail) == ("ok", "Graph tells those of 1 team")
    issuer.consented = False
    (refused,) = await consents(given, [TEAM])
    assert refused.state == "fail"
    assert f"{HOME}/{GROUP}" in refused.detail
    assert "TeamMember.Read.Group" in refused.hint


def test_doctor_names_teams(masis: Masis) -> None:
    result = masis("doctor", MASIS_EMBEDDER="none")
    assert any(line.startswith("skipped teams") for line in result.stdout.splitlines())
