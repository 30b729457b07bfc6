"""Go on from a question with what a message states of its asker's case: "I am new here", "it is broken"."""

import re
from typing import Final

from masis.rewriting.noun_phrases import Parsed, content

_STATES: Final = re.compile(
    r"(?:(?:but|well|though|although|actually|and|so|hm+)[\s,]+)*"
    r"(?:(?:i|we|it|he|she|they|that|this) (?:am|is|are|was|were)|(?:i|we|it|he|she|they|that|this)['’](?:m|s|re)"
    r"|im|its|thats|theyre|ive (?:only )?been|i(?:['’]ve| have) (?:only )?been|there(?:['’]s| is| are)"
    r"|(?:i|we|he|she|they) (?:only |just |still |already )?(?:works?|lives?|joined|started|belongs?))\b"
    r"(?! (?:what|why|how|where|when|who|which|it|that|all|right|wrong|true|fine|ok|okay|good|great|not true|not right)\b(?![\s,]+\w))",
    re.IGNORECASE,
)
"""How a case is told; "that is wrong" and "that is all" tell none."""
_AFTERTHOUGHT: Final = re.compile(
    r"[\s,]+(?:tho|though|already|by the way|btw|this time)(?=\W*\Z)", re.IGNORECASE
)
_CONTRASTS: Final = re.compile(r"\b(?:tho|though)\W*\Z|\A\W*but\b", re.IGNORECASE)
_LINK: Final = re.compile(r"\A(?:(?:but|well|actually|and|so|hm+)[\s,]+)+", re.IGNORECASE)
MOST_WORDS: Final = 14
"""Of a message that only tells of a case."""


def contrasts(text: str) -> bool:
    """Tell whether a message takes something back of what was answered: "I am new here though"."""
    return _CONTRASTS.search(text) is not None


def is_stated(parsed: Parsed) -> bool:
    """Tell whether a message states a case and asks nothing of its own."""
    text = parsed.text
    asks = "?" in text or any(each.kind == "W" for each in parsed.tokens)
    if asks or len(parsed.tokens) > MOST_WORDS or not _STATES.match(text):
        return False
    return bool(content(text)) or any(map(str.isdigit, text))


def stated(text: str) -> str:
    """Return what a message states, as it stands behind a question."""
    return _AFTERTHOUGHT.sub("", _LINK.sub("", text)).strip(" .!,;")
