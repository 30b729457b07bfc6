"""The names, years and codes of a question that its evidence does not mention.

Pure and lexical, and careful: what people tell of themselves ("I joined in 2019") and plain figures
("a dinner for £200") seldom stand in a document that answers them, and are not asked for.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from masis.answering.support import lacking
from masis.questions.question_parts import asking
from masis.text.facts import FISCAL_YEAR, ORDINALS, QUARTER, facts, is_acronym
from masis.text.given_names import GIVEN_NAMES
from masis.text.grammars.calendar import DAYS_AND_MONTHS
from masis.text.lexical import terms
from masis.words import countries
from masis.words.countries import Country

MOST: Final = 5
"""Things told as not mentioned; a question that names more is about something else altogether."""

MOST_CHARS: Final = 1000
"""Of what asks in a question; nobody asks for so much, and each name costs a look at the evidence."""

_YEAR: Final = re.compile(r"(?<![\w.,-])(?:19[5-9]|20[0-9])[0-9](?![\w%]|[.,]\d)")
_SPAN: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)\s?(?:-|–|to|until|/)\s?((?:19|20)?\d\d)(?!\d)")
_FISCAL: Final = re.compile(r"(?<!\w)FY[ '’-]?(?:20)?([0-9]{2})(?!\d)", re.IGNORECASE)
_ANY_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_OWN: Final = re.compile(r"\b(?:I|I['’]\w+|my|me|mine|myself)\b")
_CLAUSE: Final = re.compile(r"[.;:?!,–—]\s|\b(?:and|but|so|then)\b")
_WORD: Final = re.compile(r"[^\W_][\w&]*(?:[.'’-][^\W_][\w&]*)*")
_SENTENCE: Final = re.compile(r"(?:^|[.!?:;]\s|\n)[\s\"“'‘(*-]*$")
_NUMBERED: Final = re.compile(
    r"\b(?:(?P<noun>version|release|form|clause|section|article|annex|appendix|schedule|phase|step"
    r"|level|grade|band|tier|class|priority|stage|chapter|volume|issue)|(?P<name>[A-Z][\w-]+))"
    r" (?P<number>v?\d+(?:\.\d+)*[A-Za-z]?)(?![\w%]|[.,]\d|\s?(?:%|st|nd|rd|th)\b)",
)
_CLAUSE_REACH: Final = 120
_LEAD: Final = 4
"""Characters before a word that show whether it begins a sentence."""
_TITLES: Final = frozenset({"mr", "mrs", "ms", "miss", "dr", "prof", "professor"})
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_CALENDAR: Final = DAYS_AND_MONTHS | frozenset(
    """
    christmas easter new year ramadan
    thanksgiving internet english i i'm i've i'd i'll ok am pm
    """.split()
)
"""In capitals without being the name of what is asked about."""
_GENERIC: Final = frozenset(
    """
    agency agreement airport area branch building campus centre center city clinic clinics college committee
    company contract corporation county court department depot desk directive division factory
    foundation group hospital hotel inc institute limited ltd office offices park plan plant plc
    policy programme program project region report road school service services site society store
    street team town union university village warehouse ward works
    """.split()
)
"""The part of a name that tells what kind of thing it names; others of the kind have it too."""
_PARTICLES: Final = frozenset(
    {"de", "van", "von", "der", "den", "la", "di", "da", "al", "bin", "of", "van der"}
)
_TITLED: Final = 0.6
"""From this share of capitalised words on a question is written in capitals, and they say nothing."""
_LEAST_WORDS: Final = 3
_BETWEEN: Final = re.compile(r"[\W_]+")
_LEAST_ACRONYM: Final = 3
_LEAST_LETTERS: Final = 2


_SMALL: Final = r"(?P<name>(?!the\b|our\b|your\b|their\b|this\b|that\b)[a-z][a-z-]{3,29})"
_ENDS: Final = r"(?=\s*(?:$|[?.,;!]|(?:and|or|in|for|please|pls|now|today)\b))"
_HAVING_NAME: Final = (
    r"(?:address(?:es)?|phone|telephone|mobile|e-?mail|numbers?|contacts?|details|website|location|headquarters|hq|owners?"
    r"|ceo|boss|director|manager|head|chair|founder|offices?|branch|staff|employees|hours)"
)
_NAMED_PLACES: Final = (
    r"(?:agency|airport|branch|building|campus|centre|center|clinic|college|company|contract|depot|division|factory"
    r"|foundation|group|hospital|hotel|office|park|plan|plant|policy|product|programme|project|region|school|shop|site|store"
    r"|street|subsidiary|surgery|team|town|university|village|warehouse)"
)
_NAME_PLACES: Final = (
    re.compile(rf"\b{_HAVING_NAME} (?:of|at|for|in|from) {_SMALL}{_ENDS}"),
    re.compile(
        r"\b(?:contract|agreement|deal|account|partnership|meeting)s? (?:with|for|from) "
        rf"{_SMALL}{_ENDS}"
    ),
    re.compile(rf"\b(?:works?|working|worked) (?:at|for|in) {_SMALL}{_ENDS}"),
    re.compile(rf"\b(?:the|our|your) {_SMALL} {_NAMED_PLACES}s?\b"),
    re.compile(
        rf"(?<!the )(?<!our )(?<!your )(?<!each )(?<!every )\b{_SMALL}['’]s {_HAVING_NAME}\b"
    ),
    re.compile(rf"\b(?:is|are) {_SMALL} (?:covered|included|insured|supported|eligible|part of)\b"),
    re.compile(
        r"^(?:so )?(?:what(?:['’]?s| is| does)|who(?:['’]?s| is| runs| owns| leads| manages| heads| founded)"
        r"|where(?:['’]?s| is)|tell me (?:more )?about|whats?|anything (?:on|about)) "
        rf"{_SMALL}(?: do| make| sell| based| located)?\s*[?.!]?$"
    ),
)
"""Where a name stands in a question; patterns with bounded words, and none that backtracks far."""
_PLAIN: Final = frozenset(
    """
    main local nearest nearby whole home front back next last other same new current whole entire joint senior
    junior former future present safe clean cheap small large great free full empty open closed upper lower
    inner outer north south east west northern southern eastern western central big best worst wrong right each
    every another different company firm business everyone everybody anyone someone somebody people staff work life
    night weekend weekends holiday holidays emergency emergencies tomorrow today yesterday here there this that
    payroll sales legal finance marketing support service services security admin administration office human
    money cash school customer client patient visitor guest user member team boss manager employee worker
    """.split()
)
"""Words that stand where a name may stand and name nothing."""
_PLAIN_ENDING: Final = re.compile(
    r"(?:ing|tion|sion|ment|ments|ness|ity|ance|ence|ship|ism|ist|ists|ers|ors|ees|est|al|ive|ary|ous|ful|less|able|ible|ical"
    r"|ed|ly|care|age)$"
)
"""Of words made from others, as adjectives and general nouns are; few names have them."""


class Named(NamedTuple):
    """Hold what a question names and no evidence mentions.

    `terms` are those it would be found by.

    Some count by what the documents have besides: a name in what people tell of themselves where
    documents have it (`if_known`), a code without its like in the evidence where they have not
    (`if_unknown`), since it may stand elsewhere in the document that answers.
    """

    written: str
    terms: frozenset[str]
    if_known: bool = False
    if_unknown: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """Evidence, taken apart once: its whole text, the years that it speaks of, and its codes."""

    text: str
    years: frozenset[int]
    condensed: str

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Seen":
        """All of the evidence, its documents' names and dates included."""
        text = "\n".join(texts)
        return cls(text, frozenset(_years(text)), _condensed(text))


