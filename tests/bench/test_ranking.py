"""The measures of search, by hand."""

import math

import pytest

from tests.bench.corpora import Gold, plain
from tests.bench.ranking import Judged, judged, lead, ndcg, recall, table, worst


def test_recall_counts_answer_places_reached() -> None:
    """Recall is the share of the places of the answer that are reached."""
    found = ["a", "b", "c", "d", "e", "f"]
    assert recall(found, [{"b", "x"}, {"f"}]) == 0.5
    assert recall(found, [{"b"}, {"e"}]) == 1.0


def test_ndcg_is_one_for_ideal_order() -> None:
    """Ndcg discounts by rank and is one for the ideal order."""
    assert ndcg(["a", "b"], {"a", "b"}) == 1.0
    assert ndcg(["x", "a"], {"a"}) == pytest.approx(1 / math.log2(3))
    assert ndcg(["x"] * 10 + ["a"], {"a"}) == 0.0


def test_ndcg_respects_the_list_length() -> None:
    """Ndcg asks for no more than the list can hold."""
    right = {str(number) for number in range(22)}
    assert ndcg([str(number) for number in range(10)], right) == 1.0


def test_gain_counts_all_answer_places() -> None:
    """All places of an answer are right for the gain."""
    result = judged("q", ["a", "b"], [{"a"}, {"b"}])
    assert (result.recall, result.gain) == (1.0, 1.0)


def test_lead_has_a_standard_error() -> None:
    """A lead is the mean difference with its standard error."""
    used = [Judged("1", 1, 0.9), Judged("2", 1, 0.5), Judged("3", 1, 0.4)]
    other = [Judged("1", 1, 0.7), Judged("2", 1, 0.5), Judged("3", 1, 0.4)]
    gap, error = lead(used, other)
    assert gap == pytest.approx(0.2 / 3)
    assert error == pytest.approx(0.2 / 3)


def test_the_worst_come_first() -> None:
    results = [Judged("1", 1, 0.9), Judged("2", 0.5, 0), Judged("3", 0, 0)]
    assert [result.question for result in worst(results, 2)] == ["3", "2"]


def test_table_has_row_per_method() -> None:
    """A table has a row for each way."""
    rows = table({"BM25": {"set": [Judged("1", 1, 0.5)]}}).splitlines()
    assert rows[0] == "| | set |"
    assert rows[-1] == "| BM25 | 1.000 / 0.500 |"


def test_gold_row_ignores_column_names() -> None:
    """A marked row is recognised with the names of its columns between."""
    gold = Gold("staff.csv", (plain("Nisha Patel,Quality manager,Kettering"),))
    line = plain("Name: Nisha Patel | Role: Quality manager | Site: Kettering")
    assert not gold.within(line)
    assert gold.within_a_line(["something else", line])
    assert not gold.within_a_line(["nisha patel", "quality manager kettering"])
