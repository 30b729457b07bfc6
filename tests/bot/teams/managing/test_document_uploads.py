import pytest

from bot.teams.managing.document_uploads import upload_of
from masis.codelists.code_list import KIND


@pytest.mark.parametrize(
    ("text", "workspace"),
    [
        ("upload", ""),
        (" Upload. ", ""),
        ("upload handbook", "handbook"),
        ("upload to the handbook", "handbook"),
        ("upload into “papers 2026”!", "papers 2026"),
        ("upload to code lists", "code lists"),
        ("upload to basics", "basics"),
        ("please upload this file", ""),
        ("upload these files into handbook, please", "handbook"),
        ("upload to this year", "this year"),
        ("upload it", "it"),
        ("upload thesis", "thesis"),
        ("upload both.", ""),
        ("upload the files", ""),
        ("upload the filesystem", "filesystem"),
        ("please tell me how uploads work", None),
        ("how do I upload a list of codes?", None),
        ("What does it say?", None),
        ("uploaded by whom", None),
        ("Upload rules: how large?", None),
        ("classify these rows as a code list has them", None),
        ("what counts as a code list?", None),
        ("", None),
    ],
)
def test_word_and_workspace_are_read(text: str, workspace: str | None) -> None:
    assert upload_of(text) == (None if workspace is None else (workspace, ""))


@pytest.mark.parametrize(
    ("text", "workspace"),
    [
        ("upload as code list", ""),
        ("Upload as a code list.", ""),
        ("upload as codelists", ""),
        ("upload to handbook as a list of codes", "handbook"),
        ("upload as the code list to “handbook”", "handbook"),
        ("upload this as a code list please", ""),
        ("please upload both files as code lists into handbook", "handbook"),
        ("upload as a list of codes, thanks", ""),
    ],
)
def test_code_lists_are_said_to_be_ones(text: str, workspace: str) -> None:
    """A short table of codes is recognised by nothing else."""
    assert upload_of(text) == (workspace, KIND)
