"""What a reply says to the question which of several codes it is."""

import re

import pytest

from masis.graphs.classification import texts
from masis.graphs.classification.code_replies import CodeReply, read
from masis.graphs.classification.state import Above, Candidate, State
from masis.questions.replies import is_wrong
from tests.masis.graphs.classification.scripted import (
    CLEAR,
    OFFICE,
    TRAVEL,
    TWINS,
    Finder,
    Talk,
    candidate,
)

LEAK, DRIP, SPILL = "Pump leaks", "Water leak in the building", "Chemical spill (Safety)"
OFFERED = (LEAK, DRIP, SPILL)


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("Pump leaks", LEAK),
        ("pump leaks, the seal has gone", LEAK),
        ("it's the chemical spill one", SPILL),
        ("2", DRIP),
        ("#2 please", DRIP),
        ("option two", DRIP),
        ("I think the second one", DRIP),
        ("the last of them", SPILL),
        ("1st", LEAK),
        ("the fifth one", ""),
        ("not the pump leaks", ""),
        ("2 pumps are wet", ""),
        ("it drips", ""),
    ],
)
def test_named_and_counted_titles_are_chosen(reply: str, chosen: str) -> None:
    assert read(reply, OFFERED).chosen == chosen


@pytest.mark.parametrize(
    ("reply", "rejected", "text"),
    [
        ("neither", OFFERED, ""),
        ("none of these, it is the roof", OFFERED, "it is the roof"),
        ("no, the roof", OFFERED, "the roof"),
        ("None fits. It is the roof.", OFFERED, "It is the roof"),
        ("something else", OFFERED, ""),
        ("nothing comes out of it", (), "nothing comes out of it"),
        ("no water comes out of it", (), "no water comes out of it"),
        ("not the pump, the roof", (LEAK,), "the roof"),
        ("not the second one but the roof", (DRIP,), "the roof"),
    ],
)
def test_titles_are_turned_down(reply: str, rejected: tuple[str, ...], text: str) -> None:
    said = read(reply, OFFERED)
    assert (tuple(said.rejected), said.text) == (rejected, text)


async def test_misunderstood_questions_are_explained() -> None:
    """The same codes stand below it, and nothing that was asked describes anything."""
    twins = [candidate("201", "Drivers", 9.0), candidate("101", "Drivers", 8.0, [OFFICE])]
    finder = Finder(twins)
    talk = Talk(finder)
    asked = await talk.say("somebody who drives")
    again = await talk.reply("what do you mean?")
    first, second = asked["analyzer_response"], again["analyzer_response"]
    assert first is not None
    assert second is not None
    assert second.options == first.options
    assert second.question.startswith(texts.EXPLAINED)
    assert finder.asked == [["somebody who drives"]] * 2
    assert talk.waits


async def test_explanations_are_no_questions() -> None:
    """Who asks what is meant after the last question still gets no code, twice; then it ends."""
    talk = Talk(Finder(TWINS))
    await talk.say("somebody who drives")
    for reply in ("it is about customers", "for customers", "what do you mean?", "huh?"):
        assert talk.waits
        state = await talk.reply(reply)
    assert state["analyzer_response"].options == ["Drivers (Travel)", "Drivers (Office)"]  # type: ignore[union-attr]
    final = (await talk.reply("huh?"))["analyzer_response"]
    assert final is not None
    assert (talk.waits, final.code, final.reason) == (False, "20", "limit")


async def test_who_misunderstands_gets_no_code() -> None:
    """Neither where the list has changed since, and one code is clear now."""
    finder = Finder(TWINS)
    talk = Talk(finder)
    await talk.say("somebody who drives")
    finder.candidates = CLEAR
    final = (await talk.reply("what do you mean?"))["analyzer_response"]
    assert final is not None
    assert (final.status, final.options) == ("MORE_INFO", ["Trains", "Rent"])


async def test_open_questions_are_explained_without_titles() -> None:
    """Nothing was near, so that there is no title to name."""
    talk = Talk(Finder([]))
    await talk.say("asdfgh")
    final = (await talk.reply("what do you mean?"))["analyzer_response"]
    assert final is not None
    assert (final.reason, final.question) == ("nothing_near", texts.EXPLAINED_OPENLY)


@pytest.mark.parametrize("reply", ["I don't know", "no idea", "not sure.", "both", "any of them"])
def test_undecided_replies_turn_down_nothing(reply: str) -> None:
    said = read(reply, OFFERED)
    assert said.is_undecided
    assert not said.rejected


def test_without_titles_a_reply_only_describes() -> None:
    assert read("2 pumps", []).text == "2 pumps"


# --- among the codes -----------------------------------------------------------------------


def row(code: str, title: str, words: list[str], path: Above = TRAVEL) -> Candidate:
    return candidate(code, title, 9.0, [path]).model_copy(update={"words": words})


