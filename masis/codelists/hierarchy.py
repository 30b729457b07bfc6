"""Find the parents of codes: by a column, by levels that nest, or by what codes begin with."""

import re
from collections.abc import Sequence
from typing import Final

FEWEST_WITH_PARENTS: Final = 0.5
"""Of the codes that are not of the shortest form: fewer that begin like another one do so by chance."""
_SEPARATORS: Final = re.compile(r"[./\-_: ]+$")
_LEVEL: Final = re.compile(r"\d+")


def by_column(codes: Sequence[str], named: Sequence[str]) -> dict[str, str]:
    """Return the parents as a column names them; what is no code of the list is none."""
    known = set(codes)
    pairs = zip(codes, named, strict=True)
    return _without_circles(
        {code: above for code, above in pairs if above in known and above != code}
    )


def by_level(codes: Sequence[str], levels: Sequence[str]) -> dict[str, str]:
    """Return as parent of each code the last one before it that is of a higher level."""
    open_: list[tuple[int, str]] = []
    found: dict[str, str] = {}
    for code, said in zip(codes, levels, strict=True):
        number = _LEVEL.search(said)
        level = int(number[0]) if number else 1
        while open_ and open_[-1][0] >= level:
            open_.pop()
        if open_:
            found[code] = open_[-1][1]
        open_.append((level, code))
    return found


def by_prefix(codes: Sequence[str]) -> dict[str, str]:
    """Return as parent of each code the longest other one that it begins with, where codes are made so."""
    if _are_running_numbers(codes):
        return {}
    # 1000, 1100 and 1110 are filled up to one length; 23, 230 and 2300 are not.
    is_filled = are_of_one_length(codes)
    own = {code: _stem(code, is_filled=is_filled) for code in codes}
    stems = {stem: code for code, stem in reversed(own.items())}
    found: dict[str, str] = {}
    for code in codes:
        above = _longest(own[code], stems, code)
        if above:
            found[code] = above
    shortest = min(map(len, own.values()), default=0)
    deep = [code for code in codes if len(own[code]) > shortest]
    return found if deep and len(found) >= FEWEST_WITH_PARENTS * len(deep) else {}


def are_of_one_length(codes: Sequence[str]) -> bool:
    """Tell whether codes are filled up to one length, so that groups among them are not to be told by it."""
    return len({len(code) for code in codes}) == 1


def levels(codes: Sequence[str], parents: dict[str, str]) -> dict[str, int]:
    """Count for each code how deep it is, from 1 at the top."""
    found: dict[str, int] = {}
    for code in codes:
        path = [code]
        while path[-1] in parents and path[-1] not in found:
            path.append(parents[path[-1]])
        for each in reversed(path):
            above = parents.get(each)
            found[each] = found[above] + 1 if above else 1
    return found


def _stem(code: str, *, is_filled: bool) -> str:
    """Return what the codes below one begin with: `1200` and `1.2.` without what fills them up.

    The zero of `T0` fills nothing up: it is the number.
    """
    plain = _SEPARATORS.sub("", code)
    stripped = plain.rstrip("0") if is_filled and plain[-1:].isdigit() else plain
    has_number = any(each.isdigit() for each in stripped)
    return _SEPARATORS.sub("", stripped if has_number else plain) or plain


def _longest(stem: str, stems: dict[str, str], code: str) -> str:
    for end in range(len(stem) - 1, 0, -1):
        above = stems.get(_SEPARATORS.sub("", stem[:end]), "")
        if above and above != code:
            return above
    return ""


def _are_running_numbers(codes: Sequence[str]) -> bool:
    if not all(code.isdigit() for code in codes) or any(code.startswith("0") for code in codes):
        return False
    numbers = {int(code) for code in codes}
    return max(numbers) - min(numbers) < 1.2 * len(numbers)


def _without_circles(parents: dict[str, str]) -> dict[str, str]:
    sound: dict[str, str] = {}
    for code, above in parents.items():
        seen, at = {code}, above
        while at in sound and at not in seen:
            seen.add(at)
            at = sound[at]
        if at not in seen:
            sound[code] = above
    return sound
