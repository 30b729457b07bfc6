"""Find the documents that a question names, by words of their titles and names, by kind and by date.

Pure and lexical: "the board pack", "minutes in may", "the 2026 expenses policy". Everything that is said of
one must hold.
"""

import datetime as dt
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from masis.domain import Document, Format
from masis.text.grammars.calendar import MONTH, SHORT_MONTHS
from masis.text.grammars.recency import NEWEST
from masis.text.lexical import terms
from masis.words import synonyms
from masis.words.english import is_english
from masis.words.mistyped import is_mistyped

MOST_COMPARED: Final = 5_000
"""Documents whose names are compared with a question's words."""
MOST_VERSIONS: Final = 8
"""Documents of one name; more of them are of one kind."""

_KINDS: Final[tuple[frozenset[str], ...]] = tuple(
    frozenset(terms(group))
    for group in (
        "minutes meeting notes note",
        "policy rules guidelines guideline procedure",
        "contract agreement",
        "deck slides slide presentation pack",
        "handbook manual guide",
        "pack papers paper",
        "spreadsheet workbook sheet register list",
        "report review",
        "newsletter bulletin",
        "plan roadmap",
        "faq questions",
        "rota schedule roster",
        "letter mail email",
        "terms conditions agreement",
        "overview summary brochure",
    )
)
"""Words for one kind of document; any of a group stands for the others."""
_SAME_KIND: Final[tuple[frozenset[str], ...]] = tuple(
    frozenset(terms(group))
    for group in (
        "contract agreement",
        "deck slides presentation",
        "newsletter bulletin",
        "rota roster",
        "spreadsheet workbook",
        "handbook manual",
    )
)
"""Words for one kind that mean the same, whichever a document is called by."""
_KIND_WORDS: Final = frozenset().union(*_KINDS)
_OF_FORMAT: Final[dict[Format, str]] = {
    "pptx": "deck slides slide presentation powerpoint pptx",
    "xlsx": "spreadsheet workbook sheet excel xlsx",
    "xls": "spreadsheet workbook sheet excel xls",
    "csv": "spreadsheet sheet csv table",
    "pdf": "pdf",
    "docx": "word docx doc",
    "doc": "word doc",
    "eml": "mail email",
    "msg": "mail email",
    "html": "page html",
}
_SAYS_NOTHING: Final = frozenset(
    terms(
        "document doc file text paper page copy latest newest current recent last most new old older newer previous "
        "former version versions one whole entire full complete please thing stuff us company everything information "
        "all detail details compare compared comparison difference differences different differ change changed changes update updated between "
        "against than vs v versus with from in called named title titled dated month year section today now this"
    )
)
_VERSION_WORDS: Final = frozenset(
    terms("v version issue revision rev draft old new final obsolete superseded")
)
_OF_A_TIME: Final = frozenset(
    terms("minutes meeting report newsletter bulletin rota invoice letter")
)
_LATEST: Final = re.compile(rf"\b(?:{NEWEST}|last|current|new|newer|this)\b", re.IGNORECASE)
_OLDEST: Final = re.compile(
    r"\b(?:old|older|oldest|previous|former|earlier|prior)\b", re.IGNORECASE
)
_YEAR: Final = re.compile(r"(?<![\d.])(?:(?:19|20)\d{2})(?![\d])")
_SHORT_YEARS: Final = re.compile(r"(?<![\d.])((?:19|20)\d{2})[/–-](\d{2})(?!\d)")
_QUARTER: Final = re.compile(r"\bq([1-4])\b", re.IGNORECASE)
_MONTH: Final = re.compile(rf"\b{MONTH}\b", re.IGNORECASE)
_MAY: Final = re.compile(r"\b(?:you|we|i|it|they|that|staff|who) may\b", re.IGNORECASE)
_DAY: Final = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}\b|\b(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})\b",
    re.IGNORECASE,
)
_IN_NAME: Final = re.compile(r"(?<!\d)((?:19|20)\d{2})[-_. ]?(0[1-9]|1[0-2])?(?!\d)")
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_TYPED: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
LEAST_SHORT: Final = 3
"""Letters of a word that may be cut short."""
MOST_KNOWN: Final = 20_000
_OR: Final = re.compile(r"\s*(?:,|/|&|\band\b|\bor\b)\s*")
_WORD: Final = re.compile(r"[^\W_]+")


