import asyncio
import datetime as dt
from pathlib import Path

import pytest
import typer
from pydantic import SecretStr
from typer.testing import CliRunner, Result

from bot.cli.operations.keys import keys
from bot.cli.session import Session
from bot.settings import load
from masis.conversation import Tenant
from masis.installation import Installation
from storage.accounts.installations import SqlInstallations
from storage.secrets import KeyRing, generate_key
from storage.sql.database import Database
from tests.bot.program import lines

K1 = f"k1:{generate_key()}"
K2 = f"k2:{generate_key()}"

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
app.add_typer(keys, name="keys")


@pytest.fixture
def run(data_dir: Path) -> "Run":
    return Run(data_dir)


class Run:
    """`masis keys` on a data folder of the test's own."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir

    def __call__(self, *arguments: str, held: str = "") -> Result:
        return CliRunner().invoke(
            app,
            ["keys", *arguments],
            env={"MASIS_DATA_DIR": str(self.data_dir), "MASIS_SECRET_KEYS": held},
            obj=Session(load=load),
            prog_name="masis",
            catch_exceptions=False,
        )

    def install(self, number: int, held: str) -> None:
        async def save() -> None:
            database = await Database.open(self.data_dir / "masis.db")
            try:
                store = SqlInstallations(database, KeyRing.parse(SecretStr(held)))
                for n in range(number):
                    await store.save(
                        Installation(
                            tenant=Tenant(team=f"T{held[:2]}{n}"),
                            token=SecretStr(f"xoxb-{n}"),
                            installed_at=dt.datetime.now(dt.UTC),
                        )
                    )
            finally:
                await database.close()

        asyncio.run(save())


def test_printed_key_fits_the_setting(run: Run) -> None:
    """A key is printed alone and fits into the setting."""
    result = run("generate")
    (key,) = result.stdout.splitlines()
    assert result.exit_code == 0
    assert KeyRing.parse(SecretStr(key)).ids == ["k1"]
    assert "Set it as MASIS_SECRET_KEYS" in result.stderr
    assert key not in result.stderr


def test_next_key_increments_its_number(run: Run) -> None:
    """The next key has the next number and shows no other."""
    result = run("generate", held=K1)
    assert result.stdout.startswith("k2:")
    assert "masis keys rotate" in result.stderr
    assert K1[3:] not in result.output


def test_rotation_replaces_the_key(run: Run) -> None:
    """A rotation leads from the old key to the new one."""
    run.install(3, K1)
    before = run("status", held=f"{K2},{K1}")
    assert before.stdout.splitlines() == [
        "k2  0 installations  encrypts and decrypts",
        "k1  3 installations  decrypts; `masis keys rotate` makes it superfluous",
    ]
    rotated = run("rotate", held=f"{K2},{K1}")
    assert (rotated.exit_code, rotated.stdout) == (0, "3 installations encrypted anew with k2\n")
    assert run("rotate", held=f"{K2},{K1}").stdout == "0 installations encrypted anew with k2\n"
    after = run("status", held=f"{K2},{K1}")
    assert "k1  0 installations  nothing is encrypted with it" in after.stdout
    assert run("status", held=K2).exit_code == 0


def test_programs_get_the_status_as_json(run: Run) -> None:
    run.install(1, K1)
    assert lines(run("status", "--json", held=f"{K2},{K1}")) == [
        {"key": "k2", "installations": 0, "use": "encrypts"},
        {"key": "k1", "installations": 1, "use": "decrypts"},
    ]


def test_missing_key_is_named(run: Run) -> None:
    """A missing key is named and fails."""
    run.install(2, K1)
    status = run("status", held=K2)
    assert status.exit_code == 1
    assert "k1  2 installations  missing in MASIS_SECRET_KEYS" in status.stdout
    assert "does not hold (it holds k2)" in status.stderr
    rotated = run("rotate", held=K2)
    assert rotated.exit_code == 1
    assert "2 installations still under the key k1" in rotated.stderr


def test_wrong_key_under_right_id_fails(run: Run) -> None:
    """A wrong key under a right id is found."""
    run.install(1, K1)
    result = run("status", held=f"k1:{generate_key()}")
    assert result.exit_code == 1
    assert "does not open with the key k1" in result.stderr


def test_missing_keys_are_explained(run: Run) -> None:
    """Without keys the way to one is told."""
    status = run("status")
    assert (status.exit_code, status.stdout) == (0, "")
    assert "nothing that needs one" in status.stderr
    rotated = run("rotate")
    assert rotated.exit_code == 2
    assert "masis keys generate" in rotated.stderr


def test_malformed_keys_are_not_repeated(run: Run) -> None:
    """Malformed keys are refused and not repeated."""
    for command in ("generate", "rotate", "status"):
        result = run(command, held="my-secret-passphrase")
        assert result.exit_code == 2
        assert "MASIS_SECRET_KEYS: entry 1" in result.stderr
        assert "passphrase" not in result.output
