"""Every sentence that people read in Slack alone; what each chat says stands in `bot/chat/words`.

Values are put in as they are; whoever shows a sentence defuses it whole. Sentences with a mention
are tuples whose mention is ours. What the research graph asks back is in its own `texts.py`.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from bot.chat.words import shared_sentences
from bot.chat.words.counts import counted
from bot.chat.words.phrases import about_time, named, shortened
from bot.chat.words.visible_text import one_line
from bot.slack.ids import COMMAND
from bot.slack.text.defuse import Said, channel, mention
from masis.conversation import BY_OPERATOR
from masis.policy import TOLD_WAIT

# --- taking a question on ------------------------------------------------------------------


GOT_IT: Final = "Got it."
"""Of a question that is stored, and that may yet be refused."""


def on_it(ahead: int = 0, wait_s: float = 0.0, *, admitted: bool = True) -> str:
    """The private acknowledgement, with the place in the queue and about how long it takes.

    Who is not known to be `admitted` is promised no answer: a refusal may follow.
    """
    wait = f", {about_time(wait_s)}" if wait_s >= TOLD_WAIT else ""
    place = f"You are number {ahead + 1:,}{wait}." if ahead or wait else ""
    if not admitted:
        check = "I check first that you may ask here; the answer then comes in a thread."
        return " ".join(part for part in (GOT_IT, place, check) if part)
    return f"{shared_sentences.ON_IT} {place or 'The answer comes in a thread here.'}"


BEHIND_IN_THREAD: Final = "On it, as soon as the question before it in this thread has its answer."
DUPLICATE: Final = "This question is being answered already."
EMPTY_QUESTION: Final = f"There is no question in this. `{COMMAND} help` says what I can do."
ONLY_FILES: Final = (
    "What do you want to know about this? Send the file with your question, and I will read it for "
    "that answer alone. To keep it for everybody, an admin or manager chooses “Add files to workspace” in "
    "the message's menu."
)
BUSY: Final = (
    "Your question could not be taken on: more is asked of me at this moment than I can write down. "
    "Nothing was stored. Please ask again in a moment."
)
NOT_STORED: Final = (
    "Your question could not be taken on: the database did not answer in time. Nothing was stored. "
    "Please ask again in a moment."
)


def too_long(length: int, most: int) -> str:
    """A question over the limit."""
    return (
        f"Your question has {length:,} characters, the limit is {most:,}. "
        "Shorten it, or upload the long text as a document and ask about it."
    )


def unknown_verb(word: str, nearest: str) -> str:
    """A lone word that looks like a slip."""
    return (
        f"There is no {named(word)}. Did you mean `{COMMAND} {nearest}`? "
        f"To ask about the word itself, write `{COMMAND} ask` before it."
    )


def asked(asker: str) -> Said:
    """Say who asked, before the question in the root message."""
    return (mention(asker), " asked:")


def asked_wider(asker: str) -> Said:
    """The same for a search that is widened."""
    return (mention(asker), " asked to search wider:")


def widened_by(asker: str) -> Said:
    """Why a thread gets one more answer."""
    return (mention(asker), " asked to search wider.")


# --- refusals ------------------------------------------------------------------------------


def refused(reason: str) -> str:
    """Not allowed, not possible or over quota; `reason` names the next step."""
    return f"🚫 {reason}"


def not_linked(*, can_link: bool) -> str:
    """The channel has no workspace."""
    if can_link:
        return (
            "This channel is not linked to a workspace yet, so there is nothing to search. "
            f"Link it with `{COMMAND} link`."
        )
    return (
        "This channel is not linked to a workspace yet, so there is nothing to search. "
        f"Ask a Slack admin or a MASIS manager to type `{COMMAND} link` here."
    )


NOT_IN_CHANNEL: Final = (
    "I am not a member of this channel and cannot answer here. "
    "Add me with `/invite @MASIS`, then ask again."
)
NO_WORKSPACE_FOR_YOU: Final = (
    "There is no workspace that you can ask in a direct message. You can ask the workspaces of the "
    f"channels that you are in: join one, or ask a Slack admin to link one with `{COMMAND} link`."
)


CHOOSE_WORKSPACE: Final = "Which workspace do you want to ask? Your choice is remembered."
GUEST: Final = (
    f"Guests cannot use MASIS here. A Slack admin can allow guests in `{COMMAND} settings`."
)
EXTERNAL_CHANNEL: Final = (
    "This channel is shared with another organisation, so I do not answer here. A Slack admin can "
    f"allow it in `{COMMAND} settings`, and then link the channel with `{COMMAND} link`."
)
ARCHIVED_CHANNEL: Final = "This channel is archived. Ask in a channel that is in use."


class Closed(NamedTuple):
    """Why a channel gets no answers though it is linked; empty where it does."""

    listed: str = ""
    told: str = ""
    """To who is in it."""


OPEN: Final = Closed()
ARCHIVED: Final = Closed("the channel is archived", ARCHIVED_CHANNEL)
EXTERNAL: Final = Closed("the channel is shared with another organisation", EXTERNAL_CHANNEL)
STRANGER: Final = (
    "These documents belong to another organisation than you do, so I cannot answer you. "
    f"A Slack admin of theirs can allow it in `{COMMAND} settings`."
)
BOT: Final = "Bots cannot ask MASIS."
NOT_ALLOWED: Final = (
    "Only a Slack admin, a Slack owner or a MASIS manager may do this. "
    "Ask one of them to do it, or to make you a manager."
)
SETTINGS_NOT_ALLOWED: Final = (
    "Only a Slack admin or owner may change the settings. Ask one of them."
)
NOT_YOURS: Final = "Only the person who asked, or a MASIS manager, may do this."


def about(channel_id: str, question: str) -> Said:
    """Say which request a direct message is about. Files that were sent have no question."""
    what = f": {named(shortened(question))}" if question else "."
    return ("About what you asked in ", channel(channel_id), what)


def suspended(reason: str) -> str:
    """The channel's link does not count for now."""
    return (
        f"This channel's link is suspended: {one_line(reason).rstrip('.')}. "
        f"A Slack admin can link it again with `{COMMAND} link`."
    )


