"""Finding the sentences of the evidence that may answer a question, and how likely each does.

Pure: vectors and term weights come in. The weights of the score were measured on encyclopedic,
financial and handbook questions; `tests/bench/RESULTS.md` says how they do.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, Literal, NamedTuple

import numpy as np

from masis.domain import EvidenceChunk
from masis.phrases import asked_matters, held_roles, obligations, told_cases
from masis.ports import Vectors
from masis.retrieval import succession
from masis.text import lexical, row_fit
from masis.text.grammars import when_clauses
from masis.text.grammars.antecedents import Antecedents, leans
from masis.text.grammars.calendar import ANY_MONTH, ANY_SHORT_MONTH, BEGUN_MONTH, WEEKDAY
from masis.text.sentences import Unit, units
from masis.words import synonyms

Wanted = Literal["number", "time", "person", "place", "money", "yes_no", "reason", "any"]
"""What kind of answer a question asks for."""

MAX_PASSAGES: Final = 160
"""Units looked at; the best chunks come first, so what is cut matters least."""
MAX_UNIT_CHARS: Final = 700
"""A longer unit is no sentence that one would quote."""
MIN_WORDS: Final = 3
TITLE_WORDS: Final = 7
"""A shorter line without a full stop is a title, not a sentence."""
CAPTION_WORDS: Final = 2
"""A sentence with fewer words in small letters has no verb: "Half-year count, 27-28 June." """
MAX_ASKING_CHARS: Final = 160
"""A longer question is no title of its answer."""
_CLOSING: Final = (".", "!", "?", ".”", '."', ".)", "!”", "?”")

COSINE_WEIGHT: Final = 0.30
WINDOW_WEIGHT: Final = 0.20
"""Of the cosine of a sentence together with the two beside it: "It is then 14 days." says little
alone."""
COVERAGE_WEIGHT: Final = 0.35
CHUNK_WEIGHT: Final = 0.20
HINT_BONUS: Final = 0.10
CONTEXT_CREDIT: Final = 0.7
"""A question's term in the heading over a sentence counts this much of one in the sentence."""
NEIGHBOUR_WEIGHT: Final = 0.10
"""A sentence beside a good one is likelier to belong to the answer."""
STRAY_PENALTY: Final = 0.30
TORN_PENALTY: Final = 0.10
"""A sentence that begins in the middle is the rest of a torn one."""
STRAY_COSINE: Final = 0.40
"""A list item or row without any word of the question must be this near to it."""
FIGURE_BONUS: Final = 0.05
"""Of a passage with a figure in it: what people ask of their papers is mostly a fact."""
CHATTER_PENALTY: Final = 0.10
"""Of a sentence in the first person: what somebody thinks of a matter seldom answers."""
POINTER_PENALTY: Final = 0.25
"""Of a sentence that only says where something is told: it has the words of the question by nature."""
TITLE_PENALTY: Final = 0.20
"""Of a line without a stop and a verb: the title of a table or page states nothing."""
OTHER_YEAR_PENALTY: Final = 0.20
"""Of a passage that names years, and none of those that are asked for."""
NAMELESS_PENALTY: Final = 0.15
"""Of a passage that names nobody, where it is asked who somebody is."""
ROLE_BONUS: Final = 0.20
"""Of one that names somebody, and has the role that is asked for word by word."""
NO_MOMENT_PENALTY: Final = 0.10
"""Of a passage without a day or an hour where it is asked when: a year or a span alone is none."""
NO_RULE_PENALTY: Final = 0.08
"""Of a passage that neither allows, obliges nor denies where it is asked whether one may or must."""
RULING_BONUS: Final = 0.10
"""Of one that decides it: may, must not, never, only with. Of 43 such questions the right statement comes first in
39 so (37), among the first two in 43 (39)."""
STEP_BONUS: Final = 0.10
"""Of an item under a heading or lead-in that has words of the question, where it is asked how to do
something."""
PROMISED_STEP_BONUS: Final = 0.25
"""Where the heading or the lead-in promises steps."""
EXCLUDED_PENALTY: Final = 0.10
"""Of what lies "outside London" or is "other than" what the question names."""
ELSEWHERE_PENALTY: Final = 0.15
"""Of a passage that tells of doing it at another place: "work from abroad"."""
HEADED_BONUS: Final = 0.10
"""Of a passage under a heading that is what the question asks about, word for word."""
GLOSSARY_PENALTY: Final = 0.15
"""Of what explains words, where it is asked how to do something."""

