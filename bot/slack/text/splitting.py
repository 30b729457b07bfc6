"""Long texts in pieces that fit, parted where readers would part them. Nothing is lost."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from bot.slack.text.defuse import Form, defuse

_BORDERS: Final = ("\n\n", "\n", ". ", " ")
"""Where a text is parted, the best first."""

_FENCE: Final = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})")
_ROW: Final = re.compile(r"[ \t]{0,3}\|")
_RULE: Final = re.compile(r"[ \t]{0,3}\|[\s:|-]+\|?[ \t]*")
_LONGEST_FENCE: Final = 200
"""Of a fence's first line that is repeated where its code is parted."""


def pieces(form: Form, text: str, most: int) -> Iterator[str]:
    """The text in pieces whose defused form has `most` characters at the most."""
    rest = text.strip("\n")
    while rest:
        head = rest[:most]
        while len(defuse(form, head)) > most:
            head = head[: max(1, len(head) * 3 // 4)]
        head = rest[: _border(rest, len(head))]
        if head.strip():
            yield head.strip("\n")
        rest = rest[len(head) :]


def _border(text: str, longest: int) -> int:
    """Return how much of `text` the next piece takes.

    It ends at the last good border in its second half.
    """
    if len(text) <= longest:
        return len(text)
    for border in _BORDERS:
        at = text.rfind(border, longest // 2, longest)
        if at > 0:
            return at + len(border)
    return longest


def markdown_pieces(text: str, most: int) -> list[str]:
    """Defused Markdown in pieces of `most` characters at the most, on the borders of its blocks.

    Tables are parted between rows and get their header again, code is closed and opened again.
    """
    packed: list[str] = []
    for block in _blocks(text):
        taken = len(packed[-1]) + 2 if packed else 0
        for part in _fitting(block, most, taken):
            if packed and len(packed[-1]) + 2 + len(part) <= most:
                packed[-1] += f"\n\n{part}"
            else:
                packed.append(part)
    return packed


def _blocks(text: str) -> Iterator[list[str]]:
    """The lines of each block: a paragraph, a list, a table, a fence with its code."""
    block: list[str] = []
    fence = ""
    for each in text.split("\n"):
        marker = _FENCE.match(each)
        if not fence and not each.strip():
            if block:
                yield block
            block = []
            continue
        if marker and not fence:
            if block:
                yield block
            block, fence = [], marker[1]
        elif marker and marker[1].startswith(fence) and not each.strip(" \t`~"):
            yield [*block, each]
            block, fence = [], ""
            continue
        block.append(each)
    if block:
        yield block


def _fitting(block: list[str], most: int, taken: int) -> Iterable[str]:
    """The block whole, or in parts of which the first goes well behind `taken` characters."""
    if len(whole := "\n".join(block)) <= most:
        return [whole]
    if opening := _FENCE.match(block[0]):
        head = block[0] if len(block[0]) <= _LONGEST_FENCE else opening[1]
        is_closed = len(block) > 1 and _FENCE.match(block[-1]) is not None
        lines = [*([] if head == block[0] else block[:1]), *block[1 : -1 if is_closed else None]]
        return _framed(lines, [head], [opening[1]], most, taken)
    is_table = len(block) > 1 and _ROW.match(block[0]) and _RULE.fullmatch(block[1])
    if is_table and len(block[0]) + len(block[1]) <= most // 2:
        return _framed(block[2:], block[:2], [], most, taken)
    return _framed(block, [], [], most, taken)


def _framed(
    lines: Iterable[str], head: list[str], foot: list[str], most: int, taken: int
) -> Iterator[str]:
    """Lines in groups, each with a head and a foot; a line that is too long is parted itself."""
    room = most - sum(len(each) + 1 for each in (*head, *foot))
    group: list[str] = []
    # In a message that is nearly full a part would hold a line or two: it begins a new one.
    length = taken if taken < room * 3 // 4 else 0
    for each in lines:
        for part in list(pieces("markdown", each, room)) if len(each) > room else [each]:
            if group and length + len(part) + 1 > room:
                yield "\n".join([*head, *group, *foot])
                group, length = [], 0
            group.append(part)
            length += len(part) + 1
    if group:
        yield "\n".join([*head, *group, *foot])
