"""What tells passages apart that fit a question alike."""

from masis.domain import Place
from masis.questions.readings import readings
from tests.scripted_agents import chunk

PHONES = chunk(
    0,
    text="| Site: Leeds | Phone: 0113 496 0142 |\n| Site: York | Phone: 01632 960187 |\n"
    "| Site: Hull | Phone: 01632 960233 |",
)


def test_rows_are_told_apart_by_the_column_that_names_them() -> None:
    found = readings("phone of the site", [PHONES])

    assert (found.thing, found.options) == ("site", ["Leeds", "York", "Hull"])


def test_a_question_that_names_one_has_chosen() -> None:
    assert readings("phone of the York site", [PHONES]).options == []


def test_rows_that_only_mention_what_is_named_are_no_options() -> None:
    staff = chunk(
        0,
        text="| Name: Nisha Patel | Role: Buyer | Reports to: Ann Reed | Extension: 4105 |\n"
        "| Name: Rohan Patel | Role: Planner | Reports to: Ann Reed | Extension: 4112 |\n"
        "| Name: Lea Bach | Role: Clerk | Reports to: Rohan Patel | Extension: 4119 |\n"
        "| Name: Max Toth | Role: Driver | Reports to: Nisha Patel | Extension: 4120 |",
    )

    found = readings("What's Patel's extension?", [staff])

    assert (found.thing, found.options) == ("name", ["Nisha Patel", "Rohan Patel"])
    assert readings("What's Toth's extension?", [staff]).options == []


def test_who_asks_for_all_of_them_chooses_nothing() -> None:
    assert readings("which sites have a phone", [PHONES]).options == []
    assert readings("phone of every site", [PHONES]).options == []


def test_documents_are_told_apart_by_their_titles() -> None:
    papers = [
        chunk(0, title="Staff handbook", text="The notice period is 1 month for everybody here."),
        chunk(1, title="Supply contract", text="The notice period is 6 months to a quarter's end."),
    ]

    found = readings("How long is the notice period?", papers)

    assert (found.thing, found.options) == ("document", ["Staff handbook", "Supply contract"])


def test_parts_of_one_document_are_told_apart_by_their_headings() -> None:
    parts = [
        chunk(
            number,
            document_id="d_same",
            text=f"Notice is {number + 1} months in this case, in writing.",
            place=Place(headings=[heading]),
        )
        for number, heading in enumerate(["4.1 Managers", "4.2 Staff"])
    ]

    found = readings("How long is notice?", parts)

    assert (found.thing, found.options) == ("part", ["Managers", "Staff"])


def test_too_many_documents_are_no_choice() -> None:
    papers = [
        chunk(n, title=f"Contract {name}", text=f"The notice period is {n + 1} months in writing.")
        for n, name in enumerate(["A", "B", "C", "D", "E"])
    ]

    assert len(readings("How long is the notice period?", papers[:4]).options) == 4
    assert readings("How long is the notice period?", papers).options == []


def test_one_passage_that_fits_best_leaves_no_choice() -> None:
    papers = [
        chunk(0, title="Staff handbook", text="The notice period is 1 month for everybody here."),
        chunk(1, title="Menu", text="Lunch is served from 12 to 2 in the canteen."),
    ]

    assert readings("How long is the notice period?", papers).options == []
    assert readings("How long is the notice period?", []).options == []
