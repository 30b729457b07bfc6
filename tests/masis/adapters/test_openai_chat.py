"""The chat adapter through the real client and real HTTP, against a service that can misbehave."""

import asyncio
import datetime as dt
import json
import logging
from collections.abc import AsyncIterator, Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, SecretStr, StrictFloat, ValidationError

from masis.adapters.openai_chat import (
    MAX_BODY_BYTES,
    NO_CHOICES,
    NOT_A_COMPLETION,
    OpenAIChat,
    read_json,
)
from masis.adapters.openai_service import Endpoint, retry_after
from masis.errors import (
    ModelKeyRefused,
    ModelQuotaSpent,
    ModelServiceBusy,
    ModelServiceError,
    ModelServiceUnavailable,
)
from masis.models.gateway import Backoff
from masis.ports import ChatReply, Message
from tests import openai_server as service
from tests.examples import examples
from tests.masis.models.test_gateway import retrying
from tests.openai_server import KEY, Behaviour, OpenAIServer

SECRET_PROMPT = "The merger with Contoso closes in May."
ASK = [
    Message(role="system", content="You answer."),
    Message(role="user", content=SECRET_PROMPT),
]


class Verdict(BaseModel):
    """A form with everything that the agents' forms have."""

    score: StrictFloat
    reasons: list[str]


GOOD = {"score": 0.9, "reasons": ["because"]}


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as running:
        yield running


@pytest.fixture
async def chat(server: OpenAIServer) -> AsyncIterator[OpenAIChat]:
    # Twenty seconds would do as well: nothing below waits for it but what must be cut off.
    adapter = OpenAIChat(server.endpoints(), timeout=20)
    yield adapter
    await adapter.close()


async def asked_with(
    server: OpenAIServer, chat: OpenAIChat, behaviour: Behaviour, schema: type[BaseModel] | None
) -> ChatReply:
    server.will("writer", behaviour)
    return await chat.complete("writer", ASK, schema)


# --- replies -------------------------------------------------------------------------------


async def test_ordinary_answer_has_usage_figures(server: OpenAIServer, chat: OpenAIChat) -> None:
    """An ordinary answer comes with its figures."""
    reply = await asked_with(server, chat, service.says(" Yes. "), None)
    assert (reply.text, reply.finish_reason, reply.refusal) == ("Yes.", "stop", None)
    assert reply.usage.calls == 1
    assert reply.usage.prompt_tokens > 0
    assert reply.usage.completion_tokens > 0
    assert reply.usage.cost_usd is None


async def test_request_is_minimal_and_deterministic(server: OpenAIServer, chat: OpenAIChat) -> None:
    """The request is as frugal and as definite as it can be."""
    await asked_with(server, chat, service.says_json(GOOD), Verdict)
    (asked,) = server.asked
    assert asked.key == KEY
    assert asked.body["temperature"] == 0
    assert asked.body["max_completion_tokens"] == 4000
    assert asked.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {
            "name": "Verdict",
            "strict": True,
            "schema": {
                "type": "object",
                "properties": {
                    "score": {"type": "number"},
                    "reasons": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["score", "reasons"],
                "additionalProperties": False,
            },
        },
    }
    assert [message["role"] for message in asked.messages] == ["system", "user"]


@pytest.mark.parametrize(
    "behaviour",
    [
        service.says_json(GOOD),
        service.says_json({**GOOD, "score": 1}),
        service.says_json({**GOOD, "mood": "fine"}),
        service.fences(GOOD),
        service.says(f"<think>{{hm}}</think>{json.dumps(GOOD)} I hope this helps {{}}"),
        service.says_json(GOOD, finish="eos_token"),
        service.says_json(GOOD, finish=None),
    ],
)
async def test_form_is_found_amid_text(
    server: OpenAIServer, chat: OpenAIChat, behaviour: Behaviour
) -> None:
    """A form is found whatever stands around it."""
    reply = await asked_with(server, chat, behaviour, Verdict)
    assert isinstance(reply.parsed, Verdict)
    assert reply.parsed.reasons == ["because"]


