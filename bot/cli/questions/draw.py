"""`masis graph`: the drawing of a graph, made from the graph itself."""

from typing import Annotated

import typer

from bot.cli.exit_codes import BadInput
from bot.cli.options import JSON, command
from bot.cli.session import Session, reporting
from bot.rendering import show
from masis.domain import DEFAULT_GRAPH


@command(JSON)
def graph(
    session: Session,
    name: Annotated[str, typer.Argument(help="Which graph.")] = DEFAULT_GRAPH,
) -> None:
    """Print a graph as a Mermaid drawing."""
    with reporting(session):
        session.load()
        # Each takes a second to import: help is quick without.
        from masis.graphs.common import mermaid  # noqa: PLC0415
        from masis.graphs.registry import GRAPHS  # noqa: PLC0415

        if name not in GRAPHS:
            raise BadInput(f"There is no graph {show.line(name)}: there is {', '.join(GRAPHS)}.")
        drawing = mermaid(GRAPHS[name])
    if session.as_json:
        session.print_json({"mermaid": drawing})
    else:
        typer.echo(drawing, nl=False)
