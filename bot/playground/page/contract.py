"""Define what the page and its browser say to each other, a model each.

TypeScript is made from it.

`python -m bot.playground.page.typescript` writes `bot/playground/web/src/contract.ts`. What they speak of is in
`vocabulary.py`.
"""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from bot.playground.page.page_models import (
    About,
    Channel,
    Json,
    Message,
    Person,
    Readiness,
    Session,
    Shown,
    TeamsDialog,
    TeamsMessage,
    TeamsTeam,
    View,
)
from bot.slack import limits

# --- bounds, which are the page's own unless Slack has one -----------------------------------
MESSAGE_BYTES: Final = 256_000
"""Of one frame from a browser: a form of ten inputs at Slack's 3,000 characters each fits."""
FILE_BYTES: Final = 32 * 1024 * 1024
"""Of one upload: over the bot's own 25 MB, so that it is the bot who refuses."""
FILES: Final = 10
"""Of one message, as in a form of Slack's."""
SHOWN: Final = 500
"""Messages of one channel in a state: the newest."""

Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,80}$")]
Ts = Annotated[str, Field(pattern=r"^\d{1,16}\.\d{1,10}$")]
ElementId = Annotated[str, Field(min_length=1, max_length=limits.BLOCK_ID)]
Text = Annotated[str, Field(max_length=limits.MESSAGE_TEXT)]


class Asked(BaseModel):
    """Something that a browser asks; what is not foreseen is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


# --- the page to a browser -------------------------------------------------------------------


class State(Shown):
    """Everything at once: the answer to `hello`, and whenever a browser has fallen too far behind."""

    type: Literal["state"] = "state"
    epoch: str
    seq: int
    you: str
    about: About
    people: list[Person]
    channels: list[Channel]
    messages: list[Message]
    sessions: list[Session]
    modals: list[View]
    """The stack of forms, the top one last."""
    home: View | None
    ready: Readiness
    teams: TeamsTeam


class MessageIs(Shown):
    """A message is new, or is so now."""

    kind: Literal["message"] = "message"
    message: Message


class MessageGone(Shown):
    """A message is no more. It may never have been seen here."""

    kind: Literal["gone"] = "gone"
    channel: str
    ts: str


class ChannelIs(Shown):
    """A channel is new, or is so now."""

    kind: Literal["channel"] = "channel"
    channel: Channel


class ChannelGone(Shown):
    """A channel is not seen any more."""

    kind: Literal["channel_gone"] = "channel_gone"
    channel: str


class SessionIs(Shown):
    """An agent tells something else now."""

    kind: Literal["session"] = "session"
    session: Session


class ModalsAre(Shown):
    """The whole stack of forms."""

    kind: Literal["modals"] = "modals"
    modals: list[View]


class HomeIs(Shown):
    """Show the app's home tab."""

    kind: Literal["home"] = "home"
    home: View | None


class ReadyIs(Shown):
    """Show how far the bot's start is."""

    kind: Literal["ready"] = "ready"
    ready: Readiness


class AboutIs(Shown):
    """Tell that what there is to ask is known now, or has changed with the documents."""

    kind: Literal["about"] = "about"
    about: About


class TeamsMessageIs(Shown):
    """A message of Teams is new, or is so now."""

    kind: Literal["teams_message"] = "teams_message"
    message: TeamsMessage


class TeamsMessageGone(Shown):
    """A message of Teams is no more."""

    kind: Literal["teams_gone"] = "teams_gone"
    id: str


class TeamsTyping(Shown):
    """The app shows in one's own chat that it writes; `at` is since when, in seconds."""

    kind: Literal["teams_typing"] = "teams_typing"
    place: str
    at: str


Change = Annotated[
    MessageIs
    | MessageGone
    | ChannelIs
    | ChannelGone
    | SessionIs
    | ModalsAre
    | HomeIs
    | AboutIs
    | ReadyIs
    | TeamsMessageIs
    | TeamsMessageGone
    | TeamsTyping,
    Field(discriminator="kind"),
]


class Changes(Shown):
    """List what happened since `seq` of the frame before.

    Each change says how a thing is now, as a whole.
    """

    type: Literal["changes"] = "changes"
    seq: int
    changes: list[Change]


class Options(Shown):
    """List what an external select offers for what was typed, in Slack's form."""

    options: list[Json]
    option_groups: list[Json]


class Reply(Shown):
    """Report what came of an action. `error` is a sentence for the person who did it."""

    type: Literal["reply"] = "reply"
    id: int
    ok: bool
    error: str | None = None
    fields: dict[str, str] = {}
    """What is wrong with a form, by block id; the form stays open."""
    ts: str | None = None
    """Of the message that was posted."""
    options: Options | None = None
    words: str | None = None
    """What the app tells in Teams who pressed, and nobody else."""
    dialog: TeamsDialog | None = None
    """What a button of a card opened, or a dialog goes on with."""


ToBrowser = Annotated[State | Changes | Reply, Field(discriminator="type")]

# --- a browser to the page -------------------------------------------------------------------


class Hello(Asked):
    """The first frame, and again to become somebody else. With `epoch` and `seq` it goes on."""

    type: Literal["hello"] = "hello"
    person: Id | None = None
    """Nobody named: whoever the page begins with."""
    epoch: Id | None = None
    seq: int | None = None


