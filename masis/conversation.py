"""The nouns of a conversation in a team chat, whichever chat it is."""

import datetime as dt
import re
import uuid
from typing import Any, Final, Literal, Self

from pydantic import Field

from masis.domain import (
    DEFAULT_GRAPH,
    ClarificationKind,
    Question,
    Value,
    WorkspaceId,
    opaque_id,
)

RUN_NAMESPACE: Final = uuid.UUID("0b9a3a52-6d0f-5c1e-9f0e-6d61736973a1")
"""The namespace of run ids; changing it would let old requests run again."""


SLACK: Final = "slack"
"""The chat of a tenant that names none."""

TEAMS: Final = "teams"
"""Microsoft Teams: `enterprise` is the Entra tenant, `team` the team's id in it."""

LOCAL: Final = "local"
"""The owner of what the command line makes; also the chat and the team of who asks without one."""

SURFACE_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,19}")


class Tenant(Value):
    """Identify whose chat it is.

    `enterprise` and `team` are that chat's own ids, empty where it has none.

    Nothing of one tenant is ever read for another, but for what a whole organisation shares with its
    teams in Teams: its workspaces (`organisation_owner`).
    """

    chat: str = Field(default=SLACK, pattern=rf"^{SURFACE_NAME.pattern}$")
    enterprise: str = Field(default="", max_length=64)
    team: str = Field(default="", max_length=64)

    @property
    def owner(self) -> str:
        """The owner of this tenant's workspaces, as the workspaces table writes it."""
        if self == LOCAL_TENANT:
            return LOCAL
        return f"{self.chat}:{self.enterprise}:{self.team}"

    @property
    def organisation_owner(self) -> str:
        """The owner of what every team of its organisation may ask; empty where there is none."""
        is_team = self.chat == TEAMS and self.enterprise and self.team
        return self.model_copy(update={"team": ""}).owner if is_team else ""

    @property
    def is_organisation(self) -> bool:
        """Say whether it is an organisation in Teams, and none of its teams."""
        return self.chat == TEAMS and bool(self.enterprise) and not self.team

    def may_ask(self, owner: str) -> bool:
        """Say whether its channels may ask workspaces of that owner."""
        return bool(owner) and owner in {self.owner, self.organisation_owner}

    @classmethod
    def of_owner(cls, owner: str) -> Self:
        """Return the tenant whose workspaces this owner has.

        A name that no tenant has gives nobody's.
        """
        if owner == LOCAL:
            return cls(chat=LOCAL, team=LOCAL)
        chat, _, ids = owner.partition(":")
        enterprise, colon, team = ids.partition(":")
        is_tenant = colon and SURFACE_NAME.fullmatch(chat)
        return cls(chat=chat, enterprise=enterprise, team=team) if is_tenant else cls()


LOCAL_TENANT: Final = Tenant(chat=LOCAL, team=LOCAL)
"""The tenant of the command line's workspaces."""


class Spot(Value):
    """A place in a chat. `thread` is the id of the message that a thread hangs from, else empty."""

    tenant: Tenant
    channel: str
    thread: str = ""


RunKind = Literal["ask", "reply", "wider", "follow_up", "upload"]
"""A question; the fresh run of a reply; "Search wider"; one more in a thread; files to put in."""

MAX_FILES: Final = 20
"""Of one message; Slack's own clients send ten."""


class ChatFile(Value):
    """A file of a message by its chat's own id. The name is empty where the message tells none.

    `kind` is what its document is said to be, where somebody says it. `address` is where it can be had
    for a while by whoever knows it, in a chat whose ids say nothing.
    """

    id: str = Field(max_length=64)
    name: str = Field(default="", max_length=255)
    kind: str = Field(default="", max_length=64)
    address: str = Field(default="", max_length=4096, repr=False)


Mode = Literal["auto", "documents"]
"""Whether a message may be small talk or about the last answer, or always asks the documents."""

RunStatus = Literal["waiting", "queued", "running", "finished", "cancelled", "failed"]
"""`waiting` is behind another run of its thread, or its workspace has enough at work, or it is
others' turn; the last three are ends."""

BY_OPERATOR: Final = "operator"
"""Who cancelled a run from the command line: no person of the chat (`ChatRun.cancelled_by`)."""

OPEN: Final[frozenset[RunStatus]] = frozenset({"waiting", "queued", "running"})


def _chat(fields: dict[str, Any]) -> str:
    chat: str = fields["tenant"].chat
    return chat


class ChatRun(Value):
    """One accepted request, from before its acknowledgement to its one visible outcome.

    `question` is what the person wrote, `query` what is searched and answered (with what narrows
    it), `earlier` the question before it in its thread and `reply` what answers a clarification.
    `files` came with the question, for this run alone; of an upload they are what is to be put in.
    `graph` is the name of the one that answers, `surface` of who shows it: the tenant's chat where
    nothing else is said. `thread` is empty until the root message is posted.
    """

    id: str
    tenant: Tenant
    surface: str = Field(default_factory=_chat, pattern=rf"^{SURFACE_NAME.pattern}$")
    channel: str
    thread: str = ""
    asker: str
    kind: RunKind = "ask"
    graph: str = DEFAULT_GRAPH
    question: str
    query: str
    earlier: str = ""
    reply: str = ""
    files: list[ChatFile] = Field(default=[], max_length=MAX_FILES)
    heard: list[str] = []
    """What others wrote in the thread before, oldest first; kept only while the run is open."""
    workspace_id: WorkspaceId
    max_retries: int | None = None
    wider: bool = False
    direct: bool = False
    mode: Mode = "auto"
    parent_run_id: str | None = None
    session_id: str | None = None
    message: str = ""
    """The id of the asker's own message, where there is one."""
    status: RunStatus = "queued"
    attempt: int = 0
    """Since the run last got further: one that goes on is not given up, however often it is hit."""
    steps: int = 0
    """Of its graph, finished when the attempt began."""
    cancelled_by: str = ""
    accepted_at: dt.datetime | None = None
    begun_at: dt.datetime | None = None
    """When the last attempt began."""
    finished_at: dt.datetime | None = None

    @property
    def asked(self) -> Question:
        """Its question in its parts."""
        text = self.question if self.reply else self.query
        return Question(
            text=text,
            standalone=self.query,
            earlier=self.earlier,
            reply=self.reply,
            files=[file.name or file.id for file in self.files],
        )


