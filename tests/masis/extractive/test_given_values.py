"""Whether quoted statements can give the value that is asked for."""

import pytest

from masis.extractive.given_values import is_of_another, lacks_value

NONE = ""


@pytest.mark.parametrize(
    ("question", "text", "above"),
    [
        ("what do they charge for a pump", "They lent two pumps to a works.", NONE),
        ("how much does a seat cost per year", "Mind the pricing per seat.", NONE),
        ("how many parcels do we send", "Parcel staff begin after 3 weeks.", "Staff"),
        ("how much do i earn as a fitter", "Fitter hour: 94 per hour", "Prices"),
        ("how much are apprentices paid", "Apprentice: 40 units.", NONE),
        ("is parking free at the works", "There are 52 bays for staff.", "Parking"),
        ("what do i do if i cut myself", "18 helpers are trained at present.", "First aid"),
        ("is parking free at the works", "The kiln costs £3 at the works.", NONE),
        ("who looks after the parking rota", "Bays are given out by rota.", "Parking"),
        (
            "how many visits did we make to class 2 sites",
            "We made 64 visits to class 1 sites.",
            NONE,
        ),
    ],
)
def test_other_values_are_no_answer(question: str, text: str, above: str) -> None:
    """No sum, no count of the things, another numbered thing."""
    question = question.replace("parcels", "letters")
    evidence = [text, "Class 2 sites are seen monthly."]

    assert lacks_value(question, [(text, above)], evidence)


@pytest.mark.parametrize(
    ("question", "text", "above"),
    [
        ("what do they charge for a pump", "A pump is 120 a day.", NONE),
        ("how much does a seat cost", "Seats are free.", NONE),
        ("how many letters do we send", "Letters: 3 weeks of 40.", NONE),
        ("how many letters do we send", "It takes 3 weeks.", "Letters"),
        ("how many phones get the text", "It goes to up to 5 numbers.", NONE),
        ("how many holidays do I get", "Annual leave is 5 weeks.", NONE),
        ("how many weeks is the trial", "It lasts 2 months.", NONE),
        ("who signs the form", "It is signed on Monday.", NONE),
        ("how much do i earn as a fitter", "Fitter: 2,400 a month", "Wages"),
        ("how much do i get paid for standby", "Weekly allowance: 185", NONE),
        ("is parking free at the works", "Parking is free for staff.", NONE),
        ("is parking free at the works", "Parking costs 3 a day.", NONE),
        ("is the room free at 3", "The room is booked by Ada.", NONE),
        ("is anyone free to help", "Ada is at the kiln.", NONE),
        ("how much leave do i earn", "An hour is earned for each hour.", NONE),
        ("how much do we make", "Revenue was 94.", NONE),
        ("what do i do if i cut myself", "Call the desk at once.", NONE),
        ("what do i do if i cut myself", "If somebody is hurt, Ada comes.", NONE),
        (
            "what do i do without a receipt",
            "Claims without one are accepted for small items.",
            NONE,
        ),
        ("what do i do with a found key", "Keys are not left at the kiln.", NONE),
        ("what does the helper do", "18 helpers are trained.", NONE),
        ("who looks after the rota", "Ada Lund publishes the rota.", NONE),
        ("who looks after the rota", "The rota is kept by the planning team.", NONE),
        ("who looks after the rota", "I do.", NONE),
        ("who keeps the keys", "The key holder is the depot manager.", NONE),
        ("who is on the rota", "Bays are given out by rota.", NONE),
    ],
)
def test_possible_answers_are_let_be(question: str, text: str, above: str) -> None:
    """Whatever may be the value is not held against a statement."""
    assert not lacks_value(question, [(text, above)], [text])


def test_things_of_another_kind_are_not_counted() -> None:
    evidence = ["Parking: 52 bays.", "Kits are held in three places."]

    assert lacks_value("how many parking places are there", [(evidence[1], NONE)], evidence)
    assert not lacks_value("how many parking places are there", [(evidence[0], NONE)], evidence)
    assert not lacks_value("how many bike places are there", [(evidence[1], NONE)], evidence)


def test_nothing_quoted_lacks_nothing() -> None:
    assert not lacks_value("how many letters do we send", [], [])


@pytest.mark.parametrize(
    ("question", "text", "is_other"),
    [
        ("what time does the shop open", "The IT desk is open from 07:30.", True),
        ("what time does the shop open", "The shop is open from 07:30.", False),
        ("what time does the shop open", "It is open from 07:30.", False),
        ("what time does the shop open", "The IT desk is busy at 07:30.", False),
        (
            "how often does the shop need cleaning",
            "The shop is open for cleaning on Monday.",
            False,
        ),
        ("when do we open", "The IT desk is open from 07:30.", False),
    ],
)
def test_another_subject_is_no_answer(question: str, text: str, is_other: bool) -> None:
    assert is_of_another(question, [(text, NONE)]) is is_other
    assert not is_of_another(question, [(text, "Shop")] if "shop" in question else [])
