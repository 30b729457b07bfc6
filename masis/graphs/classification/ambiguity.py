"""Decide in code what no analyzer may: whether a text is ambiguous, and when it was asked enough."""

import itertools
import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from masis.graphs.classification import texts
from masis.graphs.classification.code_replies import told_apart
from masis.graphs.classification.state import Analysis, Candidate, Expansion, Reason
from masis.graphs.classification.thresholds import (
    CHOSEN,
    CLEAR_LEAD,
    EVEN,
    FAR,
    FAR_LEAD,
    FEW_KNOWN,
    FEW_STRANGE,
    FEW_TERMS,
    FEWEST_OPTIONS,
    LEAD_AFTER_REPLY,
    LEAST_FAVOURED,
    LEAST_SPREAD,
    MARGIN,
    MOST_EXPLAINED,
    MOST_FITTED,
    MOST_OPTIONS,
    MOST_QUESTIONS,
    NEAR_COSINE,
    OFFERED,
    PLAUSIBLE,
    PROMISED,
    RELEVANCE_WORTH,
    SHARE_OF_ROW,
    SHORT_TERMS,
    SIBLINGS_LEAD,
    SIBLINGS_MARGIN,
    SPREAD,
    STEP,
    STEPLESS,
    STRANGE_FAR,
    STRANGE_FAVOURED,
    SURE_COSINE,
    TURNED_DOWN,
    WIDE_MARGIN,
)
from masis.text.lexical import terms

LEAST_LIKELY: Final = 0.015
"""Likelihoods that are nearer to none or one are taken for this far from it."""


class Nearness(NamedTuple):
    """How near to a text the list is: its nearest passage, of which `threshold` are near.

    `spread` is how differently near its titles are, where a list has no more than titles.
    """

    relevance: float
    threshold: float
    spread: float | None = None


def likelihoods(candidates: Sequence[Candidate]) -> list[float]:
    """Return how likely each candidate is the right one, if one of them is."""
    best = max((each.score for each in candidates), default=0.0)
    favours = [math.exp((each.score - best) / SPREAD) for each in candidates]
    total = sum(favours)
    return [favour / total for favour in favours]


def promised(likelihood: float, text: str) -> float:
    """Return how sure a likelihood is: the less was said, the more it promises by itself."""
    one, odds, words = PROMISED
    within = min(max(likelihood, LEAST_LIKELY), 1 - LEAST_LIKELY)
    log_odds = math.log(within / (1 - within))
    said = min(len(set(terms(text))), MOST_FITTED)
    return 1 / (1 + math.exp(-(one + odds * log_odds + words * math.log1p(said))))


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
    nearness: Nearness,
    explained: int = 0,
) -> Analysis:
    """Return what holds of what an analyzer said, and how sure it is.

    Whatever it says, a text that is ambiguous is not matched with one code, what was chosen is, and
    after the last question, or where somebody cannot say, the best parent is given. Who asks what is meant
    gets no code for it.
    """
    final = _decided(
        said, candidates, expansion, asked=asked, nearness=nearness, explained=explained
    )
    if final.status != "MATCH_FOUND" or final.reason in {"chosen", "looked_up"}:
        return final
    return final.model_copy(update={"confidence": promised(final.confidence, _text(expansion))})


def _decided(
    said: Analysis,
    candidates: Sequence[Candidate],
    expansion: Expansion,
    *,
    asked: int,
    nearness: Nearness,
    explained: int,
) -> Analysis:
    chosen = _chosen(candidates, expansion.chosen)
    if chosen is not None:
        return _match(said, chosen, candidates, reason="chosen")
    allowed = without(candidates, expansion.rejected)
    if allowed and allowed[0].is_asked:
        return _match(said, allowed[0], candidates, reason="looked_up")
    if said.status == "IMPROVED_SEARCH":
        return said
    is_lost = (
        not expansion.query
        or _is_other_than_asked(candidates, expansion)
        or (nearness.spread is None and _is_unknown_word(allowed, _text(expansion)))
        or _is_lost(allowed, candidates, _text(expansion), nearness)
    )
    if expansion.is_undecided:
        return _ended(said, [] if is_lost else allowed, reason="undecided")
    explains = expansion.asks_meaning and explained < MOST_EXPLAINED
    if explains:
        question = texts.EXPLAINED_OPENLY if is_lost else texts.EXPLAINED
        said = said.model_copy(update={"status": "MORE_INFO", "question": question})
    is_last = asked >= MOST_QUESTIONS and not explains
    if told := told_apart(expansion.reply or expansion.query, expansion.offered, allowed):
        return _named(said, told, candidates, is_last=is_last)
    near = is_near(allowed, nearness.relevance, nearness.threshold)
    return _by_rank(said, allowed, expansion, is_lost=is_lost, is_last=is_last, near=near)


