"""Put in the noun phrases that a follow-up leaves out or shortens: "the largest", "the symptoms", "in there"."""

from collections.abc import Callable, Iterator
from typing import Final

from masis.rewriting import pronouns, small_words
from masis.rewriting.edits import Edit
from masis.rewriting.noun_phrases import Parsed, Phrase, Token, content
from masis.rewriting.subjects import Subject, Thread

_POINTING: Final = frozenset({"this", "that", "these", "those"})
_DOCUMENTS: Final = frozenset(
    [
        "document",
        "policy",
        "handbook",
        "page",
        "section",
        "report",
        "contract",
        "agreement",
        "guide",
        "manual",
        "file",
        "paper",
        "procedure",
        "form",
        "letter",
    ]
)
_TELLING: Final = 2
_KINDS: Final = frozenset("type kind sort form part variety version model breed species".split())
_THIN: Final = 1
"""Words of a question that ask of nothing by themselves."""


def filled(parsed: Parsed, thread: Thread) -> list[Edit]:
    """Return what is to be put into a message for what it leaves out."""
    finders: tuple[Callable[[Parsed, Thread], Iterator[Edit]], ...] = (
        ones, _counted, _others, _pointed, _shortened, _relations, places, _compared, _alternatives,
    )  # fmt: skip
    edits: list[Edit] = []
    if pronouns.has_topic(parsed):
        return edits
    for find in finders:
        for edit in find(parsed, thread):
            if not any(edit.subject == other.subject for other in edits):
                edits.append(edit)
    return edits


def _noun(subject: Subject, *, plural: bool) -> str:
    """The noun of a subject with what tells its kind, of one or as it is."""
    bare = subject.bare
    if plural or not subject.plural:
        return bare
    last = bare.split()[-1]
    return bare[: len(bare) - len(last)] + small_words.singular(last)


def _countable(subject: Subject) -> bool:
    """Whether there may be several of a subject: not of who or where something is."""
    phrase = subject.phrase
    if phrase.role == "asked":
        return True
    if not subject.bare[:1].isalpha():
        return False
    is_name = phrase.named and not phrase.determiner and phrase.role in _BINDING
    return not phrase.of_people and not is_name


def ones(parsed: Parsed, thread: Thread) -> Iterator[Edit]:
    """Yield the nouns that "one" stands for: "a smart one"."""
    for at, token in enumerate(parsed.tokens):
        if token.word not in {"one", "ones"} or token.kind != "R" or not at:
            continue
        before = parsed.tokens[at - 1]
        own = next((each for each in parsed.phrases if each.end == before.end), None)
        alone = before.kind in {"V", "X"}
        if (
            own is None
            and before.kind not in {"D", "W", "J"}
            and not (alone and token.word == "one")
        ):
            continue
        subject = _one_of(thread) if alone else thread.best(_countable)
        if subject is not None:
            noun = _noun(subject, plural=token.word == "ones")
            noun = f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}" if alone else noun
            yield Edit(token.start, token.end, noun, subject.text)


def _one_of(thread: Thread) -> Subject | None:
    """The likeliest thing of which somebody has one: of "the policy on gifts" that is a gift."""
    return thread.best(
        lambda each: _countable(each) and each.phrase.head not in small_words.RULES
    ) or thread.best(_countable)


def _counted(parsed: Parsed, thread: Thread) -> Iterator[Edit]:
    """Tell of what "how many" asks, where no noun stands behind it: "how many have come?"."""
    for at, token in enumerate(parsed.tokens[1:], start=1):
        follows = parsed.tokens[at + 1] if at + 1 < len(parsed.tokens) else None
        if token.word != "many" or parsed.tokens[at - 1].word != "how" or follows is None:
            continue
        if follows.kind != "X" or any(each.word == "there" for each in parsed.tokens):
            continue
        subject = thread.best(_countable)
        if subject is not None and subject.plural:
            yield Edit(token.end, token.end, f" {subject.bare}", subject.text, sure=False)


def _others(parsed: Parsed, thread: Thread) -> Iterator[Edit]:
    """Put a noun behind what picks one: "the largest"."""
    for phrase in parsed.phrases:
        if (
            phrase.determiner.lower() not in {"the", "the most", "the least"}
            or phrase.words[-1] == "same"
        ):
            continue
        picks = small_words.is_superlative(phrase.words[-1]) or " " in phrase.determiner
        follows = parsed.after(phrase.end)
        if not picks or (follows is not None and follows.word in {"one", "ones", "of"}):
            continue
        if " " in phrase.determiner and not small_words.is_adjective(phrase.words[-1]):
            continue
        subject = thread.best(_countable)
        if subject is not None:
            noun = _noun(subject, plural=_asks_several(parsed))
            yield Edit(phrase.end, phrase.end, f" {noun}", subject.text)


