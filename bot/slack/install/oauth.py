"""Installing MASIS in many workspaces: the page that begins it, and the one that Slack returns to.

An installation is begun and ended in the same browser, once, within ten minutes. A stranger can
therefore neither have their own workspace installed in somebody's name nor use an address twice.
Not Bolt's own flow: its cookie holds one state, so that a second tab breaks the first; nothing
bounds how many are begun; and it takes Slack's answer unchecked.
"""

import logging
import re
import secrets
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlencode

from aiohttp import web
from pydantic import SecretStr

from bot.slack.client.pacing import Window
from bot.slack.install.grants import Grants
from bot.slack.install.oauth_pages import page
from bot.slack.install.tokens import Tokens
from bot.slack.slack_errors import Refused, SlackError
from masis.errors import InvalidSettings, MasisError, StoreUnavailable
from masis.installation import Installation, InstallationStore, InstallStates

log = logging.getLogger(__name__)

INSTALL_PATH: Final = "/slack/install"
REDIRECT_PATH: Final = "/slack/oauth_redirect"
AUTHORIZE_URL: Final = "https://slack.com/oauth/v2/authorize"

STATE_SECONDS: Final = 600
"""How long a person may look at Slack's own page; Slack's code lives as long."""
BEGUN_PER_MINUTE: Final = 120
"""Anybody may open the page, and each time a row is written: no flood may hold up the writers."""
_RANDOM_BYTES: Final = 32
_RANDOM: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_CODE: Final = re.compile(r"[A-Za-z0-9._-]{1,500}")
_CODE_SPENT: Final = frozenset({"invalid_code", "code_already_used", "code_expired"})

_AGAIN: Final = (INSTALL_PATH, "Start again")


def check_keys(*, client_id: str, secret_keys: SecretStr) -> None:
    """Refuse to begin where tokens would be kept without a key.

    Raises:
        InvalidSettings: OAuth is set up, and there is no key.
    """
    if client_id and not secret_keys.get_secret_value().strip(" ,"):
        raise InvalidSettings(
            "MASIS_SECRET_KEYS: installations by OAuth need a key to keep tokens with; make one"
            " with `masis keys generate`"
        )


