import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.adapters import minilm, multilingual_e5
from masis.domain import EvidenceChunk, Place
from masis.extractive.answer_reading import Read
from masis.extractive.answerability import (
    DETAILED_QUESTION,
    FITTED,
    STOPPED,
    UNREAD,
    Marks,
    Model,
    Signals,
    fitted,
    signals,
)
from masis.policy import BADGE_HIGH, CONFIDENCE_THRESHOLD, RELEVANCE_THRESHOLD
from masis.retrieval.extraction import Scored, passages, score
from tests.examples import examples
from tests.scripted_agents import chunk

QUESTION = "How many days of annual leave does an employee have?"
UNIT = st.floats(0, 1)
NAMES = sorted(name for name in Signals.model_fields if name != "manner")


def found(value: float = 0.5, **others: float) -> Signals:
    return Signals.model_validate(dict.fromkeys(NAMES, value) | others)


def look_at(**more: Any) -> Signals:
    return signals(QUESTION, [], has_vectors=True, **more)


def sure(probability: float, **marks: Any) -> Model:
    """A model that gives this probability whatever it sees."""
    logit = math.log(probability / (1 - probability))
    values = {"passing": 0.4, "high": 0.7} | marks
    return Model(intercept=logit, coefficients={}, **values)


# --- the model -----------------------------------------------------------------------------


def test_fitted_marks_map_to_confidence_marks() -> None:
    """The two marks land on the pass mark and the high mark."""
    assert sure(0.4).confidence(found()) == pytest.approx(CONFIDENCE_THRESHOLD, abs=1e-3)
    assert sure(0.7).confidence(found()) == pytest.approx(BADGE_HIGH, abs=1e-3)


@settings(max_examples=examples(60), deadline=None)
@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_confidence_is_monotonic_in_probability(one: float, other: float) -> None:
    """A likelier answer is never less confident."""
    low, high = sorted((one, other))

    assert sure(low).confidence(found()) <= sure(high).confidence(found())


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.floats(-1e9, 1e9), min_size=len(NAMES), max_size=len(NAMES)), UNIT)
def test_probability_and_confidence_stay_bounded(coefficients: list[float], value: float) -> None:
    """Whatever the coefficients are probability and confidence stay in range."""
    weighed = dict(zip(NAMES, coefficients, strict=True))
    model = Model(intercept=0.0, coefficients=weighed, passing=0.5, high=0.8)

    assert 0.0 <= model.probability(found(value)) <= 1.0
    assert 0.0 <= model.confidence(found(value)) < 1.0


def test_fitted_model_uses_existing_signals() -> None:
    """The fitted model knows only signals that exist."""
    assert set(FITTED.coefficients) <= set(NAMES)
    assert 0.0 < FITTED.passing < FITTED.high < 1.0


def test_support_raises_confidence_rivals_lower_it() -> None:
    """What speaks for an answer raises the confidence and rivals lower it."""
    for name, weight in FITTED.coefficients.items():
        more, less = (
            FITTED.probability(found(**{name: 1.0})),
            FITTED.probability(found(**{name: 0.0})),
        )
        assert (more > less) == (weight > 0), name
    against = {name for name, weight in FITTED.coefficients.items() if weight < 0}
    assert against <= {"rivals", "others", "absent", "brief", "written"}
    assert {"others", "absent"} <= against


def test_full_support_passes_none_fails() -> None:
    """An answer for which everything speaks passes and one for which nothing does fails."""
    for_it = found(1.0, rivals=0.0, others=0.0, absent=0.0)
    against = found(0.0, rivals=1.0, others=1.0, absent=1.0)

    assert FITTED.confidence(for_it) >= CONFIDENCE_THRESHOLD
    assert FITTED.confidence(against) < CONFIDENCE_THRESHOLD


def test_manner_of_asking_chooses_marks() -> None:
    """A manner with marks of its own is held to those; others to the model's."""
    model = sure(0.5).model_copy(update={"manners": {"told": Marks(passing=0.5, high=0.9)}})
    told, chat = (found().model_copy(update={"manner": name}) for name in ("told", "chat"))

    assert model.confidence(told) == pytest.approx(CONFIDENCE_THRESHOLD, abs=1e-3)
    assert model.confidence(chat) > CONFIDENCE_THRESHOLD


# --- the signals ---------------------------------------------------------------------------


