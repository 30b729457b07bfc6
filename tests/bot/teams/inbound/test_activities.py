"""Whatever an activity looks like, it is read or it is unreadable: nothing else is raised."""

import contextlib
import itertools
from typing import Any, Final

import pytest

from bot.playground.teams.issuer import HOME
from bot.playground.teams.teams_payloads import (
    ANN,
    BOT,
    CHANNEL,
    CHAT,
    GROUP,
    ROOT,
    Json,
    activity,
    dialog,
    mention,
    personal,
    pressed,
    rated,
)
from bot.teams.inbound.activities import (
    FILE,
    DialogOpened,
    DialogSent,
    Installed,
    PlaceChanged,
    Pressed,
    Rated,
    Unreadable,
    Written,
    read,
)
from masis.conversation import MAX_FILES


def written(body: Json) -> Written:
    found = read(body)
    assert isinstance(found, Written)
    return found


def test_mention_is_a_question_in_its_thread() -> None:
    heard = written(mention("How long is leave?"))
    assert heard.text == "How long is leave?"
    assert (heard.where.kind, heard.where.conversation, heard.where.thread) == (
        "channel",
        CHANNEL,
        ROOT,
    )
    assert (heard.where.tenant, heard.where.team) == (HOME, "19:team@thread.tacv2")
    assert heard.where.group == "", "messages do not name it"
    assert heard.person.id == ANN


@pytest.mark.parametrize(
    ("told", "read_as"),
    [
        ("2026-11-27T10:00:00.1234567Z", "2026-11-27T10:00:00.123456+00:00"),
        ("2026-11-27T12:00:00+02:00", "2026-11-27T10:00:00+00:00"),
        ("2026-11-27T10:00:00", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("soon", None),
        (1764237600, None),
    ],
)
def test_moment_is_read_with_its_zone(told: object, read_as: str | None) -> None:
    heard = read(mention(timestamp=told))
    assert heard is not None
    assert (heard.sent_at and heard.sent_at.isoformat()) == read_as


def test_installation_names_the_group() -> None:
    heard = read(activity("installationUpdate", action="add"))
    assert heard is not None
    assert heard.where.group == GROUP


def test_personal_message_needs_no_mention() -> None:
    heard = written(personal("hello", replyToId="1700000000009"))
    assert (heard.text, heard.where.kind, heard.where.thread) == ("hello", "personal", "")
    assert heard.where.conversation == CHAT
    assert heard.replies_to == "1700000000009"


def test_unmentioned_message_is_not_heard() -> None:
    assert read(mention("hello", entities=[])) is None
    other = {"type": "mention", "text": "<at>Ben</at>", "mentioned": {"id": "29:ben"}}
    assert read(mention("hello", entities=[other])) is None


def test_targeted_message_is_heard() -> None:
    heard = written(mention("status", entities=[], recipient={"id": BOT, "isTargeted": True}))
    assert heard.targeted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<at>MASIS</at> What now?", "What now?"),
        ("What <at>MASIS</at> now?", "What   now?"),
        ("<at>MASIS</at>\u00a0ask &amp; tell &lt;me&gt;", "ask & tell <me>"),
        ("<at>MASIS</at> ask <at>Ben</at>", "ask Ben"),
        ("<at>MASIS</at> one\r\ntwo", "one\ntwo"),
        ("<at>MASIS</at> a\x00b\ud800c", "abc"),
        ("<at>MASIS</at>", ""),
    ],
)
def test_mention_is_taken_out(text: str, said: str) -> None:
    assert written(mention(text=text)).text == said


def sent(name: str = "plan.md", url: str = "https://a.sharepoint.com/f?tempauth=x") -> Json:
    return {"contentType": FILE, "name": name, "content": {"downloadUrl": url, "uniqueId": "u1"}}


def test_files_are_read_with_their_addresses() -> None:
    (file,) = written(personal(attachments=[{"contentType": "text/html"}, 5, sent()])).files
    assert (file.name, file.address) == ("plan.md", "https://a.sharepoint.com/f?tempauth=x")
    assert file.address not in repr(file)


def test_name_of_a_file_is_no_path() -> None:
    (file,) = written(personal(attachments=[sent("..\\..\\etc/pass\nwd.md")])).files
    assert file.name == "passwd.md"


