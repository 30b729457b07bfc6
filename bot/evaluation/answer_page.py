"""Computes what the card of a question shows: what was expected, the scores, the steps."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from bot.evaluation.evaluation import contains, same_document
from bot.evaluation.report import Record
from masis.domain import Evaluation

_SCORES: Final = ("faithfulness", "relevance", "completeness", "reasoning_quality", "overall_score")
_APART: Final = frozenset({"node", "pass", "duration_ms"})
"""Of a step: they have columns of their own."""


class Expected(NamedTuple):
    """One thing that a good answer holds."""

    found: bool
    what: str


def expected(record: Record) -> list[Expected]:
    """List the words and the documents that a good answer has."""
    question, answer = record.question, record.run.answer or ""
    words = [
        Expected(contains(answer, [entry]), " or ".join(f"“{each}”" for each in entry.split("|")))
        for entry in question.must_include
    ]
    cited = [source.document for source in record.run.citations]
    documents = dict.fromkeys(gold.doc for gold in question.gold)
    return words + [
        Expected(any(same_document(each, doc) for each in cited), doc) for doc in documents
    ]


def score_rows(evaluation: Evaluation) -> list[list[str]]:
    """Give each score with its value."""
    return [[name.replace("_", " "), f"{getattr(evaluation, name):.2f}"] for name in _SCORES]


def steps(trace: Iterable[Mapping[str, Any]]) -> list[list[str]]:
    """Give the steps of a run as rows: name, pass, figures, milliseconds."""
    return [
        [
            str(step.get("node", "")),
            str(step.get("pass", "")),
            _figures(step),
            str(step.get("duration_ms", "")),
        ]
        for step in trace
    ]


def _figures(step: Mapping[str, Any]) -> str:
    rest = {key: value for key, value in step.items() if key not in _APART}
    return ", ".join(f"{key.replace('_', ' ')} {_written(value)}" for key, value in rest.items())


def _written(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    return str(value)
