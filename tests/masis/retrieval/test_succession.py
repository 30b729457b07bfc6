import datetime as dt
from collections.abc import Collection
from typing import cast

import pytest

from masis.domain import Chunk, Document, EvidenceChunk, WorkspaceId
from masis.ports import Repository
from masis.retrieval.succession import (
    Openings,
    in_force_first,
    is_asked_for,
    older_versions,
    settled,
    successors,
)
from tests.scripted_agents import chunk

PLAIN = "Claims are sent to the Finance team."


def paper(
    number: int, title: str, day: str = "", text: str = PLAIN, document: str = ""
) -> EvidenceChunk:
    date = dt.date.fromisoformat(day) if day else None
    return chunk(number, text=text, title=title, date=date, document=document or f"{number}.md")


def older(*evidence: EvidenceChunk) -> dict[str, str]:
    """Which document is an older version of which."""
    return {old: new.document_id for old, new in older_versions(evidence).items()}


@pytest.mark.parametrize(
    ("reason", "old", "new"),
    [
        (
            "dates",
            paper(0, "Expenses Policy", "2024-01-01"),
            paper(1, "Expenses Policy", "2026-02-01"),
        ),
        (
            "words were added to the name",
            paper(0, "Expenses Policy", "2024-01-01"),
            paper(1, "Travel and Expenses Policy", "2026-02-01"),
        ),
        ("versions", paper(0, "Returns Procedure v2"), paper(1, "Returns Procedure v3")),
        ("years in the title", paper(0, "Price list 2025"), paper(1, "Price list 2026")),
        (
            "versions in the file's name",
            paper(0, "Returns Procedure", document="returns-procedure-v2.md"),
            paper(1, "Returns Procedure", document="returns-procedure-v3.md"),
        ),
        (
            "versions of what is no rule by its name",
            paper(0, "Meals and mileage", document="meals-v2-2029.md"),
            paper(1, "Meals and mileage", document="meals-v3-2031.md"),
        ),
        (
            "it says that it replaces the other",
            paper(0, "Remote Working Policy v1"),
            paper(1, "Hybrid Working", text="This replaces Remote Working Policy v1.2 of 2023."),
        ),
        (
            "the other says that it was replaced",
            paper(0, "Remote Work", text="Superseded by the Hybrid Working Policy of May."),
            paper(1, "Hybrid Working Policy"),
        ),
    ],
)
def test_later_version_replaces_the_older(
    reason: str, old: EvidenceChunk, new: EvidenceChunk
) -> None:
    """The later version of a document replaces the older."""
    assert older(old, new) == {"d_0": "d_1"}, reason
    assert older(new, old) == {"d_0": "d_1"}, reason


@pytest.mark.parametrize(
    ("reason", "one", "other"),
    [
        (
            "minutes stand beside each other",
            paper(0, "Operations meeting, 12 March 2026", "2026-03-12"),
            paper(1, "Operations meeting, 16 April 2026", "2026-04-16"),
        ),
        (
            "another policy",
            paper(0, "Expenses Policy", "2024-01-01"),
            paper(1, "Leave Policy", "2026-02-01"),
        ),
        (
            "a kind of document is no name",
            paper(0, "Policy", "2024-01-01"),
            paper(1, "Leave Policy", "2026-02-01"),
        ),
        (
            "the older has a wider name",
            paper(0, "Expenses Policy of Deventer", "2024-01-01"),
            paper(1, "Expenses Policy", "2026-02-01"),
        ),
        ("nothing tells which is later", paper(0, "Leave Policy"), paper(1, "Leave Policy")),
        (
            "an older document replaces no newer one, whatever it says",
            paper(0, "Leave Policy", "2026-02-01"),
            paper(1, "Absence", "2024-01-01", "This replaces the Leave Policy."),
        ),
        (
            "each says that it replaces the other",
            paper(0, "Leave Policy", text="This replaces the Absence Policy."),
            paper(1, "Absence Policy", text="This replaces the Leave Policy."),
        ),
        (
            "something else is replaced",
            paper(0, "Leave Policy"),
            paper(1, "IT page", text="Laptops replace the desktops. See the Leave Policy."),
        ),
    ],
)
def test_no_version_is_made_up(reason: str, one: EvidenceChunk, other: EvidenceChunk) -> None:
    assert older(one, other) == {}, reason


def test_circular_replacement_is_ignored() -> None:
    """Those that replace each other in a ring say nothing."""
    names = ["Alpha Notes", "Beta Notes", "Gamma Notes"]
    ring = [paper(n, name, text=f"It replaces the {names[n - 1]}.") for n, name in enumerate(names)]

    assert older(*ring) == {}
    assert older(*ring, paper(3, "Delta Notes", text="It replaces Beta Notes.")) == {"d_1": "d_3"}


