"""Read what a question says about the files that came with it, and which no file says of itself."""

import re
from typing import Final

from masis.text.lexical import terms

_SENT: Final = r"(?:attached|enclosed|uploaded)"
_DETERMINER: Final = r"(?:the|this|that|these|those|my|our|a|an)"
_KIND: Final = (
    r"(?:files?|documents?|docs?|pdfs?|spreadsheets?|sheets?|workbooks?|slides?|decks?|"
    r"presentations?|images?|pictures?|screenshots?|scans?|texts?|papers?|pages?)"
)
_ATTACHMENT: Final = r"(?:attachments?|enclosures?|uploads?)"
_WRITING: Final = (
    r"(?:agreements?|contracts?|letters?|polic(?:y|ies)|reports?|invoices?|offers?|quotes?|quotations?|"
    r"proposals?|e-?mails?|minutes|memos?|manuals?|guides?|handbooks?|drafts?|forms?|lists?|tables?|notes?)"
)
_WHERE: Final = r"(?:in|on|of|from|at|see|per|within|inside|according to|based on|by)"
_PLACE: Final = re.compile(
    rf"[\s,;(]*\b(?:{_WHERE}\s+)(?:{_DETERMINER}\s+)?"
    rf"(?:{_SENT}(?:\s+{_KIND})?|{_ATTACHMENT})\b(?!\s+\w)[)]?",
    re.IGNORECASE,
)
"""Where to look, at the end of a question or before a mark: "in the attached file?"."""
_IN_FRONT: Final = re.compile(
    rf"^\s*(?:{_WHERE}\s+)(?:{_DETERMINER}\s+)?(?:{_SENT}\s+{_KIND}|{_ATTACHMENT})\s*[,:]?\s+",
    re.IGNORECASE,
)
_ADJECTIVE: Final = re.compile(rf"\b({_DETERMINER}\s+){_SENT}\s+(?=\w)", re.IGNORECASE)
_NOUN: Final = re.compile(rf"\b{_ATTACHMENT}\b", re.IGNORECASE)
_HANDED: Final = (
    r"(?:(?:here|there)\s+(?:you\s+(?:go|are)|it\s+is|they\s+are|we\s+(?:go|are))|voil[aà]"
    r"|as\s+(?:requested|promised|asked|discussed|agreed))"
)
"""What is said while something is given."""
_NOTHING: Final = re.compile(
    rf"[^\w?]*(?:(?:{_HANDED}|please|pls|see|here|is|are|find|it|its|fyi|and|{_DETERMINER}|{_SENT}|{_ATTACHMENT}|{_KIND}"
    rf"|{_WRITING})\b[^\w?]*)*",
    re.IGNORECASE,
)
_GIVEN: Final = re.compile(
    rf"\W*(?:(?:ok|okay|so|and|now|sorry)\W+)*(?:{_HANDED}|(?:(?:i|we)(?:\s+have|['’]ve)?\s+)?(?:now\s+|just\s+)?"
    rf"(?:uploaded|added|attached|sent|put)\s+(?:it|them|that|(?:{_DETERMINER}\s+)?(?:{_KIND}|{_WRITING}))"
    r"(?:\s+(?:in|now|there|here|too|up))?|done)\W*(?:now\W*)?",
    re.IGNORECASE,
)
_MEANT: Final = re.compile(
    rf"\b(?:{_SENT}|{_ATTACHMENT}|(?:this|these)\s+(?:\w+\s+)?(?:{_KIND}|{_WRITING}))\b",
    re.IGNORECASE,
)
_COMPARED: Final = re.compile(
    r"\b(?:compar\w+|compl(?:y|ies|iant|iance)|conform\w*|in line|consistent\w*|contradict\w*|match(?:es)?|"
    r"differ\w*|deviat\w+|versus|vs|against|than|agrees?|fits?|allow(?:s|ed)?|permit(?:s|ted)?|our|ours|"
    r"same as|as well as|both)\b",
    re.IGNORECASE,
)
MOST_NOTHING: Final = 80
"""Characters of a text that is looked at for whether it says anything."""

ABOUT_FILES: Final = frozenset(
    terms(
        "attached attachment attachments enclosed enclosure uploaded upload uploads sent file files "
        "document documents doc docs pdf spreadsheet sheet workbook slide slides deck presentation "
        "image picture screenshot scan text paper page"
    )
)
"""Terms that say which file is meant: no document has to have them."""


def says_nothing(text: str) -> bool:
    """Say whether a text that came with files asks nothing of them: "see attached", or no word at all."""
    return len(text) <= MOST_NOTHING and _NOTHING.fullmatch(text) is not None


def hands_over(text: str) -> bool:
    """Say whether a text only says that something was given: "here you go", "I have uploaded it"."""
    return len(text) <= MOST_NOTHING and _GIVEN.fullmatch(text) is not None


def means_files_alone(question: str) -> bool:
    """Say whether a question asks about the files that came with it, and compares them with nothing.

    "What is the notice period of the attached contract?" is not answered by another contract.
    """
    return _MEANT.search(question) is not None and _COMPARED.search(question) is None


def without(question: str) -> str:
    """Return a question without what only says that it is about the files that came with it.

    It stays as it is where nothing else would be left.
    """
    left = _PLACE.sub("", _IN_FRONT.sub("", question))
    left = _NOUN.sub("document", _ADJECTIVE.sub(r"\1", left)).strip()
    return left if any(map(str.isalnum, left)) else question
