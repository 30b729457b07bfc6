"""Read what an operator can set. This module is the only reader of the environment.

Precedence, first wins: the environment, a `.env` file in the working directory, the default. A
role's own key or address wins over the shared `MASIS_MODEL_` one, which wins over the original
design's `OPENAI_API_KEY`; `MASIS_QDRANT_URL` wins over `QDRANT_HOST` and `QDRANT_PORT`.
"""

import difflib
import os
import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self
from urllib.parse import urlsplit

import platformdirs
from pydantic import AfterValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, DotEnvSettingsSource, SettingsConfigDict

from bot.database_address import check_address, location_of
from masis import policy
from masis.errors import InvalidSettings
from masis.spending import LIST_PRICES, MILLION, Budget, Prices

if TYPE_CHECKING:
    from masis.ports import Role

PREFIX: Final = "MASIS_"
TEST_PREFIX: Final = "MASIS_TEST_"
"""Variables of the test suite (`MASIS_TEST_POSTGRES_URL`) are no settings, and no misspelling."""

DEFAULT_EMBEDDING_MODEL: Final = "text-embedding-ada-002"
"""What the embedding service is asked for when no model is named: the original design's."""

OPENAI: Final = "https://api.openai.com/v1"
"""The model service where no other is set. It always wants a key."""

SLACK: Final = "https://slack.com/api"
"""Slack's own Web API."""

_GUID: Final = r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"

ROLES: "Final[tuple[Role, ...]]" = ("writer", "auditor", "judge")

Service = Literal["writer", "auditor", "judge", "embedding", "rerank"]
"""Who may have an address and a key of its own."""

LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]

TeamsCloud = Literal["public", "gcc", "gcc_high", "dod", "china"]
"""Microsoft's clouds, each with a login, an issuer of tokens and service hosts of its own."""

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
"""Where nobody else listens: there an address may go without TLS."""


def _address(url: str) -> str:
    """Check a service's address; empty means that there is none."""
    if not url:
        return url
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("should be an address such as https://host.example/v1")
    if "@" in parts.netloc:
        # Addresses are logged and named in errors.
        raise ValueError("should hold no name and password; a key has its own setting")
    return url.rstrip("/")


def _guarded_address(url: str) -> str:
    """Check an address that secrets are sent to, or that keys come from."""
    parts = urlsplit(_address(url))
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise ValueError("should be an https address; http is for this machine alone")
    return url.rstrip("/")


def _guid(text: str) -> str:
    if text and not re.fullmatch(_GUID, text):
        raise ValueError("should be an id such as 00000000-0000-0000-0000-000000000000")
    return text.lower()


def _guids(text: str) -> str:
    return " ".join(_guid(each) for each in text.split())


def _service_hosts(text: str) -> str:
    for each in text.split():
        if not re.fullmatch(r"[A-Za-z0-9.-]{1,253}(?::[0-9]{1,5})?", each):
            raise ValueError("should be bare host names parted by blanks")
    return text.lower()


def _host(name: str) -> str:
    if name and not re.fullmatch(r"[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:]{2,45}\]", name):
        raise ValueError("should be a bare host name; use MASIS_QDRANT_URL for a whole address")
    return name


def points(text: str) -> list[tuple[float, float]]:
    """The pairs of a calibration, `cosine:relevance` parted by blanks; empty when there are none.

    Raises:
        ValueError: they are no pairs of numbers in range, fewer than two, or do not rise.
    """
    if not text.strip():
        return []
    pairs = [(float(left), float(right)) for left, right in (p.split(":") for p in text.split())]
    rising = all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(pairs))
    in_range = all(-2 <= cosine <= 2 and 0 <= relevance <= 1 for cosine, relevance in pairs)  # noqa: PLR2004 - a line may be anchored outside the cosines
    if len(pairs) <= 1 or not (rising and in_range):  # a line has two ends
        raise ValueError("the pairs do not rise")
    return pairs


def _calibration(text: str) -> str:
    try:
        points(text)
    except ValueError:
        raise ValueError(
            "should be two or more rising pairs such as 0.1:0 0.35:0.6 0.9:1"
        ) from None
    return text


def _prices(text: str) -> str:
    try:
        Prices.parse(text)
    except ValueError:
        raise ValueError("should be pairs such as gpt-4o-mini:0.15/0.60 gpt-4o:2.50/10") from None
    return text