class Moment(NamedTuple):
    """The time that a question gives a document, as far as it does."""

    years: frozenset[int] = frozenset()
    months: frozenset[int] = frozenset()
    day: int | None = None
    quarter: int | None = None

    @property
    def is_given(self) -> bool:
        """Return whether anything of it is given."""
        return bool(self.years or self.months or self.day or self.quarter)


def named(of: str, documents: Sequence[Document]) -> list[Document]:
    """Return the documents that all words fit, by name, kind and date, the nearest name first.

    Where one of several is the latest or the old one of them by the question's own word, that alone is left.
    """
    if whole := [each for each in documents[:MOST_COMPARED] if each.name.lower() in of.lower()]:
        return [max(whole, key=lambda each: len(each.name))]
    wanted, moment = wanted_words(of), moment_of(of)
    if not wanted and not moment.is_given:
        return []
    there = documents[:MOST_COMPARED]
    as_one = wanted_words(_HYPHEN.sub("", of))
    left = [each for each in there if _fits(wanted, each) or _fits(as_one, each)]
    left = left or _of_no_kind(wanted, there)
    left = [each for each in left if _is_of(moment, each)]
    best = _nearest(wanted, left)
    return _by_age(of, best)


def in_their_words(of: str, documents: Sequence[Document]) -> str:
    """Return what is asked for with its words as the names of documents have them.

    A word that no name has is one of theirs where it shortens that or is that mistyped ("ops" for operations,
    "oncall" for on-call).
    """
    known = _named_with(documents[:MOST_COMPARED])
    if len(known) > MOST_KNOWN:
        return of
    return _TYPED.sub(lambda match: _in_their_words(match[0], known), of)


def _in_their_words(word: str, known: Mapping[str, str]) -> str:
    """A word, or the one of the names that it stands for where it has no meaning of its own there."""
    plain = word.lower().removesuffix("'s")
    own = terms(plain)
    joined = re.sub(r"[^a-z0-9]", "", plain)
    if plain in known and known[plain] != plain:
        return known[plain]
    if joined != plain or not own or plain in known or any(map(str.isdigit, plain)):
        return word
    theirs = {term for text in known.values() for term in terms(text)}
    if any(not instead(term).isdisjoint(theirs) for term in own) or _MONTH.fullmatch(plain):
        return word
    whole = [each for each, text in known.items() if each == text and shortens(plain, each)]
    stem = plain.removesuffix("s")
    short = [each for each in whole if each.startswith(stem)] or whole
    if not short and not is_english(plain):
        short = [text for each, text in known.items() if is_mistyped(plain, each)]
    meant = {tuple(terms(text)): text for text in short}
    return next(iter(meant.values())) if len(meant) == 1 else word


def shortens(word: str, whole: str) -> bool:
    """Return whether a word is another one cut short: "ops" of operations, "dept" of department."""
    if len(whole) < len(word) + 2 or (is_english(word) and len(word) > LEAST_SHORT + 1):
        return False
    stem = word.removesuffix("s") if not whole.startswith(word) else word
    if len(word) < LEAST_SHORT or word[0] != whole[0]:
        return False
    if whole.startswith(stem):
        return True
    letters = iter(whole)
    return (
        word[-1] == whole[-1]
        and not re.search(r"[aeiou].*[aeiou]", word)
        and all(letter in letters for letter in word)
    )


def _named_with(documents: Iterable[Document]) -> dict[str, str]:
    """The words of the names of documents; two that a blank or hyphen parts also as one."""
    known: dict[str, str] = {}
    for each in documents:
        for text in (each.title, re.sub(r"[_\-./\\]", " ", each.name.rpartition(".")[0])):
            words = _WORD.findall(text.lower())
            for word in words:
                if len(word) > LEAST_SHORT and not word.isdigit():
                    known.setdefault(word, word)
            for one, other in pairwise(words):
                if min(len(one), len(other)) > 1 and not (one + other).isdigit():
                    known.setdefault(one + other, f"{one} {other}")
    return known


def alternatives(of: str) -> list[frozenset[str]]:
    """Return the terms of each of the matters that are named: "pay" and "expense claims"."""
    ways = [frozenset(wanted_words(part)) for part in _OR.split(of)]
    return [way for way in ways if way] or [frozenset(terms(of))]


def all_in(way: Collection[str], said: Collection[str]) -> bool:
    """Return whether each term of a matter, or one that stands for it, is said."""
    return all(not instead(term).isdisjoint(said) for term in way)