class Action(Asked):
    """Something that the person does; `id` is the browser's own, and comes back in the reply."""

    id: Annotated[int, Field(ge=0, le=2**53)]


class Say(Action):
    """Post a message, in a thread where one is named; `@MASIS` mentions the bot."""

    type: Literal["say"] = "say"
    channel: Id
    text: Text = ""
    thread_ts: Ts | None = None
    files: Annotated[list[Id], Field(max_length=FILES)] = []
    broadcast: bool = False


class Slash(Action):
    """Send a slash command, which cannot be sent in a thread."""

    type: Literal["command"] = "command"
    channel: Id
    command: Annotated[str, Field(pattern=r"^/[a-z0-9_-]{1,32}$")]
    text: Text = ""


class InMessage(Asked):
    """A place to press: a message."""

    channel: Id
    ts: Ts


class InView(Asked):
    """A place to press: a form or the home tab, by its id."""

    view: Id


class MenuOption(Asked):
    """An option of an external select, as the app gave it."""

    text: Json
    value: Annotated[str, Field(max_length=limits.OPTION_VALUE)]
    description: Json | None = None


Chosen = str | list[str] | MenuOption | list[MenuOption] | None
"""Of a text what was typed; of a menu the option's value, or a list of them; of people and channels
their ids; of dates what Slack writes; of files the ids of uploads; null for what was left alone."""


class Press(Action):
    """Press a button, or choose in a menu. `value` tells the halves of a pair of buttons apart."""

    type: Literal["press"] = "press"
    at: InMessage | InView
    block_id: ElementId
    action_id: ElementId
    value: Annotated[str, Field(max_length=limits.BUTTON_VALUE)] | None = None
    chosen: Chosen = None


class Suggest(Action):
    """Ask for an external select's options."""

    type: Literal["options"] = "options"
    at: InMessage | InView
    block_id: ElementId
    action_id: ElementId
    typed: Annotated[str, Field(max_length=limits.INPUT_VALUE)] = ""


class Submit(Action):
    """Send the form on top, with everything that was typed and chosen: block id, action id."""

    type: Literal["submit"] = "submit"
    view: Id
    values: dict[ElementId, dict[ElementId, Chosen]] = {}


class Close(Action):
    """Close the form on top."""

    type: Literal["close"] = "close"
    view: Id


class UseShortcut(Action):
    """Choose an entry of a message's menu."""

    type: Literal["shortcut"] = "shortcut"
    channel: Id
    ts: Ts
    callback_id: ElementId


class React(Action):
    """Add one's reaction, or take it back."""

    type: Literal["react"] = "react"
    channel: Id
    ts: Ts
    name: Annotated[str, Field(pattern=r"^[a-z0-9_+'-]{1,80}$")]
    take_back: bool = False


class OpenHome(Action):
    """Open the app's page: its home tab, or its messages."""

    type: Literal["home"] = "home"
    tab: Literal["home", "messages"] = "home"


class Stop(Action):
    """Press Slack's own Stop button."""

    type: Literal["stop"] = "stop"
    channel: Id
    thread_ts: Ts


class Read(Action):
    """Mark a channel as read up to that message."""

    type: Literal["read"] = "read"
    channel: Id
    ts: Ts


class TeamsSay(Action):
    """Write in Teams. `thread` is the post that it is a reply to, in one's own chat what is quoted."""

    type: Literal["teams_say"] = "teams_say"
    place: Id
    text: Text = ""
    thread: Id | None = None
    files: Annotated[list[Id], Field(max_length=FILES)] = []


class TeamsPress(Action):
    """Press a button of a card (`Action.Execute`), with what was typed beside it."""

    type: Literal["teams_press"] = "teams_press"
    message: Id
    verb: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,80}$")]
    data: Json = {}


class TeamsOpen(Action):
    """Press a button of a card that opens a dialog."""

    type: Literal["teams_open"] = "teams_open"
    message: Id
    data: Json = {}


class TeamsSend(Action):
    """Send a dialog off, as from the message whose button opened it."""

    type: Literal["teams_send"] = "teams_send"
    message: Id
    data: Json = {}


class TeamsRate(Action):
    """Press a thumb under an answer in Teams."""

    type: Literal["teams_rate"] = "teams_rate"
    message: Id
    good: bool


AnyTeamsAction = TeamsSay | TeamsPress | TeamsOpen | TeamsSend | TeamsRate
AnyAction = (
    Say
    | Slash
    | Press
    | Suggest
    | Submit
    | Close
    | UseShortcut
    | React
    | OpenHome
    | Stop
    | Read
    | AnyTeamsAction
)
FromBrowser = Annotated[Hello | AnyAction, Field(discriminator="type")]

FROM_BROWSER: Final[TypeAdapter[Hello | AnyAction]] = TypeAdapter(FromBrowser)
TO_BROWSER: Final[TypeAdapter[State | Changes | Reply]] = TypeAdapter(ToBrowser)


# --- uploads ---------------------------------------------------------------------------------


class Uploaded(Shown):
    """Answer `POST /upload` when it took a file."""

    id: str
    name: str
    size: int


class Refusal(Shown):
    """Answer, at any address, that it did not do what was asked."""

    error: str


UPLOAD: Final[TypeAdapter[Uploaded | Refusal]] = TypeAdapter(Uploaded | Refusal)
