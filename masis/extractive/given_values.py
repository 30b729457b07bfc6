"""Tell whether quoted statements give a value of the kind that a question asks for: a sum, a count.

Pure and lexical, and careful: it says no only where none of the statements can be the answer, whatever
they are about. "New starters are on site for 8 weeks" counts no holidays, and "They are the serious
competitor" tells no price. Kinds that documents give in too many ways (a time, a place, a person, a rule) are not held
against them: tried on questions with known answers, that took more right answers than wrong ones.
"""

import re
from collections.abc import Sequence
from typing import Final

from masis.phrases import held_roles, obligations
from masis.questions.question_parts import asking
from masis.retrieval.extraction import PRICED
from masis.text import instructions, numbered
from masis.text.lexical import terms
from masis.text.quantities import quantities
from masis.words import synonyms

_ASKS_SUM: Final = re.compile(
    rf"{PRICED}"
    r"|\bhow (?:much|expensive) (?:do(?:es)?|did|will|would|is|are|was|were)\b.{0,60}\b(?:cost|pay|charge)s?\b"
    r"|\bhow (?:much|expensive) (?:is|are|was|were)\b|\b(?:prices?|costs?|fees?|charges?)\W*$"
    r"|\b(?:what|what['’]?s|which)\b.{0,40}\b(?:price|fee|charge|cost)s?\b",
    re.IGNORECASE,
)
_ASKS_FREE: Final = re.compile(
    r"\W*(?:is|are) (?!(?:the )?(?:\w+ ){0,2}(?:rooms?|desks?|seats?|slots?|halls?|bays?|places?|spaces?|any(?:one|body)|you|he"
    r"|she|they|we|i|there|it|calendar|line)\b)(?:(?:the|our|my) )?(?P<subject>(?:[\w'’-]+ ){1,4}?)(?:free(?: of charge)?|for free)(?= (?:at|in|for|here)\b|\W*$)",
    re.IGNORECASE,
)
"""Asks whether something costs nothing; a room is free where nobody has it."""
_OF_COST: Final = re.compile(
    r"[£$€]|\b(?:free|charg\w+|cost\w*|fees?|pays?|paid|prices?|rates?|nothing|euros?|pounds?)\b",
    re.IGNORECASE,
)
_ASKS_PAY: Final = re.compile(
    r"\bhow much (?:do(?:es)?|did|will|would|can|could|should) (?:[\w'’-]+ ){1,4}?(?:earn|get paid|be paid|take home)\b"
    r"|\bhow much (?:am|are|is|was|were) (?:[\w'’-]+ ){1,4}?paid\b"
    r"|\b(?:what|how (?:high|much|big))\b.{0,30}\b(?:salary|salaries|wages?)\b",
    re.IGNORECASE,
)
_PAY: Final = re.compile(
    r"\b(?:pay|pays|paid|payroll|payslips?|salary|salaries|wages?|earn\w*|allowances?|bonus\w*|per annum|a year|grades?)\b",
    re.IGNORECASE,
)
_ASKS_KEEPER: Final = re.compile(
    r"\bwho(?:['’]?s| is| are)? (?:looks? after|looking after|keeps?|maintains?|manages?|in charge of|responsible for"
    r"|takes? care of|deals with|handles)\b",
    re.IGNORECASE,
)
_KEEPER: Final = re.compile(
    r"\b(?:managers?|directors?|officers?|teams?|lead(?:er)?s?|heads?|supervisors?|advisers?|engineers?|desk|board|HR|IT"
    r"|offices?|departments?|company|planners?|secretary|they|he|she|I|we)\b"
)
_ASKS_COUNT: Final = re.compile(
    r"\bhow many ((?:[\w'’-]+ ){0,3}?[\w'’-]+)"
    r"(?= (?:is|are|was|were|do|does|did|can|could|may|must|will|would|has|have|had|in|of|on|at|for|per|to)\b|[?.!,]|$)",
    re.IGNORECASE,
)

_ASKS_OF: Final = re.compile(
    r"^\W*(?:so |and )?(?:when|what time|at what time|what hours|what days?|how long|how often|how much|where) "
    r"(?:is|are|was|were|do|does|did|will|can|has|have) (?:the |our |your |my |a |an )?(?P<subject>[\w'’ -]{3,40}?) (?P<verb>[\w'’-]{3,20})\W*$",
    re.IGNORECASE,
)
"""Asks one thing of a subject: "what time does the canteen open"."""
_HELPING: Final = re.compile(
    r"(?: (?:need|have|has|get|want|start|begin|stop|keep)(?:s|ing)?(?: to(?: be)?)?)+$",
    re.IGNORECASE,
)
"""Behind a subject is part of its verb: "how often does the kiln need cleaning"."""
_SPEAKS_OF: Final = re.compile(
    r"(?:[\d.]+ )?(?:(?:the|an?|our|your|all|each) )?(?P<subject>[\w&'’-]+(?: [\w&'’-]+){0,4}?) "
    r"(?:is|are|was|were|will|opens?|closes?|starts?|begins?|ends?|lasts?|runs?|costs?|has|have)\b",
    re.IGNORECASE,
)
_ANYBODY: Final = re.compile(
    r"(?:[Ww]e|I|i|[Yy]ou|[Ii]t|[Tt]he[yrs]e?|[Tt]h(?:is|at|ose)|[Hh]e|[Ss]he|[Ee]very(?:one|body))\b"
)
"""What stands for any subject; "IT" is a department."""

