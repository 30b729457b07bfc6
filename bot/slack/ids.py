"""The ids of actions, forms and blocks, and what buttons and forms carry.

What a button or a form carries says what is meant, never who may: every click is checked anew
against the database, the person and the place it came from. All of it is versioned, small and
read strictly, so that a button of an older release fails with a sentence and not with a guess.
"""

import json
import re
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.slack.limits import BUTTON_VALUE, OPTION_VALUE, PRIVATE_METADATA
from masis.conversation import MAX_FILES
from masis.errors import MasisError

COMMAND: Final = "/masis"

# --- shortcuts -----------------------------------------------------------------------------
ASK_SHORTCUT: Final = "masis_ask_about"
FILES_SHORTCUT: Final = "masis_add_files"

# --- what can be clicked -------------------------------------------------------------------
CANCEL: Final = "masis_cancel"
WIDER: Final = "masis_wider"
AUDIT: Final = "masis_audit"
AUDIT_PAGE: Final = "masis_audit_page"
PASSAGE: Final = "masis_passage"
FEEDBACK: Final = "masis_feedback"
DRAFT: Final = "masis_draft"
REPLY: Final = "masis_reply"
REPLY_FORM: Final = "masis_reply_form"
DISMISS: Final = "masis_dismiss"
DOCS_PAGE: Final = "masis_docs_page"
HISTORY_PAGE: Final = "masis_history_page"
WORKSPACE: Final = "masis_workspace"
LINK: Final = "masis_link"
SETTINGS: Final = "masis_settings"
SUGGESTED: Final = "masis_suggested"

ACTIONS: Final = (
    CANCEL,
    WIDER,
    AUDIT,
    AUDIT_PAGE,
    PASSAGE,
    FEEDBACK,
    DRAFT,
    REPLY,
    REPLY_FORM,
    DISMISS,
    DOCS_PAGE,
    HISTORY_PAGE,
    WORKSPACE,
    LINK,
    SETTINGS,
    SUGGESTED,
)

# --- forms ---------------------------------------------------------------------------------
LINK_VIEW: Final = "masis_link_view"
SETTINGS_VIEW: Final = "masis_settings_view"
UPLOAD_VIEW: Final = "masis_upload_view"
DELETE_VIEW: Final = "masis_delete_view"
REPLY_VIEW: Final = "masis_reply_view"
REASON_VIEW: Final = "masis_reason_view"
ASK_VIEW: Final = "masis_ask_view"
READ_VIEW: Final = "masis_read_view"
"""A modal that only shows something."""

VIEWS: Final = (
    LINK_VIEW,
    SETTINGS_VIEW,
    UPLOAD_VIEW,
    DELETE_VIEW,
    REPLY_VIEW,
    REASON_VIEW,
    ASK_VIEW,
    READ_VIEW,
)

# --- inputs of forms: the block's id, and its element's action id is the same ---------------
IN_CHANNEL: Final = "masis_in_channel"
IN_WORKSPACE: Final = "masis_in_workspace"
IN_NEW_WORKSPACE: Final = "masis_in_new_workspace"
IN_EXTERNAL: Final = "masis_in_external"
IN_FOLLOW_UPS: Final = "masis_in_follow_ups"
IN_MODE: Final = "masis_in_mode"
IN_REPLY: Final = "masis_in_reply"
IN_DOCUMENTS: Final = "masis_in_documents"
IN_DOCUMENT: Final = "masis_in_document"
IN_REASON: Final = "masis_in_reason"
IN_QUESTION: Final = "masis_in_question"
IN_FILES: Final = "masis_in_files"
IN_CODE_LISTS: Final = "masis_in_code_lists"
IN_MANAGERS: Final = "masis_in_managers"
IN_GUESTS: Final = "masis_in_guests"
IN_EXTERNAL_CHANNELS: Final = "masis_in_external_channels"
IN_KEEP: Final = "masis_in_keep"
IN_USER_PER_MINUTE: Final = "masis_in_user_per_minute"
IN_USER_RUNNING: Final = "masis_in_user_running"
IN_CHANNEL_PER_MINUTE: Final = "masis_in_channel_per_minute"
IN_WORKSPACE_PER_MINUTE: Final = "masis_in_workspace_per_minute"
IN_WORKSPACE_RUNNING: Final = "masis_in_workspace_running"