def reading(question: str, *evidence: EvidenceChunk) -> list[Scored]:
    return score(question, passages(evidence), None, None, {})


LEAVE = chunk(0, text="Every employee has 26 days of annual leave a year.", rank_score=0.9)
CANTEEN = chunk(1, text="The canteen opens at noon on all working days.", rank_score=0.2)


def seen(question: str, *evidence: EvidenceChunk) -> Signals:
    return signals(question, reading(question, *evidence), has_vectors=False)


def test_passage_with_words_is_near() -> None:
    """A passage that has the words is near."""
    assert seen(QUESTION, LEAVE).nearness > seen(QUESTION, CANTEEN).nearness


def test_typed_question_tells_the_manner() -> None:
    """It is the question as it was typed; the length is that of what is searched."""
    worded = look_at(typed="how many days leave")
    written = look_at(is_absent=True)

    assert (worded.manner, worded.written, worded.absent) == ("chat", 0.0, 0.0)
    assert (written.manner, written.written, written.absent) == ("sentence", 1.0, 1.0)
    assert worded.length == written.length > 0.0


@pytest.mark.parametrize(
    ("question", "text", "heading", "stated"),
    [
        ("what is the policy on gifts", "Gifts are declined.", "", 1.0),
        ("any rules about visitors?", "They wear a badge all day.", "2. Visitors", 1.0),
        ("what is the policy on gifts", "Suppliers may offer gifts.", "Suppliers", 0.0),
        ("what is the policy on company cars", "Cars are washed weekly.", "Cars", 0.0),
    ],
)
def test_rules_on_a_thing_are_stated(question: str, text: str, heading: str, stated: float) -> None:
    """They are where a passage begins with the thing, or stands under its name alone."""
    scored = [
        replace(one, passage=replace(one.passage, heading=heading))
        for one in reading(question, chunk(0, text=text))
    ]

    assert signals(question, scored, has_vectors=False).stated == stated


@pytest.mark.parametrize(
    ("question", "text", "stated"),
    [
        ("how soon must a loss be reported", "Report the loss of a badge within 2 hours.", 1.0),
        ("how quickly do i report a theft", "Report theft at once.", 1.0),
        ("how soon must a loss be reported", "A badge is replaced within 2 hours.", 0.0),
        ("how soon must a loss be reported", "Report the loss to the desk.", 0.0),
        ("why must a loss be reported", "Report the loss of a badge within 2 hours.", 0.0),
    ],
)
def test_deadline_of_what_is_done_is_stated(question: str, text: str, stated: float) -> None:
    """It is where the passage says how soon, and says so of what is to be done."""
    scored = reading(question, chunk(0, text=text))

    assert signals(question, scored, has_vectors=False).stated == stated


@pytest.mark.parametrize(
    ("rows", "stated"),
    [
        (["Item: Hotel, London | Limit: £170", "Item: Hotel, Leeds | Limit: £130"], 1.0),
        (["Item: Hotel, London | Limit: £170", "Item: Hotel outside London | Limit: £130"], 1.0),
        (["Item: Hotel, London | Limit: £170", "Item: Hotel, London centre | Limit: £190"], 0.0),
        (["Item: Hotel, Leeds | Limit: £130"], 0.0),
    ],
)
def test_one_row_of_all_words_is_stated(rows: list[str], stated: float) -> None:
    """A row in force that has every word of the question says it, where no other row has them."""
    question = "what's the hotel limit in London?"
    scored = reading(question, chunk(0, text="\n".join(rows)))

    assert signals(question, scored, has_vectors=False).stated == stated


def test_with_vectors_nearness_is_a_cosine() -> None:
    scored = [replace(one, cosine=0.73) for one in reading(QUESTION, LEAVE)]

    assert signals(QUESTION, scored, has_vectors=True).nearness == 0.73


def near(*nearness: float) -> float:
    """The step between chunks that are so near to the question."""
    evidence = [
        chunk(n, text=f"The canteen opens at {n} on all working days.", nearness=value)
        for n, value in enumerate(nearness)
    ]
    return seen(QUESTION, *evidence).step


def test_leading_chunks_make_a_step() -> None:
    """Chunks that lie above the rest make a step."""
    assert near(0.9, 0.5, 0.4, 0.4) == pytest.approx(0.5)
    assert near(0.9, 0.8, 0.4) == near(0.4, 0.9, 0.8) == pytest.approx(0.5)
    assert near(0.9, 0.9, 0.9, 0.4) == 0.0


