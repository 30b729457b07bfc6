"""A document's own fields and those it was given, asked for on the real stores."""

import json
from pathlib import Path

import pytest

from bot.compose import compose
from bot.settings import load
from masis.assistant import Assistant
from masis.domain import Answered, NeedsClarification
from tests.bot.program import program, searched

DRAFT = b"---\nowner: sales\n---\n# Leave\n\nEvery employee has 24 days of annual leave a year.\n"
FINAL = b"---\nowner: finance\n---\n# Leave\n\nEvery employee has 28 days of annual leave a year.\n"
ASKED = "How many days of annual leave does every employee have?"


async def test_question_may_name_existing_field(data_dir: Path) -> None:
    """A question may name a field that there is."""
    async with compose(load(data_dir=data_dir)) as app:
        place = await app.repository.create_workspace(app.owner, "acme")
        await app.ingest.ingest(place, "draft.md", DRAFT)
        await app.ingest.ingest(place, "final.md", FINAL)
        assert isinstance(app.assistant, Assistant)
        for written in ("owner:finance", "where:owner=finance"):
            found = await app.assistant.ask(place, f"{ASKED} {written}", max_retries=0)
            assert isinstance(found.outcome, Answered)
            assert "28 days" in found.outcome.answer
            assert [each.document for each in found.outcome.citations] == ["final.md"]
            assert searched(found.trace)["filters"] == "where:owner=finance"
        missed = await app.assistant.ask(place, f"{ASKED} owner:nobody", max_retries=0)
        assert isinstance(missed.outcome, NeedsClarification)
        assert "owner=finance" in missed.outcome.clarification_question


def held(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("asked", ["owner:nobody", "@zanzibar-plan.md"])
async def test_suggested_name_goes_with_document(data_dir: Path, asked: str) -> None:
    """A name that was told goes with its document."""
    async with compose(load(data_dir=data_dir)) as app:
        place = await app.repository.create_workspace(app.owner, "acme")
        await app.ingest.ingest(place, "zanzibar.md", DRAFT.replace(b"sales", b"zanzibar"))
        await app.ingest.ingest(place, "final.md", FINAL)
        assert isinstance(app.assistant, Assistant)
        told = await app.assistant.ask(place, f"{ASKED} {asked}", max_retries=0)
        assert isinstance(told.outcome, NeedsClarification)
        assert "zanzibar" in told.outcome.clarification_question
        assert (await app.ingest.delete(place, "zanzibar.md")).blanked == 1
    asked_for = asked.removeprefix("@").encode()
    assert b"zanzibar" not in held(data_dir).replace(asked_for, b"")


def test_command_line_lists_and_uses_fields(tmp_path: Path) -> None:
    """The command line gives fields lists them and asks by them."""
    masis = program(tmp_path / "data")
    (tmp_path / "draft.md").write_bytes(DRAFT)
    (tmp_path / "final.md").write_bytes(FINAL)
    place = ("-w", "acme")
    given = ("--field", "status=draft", "--field", "Cost Center=4711")
    assert masis("ingest", str(tmp_path / "draft.md"), *place, *given).exit_code == 0
    assert masis("ingest", str(tmp_path / "final.md"), *place).exit_code == 0
    listed = [json.loads(line) for line in masis("docs", *place, "--json").stdout.splitlines()]
    assert [each["fields"] for each in listed] == [
        {"status": "draft", "cost-center": "4711", "owner": "sales"},
        {"owner": "finance"},
    ]
    assert "cost-center=4711" in masis("docs", *place).stdout
    asked = masis("ask", ASKED, *place, "--where", "status=draft", "--json")
    assert [each["document"] for each in json.loads(asked.stdout)["citations"]] == ["draft.md"]
    assert masis("ask", ASKED, *place, "--where", "status").exit_code == 2
    assert masis("ingest", str(tmp_path / "draft.md"), *place, "--field", "in=x").exit_code == 2
