"""Write the log: a line a record, with ids and lengths, never a text or a secret.

Every record goes this way, of whichever library: they all log by the standard library's `logging`,
and the one handler is at its root. Bind ids with `structlog.contextvars` where work begins.
"""

import datetime as dt
import logging
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import PurePath
from types import TracebackType
from typing import TYPE_CHECKING, Final, TextIO
from urllib.parse import quote, unquote, urlsplit

from pydantic import SecretStr

from masis.text.characters import DIRECTIONS, HALVES, SEPARATORS, TERMINAL_CONTROLS
from masis.text.redaction import HIDDEN, redacted, rules

if TYPE_CHECKING:
    from structlog.typing import EventDict, WrappedLogger

    from bot.settings import Settings

_FLOORS: Final = {
    "aiosqlite": logging.INFO,
    "openai": logging.INFO,
    "psycopg": logging.INFO,
    "sqlalchemy": logging.WARNING,
}
"""The lowest level at which each logs neither statements with their values nor whole requests."""
_CHATTY: Final = ("openai", "httpx", "httpx2", "httpcore", "httpcore2")
"""Loggers of the libraries that call services."""

_MOST_READ: Final = 64_000
_MOST_SHOWN: Final = 4_000
"""Characters of one message; the rest is counted."""
_FRAMES: Final = 6
_CAUSES: Final = 4
_SHORTEST_SECRET: Final = 8
"""Less is a word that stands in harmless lines too."""


def configure(settings: "Settings", *, debug: bool = False, stream: TextIO | None = None) -> None:
    """Log as the settings say. `debug` shows tracebacks, with what their errors say."""
    handler = handler_of(settings, debug=debug, stream=stream)
    logging.basicConfig(level=settings.log_level, handlers=[handler], force=True)
    for name in _CHATTY:
        # Their INFO is a line for every request, for who looks for just that.
        quiet = logging.NOTSET if settings.log_level == "DEBUG" else logging.WARNING
        logging.getLogger(name).setLevel(quiet)
    keep_texts_out()


def keep_texts_out() -> None:
    """Hold the libraries to these levels, even where everything else is logged at DEBUG."""
    for name, floor in _FLOORS.items():
        logger = logging.getLogger(name)
        logger.setLevel(max(logger.level, floor))


def handler_of(
    settings: "Settings", *, debug: bool = False, stream: TextIO | None = None
) -> logging.Handler:
    """The handler that writes the form of `settings`, without the secrets in them."""
    import structlog  # noqa: PLC0415 - help and completion are quick without

    handler = _Handler(stream or sys.stderr)
    redaction = Redaction(secrets_of(settings))
    # Everything beyond ASCII is escaped.
    as_json = structlog.processors.JSONRenderer()
    render = as_json if settings.log_format == "json" else _text
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[_Record(redaction, debug=debug), render],
        )
    )
    return handler


def announcing(settings: "Settings", note: Callable[[str], None]) -> Callable[[str], None]:
    """Choose how a process says what it is about: to people by `note`, to programs as a record.

    It is said whatever the level: it was asked for by starting.
    """
    if settings.log_format == "text":
        return note
    log = logging.getLogger("masis")

    def announce(line: str) -> None:
        log.handle(log.makeRecord(log.name, logging.INFO, __file__, 0, "%s", (line,), None))

    return announce