def test_gated_step_drops_to_gate() -> None:
    """Where the gate stopped the rest the step goes down to it."""
    assert near(0.9) == near(0.9, 0.8) == pytest.approx(0.9 - STOPPED)
    assert near(STOPPED / 2) == 0.0


def test_step_uses_current_embedders_gate() -> None:
    """The step goes down to the gate of the embedder in use."""
    alone = chunk(0, text="The canteen opens at noon on all working days.", nearness=0.4)
    scored = reading(QUESTION, alone)

    assert signals(QUESTION, scored, has_vectors=True, stopped=0.19).step == pytest.approx(0.21)


def test_multilingual_embedder_has_own_model() -> None:
    """An embedder with cosines of its own has a model of its own."""
    assert fitted(None) is fitted(minilm.PROFILE) is FITTED
    own = fitted(multilingual_e5.PROFILE)

    assert own is not FITTED
    # Its gate is where its calibration has it.
    assert multilingual_e5.PROFILE.relevance(own.stopped) == pytest.approx(RELEVANCE_THRESHOLD)
    assert minilm.PROFILE.relevance(FITTED.stopped) == pytest.approx(RELEVANCE_THRESHOLD)


def test_chunk_counts_once_despite_passages() -> None:
    """A chunk counts once however many passages it has."""
    several = LEAVE.model_copy(update={"nearness": 0.9, "text": LEAVE.text + " Ask HR for more."})

    assert seen(QUESTION, several).step == pytest.approx(0.9 - STOPPED)


def test_detailed_question_is_clearer() -> None:
    """A question told in full is clearer."""
    elsewhere = chunk(0, text="The works is open from six.", rank_score=1.0)
    assert seen("leave?", elsewhere).detail < seen("How much leave is there?", elsewhere).detail
    assert seen("", LEAVE).detail == 0.0
    assert seen("leave " * DETAILED_QUESTION, LEAVE).detail == 1.0


CASE = "My sister moves house in May and I would like to help her."


def test_preceding_case_adds_no_detail() -> None:
    """A case told before a question is no detail of it."""
    plain, told = seen(QUESTION, LEAVE, CANTEEN), seen(f"{CASE} {QUESTION}", LEAVE, CANTEEN)

    assert plain.detail == told.detail < 1.0
    assert plain.known == told.known


@pytest.mark.parametrize(
    ("question", "brief"),
    [
        ("leave?", 1.0),
        (" ".join(["leave"] * 6), 1.0),
        (" ".join(["leave"] * 8), 0.5),
        (QUESTION, 0.0),
    ],
)
def test_few_words_make_a_question_brief(question: str, brief: float) -> None:
    assert seen(question, LEAVE).brief == brief


PUMP = chunk(0, text="The suction lift of a Wharfe 60 is 3.5 m. Ask for the form.")


def test_brief_question_counts_meaningful_words() -> None:
    """A brief question is told by the words that carry its meaning."""
    unclear, clear = (
        seen(question, PUMP).brief_terms
        for question in ("Which form do I need?", "Wharfe 60 suction lift")
    )

    assert 0.0 < unclear < clear < 1.0
    assert seen("lift " * 6, PUMP).brief_terms == unclear, "the same word again tells nothing"
    assert seen(QUESTION, LEAVE).brief_terms == 0.0, "of a long one its length speaks"


def test_unknown_word_leaves_brief_terms_unchanged() -> None:
    """A word that no passage knows tells nothing."""
    plain, more = (
        seen(question, PUMP).brief_terms
        for question in ("Wharfe 60 suction lift", "Wharfe 60 suction lift in Germany")
    )

    assert plain == more


@pytest.mark.parametrize(
    ("said", "is_stated"),
    [
        ("The mileage rate is 45p per mile.", True),
        ("3.2 The mileage rate is 45p per mile.", True),
        ("- Mileage rate: 45p per mile", True),
        ("The usual mileage rate is 45p.", True),
        ("The mileage rate of a motorcycle is 24p.", False),
        ("The rate is 45p, and mileage is counted from the office.", False),
        ("Ask your manager what the mileage rate is.", False),
    ],
)
def test_requested_statement_is_recognised(said: str, *, is_stated: bool) -> None:
    """What a passage states is told by asking for it."""
    told = seen("What is the mileage rate?", chunk(0, text=said)).stated

    assert told == is_stated