YES: Final = "yes"
"""The value of a ticked box."""
NEW: Final = "new"
"""The value of a workspace that is to be made."""


def numbered(action: str, number: int) -> str:
    """The action id of one of several alike buttons, which must differ within a block."""
    return f"{action}_{number}"


def pattern(action: str) -> re.Pattern[str]:
    """Matches an action's id, numbered or not."""
    return re.compile(rf"{re.escape(action)}(?:_\d{{1,3}})?$")


# --- what they carry -----------------------------------------------------------------------

Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,80}$")]
SlackId = Annotated[str, Field(pattern=r"^[A-Z0-9]{0,32}$")]
Stamp = Annotated[str, Field(pattern=r"^(?:\d{1,16}\.\d{1,10})?$")]
"""A message's ts, or nothing."""
Page = Annotated[int, Field(ge=0, le=9999)]
Number = Annotated[int, Field(ge=1, le=9999)]
Choice = Annotated[int, Field(ge=0, le=99)]

VERSION: Final = 1


class UnreadableValue(MasisError):
    """A button or a form carries something that this release does not read."""

    def __init__(self) -> None:
        super().__init__("This button belongs to an older message of MASIS. Please ask again.")


class Carried(BaseModel):
    """Hold what a button or a form carries."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    v: Literal[1] = VERSION

    def dumped(self, most: int = BUTTON_VALUE) -> str:
        """Compact JSON.

        Raises:
            ValueError: it is longer than `most`; ids are bounded, so only a mistake can be.
        """
        text = json.dumps(self.model_dump(), separators=(",", ":"), ensure_ascii=True)
        if len(text) > most:
            raise ValueError(f"{type(self).__name__} takes {len(text)} characters of {most}")
        return text

    @classmethod
    def loaded(cls, text: object) -> Self:
        """Read what came back from Slack.

        Raises:
            UnreadableValue: it is not what this release writes.
        """
        if not isinstance(text, str) or len(text) > PRIVATE_METADATA:
            raise UnreadableValue
        try:
            return cls.model_validate_json(text)
        except ValidationError:
            raise UnreadableValue from None


class RunRef(Carried):
    """A run: cancel, search wider, show the audit, show the draft."""

    run: Id


class PassageRef(Carried):
    """A numbered source of a run's answer."""

    run: Id
    n: Number


class Feedback(Carried):
    """A vote on a run's answer."""

    run: Id
    good: bool


class SessionRef(Carried):
    """A clarification: its form, its cancellation."""

    session: Id


class SuggestedReply(Carried):
    """One of the replies that a clarification suggests, by its place among them."""

    session: Id
    choice: Choice


MOST_SUGGESTED: Final = 300


class Suggested(Carried):
    """A question that is offered to be asked."""

    question: Annotated[str, Field(min_length=1, max_length=MOST_SUGGESTED)]


class PageRef(Carried):
    """A page of a list; `run` is whose audit it is, where it is one."""

    run: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{0,80}$")] = ""
    page: Page


class WorkspaceRef(Carried):
    """A workspace in a picker. Whether the person may use it is looked up, not read from here."""

    workspace: Id


# --- what forms carry ----------------------------------------------------------------------


class Form(Carried):
    """Keep where a form was opened, so that what it leads to can be said there."""

    channel: SlackId = ""
    thread: Stamp = ""

    def private(self) -> str:
        """The view's `private_metadata`."""
        return self.dumped(PRIVATE_METADATA)


class LinkForm(Form):
    """Link a channel; the channel is chosen in the form."""


class SettingsForm(Form):
    """The team's settings."""


class UploadForm(Form):
    """Files into the channel's workspace; those of `message` when there is one."""

    message: Stamp = ""
    files: Annotated[list[SlackId], Field(max_length=MAX_FILES)] = []


class DeleteForm(Form):
    """Remove a document; empty when it is chosen in the form."""

    document: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{0,80}$")] = ""


class ReplyForm(Form):
    """A reply to a clarification."""

    session: Id


class ReasonForm(Form):
    """Why an answer was not good."""

    run: Id


class AskForm(Form):
    """A question about a message, with its files; its text is in the form already."""

    message: Stamp = ""
    files: Annotated[list[SlackId], Field(max_length=MAX_FILES)] = []


def option(carried: Carried) -> str:
    """The value of an option, which is shorter than a button's."""
    return carried.dumped(OPTION_VALUE)
