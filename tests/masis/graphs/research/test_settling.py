"""A conflict from its question back to its end: what is quoted, what is asked again, and what is not."""

from dataclasses import dataclass, field

import pytest

from masis.adapters.minilm import MiniLMEmbedder
from masis.assistant import Assistant
from masis.documents.ingestion import Ingest
from masis.documents.parsing.recognition.read_document import read_document
from masis.domain import Answered, NeedsClarification, ParsedDocument, Workspace
from masis.graphs.common import Context
from masis.graphs.research import texts
from masis.graphs.research.agents import ResearchAgents
from masis.graphs.research.offline import (
    OfflineCritic,
    OfflineEvaluator,
    OfflineSynthesizer,
    Reader,
    WorkspaceLexicon,
)
from masis.questions.replies import answering
from masis.retrieval.search import Retrieval
from masis.retrieval.sentence_vectors import SentenceVectors
from tests.fakes import FakeRepository, FakeVectorStores
from tests.scripted_agents import badge_of, research

ASKED = "How many nights may a guest stay in the lodge?"
RULES = """---
date: 2024-05-02
---
# Lodge rules

A guest may stay in the lodge for 14 nights. The warden, Ola Brandt, approves every stay of a guest.
"""
LETTER = """---
date: 2025-11-20
---
# Letter to members

A guest may stay in the lodge for 21 nights. The kitchen closes at ten in the evening.
"""
NOTICE = """---
date: 2025-12-01
---
# Notice board

A guest may stay in the lodge for 30 nights.
"""
PAPERS = {"lodge-rules.md": RULES, "members-letter.md": LETTER}

Ended = Answered | NeedsClarification


class RealParser:
    """Reads a document in this process."""

    async def parse(self, name: str, content: bytes) -> ParsedDocument:
        return read_document(name, content)


@dataclass
class Desk:
    """A workspace, and whoever asks it and replies."""

    assistant: Assistant
    workspace: Workspace
    ingest: Ingest
    ended: list[Ended] = field(default_factory=list)
    searched: str = ""

    async def ask(self, question: str) -> Ended:
        """A new question."""
        self.searched = question
        return self._noted((await self.assistant.ask(self.workspace, question)).outcome)

    async def reply(self, said: str) -> Ended:
        """The reply to the last one."""
        last = self.ended[-1]
        assert isinstance(last, NeedsClarification)
        asked = answering(last.question, self.searched, last.kind, said)
        self.searched = asked.standalone
        finished = await self.assistant.ask(self.workspace, asked, parent_run_id=last.run_id)
        return self._noted(finished.outcome)

    def _noted(self, outcome: object) -> Ended:
        assert isinstance(outcome, Answered | NeedsClarification)
        self.ended.append(outcome)
        return outcome


async def desk(model: MiniLMEmbedder, papers: dict[str, str]) -> Desk:
    repository, stores = FakeRepository(), FakeVectorStores()
    workspace = await repository.create_workspace("local", "lodge")
    ingest = Ingest(repository=repository, stores=stores, embedder=model, parser=RealParser())
    for name, text in papers.items():
        await ingest.ingest(workspace, name, text.encode())
    vectors = SentenceVectors(model)
    reader = Reader(WorkspaceLexicon(repository), vectors)
    agents = ResearchAgents(
        researcher=Retrieval(
            repository=repository, stores=stores, embedder=model, sentences=vectors
        ),
        synthesizer=OfflineSynthesizer(reader),
        critic=OfflineCritic(reader),
        evaluator=OfflineEvaluator(reader),
        extractive=True,
    )
    assistant = Assistant(repository=repository, graphs=research(Context(agents=agents)))
    return Desk(assistant, workspace, ingest)


@pytest.fixture(scope="module")
def model() -> MiniLMEmbedder:
    return MiniLMEmbedder()


@pytest.fixture
async def asked(model: MiniLMEmbedder) -> Desk:
    """A desk at which two documents were found to disagree."""
    there = await desk(model, PAPERS)
    back = await there.ask(ASKED)
    assert isinstance(back, NeedsClarification)
    assert back.kind == "conflict"
    return there


async def test_the_question_back_shows_both_statements(asked: Desk) -> None:
    back = asked.ended[-1]
    assert isinstance(back, NeedsClarification)
    said = back.clarification_question

    assert "lodge-rules.md (2 May 2024): “A guest may stay in the lodge for 14 nights.”" in said
    assert "members-letter.md (20 Nov 2025): “A guest may stay in the lodge for 21 nights.”" in said
    assert {each.document for each in back.statements} == set(PAPERS)


