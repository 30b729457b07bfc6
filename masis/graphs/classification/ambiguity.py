"""Decide in code what no analyzer may: whether a text is ambiguous, and when it was asked enough."""

import math
from collections.abc import Sequence
from typing import Final

from masis.graphs.classification import texts
from masis.graphs.classification.state import Analysis, Candidate, Expansion, Reason
from masis.text.lexical import terms

MARGIN: Final = 0.6
"""How much more the best code must be favoured than the best one of another parent, as a logarithm: at
twice as likely. Chosen on every second of 300 labelled descriptions; see `tests/bench/RESULTS.md`."""
WIDE_MARGIN: Final = 1.2
"""The same for two whose titles differ by words of which the text has none."""
SIBLINGS_MARGIN: Final = 0.5
"""The same for two codes of one parent."""
CLEAR_LEAD: Final = 2.5
"""The same where the best code is not near to the text either: people's own words for a short list."""
LEAD_AFTER_REPLY: Final = 1.8
"""The same once somebody has said more of it, who has seen what it may be."""
SIBLINGS_LEAD: Final = 2.0
"""The same for two codes of one parent."""
SURE_COSINE: Final = 0.55
NEAR_COSINE: Final = 0.5
"""A text is near to a code from this cosine of the code's nearest words on; where the passage is near as
well, which holds other rows too, from the second one."""
FAR: Final = 0.4
"""Share of the threshold below which nothing that was found is worth offering."""
PLAUSIBLE: Final = 2.5
"""A code that is favoured so much less than the best is not what an analyzer may choose."""
MOST_QUESTIONS: Final = 3
MOST_OPTIONS: Final = 8
OFFERED: Final = 3.0
"""A code is offered that is favoured at most so much less than the best."""
FEWEST_OPTIONS: Final = 3
SPREAD: Final = 1.3
"""What favours are divided by before they are likelihoods: undivided they promise a little too much."""


def likelihoods(candidates: Sequence[Candidate]) -> list[float]:
    """Return how likely each candidate is the right one, if one of them is."""
    best = max((each.score for each in candidates), default=0.0)
    favours = [math.exp((each.score - best) / SPREAD) for each in candidates]
    total = sum(favours)
    return [favour / total for favour in favours]


def is_near(candidates: Sequence[Candidate], relevance: float, threshold: float) -> bool:
    """Tell whether the best code comes near to the text; without an embedder its passage tells."""
    best = candidates[0].cosine if candidates else 0.0
    if not best:
        return bool(candidates) and relevance >= threshold
    return best >= SURE_COSINE or (best >= NEAR_COSINE and relevance >= threshold)


def rivals(candidates: Sequence[Candidate], text: str, margin: float = MARGIN) -> list[Candidate]:
    """Return the best code and those of other parents that it cannot be told from; none where it can."""
    if not candidates:
        return []
    best = candidates[0]
    found = [
        other
        for other in candidates[1:]
        if (other.parent, other.document_id) != (best.parent, best.document_id)
        and _cannot_be_told(best, other, text, margin)
    ]
    return [best, *found] if found else []


def _cannot_be_told(best: Candidate, other: Candidate, text: str, margin: float) -> bool:
    behind = best.score - other.score
    if behind < margin or says_no_more_than(best, other, text):
        return True
    return behind < WIDE_MARGIN and lacks_what_separates(best, other, text)


def says_no_more_than(one: Candidate, other: Candidate, text: str) -> bool:
    """Tell whether a text has no word but such as stand in both titles, and is neither of them."""
    first, second, said = set(terms(one.title)), set(terms(other.title)), set(terms(text))
    return bool(said) and said <= (first & second) and said not in (first, second)


def lacks_what_separates(one: Candidate, other: Candidate, text: str) -> bool:
    """Tell whether titles that share words differ by words of which the text has none."""
    first, second = set(terms(one.title)), set(terms(other.title))
    return bool(first & second) and not (first ^ second) & set(terms(text))


def siblings(
    candidates: Sequence[Candidate], text: str, margin: float = SIBLINGS_MARGIN
) -> list[Candidate]:
    """Return the codes of the best one's parent that it cannot be told from, itself among them."""
    best = candidates[0]
    alike = [
        each
        for each in candidates
        if each.path
        and (each.parent, each.document_id) == (best.parent, best.document_id)
        and (each == best or _are_alike(best, each, text, margin))
    ]
    return alike if len(alike) > 1 else []


def _are_alike(best: Candidate, other: Candidate, text: str, margin: float) -> bool:
    behind = best.score - other.score
    return behind < margin or (behind < WIDE_MARGIN and lacks_what_separates(best, other, text))