_MONEY = re.compile(
    r"[£$€]\s?\d|\b\d[\d,.]*\s?(?:GBP|USD|EUR|pounds?|dollars?|euros?|k|p)\b", re.IGNORECASE
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|"
    r"half|none|no (?:limit|maximum|minimum))\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:\d{4}|\d{1,2}[:.]\d{2}|\d{1,2}(?:st|nd|rd|th)?|"
    rf"{BEGUN_MONTH}|{WEEKDAY}s?|"
    r"days?|weeks?|months?|years?|hours?|minutes?|quarter|annually|daily|weekly|monthly|noon)\b",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"\b[A-Z][a-z]+ (?:[A-Z][a-z]+|van|de)\b|\b(?:manager|director|officer|team|lead|head|staff|"
    r"supervisor|adviser|engineer|department|office)\b"
)
_PLACE = re.compile(r"\b(?:in|at|on|to|from|via|under) (?:the )?[A-Z#\"“]|https?:|/|#\w|@")
_MOMENT = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{ANY_SHORT_MONTH})"
    rf"|\b(?:{ANY_MONTH})"
    r" \d{1,4}\b|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{1,2}[:.]\d{2}\b"
    rf"|\b\d{{1,2}} ?[ap]\.?m\b|\bnoon\b|\bmidnight\b|\b{WEEKDAY}s?\b"
    r"|\b(?:daily|weekly|monthly|annually|every|once|twice)\b"
    r"|\bwithin\b|\bbefore\b|\bafter\b|\bas soon as\b|\bat once\b",
    re.IGNORECASE,
)
_ASKS_WHEN = re.compile(r"\bwhen(?:s|'s|’s)?\b|\bwhat (?:date|day|time)\b", re.IGNORECASE)
_ASKS_HOW_TO = re.compile(
    r"\bhow (?:do|can|should|would|to|does|shall)\b|\b(?:steps|procedure|process|instructions)\b",
    re.IGNORECASE,
)
_STEPS = re.compile(r"\b(?:steps?|how to|step by step)\b", re.IGNORECASE)
_GLOSSARY = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*\.?\s+)?(?:words|definitions?|glossary|terms(?: used)?|abbreviations|meanings?)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\d.,£$€-])(?:19|20)\d{2}(?![\d,]|[.-]\d)")
_POINTER = re.compile(
    r"\b(?:see|refer to|read|consult) (?:also )?(?:the|our|section|chapter|appendix|annex|page)\b"
    r"|\b(?:is|are) (?:all )?(?:described |set out |explained |covered |listed |found |given )?(?:in|on) "
    r"(?:the|our|its|a) (?:[A-Z][\w&’'-]*\s(?:(?:and|of|for|on) )?){1,6}"
    r"|\b(?:is|are) (?:described|set out|explained|covered|listed|dealt with|told) (?:in|on)\b"
    r"|\b(?:is|are) in [A-Z][\w’'-]+(?: [A-Z][\w’'-]+)* [a-z]+ (?:report|note|paper|list)\b"
    r"|\bnot repeated here\b|\bfor (?:more|further) (?:information|details?)\b",
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|do|does|did|can|may|must|will|shall|should|could|would|"
    r"cannot|[a-z]{2,}(?:ed|n't))\b"
)
_REASON = re.compile(
    r"\b(?:because|since|due to|so that|in order|therefore|reason|cause)\b", re.IGNORECASE
)

