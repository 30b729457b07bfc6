"""A progress bar for long work, where somebody looks at a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.cli.session import Session
from bot.rendering.show import line

Advance = Callable[[str], None]
"""Called with the name of each thing that is done."""


@contextmanager
def progress(session: Session, words: str, total: int) -> Iterator[Advance]:
    """A bar of `total` things; nothing at all off a terminal, or for a program."""
    console = None if session.as_json else session.live
    if console is None:
        yield lambda _: None
        return
    with _bar(console) as bar:
        task = bar.add_task(words, total=total, name="")

        def advance(name: str) -> None:
            bar.update(task, advance=1, name=line(name))

        yield advance


def _bar(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[name]}", style="dim", markup=False),
        console=console,
        transient=True,
    )
