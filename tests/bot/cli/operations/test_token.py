import asyncio
import re
from pathlib import Path

from masis.conversation import Tenant
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.bot.program import Masis, lines

TEAM = Tenant(team="T0123ABC")


def made(masis: Masis, data_dir: Path, *more: str) -> str:
    """A workspace `notes`, and the token that was printed for it."""
    owner = TEAM.owner if "--team" in more else "local"

    async def put() -> None:
        database = await Database.open(data_dir / "masis.db")
        try:
            await SqlRepository(database).create_workspace(owner, "notes")
        finally:
            await database.close()

    asyncio.run(put())
    result = masis("token", "create", "--workspace", "notes", *more)
    assert result.exit_code == 0, result.output
    return result.stdout.strip()


def test_token_secret_is_printed_once(masis: Masis, data_dir: Path) -> None:
    """A token is printed alone once and listed without its secret."""
    shown = made(masis, data_dir, "--name", "nightly job", "--days", "7")
    assert re.fullmatch(r"masis_[a-z2-7]{16}_[A-Za-z0-9_-]{43}", shown)
    token_id = shown.split("_")[1]
    listed = masis("token", "list")
    assert listed.exit_code == 0
    assert shown not in listed.output
    for word in (token_id, "notes", "nightly job", "works", "never"):
        assert word in listed.stdout


def test_token_output_includes_the_expiry(masis: Masis, data_dir: Path) -> None:
    """The workspace id and the end are told beside the token."""
    made(masis, data_dir)
    result = masis("token", "create", "--workspace", "notes")
    assert "workspace id w_" in result.stderr
    assert "masis token revoke" in result.stderr
    assert result.stdout.strip() not in result.stderr


def test_revoked_token_stays_listed(masis: Masis, data_dir: Path) -> None:
    """A revoked token stays listed as such."""
    token_id = made(masis, data_dir).split("_")[1]
    assert masis("token", "revoke", token_id).stdout == f"revoked: {token_id}\n"
    assert masis("token", "revoke", token_id).exit_code == 0
    [listed] = lines(masis("token", "list", "--json"))
    assert (listed["id"], listed["state"]) == (token_id, "revoked")


def test_token_commands_print_json(masis: Masis, data_dir: Path) -> None:
    """Programs get all of it as json."""
    made(masis, data_dir)
    [created] = lines(masis("token", "create", "--workspace", "notes", "--json"))
    assert created["token"].startswith(f"masis_{created['id']}_")
    listed = lines(masis("token", "list", "--json"))
    assert len(listed) == 2
    assert "token" not in listed[0]
    assert "token_hash" not in listed[0]
    assert listed[0]["workspace_id"] == created["workspace_id"]


def test_token_has_the_rights_named(masis: Masis, data_dir: Path) -> None:
    """Without the option a token may ask, and nothing else."""
    made(masis, data_dir, "--rights", "documents, ask")
    made(masis, data_dir, "--rights", "documents")
    made(masis, data_dir)
    listed = lines(masis("token", "list", "--json"))
    rights = sorted(each["rights"] for each in listed)
    assert rights == [["ask"], ["ask", "documents"], ["documents"]]
    assert "ask, documents" in " ".join(masis("token", "list").stdout.split())


def test_unknown_right_is_refused(masis: Masis, data_dir: Path) -> None:
    made(masis, data_dir)
    for wrong in ("", "admin", "ask,", "ask;documents"):
        result = masis("token", "create", "--workspace", "notes", "--rights", wrong)
        assert result.exit_code == 2
        assert "--rights takes ask, documents" in " ".join(result.output.split())
    assert len(lines(masis("token", "list", "--json"))) == 1


def test_team_tokens_belong_to_the_team(masis: Masis, data_dir: Path) -> None:
    """A teams tokens are the teams alone."""
    token_id = made(masis, data_dir, "--team", TEAM.team).split("_")[1]
    assert "No tokens yet" in masis("token", "list").stderr
    assert masis("token", "revoke", token_id).exit_code == 2
    assert token_id in masis("token", "list", "--team", TEAM.team).stdout
    assert masis("token", "revoke", token_id, "--team", TEAM.team).exit_code == 0


def test_invalid_token_request_is_refused(masis: Masis, data_dir: Path) -> None:
    """What cannot be is refused with what to do."""
    made(masis, data_dir)
    unknown = masis("token", "create", "--workspace", "note")
    assert unknown.exit_code == 2
    assert "Did you mean “notes”?" in unknown.stderr
    assert masis("token", "create", "--workspace", "notes", "--days", "0").exit_code == 2
    assert masis("token", "create", "--workspace", "notes", "--name", "x" * 201).exit_code == 2
    gone = masis("token", "revoke", "nosuch", "--json")
    assert gone.exit_code == 2
    assert "masis token list" in gone.stderr
    assert lines(gone)[0]["status"] == "failed"
