"""Report what became of files that somebody put into a workspace."""

from collections.abc import Sequence

from bot.chat.shown.progress_shown import End
from bot.chat.shown.upload_shown import FileShown, upload_shown
from bot.slack.text import sentences
from bot.slack.views import blocks
from bot.slack.views.message import Message, notice
from masis.conversation import ChatRun
from masis.documents.ingestion import IngestResult
from masis.domain import Workspace


def adds_files(run: ChatRun) -> Message:
    """Build the root message of an upload's thread, where no other message is its root."""
    return notice(sentences.adds_files(run.asker))


def begun() -> Message:
    """The upload's progress before its files are known."""
    return notice(sentences.READING_FILES)


def under_way(
    workspace: Workspace, names: Sequence[str], results: Sequence[IngestResult]
) -> Message:
    """The upload's progress: a line a file, those that wait too."""
    shown = upload_shown(workspace, results, names)
    done = [line for each in shown.done for line in _file_lines(each)]
    waiting = [sentences.file_waiting(name) for name in shown.waiting]
    said = sentences.uploading(shown.files, shown.workspace)
    return notice(said, *blocks.sections("\n".join([*done, *waiting]))[: blocks.MOST_SECTIONS])


def ended(end: End) -> Message:
    """The upload's progress at its end; what became of the files stands below it."""
    return notice(sentences.FILES_DONE if end == "answered" else sentences.PLAN_DONE[end])


def report(workspace: Workspace, results: Sequence[IngestResult]) -> Message:
    """Report how many files were added, then a line a file with its reason where it was refused."""
    shown = upload_shown(workspace, results)
    said = sentences.upload_report(shown.workspace, shown.counts)
    lines = "\n".join(line for each in shown.done for line in _file_lines(each))
    return notice(said, *blocks.sections(lines)[: blocks.MOST_SECTIONS])


def _file_lines(file: FileShown) -> list[str]:
    match file.status:
        case "refused":
            return [sentences.file_refused(file.name, file.reason)]
        case "unchanged":
            return [sentences.file_same(file.name)]
    said = sentences.file_added(file.name, file.passages, version=file.version)
    return [said, *(f"   {note}" for note in file.notes)]
