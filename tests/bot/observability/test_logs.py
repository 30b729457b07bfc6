"""What a log may show: one line a record, ids, and no secret in whatever disguise."""

import io
import json
import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest
import structlog

from bot.observability import logs
from bot.settings import load

SECRETS: Final = {
    "MASIS_SLACK_BOT_TOKEN": "xoxb-17653672481-19874698323",
    "MASIS_SLACK_APP_TOKEN": "xapp-1-A02-19874698323-abc",
    "MASIS_SLACK_SIGNING_SECRET": "8f742231b10e8888abcd99yyyzzz85a5",
    "MASIS_SLACK_CLIENT_ID": "12345.678",
    "MASIS_SLACK_CLIENT_SECRET": 'a "quoted" secret with ünïcode',
    "MASIS_PUBLIC_URL": "https://masis.example",
    "MASIS_QDRANT_API_KEY": "qdrant/key+with=signs",
    "MASIS_MODEL_API_KEY": "a-key-of-no-known-form",
    "MASIS_SECRET_KEYS": "k2:c2Vjb25kIGtleSBvZiBvdXJz,k1:Zmlyc3Qga2V5IG9mIG91cnM=",
}
LOOKS_LIKE_ONE: Final = (
    "xoxe.xoxb-1-MS0yLTE2MDg1NzUz",
    "xoxp-98765-abc",
    "xapp-1-B7-999-f00",
    "sk-proj-Zm9v_YmFy-12345",
    "masis_abcdefgh234567ab_QWxsIHlvdXIgYmFzZQ",
    "Bearer dXNlcjpwYXNzd29yZA",
    "postgresql://masis:correct-horse@db/masis",
    "wss://wss.example/link/?ticket=12e3-45f6&app_id=1",
    "https://hooks.slack.com/commands/T1/2/AbCdEf",
    "v0=" + "a" * 64,
    "{'api-key': 'a-key-nobody-knows'}",
    "(b'api-key', b'a-key-nobody-knows')",
)


@pytest.fixture(autouse=True)
def _levels_restored() -> Iterator[None]:
    levels = {name: logging.getLogger(name).level for name in logs._FLOORS}
    yield
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., list[str]]:
    """What a record comes to, in the lines of the form that is asked for."""
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)

    def write(
        *said: Any, form: str = "json", debug: bool = False, raised_too: bool = False
    ) -> list[str]:
        stream = io.StringIO()
        settings = load(tmp_path / "no.env", log_format=form)
        handler = logs.handler_of(settings, debug=debug, stream=stream)
        raised = sys.exc_info() if raised_too else None
        record = logging.LogRecord(
            "bot.tests", logging.WARNING, __file__, 1, said[0], said[1:], raised
        )
        handler.handle(record)
        return stream.getvalue().splitlines()

    return write


