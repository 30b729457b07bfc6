"""What holds of a classification, whatever its analyzer says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.domain import Answered
from masis.graphs.classification import texts
from masis.graphs.classification.ambiguity import promised
from masis.graphs.classification.graph import CLASSIFICATION
from masis.graphs.classification.state import Analysis, Candidate
from masis.graphs.classification.thresholds import MOST_FITTED, MOST_NEEDS, MOST_QUESTIONS
from tests.examples import examples
from tests.masis.graphs.classification.scripted import (
    CLEAR,
    IMPROVE,
    MATCH,
    MORE,
    OFFICE,
    TWINS,
    Finder,
    Script,
    Talk,
    candidate,
)

STATUSES = st.sampled_from([MATCH, MORE, IMPROVE, Analysis(status="MATCH_FOUND", code="none")])
LISTS = st.sampled_from([CLEAR, TWINS, []])


@settings(max_examples=examples(60), deadline=None)
@given(
    script=st.lists(STATUSES, min_size=1, max_size=8),
    found=LISTS,
    relevance=st.sampled_from([0.0, 0.9]),
    said=st.sampled_from(["tickets for the tram", "tickets for the tram and rent; a desk"]),
)
async def test_it_never_loops(
    script: list[Analysis], found: list[Candidate], relevance: float, said: str
) -> None:
    """A round has two retrievals at most, and three questions are asked at most."""
    finder = Finder(found, relevance)
    talk = Talk(finder, Script(script))
    state = await talk.say(said)
    rounds = 1
    while talk.waits:
        state = await talk.reply("it is about customers")
        rounds += 1
        assert rounds <= MOST_QUESTIONS + 1
    steps = [entry["node"] for entry in state["trace"]]
    assert steps.count("retrieval") <= 2 * rounds
    assert len(finder.asked) <= 2 * rounds + MOST_NEEDS  # parts of the first description


@settings(max_examples=examples(40), deadline=None)
@given(behind=st.floats(0.0, 0.34), script=st.lists(STATUSES, min_size=1, max_size=4))
async def test_ambiguity_forbids_a_match(behind: float, script: list[Analysis]) -> None:
    """Twins of different parents are asked about, even where the analyzer always says it found it."""
    twins = [TWINS[0], TWINS[1].model_copy(update={"score": TWINS[0].score - behind})]
    state = await Talk(Finder(twins), Script(script)).say("somebody who drives")
    final = state["analyzer_response"]
    assert final is not None
    assert final.status == "MORE_INFO"
    assert final.options == ["Drivers (Travel)", "Drivers (Office)"]


async def test_missing_attributes_forbid_a_match() -> None:
    """Titles that differ by words of which the text has none are not told apart by a small lead."""
    found = [
        candidate("201", "Heavy truck drivers", 9.0),
        candidate("101", "Light van drivers", 8.0, []),
    ]
    asked = await Talk(Finder(found)).say("drives around for us")
    told = await Talk(Finder(found)).say("drives a heavy one for us")
    assert asked["analyzer_response"].status == "MORE_INFO"  # type: ignore[union-attr]
    assert told["analyzer_response"].code == "201"  # type: ignore[union-attr]


async def test_shared_words_alone_forbid_a_match() -> None:
    found = [candidate("201", "Truck drivers", 9.0), candidate("101", "Van drivers", 3.0, [])]
    state = await Talk(Finder(found)).say("drivers")
    assert state["analyzer_response"].status == "MORE_INFO"  # type: ignore[union-attr]


async def test_fragments_become_their_parent() -> None:
    found = [candidate("201", "Trains", 9.0), candidate("202", "Trams", 8.9), CLEAR[1]]
    state = await Talk(Finder(found)).say("tickets for journeys on rails")
    final = state["analyzer_response"]
    assert final is not None
    assert (final.status, final.code, final.among) == ("MATCH_FOUND", "20", ["201", "202"])


async def test_there_is_no_second_correction() -> None:
    analyzer = Script([IMPROVE])
    finder = Finder(CLEAR)
    state = await Talk(finder, analyzer).say("tickets for the tram")
    assert analyzer.may == [True, False]
    assert finder.asked == [["tickets for the tram"], ["railway"]]
    assert state["analyzer_response"].status == "MORE_INFO"  # type: ignore[union-attr]


@pytest.mark.parametrize("code", ["9999", "101"])
async def test_implausible_codes_change_nothing(code: str) -> None:
    """A row that talks an analyzer into its code is no match where it does not fit."""
    obeys = Script([Analysis(status="MATCH_FOUND", code=code)])
    state = await Talk(Finder(CLEAR), obeys).say("tickets for the tram")
    assert state["analyzer_response"].code == "201"  # type: ignore[union-attr]


async def test_places_alone_guess_nothing() -> None:
    finder = Finder(CLEAR)
    state = await Talk(finder, Script([MATCH])).say("in Berlin, Germany")
    final = state["analyzer_response"]
    assert final is not None
    assert (final.status, final.options) == ("MORE_INFO", [])
    assert finder.asked == [[]]


async def test_nothing_derived_outlives_a_reply() -> None:
    """Only the messages stay: a second round knows nothing that the first one made of them."""
    finder = Finder(TWINS)
    talk = Talk(finder, Script([IMPROVE, MATCH, MATCH]))
    first = await talk.say("somebody who drives")
    assert (first["improved_search_count"], talk.waits) == (1, True)
    finder.candidates = CLEAR
    second = await talk.reply("on rails")
    assert second["improved_search_count"] == 0
    assert [each.code for each in second["retrieved_results"]] == ["201", "101"]
    assert [each.role for each in second["messages"]] == ["asker", "bot", "asker"]
    assert finder.asked[-1] == ["on rails", "somebody who drives"]


async def test_it_waits_before_anything_is_said() -> None:
    """What is asked is checkpointed, and asking again brings the same question."""
    talk = Talk(Finder(TWINS))
    state = await talk.say("somebody who drives")
    waiting = talk.compiled.get_state(talk.config)
    assert waiting.next == ("user_info",)
    assert [each.value for each in waiting.interrupts] == [None]  # its words are the outcome's
    assert state["analyzer_response"].options  # type: ignore[union-attr]


@pytest.mark.parametrize("reply", ["Drivers (Office)", "2", "the second one", "drivers (office)."])
async def test_choices_are_taken(reply: str) -> None:
    talk = Talk(Finder(TWINS))
    await talk.say("somebody who drives")
    state = await talk.reply(reply)
    final = state["analyzer_response"]
    assert final is not None
    assert (final.status, final.code, final.reason) == ("MATCH_FOUND", "101", "chosen")


async def test_rejected_codes_are_not_offered_again() -> None:
    finder = Finder(TWINS)
    talk = Talk(finder)
    await talk.say("somebody who drives")
    finder.candidates = [*TWINS, candidate("301", "Pilots", 5.0, [])]
    state = await talk.reply("none of these, they fly")
    assert state["analyzer_response"].code == "301"  # type: ignore[union-attr]


async def test_undecided_askers_get_a_group_at_once() -> None:
    """Words of the description that tell some of those offered apart are no second question then."""
    found = [candidate("201", "Truck drivers", 9.0), candidate("101", "Van drivers", 8.9, [OFFICE]), candidate("102", "Pilots", 8.8, [OFFICE])]  # fmt: skip
    talk = Talk(Finder(found))
    asked = await talk.say("drivers")
    state = await talk.reply("no idea")
    final = state["analyzer_response"]
    assert asked["analyzer_response"].status == "MORE_INFO"  # type: ignore[union-attr]
    assert final is not None
    assert (final.status, final.code, final.reason) == ("MATCH_FOUND", "20", "undecided")
    assert not talk.waits


async def test_undecided_about_nothing_ends() -> None:
    """Where nothing was near there is no group to give, and nothing more to ask."""
    talk = Talk(Finder([]))
    asked = await talk.say("asdfgh")
    state = await talk.reply("I don't know")
    final = state["analyzer_response"]
    assert asked["analyzer_response"].reason == "nothing_near"  # type: ignore[union-attr]
    assert final is not None
    assert (final.status, final.reason, final.question) == (
        "MORE_INFO",
        "limit",
        texts.STILL_NOTHING,
    )
    assert not talk.waits


async def test_strange_texts_are_offered_nothing() -> None:
    """No row has a word of it, and no passage is near: codes that are far come in no order."""
    far = [candidate("201", "Trains", 4.0), candidate("101", "Rent", 3.8, [OFFICE])]
    far = [each.model_copy(update={"cosine": 0.27}) for each in far]
    state = await Talk(Finder(far, relevance=0.3)).say("the best pizza")
    final = state["analyzer_response"]
    assert final is not None
    assert (final.reason, final.options) == ("nothing_near", [])


@pytest.mark.parametrize(
    ("spread", "relevance", "words", "is_offered"),
    [(0.5, 0.1, [], False), (0.7, 0.1, [], True), (0.5, 0.1, ["rent"], True), (0.5, 0.9, [], True)],
)
async def test_lists_of_titles_offer_what_lies_apart(
    spread: float, relevance: float, words: list[str], *, is_offered: bool
) -> None:
    """Such a list is of what is near to some titles and far from others, and of what stands in it."""
    far = [candidate("101", "Rent", 4.6, [OFFICE]), candidate("201", "Trains", 4.0), candidate("102", "Desks", 2.9, [OFFICE])]  # fmt: skip
    far = [each.model_copy(update={"cosine": 0.27, "words": words}) for each in far]
    state = await Talk(Finder(far, relevance=relevance, spread=spread)).say("a ticket to Leeds")
    final = state["analyzer_response"]
    assert final is not None
    offered = ["Rent", "Trains", "Desks"] if is_offered else []
    assert (final.status, final.options) == ("MORE_INFO", offered)


async def test_only_what_is_near_the_best_is_offered() -> None:
    """What is a step behind is neither offered, nor below a group, nor next in line."""
    found = [*TWINS, candidate("301", "Cooks", 8.5, []), candidate("202", "Guards", 6.5), candidate("302", "Clerks", 6.4, [])]  # fmt: skip
    talk = Talk(Finder([each.model_copy(update={"about": "told"}) for each in found]))
    asked = await talk.say("somebody who drives")
    offered = asked["analyzer_response"].among  # type: ignore[union-attr]
    state = await talk.reply("no idea")
    final = state["analyzer_response"]
    assert final is not None
    assert offered == ["201", "101", "301"]
    assert (final.code, final.among) == ("20", ["201"])
    outcome = CLASSIFICATION.conclude(state, "r_1", talk.context).outcome  # type: ignore[union-attr]
    assert isinstance(outcome, Answered)
    assert [row[0] for row in outcome.tables[0].rows] == ["101", "301"]


async def test_the_last_question_ends_in_a_parent() -> None:
    talk = Talk(Finder(TWINS))
    await talk.say("somebody who drives")
    for _ in range(MOST_QUESTIONS):
        state = await talk.reply("it is about customers")
    final = state["analyzer_response"]
    assert final is not None
    assert (talk.waits, final.code, final.reason) == (False, "20", "limit")


async def test_what_is_likely_wrong_is_asked() -> None:
    """One word that leads by little is no code while a question is left, however clear the titles."""
    found = [candidate("201", "Crashes", 9.0), candidate("101", "Heating", 8.2, [OFFICE])]
    found = [each.model_copy(update={"cosine": 0.6}) for each in found]
    talk = Talk(Finder(found))
    final = (await talk.say("freezing"))["analyzer_response"]
    assert final is not None
    assert (final.status, final.options) == ("MORE_INFO", ["Crashes", "Heating"])
    told = (await Talk(Finder(found)).say("my new radiator is stone cold and hisses"))["analyzer_response"]  # fmt: skip
    assert told is not None
    assert told.code == "201"


def test_many_words_promise_no_more() -> None:
    """What is pasted around a description, of more words than the texts had on which it was fitted."""
    whole, pasted = (" ".join(f"thing{n}" for n in range(most)) for most in (MOST_FITTED, 500))
    assert promised(0.5, pasted) == promised(0.5, whole) > promised(0.5, "pump leaks")
