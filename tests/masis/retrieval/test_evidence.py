import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.domain import ATTACHED, Critique, EvidenceChunk
from masis.policy import (
    CRITIQUE_TEXT_LIMIT,
    CRITIQUE_TEXTS,
    RELATIVE_GATE,
    RETRY_THRESHOLD_DROP,
    SUMMARY_CHARS,
)
from masis.retrieval.evidence import (
    RESERVED,
    augmented_query,
    average,
    compress,
    distinct,
    drop_reason,
    gate,
    nearest_floor,
    passed_over,
)
from tests.examples import examples


def chunk(
    chunk_id: str = "c_aaaaaaaaaaaa",
    text: str = "Annual leave is 25 days a year for everyone.",
    *,
    score: float = 0.7,
    coverage: float = 0.0,
    nearness: float = 0.0,
) -> EvidenceChunk:
    return EvidenceChunk(
        chunk_id=chunk_id,
        document_id="d",
        version_id="v",
        document="leave.md",
        title="Leave",
        text=text,
        score=score,
        coverage=coverage,
        nearness=nearness,
    )


chunks = st.builds(
    chunk,
    chunk_id=st.sampled_from([f"c_{letter * 12}" for letter in string.ascii_lowercase[:8]]),
    text=st.text("ab 1n", max_size=40) | st.just("not the same 1 2 3"),
    score=st.floats(0, 1),
    coverage=st.floats(0, 1),
    nearness=st.floats(0, 1),
)


class TestGate:
    def test_attached_passages_have_reserved_places(self) -> None:
        """Of a file that came with the question the nearest few are kept where a retry keeps them."""
        sent = [
            chunk(f"c_{n}", f"Page {n} of the contract.", score=0.6).model_copy(
                update={"document_id": f"{ATTACHED}_deal"}
            )
            for n in range(RESERVED + 1)
        ]
        near = chunk("c_near", nearness=0.9)

        kept, dropped = gate([near, *sent], 0.65, 0.99, floor=0.8)

        assert kept == [near, *sent[:RESERVED]]
        assert dropped == sent[RESERVED:]
        far = [each.model_copy(update={"score": 0.3}) for each in sent]
        assert gate(far, 0.65, 0.99)[0] == []

    def test_chunk_at_threshold_is_kept(self) -> None:
        """A score at the threshold is kept."""
        at, below = chunk("c_at", "one", score=0.60), chunk("c_below", "two", score=0.5999)
        assert gate([at, below], 0.60, 0.80) == ([at], [below])

    def test_high_coverage_overrides_low_score(self) -> None:
        """High coverage keeps a chunk whatever its score."""
        covered, nearly = (
            chunk("c_c", "one", score=0.1, coverage=0.8),
            chunk("c_n", "two", score=0.1),
        )
        nearly = nearly.model_copy(update={"coverage": 0.79})
        assert gate([covered, nearly], 0.60, 0.80) == ([covered], [nearly])

    def test_duplicate_of_kept_is_filtered(self) -> None:
        """A duplicate of something kept is filtered out."""
        kept, filtered_out = gate([chunk(), chunk("c_copy"), chunk()], 0.6, 0.8)
        assert [item.chunk_id for item in kept] == ["c_aaaaaaaaaaaa"]
        assert [item.chunk_id for item in filtered_out] == ["c_copy", "c_aaaaaaaaaaaa"]

    def test_low_duplicate_hides_no_original(self) -> None:
        """A duplicate below the threshold does not hide one above it."""
        weak, strong = chunk("c_weak", score=0.2), chunk("c_strong", score=0.9)
        assert gate([weak, strong], 0.6, 0.8) == ([strong], [weak])

    def test_chunk_far_behind_nearest_is_filtered(self) -> None:
        """What the nearest leaves far behind is filtered out."""
        nearest = chunk("c_nearest", "one", nearness=0.8)
        beside = chunk("c_beside", "two", nearness=0.8 * RELATIVE_GATE)
        behind = chunk("c_behind", "three", nearness=0.8 * RELATIVE_GATE - 0.01)
        covered = chunk("c_covered", "four", coverage=0.9)
        candidates = [nearest, beside, behind, covered]
        floor = nearest_floor(candidates)
        assert gate(candidates, 0.6, 0.8, floor) == ([nearest, beside, covered], [behind])
        assert gate(candidates, 0.6, 0.8) == (candidates, [])
        assert RELATIVE_GATE == 0.65
        assert drop_reason(behind, 0.6, 0.8, floor) == "far_behind_nearest"
        weak = chunk("c_weak", "five", score=0.6 - RETRY_THRESHOLD_DROP - 0.01)
        near = chunk("c_near", "six", score=0.55)
        again = chunk("c_again", "one", nearness=0.8)
        assert passed_over([behind, weak, near, again], 0.6, 0.8, floor) == [behind, near]

    def test_what_was_dropped_has_its_reason(self) -> None:
        below = chunk("c_below", "one", score=0.59)
        again = chunk("c_again", "two", score=0.1, coverage=0.9)
        twice = chunk("c_twice", "three", nearness=0.9)
        assert drop_reason(below, 0.6, 0.8, 0.5) == "below_threshold"
        assert drop_reason(again, 0.6, 0.8, 0.5) == "repeats_another"
        assert drop_reason(twice, 0.6, 0.8, 0.5) == "repeats_another"

    @given(candidates=st.lists(chunks, max_size=20), threshold=st.floats(0, 1))
    @settings(deadline=None, max_examples=examples(60))
    def test_kept_and_filtered_partition_candidates(
        self, candidates: list[EvidenceChunk], threshold: float
    ) -> None:
        """Kept and filtered out are the candidates."""
        kept, filtered_out = gate(candidates, threshold, 0.8)
        assert len(kept) + len(filtered_out) == len(candidates)
        assert sorted(map(id, [*kept, *filtered_out])) == sorted(map(id, candidates))
        assert all(item.score >= threshold or item.coverage >= 0.8 for item in kept)
        assert len({item.chunk_id for item in kept}) == len(kept)

    @given(candidates=st.lists(chunks, max_size=20), threshold=st.floats(0.05, 1))
    @settings(deadline=None, max_examples=examples(60))
    def test_lower_threshold_keeps_no_fewer(
        self, candidates: list[EvidenceChunk], threshold: float
    ) -> None:
        """A lower threshold lets at least as much through."""
        unlike = distinct(candidates)
        strict, _ = gate(unlike, threshold, 0.8)
        wide, _ = gate(unlike, threshold - 0.05, 0.8)
        assert {item.chunk_id for item in strict} <= {item.chunk_id for item in wide}


