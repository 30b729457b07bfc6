"""Find which of the statements that disagree a reply has chosen, in whatever words.

Pure and lexical. A reply mentions statements by the name of their document, a date, their place in
the list, their age, a figure or their own words; each mention is for its statement, or against it
("not the old one", "the memo is out of date"). What tells nothing apart is no mention.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from masis.domain import AskedBack, Choice, ChoiceKind, EvidenceChunk, Question, SourceStatement
from masis.questions.references import FILLER, WORD, Mention, is_named, mentions, names_of, normal

MAX_REPLY_CHARS: Final = 600
"""Of a reply that are read: a choice is said in a few words, and at the beginning."""
MOST_CHOICES: Final = 5
"""Carried from one run to the next; nobody settles as many conflicts of one question."""


def chosen(question: Question, one: EvidenceChunk, other: EvidenceChunk) -> EvidenceChunk | None:
    """Return the document that the question names whole, or that was chosen; else None.

    Where it is not known what a reply was asked about, it is read as a choice between these two.
    """
    named = [chunk for chunk in (one, other) if is_named(question.standalone, chunk.document)]
    if len(named) == 1:
        return named[0]
    choice = between(question.choices, one.document_id, other.document_id)
    if not question.choices:
        choice = read(question.reply, [statement_of(one), statement_of(other)])
    counting = [c for c in (one, other) if choice and c.document_id in choice.documents]
    return counting[0] if len(counting) == 1 else None


def between(choices: Iterable[Choice], one: str, other: str) -> Choice | None:
    """Return the choice that was made between two documents, by their ids."""
    return next((each for each in choices if each.settles and {one, other} <= each.among), None)


def statement_of(chunk: EvidenceChunk, text: str | None = None) -> SourceStatement:
    """Return what a chunk states, by default its whole text."""
    return SourceStatement(
        document_id=chunk.document_id,
        document=chunk.document,
        title=chunk.title,
        date=chunk.date,
        date_source=chunk.date_source,
        text=chunk.text if text is None else text,
    )


def carried(outcome: Mapping[str, Any], reply: str) -> list[Choice]:
    """Return the choices in force after a reply to a run that ended with this outcome.

    Those of that run, and what the reply says of the statements that it asked about. Where a run
    has forgotten its statements, since a document that it quoted is gone, nothing is chosen any more.
    """
    before = [Choice.model_validate(each) for each in outcome.get("choices") or []]
    before = [each for each in before if all(said.text for said in each.statements)]
    asked = [SourceStatement.model_validate(each) for each in outcome.get("statements") or []]
    asked = [said for said in asked if said.text]
    if not reply or len(asked) <= 1:  # one alone is no choice
        return [each for each in before if each.settles]
    among = {statement.document_id for statement in asked}
    asked_again = any(not each.settles and each.among == among for each in before)
    kept = [each for each in before if each.settles and each.among != among]
    unclear: ChoiceKind = "undecided" if asked_again else "unclear"
    found = read(reply, asked) or Choice(kind=unclear, statements=asked)
    return [*kept, found][-MOST_CHOICES:]


def conversation(outcome: Mapping[str, Any], reply: str) -> list[AskedBack]:
    """Return what was asked on the way to a code, with this reply to an outcome that asked for one."""
    if outcome.get("kind") != "choice" or not reply:
        return []
    before = [AskedBack.model_validate(each) for each in outcome.get("asked_back", [])]
    last = AskedBack(
        question=outcome.get("clarification_question", ""),
        options=outcome.get("options", []),
        reply=reply,
    )
    return [*before, last]


def read(reply: str, statements: Sequence[SourceStatement]) -> Choice | None:
    """Return what a reply chooses among statements in the order they were shown; None if nothing."""
    text = normal(reply[:MAX_REPLY_CHARS])
    if not text or not statements or _ASKS.search(text):
        return None
    if _lists_all(text, statements):
        return Choice(kind="both", statements=list(statements))
    found = _Reading(text, statements)
    for start, end in _clauses(text):
        found.clause(start, end)
    return found.choice()


def says_nothing(reply: str) -> bool:
    """Return whether a reply is no more than thanks, or that somebody does not know."""
    text = normal(reply[:MAX_REPLY_CHARS])
    said = (text[start:end] for start, end in _clauses(text))
    return all(
        _TELLS_NOTHING.search(each) or FILLER.issuperset(WORD.findall(each)) for each in said
    )


# --- a reply, clause by clause ---------------------------------------------------------------

_BREAKS: Final = re.compile(
    r"[,;!?\n]|\.(?=\s|$)|\s[-–—]+\s|(?<!everything)(?<!anything)(?<!nothing)(?<!all)\s+but\b"
    r"|\bbecause\b|\bso (?=use|take|go|it|the|him|her|them)"
)
_ASKS: Final = re.compile(
    r"^(?:which|what|who|why|when|where|how)\b|^(?:is|are|does|do|did|was|were|isn't|aren't)\b[^?]*\?$"
)
_TELLS_NOTHING: Final = re.compile(
    r"\b(?:not (?:quite |really )?(?:sure|certain)|unsure|no (?:idea|clue)|(?:do not|don't|dont) (?:know|mind|care)"
    r"|dunno|idk|(?:can't|cannot|cant|can not) (?:say|tell|decide)|hard to (?:say|tell)|ask\b|check (?:with|that)"
    r"|let me|i'll|i will|hold on|never ?mind|leave (?:it|this|that)|forget it|you (?:decide|choose|tell)"
    r"|whichever|whatever|who knows|knows$|thanks?|thx|cheers|doesn't matter|does not matter"
    r"|either(?! (?:way|case)))\b"
)
_AGAINST: Final = re.compile(
    r"\b(?:not|isn't|don't|dont|never|no|ignore|ignoring|disregard|drop|discard|skip|exclude|excluding|forget"
    r"|without|except(?: for)?|(?:everything|anything|all) (?:but|except)|rather than|instead of"
    r"|other than|replaces?|supersedes?|over(?= the))\b"
)
_FOR: Final = re.compile(
    r"(?<!don't )(?<!dont )(?<!not )(?<!never )\b(?:use|take|go (?:with|by|for)|choose|pick|prefer|trust|follow|believe|it is|it's|its)\b"
)
_WRONG: Final = re.compile(
    r"\b(?:wrong|out ?dated|out of date|obsolete|incorrect|inaccurate|superseded|replaced|invalid|expired"
    r"|stale|retired|withdrawn|(?:a )?typo|(?:a )?mistake|an error|no longer|nonsense|(?:is|was|are|does|do|did|should|'s) not|isn't|wasn't|doesn't|doesnt|shouldn't"
    r"|not (?:right|valid|correct|true|current|in force)"
    r"|(?:is|was|are|'s) (?:too |very |just |only ){0,2}(?:old|an? (?:draft|proposal|plan|example)))\b"
)
_SAYS: Final = re.compile("|".join(each.pattern for each in (_AGAINST, _FOR, _WRONG)))
_BOTH: Final = re.compile(
    r"\b(?:both|all of (?:them|these|those)|each of (?:them|these)|the two)\b"
)
_NEITHER: Final = re.compile(
    r"\b(?:neither|none(?: of (?:them|these|those|the \w+))?|nor|not either)\b"
)
_TOGETHER: Final = re.compile(r"\s(?:and|plus|&|as well as)\s")


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _BREAKS.finditer(text):
        yield start, found.start()
        start = found.end()
    yield start, len(text)


def _lists_all(text: str, statements: Sequence[SourceStatement]) -> bool:
    """Say whether every document stands on a line of its own.

    That is how a form lists those that count.
    """
    lines = set(text.split("\n"))
    return bool(statements) and all(lines & names_of(each) for each in statements)


class _Reading:
    """A reply as it is read: the statements that it is for, and those that it is against."""

    def __init__(self, text: str, statements: Sequence[SourceStatement]) -> None:
        self._text = text
        self._statements = statements
        self._all = frozenset(range(len(statements)))
        self._mentions = mentions(text, statements)
        self._for: set[int] = set()
        self._against: set[int] = set()
        self._of_all: ChoiceKind | None = None
        self._together = False

    def clause(self, start: int, end: int) -> None:
        """Read one clause; one in which nobody is sure says nothing."""
        words = self._text[start:end]
        inside = self._joined(each for each in self._mentions if start <= each.start < end)
        named = self._text[start : inside[0].start] if inside else words
        if _TELLS_NOTHING.search(named if inside and inside[0].start > start else words):
            return
        self._note_all(words)
        if len(inside) > 1 and _TOGETHER.search(words):
            self._together = True
        for at, mention in enumerate(inside):
            after = inside[at + 1].start if at + 1 < len(inside) else end
            is_against = _is_against(
                self._text[start : mention.start], self._text[mention.end : after]
            )
            (self._against if is_against else self._for).update(mention.which)

    def _joined(self, mentions: Iterable[Mention]) -> list[Mention]:
        """Join those of the same statements that nothing is said between: "the website page"."""
        joined: list[Mention] = []
        for each in mentions:
            between = self._text[joined[-1].end : each.start] if joined else ""
            if joined and joined[-1].which == each.which and not _SAYS.search(between):
                joined[-1] = joined[-1]._replace(end=each.end)
            else:
                joined.append(each)
        return joined

    def _note_all(self, words: str) -> None:
        """Note what is said of all statements together."""
        if _NEITHER.search(words):
            self._of_all = "neither"
        elif both := _BOTH.search(words):
            is_wrong = _AGAINST.search(words[: both.start()]) or _WRONG.search(words[both.end() :])
            self._of_all = self._of_all or ("neither" if is_wrong else "both")

    def choice(self) -> Choice | None:
        """Return what the whole reply chooses."""
        if self._of_all is not None:
            return self._made(self._of_all)
        if not (self._for or self._against):
            return None
        if self._against == self._all and not self._for:
            return self._made("neither")
        counting = (self._for - self._against) if self._for else (self._all - self._against)
        if counting == self._all:
            return self._made("both") if self._together else None
        return self._made("documents", counting) if counting else None

    def _made(self, kind: ChoiceKind, counting: Iterable[int] = ()) -> Choice:
        documents = [self._statements[at].document_id for at in sorted(counting)]
        return Choice(kind=kind, statements=list(self._statements), documents=documents)


def _is_against(before: str, after: str) -> bool:
    """Say whether a mention between these words is against its statement."""
    against = max((found.end() for found in _AGAINST.finditer(before)), default=-1)
    in_favour = max((found.end() for found in _FOR.finditer(before)), default=-1)
    return against > in_favour or bool(_WRONG.search(after.partition(" and ")[0]))
