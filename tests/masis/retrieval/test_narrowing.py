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
def test_a_document_is_named_where_a_file_is_and_one_is_left(
    filters: str, named: str | None
) -> None:
    found = narrowed(filters).named
    assert (found.name if found else None) == named


def test_a_section_is_looked_for_by_its_stemmed_terms() -> None:
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
def test_a_name_that_is_not_there_is_said_with_those_near_it(
    filters: str, written: str, near: list[str]
) -> None:
    found = narrowed(filters)
    assert found.finds_nothing
    [unknown] = found.told.unknown
    assert unknown.written == written
    assert set(unknown.near) >= set(near)
    assert bool(unknown.near) == bool(near)
    assert len(unknown.near) <= 3
    assert len(unknown.documents) == len(unknown.near)


def test_one_name_that_is_not_there_stops_the_search_of_the_others() -> None:
    assert narrowed("@leave.md @leavings.md").finds_nothing


def test_a_filter_that_could_not_be_read_stops_the_search_and_says_how_to_write_it() -> None:
    found = narrowed("after:2026-99-99")
    assert found.finds_nothing
    assert "after:2026-01-31" in found.told.unread[0]


def test_documents_without_a_date_are_counted_when_dates_are_compared() -> None:
    assert narrowed("after:2030").told.undated == 1
    assert narrowed("after:2030").finds_nothing
    assert narrowed("type:pdf").told.undated == 0


def test_filters_are_told_as_they_are_written() -> None:
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
def test_free_fields_leave_the_documents_that_say_so(filters: str, expected: str) -> None:
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
def test_a_field_that_nothing_has_is_said_with_what_there_is(filters: str, near: list[str]) -> None:
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
def test_with_each_name_that_is_told_goes_a_document_that_it_is_of(
    filters: str, holders: list[str]
) -> None:
    documents = [*FILED, document("plans/road map.md"), document("plans/road map.md.bak")]
    found = narrow(parse(f"Why {filters}").filters, documents)
    [unknown] = found.told.unknown
    names = {each.id: each.name for each in documents}
    told = [names[each] for each in unknown.documents]
    assert len(told) == len(unknown.near)
    assert told[0] in holders
