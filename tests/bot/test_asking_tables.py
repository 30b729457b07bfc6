"""A file of rows put in, asked over all of them, and gone again: on the real stores."""

from pathlib import Path

from bot.compose import compose
from bot.settings import load
from masis.assistant import Assistant
from masis.domain import Answered
from storage.documents.tabular_rows import SqlTables

TICKETS = "Ticket ID,Opened,Priority,Status,Assignee\n" + "".join(
    f"T-{100 + at},2026-0{1 + at % 3}-1{at % 9},P{1 + at % 2},{'Open' if at % 4 else 'Closed'},Zanzibar Lee\n"
    for at in range(80)
)


def held(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


async def test_question_over_all_rows(data_dir: Path) -> None:
    """A question over all rows is answered by a query, whose words go with the document."""
    async with compose(load(data_dir=data_dir)) as app:
        place = await app.repository.create_workspace(app.owner, "acme")
        other = await app.repository.create_workspace(app.owner, "other")
        await app.ingest.ingest(place, "tickets.csv", TICKETS.encode())
        assert isinstance(app.assistant, Assistant)
        asked = await app.assistant.ask(place, "how many open tickets by priority")
        assert isinstance(asked.outcome, Answered)
        assert "- P2: 40 [1]\n- P1: 20 [1]" in asked.outcome.answer
        assert "I looked at 80 rows of tickets.csv (rows 2–81)" in asked.outcome.answer
        assert any("SELECT" in str(entry.get("query")) for entry in asked.trace)
        missed = await app.assistant.ask(other, "how many open tickets by priority")
        assert not isinstance(missed.outcome, Answered)
        told = await app.assistant.ask(place, "who is assigned to T-101")
        assert isinstance(told.outcome, Answered)
        assert "Zanzibar Lee" in told.outcome.answer
        assert (await app.ingest.delete(place, "tickets.csv")).blanked == 2
        gone = await app.assistant.ask(place, "how many open tickets by priority")
        assert not isinstance(gone.outcome, Answered)
    assert b"Zanzibar" not in held(data_dir)


async def test_document_from_before_is_read_again(data_dir: Path) -> None:
    """A document that an older reader read has no table, is counted, and gets one when read again."""
    async with compose(load(data_dir=data_dir)) as app:
        place = await app.repository.create_workspace(app.owner, "acme")
        app.ingest._parsers = {"csv": 1}
        await app.ingest.ingest(place, "tickets.csv", TICKETS.encode())
        assert (await app.older_documents(None)).others == 1
    async with compose(load(data_dir=data_dir)) as app:
        await app.ingest.ingest(place, "tickets.csv", TICKETS.encode())
        assert (await app.older_documents(None)).others == 0
        assert len(await SqlTables(app.database).tables(place.id)) == 1
