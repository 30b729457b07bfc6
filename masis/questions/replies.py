"""Tell a reply to a clarification, and build the question that is asked once it is there."""

import re
from collections.abc import Collection
from typing import Final

from masis.domain import AnyOutcome, ClarificationKind, NeedsClarification, Question
from masis.phrases.answer_commands import command
from masis.policy import MAX_QUESTION_CHARS
from masis.questions import choice, unclear
from masis.questions.choice import says_nothing
from masis.questions.question_audit import speaks_of_nothing
from masis.text.lexical import terms
from masis.words.attachment_words import hands_over
from masis.words.chat_words import small_talk

_CHOOSES: Final[frozenset[ClarificationKind]] = frozenset({"conflict", "ambiguous"})
"""Kinds to which "both", "yes" and "no" say something."""
_CHOOSING: Final = frozenset(
    terms(
        "first second third fourth last former latter both all any either neither none one ones other 1 2 3 4"
    )
)
"""Words that choose among what was offered by their place."""
_MOST_REPLIED: Final = 12
"""Words; who is asked which one is meant says it in fewer."""
_ASKS: Final = re.compile(
    r"\?\s*$|^\W*(?:and|but|or|so|ok(?:ay)?)?[\s,]*(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do"
    r"|does|did|can|could|will|would|should|may|must|has|have|had|list|show|summari[sz]e|compare|explain|describe"
    r"|tell|give)\b|^\W*(?:and|also|plus|(?:what|how) about)\b",
    re.IGNORECASE,
)
_AFFIRMS: Final = re.compile(
    r"\W*(?:(?:oh|ah|sorry|ok|okay)[\s,]+)?(?:yes|yep|yeah|yup|ya|yea|sure|exactly|right|correct|(?:yes[\s,]+)?that(?:['’]?s| is) (?:it|right)"
    r"|i (?:did|do|meant? (?:that|it)))\b[\s,]*(?:please|pls|thanks|thx|sorry|i (?:did|do))?\W*",
    re.IGNORECASE,
)
_GOES_ON: Final = re.compile(r"\W*(?:and|but|what about|how about)\b", re.IGNORECASE)

_ON_CODES: Final = re.compile(
    r"\W*(?:(?:no|nope|nah|none|neither|both|all|any)\W*$"
    r"|[^?]*\b(?:no (?:idea|clue)|dunno|idk|(?:do not|don['’]?t) know)\b[^?]*$)",
    re.IGNORECASE,
)
"""What is small talk elsewhere, and says which of several codes it is: none, any, or that somebody cannot say.

Who asks something beside it has a question of their own."""
_THAT: Final = r"(?:that|this|it|them|they|these|those)"
_QUESTION: Final = r"(?:the|your|my) (?:question|difference|option|choice)s?(?: between (?:them|these|those|both|the \w+))?"
_NOT_KNOWN: Final = (
    r"(?:i(?:['’]?m| am)?\s+)?(?:(?:really|still)\s+)?(?:(?:do not|don['’]?t) (?:know|understand|get|see)"
    r"|(?:have\s+)?no (?:idea|clue)|not (?:quite |really )?(?:sure|certain))"
)
_ASKS_MEANING: Final = re.compile(
    r"\W*(?:(?:sorry|hm+|um+|oh|well|ok(?:ay)?|wait|but)\b[\s,.!–-]*)*(?:(?:huh|eh|what|pardon(?: me)?|wdym"
    r"|(?:come|say)(?: that| it)? again|(?:sorry|excuse me)(?=\s*\?)|why do you ask|what['’]?s that"
    rf"|(?:(?:can|could|would|will) you\s+)?(?:please\s+)?(?:explain|repeat)(?: {_THAT}| {_QUESTION})?"
    rf"|what (?:do|did) you mean(?: by {_THAT})?|what (?:does|do|is|are) {_THAT}(?: mean)?"
    rf"|{_NOT_KNOWN} what (?:you mean(?: by {_THAT})?|{_THAT} means?|(?:that|this) is|(?:these|those|they) are)"
    rf"|(?:i\s+)?(?:do not|don['’]?t) (?:understand|get (?:it|that|this))(?: {_QUESTION})?"
    rf"|what(?:['’]?s| is| are) {_QUESTION}|(?:i(?:['’]?m| am)\s+)?(?:(?:a (?:bit|little)|so|really|still)\s+)?confused)"
    r"(?:,?\s+(?:please|pls|exactly|sorry))?(?:\W+|$)){1,2}",
    re.IGNORECASE,
)


