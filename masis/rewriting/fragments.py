"""Complete a follow-up without a verb by the question before it: "and for contractors?", "since when?"."""

import re
from typing import Final, NamedTuple

from masis.rewriting import gaps, pronouns, slots, small_words, times
from masis.rewriting.noun_phrases import Parsed, Phrase, content, parse
from masis.rewriting.subjects import Thread
from masis.text.grammars.number_words import COUNTING
from masis.words import countries

_CONDITION: Final = re.compile(
    r"(?:what )?(?P<clause>(?:even )?(?:if|unless|though|although|in case|provided|assuming|(?:when|while|once) (?!(?:and|or|is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|must|may)\b)\w).*)",
    re.IGNORECASE | re.DOTALL,
)
_GETS: Final = re.compile(
    r"\A(?:how|where) (?:do|can|could|would)\b.*\b(?:get|order|book|buy|borrow|collect|request|apply for)\b",
    re.IGNORECASE,
)
_GOES_WRONG: Final = re.compile(
    r"\b(?:los[et]|loses|break|breaks|broken?|cancel|forget|damage|drop)\b", re.IGNORECASE
)
"""What may become of what was got: it is not asked any more how to get it."""
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
    r"i thought (?:it|that|this|they)\b|(?:was|is|are|were|did|does|do|has|have)n['’]?t (?:it|that|this|they)\b[^?]*"
    rf"(?:\d|{COUNTING})"
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
        lead = "what" if _is_of_what_was_got(condition["clause"], last) else stem(last)
        return Completed(
            f"{lead} {condition['clause']}", _about(thread), sure=True, reason="condition"
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
        or (_of_what(own, thread) if corrects else None)
        or (None if sure or corrects else _of_its_own(own, thread))
        or _of_counted(own, thread)
        or _by_slots(own, thread, sure=sure, corrects=corrects)
    )


def _is_of_what_was_got(clause: str, last: Parsed) -> bool:
    """Tell whether something becomes of what it was asked how to get: "if I lose the key"."""
    is_asked = _GETS.search(last.text) and _GOES_WRONG.search(clause)
    return bool(is_asked and content(clause) & content(last.text))


def _asks(own: Parsed) -> bool:
    """Whether a fragment is a question word, with what stands before it: "up to how much"."""
    at = next((place for place, each in enumerate(own.tokens) if each.kind == "W"), None)
    return at is not None and all(each.kind in {"P", "A", "O"} for each in own.tokens[:at])


def stem(parsed: Parsed) -> str:
    """Return a question without its mark, without what was asked besides, and without a doubt of its answer."""
    if (asked := undoubted(parsed)) != parsed.text:
        return asked
    text, besides, rest = parsed.text.strip(_END).rpartition(", and ")
    return (
        text
        if besides and not any(each.kind in {"V", "X"} for each in parse(rest).tokens)
        else parsed.text.strip(_END)
    )


def undoubted(parsed: Parsed) -> str:
    """Return a question without a doubt of its answer."""
    asked, doubt, said = parsed.text.strip(_END).rpartition(": ")
    return asked if doubt and doubts(parse(said)) else parsed.text


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


_IS_OPEN: Final = re.compile(
    r"what (?:do|can|will|would|did) (?:i|we|you|they) (?:get|receive|claim|have)\b(?! to\b)",
    re.IGNORECASE,
)


def _of_what(own: Parsed, thread: Thread) -> Completed | None:
    """Say which thing is meant where none was named: "the leave" after "what do I get for a call-out?"."""
    last, first = thread.last, own.phrases[0] if len(own.phrases) == 1 else None
    if first is None or not _IS_OPEN.match(last.text):
        return None
    if first.text != own.text.strip(_END) or first.of_time or first.of_people or first.named:
        return None
    text = f"what {first.bare} {stem(last)[last.tokens[1].start :]}"
    return Completed(text, stem(last), sure=True, reason="told now")


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
    if _only_picks(phrase) and not any(map(slots.picks, old)):
        asked = next(
            (each for each in thread.subjects if each.phrase.role == "asked"), thread.best()
        )
        if asked is not None:
            return Completed(
                f"which is {own.text} {asked.bare}", asked.bare, sure=True, reason="picks one"
            )
    return None


def _only_picks(phrase: Phrase) -> bool:
    return len(phrase.words) == 1 and phrase.determiner.lower() == "the" and slots.picks(phrase)


# --- another question word ---------------------------------------------------------------------


def _asked_otherwise(own: Parsed, thread: Thread) -> Completed:
    """Ask the question before with another question word: "since when?"."""
    last = _asked_of(own, thread)
    whole = stem(last)
    start = _clause_start(last)
    denied = _denied(last) if [each.word for each in own.tokens[:2]] == ["why", "not"] else ""
    if denied:
        return Completed(f"why {denied}", _about(thread), sure=True, reason="question word")
    if start is not None and _stands_first(own):
        text = f"{own.text} {whole[start].lower()}{whole[start + 1 :]}"
        return Completed(text, _about(thread), sure=True, reason="question word")
    return Completed(f"{whole}, and {own.text}", _about(thread), sure=True, reason="question word")


_OF_TIMES: Final = frozenset({"date", "deadline"})


def _asked_of(own: Parsed, thread: Thread) -> Parsed:
    """Return the question that another question word is put to: "by what date" asks of no person."""
    words = {each.word for each in own.tokens}
    if words.isdisjoint(_OF_TIMES) or "since" in words:
        return thread.last
    return next((each for each in thread.questions if not _is_of_somebody(each)), thread.last)


