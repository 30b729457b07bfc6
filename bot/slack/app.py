"""Register which listener hears what. Both transports lead here."""

import logging
from typing import Final

from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.settings import Settings
from bot.slack import ids
from bot.slack.install.authorize import NOT_INSTALLED, authorizer
from bot.slack.install.tokens import Tokens
from bot.slack.install.uninstall import Uninstall
from bot.slack.intake.fallbacks import unforeseen
from bot.slack.listeners.answering import Answering
from bot.slack.listeners.clicks import Clicks
from bot.slack.listeners.commands import Commands
from bot.slack.listeners.home_tab import Home
from bot.slack.listeners.lifecycle import Lifecycle
from bot.slack.listeners.messages import Messages
from bot.slack.listeners.opening import Opening
from bot.slack.listeners.queries import Reading
from bot.slack.listeners.shortcuts import Shortcuts
from bot.slack.listeners.submissions import Forms
from bot.slack.services import Services

BOLT_LOG: Final = "bot.slack.bolt"


class Listening:
    """The listeners, each with what it works with."""

    def __init__(self, services: Services, uninstall: Uninstall) -> None:
        answering = Answering(services)
        reading = Reading(services, answering)
        opening = Opening(services, answering)
        home = Home(services, answering)
        self.commands = Commands(services, answering, reading, opening)
        self.messages = Messages(services, answering)
        self.clicks = Clicks(services, answering, reading, opening, home)
        self.forms = Forms(services, answering)
        self.shortcuts = Shortcuts(services, answering, opening)
        self.lifecycle = Lifecycle(services, uninstall, home)


def bolt(listening: Listening, tokens: Tokens, settings: Settings) -> AsyncApp:
    """The Bolt app. Over HTTP the guard has checked signatures; a socket needs none."""
    log = logging.getLogger(BOLT_LOG)
    # Bolt logs whole bodies and the words of errors, in which people's words may stand. What an
    # operator has to know of them is logged by `unforeseen`.
    log.setLevel(logging.CRITICAL)
    app = AsyncApp(
        # Bolt gives the logger of this name its own level: "masis" would mute everything of ours.
        name=BOLT_LOG,
        logger=log,
        signing_secret=settings.slack_signing_secret.get_secret_value(),
        authorize=authorizer(tokens),  # type: ignore[arg-type] # None is Bolt's own word for nobody
        user_facing_authorize_error_message=NOT_INSTALLED,
        client=AsyncWebClient(base_url=f"{settings.slack_api_url}/", logger=log),
        request_verification_enabled=False,
        # Bolt would acknowledge events before a listener has run, and Slack would not repeat what a
        # process lost then. Every listener is short, and acknowledges when its work is stored.
        process_before_response=True,
        raise_error_for_unhandled_request=True,
    )
    app.error(unforeseen)
    app.command(ids.COMMAND)(listening.commands.masis)
    _events(app, listening)
    _clicks(app, listening)
    _forms(app, listening)
    app.shortcut(ids.ASK_SHORTCUT)(listening.shortcuts.ask_about)
    app.shortcut(ids.FILES_SHORTCUT)(listening.shortcuts.add_files)
    return app


def _events(app: AsyncApp, listening: Listening) -> None:
    app.event("app_mention")(listening.messages.mention)
    app.event("message")(listening.messages.message)
    lifecycle = listening.lifecycle
    app.event("app_home_opened")(lifecycle.home_opened)
    app.event("agent_session_stopped")(lifecycle.stopped)
    app.event("app_uninstalled")(lifecycle.uninstalled)
    app.event("tokens_revoked")(lifecycle.tokens_revoked)
    app.event("channel_shared")(lifecycle.shared)
    app.event("channel_archive")(lifecycle.archived)
    app.event("group_archive")(lifecycle.archived)


def _clicks(app: AsyncApp, listening: Listening) -> None:
    for action in ids.ACTIONS:
        app.action(ids.pattern(action))(listening.clicks.clicked)


def _forms(app: AsyncApp, listening: Listening) -> None:
    for view in ids.VIEWS:
        app.view(view)(listening.forms.submitted)
