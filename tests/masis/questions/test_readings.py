"""What tells passages apart that fit a question alike."""

from masis.domain import Place
from masis.questions.readings import periods, readings, takes_one
from tests.scripted_agents import chunk

PHONES = chunk(
    0,
    text="| Site: Leeds | Phone: 0113 496 0142 |\n| Site: York | Phone: 01632 960187 |\n"
    "| Site: Hull | Phone: 01632 960233 |",
)


def test_naming_column_distinguishes_rows() -> None:
    """Rows are told apart by the column that names them."""
    found = readings("phone of the site", [PHONES])

    assert (found.thing, found.options) == ("site", ["Leeds", "York", "Hull"])


def test_word_of_another_cell_is_no_choice() -> None:
    """That somebody pays for a thing makes it no choice for who asks about pay."""
    carriage = chunk(
        0,
        text="| Subject: Carriage out | Rule: We pay it |\n| Subject: Carriage back | Rule: You pay it |",
    )

    assert readings("who do I ask about my pay", [carriage]).options == []
    assert readings("who pays for carriage", [carriage]).options


def test_question_naming_one_leaves_none() -> None:
    """A question that names one has chosen."""
    assert readings("phone of the York site", [PHONES]).options == []


def test_rows_merely_mentioning_name_are_excluded() -> None:
    """Rows that only mention what is named are no options."""
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


def test_asking_for_all_leaves_no_choice() -> None:
    """Who asks for all of them chooses nothing."""
    assert readings("which sites have a phone", [PHONES]).options == []
    assert readings("phone of every site", [PHONES]).options == []


def test_titles_distinguish_documents() -> None:
    """Documents are told apart by their titles."""
    papers = [
        chunk(0, title="Staff handbook", text="The notice period is 1 month for everybody here."),
        chunk(1, title="Supply contract", text="The notice period is 6 months to a quarter's end."),
    ]

    found = readings("How long is the notice period?", papers)

    assert (found.thing, found.options) == ("document", ["Staff handbook", "Supply contract"])


def test_people_are_no_choice() -> None:
    """Who asks who is answered with names, and finds them in whatever document or row has them."""
    papers = [
        chunk(0, title="Account plan", text="Pell Pumps are the competition of the pottery."),
        chunk(1, title="Discount rules", text="Name the competition of the pottery, Bo Ek says."),
    ]
    keys = chunk(
        2,
        text="| Key: Gate key | Who: Ada Lund |\n| Key: Kiln key | Who: Bo Ek, Ada Lund |",
    )

    assert readings("who is the competition of the pottery", papers).options == []
    assert readings("what is the competition of the pottery", papers).options
    assert "Ada Lund" not in readings("who has the key", [keys]).options


def test_headings_distinguish_parts_of_document() -> None:
    """Parts of one document are told apart by their headings."""
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


def test_single_best_passage_leaves_no_choice() -> None:
    """One passage that fits best leaves no choice."""
    papers = [
        chunk(0, title="Staff handbook", text="The notice period is 1 month for everybody here."),
        chunk(1, title="Menu", text="Lunch is served from 12 to 2 in the canteen."),
    ]

    assert readings("How long is the notice period?", papers).options == []
    assert readings("How long is the notice period?", []).options == []


RSUS = chunk(
    0,
    text="Years Ended December 31: Service-Based RSUs | 2019: 2,207 | 2018: 2,036\n"
    "Years Ended December 31: Performance-Based RSUs | 2019: 2,553 | 2018: 3,089\n"
    "Years Ended December 31: Cash-settled awards | 2019: 255 | 2018: 131",
)


def test_rows_called_alike_are_told_apart() -> None:
    """What several rows are called is chosen between, by the word that they end with."""
    found = readings("What was the amount of RSUs in 2018?", [RSUS])

    assert (found.thing, found.options) == (
        "RSUs",
        ["Service-Based RSUs", "Performance-Based RSUs"],
    )
    assert found.called_alike
    assert takes_one(found, "Service-Based RSUs: 2,036 [1].")
    assert not takes_one(found, "Service-Based RSUs: 2,036; Performance-Based RSUs: 3,089 [1].")
    assert not takes_one(found, "There were 5,125 RSUs [1].")


def test_other_names_are_not_called_alike() -> None:
    """An answer about one of several sites that the question names no part of has taken none."""
    found = readings("phone of the site", [PHONES])

    assert not found.called_alike
    assert not takes_one(found, "York: 01632 960187 [1].")


YEARS = "| Item: Gross margin | 2025 (£k): 41 | 2024 (£k): 38 |\n| Item: Headcount | 2025 (£k): 9 | 2024 (£k): 8 |"


def test_periods_of_the_row_are_named() -> None:
    """A question that tells no time is asked for one of those that its row has."""
    found = [chunk(0, text=YEARS)]

    asked = periods("What was the gross margin?", found)

    assert (asked.thing, asked.options) == ("year", ["2025", "2024"])
    assert periods("What was the gross margin in 2024?", found).options == []
    assert periods("What is the latest gross margin?", found).options == []


def test_figure_chooses_among_limits() -> None:
    """A figure of the question says within which limit it lies."""
    limits = chunk(
        0,
        text="| Cost of the item: Up to £50 | Who signs: Clerk |\n"
        "| Cost of the item: Over £50 | Who signs: Buyer |\n"
        "| Cost of the item: Over £90 | Who signs: Chair |",
    )

    assert readings("who signs for an item over 20", [limits]).options == []