def saying(of: str, documents: Iterable[Document]) -> list[str]:
    """Return the ids of the documents whose names say one of the matters that are named."""
    ways = [*alternatives(of), *(alternatives(_HYPHEN.sub("", of)) if _HYPHEN.search(of) else ())]
    return [each.id for each in documents if any(all_in(way, words_of(each)) for way in ways)]


def with_term(term: str, documents: Iterable[Document]) -> list[Document]:
    """Return the documents whose names have a term, or one that stands for it."""
    ways = instead(term)
    return [each for each in documents if not ways.isdisjoint(words_of(each))]


def with_any_word(of: str, documents: Sequence[Document]) -> list[Document]:
    """Return the documents whose names have a word of a matter, those with the most of them first."""
    wanted = wanted_words(of) - _KIND_WORDS or wanted_words(of)
    moment = moment_of(of)
    shared = {
        each.id: sum(not instead(term).isdisjoint(words_of(each)) for term in wanted)
        for each in documents[:MOST_COMPARED]
        if not moment.is_given or _is_of(moment, each)
    }
    found = [each for each in documents if shared.get(each.id)]
    return sorted(found, key=lambda each: -shared[each.id])


def versions(
    of: str, documents: Sequence[Document], succeeded: Sequence[tuple[Document, Document]]
) -> tuple[Document, Document] | None:
    """Return the two versions of one document that are meant, the older first.

    They are of one name, or one says that it replaces the other (`succeeded`).
    """
    pairs = [*succeeded, *_of_one_name(documents)]
    moment, wanted = moment_of(of), wanted_words(of)
    fitting = [pair for pair in pairs if _may_be(pair, wanted, moment)]
    ranked = sorted(
        fitting, key=lambda pair: (_shared(pair, wanted), _both_times(pair, moment)), reverse=True
    )
    return ranked[0] if ranked else None


def replaced(documents: Sequence[Document]) -> frozenset[str]:
    """Return the ids of the documents of which there is a later version, by their names alone."""
    return frozenset(older.id for older, _ in _of_one_name(documents))


def is_kind(term: str) -> bool:
    """Return whether a term says what kind of document one is, and not what it is about."""
    return term in _KIND_WORDS


def _of_one_name(documents: Sequence[Document]) -> list[tuple[Document, Document]]:
    """Pairs of documents whose titles differ in their time or version alone, the older first."""
    by_name: dict[frozenset[str], list[Document]] = {}
    for each in documents[:MOST_COMPARED]:
        if (name := _timeless(each)) and len(name) > 1:
            by_name.setdefault(name, []).append(each)
    found = []
    for group in by_name.values():
        if 1 < len(group) <= MOST_VERSIONS and _are_rules(group):
            ordered = sorted(group, key=_age)
            found += [(a, b) for n, a in enumerate(ordered) for b in ordered[n + 1 :]]
    return found


def _are_rules(group: Sequence[Document]) -> bool:
    """Say whether documents of one name are versions: minutes and reports stand beside each other."""
    return not any(_OF_A_TIME.intersection(words_of(each)) for each in group)


def _timeless(document: Document) -> frozenset[str]:
    plain = re.sub(r"[_\-./\\]", " ", document.title)
    said = terms(without_moment(plain))
    return frozenset(
        t
        for t in said
        if not any(map(str.isdigit, t)) and t not in _SAYS_NOTHING and t not in _VERSION_WORDS
    )


def _age(document: Document) -> tuple[int, ...]:
    named = f"{document.title} {document.name}"
    version = [
        int(n)
        for n in re.findall(r"\bv(?:ersion)?[ .]?(\d+)", named.replace("_", " "), re.IGNORECASE)
    ][:1]
    years = [int(year) for year in _YEAR.findall(re.sub(r"[_-]", " ", named))]
    date = document.date.toordinal() if document.date else 0
    return (max(years, default=0), *(version or [0]), date)


def _may_be(pair: tuple[Document, Document], wanted: frozenset[str], moment: Moment) -> bool:
    """Say whether the pair shares a word with what is asked for, and is of the years that are named."""
    if not _shared(pair, wanted - _KIND_WORDS or wanted):
        return False
    return not moment.years or all(
        any(_is_of(Moment(frozenset({year})), each) for each in pair) for year in moment.years
    )


