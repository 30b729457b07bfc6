"""A walk on PostgreSQL, behind a pooler: people see the very same as on SQLite."""

from pathlib import Path

from sqlalchemy import text

from storage.sql.database import Database
from tests.pooler import Pooler
from tests.walks.office import QUESTION, assert_told, office

OFF_TOPIC = "Who won the chess tournament in Reykjavik?"


async def test_clarified_question_works_on_postgres(tmp_path: Path, postgres_url: str) -> None:
    """A question a clarification and its reply go as on sqlite."""
    with Pooler(postgres_url, servers=3) as pooler:
        async with office(tmp_path, MASIS_DATABASE_URL=pooler.url) as here:
            await here.types(here.alice, QUESTION)
            await here.sees(here.bob, "High")
            await assert_told(here, "question_by_command")

            await here.types(here.alice, OFF_TOPIC)
            asked = await here.sees(here.bob, "nothing close enough to your question")
            await here.says(here.alice, QUESTION, thread=asked)
            await here.sees(here.bob, "High", thread=asked)
            await here.settled()
            assert "Answered by @Alice" in here.transcript()
    assert not (tmp_path / "data" / "masis.db").exists()
    database = await Database.open(postgres_url)
    try:
        async with database.read() as connection:
            ended = await connection.scalars(text("SELECT status FROM chat_runs"))
            assert list(ended) == ["finished"] * 3
    finally:
        await database.close()
