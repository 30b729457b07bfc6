"""Tell a message that asks for the last answer in another way from one that asks the documents.

Pure, by closed tables: what has another word in it is a question.
"""

import re
from typing import Final, Literal

from masis.words.chat_words import without_courtesies

Command = Literal["wider", "sources", "shorter", "language"]
"""To search wider for the last question, to show what its answer cites, to say it in fewer words or
in another language."""

MOST_CHARS: Final = 80
"""Of a message; who writes more says something."""

_LANGUAGE: Final = (
    r"(?:english|german|deutsch|dutch|nederlands|french|fran[cç]ais|spanish|espa[nñ]ol|italian|italiano|polish"
    r"|polski|po polsku|portuguese|swedish|danish|norwegian|welsh|irish|englisch|engels)"
)
_IT: Final = r"(?:it|that|this|the (?:last )?answer|them|these|those)"
_SOURCE: Final = r"(?:sources?|passages?|documents?|docs?|files?|papers?|quotes?|references?|citations?|originals?)"
_SAID: Final = r"(?:sources?|quotes?|references?|citations?)"
_LEAD: Final = re.compile(
    r"(?:(?:oops|sorry|ok(?:ay)?|hm+|and|but|now|no|please|pls|plz|(?:can|could|would) (?:you|u|i)|you|just)\b[\s,:.!-]*)+",
    re.IGNORECASE,
)
_TAIL: Final = r"(?:[\s,]+(?:please|pls|plz|then|now|again|for me|thanks?|bitte|graag))*[\s.!?]*"
_TABLE: Final[dict[Command, str]] = {
    "wider": (
        r"(?:(?:search|look|try|dig)(?: (?:a bit|a little|much|some))?"
        r" (?:wider|more widely|broader|more broadly|further|deeper|everywhere|harder|around more)"
        r"|(?:widen|broaden|extend) (?:the|your) search|(?:a )?(?:wider|broader) search|wider)"
    ),
    "sources": (
        rf"(?:(?:show|give|tell|see|have)(?: me| us)? (?:(?:the|your|its|that|all|all the) )?{_SOURCE}"
        rf"(?: (?:of|for|to|behind) {_IT})?"
        rf"|(?:in |from )?(?:which|what) {_SOURCE}(?: (?:is|was|says?|has|does|do) {_IT}"
        rf"(?: (?:in|from|say|come from|stand in|written))?| (?:is|was) {_IT}| says? (?:that|so|this))?"
        rf"|where (?:does|did|do) {_IT} (?:come from|stand|say (?:that|so))"
        rf"|where (?:is|was) {_IT} (?:from|written|said|stated)|where (?:does|did) it say (?:that|so|this)"
        rf"|(?:what(?: is|'s|s) )?(?:the |your )?{_SAID}(?: (?:of|for) {_IT})?|where from"
        rf"|who says(?: (?:that|so|this))?)"
    ),
    "shorter": (
        rf"(?:(?:(?:a (?:bit|little)|much|even) )?(?:shorter|briefer|more (?:brief|briefly|concise))(?: version)?"
        rf"|(?:make|say|put|keep|give me) {_IT} (?:(?:a (?:bit|little)|much) )?(?:shorter|briefer|short|brief|simpler"
        rf"|in (?:short|brief|one sentence|a (?:few words|sentence|nutshell)))"
        rf"|(?:shorten|condense|simplify|summari[sz]e|sum up) {_IT}(?: up)?|tl;? ?dr|in (?:short|brief|a nutshell)"
        rf"|in (?:one|a) sentence|in (?:a )?few(?:er)? words|(?:that(?: is|'s|s)? )?too long"
        rf"|(?:give me )?the short version)"
    ),
    "language": (
        rf"(?:(?:(?:say|write|put|give me|repeat|show me|answer) (?:{_IT} )?)?(?:again )?(?:in|auf|en|op het|in het) {_LANGUAGE}"
        rf"|translate(?: {_IT})?(?: (?:in|into|to) {_LANGUAGE})?|po polsku|{_LANGUAGE}(?=\W*(?:please|pls|plz|bitte|graag)))"
    ),
}
_MEANT: Final = {
    name: re.compile(f"{table}{_TAIL}", re.IGNORECASE) for name, table in _TABLE.items()
}


def command(text: str) -> Command | None:
    """Return what a message asks of the last answer; None for any other message."""
    if len(text) > MOST_CHARS:
        return None
    flat = " ".join(text.split())
    for said in (flat, without_courtesies(flat)):
        left = _LEAD.sub("", said, count=1) if _LEAD.match(said) else said
        for name, meant in _MEANT.items():
            if meant.fullmatch(left):
                return name
    return None
