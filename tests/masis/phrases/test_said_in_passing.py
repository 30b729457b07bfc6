"""What is said behind an answer that asks no document, and what only begins like it."""

import pytest

from masis.phrases.said_in_passing import said_in_passing
from masis.words.chat_words import small_talk


@pytest.mark.parametrize(
    "typed",
    [
        "haha ok strict",
        "wow that's a lot",
        "bit harsh",
        "ah ok so it's less than i thought",
        "great, that settles it",
        "yep that's the one",
        "+1",
        "+1 from me",
        "i vote for tuesday",
        "count me in",
        "i'll ask ruth then",
        "ok i'll tell him",
        "hm ok, let me check with my manager",
        "thanks, was looking at the wrong row",
    ],
)
def test_reactions_and_votes_ask_nothing(typed: str) -> None:
    assert said_in_passing(typed) == "noted"
    assert small_talk(typed, in_thread=True) == "noted"
    assert small_talk(typed) is None


@pytest.mark.parametrize("typed", ["that's wrong", "not what i asked", "no, wrong document"])
def test_a_missed_answer_is_heard(typed: str) -> None:
    assert small_talk(typed, in_thread=True) == "missed"


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "that's strict?",
        "strict liability",
        "1",
        "+1 hour overtime",
        "i'll need a kiln",
        "let me know who fires it",
        "i'll ask, but who decides",
        "no i meant the studio",
        "me too in the studio",
        "for glaziers too",
        "i'd vote for the blue kiln",
        "the wrong glaze was delivered",
        "that does not include the glaze",
        "too late to cancel",
        "thanks, what about the wrong row",
    ],
)
def test_what_may_ask_is_searched(typed: str) -> None:
    assert small_talk(typed, in_thread=True) is None
