"""Bolt's question whose request this is, answered from what is known: Slack is not asked."""

from collections.abc import Awaitable, Callable
from typing import Final

from slack_bolt.authorization import AuthorizeResult

from bot.slack.install.tokens import NotInstalled, TokenRevoked, Tokens
from bot.slack.intake.payload_values import Unreadable, a_tenant

Authorize = Callable[[str | None, str | None, str | None], Awaitable[AuthorizeResult | None]]

NOT_INSTALLED: Final = NotInstalled.sentence
"""For `AsyncApp(..., user_facing_authorize_error_message=NOT_INSTALLED)`."""


def authorizer(tokens: Tokens) -> Authorize:
    """The function for `AsyncApp(authorize=...)`; Bolt finds its arguments by their names."""

    async def authorize(
        enterprise_id: str | None, team_id: str | None, user_id: str | None
    ) -> AuthorizeResult | None:
        """Return who the bot is in this team; None where it is not installed any more."""
        try:
            token = await tokens.for_tenant(a_tenant(enterprise_id, team_id))
        except (NotInstalled, TokenRevoked, Unreadable):
            return None
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id,
            bot_token=token.token,
            bot_id=token.bot_id,
            bot_user_id=token.bot_user_id,
            bot_scopes=sorted(token.scopes),
            user_id=user_id,
        )

    return authorize
