"""Say how a question of somebody's history ended."""

from collections.abc import Collection
from typing import Final

from masis.conversation import ChatRun

STATUS: Final = {
    "waiting": "⏳ waits",
    "queued": "⏳ waits",
    "running": "⏳ running",
    "finished": "✅",
    "cancelled": "⏹️ stopped",
    "failed": "❌ failed",
}
ENDS: Final = {
    "answer": "✅",
    "report": "✅",
    "clarification": "💬 asked back",
    "refused": "🚫 not answered",
    "failed": "❌ failed",
    "stopped": "⏹️ stopped",
}
"""What a run that is finished posted last, by the kind of the message."""
NO_HISTORY: Final = "You have not asked anything here yet."
HISTORY: Final = "Your recent questions here"
FILES_SENT: Final = "Files for the workspace"


def how_it_ended(run: ChatRun, kinds: Collection[str]) -> str:
    """Return where a run is, or how it ended by the kinds of its messages."""
    end = next((told for kind, told in ENDS.items() if kind in kinds), STATUS[run.status])
    return end if run.status == "finished" else STATUS[run.status]
