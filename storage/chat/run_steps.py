"""How far runs are: their steps as they began and ended, for whoever follows a run from outside."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa

from masis.domain import Value
from masis.runs import Step
from storage.sql.database import Database
from storage.sql.rows import AnyRow, now
from storage.sql.scope import clean, exactly
from storage.sql.tables import chat_runs, run_steps

MOST_STEPS: Final = 200
"""Of one run; the most passes that are allowed have half of that, the rest is for notes."""
_NAME_CHARS: Final = 64


class ToldStep(Value):
    """A step as it was told: `position` counts what was told of the run, from 1."""

    position: int
    step: Step
    at: dt.datetime


class RunSteps:
    """The steps of all runs. A run's id is its secret: no person's input is one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, run_id: str, steps: Sequence[Step]) -> None:
        """Note the steps that are new; an attempt that begins again tells what is known.

        What comes after `MOST_STEPS`, and what is told of a run that was forgotten, is dropped.

        Raises:
            StoreUnavailable: some may not be noted; they may be told again.
        """
        await self._database.transact(lambda connection: _add(connection, run_id, steps))

    async def since(self, run_id: str, position: int) -> list[ToldStep]:
        """Read what was told of a run after that position, in order."""
        query = (
            sa.select(run_steps)
            .where(exactly(run_steps.c.run_id, run_id), run_steps.c.position > position)
            .order_by(run_steps.c.position)
        )
        return await self._database.inspect(
            lambda look: [_to_told(row) for row in look.execute(query)]
        )


def _add(connection: sa.Connection, run_id: str, steps: Sequence[Step]) -> None:
    # The process that a run was taken from may still tell of a step: one writes at a time.
    run = sa.select(chat_runs.c.id).where(exactly(chat_runs.c.id, run_id))
    if connection.scalar(run.with_for_update(key_share=True)) is None:
        return
    told = sa.select(run_steps).where(run_steps.c.run_id == run_id)
    known = {_key(_to_told(row).step) for row in connection.execute(told)}
    moment = now()
    for step in steps:
        key = _key(step)
        if key in known or len(known) >= MOST_STEPS:
            continue
        known.add(key)
        row = _row(step) | {"run_id": run_id, "position": len(known), "at": moment}
        connection.execute(sa.insert(run_steps).values(row))


def _row(step: Step) -> dict[str, Any]:
    texts = {"title": clean(step.title), "note": clean(step.note)}
    return step.model_dump() | {"name": clean(step.name)[:_NAME_CHARS]} | texts


def _key(step: Step) -> tuple[str, int, str, str]:
    row = _row(step)
    return row["name"], step.number, step.state, row["note"]


def _to_told(row: AnyRow) -> ToldStep:
    step = Step(name=row.name, number=row.number, state=row.state, title=row.title, note=row.note)
    return ToldStep(position=row.position, step=step, at=row.at)
