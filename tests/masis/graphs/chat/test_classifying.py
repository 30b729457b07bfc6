"""Which questions go to the graph that finds codes."""

from dataclasses import dataclass

import pytest

from masis.codelists.named_codes import asked_code
from masis.domain import AskedBack, Question, WorkspaceId
from masis.graphs.common import Onward
from masis.text.lexical import terms
from masis.values.coded import Coded, TitledCode
from tests.masis.graphs.chat.talking import ASKED, ScriptedMemory, Talk, answered, kept


@dataclass
class Names:
    """A workspace whose lists are called so, which may have no other documents, and have this code."""

    said: str
    alone: bool = False
    code: str = ""

    async def names(self, workspace_id: WorkspaceId) -> frozenset[str]:
        assert workspace_id
        return frozenset(terms(self.said))

    async def asked(self, workspace_id: WorkspaceId, question: str) -> bool:
        assert workspace_id
        return bool(self.code) and asked_code(question, {self.code: ""}) == self.code

    async def are_all(self, workspace_id: WorkspaceId) -> bool:
        assert workspace_id
        return self.alone


@pytest.mark.parametrize(
    ("asked", "said", "graph"),
    [
        ("Which ticket type is a leaking pump?", "Ticket types", "classification"),
        ("Which ticket type is a leaking pump?", "", "research"),
        ("Which cost centre is a leaking pump?", "Ticket types", "research"),
        (
            "which cost centre does this invoice belong to? 3 monitors and a dock",
            "Cost center no.",
            "classification",
        ),
        ("Which cost center is a dock?", "Cost centre", "classification"),
        ("Which acount is a dock?", "Account", "classification"),
        ("Which ticket types are there?", "Ticket types", "research"),
        ("What do the pumps cost?", "Ticket types", "research"),
    ],
)
async def test_descriptions_go_to_classification(asked: str, said: str, graph: str) -> None:
    handed = await Talk(codes=Names(said)).say(asked)
    assert isinstance(handed, Onward)
    assert handed.graph == graph


async def test_replies_go_back_to_classification() -> None:
    back = AskedBack(question="Which is it?", options=["Pump leaks"], reply="Pump leaks")
    asked = "Which ticket type is a leak?"
    question = Question(text=asked, standalone=asked, reply="Pump leaks", asked_back=[back])
    handed = await Talk(codes=Names("Ticket types")).say(asked, question=question)
    assert isinstance(handed, Onward)
    assert (handed.graph, handed.request.question) == ("classification", question)


@pytest.mark.parametrize(
    ("asked", "graph"),
    [
        ("give each row in this file its ticket type", "classification"),
        ("give each row in this file its price", "research"),
    ],
)
async def test_rows_of_files_go_to_classification(asked: str, graph: str) -> None:
    question = Question.plain(asked).model_copy(update={"files": ["rows.csv"]})
    handed = await Talk(codes=Names("Ticket types")).say(asked, question=question)
    assert isinstance(handed, Onward)
    assert handed.graph == graph


async def test_threads_lend_descriptions_no_words() -> None:
    """What describes something itself is not made a follow-up of what was asked before."""
    asked = "Which ticket type is it when it does not start?"
    handed = await Talk(codes=Names("Ticket types")).say(asked)
    assert isinstance(handed, Onward)
    assert handed.request.question.standalone == asked


async def test_documents_mode_classifies_nothing() -> None:
    asked = "Which ticket type is a leak?"
    handed = await Talk(codes=Names("Ticket types")).say(asked, mode="documents")
    assert isinstance(handed, Onward)
    assert handed.graph == "research"


@pytest.mark.parametrize(
    ("told", "graph"),
    [
        ("my screen stays black after the update", "classification"),
        ("can't log in to the vpn", "classification"),
        ("what about a broken keyboard", "classification"),
        ("broken coffee machine?", "classification"),
        ("the toner", "classification"),
        ("and toner", "research"),
        ("how many are there", "research"),
        ("can I see all of them", "research"),
        ("list the ones for laptops", "research"),
    ],
)
async def test_lists_alone_classify_whatever_is_told(told: str, graph: str) -> None:
    handed = await Talk(codes=Names("Ticket types", alone=True)).say(told)
    assert isinstance(handed, Onward)
    assert handed.graph == graph


async def test_lists_beside_documents_classify_nothing_told() -> None:
    handed = await Talk(codes=Names("Ticket types")).say("my screen stays black after the update")
    assert isinstance(handed, Onward)
    assert handed.graph == "research"


@pytest.mark.parametrize(
    "asked", ["what does FA21 mean?", "FA21", "whats FA21", "what is code fa21"]
)
async def test_codes_named_are_looked_up(asked: str) -> None:
    handed = await Talk(codes=Names("Ticket types", code="FA21")).say(asked)
    assert isinstance(handed, Onward)
    assert handed.graph == "classification"


def gave_code(*below: TitledCode) -> ScriptedMemory:
    """A thread whose last answer is a code, or a group."""
    code = Coded(code="K7", title="Kilns", below=list(below))
    outcome = answered().model_copy(update={"code": code}).model_dump(mode="json")
    return ScriptedMemory(runs=[kept(graph="classification", outcome=outcome)])


@pytest.mark.parametrize(
    "said", ["neither", "None of these.", "that's not it", "wrong code", "something else"]
)
async def test_given_codes_can_be_turned_down(said: str) -> None:
    """Who says that a code is not it gets another one for what was described, and not for these words."""
    handed = await Talk(memory=gave_code(), codes=Names("Ticket types")).say(said)
    assert isinstance(handed, Onward)
    question = handed.request.question
    assert (handed.graph, question.text, question.standalone) == ("classification", ASKED, ASKED)
    assert [(each.options, each.reply) for each in question.asked_back] == [(["Kilns (K7)"], said)]


async def test_another_try_knows_what_was_turned_down() -> None:
    """A search once more for a code does not give one that was turned down before."""
    back = AskedBack(question="This is it.", options=["Vats (V1)"], reply="wrong")
    outcome = answered().model_copy(
        update={"code": Coded(code="K7", title="Kilns"), "asked_back": [back]}
    )
    memory = ScriptedMemory(
        runs=[kept(graph="classification", outcome=outcome.model_dump(mode="json"))]
    )
    handed = await Talk(memory=memory, codes=Names("Ticket types")).say("try again")
    assert isinstance(handed, Onward)
    assert (handed.graph, handed.request.question.asked_back) == ("classification", [back])


async def test_groups_are_turned_down_themselves() -> None:
    """A group that was looked up is not given once more because only the codes in it were turned down."""
    memory = gave_code(TitledCode(code="K71", title="Small kilns"))
    handed = await Talk(memory=memory, codes=Names("Ticket types")).say("wrong code")
    assert isinstance(handed, Onward)
    (back,) = handed.request.question.asked_back
    assert back.options == ["Small kilns (K71)", "Kilns (K7)"]


async def test_other_answers_turn_down_no_code() -> None:
    handed = await Talk(codes=Names("Ticket types")).say("neither")
    assert not isinstance(handed, Onward) or handed.graph == "research"


async def test_given_codes_are_explained() -> None:
    """Who asks what is meant searches no document for these words: the answer is said once more."""
    said = await Talk(memory=gave_code(), codes=Names("Ticket types")).answer("what do you mean?")
    assert "The kiln is fired on Mondays" in said.answer
