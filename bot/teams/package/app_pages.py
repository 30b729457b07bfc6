"""Serve the pages that the app's entry in Teams points to, below the path that a proxy hands on."""

import html
from typing import Final

from aiohttp import web

from bot.teams.text import page_texts

ABOUT_PATH: Final = "/teams/about"
PRIVACY_PATH: Final = "/teams/privacy"
TERMS_PATH: Final = "/teams/terms"
_PAGE: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
    "<h1>{title}</h1>{body}</html>"
)
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'",
    "X-Content-Type-Options": "nosniff",
}


def app_pages(keep_days: int) -> list[web.RouteDef]:
    """Return the routes of the pages. They hold nothing of anybody's."""
    pages = {
        ABOUT_PATH: page_texts.ABOUT,
        PRIVACY_PATH: page_texts.privacy(keep_days),
        TERMS_PATH: page_texts.TERMS,
    }
    return [_route(path, *page) for path, page in pages.items()]


def _route(path: str, title: str, paragraphs: tuple[str, ...]) -> web.RouteDef:
    body = "".join(f"<p>{html.escape(each)}</p>" for each in paragraphs)
    page = _PAGE.format(title=html.escape(title), body=body)

    async def show(_: web.Request) -> web.Response:
        return web.Response(text=page, content_type="text/html", headers=_HEADERS)

    return web.get(path, show)
