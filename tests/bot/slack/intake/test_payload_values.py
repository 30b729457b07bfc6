"""Whatever a payload looks like, it is read or it is unreadable: nothing else is raised."""

import contextlib
from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slack_bolt.async_app import AsyncBoltContext

from bot.slack.intake.payload_values import (
    Click,
    Json,
    Said,
    Shortcut,
    Slash,
    Submitted,
    Unreadable,
    a_key,
    a_tenant,
    a_ts,
    text,
)
from masis.conversation import Tenant
from tests.examples import examples

TS: Final = "1700000000.000100"
ODD: Final[tuple[Any, ...]] = (
    None,
    True,
    0,
    -1,
    10**30,
    0.5,
    "",
    " ",
    "x" * 50_000,
    "\x00",
    "\ud800",
    "U1\n",
    "../../etc",
    "<!channel>",
    [],
    [None],
    ["U1", 5, {}],
    [[]],
    {},
    {"id": 5},
    {"id": {"id": "U1"}},
)
"""What may stand where anything else is expected."""


def context(team: object = "T1", enterprise: object = None) -> AsyncBoltContext:
    return AsyncBoltContext({"team_id": team, "enterprise_id": enterprise, "bot_user_id": "UBOT"})


def slash() -> Json:
    return {
        "channel_id": "C1",
        "user_id": "U1",
        "text": "what",
        "trigger_id": "1.2.abc",
        "response_url": "https://hooks.slack.com/1",
    }


def message() -> Json:
    return {
        "type": "message",
        "channel": "C1",
        "channel_type": "channel",
        "user": "U1",
        "text": "what",
        "ts": TS,
        "thread_ts": "1600000000.000100",
        "files": [{"id": "F1"}],
    }


def click() -> Json:
    return {
        "user": {"id": "U1"},
        "channel": {"id": "C1"},
        "container": {"channel_id": "C1", "message_ts": TS, "thread_ts": TS},
        "message": {"ts": TS, "thread_ts": TS},
        "view": {"id": "V1"},
        "trigger_id": "1.2.abc",
        "response_url": "https://hooks.slack.com/1",
    }


def action() -> Json:
    return {"action_id": "masis_wider", "action_ts": TS, "selected_option": {"value": "v"}}


def form() -> Json:
    state = {
        "a": {"a": {"value": "typed"}},
        "b": {"b": {"selected_options": [{"value": "yes"}], "selected_users": ["U1", "U2"]}},
        "c": {"c": {"selected_option": {"value": "one"}, "files": [{"id": "F1"}]}},
    }
    view = {"id": "V1", "private_metadata": "{}", "state": {"values": state}}
    return {"user": {"id": "U1"}, "view": view}


def shortcut() -> Json:
    return {
        "user": {"id": "U1"},
        "channel": {"id": "C1"},
        "trigger_id": "1.2.abc",
        "action_ts": TS,
        "response_url": "https://hooks.slack.com/1",
        "message": {"ts": TS, "thread_ts": TS, "text": "what", "files": [{"id": "F1"}]},
    }


def read_form(body: Json, told: AsyncBoltContext) -> list[object]:
    sent = Submitted.of(body, told)
    return [sent.typed(block) for block in "abcd"] + [sent.several(block) for block in "abcd"]


Read = Callable[[Json, AsyncBoltContext], object]
KINDS: Final[dict[str, tuple[Callable[[], Json], Read]]] = {
    "command": (slash, Slash.of),
    "message": (message, Said.of),
    "click": (click, lambda body, told: Click.of(body, action(), told)),
    "action": (action, lambda body, told: Click.of(click(), body, told)),
    "form": (form, read_form),
    "shortcut": (shortcut, Shortcut.of),
}


