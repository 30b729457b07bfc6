from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.domain import EvidenceChunk, Place
from masis.extraction import (
    MAX_PASSAGES,
    MAX_SENTENCES,
    MAX_UNIT_CHARS,
    WHOLE_LIST,
    Scored,
    choose,
    embedded_text,
    fits,
    passages,
    score,
    wanted,
)
from masis.ports import Vectors
from tests.scripted_agents import chunk

LEAVE = chunk(
    0,
    text="Every employee has 26 days of annual leave a year. Up to 4 days may be carried over.",
    rank_score=0.9,
)
CANTEEN = chunk(
    1, text="The canteen on the ground floor opens at noon on weekdays.", rank_score=0.3
)
QUESTION = "How many days of annual leave does an employee have?"


def read(question: str, *evidence: EvidenceChunk) -> list[Scored]:
    """The passages scored by words alone, every term weighing the same."""
    return score(question, passages(evidence), None, None, {})


def texts(scored: list[Scored]) -> list[str]:
    return [one.passage.text for one in scored]


def flat(text: str) -> str:
    return " ".join(text.split())


# --- the kind of question ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When does the office open?", "time"),
        ("How long is the notice period?", "time"),
        ("By what time must I call in sick?", "time"),
        ("How much does a Wharfe 60 cost?", "money"),
        ("What is the price of the pump?", "money"),
        ("How many people work in Deventer?", "number"),
        ("What percentage of orders was late?", "number"),
        ("Who approves expenses?", "person"),
        ("Where is the depot?", "place"),
        ("Why was the release delayed?", "reason"),
        ("Can I bring my dog?", "yes_no"),
        ("is travel time paid?", "yes_no"),
        ("Tell me about the roadmap", "any"),
        ("", "any"),
    ],
)
def test_the_form_of_a_question_tells_what_it_wants(question: str, kind: str) -> None:
    assert wanted(question) == kind


def test_blanks_around_a_question_do_not_change_what_it_wants() -> None:
    assert wanted("  \n Can I bring my dog?  ") == "yes_no"


@pytest.mark.parametrize(
    ("question", "fitting", "other"),
    [
        ("When does it open?", "It opens at 08:30 on Mondays.", "It is a red brick house."),
        ("How many are there?", "There are 14 of them.", "They stand in the hall."),
        ("How much is it?", "It costs £40 a month.", "It is billed in advance."),
        ("Who approves it?", "Marta Jansen approves it.", "It must be approved in writing."),
        ("Why is it late?", "It is late because a part was missing.", "It is late by a lot."),
    ],
)
def test_a_text_fits_when_it_holds_what_was_asked_for(
    question: str, fitting: str, other: str
) -> None:
    assert fits(wanted(question), fitting)
    assert not fits(wanted(question), other)


# --- passages ------------------------------------------------------------------------------


def test_headings_and_lead_ins_are_no_passages_but_stay_with_what_follows() -> None:
    text = (
        "## Visitors\n\nVisitors must bring:\n\n- a passport or an identity card\n- the invitation"
    )
    found = passages([chunk(0, text=text)])

    assert [passage.text for passage in found] == [
        "a passport or an identity card",
        "the invitation",
    ]
    assert {passage.lead for passage in found} == {"Visitors must bring:"}
    assert {passage.heading for passage in found} == {"Visitors"}


def test_a_chunk_without_headings_of_its_own_has_those_of_its_place() -> None:
    inside = chunk(0, text="It opens at noon every day.", place=Place(headings=["Site", "Canteen"]))

    assert passages([inside])[0].heading == "Canteen"


def test_a_lead_in_ends_with_its_list() -> None:
    text = "Bring these:\n\n- a passport or card\n\nThe office opens at nine in the morning."
    found = passages([chunk(0, text=text)])

    assert [passage.lead for passage in found] == ["Bring these:", ""]


def test_code_and_endless_units_are_not_quoted() -> None:
    endless = "word " * MAX_UNIT_CHARS
    text = f"```\nmake test && make demo\n```\n\n{endless}.\n\nThe build takes four minutes on CI."

    assert [p.text for p in passages([chunk(0, text=text)])] == [
        "The build takes four minutes on CI."
    ]


def test_a_title_that_only_looks_like_a_sentence_is_not_quoted() -> None:
    found = passages([chunk(0, text="Fire safety on site\n\nThe assembly point is the car park.")])

    assert [passage.text for passage in found] == ["The assembly point is the car park."]


