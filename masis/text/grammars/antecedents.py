"""Tell which sentences another one leans on: "It does not apply to …" says nothing alone.

Pure and lexical.
"""

import re
from dataclasses import dataclass
from typing import Final

from masis.text.sentences import Unit

MOST: Final = 2
"""Sentences that one brings along because it leans on them."""

_DANGLING = re.compile(
    r"^(?:it|its|this|these|those|they|their|he|his|she|her|that|such|however|but|also|and|or|then|instead|"
    r"otherwise|in addition|therefore|if so|for example"
    r"|(?:before|after|until|since|by|at|above|below|beyond|over|under|without|within) (?:that|then|this|these|those)"
    r"|(?:(?:for|in|with|above|after) )?(?:anything|anyone|anybody|those) (?:longer|more|less|larger|bigger|higher"
    r"|smaller|shorter|lower|(?:above|over|below|beyond)(?= (?:that|this|it|is|are|needs?|must|may|goes)\b|,))|"
    r"nothing else|everything else|(?:all |the )?others?|both|neither|either|the (?:latter|former|same|rest)|"
    r"(?:in|on) (?:that|this|such|these|those)|none of (?:them|these|those)|(?:most|many|some|each) of "
    r"(?:them|these|those)|similarly|likewise|there(?:after|fore)|so|here)\b",
    re.IGNORECASE,
)
_FALLBACK = re.compile(
    r"(?:if (?:that|this|not|none|nobody|no one|neither)|failing (?:that|this)|if (?:you|we|they) "
    r"(?:can ?not|can['’]t|could not|do not|don['’]t) (?:reach|get hold|hear))\b",
    re.IGNORECASE,
)
"""Begins what is done where the rule of a paragraph cannot be kept."""
_OF_A_CASE = re.compile(
    r"(?:if|when|unless|once|until|whenever) (?:you|we|they|he|she|somebody|someone|anyone|anybody|nobody) "
    r"(?:(?:do|does|did|have|has|had|can|could|must|will)(?: not|n['’]t)? )?(?!find|make|take|think)\w+ "
    r"(?:it|them|this|these|those)(?= ?[,.;]| (?:again|yet|at|in|on|by|for|within|before|after|twice|late)\b)",
    re.IGNORECASE,
)
"""Begins what is done in a case of what was told before: "if you miss it"."""
_OF_SUBJECT = re.compile(r"(?:it|its|they|their)\b", re.IGNORECASE)
"""How a paragraph goes on with what the one before is about."""


def leans(sentence: str) -> bool:
    """Tell whether a sentence leans on what stands before it."""
    return any(form.match(sentence) for form in (_DANGLING, _FALLBACK, _OF_A_CASE))


@dataclass(slots=True)
class Antecedents:
    """Keeps the sentences that stand in a row, each with what it leans on."""

    _last: tuple[str, ...] = ()
    """The last sentence, behind those that it leans on."""
    _opening: str = ""
    """The first sentence of the last paragraph."""

    def add(self, text: str, unit: Unit, sentence: str) -> None:
        """Note a sentence of a text; an empty one is none, and nothing leans on what stands before it."""
        if not sentence:
            self._last, self._opening = (), ""
            return
        self._last = (*(self.of(text, unit) if leans(sentence) else ()), sentence)
        if _begins_paragraph(text, unit):
            self._opening = sentence

    def of(self, text: str, unit: Unit) -> tuple[str, ...]:
        """Return what a sentence leans on, in order, `MOST` sentences at most.

        "It" at the head of a paragraph means what the one before began with; what is done where a rule
        cannot be kept goes with the rule, which a paragraph begins with.
        """
        is_subject = _begins_paragraph(text, unit) and _OF_SUBJECT.match(unit.flat)
        if self._opening and (is_subject or _FALLBACK.match(unit.flat)):
            return (self._opening,)
        return self._last[-MOST:]


def _begins_paragraph(text: str, unit: Unit) -> bool:
    return not unit.start or text[: unit.start].rstrip(" ").endswith("\n")
