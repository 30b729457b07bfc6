"""Name what can be pressed, and read what it carries.

What a button carries says what is meant, never who may: every press is checked anew against the
database, the person and the conversation that it came from. It is versioned, small and read
strictly, so that a button of an older release fails with a sentence and not with a guess.
"""

from typing import Annotated, Any, Final, Literal, Self

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from bot.teams.text.sentences import OLD_BUTTON
from masis.errors import MasisError
from masis.policy import MAX_QUESTION_CHARS

# --- verbs ---------------------------------------------------------------------------------
CANCEL: Final = "masis_cancel"
WIDER: Final = "masis_wider"
CHOOSE: Final = "masis_choose"
REPLY: Final = "masis_reply"
DISMISS: Final = "masis_dismiss"
ASK: Final = "masis_ask"
ASK_ON: Final = "masis_ask_on"
REFRESH: Final = "masis_refresh"
WORKSPACE: Final = "masis_workspace"

IN_REPLY: Final = "masis_in_reply"
"""The input for a reply: its text comes with the button beside it."""
IN_QUESTION: Final = "masis_in_question"
"""The input for a question that goes on with an answer."""
IN_CHOSEN: Final = "masis_in_chosen"
"""The menu of workspaces, where there are many."""

Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,80}$")]
MOST_SUGGESTED: Final = 300


class UnreadableValue(MasisError):
    """A button carries something that this release does not read."""

    def __init__(self) -> None:
        super().__init__(OLD_BUTTON)


class Carried(BaseModel):
    """Hold what a button carries. Clients may put more beside it, which is not read."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True, populate_by_name=True)

    v: Literal[1] = 1

    def data(self) -> dict[str, Any]:
        """Return it as a button has it."""
        return self.model_dump(by_alias=True)

    @classmethod
    def loaded(cls, data: object) -> Self:
        """Read what came back from Teams.

        Raises:
            UnreadableValue: it is not what this release writes.
        """
        try:
            return cls.model_validate(data)
        except ValidationError:
            raise UnreadableValue from None


class RunRef(Carried):
    """A run: cancel, search wider, refresh."""

    run: Id


class Choice(RunRef):
    """One of the replies that a clarification suggests, by its place among them."""

    session: Id
    choice: Annotated[int, Field(ge=0, le=99)]


class SessionRef(RunRef):
    """A clarification: its cancellation."""

    session: Id


class TypedReply(RunRef):
    """A reply that was typed into a clarification."""

    session: Id
    reply: Annotated[str, Field(max_length=MAX_QUESTION_CHARS, alias=IN_REPLY)] = ""

    def data(self) -> dict[str, Any]:
        """Return it as its button has it: the text comes from the input."""
        return self.model_dump(exclude={"reply"})


class TypedQuestion(RunRef):
    """A question that was typed below an answer, and goes on with it."""

    question: Annotated[str, Field(max_length=MAX_QUESTION_CHARS, alias=IN_QUESTION)] = ""

    def data(self) -> dict[str, Any]:
        """Return it as its button has it: the text comes from the input."""
        return self.model_dump(exclude={"question"})


class Suggested(Carried):
    """A question that is offered to be asked."""

    question: Annotated[str, Field(min_length=1, max_length=MOST_SUGGESTED)]


class WorkspaceRef(Carried):
    """A workspace that somebody's own chat is to ask. Whether they may is looked up."""

    workspace: Annotated[Id, Field(validation_alias=AliasChoices("workspace", IN_CHOSEN))]


Form = Literal["link", "settings", "delete", "docs"]


class FormRef(Carried):
    """Name a form of those who run MASIS in a team, or the list of documents, and its page.

    `turned` says that another page of a form's menu is wanted: nothing is sent yet.
    """

    form: Form
    page: Annotated[int, Field(ge=0, le=9999)] = 0
    turned: bool = False
    chosen: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{0,80}$")] = ""


Dialog = Literal["audit", "passage", "rest", "draft", "sources"]


class DialogRef(Carried):
    """Name what a dialog shows of a run: a page of it, or of its sources the one numbered `n`."""

    dialog: Dialog
    run: Id
    page: Annotated[int, Field(ge=0, le=9999)] = 0
    n: Annotated[int, Field(ge=0, le=9999)] = 0
