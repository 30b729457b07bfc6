"""Find whether a short description names several things, each with a code of its own."""

import itertools
import re
from collections.abc import Sequence
from typing import Final

from masis.domain import WorkspaceId
from masis.graphs.classification.agents import ClassificationContext
from masis.graphs.classification.ambiguity import is_near, rivals, siblings, without
from masis.graphs.classification.state import Candidate, Expansion
from masis.graphs.classification.thresholds import (
    MOST_NEEDS,
    MOST_OPTIONS,
    NEED_CANDIDATES,
    NEED_TERMS,
)
from masis.rewriting import small_words
from masis.text.lexical import terms

_JOIN: Final = re.compile(r"\s*(?:[;\n]|\b(?:and|plus|as\s+well\s+as)\b|&)\s*", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_GOES_ON: Final = (
    small_words.SUBJECTS
    | small_words.AUXILIARIES
    | small_words.WH
    | small_words.PREPOSITIONS
    | small_words.POSSESSIVE_PRONOUNS
    | frozenset("of then so that this i'm im i've ive it's".split())
)
"""Words by which what stands behind "and" goes on with what stands before it."""


async def marked(
    candidates: Sequence[Candidate],
    expansion: Expansion,
    workspace_id: WorkspaceId,
    context: ClassificationContext,
) -> list[Candidate]:
    """Return the candidates; those that parts of the description name by themselves are marked as needs."""
    is_begun = expansion.is_follow_up or expansion.rejected
    parts = [] if is_begun else _parts(expansion, candidates)
    named = [await _named(part, expansion, workspace_id, context) for part in parts]
    codes = _apart(named)
    first = {each.id for each in candidates[:MOST_OPTIONS]}
    if len(codes) <= 1 or not all(named) or not codes <= first:
        return list(candidates)
    return [each.model_copy(update={"is_need": each.id in codes}) for each in candidates]


def _parts(expansion: Expansion, candidates: Sequence[Candidate]) -> list[str]:
    """Return what a short description joins; nothing where its best code speaks of both sides of the join."""
    said = expansion.wordings[-1] if expansion.wordings else ""
    if not candidates or candidates[0].is_asked or len(set(terms(said))) > NEED_TERMS:
        return []
    found = joined(said)
    words = set(candidates[0].words)
    beside = [(terms(one)[-1], terms(two)[0]) for one, two in itertools.pairwise(found)]
    speaks_of_both = any({left, right} <= words for left, right in beside)
    return [] if speaks_of_both else found


def joined(text: str) -> list[str]:
    """Return the parts that "and" or the like joins; empty where there is one."""
    found: list[str] = []
    for part in filter(None, _JOIN.split(text)):
        first = _WORD.search(part.casefold())
        goes_on = first is None or first[0] in _GOES_ON or not terms(part)
        if goes_on and found:
            found[-1] = f"{found[-1]} {part}"
        elif terms(part):
            found.append(part)
    return found if 1 < len(found) <= MOST_NEEDS else []


async def _named(
    part: str, expansion: Expansion, workspace_id: WorkspaceId, context: ClassificationContext
) -> list[Candidate]:
    """Return the codes that a part brings, the one first that it names; none where it is near to none, or to several."""
    alone = await context.agents.finder.find(
        workspace_id, [part], kind=expansion.kind, limit=NEED_CANDIDATES
    )
    found = without(alone.candidates, expansion.rejected)
    if not is_near(found, alone.relevance, context.policy.threshold(0)):
        return []
    return [] if rivals(found, part) or siblings(found, part) else found


def _apart(named: Sequence[Sequence[Candidate]]) -> set[str]:
    """Return the codes that parts name, but for what is favoured by a word alone while another part's code is nearer.

    So in "reset my password and unlock my account" the account is not that of a bank.
    """
    firsts = {found[0].id for found in named if found}
    return {
        found[0].id
        for found in named
        if found
        and not any(each.id in firsts and each.cosine > found[0].cosine for each in found[1:])
    }