@pytest.mark.parametrize(
    ("said", "counts", "does_not"),
    [
        ("members-letter.md counts", "21 nights", "14"),
        ("the letter", "21 nights", "14"),
        ("the newer one", "21 nights", "14"),
        ("2024", "14 nights", "21"),
        ("the one from May", "14 nights", "21"),
        ("21", "21 nights", "14"),
        ("not the rules", "21 nights", "14"),
        ("the lettre is out of date", "14 nights", "21"),
    ],
)
async def test_chosen_document_excludes_other_statement(
    asked: Desk, said: str, counts: str, does_not: str
) -> None:
    """A document chosen excludes the others statement."""
    end = await asked.reply(said)

    assert isinstance(end, Answered)
    assert counts in end.answer
    assert does_not not in end.answer
    assert (end.question, end.reply) == (ASKED, said)
    assert end.critique.conflicting_evidence == []


async def test_both_are_quoted_but_never_high(asked: Desk) -> None:
    """Both are shown with their documents and never high."""
    end = await asked.reply("Both")

    assert isinstance(end, Answered)
    assert "The documents differ" in end.answer
    for text in ("14 nights", "21 nights", *PAPERS):
        assert text in end.answer
    assert (badge_of(end).level, badge_of(end).note) == ("Medium", texts.SOURCES_DIFFER)


async def test_neither_leaves_nothing_and_says_so(asked: Desk) -> None:
    end = await asked.reply("neither, it changed last week")

    assert isinstance(end, NeedsClarification)
    assert end.clarification_question == texts.nothing_else()
    assert "14" not in end.answer
    assert "21" not in end.answer


async def test_undecided_reply_is_asked_once_more(asked: Desk) -> None:
    """Then both are shown, and nobody is asked a third time."""
    again = await asked.reply("not sure, ask the warden's office")
    assert isinstance(again, NeedsClarification)
    assert again.kind == "conflict"
    assert again.clarification_question.startswith("I could not tell")
    end = await asked.reply("hm, thanks anyway")

    assert isinstance(end, Answered)
    assert badge_of(end).level == "Low"
    for text in ("14 nights", "21 nights"):
        assert text in end.answer


async def test_second_reply_may_choose(asked: Desk) -> None:
    """A choice may come with the second reply."""
    await asked.reply("no idea")
    back = asked.ended[-1]
    assert isinstance(back, NeedsClarification)
    number = 1 + [each.document for each in back.statements].index("lodge-rules.md")
    end = await asked.reply(str(number))

    assert isinstance(end, Answered)
    assert "14 nights" in end.answer
    assert "21" not in end.answer


async def test_excluded_document_answers_other_parts(asked: Desk) -> None:
    """What does not count is its statement: whatever else it says is evidence as before."""
    settled = await asked.reply("the letter counts")
    question = "Who approves the stay of a guest in the lodge?"
    finished = await asked.assistant.ask(asked.workspace, question, parent_run_id=settled.run_id)

    assert isinstance(finished.outcome, Answered)
    assert "Ola Brandt" in finished.outcome.answer
    assert "lodge-rules.md" in {each.document for each in finished.outcome.citations}
    assert "14" not in finished.outcome.answer


async def test_third_document_still_conflicts(model: MiniLMEmbedder) -> None:
    """A choice was made between the two that were shown; the third was not among them."""
    there = await desk(model, PAPERS)
    await there.ask(ASKED)
    await there.ingest.ingest(there.workspace, "notice-board.md", NOTICE.encode())
    back = await there.reply("the letter counts")

    assert isinstance(back, NeedsClarification)
    assert {each.document for each in back.statements} == {"members-letter.md", "notice-board.md"}
    assert "14 nights" not in back.clarification_question
    end = await there.reply("notice board")
    assert isinstance(end, Answered)
    assert "30 nights" in end.answer
    assert "21" not in end.answer
    assert "14" not in end.answer


async def test_a_choice_holds_for_what_follows(asked: Desk) -> None:
    """A further question, or a wider search, in the same thread does not ask again."""
    end = await asked.reply("the letter counts")
    finished = await asked.assistant.ask(asked.workspace, ASKED, parent_run_id=end.run_id)

    assert isinstance(finished.outcome, Answered)
    assert "21 nights" in finished.outcome.answer
    assert "14" not in finished.outcome.answer


async def test_lone_reply_is_read_against_evidence(asked: Desk) -> None:
    """Of a run whose parent is not kept any more nobody knows which statements were shown."""
    replied = answering(ASKED, ASKED, "conflict", "the newer one")
    finished = await asked.assistant.ask(asked.workspace, replied, parent_run_id="gone")

    assert isinstance(finished.outcome, Answered)
    assert "21 nights" in finished.outcome.answer
    assert "14" not in finished.outcome.answer


async def test_the_chosen_statement_stands_first(model: MiniLMEmbedder) -> None:
    """Quote what was chosen before any passage that only has more of the question's words."""
    shop = (
        "# Shop\n\nGuests of the lodge may stay on at the shop for the nights of the fair, and may "
        "buy a guest card for the lodge there.\n"
    )
    here = await desk(model, {**PAPERS, "shop.md": shop})
    assert isinstance(await here.ask(ASKED), NeedsClarification)
    end = await here.reply("the rules")

    assert isinstance(end, Answered)
    assert end.answer.startswith("A guest may stay in the lodge for 14 nights [1].")
