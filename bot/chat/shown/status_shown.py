"""Give what a channel asks as every chat shows it: its workspace, and why it does not answer."""

import datetime as dt
from dataclasses import dataclass

from bot.chat.shown.form_shown import workspace_name
from masis.conversation import FollowUpRule, Link, Mode
from masis.domain import Workspace


@dataclass(frozen=True, slots=True)
class StatusShown:
    """Hold what a linked channel asks. `suspended` says why it does not answer; empty where it does."""

    workspace: str
    documents: int
    passages: int
    linked_by: str
    linked_at: dt.datetime
    follow_ups: FollowUpRule
    mode: Mode
    suspended: str


def status_shown(link: Link, workspace: Workspace) -> StatusShown:
    """Return what a channel asks by its link."""
    return StatusShown(
        workspace=workspace_name(workspace),
        documents=workspace.documents,
        passages=workspace.chunks,
        linked_by=link.linked_by,
        linked_at=link.linked_at,
        follow_ups=link.follow_ups,
        mode=link.mode,
        suspended=link.suspended,
    )