FOUND = [
    row("T1", "Train tickets", ["rail"]),
    row("T2", "Tram tickets", ["rail", "citi"]),
    row("B1", "Rent of rooms", ["month"], OFFICE),
]


async def replied(text: str) -> State:
    """Ask about something that fits three codes alike, and reply."""
    talk = Talk(Finder(FOUND))
    asked = await talk.say("something that we pay for")
    assert asked["analyzer_response"].options == ["Train tickets", "Tram tickets", "Rent of rooms"]  # type: ignore[union-attr]
    return await talk.reply(text)


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ("t2", "T2"),
        ("it's code T2", "T2"),
        ("the tram", "T2"),
        ("rooms", "B1"),
        ("Office", "B1"),
        ("the city one", "T2"),
    ],
)
async def test_one_distinguishing_word_is_enough(reply: str, code: str) -> None:
    """A code, a word of one title alone, of its group's, or of its row."""
    final = (await replied(reply))["analyzer_response"]
    assert final is not None
    assert (final.status, final.code, final.reason) == ("MATCH_FOUND", code, "chosen")


@pytest.mark.parametrize("reply", ["tickets", "Travel", "20", "on rails"])
async def test_shared_words_narrow_the_question(reply: str) -> None:
    """What several have in common leaves these to choose between, and the others out."""
    final = (await replied(reply))["analyzer_response"]
    assert final is not None
    assert (final.status, final.options) == ("MORE_INFO", ["Train tickets", "Tram tickets"])


async def test_who_cannot_say_gets_the_parent() -> None:
    """Somebody who does not know is not asked again."""
    final = (await replied("no idea"))["analyzer_response"]
    assert final is not None
    assert (final.status, final.reason, final.code) == ("MATCH_FOUND", "undecided", "20")


async def test_question_asked_anew_begins_afresh() -> None:
    """A reply that asks for another code is no reply: what was said before it counts no more."""
    talk = Talk(Finder(FOUND))
    await talk.say("something that we pay for")
    state = await talk.reply("classify: a monthly bill of the landlord")
    expansion = state["expander_analysis"]
    assert expansion is not None
    assert expansion.wordings == ["a monthly bill of the landlord"]


async def told_instead(
    reply: str, *more: str, relevance: float = 0.9, beside: Above = TRAVEL
) -> list[str]:
    """Reply to a question between three codes where a further one is near; return what is searched."""
    finder = Finder(FOUND)
    talk = Talk(finder)
    state = await talk.say("something that we pay for")
    finder.candidates = [*FOUND, row("P1", "Passes", []), row("P2", "Prints", [], beside)]
    finder.relevance = relevance
    for each in (reply, *more):
        state = await talk.reply(each)
    expansion = state["expander_analysis"]
    assert expansion is not None
    assert set(expansion.rejected) >= {"Train tickets", "Tram tickets", "Rent of rooms"}
    return expansion.wordings


@pytest.mark.parametrize(
    "reply", ["none of these, my badge is lost", "Sorry, none of them fit me. My badge is lost"]
)
async def test_another_subject_begins_anew(reply: str) -> None:
    """Who turns all down and tells of what is near to a code is not searched with what was said before."""
    assert (await told_instead(reply))[0].casefold() == "my badge is lost"
    assert len(await told_instead(reply)) == 1


async def test_new_subjects_stay() -> None:
    """Also with the next reply, and what was turned down stays so."""
    assert await told_instead("none of these, my badge is lost", "at the gate of the plant") == [
        "at the gate of the plant",
        "my badge is lost",
    ]


@pytest.mark.parametrize(
    "reply",
    [
        "none of these, they fly",
        "none of these, the roof",
        "none of these, I pay each month",
        "none of these, that's why we called the vendor",
        "neither, it's used daily on roofs",
        "neither, i think you are wrong",
        "none of these, can i see more options",
        "no, my badge is lost",
        "nothing, everything was ordered already",
    ],
)
async def test_replies_that_go_on_keep_the_description(reply: str) -> None:
    """A word that points back or was said, a question, what speaks to the bot, and a bare "no"."""
    assert "something that we pay for" in await told_instead(reply)


async def test_what_is_far_begins_nothing() -> None:
    wordings = await told_instead("neither, we changed nothing today", relevance=0.1)
    assert "something that we pay for" in wordings


async def test_what_fits_several_begins_nothing() -> None:
    """What does not say by itself which code it is may be told of what was described."""
    wordings = await told_instead("none of these, the screen is black", beside=OFFICE)
    assert "something that we pay for" in wordings


async def test_new_subjects_are_asked_no_more_often() -> None:
    """Turning down with other words again and again comes to an end."""
    finder = Finder(FOUND)
    talk = Talk(finder)
    await talk.say("something that we pay for")
    finder.candidates = [
        row(f"P{n}", f"Passes {n}", [], OFFICE if n % 2 else TRAVEL) for n in range(60)
    ]
    for reply in ("badge lost", "paper jammed", "coffee cold"):
        assert talk.waits
        await talk.reply(f"none of these, {reply}")
    assert not talk.waits


