"""`masis serve`: the bot in Slack."""

import asyncio

import typer

from bot.cli.running import DebugOption, Session, reporting


def serve(
    ctx: typer.Context,
    *,
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """Answer in Slack, until the process is ended."""
    session = Session.of(ctx)
    with reporting(session):
        settings = session.load()
        # Help and completion are quick: only this command needs what the bot imports.
        from bot import serve as serving  # noqa: PLC0415

        asyncio.run(serving.serve(settings, session.note))
