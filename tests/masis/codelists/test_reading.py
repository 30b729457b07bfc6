"""How code lists are recognised and read back from the passages of their documents."""

import datetime as dt
from pathlib import Path

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
        table(
            "No.,Action,Owner,By when",
            [(str(n), f"Order clay {n}", "Ann", "May") for n in range(1, 9)],
        ),
        table("Ticket id,Subject,Team", [(f"T-{n}", f"Broken bowl {n}", "Kiln") for n in range(9)]),
        table("ID,Summary,Status", [(f"{n}40", f"Broken bowl {n}", "open") for n in range(1, 9)]),
        table("Invoice no,Supplier,Text", [(f"R{n}", f"Clay pit {n}", "clay") for n in range(9)]),
        table("Employee no,Name,Team", [(f"E{n}", f"Ann Li{'n' * n}", "Kiln") for n in range(9)]),
        table("Class,Teacher,Room", [(f"{n}a", f"Ann Li{'n' * n}", f"R{n}") for n in range(9)]),
        table("Item no,Item,Price", [(f"A{n}", f"Bowl {n}", f"{n}.50") for n in range(9)]),
        table("Code,Item,Price", [(f"A{n}", f"Bowl {n}", f"{n}.50") for n in range(9)]),
        table(
            "Cost centre,Name,Budget 2027", [(f"4{n}", f"Kiln {n}", f"{n}500") for n in range(1, 9)]
        ),
        table("Account,Name,City", [(f"100{n}", f"Bowl {n} Ltd", "Leeds") for n in range(9)]),
        table("Category,Supplier,Clinic", [(f"Food {n}", f"Baker {n}", "West") for n in range(9)]),
    ],
)
def test_other_tables_are_no_lists(text: str) -> None:
    assert read(text) is None
    assert not is_code_list(parsed(text))


@pytest.mark.parametrize(
    ("folder", "lists"), [("bot/playground/sample/docs", []), ("tests/bench", ["Cost centres"])]
)
def test_tables_at_work_are_no_lists(folder: str, lists: list[str]) -> None:
    """Orders, prices, rosters, budgets and minutes of the sample and of the measurements stay tables."""
    files = [each for each in Path(folder).rglob("*") if each.suffix in {".csv", ".xlsx"}]
    assert files
    read_ = [read_document(each.name, each.read_bytes()) for each in files]
    assert [each.title for each in read_ if is_code_list(each)] == lists


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
    prose = read_document("codes.md", b"Codes\n\nThere are none yet.\n")
    assert marked(prose.model_copy(update=said)).notes == [IS_NONE]


@pytest.mark.parametrize(
    ("header", "first"),
    [("Plant,What for", "Z{n}0"), ("Order no,Item,Price", "A{n}"), ("Topic,What for", "Topic {n}")],
)
def test_lists_that_nothing_tells_are_believed(header: str, first: str) -> None:
    """Somebody knows better than the guess: keys are its codes, or the words that name its rows."""
    rest = ["Bowls", "4.20"][: header.count(",")]
    text = table(
        header, [(first.format(n=n), f"{rest[0]} of kind {n}", *rest[1:]) for n in "1234567"]
    )
    document = parsed(text)
    assert not is_code_list(document)
    assert marked(document.model_copy(update={"given": {"kind": "codelist"}})).notes == [IS_LIST]
    held, chunks = stored(text)
    codes = code_list(held.model_copy(update={"fields": {"kind": "codelist"}}), chunks)
    assert codes is not None
    assert [each.code for each in codes.codes] == [first.format(n=n) for n in "1234567"]


COSTS = [
    ("7100", "Software licences", "IT"),
    ("7110", "Hardware", "IT"),
    ("7120", "Phone lines", "IT"),
    ("7200", "Rent", "Premises"),
    ("7210", "Cleaning", "Premises"),
    ("7300", "Trade fairs", "Marketing"),
    ("7310", "Advertising", "Marketing"),
]


@pytest.mark.parametrize(
    "header",
    [
        "Cost centre,Name,Area",
        "Cost centre,Description,Department",
        "Cost center no.,Description,Department",
        "Account,Name,Area",
        "Cost_Center,Title,Owner",
        "GL account no,Account name,Valid from",
    ],
)
def test_codes_are_told_by_their_kind(header: str) -> None:
    """A first column of keys that is called what has codes is one of codes, each with its own title."""
    assert is_code_list(parsed(table(header, COSTS)))
    codes = found(table(header, COSTS))
    assert [(each.code, each.title) for each in codes.leaves] == [each[:2] for each in COSTS]


def test_areas_describe_their_codes() -> None:
    codes = found(table("Cost centre,Name,Area", COSTS))
    assert codes.by_code["7300"].description == "Marketing"


def test_numbers_in_tens_have_no_hierarchy() -> None:
    """Each hundredth is a code like any other, unless its row looks otherwise: a group's has no description."""
    assert {each.parent for each in found(table("Cost centre,Name,Area", COSTS)).codes} == {""}
    groups = [(code, title, "" if code.endswith("00") else area) for code, title, area in COSTS]
    codes = found(table("Account,Name,Description", groups))
    assert codes.by_code["7110"].parent == "7100"
    shouted = [(code, title.upper() if code.endswith("00") else title, area) for code, title, area in COSTS]  # fmt: skip
    assert found(table("Account,Name,Area", shouted)).by_code["7310"].parent == "7300"


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
