"""Take questions and replies in as runs: stored whole before Teams has its answer, or refused."""

import datetime as dt
from dataclasses import dataclass
from typing import Literal

from bot.chat.question_runs import (
    following,
    going_on,
    is_own_question,
    replying,
    turns_code_down,
    widening,
)
from bot.chat.words import shared_sentences
from bot.teams.connector.connector_errors import TeamsError
from bot.teams.teams_access import TeamsAccess
from bot.teams.text import sentences
from masis.conversation import (
    MAX_FILES,
    TEAMS,
    Acceptance,
    ChatFile,
    ChatRun,
    Link,
    Session,
    Tenant,
    run_id,
)
from masis.domain import Value
from masis.errors import UnknownWorkspace
from masis.policy import MAX_QUESTION_CHARS
from masis.ports import Repository, RunEngine
from masis.words.chat_words import small_talk
from storage.chat.links import Links
from storage.chat.requests import ChatRuns
from storage.chat.teams_places import TeamsPlace

Origin = Literal["message", "action"]


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold what arrived. `key` is Teams' own key of it: a repeated delivery has the same one."""

    place: TeamsPlace
    user: str
    text: str
    origin: Origin
    key: str
    thread: str
    message: str = ""
    files: tuple[ChatFile, ...] = ()
    sent_at: dt.datetime | None = None
    alone: bool = False
    """Whether it was asked in a channel so that nobody else sees it."""
    below: bool = False
    """Whether it was typed into the field below an answer, which is heard as a message there is."""

    @property
    def direct(self) -> bool:
        """Say whether nobody else reads there."""
        return self.place.kind == "personal"

    @property
    def is_within(self) -> bool:
        """Tell whether it is a message that stands below another one, or is heard as such."""
        return self.below or (bool(self.message) and self.thread != self.message)

    def run_id(self, tenant: Tenant) -> str:
        """Return the id of the run that this asks for, of the team whose documents are asked."""
        # Ids of activities are unique within their conversation alone.
        return run_id(tenant, self.origin, f"{self.place.id}:{self.key}")


class Taken(Value):
    """Hold what became of a request. `said` is the sentence for who asked; empty where the run shows itself."""

    accepted: bool = False
    small_talk: bool = False
    said: str = ""