def _asks_several(parsed: Parsed) -> bool:
    return any(each.word in {"are", "were"} for each in parsed.tokens)


def _pointed(parsed: Parsed, thread: Thread) -> Iterator[Edit]:
    """Put in the phrase of the thread with that noun, or the document that was cited: "that policy"."""
    for phrase in parsed.phrases:
        if phrase.determiner.lower() not in _POINTING or phrase.of_time or phrase.named:
            continue
        named = thread.best(lambda each, head=phrase.head: each.phrase.head == head)  # type: ignore[misc]
        if named is not None:
            yield Edit(phrase.start, phrase.end, named.definite, named.text)
        elif phrase.head in _DOCUMENTS and thread.titles:
            yield Edit(phrase.start, phrase.end, thread.titles[0], thread.titles[0])
        else:
            subject = thread.best()
            if subject is not None:
                said = f"the {phrase.bare} of {subject.definite}"
                yield Edit(phrase.start, phrase.end, said, subject.text)


def _shortened(parsed: Parsed, thread: Thread) -> Iterator[Edit]:
    """Lengthen "the manager" to the phrase of the thread that ends so, and a part of a name to the name."""
    for phrase in parsed.phrases:
        definite = phrase.determiner.lower() == "the"
        kind = not phrase.determiner and phrase.role == "of" and len(phrase.words) == 1
        if not (definite or kind or (phrase.named and not phrase.determiner)):
            continue
        follows = parsed.after(phrase.end)
        if (definite and phrase.relation) or (follows is not None and follows.kind == "O"):
            continue
        longer = thread.best(lambda each, phrase=phrase: _lengthens(each, phrase))  # type: ignore[misc]
        if longer is not None:
            yield Edit(phrase.start, phrase.end, longer.definite, longer.text, sure=definite)


def _lengthens(subject: Subject, phrase: Phrase) -> bool:
    own, other = (
        list(map(small_words.singular, phrase.words)),
        list(map(small_words.singular, subject.phrase.words)),
    )
    if phrase.determiner or not phrase.named:
        return len(other) > len(own) and other[-len(own) :] == own
    named = subject.phrase.named and len(own) == 1
    return (
        named
        and len(other) > 1
        and own[0] in {other[0], other[-1]}
        and subject.phrase.bare[:1].isupper()
    )


def _relations(parsed: Parsed, thread: Thread) -> Iterator[Edit]:
    """Tell of what "the symptoms" are, where a message does not."""
    for at, phrase in enumerate(parsed.phrases):
        if not _lacks(parsed, at):
            continue
        subject = _owner(parsed, phrase, thread)
        if subject is not None:
            sure = _is_open(parsed, phrase)
            joined = "for" if phrase.head in small_words.TAKING_FOR else "of"
            end = _coordinated_end(parsed, at)
            yield Edit(end, end, f" {joined} {subject.definite}", subject.text, sure)
            return


def _is_open(parsed: Parsed, phrase: Phrase) -> bool:
    """Whether nothing at all is told of a relation: "the effects on health" are told in part."""
    follows = parsed.after(phrase.end)
    return follows is None or follows.kind not in {"P", "O"}


def _coordinated_end(parsed: Parsed, at: int) -> int:
    """Where the phrases end that "and" joins: "the pros and cons"."""
    end = parsed.phrases[at].end
    for phrase in parsed.phrases[at + 1 :]:
        if parsed.text[end : phrase.start].strip() not in {"and", "or", ","} or not phrase.relation:
            break
        end = phrase.end
    return end


def _lacks(parsed: Parsed, at: int) -> bool:
    """Whether a phrase is a relation of which nothing is told, neither by an owner nor behind it."""
    phrase = parsed.phrases[at]
    if not phrase.bare_relation or phrase.named or phrase.role in _WITHIN:
        return False
    if set(phrase.determiner.lower().split()) - _OPEN_DETERMINERS or _is_owned(parsed, at):
        return False
    rest = [each for each in parsed.tokens if each.start >= phrase.end and each.word.isalnum()]
    joined = (
        {"of", "between", "for"} if phrase.head in small_words.TAKING_FOR else {"of", "between"}
    )
    if any(each.word in joined for each in rest[:-1]):
        return False
    if phrase.role == "asked":
        return _is_copular(parsed) or phrase.head in _KINDS
    return _is_copular(parsed) or "the" in phrase.determiner.lower().split()


_OPEN_DETERMINERS: Final = frozenset(
    {"the", "any", "some", "many", "most", "a", "an", "other", "more", "much"}
)
_WITHIN: Final = frozenset({"of", "for", "to", "in", "as", "from", "by", "at", "with", "per"})
"""Roles of a phrase that itself completes another."""


