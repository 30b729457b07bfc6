"""What a follow-up is taken for, by its words and by what the documents say; and what is asked back."""

import pytest

from masis.conversation import Exchange
from masis.domain import NeedsClarification, Place, Question
from masis.graphs.chat.agents import Understood
from masis.graphs.common import Conclusion
from tests.masis.graphs.chat.talking import EXCHANGE, ScriptedMemory, ScriptedRewriter, Talk, trace
from tests.scripted_agents import ScriptedResearcher, chunk

SHORT = Understood(alone="and sieves?", carried="What does a sieve cost?", is_sure=False)
LONG = Understood(
    alone="How long must mugs dry before somebody glazes them?",
    carried="How long must mugs dry before somebody glazes them for the kiln?",
    is_sure=False,
)


def _talk(understood: Understood, carried: float, alone: float) -> Talk:
    """A thread in which the documents are as near as that to each reading."""
    probe = ScriptedResearcher(results=[[chunk(1, score=carried)], [chunk(2, score=alone)]])
    return Talk(rewriter=ScriptedRewriter(understood), probe=probe)


@pytest.mark.parametrize(
    ("understood", "carried", "alone", "is_carried"),
    [
        (SHORT, 0.70, 0.70, True),
        (SHORT, 0.69, 0.70, False),
        (SHORT.model_copy(update={"is_likely": True}), 0.66, 0.70, True),
        (SHORT.model_copy(update={"is_likely": True}), 0.60, 0.70, False),
        (LONG, 0.70, 0.70, False),
        (LONG, 0.75, 0.70, False),
        (LONG, 0.77, 0.70, True),
    ],
    ids=[
        "short, as near",
        "short, less near",
        "likely",
        "likely, far",
        "long, as near",
        "hardly nearer",
        "much nearer",
    ],
)
async def test_documents_decide_what_is_meant(
    understood: Understood, carried: float, alone: float, *, is_carried: bool
) -> None:
    """What is lent to a question that says enough has to earn its place."""
    talk = _talk(understood, carried, alone)
    meant = (await talk.onward("whatever is typed")).question.standalone
    assert meant == (understood.carried if is_carried else understood.alone)
    assert trace(talk, "rewriter")["carried"] == carried


async def test_sure_reading_needs_no_search() -> None:
    """What is sure, and has no word that passages could have, is not searched before it is answered."""
    sure = SHORT.model_copy(update={"is_sure": True, "alone": "and how much?"})
    talk = _talk(sure, 0.1, 0.9)
    assert (await talk.onward("and how much?")).question.standalone == sure.carried
    assert talk.probe.asked == []


@pytest.mark.parametrize(
    ("carried", "is_carried"), [("Sieves cost 4 pounds.", True), ("Mugs cost 4 pounds.", False)]
)
async def test_lent_words_lose_no_own_word(carried: str, *, is_carried: bool) -> None:
    """Where what is lent leads to a passage without the message's word, the message stands alone."""
    sure = SHORT.model_copy(update={"is_sure": True})
    found = [[chunk(1, 0.9, carried)], [chunk(2, 0.7, "Sieves are cleaned weekly.")]]
    talk = Talk(rewriter=ScriptedRewriter(sure), probe=ScriptedResearcher(results=found))
    meant = (await talk.onward("and sieves?")).question.standalone
    assert meant == (sure.carried if is_carried else sure.alone)


async def test_filters_hold_for_both_readings() -> None:
    """Where to look is looked at for both, and stays in the question."""
    talk = _talk(SHORT, 0.7, 0.6)
    meant = await talk.onward("and sieves? type:pdf")
    assert meant.question.standalone == f"{SHORT.carried} type:pdf"
    assert {each.written() for each in talk.probe.filters} == {"type:pdf"}


# --- asking back -----------------------------------------------------------------------------

HEADINGS = ("Drying", "Firing", "2.1 Glazing", "Drying")


def _headed() -> ScriptedResearcher:
    found = [
        chunk(at, text=f"It takes {at + 2} hours at least.", place=Place(headings=[heading]))
        for at, heading in enumerate(HEADINGS)
    ]
    return ScriptedResearcher(results=[found])


async def test_bare_pronoun_is_asked_back() -> None:
    """Who asks of "it" and nothing else is asked which of the things it could be is meant."""
    talk = Talk(memory=ScriptedMemory(exchanges=[]), probe=_headed())
    ended = await talk.say("how long does it take?")
    assert isinstance(ended, Conclusion)
    assert isinstance(ended.outcome, NeedsClarification)
    assert ended.outcome.kind == "ambiguous"
    assert ended.outcome.options == ["Drying", "Firing", "Glazing"]
    said = "What do you mean by “it”: Drying, Firing or Glazing?"
    assert ended.outcome.clarification_question == said


