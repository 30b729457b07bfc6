"""Writes the pages from the templates beside: a text is only ever a text, whoever wrote it.

A page carries one style and one script, both of this package. Its policy names them by their
hashes and forbids everything else, so that nothing in a text could run, load or send.
"""

import base64
import hashlib
import re
from importlib.resources import files
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from bot.chat.words.badge_words import percent
from bot.evaluation.answer_charts import bars, rows
from bot.evaluation.answer_page import expected, score_rows, steps
from bot.evaluation.report_words import MEANINGS, VERDICTS, share
from bot.rendering.show import counted, safe
from masis.text.characters import C0

GENERATOR: Final = "masis eval"

_NO_XML: Final = re.compile(rf"[{C0}\x0b\x0c\ufffe\uffff]")

_TEMPLATES: Final = Environment(
    loader=PackageLoader("bot.evaluation"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.globals |= {
    "GENERATOR": GENERATOR,
    "MEANINGS": MEANINGS,
    "VERDICTS": VERDICTS,
    "bars": bars,
    "counted": counted,
    "expected": expected,
    "percent": percent,
    "rows": rows,
    "score_rows": score_rows,
    "share": share,
    "steps": steps,
}


def page(template: str, **values: object) -> str:
    """Write a whole page, which asks nothing of any server."""
    style, script = (_of_package(name) for name in ("report.css", "report.js"))
    written = _TEMPLATES.get_template(template).render(
        values,
        style=style,
        script=script,
        style_hash=_hash(style),
        script_hash=_hash(script),
    )
    # Control, direction and half characters could show a name backwards. No template has any.
    return _NO_XML.sub("", safe(written)) + "\n"


def _of_package(name: str) -> str:
    return files("bot.evaluation").joinpath(name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