def test_single_word_is_never_stated() -> None:
    """One word alone is stated by no passage."""
    assert not seen("approval?", chunk(0, text="Approval is given by mail.")).stated


RARE = {"annual": 1.0, "leav": 1.0, "sabbat": 6.0}


def known(question: str, *evidence: EvidenceChunk) -> float:
    scored = reading(question, *evidence)
    return signals(question, scored, has_vectors=False, weights=RARE).known


def test_rare_known_words_weigh_more() -> None:
    """A question is known by its own words as they are rare."""
    assert known("do we have annual leave", LEAVE) == 1.0
    assert known("do we have annual sabbaticals", LEAVE) == pytest.approx(1 / 7)
    assert known("do we have sabbaticals", LEAVE) == 0.0
    assert known("annual leave", CANTEEN) == 0.0


def test_mistyped_word_counts_as_intended() -> None:
    """A mistyped word is known as the one that is meant."""
    assert known("how much anual leave", LEAVE) == 1.0
    assert known("how much canal leave", LEAVE) < 1.0


def test_case_words_count_for_empty_request() -> None:
    """Where the asking part names nothing the case does."""
    assert known("My annual leave goes on. What should I do?", LEAVE) == 1.0
    assert known("My sabbatical goes on. What should I do?", LEAVE) == 0.0


def test_common_question_words_are_ignored() -> None:
    """Words of any question are none of its own."""
    assert known("hi, thanks, what is leave", LEAVE) == known("leave", LEAVE) == 1.0


