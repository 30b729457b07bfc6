"""Draw a run while it goes on: the steps that were done and the one at work, with a way to end it."""

from dataclasses import dataclass, replace
from typing import Final

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
from masis.runs import Step

MOST_STEPS: Final = 30
_DONE: Final = "✓"
_AT_WORK: Final = "▸"


@dataclass(frozen=True, slots=True)
class Steps:
    """Hold how far a run is. Every change gives a new value; equal values need no update."""

    steps: tuple[Step, ...] = ()
    note: str = ""

    def with_step(self, step: Step) -> "Steps":
        """A step began, ended or waits (its note says for what)."""
        key = step.name, step.number
        kept = [each for each in self.steps if (each.name, each.number) != key]
        if step.state == "started":
            # The graph goes one way: what is before a step that began has ended.
            kept = [each.model_copy(update={"state": "finished", "note": ""}) for each in kept]
        at = next((at for at, each in enumerate(self.steps) if (each.name, each.number) == key), -1)
        kept.insert(at if at >= 0 else len(kept), step)
        return replace(self, steps=tuple(kept[-MOST_STEPS:]))


def progress(asked: ChatRun, state: Steps) -> Json:
    """Return the message of a run that goes on.

    Who asked has it refreshed: should its id never have come back, it is taken away by that.
    """
    body = [title(shared_sentences.WORKING), *untyped(asked)]
    body += [small(state.note)] if state.note else []
    body += [_line(step) for step in state.steps if step.title]
    stop = execute(shared_sentences.CANCEL, carried.CANCEL, RunRef(run=asked.id).data())
    whole = card(body, [stop], refresh=_refresh(asked))
    doing = next((step.title for step in reversed(state.steps) if step.state == "started"), "")
    said = f"{shared_sentences.WORKING}: {doing}" if doing else shared_sentences.WORKING
    return message(whole, said)


def untyped(asked: ChatRun) -> Elements:
    """Say what was asked by a press: no message of anybody's stands above its card."""
    is_typed = bool(asked.message) or asked.kind == "reply"
    return [] if is_typed else [small(cut(sentences.asked(asked.question)))]


def _line(step: Step) -> Json:
    if step.state == "finished":
        return rich(run(f"{_DONE} {one_line(step.title)}", isSubtle=True), spacing="None")
    note = f" ({one_line(step.note)})" if step.note else ""
    return rich(run(f"{_AT_WORK} {one_line(step.title)}{note}"), spacing="None")


def _refresh(asked: ChatRun) -> Json:
    action = {
        "type": "Action.Execute",
        "verb": carried.REFRESH,
        "data": RunRef(run=asked.id).data(),
    }
    return {"action": action, "userIds": [f"8:orgid:{asked.asker}"]}
