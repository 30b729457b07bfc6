"""What has been and what is to come: how it is asked of the one, and what in a text tells of the other."""

import re
from typing import Final

_ASKS_PAST: Final = re.compile(
    r"\bwhen(?: exactly)? (?:did\b(?! (?:you|they|he|she) (?:say|tell|mean)\b)"
    r"|(?:was|were)\b(?:(?=[^.?!]*\blast\b)|(?![^.?!]*\b(?:next|(?<!the )due|again|(?:supposed|going|meant) to)\b))"
    r"|(?:has|have|had)\b(?![^.?!]*(?:\bto be\b|(?<!ed )\bto\b)))"
    r"|\bwhen[^.?!]{0,60}\blast time\b|\bsince when\b",
    re.IGNORECASE,
)
"""What "was due" or "has to be" is yet to come, and "when was it again" may be."""
_TO_COME: Final = re.compile(
    r"\bwill\b|\bnext (?:[a-z]+ )?(?:meeting|review|count|audit|drill|visit|release|date|one|session|check|time)\b"
    r"|\b(?:is|are) (?:planned|due|scheduled|expected|booked|to be)\b|\bupcoming\b",
    re.IGNORECASE,
)
_PENDING: Final = "".join(
    rf"(?<!\b{word} )"
    for word in ("be", "being", "is", "are", "not", "if", "as", "the", "a", "an", "get", "gets")
)
"""Words behind which a participle tells of nothing that has been: "will be published", "the amended budget"."""
_HAS_BEEN: Final = re.compile(
    r"\b(?:was|were|had|did|has been|have been|took|met|went|came|began|gave|rose|fell|grew|became|chose|wrote|since)\b"
    rf"|{_PENDING}\b(?:held|left|made|sent|paid|built|bought|won|agreed|(?!hundred\b)[a-z]{{3,}}(?<!e)ed)\b",
    re.IGNORECASE,
)


def asks_of_the_past(question: str) -> bool:
    """Tell whether a question asks when something was."""
    return _ASKS_PAST.search(question) is not None


def is_to_come(text: str) -> bool:
    """Tell whether a text speaks of what is to come, and of nothing that has been."""
    told = _TO_COME.search(text)
    return told is not None and not _HAS_BEEN.search(text)