Address = Annotated[str, AfterValidator(_address)]
GuardedAddress = Annotated[str, AfterValidator(_guarded_address)]
Guid = Annotated[str, AfterValidator(_guid)]
Guids = Annotated[str, AfterValidator(_guids)]
ServiceHosts = Annotated[str, AfterValidator(_service_hosts)]
Host = Annotated[str, AfterValidator(_host)]
DatabaseUrl = Annotated[SecretStr, AfterValidator(check_address)]
Seconds = Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Threads = Annotated[int, Field(ge=1, le=64)]
Days = Annotated[float, Field(ge=1, le=3650, allow_inf_nan=False)]

_NO_SECRET: Final = SecretStr("")


def _data_dir() -> Path:
    return platformdirs.user_data_path("masis", appauthor=False)


class Settings(BaseSettings):
    """Every setting, checked. Make it with `load`, which also refuses misspelt names."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, extra="ignore", env_ignore_empty=True, frozen=True
    )

    data_dir: Path = Field(
        default_factory=_data_dir, description="The one folder that everything is kept in."
    )
    database_url: DatabaseUrl = Field(
        default=_NO_SECRET,
        description="The database, if not the one in the data folder:"
        " `postgresql://USER:PASSWORD@HOST/NAME` or `sqlite:////PATH/masis.db`.",
    )
    qdrant_url: Address = Field(
        default="", description="A Qdrant server. Without one, vectors live in the data folder."
    )
    qdrant_api_key: SecretStr = Field(
        default=_NO_SECRET, description="The key of the Qdrant server, where it wants one."
    )
    qdrant_host: Host = Field(
        default="",
        validation_alias="QDRANT_HOST",
        description="Used when `MASIS_QDRANT_URL` is not set: the server at `http://HOST:PORT`.",
    )
    qdrant_port: int = Field(
        default=6333,
        ge=1,
        le=65535,
        validation_alias="QDRANT_PORT",
        description="The port that goes with `QDRANT_HOST`.",
    )

    agents: Literal["auto", "model", "offline"] = Field(
        default="auto",
        description="Who writes and audits. `model`: a model service. `offline`: extracts, without"
        " key or network. `auto`: `model` when a key or a model service's address is set, else"
        " `offline`.",
    )
    model_base_url: Address = Field(
        default=OPENAI,
        description="The model service, any OpenAI-compatible address. One other than OpenAI's, such"
        " as a service on your own machine, may go without a key.",
    )
    model_api_key: SecretStr = Field(
        default=_NO_SECRET, description="The model service's key, for every role without its own."
    )
    openai_api_key: SecretStr = Field(
        default=_NO_SECRET,
        validation_alias="OPENAI_API_KEY",
        description="Used where neither the role's key nor `MASIS_MODEL_API_KEY` is set.",
    )
    writer_model: str = Field(
        default="gpt-4o-mini", description="The model that writes and compresses."
    )
    writer_base_url: Address = Field(default="", description="The writer's own address.")
    writer_api_key: SecretStr = Field(default=_NO_SECRET, description="The writer's own key.")
    auditor_model: str = Field(
        default="gpt-4o", description="The model that audits; stronger than the writer's."
    )
    auditor_base_url: Address = Field(default="", description="The auditor's own address.")
    auditor_api_key: SecretStr = Field(default=_NO_SECRET, description="The auditor's own key.")
    judge_model: str = Field(default="gpt-4o", description="The model that scores the answer.")
    judge_base_url: Address = Field(default="", description="The judge's own address.")
    judge_api_key: SecretStr = Field(default=_NO_SECRET, description="The judge's own key.")
    model_calls_per_minute: int = Field(
        default=policy.CALLS_PER_MINUTE,
        ge=1,
        le=100_000,
        description="Calls to one model service under one key in any 60 seconds, at most: of all"
        " processes on one database together.",
    )
    model_prices: Annotated[str, AfterValidator(_prices)] = Field(
        default=LIST_PRICES,
        description="Prices of a million tokens, `MODEL:PROMPT/COMPLETION` parted by blanks. The"
        " default is OpenAI's list of November 2026 in US dollars. Of a model that is not named here"
        " tokens alone are counted.",
    )
    budget_tokens_per_day: Annotated[int, Field(ge=0, le=10**12)] = Field(
        default=0, description="Tokens that each workspace may use in a day (UTC); 0 is no limit."
    )
    budget_money_per_day: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] = Field(
        default=0,
        description="Money that each workspace may spend in a day (UTC), in the currency of"
        " `MASIS_MODEL_PRICES`; 0 is no limit.",
    )
    call_timeout: Seconds = Field(
        default=policy.MODEL_CALL_SECONDS, description="Seconds that one model call may take."
    )
    run_timeout: Seconds = Field(
        default=policy.RUN_SECONDS,
        description="Seconds that one question may take, without waits for the rate limit.",
    )

    embedder: Literal["auto", "bundled", "multilingual", "service", "none"] = Field(
        default="auto",
        description="What makes vectors. `bundled`: the model that ships with MASIS, for English."
        " `multilingual`: one for some hundred languages, several times slower, of"
        " `masis[multilingual]`. `service`: an embedding service. `none`: search by words alone."
        " `auto`: `service` when `MASIS_EMBEDDING_MODEL` is set, else `bundled`.",
    )
    embedding_model: str = Field(
        default="",
        description="The embedding service's model, such as `text-embedding-ada-002`; empty for"
        " the bundled one.",
    )
    embedding_base_url: Address = Field(
        default="", description="The embedding service, if not `MASIS_MODEL_BASE_URL`."
    )
    embedding_api_key: SecretStr = Field(
        default=_NO_SECRET, description="The embedding service's own key."
    )
    embedding_calls_per_minute: int = Field(
        default=policy.EMBEDDING_CALLS_PER_MINUTE,
        ge=1,
        le=100_000,
        description="Requests to the embedding service in any 60 seconds, at most, beside the calls"
        " of models: of all processes on one database together. One takes up to 128 texts.",
    )
    embedding_dimension: int | None = Field(
        default=None,
        ge=1,
        le=65_536,
        description="Numbers in a vector, for a model that MASIS does not know.",
    )
    embedding_calibration: Annotated[str, AfterValidator(_calibration)] = Field(
        default="",
        description="What the embedder's cosine means: pairs cosine:relevance as"
        " `masis calibrate` prints them, such as `0.1:0 0.35:0.6 0.7:0.85 0.9:1`. Empty for the"
        " embedder's own.",
    )
    embedding_threads: Threads = Field(
        default=2,
        description="Processor threads, in this process, of an embedder (`bundled`, `multilingual`) and of"
        " the model that reads.",
    )

    rerank_model: str = Field(
        default="",
        description="A reranking service's model, such as `rerank-v3.5`; empty for the order by"
        " sentences, which stays in use where the service fails.",
    )
    rerank_base_url: Address = Field(
        default="",
        description="The reranking service: an address with `/rerank` below it as Cohere's"
        " (`https://api.cohere.com/v2`) and Jina's (`https://api.jina.ai/v1`) have it.",
    )
    rerank_api_key: SecretStr = Field(
        default=_NO_SECRET, description="The reranking service's key, where it wants one."
    )
    rerank_calls_per_minute: int = Field(
        default=policy.RERANK_CALLS_PER_MINUTE,
        ge=1,
        le=100_000,
        description="Requests to the reranking service in any 60 seconds, at most, beside the calls"
        " of models: of all processes on one database together. A search takes one, and goes"
        " without where none is left; Cohere's trial keys allow 10.",
    )

    relevance_threshold: Share = Field(
        default=policy.RELEVANCE_THRESHOLD,
        ge=policy.RETRY_THRESHOLD_DROP,
        description="How relevant a passage must be to count as evidence. Coupled to the next:"
        " stricter evidence allows a stricter pass mark.",
    )
    confidence_threshold: Share = Field(
        default=policy.CONFIDENCE_THRESHOLD,
        description="The confidence at which an answer passes.",
    )
    clamp_is_an_issue: bool = Field(
        default=True, description="Whether a score that had to be clamped asks for a retry."
    )
    max_retries: int = Field(
        default=policy.DEFAULT_MAX_RETRIES,
        ge=0,
        le=policy.MAX_RETRIES_ALLOWED,
        description="Extra passes after a draft that does not pass.",
    )

    slack_bot_token: SecretStr = Field(
        default=_NO_SECRET,
        description="The bot token (`xoxb-…`) of one Slack workspace. Without one, tokens come from"
        " installations by OAuth.",
    )
    slack_app_token: SecretStr = Field(
        default=_NO_SECRET,
        description="The app-level token (`xapp-…`): Socket Mode, for one workspace behind a"
        " firewall. Without one, Slack calls over HTTP.",
    )
    slack_signing_secret: SecretStr = Field(
        default=_NO_SECRET, description="What Slack signs its HTTP requests with."
    )
    slack_client_id: str = Field(
        default="", description="The app's client id, to be installed in many workspaces by OAuth."
    )
    slack_client_secret: SecretStr = Field(
        default=_NO_SECRET, description="The app's client secret, which goes with the client id."
    )
    slack_api_url: Address = Field(
        default=SLACK, description="The Slack Web API: a proxy, or a stand-in for tests."
    )
    teams_app_id: Guid = Field(
        default="",
        description="The id of the Microsoft Teams app, which is that of its bot. With the next two"
        " it makes MASIS answer in Teams.",
    )
    teams_app_secret: SecretStr = Field(
        default=_NO_SECRET, description="The Teams app's client secret."
    )
    teams_home_tenant: Guid = Field(
        default="", description="The id of the Entra tenant that the Teams app is registered in."
    )
    teams_tenants: Guids = Field(
        default="",
        description="The ids of the Entra tenants whose people may talk to MASIS, parted by blanks;"
        " empty for the home tenant alone.",
    )
    teams_cloud: TeamsCloud = Field(
        default="public", description="The Microsoft cloud that the Teams app lives in."
    )
    teams_login_url: GuardedAddress = Field(
        default="", description="Where the Teams app gets its tokens, if not the cloud's own login."
    )
    teams_metadata_url: GuardedAddress = Field(
        default="",
        description="The OpenID metadata of who signs what Teams sends, if not the cloud's own.",
    )
    teams_graph_url: GuardedAddress = Field(
        default="",
        description="Where Microsoft Graph says who owns a team, if not the cloud's own address.",
    )
    teams_service_hosts: ServiceHosts = Field(
        default="",
        description="The hosts, by exact name and parted by blanks, that Teams may be answered at,"
        " if not the cloud's own. The cloud `china` has none of its own.",
    )
    teams_file_hosts: ServiceHosts = Field(
        default="",
        description="The hosts, by exact name and parted by blanks, that files of personal chats are"
        " fetched from, if not those of SharePoint in the cloud.",
    )
    public_url: Address = Field(
        default="",
        description="The https address under which Slack and browsers reach this server; OAuth"
        " needs it.",
    )
    secret_keys: SecretStr = Field(
        default=_NO_SECRET,
        description="Keys for tokens at rest, `id:key` parted by commas, the first encrypts; made"
        " by `masis keys generate`. OAuth needs one.",
    )
    http_host: Host = Field(
        default="127.0.0.1", description="The address that the HTTP server listens on."
    )
    http_port: int = Field(
        default=3000, ge=0, le=65535, description="The port that it listens on; 0 picks a free one."
    )
    http_connections_per_address: int = Field(
        default=100,
        ge=1,
        le=100_000,
        description="Connections of one address that may be open without a whole request, at most;"
        " with one more the oldest of them is ended. Behind a proxy all come from one address.",
    )
    runs_at_once: Annotated[int, Field(ge=1, le=256)] = Field(
        default=policy.RUNS_AT_ONCE,
        description="Questions that one process works on at the same time.",
    )
    clarification_hours: Annotated[float, Field(gt=0, le=24 * 30, allow_inf_nan=False)] = Field(
        default=policy.CLARIFICATION_HOURS,
        description="Hours that a clarification waits for its reply.",
    )
    keep_runs_days: Days = Field(
        default=policy.KEEP_RUNS_DAYS,
        description="Days that a request from Slack and its audit trail are kept after its end.",
    )
    keep_steps_days: Days = Field(
        default=policy.KEEP_STEPS_DAYS,
        description="Days that the steps of an ended run are kept.",
    )
    keep_claims_hours: Annotated[float, Field(ge=1, le=24 * 30, allow_inf_nan=False)] = Field(
        default=policy.KEEP_CLAIMS_HOURS,
        description="Hours that it is remembered which deliveries of Slack's were taken on.",
    )

    keep_usage_days: Days = Field(
        default=policy.KEEP_USAGE_DAYS,
        description="Days that it is kept what each model call cost.",
    )

    parser_processes: Annotated[int, Field(ge=1, le=16)] = Field(
        default=1, description="Documents that are parsed at the same time, each in a process."
    )
    log_level: LogLevel = Field(
        default="ERROR", description="What is logged to standard error, beside what is said."
    )
    log_format: Literal["text", "json"] = Field(
        default="text",
        description="The form of a line in the log: `text` for people, `json` for programs (the"
        " container image sets it).",
    )
    trace_share: Share = Field(
        default=1.0,
        description="The share of runs whose spans are recorded, where OpenTelemetry is set up.",
    )

    @model_validator(mode="after")
    def _slack_is_whole(self) -> Self:
        """Check that what goes together in Slack's settings is there together."""
        both = bool(self.slack_client_id), bool(self.slack_client_secret.get_secret_value())
        if any(both) and not all(both):
            missing = "CLIENT_SECRET" if both[0] else "CLIENT_ID"
            raise ValueError(f"MASIS_SLACK_{missing}: OAuth needs the client id and its secret")
        if self.slack_app_token.get_secret_value() and not self.slack_bot_token.get_secret_value():
            raise ValueError("MASIS_SLACK_BOT_TOKEN: Socket Mode needs it beside the app token")
        return self

    @model_validator(mode="after")
    def _teams_is_whole(self) -> Self:
        """Check that what goes together in the settings of Teams is there together."""
        parts = {
            "APP_ID": self.teams_app_id,
            "APP_SECRET": self.teams_app_secret.get_secret_value(),
            "HOME_TENANT": self.teams_home_tenant,
        }
        missing = [name for name, value in parts.items() if not value]
        if missing and len(missing) < len(parts):
            raise ValueError(
                f"MASIS_TEAMS_{missing[0]}: Teams needs the app's id, its secret and its home tenant"
            )
        if self.teams_cloud == "china" and not self.teams_service_hosts:
            raise ValueError("MASIS_TEAMS_SERVICE_HOSTS: the cloud china has no hosts of its own")
        return self

    @model_validator(mode="after")
    def _services_have_keys(self) -> Self:
        """Each service in use has a key, or an address of one's own."""
        used: list[Service] = [*ROLES] if self.agents_in_use == "model" else []
        used += ["embedding"] if self.embedder_in_use == "service" else []
        for service in used:
            if not self._reachable(service):
                raise ValueError(
                    f"MASIS_MODEL_API_KEY: the {service} has no key; set this, or"
                    f" {PREFIX}{service.upper()}_API_KEY, or MASIS_AGENTS=offline and"
                    " MASIS_EMBEDDER=bundled to work without a service"
                )
        return self

    @model_validator(mode="after")
    def _reranker_is_whole(self) -> Self:
        """A reranker's model and its address are there together; no other service has one."""
        if bool(self.rerank_model) != bool(self.rerank_base_url):
            missing = "BASE_URL" if self.rerank_model else "MODEL"
            raise ValueError(f"MASIS_RERANK_{missing}: a reranker needs its model and its address")
        return self

    @model_validator(mode="after")
    def _money_can_be_counted(self) -> Self:
        """A budget of money knows what every model in use costs."""
        if not self.budget_money_per_day:
            return self
        used = [self.model(role) for role in ROLES] if self.agents_in_use == "model" else []
        if self.embedder_in_use == "service":
            used.append(self.embedding_model or DEFAULT_EMBEDDING_MODEL)
        used += [self.rerank_model] if self.rerank_model else []
        prices = Prices.parse(self.model_prices)
        if missing := sorted({model for model in used if model not in prices}):
            raise ValueError(
                f"MASIS_MODEL_PRICES: a budget of money needs the price of {', '.join(missing)}"
            )
        return self

    @property
    def budget(self) -> Budget:
        """Return what a workspace may spend in a day."""
        cost = round(self.budget_money_per_day * MILLION)
        return Budget(tokens=self.budget_tokens_per_day, cost=cost)

    @property
    def agents_in_use(self) -> Literal["model", "offline"]:
        """Return the agents in use.

        `auto` means model when a key or an address for a model service is set.
        """
        if self.agents != "auto":
            return self.agents
        return "model" if any(map(self._reachable, ROLES)) else "offline"

    def _reachable(self, service: Service) -> bool:
        """Say whether a service has a key or an address other than OpenAI's.

        Such an address may want no key.
        """
        return bool(self.key(service).get_secret_value()) or self.base_url(service) != OPENAI

    @property
    def embedder_in_use(self) -> Literal["bundled", "multilingual", "service", "none"]:
        """Return the embedder in use. `auto` means service when an embedding model is named."""
        if self.embedder != "auto":
            return self.embedder
        return "service" if self.embedding_model else "bundled"

    def model(self, role: "Role") -> str:
        """The name of the role's model."""
        return str(getattr(self, f"{role}_model"))

    def base_url(self, role: Service) -> str:
        """The role's address: its own, else the shared one."""
        return str(getattr(self, f"{role}_base_url") or self.model_base_url)

    def key(self, role: Service) -> SecretStr:
        """The role's key: its own, else `MASIS_MODEL_API_KEY`, else `OPENAI_API_KEY`.

        A reranker is another house than the models: it is never handed their key.
        """
        own: SecretStr = getattr(self, f"{role}_api_key")
        if role == "rerank":
            return own
        keys = (own, self.model_api_key, self.openai_api_key)
        return next((key for key in keys if key.get_secret_value()), _NO_SECRET)

    @property
    def database_location(self) -> str | Path:
        """Return the database's address, or its file in the data folder."""
        return location_of(self.database_url, self.data_dir)

    @property
    def qdrant_address(self) -> str:
        """The Qdrant server's address; empty means that vectors live in the data folder."""
        if self.qdrant_url or not self.qdrant_host:
            return self.qdrant_url
        return f"http://{self.qdrant_host}:{self.qdrant_port}"

    def policy(self) -> policy.Policy:
        """The numbers that the research graph decides by."""
        return policy.Policy(
            relevance_threshold=self.relevance_threshold,
            confidence_threshold=self.confidence_threshold,
            clamp_is_an_issue=self.clamp_is_an_issue,
        )


