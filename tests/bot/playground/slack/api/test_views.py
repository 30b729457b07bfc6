from typing import Any

import pytest

from bot.playground.people.people import Person
from bot.playground.server import Playground
from tests.bot.playground.small_bot import FORM, client, plain, refused, section


@pytest.fixture
def alice(slack: Playground) -> Person:
    return slack.person("alice")


def did(slack: Playground, person: Person) -> str:
    """The trigger of something that person just did."""
    return slack.world.trigger(person.user, slack.installation).id


def titled(title: str) -> dict[str, Any]:
    return {"type": "modal", "title": plain(title), "blocks": [section("a")]}


async def test_a_trigger_opens_one_view(slack: Playground, alice: Person) -> None:
    web, trigger = client(slack), did(slack, alice)
    view = (await web.views_open(trigger_id=trigger, view=FORM))["view"]

    assert alice.modal is not None
    assert (view["id"], view["app_installed_team_id"]) == (alice.modal.id, slack.team.id)
    again = web.views_open(trigger_id=trigger, view=FORM)
    assert await refused(again) == "exchanged_trigger_id"
    assert await refused(web.views_open(trigger_id="1.2", view=FORM)) == "invalid_trigger_id"


async def test_a_trigger_lives_three_seconds() -> None:
    now = [1_000.0]
    async with Playground(clock=lambda: now[0]) as slack:
        trigger = did(slack, slack.owner)
        now[0] += 3.1

        late = client(slack).views_open(trigger_id=trigger, view=FORM)
        assert await refused(late) == "expired_trigger_id"


async def test_invalid_view_is_refused(slack: Playground, alice: Person) -> None:
    """A view that slack does not take is refused."""
    web = client(slack)
    long = titled("a" * 25)

    assert await refused(web.views_open(trigger_id=did(slack, alice), view=long)) == (
        "invalid_arguments"
    )
    home = {"type": "home", "blocks": [section("a")]}
    assert await refused(web.views_open(trigger_id=did(slack, alice), view=home)) == (
        "invalid_arguments"
    )
    assert alice.modal is None


async def test_views_are_stacked_three_high(slack: Playground, alice: Person) -> None:
    web = client(slack)
    assert await refused(web.views_push(trigger_id=did(slack, alice), view=titled("b"))) == (
        "not_found"
    )
    first = (await web.views_open(trigger_id=did(slack, alice), view=titled("a")))["view"]
    second = (await web.views_push(trigger_id=did(slack, alice), view=titled("b")))["view"]
    await web.views_push(trigger_id=did(slack, alice), view=titled("c"))

    assert (second["root_view_id"], second["previous_view_id"]) == (first["id"], first["id"])
    assert await refused(web.views_push(trigger_id=did(slack, alice), view=titled("d"))) == (
        "push_limit_reached"
    )


async def test_outdated_hash_is_refused(slack: Playground, alice: Person) -> None:
    """An update with an old hash is refused."""
    web = client(slack)
    old = (await web.views_open(trigger_id=did(slack, alice), view=titled("a")))["view"]
    new = (await web.views_update(view_id=old["id"], hash=old["hash"], view=titled("b")))["view"]

    assert alice.reads_modal().startswith("== b ==")
    stale = web.views_update(view_id=old["id"], hash=old["hash"], view=titled("c"))
    assert (await refused(stale), new["hash"] != old["hash"]) == ("hash_conflict", True)
    gone = web.views_update(view_id="V404", view=titled("c"))
    assert await refused(gone) == "not_found"


async def test_typed_value_stays_with_field(slack: Playground, alice: Person) -> None:
    """What was typed stays while its field stays."""
    web = client(slack)
    view = (await web.views_open(trigger_id=did(slack, alice), view=FORM))["view"]
    assert alice.modal is not None
    alice.modal.values = {"question": {"typed": {"type": "plain_text_input", "value": "kept"}}}
    await web.views_update(view_id=view["id"], view={**FORM, "title": plain("Again")})

    assert "question" in alice.modal.values
    await web.views_update(view_id=view["id"], view=titled("b"))
    assert alice.modal.values == {}


async def test_home_tab_is_published_and_updated(slack: Playground, alice: Person) -> None:
    """A home tab is published and changed."""
    web = client(slack)
    await web.views_publish(user_id=alice.id, view={"type": "home", "blocks": [section("one")]})
    await web.views_publish(user_id=alice.id, view={"type": "home", "blocks": [section("two")]})

    assert alice.reads_home() == "== Home ==\ntwo"
    victor = slack.person("victor", team=slack.world.add_team("Vendel"))
    foreign = web.views_publish(user_id=victor.id, view={"type": "home", "blocks": []})
    assert await refused(foreign) == "not_enabled"