def test_only_files_of_own_chats_have_addresses() -> None:
    picture = {"contentType": "image/png", "contentUrl": "https://a.sharepoint.com/p.png"}
    assert written(mention(attachments=[sent()])).files[0].address == ""
    assert written(personal(attachments=[picture])).files[0].address == ""
    assert (
        written(personal(attachments=[sent(url="https://x/" + "y" * 5000)])).files[0].address == ""
    )
    assert len(written(personal(attachments=[sent()] * 50)).files) == MAX_FILES


def test_button_is_read() -> None:
    heard = read(pressed("cancel", {"run": "r1"}))
    assert isinstance(heard, Pressed)
    assert (heard.verb, heard.data, heard.message) == ("cancel", {"run": "r1"}, "1700000000003")


@pytest.mark.parametrize(
    ("feedback", "reason"),
    [
        ('{"feedbackText": "wrong page"}', "wrong page"),
        ("{}", ""),
        ("no json", ""),
        ("[]", ""),
        ('{"feedbackText": 5}', ""),
        ("[" * 100_000, ""),
    ],
)
def test_vote_is_read(feedback: str, reason: str) -> None:
    heard = read(rated("dislike", feedback))
    assert isinstance(heard, Rated)
    assert (heard.good, heard.reason) == (False, reason)


def test_dialogs_are_read() -> None:
    assert isinstance(read(dialog("task/fetch", {"run": "r"})), DialogOpened)
    assert isinstance(read(dialog("task/submit", {"run": "r"})), DialogSent)


@pytest.mark.parametrize(
    ("action", "added"),
    [("add", True), ("remove", False), ("add-upgrade", True), ("remove-upgrade", False)],
)
def test_installation_is_read(action: str, added: bool) -> None:
    heard = read(activity("installationUpdate", action=action))
    assert isinstance(heard, Installed)
    assert heard.added is added


def test_change_of_place_is_read() -> None:
    data = activity("x")["channelData"] | {"eventType": "teamArchived"}
    heard = read(activity("conversationUpdate", channelData=data))
    assert isinstance(heard, PlaceChanged)
    assert heard.event == "teamArchived"
    assert read(activity("conversationUpdate")) is None


@pytest.mark.parametrize("kind", ["typing", "messageReaction", "event", "trace", "", "x" * 1000])
def test_other_activities_are_not_heard(kind: str) -> None:
    assert read(activity(kind)) is None


@pytest.mark.parametrize(
    "body",
    [
        mention(id=None),
        mention(id="a b"),
        mention(id="x" * 65),
        mention() | {"from": {"id": "29:x"}},
        mention() | {"from": {"id": "29:x", "aadObjectId": "ann"}},
        mention() | {"from": {"id": "28:x", "role": "bot", "aadObjectId": ANN}},
        mention(conversation={"id": CHANNEL}),
        mention(conversation={"conversationType": "channel", "id": 5}),
        mention(conversation={"conversationType": "channel", "id": "../../x y"}),
        mention(conversation={"conversationType": "channel", "id": f"{CHANNEL};messageid=a b"}),
        pressed("no verb!"),
        pressed("x" * 41),
        pressed("cancel", value=None),
        rated("maybe"),
        activity("installationUpdate", action="paint"),
    ],
)
def test_unreadable_activities_are_told(body: Json) -> None:
    with pytest.raises(Unreadable):
        read(body)


def test_submitted_card_is_no_message() -> None:
    """Any member can send any value as a message: MASIS draws no card that does."""
    assert read(personal("", value={"verb": "cancel"})) is None


ODD: Final[tuple[Any, ...]] = (
    *(None, True, -1, 10**30, 0.5, "", "x" * 5000, "\x00", "\ud800"),
    *([], [None], [[]], {}, {"id": 5}, {"id": {"id": "x"}}, [{"type": "mention"}]),
)
WHOLE: Final = (
    mention(),
    personal(),
    pressed("cancel"),
    rated(),
    dialog("task/fetch", {}),
    activity("installationUpdate", action="add"),
    activity("conversationUpdate"),
)


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all that stands in a payload."""
    found = [way] if way else []
    inner = value.items() if isinstance(value, dict) else []
    return [*found, *(each for name, below in inner for each in places(below, (*way, name)))]


def changed(value: Json, way: tuple[Any, ...], put: Any) -> Json:
    name, *rest = way
    return value | {name: changed(value[name], tuple(rest), put) if rest else put}


def test_odd_values_are_read_or_unreadable() -> None:
    """Each place of each payload may hold anything: what is not read is refused as such."""
    tried = 0
    for body, odd in itertools.product(WHOLE, ODD):
        for way in places(body):
            with contextlib.suppress(Unreadable):
                read(changed(body, way, odd))
            tried += 1
    assert tried > 1000
