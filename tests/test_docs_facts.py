"""Figures, words and rights that pages state are the code's: an edit of one reminds of the other."""

import re
from pathlib import Path
from typing import Final, get_args

import pytest
import yaml

from bot.api import events
from bot.api.authentication import FAILURES_PER_MINUTE
from bot.api.documents import file_bodies
from bot.api.documents.document_routes import MOST_ON_A_PAGE, PAGE
from bot.api.documents.document_values import DocumentEntry, Listing, Upload
from bot.api.http_requests import DEFAULT_WAIT_SECONDS, MAX_BODY_BYTES, MAX_WAIT_SECONDS
from bot.api.problems import Code
from bot.chat.authority import MAY, Action, Kind, Rule
from bot.chat.grammar import VERBS
from bot.connections import BODY_SECONDS
from bot.results import Result
from bot.slack.client.coalescing import EVERY_SECONDS
from masis import policy
from masis.conversation import MOST_HEARD, TeamSettings
from masis.documents.parsing import document_limits
from storage.accounts.api_tokens import RIGHTS
from storage.admission.admissions import TOGETHER
from storage.api.received_files import UploadState
from storage.chat.memory import MOST_CHARS, MOST_EXCHANGES
from storage.queue.executors import TTL_SECONDS
from storage.queue.failover import HEARTBEAT_SECONDS
from tests.pages import README, ROOT

DOCS: Final = ROOT / "docs"


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def section(page: Path, heading: str) -> str:
    """What stands under a heading of the second rank."""
    return text(page).partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def rows(table: str) -> list[list[str]]:
    """The cells of a table's rows, without its heading."""
    lines = [line.strip("| ") for line in table.splitlines() if line.startswith("|")]
    cells = [re.split(r"\s*(?<!\\)\|\s*", line) for line in lines]
    return [row for row in cells[1:] if not set(row[-1]) <= set("-: ")]


# --- figures -------------------------------------------------------------------------------


def test_readme_limits_match_the_code() -> None:
    """The limits in the readme are those of the code."""
    said = section(README, "Limits")
    for figure in (
        f"{document_limits.FILE_BYTES // 10**6} MB,",
        f"{document_limits.UNPACKED_BYTES // 10**6} MB unpacked",
        f"{document_limits.PAGES:,} pages",
        f"{document_limits.CELLS:,} cells",
        f"{document_limits.BLOCKS:,} paragraphs and rows",
        f"{document_limits.TEXT_CHARS // 10**6} MB of text",
        f"{document_limits.SECONDS:.0f} seconds and {document_limits.MEMORY_BYTES // 2**30} GB of memory",
        f"{policy.MAX_QUESTION_CHARS:,} characters",
    ):
        assert figure in said
    team = TeamSettings()
    assert f"{team.user_per_minute} questions a minute and {team.user_running} at a time" in said
    assert f"{team.channel_per_minute} a minute for a channel" in said
    at_work = f"{team.workspace_per_minute} a minute and {team.workspace_running} at a time"
    assert f"{at_work} for a workspace" in said


def test_retention_periods_match_the_code() -> None:
    """What is kept how long is as the code keeps it."""
    said = {
        row[-1].strip("`"): row[1]
        for row in rows(section(DOCS / "operating.md", "What is kept, and how long"))
    }
    for setting, span in {
        "MASIS_KEEP_RUNS_DAYS": f"{policy.KEEP_RUNS_DAYS:.0f} days",
        "MASIS_CLARIFICATION_HOURS": f"{policy.CLARIFICATION_HOURS:.0f} hours",
        "MASIS_KEEP_STEPS_DAYS": f"{policy.KEEP_STEPS_DAYS:.0f} days",
        "MASIS_KEEP_CLAIMS_HOURS": f"{policy.KEEP_CLAIMS_HOURS:.0f} hours",
        "MASIS_KEEP_USAGE_DAYS": f"{policy.KEEP_USAGE_DAYS:.0f} days",
    }.items():
        assert said[setting].startswith(span), setting


def test_queue_bounds_match_the_code() -> None:
    """The bounds of the queue are those of the code."""
    said = section(DOCS / "usage.md", "The queue")
    assert f"more than {policy.QUEUE_LIMIT} that wait in all" in said
    assert f"more than {policy.QUEUE_LIMIT_PER_WORKSPACE} of one workspace" in said
    assert policy.MAX_EXPECTED_WAIT == 10 * 60
    assert "longer than ten minutes" in said


def test_walk_figures_match_the_code() -> None:
    """The walks state the figures of the code."""
    said = text(DOCS / "architecture.md")
    assert f"stores up to {TOGETHER} requests in one transaction" in said
    assert f"{policy.ACCEPT_SECONDS:g} s" in said
    assert f"{HEARTBEAT_SECONDS:g} s" in said
    assert f"{policy.CLARIFICATION_HOURS:g} hours" in said
    assert EVERY_SECONDS == 2
    assert "two seconds" in said
    assert policy.RUN_ATTEMPTS == 3
    assert "three times" in said
    operating = text(DOCS / "operating.md")
    assert f"every {HEARTBEAT_SECONDS:g} s" in operating
    assert f"after {TTL_SECONDS:g} s" in operating


# --- the HTTP API --------------------------------------------------------------------------


def test_every_api_problem_is_documented() -> None:
    """Every problem of the api stands on its page."""
    said = re.findall(r"^\| \d{3} \| `(\w+)` \|", text(DOCS / "api.md"), re.MULTILINE)
    assert sorted(said) == sorted(get_args(Code))


