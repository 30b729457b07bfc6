"""Values that views are shown with, and what no view may ever do."""

import datetime as dt
import re
from collections.abc import Iterator
from typing import Any

from bot.playground.slack.checker.block_kit import violations
from bot.playground.slack.checker.checks import Surface
from bot.slack.views.message import Message
from masis.conversation import ChatRun, Link, Session, Tenant
from masis.domain import (
    Answered,
    Badge,
    Citation,
    CitationAudit,
    Critique,
    Document,
    Evaluation,
    NeedsClarification,
    Place,
    Scores,
    UnsupportedClaim,
    Workspace,
    workspace_id,
)

RUN_ID = "11111111-2222-3333-4444-555555555555"
TODAY = dt.date(2026, 11, 22)
NOW = dt.datetime(2026, 11, 22, 12, tzinfo=dt.UTC)
TENANT = Tenant(enterprise="E1", team="T1")

HOSTILE = (
    "x <!channel> <@U0ADMIN01> @here [in](https://evil.example) ![i](https://evil.example/p.png)"
    " <https://evil.example|a> www.evil.example \u202e\u200b\x07 &lt;!here&gt; *b* `c`"
)
"""Everything that must never be live, in one text."""


def run(**changes: Any) -> ChatRun:
    values: dict[str, Any] = {
        "id": RUN_ID,
        "tenant": TENANT,
        "channel": "C0CHANNEL",
        "thread": "1700000000.000100",
        "asker": "U0ASKER01",
        "question": "How much annual leave is there?",
        "query": "How much annual leave is there?",
        "workspace_id": workspace_id("ws_a"),
    }
    return ChatRun(**{**values, **changes})


def source(n: int = 1, **changes: Any) -> Citation:
    values: dict[str, Any] = {
        "n": n,
        "chunk_id": f"c_aaaaaaaaaa{'abcdefghijklmnopqrstuvwxyz234567'[n // 32 % 32]}{'abcdefghijklmnopqrstuvwxyz234567'[n % 32]}",
        "document_id": f"d{n}",
        "version_id": "v1",
        "document": "handbook/leave.md",
        "title": "Annual leave",
        "place": Place(page=4),
        "date": dt.date(2026, 8, 18),
        "text": "Annual leave is 26 days.",
    }
    return Citation(**{**values, **changes})


SCORES = Scores(faithfulness=0.95, relevance=0.9, completeness=0.9, reasoning_quality=0.8)
EVALUATION = Evaluation(
    faithfulness=0.95,
    relevance=0.9,
    completeness=0.9,
    reasoning_quality=0.8,
    overall_score=0.902,
    raw=SCORES,
)


def answered(**changes: Any) -> Answered:
    values: dict[str, Any] = {
        "run_id": RUN_ID,
        "question": "How much annual leave is there?",
        "answer": "Annual leave is 26 days [1].",
        "confidence": 0.869,
        "badge": Badge(level="High", confidence=0.869),
        "citations": [source()],
        "critique": Critique(confidence=0.9),
        "evaluation": EVALUATION,
        "audit": CitationAudit(citations=["c_aaaaaaaaaaab"], claims=1, cited_claims=1),
        "extractive": True,
    }
    return Answered.model_validate({**values, **changes})


def asked_back(**changes: Any) -> NeedsClarification:
    sources = [source(1, document="a.md"), source(2, document="b.md")]
    conflict = f"“10” [{sources[1].chunk_id}] against “12” [{sources[0].chunk_id}]"
    values: dict[str, Any] = {
        "run_id": RUN_ID,
        "question": "Which target counts?",
        "kind": "conflict",
        "clarification_question": "The sources disagree: a.md and b.md. Which one counts?",
        "answer": "It is 10 [1].",
        "confidence": 0.5,
        "badge": Badge(level="Low", confidence=0.5, note="the sources disagree"),
        "citations": sources,
        "critique": Critique(confidence=0.5, conflicting_evidence=[conflict]),
        "evaluation": EVALUATION,
        "audit": CitationAudit(claims=2, cited_claims=1),
    }
    return NeedsClarification.model_validate({**values, **changes})


