"""How conversations fare over the sample workspace, turn by turn, as `masis chat` holds them.

People who know the documents and no code wrote them: follow-ups, changes of subject, small talk, words
that ask for the last answer in another form, questions without an answer. Half of them (`seen`) was
looked at while answers were made better; the others (`hidden`) were asked at the end; twelve threads of a newcomer (`newcomer`) after that, and
eight (`apprentice`) were written to see whether what was mended for those holds for others; fourteen of a second newcomer (`stranger`) were asked once, last. Run it with
`python -m tests.bench.conversation_bench`; it prints the figures by kind of turn and writes a transcript
to read.
"""

import argparse
import asyncio
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bot.cli.questions.terminal_thread import TerminalThread
from bot.compose import App
from bot.evaluation.evaluation import contains
from masis.assistant import Finished
from masis.domain import Answered, NeedsClarification, Workspace
from masis.text.lexical import terms
from tests.bench.eval_bench import opened
from tests.bench.outcomes import Row, asked_back, level, passes, rows, share, shown
from tests.bench.plain_bench import filled

HERE: Final = Path(__file__).parent / "conversations"
WORKSPACE: Final = "sample"
ASKS: Final = ("question", "whole")
"""The kinds of turns that the documents answer."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a conversation, and what became of it."""

    row: Row
    finished: Finished

    @property
    def kind(self) -> str:
        """Return what the writer meant it to be."""
        return str(self.row["kind"])

    @property
    def level(self) -> str:
        """Return the badge of an answer, or what else came."""
        return level(self.finished.outcome)

    @property
    def understood(self) -> str:
        """Return the question that was searched."""
        outcome = self.finished.outcome
        return outcome.understood or outcome.reply or outcome.question

    @property
    def passes(self) -> bool:
        """Return whether it came back as an answer that is High or Medium."""
        return passes(self.finished.outcome)

    @property
    def shown(self) -> str:
        """Return what stands in front of the asker without a click."""
        outcome = self.finished.outcome
        return "\n".join(filter(None, [shown(outcome), asked_back(outcome)]))

    @property
    def right(self) -> bool:
        """Return whether the words that make it right are shown."""
        return contains(self.shown, self._phrases)

    @property
    def _phrases(self) -> list[str]:
        """Return the words that are to be shown, each with its alternatives."""
        return ["|".join(each) for each in self.row["phrases"]]

    @property
    def leaked(self) -> list[str]:
        """Return the words of an earlier subject that are in what is shown or in its evidence."""
        outcome = self.finished.outcome
        texts = [self.shown.lower(), *(each.text.lower() for each in self.finished.evidence)]
        if isinstance(outcome, Answered | NeedsClarification):
            texts += [each.text.lower() for each in outcome.citations]
        return [word for word in self.row["not"] if any(word.lower() in text for text in texts)]

    @property
    def told(self) -> bool:
        """Return whether an old subject is in what is shown."""
        return any(word.lower() in self.shown.lower() for word in self.row["not"])

    @property
    def asked_back(self) -> bool:
        """Return whether it came back to ask which one is meant, with each of them."""
        match self.finished.outcome:
            case NeedsClarification(options=options, statements=statements):
                return bool(options or statements) and contains(self.shown, self._phrases)
        return False

    @property
    def searched(self) -> bool:
        """Return whether documents were searched for it."""
        return any(entry.get("node") == "researcher" for entry in self.finished.trace)

    @property
    def obeyed(self) -> bool:
        """Return whether it was done with the last answer, and not asked of the documents."""
        nodes = {entry.get("node") for entry in self.finished.trace}
        return not self.searched or "recaller" in nodes

    @property
    def f1(self) -> float:
        """Return the share of content words that the searched and the standalone question share."""
        return f1(self.understood, self.row["standalone"])


@dataclass(slots=True)
class Conversation:
    """A conversation and its turns."""

    row: Row
    thread: str = ""
    turns: list[Turn] = field(default_factory=list)


def f1(one: str, other: str) -> float:
    """Return the harmonic mean of precision and recall of the content words."""
    said, meant = Counter(terms(one)), Counter(terms(other))
    both = sum((said & meant).values())
    return 2 * both / (said.total() + meant.total()) if both else 0.0


async def hold(app: App, place: Workspace, row: Row) -> Conversation:
    """Say each turn of a conversation in one thread."""
    thread = TerminalThread(app, place)
    held = Conversation(row, thread.id)
    for turn in row["turns"]:
        held.turns.append(Turn(turn, await thread.say(turn["say"])))
    return held


# --- the report ----------------------------------------------------------------------------


