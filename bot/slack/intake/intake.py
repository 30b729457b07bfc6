"""Takes requests in: what somebody typed or clicked becomes an accepted run, before the ack."""

import datetime as dt
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from typing import Final, Literal, TypeVar

from bot.chat.authority import Action
from bot.chat.question_runs import (
    following,
    going_on,
    is_own_question,
    replying,
    turns_code_down,
    widening,
)
from bot.slack.access import Access, Foreseen
from bot.slack.intake.ack_deadline import within
from bot.slack.intake.concurrency_limit import ConcurrencyLimit
from masis.conversation import (
    MAX_FILES,
    Acceptance,
    ChatFile,
    ChatRun,
    Mode,
    Session,
    Tenant,
    run_id,
)
from masis.domain import DEFAULT_GRAPH, Value, WorkspaceId
from masis.errors import StoreUnavailable, TooBusy, UnknownWorkspace
from masis.policy import ACCEPT_SECONDS, MAX_QUESTION_CHARS
from masis.ports import Repository, RunEngine
from masis.questions.replies import is_wrong
from masis.words.attachment_words import says_nothing
from masis.words.chat_words import small_talk
from masis.words.thread_words import points_at_others
from storage.admission.admissions import TOGETHER
from storage.chat.links import Links
from storage.chat.requests import ChatRuns

T = TypeVar("T")

AT_ONCE: Final = 2 * TOGETHER
"""Requests that are looked up or stored at a time: those of one transaction, and of the next."""

Origin = Literal["command", "message", "action", "form"]


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold what arrived. `key` is Slack's own key of it: a repeated delivery has the same one."""

    tenant: Tenant
    channel: str
    user: str
    text: str
    origin: Origin
    key: str
    thread: str = ""
    message: str = ""
    direct: bool = False
    files: tuple[ChatFile, ...] = ()
    graph: str = DEFAULT_GRAPH
    begun_at: float = field(default_factory=monotonic, compare=False)
    """When it began to be taken in, by the monotonic clock."""

    @property
    def run_id(self) -> str:
        """The id of the run that this asks for."""
        return run_id(self.tenant, self.origin, self.key)

    @property
    def is_within(self) -> bool:
        """Tell whether it is a message that stands below another one."""
        return bool(self.message) and self.thread != self.message

    @property
    def seconds_left(self) -> float:
        """Return what is left of the time for taking it in."""
        return max(self.begun_at + ACCEPT_SECONDS - monotonic(), 0.0)

    async def look(self, work: Awaitable[T]) -> T:
        """Look something up in what is left of the time.

        Raises:
            TimeoutError: it took longer.
        """
        return await within(self.seconds_left, work)


class Taken(Value):
    """Hold what became of a request. Every state but `accepted` and `duplicate` stored nothing."""

    state: Literal[
        "accepted",
        "duplicate",
        "too_late",
        "expired",
        "over_quota",
        "empty",
        "only_files",
        "small_talk",
        "too_long",
        "not_linked",
        "suspended",
        "no_choice",
        "refused",
        "busy",
        "unavailable",
    ]
    run_id: str = ""
    ahead: int = 0
    expected_wait_s: float = 0.0
    behind_in_thread: bool = False
    reason: str = ""
    admitted: bool = False
    """Whether it is known that the asker may; else the run finds out."""


