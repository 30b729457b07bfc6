"""Show a run while it goes on: one message with a plan, updated in place."""

from dataclasses import dataclass, replace
from typing import Final, Literal

from bot.chat.words import shared_sentences
from bot.chat.words.counts import counted
from bot.chat.words.visible_text import one_line
from bot.slack import ids
from bot.slack.text import sentences
from bot.slack.text.thread_sentences import READ_THE_LAST
from bot.slack.views import blocks
from bot.slack.views.message import Message, notice
from masis.conversation import MOST_HEARD, ChatRun, Payload
from masis.domain import Answered, AnyOutcome, Failed, NeedsClarification
from masis.graphs.common import GraphStep
from masis.graphs.registry import plan_with, steps_of
from masis.policy import MAX_RETRIES_ALLOWED
from masis.runs import Step

TaskState = Literal["pending", "in_progress", "complete", "error"]
End = Literal["answered", "asked_back", "refused", "failed", "stopped", "withheld"]

MAX_PASSES: Final = MAX_RETRIES_ALLOWED + 1


@dataclass(frozen=True, slots=True)
class Task:
    """A step of a pass; passes count from 1."""

    step: GraphStep
    number: int
    state: TaskState = "pending"
    note: str = ""

    @property
    def title(self) -> str:
        """Its title; that of a further pass may say what is different about it."""
        return self.step.titled(self.number)


@dataclass(frozen=True, slots=True)
class ProgressState:
    """Hold how far a run is. Every change gives a new value; equal values need no update."""

    plan: tuple[GraphStep, ...]
    tasks: tuple[Task, ...]
    note: str = ""
    end: End | None = None
    graph: str = ""

    @classmethod
    def planned(cls, run: ChatRun) -> "ProgressState":
        """Give the state of a run that has not begun: the first pass of its graph."""
        plan = tuple(step for step in steps_of(run.graph) if step.in_plan)
        return cls(plan, _pass(plan, 1), graph=run.graph)

    @classmethod
    def begun(cls, run: ChatRun) -> "ProgressState":
        """Give the state that a run begins in: its first step begins at once."""
        state = cls.planned(run)
        first = (Step(name=step.name, number=1, state="started") for step in state.plan[:1])
        return next((state.with_step(step) for step in first), state)

    def waiting(self, ahead: int) -> "ProgressState":
        """Not begun: so many are served first."""
        return replace(self, note=sentences.waiting_in_queue(ahead))

    def waiting_in_thread(self) -> "ProgressState":
        """Not begun: another run of the thread is."""
        return replace(self, note=sentences.WAITING_IN_THREAD)

    def with_step(self, step: Step) -> "ProgressState":
        """A step began, ended or waits (its note says for what)."""
        if self.end is not None or not 1 <= step.number <= MAX_PASSES:
            return self
        last = max((task.number for task in self.tasks), default=0)
        missing = range(last + 1, step.number + 1)
        tasks = [*self.tasks, *(task for number in missing for task in _pass(self.plan, number))]
        if step.name not in {task.step.name for task in tasks}:
            tasks = _with_plan(tasks, plan_with(step.name, self.graph))
        places = {(task.step.name, task.number): at for at, task in enumerate(tasks)}
        at = places.get((step.name, step.number), -1)
        if at < 0:
            return self
        if step.state == "started":
            tasks = self._without_left_out(tasks, at)
            at = next(n for n, task in enumerate(tasks) if _is_of(task, step))
            # The graph goes one way: what is before a step that began has ended.
            tasks = [_completed(task) if n < at else task for n, task in enumerate(tasks)]
            # A step that is done again waits for the same thing until it is told otherwise.
            note = step.note or (tasks[at].note if tasks[at].state == "in_progress" else "")
            tasks[at] = replace(tasks[at], state="in_progress", note=note)
        else:
            tasks[at] = replace(tasks[at], state="complete", note="")
        return replace(self, tasks=tuple(tasks), note="")

    def _without_left_out(self, tasks: list[Task], at: int) -> list[Task]:
        """Leave out what a graph that handed the question on did not come to."""
        usual = {step.name for step in self.plan}
        return [
            task
            for n, task in enumerate(tasks)
            if n >= at or task.state != "pending" or task.step.name in usual
        ]

    def finished(self, outcome: AnyOutcome | End) -> "ProgressState":
        """The run ended; steps that never ran are left out."""
        end = outcome if isinstance(outcome, str) else _end(outcome)
        bad: TaskState = "error" if end in {"failed", "stopped"} else "complete"
        ran = [
            replace(task, state=bad if task.state == "in_progress" else task.state, note="")
            for task in self.tasks
            if task.state != "pending"
        ]
        return replace(self, tasks=tuple(ran), note="", end=end)