_SUM: Final = re.compile(r"\d|\b(?:free|nothing|no (?:charge|fee|cost)s?)\b", re.IGNORECASE)
_COUNT_IN_WORDS: Final = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty\w*|hundreds?|thousands?|dozens?|none|no|both|single|pair|half|once"
    r"|twice|any number|unlimited|as many|several|many|few|every|each|a|an)\b",
    re.IGNORECASE,
)
_MEASURES: Final = frozenset(
    terms(
        "second minute min hour day night week month year mile km metre litre kg tonne percent times people"
    )
)
"""What a count of them is a figure of its own dimension, or is written in many ways."""


def asks_sum(question: str) -> bool:
    """Tell whether a question asks for a sum of money."""
    return _ASKS_SUM.search(question) is not None


def lacks_value(
    question: str, statements: Sequence[tuple[str, str]], evidence: Sequence[str]
) -> bool:
    """Tell whether none of the statements can answer; each comes with the headings over it."""
    told = " ".join(asking(question))
    texts = [text for text, _ in statements]
    if not texts:
        return False
    return (
        (asks_sum(told) and not any(map(_SUM.search, texts)))
        or _lacks_pay(told, statements)
        or _lacks_cost(told, statements)
        or (bool(_ASKS_KEEPER.search(told)) and not any(map(_names_keeper, texts)))
        or (instructions.asks_what_to_do(told) and not any(map(_tells_what_to_do, texts)))
        or _lacks_count(told, statements)
        or _counts_others(told, statements, evidence)
        or numbered.speaks_of_others(
            told, (f"{above}\n{text}" for text, above in statements), evidence
        )
    )


def is_of_another(question: str, statements: Sequence[tuple[str, str]]) -> bool:
    """Tell whether the first statement says of another thing what is asked of one, which nothing of it names.

    "The IT desk is open 07:30" tells nothing of when reception opens.
    """
    found = _ASKS_OF.search(" ".join(asking(question)))
    if found is None or not statements or _ANYBODY.match(found["subject"]):
        return False
    text, above = statements[0]
    subject = _SPEAKS_OF.match(text)
    if subject is None or _ANYBODY.match(subject["subject"]):
        return False
    asked = _things(_HELPING.sub("", found["subject"]))
    said = set(terms(f"{above}\n{text}"))
    is_same_matter = set(terms(found["verb"])) <= set(terms(text))
    return bool(asked) and is_same_matter and not any(thing <= said for thing in asked)


def _tells_what_to_do(text: str) -> bool:
    """Say whether a text tells to do something, what comes of a case, or a rule."""
    return instructions.tells_outcome(text) or obligations.rules(text)


def subject(text: str) -> str:
    """Return what a sentence, or the row of a table, is about; empty where it begins with no name of a thing."""
    if " | " in text:
        return text.strip("| ").split(" | ")[0].rpartition(": ")[2]
    found = _SPEAKS_OF.match(text)
    return "" if found is None or _ANYBODY.match(found["subject"]) else found["subject"]


def _lacks_cost(told: str, statements: Sequence[tuple[str, str]]) -> bool:
    """Say whether it is asked if a thing is free, and no statement says of it what it costs."""
    asks = _ASKS_FREE.match(told)
    subject_terms = set(terms(asks["subject"])) if asks else set()
    return asks is not None and not any(
        _OF_COST.search(text) and not subject_terms.isdisjoint(terms(f"{above}\n{text}"))
        for text, above in statements
    )


def _names_keeper(text: str) -> bool:
    """Say whether a text names somebody, or a role or desk, that something is done by."""
    return held_roles.names_somebody(text, ()) or _KEEPER.search(text) is not None


def _lacks_pay(told: str, statements: Sequence[tuple[str, str]]) -> bool:
    """Say whether it is asked what somebody earns, and no statement speaks of pay: a price is none."""
    asks = _ASKS_PAY.search(told) is not None
    return asks and not any(_PAY.search(f"{above}\n{text}") for text, above in statements)


def _lacks_count(told: str, statements: Sequence[tuple[str, str]]) -> bool:
    """Say whether things are to be counted of which no statement speaks, nor gives any plain number."""
    found = _ASKS_COUNT.search(told)
    if found is None or not _MEASURES.isdisjoint(terms(found[1])):
        return False
    said = "\n".join(f"{above}\n{text}" for text, above in statements)
    words = set(terms(said))
    figures = [placed.value for text, _ in statements for placed in quantities(text)]
    if not figures:
        return not any(_COUNT_IN_WORDS.search(text) for text, _ in statements)
    return not any(thing <= words for thing in _things(found[1])) and all(
        figure.dimension for figure in figures
    )


def _counts_others(
    told: str, statements: Sequence[tuple[str, str]], evidence: Sequence[str]
) -> bool:
    """Say whether things are counted that are not of the kind asked for, of which the evidence speaks elsewhere.

    "Held in three places" counts no parking places, where documents write of parking.
    """
    found = _ASKS_COUNT.search(told)
    kind = terms(found[1])[:-1] if found else []
    if not kind or not _MEASURES.isdisjoint(
        terms(told[found.start() : found.end()] if found else "")
    ):
        return False
    said = set(terms("\n".join(f"{above}\n{text}" for text, above in statements)))
    known = set(terms("\n".join(evidence)))
    return known.issuperset(kind) and said.isdisjoint(kind)


def _things(phrase: str) -> list[frozenset[str]]:
    """List the terms of what is counted, its last word, and of each of its synonyms."""
    others = (other for each in synonyms.found(phrase, synonyms.bundled()) for other in each.others)
    return [
        frozenset(own) for name in (phrase.rsplit(maxsplit=1)[-1], *others) if (own := terms(name))
    ]
