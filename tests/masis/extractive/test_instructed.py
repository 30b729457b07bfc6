"""What is to be done comes first where that is asked."""

from dataclasses import replace

from masis.domain import ATTACHED
from masis.extractive.instructed import (
    answering,
    as_asked,
    of_the_code,
    of_the_files,
    of_the_name,
    of_the_place,
    ruling,
)
from masis.retrieval.extraction import Scored, passages
from masis.text.lexical import terms
from tests.scripted_agents import chunk


def scored(text: str, *others: str) -> list[Scored]:
    found = passages([chunk(at, text=each) for at, each in enumerate((text, *others))])
    return [Scored(p, 1.0, 0.0, 0.0, hint=False, vector=n) for n, p in enumerate(found)]


def test_instructions_lead_where_asked_for() -> None:
    told = scored("Leaks are rare in the kiln room. If it leaks, call the night desk.")

    fact, order = as_asked("it leaks what now", told)
    assert order.score > fact.score
    assert as_asked("how often does it leak", told) == told


def test_frequency_leads_where_asked_for() -> None:
    """The days of a week, or where a week begins, say nothing of how often."""
    told = scored(
        "The kiln room is staffed seven days a week. Nobody fires the kiln more than 1 week in 3."
    )

    staffed, often = as_asked("how often may i fire the kiln", told)
    assert often.score > staffed.score
    assert as_asked("when may i fire the kiln", told) == told


def test_frequency_is_answered_once() -> None:
    """Behind an answer that told how often, who does it is all that is asked for."""
    told = scored("The kiln is fired every week. Ada fires the kiln.")
    whole = "how often is the kiln fired, and who does it"

    assert as_asked(f"who does it?\n{whole}?", told) == told
    assert as_asked(f"{whole}\n{whole}", told) != told


def test_annual_review_is_no_frequency() -> None:
    """An adjective of time says not how often; a bound of days a week does."""
    told = scored(
        "The annual review of remote work is in May. You may work remotely up to 2 days a week."
    )

    review, often = as_asked("how often can i work remotely", told)
    assert often.score > review.score


def test_what_is_to_come_tells_no_past() -> None:
    """Asked when something was, what will be stands behind what has been."""
    told = scored("The next firing will be on 5 May. The last firing was on 3 March.")

    to_come, past = as_asked("when was the kiln fired", told)
    assert past.score > to_come.score
    assert as_asked("when is the kiln fired", told) == told


def test_file_sent_along_leads() -> None:
    """What a file that came with the question gives stands before what documents say with more words."""
    said, sent, other = passages(
        [
            chunk(0, text="The notice period of the lease is 30 days for everybody here."),
            chunk(1, text="Notice takes 90 days.", document_id=f"{ATTACHED}_deal"),
            chunk(2, text="Castings cost 14 euros.", document_id=f"{ATTACHED}_deal"),
        ]
    )
    told = [
        Scored(said, 1.0, 0.0, 0.9, hint=True, vector=0),
        Scored(sent, 0.7, 0.0, 0.5, hint=True, vector=1),
        Scored(other, 0.6, 0.0, 0.1, hint=True, vector=2),
    ]

    lease, notice, cost = of_the_files("how long is the notice period", told)
    assert notice.score > lease.score > cost.score
    assert cost.score == told[2].score


def test_where_not_comes_last() -> None:
    told = scored("Do not park on the kiln road. Park behind the pottery shed.")

    refused, allowed = as_asked("where do I park", told)
    assert allowed.score > refused.score


def test_who_to_call_is_told_first() -> None:
    """A number, or whom to call, comes first where that is asked."""
    told = scored("One person cannot work: a laptop does not start. Telephone ext. 4400 at once.")

    row, number = as_asked("my laptop is dead, who do i call", told)
    assert number.score > row.score
    assert as_asked("who calls the customers", told) == told


def test_what_a_thing_is_comes_first() -> None:
    told = scored("Slip costs £3 a pound at the desk. Slip is a mixture of clay and water.")

    price, meaning = as_asked("what is slip?", told)
    assert meaning.score > price.score


def test_open_points_answer_nothing() -> None:
    told = scored(
        "# Open points\n\n- Who fires the large kiln on Sundays? Ada asks around.",
        "The kiln is red.",
    )
    asked, other = told

    assert answering("who fires the large kiln on sundays", told) == [asked]
    assert answering("what colour is the kiln", told) == [other]
    assert answering("what are the open points", told) == told


