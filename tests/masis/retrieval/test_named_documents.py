"""Finding the documents that a question names."""

import datetime as dt

import pytest

from masis.domain import Document, WorkspaceId
from masis.retrieval import named_documents


def document(name: str, title: str = "", date: dt.date | None = None) -> Document:
    ending = name.rpartition(".")[2]
    return Document.model_validate(
        {
            "id": f"d_{name}",
            "workspace_id": WorkspaceId("w"),
            "name": name,
            "title": title or name,
            "format": ending,
            "version_id": f"v_{name}",
            "version_number": 1,
            "content_hash": "",
            "size_bytes": 1,
            "chunks": 1,
            "date": date,
            "date_source": "text" if date else None,
            "ingested_at": dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
        }
    )


PAPERS = [
    document(
        "minutes/2026-03-12-ops.md", "Operations meeting, 12 March 2026", dt.date(2026, 3, 12)
    ),
    document("minutes/2026-05-14-ops.md", "Operations meeting, 14 May 2026", dt.date(2026, 5, 14)),
    document("hs_minutes_2026-05-20.txt", "Health and Safety Committee", dt.date(2026, 5, 20)),
    document("leave-policy-2023.md", "Leave policy", dt.date(2023, 1, 1)),
    document("leave-policy-2026.md", "Leave policy", dt.date(2026, 1, 1)),
    document("IG-05.pdf", "IG-05 Data protection"),
    document("budget.xlsx", "Budget 2026"),
    document("board_pack_2026-05-28.md", "Board of trustees – pack"),
]


def names(of: str) -> list[str]:
    return [each.name for each in named_documents.named(of, PAPERS)]


@pytest.mark.parametrize(
    ("of", "name"),
    [
        ("the board pack", "board_pack_2026-05-28.md"),
        ("the march ops meeting", "minutes/2026-03-12-ops.md"),
        ("ops minutes in may", "minutes/2026-05-14-ops.md"),
        ("H&S minutes", "hs_minutes_2026-05-20.txt"),
        ("2023 leave policy", "leave-policy-2023.md"),
        ("the latest leave policy", "leave-policy-2026.md"),
        ("data protection policy", "IG-05.pdf"),
        ("budget spreadsheet", "budget.xlsx"),
        ("summarise minutes minutes/2026-05-14-ops.md", "minutes/2026-05-14-ops.md"),
    ],
)
def test_one_document_is_named(of: str, name: str) -> None:
    """Title words, file names, kinds and times name a document."""
    assert names(of) == [name]


@pytest.mark.parametrize("of", ["the parking rules", "board minutes 26 february", "the", "april"])
def test_nothing_else_is_named(of: str) -> None:
    """A word or a time that no name has names nothing."""
    assert names(of) == []


def test_several_may_fit() -> None:
    """A kind alone fits all documents of it."""
    assert len(names("the minutes")) == 3


def test_documents_of_a_kind() -> None:
    """A kind is told by name or format."""
    found = named_documents.of_kind("policies", PAPERS)
    assert [each.name for each in found] == ["leave-policy-2023.md", "leave-policy-2026.md"]


def test_versions_are_of_one_name() -> None:
    """Two documents of one name that differ in time alone are versions."""
    pair = named_documents.versions("the leave policy", PAPERS, [])
    assert pair is not None
    assert [each.name for each in pair] == ["leave-policy-2023.md", "leave-policy-2026.md"]


def test_meetings_are_no_versions() -> None:
    """Minutes stand beside each other."""
    assert named_documents.versions("the operations meeting", PAPERS, []) is None


def test_versions_of_other_years_are_none() -> None:
    """A year that neither version has is another one's."""
    assert named_documents.versions("leave policy 2019", PAPERS, []) is None


def test_may_is_no_month_after_you() -> None:
    """What one may do is no date."""
    assert not named_documents.moment_of("what you may do").is_given
    assert named_documents.moment_of("minutes of may").months == {5}


def test_shortened_words_are_of_names() -> None:
    """A word cut short or mistyped is the one that names have; others stay."""
    told = named_documents.in_their_words("the comm on data protecton and lunch", PAPERS)
    assert told == "the committee on data protection and lunch"
    assert named_documents.shortens("ops", "operations")
    assert named_documents.shortens("mgmt", "management")
    assert not named_documents.shortens("lunch", "launching")


def test_several_kinds_at_once() -> None:
    """Documents of either of two kinds are of what is asked for."""
    found = named_documents.of_kind("policies and minutes", PAPERS)
    assert {each.name.partition("-")[0] for each in found} >= {"leave", "minutes/2026"}
