"""Define what is left to do for an activity, as values that are stored until it is done."""

import datetime as dt
import hashlib
import json
from typing import Any, Final, get_args

from bot.teams.inbound.activities import (
    DialogOpened,
    DialogSent,
    Heard,
    PlaceChanged,
    Pressed,
)
from masis.conversation import TEAMS, Tenant
from masis.domain import Value
from storage.chat.teams_places import TeamsPlace, place_id
from storage.jobs.chat_jobs import ChatJob

Json = dict[str, Any]


class Tell(Value):
    """Show something that is no run's: to one person alone, or to everybody where nobody is named.

    `welcomed` is whose questions are added once they are made; empty for what is no welcome.
    """

    place: TeamsPlace
    shown: Json
    user: str = ""
    thread: str = ""
    welcomed: str = ""


class TakeBack(Value):
    """Take away a placeholder whose outcome stands elsewhere."""

    place: TeamsPlace
    message: str
    is_targeted: bool = False


Work = Heard | Tell | TakeBack
_KINDS: Final = {kind.__name__: kind for kind in (*get_args(Heard), Tell, TakeBack)}


def written(work: Work) -> str:
    """Return work as it is stored, with the time since when there is something to do."""
    since = dt.datetime.now(dt.UTC).isoformat()
    value = work.model_dump(mode="json")
    return json.dumps({"kind": type(work).__name__, "value": value, "since": since})


def read(text: str) -> Work:
    """Return what was stored.

    Raises:
        ValueError: another release wrote it.
    """
    held = json.loads(text)
    try:
        kind, value = _KINDS[held["kind"]], held["value"]
    except (KeyError, TypeError):
        raise ValueError("work of another release") from None
    found: Work = kind.model_validate(value)
    return found


def begun(text: str) -> str:
    """Return work as it is stored from before it is done until that is known."""
    return json.dumps(json.loads(text) | {"begun": True})


def is_begun(text: str) -> bool:
    """Say whether it may be done already: whoever began it does not know, or died."""
    return bool(json.loads(text).get("begun"))


def age(text: str) -> float:
    """Return for how many seconds there has been something to do; 0 where that was not stored."""
    held = json.loads(text)
    since = held.get("since") if isinstance(held, dict) else None
    if not isinstance(since, str):
        return 0.0
    return (dt.datetime.now(dt.UTC) - dt.datetime.fromisoformat(since)).total_seconds()


def heard_job(heard: Heard, team: str) -> ChatJob:
    """Return the job of what was heard; the same for each delivery of it."""
    where = heard.where
    event = f"{heard.event} {where.channel}" if isinstance(heard, PlaceChanged) else ""
    # Ids of activities are unique within their conversation alone.
    key = place_id(where.tenant, where.conversation), heard.id, type(heard).__name__, event
    tenant = Tenant(chat=TEAMS, enterprise=where.tenant, team=team)
    return ChatJob(id=_named(*key), tenant=tenant, user=heard.person.id, work=written(heard))


def job_of(work: Tell | TakeBack, *key: str) -> ChatJob:
    """Return the job of something that is left to do; the key is what it is done once for."""
    user = work.user if isinstance(work, Tell) else ""
    text = written(work)
    return ChatJob(id=_named(*key), tenant=work.place.tenant, user=user, work=text, attempt=0)


def wants_answer(heard: Heard) -> bool:
    """Say whether somebody looks at a card or a dialog until they are answered."""
    return isinstance(heard, Pressed | DialogOpened | DialogSent)


def _named(*key: str) -> str:
    return f"j{hashlib.sha256(chr(31).join(key).encode()).hexdigest()[:40]}"
