"""Read what is known and under way when a request arrives, in one statement.

Everybody's acknowledgement waits for it: it goes through the few open and recent requests, never
through all that was ever asked.
"""

import datetime as dt
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.sql import ColumnElement

from masis.conversation import OPEN, ChatRun, TeamSettings
from masis.domain import Value
from storage.sql.rows import scope_of
from storage.sql.scope import TENANT, clean, owners_of, utc
from storage.sql.tables import chat_runs, executors, spent_days, team_settings, workspaces

_MINUTE: Final = dt.timedelta(minutes=1)


class QuotaSnapshot(Value):
    """Hold what quotas and the order of service are decided by.

    The request itself is left out of every count.

    `..._last_minute` is what was accepted within 60 s, whatever became of it; `..._open` is what
    waits, is queued or runs; `queued` and `workspace_queued` do not run yet. Of the workspace's
    open ones some are `workspace_waiting` for others, the rest are let through.
    """

    is_known: bool
    """Whether the request was accepted before."""
    has_workspace: bool
    """Whether its tenant may ask the workspace that it asks."""
    settings: TeamSettings
    user_last_minute: int
    user_open: int
    channel_last_minute: int
    workspace_last_minute: int
    workspace_open: int
    workspace_waiting: int
    workspace_queued: int
    thread_open: int
    queued: int
    going: int
    """Let through, over all workspaces: queued or running."""
    workers: int
    """Processes that work, as far as the database knows: none where there is but one."""
    spent_tokens: int
    spent_cost: int
    """What the workspace spent today (UTC), in millionths."""


def take_snapshot(connection: sa.Connection, run: ChatRun, now: dt.datetime) -> QuotaSnapshot:
    """Return the quota snapshot for the request, whether it is stored already or not."""
    own, *whole = owners_of(run.tenant) or ("",)
    values = {
        "run_id": clean(run.id),
        "owner": own,
        "organisation": "".join(whole),
        **{name: clean(getattr(run.tenant, name)) for name in TENANT},
        "workspace_id": scope_of(run.workspace_id),
        "channel": clean(run.channel),
        "thread": clean(run.thread),
        "asker": clean(run.asker),
        "since": utc(now) - _MINUTE,
        "day": utc(now).date(),
    }
    found = dict(connection.execute(_STATEMENT, values).one()._mapping)
    settings = found.pop("settings")
    team = TeamSettings() if settings is None else TeamSettings.model_validate(settings)
    return QuotaSnapshot(settings=team, **found)


def _bound(name: str, kind: type[sa.types.TypeEngine[Any]] = sa.String) -> ColumnElement[Any]:
    return sa.bindparam(name, type_=kind())


def _how_many(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return sa.func.coalesce(sa.func.sum(sa.case((condition, 1), else_=0)), 0)


def _of_team(columns: Any) -> ColumnElement[bool]:
    return sa.and_(*(columns[name] == _bound(name) for name in TENANT))


def _is_owned() -> ColumnElement[bool]:
    return workspaces.c.owner.in_([_bound("owner"), _bound("organisation")])


def _recent() -> sa.Subquery:
    """The tenant's requests of the last minute; quotas bound how many.

    They are looked up by the workspaces that the tenant can ask: that is where an index knows times.
    """
    run = chat_runs.c
    owned = sa.select(workspaces.c.id).where(_is_owned())
    return (
        sa.select(
            _how_many(run.asker == _bound("asker")).label("user_last_minute"),
            _how_many(run.channel == _bound("channel")).label("channel_last_minute"),
            _how_many(run.workspace_id == _bound("workspace_id")).label("workspace_last_minute"),
        )
        .where(
            run.workspace_id.in_(owned),
            run.accepted_at > sa.bindparam("since", type_=run.accepted_at.type),
            run.id != _bound("run_id"),
        )
        .subquery("recent")
    )


def _under_way() -> sa.Subquery:
    """All open requests; the queue's quotas bound how many.

    With any other condition SQLite would rather go through all that the tenant ever asked.
    """
    run = chat_runs.c
    here = run.workspace_id == _bound("workspace_id")
    does_not_run = run.status.in_(["waiting", "queued"])
    in_thread = sa.and_(
        _of_team(run),
        run.channel == _bound("channel"),
        run.thread == _bound("thread"),
        run.thread != "",  # none was begun yet
    )
    return (
        sa.select(
            _how_many(sa.and_(_of_team(run), run.asker == _bound("asker"))).label("user_open"),
            _how_many(here).label("workspace_open"),
            _how_many(sa.and_(here, run.status == "waiting")).label("workspace_waiting"),
            _how_many(sa.and_(here, does_not_run)).label("workspace_queued"),
            _how_many(in_thread).label("thread_open"),
            _how_many(does_not_run).label("queued"),
            _how_many(run.status != "waiting").label("going"),
        )
        .where(run.status.in_(sorted(OPEN)), run.id != _bound("run_id"))
        .subquery("under_way")
    )


def _statement() -> sa.Select[Any]:
    settings = sa.select(team_settings.c.settings).where(_of_team(team_settings.c))
    # Each side is one row.
    both = _recent().join(_under_way(), sa.true())
    return sa.select(
        sa.exists().where(chat_runs.c.id == _bound("run_id")).label("is_known"),
        sa.exists()
        .where(workspaces.c.id == _bound("workspace_id"), _is_owned())
        .label("has_workspace"),
        settings.scalar_subquery().label("settings"),
        sa.select(sa.func.count()).select_from(executors).scalar_subquery().label("workers"),
        _spent(spent_days.c.tokens).label("spent_tokens"),
        _spent(spent_days.c.cost).label("spent_cost"),
        both,
    )


def _spent(column: sa.Column[int]) -> ColumnElement[int]:
    day = spent_days.c.day == _bound("day", sa.Date)
    here = spent_days.c.workspace_id == _bound("workspace_id")
    return sa.func.coalesce(sa.select(column).where(here, day).scalar_subquery(), 0)


# Built once: putting it together takes longer than its answer.
_STATEMENT: Final = _statement()
