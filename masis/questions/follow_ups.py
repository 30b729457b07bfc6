"""Say a follow-up as a question that stands alone, by rule: what it leaves out is put in from its thread.

Pure and lexical, by small words and their order. No word comes from elsewhere than the thread and the
message, but for the small words that join them and a year that is counted from another ("the year before").
"""

import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from masis.conversation import HEARD, Exchange
from masis.domain import Value
from masis.policy import MAX_QUESTION_CHARS
from masis.questions import question_parts
from masis.rewriting import fragments, gaps, pronouns, situations, subjects
from masis.rewriting.edits import Edit, as_question, edited
from masis.rewriting.noun_phrases import Parsed, content, parse
from masis.rewriting.subjects import Thread
from masis.text.grammars.number_words import NUMBER_WORD
from masis.text.lexical import terms
from masis.words import chat_words
from masis.words.thread_words import points_at_others

MOST_WORDS: Final = 60
"""Of a message; what is longer tells its own subject."""

LEAST_TOLD: Final = 2
"""Words of a statement that may be what a question goes on from."""

CASE: Final = "case"
DOUBT: Final = "doubt"
"""Reasons: something is told of the asker's case, or what was answered is doubted. No passage needs these words."""

Kind = Literal["alone", "carried", "either"]

_LEAD: Final = re.compile(
    r"(?:oh|ooh|hm+|um+|erm|wow|lol)\s+|(?P<and>(?:and|but|plus|also|or|und|en|et|n(?=\s))\b[\s,:…-]*)|(?:so|ok(?:ay)?|oh|hm+|um+|ah|right|well|interesting|great|good|cool|nice|yes|yeah"
    r"|no|sorry|wait|now|then|thanks|i see|got it|fine|alright|lol)(?:\s*[,.!:…-]+\s*|\s+(?=(?:and|but|so|what|how|who|when|where|why|which|other|another|new|different)\b))"
    r"|(?:no|sorry|wait|nope)\s+(?=(?:no|wait|sorry|the|for|in|not|i mean|i meant|still)\b)"
    r"|(?:still|back to)\s+(?=(?-i:[A-Z]))",
    re.IGNORECASE,
)
_MEANT: Final = re.compile(
    r"(?:no,?\s+)?(?:sorry,?\s+)?(?:meant|i (?:mean|meant|was asking about|am asking about))\b[\s,:]*",
    re.IGNORECASE,
)
_ANEW: Final = re.compile(
    r"(?:(?:new|diff(?:erent)?|another|separate|unrelated|other|next) (?:question|topic|subject|thing|one)|unrelated(?:ly)?"
    r"|something else|on another note|change of subject|by the way|btw)\b[\s,:.!…-]+",
    re.IGNORECASE,
)
_ITS: Final = re.compile(
    r"\bits(?= (?:a|an|the|not|my|our|gone|in|on|out|at|just|ok|okay|too|been|really|still|only)\b)",
    re.IGNORECASE,
)
_AFTERTHOUGHT: Final = re.compile(
    r"(?:(?<!since)(?<!until)(?<!till)(?<!from)(?<!back)(?<!what)(?<!who)(?<!how)(?<!and)(?<!why)(?<!by)[\s,]+then"
    r"|[\s,]+(?:btw|by the way|lol|please|pls|sorry|obviously|of course|naturally|presumably|i (?:guess|suppose|think)))"
    r"(?=[\s?.!]*$)",
    re.IGNORECASE,
)
_AGAIN: Final = re.compile(
    r"\A(?P<asked>\W*(?:what|who|where|when|which|how)\b.*(?:\b(?:is|are|was|were)\b|['’]s\b).*?)[\s,]+again(?=[\s?.!]*\Z)",
    re.IGNORECASE,
)
"""Asks for what was told before: "who was that again"; of what happens again it is asked otherwise."""
_IT_IS: Final = re.compile(r"\b(?P<who>it|he|she)['’]s\b(?! been)", re.IGNORECASE)
_WHAT_DOES: Final = re.compile(
    r"\bwhat['’]?s(?P<thing> (?:an? [^?,.]{1,60}?|it|this|that|one|he|she))(?P<verb> (?:cost|mean|weigh|need|do|take"
    r"|include|cover|say|hold|show)\b)(?! of)",
    re.IGNORECASE,
)
"""Says "what does" in short: "whats a pump cost"."""
_WHY: Final = re.compile(
    r"\A\W*(?:why(?: is|['’]?s| was)? (?:that|this|it|so)(?: so)?|how come(?: that)?)(?=\W*\Z)",
    re.IGNORECASE,
)
"""Asks for the reason of what was answered."""
_COUNT: Final = rf"(?:[£$€]?\d(?:[\w.,%]*[\w%])?|{NUMBER_WORD})"
_HEARSAY: Final = re.compile(
    r"\A(?:but |well )?(?:(?:are you |you )?sure[\s,?.]+)?"
    r"(?!(?:who|whom|whose|what|which|where|when|why|how|nobody|none|neither|no)\b)"
    r"(?:(?:(?:my|a|one|some|our|the) )?(?:\w+ )?\w+ (?:here |there )?(?:says?|said|told me|reckons?|thinks?|claims?|insists?|swears?|heard)"
    r"|(?:i|we) (?:had(?=.* in (?:my|our|mind))|remember(?:ed)?|recall|heard|read|was told|were told))"
    r"(?: that)?(?: (?:it|that|this|they|the answer) (?:is|was|are|were)|,? (?:it|that)['’]?s)?"
    rf" (?P<said>{_COUNT})(?P<rest>(?: (?!in (?:my|mind)\b)\w+){{0,4}}?)"
    r"(?: in (?:my (?:head|mind)|mind)| somewhere)?"
    r"(?:[\s,]+(?:is|was|are) (?:he|she|that|it|this|they) (?:wrong|right|true|correct|mistaken|still right))?\W*\Z",
    re.IGNORECASE,
)
"""Doubts what was answered by what somebody or something else says: "my colleague says it is 50, is that right"."""
_ANSWERED: Final = frozenset({"it", "that", "this", "they"})
"""Words for what was answered, where a doubt begins with one: "wasn't it 50"."""
_WHO_DOES: Final = re.compile(
    r"\A\W*who (?:(?:will|would|should|must|can|has to|have to|needs to) do|does|did) (?:it|that|this)"
    r"(?=\W*\Z|\s*,|\s+(?:then|now|here|there|instead|us|them|(?:last|this|next) (?:time|week|month|year))\b)",
    re.IGNORECASE,
)
"""Asks for the doer of what the question before says is done."""
_MEANT_BEHIND: Final = re.compile(r"[\s,]+i (?:mean|meant)\W*$", re.IGNORECASE)
_REFUSED: Final = re.compile(r"no|nope|sorry|wait", re.IGNORECASE)
_DENIED: Final = re.compile(r"\A(?:no|nope)[\s,]+(?=\w)", re.IGNORECASE)
_NOT_THAT: Final = re.compile(
    r"(?<=\w)[\s,]+(?:and )?not (?:(?:about|for|in|at|of) )?(?:the |a |an |my |our |that |this )?[\w'’-]+(?: [\w'’-]+)?\W*\Z",
    re.IGNORECASE,
)
"""What a correction leaves out: "i meant the leave not the money"."""
_SAME_OF: Final = re.compile(
    r"\Awhat (?:is|are|was|were) (?:it|they)\b"
    r"(?= (?:in|at|for|under|before|on) [^\W_]| last (?:year|quarter|month|week)\b)",
    re.IGNORECASE,
)
"""Asks the question before of something else: "what was it in 2023"."""
_PLACE_BEHIND: Final = re.compile(
    r"\s+(?:in|at|to|for|around|near) (?:the )?[A-Z][\w’'-]*(?: [A-Z][\w’'-]*){0,3}\Z"
)
_MOST_LEADS: Final = 4


