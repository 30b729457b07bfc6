from bot.playground.page.contract import AboutIs, ChannelGone, MessageGone, MessageIs
from bot.playground.page.page_models import Suggestion
from bot.playground.page.scene import Scene
from bot.playground.page.seen import Seen
from bot.playground.slack.feed import Change
from bot.playground.slack.world import Said


def posted(channel: str, ts: str) -> list[Change]:
    return [Change("message", {"channel": channel, "ts": ts})]


async def test_guest_sees_only_own_channels(scene: Scene) -> None:
    """A guest sees only what they are in."""
    lunch = next(c for c in scene.slack.world.channels.values() if c.name == "lunch")
    message = scene.slack.world.post(lunch, Said(text="Pizza?", user_id=scene.asker.id))
    guest, asker = Seen(scene, scene.guest), Seen(scene, scene.asker)

    state = guest.state("e", 0)

    assert {channel.name for channel in state.channels} == {"handbook", ""}
    assert all(each.channel != lunch.id for each in state.messages)
    assert guest.changes(posted(lunch.id, message.ts)) == []
    assert guest.message(lunch.id, message.ts) is None
    assert [type(each) for each in asker.changes(posted(lunch.id, message.ts))] == [MessageIs]
    assert guest.changes([Change("channel", {"channel": lunch.id})]) == [
        ChannelGone(channel=lunch.id)
    ]


async def test_direct_messages_are_private(scene: Scene) -> None:
    """Direct and private messages are their persons alone."""
    world = scene.slack.world
    whispered = world.whisper(scene.linked, scene.admin.id, Said(text="Only you"))
    direct = world.post(scene.admin.direct(), Said(text="Psst", user_id=scene.admin.id))
    admin, asker = Seen(scene, scene.admin), Seen(scene, scene.asker)
    change = Change("ephemeral", {"channel": scene.linked.id, "ts": whispered.ts, "user": "x"})

    assert {"Only you", "Psst"} <= {m.text for m in admin.state("e", 0).messages}
    assert not {"Only you", "Psst"} & {m.text for m in asker.state("e", 0).messages}
    assert asker.changes([change]) == []
    assert asker.changes(posted(direct.channel_id, direct.ts)) == []


async def test_document_answer_appears_once_known(scene: Scene) -> None:
    """What the documents answer is told when it is known."""
    assert Seen(scene, scene.asker).state("e", 0).about.questions == []
    offered = [Suggestion(about="Handbook", text="What is the notice period?")]

    scene.offers(offered)

    (change,) = Seen(scene, scene.asker).changes([Change("about", {})])
    assert isinstance(change, AboutIs)
    assert change.about.questions == offered
    assert Seen(scene, scene.asker).state("e", 0).about.questions == offered


async def test_repeated_changes_are_sent_once(scene: Scene) -> None:
    """A thing that changed often is told once as it is now."""
    world = scene.slack.world
    message = world.post(scene.linked, Said(text="One", user_id=scene.asker.id))
    world.edit(message, editor_id=None, text="Two")
    happened = posted(scene.linked.id, message.ts) * 3

    (change,) = Seen(scene, scene.asker).changes(happened)
    assert isinstance(change, MessageIs)
    assert (change.message.text, change.message.edited) == ("Two", True)

    world.delete(message)
    assert Seen(scene, scene.asker).changes(happened) == [
        MessageGone(channel=scene.linked.id, ts=message.ts)
    ]