# --- while it runs -------------------------------------------------------------------------


def waiting_for_model(note: str) -> str:
    """The run waits for the model service; `note` is the step's own."""
    return one_line(note)[:1].upper() + one_line(note)[1:]


WAITING_IN_THREAD: Final = "Waiting for the question before it in this thread"
ADDING_FILES: Final = "Reading the files and adding them to the workspace …"
PLAN_DONE: Final = {
    "answered": "Done",
    "asked_back": "Asked back",
    "refused": "Not answered",
    "failed": "Failed",
    "stopped": "Stopped",
    "withheld": "Withheld",
}

# --- how a run ends ------------------------------------------------------------------------


def stopped(by: str) -> Said:
    """Somebody ended the run."""
    if by == BY_OPERATOR:
        return "Stopped by the operator of MASIS. Nothing more will be posted for this question."
    return ("Stopped by ", mention(by), ". Nothing more will be posted for this question.")


def failed(error: str) -> str:
    """The run could not be mended; `error` names what to do."""
    return f"I could not answer this. {error}"


WITHHELD_UNLINKED: Final = (
    "The channel's link was taken away meanwhile; the answer is withheld. "
    f"Ask again when the channel is linked with `{COMMAND} link`."
)
WITHHELD_NO_ACCESS: Final = (
    "You are in no channel that asks this workspace, so I cannot answer you from it. "
    f"Join such a channel, or ask a Slack admin to link one with `{COMMAND} link`."
)
CHOOSE_ANOTHER: Final = (
    "You are in no channel that asks this workspace any more, so I cannot answer you from it. "
    "Choose another workspace on my Home tab, then ask again."
)
REST_AS_FILE: Final = "The answer is longer than fits here: the rest is in the file below."


