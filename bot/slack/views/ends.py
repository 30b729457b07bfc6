"""The first message of a run, and its ends that are no answer."""

from collections.abc import Sequence
from typing import Final

from bot.chat.shown.greeting_shown import greeting_shown
from bot.chat.words import shared_sentences
from bot.slack import ids
from bot.slack.text import sentences
from bot.slack.text.defuse import words_of
from bot.slack.views import blocks
from bot.slack.views.message import Message, notice
from masis.conversation import ChatRun

ONE_PARAGRAPH: Final = 400
"""Characters of a question that stand beside who asked it; a longer one stands below."""


def root(run: ChatRun) -> Message:
    """Says again who asked what: a slash command leaves no message to hang a thread from."""
    lead = sentences.asked_wider(run.asker) if run.wider else sentences.asked(run.asker)
    whole = (*words_of(lead), " ", run.question)
    if len(run.question) <= ONE_PARAGRAPH:
        return notice(whole)
    parts = [blocks.section(lead), *blocks.sections(run.question)]
    return Message(text=blocks.fallback(whole), blocks=parts)


def small_talk(said: str, questions: Sequence[str]) -> Message:
    """One short sentence, and a button for each question that can be asked instead."""
    shown = greeting_shown(said, questions, most_chars=ids.MOST_SUGGESTED)
    buttons = [
        blocks.button(text, ids.numbered(ids.SUGGESTED, at), ids.Suggested(question=text))
        for at, text in enumerate(shown.questions)
    ]
    return notice(shown.said, *([blocks.actions(*buttons)] if buttons else []))


def refused(reason: str) -> Message:
    """Not allowed, not possible or over quota; `reason` names the next step."""
    return notice(sentences.refused(reason))


def elsewhere(message: Message, run: ChatRun) -> Message:
    """The same where it does not stand in the run's place, and so says what it is about."""
    about = blocks.context(sentences.about(run.channel, run.question))
    return Message(text=message.text, blocks=[*message.blocks, about])


def failed(error: str, *, retryable: bool = False) -> Message:
    """An apology that says what failed and what to do; most errors say themselves to ask again."""
    hint = f" {shared_sentences.RETRY_HINT}" if retryable and "again" not in error else ""
    return notice(f"❌ {sentences.failed(error)}{hint}")


def stopped(by: str) -> Message:
    """Somebody ended the run."""
    return notice(("⏹️ ", *words_of(sentences.stopped(by))))


def withheld(reason: str) -> Message:
    """There is an answer, and it may not be shown here any more."""
    return notice(f"🔒 {reason}")