def asks_meaning(text: str) -> bool:
    """Tell whether somebody who was asked back does not understand the question."""
    return _ASKS_MEANING.fullmatch(text) is not None


def _is_of_codes(text: str, kind: ClarificationKind) -> bool:
    """Tell whether words that are otherwise no reply are one to the question which of several codes it is."""
    says_which = _ON_CODES.match(text) is not None and not _ASKS.search(text)
    return kind == "choice" and (says_which or asks_meaning(text))


def is_reply(text: str, outcome: AnyOutcome | None) -> bool:
    """Return whether a message that follows an outcome answers what was asked back there.

    What asks something is a question of its own; so is everything where nothing was offered to
    choose from, since the thread says what such words are about.
    """
    if not isinstance(outcome, NeedsClarification):
        return False
    given = hands_over(text)
    affirms = _offered_alone(outcome) and _AFFIRMS.fullmatch(text)
    if affirms or _is_of_codes(text, outcome.kind):
        return True
    if given or small_talk(text, in_thread=True):
        return given  # what was missing is there: it is asked once more
    if outcome.kind == "ambiguous" and unclear.pronoun(outcome.question):
        return False  # what is named then goes into the question itself
    if text in (*outcome.options, *outcome.questions):
        return True
    return not command(text) and _answers(text, outcome)


def names_another(text: str, outcome: NeedsClarification) -> bool:
    """Tell whether a message names something else than what could be meant: then it only goes on."""
    offered = set(terms(" ".join([*outcome.options, outcome.question])))
    own = {term for term in terms(text) if not speaks_of_nothing(term)} - _CHOOSING
    return bool(outcome.options and own) and own.isdisjoint(offered)


def _offered_alone(outcome: NeedsClarification) -> bool:
    """Tell whether one question alone was offered: the same with a name as documents write it."""
    return (
        outcome.kind == "ambiguous" and len(outcome.options) == 1 and outcome.options[0][-1:] == "?"
    )


def _answers(text: str, outcome: NeedsClarification) -> bool:
    """Tell whether words that were not offered answer what was asked back."""
    asks = _ASKS.search(text) is not None
    if outcome.kind == "conflict":
        chooses = choice.read(text, outcome.statements) is not None
        return chooses or (says_nothing(text) and not asks)
    if outcome.kind == "ambiguous" and names_another(text, outcome):
        return False
    is_short = len(text.split()) <= _MOST_REPLIED
    return not asks and (outcome.kind == "choice" or (outcome.kind == "ambiguous" and is_short))


def is_only_talk(text: str, kind: ClarificationKind) -> bool:
    """Return whether a message under a question back is small talk, and chooses nothing."""
    said = None if hands_over(text) else small_talk(text, in_thread=True)
    chooses = said == "noted" and kind in _CHOOSES
    return said is not None and not (chooses or _is_of_codes(text, kind))


def asks_anew(text: str, outcome: NeedsClarification) -> bool:
    """Return whether a message under a question back asks something itself, and chooses nothing.

    So does what only goes on, or wants something of the last answer: the thread says what it is about.
    """
    if outcome.kind == "ambiguous" and unclear.pronoun(outcome.question):
        return True  # what is named then goes into the question itself
    if text in (*outcome.options, *outcome.questions) or _is_of_codes(text, outcome.kind):
        return False
    if _offered_alone(outcome) and _AFFIRMS.fullmatch(text):
        return False
    if outcome.kind == "conflict" and choice.read(text, outcome.statements) is not None:
        return False
    if outcome.kind == "ambiguous" and names_another(text, outcome):
        return True
    is_follow_up = _ASKS.search(text) or _GOES_ON.match(text) or command(text)
    return is_follow_up is not None


def answering(
    text: str,
    standalone: str,
    kind: ClarificationKind,
    reply: str,
    *,
    questions: Collection[str] = (),
) -> Question:
    """Return what is asked once a clarification of that kind has its reply.

    The reply to a conflict chooses between sources, and one to a choice between codes: both are handed
    on as they are. Any other one narrows the
    question or says it anew: it is searched with the question and the reply before, unless it says
    nothing, or only that something was given. One of the `questions` that were offered is asked alone,
    the only one also where the reply is a yes, or the name that it has and the question before had not.
    """
    if reply in questions:
        return Question(text=text, standalone=reply, reply=reply)
    if kind == "ambiguous" and len(questions) == 1:
        (offered,) = questions
        if _AFFIRMS.fullmatch(reply) or _says_name(reply, offered, standalone):
            return Question(text=text, standalone=offered, reply=reply)
    if kind in {"conflict", "choice"} or says_nothing(reply) or hands_over(reply):
        return Question(text=text, standalone=standalone, reply=reply)
    # A follow-up is narrowed as it was understood, and not as it was typed.
    base = text if standalone.startswith(text) else standalone.partition("\n")[0]
    before = standalone.removeprefix(base).strip().rpartition("\n")[2]
    narrowed = f"{base}\n{before}" if before and before != reply else base
    return Question(text=text, standalone=_narrowed(narrowed, reply), reply=reply)