class TestDistinct:
    def test_the_first_of_an_id_stays(self) -> None:
        first, again = chunk(text="one thing"), chunk(text="another matter")
        assert distinct([first, again]) == [first]

    def test_formatting_differences_make_no_new_text(self) -> None:
        """The same text in other clothes is a duplicate."""
        first = chunk("c_1", "Annual leave: 25 days,\na year for everyone!")
        again = chunk("c_2", "ANNUAL LEAVE — 25 days a year, for everyone")
        assert distinct([first, again]) == [first]

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("25 days", "30 days"),
            ("shall be", "shall not be"),
            ("weekly", "monthly"),
            ("Anna Meyer", "Bob Meyer"),
        ],
    )
    def test_one_differing_word_keeps_both(self, one: str, other: str) -> None:
        """Long texts that differ in one word are both kept."""
        common = " ".join(f"word{letter}" for letter in string.ascii_lowercase) * 10
        pair = [
            chunk("c_1", f"{common} {one} {common}"),
            chunk("c_2", f"{common} {other} {common}"),
        ]
        assert distinct(pair) == pair

    def test_one_extra_word_stays_duplicate(self) -> None:
        """A long text with a word more is a duplicate."""
        common = " ".join(f"w{letter}x{other}" for letter in "abcdef" for other in "abcdefghij")
        first, longer = chunk("c_1", common), chunk("c_2", f"{common} indeed")
        assert distinct([first, longer]) == [first]

    @given(st.lists(chunks, max_size=15))
    @settings(deadline=None, max_examples=examples(60))
    def test_it_is_stable_and_idempotent(self, candidates: list[EvidenceChunk]) -> None:
        once = distinct(candidates)
        assert distinct(once) == once
        positions = [
            next(at for at, item in enumerate(candidates) if item is kept) for kept in once
        ]
        assert positions == sorted(positions)


