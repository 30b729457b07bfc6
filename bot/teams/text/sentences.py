"""Every sentence that people read in Teams."""

from typing import Final

from bot.chat.words import phrases, shared_sentences
from bot.chat.words.counts import counted
from bot.chat.words.visible_text import one_line
from masis.conversation import BY_OPERATOR

NOTHING: Final = "–"

# --- the app's entry in Teams --------------------------------------------------------------

FULL_NAME: Final = "MASIS, answers from documents"
IN_SHORT: Final = "Answers questions from your documents; every claim cites its source."
IN_FULL: Final = (
    "MASIS answers questions from the documents of your team. Every claim of an answer cites its"
    " source, the confidence is computed and not claimed, and where the documents do not say it,"
    " MASIS asks back instead of guessing. Mention it in a channel, or write to it alone."
)
COMMANDS: Final = (
    ("What can you do?", "Says what MASIS answers, and what it could be asked."),
    ("status", "Says which documents are asked here."),
    ("cancel", "Stops your running question."),
    ("history", "Your recent questions here."),
    ("docs", "Lists the documents behind this channel."),
    ("link", "Lets this channel ask a workspace (owners and managers)."),
    ("settings", "Managers, guests and quotas (owners)."),
)
PROMPTS: Final = (
    (
        "What do the documents say about …?",
        "Asks the documents.",
        "What do the documents say about ",
    ),
    ("Summarise a document", "Summarises one of the documents.", "Summarise the document "),
    ("Compare two documents", "Says where two documents differ.", "Compare the documents "),
)
"""What Teams offers to begin with: it is typed to its end by who asks."""
CHAT_PROMPTS: Final = ("What can you do?", "status", "history")
"""What Teams offers under a greeting in somebody's own chat: said as it stands."""
ASK_ALONE: Final = ("ask", "Answers a question to you alone.")

# --- an answer -----------------------------------------------------------------------------

READ_ON: Final = "Read on"
ASK_ON: Final = "Ask on"
ASK_ON_HERE: Final = "A question that goes on with this answer"
NO_QUESTION: Final = "Type your question first, then press “Ask on”."
COMMAND_BELOW: Final = "This is a command: write it as a message of its own."
PASSAGE: Final = "Passage"
ALL_SOURCES: Final = "All sources"
GOES_ON: Final = "The answer is longer than fits here: “Read on” shows the rest."
QUESTION_LONGER: Final = "This is longer than fits here: “Read on” shows all of it."
ATTACHED: Final = "attached to the question"
TABLE: Final = "Table"
CHART: Final = "Chart"
CONTINUED: Final = "Next"


def page_of(page: int, pages: int) -> str:
    """Say which page this is."""
    return f"Page {page} of {pages}"


def columns_left_out(number: int) -> str:
    """Say what of a table is not shown."""
    return f"{counted(number, 'more column')} in the document."


# --- a clarification -----------------------------------------------------------------------

HOW_TO_REPLY: Final = "Reply below, or mention me in this thread."
HOW_TO_REPLY_ALONE: Final = "Reply below."
HOW_TO_REPLY_CHAT: Final = "Reply below, or just write your reply."
HOW_TO_CHOOSE: Final = "Choose one of these, or reply below."
REPLY_HERE: Final = "Your reply"
REPLY: Final = "Reply"
NOT_THE_ASKER: Final = (
    "Only the person who asked may reply to this question, so yours was not taken."
    " Ask your own question outside this thread and I will answer it."
)
NOT_YOURS: Final = "Only the person who asked may do this."
NOT_OPEN: Final = {
    "answered": "This question was answered already, so your reply came too late.",
    "expired": "This question has expired. Ask the original question again.",
    "cancelled": "This question was cancelled. Ask again if you still want to know.",
}
NO_REPLY: Final = "Type your reply first, then press “Reply”."
CANCELLED: Final = "This question was cancelled."


def expired(hours: int) -> str:
    """Nobody replied in time."""
    return (
        f"Nobody replied within {counted(hours, 'hour')}, so this question is closed. "
        "Ask it again whenever you like."
    )


def answered_by(name: str, reply: str) -> str:
    """Say who replied and what counts. This stands in the place of the buttons."""
    who = f" by {one_line(name)}" if one_line(name) else ""
    said = f": {phrases.named(phrases.shortened(reply))}" if reply else ""
    return f"Answered{who}{said}. The new answer follows below."


# --- while it runs, and how it ends --------------------------------------------------------