def _says_name(reply: str, offered: str, before: str) -> bool:
    """Tell whether a reply is no more than a part of the offered question that is new in it."""
    said = {term for term in terms(reply) if not speaks_of_nothing(term)}
    return said <= set(terms(offered)) and not said <= set(terms(before))


def _narrowed(question: str, reply: str) -> str:
    """Return a question with what narrows it, the reply whole, within `MAX_QUESTION_CHARS`."""
    room = MAX_QUESTION_CHARS - len(reply) - 1
    return f"{question[:room].rstrip()}\n{reply}" if room > 0 and question.strip() else reply


# --- what is turned down --------------------------------------------------------------------

EDGES: Final = " ,.;:!-–—"
_LEAD: Final = r"\W*(?:(?:no|nope|nah|hm+|sorry|but)\b[\s,.!–-]*)*"
_OUTRIGHT: Final = re.compile(
    rf"{_LEAD}(?:(?:none|neither|nothing|not\s+(?:any|one))\s+(?:of|from)"
    r"\s+(?:(?:the|these|those|your)\s+(?:\d|two|three|four|five|six|seven|eight|above|ones?|options?|codes?|titles?|choices?)"
    r"|these|those|them|it|that)"
    r"|something\s+else|(?:none|neither)(?!\s+of\b|[^,.;:!?]*\snor\b)(?:\s+ones?\b)?)(?![\w'’])"
    r"(?:\s+(?:fits?|match(?:es)?|appl(?:y|ies)|works?)\b|\s+(?:is|are)\s+(?:right|it|correct)\b)?",
    re.IGNORECASE,
)
_BARE: Final = re.compile(r"\W*(?:no|nope|nothing)(?=\s*(?:[,.;:!–—-]|$))", re.IGNORECASE)
"""What may answer the question as well."""
_CLAUSE_END: Final = re.compile(r"[,.;:!–—]|\s-+\s")
_LEAST_TOLD: Final = 2
"""Different terms of what says more than that it was none."""
_IS_NOT: Final = r"(?:not|is\s?n['’]?t|was\s?n['’]?t)"
_WRONG: Final = re.compile(
    rf"{_LEAD}(?:(?:that|it|this|the)(?:\s+(?:one|code))?(?:['’]?s|\s+is)?\s+)?"
    r"(?:(?:the\s+)?wrong(?:\s+(?:one|code))?"
    rf"|{_IS_NOT}\s+(?:quite\s+)?(?:it|that(?:\s+one)?|this(?:\s+one)?|right|correct|the\s+(?:(?:right|correct)\s+)?(?:one|code))"
    r"|not\s+quite|(?:does\s?n['’]?t|does\s+not)\s+(?:fit|match)"
    r"|something\s+else|another\s+(?:one|code)|(?:a\s+)?different\s+(?:one|code))(?:[\s,]+(?:please|pls|sorry|mate|thanks|thx))*\W*",
    re.IGNORECASE,
)


def all_turned_down(text: str) -> str | None:
    """Return what a message says beside "none of these"; None where it turns down no such thing."""
    if (beside := told_instead(text)) is not None:
        return beside
    found = _BARE.match(text)
    return text[found.end() :].strip(EDGES) if found else None


def told_instead(text: str) -> str | None:
    """Return the same of a message that says so outright: "no" and "nothing" may answer what was asked.

    What is left of the clause that turns down says nothing else ("something else entirely, the toaster").
    """
    found = _OUTRIGHT.match(text)
    if found is None:
        return None
    rest = text[found.end() :]
    end = _CLAUSE_END.search(rest)
    is_of_clause = end and len(set(terms(rest[: end.start()]))) < _LEAST_TOLD
    return (rest[end.end() :] if end and is_of_clause else rest).strip(EDGES)


def is_wrong(text: str) -> bool:
    """Tell whether a message says no more than that what was given is not it; "no" alone may answer anything."""
    return _WRONG.fullmatch(text) is not None or told_instead(text) == ""
