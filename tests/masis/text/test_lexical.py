import math
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.text.lexical import (
    coverage,
    idf,
    idf_weights,
    sparse_document,
    sparse_query,
    term_id,
    terms,
)
from tests.examples import examples


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FY2022 results", ["fy", "2022", "result"]),
        ("the 401(k) plan", ["401", "k", "plan"]),
        ("wg- roles", ["wg", "role"]),
        ("GS-13, 18F", ["gs", "13", "18", "f"]),
        ("state-of-the-art", ["state", "art"]),
        ("employee’s EMPLOYEES", ["employe", "employe"]),
        ("don't can’t we're", []),
        ("O'Brien's", ["obrien"]),
        ("U.S. law, e.g. U.S.C.", ["us", "law", "usc"]),
        ("$1,250.00 or 1250", ["1250", "1250"]),
        ("2.5% in v2.5.1", ["2.5", "v", "2.5.1"]),
        ("2024-05-12.", ["2024", "05", "12"]),
        ("café CAFE ﬁnance", ["cafe", "cafe", "financ"]),
        ("a_private_name", ["privat", "name"]),
        ("東京 tower", ["東", "京", "tower"]),
        ("", []),
        ("What is it?", []),
    ],
)
def test_terms_are_what_people_search_for(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_word_forms_share_one_term() -> None:
    """Forms of a word are one term."""
    assert len(set(terms("policy policies Policy POLICIES"))) == 1


@given(st.text(max_size=300))
@settings(deadline=None, max_examples=examples(100))
def test_any_text_gives_short_plain_terms(text: str) -> None:
    found = terms(text)
    assert all(term and len(term) <= 40 and term == term.lower() for term in found)
    assert all(0 <= term_id(term) < 2**32 for term in found)


@given(st.text(max_size=60), st.text(max_size=60))
@settings(deadline=None, max_examples=examples(60))
def test_line_break_keeps_both_terms(one: str, other: str) -> None:
    """Texts on two lines have the terms of both."""
    assert terms(f"{one}\n{other}") == terms(one) + terms(other)


def test_threads_share_the_stemmer_safely() -> None:
    """Threads share the stemmer without mixing words."""
    words = [f"{stem}{ending}" for stem in ("relat", "nation", "oper") for ending in ("ing", "al")]
    texts = [" ".join(f"{word}{'x' * n}" for word in words) for n in range(200)]
    expected = [terms(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(terms, texts)) == expected


class TestBm25:
    def test_store_formula_equals_bm25(self) -> None:
        """The store completes the formula of bm25."""
        text = "leave leave policy " + "filler " * 77  # 80 terms, the average length
        weight = sparse_document(text)[term_id(terms("leave")[0])]
        assert weight == pytest.approx(2 * 2.2 / (2 + 1.2))

    def test_repetition_saturates_and_length_dilutes(self) -> None:
        leave = term_id("leav")
        once, often = sparse_document("leave"), sparse_document("leave " * 500)
        assert often[leave] < 2.2
        assert once[leave] > sparse_document("leave " + "filler " * 200)[leave]

    def test_a_query_counts_its_terms(self) -> None:
        assert sparse_query("leave, leaves and FY2022") == {
            term_id("leav"): 2.0,
            term_id("fy"): 1.0,
            term_id("2022"): 1.0,
        }

    def test_rare_term_outweighs_common_one(self) -> None:
        """A rare term weighs more than a common one."""
        assert idf(1, 1000) > idf(10, 1000) > idf(1000, 1000) > 0
        assert idf(3, 10) == pytest.approx(math.log(1 + 7.5 / 3.5))


class TestCoverage:
    def test_rare_terms_count_more(self) -> None:
        weights = idf_weights(["sick", "leav"], 100, {term_id("sick"): 2, term_id("leav"): 90})
        assert coverage(["sick", "leav"], {"sick"}, weights) > 0.9
        assert coverage(["sick", "leav"], {"leav"}, weights) < 0.1

    def test_unknown_term_counts_fully(self) -> None:
        """A term that no document has counts fully."""
        weights = idf_weights(["leav", "mar"], 100, {term_id("leav"): 10})
        assert weights["mar"] == idf(0, 100)
        assert coverage(["leav", "mar"], {"leav"}, weights) < 0.5

    def test_unweighted_term_counts_as_heaviest(self) -> None:
        """A term without weight counts as the heaviest."""
        assert coverage(["leav", "mar"], {"leav"}, {"leav": 2.0}) == 0.5
        assert coverage(["leav", "mar"], ["leav"], {}) == 0.5

    def test_repeated_terms_count_once(self) -> None:
        assert coverage(["leav", "leav", "mar"], {"leav"}, {}) == 0.5

    def test_question_without_terms_is_uncovered(self) -> None:
        """A question without terms is not covered."""
        assert coverage([], {"leav"}, {}) == 0.0

    @given(
        asked=st.lists(st.sampled_from("abcdef"), max_size=8),
        present=st.sets(st.sampled_from("abcdef")),
        weights=st.dictionaries(st.sampled_from("abcdef"), st.floats(0.01, 10)),
    )
    @settings(deadline=None, max_examples=examples(80))
    def test_coverage_grows_with_the_text(
        self, asked: list[str], present: set[str], weights: dict[str, float]
    ) -> None:
        """It is a share that grows with the text."""
        share = coverage(asked, present, weights)
        assert 0 <= share <= coverage(asked, present | {"a"}, weights) + 1e-12 <= 1 + 1e-9
        assert not asked or coverage(asked, set("abcdef"), weights) == pytest.approx(1.0)
