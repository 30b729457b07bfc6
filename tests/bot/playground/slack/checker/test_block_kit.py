from typing import Any

import pytest

from bot.playground.slack.checker.block_kit import BLOCKS, violations
from bot.playground.slack.checker.checks import Surface


def plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}


def button(text: str = "Go", **more: Any) -> dict[str, Any]:
    return {"type": "button", "text": plain(text), "action_id": "go", **more}


def section(text: str = "hello", **more: Any) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}, **more}


def markdown(length: int) -> dict[str, Any]:
    return {"type": "markdown", "text": "a" * length}


def modal(*blocks: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "modal", "title": plain("Link"), "blocks": list(blocks), **more}


ASKED = {
    "type": "input",
    "label": plain("Which year?"),
    "element": {"type": "plain_text_input", "action_id": "year"},
}
SELECT = {
    "type": "static_select",
    "action_id": "pick",
    "options": [{"text": plain(f"W{n}"), "value": f"w{n}"} for n in range(100)],
}
ROW = [{"type": "raw_text", "text": "Year"}, {"type": "raw_number", "value": 2, "text": "2"}]
MESSAGE_BLOCKS: list[dict[str, Any]] = [
    section("a" * 3000, accessory=button()),
    {"type": "section", "fields": [{"type": "mrkdwn", "text": "a" * 2000}] * 10},
    {"type": "header", "text": plain("a" * 150)},
    {"type": "divider"},
    markdown(12_000),
    {"type": "context", "elements": [{"type": "mrkdwn", "text": "a"}] * 10},
    {"type": "actions", "elements": [button("a" * 75, action_id=f"a{n}") for n in range(25)]},
    {"type": "actions", "elements": [SELECT]},
    {
        "type": "context_actions",
        "elements": [
            {
                "type": "feedback_buttons",
                "action_id": "vote",
                "positive_button": {"text": plain("Good"), "value": "up"},
                "negative_button": {"text": plain("Bad"), "value": "down"},
            }
        ],
    },
    {
        "type": "plan",
        "title": "Working",
        "tasks": [
            {
                "type": "task_card",
                "task_id": f"t{n}",
                "title": "Search",
                "status": "pending",
                "sources": [{"type": "url", "url": "https://example.com", "text": "a"}],
            }
            for n in range(50)
        ],
    },
    {"type": "task_card", "task_id": "t", "title": "Search", "status": "complete"},
    {"type": "data_table", "caption": "Figures", "rows": [ROW] * 201},
    {
        "type": "data_visualization",
        "title": "Sales",
        "chart": {
            "type": "bar",
            "series": [{"name": "2025", "data": [{"label": "Q1", "value": 1.5}]}],
            "axis_config": {"categories": ["Q1"]},
        },
    },
    {
        "type": "rich_text",
        "elements": [
            {"type": "rich_text_section", "elements": [{"type": "text", "text": "found"}]}
        ],
    },
    ASKED,
]


@pytest.mark.parametrize("block", MESSAGE_BLOCKS, ids=lambda block: block["type"])
def test_block_at_limit_is_valid(block: dict[str, Any]) -> None:
    """A block at its limit may be posted."""
    assert violations("message", {"text": "said", "blocks": [block]}) == []


TOO_MUCH: list[tuple[dict[str, Any], str]] = [
    (section("a" * 3001), "must be less than 3001 characters [json-pointer:/blocks/0/text/text]"),
    (section(""), "must be more than 0 characters [json-pointer:/blocks/0/text/text]"),
    ({"type": "section"}, "must have text or fields"),
    ({"type": "section", "fields": [plain("a")] * 11}, "no more than 10 items allowed"),
    ({"type": "section", "fields": [plain("a" * 2001)]}, "must be less than 2001 characters"),
    ({"type": "header", "text": plain("a" * 151)}, "must be less than 151 characters"),
    ({"type": "header", "text": {"type": "mrkdwn", "text": "a"}}, "unsupported type: mrkdwn"),
    (markdown(12_001), "must be less than 12001 characters"),
    ({"type": "context", "elements": [plain("a")] * 11}, "no more than 10 items"),
    (
        {"type": "actions", "elements": [button(action_id=f"a{n}") for n in range(26)]},
        "no more than 25 items",
    ),
    ({"type": "actions", "elements": [button("a" * 76)]}, "must be less than 76 characters"),
    ({"type": "actions", "elements": [button(value="a" * 2001)]}, "less than 2001 characters"),
    ({"type": "actions", "elements": [button(action_id="a" * 256)]}, "less than 256 characters"),
    ({"type": "actions", "elements": [button(), button()]}, "action_id already exists: go"),
    ({"type": "actions", "elements": [button(style="loud")]}, "one of primary, danger"),
    ({"type": "actions", "elements": [button(colour="red")]}, "invalid additional property"),
    ({"type": "actions", "elements": [ASKED["element"]]}, "unsupported type: plain_text_input"),
    ({"type": "plan", "title": "a", "tasks": [{}] * 51}, "no more than 50 items"),
    ({"type": "task_card", "task_id": "t", "title": "a", "status": "pending"}, "tasks of a plan"),
    ({"type": "data_table", "caption": "a", "rows": [ROW] * 202}, "no more than 201 items"),
    ({"type": "data_table", "caption": "a", "rows": [ROW, ROW[:1]]}, "as many cells"),
    (
        {
            "type": "data_table",
            "caption": "a",
            "rows": [[{"type": "raw_text", "text": "a" * 3000}]] * 7,
        },
        "less than 20001 characters in all",
    ),
    ({"type": "alert", "text": plain("a")}, "unsupported type: alert in a message"),
    ({"type": "divider", "text": "a"}, "invalid additional property: text"),
    ({"type": "marquee"}, "unsupported block type: marquee"),
    ({"type": ["section"]}, "unsupported block type"),
    ({**section(), "block_id": "a" * 256}, "must be less than 256 characters"),
]


