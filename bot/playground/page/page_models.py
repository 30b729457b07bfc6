"""Hold what there is on the page, a model each.

That is people, conversations, messages, forms and the app itself.

Slack's own JSON (blocks, attachments, options) is passed on as it is: it is untrusted text, and
never HTML.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

Json = dict[str, Any]


class Shown(BaseModel):
    """Something that the page tells."""

    model_config = ConfigDict(
        frozen=True,
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
    )


class Person(Shown):
    """Somebody of the team, of another team, or the app's bot."""

    id: str
    name: str
    role: Literal["member", "admin", "owner", "guest", "single_channel_guest", "bot"]
    team: str
    playable: bool
    """Whether a browser may be this person."""
    about: str
    """What there is to try as this person; empty for the others."""


class Channel(Shown):
    """A conversation as the person sees it."""

    id: str
    name: str
    """Empty for a direct message, which is named for its `peer`."""
    kind: Literal["public", "private", "im"]
    topic: str
    members: list[str]
    is_member: bool
    is_archived: bool
    shared_with: list[str]
    """The names of the other organisations in it."""
    peer: str | None
    app_is_in: bool
    read_ts: str | None
    """The newest message that this person has read; those of others after it are unread."""
    earlier: bool
    """Whether there are older messages that are not shown."""


class SharedFile(Shown):
    """A file of a message. Its bytes are at `/files/{id}`."""

    id: str
    name: str
    title: str
    filetype: str
    pretty_type: str
    mimetype: str
    size: int
    user: str


class Reaction(Shown):
    """An emoji's name and who chose it."""

    name: str
    users: list[str]


class Message(Shown):
    """A message. `blocks` are shown where there are some, else `text`, which is Slack's mrkdwn."""

    channel: str
    ts: str
    thread_ts: str | None
    """The thread it is in. A root has none, or its own `ts`."""
    user: str | None
    from_app: bool
    text: str
    blocks: list[Json]
    attachments: list[Json]
    files: list[SharedFile]
    reactions: list[Reaction]
    edited: bool
    private: bool
    """Only this person sees it."""
    streaming: bool
    broadcast: bool
    """A reply that stands in the channel, too."""
    subtype: str | None


class Prompt(Shown):
    """A question that an agent suggests in a direct message."""

    title: str
    message: str


class Session(Shown):
    """Hold what an agent tells of its work in one thread.

    `thread_ts` is null for a whole conversation.
    """

    channel: str
    thread_ts: str | None
    status: str
    """`processing`, `active`, `suspended`, `closed`, or empty."""
    loading: str
    """Such as “is looking through the documents”; empty when there is nothing to say."""
    title: str
    prompts: list[Prompt]
    can_stop: bool
    """Whether Slack shows its own Stop button in the thread."""


class View(Shown):
    """A form or what the app's home tab shows."""

    id: str
    hash: str
    """Changes whenever the content does."""
    title: str
    submit: str | None
    close: str | None
    callback_id: str
    blocks: list[Json]
    values: Json
    """What was typed and chosen, by block id and action id, in Slack's form."""


class TeamsPlace(Shown):
    """A conversation of Teams: the team's channel, or one's own chat with the app."""

    id: str
    name: str
    kind: Literal["channel", "chat"]


class TeamsMessage(Shown):
    """A message in Teams. `card` is an Adaptive Card of the app's, shown instead of `text`."""

    id: str
    place: str
    thread: str
    """The message that its thread hangs from: its own id where it hangs from none."""
    user: str
    text: str
    card: Json | None
    files: list[str]
    """The names of what was sent with it."""
    private: bool
    """Only this person sees it."""
    is_generated: bool
    """Whether it carries Teams' label of what a machine made, and thumbs."""
    prompts: list[str]
    """Suggested words that a press says, while it is the last message of a chat."""
    at: str
    """When it was written, in seconds."""


class TeamsDialog(Shown):
    """A dialog that a button opened; it is sent as from its message."""

    message: str
    title: str
    card: Json


class TeamsTeam(Shown):
    """What there is of Teams beside Slack."""

    name: str
    channel: str
    """What the team's channel is called."""
    places: list[TeamsPlace]
    messages: list[TeamsMessage]


class Readiness(Shown):
    """Show whether the bot answers yet. Actions that reach it wait until it does."""

    phase: Literal["reading", "starting", "ready", "failed"]
    done: int
    total: int
    """Of the sample documents that are read at the first start."""
    words: str


class Verb(Shown):
    """One way to use a command: `hint` stands where the person goes on typing."""

    verb: str
    hint: str
    about: str


class Command(Shown):
    """A slash command, as the app's manifest and its help have it."""

    command: str
    about: str
    usage: str
    verbs: list[Verb]


class Shortcut(Shown):
    """An entry in a message's menu."""

    callback_id: str
    name: str
    about: str


class Suggestion(Shown):
    """A question to try, and what it shows."""

    about: str
    text: str
    channel: str = ""
    """The id of the only channel that it is for; empty for all that have none of their own."""


class About(Shown):
    """Hold what hardly changes while the page is served."""

    app: str
    """The id of the app's bot, who is among the people."""
    team: str
    commands: list[Command]
    shortcuts: list[Shortcut]
    suggestions: list[Suggestion]
    """What there is to show, a question for each."""
    questions: list[Suggestion]
    """What the documents of the linked channel answer; none until that is known."""
    permalinks: str
    """Links that begin so are messages here: `{permalinks}/archives/{channel}/p{ts without its dot}`
    with `?thread_ts=` for a reply."""
    file_bytes: int
    files: int
    text_chars: int
