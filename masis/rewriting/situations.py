"""Go on from a question with what a message states of its asker's case: "I am new here", "it is broken"."""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from masis.rewriting import small_words
from masis.rewriting.noun_phrases import Parsed, Phrase, Token, content
from masis.text.grammars.number_words import NUMBER_WORDS

_STATES: Final = re.compile(
    r"(?:(?:but|well|though|although|actually|and|so|hm+)[\s,]+)*"
    r"(?:(?:i|we|it|he|she|they|that|this) (?:am|is|are|was|were)|(?:i|we|it|he|she|they|that|this)['’](?:m|s|re)"
    r"|im|its|thats|theyre|ive (?:only )?been|i(?:['’]ve| have) (?:only )?been|there(?:['’]s| are) (?:(?:only|just) )?\w+(?= of us\b)"
    r"|(?:i|we|he|she|they) (?:only |just |still |already )?(?:works?|lives?|joined|started|belongs?))\b"
    r"(?! (?:what|why|how|where|when|who|which|it|that|all|right|wrong|true|fine|ok|okay|good|great|not true|not right)\b(?![\s,]+\w))",
    re.IGNORECASE,
)
"""How a case is told; "that is wrong" and "that is all" tell none."""
_AFTERTHOUGHT: Final = re.compile(
    r"[\s,]+(?:tho|though|already|by the way|btw|this time)(?=\W*\Z)", re.IGNORECASE
)
_ITS: Final = re.compile(r"\Aits\b", re.IGNORECASE)
_LINK: Final = re.compile(r"\A(?:(?:but|well|actually|and|so|hm+)[\s,]+)+", re.IGNORECASE)
_PARTICIPLES: Final = frozenset(
    """
    beaten bent bitten blown broken burnt drawn frozen hidden rotten shaken shrunk shut split stolen
    stuck sunk swollen thrown torn worn
    """.split()
)
"""Those of irregular verbs that tell of a state; "its broken" names nothing that it has."""
_BEING: Final = small_words.BE | {"its"}
MOST_WORDS: Final = 14
"""Of a message that only tells of a case."""


def is_stated(parsed: Parsed) -> bool:
    """Tell whether a message states a case and asks nothing of its own."""
    text = parsed.text
    asks = "?" in text or any(each.kind == "W" for each in parsed.tokens)
    states = _STATES.match(text)
    if asks or len(parsed.tokens) > MOST_WORDS or states is None:
        return False
    if states[0].lower().endswith("its") and _is_owned(parsed, states.end()):
        return False
    return bool(content(text)) or any(map(str.isdigit, text))


def _is_owned(parsed: Parsed, start: int) -> bool:
    """Tell "its price" from "its broken", which leaves out the apostrophe."""
    behind = [each for each in parsed.tokens if each.start >= start]
    named = list(takewhile(lambda each: each.kind in {"N", "V", "J"}, behind))
    if not named or named[0].word.isdigit():
        return False
    last = named[-1].word
    is_state = small_words.is_adjective(last) or _is_participle(last)
    is_time = any(each.of_time and each.end == named[-1].end for each in parsed.phrases)
    return not (is_state or is_time)


def _is_participle(word: str) -> bool:
    return word in _PARTICIPLES or small_words.is_participle(word)


def may_be_of_another(parsed: Parsed) -> bool:
    """Tell whether what is stated has a subject of its own: "I am looking for the form", "it is about parking"."""
    return any(
        _is_told_of(parsed.tokens, at) and _has_phrase_behind(parsed, each.end)
        for at, each in enumerate(parsed.tokens)
    )


def _is_told_of(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a word leads to what is done, or spoken of."""
    told = tokens[at]
    if told.word == "about":
        return True
    before = [each for each in tokens[:at] if each.kind != "A"]
    is_behind = bool(before) and before[-1].word in _BEING
    is_done = told.word.endswith(("ing", "ed")) or _is_participle(told.word)
    return is_behind and is_done


def _has_phrase_behind(parsed: Parsed, start: int) -> bool:
    """Tell whether something is named in the clause from a place on that is no time and no count."""
    ends = (each.start for each in parsed.tokens if each.start >= start and each.kind == ".")
    end = next(ends, len(parsed.text))
    return any(
        each.start < end and start < each.end and _names_something(each) for each in parsed.phrases
    )


def _names_something(phrase: Phrase) -> bool:
    is_counted = any(map(str.isdigit, phrase.words[0])) or phrase.words[0] in NUMBER_WORDS
    return not (phrase.of_time or is_counted) and bool(content(phrase.bare))


def stated(text: str) -> str:
    """Return what a message states, as it stands behind a question."""
    told = _ITS.sub("it is", _LINK.sub("", text))
    return _AFTERTHOUGHT.sub("", told).strip(" .!,;")
