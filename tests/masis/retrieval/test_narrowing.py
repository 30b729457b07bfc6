import datetime as dt

import pytest

from masis.domain import Document, Format, WorkspaceId
from masis.filters import parse
from masis.retrieval.narrowing import Narrowing, narrow
from masis.text.lexical import term_id


def document(name: str, kind: Format = "md", date: dt.date | None = None) -> Document:
    return Document(
        id=f"d_{name}",
        workspace_id=WorkspaceId("w"),
        name=name,
        title=name,
        format=kind,
        version_id="v",
        version_number=1,
        content_hash="",
        size_bytes=1,
        chunks=1,
        date=date,
        ingested_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
    )


SHELF = [
    document("handbook/leave.md", date=dt.date(2025, 12, 31)),
    document("handbook/travel/expenses.pdf", "pdf", dt.date(2026, 1, 1)),
    document("archive/handbook/leave.md", date=dt.date(2020, 5, 5)),
    document("Board Pack.pptx", "pptx", dt.date(2026, 6, 1)),
    document("handbook.docx", "docx"),
]


def narrowed(filters: str) -> Narrowing:
    return narrow(parse(f"Why {filters}").filters, SHELF)


def left(filters: str) -> set[str]:
    found = narrowed(filters).scope.documents
    return {each.name for each in SHELF if found is None or each.id in found}


HANDBOOK = {"handbook/leave.md", "handbook/travel/expenses.pdf", "archive/handbook/leave.md"}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ("in:handbook/", HANDBOOK),
        ("in:handbook", HANDBOOK | {"handbook.docx"}),
        ("in:HANDBOOK/Travel", {"handbook/travel/expenses.pdf"}),
        ("in:archive in:travel", {"archive/handbook/leave.md", "handbook/travel/expenses.pdf"}),
        ("in:handbook/leave.md", {"handbook/leave.md", "archive/handbook/leave.md"}),
        ("@leave.md", {"handbook/leave.md", "archive/handbook/leave.md"}),
        ("@archive/handbook/leave.md", {"archive/handbook/leave.md"}),
        ('@"board pack"', {"Board Pack.pptx"}),
        ("type:pdf type:slides", {"handbook/travel/expenses.pdf", "Board Pack.pptx"}),
        ("in:handbook/ type:pdf", {"handbook/travel/expenses.pdf"}),
        ("after:2026-01-01", {"handbook/travel/expenses.pdf", "Board Pack.pptx"}),
        ("before:2026-01-01", {"handbook/leave.md", "archive/handbook/leave.md"}),
        ("after:2025 before:2026-06", {"handbook/leave.md", "handbook/travel/expenses.pdf"}),
        ("section:leave", {each.name for each in SHELF}),
    ],
)
def test_filters_leave_the_documents_they_mean(filters: str, expected: set[str]) -> None:
    assert left(filters) == expected
    assert narrowed(filters).told.documents == len(expected)
    assert not narrowed(filters).finds_nothing


@pytest.mark.parametrize(
    ("filters", "named"),
    [
        ("@archive/handbook/leave.md", "archive/handbook/leave.md"),
        ('@"board pack" after:2026', "Board Pack.pptx"),
        ("@leave.md after:2025", "handbook/leave.md"),
        ("@leave.md", None),
        ("@expenses.pdf section:travel", None),
        ("@nobody.pdf", None),
        ("in:travel/", None),
        ("type:slides", None),
    ],
)
def test_single_file_filter_names_document(filters: str, named: str | None) -> None:
    """A document is named where a file is and one is left."""
    found = narrowed(filters).named
    assert (found.name if found else None) == named


def test_section_is_matched_by_stemmed_terms() -> None:
    """A section is looked for by its stemmed terms."""
    scope = narrowed('section:"Annual leaves" section:sick').scope
    annual = tuple(sorted([term_id("annual"), term_id("leav")]))
    assert scope.sections == (annual, (term_id("sick"),))
    assert scope.documents is None


