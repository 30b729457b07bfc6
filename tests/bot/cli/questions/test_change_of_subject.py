"""A change of subject, over the sample: what was asked before is not in the evidence of what is asked now."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from bot.cli.questions.terminal_thread import TerminalThread
from bot.playground import samples
from masis.conversation import Exchange
from masis.graphs.chat.rules import RuleRewriter
from tests.bench.eval_bench import opened
from tests.bench.plain_bench import filled

EVERY: Final = [
    json.loads(line)
    for line in (samples.SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]
STRIDES: Final = (1, 19)
"""How far apart two questions stand that are asked one after the other."""
LONG: Final = 30
"""Pairs that are asked of the documents."""


def pairs() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Two questions of different documents, each of which stands alone."""
    for stride in STRIDES:
        for at, now in enumerate(EVERY):
            before = EVERY[at - stride]
            if _documents(before).isdisjoint(_documents(now)):
                yield before, now


def _documents(row: dict[str, Any]) -> set[str]:
    return {gold["doc"] for gold in row["gold"]}


async def test_words_alone_carry_no_subject_over() -> None:
    """What stands alone is never taken to go on for certain: the documents have a say."""
    rewriter, sure = RuleRewriter(), []
    for before, now in pairs():
        asked = Exchange(run_id="r", question=before["question"], standalone=before["question"])
        meant = await rewriter.rewrite(now["question"], [asked])
        if meant.is_sure and meant.carried != meant.alone:
            sure.append((now["question"], meant.carried))
    assert sure == []


@pytest.mark.long
async def test_old_subject_leaves_no_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is in the evidence behind another question that is not there without it."""
    for name in ("MASIS_AGENTS", "MASIS_DATA_DIR"):
        monkeypatch.setenv(name, "")  # which are set anew, and are to be as they were
    leaks = []
    async with opened(tmp_path) as app:
        place = await filled(app, "sample")
        for before, now in list(pairs())[:: len(EVERY) * len(STRIDES) // LONG]:
            thread, alone = TerminalThread(app, place), TerminalThread(app, place)
            old = await thread.say(before["question"])
            found = await thread.say(now["question"])
            plain = await alone.say(now["question"])
            lent = {each.chunk_id for each in found.evidence} & {
                each.chunk_id for each in old.evidence
            } - {each.chunk_id for each in plain.evidence}
            leaks += [(before["question"], now["question"], sorted(lent))] if lent else []
    assert leaks == []
