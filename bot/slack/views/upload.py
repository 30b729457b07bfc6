"""Report what became of files that somebody put into a workspace."""

from collections.abc import Sequence
from typing import Final

from bot.chat.shown.progress_shown import End
from bot.chat.words import shared_sentences
from bot.chat.words.visible_text import one_line
from bot.slack.text import sentences
from bot.slack.views import blocks
from bot.slack.views.message import Message, notice
from masis.conversation import ChatRun
from masis.documents.ingestion import IngestResult
from masis.domain import Workspace

STATUSES: Final = ("added", "updated", "unchanged", "refused")


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
    done = [line for result in results for line in _result_lines(result)]
    waiting = [sentences.file_waiting(name) for name in names[len(results) :]]
    said = sentences.uploading(len(names), workspace.name)
    return notice(said, *blocks.sections("\n".join([*done, *waiting]))[: blocks.MOST_SECTIONS])


def ended(end: End) -> Message:
    """The upload's progress at its end; what became of the files stands below it."""
    return notice(sentences.FILES_DONE if end == "answered" else sentences.PLAN_DONE[end])


def report(workspace: Workspace, results: Sequence[IngestResult]) -> Message:
    """Report how many files were added, then a line a file with its reason where it was refused."""
    found = [result.status for result in results]
    said = sentences.upload_report(workspace.name, {each: found.count(each) for each in STATUSES})
    lines = "\n".join(line for result in results for line in _result_lines(result))
    return notice(said, *blocks.sections(lines)[: blocks.MOST_SECTIONS])


def _result_lines(result: IngestResult) -> list[str]:
    match result.status:
        case "refused":
            return [
                sentences.file_refused(result.name, result.reason or shared_sentences.UNEXPECTED)
            ]
        case "unchanged":
            return [sentences.file_same(result.name)]
        case _:
            said = sentences.file_added(result.name, result.chunks, version=result.version or 1)
            return [said, *(f"   {one_line(note)}" for note in result.notes)]