def _shared(pair: tuple[Document, Document], wanted: Collection[str]) -> int:
    said = words_of(pair[0]) | words_of(pair[1])
    return sum(not instead(term).isdisjoint(said) for term in wanted)


def _both_times(pair: tuple[Document, Document], moment: Moment) -> int:
    return sum(_is_of(Moment(frozenset({year})), each) for year in moment.years for each in pair)


def speaks_of_kind(of: str) -> bool:
    """Return whether a name holds a word for a kind of document: "the sickness policy" names one."""
    return not _KIND_WORDS.isdisjoint(terms(of))


def has_age(of: str) -> bool:
    """Return whether a name says of when a document is: "the last retro", "the board in May"."""
    return moment_of(of).is_given or _LATEST.search(of) is not None


def covered(of: str, document: Document) -> frozenset[str]:
    """Return the terms of what is asked for that the name, kind and date of a document cover."""
    said, moment = words_of(document), moment_of(of)
    found = {term for term in terms(of) if not instead(term).isdisjoint(said)}
    if moment.is_given and _is_of(moment, document):
        found |= set(terms(of)) - set(terms(without_moment(of)))
    return frozenset(found)


def is_most_of(of: str, document: Document) -> bool:
    """Return whether a name is at least half of a title, in two words or more."""
    wanted = wanted_words(of)
    return len(wanted) > 1 and _rest(document, wanted) <= len(wanted)


def of_kind(papers: str, documents: Sequence[Document]) -> list[Document]:
    """Return the documents whose name or format says that they are of that kind, or of one of several."""
    kinds = [part for part in _OR.split(papers) if terms(part)]
    found = {each.id: each for part in kinds for each in _of_one_kind(part, documents)}
    return [each for each in documents if each.id in found]


def _of_one_kind(papers: str, documents: Sequence[Document]) -> list[Document]:
    wanted = frozenset(terms(papers)) - (frozenset() if len(terms(papers)) == 1 else _SAYS_NOTHING)
    same = [frozenset(group) for group in _SAME_KIND if not wanted.isdisjoint(group)]
    ways = [wanted, *(wanted - group | {other} for group in same for other in group)]
    found = [each for each in documents if any(way <= _exact_words(each) for way in ways)]
    return found or [each for each in documents if _fits(wanted, each)]


def moment_of(text: str) -> Moment:
    """Read the years, months, day and quarter that a text names."""
    plain = _MAY.sub(" ", text)
    years = {int(year) for year in _YEAR.findall(plain)}
    months = {_month(match["month"]) for match in _MONTH.finditer(plain)}
    day = next((int(m["day"] or m["iso"][-2:]) for m in _DAY.finditer(plain)), None)
    if iso := next((m["iso"] for m in _DAY.finditer(plain) if m["iso"]), None):
        months |= {int(iso[5:7])}
    quarter = _QUARTER.search(plain)
    return Moment(frozenset(years), frozenset(months), day, int(quarter[1]) if quarter else None)


def without_moment(text: str) -> str:
    """Return a text without the dates that it names."""
    plain = _DAY.sub(" ", text)
    return _MONTH.sub(" ", _QUARTER.sub(" ", _YEAR.sub(" ", plain)))


def _month(written: str) -> int:
    return SHORT_MONTHS.index(written[:3].lower()) + 1


def wanted_words(of: str) -> frozenset[str]:
    """Return the terms that a name must have: none for its time, and none that say nothing."""
    said = [term for term in terms(without_moment(of)) if term not in _SAYS_NOTHING]
    return frozenset(term for term in said if not any(map(str.isdigit, term)))


def _of_no_kind(wanted: frozenset[str], documents: Iterable[Document]) -> list[Document]:
    """Those that all other words fit, where a name says nothing of its kind: "IG-05 Data protection"."""
    bare = wanted - _KIND_WORDS
    if not bare or bare == wanted:
        return []
    return [
        each
        for each in documents
        if _fits(bare, each) and _KIND_WORDS.isdisjoint(_exact_words(each))
    ]


def _fits(wanted: Collection[str], document: Document) -> bool:
    """Say whether a name has every word, or one that stands for it."""
    said = words_of(document)
    return all(not instead(term).isdisjoint(said) for term in wanted)


def instead(term: str) -> frozenset[str]:
    """Return a term with those that stand for it: of its kind of document, or its synonyms."""
    of_kind_too = (group for group in _KINDS if term in group)
    return like(term).union(*of_kind_too)


