"""How code lists are recognised and read back from the passages of their documents."""

import datetime as dt

import pytest

from masis.codelists.code_list import CodeList
from masis.codelists.examples import examples
from masis.codelists.hierarchy import by_level, by_prefix
from masis.codelists.index import CodeIndex
from masis.codelists.reading import code_list
from masis.codelists.recognised_lists import IS_LIST, IS_NONE, is_code_list, marked
from masis.documents.chunking import chunk_document
from masis.documents.parsing.recognition.read_document import read_document
from masis.domain import Chunk, Document, ParsedDocument, WorkspaceId

HERE = WorkspaceId("w_1")
ROWS = [
    ("10", "Office", "Rent and paper", "Rooms; Desks"),
    ("101", "Rent", "What landlords are paid. Excluded are repairs.", "Lease"),
    ("102", "Paper", "Paper, pens and toner.", "Stationery; Printing"),
    ("20", "Travel", "Ways to customers", ""),
    ("201", "Trains", "Tickets for trains and trams.", "Railway"),
    (
        "202",
        "Flights",
        "Tickets for planes. " + "Booked by the office and paid later. " * 40,
        "Air",
    ),
]
HEADER = "Code,Title,Description,Synonyms"


def parsed(text: str) -> ParsedDocument:
    return read_document("codes.csv", text.encode())


def table(header: str = HEADER, rows: object = ROWS) -> str:
    return "\n".join([header, *(",".join(f'"{cell}"' for cell in row) for row in rows)])  # type: ignore[attr-defined]


def stored(text: str) -> tuple[Document, list[Chunk]]:
    document = parsed(text)
    chunks = chunk_document(document, workspace_id=HERE, document_id="d_1", version_id="v_1")
    held = Document(
        id="d_1", workspace_id=HERE, name="codes.csv", title="Cost codes", format="csv",
        version_id="v_1", version_number=1, content_hash="", size_bytes=1, chunks=len(chunks),
        date=None, ingested_at=dt.datetime.now(dt.UTC),
    )  # fmt: skip
    return held, chunks


def read(text: str) -> CodeList | None:
    return code_list(*stored(text))


def found(text: str) -> CodeList:
    codes = read(text)
    assert codes is not None
    return codes


def test_cells_come_back_from_passages() -> None:
    rent = found(table()).by_code["101"]
    assert (rent.title, rent.synonyms) == ("Rent", ["Lease"])
    assert (rent.description, rent.excluded) == (
        "What landlords are paid.",
        "Excluded are repairs.",
    )


def test_long_rows_are_read_whole() -> None:
    flights = found(table()).by_code["202"]
    assert flights.description.count("Booked by the office") == 40
    assert len(flights.rows) > 1
    assert flights.synonyms == ["Air"]


def test_prefixes_make_a_hierarchy() -> None:
    codes = found(table())
    assert [each.title for each in codes.path("202")] == ["Travel"]
    assert [each.code for each in codes.leaves] == ["101", "102", "201", "202"]


def test_a_parent_column_makes_a_hierarchy() -> None:
    rows = [("A", "Top", ""), ("B", "Left", "A"), ("C", "Right", "A"), ("D", "Deep", "C"), ("E", "Odd", "Z"), ("F", "Own", "F")]  # fmt: skip
    codes = found(table("Code,Name,Parent code", rows))
    assert [each.code for each in codes.path("D")] == ["A", "C"]
    assert codes.path("E") == codes.path("F") == []


def test_columns_beside_rows_make_levels() -> None:
    rows = [(f"1{a}{b}", f"Leaf {a}{b} of wood", f"1{a}", f"Group {a}", "1", "All") for a in "123" for b in "123"]  # fmt: skip
    codes = found(table("code,title,group_code,group,division_code,division", rows))
    assert [each.title for each in codes.path("123")] == ["All", "Group 2"]


def test_levels_nest_in_their_order() -> None:
    assert by_level(["a", "b", "c", "d"], ["1", "2", "3", "2"]) == {"b": "a", "c": "b", "d": "a"}


def test_running_numbers_have_no_hierarchy() -> None:
    assert by_prefix([str(number) for number in range(1, 60)]) == {}


def test_filled_up_codes_have_parents() -> None:
    codes = ["1000", "1100", "1110", "1120", "2000", "2100"]
    assert by_prefix(codes) == {"1100": "1000", "1110": "1100", "1120": "1100", "2100": "2000"}


@pytest.mark.parametrize(
    "text",
    [
        table(
            "Order no,Item,Quantity,Price",
            [(f"A{n}", "Clay bowl", str(n), f"{n}.50") for n in range(9)],
        ),
        table("Name,Team,Phone", [(f"Ann {n}", "Sales", f"+4420{n}") for n in range(9)]),
        table("Code,Title", [("1", "One thing"), ("2", "Another thing")]),
    ],
)
def test_other_tables_are_no_lists(text: str) -> None:
    assert read(text) is None
    assert not is_code_list(parsed(text))


def test_recognised_lists_say_so() -> None:
    document = marked(parsed(table()))
    assert (document.fields["kind"], document.notes) == ("codelist", [IS_LIST])
    other = parsed(table()).model_copy(update={"given": {"kind": "table"}})
    assert marked(other) == other


def test_what_is_said_is_read_as_list() -> None:
    """A short list is one where somebody says so; what has no codes is said to have none."""
    said = {"given": {"kind": "codelist"}}
    short = parsed(table("Code,Title", [("1", "One thing"), ("2", "Another thing")]))
    assert marked(short) == short
    assert marked(short.model_copy(update=said)).notes == [IS_LIST]
    people = parsed(table("Name,Team", [("Ann", "Sales"), ("Bob", "Sales")]))
    assert marked(people.model_copy(update=said)).notes == [IS_NONE]


def test_exclusions_are_not_searched() -> None:
    index = CodeIndex(found(table()))
    assert index.lexical("repairs") == {}
    assert [index.entries[at].code.code for at in index.lexical("stationery")] == ["102"]


@pytest.mark.parametrize(("column", "kind"), [("Ticket type", "ticket type"), ("Title", "code")])
def test_lists_give_questions_to_try(column: str, kind: str) -> None:
    rows = [(f"T{n}", f"Thing {n}", "", f"broken thing {n}") for n in range(9)]
    asked = list(examples(*stored(table(f"Code,{column},Description,Also called", rows))))
    assert asked[0] == f"Which {kind} is this: broken thing 0?"
    assert len(asked) == 6
