"""The grammar of citations, their audit, and how they are shown to people.

A citation is a chunk id in brackets: `[c_7f3akq2mxw4b]`, several of them parted by commas,
semicolons or blanks, doubled or full-width brackets included. It is valid when the id was issued
for this very prompt. It belongs to the sentence that it stands in or behind.

No citations are code spans and fences, mathematics, Markdown links and their definitions,
checkboxes, indices (`a[0]`), intervals and lists of numbers (`[80, 443]`, `[1, 2] holds`) and any
other words in brackets (`[sic]`).

Made up is what has the shape of a citation and was not issued:

- what begins with `c_` in any case or with `c-` and a code, has another prefix, or is an id
  without one (`[beef99]`);
- names that models invent for their sources: `[E1]`, `[chunk_3]`, `[doc 2]`, `[Source: ...]`,
  `[handbook.pdf]`, `[4:0†source]`;
- a lone `[1]` to `[99]` (or `[^1]`, or `[1, 2]` that ends a statement) behind a word, a sentence or another citation, since drafts
  carry ids and never numbers, unless the evidence itself is numbered like that: then the draft
  quotes it, and people see `(1)`, which cannot be taken for one of ours.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from masis.answering import support
from masis.answering.claims import (
    Claim,
    Known,
    Mark,
    MarkForm,
    hedges,
    is_hedge,
    says_enough,
    stated,
)
from masis.calculating.calculation import holds, source, steps
from masis.domain import (
    FILE_ENDINGS,
    Calculation,
    Citation,
    CitationAudit,
    EvidenceChunk,
    UnsupportedClaim,
)

NOT_FOUND_MARK: Final = "[source not found]"
"""What people see in the place of a citation that does not exist."""

MAX_BRACKET_CHARS: Final = 400
"""Longer text in brackets is no citation: 20 ids with their commas are 320."""
MAX_MATHS_CHARS: Final = 200
_MONEY_CHARS: Final = 80
_QUOTING: Final = '“‘„«"('
"""Begins what is quoted or put in brackets: a dollar sign behind it ends nothing.