def figures(turns: Sequence[Turn]) -> dict[str, str]:
    """Return the figures of all turns, each with what it counts."""
    by: dict[str, list[Turn]] = defaultdict(list)
    for turn in turns:
        by[turn.kind].append(turn)
    asks = [turn for kind in ASKS for turn in by[kind]]
    meant = [turn for turn in turns if turn.row["standalone"]]
    warned = [turn for turn in turns if turn.row["not"]]
    mean = sum(turn.f1 for turn in meant) / max(len(meant), 1)
    typed = sum(f1(turn.row["say"], turn.row["standalone"]) for turn in meant) / max(len(meant), 1)
    return {
        "questions, right words shown": share(by["question"], lambda each: each.right),
        "  … as High or Medium": share(by["question"], lambda each: each.passes and each.right),
        "  High or Medium, right or not": share(by["question"], lambda each: each.passes),
        "asked for a whole, right words shown": share(by["whole"], lambda each: each.right),
        "both, right words shown": share(asks, lambda each: each.right),
        "unanswerable as High or Medium": share(by["unanswerable"], lambda each: each.passes),
        "  as High": share(by["unanswerable"], lambda each: each.level == "High"),
        "old subject shown": share(warned, lambda each: each.told),
        "old subject in the evidence or shown": share(warned, lambda each: bool(each.leaked)),
        "small talk known as such": share(
            by["small_talk"], lambda each: each.level == "small talk"
        ),
        "questions taken for small talk": share(
            [*asks, *by["unanswerable"], *by["unclear"]], lambda each: each.level == "small talk"
        ),
        "commands obeyed, or said why not": share(by["command"], lambda each: each.obeyed),
        "unclear asked back, naming what it could be": share(
            by["unclear"], lambda each: each.asked_back
        ),
        "content-F1 of understood to standalone": f"{mean:.3f} (typed {typed:.3f})",
    }


def told(turn: Turn) -> bool:
    """Return whether a reader would find the turn right."""
    match turn.kind:
        case "small_talk":
            return turn.level == "small talk"
        case "unanswerable":
            return not turn.passes
        case "unclear":
            return turn.asked_back
        case "command":
            return turn.obeyed
    return turn.right and not turn.told


def transcript(held: Iterable[Conversation]) -> str:
    """Write the conversations down, to be read."""
    lines = ["# Conversations over the sample workspace"]
    for each in held:
        lines += ["", f"## {each.row['id']} · {each.row['who']}"]
        for turn in each.turns:
            lines += ["", *_turn(turn)]
    return "\n".join(lines) + "\n"


def _turn(turn: Turn) -> list[str]:
    mark = "✓" if told(turn) else "✗"
    shown = [f"    {line}" for line in turn.shown.splitlines() if line.strip()]
    notes = [f"{turn.kind}, {turn.level}"]
    if turn.row["standalone"]:
        notes.append(f"meant: {turn.row['standalone']}")
    if turn.understood != turn.row["say"]:
        notes.append(f"understood: {' / '.join(turn.understood.split(chr(10)))}")
    weighed = next((e for e in turn.finished.trace if "carried" in e), None)
    if weighed:
        notes.append(f"evidence: carried {weighed['carried']:.2f}, alone {weighed['alone']:.2f}")
    if turn.leaked:
        notes.append(f"old subject: {', '.join(turn.leaked)}")
    if not turn.right:
        notes.append(f"wants: {turn.row['phrases']}")
    return [f"{mark} **{turn.row['say']}**", *shown, *(f"- {note}" for note in notes)]


async def main(options: argparse.Namespace) -> None:
    """Hold the conversations of each file, print their figures and write them down."""
    with tempfile.TemporaryDirectory() as folder:
        async with opened(options.data or Path(folder)) as app:
            known = await app.repository.workspaces(app.owner)
            place = next((each for each in known if each.name == WORKSPACE), None)
            place = place or await filled(app, WORKSPACE)
            written = rows(options.file)[: options.first]
            only = options.only.split(",") if options.only else [row["id"] for row in written]
            held = [await hold(app, place, row) for row in written if row["id"] in only]
    turns = [turn for each in held for turn in each.turns]
    for name, figure in figures(turns).items():
        print(f"{name:48} {figure}")
    print(f"{'turns as they should be':48} {share(turns, told)}")
    if options.transcript:
        options.transcript.write_text(transcript(held), encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=HERE / "seen.jsonl")
    parser.add_argument("--transcript", type=Path, help="write the conversations to this file")
    parser.add_argument("--data", type=Path, help="keep the workspace in this folder")
    parser.add_argument("--first", type=int, help="hold the first so many only")
    parser.add_argument("--only", default="", help="hold those of these ids only")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_options()))
