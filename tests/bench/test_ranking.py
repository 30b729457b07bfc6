"""The measures of search, by hand."""

import math

import pytest

from tests.bench.corpora import Gold, plain
from tests.bench.ranking import Judged, judged, lead, ndcg, recall, table, worst


def test_recall_is_the_share_of_the_places_of_the_answer_that_are_reached() -> None:
    found = ["a", "b", "c", "d", "e", "f"]
    assert recall(found, [{"b", "x"}, {"f"}]) == 0.5
    assert recall(found, [{"b"}, {"e"}]) == 1.0


def test_ndcg_discounts_by_rank_and_is_one_for_the_ideal_order() -> None:
    assert ndcg(["a", "b"], {"a", "b"}) == 1.0
    assert ndcg(["x", "a"], {"a"}) == pytest.approx(1 / math.log2(3))
    assert ndcg(["x"] * 10 + ["a"], {"a"}) == 0.0


def test_ndcg_asks_for_no_more_than_the_list_can_hold() -> None:
    right = {str(number) for number in range(22)}
    assert ndcg([str(number) for number in range(10)], right) == 1.0


def test_all_places_of_an_answer_are_right_for_the_gain() -> None:
    result = judged("q", ["a", "b"], [{"a"}, {"b"}])
    assert (result.recall, result.gain) == (1.0, 1.0)


def test_a_lead_is_the_mean_difference_with_its_standard_error() -> None:
    used = [Judged("1", 1, 0.9), Judged("2", 1, 0.5), Judged("3", 1, 0.4)]
    other = [Judged("1", 1, 0.7), Judged("2", 1, 0.5), Judged("3", 1, 0.4)]
    gap, error = lead(used, other)
    assert gap == pytest.approx(0.2 / 3)
    assert error == pytest.approx(0.2 / 3)


def test_the_worst_come_first() -> None:
    results = [Judged("1", 1, 0.9), Judged("2", 0.5, 0), Judged("3", 0, 0)]
    assert [result.question for result in worst(results, 2)] == ["3", "2"]


def test_a_table_has_a_row_for_each_way() -> None:
    rows = table({"BM25": {"set": [Judged("1", 1, 0.5)]}}).splitlines()
    assert rows[0] == "| | set |"
    assert rows[-1] == "| BM25 | 1.000 / 0.500 |"


def test_a_marked_row_is_recognised_with_the_names_of_its_columns_between() -> None:
    gold = Gold("staff.csv", (plain("Nisha Patel,Quality manager,Kettering"),))
    line = plain("Name: Nisha Patel | Role: Quality manager | Site: Kettering")
    assert not gold.within(line)
    assert gold.within_a_line(["something else", line])
    assert not gold.within_a_line(["nisha patel", "quality manager kettering"])
