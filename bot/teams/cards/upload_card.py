"""Draw an upload: a line a file while it goes on, and what became of each."""

from collections.abc import Sequence

from bot.chat.words import shared_sentences
from bot.teams.cards import carried
from bot.teams.cards.card_elements import Elements, Json, card, execute, message, rich, small, title
from bot.teams.cards.carried import RunRef
from bot.teams.text import sentences
from masis.conversation import ChatRun
from masis.documents.ingestion import IngestResult
from masis.domain import Workspace


def under_way(run: ChatRun, names: Sequence[str], results: Sequence[IngestResult]) -> Json:
    """Return the message of an upload that goes on; those that wait have a line, too."""
    waiting = [small(sentences.file_waiting(name)) for name in names[len(results) :]]
    body = [title(shared_sentences.WORKING), *_lines(results), *waiting]
    stop = execute(shared_sentences.CANCEL, carried.CANCEL, RunRef(run=run.id).data())
    return message(card(body, [stop]), shared_sentences.WORKING)


def report(workspace: Workspace, results: Sequence[IngestResult]) -> Json:
    """Return the message of its end, with the reason where a file was refused."""
    taken = sum(result.status != "refused" for result in results)
    said = sentences.upload_report(workspace.name, taken, len(results))
    return message(card([rich(said), *_lines(results)]), said)


def _lines(results: Sequence[IngestResult]) -> Elements:
    return [line for result in results for line in _result_elements(result)]


def _result_elements(result: IngestResult) -> Elements:
    match result.status:
        case "refused":
            reason = result.reason or shared_sentences.UNEXPECTED
            return [rich(sentences.file_refused(result.name, reason))]
        case "unchanged":
            return [rich(sentences.file_same(result.name))]
    said = sentences.file_added(result.name, result.chunks, version=result.version or 1)
    return [rich(said), *map(small, result.notes)]
