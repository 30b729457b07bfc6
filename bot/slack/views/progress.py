"""Show a run while it goes on: one message with a plan, updated in place."""

from bot.chat.shown.progress_shown import ProgressShown, StepShown
from bot.chat.words import shared_sentences
from bot.chat.words.counts import counted
from bot.chat.words.visible_text import one_line
from bot.slack import ids
from bot.slack.text import sentences
from bot.slack.text.thread_sentences import READ_THE_LAST
from bot.slack.views import blocks
from bot.slack.views.message import Message, notice
from masis.conversation import MOST_HEARD, ChatRun, Payload


def progress(run: ChatRun, state: ProgressShown) -> Message:
    """The plan; while the run goes on with a button that ends it. An upload has no steps."""
    if run.kind == "upload":
        said = sentences.PLAN_DONE[state.end] if state.end else sentences.ADDING_FILES
        return notice(said) if state.end else notice(said, _cancel(run))
    title = _title(state)
    plan = {
        "type": "plan",
        "title": blocks.plain(title, 200)["text"],
        "tasks": _passes_done(state) if state.end else [_card(step) for step in state.steps],
    }
    said = title if state.end else state.summary
    lead = [blocks.context(sentences.widened_by(run.asker))] if run.wider else []
    lead += [blocks.context(READ_THE_LAST)] if len(run.heard) >= MOST_HEARD else []
    shown = [plan] if state.end else [plan, _cancel(run)]
    return Message(text=blocks.fallback(said), blocks=[*lead, *shown])


def _title(state: ProgressShown) -> str:
    if state.end:
        passes = max((each.number for each in state.passes), default=0)
        many = f" · {counted(passes, 'pass')}" if passes == 1 else f" · {passes} passes"
        return f"{sentences.PLAN_DONE[state.end]}{many if passes else ''}"
    return state.note or shared_sentences.WORKING


def _card(step: StepShown) -> Payload:
    card: Payload = {
        "type": "task_card",
        "task_id": f"{step.step.name}_{step.number}",
        "title": blocks.plain(step.title, 200)["text"],
        "status": step.state,
    }
    if step.note and step.state == "in_progress":
        card["details"] = blocks.rich(sentences.waiting_for_model(one_line(step.note)))
    return card


def _passes_done(state: ProgressShown) -> list[Payload]:
    """One line a pass, so that the finished plan takes little room."""
    return [
        {
            "type": "task_card",
            "task_id": f"pass_{each.number}",
            "title": blocks.plain(each.title, 200)["text"],
            "status": "error" if each.has_failed else "complete",
        }
        for each in state.passes
    ]


def _cancel(run: ChatRun) -> Payload:
    asks = blocks.confirm(
        sentences.STOP_TITLE, sentences.STOP_TEXT, sentences.STOP_YES, sentences.STOP_NO
    )
    button = blocks.button(
        shared_sentences.CANCEL, ids.CANCEL, ids.RunRef(run=run.id), style="danger", asks=asks
    )
    return blocks.actions(button)
