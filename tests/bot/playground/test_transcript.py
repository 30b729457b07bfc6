from typing import Any

import pytest

from bot.playground import transcript
from bot.playground.server import Playground
from bot.playground.slack.world import Said
from tests.bot.playground.small_bot import button, plain, section

PLAN: dict[str, Any] = {
    "type": "plan",
    "title": "Working on it",
    "tasks": [
        {
            "type": "task_card",
            "task_id": "1",
            "title": "Search",
            "status": "complete",
            "sources": [{"type": "url", "url": "https://example.com", "text": "Handbook"}],
        },
        {"type": "task_card", "task_id": "2", "title": "Draft", "status": "in_progress"},
        {"type": "task_card", "task_id": "3", "title": "Audit", "status": "pending"},
        {"type": "task_card", "task_id": "4", "title": "Evaluate", "status": "error"},
    ],
}


def rich(*elements: dict[str, Any]) -> dict[str, Any]:
    line = {"type": "rich_text_section", "elements": list(elements)}
    return {"type": "rich_text", "elements": [line]}


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        (section("*Twelve* pumps"), "*Twelve* pumps"),
        (section("Which?", accessory=button("Change", "c")), "Which? [Change]"),
        ({"type": "section", "fields": [plain("a"), plain("b")]}, "a\nb"),
        ({"type": "header", "text": plain("Answer")}, "# Answer"),
        ({"type": "divider"}, "---"),
        ({"type": "markdown", "text": "Twelve [1]"}, "Twelve [1]"),
        (
            {"type": "context", "elements": [plain("High 86 %"), plain("2 documents")]},
            "~ High 86 % · 2 documents",
        ),
        (
            {"type": "actions", "elements": [button("Yes", "y"), button("No", "n")]},
            "[Yes] [No]",
        ),
        (
            PLAN,
            "(Working on it)\n✓ Search – Handbook\n▸ Draft\n○ Audit\n✗ Evaluate",
        ),
        (
            rich(
                {"type": "text", "text": "by "},
                {"type": "link", "url": "https://a.example", "text": "this"},
                {"type": "emoji", "name": "eyes"},
            ),
            "by this (https://a.example):eyes:",
        ),
        (
            {
                "type": "data_table",
                "caption": "Figures",
                "rows": [
                    [{"type": "raw_text", "text": "Year"}, rich({"type": "text", "text": "Sum"})],
                    [{"type": "raw_text", "text": "2025"}, {"type": "raw_number", "text": "12"}],
                ],
            },
            "(table) Figures\n| Year | Sum |\n| 2025 | 12 |",
        ),
        ({"type": "data_visualization", "title": "Sales"}, "(chart) Sales"),
        ({"type": "image", "alt_text": "a pump"}, "(image) a pump"),
    ],
    ids=lambda case: case.get("type", "") if isinstance(case, dict) else "",
)
def test_a_block_reads_as_it_looks(slack: Playground, block: dict[str, Any], shown: str) -> None:
    general = slack.channel("general")
    message = slack.world.post(general, Said(text="fallback", blocks=[block]))

    assert transcript.message_text(slack.world, message) == shown


def test_people_channels_and_links_are_named(slack: Playground) -> None:
    alice = slack.person("alice")
    general = slack.channel("general")
    text = f"<@{alice.id}> in <#{general.id}> &lt;b&gt; <https://a.example|here> <!channel> &amp;"

    assert transcript.referred(slack.world, text) == (
        "@Alice in #general <b> here (https://a.example) @channel &"
    )


async def test_threads_are_nested_under_roots(
    slack: Playground,
) -> None:
    """Threads stand beneath their roots and notes say who sees them."""
    alice, bob = slack.person("alice"), slack.person("bob")
    general = slack.channel("general", alice, bob)
    first = (await alice.says(general, "How many?")).message
    await bob.says(general, "Lunch?")
    await bob.says(general, "Twelve", thread=first)
    note = Said(text="Try again\nlater", user_id=slack.installation.bot_user_id)
    slack.world.whisper(general, alice.id, note)

    assert slack.transcript(general) == (
        "#general\n"
        "Alice: How many?\n"
        "    Bob: Twelve\n"
        "Bob: Lunch?\n"
        "MASIS (only to Alice): Try again\n"
        "    later"
    )
    assert "Try again" in alice.transcript(general)
    assert "Try again" not in bob.transcript(general)


async def test_direct_messages_name_the_two(slack: Playground) -> None:
    alice = slack.person("alice")
    await alice.says(alice.direct(), "hello")

    assert alice.transcript(alice.direct()) == "Alice and MASIS\nAlice: hello"


async def test_files_are_listed(slack: Playground) -> None:
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    await alice.uploads(general, [("a.pdf", b"%PDF"), ("b.md", b"# b")], "two files")

    assert alice.reads(general) == ["two files\n(file) a.pdf\n(file) b.md"]


def test_initial_form_values_are_shown(slack: Playground) -> None:
    """What a form holds at first is shown."""
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    box = {"text": {"type": "plain_text", "text": "Guests"}, "value": "yes"}
    other = {"text": {"type": "plain_text", "text": "Others"}, "value": "no"}
    elements: list[dict[str, Any]] = [
        {"type": "conversations_select", "initial_conversation": general.id},
        {"type": "multi_users_select", "initial_users": [alice.id]},
        {"type": "static_select", "options": [box, other], "initial_option": other},
        {"type": "static_select", "options": [box, other]},
        {"type": "checkboxes", "options": [box, other], "initial_options": [box]},
    ]
    label = {"type": "plain_text", "text": "Field"}
    fields = [{"type": "input", "label": label, "element": element} for element in elements]

    assert list(transcript.shown(slack.world, fields)) == [
        "Field: <#general>",
        "Field: <@Alice>",
        "Field: <Others>",
        "Field: <Guests | Others>",
        "Field: ☑ Guests ☐ Others",
    ]
