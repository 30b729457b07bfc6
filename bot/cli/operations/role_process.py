"""Runs a role of the bot as a process of its own, which ends when it is told to."""

import asyncio
import logging
import os
import threading
from typing import Final

from bot.cli.exit_codes import ExitCode
from bot.cli.session import Session, reporting
from bot.observability.logs import announcing
from bot.roles import Role

log = logging.getLogger(__name__)

DEADLINE_SECONDS: Final = 38.0
"""After the 20 s for questions and 5 s each for what else is under way; orchestrators kill later."""


def run_role(session: Session, role: str) -> None:
    """Serve as settings and role say, until a signal; a second one lets it wait for nothing."""
    with reporting(session):
        settings = session.load()
        from bot import serve as serving  # the whole bot, seconds: help is quick without

        announce = announcing(settings, session.note)
        on_stop = deadline().start
        asyncio.run(serving.serve(settings, announce, role=Role(role), on_stop=on_stop))


def deadline() -> threading.Timer:
    """Ends the process so long after it is started, if nothing else does."""
    timer = threading.Timer(DEADLINE_SECONDS, _end)
    timer.daemon = True
    return timer


def _end() -> None:
    """End at last: threads that wait for a database that is gone would hold the process for ever.

    Nothing is lost by it: what is under way is taken up as after any other death.
    """
    log.error("the process could not end within %d s and is ended", DEADLINE_SECONDS)
    logging.shutdown()
    os._exit(ExitCode.UNAVAILABLE)
