"""Read where to look from a question.

It is written like `in:handbook/ type:pdf after:2026-01-01 @plan.docx`.

A filter begins a word and has no space behind its colon. A value with spaces stands in quotes.
What does not read as a filter stays in the question, exactly as it is. A free field is one where a
document has it: `owner:finance`, or `where:owner=finance` whoever has it. A later line is a reply to
the earlier ones: its filters take the place of theirs of the same kind.
"""

import calendar
import datetime as dt
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from masis.domain import FILE_ENDINGS, Format, Value
from masis.fields import MOST_KEY_CHARS, key_of
from masis.text import lexical

MOST_FILTERS: Final = 20
"""Of one question; further ones stay in it as words."""
MOST_VALUE_CHARS: Final = 200
"""Longer than any path that people type."""

_FORMATS: Final[Mapping[str, tuple[Format, ...]]] = {
    **{
        name: (name,)
        for name in (
            *("md", "txt", "html", "pdf", "docx", "pptx", "xlsx", "csv", "eml", "odt", "epub"),
            *("json", "rtf", "doc", "xls", "msg", "image"),
        )
    },
    **dict.fromkeys(("png", "jpg", "jpeg", "tif", "tiff", "webp"), ("image",)),
    "htm": ("html",),
    "tsv": ("csv",),
    "jsonl": ("json",),
    "markdown": ("md",),
    "text": ("txt",),
    "word": ("docx", "doc"),
    "excel": ("xlsx", "xls"),
    "powerpoint": ("pptx",),
    "slides": ("pptx",),
    "mail": ("eml", "msg"),
    "email": ("eml", "msg"),
}
"""What may stand behind `type:`."""

_KINDS: Final = {"in": "place", "": "place"}
"""Filters of one kind take each other's place; the others are a kind each."""

