"""Put in the noun phrases that a follow-up leaves out or shortens: "the largest", "the symptoms", "in there"."""

from collections.abc import Callable, Iterator
from typing import Final

from masis.rewriting import grammar
from masis.rewriting.edits import Edit
from masis.rewriting.phrases import Parsed, Phrase, Token
from masis.rewriting.subjects import Subject, Thread
from masis.text.lexical import terms

_COMPLEMENTS: Final = frozenset("of for in to between on with from about at behind against by as than".split())  # noqa: SIM905
_POINTING: Final = frozenset({"this", "that", "these", "those"})
_DOCUMENTS: Final = frozenset(
    "document policy handbook page section report contract agreement guide manual file paper procedure form letter".split()
)  # noqa: SIM905
_TELLING: Final = 2
_KINDS: Final = frozenset("type kind sort form part variety version model breed species".split())  # noqa: SIM905
_THIN: Final = 1
"""Words of a question that ask of nothing by themselves."""


def filled(parsed: Parsed, thread: Thread) -> list[Edit]:
    """Return what is to be put into a message for what it leaves out."""
    finders: tuple[Callable[[Parsed, Thread], Iterator[Edit]], ...] = (
        ones, _others, _pointed, _shortened, _relations, _places, _compared,
    )  # fmt: skip
    edits: list[Edit] = []
    for find in finders:
        for edit in find(parsed, thread):
            if not any(edit.subject == other.subject and edit.text in other.text for other in edits):
                edits.append(edit)
    return edits


def _noun(subject: Subject, *, plural: bool) -> str:
    """The noun of a subject with what tells its kind, of one or as it is."""
    bare = subject.bare
    if plural or not subject.plural:
        return bare
    last = bare.split()[-1]
    return bare[: len(bare) - len(last)] + grammar.singular(last)


def _countable(subject: Subject) -> bool:
    return not subject.phrase.of_people or subject.phrase.role == "asked"


def ones(parsed: Parsed, thread: Thread) -> Iterator[Edit]:
    """Yield the nouns that "one" stands for: "a smart one"."""
    for at, token in enumerate(parsed.tokens):
        if token.word not in {"one", "ones"} or token.kind != "R" or not at:
            continue
        before = parsed.tokens[at - 1]
        own = next((each for each in parsed.phrases if each.end == before.end), None)
        alone = before.kind in {"V", "X"}
        if own is None and before.kind not in {"D", "W", "J"} and not (alone and token.word == "one"):
            continue
        subject = thread.best(_countable)
        if subject is not None:
            noun = _noun(subject, plural=token.word == "ones")
            noun = f"one {noun}" if alone else noun
            yield Edit(token.start, token.end, noun, subject.text)


def _others(parsed: Parsed, thread: Thread) -> Iterator[Edit]:
    """"the largest": the noun that is missing behind what picks one."""
    for phrase in parsed.phrases:
        if phrase.determiner.lower() not in {"the", "the most", "the least"} or phrase.words[-1] == "same":
            continue
        picks = grammar.is_superlative(phrase.words[-1]) or " " in phrase.determiner
        follows = parsed.after(phrase.end)
        if not picks or (follows is not None and follows.word in {"one", "ones", "of"}):
            continue
        if " " in phrase.determiner and not grammar.is_adjective(phrase.words[-1]):
            continue
        subject = thread.best(_countable)
        if subject is not None:
            noun = _noun(subject, plural=_asks_several(parsed))
            yield Edit(phrase.end, phrase.end, f" {noun}", subject.text)


def _asks_several(parsed: Parsed) -> bool:
    return any(each.word in {"are", "were"} for each in parsed.tokens)


def _pointed(parsed: Parsed, thread: Thread) -> Iterator[Edit]:
    """"that policy": the phrase of the thread with that noun, or the document that was cited."""
    for phrase in parsed.phrases:
        if phrase.determiner.lower() not in _POINTING or phrase.of_time:
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
    """"the experiment": the longer phrase of the thread that ends so; a part of a name: the name."""
    for phrase in parsed.phrases:
        definite = phrase.determiner.lower() == "the"
        if not definite and not (phrase.named and not phrase.determiner):
            continue
        follows = parsed.after(phrase.end)
        if (definite and phrase.relation) or (follows is not None and follows.kind == "O"):
            continue
        longer = thread.best(lambda each, phrase=phrase: _lengthens(each, phrase))  # type: ignore[misc]
        if longer is not None:
            begin = phrase.start if not phrase.determiner else phrase.start
            yield Edit(begin, phrase.end, longer.definite, longer.text, sure=definite)


def _lengthens(subject: Subject, phrase: Phrase) -> bool:
    own, other = list(map(grammar.singular, phrase.words)), list(map(grammar.singular, subject.phrase.words))
    if phrase.determiner:
        return len(other) > len(own) and other[-len(own) :] == own
    named = subject.phrase.named and len(own) == 1
    return named and len(other) > 1 and own[0] in {other[0], other[-1]} and subject.phrase.bare[:1].isupper()


