import pytest

from masis.domain import EvidenceChunk
from masis.retrieval.multi_query import MOST_QUERIES, fused, wordings
from tests.scripted_agents import chunk

TWO = "How many days of annual leave are there, and who approves a travel claim?"


@pytest.mark.parametrize("question", ["How long is leave?", TWO])
def test_a_question_itself_is_one_query(question: str) -> None:
    assert wordings(question, None, MOST_QUERIES) == [question]
    assert wordings(question, question, MOST_QUERIES) == [question]


def test_retry_queries_with_and_without_critique() -> None:
    """A retry asks with what was missing and without."""
    widened = f"{TWO} The limit of a claim is missing."
    assert wordings(widened, TWO, MOST_QUERIES) == [widened, TWO]
    assert wordings(widened, TWO, 1) == [widened]


def ids(chunks: list[EvidenceChunk]) -> list[str]:
    return [each.chunk_id for each in chunks]


def test_one_ranking_stays_as_it_is() -> None:
    ranking = [chunk(0, rank_score=1.0), chunk(1, rank_score=0.4)]
    assert fused([ranking]) == ranking


def test_common_find_of_queries_ranks_first() -> None:
    """What several queries find stands before what one finds."""
    one, both, other = chunk(0), chunk(1, score=0.3), chunk(2)
    found = fused([[one, both], [other, chunk(1, score=0.7)]])
    assert ids(found) == ids([both, one, other])
    assert found[0].cosine == 0.7, "that to the query it is nearest to"
    assert found[0].rank_score == 1.0
    ranks = [each.rank_score for each in found]
    assert ranks == sorted(ranks, reverse=True)


def test_nothing_found_by_several_is_nothing() -> None:
    assert fused([[], []]) == []
