"""The shared injection cases, from a model's answer to what Slack is sent."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import masis
from bot.slack.views.answer import answer
from masis.answering import citations, scoring
from masis.domain import Answered, Critique, EvidenceChunk, Scores, opaque_id
from tests.bot.slack.view_samples import RUN_ID, TODAY, live, run, sound, strings

CASES = (
    Path(masis.__file__).resolve().parents[2]
    / "shared"
    / "data"
    / "injection"
    / "output_cases_dev.jsonl"
)

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not CASES.is_file(), reason="the injection set is not beside the checkout"),
]

_IDS = re.compile(r"c-([0-9a-f]{6})")
PERFECT = Scores(faithfulness=1.0, relevance=1.0, completeness=1.0, reasoning_quality=1.0)


def cases() -> list[Any]:
    if not CASES.is_file():
        return [pytest.param({}, id="missing")]
    rows = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    return [pytest.param(row, id=f"{row['id']} {row['threat']}") for row in rows]


def issued(text: str) -> str:
    """The set writes ids of its own form; ours have another."""
    return _IDS.sub(lambda found: opaque_id("c", found[1]), text)


def evidence(case: dict[str, Any]) -> list[EvidenceChunk]:
    return [
        EvidenceChunk(
            chunk_id=issued(each["chunk_id"]),
            document_id=each["document_id"],
            version_id="v1",
            document="travel-policy.md",
            title=each["title"],
            text=each["text"],
            score=0.9,
        )
        for each in case["evidence"]
    ]


def judged(case: dict[str, Any]) -> Answered:
    """The case's answer under an auditor and a judge that find everything perfect."""
    draft, chunks = issued(case["model_answer"]), evidence(case)
    audit = citations.audit(draft, chunks)
    shown, sources = citations.number(draft, audit, chunks)
    invalid, uncited = len(audit.invalid), len(audit.uncited)
    confidence = scoring.penalised(1.0, invalid, uncited)
    evaluation = scoring.evaluate(
        PERFECT, hallucination=bool(invalid), invalid=invalid, uncited=uncited
    )
    return Answered(
        run_id=RUN_ID,
        question="What is reimbursed?",
        answer=shown,
        confidence=confidence,
        badge=scoring.badge(confidence, evaluation, audited=True),
        citations=sources,
        critique=Critique(confidence=1.0),
        evaluation=evaluation,
        audit=audit,
    )


@pytest.mark.parametrize("case", cases())
def test_an_output_case_holds(case: dict[str, Any]) -> None:
    outcome, expect = judged(case), case["expect"]
    made = answer(run(), outcome, TODAY)
    sent = [message.payload() for message in made.messages]
    whole = "\n".join(text for _, text in strings(sent))

    sound(*made.messages)
    assert live(sent) == []
    for host in expect.get("no_active_link_to", []):
        assert host not in whole
    assert "![" not in whole
    assert not any(block["type"] in {"image", "video"} for each in sent for block in each["blocks"])
    if "citations_only" in expect:
        cited = [source.chunk_id for source in outcome.citations]
        assert cited == [issued(each) for each in expect["citations_only"]]
    if "flagged" in expect:
        assert outcome.badge is not None
        assert (outcome.badge.level != "High") is expect["flagged"]
    assert all(words in whole for words in expect.get("must_contain", []))
    assert not any(words in whole for words in expect.get("must_not_contain", []))
    assert not any(re.search(each, whole) for each in expect.get("must_not_match", []))
    assert len(whole) <= expect.get("max_message_chars", len(whole))


def test_all_cases_are_there() -> None:
    assert len(cases()) == 18
