"""Small talk: a message that asks no document, and the courtesies around one that does.

By one closed table. A message is small talk where nothing else stands in it: "hi" is, "hi-vis" is
not, nor is "thanks to whom". What stands before or behind a question is cut off at a sign only.
"""

import unicodedata
from collections.abc import Sequence
from typing import Final, Literal

from masis.phrases.closed_phrases import (
    MOST_WORDS,
    Token,
    ends_clause,
    ends_sentence,
    is_smiley,
)
from masis.phrases.leave_taking import takes_leave
from masis.phrases.said_in_passing import said_in_passing
from masis.phrases.small_talk_table import SMALL_TALK

SmallTalk = Literal["hello", "thanks", "bye", "about", "sorry", "noted", "missed"]
"""A greeting, thanks or praise, a farewell, what asks about the bot itself, an apology, what only
says that something was heard, and that an answer is none."""

MOST_SMALL_TALK: Final = 200
"""Characters; who writes more says something."""

_OF: Final[dict[str, SmallTalk]] = {
    "about": "about",
    "about this": "about",
    "thanks": "thanks",
    "bye": "bye",
    "sorry": "sorry",
    "praise": "thanks",
    "hello": "hello",
    "newcomer": "hello",
    "noted": "noted",
    "answer": "noted",
}
"""What a message is of whose phrases are of several kinds: the first of these that it has."""
_GREETS_OR_THANKS: Final = frozenset({"hello", "newcomer", "thanks"})
_COURTESIES: Final = _GREETS_OR_THANKS | {"bye", "sorry", "praise", "noted"}
"""Kinds that can stand before a question; what asks about the bot is a question itself."""
_ABOUT_US: Final = frozenset({"about", "about this"})
_OF_THE_ANSWER: Final = frozenset({"about this", "newcomer"})
"""Kinds that ask of an answer where there is one: who is new tells whom it has to hold for."""
_BEHIND: Final = frozenset({"thanks", "bye", "sorry"})
"""Kinds that can stand behind a question and a comma; behind its end all of them can."""
_PARTS_OF_DAY: Final = frozenset({"morning", "afternoon", "evening", "day", "night"})
_ALONE: Final = frozenset(
    """
    great perfect super cool nice brilliant lovely awesome excellent fantastic wonderful amazing ok okay okey k kk
    alright gotcha understood noted roger haha oh interesting right sure bye goodbye cya cheerio farewell ciao sorry
    apologies whoops pardon oops nvm nevermind lmao rofl omg bravo congrats congratulations neat sweet
    """.split()
)
"""Words that are a courtesy when they stand alone between two signs; others may begin a list."""
_LINKS: Final = frozenset({"and", "but", "so", "also", "now", "then", "anyway"})
_ASKING: Final = frozenset({"who", "whom", "whose", "what", "which", "when", "where", "why", "how"})
_VERBS: Final = frozenset(
    {
        *("can", "could", "do", "does", "did", "is", "are", "am", "was", "were", "has", "have"),
        *("may", "must", "should", "shall", "will", "would"),
    }
)
_LEFT_OVER: Final = " \t\n,;:-–—…(*_"
_EMOJI_SAY: Final[dict[str, SmallTalk]] = {
    "\N{WAVING HAND SIGN}": "hello",
    "\N{PERSON WITH FOLDED HANDS}": "thanks",
    "\N{HEAVY BLACK HEART}": "thanks",
    "\N{CLAPPING HANDS SIGN}": "thanks",
}