class FollowUp(Value):
    """Hold a message of a thread as it can be searched.

    `text` is what was typed without courtesies, `alone` the question as it is when read alone,
    `carried` with what it leaves out put in (the same where it needs nothing), and `subject` what
    was put in. `kind` "either": its words do not tell, and both are to be searched.
    """

    text: str
    alone: str
    carried: str
    kind: Kind
    subject: str = ""
    reason: str = ""


def follow_up(text: str, exchanges: Sequence[Exchange]) -> FollowUp:
    """Read a message of a thread by its exchanges, the oldest first."""
    said = chat_words.without_courtesies(text[:MAX_QUESTION_CHARS])
    led = _without_lead(said)
    spelt = _HEARSAY.sub(_doubted, _WHY.sub("why", _spelt(led.rest)))
    alone = FollowUp(text=said, alone=spelt, carried=spelt, kind="alone")
    telling = _telling(exchanges)
    if telling and telling[-1].status == HEARD and points_at_others(text):
        return _of_others(alone, telling[-1].question)
    thread = subjects.thread([_without_its_lead(each) for each in telling])
    parsed = parse(spelt)
    if thread is None or led.anew or not parsed.tokens or len(spelt.split()) > MOST_WORDS:
        return alone
    if situations.is_stated(parsed) and not fragments.doubts(parsed):
        return _of_case(alone, parsed, thread)
    if led.corrects and not fragments.is_fragment(parsed):
        parsed = fragments.without_reason(parsed)
    if fragments.is_fragment(parsed) and (
        led.goes_on or fragments.left_open(thread) or not fragments.tells_enough(parsed)
    ):
        return _of_fragment(alone, parsed, thread, led)
    return _of_question(alone, parsed, thread)