def session(**changes: Any) -> Session:
    values: dict[str, Any] = {
        "id": "s_aaaaaaaaaaaa",
        "tenant": TENANT,
        "channel": "C0CHANNEL",
        "thread": "1700000000.000100",
        "asker": "U0ASKER01",
        "kind": "conflict",
        "run_id": RUN_ID,
        "workspace_id": workspace_id("ws_a"),
        "question": "Which target counts?",
        "clarification": "The sources disagree: a.md and b.md. Which one counts?",
        "suggestions": ["a.md counts", "b.md counts"],
        "created_at": NOW,
        "expires_at": NOW + dt.timedelta(hours=24),
    }
    return Session(**{**values, **changes})


def faulty_audit(text: str, number: int) -> CitationAudit:
    return CitationAudit(
        claims=number * 2,
        invalid=[text] * number,
        uncited=[text] * number,
        unsupported=[UnsupportedClaim(sentence=text, missing=[text])] * number,
    )


def workspace(n: int = 1, name: str = "handbook", **changes: Any) -> Workspace:
    values: dict[str, Any] = {
        "id": workspace_id(f"ws_{n}"),
        "owner": TENANT.owner,
        "name": name,
        "documents": 12,
        "chunks": 300,
    }
    return Workspace(**{**values, **changes})


def document(**changes: Any) -> Document:
    values: dict[str, Any] = {
        "id": "d_aaaaaaaaaaaa",
        "workspace_id": workspace_id("ws_1"),
        "name": "handbook/leave.md",
        "title": "Annual leave",
        "format": "md",
        "version_id": "v1",
        "version_number": 1,
        "content_hash": "0",
        "size_bytes": 100,
        "chunks": 3,
        "date": dt.date(2026, 8, 18),
        "ingested_at": NOW,
    }
    return Document(**{**values, **changes})


# --- what holds for every view -------------------------------------------------------------


def strings(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every string that goes to Slack, with the name of its field."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from strings(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each, key)


_SHOWN = {"text", "title", "initial_value", "label", "placeholder"}
_SHOWN |= {"name", "caption", "categories", "y_label"}  # of charts and tables
_OURS = re.compile(r"<@[UWB][A-Z0-9]+>|<#[CDG][A-Z0-9]+>")
_LIVE = re.compile(
    r"<|>|://|\]\(|!\[|www\.\S|(?<![\w.+-])@(?:here|channel|everyone)\b|evil\.example"
    r"|[\u200b\u202e\x07]"
)


def live(payload: Any) -> list[str]:
    """What of a payload's texts would do something in Slack, but for our own mentions."""
    return [
        text
        for key, text in strings(payload)
        if key in _SHOWN and _LIVE.search(_OURS.sub("", text))
    ]


def check(surface: Surface, payload: Any) -> None:
    """Assert that Slack would take it, and that nothing of it is live."""
    assert violations(surface, payload) == []
    assert live(payload) == []


def sound(*messages: Message) -> None:
    """Assert it of messages, and that each has a sentence to stand for it."""
    for message in messages:
        check("message", message.payload())
        assert message.text.strip()


def texts(payload: Any) -> str:
    """All texts that a message or a view shows, a line each."""
    return "\n".join(text for key, text in strings(payload) if key in _SHOWN)


def actions(payload: Any) -> dict[str, Any]:
    """The buttons and menus of a message or a view by their action id."""
    found: dict[str, Any] = {}

    def look(value: Any) -> None:
        if isinstance(value, dict):
            if "action_id" in value:
                found[value["action_id"]] = value
            for each in value.values():
                look(each)
        elif isinstance(value, list):
            for each in value:
                look(each)

    look(payload)
    return found


def link(**changes: Any) -> Link:
    values: dict[str, Any] = {
        "tenant": TENANT,
        "channel": "C0CHANNEL",
        "workspace_id": workspace_id("ws_1"),
        "linked_by": "U0ADMIN01",
        "linked_at": NOW,
    }
    return Link(**{**values, **changes})