GONE_FURTHER: Final = "This question is shown below."
NOTHING_RUNS: Final = "This question is not running any more."
STOPPING: Final = "This question is being stopped."
SLOW: Final = "Teams is slow just now. I am on it, and say here what comes of it."
OPEN_AGAIN: Final = "Teams is slow just now. Please open this once more."
NOT_TAKEN: Final = "Teams did not answer me for a while. Send it once more, please."
FORM_AGAIN: Final = "What you sent with the form was not done. Open it once more, please."
OLD_BUTTON: Final = "This button belongs to an older message of MASIS. Please ask again."
NOWHERE: Final = "I could not show the answer where you asked. Ask again, or ask somewhere else."
ABOVE: Final = "{who}, the answer to your question is above."
DOUBTFUL: Final = (
    "Teams did not tell me whether it took my answer to your question. If you do not see it, ask"
    " again."
)
TOO_LARGE: Final = "The answer is too large for Teams. Ask for a part of it."


def asked(question: str) -> str:
    """Say what was asked by a button."""
    return f"Asked: {phrases.named(phrases.shortened(question))}"


def failed(error: str, *, retryable: bool = False) -> str:
    """The run could not be mended; `error` names what to do."""
    hint = f" {shared_sentences.RETRY_HINT}" if retryable and "again" not in error else ""
    return f"I could not answer this. {error}{hint}"


def stopped(by: str) -> str:
    """Somebody ended the run."""
    who = " by the operator of MASIS" if by == BY_OPERATOR else ""
    return f"Stopped{who}. Nothing more will be posted for this question."


# --- what is not taken in ------------------------------------------------------------------

EMPTY_QUESTION: Final = "There is no question in this. Write one behind the mention."
NOT_LINKED: Final = (
    "This channel is not linked to a workspace yet, so there is nothing to search."
    " An owner of the team links it."
)
NOT_STANDARD: Final = "I answer in standard channels alone, and this one is private or shared."
NO_GROUPS: Final = "I answer in channels and in personal chats, not in group chats."
NO_TEAM: Final = "Teams does not say which team this is, so I cannot tell whose documents to read."


NO_CHOICE: Final = (
    "You are in channels that ask different workspaces. Which one do you want to ask here? Your"
    " choice is remembered; then ask again."
)
WORKSPACE: Final = "Workspace"
CHOOSE: Final = "Ask this one"
NOTHING_TO_ASK: Final = "There is no workspace that you can ask here. You can ask those of the channels that you are in."
ONLY_FILES: Final = (
    "Write with the file what you want to know about it, and send both together. With “upload” an"
    " owner of the team puts it into the workspace."
)
UPLOAD_HOW: Final = (
    "Attach the files to the same message as “upload”, with the workspace's name behind it where you"
    " can reach several, and “as a code list” where each is a list of codes. Owners of the team and managers may."
)
UPLOAD_ELSEWHERE: Final = (
    "A bot of Teams is handed files in its own chat alone: write me there “upload” with the files"
    " attached, and the workspace's name behind it where you can reach several."
)
NO_FILE: Final = (
    "I can read files that are attached in our own chat, and neither those of channels nor pictures"
    " in a text. Attach it there."
)
FILE_ELSEWHERE: Final = "The file is not kept where Teams keeps files. Attach the file itself."
FILE_GONE: Final = "Its address is not valid any more. Attach the file once more."
FILE_IN_TROUBLE: Final = "Teams did not hand the file over in time. Try again in a minute."
STRANGER: Final = (
    "These documents belong to another organisation than you do, so I cannot answer you."
)
GUEST: Final = "Guests cannot use MASIS here."
WITHHELD_UNLINKED: Final = (
    "The channel's link was taken away meanwhile; the answer is withheld."
    " Ask again when the channel is linked."
)
WITHHELD_NO_ACCESS: Final = (
    "You are in no channel that asks this workspace, so I cannot answer you from it."
)


def too_long(length: int, most: int) -> str:
    """The question is over the limit."""
    return f"This question has {length:,} characters, and {most:,} is the most. Make it shorter."


def upload_where(workspaces: list[str]) -> str:
    """Ask which workspace files are to be put into."""
    named = ", ".join(map(phrases.named, workspaces))
    return f"Which workspace are they for? Send them with “upload” and its name: {named}."


def upload_report(workspace: str, taken: int, files: int) -> str:
    """Say how many files of an upload are in a workspace."""
    return f"{taken} of {counted(files, 'file')} can be searched in {phrases.named(workspace)}."


def file_added(name: str, passages: int, *, version: int = 1) -> str:
    """A file is searchable."""
    done = f"is updated to version {version}" if version > 1 else "is added"
    return f"✓ {phrases.named(name)} {done}: {counted(passages, 'passage')}."


def file_same(name: str) -> str:
    """The same bytes are there already."""
    return f"✓ {phrases.named(name)} is there already and has not changed."