@pytest.mark.parametrize(
    ("behaviour", "finish"),
    [
        (service.refuses(), "stop"),
        (service.says_nothing(), "stop"),
        (service.says(None), "stop"),
        (service.says("I would rather talk."), "stop"),
        (service.breaks_json(), "stop"),
        (service.says_json({"score": "0.9", "reasons": []}), "stop"),
        (service.says_json({"score": True, "reasons": []}), "stop"),
        (service.says_json({"score": 0.9}), "stop"),
        (service.says("[" * 50_000), "stop"),
        (service.says('{"a":' * 20_000), "stop"),
        (service.is_cut_off(), "length"),
        (service.says_json(GOOD, finish="length"), "length"),
        (service.is_filtered(), "content_filter"),
        (service.says_json(GOOD, finish="content_filter"), "content_filter"),
        (service.says("x" * 200_000), "length"),
        (service.has_no_choices(), NO_CHOICES),
        (service.sends("{}"), NO_CHOICES),
        (service.sends_html(), NOT_A_COMPLETION),
        (service.sends(""), NOT_A_COMPLETION),
        (service.sends("[1]"), NOT_A_COMPLETION),
        (service.sends('{"choices": [{"message": null}]}'), NOT_A_COMPLETION),
        (service.sends('{"choices": "none"}'), NOT_A_COMPLETION),
        (service.sends("[" * 100_000), NOT_A_COMPLETION),
        (service.says_json(GOOD, finish="<b>" * 50), NOT_A_COMPLETION),
        (service.floods(MAX_BODY_BYTES), NOT_A_COMPLETION),
        (service.sends("xxxx", Content_Encoding="gzip"), NOT_A_COMPLETION),
    ],
)
async def test_malformed_reply_is_no_crash(
    server: OpenAIServer, chat: OpenAIChat, behaviour: Behaviour, finish: str
) -> None:
    """What is no answer is no answer and no crash."""
    reply = await asked_with(server, chat, behaviour, Verdict)
    assert reply.parsed is None
    assert reply.finish_reason == finish
    assert reply.usage.calls == 1
    assert (await chat.complete("writer", ASK)).text, "the connection pool still works"


async def test_a_refusal_is_told_and_bounded(server: OpenAIServer, chat: OpenAIChat) -> None:
    reply = await asked_with(server, chat, service.says(None, refusal="No. " * 1000), None)
    assert reply.refusal is not None
    assert len(reply.refusal) == 500


@pytest.mark.parametrize("figure", ["12", -5, 10**12, True, None, 1.5, [], {}])
async def test_implausible_usage_counts_as_unknown(
    server: OpenAIServer, chat: OpenAIChat, figure: object
) -> None:
    """Figures that make no sense count as unknown."""
    said = {"choices": [{"message": {"content": "Yes."}}], "usage": {"prompt_tokens": figure}}
    reply = await asked_with(server, chat, service.sends(json.dumps(said)), None)
    assert reply.text == "Yes."
    assert reply.usage.prompt_tokens == 0


@settings(max_examples=examples(60), deadline=None)
@given(st.text(alphabet='{}[]"\\:,0 aN', max_size=40))
def test_reading_a_form_never_raises(text: str) -> None:
    found = read_json(text, Verdict)
    assert found is None or isinstance(found, Verdict)