PRICED: Final = (
    r"\bwhat (?:does|do|did)\b.{1,40}\b(?:(?:want|charge|ask|take) per\b"
    r"|want for (?:an?|each|every|one)\b)"
)
"""Asks for a price, as a pattern: "what do they take per hour"; what somebody wants for the meeting is none."""

_WANTED: Final[tuple[tuple[re.Pattern[str], Wanted], ...]] = (
    (
        re.compile(
            r"\bhow (?:long|often|soon|late|early|fast|quick(?:ly)?)\b|\bwhen\b|\bwhat (?:time|date|day|year)\b"
            r"|\bdates?\b|\bby what time\b|\bdeadline\b|\buntil\b|\b(?:on )?which day\b",
            re.IGNORECASE,
        ),
        "time",
    ),
    (
        re.compile(
            r"\bhow much\b|\bwhat (?:does|do|did) .* (?:cost|pay|charge)\b|\bprice\b|\bcosts?\b|\bbudget\b"
            rf"|\brates?\b|\bfees?\b|\ballowance\b|{PRICED}",
            re.IGNORECASE,
        ),
        "money",
    ),
    (
        re.compile(
            r"\bhow (?:many|high|low|far|big|large|old|wide|heavy|fast)\b|\bwhat (?:share|"
            r"percentage|number)\b|\bmost\b|\bmaximum\b|\bminimum\b|\b(?:larg|small|high|low|long|bigg)est\b"
            r"|\b(?:pressure|duration|extension|temperature|length|width|height|percentage)\b",
            re.IGNORECASE,
        ),
        "number",
    ),
    (
        re.compile(r"\bwho(?:m|se)?\b|\bwhich (?:person|team|manager|director)\b", re.IGNORECASE),
        "person",
    ),
    (re.compile(r"\bwhere\b", re.IGNORECASE), "place"),
    (re.compile(r"\bwhy\b|\breasons?\b", re.IGNORECASE), "reason"),
    (
        re.compile(
            r"^(?:can|could|may|must|should|do|does|did|is|are|was|were|will|am|has|have)\b",
            re.IGNORECASE,
        ),
        "yes_no",
    ),
)
_HINTS: Final[Mapping[Wanted, re.Pattern[str]]] = {
    "number": _NUMBER,
    "time": _TIME,
    "money": re.compile(f"{_MONEY.pattern}|{_NUMBER.pattern}", re.IGNORECASE),
    "person": _PERSON,
    "place": _PLACE,
    "reason": _REASON,
}

_ASKS_LIST = re.compile(
    r"\b(?:list|steps|all (?:the|our|of)|every|which of|how (?:do|can|should|would|to)\b(?! (?:long|"
    r"much|many|often))|what (?:are|were)(?! (?:i|we|you|they)\b)|what (?:do|must|should|have) \w+ (?:need|bring|do|take|have to)|"
    r"requirements|conditions|options|procedure|process|checklist|rules|names of|"
    r"(?:which|what) (?!(?:is|was|does|has)\b)[a-z]+(?<![su])s)\b",
    re.IGNORECASE,
)
_ASKS_ALL = re.compile(
    r"\b(?:list|show|name|give me)\b.{0,20}\b(?:all|every|our|the)\b|\b(?:list|all (?:the|our|of)|every|names of)\b"
    r"|\bwhat are (?:all )?(?:the|our)\b|\bwhich (?!(?:is|was|does|has)\b)[a-z]+(?<![su])s (?:do|have|are)\b",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"(?<=[.?!])\s+|,? and (?=(?:how|what|who|whose|when|which|where|why|is|are|was|does|do|did|can|"
    r"for|until|by)\b)|, (?=(?:how|what|who|when|which|where|why|or is|or does)\b)",
    re.IGNORECASE,
)
MAX_PARTS: Final = 3
_EXCLUDED = re.compile(
    r"\b(?:outside(?: of)?|other than|apart from|except(?: for| in)?|excluding|not in) (?:the )?(?P<what>\w+)",
    re.IGNORECASE,
)
_PLURAL = re.compile(r"\b[a-z]{2,}[a-rtv-z]s\b(?<!is)(?<!us)")
_ASKING = re.compile(r"^(?:Q(?:uestion)?\s?\d{0,3}[.:)]\s*)")
_COLUMN = re.compile(r"(?:^|(?<=\| ))[^:|]{1,60}:")
_FIGURE = re.compile(r"\d")
_TORN = re.compile(r"^[a-z(,;]")
_FIRST_PERSON = re.compile(r"\b(?:I|me|my|myself)\b")