@pytest.mark.parametrize(("block", "problem"), TOO_MUCH, ids=lambda case: str(case)[:40])
def test_one_over_a_limit_is_refused(block: dict[str, Any], problem: str) -> None:
    found = violations("message", {"text": "said", "blocks": [block]})

    assert any(problem in violation for violation in found), found


class TestMessages:
    def test_fifty_blocks_and_no_more(self) -> None:
        assert violations("message", {"blocks": [section()] * 50}) == []
        assert violations("message", {"blocks": [section()] * 51}) == [
            "no more than 50 items allowed [json-pointer:/blocks]"
        ]

    def test_markdown_blocks_share_one_limit(self) -> None:
        assert violations("message", {"blocks": [markdown(6000), markdown(6000)]}) == []
        assert violations("message", {"blocks": [markdown(6000), markdown(6001)]}) == [
            "markdown must be less than 12001 characters in all [json-pointer:/blocks]"
        ]

    def test_two_charts_and_no_more(self) -> None:
        chart = next(block for block in MESSAGE_BLOCKS if block["type"] == "data_visualization")

        assert violations("message", {"blocks": [chart] * 2}) == []
        assert "no more than 2" in violations("message", {"blocks": [chart] * 3})[0]

    def test_a_block_id_stands_once(self) -> None:
        twice = {"blocks": [section(block_id="a"), section(block_id="a")]}

        assert "block_id already exists: a" in violations("message", twice)[0]

    @pytest.mark.parametrize(
        ("payload", "problem"),
        [
            ({}, "must have text, blocks or attachments"),
            ({"text": "a" * 40_001}, "must be less than 40001 characters"),
            ({"text": "a", "metadata": {"event_type": "x"}}, "field: event_payload"),
            (
                {"text": "a", "metadata": {"event_type": "x", "event_payload": {"a": "b" * 8000}}},
                "less than 8001 characters",
            ),
            ({"blocks": "[]"}, "must provide an array"),
            ({"blocks": [None]}, "unsupported block type"),
        ],
    )
    def test_fields_beside_blocks_are_checked(self, payload: dict[str, Any], problem: str) -> None:
        """What stands beside the blocks is checked."""
        found = violations("message", payload)

        assert any(problem in violation for violation in found), found


class TestViews:
    def test_modal_at_limits_is_valid(self) -> None:
        """A modal at its limits may be opened."""
        view = modal(
            *[section()] * 99,
            ASKED,
            title=plain("a" * 24),
            submit=plain("a" * 24),
            close=plain("a" * 24),
            private_metadata="a" * 3000,
            callback_id="a" * 255,
        )

        assert violations("modal", view) == []

    @pytest.mark.parametrize(
        ("view", "problem"),
        [
            (modal(section(), title=plain("a" * 25)), "less than 25 characters"),
            (modal(section(), submit=plain("a" * 25)), "less than 25 characters"),
            (modal(section(), close=plain("a" * 25)), "less than 25 characters"),
            (modal(section(), private_metadata="a" * 3001), "less than 3001"),
            (modal(section(), callback_id="a" * 256), "less than 256"),
            (modal(*[section()] * 101), "no more than 100 items"),
            (modal(ASKED), "missing required field: submit"),
            (modal(section(), colour="red"), "invalid additional property: colour"),
            ({"type": "modal", "blocks": []}, "missing required field: title"),
            ({"type": "home", "blocks": []}, "must be one of modal"),
        ],
    )
    def test_a_modal_over_them_is_refused(self, view: dict[str, Any], problem: str) -> None:
        found = violations("modal", view)

        assert any(problem in violation for violation in found), found

    def test_a_home_has_no_title(self) -> None:
        assert violations("home", {"type": "home", "blocks": [section()]}) == []
        assert violations("home", {"type": "home", "title": plain("a"), "blocks": []}) == [
            "invalid additional property: title [json-pointer:/view]"
        ]

    @pytest.mark.parametrize(
        ("kind", "surfaces"),
        [
            ("alert", {"modal"}),
            *[
                (kind, {"message"})
                for kind in (
                    "markdown",
                    "plan",
                    "task_card",
                    "context_actions",
                    "data_table",
                    "data_visualization",
                )
            ],
            *[(kind, {"message", "modal", "home"}) for kind in ("section", "actions", "header")],
        ],
    )
    def test_block_is_valid_only_where_allowed(self, kind: str, surfaces: set[Surface]) -> None:
        """A block stands only where slack shows it."""
        assert BLOCKS[kind].surfaces == surfaces
