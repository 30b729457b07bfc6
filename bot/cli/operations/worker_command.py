"""`masis worker`: works on what other processes take in."""

import typer

from bot.cli.operations.role_process import run_role
from bot.cli.session import DebugOption, Session


def worker(
    ctx: typer.Context,
    *,
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """Work on what `masis serve` takes in, beside it, until the process is ended.

    Needs PostgreSQL and a Qdrant server. Health and figures are on MASIS_HTTP_PORT.
    """
    run_role(Session.of(ctx), "worker")
