"""`masis ingest`: files into a workspace, each with its result, none lost without a word."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from bot.cli.documents.offered import offer_questions
from bot.cli.documents.paths import Found, content_of, find
from bot.cli.exit_codes import BadInput, ExitCode
from bot.cli.options import JSON, TEAM, WorkspaceOption, command
from bot.cli.progress_bar import Advance, progress
from bot.cli.session import Opened, Session, opened
from bot.recovery import recover
from bot.rendering import show
from masis.documents.ingestion import IngestResult, Source
from masis.domain import Workspace
from masis.errors import DocumentRefused
from masis.fields import of_assignments

MAX_NAME_CHARS: Final = 80
"""Of a workspace's name: it stands in headings, lists and buttons."""

AgainOption = Annotated[
    bool,
    typer.Option("--again", help="Read every file again, also where it has not changed."),
]

STYLES: Final = {"added": "green", "updated": "green", "unchanged": "dim", "refused": "bold red"}


@command(JSON, TEAM)
def ingest(
    session: Session,
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH...", help="Files, folders (with subfolders) or patterns."),
    ],
    *,
    workspace: WorkspaceOption,
    fields: Annotated[
        list[str] | None,
        typer.Option(
            "--field",
            metavar="KEY=VALUE",
            help="A field of all these documents, to ask by; may be repeated. Without a value it is"
            " taken away.",
        ),
    ] = None,
    again: AgainOption = False,
) -> None:
    """Put documents into a workspace, which is made when it is new.

    Formats: md, txt, html, pdf, docx, doc, odt, rtf, pptx, xlsx, xls, csv, json, eml, msg, epub,
    and with `masis[ocr]` also scans and images. Unchanged files are left alone, changed ones
    replace their document, and so do those that an older version of MASIS read in another way.
    """
    given = _given(fields or [])
    with opened(session) as masis:
        files = find(paths)
        named = masis.do(
            masis.app.repository.create_workspace(masis.app.owner, named_well(workspace))
        )
        results = put(session, masis, named, files, given, again=again)
        if not session.as_json:
            session.out.print(summary(results, masis.do(masis.app.workspace(named.name))))
        masis.do(offer_questions(masis.app, named.id))
    refused = any(result.status == "refused" for result in results)
    raise typer.Exit(ExitCode.REFUSED if refused else ExitCode.OK)


def named_well(name: str) -> str:
    """A workspace's name without blanks around it.

    Raises:
        BadInput: it is empty, too long, or holds what a terminal would obey.
    """
    name = name.strip()
    if not name or len(name) > MAX_NAME_CHARS or show.line(name) != name:
        raise BadInput(f"a workspace's name is 1 to {MAX_NAME_CHARS} plain characters in one line")
    return name


def put(
    session: Session,
    masis: Opened,
    workspace: Workspace,
    files: Sequence[Found],
    fields: Mapping[str, str] = MappingProxyType({}),
    *,
    again: bool = False,
    quiet: bool = False,
) -> list[IngestResult]:
    """Put the files in, showing each one's result; when `quiet`, only those that were refused.

    Raises:
        MasisError: something else than a file is wrong; files shown so far are in.
    """
    results: list[IngestResult] = []

    async def work(advance: Advance) -> None:
        await recover(masis.app, workspace)
        read = sources(files, masis.app.max_file_bytes, fields, again=again)
        several = masis.app.ingest.ingest_many(workspace, read)
        async for result in several:
            file = files[len(results)]
            results.append(result)
            advance(result.name)
            if session.as_json and not quiet:
                session.print_json(result_json(file, result))
            elif not quiet or result.status == "refused":
                session.out.print(shown(result))

    with progress(session, "Reading", len(files)) as advance:
        masis.do(work(advance))
    return results


def result_json(file: Found, result: IngestResult) -> dict[str, Any]:
    """One file as programs read it."""
    values = result.model_dump(
        mode="json", include={"status", "reason", "version", "chunks", "notes", "document_id"}
    )
    return {"file": str(file.path), "document": result.name, **values}


def _given(written: Sequence[str]) -> Mapping[str, str]:
    try:
        return of_assignments(written)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def sources(
    files: Sequence[Found],
    limit: int,
    fields: Mapping[str, str] = MappingProxyType({}),
    *,
    again: bool = False,
) -> Iterator[Source]:
    """The files as ingestion takes them; the second of two with one name is refused."""
    taken: set[str] = set()
    for file in files:
        read = _twice if file.name in taken else partial(content_of, file, limit)
        yield Source(file.name, read, fields=fields, again=again)
        taken.add(file.name)


def _twice() -> bytes:
    raise DocumentRefused(
        "Another file of this call has the same name; ingest the folder above both."
    )


def shown(result: IngestResult) -> Text:
    """`added      handbook/leave.md · 12 passages`."""
    rest = [show.line(result.name)]
    if result.reason:
        rest.append(show.line(result.reason))
    elif result.chunks:
        rest.append(show.counted(result.chunks, "passage"))
    rest += [show.line(note) for note in result.notes]
    return Text.assemble((f"{result.status:<10} ", STYLES[result.status]), " · ".join(rest))


def summary(results: Sequence[IngestResult], workspace: Workspace) -> Text:
    """`3 added, 1 refused. “demo” holds 4 documents, 41 passages.`."""
    counts = Counter(str(result.status) for result in results)
    parts = ", ".join(f"{counts[status]} {status}" for status in STYLES if counts[status])
    return Text(f"{parts}. {show.holding(workspace)}")
