"""Keep where a graph waits for a reply, and decide how a run enters a graph that may wait."""

from collections.abc import Collection
from typing import Literal, NamedTuple, Protocol

from langgraph.checkpoint.base import BaseCheckpointSaver

Reached = Literal["nothing", "pending", "asked"]
"""What a session's checkpoints say: there are none; nodes are still to run, or all have run; or a
question waits for its reply."""

How = Literal["start", "go_on", "resume"]
"""How a run enters a graph: from the beginning; once more, where an attempt of the same run broke off;
or with the reply to what an earlier run asked."""


class Entry(NamedTuple):
    """Tell how a run enters a graph, and whether with the reply to a question that waits there."""

    how: How
    with_reply: bool


class Checkpoints(Protocol):
    """Keep where graphs that ask wait for a reply, each under the id of the session that waits.

    Only the place in the graph is kept, and no text: what was said is kept by the runs.

    Raises:
        StoreUnavailable: the database cannot be read or written.
    """

    @property
    def saver(self) -> BaseCheckpointSaver[str]:
        """Return what the graph library reads and writes them by."""
        ...

    async def reached(self, session_id: str) -> Reached:
        """Tell where the graph of a session stands."""
        ...

    async def copy(self, session_id: str, to: str) -> None:
        """Begin the checkpoints of another session with the last one of this one, which stays."""
        ...

    async def remove(self, session_ids: Collection[str]) -> None:
        """Remove the checkpoints of sessions, bytes and all."""
        ...


async def enter(checkpoints: Checkpoints, own: str, asked: str) -> Entry:
    """Prepare the checkpoints for an attempt of a run, and tell how it enters.

    `own` is the session that the run may open, `asked` the one whose reply it has, if it has one.

    - A question waits, and no attempt has taken its reply: it is resumed.
    - Nodes are pending, since an attempt of this run broke off: it goes on, the same way in. What that
      attempt finished the run engine reads back, so that no node is run twice.
    - Nothing waits: it starts, and what was said before comes with the request.

    The question that waits is left as it is, and this run's checkpoints begin with a copy: until the
    run has ended, its reply can be taken anew.
    """
    broke_off = await checkpoints.reached(own) != "nothing"
    if broke_off:
        await checkpoints.remove([own])
    waits = bool(asked) and await checkpoints.reached(asked) == "asked"
    if waits:
        await checkpoints.copy(asked, own)
    if broke_off:
        return Entry("go_on", waits)
    return Entry("resume" if waits else "start", waits)
