"""Tell a title, a question or a lead-in that states something from one that only names or asks.

Sentences are taken at their word elsewhere; here it is decided for text that need not be one: the
headings, questions and lead-ins of a draft. What is read is English; amounts, accounts, links and
numbers to call are seen in any language.
"""

import re
from collections.abc import Sequence
from typing import Final

from masis.text.grammars.scales import SCALE
from masis.text.sentences import words

MAX_READ: Final = 600
"""Characters of a title or a question that are read; nobody writes longer ones."""

_CONTACT: Final = re.compile(
    r"""
      \b[A-Z]{2}[0-9]{2}(?:\s?[A-Z0-9]{4}){2,7}
    | \bhttps?://\S | \bwww\.\w
    | [\w.+-]{1,64}@[\w-]{1,64}\.\w
    | (?<![\w.])\+[0-9][0-9 ()/-]{6,20}[0-9]
    """,
    re.VERBOSE,
)
"""An account, a link, an address, a number to call."""
_AMOUNT: Final = re.compile(
    rf"""
      [£$€¥]\s?[0-9]
    | [0-9][0-9.,]{{0,20}}\s?(?:{SCALE})?\s?
      (?:EUR|USD|GBP|CHF|PLN|JPY|SEK|NOK|DKK|[£$€¥%]|euros?|dollars?|pounds?|percent|per\scent)
      (?![A-Za-z])
    | \b(?:EUR|USD|GBP|CHF|PLN|JPY|SEK|NOK|DKK)\s?[0-9]
    | \b[0-9][0-9.,]{{0,20}}\s(?:(?:working|business|calendar|paid)\s)?
      (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|people|persons?|employees|staff)\b
    """,
    re.VERBOSE,
)
"""A sum, a share, a length of time, a number of people."""

_BREAK = re.compile(r"[,;:()|–—]\s?|\s-\s")
_MARKUP = re.compile(r"[*_`#>\"“”]+")
_LINK = re.compile(r"\[([^\[\]]{1,200})\]\([^()\s]{1,300}\)")

_ASKING: Final = frozenset(
    [
        *("who", "whom", "whose", "what", "which", "when", "where", "why", "how", "whether"),
    ]
)
_SUBORDINATE: Final = _ASKING | {
    *("if", "that", "because", "before", "after", "while", "until", "unless", "since", "as"),
    *("once", "although", "though", "than", "whenever", "wherever"),
}
_PRONOUNS: Final = frozenset(["i", "you", "we", "they", "he", "she", "it"])
_DETERMINERS: Final = frozenset(
    [
        *("the", "a", "an", "this", "that", "these", "those", "its", "his", "her", "their", "our"),
        *("your", "my", "all", "every", "each", "no", "any", "both"),
    ]
)
_HELPERS: Final = frozenset(
    [
        *("is", "are", "was", "were", "am", "isn't", "aren't", "wasn't", "weren't"),
        *("has", "had", "have", "hasn't", "hadn't", "haven't"),
        *("do", "does", "did", "don't", "doesn't", "didn't"),
        *("can", "could", "must", "shall", "should", "will", "would", "may", "might", "cannot"),
        *("can't", "couldn't", "mustn't", "shouldn't", "won't", "wouldn't", "needn't"),
        *("i'm", "you're", "we're", "they're", "he's", "she's", "it's", "that's", "there's"),
        *("i've", "you've", "we've", "they've", "i'll", "you'll", "we'll", "they'll"),
    ]
)
_CONTRACTED: Final = frozenset(word for word in _HELPERS if word.partition("'")[0] in _PRONOUNS)
_PAST: Final = frozenset(
    [
        *(
            "became",
            "began",
            "bought",
            "broke",
            "brought",
            "built",
            "chose",
            "cut",
            "fell",
            "found",
        ),
        *("gave", "got", "grew", "held", "kept", "knew", "laid", "left", "lost", "made", "met"),
        *("paid", "put", "ran", "rose", "said", "sold", "sent", "spent", "stood", "took", "told"),
        *("went", "won", "wrote"),
    ]
)
_NO_OBJECT: Final = frozenset(
    [
        *(
            "by",
            "in",
            "on",
            "at",
            "for",
            "with",
            "from",
            "to",
            "of",
            "as",
            "per",
            "under",
            "within",
        ),
        *("during", "between", "before", "after", "until", "through", "over", "above", "below"),
        *("abroad", "here", "there", "today", "and", "or", "only", "so", "not"),
    ]
)
"""Behind a word in "-ed" these leave it a participle: "expenses covered by the company"."""
_INTRANSITIVE: Final = frozenset(
    [
        *(
            "resigned",
            "retired",
            "died",
            "collapsed",
            "failed",
            "defaulted",
            "departed",
            "disappeared",
        ),
        *(
            "declined",
            "increased",
            "decreased",
            "dropped",
            "happened",
            "rose",
            "fell",
            "went",
            "ran",
        ),
    ]
)
"""Said of a subject alone, whatever follows."""
_ARTICLES: Final = frozenset(
    [
        *("the", "a", "an", "its", "his", "her", "their", "our", "your", "my"),
    ]
) | {
    *("all", "every", "each", "no", "any"),
}
_OPEN: Final = _NO_OBJECT - {"abroad", "here", "there", "today", "not", "so"}
"""What ends with one of these is said by what follows: "You can claim for"."""
_CASED: Final = 4
"""Shorter words keep their small letter in title case."""
_MEMBERS: Final = 2
"""Words that a subject and what is said of it have at the least, in front of an object."""

