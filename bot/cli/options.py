"""The options that commands share, and how a function becomes a command."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, Concatenate, Final

import typer

from bot.cli.session import Session

Work = Callable[Concatenate[Session, ...], None]
"""What a command does, with its own options by name."""

WorkspaceOption = Annotated[
    str, typer.Option("--workspace", "-w", metavar="W", help="The workspace's name.")
]
DebugOption = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]
_TeamOption = Annotated[
    str,
    typer.Option(
        "--team",
        metavar="T",
        help="The Slack team (`T0123`, or `E0123/T0123` in an Enterprise Grid) that owns it, or that"
        " of Microsoft Teams (the ids of its Entra tenant and its group, with a `/` between; `TENANT/` for what all of"
        " that tenant's teams ask).",
    ),
]
_JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def _option(name: str, default: object, annotation: object) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


TEAM: Final = _option("team", "", _TeamOption)
JSON: Final = _option("as_json", default=False, annotation=_JsonOption)
_DEBUG: Final = _option("debug", default=False, annotation=DebugOption)


def command(*shared: Parameter) -> Callable[[Work], Callable[..., None]]:
    """Make a command of a function, with the shared options and `--debug` behind its own.

    What they say is noted in the session, which the function is given. A parameter that is a
    dataclass stands for one option a field. A group's function works where no command follows.
    """

    def made(work: Work) -> Callable[..., None]:
        own = list(signature(work).parameters.values())[1:]

        @wraps(work)
        def run(ctx: typer.Context, **given: Any) -> None:
            session = Session.of(ctx)
            _note(session, given)
            if ctx.invoked_subcommand is None:
                work(session, **dict(_values(own, given)))

        ctx = Parameter("ctx", Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
        options = [option for each in own for option in _options(each)]
        run.__dict__["__signature__"] = Signature([ctx, *options, *shared, _DEBUG])
        return run

    return made


def _note(session: Session, given: dict[str, Any]) -> None:
    """Move the shared options into the session."""
    session.debug = given.pop("debug") or session.debug
    session.as_json = given.pop("as_json", False)
    session.team = given.pop("team", session.team)


def _options(parameter: Parameter) -> Iterator[Parameter]:
    """List the options of a parameter: its own one, or those of a dataclass."""
    is_several = is_dataclass(parameter.annotation)
    several = signature(parameter.annotation).parameters.values() if is_several else [parameter]
    for each in several:
        yield each.replace(kind=Parameter.KEYWORD_ONLY)


def _values(own: list[Parameter], given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Give the function what each of its parameters stands for."""
    for each in own:
        if isinstance(each.annotation, type) and is_dataclass(each.annotation):
            names = signature(each.annotation).parameters
            yield each.name, each.annotation(**{name: given[name] for name in names})
        else:
            yield each.name, given[each.name]