def part_of(part: int, parts: int) -> str:
    """Say which message of a long answer this is."""
    return f"Part {part} of {parts}"


# --- an answer -----------------------------------------------------------------------------

GOOD: Final = "Good answer"
BAD: Final = "Bad answer"
OPEN_PASSAGE: Final = "Passage"
STOP_TITLE: Final = "Stop this question?"
STOP_TEXT: Final = "The work on this question ends, and no answer is posted."
STOP_YES: Final = "Stop it"
STOP_NO: Final = "Keep going"
THANKS: Final = "Thank you, your vote is stored."
VOTED_GOOD: Final = "Your vote: good. Thank you."
VOTED_BAD: Final = "Your vote: not good. Thank you."
REASON_STORED: Final = "Thank you, your reason is stored."
WIDER_IF_ADMITTED: Final = (
    f"{GOT_IT} I check first that you may ask here; then I look at more passages and accept weaker "
    "ones."
)


def votes(good: int, bad: int) -> str:
    """Say how an answer was received."""
    total = good + bad
    return f"{counted(total, 'vote')}: {good} good, {bad} not good" if total else ""


# --- a clarification -----------------------------------------------------------------------

HOW_TO_REPLY: Final = "Reply in this thread, or use the form."
HOW_TO_CHOOSE: Final = "Reply in this thread, choose one of these, or use the form."
ANSWER_IN_FORM: Final = "Answer in a form"
CANCEL_QUESTION: Final = "Cancel"


NOT_THE_ASKER: Final = (
    "Only the person who asked, or a MASIS manager, may reply to this question. "
    "So yours was not taken. Ask your own question outside this thread and I will answer it."
)
ALREADY_ANSWERED: Final = (
    "This question was answered already, so your reply came too late. "
    "Ask again if you want something else to be looked up."
)
REPLY_EXPIRED: Final = (
    "This question has expired and takes no reply any more. Ask the original question again."
)
REPLY_CANCELLED: Final = "This question was cancelled. Ask again if you still want to know."


def expired(hours: int = 24) -> str:
    """Nobody replied in time."""
    return (
        f"Nobody replied within {counted(hours, 'hour')}, so this question is closed. "
        "Ask it again whenever you like."
    )


def answered_by(user: str, reply: str) -> Said:
    """Say who replied and what counts. This stands in the place of the buttons.

    To search wider is a reply without words.
    """
    said = f": {named(shortened(reply))}" if reply else ""
    return ("Answered by ", mention(user), f"{said}. The new answer follows below.")


def cancelled_by(user: str) -> Said:
    """Say who closed the question."""
    return ("Cancelled by ", mention(user), ".")


# --- linking, documents, settings ----------------------------------------------------------


def linked(channel_id: str, workspace: str, documents: int) -> Said:
    """The link is made."""
    told = f" now asks the workspace {named(workspace)} ({counted(documents, 'document')})."
    hint = "" if documents else f" Add documents with `{COMMAND} upload`."
    return (channel(channel_id), told, hint)


CHOOSE_CHANNEL: Final = "Choose the channel to link."
CHANNEL_UNKNOWN: Final = (
    "I cannot see this channel. Add me to it with `/invite @MASIS`, then try again."
)
EXTERNAL_NOT_ALLOWED: Final = (
    "This channel is shared with another organisation. A Slack admin can allow such channels in "
    f"`{COMMAND} settings`; then link it again."
)
EXTERNAL_NOT_TICKED: Final = (
    "This channel is shared with another organisation. Tick the box if it may be linked anyway."
)


def no_such_workspace(name: str) -> str:
    """A name that no workspace of this team has."""
    return f"There is no workspace {named(name)}. `{COMMAND} link` alone lists them."


def no_such_document(name: str, nearest: str = "") -> str:
    """A name that no document of the workspace has."""
    hint = f" Did you mean {named(nearest)}?" if nearest else ""
    return f"There is no document {named(name)} here.{hint} `{COMMAND} docs` lists them."