@pytest.mark.parametrize(
    ("filters", "written", "near"),
    [
        ("@leaves.md", "leaves.md", ["handbook/leave.md"]),
        ("@board.pptx", "board.pptx", ["Board Pack.pptx"]),
        ("in:handbok/", "handbok/", ["handbook/", "handbook.docx"]),
        ("@pack-for-board.md", "pack-for-board.md", ["Board Pack.pptx"]),
        ("@zzzzzz.md", "zzzzzz.md", []),
    ],
)
def test_missing_name_is_told_with_suggestions(filters: str, written: str, near: list[str]) -> None:
    """A name that is not there is said with those near it."""
    found = narrowed(filters)
    assert found.finds_nothing
    [unknown] = found.told.unknown
    assert unknown.written == written
    assert set(unknown.near) >= set(near)
    assert bool(unknown.near) == bool(near)
    assert len(unknown.near) <= 3
    assert len(unknown.documents) == len(unknown.near)


def test_one_missing_name_finds_nothing() -> None:
    """One name that is not there stops the search of the others."""
    assert narrowed("@leave.md @leavings.md").finds_nothing


def test_unreadable_filter_stops_the_search() -> None:
    """A filter that could not be read stops the search and says how to write it."""
    found = narrowed("after:2026-99-99")
    assert found.finds_nothing
    assert "after:2026-01-31" in found.told.unread[0]


def test_undated_documents_are_counted_for_dates() -> None:
    """Documents without a date are counted when dates are compared."""
    assert narrowed("after:2030").told.undated == 1
    assert narrowed("after:2030").finds_nothing
    assert narrowed("type:pdf").told.undated == 0


def test_filters_are_reported_as_written() -> None:
    """Filters are told as they are written."""
    assert narrowed('type:pdf @"board pack"').told.filters == '@"board pack" type:pdf'


FILED = [
    document("a.md").model_copy(update={"fields": {"owner": "Finance Team", "status": "final"}}),
    document("b.md").model_copy(update={"fields": {"owner": "finance", "status": "draft"}}),
    document("c.eml").model_copy(update={"fields": {"from": "Jane Doe <jane@example.com>"}}),
    document("d.md"),
]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ("where:owner=finance", "ab"),
        ("where:owner=FINANCES", "ab"),
        ('where:"owner=finance team"', "a"),
        ("where:owner=finance where:status=draft", "b"),
        ("where:status=draft where:status=final", "ab"),
        ("where:from=jane@example.com", "c"),
        ("where:from=jane", "c"),
        ("where:from=jane type:pdf", ""),
    ],
)
def test_free_fields_keep_matching_documents(filters: str, expected: str) -> None:
    """Free fields leave the documents that say so."""
    found = narrow(parse(f"Why {filters}").filters, FILED)
    assert found.scope.documents is not None
    assert set(found.scope.documents) == {each.id for each in FILED if each.name[0] in expected}
    assert found.told.unknown == []


@pytest.mark.parametrize(
    ("filters", "near"),
    [
        ("where:status=gone", ["status=final", "status=draft"]),
        ("where:ownr=finance", ["owner"]),
        ("where:colour=red", []),
    ],
)
def test_missing_field_is_told_with_alternatives(filters: str, near: list[str]) -> None:
    """A field that nothing has is said with what there is."""
    found = narrow(parse(f"Why {filters}").filters, FILED)
    assert found.finds_nothing
    [unknown] = found.told.unknown
    assert (unknown.written, unknown.near) == (filters.removeprefix("where:"), near)


@pytest.mark.parametrize(
    ("filters", "holders"),
    [
        ("where:status=gone", ["a.md", "b.md"]),
        ("where:ownr=finance", ["a.md", "b.md"]),
        ("@plans/road.md", ["plans/road map.md"]),
        ("in:plan/", ["plans/road map.md"]),
    ],
)
def test_each_suggested_name_has_its_document(filters: str, holders: list[str]) -> None:
    """With each name that is told goes a document that it is of."""
    documents = [*FILED, document("plans/road map.md"), document("plans/road map.md.bak")]
    found = narrow(parse(f"Why {filters}").filters, documents)
    [unknown] = found.told.unknown
    names = {each.id: each.name for each in documents}
    told = [names[each] for each in unknown.documents]
    assert len(told) == len(unknown.near)
    assert told[0] in holders