def _relations(parsed: Parsed, thread: Thread) -> Iterator[Edit]:
    """"the symptoms": of what, where a message does not tell it."""
    for at, phrase in enumerate(parsed.phrases):
        if not _lacks(parsed, at):
            continue
        subject = _owner(parsed, phrase, thread)
        if subject is not None:
            joined = "for" if phrase.head in grammar.TAKING_FOR else "of"
            end = _coordinated_end(parsed, at)
            yield Edit(end, end, f" {joined} {subject.definite}", subject.text)
            return


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
    if not phrase.relation or phrase.named:
        return False
    if not set(phrase.words[:-1]) <= grammar.PLAIN_MODIFIERS:
        return False
    determiner = phrase.determiner.lower().split()
    if set(determiner) - {"the", "any", "some", "many", "most", "a", "an", "other", "more", "much"}:
        return False
    before = parsed.phrases[at - 1] if at else None
    if before is not None and before.role == "owner" and before.end + 3 >= phrase.start:
        return False
    if phrase.role in {"of", "for", "to", "in", "as", "from", "by", "at", "with", "per"}:
        return False
    rest = [each for each in parsed.tokens if each.start >= phrase.end]
    if any(each.word in {"of", "for", "between"} for each in rest[:-2]):
        return False
    told = next((each for each in rest if each.kind in {"P", "O", "V", "N"}), None)
    if told is not None and told.kind in {"P", "O"} and told.word in _COMPLEMENTS and rest[-2:-1] != [told] and rest[-1] != told:
        return told.word in {"as", "in", "by", "at"} and told.word != "of" and not _is_copular(parsed)
    if phrase.role == "asked":
        return _is_copular(parsed) or phrase.head in _KINDS
    return _is_copular(parsed) or "the" in determiner


def _is_copular(parsed: Parsed) -> bool:
    """Whether a message asks what something is: then it has no other verb."""
    return any(each.word in grammar.BE for each in parsed.tokens) and not any(
        each.kind == "V" for each in parsed.tokens
    )


def _owner(parsed: Parsed, phrase: Phrase | None, thread: Thread) -> Subject | None:
    """The likeliest subject that is not the relation itself, and is not named in the message."""
    said = set(terms(parsed.text))
    return thread.best(
        lambda each: (phrase is None or each.phrase.head != phrase.head) and not said.issuperset(terms(each.phrase.bare))
    )


def _places(parsed: Parsed, thread: Thread) -> Iterator[Edit]:
    """"in there": the place that was spoken of."""
    for at, token in enumerate(parsed.tokens):
        if token.word != "there" or _is_existential(parsed, at):
            continue
        subject = thread.best(lambda each: each.phrase.role in {"in", "at", "from", "to", "on"})
        subject = subject or thread.best()
        if subject is not None:
            behind = at and parsed.tokens[at - 1].kind == "P"
            said = subject.definite if behind else f"in {subject.definite}"
            yield Edit(token.start, token.end, said, subject.text)


def _is_existential(parsed: Parsed, at: int) -> bool:
    near = [*parsed.tokens[max(0, at - 1) : at], *parsed.tokens[at + 1 : at + 2]]
    return any(each.kind == "X" or each.word in {"have", "has", "had"} for each in near)


def _compared(parsed: Parsed, thread: Thread) -> Iterator[Edit]:
    """"how does it compare?": to what, at the end of the clause."""
    tokens = [each for each in parsed.tokens if each.kind != "."]
    if not tokens or tokens[-1].word not in _COMPARING:
        return
    subject = _owner(parsed, None, thread)
    if subject is not None:
        joined = _COMPARING[tokens[-1].word]
        yield Edit(tokens[-1].end, tokens[-1].end, f" {joined} {subject.definite}", subject.text)


_COMPARING: Final = {"compare": "to", "differ": "from", "help": "with", "similar": "to", "different": "from", "apply": "to"}


def is_thin(parsed: Parsed) -> bool:
    """Tell whether a question asks of nothing by itself: "who approves?"."""
    content = _content(parsed)
    return not any(each.kind == "N" for each in content) and len(content) <= _THIN + 1


def _content(parsed: Parsed) -> list[Token]:
    """The words of a message that tell what it is about."""
    aside = grammar.VAGUE | grammar.PERIODS | grammar.PLAIN_MODIFIERS
    return [
        each
        for each in parsed.tokens
        if each.kind in {"N", "V", "J"} and terms(each.text) and each.word not in aside
    ]


def with_subject(parsed: Parsed, subject: Subject) -> str:
    """Return a question with the subject at its end."""
    text = parsed.text.rstrip(" ?.!")
    words = [each for each in parsed.tokens if each.kind != "."]
    if words and words[-1].kind == "P":
        return f"{text} {subject.definite}"
    tells = any(each.word in _TELLS for each in words)
    return f"{text} {'about' if tells else 'for'} {subject.definite}"


_TELLS: Final = frozenset("tell tells told ask asks know knows inform informs talk speak write writes say says".split())  # noqa: SIM905


def is_empty(parsed: Parsed) -> bool:
    """Tell whether nothing of a message could be searched by itself."""
    return len(_content(parsed)) <= _THIN and not any(each.kind == "N" for each in _content(parsed))


def is_telling(parsed: Parsed) -> bool:
    """Tell whether a message without a verb asks of enough by itself: "how much rest after a night job"."""
    return len(_content(parsed)) >= _TELLING and len(parsed.phrases) > 1


def _told(parsed: Parsed, phrase: Phrase) -> bool:
    """Whether what a phrase is of stands behind it."""
    follows = parsed.after(phrase.end)
    return follows is not None and follows.word in {"of", "between", "for"}


def may_go_on(parsed: Parsed) -> bool:
    """Tell whether a question may leave its subject out: "is there a form?", "who leads the project?"."""
    asks_there = any(each.word == "there" for each in parsed.tokens)
    definite = any(
        each.determiner.lower() == "the" and len(each.words) == 1 and not each.named and not _told(parsed, each)
        for each in parsed.phrases
    )
    return asks_there or definite
