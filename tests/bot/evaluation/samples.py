"""Records of an evaluation without a run behind them."""

import datetime as dt
from typing import Any

from bot.evaluation import evaluation
from bot.evaluation.evaluation import Question
from bot.evaluation.report import About, Record, Report
from bot.results import Result, Source
from masis.domain import Critique, Evaluation, Scores

SCORES: dict[str, Any] = {
    "faithfulness": 1.0,
    "relevance": 0.5,
    "completeness": 0.25,
    "reasoning_quality": 1.0,
}


def record(
    name: str,
    *,
    text: str = "Up to 4 days [1].",
    question: str | None = None,
    kind: str = "single",
    status: str = "success",
    holds: bool | None = True,
    answerable: bool | None = True,
    confidence: float = 0.86,
) -> Record:
    """A question `name`; `text` stands everywhere where a document or a model has its say."""
    judged = evaluation.Result(
        id=name,
        kind=kind,
        answerable=answerable,
        status=status,
        level="High" if status == "success" else "Low",
        confidence=confidence,
        contained=holds,
        cites_gold=holds,
        answer=text,
        documents=["leave.md"],
        seconds=0.25,
    )
    asked = Question(
        id=name,
        question=question or f"What about {name}?",
        kind=kind,
        answerable=answerable,
        must_include=["4 days|four days"],
        gold=[evaluation.Gold(doc="leave.md")],
    )
    return Record(question=asked, verdict=judged.verdict, judged=judged, run=_run(judged, text))


def _run(judged: evaluation.Result, text: str) -> Result:
    return Result.model_validate(
        {
            "status": judged.status,
            "answer": text,
            "confidence": judged.confidence,
            "badge": judged.level,
            "clarification_question": text if judged.status == "needs_clarification" else None,
            "citations": [Source(n=1, chunk_id="c", document="leave.md", place="p. 4", text=text)],
            "critique": Critique(confidence=0.9, unsupported_claims=[text], logical_gaps=[text]),
            "evaluation": Evaluation(
                **SCORES, overall_score=0.7, clamps=[text], raw=Scores(**SCORES)
            ),
            "trace": [{"node": "critic", "pass": 1, "said": text, "duration_ms": 3.5}],
            "metrics": {"model_calls": 3},
            "run_id": "r-1",
            "error": text if judged.status == "failed" else None,
        }
    )


def report(*records: Record, workspace: str = "handbook") -> Report:
    """Of these records."""
    about = About(
        file="questions.csv",
        workspace=workspace,
        documents=3,
        passages=9,
        answered_by="the bundled agents, which quote",
        version="0.1.0",
        finished_at=dt.datetime(2026, 1, 5, 9, 30, tzinfo=dt.UTC),
        key="k",
    )
    return Report.of(about, records)
