"""Reads HTML pages: the main content as blocks."""

import datetime as dt
import re
from collections.abc import Iterator
from itertools import islice

import lxml.html
from lxml import etree
from lxml.html import HtmlElement

from masis.documents.parsing.cleaning import one_line
from masis.documents.parsing.dates import metadata_date
from masis.documents.parsing.decoding import decoded
from masis.documents.parsing.document_blocks import BlockCollector
from masis.documents.parsing.office.drawings import description, mathml
from masis.documents.parsing.properties import MOST_READ
from masis.documents.parsing.recognition.read_document import Reading

_DROPPED = {
    "script", "style", "noscript", "template", "nav", "iframe", "object", "svg",
    "button", "select", "option", "input", "textarea", "head", "link", "meta", "audio", "video",
    "canvas", "map", "dialog", "rp",
}  # fmt: skip
_DROPPED_ROLES = {
    "navigation",
    "banner",
    "contentinfo",
    "search",
    "menu",
    "menubar",
}
_BESIDE_ROLE = "complementary"
_OWN = ("main", "article", "section")
"""What stands in these belongs to a page's own text, and not to the site."""
_MOST_LINKS = 0.5
"""With a larger share of linked words something beside the text leads elsewhere."""
_INLINE = {
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "ins", "kbd", "label", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong",
    "sub", "sup", "time", "tt", "u", "var", "wbr", "ix:nonnumeric", "ix:nonfraction", "ruby", "rb",
    "output", "meter", "progress",
}  # fmt: skip
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_DATE_META = {
    "article:modified_time", "article:published_time", "last-modified", "date", "dc.date",
    "dcterms.modified", "dcterms.created", "dc.date.modified", "og:updated_time", "pubdate",
}  # fmt: skip
_DUBLIN_CORE = re.compile(r"dc(?:terms)?\.")
# What is said to browsers, search engines and other programs, or is known otherwise.
_MACHINE_META = re.compile(
    r"title|date|modified|created|issued|viewport|referrer|generator|progid|robots|\w*bot|rating"
    r"|revisit-after|theme-color|color-scheme|darkreader.*|format-detection|next-head-count"
    r"|(?:apple|msapplication|mobile|handheld|application|msvalidate|twitter|fb|al)[-_.:].*"
    r"|.*(?:csrf|xsrf|token|nonce|verif|csp|api[-_]?key|session).*"
)
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_MAIN_SHARE = 0.2
_MAX_SPAN = 50
_MAX_DEPTH = 150
_MAX_TABLES = 5
"""Tables in tables, so deep."""


def read(name: str, content: bytes) -> Reading:
    """Read a page; scripts, navigation, headers and footers of the site are dropped."""
    del name
    reading = Reading()
    # An XML declaration would make lxml refuse text that is decoded already.
    root = _tree(_DECLARATION.sub("", page_text(content)))
    if root is None:
        return reading
    reading.title = one_line(root.findtext(".//title") or "")
    reading.date = _meta_date(root)
    reading.fields = list(_meta_fields(root))
    _Walk(reading.body).into(_main(root))
    return reading


def add_page(body: BlockCollector, content: bytes) -> None:
    """Add a page that is part of another document."""
    root = _tree(_DECLARATION.sub("", page_text(content)))
    if root is not None:
        _Walk(body).into(_main(root))


def page_links(content: bytes) -> list[tuple[str, str]]:
    """The targets of a page's links, and their words."""
    root = _tree(_DECLARATION.sub("", page_text(content)))
    links = () if root is None else root.iter("a")
    return [(link.get("href", ""), one_line(link.text_content())) for link in links]


def add_fragment(body: BlockCollector, html: str) -> None:
    """Add a piece of HTML that stands in another document."""
    root = _tree(html)
    if root is not None:
        _Walk(body).into(root)


def page_text(content: bytes) -> str:
    """A page's markup, in the encoding that it declares if it is in it."""
    declared = re.search(
        rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([A-Za-z0-9_-]{2,40})", content[:4096], re.IGNORECASE
    )
    if declared and not content.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        try:
            return content.decode(declared[1].decode("ascii"))
        except (LookupError, UnicodeDecodeError):
            pass  # pages often declare what they are not
    return decoded(content)


