import asyncio
import contextlib
import os
import re
import shlex
import shutil
import sqlite3
from collections import namedtuple
from pathlib import Path

import psycopg
import pytest
from typer.testing import Result

from bot.cli.doctor import doctor
from bot.cli.doctor.findings import Check
from bot.cli.doctor.probes import probe
from bot.compose import compose
from bot.owners import owner_of
from bot.settings import Settings, load
from masis.adapters.minilm_reader import MiniLMReader
from masis.ports import Point
from tests.bot.program import Masis, lines, program, write
from tests.memory import copy_folder


def test_a_healthy_installation_is_all_ok(masis: Masis) -> None:
    result = masis("doctor")
    assert result.exit_code == 0, result.output
    assert [line.split(":")[0] for line in result.stdout.splitlines()] == [
        "ok      settings",
        "ok      data folder",
        "ok      free space",
        "ok      schema",
        "skipped run engine's tables",
        "ok      database",
        "ok      embedder",
        "ok      reading model",
        "ok      vectors",
        "ok      workspaces",
        "ok      documents",
        "skipped model service",
        "skipped slack",
        "skipped teams",
    ]
    assert "minilm" in result.stdout


def test_json_is_a_line_a_check(filled: Masis) -> None:
    found = lines(filled("doctor", "--json"))
    assert {each["state"] for each in found} == {"ok", "skipped"}
    assert set(found[0]) == {"name", "state", "detail", "hint"}
    (workspaces,) = [each for each in found if each["name"] == "workspaces"]
    assert workspaces["detail"] == "1 can be opened"


def test_wrong_settings_are_its_first_finding(masis: Masis) -> None:
    result = masis("doctor", MASIS_MAX_RETRYS="1")
    assert result.exit_code == 1
    assert "fail    settings: MASIS_MAX_RETRYS is no setting" in result.stdout
    assert "Mend the environment or `.env`." in result.stdout


def test_unreachable_model_service_is_found(masis: Masis) -> None:
    """An unreachable model service is found for each role."""
    result = masis(
        "doctor",
        MASIS_AGENTS="model",
        MASIS_MODEL_BASE_URL="http://127.0.0.1:9/v1",
        MASIS_EMBEDDER="none",
    )
    assert result.exit_code == 1
    for role in ("writer", "auditor", "judge"):
        assert f"fail    model service, {role}: The model service at 127.0.0.1" in result.stdout
    assert "ok      vectors" in result.stdout


async def reading_checks(settings: Settings, model_path: Path) -> list[Check]:
    """What is said of the reading model, where its file lies there."""
    async with compose(settings) as app, MiniLMReader(model_path=model_path) as reader:
        app.answer_reader = reader
        return [each for each in await probe(app) if each.name == "reading model"]


@pytest.mark.parametrize(("content", "said"), [(None, "cannot be read"), (b"other", "was altered")])
async def test_missing_or_altered_reader_is_found(
    tmp_path: Path, data_dir: Path, content: bytes | None, said: str
) -> None:
    """A reading model that is missing or altered is found."""
    path = tmp_path / "answer_reader.onnx"
    if content is not None:
        path.write_bytes(content)
    [check] = await reading_checks(load(data_dir=data_dir, embedder="none"), path)
    assert check.state == "fail"
    assert check.detail == f"the reading model {path} {said}; reinstall MASIS"


async def test_unused_reader_is_not_tried(tmp_path: Path, data_dir: Path) -> None:
    """A reading model that no agent uses is not tried."""
    url = "http://127.0.0.1:9/v1"
    settings = load(data_dir=data_dir, embedder="none", agents="model", model_base_url=url)
    assert await reading_checks(settings, tmp_path / "gone.onnx") == []


def test_uncreatable_folder_is_found(masis: Masis, data_dir: Path) -> None:
    """A folder that cannot be made is found."""
    data_dir.write_text("a file stands where the folder should be")
    result = masis("doctor")
    assert result.exit_code == 1
    assert "fail    data folder" in result.stdout
    assert "MASIS_DATA_DIR" in result.stdout


def test_unused_folder_is_not_checked(data_dir: Path) -> None:
    # A container has little room in it, and needs none.
    """A folder in which nothing is kept is not looked at."""
    data_dir.write_text("a file stands where the folder should be")
    away = {
        "MASIS_DATABASE_URL": "postgresql://masis@127.0.0.1:9/masis",
        "MASIS_QDRANT_URL": "http://127.0.0.1:9",
    }
    result = program(data_dir, **away)("doctor")
    assert "skipped data folder: nothing is kept in it" in result.stdout
    assert "fail    database" in result.stdout


