"""Complete a follow-up without a verb by the question before it: "and for contractors?", "since when?"."""

import re
from typing import Final, NamedTuple

from masis.rewriting import gaps, pronouns, small_words, times
from masis.rewriting.noun_phrases import Parsed, Phrase, content, parse
from masis.rewriting.subjects import Thread
from masis.words import countries

_CONDITION: Final = re.compile(
    r"(?:what )?(?P<clause>(?:even )?(?:if|unless|though|although|in case|provided|assuming|(?:when|while|once) (?!(?:and|or|is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|must|may)\b)\w).*)",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT: Final = re.compile(
    r"(?:(?:what|how) (?:about|of|abt)\b|(?:is (?:it|that) )?(?:the )?same(?= (?:for|in|at|with)\b))[\s,:]*",
    re.IGNORECASE,
)
_PLAIN_LEAD: Final = re.compile(
    r"\A(?:only|just|not even|even|also|then|or)\b[\s,:]+", re.IGNORECASE
)
_SOMEONE: Final = re.compile(
    r"(?:for )?(?:(?:some|any)(?:one|body)|people|those|staff|colleagues|customers|visitors|employees)"
    r" (?:who|that)(?:['’]s|['’]re|['’]ve|s|re|ve)?\b",
    re.IGNORECASE,
)
"""People of whom a message tells more: "someone who has just joined"."""
_ONLY: Final = re.compile(r"(?:only|just)\b", re.IGNORECASE)
_TRAILING: Final = re.compile(
    r"[\s,]*\b(?:too|then|as well|again|now|please|btw|instead|though|(?<!the )same|the same)$",
    re.IGNORECASE,
)
_END: Final = " ?.!,;:"
_MOST_MODIFYING: Final = 2
"""Words of an adjective with its noun."""
_DOUBT: Final = re.compile(
    r"i thought (?:it|that|this|they)\b|(?:was|is|are|were|did|does|do|has|have)n['’]?t (?:it|that|this|they)\b[^?]*\d"
    r"|(?:are you|you) sure\b|really\b\W*$",
    re.IGNORECASE,
)
_MOST_DOUBTING: Final = 9
_ASKED_BACK: Final = re.compile(
    r"^(?:i )?(?:thought|heard|read|was told)\b|^(?:it |they |there |that )?used to\b"
    r"|^(?:is|was|are|were|did|do|does|has|have|should|can|could|would)(?:n['’]?t| not)\b"
    r"|[\s,]+(?:no|right|surely|innit|(?:is|was|are|were|did|do|does|has|have)n['’]?t (?:it|they|there|he|she|that))\W*$",
    re.IGNORECASE,
)
_MORE: Final = re.compile(
    r"\b(?:more|less|fewer|else|different|differently|otherwise|higher|lower|longer|shorter|bigger|smaller|larger"
    r"|cheaper|dearer|earlier|later|better|worse|faster|slower)\b(?=\W*$|[\s,]+(?:before|once|no|right|surely|now|then"
    r"|last|this|(?:is|was|are|were|did|do|does|has|have)n['’]?t)\b)",
    re.IGNORECASE,
)
"""A comparison with something that is not told: it was in what was answered."""
_LEAST_LIKE: Final = 2.0
"""Of a phrase of the question before, for the new one to be put in its place surely."""


class Completed(NamedTuple):
    """Hold a completed question, what was carried, and whether its words alone tell that it needs it."""

    text: str
    subject: str
    sure: bool
    reason: str


def tells_enough(parsed: Parsed) -> bool:
    """Tell whether a fragment is a question of its own: "price of the pump?"."""
    led = (
        _ABOUT.match(parsed.text)
        or _CONDITION.fullmatch(parsed.text.strip())
        or _PLAIN_LEAD.match(parsed.text)
    )
    if led or not gaps.is_telling(parsed) or parsed.tokens[0].kind == "P":
        return False
    own = [each for each in parsed.phrases if not each.of_time]
    return len(own) > 1


def left_open(thread: Thread) -> list[tuple[int, int]]:
    """Return the places of the question before that its asker has yet to tell."""
    return pronouns.places(thread.last)


_MEASURE: Final = re.compile(
    r"(?:limit|maximum|minimum|ceiling|allowance|budget|quota|cap)s?", re.IGNORECASE
)


def doubts(parsed: Parsed) -> bool:
    """Tell whether a message doubts what was answered: "wasn't that 60?", "didn't the plan say more"."""
    if len(parsed.tokens) > _MOST_DOUBTING:
        return False
    compares = _ASKED_BACK.search(parsed.text) and _MORE.search(parsed.text)
    return bool(compares or _DOUBT.match(parsed.text))


def without_reason(parsed: Parsed) -> Parsed:
    """Return a correction without what it tells besides: "the York office, i am there on Monday"."""
    comma = next((each for each in parsed.tokens if each.word == ","), None)
    said = parse(parsed.text[: comma.start]) if comma else parsed
    return said if said.phrases and is_fragment(said) else parsed


def of_owner(own: Parsed, subject: str) -> Completed:
    """Return a question of its own about what somebody has: "her birthday"."""
    about = _ABOUT.match(own.text)
    said = own.text[about.end() if about else 0 :].strip(_END)
    phrase = own.phrases[-1]
    return Completed(
        f"what {'are' if phrase.plural else 'is'} {said}", subject, sure=True, reason="owner"
    )


def is_fragment(parsed: Parsed) -> bool:
    """Tell whether a message has no verb of its own, or asks "what about"."""
    if _SOMEONE.match(parsed.text):
        return True
    if _ABOUT.match(parsed.text) or _CONDITION.fullmatch(parsed.text.strip()):
        return _main_is_missing(parsed)
    if asks_behind(parsed):
        return False
    finite = [each for each in parsed.tokens if each.kind in {"V", "X"}]
    return not finite or (len(parsed.tokens) == 1 and finite[0].kind == "V")


def asks_behind(parsed: Parsed) -> bool:
    """Tell whether a message is a question with its question word behind: "bike shed where?"."""
    words = [each for each in parsed.tokens if each.kind != "."]
    return (
        len(words) > 1
        and words[-1].word in _BEHIND
        and words[0].kind != "W"
        and bool(parsed.phrases)
    )


_BEHIND: Final = frozenset({"when", "where", "who", "how"})


def _main_is_missing(parsed: Parsed) -> bool:
    """Whether no clause of its own stands behind the condition: "if it is gone, what does it cost"."""
    return not any(
        each.kind == "." and after.kind in {"W", "X"}
        for each, after in zip(parsed.tokens, parsed.tokens[1:], strict=False)
    )


def completed(parsed: Parsed, thread: Thread, *, led: bool, corrects: bool = False) -> Completed:
    """Return a fragment completed by the question before.

    `led` where "and" stood before it, `corrects` where "I meant" did.
    """
    text = parsed.text.strip(_END)
    condition = _CONDITION.fullmatch(text)
    last = thread.last
    if condition:
        return Completed(
            f"{stem(last)} {condition['clause']}", _about(thread), sure=True, reason="condition"
        )
    about = _ABOUT.match(text)
    said = _TRAILING.sub("", text[about.end() if about else 0 :])
    rest = _PLAIN_LEAD.sub("", said, count=1).strip(_END)
    if _SOMEONE.match(rest):
        text = f"{stem(last)} {'' if rest.lower().startswith('for ') else 'for '}{rest}"
        return Completed(text, _about(thread), sure=led or bool(about), reason="one more phrase")
    if not rest:
        return Completed(last.text, _about(thread), sure=True, reason="nothing new")
    own = parse(rest)
    if _asks(own):
        return _asked_otherwise(own, thread)
    sure = led or bool(about)
    if _ONLY.match(said):
        return _by_slots(own, thread, sure=True, only=True)
    return (
        _of_measured(own, thread)
        or _in_pronoun(own, thread)
        or _of_person(own, thread)
        or _of_modifier(own, thread)
        or _of_subject(own, thread)
        or (None if sure or corrects else _of_its_own(own, thread))
        or _of_counted(own, thread)
        or _by_slots(own, thread, sure=sure, corrects=corrects)
    )


def _asks(own: Parsed) -> bool:
    """Whether a fragment is a question word, with what stands before it: "up to how much"."""
    at = next((place for place, each in enumerate(own.tokens) if each.kind == "W"), None)
    return at is not None and all(each.kind in {"P", "A", "O"} for each in own.tokens[:at])


def stem(parsed: Parsed) -> str:
    """Return a question without its mark, without what was asked besides, and without a doubt of its answer."""
    asked, doubt, said = parsed.text.strip(_END).rpartition(": ")
    if doubt and doubts(parse(said)):
        return asked
    text, besides, rest = parsed.text.strip(_END).rpartition(", and ")
    return (
        text
        if besides and not any(each.kind in {"V", "X"} for each in parse(rest).tokens)
        else parsed.text.strip(_END)
    )


def _about(thread: Thread) -> str:
    best = thread.best()
    return best.definite if best else stem(thread.last)


def _in_pronoun(own: Parsed, thread: Thread) -> Completed | None:
    """Tell what the question before left open: "the leak test" after "how long does it take?"."""
    edits = left_open(thread)
    if not edits or not own.phrases or own.tokens[0].kind == "P":
        return None
    start, end = edits[0]
    text = thread.last.text
    return Completed(
        f"{text[:start]}{own.text}{text[end:]}".strip(_END),
        stem(thread.last),
        sure=True,
        reason="told now",
    )


def _of_person(own: Parsed, thread: Thread) -> Completed | None:
    """Ask something of the person whom "who is it?" was answered with: "extension?"."""
    told = thread.told
    asks_who = [each.word for each in thread.last.tokens[:1]] == ["who"]
    is_of = len(thread.last.tokens) > 1 and thread.last.tokens[1].word in small_words.BE
    if told is None or not (asks_who and is_of) or len(own.phrases) != 1:
        return None
    phrase = own.phrases[0]
    is_thing = not (phrase.named or phrase.of_people or phrase.of_time or phrase.determiner)
    if not is_thing or phrase.text != own.text.strip(_END) or len(phrase.words) > _MOST_MODIFYING:
        return None
    return Completed(
        f"what is the {own.text} of {told.text}", told.text, sure=True, reason="person"
    )


def _of_modifier(own: Parsed, thread: Thread) -> Completed | None:
    """Put one adjective in the place of another: "and early?" after "when does the late shift start?"."""
    words = [each for each in own.tokens if each.kind != "."]
    if not 0 < len(words) <= _MOST_MODIFYING or words[0].word not in small_words.ADJECTIVES:
        return None
    noun = small_words.singular(words[1].word) if len(words) > 1 else ""
    for each in thread.last.tokens:
        phrase = next((p for p in thread.last.phrases if p.start <= each.start < p.end), None)
        is_modifier = phrase is not None and each.end < phrase.end and noun in {"", phrase.head}
        if is_modifier and each.word in small_words.ADJECTIVES and each.word != words[0].word:
            text = f"{thread.last.text[: each.start]}{words[0].text}{thread.last.text[each.end :]}"
            return Completed(text.strip(_END), stem(thread.last), sure=True, reason="modifier")
    return None


def _of_measured(own: Parsed, thread: Thread) -> Completed | None:
    """Put one thing in the place of another of which a measure is asked: "and food?" after "what's the hotel limit?"."""
    first = own.phrases[0] if len(own.phrases) == 1 and own.tokens[0].kind != "P" else None
    if first is None or len(first.words) > _MOST_MODIFYING or _MEASURE.fullmatch(first.head):
        return None
    if first.named or first.of_time or first.of_people or list(countries.mentioned(own.text)):
        return None
    for each in thread.last.phrases:
        if len(each.words) > 1 and _MEASURE.fullmatch(each.head):
            before = thread.last.text[: each.end - len(each.bare)]
            measure = thread.last.text[each.end - len(each.words[-1]) :]
            text = f"{before}{first.bare} {measure}".strip(_END)
            return Completed(text, stem(thread.last), sure=True, reason="measured")
    return None


def _of_its_own(own: Parsed, thread: Thread) -> Completed | None:
    """Leave a noun phrase as it is that says enough: "mileage rate?" after "how do I book a car?".

    It is asked of the subject too, for the evidence to decide. What has the noun of the question before
    stands in its place.
    """
    subject = thread.best(lambda each: not content(each.phrase.bare) <= content(own.text))
    first = own.phrases[0] if own.phrases else None
    if first is None or subject is None or not _says_enough(own, first):
        return None
    if any(not old.of_time and old.head == first.head for old in thread.last.phrases):
        return None
    return Completed(
        f"{own.text} for {subject.definite}", subject.definite, sure=False, reason="goes on"
    )


def _says_enough(own: Parsed, first: Phrase) -> bool:
    """Tell whether a fragment begins with a common noun and a word that tells of what kind it is."""
    is_name = any(part[:1].isupper() or any(map(str.isdigit, part)) for part in first.text.split())
    if first.start != own.tokens[0].start or first.determiner or is_name or first.of_people:
        return False
    told = {word for word in first.words if content(word)}
    picks_kind = first.head in small_words.VAGUE or "same" in first.words
    is_bare = first.bare_relation and len(own.phrases) == 1
    return len(told) > 1 and not (picks_kind or is_bare or first.of_time)


def _of_counted(own: Parsed, thread: Thread) -> Completed | None:
    """Count something else: "controllers?" after "how many pumps did we sell?"."""
    last, words = thread.last, [each.word for each in thread.last.tokens[:2]]
    asked = next((each for each in last.phrases if each.role == "asked"), None)
    has_doer = any(each.kind == "R" for each in last.tokens)
    if words != ["how", "many"] or asked is None or len(own.phrases) != 1 or not has_doer:
        return None
    new = own.phrases[0]
    is_thing = new.plural and not (new.of_time or new.of_people or new.named or new.determiner)
    is_alone = own.text.strip(_END) == new.text and len(new.words) == 1
    if asked.of_time or not (is_thing and is_alone) or new.head == asked.head:
        return None
    begin = asked.start + len(asked.determiner)
    lead = f"{last.text[:begin]} ".replace("  ", " ")
    return Completed(
        f"{lead}{new.text}{last.text[asked.end :]}".strip(_END),
        stem(last),
        sure=True,
        reason="counted",
    )


def _of_subject(own: Parsed, thread: Thread) -> Completed | None:
    """Relate "main reason" and "the biggest" to the subject, where the question before has no such phrase."""
    if len(own.phrases) != 1 or own.phrases[0].end < own.tokens[-1].end:
        return None
    phrase, old = own.phrases[0], thread.last.phrases
    # "For managers" tells whom the question is about, and "managers" likewise.
    is_whom = phrase.of_people and phrase.plural and not phrase.determiner
    if phrase.bare_relation and not phrase.named and not is_whom and own.tokens[0].kind != "P":
        subject = thread.best()
        if subject is None or any(each.relation for each in old):
            return None
        is_are = "are" if phrase.plural else "is"
        joined = "for" if phrase.head in small_words.TAKING_FOR else "of"
        said = own.text if phrase.determiner else f"the {own.text}"
        text = f"what {is_are} {said} {joined} {subject.definite}"
        return Completed(text, subject.definite, sure=True, reason="relation")
    if _only_picks(phrase) and not any(map(_picks, old)):
        asked = next(
            (each for each in thread.subjects if each.phrase.role == "asked"), thread.best()
        )
        if asked is not None:
            return Completed(
                f"which is {own.text} {asked.bare}", asked.bare, sure=True, reason="picks one"
            )
    return None


def _only_picks(phrase: Phrase) -> bool:
    return len(phrase.words) == 1 and phrase.determiner.lower() == "the" and _picks(phrase)


# --- another question word ---------------------------------------------------------------------


def _asked_otherwise(own: Parsed, thread: Thread) -> Completed:
    """Ask the question before with another question word: "since when?"."""
    last = thread.last
    whole = stem(last)
    start = _clause_start(last)
    denied = _denied(last) if [each.word for each in own.tokens[:2]] == ["why", "not"] else ""
    if denied:
        return Completed(f"why {denied}", _about(thread), sure=True, reason="question word")
    if start is not None and _stands_first(own):
        text = f"{own.text} {whole[start].lower()}{whole[start + 1 :]}"
        return Completed(text, _about(thread), sure=True, reason="question word")
    return Completed(f"{whole}, and {own.text}", _about(thread), sure=True, reason="question word")


def _denied(last: Parsed) -> str:
    """The clause of a yes-or-no question, denied: "can i not go"; nothing where it is none."""
    if len(last.tokens) < _LEAST_CLAUSE or last.tokens[0].kind != "X":
        return ""
    second = last.tokens[1]
    subject = next((each for each in last.phrases if each.start == second.start), None)
    if second.kind != "R" and subject is None:
        return ""
    end = second.end if subject is None else subject.end
    whole = stem(last)
    return f"{whole[0].lower()}{whole[1:end]} not{whole[end:]}"


_LEAST_CLAUSE: Final = 3


def _stands_first(own: Parsed) -> bool:
    """Whether a clause may stand behind a question word: "since when", "at what pressure"."""
    apart = own.tokens[0].word not in {"who", "what", "which", "whose"}
    whole = any(each.word in {"what", "which", "how"} for each in own.tokens)
    return apart and all(
        each.kind in {"W", "P"} or (whole and each.kind in {"N", "A"} and each.word != "not")
        for each in own.tokens
    )


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
    if (
        not before
        or before[0].kind not in {"W", "P"}
        or any(each.kind in {"N", "V", "."} for each in before)
    ):
        return None
    asks_adverb = before[0].word in {"how", "when", "where", "why"} and not any(
        each.word in {"much", "many"} for each in before
    )
    return tokens[at].start if asks_adverb else None


# --- another phrase ----------------------------------------------------------------------------


def _by_slots(
    own: Parsed, thread: Thread, *, sure: bool, only: bool = False, corrects: bool = False
) -> Completed:
    """Put each phrase in the place of the one that it is like: "for contractors", "last year"."""
    last = thread.last
    text, certain, replaced = stem(last), True, False
    pieces = [each._replace(corrects=corrects) for each in _pieces(own)]
    for piece in pieces:
        if only and not piece.preposition and piece.phrase is not None and not piece.phrase.of_time:
            text = f"{text} for {piece.text}"
            continue
        now = parse(text)
        if piece.phrase and times.repeats(piece.text) and any(e.of_time for e in now.phrases):
            continue
        slot = _slot(piece, now, thread)
        if slot is not None and _narrows(piece, now, slot):
            text = f"{text} {_joined(piece) if piece.preposition else f'for {piece.text}'}"
            replaced = True
            continue
        if slot is None:
            text, joined = _appended(text, piece)
            certain = certain and joined
            continue
        text = f"{text[: slot.start]}{_as_in(piece, slot)}{text[slot.end :]}"
        certain, replaced = certain and slot.sure, True
    reason = "another phrase" if replaced else "one more phrase"
    return Completed(text, _kept(text, own, thread), sure or certain, reason)


def _narrows(piece: "_Piece", last: Parsed, slot: "_Slot") -> bool:
    """Tell whether a name says of whom two bare words were asked: "Vendel" after "lead time?"."""
    new, old = piece.phrase, slot.phrase
    if piece.corrects and new is not None and _is_name(new) and any(map(str.isdigit, old.text)):
        return True  # whose fourth release it is, and no other one
    kinds = [each.kind for each in last.tokens]
    is_asked = kinds[:2] == ["W", "X"] and old.determiner.lower() == "the"
    is_bare = not {"V", "X", "W", "P"}.intersection(kinds[2:] if is_asked else kinds)
    is_all = is_bare and len(last.phrases) == 1 and len(old.words) > 1
    return is_all and new is not None and _is_name(new) and not _is_name(old)


def _is_name(phrase: Phrase) -> bool:
    """Tell whether a phrase is the name of somebody, a place or a country, and no code."""
    is_code = any(map(str.isdigit, phrase.text))
    is_written = phrase.named or phrase.bare[:1].isupper()
    return not is_code and (is_written or any(countries.mentioned(phrase.bare)))


class _Piece(NamedTuple):
    """A phrase of the fragment, with its preposition and what stands behind it."""

    text: str
    preposition: str
    phrase: Phrase | None
    rest: str
    corrects: bool = False


class _Slot(NamedTuple):
    start: int
    end: int
    phrase: Phrase
    sure: bool


def _pieces(own: Parsed) -> list[_Piece]:
    """The fragment in what takes a place each: its phrase with what belongs to that, and times."""
    cuts = [0]
    for phrase in own.phrases:
        before = own.before(phrase)
        told = any(cuts[-1] <= each.start < phrase.start for each in own.phrases)
        if told and before is not None and (phrase.of_time or before.word == ","):
            cuts.append(before.start if before.kind == "P" else phrase.start)
    pieces: list[_Piece] = []
    for begin, end in zip(cuts, [*cuts[1:], len(own.text)], strict=True):
        said = own.text[begin:end].strip(" ,;:.?!")
        if said:
            pieces.append(_piece(said))
    return pieces[:4]


def _piece(said: str) -> _Piece:
    parsed = parse(said)
    preposition = parsed.tokens[0].word if parsed.tokens[0].kind == "P" else ""
    phrase = parsed.phrases[0] if parsed.phrases else None
    rest = said[phrase.start :] if phrase else said[len(preposition) :].strip()
    return _Piece(said, preposition, phrase, rest)


def _slot(piece: _Piece, last: Parsed, thread: Thread) -> _Slot | None:
    """The phrase of the question before in whose place a piece stands."""
    new = piece.phrase
    if new is None:
        return None
    olds = [old for old in last.phrases if not _is_word_of_verb(old)]
    rated = [(_likeness(piece, new, old, thread), old) for old in olds]
    rated = [each for each in rated if each[0] > 0]
    if not rated:
        return None
    like, old = max(rated, key=lambda each: (each[0], -each[1].start))
    start = old.start if piece.preposition or _alike(new, old) else _whole(last, old).start
    behind = _AGO.match(last.text, old.end) if old.of_time else None
    return _Slot(start, behind.end() if behind else old.end, old, like >= _LEAST_LIKE)


_AGO: Final = re.compile(r"\s+(?:before|ago|earlier)\b", re.IGNORECASE)


def _is_word_of_verb(old: Phrase) -> bool:
    """Tell whether a phrase is but a participle or an adjective: "left" in "do we have left"."""
    word = old.words[-1]
    lone = len(old.words) == 1 and not old.determiner
    return lone and (small_words.is_participle(word) or word in small_words.ADJECTIVES)


def _alike(new: Phrase, old: Phrase) -> bool:
    """Tell whether two phrases are of one sort, as far as their form tells."""
    if new.of_time:
        return True
    if _is_name(new) and _is_name(old):
        return True
    return (
        new.named == old.named or (new.of_people and old.of_people) or new.head == old.head
    ) and (bool(new.determiner) == bool(old.determiner) or new.named or new.of_people)


def _whole(last: Parsed, old: Phrase) -> Phrase:
    """The phrase that an old one only tells the place of: "a night in Rome" for "Rome"."""
    if old.role not in _TELLING_WHERE:
        return old
    for phrase in last.phrases:
        between = last.text[phrase.end : old.start].strip().lower()
        if between == old.role and not phrase.relation:
            return phrase
    return old


_TELLING_WHERE: Final = frozenset({"in", "at", "with", "on"})


def _likeness(piece: _Piece, new: Phrase, old: Phrase, thread: Thread) -> float:
    """How well a new phrase fits in the place of an old one; 0 where it does not."""
    shared = set(map(small_words.singular, new.words)) & set(map(small_words.singular, old.words))
    if new.of_time != old.of_time or (new.bare_relation != old.bare_relation and not shared):
        return 0.0
    if new.of_people and not (old.of_people or old.named or shared):
        return 0.0
    if not piece.preposition and _is_fixed(old) and new.plural != old.plural:
        return 0.0
    if piece.preposition and old.role == "asked":
        return 0.0  # what was asked for stays: "in a full year" only narrows "how many days"
    same_preposition = bool(piece.preposition) and piece.preposition == old.role
    if piece.preposition and not same_preposition and not (new.of_people and old.of_people):
        return 0.0 if not (new.of_time and old.of_time) else 2.0
    score = 2.0 * same_preposition + 3.0 * new.of_time
    score += 3.0 * bool(shared) + 2.5 * (new.head == old.head)
    score += 2.0 * (new.of_people and old.of_people) + 2.0 * (new.named and old.named)
    score += 0.5 * (bool(new.determiner) == bool(old.determiner))
    score += 3.0 * (_code(new) is not None and _code(new) == _code(old))
    score += 2.0 * (new.bare_relation and old.bare_relation)
    score += 2.0 * (_picks(new) and _picks(old)) - 1.0 * (new.of_people != old.of_people)
    # Who meant another place or another one of its kind told it in a word, as it was asked.
    score += 3.0 * (piece.corrects and _is_detail(new) and _is_detail(old) and old.role in _DETAILS)
    score += 1.5 * _is_new(old, thread) - (4.0 if piece.corrects else 2.0) * _of_other_sorts(
        new, old
    )
    score += 0.5 * (new.plural == old.plural) + 0.5 * (
        old.role in {"subject", "about", "of", "owner"}
    )
    return max(0.0, score - 2.0 * (old.role == "asked"))


def _is_detail(phrase: Phrase) -> bool:
    return len(phrase.words) == 1 and not phrase.determiner and not phrase.relation


_DETAILS: Final = frozenset({"in", "at", "from", "for", "of", "with", "to", "on"})


def _is_fixed(old: Phrase) -> bool:
    """Tell whether a phrase may belong to what is asked, as in "in stock"."""
    return old.role in _TELLING_WHERE and _is_detail(old) and not old.named


def _of_other_sorts(new: Phrase, old: Phrase) -> bool:
    """Tell whether one is a place and the other a thing: "the York office", "the fire alarm"."""
    is_place = new.head in small_words.PLACES
    return is_place != (old.head in small_words.PLACES) and not old.named


def _is_new(old: Phrase, thread: Thread) -> bool:
    """Whether the question before is about a phrase, or only it brought that in: new is set against new."""
    if thread.typed is None:
        best = thread.best()
        return best is not None and best.phrase.words == old.words
    return content(old.text) <= thread.typed


def _picks(phrase: Phrase) -> bool:
    return any(map(small_words.is_superlative, phrase.words))


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
    if new.of_time and old.of_time and old.role != "asked":
        # "Per month" in the place of "a day".
        adverbial = piece.preposition and old.role == "object"
        return _joined(piece) if adverbial else times.with_time(old.text, piece.rest)
    if len(new.words) == 1 and _picks(new) and not old.of_time:
        kept = old.text[len(old.determiner) :].split()
        rest = kept[1:] if _picks(old) and len(kept) > 1 else kept
        said, more = new.text, piece.rest[len(new.text) :]
        return f"{said} {' '.join(rest)}{more}"
    bare = piece.rest.removeprefix(new.determiner).strip()
    if len(new.words) == 1 and (coded := _as_code(bare, new, old)):
        return coded
    if old.role == "asked" and old.determiner and not new.determiner:
        return f"{old.determiner} {piece.rest}"
    return piece.rest


def _joined(piece: _Piece) -> str:
    """Return a piece as it stands within a sentence: its preposition begins none."""
    return piece.text[0].lower() + piece.text[1:] if piece.preposition else piece.text


def _as_code(said: str, new: Phrase, old: Phrase) -> str:
    """A figure or a code in the place of one of its form; nothing where there is none."""
    amount = _AMOUNT.search(old.text) if new.words[0].isdigit() else None
    if amount:
        before, behind = old.text[: amount.start()], old.text[amount.end() :]
        return f"{before}{amount[1]}{said}{amount[2]}{behind}"
    if _code(new) is not None and _code(new) == _code(old):
        return f"{old.text[: old.text.rfind(' ') + 1]}{said}"
    return ""


_AMOUNT: Final = re.compile(r"([£$€]?)\b\d[\d.,]*((?:k|m|%|kg|km)?)(?![\w-])", re.IGNORECASE)


def _appended(text: str, piece: _Piece) -> tuple[str, bool]:
    """A question with a piece at its end, and whether it can stand there."""
    phrase = piece.phrase
    if piece.preposition or (phrase is not None and phrase.of_time):
        return f"{text} {_joined(piece)}", True
    if phrase is not None and phrase.of_people:
        return f"{text} for {piece.text}", False
    if phrase is not None and phrase.head in small_words.PLACES:
        return f"{text} in {piece.text}", False
    return f"{text}, and {piece.text}", False


def _kept(text: str, own: Parsed, thread: Thread) -> str:
    """What of the thread is in a completed question: its likeliest subject there, else the question."""
    said, new = content(text), content(own.text)
    for each in thread.subjects:
        words = content(each.phrase.bare)
        if words and words <= said and not words <= new:
            return each.definite
    return stem(thread.last)