class Intake:
    """Take requests in as runs, each in time for its acknowledgement: stored whole, or refused."""

    def __init__(
        self,
        *,
        engine: RunEngine,
        access: Access,
        links: Links,
        runs: ChatRuns,
        repository: Repository,
        on_busy: Callable[[], None] | None = None,
    ) -> None:
        self._engine = engine
        self._access = access
        self._links = links
        self._runs = runs
        self._repository = repository
        self._limit = ConcurrencyLimit(AT_ONCE, on_refused=on_busy)

    async def ask(self, asked: Asked) -> Taken:
        """A new question, or one more in a thread where MASIS has answered."""
        return await self._in_time(asked, self._ask)

    async def reply(self, asked: Asked, session: Session) -> Taken:
        """The reply to a clarification: a fresh run of the first question with it.

        A message that asks something of its own goes on in the thread, and nothing is waited for any
        more. A file without a word is one: the question is asked of the file as well.
        """
        wrong = None if _is_only_files(asked) else _checked(asked)
        taken = wrong or await self._in_time(asked, partial(self._reply, session=session))
        if taken.state == "too_late" and session.expires_at <= dt.datetime.now(dt.UTC):
            return Taken(state="expired")
        return taken

    async def widen(self, asked: Asked, earlier: ChatRun, session: Session | None) -> Taken:
        """The same question once more, with the net that a retry casts.

        Where the question waits for a reply, this is it.
        """
        run = widening(run_of(asked, earlier.workspace_id), earlier, session)
        return await self._in_time(asked, partial(self._if_allowed, run=run, action="ask"))

    async def upload(self, asked: Asked, file_ids: list[str], kind: str = "") -> Taken:
        """Files to put into the workspace of the channel, with what they are said to be."""
        if not file_ids:
            return Taken(state="empty")
        files = [ChatFile(id=each, kind=kind) for each in file_ids[:MAX_FILES]]
        return await self._in_time(asked, partial(self._upload, files=files))

    async def _in_time(self, asked: Asked, work: Callable[[Asked], Awaitable[Taken]]) -> Taken:
        """The result; nothing is stored after it.

        Who stores has a limit of its own, and is not broken off: it may be at its commit.
        """
        begun = replace(asked, begun_at=monotonic())
        try:
            async with self._limit.inside(begun.seconds_left):
                return await work(begun)
        except TooBusy:
            return Taken(state="busy")
        except (TimeoutError, StoreUnavailable):
            return Taken(state="unavailable")

    async def _reply(self, asked: Asked, session: Session) -> Taken:
        replied = await asked.look(self._runs.get(session.tenant, session.run_id))
        reply = "" if _is_only_files(asked) else asked.text.strip()
        run = run_of(asked, session.workspace_id)
        # Who clicks, or fills the form in, replies.
        if reply and asked.origin == "message" and await self._is_own(asked, session, reply):
            mode = await asked.look(self._mode(asked))
            run = going_on(run.model_copy(update={"mode": mode}), session, replied)
            return await self._if_allowed(asked, run, "ask")
        run = replying(run, session, replied, reply)
        run = run.model_copy(update={"files": _together(replied, asked)})
        return await self._if_allowed(asked, run, "clarify")

    async def _is_own(self, asked: Asked, session: Session, text: str) -> bool:
        return await asked.look(is_own_question(self._repository, session, text))

    async def _ask(self, asked: Asked) -> Taken:
        if wrong := _checked(asked):
            return wrong
        said = asked.graph == DEFAULT_GRAPH and small_talk(asked.text, in_thread=asked.is_within)
        mode = await asked.look(self._mode(asked))
        if said and mode == "auto" and not asked.files and not await self._is_meant(asked):
            return Taken(state="small_talk")
        workspace, foreseen, earlier = await asked.look(self._before(asked))
        if isinstance(workspace, Taken):
            return workspace
        run = run_of(asked, workspace).model_copy(update={"mode": mode})
        run = following(run, earlier)
        return await self._accept(asked, run, foreseen)

    async def _is_meant(self, asked: Asked) -> bool:
        """Say whether words of small talk want an answer where they stand."""
        if await self._points_at_others(asked):
            return True
        if not is_wrong(asked.text):
            return False
        earlier = await asked.look(self._earlier(asked))
        return await asked.look(turns_code_down(self._repository, earlier, asked.text))

    async def _points_at_others(self, asked: Asked) -> bool:
        """Say whether it asks for an answer to what others wrote, in a thread that is theirs."""
        if asked.direct or not (asked.is_within and points_at_others(asked.text)):
            return False
        return await asked.look(self._earlier(asked)) is None

    async def _upload(self, asked: Asked, files: list[ChatFile]) -> Taken:
        workspace, foreseen = await asked.look(self._where(asked, "upload"))
        if isinstance(workspace, Taken):
            return workspace
        run = run_of(asked, workspace)
        change = {"kind": "upload", "query": "", "question": asked.text, "files": files}
        return await self._accept(asked, run.model_copy(update=change), foreseen)

    async def _before(self, asked: Asked) -> tuple[WorkspaceId | Taken, Foreseen, ChatRun | None]:
        return *await self._where(asked, "ask"), await self._earlier(asked)

    async def _where(self, asked: Asked, action: Action) -> tuple[WorkspaceId | Taken, Foreseen]:
        workspace = await self.workspace(asked)
        if isinstance(workspace, Taken):
            return workspace, Foreseen()
        return workspace, await self._foreseen(asked, action, workspace)

    async def _if_allowed(self, asked: Asked, run: ChatRun, action: Action) -> Taken:
        foreseen = self._foreseen(asked, action, run.workspace_id)
        return await self._accept(asked, run, await asked.look(foreseen))

    async def _foreseen(self, asked: Asked, action: Action, workspace_id: WorkspaceId) -> Foreseen:
        return await self._access.foreseen(
            asked.tenant, asked.user, asked.channel, action, workspace_id
        )

    async def workspace(self, asked: Asked) -> WorkspaceId | Taken:
        """Find the workspace that is asked in that place."""
        if asked.direct:
            return await self._direct_workspace(asked)
        link = await self._links.of(asked.tenant, asked.channel)
        if link is None:
            return Taken(state="not_linked")
        return (
            Taken(state="suspended", reason=link.suspended) if link.suspended else link.workspace_id
        )

    async def _mode(self, asked: Asked) -> Mode:
        """Return what the channel's link says; in direct messages nobody has decided anything."""
        link = None if asked.direct else await self._links.of(asked.tenant, asked.channel)
        return "auto" if link is None else link.mode

    async def _direct_workspace(self, asked: Asked) -> WorkspaceId | Taken:
        """The chosen one, or the only one; whether it may be asked is checked when it runs."""
        if chosen := await self._links.direct_choice(asked.tenant, asked.user):
            return chosen
        linked = {link.workspace_id for link in await self._links.all(asked.tenant)}
        if not linked:
            return Taken(state="not_linked")
        return linked.pop() if len(linked) == 1 else Taken(state="no_choice")

    async def _earlier(self, asked: Asked) -> ChatRun | None:
        if not asked.thread:
            return None
        found = await self._runs.latest_in_thread(asked.tenant, asked.channel, asked.thread)
        return None if found is None or found.kind == "upload" else found

    async def _accept(self, asked: Asked, run: ChatRun, foreseen: Foreseen) -> Taken:
        if foreseen.denied:
            return await asked.look(self._refused(run, foreseen.denied))
        try:
            accepted: Acceptance = await self._engine.accept(run, seconds=asked.seconds_left)
        except UnknownWorkspace:
            return Taken(state="not_linked")
        told = accepted.model_dump(include=set(Taken.model_fields))
        return Taken.model_validate({**told, "admitted": foreseen.admitted})

    async def _refused(self, run: ChatRun, reason: str) -> Taken:
        """Refused at once, but not a second time: an earlier delivery's run says it itself."""
        stored = await self._runs.get(run.tenant, run.id)
        return Taken(state="duplicate") if stored else Taken(state="refused", reason=reason)


