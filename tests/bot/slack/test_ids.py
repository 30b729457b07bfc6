import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.slack import ids
from bot.slack.limits import ACTION_ID, BUTTON_VALUE, OPTION_VALUE, PRIVATE_METADATA

RUN = str(uuid.UUID(int=7))
CARRIED: list[ids.Carried] = [
    ids.RunRef(run=RUN),
    ids.PassageRef(run=RUN, n=9999),
    ids.Feedback(run=RUN, good=False),
    ids.SessionRef(session="s" * 80),
    ids.SuggestedReply(session="s" * 80, choice=3),
    ids.PageRef(run=RUN, page=9999),
    ids.WorkspaceRef(workspace="w" * 64),
    ids.LinkForm(channel="C1", thread="1700000000.000100"),
    ids.SettingsForm(),
    ids.UploadForm(channel="C1", message="1.1", files=["F" * 32] * 20),
    ids.DeleteForm(document="d_aaaaaaaaaaaa"),
    ids.ReplyForm(session="s1", channel="C1", thread="1.1"),
    ids.ReasonForm(run=RUN),
    ids.AskForm(channel="C1", message="1.1"),
]


@pytest.mark.parametrize("carried", CARRIED, ids=lambda carried: type(carried).__name__)
def test_what_is_carried_comes_back(carried: ids.Carried) -> None:
    form = isinstance(carried, ids.Form)
    text = carried.private() if isinstance(carried, ids.Form) else carried.dumped()

    assert type(carried).loaded(text) == carried
    assert len(text) <= (PRIVATE_METADATA if form else BUTTON_VALUE)


def test_a_source_fits_into_an_option() -> None:
    assert len(ids.option(ids.PassageRef(run="r" * 80, n=9999))) <= OPTION_VALUE


@pytest.mark.parametrize(
    "text",
    [
        None,
        7,
        "",
        "{",
        "[]",
        "null",
        '{"run":"r1"',
        '{"v":2,"run":"r1","n":1}',
        '{"v":1,"run":"r1","n":"1"}',
        '{"v":1,"run":"r1","n":0}',
        '{"v":1,"run":"../r1","n":1}',
        '{"v":1,"run":"r1","n":1,"admin":true}',
        '{"v":1,"run":["r1"],"n":1}',
        "x" * 4000,
    ],
)
def test_foreign_value_is_refused_with_sentence(text: object) -> None:
    """What we did not write is refused with a sentence."""
    with pytest.raises(ids.UnreadableValue, match="ask again"):
        ids.PassageRef.loaded(text)


@given(st.text(max_size=100))
def test_no_text_breaks_the_reading(text: str) -> None:
    with pytest.raises(ids.UnreadableValue):
        ids.RunRef.loaded(text)


def test_overlong_value_raises_value_error() -> None:
    """What is too long is a mistake of ours."""
    with pytest.raises(ValueError, match="characters of 10"):
        ids.RunRef(run=RUN).dumped(10)


def test_ids_are_short_and_differ() -> None:
    names = [*ids.ACTIONS, *ids.VIEWS, *(v for k, v in vars(ids).items() if k.startswith("IN_"))]

    assert len(set(names)) == len(names)
    assert all(len(name) <= ACTION_ID - 4 for name in names)


def test_numbered_action_keeps_its_name() -> None:
    """A numbered action is still its action."""
    pattern = ids.pattern(ids.REPLY)

    assert pattern.match(ids.REPLY)
    assert pattern.match(ids.numbered(ids.REPLY, 3))
    assert not pattern.match(ids.REPLY_FORM)
