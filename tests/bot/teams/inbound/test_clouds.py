from typing import Any

import pytest

from bot.playground.teams.issuer import APP, HOME, OTHER, SECRET
from bot.settings import load
from bot.teams.inbound.clouds import (
    CLOUDS,
    cloud_of,
    is_file_address,
    is_service_address,
    tenants_of,
)
from masis.errors import InvalidSettings

WHOLE: dict[str, Any] = {"teams_app_id": APP, "teams_app_secret": SECRET, "teams_home_tenant": HOME}
PUBLIC = CLOUDS["public"].service_hosts


def test_home_tenant_alone_is_the_default() -> None:
    assert tenants_of(load(**WHOLE)) == {HOME}
    assert tenants_of(load(**WHOLE, teams_tenants=f"{HOME.upper()} {OTHER}")) == {HOME, OTHER}


def test_cloud_has_its_own_addresses() -> None:
    assert cloud_of(load(**WHOLE)).issuer == "https://api.botframework.com"
    assert cloud_of(load(**WHOLE, teams_cloud="gcc_high")).service_hosts == {
        "smba.infra.gov.teams.microsoft.us"
    }


def test_settings_replace_addresses() -> None:
    replaced = load(
        **WHOLE,
        teams_login_url="http://127.0.0.1:1/",
        teams_metadata_url="http://localhost:1/meta",
        teams_service_hosts="Proxy.Example 127.0.0.1:5",
    )
    cloud = cloud_of(replaced)
    assert cloud.login_url == "http://127.0.0.1:1"
    assert cloud.service_hosts == {"proxy.example", "127.0.0.1:5"}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"teams_app_id": "masis"}, "MASIS_TEAMS_APP_ID: should be an id such as"),
        ({"teams_app_id": APP}, "MASIS_TEAMS_APP_SECRET: Teams needs"),
        ({**WHOLE, "teams_home_tenant": ""}, "MASIS_TEAMS_HOME_TENANT: Teams needs"),
        ({**WHOLE, "teams_tenants": f"{HOME},x"}, "MASIS_TEAMS_TENANTS: should be an id"),
        ({**WHOLE, "teams_cloud": "china"}, "MASIS_TEAMS_SERVICE_HOSTS: the cloud china"),
        ({**WHOLE, "teams_cloud": "moon"}, "MASIS_TEAMS_CLOUD: should be"),
        ({**WHOLE, "teams_login_url": "http://login.example"}, "MASIS_TEAMS_LOGIN_URL: should be"),
        ({**WHOLE, "teams_metadata_url": "meta"}, "MASIS_TEAMS_METADATA_URL: should be"),
        ({**WHOLE, "teams_service_hosts": "https://x"}, "MASIS_TEAMS_SERVICE_HOSTS: should be"),
    ],
)
def test_unusable_settings_are_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidSettings, match=says):
        load(**given)


@pytest.mark.parametrize(
    ("url", "hosts", "is_one"),
    [
        ("https://smba.trafficmanager.net/amer/", PUBLIC, True),
        ("https://SMBA.trafficmanager.net/amer/", PUBLIC, True),
        ("https://smba.trafficmanager.net:443/amer/", PUBLIC, True),
        ("https://smba.trafficmanager.net:8443/amer/", PUBLIC, False),
        ("http://smba.trafficmanager.net/amer/", PUBLIC, False),
        ("https://evil.trafficmanager.net/", PUBLIC, False),
        ("https://smba.trafficmanager.net.evil.example/", PUBLIC, False),
        ("https://smba.trafficmanager.net@evil.example/", PUBLIC, False),
        ("https://evil.example/?smba.trafficmanager.net", PUBLIC, False),
        ("https://evil.example#smba.trafficmanager.net", PUBLIC, False),
        ("https://smba.trafficmanager.net\u3002evil.example/", PUBLIC, False),
        ("http://127.0.0.1:5/", PUBLIC, False),
        ("http://127.0.0.1:5/", frozenset({"127.0.0.1:5"}), True),
        ("http://127.0.0.1:6/", frozenset({"127.0.0.1:5"}), False),
        ("", PUBLIC, False),
        (None, PUBLIC, False),
    ],
)
def test_service_addresses(url: object, hosts: frozenset[str], is_one: bool) -> None:
    assert is_service_address(url, hosts) is is_one


@pytest.mark.parametrize(
    ("url", "is_one"),
    [
        ("https://contoso-my.sharepoint.com/personal/a/x.docx?tempauth=abc", True),
        ("http://contoso-my.sharepoint.com/x.docx", False),
        ("https://contoso.sharepoint.com:8443/x.docx", False),
        ("https://sharepoint.com/x.docx", False),
        ("https://evilsharepoint.com/x.docx", False),
        ("https://contoso.sharepoint.com.evil.example/x", False),
        ("https://contoso.sharepoint.com@evil.example/x", False),
        ("https://evil.example/#.sharepoint.com", False),
        ("https://evil.example/.sharepoint.com", False),
        ("https://[::1", False),
        ("file:///etc/passwd", False),
        ("http://127.0.0.1/x", False),
        ("http://169.254.169.254/x", False),
        ("", False),
    ],
)
def test_files_come_from_sharepoint_alone(url: str, is_one: bool) -> None:
    assert is_file_address(url, CLOUDS["public"]) is is_one


def test_named_file_hosts_replace_sharepoint() -> None:
    cloud = cloud_of(load(**WHOLE, teams_file_hosts="files.example 127.0.0.1:7"))
    assert is_file_address("https://files.example/x", cloud)
    assert is_file_address("http://127.0.0.1:7/x", cloud)
    assert not is_file_address("http://127.0.0.1:8/x", cloud)
    assert not is_file_address("https://contoso.sharepoint.com/x", cloud)


def test_some_clouds_hand_no_files_over() -> None:
    assert not is_file_address("https://contoso.sharepoint.us/x", CLOUDS["gcc_high"])
