"""The grammar of the elements inside blocks: buttons, menus, inputs, feedback."""

from collections.abc import Mapping
from typing import Final

from bot.playground.slack.checker.checks import (
    Check,
    Shape,
    anything,
    flag,
    integer,
    items,
    made_of,
    one_of,
    plain,
    shaped,
    string,
    text,
)
from bot.slack import limits

_confirm: Final = made_of(
    {
        "title": plain(limits.CONFIRM_TITLE),
        "text": text(limits.CONFIRM_TEXT),
        "confirm": plain(limits.CONFIRM_BUTTON),
        "deny": plain(limits.CONFIRM_BUTTON),
        "style": one_of("primary", "danger"),
    },
    "title",
    "text",
    "confirm",
    "deny",
)


def _option(*kinds: str) -> Check:
    return made_of(
        {
            "text": text(limits.OPTION_TEXT, *kinds),
            "value": string(limits.OPTION_VALUE),
            "description": text(limits.OPTION_DESCRIPTION, *kinds),
            "url": string(limits.URL),
        },
        "text",
        "value",
    )


_group: Final = made_of(
    {"label": plain(limits.OPTION_TEXT), "options": items(limits.OPTIONS, _option("plain_text"))},
    "label",
    "options",
)
_action: Final[Mapping[str, Check]] = {
    "action_id": string(limits.ACTION_ID),
    "confirm": _confirm,
    "focus_on_load": flag,
}
_button: Final = Shape(
    {
        **_action,
        "text": plain(limits.BUTTON_TEXT),
        "value": string(limits.BUTTON_VALUE, least=0),
        "url": string(limits.URL),
        "style": one_of("primary", "danger"),
        "accessibility_label": string(limits.BUTTON_TEXT),
        "agent_prompt": string(4_000),
    },
    ("text",),
)
_feedback: Final = made_of(
    {
        "text": plain(limits.BUTTON_TEXT),
        "value": string(limits.BUTTON_VALUE),
        "accessibility_label": string(limits.BUTTON_TEXT),
    },
    "text",
    "value",
)
IMAGE: Final[Mapping[str, Check]] = {
    "image_url": string(limits.URL),
    "alt_text": string(limits.ALT_TEXT),
    "slack_file": anything,
}


def _choices(most: int, *kinds: str) -> Check:
    return made_of(
        {
            **_action,
            "options": items(most, _option(*kinds)),
            "initial_options": items(most, _option(*kinds)),
            "initial_option": _option(*kinds),
        },
        "options",
    )


def _menu(fields: Mapping[str, Check], *required: str) -> Check:
    return made_of({**_action, "placeholder": plain(limits.PLACEHOLDER), **fields}, *required)


def _several(fields: Mapping[str, Check], *required: str) -> Check:
    return _menu({**fields, "max_selected_items": integer(1, limits.OPTIONS)}, *required)


def _written(fields: Mapping[str, Check]) -> Check:
    """An input that is typed into."""
    return _menu(
        {"initial_value": string(limits.INPUT_VALUE, least=0), "dispatch_action_config": anything}
        | dict(fields)
    )


_listed: Final[Mapping[str, Check]] = {
    "options": items(limits.OPTIONS, _option("plain_text")),
    "option_groups": items(limits.OPTION_GROUPS, _group),
}
_ids: Final = items(limits.OPTIONS, string(limits.ACTION_ID))
_conversations: Final[Mapping[str, Check]] = {
    "default_to_current_conversation": flag,
    "filter": anything,
}
_answers: Final[Mapping[str, Check]] = {"response_url_enabled": flag}

MENUS: Final[Mapping[str, Check]] = {
    "checkboxes": _choices(limits.CHECKBOX_OPTIONS),
    "radio_buttons": _choices(limits.RADIO_OPTIONS),
    "static_select": _menu({**_listed, "initial_option": _option("plain_text")}),
    "multi_static_select": _several(
        {**_listed, "initial_options": items(limits.OPTIONS, _option("plain_text"))}
    ),
    "external_select": _menu(
        {"min_query_length": integer(0, 255), "initial_option": _option("plain_text")}
    ),
    "multi_external_select": _several({"min_query_length": integer(0, 255)}),
    "users_select": _menu({"initial_user": string(limits.ACTION_ID)}),
    "multi_users_select": _several({"initial_users": _ids}),
    "channels_select": _menu({"initial_channel": string(limits.ACTION_ID), **_answers}),
    "multi_channels_select": _several({"initial_channels": _ids}),
    "conversations_select": _menu(
        {"initial_conversation": string(limits.ACTION_ID), **_conversations, **_answers}
    ),
    "multi_conversations_select": _several({"initial_conversations": _ids, **_conversations}),
    "datepicker": _menu({"initial_date": string(10)}),
    "timepicker": _menu({"initial_time": string(5), "timezone": string(50)}),
    "datetimepicker": _menu({"initial_date_time": integer(0, 9_999_999_999)}),
}
"""Elements that stand in actions, beside a section, and as inputs."""

BUTTONS: Final[Mapping[str, Check]] = {
    "button": shaped(_button),
    "workflow_button": made_of({**_button.fields, "workflow": anything}, "text", "workflow"),
    "overflow": made_of(
        {**_action, "options": items(limits.OVERFLOW_OPTIONS, _option("plain_text"))}, "options"
    ),
}
INPUTS: Final[Mapping[str, Check]] = {
    **MENUS,
    "plain_text_input": _written(
        {
            "multiline": flag,
            "min_length": integer(0, limits.INPUT_VALUE),
            "max_length": integer(1, limits.INPUT_VALUE),
        }
    ),
    "email_text_input": _written({}),
    "url_text_input": _written({}),
    "number_input": _written(
        {"is_decimal_allowed": flag, "min_value": string(20), "max_value": string(20)}
    ),
    "rich_text_input": _menu({"initial_value": anything, "dispatch_action_config": anything}),
    "file_input": made_of(
        {
            "action_id": string(limits.ACTION_ID),
            "filetypes": items(limits.OPTIONS, string(20)),
            "max_files": integer(1, limits.INPUT_FILES),
        }
    ),
}
FEEDBACK: Final[Mapping[str, Check]] = {
    "feedback_buttons": made_of(
        {
            "action_id": string(limits.ACTION_ID),
            "positive_button": _feedback,
            "negative_button": _feedback,
        },
        "positive_button",
        "negative_button",
    ),
    "icon_button": made_of(
        {
            **_action,
            "icon": one_of("trash"),
            "text": plain(limits.BUTTON_TEXT),
            "value": string(limits.BUTTON_VALUE),
            "accessibility_label": string(limits.BUTTON_TEXT),
            "visible_to_user_ids": items(limits.OPTIONS, string(limits.ACTION_ID)),
        },
        "icon",
        "text",
    ),
}
