import logging
import uuid

import pytest
import sqlalchemy as sa

from masis.errors import StoreUnavailable
from storage.sql import workflow_tables


def test_missing_tables_name_migrate_command(empty_postgres_url: str) -> None:
    """Tables that are not there are told by what makes them."""
    url = sa.make_url(empty_postgres_url).set(drivername="postgresql+psycopg")
    assert workflow_tables.version(url) == 0
    with pytest.raises(StoreUnavailable, match="masis migrate"):
        workflow_tables.check(url)
    workflow_tables.migrate(url)
    workflow_tables.check(url)
    assert workflow_tables.version(url) > 0


def test_repeated_log_lines_appear_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What every thread says while the database is away is heard once."""
    workflow_tables.quiet()
    log = logging.getLogger("dbos")
    # Named anew: a run that another test left behind may have said the like in this process.
    one, other = uuid.uuid4().hex, uuid.uuid4().hex
    for number in range(50):
        log.warning("%s again and again: %d", one, number)
        log.warning("%s again and again: %d", other, number)
    assert [record.getMessage()[:32] for record in caplog.records] == [one, other]