@dataclass(frozen=True, slots=True)
class Passage:
    """One unit of one chunk that could stand in an answer."""

    chunk: EvidenceChunk
    unit: Unit
    index: int
    lead: str
    before: str
    heading: str
    dangling: bool
    led_by: tuple[str, ...] = ()
    """What the sentence before leans on itself, in order: "Those colleagues …" stands behind "It does not …"."""

    @property
    def text(self) -> str:
        """The words themselves, on one line."""
        return self.unit.flat

    @property
    def key(self) -> tuple[str, int]:
        """Return the key that says which passage it is."""
        return self.chunk.chunk_id, self.index


@dataclass(frozen=True, slots=True)
class Scored:
    """A passage with what speaks for it; `score` is about 0 to 1.2.

    `covers` is the share of the question that each of its terms in the passage makes up.
    """

    passage: Passage
    score: float
    cosine: float
    coverage: float
    hint: bool
    vector: int
    covers: Mapping[str, float] = field(default_factory=dict)


def wanted(question: str) -> Wanted:
    """Return what kind of answer the question asks for."""
    told = when_clauses.without(question).strip()
    for pattern, kind in _WANTED:
        if pattern.search(told):
            return kind
    return "any"


def asks_for_list(question: str) -> bool:
    """Tell whether the answer is a list or steps: several things are asked for, or how to do one."""
    return _ASKS_LIST.search(question) is not None


def asks_how_to(question: str) -> bool:
    """Tell whether a question asks how something is done, or for its steps."""
    return _ASKS_HOW_TO.search(question) is not None


def asks_for_all(question: str) -> bool:
    """Tell whether all things of a kind are asked for by name: "list our suppliers", "all the trips"."""
    return _ASKS_ALL.search(question) is not None


def kinds_asked_for(question: str) -> frozenset[str]:
    """Return the terms of which a question names several: "suppliers" of "our suppliers"."""
    return frozenset(lexical.terms(" ".join(_PLURAL.findall(question.casefold()))))


def years(text: str) -> frozenset[str]:
    """Return the years that a text names, apart from those of dates in figures."""
    return frozenset(_YEAR.findall(text))


def fits(kind: Wanted, text: str) -> bool:
    """Say whether a text holds what that kind of question asks for."""
    pattern = _HINTS.get(kind)
    return pattern is not None and pattern.search(text) is not None


def passages(evidence: Sequence[EvidenceChunk]) -> list[Passage]:
    """The quotable units of the evidence, best chunk first, none twice: of two versions that of the one in force."""
    found: dict[str, Passage] = {}
    is_newer = succession.Newer(evidence)
    for passage in (each for chunk in evidence for each in of_chunk(chunk)):
        key = " ".join(passage.text.casefold().split())
        if is_newer(passage.chunk, found.setdefault(key, passage).chunk):
            found[key] = passage
    return [*found.values()][:MAX_PASSAGES] or _beginnings(evidence)


