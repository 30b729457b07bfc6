"""`masis synonyms`: which words mean the same in a workspace."""

from typing import Annotated

import typer

from bot.cli.exit_codes import BadInput
from bot.cli.options import JSON, TEAM, WorkspaceOption, command
from bot.cli.session import Opened, Session, opened
from bot.rendering import show
from masis.words.synonyms import bundled as all_bundled
from storage.documents.synonym_rows import SqlSynonyms

synonyms = typer.Typer(
    help="List, add and remove words that mean the same in a workspace.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@synonyms.command("list")
@command(TEAM, JSON)
def list_synonyms(
    session: Session,
    *,
    workspace: WorkspaceOption,
    bundled: Annotated[
        bool, typer.Option("--bundled", help="Also those that every workspace has.")
    ] = False,
) -> None:
    """List the words that were added for a workspace, a group a line."""
    with opened(session) as masis:
        place = masis.do(masis.app.workspace(workspace))
        found = list(masis.do(_synonyms(masis).of(place.id)))
    found += all_bundled() if bundled else []
    if session.as_json:
        for each in found:
            session.print_json({"phrases": list(each)})
    elif found:
        session.out.out("\n".join(show.line(", ".join(each)) for each in found), highlight=False)
    else:
        session.note("None were added. Add some with `masis synonyms add WORD WORD`.")


@synonyms.command()
@command(TEAM, JSON)
def add(
    session: Session,
    phrases: Annotated[
        list[str], typer.Argument(metavar="WORD...", help="Words or phrases that mean the same.")
    ],
    *,
    workspace: WorkspaceOption,
) -> None:
    """Add words that mean the same: a question with one of them is searched with the others, too."""
    with opened(session) as masis:
        place = masis.do(masis.app.workspace(workspace))
        try:
            group = masis.do(_synonyms(masis).add(place.id, phrases))
        except ValueError as error:
            raise BadInput(f"{str(error).capitalize()}.") from error
    if session.as_json:
        session.print_json({"phrases": list(group)})
    else:
        session.out.print(show.line(f"the same: {', '.join(group)}"))


@synonyms.command()
@command(TEAM, JSON)
def remove(
    session: Session,
    phrase: Annotated[str, typer.Argument(metavar="WORD", help="As `masis synonyms list` has it.")],
    *,
    workspace: WorkspaceOption,
) -> None:
    """Remove a word that was added; the last one but one of a group takes the group along."""
    with opened(session) as masis:
        place = masis.do(masis.app.workspace(workspace))
        left = masis.do(_synonyms(masis).remove(place.id, phrase))
        if left is None:
            raise BadInput(
                f"“{show.line(phrase)}” was not added; `masis synonyms list` shows what was."
            )
    if session.as_json:
        session.print_json({"phrases": list(left) if len(left) > 1 else []})
    else:
        session.out.print(show.line(f"removed: {phrase}"))


def _synonyms(masis: Opened) -> SqlSynonyms:
    return SqlSynonyms(masis.app.database)