def test_too_little_room_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")  # noqa: PYI024 - as shutil's own
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10, 9, 1_000_000))
    (_, room) = doctor.check_folder(tmp_path)
    assert (room.state, room.name) == ("fail", "free space")
    assert "1.0 MB left" in room.detail


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_open_folder_gets_a_hint(tmp_path: Path) -> None:
    """A folder open to others gets a hint."""
    tmp_path.chmod(0o755)
    (folder, _) = doctor.check_folder(tmp_path)
    assert (folder.state, folder.hint) == ("ok", f"chmod 700 '{tmp_path}'")
    tmp_path.chmod(0o700)
    assert doctor.check_folder(tmp_path)[0].hint == ""


def test_a_damaged_database_is_found(masis: Masis, data_dir: Path) -> None:
    data_dir.mkdir()
    (data_dir / "masis.db").write_bytes(b"not a database at all" * 500)
    result = masis("doctor")
    assert result.exit_code == 1
    assert "fail    database" in result.stdout


def test_lost_vectors_get_a_remedy(masis: Masis, data_dir: Path, handbook: Path) -> None:
    """Lost vectors are found and what it says mends them."""
    assert masis("ingest", handbook, "--workspace", "hand book").exit_code == 0
    shutil.rmtree(data_dir / "vectors")
    result = masis("doctor")
    assert result.exit_code == 1
    assert "fail    workspaces: “hand book”: it has" in result.stdout
    assert "passages and 0 vectors" in result.stdout
    delete, ingest = re.findall(r"`masis ((?:delete|ingest) [^`]*)`", result.stdout)
    assert masis(*shlex.split(delete)).exit_code == 0
    assert masis(*shlex.split(ingest.replace("FOLDER", str(handbook)))).exit_code == 0
    assert "ok      workspaces: 1 can be opened" in masis("doctor").stdout


def test_documents_of_older_readers_are_told(data_dir: Path, handbook: Path) -> None:
    masis = program(data_dir, MASIS_EMBEDDER="none")
    masis("sync", handbook, "--workspace", "synced")
    masis("ingest", handbook / "leave.md", "--workspace", "ingested")
    with contextlib.closing(sqlite3.connect(data_dir / "masis.db")) as database:
        database.execute("UPDATE versions SET parser = NULL")  # as an upgrade finds them
        database.commit()
    told = masis("doctor").stdout
    assert "ok      documents: 4 documents read by an older version of MASIS" in told
    assert "The next `masis sync` of their folders reads 3 again." in told
    assert "put 1 in again with `masis ingest`, or upload them in Slack again" in told
    assert "3 updated" in masis("sync", handbook, "--workspace", "synced").stdout
    again = masis("ingest", handbook / "leave.md", "--workspace", "ingested").stdout
    assert again.startswith("updated    leave.md · 1 passage · read again\n")
    assert "ok      documents: all were read by this version's readers" in masis("doctor").stdout


def test_surplus_vectors_are_found(masis: Masis, data_dir: Path, handbook: Path) -> None:
    """More vectors than passages are found unless a version is being written."""
    assert masis("ingest", handbook, "--workspace", "handbook").exit_code == 0

    async def spoil(*, writing: bool) -> None:
        async with compose(load(data_dir=data_dir)) as app:
            kept = await app.workspace("handbook")
            if writing:
                await app.repository.begin_version(kept.id, "new.md", "hash", 1)
            store = await app.stores.open(kept.id, None)
            await store.upsert([Point("c_x", "d_x", "v_x", 0, "md", None, {1: 1.0})])

    asyncio.run(spoil(writing=False))
    result = masis("doctor")
    assert result.exit_code == 1
    assert "fail    workspaces: “handbook”: it has" in result.stdout
    asyncio.run(spoil(writing=True))
    assert "ok      workspaces: 1 can be opened" in masis("doctor").stdout


TEAM = ("--team", "T0123ABCD")