# --- failures ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("behaviour", "kind", "words"),
    [
        (service.refuses_the_key(401), ModelKeyRefused, "refused the key"),
        (service.refuses_the_key(403), ModelKeyRefused, "refused the key"),
        (service.has_no_quota(), ModelQuotaSpent, "quota is used up"),
        (service.fails(404, "model_not_found"), ModelServiceError, "model_not_found"),
        (service.fails(400, "context_length_exceeded"), ModelServiceError, "refused the request"),
        (service.fails(400, param=["temperature"]), ModelServiceError, "refused the request"),
        (service.fails(400, param="messages"), ModelServiceError, "refused the request"),
        (service.fails(413), ModelServiceError, "refused the request"),
        (service.sends("", status=302, Location="http://127.0.0.1:9/"), ModelServiceError, "302"),
        (service.is_busy(), ModelServiceBusy, "no answer for now"),
        (service.fails(500), ModelServiceUnavailable, "no answer for now"),
        (service.fails(503), ModelServiceUnavailable, "no answer for now"),
        (service.fails(408), ModelServiceUnavailable, "no answer for now"),
        (service.sends("<html>", status=502), ModelServiceUnavailable, "no answer for now"),
        (service.resets(), ModelServiceUnavailable, "could not be reached"),
    ],
)
async def test_failures_are_typed_with_remedy(
    server: OpenAIServer,
    chat: OpenAIChat,
    behaviour: Behaviour,
    kind: type[ModelServiceError],
    words: str,
) -> None:
    """Each failure is one typed error that says what to do."""
    with pytest.raises(ModelServiceError, match=words) as caught:
        await asked_with(server, chat, behaviour, Verdict)
    assert type(caught.value) is kind
    assert caught.value.retryable == issubclass(kind, ModelServiceUnavailable)
    assert len(server.asked) == 1, "repeats are the gateway's"


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("3", 3.0), ("1.5", 1.5), (None, None), ("soon", None), ("nan", None), ("-4", 0.0)],
)
async def test_busy_service_is_left_alone(
    server: OpenAIServer, chat: OpenAIChat, header: str | None, seconds: float | None
) -> None:
    """A busy service is left alone for as long as it says."""
    with pytest.raises(ModelServiceBusy) as caught:
        await asked_with(server, chat, service.is_busy(header), None)
    assert caught.value.retry_after == seconds


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("Sat, 21 Nov 2026 12:00:30 GMT", 30.0),
        ("Sat, 21 Nov 2026 12:00:30 -0000", 30.0),
        ("Sat, 21 Nov 2026 11:00:00 GMT", 0.0),
        ("Sat, 99 Nov 2026 12:00:30 GMT", None),
        ("inf", None),
        ("1e400", None),
        ("3600", 3600.0),
        ("", None),
    ],
)
def test_retry_after_date_becomes_seconds(header: str, seconds: float | None) -> None:
    """A date in retry after is read as seconds from now."""
    noon = dt.datetime(2026, 11, 21, 12, tzinfo=dt.UTC)
    assert retry_after({"retry-after": header}, noon) == seconds


@settings(max_examples=examples(100), deadline=None)
@given(st.text(max_size=40))
def test_no_retry_after_header_raises(header: str) -> None:
    found = retry_after({"retry-after": header})
    assert found is None or found >= 0


async def test_dripping_answer_is_cut_off(server: OpenAIServer) -> None:
    """An answer that drips is cut off."""
    chat = OpenAIChat(server.endpoints(), timeout=0.3)
    server.will("writer", service.drips())
    with pytest.raises(ModelServiceUnavailable, match=r"within 0\.3 seconds"):
        await chat.complete("writer", ASK)
    await chat.close()


async def test_a_prompt_follows_no_redirect(server: OpenAIServer, chat: OpenAIChat) -> None:
    async with OpenAIServer() as elsewhere:
        away = f"{elsewhere.url}/chat/completions"
        moved = service.sends("", status=307, Location=away)
        with pytest.raises(ModelServiceError):
            await asked_with(server, chat, moved, None)
        assert elsewhere.asked == []
    assert len(server.asked) == 1


async def test_run_deadline_is_not_service_timeout(server: OpenAIServer) -> None:
    """A deadline of the run is not taken for the services."""
    chat = OpenAIChat(server.endpoints(), timeout=20)
    server.will("writer", service.drips())
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(chat.complete("writer", ASK), 0.2)
    await chat.close()


async def test_missing_service_is_unavailable(unused_tcp_port: int) -> None:
    """A service that is not there is unavailable."""
    nowhere = Endpoint(model="m", base_url=f"http://127.0.0.1:{unused_tcp_port}/v1")
    chat = OpenAIChat({"writer": nowhere}, timeout=5)
    with pytest.raises(ModelServiceUnavailable, match="could not be reached"):
        await chat.complete("writer", ASK)
    await chat.close()


