"""Draw an upload: a line a file while it goes on, and what became of each."""

from bot.chat.shown.upload_shown import FileShown, UploadShown
from bot.chat.words import shared_sentences
from bot.teams.cards import carried
from bot.teams.cards.card_elements import Elements, Json, card, execute, message, rich, small, title
from bot.teams.cards.carried import RunRef
from bot.teams.text import sentences
from masis.conversation import ChatRun


def under_way(run: ChatRun, shown: UploadShown) -> Json:
    """Return the message of an upload that goes on; those that wait have a line, too."""
    waiting = [small(sentences.file_waiting(name)) for name in shown.waiting]
    body = [title(shared_sentences.WORKING), *_lines(shown), *waiting]
    stop = execute(shared_sentences.CANCEL, carried.CANCEL, RunRef(run=run.id).data())
    return message(card(body, [stop]), shared_sentences.WORKING)


def report(shown: UploadShown) -> Json:
    """Return the message of its end, with the reason where a file was refused."""
    said = sentences.upload_report(shown.workspace, shown.taken, shown.files)
    return message(card([rich(said), *_lines(shown)]), said)


def _lines(shown: UploadShown) -> Elements:
    return [line for each in shown.done for line in _file_elements(each)]


def _file_elements(file: FileShown) -> Elements:
    match file.status:
        case "refused":
            return [rich(sentences.file_refused(file.name, file.reason))]
        case "unchanged":
            return [rich(sentences.file_same(file.name))]
    said = sentences.file_added(file.name, file.passages, version=file.version)
    return [rich(said), *map(small, file.notes)]