FIELD_KEY: Final = rf"[A-Za-z][A-Za-z0-9_-]{{0,{MOST_KEY_CHARS - 1}}}"
_FILTER: Final = re.compile(
    rf"""
    (?:^|\s)(?:(?P<key>in|type|after|before|section|where):|(?P<field>{FIELD_KEY}):|@)
    (?:["“”](?P<quoted>[^"“”\n]{{1,{MOST_VALUE_CHARS}}})["“”]
      |(?P<word>[^\s"“”]{{1,{MOST_VALUE_CHARS}}}(?!\S)))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CLOSING: Final = ".,;:!?)]}"
"""What may close a sentence behind a filter, and belongs to the question."""
_FILE: Final = re.compile(rf".*[^.@/]\.(?:{'|'.join(FILE_ENDINGS)})", re.IGNORECASE)
_DATE: Final = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?", re.ASCII)
_LIKE_A_DATE: Final = re.compile(r"\d{4}|\d{4}\D.*|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}", re.ASCII)
_KIND: Final = re.compile(r"\.?[a-z]{2,12}", re.IGNORECASE)
_LINKED: Final = re.compile(r"https?://(?=[^/]+/?$)", re.IGNORECASE)
"""What a chat puts before a file's name that looks like a host's, as `leave.md` does."""
_QUOTES_OR_LINES: Final = re.compile(r'["“”\n\r]')


class Filters(Value):
    """Hold which documents and sections are looked at.

    Several values of one kind widen, several kinds narrow. `after` is the first day that counts,
    `before` the first that does not; of several the last counts.
    `unread` are filters whose value means nothing: to be asked about, not to be passed over.
    """

    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    formats: tuple[Format, ...] = ()
    sections: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    after: dt.date | None = None
    before: dt.date | None = None
    unread: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self != NO_FILTERS

    def written(self) -> str:
        """As one would write them in a question; `parse` reads the same out of it."""
        return " ".join(
            [
                *(f"in:{_quoted(folder)}" for folder in self.folders),
                *(f"@{_quoted(file, always=not _FILE.fullmatch(file))}" for file in self.files),
                *(f"type:{kind}" for kind in self.formats),
                *([f"after:{self.after}"] if self.after else []),
                *([f"before:{self.before}"] if self.before else []),
                *(f"section:{_quoted(section)}" for section in self.sections),
                *(f"where:{_quoted(f'{key}={value}')}" for key, value in self.fields),
                *self.unread,
            ]
        )


NO_FILTERS: Final = Filters()


class FilteredQuestion(NamedTuple):
    """A question without its filters, and these."""

    question: str
    filters: Filters


def may_name_fields(text: str) -> bool:
    """Say whether a text holds anything that `keys` of `parse` could matter for."""
    return any(found["field"] for found in _FILTER.finditer(text))


def parse(text: str, keys: Collection[str] = ()) -> FilteredQuestion:
    """Part a question from its filters.

    `keys` are those of the free fields that there are; `note:this` is a filter where `note` is one.
    Text that is nothing but filters asks nothing, and is left whole as a question.
    """
    read = _Read(keys)
    rest, end = [], 0
    for found in _FILTER.finditer(text):
        closing = _closing(found)
        if read.count < MOST_FILTERS and read.take(found, closing):
            rest.append(text[end : found.start()])
            end = found.end() - len(closing)
    question = "".join([*rest, text[end:]])
    filters = read.filters()
    if not filters or not question.strip(_CLOSING + " \t\r\n"):
        return FilteredQuestion(text, NO_FILTERS)
    return FilteredQuestion(question.strip(), filters)


def of_values(
    *,
    folders: Iterable[str] = (),
    files: Iterable[str] = (),
    kinds: Iterable[str] = (),
    sections: Iterable[str] = (),
    fields: Iterable[str] = (),
    after: str = "",
    before: str = "",
) -> Filters:
    """The filters of values that are given apart, as on a command line.

    Raises:
        ValueError: a value means nothing; the message says what would.
    """
    given = [("in", each) for each in folders] + [("", each) for each in files]
    given += [("type", each) for each in kinds] + [("section", each) for each in sections]
    given += [("where", each) for each in fields]
    given += [(key, each) for key, each in (("after", after), ("before", before)) if each]
    read = _Read()
    for key, value in given:
        plain = value.strip()
        fits = 0 < len(plain) <= MOST_VALUE_CHARS and not _QUOTES_OR_LINES.search(plain)
        if not (fits and _means_something(key, plain)):
            raise ValueError(means_nothing(f"{key}:{value}" if key else f"@{value}"))
        read.keep(key, plain)
    if len(given) > MOST_FILTERS:
        raise ValueError(f"at most {MOST_FILTERS} filters may be given")
    return read.filters()


def means_nothing(written: str) -> str:
    """Tell what to write instead of a filter that could not be read."""
    key = written.partition(":")[0].lower()
    if key in {"after", "before"}:
        return (
            f"“{written}” is no date: write it like {key}:2026-01-31, {key}:2026-01 or {key}:2026"
        )
    if key == "type":
        kinds = ", ".join(sorted({name for names in _FORMATS.values() for name in names}))
        return f"“{written}” is no kind of document: there are {kinds}"
    if key == "where":
        return f"“{written}” is no field and value: write it like where:owner=finance"
    return f"“{written}” names nothing that could be looked for"


class _Read:
    """The filters that were read so far, by kind."""

    def __init__(self, keys: Collection[str] = ()) -> None:
        self.count = 0
        self._keys = keys
        self._line = 0
        self._of_line: set[str] = set()
        self._given: dict[str, list[tuple[str, str]]] = {}

    def take(self, found: re.Match[str], closing: str) -> bool:
        """Take it if it is a filter, and say whether it is."""
        key, quoted = (found["key"] or "").lower(), found["quoted"]
        value = (quoted or found["word"].removesuffix(closing)).strip()
        value = _LINKED.sub("", value) if key in _KINDS else value
        if field := (found["field"] or "").lower():
            # An address is none, whatever a document's front matter calls `https`.
            if field not in self._keys or value.startswith(("//", "\\")):
                return False
            key, value = "where", f"{field}={value}"
        if not value or (not key and quoted is None and not _FILE.fullmatch(value)):
            return False
        if not (_means_something(key, value) or _seems_meant(key, value)):
            return False
        self.keep(key, value, line=found.string.count("\n", 0, found.end()))
        return True

    def keep(self, key: str, value: str, *, line: int = 0) -> None:
        """Keep a filter; the first of its kind on a later line clears those of earlier lines."""
        if line > self._line:
            self._line = line
            self._of_line.clear()
        kind = _kind(key, value)
        if kind not in self._of_line:
            self._of_line.add(kind)
            self._given[kind] = []
        self._given[kind].append((key, value))
        self.count += 1

    def filters(self) -> Filters:
        """All that were kept, as a value."""
        kinds = self._values("type")
        return Filters(
            folders=_once(self._values("in")),
            files=_once(self._values("")),
            formats=tuple(dict.fromkeys(each for kind in kinds for each in _formats(kind))),
            sections=_once(self._values("section")),
            fields=self._fields(),
            after=self._day("after"),
            before=self._day("before"),
            unread=_once(
                f"{key}:{_quoted(value)}"
                for given in self._given.values()
                for key, value in given
                if not _means_something(key, value)
            ),
        )

    def _values(self, key: str) -> list[str]:
        given = self._given.get(_KINDS.get(key, key), [])
        return [value for of, value in given if of == key]

    def _fields(self) -> tuple[tuple[str, str], ...]:
        written = [
            value
            for kind, given in self._given.items()
            if kind.startswith("where ")
            for _, value in given
        ]
        return tuple(dict.fromkeys(pair for each in written if (pair := _field(each))))

    def _day(self, key: str) -> dt.date | None:
        """The last one that was given."""
        days = [day for value in self._values(key) if (day := _day(value)) is not None]
        return days[-1] if days else None


def _kind(key: str, value: str) -> str:
    """Return the kind of a filter.

    Filters of a kind take each other's place, and each free field is a kind of its own.
    """
    if key == "where":
        field = _field(value)
        return f"where {field[0] if field else value}"
    return _KINDS.get(key, key)


def _field(value: str) -> tuple[str, str] | None:
    """A free field's key and what is asked of it."""
    name, equals, wanted = value.partition("=")
    key, plain = key_of(name), wanted.strip()
    return (key, plain) if equals and key and plain else None


def _means_something(key: str, value: str) -> bool:
    match key:
        case "where":
            return _field(value) is not None
        case "in":
            return bool(value.strip("/\\"))
        case "type":
            return bool(_formats(value))
        case "section":
            return bool(lexical.terms(value))
        case "after" | "before":
            return _day(value) is not None
        case _:
            return True


def _formats(kind: str) -> tuple[Format, ...]:
    return _FORMATS.get(kind.lower().removeprefix("."), ())


def _seems_meant(key: str, value: str) -> bool:
    """Say whether a value that means nothing is a slip, and not plain words as in `after:5pm`."""
    if key == "type":
        return _KIND.fullmatch(value) is not None
    return key in {"after", "before"} and _LIKE_A_DATE.fullmatch(value) is not None


def _closing(found: re.Match[str]) -> str:
    word = found["word"] or ""
    return word[len(word.rstrip(_CLOSING)) :]


def _day(written: str) -> dt.date | None:
    """The first day of what is written: a day, a month or a year."""
    parts = _DATE.fullmatch(written)
    if parts is None:
        return None
    year, month, day = (int(part or 1) for part in parts.groups())
    fits = year >= dt.MINYEAR and 1 <= month <= 12  # noqa: PLR2004 - months of a year
    if not fits or not 1 <= day <= calendar.monthrange(year, month)[1]:
        return None
    return dt.date(year, month, day)


def _quoted(value: str, *, always: bool = False) -> str:
    plain = not always and not re.search(r"\s", value) and value[-1] not in _CLOSING
    return value if plain else f'"{value}"'


def _once(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