async def test_unsupported_temperature_is_dropped(server: OpenAIServer, chat: OpenAIChat) -> None:
    """A model that takes no temperature is asked without from then on."""
    server.will(
        "writer",
        service.fails(400, "unsupported_value", param="temperature"),
        service.fails(400, "unsupported_parameter", param="max_completion_tokens"),
        service.says("Yes."),
        service.says("Again."),
    )
    # Each attempt is one of the gateway's: it takes a place in the rate limit.
    patient = retrying(chat, Backoff(base=0.0))
    assert (await patient.complete("writer", ASK)).text == "Yes."
    assert (await chat.complete("writer", ASK)).text == "Again."
    kept = [{"temperature", "max_completion_tokens"} & asked.body.keys() for asked in server.asked]
    assert kept == [
        {"temperature", "max_completion_tokens"},
        {"max_completion_tokens"},
        set(),
        set(),
    ]


async def test_endless_refusals_end_the_retries(server: OpenAIServer, chat: OpenAIChat) -> None:
    """A service that refuses everything is not asked for ever."""
    server.will("writer", *[service.fails(400, param="temperature")] * 5)
    with pytest.raises(ModelServiceError, match="refused the request"):
        await retrying(chat, Backoff(base=0.0)).complete("writer", ASK)
    assert len(server.asked) == 2


# --- secrets -------------------------------------------------------------------------------

LEAKY: list[Callable[[], Behaviour]] = [
    service.refuses_the_key,
    lambda: service.refuses_the_key(400),
    lambda: service.refuses_the_key(429),
    lambda: service.refuses_the_key(500),
    lambda: service.fails(400, code=KEY, message=SECRET_PROMPT, param=SECRET_PROMPT),
    service.has_no_quota,
    service.resets,
    service.sends_html,
    service.breaks_json,
]


@pytest.mark.parametrize("behaviour", LEAKY)
async def test_key_and_prompt_are_never_logged(
    server: OpenAIServer,
    chat: OpenAIChat,
    behaviour: Callable[[], Behaviour],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Neither key nor prompt gets into a log or an error."""
    caplog.set_level(logging.DEBUG)
    said = ""
    try:
        await asked_with(server, chat, behaviour(), Verdict)
    except ModelServiceError as error:
        said = f"{error} {error!r} {error.__cause__}"
        logging.getLogger("test").exception("as it is logged")
    logged = caplog.text + "".join(str(record.args) for record in caplog.records)
    for secret in (KEY, KEY[:12], KEY[-8:], SECRET_PROMPT, "Contoso"):
        assert secret not in said
        assert secret not in logged


def test_endpoint_repr_hides_its_key() -> None:
    """An endpoint does not show its key."""
    endpoint = Endpoint(model="m", api_key=SecretStr(KEY))
    assert KEY not in f"{endpoint} {endpoint!r} {endpoint.model_dump_json()}"


@pytest.mark.parametrize("key", ["sk-\u201csmart\u201d-7f3a", "sk-7f3a\nX-Other: 1"])
def test_invalid_header_key_is_refused_unshown(key: str) -> None:
    """A key that fits no header is refused without being shown."""
    with pytest.raises(ValidationError) as caught:
        Endpoint(model="m", api_key=SecretStr(key))
    assert "7f3a" not in str(caught.value)


def test_key_with_line_break_works() -> None:
    """A key copied with its line break works."""
    assert Endpoint(model="m", api_key=SecretStr("sk-1\n")).api_key.get_secret_value() == "sk-1"


def test_an_address_holds_no_credentials() -> None:
    with pytest.raises(ValidationError, match="its own setting"):
        Endpoint(model="m", base_url="https://me:secret@host/v1")


async def test_environment_account_goes_only_to_openai(
    server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environments account is told to openai alone."""
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/")
    chat = OpenAIChat({"writer": server.endpoint("stub-writer"), "judge": Endpoint(model="m")})
    assert (await chat.complete("writer", ASK)).text
    assert chat._clients["writer"].organization is None
    assert chat._clients["judge"].organization == "org-1"
    assert str(chat._clients["judge"].base_url) == "https://api.openai.com/v1/"
    await chat.close()
