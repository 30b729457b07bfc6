"""Complete a follow-up without a verb by the question before it: "and for contractors?", "since when?"."""

import re
from typing import Final, NamedTuple

from masis.rewriting import grammar
from masis.rewriting.phrases import Parsed, Phrase, Token, parse
from masis.rewriting.subjects import Thread
from masis.text.lexical import terms

_CONDITION: Final = re.compile(
    r"(?:what )?(?P<clause>(?:even )?(?:if|unless|(?:when|while|once) (?!and\b|or\b|is|are|was|were|do|did|can|could|will|would|has|have|had|should|must|may)\w).*)",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT: Final = re.compile(r"(?:what|how) (?:about|of|abt)\b[\s,:]*", re.IGNORECASE)
_PLAIN_LEAD: Final = re.compile(r"\A(?:only|just|not even|even|same|also|then|or)\b[\s,:]+", re.IGNORECASE)
_TRAILING: Final = re.compile(r"[\s,]*\b(?:too|then|as well|again|now|please|btw|instead|though|though\?)$", re.IGNORECASE)
_END: Final = " ?.!,;:"
_LEAST_LIKE: Final = 2.0
"""Of a phrase of the question before, for the new one to be put in its place surely."""


class Completed(NamedTuple):
    """Hold a completed question, what was carried, and whether its words alone tell that it needs it."""

    text: str
    subject: str
    sure: bool
    reason: str


def is_fragment(parsed: Parsed) -> bool:
    """Tell whether a message has no verb of its own, or asks "what about"."""
    if _ABOUT.match(parsed.text) or _CONDITION.fullmatch(parsed.text.strip()):
        return _main_is_missing(parsed)
    finite = [each for each in parsed.tokens if each.kind in {"V", "X"}]
    return not finite or (len(parsed.tokens) == 1 and finite[0].kind == "V")


def _main_is_missing(parsed: Parsed) -> bool:
    """Whether no clause of its own stands behind the condition: "if it is gone, what does it cost"."""
    return not any(
        each.kind == "." and after.kind in {"W", "X"}
        for each, after in zip(parsed.tokens, parsed.tokens[1:], strict=False)
    )


def completed(parsed: Parsed, thread: Thread, *, led: bool) -> Completed:
    """Return a fragment completed by the question before; `led` where "and" stood before it."""
    text = parsed.text.strip(_END)
    condition = _CONDITION.fullmatch(text)
    last = thread.last
    if condition:
        return Completed(f"{_stem(last)} {condition['clause']}", _about(thread), True, "condition")
    about = _ABOUT.match(text)
    rest = _PLAIN_LEAD.sub("", _TRAILING.sub("", text[about.end() if about else 0 :]), count=1).strip(_END)
    if not rest:
        return Completed(last.text, _about(thread), True, "nothing new")
    own = parse(rest)
    if own.tokens[0].kind == "W" or (len(own.tokens) > 1 and own.tokens[1].kind == "W"):
        return _asked_otherwise(own, thread)
    return _by_slots(own, thread, sure=led or bool(about))


def _stem(parsed: Parsed) -> str:
    """A question without its mark."""
    return parsed.text.strip(_END)


def _about(thread: Thread) -> str:
    best = thread.best()
    return best.text if best else _stem(thread.last)


# --- another question word ---------------------------------------------------------------------


def _asked_otherwise(own: Parsed, thread: Thread) -> Completed:
    """"since when?": the question before, with this in the place of its question word."""
    last = thread.last
    stem = _stem(last)
    start = _clause_start(last)
    asks_apart = own.tokens[0].word not in {"who", "what", "which", "whose"}
    if start is not None and asks_apart:
        text = f"{own.text} {stem[start].lower() if start == 0 else stem[start]}{stem[start + 1 :]}"
        return Completed(text, _about(thread), True, "question word")
    return Completed(f"{stem}, and {own.text}", _about(thread), True, "question word")


def _clause_start(last: Parsed) -> int | None:
    """Where the clause begins behind a question word that asks of no noun; None where there is none."""
    tokens = last.tokens
    if not tokens:
        return None
    if tokens[0].kind == "X":
        return tokens[0].start
    at = next((place for place, each in enumerate(tokens) if each.kind == "X"), None)
    if at is None or at + 1 >= len(tokens) or tokens[at + 1].kind in {"V", "P", "."}:
        return None
    before = tokens[:at]
    if not before or before[0].kind not in {"W", "P"} or any(each.kind in {"N", "V", "."} for each in before):
        return None
    asks_adverb = before[0].word in {"how", "when", "where", "why"} and not any(
        each.word in {"much", "many"} for each in before
    )
    return tokens[at].start if asks_adverb else None


# --- another phrase ----------------------------------------------------------------------------


def _by_slots(own: Parsed, thread: Thread, *, sure: bool) -> Completed:
    """"for contractors", "last year": each phrase in the place of the one that it is like."""
    last = thread.last
    text, certain, replaced = _stem(last), True, False
    pieces = _pieces(own)
    for piece in pieces:
        slot = _slot(piece, parse(text), thread)
        if slot is None:
            text, joined = _appended(text, piece)
            certain = certain and joined
            continue
        text = f"{text[: slot.start]}{_as_in(piece, slot)}{text[slot.end :]}"
        certain, replaced = certain and slot.sure, True
    reason = "another phrase" if replaced else "one more phrase"
    return Completed(text, _kept(text, own, thread), sure or certain, reason)


class _Piece(NamedTuple):
    """A phrase of the fragment, with its preposition and what stands behind it."""

    text: str
    preposition: str
    phrase: Phrase | None
    rest: str


class _Slot(NamedTuple):
    start: int
    end: int
    phrase: Phrase
    sure: bool


def _pieces(own: Parsed) -> list[_Piece]:
    """The fragment in the phrases that take a place each: parted by commas and prepositions."""
    pieces: list[_Piece] = []
    cuts = [0, *(each.start for each in own.tokens if each.kind in {".", "P"} and each.start)]
    for begin, end in zip(cuts, [*cuts[1:], len(own.text)], strict=True):
        said = own.text[begin:end].strip(" ,;:.?!")
        if terms(said) or (said and not pieces):
            pieces += _piece(said)
    return pieces[:4]


def _piece(said: str) -> list[_Piece]:
    parsed = parse(said)
    first = parsed.tokens[0]
    preposition = first.word if first.kind == "P" else ""
    times = [each for each in parsed.phrases if each.of_time]
    if len(parsed.phrases) > 1 and times and times[-1] is parsed.phrases[-1] and not preposition:
        cut = times[-1].start
        return [*_piece(said[:cut].strip()), *_piece(said[cut:].strip())]
    phrase = parsed.phrases[0] if parsed.phrases else None
    rest = said[phrase.start :] if phrase else said[len(preposition) :].strip()
    return [_Piece(said, preposition, phrase, rest)]


def _slot(piece: _Piece, last: Parsed, thread: Thread) -> _Slot | None:
    """The phrase of the question before in whose place a piece stands."""
    new = piece.phrase
    if new is None:
        return None
    rated = [(_likeness(piece, new, old, thread), old) for old in last.phrases]
    rated = [each for each in rated if each[0] > 0]
    if not rated:
        return None
    like, old = max(rated, key=lambda each: (each[0], -each[1].start))
    start = old.start
    return _Slot(start, _slot_end(last, old, new), old, like >= _LEAST_LIKE)


def _slot_end(last: Parsed, old: Phrase, new: Phrase) -> int:
    """The end of what is replaced: with what an old phrase is of, where that is no relation's."""
    return old.end


def _likeness(piece: _Piece, new: Phrase, old: Phrase, thread: Thread) -> float:
    """How well a new phrase fits in the place of an old one; 0 where it does not."""
    if new.of_time != old.of_time:
        return 0.0
    same_preposition = bool(piece.preposition) and piece.preposition == old.role
    if piece.preposition and not same_preposition and not (new.of_people and old.of_people):
        return 0.0 if not (new.of_time and old.of_time) else 2.0
    score = 2.0 * same_preposition + 3.0 * new.of_time
    score += 3.0 * bool(set(new.words) & set(old.words)) + 2.5 * (new.head == old.head)
    score += 2.0 * (new.of_people and old.of_people) + 1.0 * (new.named and old.named)
    score += 3.0 * (_code(new) is not None and _code(new) == _code(old))
    score += 2.0 * (new.relation and old.relation) - 2.0 * (new.relation != old.relation)
    score += 2.0 * (_picks(new) and _picks(old)) - 1.0 * (new.of_people != old.of_people)
    score += 1.5 * _is_new(old, thread)
    score += 0.5 * (new.plural == old.plural) + 0.5 * (old.role in {"subject", "about", "of", "owner"})
    return max(0.0, score - 2.0 * (old.role == "asked"))


def _is_new(old: Phrase, thread: Thread) -> bool:
    """Whether the question before is about a phrase, or only it brought that in: new is set against new."""
    if thread.typed is None:
        best = thread.best()
        return best is not None and best.phrase.words == old.words
    return set(terms(old.text)) <= thread.typed


def _picks(phrase: Phrase) -> bool:
    return any(map(grammar.is_superlative, phrase.words))


def _code(phrase: Phrase) -> str | None:
    """The form of a code: letters and figures in their order."""
    last = phrase.words[-1]
    if not any(map(str.isdigit, last)):
        return None
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", last))


def _as_in(piece: _Piece, slot: _Slot) -> str:
    """A piece as it stands in the place of an old phrase: "the oldest" with the noun of that."""
    new, old = piece.phrase, slot.phrase
    if new is None:
        return piece.rest
    if len(new.words) == 1 and _picks(new) and not old.of_time:
        kept = old.text[len(old.determiner) :].split()
        rest = kept[1:] if _picks(old) and len(kept) > 1 else kept
        return f"{piece.rest} {' '.join(rest)}"
    if old.role == "asked" and old.determiner and not new.determiner:
        return f"{old.determiner} {piece.rest}"
    return piece.rest


def _appended(text: str, piece: _Piece) -> tuple[str, bool]:
    """A question with a piece at its end, and whether it can stand there."""
    fits = bool(piece.preposition) or (piece.phrase is not None and piece.phrase.of_time)
    return (f"{text} {piece.text}", True) if fits else (f"{text}, and {piece.text}", False)


def _kept(text: str, own: Parsed, thread: Thread) -> str:
    """What of the thread is in a completed question: its likeliest subject there, else the question."""
    said, new = set(terms(text)), set(terms(own.text))
    for each in thread.subjects:
        words = set(terms(each.phrase.bare))
        if words and words <= said and not words <= new:
            return each.text
    return _stem(thread.last)


def first_word(tokens: tuple[Token, ...]) -> str:
    """Return the first word of a message in small letters."""
    return tokens[0].word if tokens else ""