def _without_its_lead(exchange: Exchange) -> Exchange:
    """Return an exchange without what led over to its question, or was only told or doubted behind it.

    "Other question, can I park here" asks whether one can park here, and "can I park here, I am new here" too.
    """
    if exchange.standalone != exchange.question:
        asked = _without_case(exchange.standalone)
        return exchange.model_copy(update={"standalone": asked})
    led = _without_lead(exchange.question)
    return exchange.model_copy(update={"standalone": led.rest}) if led.anew else exchange


def _without_case(standalone: str) -> str:
    """Return a question without the doubt or the case that an earlier message put behind it."""
    parts = standalone.split(", ")
    for at in range(1, len(parts)):
        told = ", ".join(parts[at:]).rstrip(" ?.")
        is_short = len(told.split()) <= situations.MOST_WORDS
        if is_short and situations.is_stated(parse(told)):
            return ", ".join(parts[:at])
    return fragments.undoubted(parse(standalone))


def _spelt(text: str) -> str:
    """Return a message in full, without what is only said behind it."""
    spelt = chat_words.spelt_out(_WHAT_DOES.sub(r"what does\g<thing>\g<verb>", text))
    asked = _AGAIN.sub(r"\g<asked>", _AFTERTHOUGHT.sub("", spelt))
    return _IT_IS.sub(r"\g<who> is", _ITS.sub("it's", asked))


def _doubted(match: re.Match[str]) -> str:
    """Return a doubt as it is asked: "isn't it 50"; what has a verb behind the figure tells of something else."""
    rest = match["rest"].strip()
    if rest.startswith("of ") or {"V", "X"} & {each.kind for each in parse(rest).tokens}:
        return match[0]
    return f"isn't it {match['said']}{match['rest']}"


def _telling(exchanges: Sequence[Exchange]) -> list[Exchange]:
    """Leave out what others wrote where it names no subject: where they asked, all but that."""
    heard = [each for each in exchanges if each.status == HEARD]
    asked = [each for each in heard if question_parts.asks(each.question)]
    kept = asked or [each for each in heard if len(terms(each.question)) >= LEAST_TOLD]
    return [each for each in exchanges if each.status != HEARD or each in kept]


def _of_others(alone: FollowUp, asked: str) -> FollowUp:
    """The question that somebody else asked, where a message only points at it."""
    question = " ".join(map(chat_words.plain, question_parts.asking(asked)))
    return _carried(alone, question, question, "pointed at", sure=True)


class _Led(NamedTuple):
    """A message without what leads over to it, and what that was: "and", "i meant", "other question"."""

    rest: str
    goes_on: bool
    corrects: bool
    anew: bool


def _without_lead(text: str) -> _Led:
    anew = False
    behind = _MEANT_BEHIND.search(text)
    corrects = behind is not None and bool(content(text[: behind.start()]))
    text = text[: behind.start()] if behind and corrects else text
    goes_on = corrects
    for _ in range(_MOST_LEADS):
        lead, new, meant = _LEAD.match(text), _ANEW.match(text), _MEANT.match(text)
        match = new or meant or lead
        if match is None or (
            not content(text[match.end() :]) and not text[match.end() :].strip(" ?.!")
        ):
            break
        goes_on = goes_on or bool(meant or (lead and lead["and"]))
        corrects = corrects or bool(meant or _REFUSED.fullmatch(match[0].strip(" ,.!:…-")))
        anew = anew or bool(new)
        text = text[match.end() :]
    text = _without_that(_DENIED.sub("", text)) if corrects else text
    same = _SAME_OF.match(text)
    return _Led(text[same.end() :].strip() if same else text, goes_on or bool(same), corrects, anew)


def _without_that(text: str) -> str:
    """Return a correction without what it leaves out; in a clause a "not" denies that: "if it is not open"."""
    cut = _NOT_THAT.sub("", text)
    return text if {"X", "V", "W"} & {each.kind for each in parse(cut).tokens} else cut


