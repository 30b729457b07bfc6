"""`masis worker`: works on what other processes take in."""

from bot.cli.operations.role_process import run_role
from bot.cli.options import command
from bot.cli.session import Session


@command()
def worker(session: Session) -> None:
    """Work on what `masis serve` takes in, beside it, until the process is ended.

    Needs PostgreSQL and a Qdrant server. Health and figures are on MASIS_HTTP_PORT.
    """
    run_role(session, "worker")
