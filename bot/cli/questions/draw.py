"""`masis graph`: the drawing of a graph, made from the graph itself."""

from typing import Annotated

import typer

from bot.cli.exit_codes import BadInput
from bot.cli.options import JSON, command
from bot.cli.session import Session, reporting
from bot.rendering import show


@command(JSON)
def graph(
    session: Session,
    name: Annotated[str, typer.Argument(help="Which graph.")] = "research",
) -> None:
    """Print a graph as a Mermaid drawing."""
    with reporting(session):
        session.load()
        from masis.graphs import common, registry  # a second: help is quick without

        known = registry.GRAPHS
        if name not in known:
            raise BadInput(f"There is no graph {show.line(name)}: there is {', '.join(known)}.")
        drawing = common.mermaid(known[name])
    if session.as_json:
        session.print_json({"mermaid": drawing})
    else:
        typer.echo(drawing, nl=False)