class _Handler(logging.StreamHandler[TextIO]):
    """One that does not print a record which it fails to write: the standard one shows it whole."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name that logging calls
        """Say where the record came from, and nothing of it."""
        try:
            kind = sys.exception()
            name = type(kind).__name__
            self.stream.write(f"a record of {record.module}:{record.lineno} was lost: {name}\n")
        except (OSError, ValueError):
            return  # nobody listens any more


# --- what must not be read -----------------------------------------------------------------


class Redaction:
    """Takes secrets out of a text: the given ones, and whatever looks like one."""

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        worth = {each for each in secrets if len(each) >= _SHORTEST_SECRET}
        # Longest first: one may be the beginning of another.
        escaped = [re.escape(each) for each in sorted(worth, key=len, reverse=True)]
        self._exact = re.compile("|".join(escaped)) if escaped else None

    def __call__(self, text: str) -> str:
        """The text without them."""
        if self._exact is not None:
            text = self._exact.sub(HIDDEN, text)
        return redacted(text, _IN_LOGS)


_IN_LOGS: Final = rules(
    (
        # Signatures and headers, which stand in a log and not in anybody's prose.
        (r"\bv0=[0-9a-f]{64}", f"v0={HIDDEN}"),
        (r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}", rf"\1 {HIDDEN}"),
    )
)


def secrets_of(settings: "Settings") -> list[str]:
    """Every secret of the settings, as it stands there, in its parts, and as an address has it."""
    found: set[str] = set()
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if isinstance(value, SecretStr) and value.get_secret_value():
            found |= _parts(name, value.get_secret_value())
    return sorted(found | {quote(each, safe=safe) for each in found for safe in ("", "/")})


def _parts(name: str, secret: str) -> set[str]:
    match name:
        case "database_url":  # the address itself is no secret, and a file's path even less
            password = urlsplit(secret).password or ""
            return {each for each in (password, unquote(password)) if each}
        case "secret_keys":
            return {secret, *(each.partition(":")[2].strip() for each in secret.split(","))}
    return {secret, secret.strip()}


# --- a record ------------------------------------------------------------------------------


class _Record:
    """Makes of a record the few fields that are shown, none of them longer than it should be."""

    def __init__(self, redaction: Redaction, *, debug: bool) -> None:
        self._redaction = redaction
        self._debug = debug

    def __call__(self, _: "WrappedLogger", __: str, event: "EventDict") -> "EventDict":
        """Time, level, logger, event; the ids that are bound; and what was raised where."""
        from structlog.contextvars import get_contextvars  # noqa: PLC0415 - as above

        record: logging.LogRecord = event["_record"]
        fields = {
            "time": _utc(record.created),
            "level": record.levelname,
            "logger": record.name,
            "event": str(event.get("event", "")),
            **{name: str(bound) for name, bound in get_contextvars().items()},
        }
        raised = event.get("exc_info")
        if isinstance(raised, tuple) and raised[1] is not None:
            fields |= self._raised(raised[1])
        return {name: self._shown(text) for name, text in fields.items()}

    def _raised(self, error: BaseException) -> dict[str, str]:
        """The names of errors and places: what they say may quote somebody."""
        found = {"error": " from ".join(_names(error)), "where": _where(error.__traceback__)}
        if self._debug:
            found["traceback"] = "".join(traceback.format_exception(error))
        return found

    def _shown(self, text: str) -> str:
        clean = self._redaction(text[:_MOST_READ])
        more = len(text) - _MOST_SHOWN
        # A traceback is read from its end, a message from its beginning.
        return clean if more <= 0 or self._debug else f"{clean[:_MOST_SHOWN]}… ({more} more)"


def _utc(seconds: float) -> str:
    moment = dt.datetime.fromtimestamp(seconds, dt.UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _names(error: BaseException) -> Iterator[str]:
    shown: BaseException | None = error
    for _ in range(_CAUSES):
        if shown is None:
            return
        yield type(shown).__name__
        shown = shown.__cause__ or (None if shown.__suppress_context__ else shown.__context__)


def _where(trace: TracebackType | None) -> str:
    """The innermost places first, each by the end of its path."""
    frames = list(islice(traceback.walk_tb(trace), 1000))[-_FRAMES:]
    places = [
        f"{'/'.join(PurePath(frame.f_code.co_filename).parts[-2:])}:{line} {frame.f_code.co_name}"
        for frame, line in reversed(frames)
    ]
    return " < ".join(places)


# --- its form ------------------------------------------------------------------------------

_UNSAFE: Final = re.compile(rf"[\t-\r{TERMINAL_CONTROLS}{SEPARATORS}{DIRECTIONS}{HALVES}]")
"""What ends a line, what a terminal obeys, what turns its direction, and half characters."""

_FIRST: Final = ("time", "level", "logger", "event", "error", "where", "traceback")


def _text(_: "WrappedLogger", __: str, fields: "EventDict") -> str:
    said = f"{fields['time']} {fields['level']} {fields['logger']}: {fields['event']}"
    ids = "".join(
        f" {name}={text}"
        for name, text in fields.items()
        if name not in _FIRST and not _is_named(fields["event"], name, text)
    )
    raised = f" [{fields['error']} at {fields['where']}]" if "error" in fields else ""
    return _escaped(f"{said}{raised}{ids}") + _trace(fields)


def _is_named(event: str, name: str, text: str) -> bool:
    """Say whether the message names an id itself, as in "run 5f1c… failed"."""
    return f"{name} {text}" in event or f"{name}={text}" in event


def _trace(fields: "EventDict") -> str:
    """Indented, so that no line of it looks like a record."""
    lines = str(fields.get("traceback", "")).splitlines()
    return "".join(f"\n    | {_escaped(each)}" for each in lines)


def _escaped(text: str) -> str:
    return _UNSAFE.sub(lambda found: ascii(found.group())[1:-1], text)