def _tree(html: str) -> HtmlElement | None:
    parser = lxml.html.HTMLParser(
        remove_comments=True, remove_pis=True, no_network=True, huge_tree=True
    )
    try:
        return lxml.html.document_fromstring(html, parser=parser)
    except etree.ParserError:  # nothing but comments or white space
        return None


def _main(root: HtmlElement) -> HtmlElement:
    """The element that holds the page's own text, or the whole body when none clearly does."""
    body = root.find("body")
    whole = root if body is None else body
    found = root.xpath("//main | //*[@role='main']") or root.xpath("//article")
    if len(found) == 1 and len(found[0].text_content()) > _MAIN_SHARE * len(whole.text_content()):
        return found[0]
    return whole


def _meta_date(root: HtmlElement) -> dt.date | None:
    for meta in root.iter("meta"):
        key = (meta.get("name") or meta.get("property") or meta.get("http-equiv") or "").lower()
        if key in _DATE_META and (found := metadata_date(meta.get("content", ""))):
            return found
    return None


def _meta_fields(root: HtmlElement) -> Iterator[tuple[str, str]]:
    """Yield what a page's author says about it under names of their own choice."""
    for meta in islice(root.iter("meta"), MOST_READ):
        name = one_line(meta.get("name", "")).casefold()
        key = _DUBLIN_CORE.sub("", name)
        if name not in _DATE_META and not _MACHINE_META.fullmatch(key):
            yield "author" if key == "creator" else key, meta.get("content", "")


def _is_dropped(element: HtmlElement) -> bool:
    if element.tag in _DROPPED or element.get("role") in _DROPPED_ROLES:
        return True
    if element.tag == "header":  # a site's header, unless it carries the heading of what follows
        own = next(element.iterancestors(*_OWN), None) is not None
        return not own and element.find(".//h1") is None
    if element.tag == "footer":  # that of a quotation says whose it is
        return next(element.iterancestors("blockquote", "figure"), None) is None
    if element.tag == "aside" or element.get("role") == _BESIDE_ROLE:
        return _leads_elsewhere(element)
    hidden = element.get("hidden") is not None or element.get("aria-hidden") == "true"
    return hidden or bool(_HIDDEN.search(element.get("style", "")))


def _leads_elsewhere(element: HtmlElement) -> bool:
    """Say whether what stands beside the text is the site's.

    A remark to what it stands in is not.
    """
    if next(element.iterancestors(*_OWN), None) is None:
        return True
    linked = sum(len(link.text_content()) for link in element.iter("a"))
    return linked > _MOST_LINKS * len(element.text_content())


class _Walk:
    """Goes through the tree once, in reading order, and gathers running text between block tags."""

    def __init__(self, body: BlockCollector) -> None:
        self._body = body
        self._text: list[str] = []
        self._breaks = 0
        self._depth = -1
        self._item_open = False
        self._nesting = 0

    def into(self, element: HtmlElement) -> None:
        """Add the element's content."""
        self._nesting += 1
        if self._nesting < _MAX_DEPTH:
            self._say(element.text)
            for child in element:
                self._child(child)
                self._say(child.tail)
        else:
            self._say(element.text_content())
        self._nesting -= 1
        if self._nesting == 0:
            self._flush()

    def _child(self, child: HtmlElement) -> None:
        if not isinstance(child.tag, str) or _is_dropped(child):
            return
        tag = child.tag.lower()
        if tag == "br":
            self._break()
        elif tag == "img":
            self._say(description(child.get("alt")))
        elif tag == "math":
            self._say(mathml(child))
        elif tag == "rt":  # how the word before it is read
            self._say(f" ({one_line(child.text_content())})")
        elif tag in _INLINE:
            self.into(child)
        else:
            self._block(tag, child)

    def _block(self, tag: str, element: HtmlElement) -> None:
        self._flush()
        if tag in _HEADINGS:
            self._body.heading(element.text_content(), _HEADINGS[tag])
        elif tag == "pre":
            self._body.code(element.text_content())
        elif tag == "table" and _is_data(element):
            _add_table(self._body, element)
        elif tag in {"ul", "ol"}:
            self._depth += 1
            self.into(element)
            self._flush()
            self._depth -= 1
        elif tag in {"li", "dd"}:
            self._item_open = True
            self.into(element)
            self._flush()
            self._item_open = False
        else:
            self.into(element)
            self._flush()

    def _say(self, text: str | None) -> None:
        if text:
            self._text.append(text)
            if text.strip():
                self._breaks = 0

    def _break(self) -> None:
        """One line break is white space; two part paragraphs."""
        self._breaks += 1
        if self._breaks > 1:
            self._flush()
        else:
            self._text.append("\n")

    def _flush(self) -> None:
        text = "".join(self._text)
        self._text.clear()
        self._breaks = 0
        if not text.strip():
            return
        if self._item_open:
            self._body.item(text, max(self._depth, 0))
            self._item_open = False
        elif self._depth >= 0:
            self._body.continued(text)
        else:
            self._body.paragraph(text)