def test_latest_of_three_replaces_others() -> None:
    """Each of three versions but the last is an older one."""
    three = [paper(n, f"Leave Policy v{n + 1}", f"202{n}-01-01") for n in range(3)]

    assert older(*three) == {"d_0": "d_2", "d_1": "d_2"}


def test_only_version_pairs_are_settled() -> None:
    """Only the two versions themselves are settled."""
    old, new = paper(0, "Leave Policy v1"), paper(1, "Leave Policy v2")
    other = paper(2, "Minutes")
    known = older_versions([old, new, other])

    assert settled(old, new, known)
    assert settled(new, old, known)
    assert not settled(old, other, known)
    assert not settled(new, other, known)


def test_unpunctuated_text_is_read_once() -> None:
    """A long text without stops is read once."""
    told = paper(1, "Absence Policy", text="replaces " * 20_000)

    assert older(paper(0, "Leave Policy"), told) == {}


class Heads:
    """The first chunk of each document, as a repository gives it."""

    def __init__(self, **texts: str) -> None:
        self.texts = texts
        self.asked: list[str] = []
        self.there: list[Document] = []

    async def active_versions(self, _: WorkspaceId) -> list[str]:
        return [document.version_id for document in self.there]

    async def documents(self, _: WorkspaceId) -> list[Document]:
        return self.there

    async def neighbours(
        self, workspace_id: WorkspaceId, version_id: str, _: Collection[int]
    ) -> list[Chunk]:
        self.asked.append(version_id)
        text = self.texts.get(version_id, "")
        return [
            Chunk(
                id="c_head",
                workspace_id=workspace_id,
                document_id="d",
                version_id=version_id,
                position=0,
                text=text,
            )
        ]


async def test_replacing_is_read_at_the_head() -> None:
    """A document's head, which no search found, says what it replaces; it is read once."""
    heads = Heads(v_1="Owner: Ada. It replaces the Remote Work Policy v1.2 of 2023.")
    openings = Openings(cast(Repository, heads))
    old, new = paper(0, "Remote Work Policy"), paper(1, "Hybrid Work Policy")

    marked = await openings.marked([old, new])
    await openings.marked([new, old])

    assert [each.replaced_by for each in marked] == ["d_1", ""]
    assert older(*marked) == {"d_0": "d_1"}
    assert older(marked[0]) == {}
    assert sorted(heads.asked) == ["v_0", "v_1"]


async def test_newer_version_may_not_be_found() -> None:
    """A passage is marked as of an older version whose successor the search did not find."""
    heads = Heads(v_9="It replaces the Remote Work Policy.")
    heads.there = [document("d_9", "Hybrid Work"), document("d_8", "Remote Control")]
    openings = Openings(cast(Repository, heads))

    marked = await openings.marked([paper(0, "Remote Work Policy")])
    openings.forget(WorkspaceId(""))

    assert [each.replaced_by for each in marked] == ["d_9"]
    assert successors(marked) == ["d_9"]
    assert successors([*marked, paper(9, "Hybrid Work")]) == []


def document(id_: str, title: str) -> Document:
    return Document(
        id=id_,
        workspace_id=WorkspaceId(""),
        name=f"{id_}.md",
        title=title,
        format="md",
        version_id=id_.replace("d", "v"),
        version_number=1,
        content_hash="",
        size_bytes=1,
        chunks=1,
        date=None,
        ingested_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
    )


def test_older_versions_leave_room() -> None:
    """Of older versions a few stand in front, unless the past is asked for."""
    old = [paper(n, "Leave Policy").model_copy(update={"replaced_by": "d_9"}) for n in range(5)]
    found = [*old, paper(9, "Leave Policy v2")]

    assert in_force_first("how long is leave", found) == [*old[:3], found[-1], *old[3:]]
    assert in_force_first("how long was leave in 2023", found) == found


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("how long was leave in the old policy", True),
        ("how long was leave in 2023", True),
        ("how long is leave", False),
        ("how long is leave in 2026", False),
        ("how long is leave in the 2023 version", True),
        ("In 2023, how many days of leave did staff get?", True),
        ("how long is leave under the old leave policy", True),
        ("what did the old policy say", True),
        ("I joined in 2023, how long is my leave", False),
        ("how long is leave of staff who were hired in 2023", False),
        ("how long was my leave in 2023", False),
        ("my old one broke, how do I get a replacement", False),
        ("old guide dogs: allowed?", False),
        ("who keeps the old price list", False),
        ("what changed since the old policy", False),
    ],
)
def test_older_version_is_asked_for(question: str, *, wanted: bool) -> None:
    """The older of two versions is wanted by its year or as the older one, and not beside the newer."""
    old, new = paper(0, "Leave Policy", "2023-01-01"), paper(1, "Leave Policy", "2026-01-01")

    assert is_asked_for(question, old, new) == wanted