def decided(
    said: Analysis,
    candidates: Sequence[Candidate],
    expansion: Expansion,
    *,
    asked: int,
    relevance: float,
    threshold: float,
) -> Analysis:
    """Return what holds of what an analyzer said.

    Whatever it says, a text that is ambiguous is not matched with one code, what was chosen is, and
    after the last question the best parent is given.
    """
    chosen = _chosen(candidates, expansion.chosen)
    if chosen is not None:
        return _match(said, chosen, candidates, reason="chosen")
    if said.status == "IMPROVED_SEARCH":
        return said
    allowed = _without(candidates, expansion.rejected)
    if not allowed or not expansion.query or relevance < FAR * threshold:
        return _ended(said, allowed, asked) if asked >= MOST_QUESTIONS else _open_question(said)
    text = " ".join([expansion.query, *expansion.wordings])
    near = is_near(allowed, relevance, threshold)
    unsure = LEAD_AFTER_REPLY if asked else CLEAR_LEAD
    competing = rivals(allowed, text, MARGIN if near else unsure)
    if competing or said.status == "MORE_INFO":
        if asked >= MOST_QUESTIONS:
            return _ended(said, allowed, asked)
        reason: Reason = "ambiguous" if competing else said.reason or "unclear"
        return _ask(said, _offered(allowed), candidates, reason=reason)
    alike = siblings(allowed, text, SIBLINGS_MARGIN if near else SIBLINGS_LEAD)
    return _told_apart(said, allowed, candidates, alike)


def _told_apart(
    said: Analysis,
    allowed: Sequence[Candidate],
    candidates: Sequence[Candidate],
    alike: Sequence[Candidate],
) -> Analysis:
    """Return the match where no other parent competes: one code, or the parent of several alike."""
    if alike:
        return _parent(said, allowed, alike, reason="siblings")
    return _match(said, _meant(said, allowed), candidates)


def _chosen(candidates: Sequence[Candidate], name: str) -> Candidate | None:
    return next((each for each in candidates if name and name in texts.labels(each)), None)


def _without(candidates: Sequence[Candidate], rejected: Sequence[str]) -> list[Candidate]:
    return [each for each in candidates if not set(texts.labels(each)) & set(rejected)]


def _meant(said: Analysis, candidates: Sequence[Candidate]) -> Candidate:
    """Return the candidate that an analyzer chose, or the best where that is not plausible."""
    best = candidates[0]
    named = next((each for each in candidates if each.code == said.code), best)
    return named if best.score - named.score <= PLAUSIBLE else best


def _match(
    said: Analysis, chosen: Candidate, candidates: Sequence[Candidate], *, reason: Reason = ""
) -> Analysis:
    at = list(candidates).index(chosen)
    sure = 1.0 if reason == "chosen" else likelihoods(candidates)[at]
    return said.model_copy(
        update={
            "status": "MATCH_FOUND",
            "code": chosen.code,
            "among": [],
            "question": "",
            "options": [],
            "reason": reason,
            "confidence": min(sure, CHOSEN) if reason == "chosen" else sure,
        }
    )


CHOSEN: Final = 0.95
"""The confidence of what somebody chose."""


def _parent(
    said: Analysis, candidates: Sequence[Candidate], alike: Sequence[Candidate], *, reason: Reason
) -> Analysis:
    """Return the parent of codes that cannot be told apart, as likely as all that are below it."""
    best = alike[0]
    likely = sum(
        share
        for share, each in zip(likelihoods(candidates), candidates, strict=True)
        if (each.parent, each.document_id) == (best.parent, best.document_id)
    )
    return said.model_copy(
        update={
            "status": "MATCH_FOUND",
            "code": best.parent,
            "among": [each.code for each in alike],
            "question": "",
            "options": [],
            "reason": reason,
            "confidence": min(1.0, likely),
        }
    )


def _ended(said: Analysis, candidates: Sequence[Candidate], asked: int) -> Analysis:
    """Return the best parent after the last question; without any candidate there is nothing to say."""
    if not candidates:
        return said.model_copy(update={"status": "MORE_INFO", "reason": "limit", "question": texts.nothing(asked)})  # fmt: skip
    best = candidates[0]
    below = [each for each in candidates if (each.parent, each.document_id) == (best.parent, best.document_id)]  # fmt: skip
    return _parent(said, candidates, below[:MOST_OPTIONS], reason="limit")


def _offered(candidates: Sequence[Candidate]) -> list[Candidate]:
    near = [each for each in candidates if candidates[0].score - each.score <= OFFERED]
    fewest = list(candidates[:FEWEST_OPTIONS])
    return (near if len(near) > len(fewest) else fewest)[:MOST_OPTIONS]


def _ask(
    said: Analysis, offered: Sequence[Candidate], candidates: Sequence[Candidate], *, reason: Reason
) -> Analysis:
    names = [texts.label(each, candidates) for each in offered]
    return said.model_copy(
        update={
            "status": "MORE_INFO",
            "code": "",
            "among": [each.code for each in offered],
            "options": names,
            "question": said.question or texts.which(offered),
            "reason": reason,
            "confidence": likelihoods(candidates)[0],
        }
    )


def _open_question(said: Analysis) -> Analysis:
    return said.model_copy(
        update={
            "status": "MORE_INFO",
            "code": "",
            "options": [],
            "question": said.question or texts.NOTHING_NEAR,
            "reason": "nothing_near",
            "confidence": 0.0,
        }
    )
