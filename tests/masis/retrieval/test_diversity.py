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


def test_fourth_repetition_of_form_ranks_behind() -> None:
    """What repeats the form of three others of its document stands behind."""
    forms = [form(number) for number in range(6)]
    assert MOST_ALIKE == 3
    assert diverse([*forms, OTHER, APART]) == [*forms[:3], OTHER, APART, *forms[3:]]


def test_same_form_across_documents_is_kept() -> None:
    """The same form in several documents is several sources."""
    forms = [form(number, document=f"d_{number}") for number in range(6)]
    assert diverse([*forms, OTHER]) == [*forms, OTHER]


def test_dissimilar_passages_keep_their_rank() -> None:
    """What is not alike keeps its place however much of it a document has."""
    said = ["canteen noon soup", "parcels porter door", "bicycles rack rain", "lamps desk light"]
    rules = [chunk(at, text=text, document_id="d_rules") for at, text in enumerate(said)]
    assert diverse([*rules, OTHER]) == [*rules, OTHER]


def test_nothing_is_lost_of_nothing() -> None:
    assert diverse([]) == []