def deleted(name: str, blanked: int, posted: int) -> str:
    """A document is gone, and what stays."""
    told = f"{named(name)} is deleted."
    if blanked:
        told += f" {counted(blanked, 'stored answer')} that quoted it {'is' if blanked == 1 else 'are'} emptied."
    if posted:
        told += (
            f" {counted(posted, 'message')} already posted in Slack may still quote it; "
            "delete them there if they must go."
        )
    return told


# --- uploads -------------------------------------------------------------------------------

NO_FILES: Final = "This message has no files. Use the shortcut on a message that has some."
UPLOAD_HOW: Final = (
    "Slack takes files of up to 10 MB here. Post larger ones in the channel and use "
    "“Add files to workspace” in the menu of the message."
)
FILES_TAKEN: Final = "On it. What becomes of the files comes in the thread of the message."
FILES_IF_ADMITTED: Final = (
    f"{GOT_IT} I check first that you may add files here; what becomes of them then comes in the "
    "thread of the message."
)

READING_FILES: Final = "Reading the files …"
FILES_DONE: Final = "The files are read."


def adds_files(asker: str) -> Said:
    """Say who adds files, in the root message of an upload's thread."""
    return (mention(asker), " adds files to the workspace of this channel.")


def uploading(files: int, workspace: str) -> str:
    """The head of the upload's progress."""
    return f"Adding {counted(files, 'file')} to the workspace {named(workspace)}."


def file_waiting(name: str) -> str:
    """A file whose turn has not come."""
    return f"⏳ {named(name)} waits."


def upload_report(workspace: str, counts: Mapping[str, int]) -> str:
    """The head of an upload's report: how many were added, updated, unchanged, refused."""
    told = ", ".join(f"{number} {word}" for word, number in counts.items() if number)
    return f"Files for the workspace {named(workspace)}: {told or 'none'}."


def file_added(name: str, passages: int, *, version: int = 1) -> str:
    """A file is searchable."""
    done = f"is updated to version {version}" if version > 1 else "is added"
    return f"✅ {named(name)} {done}: {counted(passages, 'passage')}."


def file_same(name: str) -> str:
    """The same bytes are there already."""
    return f"✅ {named(name)} is there already and has not changed."


def file_refused(name: str, reason: str) -> str:
    """A file is not taken, and why."""
    return f"❌ {named(name)} was not added. {one_line(reason)}"


# --- cancel, history, status, home ---------------------------------------------------------

NOTHING_RUNS: Final = "None of your questions is running here."
CANCELLED: Final = "Your question is being stopped."
NO_DOCUMENTS: Final = f"This workspace has no documents yet. Add some with `{COMMAND} upload`."
NO_LINKS: Final = (
    f"No channel that you are in is linked. A Slack admin can link one with `{COMMAND} link`."
)
ONWARD: Final = "Next"
LINKED_CHANNELS: Final = "Linked channels"
RECENT: Final = "Your recent questions"
HEALTH: Final = "Health"
DIRECT_ASKS: Final = "Your direct messages ask this workspace:"
NO_RUNS: Final = "You have asked nothing yet."


def older_documents(synced: int, others: int) -> str:
    """Documents that an older version read, and how they are read again; nothing where none was."""
    if not synced + others:
        return ""
    said = [f"{counted(synced + others, 'document')} read by an older version of MASIS."]
    if synced:
        said.append(f"{synced:,} are read again by the next sync of their folders.")
    if others:
        said.append(f"I keep no files: please upload {others:,} again to have them read anew.")
    return " ".join(said)


UNAVAILABLE: Final = "MASIS cannot read its database right now. Please try again in a moment."
LOADING: Final = "One moment …"


def status(workspace: str, documents: int, passages: int) -> str:
    """Say what a channel can search."""
    return (
        f"This channel asks the workspace {named(workspace)}: "
        f"{counted(documents, 'document')}, {counted(passages, 'passage')}."
    )


