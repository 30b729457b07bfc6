import logging
import uuid

import pytest
import sqlalchemy as sa

from masis.errors import StoreUnavailable
from storage.sql import workflow_tables


def test_tables_that_are_not_there_are_told_by_what_makes_them(empty_postgres_url: str) -> None:
    url = sa.make_url(empty_postgres_url).set(drivername="postgresql+psycopg")
    assert workflow_tables.version(url) == 0
    with pytest.raises(StoreUnavailable, match="masis migrate"):
        workflow_tables.check(url)
    workflow_tables.migrate(url)
    workflow_tables.check(url)
    assert workflow_tables.version(url) > 0


def test_what_every_thread_says_while_the_database_is_away_is_heard_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    workflow_tables.quiet()
    log = logging.getLogger("dbos")
    # Named anew: a run that another test left behind may have said the like in this process.
    one, other = uuid.uuid4().hex, uuid.uuid4().hex
    for number in range(50):
        log.warning("%s again and again: %d", one, number)
        log.warning("%s again and again: %d", other, number)
    assert [record.getMessage()[:32] for record in caplog.records] == [one, other]