def variable(field: str) -> str:
    """The environment variable of a field."""
    alias = Settings.model_fields[field].validation_alias
    return alias if isinstance(alias, str) else f"{PREFIX}{field}".upper()


def load(env_file: Path = Path(".env"), **overrides: Any) -> Settings:  # any field's type
    """The settings of this process; `overrides` (by field name) win over everything.

    Raises:
        InvalidSettings: a name is misspelt or a value is unusable; one line for each.
    """
    written = _read(env_file)
    unknown = _unknown({**written, **os.environ})
    if unknown:
        raise InvalidSettings("\n".join(unknown))
    try:
        return Settings(_env_file=env_file, **overrides)
    except ValidationError as error:
        raise InvalidSettings("\n".join(_lines(error))) from None


def _read(env_file: Path) -> Mapping[str, str | None]:
    try:
        return DotEnvSettingsSource(Settings, env_file=env_file).env_vars
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidSettings(
            f"the file {env_file} cannot be read ({type(error).__name__}); mend or remove it"
        ) from None


def _unknown(found: Mapping[str, str | None]) -> list[str]:
    """One line for each `MASIS_` name that is no setting, with the nearest right name."""
    known = [variable(field) for field in Settings.model_fields]
    lines = []
    for name in sorted({name.upper() for name in found}):
        if not name.startswith(PREFIX) or name.startswith(TEST_PREFIX) or name in known:
            continue
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
        hint = f"did you mean {near[0]}?" if near else "the README lists them all"
        lines.append(f"{name} is no setting of MASIS: {hint}")
    return lines


def _lines(error: ValidationError) -> list[str]:
    """A line for each bad value. Values are never repeated: they may be secret."""
    lines = []
    for problem in error.errors(include_url=False, include_input=False):
        field = str(problem["loc"][0]) if problem["loc"] else ""
        name = variable(field) if field in Settings.model_fields else field
        text = problem["msg"].removeprefix("Value error, ").removeprefix("Input ")
        lines.append(f"{name}: {text}" if name else text)
    return lines
