"""Everything that a listener works with, put together where the bot is composed."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.chat.admin import Admin
from bot.chat.tasks import Tasks
from bot.slack.access import Access
from bot.slack.client.delivery import Delivery
from bot.slack.client.web import SlackWeb
from bot.slack.intake.greeting import Greeting
from bot.slack.intake.intake import Intake
from bot.slack.untagged import FollowUps
from masis.ports import Repository, RunEngine
from masis.questions.suggestions import Suggestions
from storage.chat.deduplication import Claims
from storage.chat.links import Links
from storage.chat.outbox import Outbox
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.chat.team_settings import TeamSettingsStore
from storage.chat.trails import Trails
from storage.chat.votes import Votes
from storage.documents.outdated_readers import OlderDocuments


@dataclass(frozen=True, slots=True)
class Services:
    """The parts, each with one job; none of them knows Bolt."""

    access: Access
    admin: Admin
    claims: Claims
    delivery: Delivery
    engine: RunEngine
    follow_ups: FollowUps
    greeting: Greeting
    intake: Intake
    links: Links
    older: Callable[[str], Awaitable[OlderDocuments]]
    """Counts an owner's documents that an older reader read than the one in use."""
    outbox: Outbox
    repository: Repository
    runs: ChatRuns
    sessions: Sessions
    settings: TeamSettingsStore
    suggestions: Suggestions
    tasks: Tasks
    trails: Trails
    votes: Votes
    web: SlackWeb
