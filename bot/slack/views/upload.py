"""What became of files that somebody put into a workspace."""

from collections.abc import Sequence

from bot.slack import sentences
from bot.slack.defuse import one_line
from bot.slack.views import blocks
from bot.slack.views.message import Message, notice
from masis.domain import Workspace
from masis.ingest import IngestResult


def report(workspace: Workspace, results: Sequence[IngestResult]) -> Message:
    """How many were added, then a line a file with its reason where it was refused."""
    counts = [result.status for result in results]
    said = sentences.upload_report(
        workspace.name,
        counts.count("added") + counts.count("updated"),
        counts.count("unchanged"),
        counts.count("refused"),
    )
    lines = "\n".join(line for result in results for line in _told(result))
    return notice(said, *blocks.sections(lines)[: blocks.MOST_SECTIONS])


def _told(result: IngestResult) -> list[str]:
    match result.status:
        case "refused":
            return [sentences.file_refused(result.name, result.reason or sentences.UNEXPECTED)]
        case "unchanged":
            return [sentences.file_same(result.name)]
        case _:
            said = sentences.file_added(result.name, result.chunks, version=result.version or 1)
            return [said, *(f"   {one_line(note)}" for note in result.notes)]
