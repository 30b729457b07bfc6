"""`masis serve`: the bot in Slack."""

from enum import StrEnum
from typing import Annotated

import typer

from bot.cli.operations.role_process import run_role
from bot.cli.options import command
from bot.cli.session import Session


class ServedRole(StrEnum):
    """Name what `masis serve` can be told to leave to others. A worker is a command of its own."""

    BOTH = "both"
    INGRESS = "ingress"


@command()
def serve(
    session: Session,
    *,
    role: Annotated[
        ServedRole,
        typer.Option(
            help="`both` takes questions in and works on them; `ingress` leaves the work to"
            " `masis worker`s, with PostgreSQL and a Qdrant server."
        ),
    ] = ServedRole.BOTH,
) -> None:
    """Answer in Slack and Microsoft Teams, until the process is ended."""
    run_role(session, role.value)