class TestAugmentedQuery:
    def test_first_pass_searches_plain_question(self) -> None:
        """The first pass searches for the question itself."""
        assert augmented_query("How much leave?", None) == "How much leave?"

    def test_an_empty_critique_adds_nothing(self) -> None:
        assert augmented_query("How much leave?", Critique(confidence=0.2)) == "How much leave?"

    def test_claims_then_gaps_follow_the_question(self) -> None:
        critique = Critique(
            confidence=0.2,
            unsupported_claims=["Leave carries over"],
            logical_gaps=["Part-time staff"],
            conflicting_evidence=["not searched for"],
        )
        assert (
            augmented_query("How much leave?", critique)
            == "How much leave? Leave carries over Part-time staff"
        )

    def test_chunk_ids_are_not_search_terms(self) -> None:
        """Ids of chunks are no words to search for."""
        critique = Critique(confidence=0, unsupported_claims=["Leave [c_7f3akq2mxw4b] is 25 days"])
        assert augmented_query("Leave?", critique) == "Leave? Leave is 25 days"

    @given(texts=st.lists(st.text(max_size=500), max_size=30))
    @settings(deadline=None, max_examples=examples(40))
    def test_a_critique_cannot_swamp_the_question(self, texts: list[str]) -> None:
        query = augmented_query("How much?", Critique(confidence=0, logical_gaps=texts))
        assert query.startswith("How much?")
        assert len(query) <= len("How much?") + CRITIQUE_TEXTS * (CRITIQUE_TEXT_LIMIT + 1)


class TestCompress:
    def test_best_three_chunks_stay_whole(self) -> None:
        """The best three stay whole and the others become summaries."""
        long = [chunk(f"c_{n}", f"{n} " + "word " * 160) for n in range(5)]
        short = compress(long, {"c_3": "Three in short.", "c_0": "never used"})
        assert short.chunks[:3] == long[:3]
        assert short.chunks[3].text == "Three in short."
        assert short.chunks[4].text == ("4 " + "word " * 160)[:196]
        assert [item.chunk_id for item in short.chunks] == [f"c_{n}" for n in range(5)]
        assert not short.over_compressed

    def test_a_number_is_never_torn(self) -> None:
        text = "x" * 195 + " 1,250,000 euros"
        short = compress([chunk(text="a"), chunk(text="b"), chunk(text="c"), chunk(text=text)], {})
        assert short.chunks[3].text == "x" * 195

    def test_twenty_long_chunks_are_over_compressed(self) -> None:
        long = [chunk(f"c_{n}", "word " * 400) for n in range(20)]
        summaries = {item.chunk_id: "short" for item in long}
        short = compress(long, summaries)
        assert short.over_compressed
        assert short.ratio == pytest.approx(0.1521, abs=0.001)

    def test_compression_to_35_percent_passes(self) -> None:
        """At 35 per cent it is not over compressed."""
        long = [chunk(f"c_{n}", "x" * 35) for n in range(3)] + [chunk("c_4", "y" * 295)]
        assert compress(long, {"c_4": "z" * 35}).ratio == 0.35
        assert not compress(long, {"c_4": "z" * 35}).over_compressed
        assert compress(long, {"c_4": "z" * 34}).over_compressed

    def test_nothing_stays_nothing(self) -> None:
        assert compress([], {}).ratio == 1.0

    @given(
        texts=st.lists(st.text(max_size=900), max_size=12),
        summary=st.text(max_size=400),
    )
    @settings(deadline=None, max_examples=examples(60))
    def test_ids_survive_and_nothing_grows(self, texts: list[str], summary: str) -> None:
        long = [chunk(f"c_{n}", text) for n, text in enumerate(texts)]
        short = compress(long, {item.chunk_id: summary for item in long[::2]})
        assert [item.chunk_id for item in short.chunks] == [item.chunk_id for item in long]
        assert all(len(item.text) <= SUMMARY_CHARS for item in short.chunks[3:])
        assert 0 <= short.ratio <= 1


def test_the_average_of_nothing_is_zero() -> None:
    assert average([]) == 0.0
    assert average([0.6, 0.7, 0.75]) == 0.6833