def like(term: str) -> frozenset[str]:
    """Return a term with its synonyms."""
    return _synonyms().get(term, frozenset()) | {term}


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    """For each word alone the other single words of its groups."""
    by_term: dict[str, frozenset[str]] = {}
    for group in synonyms.bundled():
        single = {own[0] for phrase in group if len(own := terms(phrase.lstrip("~"))) == 1}
        for term in single:
            by_term[term] = by_term.get(term, frozenset()) | single
    return by_term


def words_of(document: Document) -> frozenset[str]:
    """Return the terms of a document's title, name, format and initials."""
    return _exact_words(document) | _initials(document)


def _exact_words(document: Document) -> frozenset[str]:
    return _words(document.title, document.name, _OF_FORMAT.get(document.format, ""))


@lru_cache(maxsize=MOST_COMPARED)
def _words(title: str, name: str, of_format: str) -> frozenset[str]:
    plain = re.sub(r"[_\-./\\]", " ", name.rpartition(".")[0] or name)
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", plain)
    return frozenset(terms(f"{title} {plain} {parted} {of_format}"))


def _initials(document: Document) -> frozenset[str]:
    """The initials of two or more words of the title one behind the other: "hs" of Health and Safety."""
    first = [
        word[0].lower()
        for word in _WORD.findall(document.title)
        if word.lower() not in {"and", "of", "the"}
    ]
    found = {
        "".join(first[at : at + size]) for size in (2, 3, 4) for at in range(len(first) - size + 1)
    }
    return frozenset(
        {*found, *(letter for each in found for letter in each if len(each) == len("hs"))}
    )


def _is_of(moment: Moment, document: Document) -> bool:
    """Say whether a document is of that time, by its name and title, else by its date."""
    said = moment_of(f"{document.title} {re.sub(r'[_/]', ' ', document.name)}")
    dated = _dates_in_name(document)
    years = said.years | {year for year, _ in dated} | _short_years(document)
    months = said.months | {month for _, month in dated if month}
    if not (years or months) and document.date is not None:
        years, months = frozenset({document.date.year}), frozenset({document.date.month})
    elif not months and document.date is not None:
        months = frozenset({document.date.month})
    if moment.years and moment.years.isdisjoint(years):
        return False
    if moment.months and moment.months.isdisjoint(months):
        return False
    if moment.quarter and said.quarter != moment.quarter:
        return False
    if moment.day:
        days = {said.day, document.date.day if document.date else None} | _days_in_name(document)
        return moment.day in days
    return True


def _dates_in_name(document: Document) -> set[tuple[int, int]]:
    return {
        (int(year), int(month or 0))
        for text in (document.name, document.title)
        for year, month in _IN_NAME.findall(text)
    }


def _days_in_name(document: Document) -> set[int]:
    found = re.findall(r"(?:19|20)\d{2}[-_.]\d{2}[-_.](\d{2})", f"{document.name} {document.title}")
    return {int(day) for day in found}


def _short_years(document: Document) -> set[int]:
    """The second year of "2025-26"."""
    text = f"{document.name} {document.title}"
    return {
        int(year[:2] + short)
        for year, short in _SHORT_YEARS.findall(text)
        if int(short) == int(year[2:]) + 1
    }


def _nearest(wanted: Collection[str], found: Sequence[Document]) -> list[Document]:
    """Those that have the words as they are; else all. Of them one whose title says nothing else is meant."""
    exact = [each for each in found if frozenset(wanted) <= _exact_words(each)]
    left = exact or list(found)
    whole = [each for each in left if _rest(each, wanted) == 0]
    return whole if len(whole) == 1 else left


def _rest(document: Document, wanted: Collection[str]) -> int:
    """How many words a title has beside those that are wanted."""
    said = {term for term in terms(without_moment(document.title)) if not term.isdigit()}
    return len(said - frozenset(wanted) - _SAYS_NOTHING)


def _by_age(of: str, found: Sequence[Document]) -> list[Document]:
    """The latest or the oldest of them, where one is asked for and all have a date."""
    if len(found) <= 1 or any(each.date is None for each in found):  # a choice
        return list(found)
    dated = sorted(found, key=lambda each: each.date or _NEVER)
    if _OLDEST.search(of):
        return dated[:1]
    return dated[-1:] if _LATEST.search(of) else list(found)


_NEVER: Final = dt.date.min