def file_refused(name: str, reason: str) -> str:
    """A file is not taken, and why."""
    return f"❌ {phrases.named(name)} was not added. {one_line(reason)}"


def file_waiting(name: str) -> str:
    """The turn of a file has yet to come."""
    return f"▫ {phrases.named(name)}"


def file_too_big(most: int) -> str:
    """A file is over the limit."""
    return f"The file is larger than {most // 1_000_000} MB."


def suspended(reason: str) -> str:
    """The channel's link does not count for now."""
    return f"This channel's link is suspended: {one_line(reason).rstrip('.')}."


# --- the welcome ---------------------------------------------------------------------------

WELCOME: Final = "Hello, I answer questions from your documents"
WELCOME_TEAM: Final = (
    "Mention me in a channel with a question. Every claim of an answer cites its source, and its"
    " confidence is computed, not claimed. A channel asks the workspace that it is linked to."
)
WELCOME_PERSONAL: Final = (
    "Write me a question. Every claim of an answer cites its source, and its confidence is computed,"
    " not claimed. You can ask the workspaces of the channels that you are in."
)
TRY_ASKING: Final = "Some questions that the documents answer:"

# --- what those do who run MASIS in a team -------------------------------------------------

COMMAND_LINES: Final = (
    ("your question", "answers it in this thread"),
    ("status", "what this channel asks"),
    ("docs", "the documents behind this channel"),
    ("history", "your recent questions here"),
    ("cancel", "stops your running question"),
    ("link", "lets this channel ask a workspace (owners of the team, managers)"),
    ("unlink", "takes the link away (owners, managers)"),
    ("upload", "with files in our own chat: puts them into the workspace (owners, managers)"),
    ("delete", "removes a document (owners, managers)"),
    ("settings", "managers, guests and quotas (owners)"),
)
HELP: Final = "Mention me with one of these:"
DOCUMENTS: Final = "Documents"
NOT_ALLOWED: Final = (
    "Only an owner of this team or a MASIS manager may do this."
    " Ask one of them to do it, or an owner to make you a manager."
)
SETTINGS_NOT_ALLOWED: Final = "Only an owner of this team may change the settings. Ask one of them."
NOT_CONSENTED: Final = (
    "Microsoft does not tell me who owns this team, so I cannot let you do this. An owner adds me to"
    " the team once more and agrees that I may read its members; or the operator of MASIS links the"
    " channel with “masis teams link”."
)
CHANNEL_UNKNOWN: Final = "I do not know this channel. Mention me in it, then try again."
IN_CHANNEL: Final = "Do this in the channel: mention me there with the same word."
LINK_HERE: Final = "Link this channel"
SETTINGS_HOW: Final = "Who manages MASIS in this team, whether guests may ask, and how much."
NO_DOCUMENTS: Final = (
    "This workspace has no documents yet. An owner of the team sends some in our own chat with"
    " “upload”, or the operator of MASIS adds them."
)
CHOOSE_DOCUMENT: Final = "Choose the document to delete."
REMOVED_FORM: Final = "This form belongs to an older message of MASIS. Please open it again."


def status(workspace: str, documents: int, passages: int) -> str:
    """Say what a channel can search."""
    return (
        f"This channel asks the workspace {phrases.named(workspace)}:"
        f" {counted(documents, 'document')}, {counted(passages, 'passage')}."
    )


def chosen(workspace: str) -> str:
    """Say what somebody's own chat asks from now on."""
    return f"Your chat asks the workspace {phrases.named(workspace)} from now on."


def can_ask(workspaces: list[str]) -> str:
    """Say what somebody's own chat asks."""
    return f"Here you can ask {', '.join(map(phrases.named, workspaces))}."


def linked(workspace: str, documents: int) -> str:
    """The link is made."""
    told = f"This channel now asks the workspace {phrases.named(workspace)} ({counted(documents, 'document')})."
    return (
        told if documents else f"{told} The operator of MASIS adds documents with “masis ingest”."
    )


def documents_of(workspace: str, documents: int) -> str:
    """The head of a list of documents."""
    return f"The workspace {phrases.named(workspace)} has {counted(documents, 'document')}."


def no_such_document(name: str, nearest: str = "") -> str:
    """A name that no document of the workspace has."""
    hint = f" Did you mean {phrases.named(nearest)}?" if nearest else ""
    return f"There is no document {phrases.named(name)} here.{hint} “docs” lists them."


def deleted(name: str, blanked: int) -> str:
    """A document is gone, and what stays."""
    told = f"{phrases.named(name)} is deleted."
    if blanked:
        told += (
            f" {counted(blanked, 'stored answer')} that quoted it {'is' if blanked == 1 else 'are'}"
            " emptied; what stands in Teams already may still quote it."
        )
    return told
