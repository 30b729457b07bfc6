from bot.playground.server import Playground
from tests.bot.playground.small_bot import client, refused


async def test_upload_becomes_a_thread_message(slack: Playground) -> None:
    """An upload becomes a message in the thread."""
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    root = (await alice.says(general, "how many?")).message
    assert root is not None
    web = client(slack)
    told = await web.files_upload_v2(
        channel=general.id,
        thread_ts=root.ts,
        content="the whole answer",
        filename="answer.md",
        title="The whole answer",
        initial_comment="It is long",
    )

    assert alice.reads(general, root) == ["how many?", "It is long\n(file) The whole answer"]
    file = slack.world.files[str(told["file"]["id"])]
    assert file.content == b"the whole answer"


async def test_app_knows_its_shared_file(slack: Playground) -> None:
    """A file is known to the app where it was shared."""
    alice, web = slack.person("alice"), client(slack)
    general, board = slack.channel("general", alice), slack.channel("board", alice, with_app=False)
    shown, hidden = alice.file("a.pdf", b"%PDF"), alice.file("b.pdf", b"%PDF")
    await alice.uploads(general, [shown])
    await alice.uploads(board, [hidden])

    told = (await web.files_info(file=shown.id))["file"]
    assert (told["name"], told["size"], told["filetype"]) == ("a.pdf", 4, "pdf")
    assert await refused(web.files_info(file=hidden.id)) == "file_not_found"
    shown.deleted = True
    assert await refused(web.files_info(file=shown.id)) == "file_deleted"


async def test_foreign_file_is_known_by_id(slack: Playground) -> None:
    """A file of another organisation is told by its id alone."""
    alice, web = slack.person("alice"), client(slack)
    general = slack.channel("general", alice)
    file = alice.file("a.pdf", b"%PDF", hidden=True)
    said = (await alice.uploads(general, [file])).message
    assert said is not None

    assert said.json()["files"] == [
        {"id": file.id, "mode": "hosted", "file_access": "check_file_info"}
    ]
    assert (await web.files_info(file=file.id))["file"]["url_private"] == file.url


async def test_oversized_file_is_refused_early(slack: Playground) -> None:
    """Too large a file is refused before it is sent."""
    call = client(slack).files_getUploadURLExternal(filename="a.md", length=2_000_000_000)

    assert await refused(call) == "file_upload_size_restricted"
