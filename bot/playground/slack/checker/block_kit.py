"""The grammar of Slack's blocks and views, with every length taken from the table of limits.

Fields that a block does not have are refused, as Slack refuses them.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from bot.playground.slack.checker.checks import (
    Check,
    Surface,
    anything,
    flag,
    integer,
    items,
    made_of,
    number,
    of_type,
    one_of,
    plain,
    string,
    text,
    typed,
    wrong,
)
from bot.playground.slack.checker.elements import BUTTONS, FEEDBACK, IMAGE, INPUTS, MENUS
from bot.slack import limits

EVERYWHERE: Final[frozenset[Surface]] = frozenset({"message", "modal", "home"})
IN_MESSAGES: Final[frozenset[Surface]] = frozenset({"message"})
IN_MODALS: Final[frozenset[Surface]] = frozenset({"modal"})
"""Which block stands where: [ref: each block's page]; alerts in modals alone, and what belongs to
a conversation in messages alone."""

_picture: Final = made_of(IMAGE, "alt_text")
_rich: Final = typed(
    {
        kind: made_of(
            {
                "elements": items(limits.TEXT_OBJECT, anything, least=0),
                "style": anything,
                "indent": integer(0, 8),
                "offset": integer(0, 9_999),
                "border": integer(0, 1),
                "language": string(limits.OPTION_TEXT),
            },
            "elements",
        )
        for kind in (
            "rich_text_section",
            "rich_text_list",
            "rich_text_preformatted",
            "rich_text_quote",
        )
    }
)
_rich_text: Final = made_of({"elements": items(limits.TEXT_OBJECT, _rich)}, "elements")
_rich_block: Final = typed({"rich_text": _rich_text})
_source: Final = typed(
    {"url": made_of({"url": string(limits.URL), "text": string(150)}, "url", "text")}
)
_task: Final = made_of(
    {
        "block_id": string(limits.BLOCK_ID),
        "task_id": string(limits.BLOCK_ID),
        "title": string(limits.TEXT_OBJECT),
        "status": one_of("pending", "in_progress", "complete", "error"),
        "details": _rich_block,
        "output": _rich_block,
        "sources": items(limits.PLAN_TASKS, _source, least=0),
    },
    "task_id",
    "title",
)


def _card_of_its_own(value: object, place: str) -> Iterator[str]:
    yield from _task(value, place)
    if isinstance(value, dict) and value.get("status", "pending") == "pending":
        yield wrong("pending is for tasks of a plan", f"{place}/status")


_raw_text: Final = made_of({"text": string(limits.TEXT_OBJECT, least=0)}, "text")
_raw_number: Final = made_of({"value": number, "text": string(limits.TEXT_OBJECT)}, "value")
_cell: Final = typed({"raw_text": _raw_text, "raw_number": _raw_number, "rich_text": _rich_text})


def _table(value: object, place: str) -> Iterator[str]:
    """Rows of a data table: as long as the first, which is the header."""
    yield from items(limits.DATA_TABLE_ROWS, items(limits.TABLE_COLUMNS, _cell), least=2)(
        value, place
    )
    rows = [row for row in value if isinstance(row, list)] if isinstance(value, list) else []
    for at, row in enumerate(rows):
        if len(row) != len(rows[0]):
            yield wrong("must have as many cells as the first row", f"{place}/{at}")
    letters = sum(len(_shown(cell)) for row in rows for cell in row)
    if letters > limits.DATA_TABLE_TEXT:
        yield wrong(f"must be less than {limits.DATA_TABLE_TEXT + 1} characters in all", place)


def _shown(cell: object) -> str:
    return str(cell.get("text") or cell.get("value") or "") if isinstance(cell, dict) else ""


_label: Final = string(limits.CHART_LABEL)
_point: Final = made_of({"label": _label, "value": number}, "label", "value")
_axes_and_series: Final = made_of(
    {
        "series": items(
            limits.CHART_SERIES,
            made_of(
                {"name": _label, "data": items(limits.CHART_CATEGORIES, _point)}, "name", "data"
            ),
        ),
        "axis_config": made_of(
            {
                "categories": items(limits.CHART_CATEGORIES, _label),
                "x_label": string(limits.CHART_TITLE),
                "y_label": string(limits.CHART_TITLE),
            },
            "categories",
        ),
    },
    "series",
    "axis_config",
)
_slice: Final = made_of({"label": _label, "value": number}, "label", "value")


def _plotted(value: object, place: str) -> Iterator[str]:
    """Check series over shared categories: names of their own, and a value for each category."""
    yield from _axes_and_series(value, place)
    series = value.get("series") if isinstance(value, dict) else None
    axes = value.get("axis_config") if isinstance(value, dict) else None
    listed = [each for each in series if isinstance(each, dict)] if isinstance(series, list) else []
    names = [each.get("name") for each in listed]
    if len(set(map(str, names))) < len(names):
        yield wrong("names of series must be unique", f"{place}/series")
    wanted = axes.get("categories") if isinstance(axes, dict) else None
    for at, each in enumerate(listed):
        points = each.get("data")
        if isinstance(points, list) and isinstance(wanted, list):
            labels = [point.get("label") for point in points if isinstance(point, dict)]
            if labels != wanted:
                yield wrong("labels must match the categories", f"{place}/series/{at}/data")


def _segments(value: object, place: str) -> Iterator[str]:
    """Check the slices of a pie: each a part, and so above zero."""
    yield from items(limits.CHART_SERIES, _slice)(value, place)
    for at, each in enumerate(value if isinstance(value, list) else []):
        worth = each.get("value") if isinstance(each, dict) else None
        if isinstance(worth, int | float) and worth <= 0:
            yield wrong("must be greater than 0", f"{place}/{at}/value")


_chart: Final = typed(
    {
        "pie": made_of({"segments": _segments}, "segments"),
        "bar": _plotted,
        "area": _plotted,
        "line": _plotted,
    }
)
_card: Final = made_of(
    {
        "block_id": string(limits.BLOCK_ID),
        "icon": anything,
        "hero_image": anything,
        "title": text(limits.CARD_TITLE),
        "subtitle": text(limits.CARD_TITLE),
        "body": text(limits.CARD_BODY),
        "actions": items(limits.CONTEXT_ACTIONS_ELEMENTS, typed(BUTTONS)),
    }
)


class Block(NamedTuple):
    """Hold where a kind of block may stand, and the check of what it holds."""

    surfaces: frozenset[Surface]
    check: Check


def _block(where: frozenset[Surface], fields: Mapping[str, Check], *required: str) -> Block:
    return Block(where, made_of({"block_id": string(limits.BLOCK_ID), **fields}, *required))


BLOCKS: Final[Mapping[str, Block]] = {
    "actions": _block(
        EVERYWHERE,
        {"elements": items(limits.ACTIONS_ELEMENTS, typed({**MENUS, **BUTTONS}))},
        "elements",
    ),
    "alert": _block(
        IN_MODALS,
        {
            "text": text(limits.TEXT_OBJECT),
            "level": one_of("default", "info", "warning", "error", "success"),
        },
        "text",
    ),
    "card": Block(IN_MESSAGES, _card),
    "carousel": _block(
        IN_MESSAGES, {"elements": items(limits.CARDS, typed({"card": _card}))}, "elements"
    ),
    "context": _block(
        EVERYWHERE,
        {
            "elements": items(
                limits.CONTEXT_ELEMENTS,
                typed(
                    {
                        "image": _picture,
                        "plain_text": text(limits.TEXT_OBJECT),
                        "mrkdwn": text(limits.TEXT_OBJECT),
                    }
                ),
            )
        },
        "elements",
    ),
    "context_actions": _block(
        IN_MESSAGES,
        {"elements": items(limits.CONTEXT_ACTIONS_ELEMENTS, typed(FEEDBACK))},
        "elements",
    ),
    "data_table": _block(
        IN_MESSAGES,
        {
            "caption": string(limits.TEXT_OBJECT),
            "rows": _table,
            "page_size": integer(1, 100),
            "row_header_column_index": integer(0, limits.TABLE_COLUMNS - 1),
        },
        "caption",
        "rows",
    ),
    "data_visualization": _block(
        IN_MESSAGES, {"title": string(limits.CHART_TITLE), "chart": _chart}, "title", "chart"
    ),
    "divider": _block(EVERYWHERE, {}),
    "file": _block(
        IN_MESSAGES,
        {"external_id": string(limits.EXTERNAL_ID), "source": one_of("remote")},
        "external_id",
        "source",
    ),
    "header": _block(EVERYWHERE, {"text": plain(limits.HEADER_TEXT)}, "text"),
    "image": _block(EVERYWHERE, {**IMAGE, "title": plain(limits.IMAGE_TITLE)}, "alt_text"),
    "input": _block(
        EVERYWHERE,
        {
            "label": plain(limits.INPUT_LABEL),
            "element": typed(INPUTS),
            "hint": plain(limits.INPUT_HINT),
            "optional": flag,
            "dispatch_action": flag,
        },
        "label",
        "element",
    ),
    "markdown": _block(IN_MESSAGES, {"text": string(limits.MARKDOWN_TEXT)}, "text"),
    "plan": _block(
        IN_MESSAGES,
        {
            "title": string(limits.TEXT_OBJECT),
            "tasks": items(limits.PLAN_TASKS, _task, least=0),
        },
        "title",
    ),
    "rich_text": Block(
        EVERYWHERE,
        made_of(
            {"block_id": string(limits.BLOCK_ID), "elements": items(limits.TEXT_OBJECT, _rich)},
            "elements",
        ),
    ),
    "section": _block(
        EVERYWHERE,
        {
            "text": text(limits.SECTION_TEXT),
            "fields": items(limits.SECTION_FIELDS, text(limits.SECTION_FIELD)),
            "accessory": typed({**MENUS, **BUTTONS, "image": _picture}),
            "expand": flag,
        },
    ),
    "table": _block(
        IN_MESSAGES,
        {
            "rows": items(limits.TABLE_ROWS, items(limits.TABLE_COLUMNS, _cell)),
            "column_settings": items(limits.TABLE_COLUMNS, anything),
        },
        "rows",
    ),
    "task_card": Block(IN_MESSAGES, _card_of_its_own),
}
"""Kinds that are not listed here are refused; MASIS uses no video, call or container."""

VIEW: Final[Mapping[str, Check]] = {
    "blocks": anything,
    "private_metadata": string(limits.PRIVATE_METADATA, least=0),
    "callback_id": string(limits.CALLBACK_ID, least=0),
    "external_id": string(limits.EXTERNAL_ID, least=0),
}
MODAL: Final = made_of(
    {
        **VIEW,
        "title": plain(limits.VIEW_TITLE),
        "submit": plain(limits.VIEW_SUBMIT),
        "close": plain(limits.VIEW_CLOSE),
        "clear_on_close": flag,
        "notify_on_close": flag,
        "submit_disabled": flag,
    },
    "title",
    "blocks",
)
HOME: Final = made_of(VIEW, "blocks")
METADATA: Final = made_of(
    {"event_type": string(255), "event_payload": of_type(dict, "object"), "entities": anything},
    "event_type",
    "event_payload",
)
# --- the checker -----------------------------------------------------------------------------


def violations(surface: Surface, payload: Mapping[str, object]) -> list[str]:
    """List everything in a message or a view that Slack would refuse.

    Args:
        surface: where it goes.
        payload: the arguments of a message (`text`, `blocks`, `metadata`), or a view.

    Returns:
        Sentences in Slack's form, `must be less than 151 characters
        [json-pointer:/blocks/0/text/text]`; none when it may be sent.
    """
    if surface == "message":
        return [*_message(payload), *block_violations("message", payload.get("blocks") or [])]
    view = dict(payload)
    rules = MODAL if surface == "modal" else HOME
    found = [*one_of(surface)(view.get("type"), "/view/type"), *rules(view, "/view")]
    found += block_violations(surface, view.get("blocks"), "/view/blocks")
    if surface == "modal" and not view.get("submit") and _holds(view.get("blocks"), "input"):
        found.append(wrong("missing required field: submit", "/view"))
    if len(json.dumps(view)) > limits.VIEW_BYTES:
        found.append(wrong(f"must be less than {limits.VIEW_BYTES + 1} bytes", "/view"))
    return found


def _message(payload: Mapping[str, object]) -> Iterator[str]:
    """List what is wrong with a message beside its blocks."""
    text, metadata = payload.get("text"), payload.get("metadata")
    if text is not None:
        yield from string(limits.MESSAGE_TEXT, least=0)(text, "/text")
    if not text and not payload.get("blocks") and not payload.get("attachments"):
        yield wrong("must have text, blocks or attachments", "")
    if metadata is not None:
        yield from METADATA(metadata, "/metadata")
        if len(json.dumps(metadata)) > limits.METADATA_JSON:
            yield wrong(f"must be less than {limits.METADATA_JSON + 1} characters", "/metadata")


def block_violations(surface: Surface, blocks: object, place: str = "/blocks") -> list[str]:
    """List what is wrong with the blocks of one message or view, each alone and all together."""
    most = limits.MESSAGE_BLOCKS if surface == "message" else limits.VIEW_BLOCKS
    found = list(items(most, anything, least=0)(blocks, place))
    listed = blocks if isinstance(blocks, list) else []
    for at, block in enumerate(listed[: most + 1]):
        found += _one_block(surface, block, f"{place}/{at}")
    known = [block for block in listed if isinstance(block, dict)]
    return found + list(_together(known, place))


def _one_block(surface: Surface, block: object, place: str) -> Iterator[str]:
    kind = _kind(block)
    if not isinstance(block, dict) or not isinstance(kind, str) or kind not in BLOCKS:
        yield wrong(f"unsupported block type: {kind}", place)
        return
    rules = BLOCKS[kind]
    if surface not in rules.surfaces:
        yield wrong(f"unsupported type: {kind} in a {surface}", place)
    yield from rules.check(block, place)
    if kind == "section" and not block.get("text") and not block.get("fields"):
        yield wrong("must have text or fields", place)
    if kind == "input" and surface != "modal" and _kind(block.get("element")) == "file_input":
        yield wrong(f"unsupported type: file_input in a {surface}", f"{place}/element")
    yield from _twice(_action_ids(block), "action_id", place)


def _together(blocks: list[dict[str, object]], place: str) -> Iterator[str]:
    """List what a message or view holds too much of.

    It may hold only so much of some things in all.
    """
    written = sum(len(str(block.get("text", ""))) for block in blocks if _kind(block) == "markdown")
    if written > limits.MARKDOWN_TOTAL:
        yield wrong(
            f"markdown must be less than {limits.MARKDOWN_TOTAL + 1} characters in all", place
        )
    if sum(_kind(block) == "data_visualization" for block in blocks) > limits.MESSAGE_CHARTS:
        yield wrong(
            f"no more than {limits.MESSAGE_CHARTS} data_visualization blocks allowed", place
        )
    yield from _twice([block.get("block_id") for block in blocks], "block_id", place)


def _twice(ids: list[object], name: str, place: str) -> Iterator[str]:
    seen = Counter(found for found in ids if isinstance(found, str))
    for repeated, times in seen.items():
        if times > 1:
            yield wrong(f"{name} already exists: {repeated[:40]}", place)


def _action_ids(block: Mapping[str, object]) -> list[object]:
    elements = block.get("elements")
    listed = elements if isinstance(elements, list) else []
    return [element.get("action_id") for element in listed if isinstance(element, dict)]


def _kind(value: object) -> object:
    return value.get("type") if isinstance(value, dict) else None


def _holds(blocks: object, kind: str) -> bool:
    return isinstance(blocks, list) and any(_kind(block) == kind for block in blocks)