def unmentioned(question: str, evidence: Sequence[str]) -> list[Named]:
    """The names, years and codes of a question that stand nowhere in the evidence.

    Those of its sentences that tell a case and ask nothing are left aside.
    """
    question, seen = " ".join(asking(question))[:MOST_CHARS], Seen.of(evidence)
    checks: tuple[Callable[[str, Seen], Iterable[tuple[int, Named]]], ...] = (
        _countries,
        _absent_years,
        _quarters,
        _codes,
        _numbered,
        _names,
        _persons,
    )
    found = sorted((each for check in checks for each in check(question, seen)), key=lambda e: e[0])
    named = {each.written.casefold(): each for _, each in found}
    parts = {one for one in named for other in named if one != other and one in other}
    return [each for written, each in named.items() if written not in parts][:MOST]


def unfamiliar(question: str, unknown: Collection[str]) -> list[Named]:
    """Return the words in small letters that stand where a name stands and are not known.

    `unknown` are the terms of the question that no document has, without those that are another
    word, mistyped or of the same meaning. Other words than names are asked for in many ways.
    """
    question = " ".join(asking(question))[:MOST_CHARS]
    found = {
        match["name"]: match.start("name")
        for place in _NAME_PLACES
        for match in place.finditer(question)
        if _may_be_name(match["name"], unknown)
    }
    ordered = sorted(found, key=lambda word: found[word])
    return [Named(word, frozenset(terms(word))) for word in ordered][:MOST]


