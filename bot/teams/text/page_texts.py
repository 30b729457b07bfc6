"""Every sentence of the pages that the app's entry in Teams points to."""

from typing import Final

from bot.chat.words.counts import counted
from bot.teams.text.sentences import IN_FULL

ABOUT: Final = ("MASIS", (IN_FULL,))
TERMS: Final = (
    "Terms of use",
    (
        (
            "MASIS is run by the organisation whose documents it answers from; its rules for the use of"
            " its systems and documents hold here."
        ),
        (
            "An answer is made by a machine from those documents. Every claim cites its source: read it"
            " before you act on it."
        ),
        "Whoever runs MASIS in a team decides what it may be asked, and by whom.",
    ),
)
PRIVACY: Final = "Privacy"


def privacy(keep_days: int) -> tuple[str, tuple[str, ...]]:
    """Say what is kept of people, and how long."""
    return PRIVACY, (
        (
            "MASIS hears in a channel only what mentions it, and in its own chat what is written there. It"
            " keeps who asked, where, the question, the answer with its audit, and votes under answers."
        ),
        (
            f"Questions and answers are kept for {counted(keep_days, 'day')}; votes, links and the log of"
            " what was done to them stay until they are forgotten."
        ),
        (
            "It reads who is a member and who owns a team, to decide who may ask. Names decide"
            " nothing, and are kept no longer than it takes to do what was written: a day at most."
        ),
        (
            "The data is kept by the organisation that runs this MASIS, and given to nobody but the"
            " services that it has set up for answering. It can forget a person, a team or a workspace"
            " at once: ask whoever runs MASIS in your organisation."
        ),
    )
