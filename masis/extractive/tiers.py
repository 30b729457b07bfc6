"""Find the rows of a table that are meant: the step that holds a figure, the number or the kind that is named.

Steps are "up to £250", "25 or more". Pure. Who asks for 12,000 shares no word with "above £10,000".
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from masis.extractive.selection import cells_of, table_of
from masis.retrieval.extraction import Scored
from masis.text import numbered
from masis.text.lexical import terms
from masis.text.quantities import Quantity, in_base, quantities
from masis.words import synonyms

TIER_LEAD: Final = 0.15
"""The row that holds the figure scores so much more than the best of its table: the words of such
rows say nothing, and their order is chance."""
FEWEST_TIERS: Final = 2
"""Rows with limits in one column that make steps; a lone limit is a fact like any other."""
JUST_OVER: Final = 1.001
"""What is over a figure: the next step begins with it, or a penny above it."""
_ITEM_CHARS: Final = 60
"""Of a list item the limit stands at its beginning: "Up to 1,000 EUR: Gwen"."""
_CURRENCIES: Final = frozenset("£$€")
_CLOCK = re.compile(r"\b\d{1,2}[:.]\d{2}\b")
_OVER = re.compile(r"\b(?:above|beyond|exceeding)(?= [£$€\d])", re.IGNORECASE)
_UNDER = re.compile(r"\b(?:below|under)(?= [£$€\d])", re.IGNORECASE)
_UP_TO = re.compile(
    r"\A(?P<before>[-*•\s]*(?:from )?)(?P<least>(?P<sign>[£$€]?)\d[\d.,]*) up to (?=(?P=sign)\d)",
    re.IGNORECASE,
)
"""A range, where the cell begins with it: "Level 1 up to £500" is none."""
_AND_MORE = re.compile(
    r"(?P<figure>\d(?: (?:hours?|days?|weeks?|months?|years?))?)(?: [a-z]+)?,? (?:or|and) (?:more|over|above)\b",
    re.IGNORECASE,
)


class _Tier(NamedTuple):
    scored: Scored
    label: str
    limits: Quantity


def of_the_tier(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Return the passages with the step that holds the question's figure first in its table.

    The other steps of that table go. Where no step holds it everything stays.
    """
    asked = [each.value for each in quantities(_CLOCK.sub(" ", _plain(question)))]
    if not asked:
        return list(scored)
    lifted: dict[tuple[str, int], float] = {}
    gone: set[tuple[str, int]] = set()
    for steps in _tables(scored):
        held = _narrowest([t for t in steps if any(_holds(t, each) for each in asked)])
        if held and len(steps) >= FEWEST_TIERS:
            top = max(t.scored.score for t in steps) + TIER_LEAD
            lifted |= {t.scored.passage.key: top for t in held}
            gone |= {t.scored.passage.key for t in steps}
    return [
        replace(s, score=lifted.get(s.passage.key, s.score))
        for s in scored
        if s.passage.key in lifted or s.passage.key not in gone
    ]