def _beginnings(evidence: Sequence[EvidenceChunk]) -> list[Passage]:
    """The first unit of each chunk, whatever it is, where nothing can be read alone."""
    return [
        Passage(chunk, unit, 0, lead="", before="", heading="", dangling=False)
        for chunk in evidence
        for unit in units(chunk.text[:MAX_UNIT_CHARS], wrapped=False)[:1]
    ]


def of_chunk(chunk: EvidenceChunk) -> list[Passage]:
    """Return the quotable units of one chunk, in reading order."""
    found: list[Passage] = []
    lead, heading = "", chunk.place.headings[-1] if chunk.place.headings else ""
    previous = ""
    said = Antecedents()
    section, answered_until = heading, 0
    found_units = units(chunk.text, wrapped=False)
    for index, unit in enumerate(found_units):
        text = unit.flat
        if answered_until and unit.start >= answered_until:
            heading, answered_until = section, 0
        if unit.kind == "heading" or is_numbered_heading(
            chunk.text, unit, found_units[index + 1 :][:1]
        ):
            heading, lead, previous = text.lstrip("# ").rstrip(":"), "", ""
            section, answered_until = heading, 0
            continue
        if unit.kind == "sentence" and (until := _answered_until(chunk.text, unit)):
            heading, lead, previous, answered_until = _asking(text), "", "", until
        if text.endswith(":"):
            lead, previous = text, ""
            continue
        if unit.kind == "sentence":
            lead = ""
        if _quotable(unit, text) or (answered_until and _is_short_answer(unit)):
            found.append(_passage(chunk, index, unit, (heading, lead, previous), said))
        previous = text if unit.kind == "sentence" and _is_sentence(text) else ""
        said.add(chunk.text, unit, previous)
    return found


def _passage(
    chunk: EvidenceChunk, index: int, unit: Unit, above: tuple[str, str, str], said: Antecedents
) -> Passage:
    """Return a unit as a passage. `above` are the heading, the lead and the sentence before it."""
    heading, lead, previous = above
    dangling = leans(unit.flat) and bool(previous)
    led_by = said.of(chunk.text, unit) if dangling else ()
    lead = lead if unit.kind in {"list_item", "table_row"} else ""
    before = (led_by[-1] if led_by else previous) if unit.kind == "sentence" else ""
    return Passage(chunk, unit, index, lead, before, heading, dangling, led_by[:-1])


def _answered_until(text: str, unit: Unit) -> int:
    """Return where the answer to a question that begins a line ends; 0 for other sentences.

    Pages of questions and answers put both in one paragraph, or the answer into the next one.
    """
    line = text[text.rfind("\n", 0, unit.start) + 1 : unit.start]
    if not unit.text.endswith("?") or line.strip(" *") or len(unit.text) > MAX_ASKING_CHARS:
        return 0
    end = text.find("\n", unit.end)
    if end >= 0 and not text[unit.end : end].strip(" *"):
        following = len(text) - len(text[end:].lstrip())
        end = text.find("\n", following)
    return end if end >= 0 else len(text)


def _asking(text: str) -> str:
    return _ASKING.sub("", text)


def _is_short_answer(unit: Unit) -> bool:
    """Say whether a piece of an answer to a question says something, however short it is."""
    return unit.kind == "sentence" and bool(
        _FIGURE.search(unit.text) or held_roles.NAME.search(unit.text)
    )


def is_numbered_heading(text: str, unit: Unit, following: Sequence[Unit]) -> bool:
    """Say whether what reads as an item is the heading of what follows: "4. FORKLIFTS", "5. Sharps".

    A chunk's items begin with a dash, so that a number alone begins a heading or a paragraph.
    """
    if unit.kind != "list_item" or not following:
        return False
    marker = text[text.rfind("\n", 0, unit.start) + 1 : unit.start].strip()
    right_above = "\n" not in text[unit.end : following[0].start].strip(" -").removeprefix("\n")
    if marker[:1].isdigit() and right_above and not _is_sentence(unit.flat):
        return True
    return unit.flat.isupper() and following[0].kind == "sentence"


