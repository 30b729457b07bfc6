"""Put files of a personal chat into a workspace, for those who manage MASIS in its team."""

import re
from dataclasses import replace
from typing import Any, Final, NamedTuple

from bot.chat.admin import Admin, NotDone
from bot.chat.words import admin_sentences
from bot.teams.cards import notice_card
from bot.teams.question_intake import Asked, QuestionIntake
from bot.teams.teams_access import TeamsAccess
from bot.teams.text import sentences
from masis.codelists.code_list import KIND
from masis.conversation import Link
from masis.domain import Workspace
from masis.ports import Repository

_UPLOAD: Final = re.compile(
    r"\s*(?:please\s+)?upload\b(?:\s+(?:(?:this|these|both|all|the)(?:\s+files?)|this|these|them|both)(?![\w-]))?"
    r"(?:\s+(?:to|into)\b)?(?:\s+the\b)?\s*([^?\n]{0,80}?)(?:[,\s]*\b(?:please|pls|thanks))?\s*[.!]?\s*",
    re.IGNORECASE,
)
"""With a file alone, "it" is no name for it: a workspace may be called so."""
_AS_CODE_LIST: Final = re.compile(
    r"\s+as\s+(?:an?\s+|the\s+)?(?:code\s?lists?|lists?\s+of\s+codes)\b", re.IGNORECASE
)

Json = dict[str, Any]


class Upload(NamedTuple):
    """The workspace that files are to be put into, empty where none is named, and what they are said to be."""

    workspace: str
    kind: str = ""


def upload_of(text: str) -> Upload | None:
    """Return what is to become of the files that come with a text; None where it wants no upload."""
    plain, said = _AS_CODE_LIST.subn("", text, count=1)
    found = _UPLOAD.fullmatch(plain)
    return None if found is None else Upload(found[1].strip("“”\"'"), KIND if said else "")


class DocumentUploads:
    """Takes files in as an upload. Who may is asked of Graph, now and when its turn comes."""

    def __init__(
        self,
        *,
        access: TeamsAccess,
        admin: Admin,
        intake: QuestionIntake,
        repository: Repository,
    ) -> None:
        self._access = access
        self._admin = admin
        self._intake = intake
        self._repository = repository

    async def put_in(self, asked: Asked, upload: Upload) -> Json | None:
        """Take the files in, or return what to tell who sent them.

        Raises:
            StoreUnavailable: it could not be read or stored now.
            TeamsError: Teams cannot be asked.
        """
        if not asked.direct:
            return notice_card.notice(sentences.NO_FILE)
        try:
            link = await self._chosen(asked, upload.workspace)
            tenant, files = link.tenant, len(asked.files)
            run = asked.run_id(tenant)
            await self._admin.note_upload(tenant, asked.user, link.channel, files, once=run)
        except NotDone as error:
            return notice_card.refused(str(error))
        said = tuple(file.model_copy(update={"kind": upload.kind}) for file in asked.files)
        taken = await self._intake.put_in(replace(asked, files=said), link)
        return notice_card.refused(taken.said) if taken.said else None

    async def _chosen(self, asked: Asked, name: str) -> Link:
        """Find the link of the workspace that is meant, among those that the person reaches.

        Raises:
            NotDone: none is, or it cannot be told which.
        """
        found: dict[str, tuple[Workspace, Link]] = {}
        reachable = await self._access.reachable(asked.place.tenant.enterprise, asked.user)
        for link in reachable:
            workspace = await self._repository.workspace_by_id(link.workspace_id)
            if workspace is not None and workspace.owner == link.tenant.owner:
                found[workspace.id] = workspace, link
        meant = [
            link
            for workspace, link in found.values()
            if name.casefold() in {"", workspace.name.casefold()}
        ]
        if len(meant) == 1:
            return meant[0]
        names = sorted(workspace.name for workspace, _ in found.values())
        if names:
            raise NotDone(sentences.upload_where(names))
        raise NotDone(admin_sentences.OF_ORGANISATION if reachable else sentences.NOTHING_TO_ASK)
