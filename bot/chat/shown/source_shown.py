"""Give the sources of an answer as every surface shows them: numbered, with place and age."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from bot.chat.words.phrases import age, dated
from bot.chat.words.visible_text import one_line
from masis.domain import Citation


@dataclass(frozen=True, slots=True)
class SourceShown:
    """Hold a numbered source. Each text but `text`, the passage as it was cited, is one line.

    `title` is empty where it has none, `dated` where there is nothing to say of its age.
    """

    n: int
    name: str
    title: str
    place: str
    dated: str
    attached: bool
    text: str

    @property
    def heading(self) -> str:
        """Return what it is called above its passage."""
        return self.title or self.name

    def parts(self, attached: str) -> list[str]:
        """Return what its line says behind the number, without a title that the name says already.

        `attached` is said of a file that came with the question.
        """
        is_named = self.title.casefold() in self.name.casefold()
        said = ["" if is_named else self.title, self.name, self.place, self.dated]
        return [part for part in (*said, attached if self.attached else "") if part]


def source_shown(citation: Citation, today: dt.date | None = None) -> SourceShown:
    """Return a source with its age; without a day it has its date, which stays true when it is kept."""
    return SourceShown(
        n=citation.n,
        name=one_line(citation.document),
        title=one_line(citation.title),
        place=one_line(citation.place.label()),
        dated=_dated(citation, today),
        attached=citation.attached,
        text=citation.text,
    )


def sources_shown(
    citations: Iterable[Citation], today: dt.date | None = None
) -> tuple[SourceShown, ...]:
    """Return the sources in the order of their numbers."""
    return tuple(source_shown(each, today) for each in citations)


def _dated(citation: Citation, today: dt.date | None) -> str:
    if today is None:
        return dated(citation.date, citation.date_source)
    return age(citation.date, today, citation.date_source)
