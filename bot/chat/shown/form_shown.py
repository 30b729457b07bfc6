"""Give the forms of those who run MASIS in a team as every chat shows them: what is asked, and as it is now."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.chat.words import admin_sentences
from bot.chat.words.visible_text import one_line
from masis.conversation import FollowUpRule, Link, Mode, TeamSettings, Tenant
from masis.domain import Document, Workspace

QUOTAS: Final[dict[str, tuple[str, int]]] = {
    "user_per_minute": (admin_sentences.USER_PER_MINUTE, 1000),
    "user_running": (admin_sentences.USER_RUNNING, 100),
    "channel_per_minute": (admin_sentences.CHANNEL_PER_MINUTE, 10_000),
    "workspace_per_minute": (admin_sentences.WORKSPACE_PER_MINUTE, 10_000),
    "workspace_running": (admin_sentences.WORKSPACE_RUNNING, 1000),
}
"""How each quota is called, and the most that the settings take."""


@dataclass(frozen=True, slots=True)
class ChoiceShown:
    """Hold something that can be chosen: what comes back, and what is read."""

    value: str
    name: str


@dataclass(frozen=True, slots=True)
class ChoicesShown:
    """Hold what can be chosen, and what is now: that stands among whatever is shown of them."""

    choices: tuple[ChoiceShown, ...] = ()
    chosen: str = ""

    def first(self, most: int) -> list[ChoiceShown]:
        """Return the first, as many as a chat takes."""
        wanted = [each for each in self.choices[most:] if each.value == self.chosen]
        return [*self.choices[: most - len(wanted)], *wanted]

    def left(self, most: int) -> int:
        """Return how many are not among the first."""
        return max(0, len(self.choices) - most)

    def pages(self, size: int) -> int:
        """Return how many pages there are, at least one."""
        return max(1, -(-len(self.choices) // size))

    def page(self, size: int, number: int) -> list[ChoiceShown]:
        """Return a page, the nearest where there is none of that number."""
        at = max(0, min(number, self.pages(size) - 1)) * size
        others = (*self.choices[:at], *self.choices[at + size :])
        wanted = [each for each in others if each.value == self.chosen]
        return [*self.choices[at : at + size], *wanted]


@dataclass(frozen=True, slots=True)
class LinkFormShown:
    """Hold the form that links a channel: to a workspace that is there, or to a new one."""

    how: str
    workspaces: ChoicesShown
    follow_ups: FollowUpRule
    mode: Mode
    external: bool


@dataclass(frozen=True, slots=True)
class QuotaShown:
    """Hold a quota's field: the name of the setting, how it is called, its value and its bound."""

    name: str
    label: str
    now: int
    most: int


@dataclass(frozen=True, slots=True)
class SettingsFormShown:
    """Hold what a team's owners decide, as it is now; `follow_ups` and `mode` are a linked channel's."""

    managers: tuple[str, ...]
    guests: bool
    external_channels: bool
    keep: bool
    quotas: tuple[QuotaShown, ...]
    follow_ups: FollowUpRule | None
    mode: Mode | None


@dataclass(frozen=True, slots=True)
class DeleteFormShown:
    """Hold the form that deletes a document: the one that is named, else one of the list."""

    document: str
    said: str
    documents: ChoicesShown


def link_form_shown(
    workspaces: Sequence[Workspace], link: Link | None, chosen: str = ""
) -> LinkFormShown:
    """Return the form, with what the channel has now; `chosen` is a workspace that is wanted instead."""
    now = chosen or (link.workspace_id if link else "")
    return LinkFormShown(
        how=admin_sentences.LINK_HOW if workspaces else admin_sentences.LINK_FIRST,
        workspaces=workspace_choices(workspaces, now),
        follow_ups=link.follow_ups if link else "mine",
        mode=link.mode if link else "auto",
        external=link is not None and link.external_allowed,
    )


def workspace_choices(workspaces: Sequence[Workspace], chosen: str = "") -> ChoicesShown:
    """Return workspaces to choose of, those of a whole organisation told from a team's own."""
    return ChoicesShown(
        tuple(ChoiceShown(each.id, workspace_name(each)) for each in workspaces), chosen
    )


def workspace_names(workspaces: Sequence[Workspace]) -> list[str]:
    """Return how workspaces are called, by name; two teams' may have one name."""
    return sorted({workspace_name(each) for each in workspaces})


def workspace_name(workspace: Workspace) -> str:
    """Return how a workspace is called; one of a whole organisation is told from a team's own."""
    name = one_line(workspace.name)
    is_shared = Tenant.of_owner(workspace.owner).is_organisation
    return admin_sentences.of_organisation(name) if is_shared else name


def settings_form_shown(settings: TeamSettings, link: Link | None) -> SettingsFormShown:
    """Return the form, with the rules of the channel in which it is opened where that is linked."""
    return SettingsFormShown(
        managers=tuple(settings.managers),
        guests=settings.guests,
        external_channels=settings.external_channels,
        keep=settings.keep_when_uninstalled,
        quotas=tuple(
            QuotaShown(name, label, int(getattr(settings, name)), most)
            for name, (label, most) in QUOTAS.items()
        ),
        follow_ups=link.follow_ups if link else None,
        mode=link.mode if link else None,
    )


def delete_form_shown(
    workspace: Workspace, documents: Sequence[Document], chosen: str
) -> DeleteFormShown | None:
    """Return the form; None where there is nothing to delete."""
    if not documents:
        return None
    one = next((each for each in documents if each.id == chosen), None)
    return DeleteFormShown(
        document=one.id if one else "",
        said=admin_sentences.delete_this(one.name, workspace.name) if one else "",
        documents=ChoicesShown(
            tuple(ChoiceShown(each.id, one_line(each.name)) for each in documents)
        ),
    )