def _quotable(unit: Unit, text: str) -> bool:
    """Say whether a unit can be read alone.

    It is no code, and no title that only looks like a sentence.
    """
    count = len(text.split())
    if unit.kind == "sentence" and (text.isupper() or _is_caption(text)):
        return False
    if unit.kind == "code" or len(text) > MAX_UNIT_CHARS or count < MIN_WORDS:
        return unit.kind in {"list_item", "table_row"} and 0 < count < MIN_WORDS
    return unit.kind != "sentence" or _is_sentence(text)


def _is_sentence(text: str) -> bool:
    """Tell a sentence from a title, which is short and has no full stop."""
    return len(text.split()) >= TITLE_WORDS or text.endswith(_CLOSING)


def _is_caption(text: str) -> bool:
    """Names and figures without a verb, such as the date over a list; a labelled value is none."""
    written_small = sum(word[0].islower() for word in text.split())
    return text[:1].isupper() and ": " not in text and written_small < CAPTION_WORDS


def embedded_text(passage: Passage) -> str:
    """Return what stands for a passage when it is embedded. Short passages need their heading."""
    whole = f"{passage.lead} {passage.text}".strip()
    return f"{passage.heading}: {whole}" if len(whole) < 80 and passage.heading else whole  # noqa: PLR2004 - about a line


def score(
    question: str,
    found: Sequence[Passage],
    question_vector: Vectors | None,
    vectors: Vectors | None,
    weights: Mapping[str, float],
) -> list[Scored]:
    """Score every passage, in its place.

    `question_vector` has shape (dimension,), `vectors` (len(found), dimension); without an
    embedder both are None and words alone decide. `weights` are IDF weights by term.
    """
    asked = list(dict.fromkeys(lexical.terms(question)))
    ask = _Ask(
        terms=asked,
        shares={term: lexical.coverage(asked, {term}, weights) for term in asked},
        kind=wanted(question),
        weights=weights,
        best_rank=max((p.chunk.rank_score for p in found), default=0.0) or 1.0,
        lexical_alone=vectors is None or question_vector is None,
        role=held_roles.role_of(question),
        when=_ASKS_WHEN.search(when_clauses.without(question)) is not None,
        how_to=asks_how_to(question),
        rule=obligations.asks_for_one(told_cases.parted(question).asked),
        otherwise=synonyms.in_other_words(question),
        includes=_EXCLUDED.search(question) is None,
        years=years(question),
        matters=asked_matters.matters(question),
        places=asked_matters.places(question),
    )
    plain = [
        _one(n, passage, near, ask)
        for n, (passage, near) in enumerate(
            zip(found, _near(found, question_vector, vectors), strict=True)
        )
    ]
    return [_with_neighbours(n, plain) for n in range(len(plain))]


class _Near(NamedTuple):
    """Cosines to the question."""

    alone: float
    around: float


def _near(
    found: Sequence[Passage], question_vector: Vectors | None, vectors: Vectors | None
) -> list[_Near]:
    """Measure how near each passage is to the question, alone and with the two beside it."""
    if vectors is None or question_vector is None:
        return [_Near(0.0, 0.0)] * len(found)
    windows = vectors.copy()
    for n, (one, other) in enumerate(pairwise(found)):
        if one.chunk is other.chunk:
            windows[n] += vectors[n + 1]
            windows[n + 1] += vectors[n]
    windows /= np.linalg.norm(windows, axis=1, keepdims=True)
    both = zip(vectors @ question_vector, windows @ question_vector, strict=True)
    return [_Near(float(alone), float(around)) for alone, around in both]