class InstallPages:
    """Both pages. `public_url` is where browsers reach this server, without a slash at its end."""

    def __init__(
        self,
        *,
        public_url: str,
        client_id: str,
        scopes: Sequence[str],
        installations: InstallationStore,
        states: InstallStates,
        grants: Grants,
        tokens: Tokens,
        authorize_url: str = AUTHORIZE_URL,
    ) -> None:
        self._client_id = client_id
        self._scopes = ",".join(scopes)
        self._redirect_uri = public_url + REDIRECT_PATH
        self._authorize_url = authorize_url
        self._installations = installations
        self._states = states
        self._grants = grants
        self._tokens = tokens
        self._begun = Window(BEGUN_PER_MINUTE, 60)
        self._secure = public_url.startswith("https://")
        # The prefix makes browsers refuse the cookie from a neighbour domain; it wants https.
        self._cookie = "__Host-masis-install" if self._secure else "masis-install"

    def routes(self) -> list[web.RouteDef]:
        """The routes, for `app.add_routes`. Keep their queries out of access logs."""
        return [
            # A HEAD, as link previews send it, begins nothing.
            web.get(INSTALL_PATH, self.install, allow_head=False),
            web.get(REDIRECT_PATH, self.redirect, allow_head=False),
        ]

    # --- beginning -------------------------------------------------------------------------

    async def install(self, request: web.Request) -> web.Response:
        """Begin an installation in this browser, and show the way to Slack's own page."""
        now = self._grants.clock.now()
        if self._begun.wait(now) > 0:
            return _busy()
        self._begun.take(now)
        state = secrets.token_urlsafe(_RANDOM_BYTES)
        # A second tab keeps the first one's cookie, so that both can be ended.
        browser = self._browser(request) or secrets.token_urlsafe(_RANDOM_BYTES)
        try:
            await self._states.begin(state, browser, STATE_SECONDS)
        except StoreUnavailable as error:
            log.warning("An installation was not begun: %s", error)
            return _busy()
        query = {
            "client_id": self._client_id,
            "scope": self._scopes,
            "redirect_uri": self._redirect_uri,
            "state": state,
        }
        response = page(
            "Add MASIS to Slack",
            "MASIS answers questions from your documents, with its sources, in your channels.",
            "Slack shows next what MASIS asks for. Then you come back here; you have ten minutes.",
            link=(f"{self._authorize_url}?{urlencode(query)}", "Continue to Slack"),
        )
        response.set_cookie(
            self._cookie,
            browser,
            max_age=STATE_SECONDS,
            path="/",
            secure=self._secure,
            httponly=True,
            # Slack sends the browser back by a link: Strict would hold the cookie back.
            samesite="Lax",
        )
        return response

    def _browser(self, request: web.Request) -> str:
        """The browser's cookie; empty for none, or what we did not make."""
        cookie = request.cookies.get(self._cookie, "")
        return cookie if _RANDOM.fullmatch(cookie) else ""

    # --- ending ----------------------------------------------------------------------------

    async def redirect(self, request: web.Request) -> web.Response:
        """End the installation that this browser began, as Slack's page told."""
        try:
            refusal = await self._taken(request)
            if refusal is not None:
                return refusal
            installation = await self._granted(request)
            if isinstance(installation, web.Response):
                return installation
            await self._installations.save(installation)
        except StoreUnavailable as error:
            log.warning("An installation was not stored: %s", error)
            return _busy()
        except MasisError as error:
            log.error("An installation was not stored: %s", error)  # noqa: TRY400 - the message says it all, and a traceback may hold a token
            return _misconfigured()
        self._tokens.drop(installation.tenant)
        log.info("Installed for %s", installation.tenant.owner)
        return _done(installation)

    async def _taken(self, request: web.Request) -> web.Response | None:
        """Take the state of this browser; the page that says why it cannot be."""
        state, browser = request.query.get("state", ""), self._browser(request)
        taken = None
        if _RANDOM.fullmatch(state) and browser:
            taken = await self._states.end(state, browser)
        if taken is None:
            return page(
                "This installation cannot be finished",
                "It was finished before, or it was begun in another browser, or this browser"
                " keeps no cookies. Nothing was changed.",
                link=_AGAIN,
                status=400,
            )
        if not taken:
            return page(
                "This took too long",
                "An installation has to be finished within ten minutes. Nothing was changed.",
                link=_AGAIN,
                status=410,
            )
        return None

    async def _granted(self, request: web.Request) -> Installation | web.Response:
        """Exchange the code for what Slack grants, or return the page that says why it does not."""
        query = request.query
        if "error" in query:
            return _denied(cancelled=query["error"] == "access_denied")
        code = query.get("code", "")
        if not _CODE.fullmatch(code):
            return _code_spent()
        try:
            return await self._grants.exchange(code, self._redirect_uri)
        except SlackError as error:
            log.warning("Slack granted no installation: %s", error)
            if error.code in _CODE_SPENT:
                return _code_spent()
            return _misconfigured() if isinstance(error, Refused) else _no_slack()


# --- pages ---------------------------------------------------------------------------------


def _done(installation: Installation) -> web.Response:
    name = installation.team_name or installation.enterprise_name or "your workspace"
    return page(
        "MASIS is installed",
        f"MASIS is now in {name}.",
        "Next, in Slack: invite it to a channel with /invite @MASIS. Then a Slack admin types"
        " /masis link there and chooses the documents that the channel asks.",
        "If MASIS was installed here before: channels that were linked then answer again once an"
        " admin has linked them anew.",
        link=(
            "https://slack.com/app_redirect?" + urlencode({"app": installation.app_id}),
            "Open Slack",
        ),
    )


def _denied(*, cancelled: bool) -> web.Response:
    why = "You, or your admins, did not allow it." if cancelled else "Slack did not allow it."
    return page("MASIS was not installed", why, "Nothing was changed.", link=_AGAIN, status=403)


def _code_spent() -> web.Response:
    return page(
        "This installation cannot be finished",
        "Slack's code is missing, or was used or has run out. Nothing was changed.",
        link=_AGAIN,
        status=400,
    )


def _misconfigured() -> web.Response:
    return page(
        "MASIS cannot be installed now",
        "This server is not set up right for Slack. Whoever runs it finds the reason in its log.",
        status=502,
    )


def _no_slack() -> web.Response:
    return page(
        "Slack did not answer",
        "Nothing was changed. Try again in a minute.",
        link=_AGAIN,
        status=502,
    )


def _busy() -> web.Response:
    response = page("MASIS is busy", "Try again in a minute.", link=_AGAIN, status=503)
    response.headers["Retry-After"] = "60"
    return response