def linked_to(workspace: str) -> str:
    """The head of the same where nothing is answered; what follows says why."""
    return f"This channel is linked to the workspace {named(workspace)}, but I do not answer here."


def asks(workspace: str, documents: int) -> str:
    """Say what a linked channel asks, behind its name in a list."""
    return f" asks {named(workspace)} · {counted(documents, 'document')}"


def does_not_answer(workspace: str, why: str) -> str:
    """The same of one where nothing is answered."""
    return f" is linked to {named(workspace)} · ⚠️ no answers there: {one_line(why)}"


def documents_of(workspace: str, documents: int) -> str:
    """The head of a list of documents."""
    return f"The workspace {named(workspace)} has {counted(documents, 'document')}."


def page_of(page: int, pages: int) -> str:
    """Say which page of a list this is."""
    return f"Page {page} of {pages}"


# --- forms and modals ----------------------------------------------------------------------

CLOSE: Final = "Close"
SEND: Final = "Send"
ADD: Final = "Add"
ASK: Final = "Ask"
DRAFT: Final = "The best draft"
CHANNEL: Final = "Channel"
SHARED_CHANNEL: Final = "Shared with another organisation"
ALLOW_EXTERNAL: Final = "Link it even if others are in it"
SHARED_CHANNELS: Final = "Channels shared with other organisations"
ALLOW_SHARED: Final = "They may be linked"
FILES: Final = "Files"
ADD_FILES: Final = "Add files"


def link_by_name(left: int) -> str:
    """Say how a workspace is linked for which the menu has no room."""
    return (
        f"{counted(left, 'more workspace')}: write `{COMMAND} link` and the name, in the channel."
    )


DELETE_BY_NAME: Final = f"A document that is not listed: `{COMMAND} delete` and its name."
YOU_ASKED: Final = "You asked:"
YOUR_REPLY: Final = "Your reply"
YOUR_QUESTION: Final = "Your question"
DOCUMENTS_THAT_COUNT: Final = "Documents that count"
WHAT_WAS_WRONG: Final = "What was wrong?"
ASK_TITLE: Final = "Ask MASIS"
VERSION_GONE: Final = "the document was deleted since"
ATTACHED: Final = "came with the question"
"""Of a source that is no document of the workspace."""


def source(number: int) -> str:
    """The title of a cited passage."""
    return f"Source [{number}]"


def version_current(number: int) -> str:
    """The passage stands in the document as it is."""
    return f"version {number}, the current one"


def version_old(current: int) -> str:
    """The document has changed since."""
    return f"an earlier version; the current one is version {current}"


def upload_to(workspace: str) -> str:
    """Say where files go."""
    return f"The files go into the workspace {named(workspace)}."


# --- help ----------------------------------------------------------------------------------

ABOUT: Final = (
    "I answer questions from your team's documents. Every statement cites its source, and my "
    "confidence is computed, not claimed. When I cannot know, I ask back."
)

COMMANDS: Final = (
    ("your question", "answers it in a thread; so does mentioning me, or a direct message"),
    ("ask …", "the same, for a question that begins with one of the words below"),
    ("classify …", "says which code of a code list that is, or asks back"),
    ("status", "what this channel can search"),
    ("docs", "the documents behind this channel"),
    ("upload", "adds files (managers)"),
    ("delete document", "removes a document (managers)"),
    ("history", "your recent questions here"),
    ("cancel", "stops your running question"),
    ("link workspace", "links this channel (managers)"),
    ("unlink", "takes the link away (managers)"),
    ("settings", "managers, guests, external channels, quotas (Slack admins)"),
)
TRY_ASKING: Final = "Try asking"


def question_to_try(question: str, document: str) -> str:
    """A question that a document answers, on the home tab."""
    return f"• {one_line(question)} · {named(shortened(document))}"


def prompt(title: str) -> tuple[str, str]:
    """A suggested prompt about a document: its title, and what it asks."""
    return f"About {named(title)}", f"What are the main points of {named(title)}?"
