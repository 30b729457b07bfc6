"""Files that people post become documents that answer."""

from pathlib import Path

from bot.chat.surface import Denial
from bot.slack import ids
from bot.slack.client.downloads import Downloads
from bot.slack.client.uploaded import Uploaded
from bot.slack.surface import SlackSurface
from storage.chat.admin_log import AdminLog
from tests.walks.office import HANDBOOK, Office, assert_told, office

SHORTCUT = "“Add files to workspace”"
PARKING = b"# Parking\n\nVisitors park on deck 3. A visitor's parking costs 2 euros an hour.\n"
QUESTION = "What does a visitor's parking cost an hour?"
PICTURE = b"GIF89a" + bytes(range(256))


async def test_bad_message_file_is_explained(tmp_path: Path) -> None:
    """Files of a message are added and the bad one says why."""
    async with office(tmp_path) as here:
        files = [
            ("parking.md", PARKING),
            ("map.pdf", PICTURE),
            ("leave.md", HANDBOOK["leave.md"].encode()),
        ]
        here.deeds.append("Alice posts parking.md, map.pdf and leave.md")
        posted = (await here.alice.uploads(here.channel, files, "The new rules")).message
        assert posted is not None
        here.deeds.append(f"Alice chooses {SHORTCUT} in the message's menu")
        await here.alice.shortcut(ids.FILES_SHORTCUT, posted)
        await here.sees(here.alice, "Only a Slack admin")
        await here.settled()
        here.deeds.append(f"Olivia chooses {SHORTCUT} in the message's menu")
        await here.admin.shortcut(ids.FILES_SHORTCUT, posted)
        await here.sees(here.bob, "1 added, 1 unchanged, 1 refused")
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "2 euros an hour")

        lunch = (await here.says(here.bob, "Lunch?")).message
        assert lunch is not None
        here.deeds.append(f"Olivia chooses {SHORTCUT} in the menu of “Lunch?”")
        await here.admin.shortcut(ids.FILES_SHORTCUT, lunch)
        await here.sees(here.admin, "This message has no files")

        await assert_told(here, "files_of_a_message")
        assert await logged(here) == [("Alice", "files: 3", False), ("Olivia", "files: 3", True)]


async def test_form_updates_only_changed_files(tmp_path: Path) -> None:
    """Files of the form change what has changed."""
    async with office(tmp_path, documents={"parking.md": PARKING.decode()}) as here:
        parking = here.admin.file("parking.md", PARKING)
        await here.types(here.admin, "upload")
        await here.modal(here.admin, "[Add]")
        await here.submits(here.admin, {"Files": [parking.json()]})
        await here.sees(here.bob, "1 unchanged")
        parking.content = PARKING.replace(b"2 euros", b"3 euros")
        await here.types(here.admin, "upload")
        await here.modal(here.admin, "[Add]")
        await here.submits(here.admin, {"Files": [parking.json()]})
        await here.sees(here.bob, "1 updated")
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "3 euros an hour")

        await assert_told(here, "files_of_the_form")
        assert await logged(here) == [("Olivia", "files: 1", True)] * 2


async def test_retried_upload_is_logged_once(tmp_path: Path) -> None:
    """An upload that is tried again is logged once."""
    async with office(tmp_path) as here:
        posted = (await here.alice.uploads(here.channel, [("parking.md", PARKING)], "")).message
        assert posted is not None
        await here.admin.shortcut(ids.FILES_SHORTCUT, posted)
        await here.sees(here.bob, "1 added")
        await here.settled()
        [run] = await here.bot.services.runs.recent(here.tenant, 10)
        assert not isinstance(await surface(here).admit(run), Denial)
        assert await logged(here) == [("Olivia", "files: 1", True)]


async def test_unauthorised_form_is_logged(tmp_path: Path) -> None:
    """A form sent by somebody who may not is logged."""
    async with office(tmp_path, model=False) as here:
        parking = here.admin.file("parking.md", PARKING)
        await here.types(here.admin, "upload")
        await here.modal(here.admin, "[Add]")
        given = {"Files": [parking.json()]}
        assert (await here.submits(here.alice, given, here.admin.modal)).errors
        assert await logged(here) == [("Alice", "member", False)]
        assert not await here.bot.services.runs.recent(here.tenant, 10)


def surface(here: Office) -> SlackSurface:
    """What shows the runs of the office."""
    services = here.bot.services
    return SlackSurface(
        access=services.access,
        admin_log=AdminLog(here.app.database),
        delivery=services.delivery,
        outbox=services.outbox,
        runs=services.runs,
        sessions=services.sessions,
        uploaded=Uploaded(services.web, Downloads(services.web, max_bytes=1)),
        web=services.web,
    )


async def logged(here: Office) -> list[tuple[str, str, bool]]:
    """Who put how many files in, and whether it was allowed, from the log's first line on."""
    lines = await AdminLog(here.app.database).list(here.tenant)
    users = here.slack.world.users
    assert all((line.action, line.target) == ("upload", here.channel.id) for line in lines)
    return [(users[line.actor].shown, line.detail, line.allowed) for line in reversed(lines)]
