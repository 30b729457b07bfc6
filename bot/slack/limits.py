"""Hold what Slack allows: every limit in one table.

Sources: [ref] Slack's reference pages (docs.slack.dev, May to November 2026), [sdk] the models of
slack-sdk 3.47, [seen] public reports of what Slack did, [ours] a bound of our own where Slack
publishes none. Lengths are in characters, times in seconds.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

# --- messages [ref: chat.postMessage, blocks] ------------------------------------------------
MESSAGE_BLOCKS: Final = 50
MESSAGE_TEXT: Final = 40_000
"""Slack cuts a longer `text` without a word, or answers `msg_too_long`: we treat it as refused."""
MARKDOWN_TOTAL: Final = 12_000
"""All markdown blocks of one message together."""
ATTACHMENTS: Final = 100
METADATA_JSON: Final = 8_000
"""[ours] The whole `metadata` as JSON; Slack says only that there is `metadata_too_large`."""
MESSAGE_CHARTS: Final = 2
REACTION_NAME: Final = 255

# --- views [sdk: models/views; ref: surfaces/modals] -----------------------------------------
VIEW_BLOCKS: Final = 100
VIEW_TITLE: Final = 24
VIEW_SUBMIT: Final = 24
VIEW_CLOSE: Final = 24
PRIVATE_METADATA: Final = 3_000
CALLBACK_ID: Final = 255
EXTERNAL_ID: Final = 255
VIEW_STACK: Final = 3
VIEW_BYTES: Final = 250_000
"""`view_too_large` [ref: views.open]."""

# --- blocks and elements [sdk: models/blocks; ref: block-kit] --------------------------------
BLOCK_ID: Final = 255
ACTION_ID: Final = 255
TEXT_OBJECT: Final = 3_000
SECTION_TEXT: Final = 3_000
SECTION_FIELDS: Final = 10
SECTION_FIELD: Final = 2_000
HEADER_TEXT: Final = 150
MARKDOWN_TEXT: Final = 12_000
CONTEXT_ELEMENTS: Final = 10
ACTIONS_ELEMENTS: Final = 25
CONTEXT_ACTIONS_ELEMENTS: Final = 5
INPUT_LABEL: Final = 2_000
INPUT_HINT: Final = 2_000
INPUT_VALUE: Final = 3_000
BUTTON_TEXT: Final = 75
BUTTON_VALUE: Final = 2_000
PLACEHOLDER: Final = 150
OPTION_TEXT: Final = 75
OPTION_VALUE: Final = 150
OPTION_DESCRIPTION: Final = 75
OPTIONS: Final = 100
OPTION_GROUPS: Final = 100
CHECKBOX_OPTIONS: Final = 10
RADIO_OPTIONS: Final = 10
OVERFLOW_OPTIONS: Final = 5
CONFIRM_TITLE: Final = 100
CONFIRM_TEXT: Final = 300
CONFIRM_BUTTON: Final = 30
URL: Final = 3_000
ALT_TEXT: Final = 2_000
IMAGE_TITLE: Final = 2_000
PLAN_TASKS: Final = 50
CARD_TITLE: Final = 150
CARD_BODY: Final = 200
CARDS: Final = 10
TABLE_ROWS: Final = 100
TABLE_COLUMNS: Final = 20
DATA_TABLE_ROWS: Final = 201
"""With the header row."""
DATA_TABLE_TEXT: Final = 20_000
MESSAGE_TABLES: Final = 2
"""[ours] Data tables of one message: each is long."""
CHART_TITLE: Final = 50
CHART_LABEL: Final = 20
CHART_SERIES: Final = 12
"""[seen] An older page of the reference says 6, for a pie's segments too, and 101 rows of a table:
views keep to these, so that either is met. Each series has a value for each category."""
CHART_CATEGORIES: Final = 20
INPUT_FILES: Final = 10

# --- agents, streams [ref: agents.sessions.setStatus, assistant.threads.*, chat.startStream] --
STREAM_TEXT: Final = 12_000
STREAM_LIFE_S: Final = 300
"""[seen] Slack closes a stream about five minutes after its start, traffic or not."""
SESSION_TITLE: Final = 200
LOADING_MESSAGES: Final = 10
THREAD_STATUS_LIFE_S: Final = 120
SUGGESTED_PROMPTS: Final = 4

# --- the wire [ref: verifying requests, slash commands, interactivity, events, oauth] --------
SIGNATURE_WINDOW_S: Final = 300
"""Either way of now."""
ACK_S: Final = 3.0
TRIGGER_LIFE_S: Final = 3.0
RESPONSE_URL_LIFE_S: Final = 1_800
RESPONSE_URL_USES: Final = 5
EVENT_RETRY_AFTER_S: Final = (0, 60, 300)
BOT_TOKEN_LIFE_S: Final = 43_200
"""Of a token that is rotated."""
FILE_BYTES: Final = 1_073_741_824
"""Slack takes files up to 1 GB."""
PAGE: Final = 1_000
"""The largest `limit` of the listing methods."""


# --- rates [ref: each method's page] ---------------------------------------------------------
class Tier(IntEnum):
    """Calls a minute for one method, app and team, on average; short bursts pass."""

    ONE = 1
    TWO = 20
    THREE = 50
    FOUR = 100
    SPECIAL = 0
    """Slack names no figure."""


POSTS_PER_CHANNEL_S: Final = 1.0
"""`chat.postMessage`: about one a second in one channel, with short bursts."""
POST_BURST: Final = 5
"""[ours] Slack says “short bursts are allowed” and no more."""

RATES: Final[Mapping[str, Tier]] = {
    "agents.sessions.rename": Tier.THREE,
    "agents.sessions.setStatus": Tier.THREE,
    "apps.connections.open": Tier.THREE,
    "apps.uninstall": Tier.ONE,
    "assistant.threads.setStatus": Tier.SPECIAL,
    "assistant.threads.setSuggestedPrompts": Tier.FOUR,
    "assistant.threads.setTitle": Tier.FOUR,
    "auth.revoke": Tier.THREE,
    "auth.test": Tier.SPECIAL,
    "blocks.validate": Tier.SPECIAL,
    "bots.info": Tier.THREE,
    "chat.appendStream": Tier.FOUR,
    "chat.delete": Tier.THREE,
    "chat.getPermalink": Tier.SPECIAL,
    "chat.postEphemeral": Tier.FOUR,
    "chat.postMessage": Tier.SPECIAL,
    "chat.startStream": Tier.TWO,
    "chat.stopStream": Tier.TWO,
    "chat.update": Tier.THREE,
    "conversations.history": Tier.THREE,
    "conversations.info": Tier.THREE,
    "conversations.list": Tier.TWO,
    "conversations.members": Tier.FOUR,
    "conversations.open": Tier.THREE,
    "conversations.replies": Tier.THREE,
    "files.completeUploadExternal": Tier.FOUR,
    "files.getUploadURLExternal": Tier.FOUR,
    "files.info": Tier.FOUR,
    "oauth.v2.access": Tier.SPECIAL,
    "reactions.add": Tier.THREE,
    "reactions.remove": Tier.TWO,
    "team.info": Tier.THREE,
    "users.info": Tier.FOUR,
    "users.list": Tier.TWO,
    "views.open": Tier.FOUR,
    "views.publish": Tier.FOUR,
    "views.push": Tier.FOUR,
    "views.update": Tier.FOUR,
}
