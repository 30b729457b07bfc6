"""`masis graph`: the drawing of the research graph, made from the graph itself."""

import typer

from bot.cli.options import JSON, command
from bot.cli.session import Session, reporting


@command(JSON)
def graph(session: Session) -> None:
    """Print the research graph as a Mermaid drawing."""
    with reporting(session):
        session.load()
        from masis.graphs.research.graph import mermaid  # noqa: PLC0415 - a second: help is quick without

        drawing = mermaid()
    if session.as_json:
        session.print_json({"mermaid": drawing})
    else:
        typer.echo(drawing, nl=False)
