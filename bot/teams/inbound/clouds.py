"""Know Microsoft's clouds: who signs what Teams sends, and where Teams and Graph are called."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from bot.settings import LOOPBACK, Settings, TeamsCloud
from masis.domain import Value

HTTPS_PORT: Final = 443


class Cloud(Value):
    """Hold the addresses of one cloud.

    `service_hosts` are exact names: `*.trafficmanager.net` is a namespace in which any customer of
    Azure can register a name.
    """

    login_url: str
    issuer: str
    metadata_url: str
    graph_url: str
    service_hosts: frozenset[str]
    file_domains: frozenset[str] = frozenset()
    """Each begins with a dot: every host below it keeps files. Not every cloud hands some over."""
    file_hosts: frozenset[str] = frozenset()
    """Exact names, which the settings name instead."""


_PUBLIC: Final = Cloud(
    login_url="https://login.microsoftonline.com",
    issuer="https://api.botframework.com",
    metadata_url="https://login.botframework.com/v1/.well-known/openidconfiguration",
    graph_url="https://graph.microsoft.com",
    service_hosts=frozenset({"smba.trafficmanager.net"}),
    file_domains=frozenset({".sharepoint.com"}),
)
_GCC_HIGH: Final = Cloud(
    login_url="https://login.microsoftonline.us",
    issuer="https://api.botframework.us",
    metadata_url="https://login.botframework.azure.us/v1/.well-known/openidconfiguration",
    graph_url="https://graph.microsoft.us",
    service_hosts=frozenset({"smba.infra.gov.teams.microsoft.us"}),
)

CLOUDS: Final[Mapping[TeamsCloud, Cloud]] = {
    "public": _PUBLIC,
    "gcc": _PUBLIC.model_copy(
        update={"service_hosts": frozenset({"smba.infra.gcc.teams.microsoft.com"})}
    ),
    "gcc_high": _GCC_HIGH,
    "dod": _GCC_HIGH.model_copy(
        update={
            "graph_url": "https://dod-graph.microsoft.us",
            "service_hosts": frozenset({"smba.infra.dod.teams.microsoft.us"}),
        }
    ),
    "china": Cloud(
        login_url="https://login.partner.microsoftonline.cn",
        issuer="https://api.botframework.azure.cn",
        metadata_url="https://login.botframework.azure.cn/v1/.well-known/openidconfiguration",
        graph_url="https://microsoftgraph.chinacloudapi.cn",
        service_hosts=frozenset(),
    ),
}


def cloud_of(settings: Settings) -> Cloud:
    """Return the cloud that the settings name, with the addresses that they replace."""
    cloud = CLOUDS[settings.teams_cloud]
    replaced = {
        "login_url": settings.teams_login_url,
        "metadata_url": settings.teams_metadata_url,
        "graph_url": settings.teams_graph_url,
        "service_hosts": frozenset(settings.teams_service_hosts.split()),
        "file_hosts": frozenset(settings.teams_file_hosts.split()),
    }
    return cloud.model_copy(update={name: value for name, value in replaced.items() if value})


def tenants_of(settings: Settings) -> frozenset[str]:
    """Return the Entra tenants whose people may talk to MASIS."""
    return frozenset(settings.teams_tenants.split() or [settings.teams_home_tenant])


def is_service_address(url: object, hosts: frozenset[str]) -> bool:
    """Say whether an activity may be answered at this address, and the bot's token sent there."""
    return isinstance(url, str) and not {"?", "#"} & {*url} and _is_at(url, hosts, frozenset())


def is_file_address(url: str, cloud: Cloud) -> bool:
    """Say whether a file may be fetched from this address; where hosts are named, from them alone."""
    domains = frozenset[str]() if cloud.file_hosts else cloud.file_domains
    return _is_at(url, cloud.file_hosts, domains)


def _is_at(url: str, hosts: frozenset[str], domains: frozenset[str]) -> bool:
    """Say whether an address is on one of these hosts, by https unless it is this machine."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if "@" in parts.netloc or parts.fragment or not url.isascii():
        return False
    if host in LOOPBACK:
        named = {host, f"{host}:{port}"}
        return parts.scheme in {"http", "https"} and bool(named & hosts)
    is_known = host in hosts or any(host.endswith(domain) for domain in domains)
    return parts.scheme == "https" and is_known and port in {None, HTTPS_PORT}
