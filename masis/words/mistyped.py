"""Tell whether a word is another one, mistyped.

Pure. A slip keeps the letters: two changed places, one is doubled or missing. Names may differ in
more, since nothing else is meant by them.
"""

from typing import Final

LEAST_CHARS: Final = 4
"""Of a word that may be mistyped: shorter ones are soon another word."""
LONG_WORD: Final = 8
"""From so many characters on two of them may be wrong."""
LONG_STEM: Final = 6
"""From so many characters on one of a stem may be another one (licens, licenc)."""
MAX_CHARS: Final = 30
_ALIKE: Final = """
brake break, brakes breaks, week weak, weeks weaks, site sight cite, sites sights, night knight, nights knights, fare fair,
fares fairs, mail male, principal principle, council counsel, stationery stationary, complement compliment, cheque check,
role roll, roles rolls, board bored, pane pain, plant plan, weather whether, wait weight, waste waist, sale sail, sales sails,
shoes shoos, seller cellar, leave leaf, hire higher, hours ours, meet meat, meeting meating, hole whole, piece peace, pieces peaces,
course coarse, courses coarses, current currant, draft draught, dual duel, ensure insure, insurance ensurance, lease leash,
licence license, practice practise, quite quiet, route root, routes roots, stairs stares, steel steal, tire tyre, tires tyres,
loan lone, loans lones, lessen lesson, allowed aloud, affect effect, affects effects, ware wear, wears wares, profit prophet,
patients patience, personnel personal, seats seeds, policy police, storey story, storeys stories, kernel colonel, aisle isle
"""
"""Words that sound alike, and of which one is typed for the other."""


def sounds_like(word: str) -> list[str]:
    """Return the words that sound like a word, in lower case."""
    groups = (each.split() for each in _ALIKE.replace("\n", " ").split(","))
    return [other for group in groups if word in group for other in group if other != word]


def is_slip(word: str, known: str) -> bool:
    """Return whether a word is the known one but for letters that changed places or went missing."""
    if word == known or not LEAST_CHARS <= len(word) <= MAX_CHARS or word[0] != known[0]:
        return False
    if len(word) == len(known):
        return any(_swapped(word, at) == known for at in range(len(word) - 1))
    shorter, longer = sorted((word, known), key=len)
    return len(longer) - len(shorter) == 1 and any(
        longer[:at] + longer[at + 1 :] == shorter
        for at in range(len(longer))
        if shorter == word or longer[at] == longer[at - 1 : at]
    )


def is_spelt_otherwise(term: str, known: str) -> bool:
    """Return whether two stems are of one word, spelt as elsewhere (centre, center) or with a slip."""
    if is_slip(term, known) or is_slip(known, term):
        return True
    return min(len(term), len(known)) >= LONG_STEM and is_mistyped(term, known)


def is_mistyped(word: str, known: str) -> bool:
    """Return whether a word is so near to the known one that it is meant."""
    allowed = 2 if len(known) >= LONG_WORD else 1
    if min(len(word), len(known)) < LEAST_CHARS or max(len(word), len(known)) > MAX_CHARS:
        return False
    if abs(len(word) - len(known)) > allowed or word.isdigit() or known.isdigit():
        return False
    return 0 < _distance(word, known) <= allowed


def _swapped(word: str, at: int) -> str:
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _distance(one: str, other: str) -> int:
    """Return how many letters to insert, leave out, change or swap make one word the other."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        last, before, row = before, row, [i]
        for j, b in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if last and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