@dataclass(frozen=True, slots=True)
class _Ask:
    """Keep what is the same for every passage of one question."""

    terms: Sequence[str]
    shares: Mapping[str, float]
    kind: Wanted
    weights: Mapping[str, float]
    best_rank: float
    lexical_alone: bool
    role: Sequence[str]
    when: bool
    how_to: bool
    rule: bool
    otherwise: Sequence[synonyms.InOtherWords]
    includes: bool
    years: frozenset[str]
    matters: Sequence[frozenset[str]]
    places: frozenset[asked_matters.Elsewhere]


def _one(number: int, passage: Passage, near: _Near, ask: _Ask) -> Scored:
    own = set(lexical.terms(f"{passage.lead} {passage.text}"))
    heading = set(lexical.terms(passage.heading))
    around = own | heading | set(lexical.terms(passage.chunk.context))
    if passage.dangling:  # "Its version change": what it speaks of stands in the sentence before
        around |= set(lexical.terms(passage.before))
    torn = synonyms.said_in_part(around, ask.otherwise)
    own, around = own - torn, around - torn
    around |= synonyms.said(around, ask.otherwise)
    said = own | synonyms.said(own, ask.otherwise)
    alone = lexical.coverage(ask.terms, said, ask.weights)
    whole = lexical.coverage(ask.terms, around, ask.weights)
    covered = alone + CONTEXT_CREDIT * (whole - alone)
    hint = fits(ask.kind, passage.text)
    # Without vectors the words carry their weight as well.
    for_words = COVERAGE_WEIGHT + (COSINE_WEIGHT + WINDOW_WEIGHT if ask.lexical_alone else 0.0)
    value = (
        COSINE_WEIGHT * max(0.0, near.alone)
        + WINDOW_WEIGHT * max(0.0, near.around)
        + for_words * covered
        + CHUNK_WEIGHT * max(0.0, passage.chunk.rank_score / ask.best_rank)
        + (HINT_BONUS if hint else 0.0)
        + (FIGURE_BONUS if _FIGURE.search(passage.text) else 0.0)
        - (TORN_PENALTY if _is_torn(passage) else 0.0)
        - (CHATTER_PENALTY if _is_chatter(passage) else 0.0)
        - (STRAY_PENALTY if _is_stray(passage, ask, near.alone) else 0.0)
        - (
            ELSEWHERE_PENALTY
            if asked_matters.is_elsewhere(ask.places, passage.text, own | heading)
            else 0.0
        )
        + _of_kind(passage, ask, whole)
    )
    covers = {term: share for term, share in ask.shares.items() if term in own | heading}
    return Scored(passage, value, near.alone, covered, hint, number, covers)


def _of_kind(passage: Passage, ask: _Ask, covered: float) -> float:
    """Score what speaks for a passage, or against it, by what the question asks for."""
    text, kind = passage.text, passage.unit.kind
    told = years(text)
    return (
        (_of_person(passage, ask) if ask.role else 0.0)
        + (row_fit.fit(text, ask.terms) if kind == "table_row" else 0.0)
        + (_of_steps(passage, ask, covered) if ask.how_to else 0.0)
        + (HEADED_BONUS if _is_headed(passage, ask) else 0.0)
        - (NO_MOMENT_PENALTY if ask.when and not _MOMENT.search(text) else 0.0)
        - (EXCLUDED_PENALTY if _excludes(text, ask) else 0.0)
        + (RULING_BONUS if ask.rule and obligations.decides(text) else 0.0)
        - (NO_RULE_PENALTY if ask.rule and not obligations.has_one(text) else 0.0)
        - (POINTER_PENALTY if kind == "sentence" and _POINTER.search(text) else 0.0)
        - (TITLE_PENALTY if kind == "sentence" and _is_untold(text) else 0.0)
        - (OTHER_YEAR_PENALTY if ask.years and told and not told & ask.years else 0.0)
    )


def _is_headed(passage: Passage, ask: _Ask) -> bool:
    """Say whether a passage stands under the name of what is asked about, or of what is to be done."""
    above = (passage.heading, *passage.chunk.place.headings)
    return asked_matters.under_one(above, ask.matters)


