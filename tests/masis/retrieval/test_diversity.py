from masis.domain import EvidenceChunk
from masis.retrieval.diversity import MOST_ALIKE, diverse
from tests.scripted_agents import chunk


def form(number: int, document: str = "d_forms") -> EvidenceChunk:
    text = (
        f"Travel claim. Name: traveller {number}. Paid from the budget of the department. Signed."
    )
    return chunk(number, text=text, document_id=document)


OTHER = chunk(20, text="A claim is handed in within thirty days.", document_id="d_rules")
APART = chunk(21, text="Hotels above 120 euros need a reason.", document_id="d_forms")


def test_what_repeats_the_form_of_three_others_of_its_document_stands_behind() -> None:
    forms = [form(number) for number in range(6)]
    assert MOST_ALIKE == 3
    assert diverse([*forms, OTHER, APART]) == [*forms[:3], OTHER, APART, *forms[3:]]


def test_the_same_form_in_several_documents_is_several_sources() -> None:
    forms = [form(number, document=f"d_{number}") for number in range(6)]
    assert diverse([*forms, OTHER]) == [*forms, OTHER]


def test_what_is_not_alike_keeps_its_place_however_much_of_it_a_document_has() -> None:
    said = ["canteen noon soup", "parcels porter door", "bicycles rack rain", "lamps desk light"]
    rules = [chunk(at, text=text, document_id="d_rules") for at, text in enumerate(said)]
    assert diverse([*rules, OTHER]) == [*rules, OTHER]


def test_nothing_is_lost_of_nothing() -> None:
    assert diverse([]) == []