def test_unknown_word_lookup_is_bounded() -> None:
    """Many unknown words are looked for within bounds."""
    words = " ".join(f"annual{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(600))

    assert 0.0 <= known(words, LEAVE) <= 1.0


def test_nearest_best_passage_means_agreement() -> None:
    """Search and reading agree where the best passage is nearest."""
    near_one = LEAVE.model_copy(update={"nearness": 0.9})
    far_one = LEAVE.model_copy(update={"nearness": 0.1})
    other = CANTEEN.model_copy(update={"nearness": 0.5})

    assert seen(QUESTION, near_one, other).agreement == 1.0
    assert seen(QUESTION, far_one, other).agreement == 0.0


TRIPS = chunk(0, text="Class 7: a week in Lille, £420.\n\nClass 9: two days in Whitby, £95.")


def test_passages_name_other_years_or_numbers() -> None:
    """Passages of another year or numbered thing speak of others."""
    assert seen("how much is the class 8 trip", TRIPS).others == 1.0
    assert seen("how much is the class 9 trip", TRIPS).others == 0.0
    assert seen("how much was the trip in 2019", TRIPS).others == 1.0


def test_document_name_may_contain_year() -> None:
    """A year may stand in the name of the document."""
    named = TRIPS.model_copy(update={"document": "trips-2019.md"})

    assert seen("how much was the trip in 2019", named).others == 0.0


def test_case_figure_is_not_requested() -> None:
    """A figure of the case is not asked for."""
    assert seen("My son was in class 8 in 2019. How much is the Lille trip?", TRIPS).others == 0.0


def test_equally_answering_documents_are_rivals() -> None:
    """Other documents that answer as well are rivals."""
    same = [chunk(n, text=f"{LEAVE.text[:-1]}, rule {n}.", rank_score=0.9) for n in range(1, 4)]
    own = same[0].model_copy(update={"document_id": LEAVE.document_id})

    assert seen(QUESTION, LEAVE).rivals == seen(QUESTION, LEAVE, own).rivals == 0.0
    assert seen(QUESTION, LEAVE, *same).rivals > seen(QUESTION, LEAVE, same[0]).rivals > 0.0


def in_parts(*near: list[float]) -> Signals:
    """What two documents say on a question in parts, given how near each is to each part."""
    other = chunk(1, text=f"{LEAVE.text[:-1]} in Deventer.", rank_score=0.9)
    return signals(
        QUESTION, reading(QUESTION, LEAVE, other), has_vectors=False, parts_near=list(near)
    )


def test_documents_answering_parts_are_no_rivals() -> None:
    """Documents that each answer a part are no rivals."""
    assert in_parts().rivals > 0.0
    assert in_parts([0.8, 0.1], [0.1, 0.8]).rivals == 0.0


def test_unanswered_part_keeps_rivals() -> None:
    """A part without an answer leaves the documents rivals."""
    assert in_parts([0.8, 0.1], [0.1, 0.4]) == in_parts()


def test_fully_answering_document_keeps_rivals() -> None:
    """One document that answers every part has rivals as ever."""
    assert in_parts([0.8, 0.1], [0.7, 0.1]) == in_parts()


def test_reader_probability_is_used_unchanged() -> None:
    """The reading models word is taken as it is."""
    read = look_at(read=Read(chunk=0.7, passage=0.2))

    assert (read.read, read.passage_read) == (0.7, 0.2)


def test_unread_evidence_counts_as_undecided() -> None:
    """Where nobody has read it is taken to be undecided."""
    assert look_at().read == look_at().passage_read == UNREAD == 0.5


def test_no_passages_support_nothing() -> None:
    """No passages at all speak for nothing."""
    nothing = signals(QUESTION, [], has_vectors=True)

    assert (nothing.nearness, nothing.step, nothing.rivals) == (0, 0, 0)
    assert (nothing.agreement, nothing.known, nothing.others) == (0, 0, 0)
    assert FITTED.confidence(nothing) < CONFIDENCE_THRESHOLD


@settings(max_examples=examples(60), deadline=None)
@given(
    st.text(max_size=120),
    st.lists(st.tuples(st.text(min_size=1, max_size=60), st.floats(-2, 2)), max_size=4),
    st.floats(-1.01, 1.01),
    st.booleans(),
)
def test_signals_stay_in_range(
    question: str, texts: list[tuple[str, float]], cosine: float, has_vectors: bool
) -> None:
    """Signals are in range whatever was asked and found."""
    evidence = [chunk(n, text=text, rank_score=rank) for n, (text, rank) in enumerate(texts)]
    scored = [replace(one, cosine=cosine) for one in reading(question, *evidence)]
    read = signals(question, scored, has_vectors=has_vectors)

    assert all(0.0 <= getattr(read, name) <= 1.0 for name in NAMES)
    assert 0.0 <= FITTED.confidence(read) <= 1.0


# --- pronouns ------------------------------------------------------------------------------


def test_steps_under_its_name_are_stated() -> None:
    """Steps answer how to do what the heading over them names."""
    steps = "- photograph the glaze\n- weigh the clay\n- enter both in the log"
    asked = "how do I log a glaze"
    listed = [
        replace(one, passage=replace(one.passage, heading="Logging a glaze"))
        for one in reading(asked, chunk(0, text=steps))
    ]
    other = [replace(one, passage=replace(one.passage, heading="Opening hours")) for one in listed]

    assert signals(asked, listed, has_vectors=False).stated == 1.0
    assert signals(asked, other, has_vectors=False).stated == 0.0


def test_row_of_the_code_is_stated() -> None:
    """A row that is called by the one code of a question states it; beside it nothing is asked."""
    row = chunk(0, text="Code: E14 | Meaning: Door open | Do: Shut it")
    assert seen("what does error E14 mean?", row).stated
    assert not seen("what does a part for E14 cost?", row).stated
    assert not seen("what does error E15 mean?", row).stated
    assert seen("what do we pay for a 4466?", chunk(0, text="Part: 4466 | Price: £11.40")).stated


def test_heading_that_is_asked_for_counts_as_stated() -> None:
    """The best passage under the very name of what is asked about states it."""
    place = Place(headings=["3 Working hours", "3.1 The week"])
    week = chunk(0, text="The full week has 37 hours, Monday to Friday.", place=place)

    def stated(question: str) -> float:
        scored = score(question, passages([week]), None, None, {})
        return signals(question, scored, has_vectors=False).stated

    assert stated("what are the working hours") == 1.0
    assert stated("what are the working hours of drivers") == 0.0


def test_place_under_its_name_is_stated() -> None:
    """Where to do a thing is stated under its name and a place."""
    rule = chunk(0, text="Park behind the shed.", place=Place(headings=["7. Parking in York"]))

    assert seen("where do I park", rule).stated
    assert not seen("when do I park", rule).stated
    assert not seen("where do I park a van", rule).stated