def _may_be_name(word: str, unknown: Collection[str]) -> bool:
    own = terms(word)
    is_plain = word in _GENERIC or word in _PLAIN or _PLAIN_ENDING.search(word)
    return bool(own) and not is_plain and all(term in unknown for term in own)


# --- countries -----------------------------------------------------------------------------


def _countries(question: str, seen: Seen) -> Iterator[tuple[int, Named]]:
    for mention in countries.mentioned(question):
        is_part = _is_part(question, mention.start + len(mention.written))
        names = mention.country._replace(regions=frozenset()) if is_part else mention.country
        if not countries.speaks_of(seen.text, names):
            yield mention.start, Named(mention.written, _terms_of(mention.country))


def _terms_of(country: Country) -> frozenset[str]:
    return frozenset(term for name in country.names for term in terms(name))


# --- years and quarters --------------------------------------------------------------------


def _absent_years(question: str, seen: Seen) -> Iterator[tuple[int, Named]]:
    for match in [*_YEAR.finditer(question), *_FISCAL.finditer(question)]:
        year = int(match[0]) if match[0].isdigit() else 2000 + int(match[1])
        if year not in seen.years and not _is_own(question, match.start()):
            yield match.start(), Named(match[0], frozenset({str(year)}))


def _years(text: str) -> Iterator[int]:
    """The years of a text, those of fiscal years and those inside of spans included."""
    yield from map(int, _ANY_YEAR.findall(text))
    yield from (2000 + int(two) for two in _FISCAL.findall(text))
    for first, last in _SPAN.findall(text):
        end = int(first[:2] + last if len(last) == 2 else last)  # noqa: PLR2004 - 2023/24
        yield from range(int(first), min(end, int(first) + 30) + 1)


def _is_own(question: str, at: int) -> bool:
    """Say whether the clause before a place tells of who asks: "I joined in 2019"."""
    clause = _CLAUSE.split(question[max(0, at - _CLAUSE_REACH) : at])[-1]
    return bool(_OWN.search(clause))


def _quarters(question: str, seen: Seen) -> Iterator[tuple[int, Named]]:
    for match in re.finditer(rf"(?<!\w){QUARTER.pattern}(?!\w)", question, re.IGNORECASE):
        number = int(match[1])
        said = rf"(?<!\w)(?:Q ?{number}|{number}Q|{ORDINALS[number - 1]} quarter|quarter {number})"
        if not re.search(said, seen.text, re.IGNORECASE):
            yield match.start(), Named(match[0], frozenset(terms(match[0])))


# --- codes and numbered things -------------------------------------------------------------


def _codes(question: str, seen: Seen) -> Iterator[tuple[int, Named]]:
    for code in facts(question).codes:
        if FISCAL_YEAR.fullmatch(code) or QUARTER.fullmatch(code):
            continue
        if _condensed(code) not in seen.condensed:
            lone = not _has_like(code, seen)
            yield question.find(code), Named(code, frozenset(terms(code)), if_unknown=lone)


def _has_like(code: str, seen: Seen) -> bool:
    """Say whether the evidence has a code of the same form with other figures: TX40 for TX50."""
    form = re.sub(r"\d+", r"\\d+", re.escape(_condensed(code)))
    return re.search(form, seen.condensed) is not None


def _numbered(question: str, seen: Seen) -> Iterator[tuple[int, Named]]:
    """Things told by a number, as in "Release 4", of which there is none with that number."""
    for match in _NUMBERED.finditer(question):
        number, name = match["number"], match["noun"] or match["name"]
        if _is_calendar(name) or (number.isdigit() and _YEAR.fullmatch(number)):
            continue
        if match["name"] and _begins(question, match.start()):
            continue
        if not re.search(rf"(?<![\d.]){re.escape(number.lower())}(?![\d])", seen.text.lower()):
            yield match.start(), Named(match[0], frozenset(terms(number)))


def _condensed(text: str) -> str:
    return _BETWEEN.sub("", text.lower())


# --- names ---------------------------------------------------------------------------------


