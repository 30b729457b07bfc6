"""Give a question of somebody's history as every chat shows it: what was asked, how it ended, and when."""

import datetime as dt
from collections.abc import Callable, Collection
from dataclasses import dataclass

from bot.chat.words import history_words, shared_sentences
from bot.chat.words.phrases import ago
from masis.conversation import ChatRun


@dataclass(frozen=True, slots=True)
class PastQuestionShown:
    """Hold a question with the asker's reply, if there was one; `when` is empty where nobody knows it."""

    question: str
    reply: str
    ended: str
    when: str

    def line(self, shortened: Callable[[str], str]) -> str:
        """Return `• How much leave? · ✅ · 5 min ago`; the reply stands behind the question."""
        parts = [shortened(self.question) or history_words.FILES_SENT]
        parts += [shared_sentences.replied(shortened(self.reply))] if self.reply else []
        parts += [each for each in (self.ended, self.when) if each]
        return f"• {' · '.join(parts)}"


def past_question(run: ChatRun, kinds: Collection[str], now: dt.datetime) -> PastQuestionShown:
    """Return a question of the past, by the kinds of messages that it has."""
    return PastQuestionShown(
        question=run.question,
        reply=run.reply,
        ended=history_words.how_it_ended(run, kinds),
        when="" if run.accepted_at is None else ago(run.accepted_at, now),
    )
