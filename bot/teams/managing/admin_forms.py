"""Open the forms of those who run MASIS in a team, and do what they say when they are sent."""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from bot.chat.admin import Admin, DecidedSince, DoneBefore, NotAllowed, NotDone
from bot.chat.authority import Action
from bot.chat.shown.form_shown import QUOTAS
from bot.chat.words import admin_sentences, shared_sentences
from bot.teams.card_presses import closing
from bot.teams.cards.card_elements import CARD_TYPE
from bot.teams.cards.carried import Form, FormRef, UnreadableValue
from bot.teams.connector.connector_errors import TeamsError
from bot.teams.inbound.activities import DialogOpened, DialogSent
from bot.teams.managing import form_cards
from bot.teams.teams_access import TeamsAccess
from bot.teams.text import sentences
from masis import failures
from masis.conversation import Mode, Sent, TeamSettings
from masis.errors import MasisError, StoreUnavailable
from storage.chat.links import Links
from storage.chat.team_settings import TeamSettingsStore
from storage.chat.teams_places import TeamsPlace

TITLES: Final[Mapping[Form, str]] = {
    "link": admin_sentences.LINK_CHANNEL,
    "settings": admin_sentences.OPEN_SETTINGS,
    "delete": admin_sentences.DELETE_DOCUMENT,
    "docs": sentences.DOCUMENTS,
}
_ACTIONS: Final[Mapping[Form, Action]] = {
    "link": "link",
    "settings": "settings",
    "delete": "delete",
}
MOST_MANAGERS: Final = 100
_GUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

Json = dict[str, Any]
Asked = DialogOpened | DialogSent


def is_form(asked: Asked) -> bool:
    """Say whether a dialog is one of these."""
    return "form" in asked.data