def _by_rank(
    said: Analysis,
    allowed: Sequence[Candidate],
    expansion: Expansion,
    *,
    is_lost: bool,
    is_last: bool,
    near: bool,
) -> Analysis:
    """Return what the ranks of the codes that are left allow."""
    if is_lost:
        question = texts.NONE_OF_THOSE if expansion.rejected else texts.NOTHING_NEAR
        return _ended(said, allowed, reason="limit") if is_last else _open_question(said, question)
    if open_ := _why_open(said, _competing(allowed, expansion, near=near)):
        if is_last:
            return _ended(said, allowed, reason="limit")
        several = texts.SEVERAL if needs(allowed) else ""
        said = said.model_copy(update={"question": said.question or several})
        return _ask(said, _offered(allowed, expansion), allowed, reason=open_)
    told = _told_apart(said, allowed, _siblings_of(allowed, expansion, near=near))
    is_short = len(set(terms(_text(expansion)))) <= SHORT_TERMS
    is_doubtful = is_short and promised(told.confidence, _text(expansion)) < EVEN
    if is_doubtful and allowed[1:] and not is_last:
        return _ask(said, _offered(allowed, expansion), allowed, reason="unclear")
    return told


def _is_lost(
    allowed: Sequence[Candidate], candidates: Sequence[Candidate], text: str, nearness: Nearness
) -> bool:
    """Tell whether nothing is left that is worth offering.

    Nothing is near, and no code stands apart from the others either; or what was said speaks of codes that
    were turned down.
    """
    if not allowed or candidates[0].score - allowed[0].score > TURNED_DOWN:
        return True
    lead = allowed[0].score - next((each.score for each in allowed[1:]), 0.0)
    if nearness.spread is not None:
        is_spoken = bool(allowed[0].words) or nearness.relevance >= nearness.threshold
        return nearness.spread < LEAST_SPREAD and lead < FAR_LEAD and not is_spoken
    relevance = nearness.relevance / nearness.threshold
    if relevance < FAR:
        return lead < FAR_LEAD
    has_meaning = any(each.cosine for each in candidates)
    return has_meaning and lead < CLEAR_LEAD and _speaks_of_else(candidates, text, relevance)


def _speaks_of_else(candidates: Sequence[Candidate], text: str, relevance: float) -> bool:
    """Tell whether a text is about something that the list is not of."""
    best = candidates[0].score
    is_strange = not any(each.words for each in candidates) and best < STRANGE_FAVOURED
    if is_strange and len(set(terms(text))) <= FEW_STRANGE and relevance < STRANGE_FAR:
        return True
    return best + RELEVANCE_WORTH * relevance < LEAST_FAVOURED


def _is_other_than_asked(candidates: Sequence[Candidate], expansion: Expansion) -> bool:
    """Tell whether no more was said than a code that was turned down: that describes no other one."""
    return any(each.is_asked for each in candidates[:1]) and len(expansion.wordings) <= 1


def _is_unknown_word(candidates: Sequence[Candidate], text: str) -> bool:
    """Tell whether all that was said is one word that no row has, and whose meaning is near to none."""
    is_near_one = any(each.words or each.cosine >= NEAR_COSINE for each in candidates)
    has_meaning = any(each.cosine for each in candidates)
    return len(set(terms(text))) == 1 and has_meaning and not is_near_one


def _competing(
    candidates: Sequence[Candidate], expansion: Expansion, *, near: bool
) -> list[Candidate]:
    """Return the codes between which it must be asked; none where the best one can be told from all."""
    text = _text(expansion)
    apart = LEAD_AFTER_REPLY if expansion.offered else CLEAR_LEAD
    says_little = len(set(terms(text))) <= FEW_TERMS
    alike = _siblings_of(candidates, expansion, near=near) if says_little else []
    found = [*rivals(candidates, text, MARGIN if near else apart), *alike]
    return [*found, *names_others(candidates, text), *needs(candidates)]


