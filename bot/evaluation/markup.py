"""HTML by its elements: a text is only ever a text, whoever wrote it.

A page carries one style and one script, both of this package. Its policy names them by their
hashes and forbids everything else, so that nothing in a text could run, load or send.
"""

import base64
import hashlib
import re
from importlib.resources import files
from typing import Final

from lxml import html
from lxml.html import HtmlElement

from bot.rendering.show import safe

GENERATOR: Final = "masis eval"

_NO_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def el(tag: str, *children: "HtmlElement | str | None", **attributes: str | float) -> HtmlElement:
    """An element. `class_` stands for `class`, `data_x` for `data-x`; a child that is None is left out."""
    made = html.Element(tag)
    for name, value in attributes.items():
        made.set(name.rstrip("_").replace("_", "-"), text(str(value)))
    for child in children:
        if isinstance(child, HtmlElement):
            made.append(child)
        elif child is not None:
            _add(made, text(child))
    return made


def _add(made: HtmlElement, said: str) -> None:
    if len(made):
        made[-1].tail = (made[-1].tail or "") + said
    else:
        made.text = (made.text or "") + said


def text(said: str) -> str:
    """Without control, direction and half characters, which could show a name backwards."""
    return _NO_XML.sub("", safe(said))


def page(title: str, *children: "HtmlElement | None") -> str:
    """A whole page, which asks nothing of any server."""
    style, script = (_of_package(name) for name in ("report.css", "report.js"))
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)};"
        " base-uri 'none'; form-action 'none'"
    )
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=policy),
        el("meta", name="generator", content=GENERATOR),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", title),
        _raw("style", style),
    )
    body = el("body", el("main", *children), _raw("script", script))
    written = html.tostring(el("html", head, body, lang="en"), encoding="unicode")
    return f"<!DOCTYPE html>\n{written}\n"


def _raw(tag: str, content: str) -> HtmlElement:
    made = html.Element(tag)
    made.text = content
    return made


def _of_package(name: str) -> str:
    return files("bot.evaluation").joinpath(name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def table(caption: str, heading: list[str], rows: list[list[str]]) -> HtmlElement:
    """A table whose first column says what the row is; it scrolls where it has no room."""
    head = el("tr", *(el("th", each, scope="col") for each in heading))
    body = [
        el("tr", el("th", row[0], scope="row"), *(el("td", each) for each in row[1:]))
        for row in rows
    ]
    whole = [el("caption", caption), el("thead", head), el("tbody", *body)]
    return scrolling(caption, el("table", *whole, class_="figures"))


def scrolling(name: str, wide: HtmlElement) -> HtmlElement:
    """A frame that keys can scroll as well."""
    return el("div", wide, class_="scroll", role="region", aria_label=name, tabindex=0)


def details(summary: str, *children: "HtmlElement | str | None") -> HtmlElement:
    """Build an element whose content is shown on demand, and always on paper."""
    return el("details", el("summary", summary), *children)