def of_the_number(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Return the passages without rows of other numbers, where a table has the row of the asked one.

    "Year 8" is in the row "Years 7 to 9". Where no row holds the number everything stays.
    """
    asked = numbered.things(question)
    rows: dict[tuple[str, str, str], list[tuple[Scored, set[int]]]] = defaultdict(list)
    for s in scored if asked else ():
        for column, value in cells_of(s)[:1]:
            named = numbered.things(f"{column} {value}")
            for name in asked.keys() & named.keys():
                rows[(*table_of(s), name)].append((s, named[name]))
    gone: set[tuple[str, int]] = set()
    for (_, _, name), steps in rows.items():
        if any(asked[name] <= numbers for _, numbers in steps):
            gone |= {s.passage.key for s, numbers in steps if asked[name].isdisjoint(numbers)}
    return [s for s in scored if s.passage.key not in gone]


def of_the_kind(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Return the passages without rows of other kinds, where a table has rows of the kind that is named.

    The first word of a row tells its kind: "Meals, abroad" beside "Hotel, London" and "Hotel, Leeds". A
    question names one by that word or by one that means the same.
    """
    asked = [frozenset({term}) for term in terms(question)]
    asked += [
        frozenset(terms(other))
        for each in synonyms.found(question, synonyms.bundled())
        for other in each.others
    ]
    kinds = {s.passage.key: kind for s in scored if (kind := _kind(s))}
    rows: dict[tuple[str, str], list[Scored]] = defaultdict(list)
    for s in scored:
        if s.passage.key in kinds:
            rows[table_of(s)].append(s)
    others: set[tuple[str, int]] = set()
    for table in rows.values():
        counts = Counter(kinds[s.passage.key] for s in table)
        meant = {kind for kind in counts if frozenset({kind}) in asked}
        if meant and max(counts.values()) > 1:
            others |= {s.passage.key for s in table if kinds[s.passage.key] not in meant}
    return [s for s in scored if s.passage.key not in others]


def _kind(scored: Scored) -> str:
    """The first word of a row, where it is one: codes and figures are no kinds."""
    first = next(iter(cells_of(scored)), ("", ""))[1]
    said = terms(first.partition(" ")[0])
    return said[0] if said and said[0].isalpha() else ""


def _tables(scored: Iterable[Scored]) -> Iterable[list[_Tier]]:
    """The steps of each list and of each column of a table."""
    found: dict[tuple[str, ...], list[_Tier]] = defaultdict(list)
    for s in scored:
        if s.passage.unit.kind == "list_item":
            where = (s.passage.chunk.document_id, s.passage.heading, s.passage.lead)
            found[where] += _limited(s, "", s.passage.text[:_ITEM_CHARS])
        for column, value in cells_of(s)[:1]:
            found[(*table_of(s), column)] += _limited(s, column, value)
    return found.values()


def _limited(scored: Scored, column: str, value: str) -> list[_Tier]:
    """The passage as a step, where the first figure in it is a limit or a range."""
    first = next(iter(quantities(_plain(value))), None)
    if first is None or (first.value.least is None and first.value.most is None):
        return []
    return [_Tier(scored, f"{column} {value}".casefold(), first.value)]


def _holds(tier: _Tier, asked: Quantity) -> bool:
    """Say whether a figure lies within a step. "Over 500" begins right above it."""
    if not _is_comparable(tier, asked):
        return False
    wanted, limits = asked, tier.limits
    if wanted.dimension and limits.dimension:
        wanted, limits = in_base(wanted), in_base(limits)
    is_open = wanted.least == wanted.value and wanted.most == float("inf")
    value = wanted.value * JUST_OVER if is_open else wanted.value
    return _least(limits) <= value <= _most(limits)


def _is_comparable(tier: _Tier, asked: Quantity) -> bool:
    """Say whether both are of one dimension.

    A plain figure may be money, and a column may name the unit.
    """
    one, other = in_base(asked).dimension, in_base(tier.limits).dimension
    if one == other:
        return True
    if not one or not other:
        return (one or other) in _CURRENCIES or (not other and asked.dimension in tier.label)
    return False


def _least(limits: Quantity) -> float:
    return limits.least or 0.0


def _most(limits: Quantity) -> float:
    return float("inf") if limits.most is None else limits.most


def _narrowest(held: Sequence[_Tier]) -> list[_Tier]:
    """Of "over 1,500" and "over 4,000" the one that begins last, then the one that ends first."""
    if not held:
        return []
    least = max(_least(t.limits) for t in held)
    from_there = [t for t in held if _least(t.limits) == least]
    most = min(_most(t.limits) for t in from_there)
    return [t for t in from_there if _most(t.limits) == most]


def _plain(text: str) -> str:
    """The text with the words for limits that `quantities` reads."""
    text = _UP_TO.sub(r"\g<before>\g<least>–", text)
    said = _UNDER.sub("less than", _OVER.sub("more than", text))
    return _AND_MORE.sub(r"\g<figure> or more", said)
