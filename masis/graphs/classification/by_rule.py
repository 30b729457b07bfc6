"""The graph's agents without a language model."""

import re
from collections.abc import Sequence
from typing import Final

from masis.codelists.described import described, description_of
from masis.codelists.places import without_places
from masis.graphs.classification import code_replies, texts
from masis.graphs.classification.state import Analysis, Candidate, Expansion, Said
from masis.graphs.classification.thresholds import FEW_TERMS, LITTLE_COSINE, MOST_WORDINGS
from masis.text.lexical import terms

_CAPITALS: Final = re.compile(r"\b[A-Z]{2,}\b")
"""What may be a code, also where it is a word that is not searched (IT)."""


class RuleExpander:
    """Takes what was said as it is, without the words that ask and the words of place."""

    async def expand(self, messages: Sequence[Said]) -> Expansion:
        """Return the description, with what replies chose, turned down or added."""
        return expansion_of(messages)


def expansion_of(messages: Sequence[Said]) -> Expansion:
    """Read what was said by rule."""
    heard = _Heard()
    for message in messages:
        heard.hear(message)
    last, chosen = heard.last, heard.last.chosen
    asked = next((each.text for each in messages if each.role == "asker"), "")
    first = described(asked)
    plain = [without_places(each) for each in code_replies.still_meant(heard.said, heard.rejected)]
    places = list(dict.fromkeys(place for each in plain for place in each.places))
    wordings = _searched([each.text for each in plain])
    anew = _searched([without_places(each).text for each in heard.said[heard.begins :]])
    query = chosen or (wordings[0] if wordings else "")
    return Expansion(
        query=query,
        wordings=[chosen] if chosen else wordings[::-1],
        anew=anew[::-1] if heard.begins and not chosen else [],
        ambiguities=[texts.SAYS_LITTLE] if 0 < len(set(terms(query))) <= FEW_TERMS else [],
        assumptions=[texts.place_left_out(places)] if places and wordings else [],
        places=places,
        kind=first.kind if first else "",
        # Who asks what is meant has said no more than before.
        offered=[]
        if last.asks_meaning
        else [each for each in heard.offered if each not in heard.rejected],
        reply=last.text if heard.offered else "",
        chosen=chosen,
        rejected=heard.rejected,
        is_undecided=last.is_undecided,
        is_follow_up=heard.was_asked and not last.asks_meaning,
        asks_meaning=last.asks_meaning,
    )


def _searched(said: Sequence[str]) -> list[str]:
    """Return what can be searched: what was said first, and what was said last."""
    found = [each for each in said if terms(each) or _CAPITALS.search(each)]
    return found[:1] + found[1:][-MOST_WORDINGS + 1 :]


class _Heard:
    """What was said so far: what describes it, and what the replies chose or turned down.

    From the text at `begins` on it may be about something else.
    """

    def __init__(self) -> None:
        self.said: list[str] = []
        self.begins = 0
        self.offered: list[str] = []
        self.rejected: list[str] = []
        self.last = code_replies.CodeReply()
        self.was_asked = False

    def hear(self, message: Said) -> None:
        """Take up a message."""
        if message.role == "bot":
            self.offered, self.was_asked = message.options, True
            return
        self.last = code_replies.read(message.text, self.offered, was_asked=self.was_asked)
        self.rejected += self.last.rejected
        asked = described(self.last.text) if not self.said else None
        text = asked.text if asked else self._told()
        if text and self.offered and code_replies.may_begin_anew(message.text, self.said):
            self.begins = len(self.said)
        if text:
            self.said.append(text)

    def _told(self) -> str:
        """The message, the first without "what about" in front."""
        return self.last.text if self.said else description_of(self.last.text) or self.last.text


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
        if is_near or any(each.cosine >= LITTLE_COSINE for each in candidates[:1]):
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
