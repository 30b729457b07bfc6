"""Files that come with a question are read for its answer, and for no other."""

from pathlib import Path

import sqlalchemy as sa

from bot.playground.slack.entities import Message
from bot.slack import ids
from storage.durable.erasure import forget_steps
from storage.privacy.purge import Purge
from storage.sql.tables import attached_chunks, attached_files
from tests.walks.office import Office, assert_told, office

CONTRACT = b"""# Supply agreement with Harrow Castings

## Term and notice

The agreement runs for 36 months. Either party may end it with 90 days' written notice.

## Prices

Castings of type HC-7 cost 14.20 euros each, fixed for the first 12 months.
"""
UNREADABLE = b"GIF89a" + bytes(range(256))
COST = "What does a casting of type HC-7 cost?"


async def test_attached_file_answers_once(tmp_path: Path) -> None:
    """A file answers the question that it came with, and neither the next one nor anybody's."""
    async with office(tmp_path, model=False) as here:
        await asks(here, f"@MASIS {COST}", ("contract.md", CONTRACT), ("scan.pdf", UNREADABLE))
        await here.sees(here.bob, "14.20 euros each")
        await here.types(here.bob, COST)
        await here.sees(here.bob, "nothing close enough")

        await assert_told(here, "attached_file")
        assert await left(here) == 0


async def test_attached_file_in_direct_message(tmp_path: Path) -> None:
    """By name it is found as well, and what it says nothing about comes from the workspace."""
    async with office(tmp_path, model=False) as here:
        place = here.alice.direct()
        files = [here.alice.file("contract.md", CONTRACT)]
        here.deeds.append(
            "Alice sends contract.md in a direct message: @contract.md how long is the notice?"
        )
        await here.alice.says(place, "@contract.md how long is the written notice?", files=files)
        await here.sees(here.alice, "90 days' written notice", channel=place)
        here.deeds.append("Alice sends contract.md with a question about annual leave")
        question = "How many days of annual leave does every employee have?"
        await here.alice.says(place, question, files=[here.alice.file("contract.md", CONTRACT)])
        await here.sees(here.alice, "26 days", channel=place)

        await assert_told(here, "attached_in_a_direct_message")


async def test_file_without_question_is_told(tmp_path: Path) -> None:
    """Who sends a file alone is told what can be done with it, and nothing is read."""
    async with office(tmp_path, model=False) as here:
        await asks(here, "@MASIS see attached", ("contract.md", CONTRACT))
        await here.sees(here.alice, "What do you want to know about this?")

        await assert_told(here, "attached_without_a_question")
        assert not await here.bot.services.runs.recent(here.tenant, 10)


async def test_reply_reads_the_file_again(tmp_path: Path) -> None:
    """The reply to what was asked back is about the same file, and may bring another one."""
    async with office(tmp_path, model=False) as here:
        asked = await asks(
            here, "@MASIS What is the penalty for late delivery?", ("contract.md", CONTRACT)
        )
        await here.sees(here.alice, "nothing close enough")
        penalty = b"# Annex\n\nThe penalty for late delivery is 3 % of the price a week.\n"
        await here.alice.uploads(here.channel, [("annex.md", penalty)], thread=asked)
        await here.sees(here.alice, "3 % of the price")
        await here.settled()

        runs = await here.bot.services.runs.recent(here.tenant, 10)
        assert [[file.name for file in run.files] for run in runs] == [
            ["contract.md", "annex.md"],
            ["contract.md"],
        ]
        assert await left(here) == 0


async def test_shortcut_reads_files_of_message(tmp_path: Path) -> None:
    """A question about somebody's message is asked of its files as well."""
    async with office(tmp_path, model=False) as here:
        posted = (await here.bob.uploads(here.channel, [("contract.md", CONTRACT)], "")).message
        assert posted is not None
        await here.alice.shortcut(ids.ASK_SHORTCUT, posted)
        await here.modal(here.alice, "Your question")
        await here.submits(here.alice, {"Your question": COST})
        await here.sees(here.bob, "14.20 euros each", thread=posted)


async def test_purge_leaves_no_byte(tmp_path: Path) -> None:
    """Forgetting who asked takes the words of their file out of the database."""
    async with office(tmp_path, model=False) as here:
        await asks(here, f"@MASIS {COST}", ("contract.md", CONTRACT))
        await here.sees(here.alice, "14.20 euros each")
        await here.settled()
        folder = here.app.settings.data_dir
        assert b"HC-7" in held(folder)

        report = await Purge(here.app.database).purge_user(here.tenant, here.alice.id)
        await forget_steps(here.app.database, report.runs)

        assert report.requests == 1
        assert b"HC-7" not in held(folder)
        assert b"contract.md" not in held(folder)


async def asks(here: Office, text: str, *files: tuple[str, bytes]) -> Message:
    """Alice says something with files; gives her message."""
    names = " and ".join(name for name, _ in files)
    here.deeds.append(f"Alice sends {names} with: {text}")
    sent = (await here.alice.uploads(here.channel, files, text)).message
    assert sent is not None
    return sent


async def left(here: Office) -> int:
    """How many rows there are of files that came with questions."""
    count = 0
    async with here.app.database.read() as connection:
        for table in (attached_files, attached_chunks):
            query = sa.select(sa.func.count()).select_from(table)
            count += (await connection.execute(query)).scalar_one()
    return count


def held(folder: Path) -> bytes:
    """Every byte of every file of a data folder."""
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())
