"""Rank the codes of a list by how well they fit what is described: by words, and by nearness of meaning.

The weights were fitted on every second of 300 labelled occupations; `tests/bench/RESULTS.md` has both halves.
"""

import asyncio
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from masis.codelists.code_list import Code
from masis.codelists.index import CodeIndex, Entry
from masis.domain import WorkspaceId
from masis.ports import Vectors

NAMES: Final = 9.4
SENTENCE: Final = 4.2
SENTENCES: Final = 8.2
WORDS: Final = 4.0
"""Of the nearest name, the nearest sentence, the mean of the nearest three, and the words of all: their
sum is how much a code is favoured, as a logarithm."""
WORDS_ALONE: Final = 10.0
"""Where there is no embedder."""
UNSAID: Final = 0.85
"""Of the nearest name: how near the sentences of a code count that has none."""
GROUP_WORDS: Final = 0.08
TOLD_ALONE: Final = 2
MOST_TOLD: Final = 30
"""The first two codes are told by their own words and texts alone; the order of those behind them also by how well
the words of all codes of their parent fit, with that weight: what a text says of the trade its own code may not. Of
150 descriptions 135 and not 131 then have their code among the first five, without the title's words 131 and not 124;
with the first as well, two fewer lead."""
TOP: Final = 3
BY_WORDS: Final = 30
"""Codes that are looked at because of their words, beside those that the search found."""
MOST_NAMES: Final = 12
MOST_SENTENCES: Final = 12
"""Texts of a code that are embedded, those with the most words of what is described: with twice as many names
none of 300 descriptions ranks better, with half of both four fewer have their code among the first five."""

MOST_SPREAD: Final = 200
"""Codes whose titles tell how differently near a list is."""
LEAST_SCALE: Final = 0.001
"""Deviation below which titles are as near to one another as rounding lets them be."""

_Vector = NDArray[np.float32]


class SentenceEmbedder(Protocol):
    """Embeds sentences of a workspace, and what is searched there."""

    async def of(self, workspace_id: WorkspaceId, texts: Sequence[str]) -> Vectors:
        """One row a text, in order."""
        ...

    async def question(self, workspace_id: WorkspaceId, text: str) -> _Vector:
        """The vector of what is searched."""
        ...


@dataclass(frozen=True, slots=True)
class Ranked:
    """A code, how much it is favoured (a logarithm), and how near its nearest text is."""

    code: Code
    score: float
    cosine: float
    coverage: float


async def ranked(
    index: CodeIndex,
    workspace_id: WorkspaceId,
    text: str,
    found: Iterable[str],
    embedder: SentenceEmbedder | None,
) -> list[Ranked]:
    """Rank the codes that share words with a text or stand in one of the `found` passages."""
    words = await asyncio.to_thread(index.lexical, text)
    first = sorted(words, key=lambda at: -words[at])[:BY_WORDS]
    beside = (at for chunk_id in found for at in index.by_chunk.get(chunk_id, ()))
    chosen = list(dict.fromkeys([*first, *beside]))
    entries = [index.entries[at] for at in chosen]
    if embedder is None:
        near = [(0.0, WORDS_ALONE * words.get(at, 0.0)) for at in chosen]
    else:
        near = await _near(index, entries, workspace_id, text, embedder)
        near = [(cosine, score + WORDS * words.get(at, 0.0)) for at, (cosine, score) in zip(chosen, near, strict=True)]  # fmt: skip
    made = [
        Ranked(entry.code, score, cosine, words.get(at, 0.0))
        for at, entry, (cosine, score) in zip(chosen, entries, near, strict=True)
    ]
    return sorted(made, key=lambda each: -each.score)


def by_group(found: Sequence[Ranked], index: CodeIndex, text: str) -> list[Ranked]:
    """Order codes behind the first also by the words of their parents' codes; how much places are favoured stays."""
    fits = index.of_groups(text)
    if not fits:
        return list(found)
    rest = found[TOLD_ALONE:MOST_TOLD]
    ordered = sorted(rest, key=lambda each: -(each.score + GROUP_WORDS * fits[index.group(each.code)]))  # fmt: skip
    moved = [replace(each, score=at.score) for each, at in zip(ordered, rest, strict=True)]
    return [*found[:TOLD_ALONE], *moved, *found[MOST_TOLD:]]


async def _near(
    index: CodeIndex,
    entries: Sequence[Entry],
    workspace_id: WorkspaceId,
    text: str,
    embedder: SentenceEmbedder,
) -> list[tuple[float, float]]:
    """Return for each entry the cosine of its nearest text, and what all of them come to."""
    asked = index.known(text)
    spoken = [
        (
            index.nearest_by_words(entry.names, asked, MOST_NAMES),
            index.nearest_by_words(entry.sentences, asked, MOST_SENTENCES),
        )
        for entry in entries
    ]
    texts = list(dict.fromkeys(each for pair in spoken for part in pair for each in part))
    if not texts:
        return [(0.0, 0.0)] * len(entries)
    vector = await embedder.question(workspace_id, text)
    cosines = dict(
        zip(texts, (await embedder.of(workspace_id, texts) @ vector).tolist(), strict=True)
    )
    return [
        _weighed([cosines[n] for n in names], [cosines[s] for s in said]) for names, said in spoken
    ]


def _weighed(names: Sequence[float], sentences: Sequence[float]) -> tuple[float, float]:
    name = max(names, default=0.0)
    nearest = sorted(sentences, reverse=True)[:TOP] or [UNSAID * name]
    mean = sum(nearest) / len(nearest)
    return max(name, nearest[0]), NAMES * name + SENTENCE * nearest[0] + SENTENCES * mean


async def spread(
    index: CodeIndex, workspace_id: WorkspaceId, texts: Sequence[str], embedder: SentenceEmbedder
) -> float | None:
    """Return how differently near the titles of a list are to texts: the largest standard deviation.

    What a list is of is near to some of its titles and far from others, anything else equally far from all.
    Embedders differ in scale, so that it counts against the deviation of the titles' cosines to one another;
    where these do not differ, as those of two titles, it is not known.
    """
    titles = [entry.code.title for entry in index.entries]
    some = titles[:: math.ceil(len(titles) / MOST_SPREAD)]
    vectors = await embedder.of(workspace_id, some)
    scale = float(np.std((vectors @ vectors.T)[np.triu_indices(len(some), 1)])) if some[2:] else 0.0
    if scale < LEAST_SCALE:
        return None
    questions = [await embedder.question(workspace_id, text) for text in texts]
    return max(float(np.std(vectors @ question)) for question in questions) / scale


def likelihoods(scores: Sequence[float]) -> list[float]:
    """Return how likely each is to be the right one, where one of them is."""
    best = max(scores, default=0.0)
    favours = [math.exp(score - best) for score in scores]
    total = sum(favours)
    return [favour / total for favour in favours]