def _names(question: str, seen: Seen) -> Iterator[tuple[int, Named]]:
    for run in _runs(question):
        words = [_POSSESSIVE.sub("", match[0]) for match in run]
        missing = lacking(seen.text, words)
        if _is_missing(words, missing, seen):
            written = question[run[0].start() : run[-1].start()] + words[-1]
            found = frozenset(term for word in missing for term in terms(word))
            at = run[0].start()
            yield at, Named(written, found, if_known=_is_own(question, at))


def _persons(question: str, seen: Seen) -> Iterator[tuple[int, Named]]:
    """The people who are named without capitals: those with a title or a common given name."""
    before = ""
    for match in _WORD.finditer(question):
        word = _POSSESSIVE.sub("", match[0])
        is_person = word in GIVEN_NAMES or (before in _TITLES and word.islower())
        if is_person and not _has(seen, word):
            at = match.start()
            yield at, Named(word, frozenset(terms(word)), if_known=_is_own(question, at))
        before = match[0].lower()


def _has(seen: Seen, word: str) -> bool:
    """Say whether a name stands in the evidence.

    Its possessive may be written without a mark there.
    """
    forms = {word, word.removesuffix("s")}
    return any(re.search(rf"\b{re.escape(form)}", seen.text, re.IGNORECASE) for form in forms)


def _is_missing(words: Sequence[str], missing: Sequence[str], seen: Seen) -> bool:
    """Say whether no evidence has the name.

    None of its words stands there, or only those that tell its kind.
    """
    if not missing:
        return False
    there = [word for word in words if word not in missing]
    return words[0] in missing and all(_tells_kind(word, seen) for word in there)


def _tells_kind(word: str, seen: Seen) -> bool:
    return (
        word.lower() in _GENERIC
        or re.search(rf"\b{re.escape(word.lower())}", seen.text) is not None
    )


def _runs(question: str) -> Iterator[list[re.Match[str]]]:
    """The runs of capitalised words that a question has inside its sentences."""
    found = list(_WORD.finditer(question))
    if _is_titled(found):
        return
    run: list[re.Match[str]] = []
    for match in found:
        joined = run and _is_joined(question[run[-1].end() : match.start()])
        if _is_name(question, match):
            if run and not joined:
                yield run
                run = []
            run.append(match)
    if run:
        yield run


def _is_joined(gap: str) -> bool:
    """Say whether the gap between two words joins them in a name.

    It is a blank, or a word that joins names.
    """
    return gap == " " or gap.strip() in _PARTICLES


def _is_titled(found: Sequence[re.Match[str]]) -> bool:
    """Say whether the question is written in capitals, or as a title is."""
    words = [m[0] for m in found if m[0][0].isalpha()]
    inside = [m[0] for m in found[1:] if m[0][0].isalpha()]
    capitals = sum(word[0].isupper() for word in inside)
    return len(words) >= _LEAST_WORDS and capitals > _TITLED * len(inside)


def _is_name(question: str, match: re.Match[str]) -> bool:
    word = _POSSESSIVE.sub("", match[0])
    if not word[0].isupper() or any(map(str.isdigit, word)) or _is_calendar(word):
        return False
    if is_acronym(word):
        return len(word) >= _LEAST_ACRONYM and not _is_country(word)
    if _is_country(word):
        return _is_part(question, match.end())
    return len(word) >= _LEAST_LETTERS and not _begins(question, match.start())


def _begins(question: str, at: int) -> bool:
    return bool(_SENTENCE.search(question[max(0, at - _LEAD) : at]))


def _is_part(question: str, end: int) -> bool:
    """Say whether what ends here is part of a name such as "Leeds Clinic".

    The country has other clinics.
    """
    following = _WORD.match(question, end + 1) if question[end : end + 1] == " " else None
    return following is not None and following[0].lower() in _GENERIC


def _is_calendar(word: str) -> bool:
    return word.lower().replace("’", "'") in _CALENDAR


def _is_country(word: str) -> bool:
    return next(countries.mentioned(word), None) is not None


def counting(found: Iterable[Named], known: Collection[str] | None) -> list[Named]:
    """Those that count; `known` are the terms that documents have, None where nobody can say."""
    return [each for each in found if _counts(each, known)]


def _counts(each: Named, known: Collection[str] | None) -> bool:
    if each.if_known:
        return known is not None and not each.terms.isdisjoint(known)
    return not each.if_unknown or known is None or not each.terms.issubset(known)


def unknown(found: Iterable[Named], known: Collection[str]) -> list[str]:
    """Those that stand in no document at all, as written."""
    return [each.written for each in found if each.terms.isdisjoint(known)]
