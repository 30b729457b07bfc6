"""Documents that one question names are each evidence of its answer."""

from typing import Any

from masis.documents.ingestion import Ingest
from masis.graphs.research.graph import RESEARCH
from masis.retrieval.search import Retrieval
from masis.runs import run
from tests.fakes import FakeParser, FakeRepository, FakeVectorStores
from tests.masis.graphs.chat.talking import Talk
from tests.masis.retrieval.test_search import WordsEmbedder
from tests.scripted_agents import Cast

LEASE = "\n".join(f"The notice period of the lease of yard {n} is {n} days." for n in range(40))
STAFF = "The staff has a notice period of a month.\nStaff eat at noon."


async def test_two_named_files_both_give_evidence() -> None:
    """However many passages of the one have more of the words, the other has its share."""
    repository, stores, embedder = FakeRepository(), FakeVectorStores(), WordsEmbedder()
    workspace = await repository.create_workspace("local", "papers")
    ingest = Ingest(repository=repository, stores=stores, embedder=embedder, parser=FakeParser())
    for name, text in (("lease.md", LEASE), ("staff.md", STAFF), ("other.md", LEASE[:400])):
        await ingest.ingest(workspace, name, text.encode())
    retrieval: Any = Retrieval(repository=repository, stores=stores, embedder=embedder)
    context = Cast(researcher=retrieval).context()

    asked = await Talk(thread=None).onward(
        "@lease.md @staff.md what is the notice period of the staff and of the lease?"
    )
    request = asked.model_copy(update={"workspace_id": workspace.id})
    state = await run(RESEARCH.bound(context), RESEARCH.start(request))

    assert {each.document for each in state["evidence"]} == {"lease.md", "staff.md"}
