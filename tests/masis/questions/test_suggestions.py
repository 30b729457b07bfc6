"""Questions to try: made from the documents, asked first, and never of another workspace."""

import datetime as dt
from typing import Any

import pytest

from masis.domain import (
    Answered,
    AnyOutcome,
    Chunk,
    Citation,
    CitationAudit,
    Critique,
    Document,
    Failed,
    Place,
    Workspace,
    WorkspaceId,
    workspace_id,
)
from masis.errors import ModelServiceError
from masis.questions.suggestions import (
    MOST_ASKED,
    MOST_ASKED_BESIDE,
    SHOWN,
    Attempt,
    Suggestions,
)
from masis.values.suggested import Kept
from tests.fakes import FakeRepository
from tests.scripted_agents import chunk

HERE = Workspace(id=workspace_id("ws_here"), owner="local", name="papers")
THERE = Workspace(id=workspace_id("ws_there"), owner="other", name="papers")
NOTICE = "The notice period is 1 month, on either side."
DAY = dt.datetime(2026, 11, 1, tzinfo=dt.UTC)


class Shelf(FakeRepository):
    """Documents of one chunk each, by their workspace."""

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[WorkspaceId, dict[str, tuple[Document, Chunk]]] = {}

    def put(self, text: str, name: str = "leave", version: int = 1, into: Workspace = HERE) -> None:
        document = Document(
            id=f"d_{name}",
            workspace_id=into.id,
            name=f"{name}.md",
            title=name.title(),
            format="md",
            version_id=f"v_{name}_{version}",
            version_number=version,
            content_hash="",
            size_bytes=1,
            chunks=1,
            date=None,
            ingested_at=DAY + dt.timedelta(days=len(self.held.get(into.id, {}))),
        )
        held = Chunk(
            id=f"c_{name}",
            workspace_id=into.id,
            document_id=document.id,
            version_id=document.version_id,
            position=0,
            text=text,
        )
        self.held.setdefault(into.id, {})[name] = document, held

    async def documents(self, workspace_id: WorkspaceId) -> list[Document]:
        return [document for document, _ in self.held.get(workspace_id, {}).values()]

    async def neighbours(
        self, workspace_id: WorkspaceId, version_id: str, positions: Any
    ) -> list[Chunk]:
        held = self.held.get(workspace_id, {}).values()
        return [c for _, c in held if c.version_id == version_id and c.position in positions]


class Remembered:
    """Keeps questions by workspace."""

    def __init__(self) -> None:
        self.kept: dict[WorkspaceId, Kept] = {}

    async def read(self, workspace_id: WorkspaceId) -> Kept | None:
        return self.kept.get(workspace_id)

    async def keep(self, workspace_id: WorkspaceId, kept: Kept) -> None:
        self.kept[workspace_id] = kept


def suggestions(shelf: Shelf, attempt: Attempt, kept: Remembered | None = None) -> Suggestions:
    return Suggestions(shelf, attempt, kept or Remembered())


def citation(document_id: str) -> Citation:
    return Citation(
        n=1,
        chunk_id="c_1",
        document_id=document_id,
        version_id="v",
        document="x.md",
        place=Place(),
        date=None,
        title="x",
        text="x",
    )


class Tried:
    """Answers every question from the document named in `by`, with that badge."""

    def __init__(self, level: str = "High", by: str = "", **more: Any) -> None:
        self.level, self.by, self.more = level, by, more
        self.asked: list[tuple[WorkspaceId, str]] = []

    async def __call__(self, workspace: Workspace, question: str) -> AnyOutcome:
        self.asked.append((workspace.id, question))
        document = self.by or ("d_fees" if "fee" in question else "d_leave")
        cited = citation(document)
        values: dict[str, Any] = {
            "run_id": "r",
            "question": question,
            "answer": "It is so [1].",
            "confidence": 0.9,
            "badge": {"level": self.level, "confidence": 0.9},
            "citations": [cited],
            "critique": Critique(confidence=0.9),
            "evaluation": None,
            "audit": CitationAudit(),
        }
        return Answered.model_validate({**values, **self.more})


async def test_suggestion_names_its_document() -> None:
    """A question is shown with its document."""
    shelf = Shelf()
    shelf.put(NOTICE)

    [found] = await suggestions(shelf, Tried()).of(HERE)

    assert (found.text, found.document) == ("What is the notice period?", "Leave")


@pytest.mark.parametrize(
    "tried",
    [
        Tried("Low"),
        Tried("Not audited"),
        Tried(by="d_other"),
        Tried(citations=[]),
        Tried(citations=[citation("d_leave"), citation("d_older")]),
        Tried(gaps=["The documents do not mention Hull."]),
        Tried(badge=None),
    ],
)
async def test_question_unanswered_by_document_is_excluded(tried: Tried) -> None:
    """What its document does not answer is left out."""
    shelf = Shelf()
    shelf.put(NOTICE)

    assert await suggestions(shelf, tried).of(HERE) == []
    assert tried.asked == [(HERE.id, "What is the notice period?")]


