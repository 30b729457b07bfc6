from masis.conversation import ChatRun
from masis.domain import Workspace
from storage.chat.received_files import ReceivedFiles, UploadProgress
from storage.chat.requests import ChatRuns
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.storage.chat.samples import OURS, THEIRS, a_run, insert
from tests.storage.documents.test_document_pages import put


def an_upload(run_id: str, workspace: Workspace, name: str, **fields: object) -> ChatRun:
    given = {"kind": "upload", "surface": "api", "question": name, "status": "finished", **fields}
    return a_run(run_id, workspace).model_copy(update=given)


async def left(database: Database) -> dict[str, str]:
    """The names that requests still have."""
    runs = ChatRuns(database)
    ids = ["same", "renamed", "refused", "open", "other", "theirs"]
    return {run.id: run.question for run in await runs.of_ids(ids)}


async def test_deleted_document_leaves_no_upload(database: Database) -> None:
    """Ended uploads of a deleted document go, whatever it was called; others keep theirs."""
    repository, files = SqlRepository(database), ReceivedFiles(database)
    workspace = await repository.create_workspace(OURS.owner, "ours")
    their_workspace = await repository.create_workspace(THEIRS.owner, "theirs")
    document_id = await put(repository, workspace, "plan.txt")
    other = an_upload("other", workspace, "b.txt")
    ended = [
        (an_upload("same", workspace, "plan.txt"), "ready", {"document_id": document_id}),
        (an_upload("renamed", workspace, "old.txt"), "ready", {"document_id": document_id}),
        (an_upload("refused", workspace, "plan.txt"), "refused", {"reason": "damaged"}),
        (an_upload("open", workspace, "plan.txt", status="running"), "ready", {}),
        (other, "ready", {"document_id": "d_x", "notes": ["same as plan.txt", "page 2 is empty"]}),
        (an_upload("theirs", their_workspace, "plan.txt", tenant=THEIRS), "ready", {}),
    ]
    await insert(database, *(run for run, _, _ in ended))
    for run, state, result in ended:
        await files.end(run, state, result, "c1")  # type: ignore[arg-type] # one of its words
    await repository.delete_document(workspace.id, document_id)
    assert await left(database) == {"open": "", "other": "b.txt", "theirs": "plan.txt"}
    noted = {"document_id": "d_x", "notes": ["page 2 is empty"]}
    assert await files.of(other) == UploadProgress(state="ready", result=noted)
