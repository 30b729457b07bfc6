"""Read what a question wants to have explained, and tell whether a text says what that is.

Pure and lexical.
"""

import re
from typing import Final

from masis.text.lexical import terms

_ASKS: Final = re.compile(
    r"(?:(?:so|ok|and|please|tell me|explain)[,\s]+)*(?:what(?:['’]?s| is| are)|define|explain)"
    r" (?:(?:a|an|the|our|this|that) )?(?P<thing>[\w&'’-]+(?: [\w&'’-]+){0,2}?)"
    r"(?: (?:anyway|exactly|actually|everyone (?:talks|is talking) about|again|thing))*\W*",
    re.IGNORECASE,
)
_MEANS: Final = re.compile(
    r"what (?:does|do) (?:(?:a|an|the|our) )?(?P<thing>[\w&'’ -]{2,40}?) (?:mean|stand for)\W*",
    re.IGNORECASE,
)
_SAYS: Final = re.compile(
    r"(?:\d+(?:\.\d+)*\.? )?(?:(?:the|an?|our) )?(?P<subject>[^.,:;|]{2,60}?)"
    r"(?:,\s(?:our|the|an?)\s[^,|]{3,60}[,.]|\s(?:is|are)\s(?:our|the|an?|where|what|how)\s|\s(?:means|stands? for)\s)",
    re.IGNORECASE,
)
_INSIDE: Final = re.compile(r"(?:^|[.;]\s|\b(?:and|with|by|in|of|to|at|from)\s(?:the\s)?)")


def thing(question: str) -> str:
    """Return what a question wants to have explained: "the blue line" of "what is the blue line?"; else nothing."""
    found = _ASKS.fullmatch(question.strip()) or _MEANS.fullmatch(question.strip())
    name = found["thing"].strip() if found else ""
    return name if terms(name) else ""


def says_what(name: str, text: str) -> bool:
    """Tell whether a text says what the thing is: "The blue line is the border of …", "Kiln, our service, …"."""
    asked = terms(name)
    starts = [match.end() for match in _INSIDE.finditer(text)] if asked else []
    return any(
        (found := _SAYS.match(text, start)) is not None and terms(found["subject"]) == asked
        for start in starts
    )