async def test_failed_attempt_excludes_its_question() -> None:
    """An attempt that fails leaves its question out."""

    async def away(_: Workspace, question: str) -> AnyOutcome:
        if "notice" in question:
            raise ModelServiceError("away")
        return Failed(run_id="r", question=question, error="away")

    shelf = Shelf()
    shelf.put(f"{NOTICE} The pass mark is 80 %.")

    assert await suggestions(shelf, away).of(HERE) == []


async def test_different_documents_come_first() -> None:
    shelf, tried = Shelf(), Tried()
    shelf.put("The joining fee is £4. The parking fee is £5. The locker fee is £6.", "fees")
    shelf.put(NOTICE)

    found = await suggestions(shelf, tried).of(HERE)

    assert [each.document for each in found] == ["Leave", "Fees", "Fees"]
    assert len(found) == SHOWN


async def test_attempted_questions_are_bounded() -> None:
    """As many are asked as is bearable."""
    shelf, tried = Shelf(), Tried("Low")
    for n in range(MOST_ASKED + 4):
        shelf.put(f"The notice period {'x' * (n + 1)} is 1 month.", f"paper{n}")

    assert await suggestions(shelf, tried).of(HERE) == []
    assert len(tried.asked) == MOST_ASKED


async def test_suggestions_are_cached_until_documents_change() -> None:
    """They are made once until the documents change."""
    shelf, tried = Shelf(), Tried()
    shelf.put(NOTICE)
    made = suggestions(shelf, tried)

    assert await made.ready(HERE) is None
    assert await made.of(HERE) == await made.of(HERE) == await made.ready(HERE)
    assert len(tried.asked) == 1

    shelf.put("The leave year is 12 months.", version=2)

    assert await made.ready(HERE) is None
    assert [each.text for each in await made.of(HERE)] == ["What is the leave year?"]


async def test_suggestions_outlive_their_process() -> None:
    """What was made is known to who comes after, and nothing is asked again."""
    shelf, tried, kept = Shelf(), Tried(), Remembered()
    shelf.put(NOTICE)
    made = await suggestions(shelf, tried, kept).of(HERE)

    assert await suggestions(shelf, tried, kept).ready(HERE) == made
    assert len(tried.asked) == 1


async def test_what_could_not_be_tried_is_tried_again() -> None:
    """Where nothing could be asked, nothing is known; where it was not answered, that is."""
    shelf, kept = Shelf(), Remembered()
    shelf.put(NOTICE)

    async def away(_: Workspace, __: str) -> AnyOutcome:
        raise ModelServiceError("away")

    assert await suggestions(shelf, away, kept).of(HERE) == []
    assert await suggestions(shelf, away, kept).ready(HERE) is None
    assert await suggestions(shelf, Tried("Low"), kept).of(HERE) == []
    assert await suggestions(shelf, away, kept).ready(HERE) == []


async def test_making_ends_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing more is asked once the time is over, and what was not tried is tried another time."""
    monkeypatch.setattr("masis.questions.suggestions.MAKING_SECONDS", -1.0)
    shelf, tried = Shelf(), Tried()
    shelf.put(NOTICE)
    made = suggestions(shelf, tried)
    assert await made.of(HERE) == []
    assert tried.asked == []
    assert await made.ready(HERE) is None


async def test_what_was_deleted_is_not_offered() -> None:
    shelf = Shelf()
    shelf.put(NOTICE)
    made = suggestions(shelf, Tried())
    await made.of(HERE)

    shelf.held.clear()

    assert await made.ready(HERE) is None
    assert await made.of(HERE) == []


async def test_each_workspace_has_its_own() -> None:
    shelf, tried = Shelf(), Tried()
    shelf.put(NOTICE)
    shelf.put("The joining fee is £4.", "fees", into=THERE)
    made = suggestions(shelf, tried)

    assert [each.text for each in await made.of(HERE)] == ["What is the notice period?"]
    assert [each.text for each in await made.of(THERE)] == ["What is the joining fee?"]
    assert {place for place, _ in tried.asked} == {HERE.id, THERE.id}


# --- beside a question back ----------------------------------------------------------------


async def test_near_suggestions_share_a_question_word() -> None:
    """Questions near share a word with what was asked."""
    evidence = [
        chunk(0, document_id="d_leave", text=f"{NOTICE} The pass mark is 80 %."),
        chunk(1, document_id="d_fees", text="The joining fee is £4."),
    ]

    found = await suggestions(Shelf(), Tried()).near(HERE, "how do i give notice", evidence)

    assert found == ["What is the notice period?"]


async def test_asked_question_is_not_suggested() -> None:
    """What was asked is no other question."""
    evidence = [chunk(0, document_id="d_leave", text=NOTICE)]

    near = suggestions(Shelf(), Tried()).near

    assert await near(HERE, "what is the notice period", evidence) == []
    assert await near(HERE, "whats the notice period", evidence) == ["What is the notice period?"]
    assert await near(HERE, "notice?", []) == []


async def test_nobody_waits_for_more_than_three() -> None:
    tried = Tried("Low")
    text = " ".join(f"The notice period {'x' * (n + 1)} is 1 month." for n in range(9))

    assert await suggestions(Shelf(), tried).near(HERE, "notice?", [chunk(0, text=text)]) == []
    assert len(tried.asked) == MOST_ASKED_BESIDE