def _is_owned(parsed: Parsed, at: int) -> bool:
    """Whether the phrase before has this one: "Ada's role"."""
    before = parsed.phrases[at - 1] if at else None
    return before is not None and before.owns(parsed.phrases[at])


def _is_copular(parsed: Parsed) -> bool:
    """Whether a message asks what something is: then it has no other verb."""
    return any(each.word in small_words.BE for each in parsed.tokens) and not any(
        each.kind == "V" for each in parsed.tokens
    )


def _owner(parsed: Parsed, phrase: Phrase | None, thread: Thread) -> Subject | None:
    """The likeliest subject that is not the relation itself, and is not named in the message."""
    said = content(parsed.text)
    return thread.best(
        lambda each: (
            (phrase is None or each.phrase.head != phrase.head)
            and not said.issuperset(content(each.phrase.bare))
        )
    )


def places(parsed: Parsed, thread: Thread) -> Iterator[Edit]:
    """Put in the place that was spoken of: "in there"."""
    for at, token in enumerate(parsed.tokens):
        if token.word != "there" or _is_existential(parsed, at) or _is_told(parsed, token.start):
            continue
        if _is_present(parsed, at):
            continue
        subject = (
            thread.best(lambda each: each.phrase.role in _PLACING)
            or thread.best(lambda each: each.phrase.role == "asked")
            or thread.best()
        )
        if subject is not None:
            behind = at and parsed.tokens[at - 1].kind == "P"
            where = _from_the_name(subject.definite)
            said = where if behind else f"in {where}"
            yield Edit(token.start, token.end, said, subject.text)


def _is_present(parsed: Parsed, at: int) -> bool:
    """Tell whether "there" only says that somebody is to be had: "is anybody there"."""
    before = [each.word for each in parsed.tokens[max(0, at - 2) : at]]
    return len(before) == _TWO and before[0] in small_words.BE and before[1] in _ANYBODY


def _is_told(parsed: Parsed, start: int) -> bool:
    """Tell whether the message has named the place itself: "a bed in London when I am there"."""
    return any(
        each.named and each.role in _PLACING and each.end <= start for each in parsed.phrases
    )


def _from_the_name(said: str) -> str:
    """Return the place of what was asked of it: "Deventer office" of "opening times Deventer office"."""
    words = said.split()
    at = next((at for at, word in enumerate(words) if word[:1].isupper()), 0)
    is_asked = at > 0 and words[0].lower() not in {"the", "our", "your", "my"}
    return (
        " ".join(["the", *words[at:]] if words[-1].islower() else words[at:]) if is_asked else said
    )


_ANYBODY: Final = frozenset({"anybody", "anyone", "somebody", "someone", "you", "nobody"})
_PLACING: Final = frozenset({"in", "at", "from", "to", "on"})


def _is_existential(parsed: Parsed, at: int) -> bool:
    near = [*parsed.tokens[max(0, at - 1) : at], *parsed.tokens[at + 1 : at + 2]]
    return any(each.kind == "X" or each.word in {"have", "has", "had"} for each in near)


def _compared(parsed: Parsed, thread: Thread) -> Iterator[Edit]:
    """Tell to what something is compared: "how does it compare?"."""
    tokens = [each for each in parsed.tokens if each.kind != "."]
    if not tokens or tokens[-1].word not in _COMPARING:
        return
    subject = _owner(parsed, None, thread)
    if subject is not None:
        joined = _COMPARING[tokens[-1].word]
        yield Edit(tokens[-1].end, tokens[-1].end, f" {joined} {subject.definite}", subject.text)


def _alternatives(parsed: Parsed, thread: Thread) -> Iterator[Edit]:
    """Name the two that were asked about one after the other: "which is cheaper?"."""
    words = [each for each in parsed.tokens if each.kind != "."]
    is_asked = bool(words) and words[0].word == "which" and words[-1].word in _COMPARATIVES
    names_kind = any(each.head not in {"one", "ones"} for each in parsed.phrases)
    if not is_asked or names_kind or len(thread.questions) < _TWO or len(words) > _MOST_COMPARING:
        return
    one, other = (_own_phrases(*pair) for pair in (thread.questions[1::-1], thread.questions[:2]))
    if len(one) == len(other) == 1:
        said = f", {one[0].text} or {other[0].text}"
        yield Edit(words[-1].end, words[-1].end, said, other[0].text)


def _own_phrases(question: Parsed, beside: Parsed) -> list[Phrase]:
    """The phrases of a question that the one beside it has not, where the rest of both is alike."""
    said = content(beside.text)
    if content(question.text).isdisjoint(said):
        return []
    return [
        each
        for each in question.phrases
        if not content(each.bare) <= said and not each.of_time and content(each.bare)
    ]


