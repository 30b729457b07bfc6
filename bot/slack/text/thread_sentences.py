"""Every sentence about threads that people see in Slack: what was understood, and who is answered."""

from typing import Final

from bot.chat.words.visible_text import one_line
from bot.rendering.counts import counted
from masis.conversation import MOST_HEARD, FollowUpRule, Mode
from masis.graphs.chat.texts import UNDERSTAND

# --- what was understood -------------------------------------------------------------------


READ_THE_LAST: Final = f"I read the last {MOST_HEARD} messages of this thread."
UNDERSTANDING: Final = UNDERSTAND
"""The title of that step, as in the plan."""

INTENTS: Final[dict[str, str]] = {
    "chat": "small talk",
    "direct_rag": "a question",
    "specific_doc_rag": "a question about named documents",
    "analysis": "a calculation",
    "classification": "a code",
    "last_answer": "a request about the last answer",
}
"""What a message was taken for."""


def search_plan(plan: str) -> str:
    """Say what was searched for."""
    return f"search plan: {one_line(plan)}"


def taken_for(intent: str, exchanges: int, heard: int) -> str:
    """Say what a message was taken for, and what was read before it."""
    parts = [f"taken for {intent}"]
    parts += [f"{counted(exchanges, 'earlier question')} of the thread"] if exchanges else []
    parts += [f"{counted(heard, 'message')} of the thread read"] if heard else []
    return " · ".join(parts)


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

MODE: Final = "Small talk"
MODE_HINT: Final = "“Thanks!”, “shorter please” and the like, in the channel and its threads."
MODE_CHOICES: Final[dict[Mode, str]] = {
    "auto": "Answer it in a sentence",
    "documents": "None: every message asks the documents",
}
MODE_STATUS: Final[dict[Mode, str]] = {
    "auto": "",
    "documents": "Every message to me asks the documents.",
}
"""The same, as `/masis status` says it behind who is answered; nothing of what is usual."""
