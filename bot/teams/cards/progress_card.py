"""Draw a run while it goes on: the steps that were done and the one at work, with a way to end it."""

from typing import Final

from bot.chat.shown.progress_shown import ProgressShown, StepShown
from bot.chat.words import shared_sentences
from bot.chat.words.badge_words import cut
from bot.chat.words.visible_text import one_line
from bot.teams.cards import carried
from bot.teams.cards.card_elements import (
    Elements,
    Json,
    card,
    execute,
    message,
    rich,
    run,
    small,
    title,
)
from bot.teams.cards.carried import RunRef
from bot.teams.text import sentences
from masis.conversation import ChatRun

_DONE: Final = "✓"
_AT_WORK: Final = "▸"


def progress(asked: ChatRun, state: ProgressShown) -> Json:
    """Return the message of a run that goes on.

    Who asked has it refreshed: should its id never have come back, it is taken away by that.
    """
    body = [title(shared_sentences.WORKING), *untyped(asked)]
    body += [small(state.note)] if state.note else []
    body += [_line(step) for step in state.begun_steps]
    stop = execute(shared_sentences.CANCEL, carried.CANCEL, RunRef(run=asked.id).data())
    return message(card(body, [stop], refresh=_refresh(asked)), state.summary)


def untyped(asked: ChatRun) -> Elements:
    """Say what was asked by a press: no message of anybody's stands above its card."""
    is_typed = bool(asked.message) or asked.kind == "reply"
    return [] if is_typed else [small(cut(sentences.asked(asked.question)))]


def _line(step: StepShown) -> Json:
    said = one_line(step.title)
    if step.state != "in_progress":
        return rich(run(f"{_DONE} {said}", isSubtle=True), spacing="None")
    note = f" ({one_line(step.note)})" if step.note else ""
    return rich(run(f"{_AT_WORK} {said}{note}"), spacing="None")


def _refresh(asked: ChatRun) -> Json:
    action = {
        "type": "Action.Execute",
        "verb": carried.REFRESH,
        "data": RunRef(run=asked.id).data(),
    }
    return {"action": action, "userIds": [f"8:orgid:{asked.asker}"]}
