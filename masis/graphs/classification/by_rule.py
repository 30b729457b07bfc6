"""The graph's agents without a language model."""

import re
from collections.abc import Sequence
from typing import Final

from masis.codelists.described import described
from masis.codelists.places import without_places
from masis.graphs.classification import texts
from masis.graphs.classification.state import Analysis, Candidate, Expansion, Said
from masis.text.lexical import terms

FEW: Final = 2
"""Different words of a description that says little."""
MOST_WORDINGS: Final = 4
LITTLE: Final = 0.35
"""A code that is no nearer than that may be found by other words. Plainer words find less where some do."""

_NONE: Final = re.compile(
    r"^\W*(?:none|neither|nothing|no(?:ne)?)\b(?:\s+(?:of|from)\s+(?:these|those|them|the above))?",
    re.IGNORECASE,
)
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth")
_NUMBER: Final = re.compile(
    r"\W*(?:(?:the|number|no\.?|option|#)\s*)*(?P<n>\d)\W*(?:one)?\W*", re.IGNORECASE
)
_ORDINAL: Final = re.compile(
    rf"\W*(?:the\s+)?(?P<n>{'|'.join(_ORDINALS)}|last)(?:\s+(?:one|of them))?\W*", re.IGNORECASE
)


class RuleExpander:
    """Takes what was said as it is, without the words that ask and the words of place."""

    async def expand(self, messages: Sequence[Said]) -> Expansion:
        """Return the description, with what replies chose, turned down or added."""
        return expansion_of(messages)


def expansion_of(messages: Sequence[Said]) -> Expansion:
    """Read what was said by rule."""
    said, chosen, rejected = _read(messages)
    asked = next((each.text for each in messages if each.role == "asker"), "")
    first = described(asked)
    plain = [without_places(each) for each in said]
    places = list(dict.fromkeys(place for each in plain for place in each.places))
    wordings = [each.text for each in plain if terms(each.text)]
    wordings = wordings[:1] + wordings[1:][-MOST_WORDINGS + 1 :]
    query = chosen or (wordings[0] if wordings else "")
    return Expansion(
        query=query,
        wordings=[chosen] if chosen else wordings[::-1],
        ambiguities=[texts.SAYS_LITTLE] if 0 < len(set(terms(query))) <= FEW else [],
        assumptions=[texts.place_left_out(places)] if places and wordings else [],
        places=places,
        kind=first.kind if first else "",
        chosen=chosen,
        rejected=rejected,
    )


def _read(messages: Sequence[Said]) -> tuple[list[str], str, list[str]]:
    """Return what describes it, what was chosen last, and what was turned down."""
    described_: list[str] = []
    offered: list[str] = []
    chosen, rejected = "", []
    for message in messages:
        if message.role == "bot":
            offered = message.options
            continue
        chosen = _chosen(message.text, offered)
        if chosen:
            continue
        text = message.text
        if offered and (turned_down := _NONE.match(text)):
            rejected += offered
            text = text[turned_down.end() :].strip(" ,.;:!-")
        asked = described(text) if not described_ else None
        described_.append(asked.text if asked else text)
    return described_, chosen, rejected


def _chosen(reply: str, offered: Sequence[str]) -> str:
    """Return the offered title that a reply names, by its words or its place."""
    plain = reply.strip().strip(".!").casefold()
    named = next((title for title in offered if title.casefold() == plain), "")
    if named or not offered:
        return named
    number = _NUMBER.fullmatch(reply)
    if number and 0 < int(number["n"]) <= len(offered):
        return offered[int(number["n"]) - 1]
    ordinal = _ORDINAL.fullmatch(reply)
    if ordinal is None:
        return ""
    word = ordinal["n"].casefold()
    at = len(offered) - 1 if word == "last" else _ORDINALS.index(word)
    return offered[at] if at < len(offered) else ""


class RuleAnalyzer:
    """Takes the best code, and searches once more where none is near."""

    async def analyze(
        self,
        messages: Sequence[Said],
        expansion: Expansion,
        candidates: Sequence[Candidate],
        *,
        is_near: bool,
        may_improve: bool,
    ) -> Analysis:
        """Return the best code; where nothing is near, the names alone of what is described, once."""
        if not any(each.role == "asker" for each in messages):
            return Analysis(status="MORE_INFO", question=texts.ANEW)
        if is_near or any(each.cosine >= LITTLE for each in candidates[:1]):
            return _best(candidates)
        plainer = _plainer(expansion.query)
        if may_improve and plainer and plainer != expansion.query:
            return Analysis(status="IMPROVED_SEARCH", query=plainer)
        return _best(candidates)


def _best(candidates: Sequence[Candidate]) -> Analysis:
    """Return the best code; whether its lead is enough is decided in code."""
    if not candidates:
        return Analysis(status="MORE_INFO", reason="nothing_near")
    return Analysis(status="MATCH_FOUND", code=candidates[0].code)


_PLAINER: Final = re.compile(r"[^\W_][\w'’-]*")


def _plainer(query: str) -> str:
    """Return the words of a description that can be searched, without those that join them."""
    return " ".join(word for word in _PLAINER.findall(query) if terms(word))
