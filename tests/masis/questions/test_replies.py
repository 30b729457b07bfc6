from typing import Any

import pytest

from masis.domain import ClarificationKind, NeedsClarification, SourceStatement
from masis.questions.replies import answering, asks_anew, asks_meaning, is_only_talk, is_reply

ASKED = "How long is the notice?"


def test_conflict_reply_is_not_searched() -> None:
    """The reply to a conflict is not searched."""
    asked = answering(ASKED, ASKED, "conflict", "new.md counts")

    assert (asked.text, asked.standalone, asked.reply) == (ASKED, ASKED, "new.md counts")


@pytest.mark.parametrize("kind", ["low_confidence", "below_threshold", "not_audited"])
def test_other_reply_narrows_the_search(kind: ClarificationKind) -> None:
    """Any other reply narrows what is searched."""
    asked = answering(ASKED, ASKED, kind, "For managers")

    assert asked.standalone == f"{ASKED}\nFor managers"
    assert (asked.text, asked.reply) == (ASKED, "For managers")


@pytest.mark.parametrize("reply", ["Thanks!", "not sure, ask HR", "No idea, sorry."])
def test_empty_reply_is_not_searched(reply: str) -> None:
    """A reply that says nothing is not searched."""
    assert answering(ASKED, ASKED, "low_confidence", reply).standalone == ASKED


def test_offered_question_is_asked_alone() -> None:
    """A question that was offered is asked alone."""
    offered = ["What is the notice period?"]

    asked = answering(ASKED, ASKED, "low_confidence", offered[0], questions=offered)
    typed = answering(ASKED, ASKED, "low_confidence", "What is it for managers?", questions=offered)

    assert (asked.text, asked.standalone, asked.reply) == (ASKED, offered[0], offered[0])
    assert typed.standalone == f"{ASKED}\nWhat is it for managers?"


@pytest.mark.parametrize(
    ("reply", "asked"),
    [
        ("yes", "Which extension has Priya?"),
        ("yes please", "Which extension has Priya?"),
        ("sorry, i meant that", "Which extension has Priya?"),
        ("priya", "Which extension has Priya?"),
        ("Petra", "Which extension has Prya?\nPetra"),
        ("yes, for Petra", "Which extension has Prya?\nyes, for Petra"),
    ],
)
def test_offered_name_is_taken(reply: str, asked: str) -> None:
    """A yes and the name itself take the one question that was offered, other words narrow."""
    typed, offered = "Which extension has Prya?", "Which extension has Priya?"

    found = answering(typed, typed, "ambiguous", reply, questions=[offered])

    assert found.standalone == asked
    back = _back("ambiguous", typed, options=[offered])
    assert is_reply(reply, back) == (asked == offered)


def test_reply_chain_keeps_last_two() -> None:
    """What is searched holds the question and the last two replies, each once."""
    standalone = ASKED
    for reply in ("For managers", "In Leeds", "In Leeds", "After probation"):
        standalone = answering(ASKED, standalone, "low_confidence", reply).standalone

    assert standalone == f"{ASKED}\nIn Leeds\nAfter probation"


def test_narrowing_persists_through_conflict() -> None:
    """What was narrowed stays so in a conflict."""
    narrowed = answering(ASKED, ASKED, "low_confidence", "For managers")
    asked = answering(ASKED, narrowed.standalone, "conflict", "the newer one")

    assert asked.standalone == f"{ASKED}\nFor managers"


def test_what_was_given_is_asked_again() -> None:
    """Who says that the document is there now asks the same question once more."""
    asked = answering(ASKED, ASKED, "low_confidence", "Here you go")

    assert (asked.standalone, asked.reply) == (ASKED, "Here you go")


# --- which message is a reply ----------------------------------------------------------------

STATEMENTS = [
    SourceStatement(document_id=f"d{n}", document=name, title=name, date=None, text=text)
    for n, (name, text) in enumerate([("old.md", "Four weeks."), ("new.md", "Six weeks.")])
]


def _back(kind: ClarificationKind, question: str = ASKED, **more: Any) -> NeedsClarification:
    """A question back of that kind."""
    return NeedsClarification(
        run_id="r",
        question=question,
        kind=kind,
        clarification_question="Which one?",
        answer="",
        confidence=0.0,
        badge=None,
        **more,
    )