class QuestionIntake:
    """Takes requests in. What could not be stored is raised: it is tried again."""

    def __init__(
        self,
        *,
        access: TeamsAccess,
        engine: RunEngine,
        links: Links,
        repository: Repository,
        runs: ChatRuns,
    ) -> None:
        self._access = access
        self._engine = engine
        self._links = links
        self._repository = repository
        self._runs = runs

    async def ask(self, asked: Asked) -> Taken:
        """A new question, or one more in a thread where MASIS has answered.

        Raises:
            StoreUnavailable: it could not be stored now.
        """
        if wrong := _checked(asked.text):
            return wrong
        link = await self.link(asked)
        is_auto = isinstance(link, Taken) or link.mode == "auto"
        is_talk = is_auto and small_talk(asked.text, in_thread=asked.is_within) is not None
        if isinstance(link, Taken):
            return Taken(small_talk=True) if is_talk else link
        run = _run_of(asked, link)
        earlier = await self._runs.latest_in_thread(run.tenant, run.channel, run.thread)
        if is_talk and not await turns_code_down(self._repository, earlier, asked.text):
            return Taken(small_talk=True)
        return await self._accept(following(run, earlier))

    async def reply(self, asked: Asked, session: Session) -> Taken:
        """The reply to a clarification: a fresh run of the first question with it.

        A message that asks something of its own goes on in the thread.

        Raises:
            StoreUnavailable: it could not be stored now.
        """
        if wrong := _checked(asked.text):
            return wrong
        replied = await self._runs.get(session.tenant, session.run_id)
        if replied is None:
            return Taken(said=shared_sentences.NOT_FOUND)
        both = [*replied.files, *asked.files]
        together = list({file.id: file for file in both}.values())[:MAX_FILES]
        run = _fresh(asked, replied).model_copy(update={"files": together})
        if (asked.origin == "message" or asked.below) and await self.is_own(asked, session):
            run = going_on(run, session, replied)
        else:
            run = replying(run, session, replied, asked.text.strip())
        taken = await self._accept(run)
        is_late = bool(taken.said) and session.expires_at <= dt.datetime.now(dt.UTC)
        return Taken(said=sentences.NOT_OPEN["expired"]) if is_late else taken

    async def is_own(self, asked: Asked, session: Session) -> bool:
        """Say whether what is written where a reply is waited for is a question of its own."""
        return await is_own_question(self._repository, session, asked.text)

    async def may_reply(self, user: str, session: Session) -> bool:
        """Say whether a reply of this person counts: the asker's, and a manager's."""
        return user == session.asker or await self._access.manages(session.tenant, user)

    async def put_in(self, asked: Asked, link: Link) -> Taken:
        """Files to put into the workspace of a link.

        Raises:
            StoreUnavailable: it could not be stored now.
        """
        return await self._accept(
            _run_of(asked, link).model_copy(update={"kind": "upload", "query": ""})
        )

    async def widen(self, asked: Asked, earlier: ChatRun, session: Session | None) -> Taken:
        """The same question once more, with the net that a retry casts.

        Where the question waits for a reply, this is it.

        Raises:
            StoreUnavailable: it could not be stored now.
        """
        run = widening(_fresh(asked, earlier), earlier, session)
        return await self._accept(run)

    async def link(self, asked: Asked) -> Link | Taken:
        """Find the link whose workspace is asked in that place, or say why there is none."""
        if not asked.direct:
            link = await self._links.of(asked.place.tenant, asked.place.id)
            if link is None:
                return Taken(said=sentences.NOT_LINKED)
            return Taken(said=sentences.suspended(link.suspended)) if link.suspended else link
        if chosen := await self._chosen(asked):
            return chosen
        found = await self._reachable(asked)
        by_workspace = {link.workspace_id: link for link in found}
        if len(by_workspace) == 1:
            return found[0]
        return Taken(said=sentences.NO_CHOICE if by_workspace else sentences.NOTHING_TO_ASK)

    async def _chosen(self, asked: Asked) -> Link | None:
        """Find the link of what somebody's own chat was told to ask, while they may."""
        enterprise = asked.place.tenant.enterprise
        for _, chosen in await self._links.direct_choices_of(TEAMS, enterprise, asked.user):
            if theirs := await self._reachable(asked, chosen):
                return theirs[0]
        return None

    async def _reachable(self, asked: Asked, workspace: str = "") -> list[Link]:
        enterprise = asked.place.tenant.enterprise
        try:
            return await self._access.reachable(enterprise, asked.user, workspace)
        except TeamsError as error:
            if not error.permanent:
                raise
            return []

    async def _accept(self, run: ChatRun) -> Taken:
        try:
            accepted: Acceptance = await self._engine.accept(run)
        except UnknownWorkspace:
            return Taken(said=sentences.NOT_LINKED)
        match accepted.state:
            case "accepted":
                return Taken(accepted=True)
            case "duplicate":
                return Taken()
            case "too_late":
                return Taken(said=sentences.NOT_OPEN["answered"])
            case "over_quota":
                return Taken(said=shared_sentences.over_quota(accepted.reason))


def _checked(text: str) -> Taken | None:
    if not text.strip():
        return Taken(said=sentences.EMPTY_QUESTION)
    if len(text) > MAX_QUESTION_CHARS:
        return Taken(said=sentences.too_long(len(text), MAX_QUESTION_CHARS))
    return None


def _run_of(asked: Asked, link: Link) -> ChatRun:
    """Return the run of a question that follows nothing, for the team whose documents are asked."""
    text = asked.text.strip()
    return ChatRun(
        id=asked.run_id(link.tenant),
        tenant=link.tenant,
        channel=asked.place.id,
        thread=asked.thread,
        asker=asked.user,
        question=text,
        query=text,
        workspace_id=link.workspace_id,
        direct=asked.direct or asked.alone,
        mode=link.mode,
        message=asked.message,
        files=list(asked.files[:MAX_FILES]),
    )


def _fresh(asked: Asked, earlier: ChatRun) -> ChatRun:
    """Return a run beside an earlier one, of the same team and workspace."""
    text = asked.text.strip()
    return ChatRun(
        id=asked.run_id(earlier.tenant),
        tenant=earlier.tenant,
        channel=asked.place.id,
        thread=earlier.thread,
        asker=asked.user,
        question=text,
        query=text,
        workspace_id=earlier.workspace_id,
        direct=earlier.direct,
        mode=earlier.mode,
        message=asked.message,
    )