@pytest.fixture
def masis(data_dir: Path) -> Masis:
    """The program on a folder that is not there yet."""
    return program(data_dir)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder where the command line and a team have a workspace each, named alike."""
    root = tmp_path_factory.mktemp("both")
    folder = write(root / "docs", {"leave.txt": "Annual leave is 26 days."})
    for whose in ((), TEAM):
        put = words_only(root / "data")("ingest", folder, "--workspace", "hand book", *whose)
        assert put.exit_code == 0, put.output
    return root


def words_only(data_dir: Path) -> Masis:
    """The program without an embedder, which takes its time to load."""
    return program(data_dir, MASIS_EMBEDDER="none", MASIS_PARSER_PROCESSES="1")


@pytest.fixture
def shared(both: Path, data_dir: Path) -> Masis:
    copy_folder(both / "data", data_dir)
    return words_only(data_dir)


def drop_vectors(data_dir: Path, owner: str) -> None:
    async def drop() -> None:
        async with compose(load(data_dir=data_dir), owner) as app:
            await app.stores.drop((await app.workspace("hand book")).id)

    asyncio.run(drop())


def test_all_team_workspaces_are_checked(shared: Masis, data_dir: Path, both: Path) -> None:
    """The workspaces of every team are looked at and what it says mends them."""
    assert "ok      workspaces: 2 can be opened\n" in shared("doctor").stdout
    drop_vectors(data_dir, owner_of("T0123ABCD"))
    result = shared("doctor")
    assert result.exit_code == 1
    assert "“hand book” of T0123ABCD: it has 1 passage and 0 vectors" in result.stdout
    assert "Its channels have to be linked again then." in result.stdout
    delete, ingest = re.findall(r"`masis ((?:delete|ingest) [^`]*)`", result.stdout)
    assert shared(*shlex.split(delete)).exit_code == 0
    assert shared(*shlex.split(ingest.replace("FOLDER", str(both / "docs")))).exit_code == 0
    assert "ok      workspaces: 2 can be opened\n" in shared("doctor").stdout


def test_single_team_can_be_checked(shared: Masis, data_dir: Path) -> None:
    """One team can be looked at alone."""
    drop_vectors(data_dir, owner_of(""))
    assert "fail    workspaces: “hand book”: it has" in shared("doctor").stdout
    assert "ok      workspaces: 1 can be opened\n" in shared("doctor", *TEAM).stdout
    assert "ok      workspaces: none with" in shared("doctor", "--team", "T0OTHER").stdout
    wrong = shared("doctor", "--team", "handbook", "--json")
    assert wrong.exit_code == 2
    assert lines(wrong)[0]["status"] == "failed"


def test_workspaces_beyond_limit_are_counted(
    shared: Masis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many workspaces are looked at and the rest is counted."""
    monkeypatch.setattr("bot.cli.doctor.probes.MOST_WORKSPACES", 1)
    said = "1 can be opened; 1 more not looked at: `masis doctor --team T` takes one team's\n"
    assert f"ok      workspaces: {said}" in shared("doctor").stdout


def test_open_workspace_is_no_failure(shared: Masis, data_dir: Path) -> None:
    """What a bot has open meanwhile is no failure."""
    with asyncio.Runner() as bot:
        opening = compose(load(data_dir=data_dir), owner_of("T0123ABCD"))
        app = bot.run(opening.__aenter__())
        place = bot.run(app.workspace("hand book"))
        held = bot.run(app.stores.open(place.id, None))
        result = shared("doctor")
        bot.run(held.close())
        bot.run(opening.__aexit__(None, None, None))
    said = "1 can be opened; 1 not looked at, since another process has them open\n"
    assert f"ok      workspaces: {said}" in result.stdout


def state_of(result: Result) -> dict[str, str]:
    return {each["name"]: each["state"] for each in lines(result)}


def test_both_table_sets_are_reported(data_dir: Path, empty_postgres_url: str) -> None:
    """Both sets of tables of a server are told and left as they are."""
    masis = program(data_dir, MASIS_DATABASE_URL=empty_postgres_url, MASIS_EMBEDDER="none")
    empty = masis("doctor")
    assert "fail    schema: there are no tables yet; this MASIS works with" in empty.stdout
    assert "fail    run engine's tables: there are none yet" in empty.stdout
    assert empty.stdout.count("Run `masis migrate`") == 2
    assert "database" not in empty.stdout
    assert masis("migrate").exit_code == 0
    current = state_of(masis("doctor", "--json"))
    assert (current["schema"], current["run engine's tables"]) == ("ok", "ok")
    with psycopg.connect(empty_postgres_url, autocommit=True) as server:
        server.execute("UPDATE dbos.dbos_migrations SET version = version - 1")
        behind = masis("doctor", "--json")
        assert behind.exit_code == 1
        assert state_of(behind)["run engine's tables"] == "fail"
        assert state_of(behind)["workspaces"] == "ok"
        server.execute("UPDATE alembic_version SET version_num = '9999'")
        newer = masis("doctor").stdout
    assert "fail    schema: 9999 is newer than this MASIS" in newer
    assert "Update MASIS here" in newer


def test_hint_is_shown_under_its_check() -> None:
    """A check is shown with its hint under it."""
    check = Check(name="x", state="fail", detail="broken\x1b[2J", hint="mend it")
    assert doctor.shown(check).plain == "fail    x: broken[2J\n        mend it"
