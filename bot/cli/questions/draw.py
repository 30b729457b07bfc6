"""`masis graph`: the drawing of the research graph, made from the graph itself."""

import typer

from bot.cli.session import DebugOption, JsonOption, Session, error_json, reporting


def graph(
    ctx: typer.Context,
    *,
    as_json: JsonOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """Print the research graph as a Mermaid drawing."""
    session = Session.of(ctx)
    with reporting(session, error_json if as_json else None):
        session.load()
        from masis.graphs.research.graph import mermaid  # noqa: PLC0415 - help is quick without

        drawing = mermaid()
    if as_json:
        session.print_json({"mermaid": drawing})
    else:
        typer.echo(drawing, nl=False)