async def test_pronoun_of_a_thread_is_not() -> None:
    """In a thread it stands for what was asked about."""
    before = Exchange(
        run_id="r", question="When is the kiln fired?", standalone="When is the kiln fired?"
    )
    talk = Talk(memory=ScriptedMemory(exchanges=[before]), probe=_headed())
    assert "kiln" in (await talk.onward("how long does it take?")).question.standalone


async def test_pronoun_means_the_last_answer() -> None:
    """Where no word of the thread is meant, the documents that answered last are, if they are near."""
    said = "Can I take some over?"
    near = Exchange(run_id="r", question=said, standalone=said, documents=["paper-1.md"])
    far = near.model_copy(update={"documents": ["other.md"]})

    talk = Talk(memory=ScriptedMemory(exchanges=[near]), probe=_headed())
    assert (await talk.onward("how long does it take?")).question.text
    talk = Talk(memory=ScriptedMemory(exchanges=[far]), probe=_headed())
    assert isinstance(await talk.say("how long does it take?"), Conclusion)


@pytest.mark.parametrize("found", [[], [chunk(1)]], ids=["nothing", "one thing"])
async def test_without_a_choice_it_is_searched(found: list[object]) -> None:
    """Where there is nothing to choose between nobody is asked to choose."""
    probe = ScriptedResearcher(results=[found])  # type: ignore[list-item]
    talk = Talk(memory=ScriptedMemory(exchanges=[]), probe=probe)
    assert (await talk.onward("how long does it take?")).question.text


async def test_reply_is_not_asked_back_again() -> None:
    """A reply is searched as it is."""
    question = Question(
        text="how long does it take?", standalone="how long does it take?", reply="it"
    )
    talk = Talk(memory=ScriptedMemory(exchanges=[]), probe=_headed())
    assert (await talk.onward("", question=question)).question.reply == "it"


@pytest.mark.parametrize(
    ("own", "nearest", "typed", "goes_on"),
    [
        (0.65, "fees.md", "who pays late", True),
        (0.61, "fees.md", "who pays late", False),
        (0.65, "kiln.md", "who pays late", False),
        (0.65, "fees.md", "when are glazed mugs dried in the oven of the studio", False),
    ],
    ids=["nearly as near", "far", "the nearest anyway", "says enough"],
)
async def test_short_messages_go_on_in_their_document(
    own: float, nearest: str, typed: str, *, goes_on: bool
) -> None:
    """They are searched first where the last answer stands."""
    asked = EXCHANGE.model_copy(update={"documents": ["kiln.md"]})
    understood = Understood(alone=typed, carried=typed)
    probe = ScriptedResearcher(
        results=[[chunk(1, score=0.70, document=nearest)], [chunk(2, score=own)]]
    )
    talk = Talk(
        memory=ScriptedMemory(exchanges=[asked]), rewriter=ScriptedRewriter(understood), probe=probe
    )
    (search,) = (await talk.onward(typed)).searches
    assert (search.document, search.goes_on) == (("kiln.md", True) if goes_on else ("", False))


@pytest.mark.parametrize("said", ["im new here tho", "somebody here says 30 days and 15 percent"])
async def test_case_and_doubt_keep_the_question_before(said: str) -> None:
    """No document needs the words of somebody's case or doubt."""
    talk = Talk(probe=ScriptedResearcher(results=[[chunk(1, score=0.4)], [chunk(2, score=0.9)]]))
    meant = (await talk.onward(said)).question.standalone
    assert meant.startswith("When is the kiln fired and what does a shelf cost")


@pytest.mark.parametrize(
    ("said", "known", "alone"),
    [
        ("im locked out of my account", "Locked accounts are reported to the IT desk.", "i am locked out of my account"),
        ("isn't the price of the pump higher now", "The price of the pump is higher.", "isn't the price of the pump higher now"),
    ],
)  # fmt: skip
async def test_statement_of_another_thing_is_weighed(said: str, known: str, alone: str) -> None:
    """Whose case or doubt documents know better without the question before has a new subject."""
    talk = Talk(probe=ScriptedResearcher(results=[[chunk(1, 0.4)], [chunk(2, 0.9, known)]]))
    assert (await talk.onward(said)).question.standalone == alone
