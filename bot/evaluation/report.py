"""A report as programs read it: each question, what was expected, what came, and the figures."""

import datetime as dt
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Final, Literal, Self

from pydantic import ValidationError

from bot.evaluation import evaluation
from bot.evaluation.evaluation import Band, Question, Summary, Verdict
from bot.results import Result
from masis.assistant import Finished
from masis.domain import Document, Value, Workspace
from masis.errors import InvalidSettings

FORMAT: Final = "masis-evaluation/1"

ALL: Final = "all"
"""The row of all kinds together."""


class Record(Value):
    """One question with all that became of it."""

    question: Question
    verdict: Verdict
    judged: evaluation.Result
    run: Result

    @classmethod
    def of(cls, question: Question, finished: Finished) -> Self:
        """Hold a run against what was expected of it."""
        judged = evaluation.judge(question, finished)
        return cls(
            question=question,
            verdict=judged.verdict,
            judged=judged,
            run=Result.of_finished(finished),
        )


class About(Value):
    """Hold what was asked, of what, and by whom it was answered. `key` stands for all of that."""

    file: str
    workspace: str
    documents: int
    passages: int
    answered_by: str
    version: str
    finished_at: dt.datetime
    key: str


class Report(Value):
    """All of it. `summary` and `verdicts` are by kind of question, and `all`."""

    format: Literal["masis-evaluation/1"] = FORMAT
    about: About
    summary: dict[str, Summary]
    verdicts: dict[str, dict[Verdict, int]]
    reliability: list[Band]
    records: list[Record]

    @classmethod
    def of(cls, about: About, records: Sequence[Record]) -> Self:
        """The figures of these records."""
        judged = [record.judged for record in records]
        groups = kinds(judged)
        return cls(
            about=about,
            summary={kind: evaluation.summarise(found) for kind, found in groups.items()},
            verdicts={kind: evaluation.verdicts(found) for kind, found in groups.items()},
            reliability=evaluation.reliability(judged),
            records=list(records),
        )


def kinds(results: Sequence[evaluation.Result]) -> dict[str, Sequence[evaluation.Result]]:
    """The results of each kind of question, then all of them."""
    return {**evaluation.by_kind(results), ALL: results}


def read(content: bytes, name: str) -> Report:
    """A report from its file.

    Raises:
        InvalidSettings: it is none, or one of another version of MASIS.
    """
    try:
        return Report.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise InvalidSettings(
            f"“{name}” is no report of this version of `masis eval` ({where}: {first['msg']}):"
            " name the .json file that it wrote beside the page."
        ) from error


def key(
    questions: Sequence[Question],
    workspace: Workspace,
    documents: Sequence[Document],
    settings: Mapping[str, object],
) -> str:
    """The same as long as questions, documents and settings are: only then results go together."""
    state = {
        "questions": [question.model_dump(mode="json") for question in questions],
        "workspace": [workspace.id, workspace.embedding_profile],
        "documents": sorted([each.id, each.name, each.version_id] for each in documents),
        "settings": dict(settings),
    }
    return hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()