def _of_fragment(alone: FollowUp, parsed: Parsed, thread: Thread, led: _Led) -> FollowUp:
    owned = (
        [] if _is_owned_there(parsed, thread) else pronouns.resolved(parsed, thread, owning=True)
    )
    edits = owned or [*gaps.ones(parsed, thread), *_places(parsed, thread)]
    own = parse(edited(parsed.text, edits))
    if owned and any(each.relation for each in own.phrases):
        done = fragments.of_owner(own, owned[0].subject)
    else:
        goes_on = led.goes_on or bool(edits)
        kept = _kept_place(edits, parsed, thread)
        before = (
            thread
            if kept is None
            else thread._replace(questions=(kept.before, *thread.questions[1:]))
        )
        done = fragments.completed(own, before, led=goes_on, corrects=led.corrects)
        if kept is not None:
            done = done._replace(text=f"{done.text.rstrip(' ?.!')}{kept.place}")
    return _carried(alone, done.text, done.subject, done.reason, sure=done.sure)


def _places(parsed: Parsed, thread: Thread) -> list[Edit]:
    """Return the place that a fragment means by "there"; nothing in its stead where the question before has it."""
    said = thread.last.text.lower()
    return [
        each._replace(text="" if each.text.lower() in said else each.text)
        for each in gaps.places(parsed, thread)
    ]


class _Kept(NamedTuple):
    """The question before without its place, and that place."""

    before: Parsed
    place: str


def _kept_place(edits: Sequence[Edit], parsed: Parsed, thread: Thread) -> _Kept | None:
    """Keep the place that a fragment means by "there", where the question before ends with it."""
    if not any(
        not each.text and parsed.text[each.start : each.end].lower() == "there" for each in edits
    ):
        return None
    last = thread.last.text.rstrip(" ?.!")
    ends = _PLACE_BEHIND.search(last)
    return _Kept(parse(last[: ends.start()]), ends[0]) if ends else None


def _is_owned_there(parsed: Parsed, thread: Thread) -> bool:
    """Tell whether a fragment goes on with a question that has who its "their" is: "in their first year"."""
    if not parsed.tokens or parsed.tokens[0].kind != "P":
        return False
    meant = pronouns.resolved(parsed, thread, owning=True)
    return bool(meant) and meant[0].subject.lower() in thread.last.text.lower()


def _of_case(alone: FollowUp, parsed: Parsed, thread: Thread) -> FollowUp:
    """Ask the question before of what is stated of the asker's case."""
    before = fragments.stem(thread.last)
    text = f"{before}, {situations.stated(parsed.text)}"
    return _carried(alone, text, before, CASE, sure=not situations.may_be_of_another(parsed))


def _carried(alone: FollowUp, text: str, subject: str, reason: str, *, sure: bool) -> FollowUp:
    return alone.model_copy(
        update={
            "carried": as_question(text)[:MAX_QUESTION_CHARS],
            "kind": "carried" if sure else "either",
            "subject": subject,
            "reason": reason,
        }
    )


def _of_question(alone: FollowUp, parsed: Parsed, thread: Thread) -> FollowUp:
    """A message with a verb: its pronouns, then what its noun phrases leave out."""
    if fragments.doubts(parsed):
        text = f"{fragments.stem(thread.last)}: {parsed.text}"
        points = any(each.kind == "R" and each.word in _ANSWERED for each in parsed.tokens[:3])
        sure = points or not gaps.is_telling(parsed)
        return _carried(alone, text, fragments.stem(thread.last), DOUBT, sure=sure)
    if _WHO_DOES.match(parsed.text):
        text = f"{fragments.stem(thread.last)}, and {parsed.text}"
        return _carried(alone, text, fragments.stem(thread.last), "done", sure=True)
    edits: list[Edit] = pronouns.resolved(parsed, thread)
    reason = "pronoun"
    if not edits:
        edits, reason = gaps.filled(parsed, thread), "left out"
    if edits:
        sure = any(edit.sure for edit in edits)
        text = edited(parsed.text, edits)
        text = f"{text.rstrip(' ?.!')}{gaps.names(parsed, text, thread)}"
        return _carried(alone, text, edits[0].subject, reason, sure=sure)
    return _joined(alone, parsed, thread)


def _joined(alone: FollowUp, parsed: Parsed, thread: Thread) -> FollowUp:
    """A message that may go on with the subject: that is put at its end, for the evidence to decide."""
    said = content(parsed.text)
    subject = thread.best(lambda each: not content(each.phrase.bare) <= said)
    if subject is not None and pronouns.does_what_was_told(parsed):
        text = gaps.with_subject(parsed, subject)
        return _carried(alone, text, subject.definite, "done", sure=True)
    if subject is None or not (gaps.is_thin(parsed) or gaps.may_go_on(parsed)):
        return alone
    text = gaps.with_subject(parsed, subject)
    return _carried(alone, text, subject.definite, "goes on", sure=gaps.is_empty(parsed))
