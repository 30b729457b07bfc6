import pytest

from bot.teams.managing.document_uploads import upload_into


@pytest.mark.parametrize(
    ("text", "workspace"),
    [
        ("upload", ""),
        (" Upload. ", ""),
        ("upload handbook", "handbook"),
        ("upload to the handbook", "handbook"),
        ("upload into “papers 2026”!", "papers 2026"),
        ("What does it say?", None),
        ("uploaded by whom", None),
        ("Upload rules: how large?", None),
        ("", None),
    ],
)
def test_word_and_workspace_are_read(text: str, workspace: str | None) -> None:
    assert upload_into(text) == workspace