def test_what_two_chunks_share_is_one_passage_of_the_better_one() -> None:
    overlap = "Unused leave lapses at the end of March."
    first = chunk(0, text=f"Annual leave is 26 days. {overlap}")
    second = chunk(1, text=f"{overlap.upper()} Sick leave does not count.")
    found = passages([first, second])

    shared = [passage for passage in found if passage.text.casefold() == overlap.casefold()]
    assert [passage.chunk.chunk_id for passage in shared] == [first.chunk_id]


def test_a_sentence_that_leans_on_the_one_before_knows_it() -> None:
    found = passages([chunk(0, text="The pump is sealed. It must not be opened by the customer.")])

    assert [passage.dangling for passage in found if passage.text.startswith("It")] == [True]
    assert found[-1].before == "The pump is sealed."


def test_the_passages_of_one_question_are_bounded() -> None:
    many = [
        chunk(n, text="\n\n".join(f"Rule {n} of part {m} is written here." for m in range(20)))
        for n in range(20)
    ]
    found = passages(many)

    assert len(found) == MAX_PASSAGES
    assert found[0].chunk.chunk_id == many[0].chunk_id, "the best chunk's come first"


TEXTS = st.lists(
    st.sampled_from(
        [
            "The office opens at 08:30.",
            "# Opening hours",
            "- bring a passport",
            "Bring these:",
            "Product: pump | Price: 40",
            "| a | b |\n|---|---|\n| 1 | 2 |",
            "```\ncode [c_aaaaaaaaaaaa]\n```",
            "> quoted words stand here.",
            "“Never open it.”",
            "It is late. However it came.",
            "\n",
            "漢字と仮名。二番目の文。",
            "a" * 900,
            "…",
            "\x00\ufeff",
        ]
    )
    | st.text(max_size=80),
    max_size=12,
).map("\n".join)


@settings(max_examples=60, deadline=None)
@given(st.lists(TEXTS, max_size=4))
def test_every_passage_is_its_documents_own_words(documents: list[str]) -> None:
    evidence = [chunk(n, text=text or " ") for n, text in enumerate(documents)]
    found = passages(evidence)

    assert len({passage.key for passage in found}) == len(found)
    for passage in found:
        assert flat(passage.unit.text) in flat(passage.chunk.text)
        assert embedded_text(passage).strip()


# --- scores --------------------------------------------------------------------------------


def test_the_sentence_that_answers_scores_best() -> None:
    best = max(read(QUESTION, CANTEEN, LEAVE), key=lambda one: one.score)

    assert best.passage.text == "Every employee has 26 days of annual leave a year."


def test_vectors_decide_where_words_do_not() -> None:
    found = passages([chunk(0, text="Holiday runs to twenty-six days. The canteen sells soup.")])
    near, far = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    scored = score("time off", found, near, np.stack([near, far]), {})

    assert scored[0].score > scored[1].score
    assert [one.cosine for one in scored] == [1.0, 0.0]


def test_a_sentence_beside_a_near_one_scores_more_than_one_far_from_it() -> None:
    text = (
        "The probe drifts in the cold. It is then left for a while. The lab is on the first floor."
    )
    found = passages([chunk(0, text=text)])
    vectors: Vectors = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], dtype=np.float32)
    asked: Vectors = np.array([1.0, 0.0], dtype=np.float32)

    near, beside, far = score("", found, asked, vectors, {})

    assert near.score > beside.score > far.score
    assert beside.cosine == far.cosine == 0.0


def test_a_term_that_is_rare_weighs_more() -> None:
    evidence = [chunk(0, text="The pump is sold in Deventer. The valve is sold in Kettering.")]
    weights = {"valv": 5.0, "sold": 0.1}
    by_text = {
        one.passage.text: one.coverage
        for one in score("Which valve is sold?", passages(evidence), None, None, weights)
    }

    assert by_text["The valve is sold in Kettering."] > 2 * by_text["The pump is sold in Deventer."]


def test_a_heading_speaks_for_what_stands_under_it() -> None:
    under = chunk(0, text="It takes four weeks from the signed order.", context="Delivery times")
    other = chunk(1, text="It takes four weeks from the signed order on.", context="Refunds")
    scored = read("How long is delivery?", under, other)

    assert scored[0].coverage > scored[1].coverage


