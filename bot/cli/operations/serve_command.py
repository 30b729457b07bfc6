"""`masis serve`: the bot in Slack."""

from enum import StrEnum
from typing import Annotated

import typer

from bot.cli.operations.role_process import run_role
from bot.cli.session import DebugOption, Session


class ServedRole(StrEnum):
    """Name what `masis serve` can be told to leave to others. A worker is a command of its own."""

    BOTH = "both"
    INGRESS = "ingress"


def serve(
    ctx: typer.Context,
    *,
    role: Annotated[
        ServedRole,
        typer.Option(
            help="`both` takes questions in and works on them; `ingress` leaves the work to"
            " `masis worker`s, with PostgreSQL and a Qdrant server."
        ),
    ] = ServedRole.BOTH,
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """Answer in Slack, until the process is ended."""
    run_role(Session.of(ctx), role.value)
