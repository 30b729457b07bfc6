"""Whether search finds the answer to each turn of a conversation, by what of the turn is searched.

Run it with `python -m tests.bench.thread_search_bench FILE`: a JSON object a line, with `turns` of
`say`, `kind`, `standalone` (as a person wrote it), and the `documents` and `phrases` of the answer,
over the sample workspace. A turn behind another counts where a passage has a phrase of its answer.
"""

import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final

from masis.conversation import Exchange
from masis.domain import EvidenceChunk
from masis.questions.follow_ups import follow_up
from tests.bench.corpora import Indexed, plain, sample
from tests.bench.rewrite_bench import MOST_EXCHANGES
from tests.bench.workbench import workbench

FOUND: Final = 5
LEAD: Final = 0.0
"""By how much what is carried must be nearer to what it finds than what stands alone."""
_NOT_SEARCHED: Final = {"small_talk", "command"}

Turn = dict[str, Any]
Search = Callable[[str], Awaitable[Sequence[EvidenceChunk]]]


def answers(indexed: Indexed, turn: Turn) -> set[str]:
    """The passages of a turn's documents that hold a phrase of its answer."""
    wanted = [plain(phrase) for phrases in turn["phrases"] for phrase in phrases]
    return {
        key
        for key, chunk in indexed.chunks.items()
        if indexed.documents[key] in turn["documents"]
        and any(phrase in plain(chunk.indexed_text) for phrase in wanted)
    }


async def chosen(search: Search, said: str, past: Sequence[Exchange]) -> str:
    """What is searched of a message: of two ways the one that is nearer to what it finds."""
    found = follow_up(said, past[-MOST_EXCHANGES:])
    if found.kind != "either":
        return found.carried
    alone, carried = await search(found.alone), await search(found.carried)
    return found.carried if nearest(carried) > nearest(alone) + LEAD else found.alone


def nearest(found: Sequence[EvidenceChunk]) -> float:
    """The nearness of the nearest passage."""
    return max((each.nearness for each in found), default=0.0)


async def measured(search: Search, indexed: Indexed, turns: Sequence[Turn]) -> Counter[str]:
    """In how many turns of one conversation each way finds the answer."""
    hits: Counter[str] = Counter()
    past: list[Exchange] = []
    for at, turn in enumerate(each for each in turns if each["kind"] not in _NOT_SEARCHED):
        said, rule = turn["say"], await chosen(search, turn["say"], past)
        gold = answers(indexed, turn)
        if past and gold:
            glued = f"{past[-1].question} {said}"
            ways = {"typed": said, "glued": glued, "rules": rule, "by a person": turn["standalone"]}
            for way, query in ways.items():
                top = {each.chunk_id for each in (await search(query))[:FOUND]}
                hits[way] += not gold.isdisjoint(top)
            hits["turns"] += 1
        past.append(Exchange(run_id=str(at), question=said, standalone=rule))
    return hits


async def main(rows: Sequence[dict[str, Any]], folder: Path) -> None:
    """Print the share of turns in which each way finds the answer."""
    hits: Counter[str] = Counter()
    async with workbench(folder) as bench:
        workspace, indexed = await bench.fill("sample", [sample()])
        retrieval = bench.retrieval()

        async def search(query: str) -> Sequence[EvidenceChunk]:
            return (await retrieval.search(workspace.id, query, limit=40)).candidates

        for row in rows:
            hits += await measured(search, indexed, row["turns"])
    turns = hits.pop("turns")
    print(f"{turns} turns: {', '.join(f'{way} {n / turns:.3f}' for way, n in hits.items())}")


if __name__ == "__main__":
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory() as temporary:
        asyncio.run(main([json.loads(line) for line in lines], Path(temporary)))