A straight single quote is a prime as often: `$f'$` ends behind it.
"""
_MAX_TARGET_CHARS: Final = 300
_MAX_INDENT: Final = 12
SAID_BENEATH: Final = 0.5
"""From this grade of support on a heading says again what the sources beneath it say."""

# --- the grammar ---------------------------------------------------------------------------

_OPENING: Final = "[【\uff3b"
_CLOSING: Final = "]】\uff3d"
"""Square brackets, and the East Asian and full-width ones that some models write."""
_OPEN: Final = re.escape(_OPENING)
_CLOSE: Final = re.escape(_CLOSING)

_ID = re.compile(r"(?<![A-Za-z0-9_])c_[a-z2-7]{12}(?![A-Za-z0-9_])")
_ID_ANYWHERE = re.compile(r"(c)_(?=[a-z2-7]{12})", re.IGNORECASE)
_SEPARATOR = re.compile(r"[,;|]|\s(?:and|&)\s|\s(?=c_)", re.IGNORECASE)
_LABEL = re.compile(
    r"\b(?:chunk(?:[ _-]?id)?|id|sources?|refs?|references?|citations?|evidence|see)\s*[:=#]?\s*"
    r"(?=c_)",
    re.IGNORECASE,
)
_LOOKALIKE = re.compile(
    r"""
      c_[\w-]{1,40}
    | c[:.\#-](?=[\w-]{0,30}[0-9]|[0-9a-f]{4})[\w-]{1,40}
    | [a-z]{1,10}_[a-z2-7]{12}
    | (?=[0-9a-f-]{0,39}[a-f])(?=[0-9a-f-]{0,39}[0-9])[0-9a-f]{6,32}(?:-[0-9a-f]{4,12}){0,4}
    | \^[\w-]{1,40}
    | (?:cite|cit|ref|source|citation|doc|chunk)
    | (?=[a-z]{0,11}[2-7])[a-z2-7]{12}
    | [cdes][0-9]{1,3}
    | (?:chunk|doc|docs|document|evidence|ev|source|src|ref|reference|citation|cite|passage
        |context|snippet|excerpt)s?[ _:.\#-]{0,2}[0-9]{1,4}[a-z]?
    | (?:chunk|doc|document|evidence|source|ref|cite|citation)[_:.\#-]\s?(?=[a-z_-]{0,30}[0-9])[\w-]{1,40}
    | [0-9]{1,3}(?::[0-9]{1,3})?†[^\n]{0,60}
    | [\w .&-]{1,80}\.(?:"""
    + "|".join(FILE_ENDINGS)
    + r""")
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NAMED_SOURCE = re.compile(
    r"(?:sources?|refs?|references?|citations?|evidence)\s*:\s*[^\s()][^()]*", re.IGNORECASE
)
_LOCATOR = re.compile(
    r"(?:pp?\.?|pages?|sec(?:tion|\.)?|slide|sheet|line|§|chapter)\s*[0-9][0-9 .–-]*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\^?[1-9][0-9]?")
_NUMBERS = re.compile(r"[1-9][0-9]?(?:\s?[,;–-]\s?[1-9][0-9]?){1,20}")
_BROKEN_LINE = re.compile(r"\s*\n\s*")
_BRACKETED = re.compile(rf"[{_OPEN}]([^{_OPEN}{_CLOSE}]{{1,{MAX_BRACKET_CHARS}}})[{_CLOSE}]")
_NUMBERED = re.compile(rf"\[\^?([1-9][0-9]?|{_NUMBERS.pattern})\]")


class _Reading(NamedTuple):
    """Hold what the content of a pair of brackets says."""

    ids: tuple[str, ...]
    form: MarkForm
    mixed: bool


def _read(content: str) -> _Reading | None:
    """The ids in the content of a pair of brackets; None when it is no citation at all."""
    content = content.replace("\\_", "_").strip()
    if not content or len(content) > MAX_BRACKET_CHARS:
        return None
    several = bool(_NUMBERS.fullmatch(content))
    if several or _NUMBER.fullmatch(content):
        return _Reading((f"[{content}]",), "number", mixed=several)
    if not _ID.search(content):
        # An id may have been broken at the end of a line.
        joined = _BROKEN_LINE.sub("", content)
        content = joined if _ID.search(joined) else content
    issued = _ID.findall(content)
    pieces = _SEPARATOR.split(_LABEL.sub("", content))
    items = [item for item in (piece.strip(" \t\r\n'\"") for piece in pieces) if item]
    shaped = [item for item in items if item in issued or _LOOKALIKE.fullmatch(item)]
    ids = tuple(dict.fromkeys([*shaped, *issued]))
    if issued:
        return _Reading(ids, "id", mixed=len(shaped) < len(items))
    if shaped and all(item in shaped or _LOCATOR.fullmatch(item) for item in items):
        return _Reading(ids, "lookalike", mixed=len(shaped) < len(items))
    if _NAMED_SOURCE.fullmatch(content):
        return _Reading((content,), "lookalike", mixed=False)
    return None


# One character or a run of one kind a token, so that the text is read once whatever it holds.
# A backslash does not escape a backtick (code spans know no escapes) or an underscore (part of
# ids, which models like to escape).
_SPECIAL = re.compile(r"\n[ \t]*+(?=\n)|`++|~{3,}+|\$\$?+|\\[^\n`_]|" + f"[{_OPEN}]++|[{_CLOSE}]++")


class _Token(NamedTuple):
    start: int
    end: int
    text: str


@dataclass(slots=True)
class _Scan:
    """One reading of a text. `steps` counts what was looked at, which is linear in its length."""

    text: str
    tokens: list[_Token] = field(init=False)
    partners: dict[int, int] = field(init=False)
    marks: list[Mark] = field(default_factory=list)
    steps: int = 0

    def __post_init__(self) -> None:
        self.tokens = [_Token(m.start(), m.end(), m[0]) for m in _SPECIAL.finditer(self.text)]
        self.steps = len(self.text)
        self.partners = self._partners()
        at = 0
        while at < len(self.tokens):
            at = self._after(at)

    def _partners(self) -> dict[int, int]:
        """For each token that may open code or mathematics the one that closes it.

        From right to left, so that each token is looked at once; nothing reaches over a blank
        line.
        """
        partners: dict[int, int] = {}
        latest: dict[str, int] = {}
        for at in range(len(self.tokens) - 1, -1, -1):
            self.steps += 1
            token = self.tokens[at]
            if token.text[0] == "\n":
                latest.clear()
            closing = {r"\[": r"\]", r"\(": r"\)"}.get(token.text, token.text)
            if closing in latest:
                partners[at] = latest[closing]
            if token.text[0] in "`\\" or token.text == "$$" or self._may_close(token):
                latest[token.text] = at
        return partners

    def _may_close(self, token: _Token) -> bool:
        """A dollar sign that ends mathematics touches it, and no figure follows (`$5`)."""
        before = self.text[max(0, token.start - 1) : token.start]
        behind = self.text[token.end : token.end + 1]
        is_apart = not before or before.isspace() or before in _QUOTING
        return token.text == "$" and not is_apart and not behind.isdigit()

    def _after(self, at: int) -> int:
        """Read the token at `at`, and say where to go on."""
        self.steps += 1
        token = self.tokens[at]
        if token.text[:3] in {"```", "~~~"} and self._is_fence(at):
            return self._after_fence(at)
        if token.text[0] in _OPENING:
            self._bracket(at)
        elif at in self.partners and self._opens(at):
            return self.partners[at] + 1
        return at + 1

    def _starts_line(self, at: int) -> bool:
        lead = self.text[max(0, at - _MAX_INDENT) : at]
        blank = lead.rpartition("\n")[2]
        return not blank.strip() and ("\n" in lead or len(lead) == at)

    def _is_fence(self, at: int) -> bool:
        token = self.tokens[at]
        if not self._starts_line(token.start):
            return False
        # ```code``` on one line is a span, not a fence.
        following = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        return (
            token.text[0] == "~"
            or following is None
            or following.text[0] != "`"
            or "\n" in self.text[token.end : following.start]
        )

    def _after_fence(self, at: int) -> int:
        opening = self.tokens[at].text
        for closing in range(at + 1, len(self.tokens)):
            self.steps += 1
            token = self.tokens[closing]
            if token.text.startswith(opening) and self._starts_line(token.start):
                return closing + 1
        return len(self.tokens)

    def _opens(self, at: int) -> bool:
        """Say whether a token with a partner opens code or mathematics.

        A sign of money does not.
        """
        token, closing = self.tokens[at], self.tokens[self.partners[at]]
        if token.text != "$":
            return token.text[0] in "`$" or token.text in {r"\[", r"\("}
        length = closing.start - token.end
        first = self.text[token.end : token.end + 1]
        before = self.text[max(0, token.start - 1) : token.start]
        if length > MAX_MATHS_CHARS or first.isspace() or before.isalnum():
            return False
        inside = self.text[token.end : closing.start]
        self.steps += len(inside)
        return not first.isdigit() or _is_formula(inside)

    def _bracket(self, at: int) -> None:
        """Take the innermost of the brackets that open at `at`, when it holds a citation."""
        if at + 1 >= len(self.tokens) or self.tokens[at + 1].text[0] not in _CLOSING:
            return
        opening, closing = self.tokens[at], self.tokens[at + 1]
        self.steps += closing.start - opening.end
        reading = _read(self.text[opening.end : closing.start])
        if reading is None:
            return
        width = 2 if min(len(opening.text), len(closing.text)) > 1 else 1
        start, end = opening.end - width, closing.start + width
        if self._counts(reading, start, end):
            text = self.text[start:end]
            self.marks.append(Mark(reading.ids, start, end, text, reading.form, reading.mixed))

    def _counts(self, reading: _Reading, start: int, end: int) -> bool:
        """Say whether what reads as a citation also stands where one may stand."""
        if self._is_link(end, lenient=reading.form == "id"):
            return False
        if reading.form == "id":
            return True
        follower = self.text[end : end + 1]
        if follower == ":" and self._starts_line(start):
            return False  # the definition of a reference link
        word = _word_before(self.text, start)
        if reading.form == "lookalike":
            return not _is_identifier(word)
        if reading.mixed:
            return not word and self._ends_statement(start, follower)
        return self._numbers(word, start, follower)

    def _numbers(self, word: str, start: int, follower: str) -> bool:
        """Say whether a lone number is a citation.

        It stands behind words or another citation, and is no index.
        """
        if self.text[max(0, start - 1) : start] in {*_CLOSING}:
            return bool(self.marks) and self.marks[-1].end == start
        return not word or (not _is_identifier(word) and follower in {"", *"\n.,;:!?)"})

    def _ends_statement(self, start: int, follower: str) -> bool:
        """Say whether several numbers stand behind words and end them.

        They do in `paid [1, 2].`; an interval does not.
        """
        lead = self.text[max(0, start - 2) : start].rstrip(" ")
        behind_words = lead[-1:].isalpha() or lead[-1:] in {*'.!?"”’)'}
        return bool(lead) and behind_words and follower in {"", *"\n.,;:!?)"}

    def _is_link(self, end: int, *, lenient: bool) -> bool:
        """Say whether a link target follows. An id with a remark in parentheses is a citation."""
        if self.text[end : end + 1] != "(":
            return False
        if not lenient:
            return True
        target = self.text[end + 1 : end + 1 + _MAX_TARGET_CHARS].partition(")")[0]
        self.steps += len(target)
        return " " not in target.strip()


def _is_formula(inside: str) -> bool:
    """Tell whether what begins with a figure is mathematics: an amount of money goes on in prose."""
    if "\n" in inside or _ID.search(inside):
        return False
    lead = inside[:_MONEY_CHARS]
    return any(sign in lead for sign in "\\^{}=") or " " not in lead


def _word_before(text: str, at: int) -> str:
    """The letters, digits and underscores that touch `at` from the left, 32 at most."""
    lead = text[max(0, at - 32) : at]
    return lead[
        len(lead.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")) :
    ]


def _is_identifier(word: str) -> bool:
    """Say whether brackets behind `word` are an index.

    `a[0]` and `row_3[1]` are, `rose[1]` is not.
    """
    return len(word) == 1 or "_" in word or any(map(str.isdigit, word))


def find(text: str) -> list[Mark]:
    """All marks of a text in order, valid or not. Linear in its length, and never raises."""
    return _Scan(text).marks


def neutralise(text: str) -> str:
    """Document text that cannot be taken for a citation, for prompts and for quotations.

    What has the shape of a citation loses its brackets to parentheses and an id its underscore,
    wherever it stands (a prompt may cut code or mathematics in two). Numbers in brackets stay.
    """

    def defused(match: re.Match[str]) -> str:
        reading = _read(match[1])
        if reading is None or reading.form == "number":
            return match[0]
        return f"({match[1]})"

    return _ID_ANYWHERE.sub(r"\1-", _BRACKETED.sub(defused, text))


# --- the audit -----------------------------------------------------------------------------


def audit(
    draft: str,
    evidence: Sequence[EvidenceChunk],
    question: str = "",
    *,
    calculations: Sequence[Calculation] = (),
    counted: Sequence[str] = (),
    graded: bool = False,
) -> CitationAudit:
    """Hold a draft against the evidence that it was written from.

    Figures, names, dates and quotations must stand in what a claim cites. `graded` also holds its
    words against it: for a text that a model wrote, since a quotation is sound by construction.

    `calculations` are logged calculations: a figure that comes out of one need not stand in a chunk
    where the claim cites all that it is made of, and it comes out again. `counted` is what code counted
    over documents ("12 of 44"), as texts. A claim with nothing but made-up citations is neither cited
    nor uncited: its citations are invalid.
    """
    issued = {chunk.chunk_id: chunk for chunk in reversed(evidence)}
    marks = _without_quoted_numbers(find(draft), evidence)
    named = _named(marks)
    known = Known.of(question, evidence)
    found = [claim for claim in stated(draft, marks, known) if _is_claim(claim, question, issued)]
    cited = [claim for claim in found if any(name in issued for name in claim.ids)]
    return CitationAudit(
        citations=[name for name in named if name in issued],
        invalid=[name for name in named if name not in issued],
        uncited=[claim.text for claim in found if not claim.ids],
        unsupported=[*_unsupported(cited, issued, calculations, counted, graded=graded)],
        claims=len(found),
        cited_claims=len(cited),
    )


def cited(draft: str, evidence: Sequence[EvidenceChunk]) -> list[str]:
    """The ids of the evidence that a draft cites, in order: what its audit's `citations` will be."""
    issued = {chunk.chunk_id for chunk in evidence}
    return [name for name in _named(find(draft)) if name in issued]


def _named(marks: Iterable[Mark]) -> list[str]:
    return list(dict.fromkeys(name for mark in marks for name in mark.ids))


def claims(draft: str, question: str = "") -> list[Claim]:
    """List what a draft states, each with its ids: sentences, list items and table rows.

    Headings, questions and lead-ins to lists are claims where they state something. No claims are
    the question said again, and, where they cite nothing, code and what has under four words. Left
    out is also a heading over cited text, of which only the audit can tell what it adds.
    """
    found = stated(draft, find(draft), Known.of(question, ()))
    return [claim for claim in found if not claim.below]


def summary(audit: CitationAudit) -> str:
    """The audit in a line for people: `6 of 7 claims cited, 1 citation not found`."""
    parts = [f"{audit.cited_claims} of {_counted(audit.claims, 'claim')} cited"]
    if audit.invalid:
        parts.append(f"{_counted(len(audit.invalid), 'citation')} not found")
    if audit.unsupported:
        parts.append(f"{_counted(len(audit.unsupported), 'claim')} not borne out by its source")
    return ", ".join(parts)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _without_quoted_numbers(marks: Iterable[Mark], evidence: Sequence[EvidenceChunk]) -> list[Mark]:
    """The marks without numbers that stand in the evidence itself."""
    numbered = {found for chunk in evidence for found in _NUMBERED.findall(chunk.text)}
    return [
        mark for mark in marks if mark.form != "number" or mark.ids[0].strip("[^]") not in numbered
    ]


def _is_claim(claim: Claim, question: str, issued: Mapping[str, EvidenceChunk]) -> bool:
    """Say whether a statement is a claim.

    A hedge is none, nor is what only says what is cited beneath it.
    """
    if claim.ids:
        # Of few words only a real source makes a claim: "Yes [c_…]".
        return says_enough(claim.text) or any(name in issued for name in claim.ids)
    return not (hedges(claim, question) or _is_borne_out(claim, issued))


def _is_borne_out(claim: Claim, issued: Mapping[str, EvidenceChunk]) -> bool:
    """Say whether a heading or lead-in only says what the sources beneath it say."""
    sources = [source_text(issued[name]) for name in claim.below if name in issued]
    return bool(sources) and support.support(claim.text, sources).value >= SAID_BENEATH


def _unsupported(
    cited: Iterable[Claim],
    issued: Mapping[str, EvidenceChunk],
    calculations: Sequence[Calculation],
    counted: Sequence[str],
    *,
    graded: bool,
) -> Iterable[UnsupportedClaim]:
    for claim in cited:
        chunks = [issued[name] for name in claim.ids if name in issued]
        sources = [*map(source_text, chunks), *_worked_out(calculations, chunks), *counted]
        missing = support.missing(claim.text, sources)
        reason = "" if missing or not graded else _objection(claim, sources)
        if missing or reason:
            yield UnsupportedClaim(sentence=claim.text, missing=missing, reason=reason)


def _worked_out(
    calculations: Sequence[Calculation], chunks: Sequence[EvidenceChunk]
) -> Iterable[str]:
    """Yield what comes out of figures that all stand in these chunks."""
    names = {chunk.chunk_id for chunk in chunks}
    for done, period in (step for calculation in calculations for step in steps(calculation)):
        leaves = [leaf for figure in done.inputs for leaf in figure.leaves]
        if all(leaf.chunk_id in names for leaf in leaves) and holds(done, chunks):
            yield f"{source(done)}\n{period}"


def _objection(claim: Claim, sources: Sequence[str]) -> str:
    """Why a claim's words are not borne out; what says that something is not said has no source."""
    return "" if is_hedge(claim.text) else support.objection(claim.text, sources)


def source_text(chunk: EvidenceChunk) -> str:
    """All that a chunk says: its text, its headings, and its document's title, name and date."""
    date = chunk.date.isoformat() if chunk.date else ""
    told = [chunk.text, chunk.context, *chunk.place.headings, chunk.title, chunk.document, date]
    return "\n".join(told)


# --- what people see -----------------------------------------------------------------------


def number(
    draft: str, audit: CitationAudit, evidence: Sequence[EvidenceChunk]
) -> tuple[str, list[Citation]]:
    """The draft with `[1]`..`[n]` in order of appearance, and the sources behind the numbers.

    What the audit called invalid becomes `NOT_FOUND_MARK`. All other text stays as it is.
    """
    issued = {chunk.chunk_id: chunk for chunk in reversed(evidence)}
    valid = [name for name in audit.citations if name in issued]
    numbers = {name: n for n, name in enumerate(valid, start=1)}
    pieces: list[str] = []
    cursor = 0
    for mark in find(draft):
        pieces += [draft[cursor : mark.start], _shown(mark, numbers, audit.invalid)]
        cursor = mark.end
    shown = "".join([*pieces, draft[cursor:]])
    return shown, [_citation(n, issued[name]) for name, n in numbers.items()]


def _shown(mark: Mark, numbers: Mapping[str, int], invalid: Sequence[str]) -> str:
    if mark.form == "number" and mark.ids[0] not in invalid:
        return f"({mark.ids[0].strip('[^]')})"
    if mark.mixed and mark.form == "id":
        inside = mark.text.strip(_OPENING + _CLOSING).replace("\\_", "_")
        for name in sorted(mark.ids, key=len, reverse=True):
            label = str(numbers[name]) if name in numbers else NOT_FOUND_MARK.strip("[]")
            inside = inside.replace(name, label)
        return f"[{inside}]"
    shown = [f"[{numbers[name]}]" if name in numbers else NOT_FOUND_MARK for name in mark.ids]
    return "".join(dict.fromkeys(shown))


def _citation(n: int, chunk: EvidenceChunk) -> Citation:
    return Citation(
        n=n,
        chunk_id=chunk.chunk_id,
        document_id=chunk.document_id,
        version_id=chunk.version_id,
        document=chunk.document,
        title=chunk.title,
        place=chunk.place,
        date=chunk.date,
        date_source=chunk.date_source,
        text=chunk.text,
    )