def _checked(asked: Asked) -> Taken | None:
    if _is_only_files(asked):
        return Taken(state="only_files")
    if not asked.text.strip():
        return Taken(state="empty")
    return Taken(state="too_long") if len(asked.text) > MAX_QUESTION_CHARS else None


def _is_only_files(asked: Asked) -> bool:
    """Say whether files came without anything that is asked of them."""
    said = small_talk(asked.text, in_thread=asked.is_within)
    return bool(asked.files) and (says_nothing(asked.text) or said is not None)


def _together(replied: ChatRun | None, asked: Asked) -> list[ChatFile]:
    """The files that a reply's run reads: the question's, then those that came with the reply."""
    both = [*(replied.files if replied else []), *asked.files]
    return list({file.id: file for file in both}.values())[:MAX_FILES]


def run_of(asked: Asked, workspace_id: WorkspaceId) -> ChatRun:
    """Return the run of a question that follows nothing."""
    text = asked.text.strip()
    return ChatRun(
        id=asked.run_id,
        tenant=asked.tenant,
        channel=asked.channel,
        thread=asked.thread,
        asker=asked.user,
        graph=asked.graph,
        question=text,
        query=text,
        workspace_id=workspace_id,
        direct=asked.direct,
        message=asked.message,
        files=list(asked.files[:MAX_FILES]),
    )