_TWO: Final = 2
_MOST_COMPARING: Final = 6
_COMPARATIVES: Final = small_words.COMPARATIVES
_COMPARING: Final = {
    "compare": "to",
    "differ": "from",
    "help": "with",
    "similar": "to",
    "different": "from",
    "apply": "to",
    "needed": "for",
    "required": "for",
    "necessary": "for",
    "involved": "in",
    "included": "in",
}
"""Words that end no clause by themselves, and what joins the rest to them."""


def is_thin(parsed: Parsed) -> bool:
    """Tell whether a question asks of nothing by itself: "who approves?"."""
    telling = _telling(parsed)
    return not any(each.kind == "N" for each in telling) and len(telling) <= _THIN + 1


def _telling(parsed: Parsed) -> list[Token]:
    """The words of a message that tell what it is about."""
    aside = small_words.VAGUE | small_words.PERIODS | small_words.PLAIN_MODIFIERS
    return [
        each
        for each in parsed.tokens
        if each.kind in {"N", "V", "J"} and content(each.text) and each.word not in aside
    ]


def with_subject(parsed: Parsed, subject: Subject) -> str:
    """Return a question with the subject at its end."""
    text = parsed.text.rstrip(" ?.!")
    words = [each for each in parsed.tokens if each.kind != "."]
    if words and words[-1].kind == "P" and words[-1].word not in _PARTICLES:
        return f"{text} {subject.definite}"
    tells = any(each.word in _TELLS for each in words)
    return f"{text} {'about' if tells else 'for'} {subject.definite}"


_PARTICLES: Final = frozenset({"like", "off", "out", "up", "down"})
"""Stand at the end without anything behind them: "a day off"."""
_TELLS: Final = frozenset(
    [
        "tell",
        "tells",
        "told",
        "ask",
        "asks",
        "know",
        "knows",
        "inform",
        "informs",
        "talk",
        "speak",
        "write",
        "writes",
        "say",
        "says",
    ]
)


def is_empty(parsed: Parsed) -> bool:
    """Tell whether nothing of a message could be searched by itself."""
    nouns = any(each.kind == "N" and content(each.text) for each in parsed.tokens)
    return not nouns and len(_telling(parsed)) <= _THIN


def is_telling(parsed: Parsed) -> bool:
    """Tell whether a message without a verb asks of enough by itself: "how much rest after a night job"."""
    return len(_telling(parsed)) >= _TELLING and len(parsed.phrases) > 1


def _has_complement(parsed: Parsed, phrase: Phrase) -> bool:
    """Whether what a phrase is of stands behind it."""
    follows = parsed.after(phrase.end)
    return follows is not None and follows.word in {"of", "between", "for", "that", "who", "which"}


_TOLD_BEFORE: Final = frozenset({"it", "they", "them", "that", "this", "he", "she"})
"""Pronouns for which a message itself has what they stand for, where nothing was put in."""


def may_go_on(parsed: Parsed) -> bool:
    """Tell whether a question may leave its subject out: "is there a form?", "who leads the project?"."""
    points = any(each.kind == "R" and each.word in _TOLD_BEFORE for each in parsed.tokens)
    if points and not any(each.kind == "C" for each in parsed.tokens[1:]):
        return False
    asks_there = any(each.word == "there" for each in parsed.tokens)
    definite = any(
        each.determiner.lower() == "the"
        and len(each.words) == 1
        and not each.named
        and not _has_complement(parsed, each)
        for each in parsed.phrases
    )
    return asks_there or definite or _asks_in_general(parsed)


def _asks_in_general(parsed: Parsed) -> bool:
    """Whether a message asks what something of no name is: "what are popular trails?"."""
    if not _is_copular(parsed) or any(each.named for each in parsed.phrases):
        return False
    first = parsed.phrases[0] if parsed.phrases else None
    if first is None or first.determiner.lower() not in {"", "the", "some", "any", "other"}:
        return False
    if first.bare_relation:
        return len(parsed.phrases) == _ONE_COMPLEMENT and parsed.phrases[1].role == "of"
    plain = first.words[0] in small_words.PLAIN_MODIFIERS and len(first.words) > 1
    return plain and not _has_complement(parsed, first)


_ONE_COMPLEMENT: Final = 2


def names(parsed: Parsed, text: str, thread: Thread) -> str:
    """Return the names that the question before was bound to, as far as a rewritten one has none."""
    own = {each.role for each in parsed.phrases}
    if any(each.named for each in parsed.phrases):
        return ""
    said = content(text)
    kept = [
        each
        for each in thread.last.phrases
        if each.named
        and each.role in _BINDING - own
        and not each.of_time
        and not said.issuperset(content(each.text))
    ]
    return "".join(f" {each.role} {each.text}" for each in kept[:1])


_BINDING: Final = frozenset({"in", "at", "for", "with", "from", "under"})
"""Prepositions of where and for whom something is: it stays so while the subject does."""
