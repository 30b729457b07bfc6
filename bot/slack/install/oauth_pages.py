"""The pages of an installation: plain HTML without scripts, every value escaped."""

import base64
import hashlib
from html import escape
from typing import Final

from aiohttp import web

_STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1rem}"
    "a{display:inline-block;padding:.6rem 1.2rem;border:1px solid;border-radius:.4rem}"
)
_STYLE_HASH: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()

HEADERS: Final = {
    # Nothing but our own style: no script, image, frame or form, whatever a value holds.
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none';"
        " form-action 'none'; frame-ancestors 'none'"
    ),
    # The address of the page holds the code of the installation.
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def page(
    title: str, *paragraphs: str, link: tuple[str, str] | None = None, status: int = 200
) -> web.Response:
    """A page of plain texts. `link` is an address of ours or of Slack's, and what it says."""
    lines = [f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs]
    if link is not None:
        address, said = link
        lines.append(f'<p><a href="{escape(address)}">{escape(said)}</a></p>')
    body = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body><h1>{escape(title)}</h1>{''.join(lines)}</body></html>"
    )
    return web.Response(text=body, content_type="text/html", status=status, headers=HEADERS)