def paths(value: object, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a payload."""
    inner = list(value.items()) if isinstance(value, dict) else []
    inner += list(enumerate(value)) if isinstance(value, list) else []
    return [here] * bool(here) + [path for key, each in inner for path in paths(each, (*here, key))]


def put(payload: Any, path: tuple[Any, ...], odd: object) -> None:
    for key in path[:-1]:
        payload = payload[key]
    payload[path[-1]] = odd


def is_storable(value: object) -> bool:
    """Whether every text of a value that was read can be written to a database."""
    told = str(value)
    return "\x00" not in told and told.encode(errors="ignore").decode() == told


@pytest.mark.parametrize(
    ("kind", "path"), [(kind, path) for kind, (made, _) in KINDS.items() for path in paths(made())]
)
def test_odd_part_is_read_or_unreadable(kind: str, path: tuple[Any, ...]) -> None:
    """An odd part is read or the payload is unreadable."""
    make, read = KINDS[kind]
    for odd in ODD:
        payload = make()
        put(payload, path, odd)
        try:
            found = read(payload, context())
        except Unreadable:
            continue
        assert is_storable(found)


@pytest.mark.parametrize(
    ("kind", "path"),
    [(kind, path) for kind, (made, _) in KINDS.items() for path in paths(made())],
)
def test_missing_part_is_read_or_unreadable(kind: str, path: tuple[Any, ...]) -> None:
    """A missing part is read or the payload is unreadable."""
    make, read = KINDS[kind]
    payload = make()
    put(payload, path, None)
    if isinstance(path[-1], str):
        holder: Any = payload
        for key in path[:-1]:
            holder = holder[key]
        del holder[path[-1]]
    with contextlib.suppress(Unreadable):
        read(payload, context())


any_json = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner)),
    max_leaves=8,
)


@given(st.sampled_from(sorted(KINDS)), st.data(), any_json, any_json)
@settings(max_examples=examples(200), deadline=None)
def test_any_json_is_read_or_unreadable(
    kind: str, data: st.DataObject, odd: object, team: object
) -> None:
    """Any json anywhere is read or unreadable."""
    make, read = KINDS[kind]
    payload = make()
    put(payload, data.draw(st.sampled_from(paths(payload))), odd)
    with contextlib.suppress(Unreadable):
        read(payload, context(team))


@pytest.mark.parametrize(
    ("enterprise", "team"),
    [(None, None), ("", ""), (None, 5), ("E1", {"id": "T1"}), ("t1", None), ("E1", "T" * 65)],
)
def test_who_is_not_named_is_nobody(enterprise: object, team: object) -> None:
    with pytest.raises(Unreadable):
        a_tenant(enterprise, team)


def test_team_may_lack_an_organisation() -> None:
    """A team may be of an organisation or of none."""
    assert a_tenant("E1", "T1") == Tenant(enterprise="E1", team="T1")
    assert a_tenant(None, "T1") == Tenant(team="T1")
    assert a_tenant("E1", "") == Tenant(enterprise="E1")


@pytest.mark.parametrize(
    "changed",
    [
        {"subtype": "message_changed"},
        {"subtype": "bot_message"},
        {"subtype": ["file_share"]},
        {"bot_id": "B1"},
        {"bot_profile": {"id": "B1"}},
        {"hidden": True},
        {"edited": {"user": "U1", "ts": TS}},
        {"user": None},
        {"user": ""},
    ],
)
def test_what_nobody_wrote_starts_nothing(changed: Json) -> None:
    assert Said.of(message() | changed, context()) is None


def test_a_message_says_where_it_hangs() -> None:
    reply = Said.of(message(), context())
    root = Said.of(message() | {"thread_ts": TS, "channel": "D1"}, context())

    assert reply is not None
    assert (reply.thread, reply.root, reply.direct) == (reply.root, "1600000000.000100", False)
    assert root is not None
    assert (root.thread, root.root, root.direct) == ("", TS, True)


@pytest.mark.parametrize("subtype", ["file_share", "thread_broadcast"])
def test_messages_include_files_and_broadcasts(subtype: str) -> None:
    """People write with files and to the channel as well."""
    said = Said.of(message() | {"subtype": subtype}, context())

    assert said is not None
    assert [file.id for file in said.files] == ["F1"]


def test_redelivered_click_has_same_key() -> None:
    """A click has the same key each time it is delivered."""
    first, again = (Click.of(click(), action(), context()) for _ in range(2))
    another = Click.of(click(), action() | {"action_ts": "1700000001.000100"}, context())

    assert first.key == again.key
    assert another.key != first.key
    assert (
        len({first.key, Click.of(click() | {"user": {"id": "U2"}}, action(), context()).key}) == 2
    )


def test_stored_values_are_cut_to_length() -> None:
    """Ids and texts are cut to what is stored."""
    assert len(a_key("k" * 900)) == 200
    assert text("a\x00b\ud800c") == "abc"
    assert a_ts("1.2\n") == ""
    assert Submitted.of(form(), context()).several("b") == ["yes", "U1", "U2"]
