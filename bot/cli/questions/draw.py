"""`masis graph`: the drawing of a graph, made from the graph itself."""

from typing import Annotated

import typer

from bot.cli.exit_codes import BadInput
from bot.cli.session import DebugOption, JsonOption, Session, error_json, reporting
from bot.rendering import show
from masis.domain import DEFAULT_GRAPH


def graph(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="Which graph.")] = DEFAULT_GRAPH,
    *,
    as_json: JsonOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """Print a graph as a Mermaid drawing."""
    session = Session.of(ctx)
    with reporting(session, error_json if as_json else None):
        session.load()
        # Help is quick without.
        from masis.graphs.common import mermaid  # noqa: PLC0415
        from masis.graphs.registry import GRAPHS  # noqa: PLC0415

        if name not in GRAPHS:
            raise BadInput(f"There is no graph {show.line(name)}: there is {', '.join(GRAPHS)}.")
        drawing = mermaid(GRAPHS[name])
    if as_json:
        session.print_json({"mermaid": drawing})
    else:
        typer.echo(drawing, nl=False)
