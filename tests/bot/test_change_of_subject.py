"""A change of subject over the sample workspace: nothing of the old one is evidence for the new one."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.cli.questions.terminal_thread import TerminalThread
from bot.compose import App, compose
from bot.playground import samples
from bot.playground.remembered import by_heart, sources
from bot.settings import load
from masis.domain import Workspace

ASKED: Final = [
    row
    for row in map(
        json.loads, (samples.SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    )
    if row["answerable"] and row["gold"]
]
PAIRS: Final = 12


@dataclass(frozen=True, slots=True)
class Sample:
    """The sample workspace, and the loop that its application runs in."""

    app: App
    place: Workspace
    runner: asyncio.Runner

    def evidence(self, *questions: str) -> list[set[str]]:
        """Ask in one thread; the ids of what each question was answered from."""

        async def talk() -> list[set[str]]:
            thread = TerminalThread(self.app, self.place, max_retries=0)
            ended = [await thread.say(question) for question in questions]
            return [{chunk.chunk_id for chunk in each.evidence} for each in ended]

        return self.runner.run(talk())


@contextmanager
def _opened(folder: Path) -> Iterator[Sample]:
    chosen = load(Path("no.env"), data_dir=folder, agents="offline", embedding_threads=1)
    with asyncio.Runner() as runner:
        opening = compose(chosen)
        app = runner.run(opening.__aenter__())
        try:
            yield Sample(app, runner.run(_filled(app)), runner)
        finally:
            runner.run(opening.__aexit__(None, None, None))


async def _filled(app: App) -> Workspace:
    made = await app.repository.create_workspace(app.owner, "sample")
    if app.embedder is not None:
        app.embedder = by_heart(app.embedder)
    async for result in app.ingest.ingest_many(made, sources(Path(str(samples.SAMPLE / "docs")))):
        assert result.status == "added", result
    return made


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sample]:
    """The sample workspace, for questions that nobody remembers."""
    with _opened(tmp_path_factory.mktemp("sample")) as opened:
        yield opened


def _documents(row: dict[str, Any]) -> set[str]:
    return {gold["doc"] for gold in row["gold"]}


@pytest.mark.long
@settings(max_examples=PAIRS, deadline=None, database=None)
@given(first=st.sampled_from(ASKED), second=st.sampled_from(ASKED))
def test_changed_subject_leaves_no_evidence(
    sample: Sample, first: dict[str, Any], second: dict[str, Any]
) -> None:
    """What the question before was answered from is evidence only where it would be without that."""
    assume(_documents(first).isdisjoint(_documents(second)))
    before, after = sample.evidence(first["question"], second["question"])
    (alone,) = sample.evidence(second["question"])
    assert before & after <= alone
