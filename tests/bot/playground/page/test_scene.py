from bot.chat.grammar import VERBS
from bot.playground.page.scene import Scene, about
from bot.playground.page.seen import Seen
from bot.slack.ids import ASK_SHORTCUT, FILES_SHORTCUT


async def test_page_knows_all_verbs_and_shortcuts(scene: Scene) -> None:
    """The page knows every verb and shortcut of the bot."""
    told = about(scene)

    (command,) = told.commands
    assert command.command == "/masis"
    assert {each.verb for each in command.verbs} == {"", *VERBS}
    assert all(each.about for each in command.verbs)
    assert {each.callback_id for each in told.shortcuts} == {ASK_SHORTCUT, FILES_SHORTCUT}
    assert [each.channel for each in told.suggestions] == ["", "", "", "", scene.tickets.id]


async def test_world_starts_with_all_channel_kinds(scene: Scene) -> None:
    """The world opens with three people and every kind of channel."""
    state = Seen(scene, scene.asker).state("e", 0)

    assert [p.role for p in state.people if p.playable] == ["owner", "member", "guest"]
    names = {channel.name: channel for channel in state.channels}
    assert set(names) == {"handbook", "tickets", "lunch", "northmoor-water", ""}
    assert names["northmoor-water"].shared_with == ["Northmoor Water"]
    assert names[""].peer == state.about.app
    assert all(channel.topic for channel in state.channels if channel.name)