@pytest.mark.parametrize("reply", ["neither", "isn't right", "wrong"])
def test_turning_down_nothing_describes_nothing(reply: str) -> None:
    """Also where the question named no title."""
    assert read(reply, []).text == ""


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("none of them are right, the badge is lost", "the badge is lost"),
        ("neither of the two, the coffee machine leaks", "the coffee machine leaks"),
        ("something else entirely, the toaster", "the toaster"),
        ("nope none of those, it is my badge", "it is my badge"),
        ("none of these my badge is lost, help me", "my badge is lost, help me"),
    ],
)
def test_turning_down_is_no_description(reply: str, text: str) -> None:
    """What is left of the clause that turns down is not searched."""
    assert read(reply, OFFERED).text == text


@pytest.mark.parametrize(
    "reply", ["neither the vpn nor the mail works", "none of the printers work"]
)
def test_descriptions_turn_nothing_down(reply: str) -> None:
    said = read(reply, OFFERED)
    assert (said.text, said.rejected) == (reply, ())


@pytest.mark.parametrize("reply", ["isnt right", "that isn't the one", "not quite", "doesnt fit", "nah thats not it", "different one", "wrong one mate", "another code please"])  # fmt: skip
def test_wrong_is_said_in_many_ways(reply: str) -> None:
    assert read(reply, OFFERED) == CodeReply(rejected=OFFERED)


EVERYDAY = """
it's not that urgent | it is not that bad | it's not | no thanks | no, thanks | thanks, not needed any more | not really
nothing | nothing else | nothing of the sort | never mind | that's right | great, that's it | that's not the point
this isn't the first time | not that it matters | not quite sure what you mean | it's not right that I pay for this
neither of us can log in | none of my colleagues can print | something else broke too | wrong toner was delivered
the wrong code is on my badge | the badge does not fit | another one bites the dust | that's wrong of them to say
"""


@pytest.mark.parametrize("said", re.split(r" \| |\n", EVERYDAY.strip()))
def test_everyday_words_take_nothing_back(said: str) -> None:
    """In the thread of a code they are small talk, or a question of their own."""
    assert not is_wrong(said)


async def test_rejected_favourites_are_not_forced_past() -> None:
    """Where only codes far behind those that were turned down are left, it asks what else can be said."""
    talk = Talk(Finder([*FOUND, candidate("C1", "Cleaning", 2.0, [OFFICE])]))
    await talk.say("something that we pay for")
    final = (await talk.reply("none of these"))["analyzer_response"]
    assert final is not None
    assert (final.status, final.options) == ("MORE_INFO", [])
    assert final.question.startswith("None of those, then.")


async def test_questions_say_what_tells_options_apart() -> None:
    """Each title with its group, and what its row says of it."""
    drives = [
        each.model_copy(update={"about": about})
        for each, about in zip(FOUND[1:], ("Trips within a city", ""), strict=True)
    ]
    asked = (await Talk(Finder(drives)).say("something we pay"))["analyzer_response"]
    assert asked is not None
    assert asked.question.split("\n")[1:] == [
        "1. Tram tickets (Travel): Trips within a city",
        "2. Rent of rooms (Office)",
    ]


# --- texts that say little -----------------------------------------------------------------


def short(code: str, title: str, score: float, words: list[str], row_terms: int) -> Candidate:
    made = candidate(code, title, score)
    return made.model_copy(update={"words": words, "row_terms": row_terms, "cosine": 0.8})


@pytest.mark.parametrize(("row_terms", "status"), [(10, "MORE_INFO"), (100, "MATCH_FOUND")])
async def test_words_of_several_short_rows_ask(row_terms: int, status: str) -> None:
    """One word that several rows consist of is asked about, however much one code is favoured."""
    found = [
        short("T1", "Check a sensor", 20.0, ["calibr"], row_terms),
        short("T2", "Sensor drifts", 14.0, ["calibr"], row_terms),
        short("T3", "Sensor broken", 13.0, [], row_terms),
    ]
    final = (await Talk(Finder(found)).say("calibration"))["analyzer_response"]
    assert final is not None
    assert final.status == status
    assert final.options == (["Check a sensor", "Sensor drifts"] if status == "MORE_INFO" else [])


async def test_one_unknown_word_offers_nothing() -> None:
    """A word that no row has, and whose meaning is near to none, is asked about openly."""
    found = [each.model_copy(update={"cosine": 0.45, "words": []}) for each in FOUND]
    final = (await Talk(Finder(found)).say("sauna"))["analyzer_response"]
    assert final is not None
    assert (final.reason, final.options) == ("nothing_near", [])
