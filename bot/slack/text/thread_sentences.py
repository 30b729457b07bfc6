"""Every sentence about threads that people see in Slack: what is read of them, and who is answered."""

from typing import Final

from masis.conversation import MOST_HEARD, FollowUpRule, Mode

READ_THE_LAST: Final = f"I read the last {MOST_HEARD} messages of this thread."

# --- who is answered -----------------------------------------------------------------------

FOLLOW_UPS: Final = "Messages without a mention"
FOLLOW_UPS_HINT: Final = (
    "In threads where I was asked something. I always answer a message that mentions me."
)
FOLLOW_UP_CHOICES: Final[dict[FollowUpRule, str]] = {
    "mine": "Answer whoever asked last, unless others write there",
    "everybody": "Answer everybody in the thread",
    "tagged": "Answer none of them",
}
FOLLOW_UP_STATUS: Final[dict[FollowUpRule, str]] = {
    "mine": (
        "In my threads, whoever asked last can go on without mentioning me, as long as nobody else"
        " writes there."
    ),
    "everybody": "In my threads, everybody can go on without mentioning me.",
    "tagged": "In my threads, I answer only messages that mention me.",
}
"""The same, as `/masis status` says it."""

MODE_STATUS: Final[dict[Mode, str]] = {
    "auto": "",
    "documents": "Every message to me asks the documents.",
}
"""The same, as `/masis status` says it behind who is answered; nothing of what is usual."""
