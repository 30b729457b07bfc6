"""The parts of a question, and those that its answer leaves open: "How long is it, and why?".

Pure and lexical. A part is open where no statement of the answer has what it asks for, no reason for a
"why" and no amount for a "what does it cost", beside one of the part's own words or of their like; what
"it" or "their" points to stands in another part. What asks whether is never called open: it is answered
in too many ways.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from masis.phrases import told_cases
from masis.retrieval.extraction import MAX_PARTS
from masis.text import day_times
from masis.text.grammars.calendar import BEGUN_MONTH, SHORT_MONTHS, WEEKDAY, WEEKDAYS
from masis.text.grammars.scales import SCALE
from masis.text.lexical import terms

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_ASKS: Final = (
    r"(?:(?:how|what|who|when|where|why)(?:['’]?(?:s|re|d))?|whose|whom|which"
    r"|(?:by|from|to|with|for|of|at|in|on|under|since|until|till|through|after) (?:whom|when|what|which|how))"
)
_BEGINS: Final = re.compile(
    rf"(?:so |and |but |or |also )*(?:{_ASKS}|is|are|was|were|do|does|did|can|could|may|must|should"
    r"|will|would|has|have|had|am)\b",
    re.IGNORECASE,
)
_NEXT: Final = re.compile(
    rf"\s*(?:[,;–—-]\s*)?(?:\b(?:and|plus)|&)\s+(?:also\s+)?(?={_ASKS}\b)|\s*[,;–—-]\s+(?={_ASKS}\b)",
    re.IGNORECASE,
)
_ASKS_ANEW: Final = re.compile(rf"(?:and |also |so )*{_ASKS}\b", re.IGNORECASE)
_LEAST_ASKING: Final = 3
_LEAST_WORDS: Final = 2
"""Of the first part: what has fewer is a greeting."""

_REASON: Final = re.compile(
    r"\b(?:because|since|due to|so that|in order|therefore|thus|hence|reasons?|causes?|caused|cause"
    r"|as a result|owing to|thanks to|follow(?:s|ed|ing)|after|given that|led to|leads? to|result(?:s|ed)"
    r"|to (?:avoid|prevent|protect|ensure|allow|keep|make|reduce|save|meet|comply|give|help|let|stop)"
    r"|for (?:safety|security|the sake)|otherwise|means that|as (?:it|they|the|this|we|there|no)\b"
    r"|so (?:it|they|the|we|you|no)\b|purpose|required by|prompted|explain(?:s|ed)?|which is why"
    r"|too \w+|no longer|instead of|rather than|reflect(?:s|ed|ing)?|driven by|blam|excuse)",
    re.IGNORECASE,
)
_MONEY: Final = re.compile(
    r"[£$€¥]|\b(?:GBP|USD|EUR|CHF|pounds?|dollars?|euros?|pence|cents?|free|no (?:charge|fee|cost))\b"
    rf"|\d[\d,.]*\s?(?:{SCALE}|p|%)(?!\w)|\b(?:price|cost|fee|rate|charge|paid|pay)\w*\b[^.]{{0,60}}\d",
    re.IGNORECASE,
)
_TIME: Final = re.compile(
    r"\b(?:\d{4}|\d{1,2}[:.]\d{2}|\d{1,2}(?:st|nd|rd|th)"
    rf"|{BEGUN_MONTH}|{WEEKDAY}s?|days?|weeks?"
    r"|months?|years?|yearly|hours?|minutes?|seconds?|quarter\w*|annual\w*|daily|weekly|monthly|noon"
    r"|midnight|immediately|at once|same day|today|tomorrow|before|after|until|once|twice|am|pm"
    r"|o'clock|spring|summer|autumn|winter|term|date|when|always|never|every|\d{1,2} ?[ap]m)\b",
    re.IGNORECASE,
)
_DURATION: Final = re.compile(
    r"\b(?:minutes?|mins?|hours?|days?|weeks?|months?|years?|seconds?|quarters?|terms?|fortnights?|until|till"
    r"|permanent\w*|indefinite\w*|overnight|immediate\w*|at once)\b|\d\s?(?:h|min|s)\b|\d{1,2}[:.]\d{2}\b.{1,12}\d{1,2}[:.]\d{2}\b",
    re.IGNORECASE,
)
_FIGURE: Final = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|once|twice|half"
    r"|none|no|all|both|every|each|unlimited|several|some|many|few|single)\b",
    re.IGNORECASE,
)
_PHONE: Final = re.compile(
    r"(?:\+|\(?\b0)\d[\d ()/-]{5,20}\d|\b(?:ext\w*|phone|tel\w*|mobile|call|dial|fax|number)\b[^.\n]{0,40}\d{3}",
    re.IGNORECASE,
)
_CONTACT: Final = re.compile(rf"@|{_PHONE.pattern}|\bwww\.|https?:|\bform\b", re.IGNORECASE)
_CAPITAL_DATES: Final = "|".join(name[:3].title() for name in (*SHORT_MONTHS, *WEEKDAYS))
_CALENDAR: Final = rf"(?!(?:{_CAPITAL_DATES})[a-z]*\b|Q\d|FY)"
_ADDRESS: Final = re.compile(
    rf"\b\d{{1,4}}[a-z]?,? {_CALENDAR}[A-Z]\w+|\b[A-Z]{{1,2}}\d{{1,2}}[A-Z]? \d[A-Z]{{2}}\b|\bPO Box\b"
    r"|\b(?:Street|Road|Lane|Avenue|Square|Row|Quay|Way|Drive|Place|Park|Court|Close|Terrace)\b"
)
_PLACE: Final = re.compile(
    r"\b(?:(?:in|at|on|near|to|from|behind|opposite|outside|inside|beside|under|along|via|off)(?: the| our)?"
    rf" (?:{_CALENDAR}[A-Z]\w+|\w+ (?:floor|room|hall|office|desk|building|site|park|page|table|door|website|shop|store))"
    r"|(?i:room|floor|hall|office|reception|desk|building|street|lane|road|city|address|site|drawer|cupboard"
    r"|shelf|website|intranet|folder|portal|warehouse|lodge|online|place|location|venue|destination)\b)"
)
_OFTEN: Final = re.compile(
    r"\b(?:every|each|once|twice|times|daily|weekly|monthly|quarterly|yearly|annual\w*|hourly|never|always"
    rf"|per (?:day|week|month|year)|a (?:day|week|month|year)|regularly|{WEEKDAY}s)\b",
    re.IGNORECASE,
)
_COLOUR: Final = re.compile(
    r"\b(?:black|white|grey|gray|silver|red|maroon|orange|yellow|gold(?:en)?|green|teal|blue|navy|turquoise|purple"
    r"|plum|violet|pink|brown|beige|cream|transparent|clear|colou?r\w*)\b",
    re.IGNORECASE,
)
_AGE: Final = re.compile(
    r"\b(?:years? old|aged?|ages|under \d|over \d|from \d+ years|\d+ or over|years \d)\b",
    re.IGNORECASE,
)
_MODEL: Final = re.compile(
    r"\b(?:models?|types?|make|brand|series)\b|\b[A-Za-z]{1,10}-?\d+\w*\b", re.IGNORECASE
)


class _Kind(NamedTuple):
    """Hold how a kind of thing is asked for, and what a text has that gives it.

    The words in which it is asked for say nothing of what it is asked about.
    """

    asks: re.Pattern[str]
    gives: re.Pattern[str]


def _kind(asks: str, gives: re.Pattern[str]) -> _Kind:
    return _Kind(re.compile(asks, re.IGNORECASE), gives)


_KINDS: Final = (
    _kind(r"\bwhy\b|\breasons? (?:for|why|of)\b", _REASON),
    _kind(r"\be-?mails?(?: address(?:es)?)?\b", re.compile("@")),
    _kind(
        r"\b(?:phone|telephone|mobile|fax|extension|contact|cell)(?: ?numbers?)?\b(?! person| name)",
        _PHONE,
    ),
    _kind(
        r"\bhow (?:do|can|could|should) (?:i|we|you|one|people|they) (?:reach|contact|call|phone)\b",
        _CONTACT,
    ),
    _kind(r"\b(?:postal |street |office )?address(?:es)?\b|\bpost ?codes?\b", _ADDRESS),
    _kind(
        r"\bhow (?:much|expensive) (?:do(?:es)?|did|will|would|is|are|was|were|must|should|can)\b|\bcosts?\b"
        r"|\b(?:what|what['’]?s|which)\b.{0,30}\b(?:price|fee|charge)s?\b",
        _MONEY,
    ),
    _kind(r"\bhow often\b|\bhow many times\b", _OFTEN),
    _kind(
        r"\b(?:what|which) (?:time|hours)\b|\b(?:opening|closing|office) (?:hours|times)\b", _TIME
    ),
    _kind(r"\bhow long (?:do(?:es)?|did|will|would|should|can|could|must)\b", _DURATION),
    _kind(
        r"\bwhen(?:['’]?s)?\b|\bhow (?:long|soon)\b|\b(?:what|which) (?:date|day|month|year)\b",
        _TIME,
    ),
    _kind(r"\bhow many\b", _FIGURE),
    _kind(r"\bwhere(?:['’]?s)?\b", _PLACE),
    _kind(r"\b(?:what|which) colou?rs?\b", _COLOUR),
    _kind(r"\b(?:what|which) age\b|\bhow old\b", _AGE),
    _kind(r"\b(?:what|which) (?:model|make|brand|type)\b", _MODEL),
)
"""The first that a part asks for is its kind."""
_CLOCK: Final = re.compile(
    r"\b(?:what|which) (?:time|hours)\b|\b(?:opening|closing|office) (?:hours|times)\b",
    re.IGNORECASE,
)
"""What asks for these wants a time of day, and no date."""
_NOUN: Final = re.compile(r"\b(?:what|which) (?P<noun>[a-z][\w-]{2,30})\b", re.IGNORECASE)
_WHO: Final = re.compile(
    r"^(?:and |so |also )*(?:(?:by|from|to|with|for|of) )?(?:who(?:['’]?(?:s|re))?|whom|whose)\b",
    re.IGNORECASE,
)
_POINTS: Final = re.compile(
    r"\b(?:it|its|it's|they|them|their|he|him|his|she|her|hers|that|this|these|those|there|one)\b",
    re.IGNORECASE,
)
"""A word that stands for what another part names."""
_WHETHER: Final = re.compile(
    r"^(?:so |and |but |or |also )*(?:is|are|was|were|do|does|did|can|could|may|must|should|will|would"
    r"|has|have|had|am)\b",
    re.IGNORECASE,
)
_PERSON: Final = re.compile(
    r"[A-Z][\w'’-]+ [A-Z][\w'’-]+|\bby (?:the |an? |our )?\w|\b(?i:managers?|teams?|department|staff|directors?|heads?"
    r"|officers?|leads?|board|office|committee|company|contractors?|suppliers?|everyone|nobody|employees?|customers?"
    r"|clerk|owner|assistants?|engineers?|technicians?|we|you|i|he|she|they)\b"
)
_OWN_WORD: Final = re.compile(
    r"^(?:and |so )*(?:who|whom|whose|how many|which|by whom)\b", re.IGNORECASE
)
"""Parts that are open where nothing found has a word of their own; what else is asked for, documents say
in other words."""
_ALIKE: Final = tuple(
    frozenset(terms(group))
    for group in (
        "make made maker manufacture manufacturer manufactured produce produced build built",
        "sign signed signature signatory approved",
        "pay paid pays cost costs fund funded charge charged expense bear bears free",
        "lead leads led leader head manage manages managed manager chair run runs responsible director charge owner",
        "organise organised organize organized arrange arranged run ran host hosted",
        "supply supplies supplied supplier deliver delivered vendor provide provided provider",
        "write wrote written author draft drafted prepare prepared",
        "take takes took taken keep keeps kept",
        "approve approved approves authorise authorised agree agreed permission allow",
        "own owns owned owner belong belongs property",
        "open opens opened launch launched introduce introduced found founded establish established effective sale began started since",
        "end ends expire expires finish close closes terminate",
        "renew renews renewal renewed",
        "buy bought purchase purchased order ordered",
        "teach teaches taught teacher instructor trainer tutor leader",
        "repair repairs mend mends fix service serviced maintain maintained",
        "book booked reserve reserved",
        "replace replaced successor",
    )
)
"""Words of one meaning in what people ask about, each a group."""
ASKING: Final = frozenset(
    terms(
        "how what who whose when which where why else exactly happen need apply long often soon far "
        "work must agree approve decide authorise authorize there one another way kind people person thing day time date give gave get has "
        "have made make done do does let go goes come comes been being allowed able"
    )
)
"""Words of any question, which say nothing of what it is about."""
_GENERIC: Final = frozenset(
    terms(
        "how what who whose when which where why whats whos wheres whens hows whys else much many long often soon far old exactly need apply "
        "happen run last take go start begin end finish come work cost be due get need want give have do does "
        "let know tell call called say said find use used there here one also again still now currently "
        "please pls thing name"
    )
)
"""Words of a part that leave open what it asks about, of a kind that can be told by its look."""


class Said(NamedTuple):
    """Hold what an answer states, and all that was found for it."""

    statements: Sequence[str]
    evidence: str


def asks(text: str) -> bool:
    """Tell whether a text is a question of its own, and no word or two that answer one."""
    ends = text.rstrip("\"”') ").endswith("?")
    return len(text.split()) >= _LEAST_ASKING and (ends or bool(_BEGINS.match(text)))


def asking(question: str) -> list[str]:
    """The sentences of a question that ask; all of it where none can be told from the rest."""
    sentences = [part.strip() for part in _SENTENCE_END.split(question) if part.strip()]
    marked = [*_marked(sentences)]
    return marked or [s for s in sentences if _BEGINS.match(s)] or sentences


def asking_clauses(question: str) -> list[str]:
    """The sentences that ask, without the case that one of them tells before it asks something of its own."""
    return [
        told_cases.parted(sentence).asked if told_cases.share(sentence) else sentence
        for sentence in asking(question)
    ]


def _marked(sentences: Sequence[str]) -> Iterator[str]:
    """Those with a question mark, and those that ask without one after such a one."""
    is_after = False
    for sentence in sentences:
        is_marked = sentence.rstrip("\"”') ").endswith("?")
        if is_marked or (is_after and _ASKS_ANEW.match(sentence)):
            is_after = True
            yield sentence


def parts(question: str) -> list[str]:
    """List what a question asks for one after another, as it words it; empty for one thing."""
    found = [
        part.strip(" ,;?.!–—-") for sentence in asking(question) for part in _NEXT.split(sentence)
    ]
    found = [part for part in found if part and (_BEGINS.match(part) or part is found[0])]
    if len(found) <= 1 or len(found[0].split()) < _LEAST_WORDS:  # one thing
        return []
    return found[-MAX_PARTS:]


def unanswered(question: str, said: Said) -> list[str]:
    """The parts that an answer leaves open.

    Empty where it has one part, or where none is answered: then the whole is open.
    """
    asked = parts(question)
    found = [part for part in asked if _is_open(part, asked, said)]
    return found if len(found) < len(asked) else []


def _is_open(part: str, asked: Sequence[str], said: Said) -> bool:
    others = [other for other in asked if other != part]
    if not said.statements or _WHETHER.match(part):
        return False
    kind = next((kind for kind in _KINDS if kind.asks.search(part)), None)
    if kind is not None:
        others = others if part != asked[0] else []
        return not any(_gives(kind, part, others, text) for text in said.statements)
    own = _own(part, others, ASKING)
    if _WHO.match(part):
        return not _is_told_of_whom(part, others, said)
    if noun := _noun(part, others):
        if own and all(noun <= set(terms(other)) for other in others):
            noun = frozenset()
        return not _has_any(noun | own, "\n".join(said.statements))
    return bool(_OWN_WORD.match(part) and own) and own.isdisjoint(terms(said.evidence))


def _gives(kind: _Kind, part: str, others: Sequence[str], text: str) -> bool:
    """Say whether a statement has what a part asks for, and speaks of what it is asked about.

    What the first part is about, an answer may call "it".
    """
    if kind.gives is _TIME and _CLOCK.search(part):
        if not any(day_times.times(text)):
            return False
    elif not kind.gives.search(text.partition("\n")[0] if kind.gives is _DURATION else text):
        return False
    if kind.gives is _REASON or not others:
        return True
    own = _own(kind.asks.sub(" ", part), others, _GENERIC)
    return not own or _has_any(own, text)


def _is_told_of_whom(part: str, others: Sequence[str], said: Said) -> bool:
    """Say whether a statement has half of the words of a "who".

    It also needs what was done, where its like is known.

    Without words of its own ("who does it") any person will do.
    """
    own = _own(part, others, _GENERIC)
    done = [word for word in terms(part) if word in own][:1]
    verb = [word for word in done if any(word in group for group in _ALIKE)]
    if not own:
        return any(_PERSON.search(text.partition("\n")[0]) for text in said.statements)
    return any(
        2 * sum(_has_any({word}, text) for word in own) >= len(own)
        and all(_has_any({word}, text) for word in verb)
        and _names_whom(own, text.partition("\n")[0])
        for text in said.statements
    )


def _names_whom(own: frozenset[str], text: str) -> bool:
    """Whether a statement speaks of it itself, or is a person's row below the heading that does."""
    return _has_any(own, text) or (": " in text and _PERSON.search(text) is not None)


def _noun(part: str, others: Sequence[str]) -> frozenset[str]:
    """The kind of thing that is asked for of what another part names: "which hall are we in"."""
    found = _NOUN.search(part)
    if found is None or (not _POINTS.search(part) and len(_own(part, others, ASKING)) > 1):
        return frozenset()
    return frozenset(terms(found["noun"])) - ASKING - _GENERIC


def _own(part: str, others: Sequence[str], generic: frozenset[str]) -> frozenset[str]:
    """The words of a part that the others have not."""
    return frozenset(terms(part)) - generic - {term for other in others for term in terms(other)}


def _has_any(words: Iterable[str], text: str) -> bool:
    """Say whether a text has one of these words, or one of its like."""
    wanted = frozenset(words)
    wanted |= frozenset(term for group in _ALIKE if group & wanted for term in group)
    return not wanted.isdisjoint(terms(text))