def _is_data(table: HtmlElement) -> bool:
    """Say whether a table holds data, and not the layout of the page."""
    if table.get("role") == "presentation":
        return False
    rows = list(_own_rows(table))
    widest = max((len(row.xpath("./td | ./th")) for row in rows), default=0)
    if any(row.find("th") is not None for row in rows):
        return widest > 1 or table.find(".//table") is None
    return len(rows) > 1 and widest > 1 and table.find(".//table") is None


def _own_rows(table: HtmlElement) -> Iterator[HtmlElement]:
    """The rows of a table without those of tables in its cells."""
    for part in table.iterchildren("tr", "thead", "tbody", "tfoot"):
        yield from [part] if part.tag == "tr" else part.iterchildren("tr")


def _add_table(body: BlockCollector, table: HtmlElement, nesting: int = 0) -> None:
    caption = table.find("caption")
    if caption is not None:
        body.paragraph(caption.text_content())
    rows: list[list[str]] = []
    header_rows: int | None = 0
    below: dict[int, tuple[int, str]] = {}  # column: rows still to fill by a rowspan, and its text
    for row in _own_rows(table):
        cells = list(row.iterchildren("td", "th"))
        if header_rows == len(rows) and cells and _all_headings(row, cells):
            header_rows += 1
        rows.append(_spread(cells, below))
    body.table(rows, header_rows or None)
    for inner in table.iterdescendants("table") if nesting < _MAX_TABLES else ():
        if next(inner.iterancestors("table")) is table:
            _add_table(body, inner, nesting + 1)


def _cell_text(cell: HtmlElement) -> str:
    """Return what a person sees of a cell.

    The tables within it are left out, as they are read after it.
    """
    return one_line("".join(_seen(cell, 0)))


def _seen(element: HtmlElement, nesting: int) -> Iterator[str]:
    yield element.text or ""
    for child in element.iterchildren(tag="*") if nesting < _MAX_DEPTH else ():
        tag = child.tag.lower()
        if tag == "math":
            yield mathml(child)
        elif tag == "img":
            yield description(child.get("alt"))
        elif tag not in {"table", "rp"} and not _is_dropped(child):
            # Words of two blocks are two words; those of inline markup go on.
            border = "" if tag in _INLINE else " "
            yield border
            yield from [f"({child.text_content()})"] if tag == "rt" else _seen(child, nesting + 1)
            yield border
        yield child.tail or ""


def _all_headings(row: HtmlElement, cells: list[HtmlElement]) -> bool:
    parent = row.getparent()
    in_head = parent is not None and parent.tag == "thead"
    return in_head or all(cell.tag == "th" for cell in cells)


def _spread(cells: list[HtmlElement], below: dict[int, tuple[int, str]]) -> list[str]:
    """A row's cells in their columns: header cells fill their span, others its first column."""
    line: list[str] = []
    waiting = list(cells)
    while waiting or len(line) in below:
        column = len(line)
        if column in below:
            left, text = below.pop(column)
            if left > 1:
                below[column] = (left - 1, text)
            line.append(text)
            continue
        cell = waiting.pop(0)
        text = _cell_text(cell)
        across, down = _span(cell, "colspan"), _span(cell, "rowspan")
        for offset in range(across):
            shown = text if offset == 0 or cell.tag == "th" else ""
            line.append(shown)
            if down > 1:
                below[column + offset] = (down - 1, shown)
    return line


def _span(cell: HtmlElement, name: str) -> int:
    value = cell.get(name, "1").strip()
    return max(1, min(int(value), _MAX_SPAN)) if value.isdecimal() and len(value) < 6 else 1