class AdminForms:
    """Each form is checked when it is opened and again when it is sent: hours may lie between."""

    def __init__(
        self, *, access: TeamsAccess, admin: Admin, links: Links, settings: TeamSettingsStore
    ) -> None:
        self._access = access
        self._admin = admin
        self._links = links
        self._settings = settings
        self._sends: Mapping[Form, Callable[[Asked, TeamsPlace, FormRef], Awaitable[str]]] = {
            "link": self._link,
            "settings": self._save,
            "delete": self._delete,
        }

    async def shown(self, asked: Asked, place: TeamsPlace | None) -> Json:
        """Return the dialog's answer: the form, what became of it, or why not.

        Raises:
            StoreUnavailable: it could not be read or stored now.
            TeamsError: Teams cannot be asked now.
        """
        try:
            ref = FormRef.loaded(asked.data)
        except UnreadableValue:
            return closing(sentences.REMOVED_FORM)
        if place is None or place.kind != "channel":
            return closing(sentences.IN_CHANNEL)
        try:
            return await self._answered(asked, place, ref)
        except TeamsError as error:
            if error.retryable:
                raise
            return closing(shared_sentences.UNEXPECTED)
        except StoreUnavailable:
            raise
        except NotDone as error:
            return _refusal(asked, ref.form, str(error))
        except MasisError as error:
            return closing(failures.sentence_of(error, about="deed"))

    async def _answered(self, asked: Asked, place: TeamsPlace, ref: FormRef) -> Json:
        if action := _ACTIONS.get(ref.form):
            await self._admin.check(place.tenant, asked.person.id, action, place.id)
        send = self._sends.get(ref.form)
        if isinstance(asked, DialogOpened) or send is None or ref.turned:
            return _dialog(ref.form, await self._form(asked, place, ref))
        try:
            return closing(await send(asked, place, ref))
        except (DoneBefore, DecidedSince, NotAllowed) as error:  # nothing in the form is wrong
            return closing(str(error))
        except NotDone as error:
            return _dialog(ref.form, await self._form(asked, place, ref, str(error)))

    async def _form(self, asked: Asked, place: TeamsPlace, ref: FormRef, wrong: str = "") -> Json:
        """Draw a form; one that was sent keeps what was typed, and says what is wrong."""
        tenant, typed = place.tenant, asked.data
        link = await self._links.of(tenant, place.id)
        match ref.form:
            case "link":
                known = await self._admin.workspaces(tenant)
                return form_cards.link_form(known, link, typed, wrong, ref.page)
            case "settings":
                settings = await self._settings.of(tenant)
                return form_cards.settings_form(settings, link, typed, wrong)
            case "delete":
                held = await self._admin.documents(tenant, place.id, to_delete=True)
                return form_cards.delete_form(*held, ref.chosen, wrong, ref.page)
            case "docs":
                held = await self._admin.documents(tenant, place.id)
                denial = link and await self._access.refusal(link, asked.person.id)
                if denial:
                    raise NotDone(denial.reason)
                return form_cards.documents_page(*held, ref.page)

    # --- what they do ----------------------------------------------------------------------

    async def _link(self, sent: Asked, place: TeamsPlace, _ref: FormRef) -> str:
        chosen, new = _typed(sent, form_cards.IN_WORKSPACE), _typed(sent, form_cards.IN_NEW)
        is_old = chosen not in {"", form_cards.NEW}
        if bool(new) == is_old:
            raise NotDone(admin_sentences.NOT_BOTH if is_old else admin_sentences.NAME_IT)
        _link, workspace = await self._admin.link(
            place.tenant,
            sent.person.id,
            place.id,
            workspace=chosen if is_old else "",
            new=new,
            mode=_mode(sent) or "auto",
            sent=_form_sent(sent, place),
        )
        return sentences.linked(workspace.name, workspace.documents)

    async def _save(self, sent: Asked, place: TeamsPlace, _ref: FormRef) -> str:
        before = await self._settings.of(place.tenant)
        try:
            quotas = {name: int(_typed(sent, name)) for name in QUOTAS}
            changed = {
                **before.model_dump(),
                **quotas,
                "managers": _people(_typed(sent, form_cards.IN_MANAGERS)),
                "guests": _typed(sent, form_cards.IN_GUESTS) == "true",
            }
            settings = TeamSettings.model_validate(changed)
        except ValueError:
            raise NotDone(admin_sentences.WHOLE_NUMBER) from None
        await self._admin.save(
            place.tenant,
            sent.person.id,
            settings,
            channel=place.id,
            mode=_mode(sent),
            sent=_form_sent(sent, place),
        )
        return admin_sentences.SETTINGS_SAVED

    async def _delete(self, sent: Asked, place: TeamsPlace, ref: FormRef) -> str:
        document = ref.chosen or _typed(sent, form_cards.IN_DOCUMENT)
        if not document:
            raise NotDone(sentences.CHOOSE_DOCUMENT)
        who, named = sent.person.id, _form_sent(sent, place)
        result = await self._admin.delete(place.tenant, who, place.id, document, sent=named)
        return sentences.deleted(result.name, result.blanked)


def _form_sent(sent: Asked, place: TeamsPlace) -> Sent:
    """Return what names a form that was sent: ids of activities are unique in their place alone."""
    return Sent(once=f"{place.id}:{sent.id}", at=sent.sent_at)


def _typed(sent: Asked, name: str) -> str:
    """Return what was typed or chosen; a number comes as one."""
    value = sent.data.get(name, "")
    is_plain = isinstance(value, str | int | float) and not isinstance(value, bool)
    return str(value).strip()[:10_000] if is_plain else ""


def _mode(sent: Asked) -> Mode | None:
    chosen = _typed(sent, form_cards.IN_MODE)
    return next((mode for mode in admin_sentences.MODE_CHOICES if mode == chosen), None)


def _people(chosen: str) -> list[str]:
    """The people of a menu: their ids, parted by commas."""
    listed = (each.strip().lower() for each in chosen.split(","))
    return [*dict.fromkeys(each for each in listed if _GUID.fullmatch(each))][:MOST_MANAGERS]


def _refusal(asked: Asked, form: Form, reason: str) -> Json:
    """Say why not; of what was sent also where it is told too late for a dialog."""
    is_sent = isinstance(asked, DialogSent)
    return closing(reason) if is_sent else _dialog(form, form_cards.told(reason))


def _dialog(form: Form, shown: Json) -> Json:
    held = {"contentType": CARD_TYPE, "content": shown}
    value = {"title": TITLES[form], "height": "medium", "width": "medium", "card": held}
    return {"task": {"type": "continue", "value": value}}