def small_talk(text: str, *, in_thread: bool = False) -> SmallTalk | None:
    """Return the kind of a message that asks no document; None where one word stands in no phrase.

    `in_thread` says that something was answered before it, which "how does this work" then asks about,
    and to which "that is strict" reacts.
    """
    if len(text) > MOST_SMALL_TALK:
        return None
    tokens = SMALL_TALK.tokens(text)
    if not tokens:
        return _by_emoji(text)
    kinds = SMALL_TALK.kinds(tokens) if len(tokens) <= MOST_WORDS else None
    if in_thread and (kinds is None or "answer" in kinds) and (passing := _passing(text)):
        return passing
    if kinds is None or _asks_for_a_time(tokens, text):
        return None
    if in_thread and not _OF_THE_ANSWER.isdisjoint(kinds):
        return None
    return next((said for kind, said in _OF.items() if kind in kinds), None)


def _passing(text: str) -> SmallTalk | None:
    return "bye" if takes_leave(text) else said_in_passing(text)


def _by_emoji(text: str) -> SmallTalk | None:
    """Return what a message without words says: a smile, a thumb."""
    if not (is_smiley(text) or any(unicodedata.category(char) == "So" for char in text)):
        return None
    return next((_EMOJI_SAY[char] for char in text if char in _EMOJI_SAY), "noted")


def _asks_for_a_time(tokens: Sequence[Token], text: str) -> bool:
    """Tell "morning?" from "morning!"."""
    return "?" in text and all(token.word in _PARTS_OF_DAY for token in tokens)


# --- around a question -----------------------------------------------------------------------


def without_small_talk(text: str) -> str:
    """Return a text without the small talk before and behind its question."""
    return _ended(_begun(text))


def _begun(text: str) -> str:
    """Cut off the small talk before the question."""
    tokens = SMALL_TALK.tokens(text[:MOST_SMALL_TALK])
    said: dict[int, frozenset[str]] = {0: frozenset()}
    cut = 0
    for at in range(min(len(tokens) - 1, MOST_WORDS)):
        if at not in said:
            continue
        for end, kind in SMALL_TALK.matched(tokens, at):
            said.setdefault(end, said[at] | {kind})
            if end < len(tokens) and _question_begins(tokens, end, said[end]):
                cut = max(cut, end)
    return text[tokens[_without_link(tokens, cut)].start :] if cut else text


def _question_begins(tokens: Sequence[Token], at: int, said: frozenset[str]) -> bool:
    """Whether what comes before this token is small talk, and done with."""
    before = tokens[at].before
    if "answer" in said or not said & (_COURTESIES | _ABOUT_US):
        return False
    if said & _ABOUT_US:
        return ends_sentence(before)
    if at == 1 and not said & _GREETS_OR_THANKS and tokens[0].word not in _ALONE:
        return False
    if ends_clause(before):
        return ":" not in before or bool(said & _GREETS_OR_THANKS)
    asked = tokens[_without_link(tokens, at)].word
    return asked in _ASKING or (asked in _VERBS and bool(said & _GREETS_OR_THANKS))


def _without_link(tokens: Sequence[Token], at: int) -> int:
    """Pass over "and" before a question of its own; before anything else it says what goes on."""
    if at + 1 < len(tokens) and tokens[at].word in _LINKS:
        return at + 1 if tokens[at + 1].word in _ASKING | _VERBS else at
    return at


def _ended(text: str) -> str:
    """Cut off the small talk behind the question."""
    skipped = max(0, len(text) - MOST_SMALL_TALK)
    tokens = SMALL_TALK.tokens(text[skipped:])[-MOST_WORDS:]
    for at in range(1, len(tokens)):
        if not ends_clause(tokens[at].before):
            continue
        kinds = SMALL_TALK.kinds(tokens[at:])
        if kinds is not None and _only_says(tokens[at:], frozenset(kinds) - {"filler"}):
            return text[: skipped + tokens[at].start].rstrip(_LEFT_OVER)
    return text


def _only_says(tokens: Sequence[Token], said: frozenset[str]) -> bool:
    if not said or all(token.word in _PARTS_OF_DAY for token in tokens):
        return False
    if len(tokens) == 1 and "thanks" not in said and tokens[0].word not in _ALONE:
        return False
    return said <= (_COURTESIES if ends_sentence(tokens[0].before) else _BEHIND)
