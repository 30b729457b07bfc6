"""Leave-taking: what somebody says who goes now, behind thanks or before "talk later"."""

import re
from typing import Final

from masis.phrases.small_talk_table import SMALL_TALK
from masis.text.grammars.calendar import WEEKDAYS

MOST_CHARS: Final = 120

_PLACE: Final = (
    r"(?:tram|train|bus|coach|car|plane|flight|ferry|boat|taxi|cab|uber|lift|bike|metro|tube|underground|airport|station|gate"
    r"|call|phone|meeting|stand-?up|workshop|interview|appointment|lunch|lunch break|break|road|motorway|gym|shops?|door|room)"
)
_NOW: Final = (
    r"(?: (?:now|then|again|soon|already|here|anyway|too|for (?:now|today|the day|lunch|a bit)))*"
)
_WHEN: Final = (
    r"(?:later(?: on)?|tonight|tomorrow|tmrw|soon|then|now|again|in a bit|on (?:"
    + "|".join(WEEKDAYS)
    + ")"
    r"|next week|after(?:wards| that| lunch| the meeting| my meeting)|this (?:afternoon|evening)|when (?:i am|i['’]?m) (?:back|home|there))"
)
_I: Final = r"(?:(?:i['’]?m|i am|we['’]?re|we are|am|just|right|about to(?: be)?|already|still|currently|now) )*"
_SOMEWHERE: Final = re.compile(
    rf"{_I}(?:(?:getting|hopping|jumping|sitting|stuck|stepping|heading|going|running|rushing|walking|driving|cycling|boarding|off|out"
    rf"|back|late|entering|catching|leaving) )*(?:on my way |on the way )?(?:(?:on|in|into|at|to|onto|for|from) )?"
    rf"(?:(?:a|an|the|my|our|another) )?{_PLACE}{_NOW}",
    re.IGNORECASE,
)
"""Where somebody is, or goes; alone it may go on with a question."""
_PLACE_ALONE: Final = re.compile(
    rf"(?:(?:on|in|into|at|to|onto|for|from) )?(?:(?:a|an|the|my|our|another) )?{_PLACE}{_NOW}",
    re.IGNORECASE,
)
"""No more than a place, of which nobody says that they are there: "thanks, and the gym" asks about it."""
_GOES: Final = re.compile(
    rf"{_I}(?:"
    rf"(?:i )?(?:must|gotta|got to|have to|need to|should|better|had better|['’]?ve got to|have got to) (?:go|dash|run|rush|leave|be off|shoot"
    rf"|jet|fly|head (?:off|home|out)|catch (?:my|a|the) {_PLACE}|get (?:back|going|on|home|off))(?: to work| home)?"
    r"|(?:heading|going|off|gone|leaving|driving|cycling|walking|away|out|logging|signing|packing)(?: back| off| out| up)*(?: (?:home|to work|to bed|to it|early))?"
    rf"|back to (?:work|it|my desk)|running late|board(?:ing)?|on (?:my|the) way(?: home| out)?"
    rf"|(?:(?:my|the) )?(?:{_PLACE}|battery|kids?|doorbell|boss|signal|laptop)(?:['’]s| is| are)? (?:here|leaving|arriving|coming|dying|dead|ringing"
    r"|calling|going|starting|starts|started|boarding|low)"
    rf"|(?:(?:i['’]?ll|i will|will|gonna|going to) )?(?:(?:read|look at|check|do|sort|see|go through|have a look at|look into) (?:it|this|that|them|all of it)"
    rf"|check|look|read on|read up|be back|come back|get back(?: to (?:you|it|this|that))?|back|talk|speak|chat|catch up|see you|write|message you|ping you) {_WHEN}"
    rf"){_NOW}",
    re.IGNORECASE,
)
"""That somebody goes, or comes back to it another time."""
_APART: Final = re.compile(
    r"\s*(?:[,;:!…\n–—]+|\.+(?=\s|\Z)|\s-\s|\s(?:and|so|as|cause|cos|but)\s)\s*"
)
_KINDS: Final = frozenset({"thanks", "bye", "praise", "noted", "sorry", "filler", "hello"})


def takes_leave(text: str) -> bool:
    """Tell whether a message says no more than that its author goes now: each of its parts does, or is polite."""
    if len(text) > MOST_CHARS or "?" in text:
        return False
    parts = [part for part in _APART.split(text.strip(" .,!")) if part]
    kinds = [_kind(part) for part in parts]
    return bool(parts) and None not in kinds and "goes" in kinds + _together(kinds)


def _together(kinds: list[str | None]) -> list[str | None]:
    """Being somewhere is a reason to go where one is polite beside it."""
    return ["goes"] if {"polite", "somewhere"} <= set(kinds) else []


def _kind(part: str) -> str | None:
    """Return what a part is; a courtesy before it is no more than that."""
    bare = part if _GOES.fullmatch(part) else _behind_courtesy(part)
    if not bare:
        return "polite"
    if _GOES.fullmatch(bare):
        return "goes"
    if not _SOMEWHERE.fullmatch(bare):
        return None
    if _PLACE_ALONE.fullmatch(bare):
        return "place"
    return "somewhere" if bare == part else "goes"


def _behind_courtesy(part: str) -> str:
    """Return a part without the courtesies that it begins with; nothing where it is only these."""
    tokens = SMALL_TALK.tokens(part)
    for at in range(len(tokens), 0, -1):
        kinds = SMALL_TALK.kinds(tokens[:at])
        is_polite = kinds is not None and _KINDS.issuperset(kinds)
        if is_polite and (at == len(tokens) or set(kinds or ()) != {"filler"}):
            return part[tokens[at].start :] if at < len(tokens) else ""
    return part
