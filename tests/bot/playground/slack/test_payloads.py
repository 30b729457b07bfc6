"""What is sent and answered has no field that Slack's samples lack, and those that matter."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import masis
from bot.playground.people.people import Person
from bot.playground.server import Playground
from bot.playground.slack.entities import Channel
from tests.bot.playground.small_bot import FORM, button, client, section, served

SAMPLES = Path(masis.__file__).resolve().parents[2] / "shared" / "slack" / "samples"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(
        not SAMPLES.is_dir(), reason="Slack's samples are not beside the checkout (../shared/slack)"
    ),
]

FREE = ("blocks", "attachments", "state", "metadata", "permalink")
"""Fields whose contents the app decides, or that the samples hold in one form of many."""


def sample(name: str) -> Any:
    return json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))


def fields(value: Any, place: str = "") -> Iterator[str]:
    """The path of every field; of a list each item."""
    if isinstance(value, dict):
        for name, content in value.items():
            yield f"{place}.{name}"
            if name not in FREE:
                yield from fields(content, f"{place}.{name}")
    elif isinstance(value, list):
        for item in value:
            yield from fields(item, f"{place}[]")


def unknown(value: Any, name: str) -> set[str]:
    return set(fields(value)) - set(fields(sample(name)))


@pytest.fixture
def alice(slack: Playground) -> Person:
    return slack.person("alice", "admin")


@pytest.fixture
def general(slack: Playground, alice: Person) -> Channel:
    return slack.channel("general", alice)


class TestAnswers:
    @pytest.mark.parametrize(
        ("method", "args"),
        [
            ("auth.test", {}),
            ("conversations.info", {"channel": "{channel}"}),
            ("conversations.list", {}),
            ("conversations.members", {"channel": "{channel}"}),
            ("users.info", {"user": "{user}"}),
            ("users.list", {}),
            ("bots.info", {"bot": "{bot}"}),
            ("chat.postEphemeral", {"channel": "{channel}", "user": "{user}", "text": "a"}),
            ("files.getUploadURLExternal", {"filename": "a.md", "length": "3"}),
            ("views.publish", {"user_id": "{user}", "view": {"type": "home", "blocks": []}}),
        ],
    )
    async def test_an_answer_has_slacks_fields(
        self,
        slack: Playground,
        alice: Person,
        general: Channel,
        method: str,
        args: dict[str, Any],
    ) -> None:
        ids = {"channel": general.id, "user": alice.id, "bot": slack.installation.bot_id}
        filled = {
            name: value.format(**ids) if isinstance(value, str) else value
            for name, value in args.items()
        }
        answer = await client(slack).api_call(method, json=filled)

        assert unknown(answer.data, f"api/{method}") == set()

    async def test_an_opened_view_has_them_too(self, slack: Playground, alice: Person) -> None:
        trigger = slack.world.trigger(alice.user, slack.installation)
        answer = await client(slack).views_open(trigger_id=trigger.id, view=FORM)

        assert unknown(answer.data, "api/views.open") == set()


class TestRequests:
    async def test_a_command_has_slacks_fields(self) -> None:
        async with Playground(enterprise="Northmoor Group") as slack:
            alice = slack.person("alice")
            await alice.slash("/masis", "help", slack.channel("general", alice))
            (sent,) = slack.bots.deliveries

        told = set(sample("app-backend/slash-commands/SlashCommandPayload"))
        assert set(sent.payload) == told

    async def test_interactive_requests_have_payloads(
        self, slack: Playground, alice: Person, general: Channel
    ) -> None:
        """A button a form and a shortcut have them."""
        said = await client(slack).chat_postMessage(
            channel=general.id,
            text="a",
            blocks=[section("a"), {"type": "actions", "elements": [button("More", "more")]}],
        )
        message = general.messages[str(said["ts"])]
        async with served(slack):
            await alice.clicks(message, "More")
            await slack.until(lambda: alice.modal)
            await alice.submits({"typed": "good"})
            await alice.shortcut("ask_about", message)
        sent = {one.payload["type"]: one.payload for one in slack.bots.deliveries}

        interactive = "app-backend/interactive-components"
        assert unknown(sent["block_actions"], f"{interactive}/BlockActionPayload") == set()
        assert unknown(sent["message_action"], f"{interactive}/MessageShortcutPayload") <= {
            ".api_app_id",
            ".user.username",
        }
        assert unknown(sent["view_submission"], "app-backend/views/ViewSubmissionPayload") <= {
            ".response_urls",
            ".view.blocks",
        }

    async def test_messages_mentions_and_files_have_them(
        self, slack: Playground, alice: Person, general: Channel
    ) -> None:
        async with served(slack):
            said = (await alice.says(general, "@MASIS hello")).message
            await alice.uploads(general, [("a.pdf", b"%PDF")])
            assert said is not None
            await alice.edits(said, "new")
            await alice.deletes(said)
            await alice.opens_home()
        outer = {"context_team_id", "context_enterprise_id"}
        for sent in [one for one in slack.bots.deliveries if "event" in one.payload]:
            event = sent.payload["event"]
            name = {
                (None, "message"): "MessagePayload",
                (None, "app_mention"): "AppMentionPayload",
                ("file_share", "message"): "MessageFileSharePayload",
                ("message_changed", "message"): "MessageChangedPayload",
                ("message_deleted", "message"): "MessageDeletedPayload",
                (None, "app_home_opened"): "AppHomeOpenedPayload",
            }[event.get("subtype"), event["type"]]
            found = {
                field
                for field in unknown(sent.payload, f"events/{name}")
                if not field.endswith(tuple(outer))
            }
            assert found <= MORE, name


MORE = {
    ".event.app_id",
    ".event.client_msg_id",
    ".event.team",
    ".event.channel_type",
    ".event.event_ts",
    ".event.ts",
}
"""What real events carry beside what the samples show."""