_ANNOUNCES: Final = re.compile(
    r"\b(?:as follows|following|below|include|includes)\b|^(?:here|there|these) (?:is|are)\b",
    re.IGNORECASE,
)
"""Of a lead-in: "The results are as follows:", "There are two ways:"."""
_TOLD: Final = re.compile(
    r"(?:did|do|have|are|were|is|would|don't|didn't|haven't|aren't|isn't|wasn't|wouldn't)\s"
    r"(?:you|we|they|it|anyone|everyone)(?:\snot)?\s"
    r"(?:ever\s|already\s|really\s)?"
    r"(?:know|knew|known|hear|heard|realise|realize|aware|told|informed|true|clear|the\scase"
    r"|remember|notice|noticed|see|seen|agree|understand|sure)\b",
    re.IGNORECASE,
)
"""Asks whether one knows what it then says: "Did you know that …?"."""
_AUXILIARIES: Final = _HELPERS - _CONTRACTED
_OPENERS: Final = frozenset(
    [
        *("and", "but", "so", "or", "then", "also", "well", "in", "on", "at"),
    ]
) | {
    *("to", "for", "from", "with", "by", "of", "under", "please"),
}


def names_contact(text: str) -> bool:
    """Tell whether a text names an account, a link, an address or a number to call."""
    return bool(_CONTACT.search(_LINK.sub(r"\1", text[:MAX_READ])))


def names_amount(text: str) -> bool:
    """Tell whether a text names a sum, a share, a length of time or a number of people."""
    return bool(_AMOUNT.search(text[:MAX_READ]))


def lead_states(text: str) -> bool:
    """Tell whether the lead-in of a list says something itself, and not only that a list follows."""
    plain = _plain(text)
    if _ANNOUNCES.search(plain):
        return names_contact(text) or names_amount(text)
    return title_states(text)


def title_states(text: str) -> bool:
    """Tell whether a title says something of its subject, and does not only name it."""
    told = names_contact(text) or names_amount(text)
    return told or any(map(_is_clause, _segments(text)))


def question_states(text: str) -> bool:
    """Tell whether a question tells what it seems to ask: "Did you know that the board resigned?".

    So does one in the order of a statement ("You must pay, right?"), and one that brings along an
    account or a link.
    """
    if names_contact(text):
        return True
    plain = _plain(text)
    if told := _TOLD.match(plain):
        return _tells(words(plain[told.end() :]))
    first = _segments(text)[:1]
    return bool(first) and not _asks(first[0]) and _is_clause(first[0])


