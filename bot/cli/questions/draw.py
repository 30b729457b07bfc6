"""`masis graph`: the drawing of a graph, made from the graph itself."""

from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.exit_codes import BadInput
from bot.cli.options import JSON, command
from bot.cli.session import Session, reporting
from bot.composition.lazily import Lazily
from bot.rendering import show
from masis.graphs import NAMES

if TYPE_CHECKING:
    from masis.graphs import common, registry
else:
    common, registry = Lazily("masis.graphs.common"), Lazily("masis.graphs.registry")


@command(JSON)
def graph(
    session: Session,
    name: Annotated[str, typer.Argument(help="Which graph.")] = "research",
) -> None:
    """Print a graph as a Mermaid drawing."""
    with reporting(session):
        session.load()
        if name not in NAMES:
            raise BadInput(f"There is no graph {show.line(name)}: there is {', '.join(NAMES)}.")
        drawing = common.mermaid(registry.GRAPHS[name])
    if session.as_json:
        session.print_json({"mermaid": drawing})
    else:
        typer.echo(drawing, nl=False)