def _of_person(passage: Passage, ask: _Ask) -> float:
    """By whether it names somebody, and has the role word by word."""
    if not held_roles.names_somebody(passage.text, ask.terms):
        return -NAMELESS_PENALTY
    return ROLE_BONUS if _holds(passage, ask.role) else 0.0


def _holds(passage: Passage, role: Sequence[str]) -> bool:
    return held_roles.has_role(passage.text, role, is_row=passage.unit.kind == "table_row")


def holding_role(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Return those that name who has the role that is asked for, where the best one does; else all.

    What else speaks of the role says of somebody else what they do beside it.
    """
    role = held_roles.role_of(question)
    best = max(scored, key=lambda s: s.score, default=None)
    if best is None or not role or best.passage.unit.kind != "table_row":
        return list(scored)
    if not _holds(best.passage, role):
        return list(scored)
    return [s for s in scored if s.passage.unit.kind == "table_row" and _holds(s.passage, role)]


def _of_steps(passage: Passage, ask: _Ask, covered: float) -> float:
    """By what stands over a passage: steps, words of the question, or that words are explained.

    Steps count by how much of the question is `covered` there: every procedure has some.
    """
    above = f"{passage.heading} {passage.lead}"
    if _GLOSSARY.search(above):
        return -GLOSSARY_PENALTY
    if passage.unit.kind != "list_item":
        return 0.0
    if asked_matters.under_one([passage.heading], ask.matters):
        return PROMISED_STEP_BONUS
    if _STEPS.search(above):
        return PROMISED_STEP_BONUS * covered
    return 0.0 if set(ask.terms).isdisjoint(lexical.terms(above)) else STEP_BONUS


def _excludes(text: str, ask: _Ask) -> bool:
    """Say whether a passage is for everything but a thing of the question.

    The question must ask for no exception.
    """
    return ask.includes and any(
        not set(ask.terms).isdisjoint(lexical.terms(match["what"]))
        for match in _EXCLUDED.finditer(text)
    )


def says_nothing(text: str) -> bool:
    """Tell whether a line is a title, or only says where something is told."""
    return _is_untold(text) or bool(_POINTER.search(text))


def _is_untold(text: str) -> bool:
    """Say whether a text is a title: no stop, no label and no verb."""
    return not text.endswith(_CLOSING) and ": " not in text and not _VERB.search(text)


def _is_torn(passage: Passage) -> bool:
    return passage.unit.kind == "sentence" and bool(_TORN.match(passage.text))


def _is_chatter(passage: Passage) -> bool:
    return passage.unit.kind == "sentence" and bool(_FIRST_PERSON.search(passage.text))


def _is_stray(passage: Passage, ask: _Ask, cosine: float) -> bool:
    """A row or item that only its lead or columns connect to the question, such as a date of issue."""
    if passage.unit.kind == "sentence" or cosine >= STRAY_COSINE or _is_headed(passage, ask):
        return False
    is_row = passage.unit.kind == "table_row"
    said = _COLUMN.sub(" ", passage.text) if is_row else passage.text
    return not set(ask.terms) & set(lexical.terms(said))


def _with_neighbours(number: int, plain: Sequence[Scored]) -> Scored:
    this = plain[number]
    beside = [
        plain[other].score
        for other in (number - 1, number + 1)
        if 0 <= other < len(plain) and plain[other].passage.chunk is this.passage.chunk
    ]
    lift = NEIGHBOUR_WEIGHT * max((score - this.score for score in beside), default=0.0)
    return replace(this, score=this.score + max(0.0, lift))


def parts(question: str) -> list[str]:
    """List what a question asks for one after another; empty when it asks for one thing."""
    found = [part.strip(" ,?") for part in _PARTS.split(question)]
    asking = [part for part in found if len(part.split()) >= MIN_WORDS]
    return asking[-MAX_PARTS:] if len(asking) > 1 else []