def test_a_sentence_torn_in_the_middle_scores_less_than_a_whole_one() -> None:
    torn, whole = read(
        QUESTION,
        chunk(0, text="employees have 26 days of annual leave in every year."),
        chunk(1, text="Employees have 26 days of annual leave in each year."),
    )

    assert torn.score < whole.score


def test_scores_stand_in_the_place_of_their_passages() -> None:
    found = passages([LEAVE, CANTEEN])
    scored = score(QUESTION, found, None, None, {})

    assert [one.passage for one in scored] == found
    assert [one.vector for one in scored] == list(range(len(found)))
    assert score(QUESTION, [], None, None, {}) == []


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200), TEXTS)
def test_scores_are_finite_whatever_is_asked(question: str, document: str) -> None:
    for one in read(question, chunk(0, text=document or " ")):
        assert np.isfinite(one.score)
        assert 0.0 <= one.coverage <= 1.0 + 1e-9


# --- the choice ----------------------------------------------------------------------------


def test_the_best_is_chosen_and_what_is_far_below_it_is_not() -> None:
    chosen = texts(choose(read(QUESTION, LEAVE, CANTEEN), None))

    assert "Every employee has 26 days of annual leave a year." in chosen
    assert CANTEEN.text not in chosen


def test_nothing_to_choose_from_gives_nothing() -> None:
    assert choose([], None) == []


def test_a_sentence_inside_a_chosen_one_is_not_chosen_too() -> None:
    whole = "Every employee has 26 days of annual leave a year, and part-time staff pro rata."
    inside = "Every employee has 26 days of annual leave a year"
    chosen = texts(choose(read(QUESTION, chunk(0, text=whole), chunk(1, text=inside)), None))

    assert len([text for text in chosen if "26 days" in text]) == 1


def same_direction(count: int) -> Vectors:
    return np.stack([np.array([1.0, 0.0], dtype=np.float32)] * count)


def test_a_sentence_takes_the_place_of_a_title_that_it_repeats() -> None:
    text = "- Gloves\n\nNitrile gloves of 0.4 mm are worn for all work with acid."
    scored = read("gloves", chunk(0, text=text))

    assert texts(choose(scored, None)) == [
        "Nitrile gloves of 0.4 mm are worn for all work with acid."
    ]


def test_the_same_said_in_other_words_is_chosen_once_but_other_figures_stay() -> None:
    def chosen(second: str) -> list[str]:
        first = "Every employee has 26 days of annual leave a year."
        found = passages([chunk(0, text=first), chunk(1, text=second)])
        vectors = same_direction(len(found))
        return texts(choose(score(QUESTION, found, vectors[0], vectors, {}), vectors))

    assert len(chosen("An employee gets 26 days of annual leave each year.")) == 1
    assert len(chosen("An employee gets 30 days of annual leave each year.")) == 2


ITEMS = ["a passport for the visit", "a letter for the visit", "a photo for the visit"]


def test_a_short_list_is_shown_whole_once_most_of_it_was_chosen() -> None:
    items = "\n".join(f"- {item}" for item in [*ITEMS, "one pound in coins"])
    evidence = chunk(0, text=f"For the visit bring:\n\n{items}")
    chosen = texts(choose(read("What must I bring for the visit?", evidence), None))

    assert set(chosen) == {*ITEMS, "one pound in coins"}


def test_rows_of_two_tables_are_not_taken_for_one_list() -> None:
    prices = "\n".join(f"Pump: W{n} | Price: {n}00" for n in range(3))
    weights = "\n".join(f"Valve: V{n} | Weight: {n} kg" for n in range(3))
    evidence = chunk(0, text=f"{prices}\n\n{weights}")
    chosen = texts(choose(read("What is the price of each pump?", evidence), None))

    assert chosen
    assert all(text.startswith("Pump:") for text in chosen)


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=4), st.sampled_from([QUESTION, "Price?", "x", "漢字"]))
def test_the_choice_is_bounded_distinct_and_holds_the_best(
    documents: list[str], question: str
) -> None:
    scored = read(question, *(chunk(n, text=text or " ") for n, text in enumerate(documents)))
    chosen = choose(scored, None)

    keys = Counter(one.passage.key for one in chosen)
    assert set(keys) <= {one.passage.key for one in scored}
    assert all(count == 1 for count in keys.values())
    assert len(chosen) <= MAX_SENTENCES * WHOLE_LIST
    assert bool(chosen) == bool(scored)