def _tells(said: Sequence[str]) -> bool:
    """Say whether "Did you know" goes on with something that is told, and not with a question."""
    lowered = [word.lower() for word in said]
    if lowered[:1] == ["that"]:
        return len(lowered) > _MEMBERS
    past = (at and (word in _PAST or word.endswith("ed")) for at, word in enumerate(lowered))
    return not _ASKING & {*lowered[:1]} and (any(past) or _is_clause(said))


def _plain(text: str) -> str:
    marked = _MARKUP.sub(" ", _LINK.sub(r"\1", text[:MAX_READ].replace("’", "'")))
    return " ".join(marked.split())


def _segments(text: str) -> list[list[str]]:
    """The words between the commas and dashes of a text; a segment without words is left out."""
    parts = (words(part) for part in _BREAK.split(_plain(text)))
    return [_uncased(part) for part in parts if part]


def _uncased(said: list[str]) -> list[str]:
    """The words of a title in title case without their capitals; May stays the month."""
    inner = [word for word in said[1:] if len(word) >= _CASED]
    if len(inner) < _MEMBERS or any(word[0].islower() for word in inner):
        return said
    return [said[0], *(word if word == "May" else word.lower() for word in said[1:])]


def _asks(said: Sequence[str]) -> bool:
    """Say whether words begin as a question does: by what is asked, or by its verb."""
    lowered = [word.lower() for word in said[: _MEMBERS + 1]]
    while lowered and lowered[0] in _OPENERS:
        lowered = lowered[1:]
    return bool(lowered) and lowered[0] in _ASKING | _AUXILIARIES


def _is_clause(said: Sequence[str]) -> bool:
    """Say whether words have a verb that no "how", "which" or "if" takes for itself."""
    lowered = [word.lower() for word in said]
    if not lowered or lowered[-1] in _OPEN:
        return False
    verbs = [at for at in range(len(said)) if _is_verb(said, lowered, at)]
    bound = sum(word in _SUBORDINATE for word in lowered[: verbs[-1]]) if verbs else 0
    bound += sum(_is_relative(lowered, at) for at in verbs)
    return len(verbs) > bound


def _is_verb(said: Sequence[str], lowered: Sequence[str], at: int) -> bool:
    word = lowered[at]
    if word in _CONTRACTED:
        return True
    if not at or lowered[at - 1] in _DETERMINERS - {"this", "that", "these", "those", "all"}:
        return False  # the first word, or "the will", "a must"
    if lowered[at - 1] in _AUXILIARIES:
        return False  # part of the verb before: "has been", "must have"
    if word in _HELPERS:
        return said[at].islower()  # and not the month of May
    behind = lowered[at + 1] if at + 1 < len(said) else ""
    if word in _PAST or (word.endswith("ed") and said[at].islower()):
        return _has_object(lowered, at, behind)
    return word.endswith("s") and at >= _MEMBERS and said[at].islower() and behind in _ARTICLES


def _has_object(lowered: Sequence[str], at: int, behind: str) -> bool:
    """Say whether a word in the past is said of a subject and done to something."""
    if lowered[at - 1] in _PRONOUNS or lowered[at] in _INTRANSITIVE:
        return True
    if not behind or behind in _NO_OBJECT or behind[0].isdigit():
        return False
    return lowered[0] in _DETERMINERS or behind in _DETERMINERS


def _is_relative(lowered: Sequence[str], at: int) -> bool:
    """Say whether a verb's pronoun leans on a noun: "things you must know"."""
    said = lowered[at].partition("'")[0] if lowered[at] in _CONTRACTED else lowered[at - 1]
    place = at if lowered[at] in _CONTRACTED else at - 1
    if said not in _PRONOUNS or not place:
        return False
    return lowered[place - 1] not in _SUBORDINATE | _OPENERS