@pytest.mark.parametrize(
    ("text", "outcome", "expected"),
    [
        ("new.md counts", _back("conflict", statements=STATEMENTS), True),
        ("hard to tell, ask HR", _back("conflict", statements=STATEMENTS), True),
        ("when do we get paid?", _back("conflict", statements=STATEMENTS), False),
        ("what was it last year", _back("conflict", statements=STATEMENTS), False),
        ("summarise that document", _back("ambiguous", options=["Managers"]), False),
        ("for managers", _back("ambiguous", options=["Managers", "Staff"]), True),
        ("Managers", _back("ambiguous", options=["Managers", "Staff"]), True),
        ("and who signs it?", _back("ambiguous", options=["Managers", "Staff"]), False),
        ("and spares", _back("ambiguous", options=["Managers", "Staff"]), False),
        ("Glazing", _back("ambiguous", "how long does it take?", options=["Glazing"]), False),
        ("for managers", _back("low_confidence"), False),
        ("What is it?", _back("low_confidence", questions=["What is it?"]), True),
        ("thanks", _back("ambiguous", options=["Managers"]), False),
        ("Here you go", _back("low_confidence"), True),
        ("for managers", None, False),
        *(
            (text, _back("choice", options=["Pump", "Roof"]), True)
            for text in (
                "no idea",
                "neither",
                "Nope.",
                "i dont know which",
                "what do you mean?",
                "huh?",
                "I don't understand the question",
                "could you explain that",
                "sorry?",
                "honestly no idea",
            )
        ),
        *(
            (text, _back("choice", options=["Pump", "Roof"]), False)
            for text in (
                "no worries",
                "ok",
                "who pays it?",
                "how many days of leave do I get? I don't know",
                "where is the printer, I have no idea",
                "I don't know the wifi password, what is it?",
            )
        ),
    ],
)
def test_which_message_is_a_reply(
    text: str, outcome: NeedsClarification | None, *, expected: bool
) -> None:
    """Only what answers what was asked back is a reply; the thread understands the rest."""
    assert is_reply(text, outcome) is expected


@pytest.mark.parametrize(
    ("text", "outcome", "expected"),
    [
        ("when do we get paid?", _back("low_confidence"), True),
        ("and who signs it", _back("low_confidence"), True),
        ("and for contractors", _back("low_confidence"), True),
        ("shorter please", _back("low_confidence"), True),
        ("It is about laptops", _back("low_confidence"), False),
        ("What is it?", _back("low_confidence", questions=["What is it?"]), False),
        ("can you take new.md", _back("conflict", statements=STATEMENTS), False),
        ("who decides if its warranty", _back("conflict", statements=STATEMENTS), True),
        ("for managers", _back("ambiguous", options=["Managers", "Staff"]), False),
        ("Glazing", _back("ambiguous", "how long does it take?", options=["Glazing"]), True),
        ("What does that mean?", _back("choice", options=["Pump", "Roof"]), False),
        ("What does the pump cost?", _back("choice", options=["Pump", "Roof"]), True),
    ],
)
def test_what_asks_is_no_reply(text: str, outcome: NeedsClarification, *, expected: bool) -> None:
    """What is written under a question back and asks something itself goes on in the thread."""
    assert asks_anew(text, outcome) is expected


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("thanks!", "low_confidence", True),
        ("ok never mind, thanks", "conflict", True),
        ("ok", "low_confidence", True),
        ("both", "conflict", False),
        ("yes", "ambiguous", False),
        ("for managers", "low_confidence", False),
        ("Here you go", "low_confidence", False),
        ("no idea", "choice", False),
        ("what do you mean?", "choice", False),
        ("i'm confused", "choice", False),
        ("no problem", "choice", True),
    ],
)
def test_small_talk_is_no_reply(text: str, kind: ClarificationKind, *, expected: bool) -> None:
    """Thanks under a question back reply to nothing; "both" chooses where there is a choice."""
    assert is_only_talk(text, kind) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I don't know what you mean", True),
        ("not sure what that means", True),
        ("huh? what do you mean exactly?", True),
        ("can you explain the options?", True),
        ("what's that?", True),
        ("what is the difference between the two?", True),
        ("I don't know what it is", False),
        ("sorry", False),
        ("can you explain the leave policy?", False),
        ("what is the difference between capex and opex?", False),
    ],
)
def test_misunderstanding_is_no_ignorance(text: str, *, expected: bool) -> None:
    """Who does not understand the question may well know the answer."""
    assert asks_meaning(text) is expected


def test_other_thing_is_no_reply() -> None:
    """Who names nothing of what could be meant goes on with the thread."""
    back = NeedsClarification(
        run_id="r",
        question="price of the pump",
        kind="ambiguous",
        clarification_question="Which pump?",
        options=["Wharfe 60", "Wharfe 200"],
        answer="",
        confidence=0.0,
        badge=None,
    )

    assert is_reply("the 200", back)
    assert is_reply("the first one", back)
    assert not is_reply("warranty", back)
    assert asks_anew("warranty", back)


@pytest.mark.parametrize(
    "typed", ["shorter please", "search wider", "in english please", "as a list"]
)
def test_commands_are_no_reply(typed: str) -> None:
    """Under a choice, too, they are about what was shown."""
    back = NeedsClarification(
        run_id="r",
        question="What is the limit?",
        kind="ambiguous",
        clarification_question="Which limit?",
        options=["credit limit", "load limit"],
        answer="",
        confidence=0.0,
        badge=None,
    )
    assert not is_reply(typed, back)
    assert asks_anew(typed, back)
