"""Which messages are small talk, which want the last answer, and which are questions."""

import pytest

from masis.domain import Question
from masis.graphs.chat import texts
from masis.graphs.common import Onward
from tests.masis.graphs.chat.talking import ScriptedMemory, ScriptedRouter, Talk, far, trace


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("hello", texts.HELLO),
        ("thank you!", texts.THANKED),
        ("bye", texts.BYE),
        ("who are you?", texts.ABOUT),
        ("sorry, wrong channel", texts.NO_HARM),
        ("ok", texts.NOTED),
    ],
)
async def test_each_small_talk_gets_its_sentence(typed: str, said: str) -> None:
    talk = Talk()
    answer = await talk.answer(typed)
    assert answer.answer == said
    assert answer.small_talk
    assert answer.badge is None
    assert talk.probe.asked == []


@pytest.mark.parametrize(("typed", "offered"), [("hi", 3), ("help", 3), ("thanks", 0), ("bye", 0)])
async def test_who_may_ask_is_offered_questions(typed: str, offered: int) -> None:
    assert len((await Talk().answer(typed)).questions) == offered


async def test_thanks_with_a_question_go_on() -> None:
    """Its second half is a question like any other."""
    talk = Talk(memory=ScriptedMemory(exchanges=[]))
    request = await talk.onward("thanks, and who fires the kiln?")
    assert "who fires the kiln" in request.question.standalone


async def test_documents_mode_knows_no_small_talk() -> None:
    talk = Talk()
    assert (await talk.onward("hello", mode="documents")).question.standalone
    assert (await talk.onward("shorter please", mode="documents")).wider is False
    assert trace(talk, "router")["tier"] == "search"


async def test_a_named_file_is_no_small_talk() -> None:
    request = await Talk().onward("hello @rota.md")
    assert [each.document for each in request.searches] == ["rota.md"]


async def test_a_reply_is_never_small_talk() -> None:
    """Who is asked back may answer with a word that is small talk elsewhere."""
    question = Question(text="Which kiln?", standalone="Which kiln?", reply="sure")
    assert (await Talk().onward("sure", question=question)).question.reply == "sure"


async def test_commands_need_an_answer_before() -> None:
    """That there is none is said; a word alone may be what is looked for."""
    talk = Talk(memory=ScriptedMemory(exchanges=[]))
    assert (await talk.answer("shorter please")).answer == texts.NO_ANSWER
    assert (await talk.onward("summary")).wider is False
    assert trace(talk, "router")["intent"] == "direct_rag"


async def test_nothing_is_recalled_outside_threads() -> None:
    talk = Talk(thread=None)
    await talk.onward("who fires the kiln?")
    assert talk.memory.recalled == []


async def test_a_model_may_want_a_calculation() -> None:
    talk = Talk(router=ScriptedRouter(intent="analysis"), probe=far())
    handed = await talk.say("kilns weighed up, older and newer ones")
    assert isinstance(handed, Onward)
    assert handed.graph == "analysis"


async def test_a_model_is_asked_in_between() -> None:
    """What is neither near nor far is no rule's."""
    router = ScriptedRouter(intent="chat")
    talk = Talk(router=router, probe=far())
    assert (await talk.answer("how do you feel about kilns")).small_talk
    assert router.asked == ["how do you feel about kilns"]


async def test_near_questions_ask_no_model() -> None:
    router = ScriptedRouter(intent="chat")
    assert await Talk(router=router).onward("who fires the kiln?")
    assert router.asked == []


async def test_an_unsure_model_searches() -> None:
    assert await Talk(router=ScriptedRouter(intent=None), probe=far()).onward("kilns then")