def _is_of(task: Task, step: Step) -> bool:
    return (task.step.name, task.number) == (step.name, step.number)


def _with_plan(tasks: list[Task], plan: tuple[GraphStep, ...]) -> list[Task]:
    """Put the steps of a graph that is gone to unforeseen behind what was begun."""
    begun = max((at for at, task in enumerate(tasks) if task.state != "pending"), default=-1) + 1
    return [*tasks[:begun], *_pass(plan, 1), *tasks[begun:]]


def _pass(plan: tuple[GraphStep, ...], number: int) -> tuple[Task, ...]:
    return tuple(Task(step, number) for step in plan if number == 1 or not step.once)


def progress(run: ChatRun, state: ProgressState) -> Message:
    """The plan; while the run goes on with a button that ends it. An upload has no steps."""
    if run.kind == "upload":
        said = sentences.PLAN_DONE[state.end] if state.end else sentences.ADDING_FILES
        return notice(said) if state.end else notice(said, _cancel(run))
    title = _title(state)
    plan = {
        "type": "plan",
        "title": blocks.plain(title, 200)["text"],
        "tasks": _passes_done(state) if state.end else [_card(task) for task in state.tasks],
    }
    doing = next((task for task in state.tasks if task.state == "in_progress"), None)
    said = f"{title}: {doing.title}" if doing else title
    lead = [blocks.context(sentences.widened_by(run.asker))] if run.wider else []
    lead += [blocks.context(READ_THE_LAST)] if len(run.heard) >= MOST_HEARD else []
    shown = [plan] if state.end else [plan, _cancel(run)]
    return Message(text=blocks.fallback(said), blocks=[*lead, *shown])


def _title(state: ProgressState) -> str:
    if state.end:
        passes = max((task.number for task in state.tasks), default=0)
        many = f" · {counted(passes, 'pass')}" if passes == 1 else f" · {passes} passes"
        return f"{sentences.PLAN_DONE[state.end]}{many if passes else ''}"
    return state.note or shared_sentences.WORKING


def _card(task: Task) -> Payload:
    card: Payload = {
        "type": "task_card",
        "task_id": f"{task.step.name}_{task.number}",
        "title": blocks.plain(task.title, 200)["text"],
        "status": task.state,
    }
    if task.note and task.state == "in_progress":
        card["details"] = blocks.rich(sentences.waiting_for_model(one_line(task.note)))
    return card


def _passes_done(state: ProgressState) -> list[Payload]:
    """One line a pass, so that the finished plan takes little room."""
    cards = []
    for number in sorted({task.number for task in state.tasks}):
        steps = [task for task in state.tasks if task.number == number]
        names = ", ".join(task.step.title.lower() for task in steps)
        first = shared_sentences.FIRST_ROUND if number == 1 else f"Retry {number - 1}"
        failed = any(task.state == "error" for task in steps)
        cards.append(
            {
                "type": "task_card",
                "task_id": f"pass_{number}",
                "title": blocks.plain(f"{first}: {names}", 200)["text"],
                "status": "error" if failed else "complete",
            }
        )
    return cards


def _cancel(run: ChatRun) -> Payload:
    asks = blocks.confirm(
        sentences.STOP_TITLE, sentences.STOP_TEXT, sentences.STOP_YES, sentences.STOP_NO
    )
    button = blocks.button(
        shared_sentences.CANCEL, ids.CANCEL, ids.RunRef(run=run.id), style="danger", asks=asks
    )
    return blocks.actions(button)


def _completed(task: Task) -> Task:
    return replace(task, state="complete", note="") if task.state != "error" else task


def _end(outcome: AnyOutcome) -> End:
    match outcome:
        case Answered():
            return "answered"
        case NeedsClarification():
            return "asked_back"
        case Failed():
            return "failed"
        case _:
            return "refused"
