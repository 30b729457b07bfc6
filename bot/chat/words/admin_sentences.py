"""Every sentence of what those who run MASIS in a team do, as each chat says it."""

from typing import Final

from bot.chat.words.phrases import named
from masis.conversation import Mode

# --- links ---------------------------------------------------------------------------------

LINK_CHANNEL: Final = "Link a channel"
LINK: Final = "Link"
SAVE: Final = "Save"
DELETE: Final = "Delete"
OPEN_SETTINGS: Final = "Settings"
WORKSPACE: Final = "Workspace"
DOCUMENT: Final = "Document"
DELETE_DOCUMENT: Final = "Delete a document"
LINK_HOW: Final = (
    "Everybody in the channel can then ask the workspace's documents. Choose a workspace, or name a "
    "new one."
)
LINK_FIRST: Final = (
    "Everybody in the channel can then ask the workspace's documents. There is no workspace yet: "
    "name the first one."
)
CHOOSE_MENU: Final = "Choose a workspace"
CHOOSE_HINT: Final = "One that is there already. For a new one leave this empty, or choose “New workspace, named below”."
NEW_WORKSPACE: Final = "New workspace, named below"
NEW_NAME: Final = "Name of a new workspace"
NEW_HINT: Final = "A name typed here makes a new, empty workspace. Documents are added afterwards."
FIRST_HINT: Final = "It is made empty. Documents are added afterwards."
CHOOSE_OR_NAME: Final = "Choose a workspace, or name a new one."
NAME_IT: Final = "Type a name for the new workspace here, or choose a workspace above."
NOT_BOTH: Final = (
    "A workspace is chosen above. Leave this empty to link that one, or choose "
    "“New workspace, named below” above to make a new one."
)
NAME_TAKEN: Final = "There is a workspace of this name already: choose it above."
OF_ORGANISATION: Final = (
    "These documents are your whole organisation's: the operator of MASIS adds and deletes them."
)
DELETED: Final = "The document is deleted."
PUT_IN_SINCE: Final = (
    "Somebody put this document in anew after you sent this, and that one is not deleted. Open the"
    " form again to delete it, too."
)
LINKED: Final = "The channel is linked."
UNLINKED: Final = "The link is taken away."
DECIDED_SINCE: Final = (
    "Somebody else changed this after you sent it, so yours was not done. Look how it is now, and"
    " send it again if you still want it."
)
NOTHING_TO_UNLINK: Final = "This channel is not linked to a workspace."
MODE: Final = "Small talk"
MODE_HINT: Final = "“Thanks!”, “shorter please” and the like, in the channel and its threads."
MODE_CHOICES: Final[dict[Mode, str]] = {
    "auto": "Answer it in a sentence",
    "documents": "None: every message asks the documents",
}


def of_organisation(workspace: str) -> str:
    """A workspace that all teams of an organisation may ask: one of theirs may have the same name."""
    return f"{workspace} (whole organisation)"


def unlinked(workspace: str) -> str:
    """The link is gone."""
    return (
        f"This channel is no longer linked to {named(workspace)}. Its documents stay. "
        "Questions that wait for a reply here get no answer."
    )


# --- settings ------------------------------------------------------------------------------

MANAGERS: Final = "MASIS managers"
MANAGERS_HINT: Final = "They link channels, add and remove documents, and may answer and stop other people's questions."
GUESTS: Final = "Guests"
ALLOW_GUESTS: Final = "Guests may ask"
UNINSTALL: Final = "When MASIS is uninstalled"
KEEP: Final = "Keep documents and links"
USER_PER_MINUTE: Final = "Questions of one person a minute"
USER_RUNNING: Final = "Questions of one person at the same time"
CHANNEL_PER_MINUTE: Final = "Questions in one channel a minute"
WORKSPACE_PER_MINUTE: Final = "Questions to one workspace a minute"
WORKSPACE_RUNNING: Final = "Questions to one workspace at the same time"
WHOLE_NUMBER: Final = "Type a whole number within the limits."
SETTINGS_SAVED: Final = "The settings are saved and count from now on."

# --- documents -----------------------------------------------------------------------------

DELETE_WARNING: Final = (
    "Its passages and every stored answer that quotes it are emptied. This cannot be undone."
)


def delete_this(document: str, workspace: str) -> str:
    """The question before a document goes."""
    return f"Delete {named(document)} from the workspace {named(workspace)}?"
