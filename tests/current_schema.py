"""An empty SQLite file of the current schema, MASIS's and the run engine's, made once a process.

To migrate one takes longer than most walks need until their first question.
"""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

import sqlalchemy as sa

from storage.sql import migrations, workflow_tables


def copy_to(file: Path) -> None:
    """Put a copy there, unless something stands there already."""
    if file.exists():
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(_template(), file)


@functools.cache
def _template() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="masis-schema-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    file = folder / "masis.db"
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        migrations.upgrade(connection)
    engine.dispose()
    workflow_tables.migrate(sa.URL.create("sqlite+aiosqlite", database=str(file)))
    return file