@pytest.mark.parametrize("name", logs._FLOORS)
def test_library_debug_texts_are_suppressed(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """A library that logs texts at debug is held back."""
    caplog.set_level(logging.DEBUG)
    logging.getLogger(name).setLevel(logging.DEBUG)

    logs.keep_texts_out()
    logging.getLogger(f"{name}.part").debug("SELECT ... ['a question']")

    assert caplog.records == []


def test_who_wants_still_less_gets_it() -> None:
    logging.getLogger("openai").setLevel(logging.ERROR)

    logs.keep_texts_out()

    assert logging.getLogger("openai").level == logging.ERROR


def test_record_has_time_and_ids(
    written: Callable[..., list[str]],
) -> None:
    """A record has its time in utc its origin and the ids that are bound."""
    with structlog.contextvars.bound_contextvars(run="r1", team="T1"):
        (line,) = written("%d left", 3)
    record = json.loads(line)
    assert record.pop("time").endswith("Z")
    assert record == {
        "level": "WARNING",
        "logger": "bot.tests",
        "event": "3 left",
        "run": "r1",
        "team": "T1",
    }
    (text,) = written("%d left", 3, form="text")
    assert text.endswith("Z WARNING bot.tests: 3 left"), "nothing is bound any more"


def test_id_in_message_is_not_repeated(written: Callable[..., list[str]]) -> None:
    """An id that a message names is not said twice."""
    with structlog.contextvars.bound_contextvars(run="5f1c-7c0e", team="T1"):
        (marked,) = written("post_ambiguous run=%s part=%d", "5f1c-7c0e", 0, form="text")
        (told,) = written("run %s failed: Error", "5f1c-7c0e", form="text")
        (other,) = written("run %s failed: Error", "9999-0000", form="text")
        (record,) = written("run %s failed: Error", "5f1c-7c0e")
    assert marked.endswith(": post_ambiguous run=5f1c-7c0e part=0 team=T1")
    assert told.endswith(": run 5f1c-7c0e failed: Error team=T1")
    said, _, bound = other.partition(": run 9999-0000 failed: Error ")
    assert said
    assert set(bound.split()) == {"run=5f1c-7c0e", "team=T1"}
    assert json.loads(record)["run"] == "5f1c-7c0e"


@pytest.mark.parametrize("form", ["json", "text"])
def test_message_cannot_forge_log_lines(written: Callable[..., list[str]], form: str) -> None:
    """A message can forge no line and command no terminal."""
    forged = "a\n2026 ERROR bot: all is lost\r\x1b[2J\u2028b\u202ec\udcff"
    (line,) = written("named %s", forged, form=form)
    assert line.isascii()
    assert "\\x1b[2J" in line or "\\u001b[2J" in line


def cannot_use(secret: str) -> None:
    raise ValueError(f"cannot use {secret}")


@pytest.mark.parametrize("form", ["json", "text"])
@pytest.mark.parametrize("debug", [False, True])
def test_no_secret_is_logged(written: Callable[..., list[str]], form: str, *, debug: bool) -> None:
    """No secret is written in any form not even in an error."""
    keys = [each.partition(":")[2] for each in SECRETS["MASIS_SECRET_KEYS"].split(",")]
    named = [SECRETS[name] for name in SECRETS if not name.endswith(("_ID", "_URL", "_KEYS"))]
    secrets = [*named, *keys, *map(quote, named)]
    for secret in (*secrets, *LOOKS_LIKE_ONE):
        try:
            cannot_use(secret)
        except ValueError:
            lines = written(
                "said %s and %r", secret, secret, form=form, debug=debug, raised_too=True
            )
        shown = "\n".join(lines)
        tail = secret.rpartition(" ")[2][-12:]
        assert "[redacted]" in shown
        assert secret not in shown
        assert json.dumps(secret)[1:-1] not in shown
        assert tail.strip("'})") not in shown or tail.endswith("@db/masis"), shown


def test_address_is_redacted(written: Callable[..., list[str]]) -> None:
    """An address keeps what is no secret."""
    (line,) = written(
        "%s and %s", "postgresql://masis:pw@db:5432/masis", "wss://a/?ticket=1234&b=2"
    )
    said = json.loads(line)["event"]
    assert said == "postgresql://[redacted]@db:5432/masis and wss://a/?ticket=[redacted]&b=2"


def test_error_log_has_names_only(
    written: Callable[..., list[str]],
) -> None:
    """An error is told by its names and places alone."""

    def fails() -> None:
        try:
            int("a question of somebody's")
        except ValueError as error:
            raise KeyError("and its answer") from error

    try:
        fails()
    except KeyError:
        (line,) = written("it failed", raised_too=True)
        shown = written("it failed", raised_too=True, form="text", debug=True)
    record = json.loads(line)
    assert record["error"] == "KeyError from ValueError"
    assert record["where"].startswith("observability/test_logs.py:")
    assert "question" not in line
    assert "answer" not in line
    # Who asks for tracebacks gets them, each line marked as a part of one.
    assert all(each.startswith("    | ") for each in shown[1:])
    assert any("and its answer" in each for each in shown)


def test_process_messages_have_both_formats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a process says of itself is said to people or as a record."""
    noted: list[str] = []
    logs.announcing(load(tmp_path / "no.env"), noted.append)("MASIS serves.")
    assert noted == ["MASIS serves."]
    for_programs = load(tmp_path / "no.env", log_format="json")
    stream = io.StringIO()
    handler = logs.handler_of(for_programs, stream=stream)
    monkeypatch.setattr(logging.getLogger("masis"), "handlers", [handler])
    logs.announcing(for_programs, noted.append)("MASIS serves.")
    assert json.loads(stream.getvalue())["event"] == "MASIS serves."
    assert noted == ["MASIS serves."]


def test_long_message_is_cut(written: Callable[..., list[str]]) -> None:
    """A long message is cut and counted."""
    (line,) = written("x" * 100_000)
    assert json.loads(line)["event"] == f"{'x' * 4000}… (96000 more)"


def test_unwritable_record_is_reported(
    written: Callable[..., list[str]],
) -> None:
    """A record that cannot be written is told without its words."""
    (line,) = written("%d questions", "what do I earn?")
    assert line.startswith("a record of test_logs:")
    assert line.endswith(" was lost: TypeError")


def test_bad_message_takes_no_longer() -> None:
    """A bad message takes no longer than others."""
    redaction = logs.Redaction(["a-long-secret"])
    for part in ("xoxb-", "://a:", "sk-", "token='", "?key=", "bearer ", "v0="):
        assert redaction(part * 10_000)
