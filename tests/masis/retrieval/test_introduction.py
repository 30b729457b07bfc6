import pytest

from masis.documents.ingestion import Ingest
from masis.domain import Document, Workspace
from masis.retrieval.introduction import FIRST, asks_for_the_whole, found, introduction, opening
from tests.fakes import FakeEmbedder, FakeParser, FakeRepository, FakeVectorStores
from tests.scripted_agents import chunk

PLAN = "\n\n".join(f"Part {part}. {'The works plan names every order. ' * 22}" for part in range(6))


@pytest.mark.parametrize(
    "question",
    [
        "what is about?",
        "What's it about",
        "summarise",
        "Summarize the document, please.",
        "Give me an overview of",
        "What does say?",
        "Can you briefly explain what this policy is about?",
        "tl;dr: what are the key points",
        "Tell me about",
        "What is the purpose of?",
    ],
)
def test_generic_question_requests_whole_document(question: str) -> None:
    """A question with no words of its own asks for the whole."""
    assert asks_for_the_whole(question)


@pytest.mark.parametrize(
    "question",
    [
        "What does say about mileage?",
        "Summarise the rules on hotels",
        "What are the travel expenses?",
        "What changed?",
        "When was it?",
        "Who is it for?",
        "How many pages are there?",
        "How much is it?",
        "Where is it?",
        "Why?",
    ],
)
def test_a_question_for_something_does_not(question: str) -> None:
    assert not asks_for_the_whole(question)


async def shelf() -> tuple[FakeRepository, Ingest, Workspace, Document]:
    repository = FakeRepository()
    ingest = Ingest(
        repository=repository,
        stores=FakeVectorStores(),
        embedder=FakeEmbedder(),
        parser=FakeParser(),
    )
    workspace = await repository.create_workspace("local", "acme")
    await ingest.ingest(workspace, "plan.txt", PLAN.encode())
    [document] = await repository.documents(workspace.id)
    return repository, ingest, workspace, document


async def test_introduction_is_unscored_first_chunks() -> None:
    """It is the first chunks marked and without scores."""
    repository, _, _, document = await shelf()
    assert document.chunks > FIRST
    begins = await introduction(repository, document, document.version_id)
    assert [each.position for each in begins] == list(range(FIRST))
    assert all(each.asked_by_name for each in begins)
    assert {(each.score, each.cosine, each.nearness, each.coverage) for each in begins} == {
        (0.0, 0.0, 0.0, 0.0)
    }
    assert {(each.document, each.version_id) for each in begins} == {
        ("plan.txt", document.version_id)
    }


async def test_invisible_version_has_no_introduction() -> None:
    """A version that is replaced or of another workspace shows nothing."""
    repository, ingest, workspace, document = await shelf()
    other = await repository.create_workspace("local", "other")
    stranger = document.model_copy(update={"workspace_id": other.id})
    assert await introduction(repository, stranger, document.version_id) == []
    await ingest.ingest(workspace, "notes.txt", PLAN.encode() + b" Notes.")
    [notes] = [d for d in await repository.documents(workspace.id) if d.name == "notes.txt"]
    assert await introduction(repository, document, notes.version_id) == []
    await ingest.ingest(workspace, "plan.txt", PLAN.encode() + b" New.")
    assert await introduction(repository, document, document.version_id) == []


def test_opening_holds_only_named_document() -> None:
    """An opening has those that were found too and nothing of another document."""
    named = [chunk(n, score=0.0, position=n, document_id="d", asked_by_name=True) for n in (0, 2)]
    second = chunk(1, position=1, document_id="d")
    rest = [chunk(4, position=4, document_id="d"), chunk(5, position=0)]
    evidence = [*named, *rest, second]
    assert opening(evidence) == [named[0], second, named[1]]
    assert found(evidence) == [*rest, second]
    assert opening([second, *rest]) == []