def _is_of_somebody(asked: Parsed) -> bool:
    """Tell whether a question only asks who or where somebody is."""
    words = [each.word for each in asked.tokens[:2]]
    is_short = words[:1] in (["where"], ["who"]) and words[-1] in small_words.BE
    return is_short and len(asked.phrases) == 1 and pronouns.is_somebody(asked.phrases[0])


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
        slot = slots.slot_of(piece, now, thread)
        if slot is not None and _narrows(piece, now, slot):
            text = f"{text} {_joined(piece) if piece.preposition else f'for {piece.text}'}"
            replaced = True
            continue
        if slot is None:
            text, joined = _appended(text, piece)
            certain = certain and joined
            continue
        before = _led_by(piece, slot, text[: slot.start])
        text = f"{before}{_as_in(piece, slot)}{text[slot.end :]}"
        certain, replaced = certain and slot.sure, True
    reason = "another phrase" if replaced else "one more phrase"
    is_sure = (sure or certain) and not _asks_of_two(own)
    return Completed(text, _kept(text, own, thread), is_sure, reason)


def _asks_of_two(own: Parsed) -> bool:
    """Tell whether a fragment has a thing and what that is for or of: "and money for a chair" stands alone as well."""
    told = [each for each in own.phrases if not each.of_time and content(each.bare)]
    return len(told) > 1 and own.tokens[0].kind != "P"


def _narrows(piece: slots.Piece, last: Parsed, slot: slots.Slot) -> bool:
    """Tell whether a name says of whom two bare words were asked: "Vendel" after "lead time?"."""
    new, old = piece.phrase, slot.phrase
    if (
        piece.corrects
        and new is not None
        and slots.is_name(new)
        and any(map(str.isdigit, old.text))
    ):
        return True  # whose fourth release it is, and no other one
    kinds = [each.kind for each in last.tokens]
    is_asked = kinds[:2] == ["W", "X"] and old.determiner.lower() == "the"
    is_bare = not {"V", "X", "W", "P"}.intersection(kinds[2:] if is_asked else kinds)
    is_all = is_bare and len(last.phrases) == 1 and len(old.words) > 1
    return is_all and new is not None and slots.is_name(new) and not slots.is_name(old)


def _pieces(own: Parsed) -> list[slots.Piece]:
    """The fragment in what takes a place each: its phrase with what belongs to that, and times."""
    cuts = [0]
    for phrase in own.phrases:
        before = own.before(phrase)
        told = any(cuts[-1] <= each.start < phrase.start for each in own.phrases)
        if told and before is not None and (phrase.of_time or before.word == ","):
            cuts.append(before.start if before.kind == "P" else phrase.start)
    pieces: list[slots.Piece] = []
    for begin, end in zip(cuts, [*cuts[1:], len(own.text)], strict=True):
        said = own.text[begin:end].strip(" ,;:.?!")
        if said:
            pieces.append(_piece(said))
    return pieces[:4]


def _piece(said: str) -> slots.Piece:
    parsed = parse(said)
    preposition = parsed.tokens[0].word if parsed.tokens[0].kind == "P" else ""
    phrase = parsed.phrases[0] if parsed.phrases else None
    rest = said[phrase.start :] if phrase else said[len(preposition) :].strip()
    return slots.Piece(said, preposition, phrase, rest)


def _led_by(piece: slots.Piece, slot: slots.Slot, before: str) -> str:
    """Return what stands before a place, with the preposition of what comes there: "for" instead of "per"."""
    role, own = slot.phrase.role, piece.preposition
    is_other = own != role and slots.say_the_same(own, role) and before.endswith(f"{role} ")
    return f"{before.removesuffix(f'{role} ')}{own} " if is_other else before


def _as_in(piece: slots.Piece, slot: slots.Slot) -> str:
    """A piece as it stands in the place of an old phrase: "the oldest" with the noun of that."""
    new, old = piece.phrase, slot.phrase
    if new is None:
        return piece.rest
    if new.of_time and old.of_time and old.role != "asked":
        # "Per month" in the place of "a day".
        adverbial = piece.preposition and old.role == "object"
        return _joined(piece) if adverbial else times.with_time(old.text, piece.rest)
    if len(new.words) == 1 and slots.picks(new) and not old.of_time:
        kept = old.text[len(old.determiner) :].split()
        rest = kept[1:] if slots.picks(old) and len(kept) > 1 else kept
        said, more = new.text, piece.rest[len(new.text) :]
        return f"{said} {' '.join(rest)}{more}"
    bare = piece.rest.removeprefix(new.determiner).strip()
    if len(new.words) == 1 and (coded := _as_code(bare, new, old)):
        return coded
    if old.role == "asked" and old.determiner and not new.determiner:
        return f"{old.determiner} {piece.rest}"
    return piece.rest


def _joined(piece: slots.Piece) -> str:
    """Return a piece as it stands within a sentence: its preposition begins none."""
    return piece.text[0].lower() + piece.text[1:] if piece.preposition else piece.text


def _as_code(said: str, new: Phrase, old: Phrase) -> str:
    """A figure or a code in the place of one of its form; nothing where there is none."""
    amount = _AMOUNT.search(old.text) if new.words[0].isdigit() else None
    if amount:
        before, behind = old.text[: amount.start()], old.text[amount.end() :]
        return f"{before}{amount[1]}{said}{amount[2]}{behind}"
    if slots.code(new) is not None and slots.code(new) == slots.code(old):
        return f"{old.text[: old.text.rfind(' ') + 1]}{said}"
    return ""


_AMOUNT: Final = re.compile(r"([£$€]?)\b\d[\d.,]*((?:k|m|%|kg|km)?)(?![\w-])", re.IGNORECASE)


def _appended(text: str, piece: slots.Piece) -> tuple[str, bool]:
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
