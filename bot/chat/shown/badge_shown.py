"""Give the badge of an answer as every surface shows it, and what under the answer does not hold."""

from dataclasses import dataclass

from bot.chat.words.badge_words import Result, rests_on, unbadged, verdict


@dataclass(frozen=True, slots=True)
class BadgeShown:
    """Hold a badge: its level and verdict ("High 86 %"), and what it rests on.

    Without a badge the level is empty, and the verdict says why there is none.
    """

    level: str
    verdict: str
    rests_on: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """Return the whole in one line."""
        return " · ".join([self.verdict, *self.rests_on])


def badge_shown(outcome: Result) -> BadgeShown:
    """Return the badge of an outcome."""
    if outcome.badge is None:
        return BadgeShown("", unbadged(outcome))
    return BadgeShown(outcome.badge.level, verdict(outcome), tuple(rests_on(outcome)))