def test_row_of_the_code_leads() -> None:
    told = scored(
        "Code: E14 | Meaning: Door open\nCode: E15 | Meaning: Cold\n\nAfter E14 the kiln cools.",
        "The kiln shows codes on its door.",
    )
    told = [
        replace(s, covers=dict.fromkeys({"e", "14"} & set(terms(s.passage.text)), 0.1))
        for s in told
    ]

    row, other, after = of_the_code("the kiln shows E14", told)
    assert [row.score > other.score, row.score > after.score] == [True, True]
    assert of_the_code("the kiln shows something", told) == told


def test_other_places_answer_nothing() -> None:
    told = scored(
        "# Parking in York\n\nThere are 52 bays here.\nIn Leeds, park behind the shed.",
        "Rooms in York and Leeds are booked by telephone.",
    )
    bays, shed, rooms = told

    assert of_the_place("how many bays are there in leeds", told) == [shed, rooms]
    assert of_the_place("how many bays are there in york", told) == [bays, rooms]
    assert of_the_place("how many bays are there", told) == told
    assert of_the_place("how many bays are there in leeds", [bays]) == [bays]


def test_rule_leads_what_it_excepts() -> None:
    """The rule stands above what leans on another sentence, and nothing of another place is left."""
    told = scored("Kiln crews are apart. They may ask to work from home. You may glaze at home.")
    asked = "can i glaze at home"
    crews = replace(told[1], score=1.0)
    others = [replace(told[0], score=0.9), replace(told[2], score=0.8)]

    found = ruling(asked, [crews, *others])
    assert max(found, key=lambda s: s.score).passage.text == "You may glaze at home."
    assert ruling("how do they glaze", [crews, *others]) == [crews, *others]

    abroad, here = scored("You may work from abroad. You may work from home.")
    [left] = ruling("can i work from home", [replace(abroad, score=1.1), here])
    assert left.passage == here.passage


def test_outcome_of_a_case_leads() -> None:
    """What is done in a case stands before a row that only names the matter."""
    told = scored("The quiz is on day 2. If you miss it, Ada goes through the answers.")

    day, outcome = as_asked("what if i fail the quiz", told)
    assert outcome.score > day.score
    assert as_asked("when is the quiz", told) == told


def test_reasons_lead_where_asked_why() -> None:
    """What stands under "Why and what" tells why, where that is asked."""
    told = scored(
        "The kiln moves in May after all.", "## 1 Why and what\n\nThe landlord wants the yard back."
    )

    fact, reason = as_asked("why does the kiln move", told)
    assert reason.score > fact.score
    assert as_asked("when does the kiln move", told) == told


def test_task_about_a_thing_is_not_it() -> None:
    """Who owns a trial of a shorter rota looks after that trial alone."""
    trial, list_of = scored(
        "## Open points\n\nPoint: Trial of a shorter rota | Owner: Ada Lund\nPoint: Rota for the kiln | Owner: Bo Ek"
    )[:2]
    rota = scored("The rota is published on Friday.")[0]

    assert answering("who looks after the rota", [trial, rota]) == [rota]
    assert answering("who runs the trial of a shorter rota", [trial, rota]) == [trial, rota]
    assert answering("who keeps the rota", [list_of, rota]) == [list_of, rota]
    assert answering("is there a rota", [trial, rota]) == [trial, rota]


def named(text: str, document: str, score: float, title: str = "Paper") -> Scored:
    [passage] = passages([chunk(0, text=text, document_id=document, title=title)])
    return Scored(passage, score, 0.0, 0.0, hint=False, vector=0)


def test_name_of_two_words_is_whole() -> None:
    """Who keeps a rota of standby keeps no parking rota, where a paper speaks of that."""
    parking = named("The parking rota is published on Friday.", "d_1", 1.0)
    standby = named("Ada Lund keeps the rota for nights.", "d_2", 0.98)
    cars = named("Ada Lund keeps the rota.", "d_3", 0.9, title="Parking")

    assert of_the_name("who keeps the parking rota", [parking, standby]) == [parking]
    assert of_the_name("who keeps the parking rota", [parking, cars]) == [parking, cars]
    assert of_the_name("who keeps the rota", [parking, standby]) == [parking, standby]
    assert of_the_name("who keeps the parking rota", [standby]) == [standby]
    assert of_the_name("is there a parking rota", [parking, standby]) == [parking, standby]
    assert of_the_name("who keeps the night rota", [parking, standby]) == [standby]


def test_rule_leads_before_another_case() -> None:
    """Who must come on Monday reads the rule, and not what holds on a Sunday."""
    case, rule = scored(
        "If you must work on Sunday, tell us by Monday. Everyone with a boat is on site on Monday."
    )
    case = replace(case, score=1.1)

    assert max(ruling("do i have to come on monday", [case, rule]), key=lambda s: s.score) != case
    assert ruling("do i have to come on monday if i work", [case, rule]) == [case, rule]
    assert ruling("who comes on monday", [case, rule]) == [case, rule]
