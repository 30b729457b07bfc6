"""Who goes now, and who asks about going."""

import pytest

from masis.phrases.small_talk import small_talk

LEAVES = (
    "thx, on the tram, talk later",
    "thanks, in a meeting, speak later",
    "ok ta, got to run",
    "cheers, off to lunch",
    "ty! heading home now",
    "great, back to work then",
    "thanks, train's here, bye",
    "perfect, need to go, ttyl",
    "ok brb, phone ringing",
    "thanks, i'm on my way to a meeting",
    "thanks, i'm in a meeting",
    "cool, talk tomorrow",
    "cheers, have to dash",
    "ta, catch you later",
    "nice, off to bed now",
    "thank you, gotta catch my bus",
    "thanks, just getting on a plane, speak tomorrow",
    "ok thx, kids are calling, later",
    "brilliant, i'm in the car, will read it later",
    "ok, stepping into a call now",
    "great thanks, must go, meeting starts",
    "cheers mate, leaving now",
    "got it, thanks, on my lunch break, back later",
    "thx will look at it tonight",
    "ok bye, battery dying",
    "thanks a lot, off home",
    "super, running late, talk on monday",
    "fab, i'm out for today",
    "thanks, about to board, will check later",
    "right, must dash, thanks for that",
)
ASKS = (
    "is the tram paid",
    "can i claim the tram",
    "talk later about the budget, what is it",
    "thanks, what about the tram ticket",
    "on the train can i use the laptop",
    "who pays for lunch",
    "what happens if i miss my train home",
    "how do i get to the office by bus",
    "i'm on the train and lost my laptop",
    "meeting room booking",
    "who leaves now",
    "thanks, and the meeting minutes?",
    "my laptop was stolen on the tram",
    "off sick tomorrow, who do i tell",
    "heading to deventer, what can i spend on a hotel",
    "have to go to a funeral, do i get leave",
    "going home early, do i need approval",
    "in a meeting the board decided what",
    "leaving now means what notice",
    "phone call charges abroad",
    "can i work from home tomorrow",
    "on my way to work i fell, is that insured",
    "flight at night, do i get a hotel",
    "what is the dress code at lunch",
    "lunch with a client, what may it cost",
    "i have to run a test on a pump",
    "back to work after illness, what do i need",
    "my bus was late, is that working time",
    "boarding pass needed for the claim",
    "battery disposal",
    "car parking at kettering",
)


@pytest.mark.parametrize("typed", LEAVES)
def test_leave_taking_is_small_talk(typed: str) -> None:
    """Behind an answer, whoever says only that they go asks nothing."""
    assert small_talk(typed, in_thread=True) is not None


@pytest.mark.parametrize("typed", ASKS)
def test_questions_on_the_way_are_asked(typed: str) -> None:
    assert small_talk(typed, in_thread=True) is None


@pytest.mark.parametrize("typed", [
    "on the train", "in the car", "a meeting", "ok, the train", "ok and the taxi", "thanks and the gym",
    "thanks, for lunch", "ok the train",
])  # fmt: skip
def test_place_alone_may_go_on(typed: str) -> None:
    """A place alone, behind a courtesy as well, may be what a question goes on with."""
    assert small_talk(typed, in_thread=True) is None