def test_every_result_field_is_documented() -> None:
    """Every field of a result stands on the page of the api."""
    first = [row[0] for row in rows(section(DOCS / "api.md", "The result"))]
    assert set(re.findall(r"`(\w+)`", " ".join(first))) == set(Result.model_fields)
    status = section(DOCS / "api.md", "The result")
    words = get_args(Result.model_fields["status"].annotation)
    assert [word for word in words if f"`{word}`" not in status] == []


def test_api_figures_match_the_code() -> None:
    """The figures of the api are those of the code."""
    said = text(DOCS / "api.md")
    assert f"up to {DEFAULT_WAIT_SECONDS} seconds for the result" in said
    assert f"({MAX_WAIT_SECONDS} at most)" in said
    assert f"over {MAX_BODY_BYTES // 1024} KiB" in said
    assert FAILURES_PER_MINUTE == 20
    assert "Twenty wrong tokens a minute" in said
    streams = f"may have {events.STREAMS_PER_TOKEN} streams open, a process {events.STREAMS}"
    assert f"{streams}; who does not read for {events.WRITE_SECONDS:g} seconds is let go" in said
    assert f"A comment every {events.HEARTBEAT_SECONDS:g} seconds" in said
    assert events.STREAM_SECONDS == 11 * 60
    assert "after eleven minutes" in said
    assert f"it has {document_limits.FILE_BYTES // 1_000_000} MB at most" in said
    at_once = f"{file_bodies.FILES_PER_TOKEN} files at the same time, all together {file_bodies.FILES_AT_ONCE}"
    assert f"A token may send {at_once}" in said
    assert (file_bodies.FILE_SECONDS, BODY_SECONDS) == (5 * 60, 10)
    assert f"{PAGE} or `limit` of them ({MOST_ON_A_PAGE:,} at most)" in said


def test_every_upload_field_is_documented() -> None:
    """Every field of an upload and of a listed document stands on the page of the api."""
    said = section(DOCS / "api.md", "Documents")
    first = [row[0] for row in rows(said)]
    assert set(re.findall(r"`(\w+)`", " ".join(first))) == set(Upload.model_fields)
    named = set(re.findall(r"`(\w+)`", said))
    assert set(DocumentEntry.model_fields) | set(Listing.model_fields) <= named
    assert {*get_args(UploadState), *RIGHTS} <= named | {"ask"}


# --- Slack ---------------------------------------------------------------------------------


def test_every_slash_word_is_documented() -> None:
    """Every word of the slash command stands on the page on slack."""
    said = set(
        re.findall(r"`(?:/masis )?([a-z]+)[ `]", section(DOCS / "slack.md", "What people can do"))
    )
    assert set(VERBS) - said == set()


def test_every_scope_is_documented() -> None:
    """Every scope of the app stands on the page on slack, and no other."""
    asked = yaml.safe_load(text(ROOT / "manifest.yml"))["oauth_config"]["scopes"]["bot"]
    first = [row[0] for row in rows(section(DOCS / "slack.md", "What it may read"))]
    assert sorted(re.findall(r"`([\w:]+)`", " ".join(first))) == sorted(asked)


def test_memory_figures_match_the_code() -> None:
    """What is remembered of a thread is bounded on the pages as in the code."""
    said = section(DOCS / "architecture.md", "The chat graph")
    assert MOST_EXCHANGES == 6
    assert f"{MOST_CHARS:,} characters" in said
    assert "six questions" in section(README, "Conversations")
    assert f"{MOST_HEARD} messages" in text(DOCS / "slack.md")


WHO: Final[dict[str, tuple[Kind, ...]]] = {
    "Slack owner, Slack admin": ("owner", "admin"),
    "manager named in MASIS": ("manager",),
    "member": ("member",),
    "guest": ("single_channel_guest", "multi_channel_guest"),
    "somebody of another organisation": ("stranger",),
    "bot": ("bot",),
}
COLUMNS: Final[tuple[tuple[Action, ...], ...]] = (
    ("link", "unlink"),
    ("upload", "delete"),
    ("settings",),
    ("ask",),
)
SAID: Final[dict[str, Rule]] = {
    "yes": "yes",
    "no": "no",
    "if an admin allows guests": "if guests",
    "if an admin allows it for team and channel": "if external",
}


def test_documented_permissions_match_the_code() -> None:
    """Who may do what is the same on the page and in the code."""
    table = rows(section(DOCS / "slack.md", "Who may do what"))
    assert [row[0] for row in table] == list(WHO)
    for who, *cells in table:
        for kind in WHO[who]:
            for actions, cell in zip(COLUMNS, cells, strict=False):
                assert {MAY[kind][action] for action in actions} == {SAID[cell]}, (who, actions)
            own = {"yes": "anybody's", "no": "no"}.get(MAY[kind]["clarify"], "their own")
            assert cells[-1] == own, who


# --- traces --------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["bot", "storage", "masis"])
def test_every_span_is_documented(folder: str) -> None:
    """Every span stands on the page on operating."""
    said = {
        row[0].strip("`").split("`")[0] for row in rows(section(DOCS / "operating.md", "Traces"))
    }
    firsts = {name.split(" ")[0] for name in said}
    for path in (ROOT / folder).rglob("*.py"):
        for name in re.findall(r'\bspan\(f?"([^"]+)"', text(path)):
            assert name.split(" ")[0] in firsts, (path.name, name)
