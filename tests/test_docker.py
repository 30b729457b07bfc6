"""The image and the compose file, as far as they can be checked without a container engine."""

import asyncio
import json
import os
import re
import shlex
import sys
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import jsonschema
import pytest
import yaml
from aiohttp import web

from bot.settings import Settings, load, variable

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


def test_what_the_image_copies_is_there_and_reaches_the_builder() -> None:
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


def test_what_the_package_is_built_of_is_copied() -> None:
    project, wheel = PROJECT["project"], PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {*wheel["packages"], *wheel["force-include"], *project["license-files"]}
    copied = {source.rstrip("/") for rest in of("COPY") for source in rest.split()[:-1]}
    assert needed | {project["readme"], "pyproject.toml", "requirements.lock"} <= copied


def test_dependencies_come_from_the_lock_file_with_their_hashes_and_no_others() -> None:
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


def test_the_base_is_a_pinned_slim_python_that_the_package_runs_on() -> None:
    bases = [rest.split()[0] for rest in of("FROM")]
    assert len(set(bases)) == 1
    assert PINNED.fullmatch(bases[0])
    version = re.fullmatch(r"python:3\.(\d+)-slim-\w+", bases[0])
    assert version is not None
    assert 11 <= int(version[1]) < 14
    assert PROJECT["project"]["requires-python"] == ">=3.11,<3.14"


def test_the_image_runs_for_nobody_in_particular_and_holds_no_secret() -> None:
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

TEXT: Final = {"type": "string", "minLength": 1}
TEXTS: Final = {"type": "array", "items": TEXT, "minItems": 1}
SECONDS: Final = {"type": "string", "pattern": r"^\d+s$"}
MEMORY: Final = {"type": "string", "pattern": r"^\d+[mg]$"}
SERVICE: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        "image",
        "restart",
        "read_only",
        "cap_drop",
        "security_opt",
        "logging",
        "mem_limit",
        "cpus",
        "pids_limit",
        "stop_grace_period",
        "healthcheck",
        "volumes",
    ],
    "properties": {
        "build": {"const": "."},
        "image": {"type": "string", "pattern": f"^{PINNED.pattern}$"},
        "init": {"const": True},
        "user": {"type": "string", "pattern": "^[1-9][0-9]*:[1-9][0-9]*$"},
        "restart": {"const": "unless-stopped"},
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
        "tmpfs": {"type": "array", "items": {"type": "string", "pattern": "size="}},
        "mem_limit": MEMORY,
        "cpus": {"type": "number", "exclusiveMinimum": 0},
        "pids_limit": {"type": "integer", "minimum": 1},
        "stop_grace_period": SECONDS,
        "depends_on": {
            "type": "object",
            "additionalProperties": {"const": {"condition": "service_healthy"}},
        },
        "healthcheck": {
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
        },
    },
}
"""What of the Compose Specification is used here: a misspelt key would be ignored, or refused."""
FILE: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "services", "volumes"],
    "properties": {
        "name": TEXT,
        "services": {"type": "object", "additionalProperties": SERVICE},
        "volumes": {"type": "object", "additionalProperties": {"type": "null"}},
    },
    "patternProperties": {"^x-": {}},
}


def strings(value: Any) -> list[str]:
    """Every text in it."""
    if isinstance(value, dict):
        return [text for each in value.values() for text in strings(each)]
    if isinstance(value, list):
        return [text for each in value for text in strings(each)]
    return [str(value)]


def test_the_compose_file_has_every_limit_and_nothing_unknown() -> None:
    jsonschema.validate(COMPOSE, FILE, cls=jsonschema.Draft202012Validator)
    assert set(SERVICES) == {"bot", "qdrant"}


@pytest.mark.parametrize("key", ["mem_limit", "healthcheck", "read_only"])
def test_a_service_without_a_limit_would_be_noticed(key: str) -> None:
    bare = {name: value for name, value in SERVICES["bot"].items() if name != key}
    with pytest.raises(jsonschema.ValidationError, match=key):
        jsonschema.validate(bare, SERVICE, cls=jsonschema.Draft202012Validator)


def test_every_volume_and_every_service_that_is_named_is_there() -> None:
    used = {each.split(":")[0] for service in SERVICES.values() for each in service["volumes"]}
    assert used == set(COMPOSE["volumes"])
    waited_for = {name for service in SERVICES.values() for name in service.get("depends_on", {})}
    assert waited_for <= set(SERVICES)


def test_only_the_bots_port_is_open_and_to_this_machine_alone() -> None:
    ports = {name: service.get("ports", []) for name, service in SERVICES.items()}
    assert ports == {"bot": ["127.0.0.1:3000:3000"], "qdrant": []}


def test_every_variable_is_a_setting_and_every_secret_comes_from_the_environment() -> None:
    wanted = {
        variable for text in strings(COMPOSE) for variable in re.findall(r"(?<!\$)\$\{?(\w+)", text)
    }
    assert wanted == {"MASIS_QDRANT_API_KEY"}
    assert wanted <= SETTINGS
    for service in SERVICES.values():
        for name, value in service["environment"].items():
            assert name in SETTINGS or not name.startswith("MASIS_")
            if re.search("KEY|TOKEN|SECRET|PASSWORD", name):
                assert re.fullmatch(r"\$\{MASIS_\w+:\?[^}]+\}", value), f"{name} has a default"


def test_the_settings_take_what_the_compose_file_gives(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    for name, value in SERVICES["bot"]["environment"].items():
        monkeypatch.setenv(name, "a-key" if value.startswith("${") else value)
    settings = load(tmp_path / "no.env")
    assert settings.qdrant_address == "http://qdrant:6333"
    assert (settings.http_host, settings.http_port) == ("0.0.0.0", 3000)  # noqa: S104 - in a container of its own
    assert "data:/data" in SERVICES["bot"]["volumes"]
    assert settings.data_dir == Path("/data")


def test_versions_are_those_of_the_project_and_its_client() -> None:
    assert SERVICES["bot"]["image"] == f"masis:{PROJECT['project']['version']}"
    server = re.search(r":v(\d+\.\d+)\.", SERVICES["qdrant"]["image"])
    client = re.search(r"^qdrant-client==(\d+\.\d+)\.", LOCK, re.MULTILINE)
    assert server is not None
    assert client is not None
    assert server[1] == client[1]


def test_the_bot_has_longer_to_stop_than_it_drains() -> None:
    assert int(SERVICES["bot"]["stop_grace_period"].removesuffix("s")) > 20 + 10
    assert SERVICES["bot"]["user"] == of("USER")[0]


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
    found = {name: service["healthcheck"]["test"][1:] for name, service in SERVICES.items()}
    return {"image": image, **found}


@pytest.mark.parametrize("name", ["image", "bot", "qdrant"])
async def test_a_health_check_tells_the_healthy_from_the_sick(
    name: str, port: dict[str, int]
) -> None:
    # Compose writes a dollar as two.
    command = [word.replace("$$", "$") for word in checks()[name]]
    command = [re.sub(r"\b(3000|6333)\b", str(port["port"]), word) for word in command]
    assert await healthy(command, port["port"])
    port["status"] = 503
    assert not await healthy(command, port["port"])