def run_id(tenant: Tenant, kind: str, key: str) -> str:
    """The id of the run that a chat's own key stands for: the same key, the same run, for ever."""
    return str(uuid.uuid5(RUN_NAMESPACE, f"{tenant.owner}\x1f{kind}\x1f{key}"))


def session_id(run_id: str) -> str:
    """Return the id of the session in which a run's question back waits for its reply."""
    return opaque_id("s", run_id)


class Acceptance(Value):
    """Report what became of a request. `ahead` is how many others are before it in its queue.

    `expected_wait_s` is about how many seconds it waits there before anybody works on it.

    `duplicate`: it was accepted before; `too_late`: the clarification it answers is not open any
    more; `over_quota`: nothing was stored, `reason` says why and when to come back.
    """

    state: Literal["accepted", "duplicate", "too_late", "over_quota"]
    run_id: str
    ahead: int = 0
    expected_wait_s: float = 0.0
    behind_in_thread: bool = False
    reason: str = ""
    over_budget: bool = False
    """Whether what was over quota is the day's budget."""


BOTH: Final = "Both"
"""The suggested reply to a conflict by which what every source says is shown; it names none."""

SessionStatus = Literal["open", "answered", "expired", "cancelled"]


class Session(Value):
    """A question that MASIS asked back, waiting for its one reply."""

    id: str
    tenant: Tenant
    channel: str
    thread: str
    asker: str
    kind: ClarificationKind
    run_id: str
    workspace_id: WorkspaceId
    question: str
    """The asker's, which the fresh run takes up."""
    clarification: str
    suggestions: list[str] = []
    message: str = ""
    """The id of the posted clarification, where it was posted already."""
    status: SessionStatus = "open"
    created_at: dt.datetime
    expires_at: dt.datetime
    answered_by: str = ""
    reply: str = ""
    next_run_id: str | None = None


HEARD: Final = "heard"
"""The status of what was not asked of MASIS, but written by others in the thread before."""


class Exchange(Value):
    """Remember one run of a thread: what was asked, what that meant, and what was cited.

    `standalone` is the question as it was understood, `status` the run's (see
    `masis.assistant.STATUS`, and `HEARD`), `about` the titles and headings of what was cited, best first, and
    `chunk_ids` its ids, `documents` the names of those that an answer rests on. `person` is who was asked for, as far as the answer names one alone. No other
    text of a document is remembered.
    """

    run_id: str
    question: str
    standalone: str
    status: str = ""
    about: list[str] = []
    chunk_ids: list[str] = []
    documents: list[str] = []
    person: str = Field(default="", max_length=100)


MOST_HEARD: Final = 15
"""Messages of other people's thread that are read where somebody mentions MASIS in it."""
MOST_HEARD_CHARS: Final = 400
"""Of one such message: its beginning and its end."""

FollowUpRule = Literal["mine", "everybody", "tagged"]
"""Which messages without a mention count as said to MASIS in a thread of its own: those of who
asked last, while nobody else writes there; everybody's; or none."""


class Link(Value):
    """A channel and the workspace that it asks. `suspended` says why it does not answer now."""

    tenant: Tenant
    channel: str
    workspace_id: WorkspaceId
    linked_by: str
    linked_at: dt.datetime
    external_allowed: bool = False
    private: bool = False
    suspended: str = ""
    follow_ups: FollowUpRule = "mine"
    mode: Mode = "auto"


class TeamSettings(Value):
    """Hold what a team's admins decided. Every default is the careful one."""

    managers: list[str] = []
    guests: bool = False
    external_channels: bool = False
    keep_when_uninstalled: bool = True
    user_per_minute: int = Field(default=5, ge=1, le=1000)
    user_running: int = Field(default=2, ge=1, le=100)
    channel_per_minute: int = Field(default=10, ge=1, le=10_000)
    workspace_per_minute: int = Field(default=60, ge=1, le=10_000)
    workspace_running: int = Field(default=5, ge=1, le=1000)


class AdminAction(Value):
    """A line of the admin log: who did, or was refused, what."""

    tenant: Tenant
    actor: str
    action: str
    target: str = ""
    detail: str = ""
    allowed: bool = True
    at: dt.datetime


class Sent(Value):
    """Name what somebody sent that may be taken up again after a crash.

    Done once more it changes nothing. `at` is when it was sent, where the chat says so: what was
    decided after it stands.
    """

    once: str = ""
    at: dt.datetime | None = None


class Vote(Value):
    """Hold what a person thought of an answer. Their last vote counts."""

    tenant: Tenant
    run_id: str
    user: str
    good: bool
    reason: str = ""
    at: dt.datetime


class Posted(Value):
    """A message of a run in its chat. `sending` is ambiguous: it may be there already."""

    run_id: str
    kind: str
    part: int = 0
    state: Literal["sending", "sent"]
    channel: str
    thread: str = ""
    message: str = ""
    """The posted message's id, once known."""
    at: dt.datetime


Payload = dict[str, Any]
"""A JSON object."""