def needs(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the codes that different parts of a description name, where more than one is left."""
    found = [each for each in candidates if each.is_need]
    return found if len(found) > 1 else []


def _why_open(said: Analysis, competing: Sequence[Candidate]) -> Reason:
    if competing:
        return "ambiguous"
    return (said.reason or "unclear") if said.status == "MORE_INFO" else ""


def _siblings_of(
    candidates: Sequence[Candidate], expansion: Expansion, *, near: bool
) -> list[Candidate]:
    apart = LEAD_AFTER_REPLY if expansion.offered else SIBLINGS_LEAD
    return siblings(candidates, _text(expansion), SIBLINGS_MARGIN if near else apart)


def _text(expansion: Expansion) -> str:
    return " ".join([expansion.query, *expansion.wordings])


def names_others(candidates: Sequence[Candidate], text: str) -> list[Candidate]:
    """Return the codes that a short text names as well as the best one: whose short rows have its words."""
    said, best = set(terms(text)), candidates[0]
    known = said & {word for each in candidates for word in each.words}
    if len(said) > SHORT_TERMS or not 0 < len(known) <= FEW_KNOWN or said == set(terms(best.title)):
        return []
    return [
        each
        for each in candidates[1:]
        if known <= set(each.words) and len(known) >= SHARE_OF_ROW * each.row_terms
    ]


def _named(
    said: Analysis, told: Sequence[Candidate], candidates: Sequence[Candidate], *, is_last: bool
) -> Analysis:
    """Return the code that a reply names; of several the question which of these."""
    if len(told) == 1:
        return _match(said, told[0], candidates, reason="chosen")
    if is_last:
        return _ended(said, told, reason="limit")
    return _ask(said, told[:MOST_OPTIONS], candidates, reason="ambiguous")


def _told_apart(
    said: Analysis,
    allowed: Sequence[Candidate],
    alike: Sequence[Candidate],
) -> Analysis:
    """Return the match where no other parent competes: one code, or the parent of several alike."""
    if alike:
        return _parent(said, allowed, alike, reason="siblings")
    return _match(said, _meant(said, allowed), allowed)


def _chosen(candidates: Sequence[Candidate], name: str) -> Candidate | None:
    return next((each for each in candidates if name and name in texts.labels(each)), None)


def without(candidates: Sequence[Candidate], rejected: Sequence[str]) -> list[Candidate]:
    """Leave out the codes that replies turned down."""
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
    sure = CHOSEN if reason in {"chosen", "looked_up"} else likelihoods(candidates)[at]
    return said.model_copy(
        update={
            "status": "MATCH_FOUND",
            "code": chosen.code,
            "among": [],
            "question": "",
            "options": [],
            "reason": reason,
            "confidence": sure,
        }
    )


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


def _ended(said: Analysis, candidates: Sequence[Candidate], *, reason: Reason) -> Analysis:
    """Return the best parent where no more is asked; without any candidate there is nothing to say."""
    if not candidates:
        nothing = texts.STILL_NOTHING if reason == "undecided" else texts.nothing(MOST_QUESTIONS)
        return said.model_copy(update={"status": "MORE_INFO", "reason": "limit", "question": nothing, "options": []})  # fmt: skip
    best = candidates[0]
    below = [each for each in worth_offering(candidates) if (each.parent, each.document_id) == (best.parent, best.document_id)]  # fmt: skip
    return _parent(said, candidates, below, reason=reason)


def worth_offering(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the best codes, down to where the next one is too far behind, or a step where none is near.

    Titles alone tell too little for a step to mean that the right one stands before it.
    """
    found = list(candidates[:FEWEST_OPTIONS])
    is_stepped = any(
        each.cosine < SURE_COSINE and not each.is_title_alone for each in candidates[:1]
    )
    step = STEP if is_stepped else OFFERED
    for before, each in itertools.pairwise(candidates[FEWEST_OPTIONS - 1 : MOST_OPTIONS]):
        is_behind = len(found) >= STEPLESS and before.score - each.score > step
        if is_behind or candidates[0].score - each.score > OFFERED:
            break
        found.append(each)
    return found


def _offered(candidates: Sequence[Candidate], expansion: Expansion) -> list[Candidate]:
    """Return the codes to choose between: those that are near the best, and those that compete with it."""
    text = _text(expansion)
    competing = [*rivals(candidates, text), *names_others(candidates, text), *needs(candidates)]
    first = [candidates[0], *(each for each in candidates[1:] if each in competing)]
    chosen = [*first, *(each for each in worth_offering(candidates) if each not in first)]
    return [each for each in candidates if each in chosen[:MOST_OPTIONS]]


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
            "question": texts.which(said.question, offered, names),
            "reason": reason,
            # Each of those that cannot be told apart is as likely as the others, whatever its lead.
            "confidence": min(likelihoods(candidates)[0], 1 / len(offered)),
        }
    )


def _open_question(said: Analysis, question: str) -> Analysis:
    return said.model_copy(
        update={
            "status": "MORE_INFO",
            "code": "",
            "options": [],
            "question": said.question or question,
            "reason": "nothing_near",
            "confidence": 0.0,
        }
    )
