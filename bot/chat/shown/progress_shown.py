"""Give a run while it goes on as every chat shows it: its steps, pass by pass, and which is at work."""

from dataclasses import dataclass, replace
from typing import Final, Literal

from bot.chat.words import shared_sentences
from masis.conversation import ChatRun
from masis.domain import Answered, AnyOutcome, Failed, NeedsClarification
from masis.graphs.common import GraphStep
from masis.graphs.registry import plan_with, steps_of
from masis.policy import MAX_RETRIES_ALLOWED
from masis.runs import Step

StepState = Literal["pending", "in_progress", "complete", "error"]
End = Literal["answered", "asked_back", "refused", "failed", "stopped", "withheld"]

MAX_PASSES: Final = MAX_RETRIES_ALLOWED + 1


@dataclass(frozen=True, slots=True)
class StepShown:
    """Hold a step of a pass; passes count from 1."""

    step: GraphStep
    number: int
    state: StepState = "pending"
    note: str = ""

    @property
    def title(self) -> str:
        """Its title; that of a further pass may say what is different about it."""
        return self.step.titled(self.number)


@dataclass(frozen=True, slots=True)
class PassShown:
    """Hold a pass in one line."""

    number: int
    title: str
    has_failed: bool


@dataclass(frozen=True, slots=True)
class ProgressShown:
    """Hold how far a run is. Every change gives a new value; equal values need no update."""

    plan: tuple[GraphStep, ...]
    steps: tuple[StepShown, ...]
    note: str = ""
    end: End | None = None
    graph: str = ""

    @classmethod
    def planned(cls, run: ChatRun) -> "ProgressShown":
        """Give the state of a run that has not begun: the first pass of its graph."""
        plan = tuple(step for step in steps_of(run.graph) if step.in_plan)
        return cls(plan, _pass(plan, 1), graph=run.graph)

    @classmethod
    def begun(cls, run: ChatRun) -> "ProgressShown":
        """Give the state that a run begins in: its first step begins at once."""
        state = cls.planned(run)
        first = (Step(name=step.name, number=1, state="started") for step in state.plan[:1])
        return next((state.with_step(step) for step in first), state)

    @property
    def doing(self) -> StepShown | None:
        """Return the step at work."""
        return next((each for each in self.steps if each.state == "in_progress"), None)

    @property
    def begun_steps(self) -> list[StepShown]:
        """Return the steps that began, in order."""
        return [each for each in self.steps if each.state != "pending"]

    @property
    def summary(self) -> str:
        """Return the whole in a sentence, for notifications: what it waits for, or what it does."""
        said = self.note or shared_sentences.WORKING
        return f"{said}: {self.doing.title}" if self.doing is not None else said

    @property
    def passes(self) -> list[PassShown]:
        """Return each pass in one line."""
        numbers = sorted({each.number for each in self.steps})
        return [_in_one(n, [each for each in self.steps if each.number == n]) for n in numbers]

    def waiting(self, said: str) -> "ProgressShown":
        """Not begun: it is said what for."""
        return replace(self, note=said)

    def with_step(self, step: Step) -> "ProgressShown":
        """A step began, ended or waits (its note says for what)."""
        if self.end is not None or not 1 <= step.number <= MAX_PASSES:
            return self
        last = max((each.number for each in self.steps), default=0)
        missing = range(last + 1, step.number + 1)
        steps = [*self.steps, *(each for number in missing for each in _pass(self.plan, number))]
        if step.name not in {each.step.name for each in steps}:
            steps = _with_plan(steps, plan_with(step.name, self.graph))
        places = {(each.step.name, each.number): at for at, each in enumerate(steps)}
        at = places.get((step.name, step.number), -1)
        if at < 0:
            return self
        if step.state == "started":
            steps = self._without_left_out(steps, at)
            at = next(n for n, each in enumerate(steps) if _is_of(each, step))
            # The graph goes one way: what is before a step that began has ended.
            steps = [_completed(each) if n < at else each for n, each in enumerate(steps)]
            # A step that is done again waits for the same thing until it is told otherwise.
            note = step.note or (steps[at].note if steps[at].state == "in_progress" else "")
            steps[at] = replace(steps[at], state="in_progress", note=note)
        else:
            steps[at] = replace(steps[at], state="complete", note="")
        return replace(self, steps=tuple(steps), note="")

    def _without_left_out(self, steps: list[StepShown], at: int) -> list[StepShown]:
        """Leave out what a graph that handed the question on did not come to."""
        usual = {step.name for step in self.plan}
        return [
            each
            for n, each in enumerate(steps)
            if n >= at or each.state != "pending" or each.step.name in usual
        ]

    def finished(self, outcome: AnyOutcome | End) -> "ProgressShown":
        """The run ended; steps that never ran are left out."""
        end = outcome if isinstance(outcome, str) else _end(outcome)
        bad: StepState = "error" if end in {"failed", "stopped"} else "complete"
        ran = [
            replace(each, state=bad if each.state == "in_progress" else each.state, note="")
            for each in self.begun_steps
        ]
        return replace(self, steps=tuple(ran), note="", end=end)


def _in_one(number: int, steps: list[StepShown]) -> PassShown:
    first = shared_sentences.FIRST_ROUND if number == 1 else shared_sentences.retry(number - 1)
    names = ", ".join(each.step.title.lower() for each in steps)
    has_failed = any(each.state == "error" for each in steps)
    return PassShown(number, f"{first}: {names}", has_failed)


def _is_of(each: StepShown, step: Step) -> bool:
    return (each.step.name, each.number) == (step.name, step.number)


def _with_plan(steps: list[StepShown], plan: tuple[GraphStep, ...]) -> list[StepShown]:
    """Put the steps of a graph that is gone to unforeseen behind what was begun."""
    begun = max((at for at, each in enumerate(steps) if each.state != "pending"), default=-1) + 1
    return [*steps[:begun], *_pass(plan, 1), *steps[begun:]]


def _pass(plan: tuple[GraphStep, ...], number: int) -> tuple[StepShown, ...]:
    return tuple(StepShown(step, number) for step in plan if number == 1 or not step.once)


def _completed(each: StepShown) -> StepShown:
    return replace(each, state="complete", note="") if each.state != "error" else each


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
