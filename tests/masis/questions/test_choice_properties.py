"""Replies in many words, to pairs of statements in either order."""

import datetime as dt
from typing import NamedTuple

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from masis.domain import SourceStatement
from masis.questions.choice import read
from tests.examples import examples

NAMES = (
    "leave-policy.pdf",
    "travel_memo.docx",
    "staff handbook.md",
    "minutes/board-meeting.html",
    "pricing.xlsx",
    "kickoff deck.pptx",
)
STATED = (
    "Every employee has {} days of annual leave.",
    "The fee is £{} for each visit.",
    "Limit: {} | Item: Meals",
)
BY_NAME = (
    "{name}",
    "{name} counts",
    "the {part}",
    "use the {part}, please",
    "I would go with {name}.",
    "Take the {part} and nothing else",
)
BY_DATE = ("{iso}", "the one from {day}", "{day}", "the {day} version please")
BY_FIGURE = ("{figure}", "it is {figure}", "{figure} is right", "the one that says {figure}")
BY_AGE = ("the {age} one", "{age}", "go by the {age}", "the {age} document counts")
BY_PLACE = ("the {place} one", "{place}", "the {place} statement", "number {n}", "#{n}")
AGAINST = (
    "not the {part}",
    "ignore {name}",
    "everything but the {part}",
    "the {part} is out of date",
    "the {part} is wrong",
    "forget the {part}!",
)
NOTHING = (
    "not sure, ask hr",
    "thanks",
    "no idea",
    "hmm",
    "which one is newer?",
    "can you check with Jan",
    "leave it",
    "I don't know",
    "",
)


class Pair(NamedTuple):
    """Two statements in the order shown; `wanted` is the one that a reply is for."""

    shown: list[SourceStatement]
    wanted: int
    figures: tuple[int, int]

    @property
    def words(self) -> dict[str, str]:
        """What a reply may call the one that is wanted."""
        said, other = self.shown[self.wanted], self.shown[1 - self.wanted]
        assert said.date is not None
        assert other.date is not None
        return {
            "name": said.document,
            "part": said.document.rpartition("/")[2].replace("_", " ").partition(".")[0],
            "iso": said.date.isoformat(),
            "day": f"{said.date.day} {said.date:%B %Y}",
            "figure": str(self.figures[self.wanted]),
            "age": "newer" if said.date > other.date else "older",
            "place": ("first", "second")[self.wanted],
            "n": str(self.wanted + 1),
        }


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True))
    days = st.dates(dt.date(2015, 1, 1), dt.date(2029, 12, 31))
    dates = draw(
        st.lists(days, min_size=2, max_size=2, unique_by=lambda day: (day.year, day.month))
    )
    # Beyond what could be a day, a year or a place in the list.
    figures = draw(st.lists(st.integers(40, 900), min_size=2, max_size=2, unique=True))
    stated = draw(st.sampled_from(STATED))
    shown = [
        SourceStatement(
            document_id=f"d_{at}",
            document=names[at],
            date=dates[at],
            text=stated.format(figures[at]),
        )
        for at in range(2)
    ]
    return Pair(shown, draw(st.integers(0, 1)), (figures[0], figures[1]))


@settings(max_examples=examples(50), deadline=None)
@given(pairs(), st.sampled_from([*BY_NAME, *BY_DATE, *BY_FIGURE, *BY_AGE, *BY_PLACE]))
def test_reply_in_any_words_chooses(pair: Pair, said: str) -> None:
    """A reply chooses its document in any words."""
    choice = read(said.format(**pair.words), pair.shown)

    assert choice is not None
    assert (choice.kind, choice.documents) == ("documents", [f"d_{pair.wanted}"])
    assert [each.document_id for each in choice.set_aside] == [f"d_{1 - pair.wanted}"]


@settings(max_examples=examples(50), deadline=None)
@given(pairs(), st.sampled_from(AGAINST))
def test_rejecting_one_chooses_the_other(pair: Pair, said: str) -> None:
    """What is said against one chooses the other."""
    choice = read(said.format(**pair.words), pair.shown)

    assert choice is not None
    assert choice.documents == [f"d_{1 - pair.wanted}"]


@settings(max_examples=examples(50), deadline=None)
@given(pairs(), st.sampled_from([*BY_NAME, *BY_DATE]), st.data())
def test_choice_ignores_document_order(pair: Pair, said: str, data: st.DataObject) -> None:
    """A choice does not hang on the order."""
    reply = said.format(**pair.words)
    swapped = data.draw(st.sampled_from([reply.upper(), reply.title(), f" {reply} "]))
    choice = read(swapped, pair.shown[::-1])

    assert choice is not None
    assert choice.documents == [f"d_{pair.wanted}"]


@settings(max_examples=examples(100), deadline=None)
@given(pairs(), st.sampled_from(["both", "Both!", "boht", "they are both right", "show me both"]))
def test_both_may_be_wished(pair: Pair, said: str) -> None:
    choice = read(said, pair.shown)
    assert choice is not None
    assert (choice.kind, choice.set_aside) == ("both", [])


@settings(max_examples=examples(100), deadline=None)
@given(pairs(), st.sampled_from(["neither", "none of them", "both are wrong", "ignore both"]))
def test_neither_may_be_wished(pair: Pair, said: str) -> None:
    choice = read(said, pair.shown)
    assert choice is not None
    assert (choice.kind, choice.set_aside) == ("neither", pair.shown)


@settings(max_examples=examples(50), deadline=None)
@given(pairs(), st.sampled_from(NOTHING))
def test_what_chooses_nothing_is_no_choice(pair: Pair, said: str) -> None:
    assert read(said, pair.shown) is None


@settings(max_examples=examples(100), deadline=None)
@given(pairs(), st.text(max_size=300))
def test_any_text_is_read(pair: Pair, said: str) -> None:
    choice = read(said, pair.shown)
    if choice is not None and choice.kind == "documents":
        assert {*choice.documents} < {"d_0", "d_1"}


@settings(max_examples=examples(100), deadline=None)
@given(pairs(), st.sampled_from(["leave-policy", "handbook", "kickoff", "pricing"]), st.data())
def test_a_name_may_be_mistyped(pair: Pair, word: str, data: st.DataObject) -> None:
    """Two neighbouring letters of a name that stands in one document alone change places."""
    named = [at for at, each in enumerate(pair.shown) if word in each.document]
    assume(len(named) == 1)
    at = data.draw(st.integers(1, len(word) - 3))
    typed = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    choice = read(f"the {typed}", pair.shown)
    assert choice is not None
    assert choice.documents == [f"d_{named[0]}"]


def test_hostile_reply_is_read_quickly() -> None:
    """A long hostile reply is read in no time."""
    said = SourceStatement(document_id="d_0", document="a.md", text="It is 26.")
    other = SourceStatement(document_id="d_1", document="b.md", text="It is 28.")
    for piece in ("not ", "1,", "the first ", "may ", "(", "1.1.", "twenty ", "neither but "):
        read(piece * 4000, [said, other])
