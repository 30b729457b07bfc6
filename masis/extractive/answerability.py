"""Does the evidence answer the question? Signals, and a probability fitted to labelled questions.

The model is a logistic regression with few inputs, all in [0, 1], fitted on answerable and
unanswerable questions to five workspaces, as people type them into a chat (a few words, half a
sentence, typing errors, greetings, other words than the documents', a case told first), and on CLAPNQ.
Each manner of asking weighs the same, and each signal has the sign that its meaning gives it.
`python -m tests.bench.eval_bench --quick --write` fits it anew; its marks are chosen on places that the
model has not seen, for each manner of writing a question apart.
"""

import math
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from masis.domain import EmbeddingProfile, EvidenceChunk, Value
from masis.extractive.answer_reading import Read
from masis.extractive.manner import Manner, manner
from masis.phrases import definitions
from masis.phrases.asked_matters import is_headed
from masis.phrases.left_out import is_row_of
from masis.phrases.named_places import named_in
from masis.policy import BADGE_HIGH, CONFIDENCE_THRESHOLD
from masis.questions.question_audit import speaks_of_nothing
from masis.questions.question_parts import ASKING, asking_clauses
from masis.retrieval.extraction import Scored, asks_how_to, wanted
from masis.text import numbered
from masis.text.instructions import asks_where
from masis.text.lexical import coverage, terms
from masis.text.sentences import words
from masis.words.countries import mentioned, speaks_of
from masis.words.mistyped import is_mistyped

RIVAL: Final = 0.80
"""Another document competes where a passage of it has this share of the best score."""
MANY_RIVALS: Final = 4
DETAILED_QUESTION: Final = 14
"""Words from which on the asking part of a question counts as told in full ("How long is my leave?" has
five)."""
LONG_QUESTION: Final = 30
"""Words, the case told before it counted, from which on a question is as long as it can be."""
BRIEF_QUESTION: Final = 6
"""Words up to which a question is brief; from `PLAIN_QUESTION` on it is not at all."""
PLAIN_QUESTION: Final = 10
MANY_TERMS: Final = 8
"""As many different words, other than "how long is the", tell a brief question in full."""
STATED: Final = 1.5
"""The weight, in log odds, of what a passage states in so many words. Set by hand: of the labelled
questions eleven had that, of which nine are answered and two have several answers, too few to be fitted. Of ten
more, by one row or a deadline, nine are answered."""
OTHERS: Final = -1.7
"""The weight, in log odds, of best passages that speak of another year or numbered thing. Set by hand: 7 of 945
answerable questions had that and 21 of 509 unanswerable ones, and three formal ones alone outweigh these in
the fit, where each manner weighs the same."""
LEAST_STATED: Final = 2
"""Words that a question must have of its own: of one word alone many passages speak."""
LEAST_STEPS: Final = 3
"""Items of one list that make a procedure."""
MOST_CLOSER: Final = 1
"""Words that may tell a subject more closely than it was asked about: "the guest code" for "the code"."""
BEST: Final = 3
"""Passages that count as the best: an answer quotes up to four."""
MOST_OWN: Final = 30
"""Words of a question that are looked for: more of them tell no more, and each slip is searched for."""
UNREAD: Final = 0.5
"""What is taken for the reading model's word where it has not read."""
STOPPED: Final = 0.35
"""The gate of the bundled embedder."""
FEW: Final = 3
"""Where documents answer a question, one or two chunks of them do, and then comes a step."""

_OF_CODES: Final = frozenset(
    terms(
        "code error alarm fault message number meaning mean shows showing display displayed say says"
    )
)
"""What people say of any code."""
_SUM: Final = re.compile(r"[£$€] ?\d|\b(?:GBP|EUR|USD|prices?)\b", re.IGNORECASE)
_OF_MONEY: Final = frozenset(terms("price cost pay charge buy sell costs each piece part list"))
_CODE: Final = re.compile(r"\b(?:[A-Za-z]{1,4}-?\d[\w-]{0,12}|(?!(?:19|20)\d\d\b)\d{3,8})\b")

_SUBJECT: Final = re.compile(
    r"(?:\d+(?:\.\d+)*\.? )?(?:(?:the|an?|our|your) )?([^.:|]{2,60}?)"
    r"(?::| (?:is|are|was|were|has|have|lasts?|costs?|runs?)\b)",
    re.IGNORECASE,
)
"""What a sentence speaks of, or the name of a value: "3.3 The lead time is", "Pass mark:"."""

_BEHIND: Final = re.compile(r"\b(?:of|for|in|at|on|from|with|to|by|under|per) .*", re.IGNORECASE)

_TOPIC: Final = re.compile(
    r"\b(?:polic(?:y|ies)|rules?|guidance|guidelines?|procedures?)\s+(?:on|about|for|regarding|concerning|around)"
    r"\s+([\w'’ -]{3,60})\W*$",
    re.IGNORECASE,
)
"""Of what the rules are asked for: "the policy on gifts"."""

_HOW_SOON: Final = re.compile(
    r"\b(?:how (?:soon|quickly|fast|early|long before|far ahead|far in advance)|(?:by|until) when|within (?:what|which) time)\b"
    r"(?P<doing>[^?.!]{3,80})",
    re.IGNORECASE,
)
_DEADLINE: Final = re.compile(
    r"\bwithin (?:an? |the )?(?:\d+|one|two|three|four|five|six|seven|ten|hour|day|week|month)\b"
    r"|\b(?:at once|immediately|straight away|without delay|the same day|no later than|at the latest)\b"
    r"|\b(?:\d+|one|two|three|four|five|six|ten|a) (?:minute|hour|day|week|month)s?(?:['’]s?)? (?:before|ahead|in advance|notice|beforehand)\b",
    re.IGNORECASE,
)
CERTAINLY_READ: Final = 0.95
"""The reading model's word for a passage from which on it answers, as good as certainly."""

PART_ANSWERED: Final = 0.50
"""From this cosine on a passage counts as the answer to a part of a question."""


class Marks(Value):
    """The two probabilities that carry the marks.

    `passing` lands on the pass mark of 0.65, `high` on the High mark of 0.80; both are chosen on the
    trade-off curve of labelled questions (`tests/bench/plain_tradeoff.png`).
    """

    passing: float
    high: float


class Model(Marks):
    """A logistic regression over the signals, with its marks.

    `manners` are the marks of those manners of asking that have their own. `stopped` is the nearness that a chunk has at most, about, where the gate stops it.
    """

    intercept: float
    coefficients: dict[str, float]
    manners: dict[Manner, Marks] = {}
    stopped: float = STOPPED

    def probability(self, found: "Signals") -> float:
        """Return how likely the answer answers, in [0, 1]."""
        logit = self.intercept + sum(
            weight * float(getattr(found, name)) for name, weight in self.coefficients.items()
        )
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, logit))))

    def confidence(self, found: "Signals") -> float:
        """The probability on the confidence scale: straight lines through its manner's two marks."""
        probable = self.probability(found)
        marks = self.manners.get(found.manner, self)
        points = (
            (0.0, 0.0),
            (marks.passing, CONFIDENCE_THRESHOLD),
            (marks.high, BADGE_HIGH),
            (1.0, 0.98),
        )
        for (x0, y0), (x1, y1) in pairwise(points):
            if probable <= x1:
                return round(y0 + (y1 - y0) * (probable - x0) / (x1 - x0), 4)
        return points[-1][1]


FITTED: Final = Model(
    intercept=-5.019,
    coefficients={
        "nearness": 2.436,
        "step": 2.449,
        "detail": 0.622,
        "rivals": -1.067,
        "agreement": 0.100,
        "known": 0.306,
        "absent": -0.691,
        "length": 1.988,
        "written": -0.273,
        "brief": -0.318,
        "brief_terms": 1.996,
        "read": 1.549,
        "passage_read": 1.836,
        "others": -1.700,
        "stated": 1.500,
    },
    passing=0.581,
    high=0.860,
    manners={
        "brief": Marks(passing=0.484, high=0.702),
        "sentence": Marks(passing=0.291, high=0.773),
        "told": Marks(passing=0.586, high=0.899),
    },
)
"""Fitted on all of the labelled questions; the figures of places held out are in RESULTS.md. The High
marks of brief, full and told questions are those of the fit before (as fitted 0.618, 0.628 and 0.813): some fifteen
questions without an answer each are too few to lower them."""

_OF_PROFILES: Final = {
    "multilingual-e5-small-q4": Model(
        intercept=-3.102,
        coefficients={"nearness": 2.515, "step": 4.103, "detail": 1.962, "rivals": -1.505},
        passing=0.417,
        high=0.708,
        stopped=0.19,
    )
}
"""Fitted in the same way, but before there were short questions and such as tell a case: on the sample's 80
and 120 of CLAPNQ's, to which nothing is read."""


def fitted(profile: EmbeddingProfile | None) -> Model:
    """The model for the cosines of an embedder; without one of its own the bundled embedder's."""
    return _OF_PROFILES.get(profile.name, FITTED) if profile else FITTED


class Signals(Value):
    """Measure what speaks for and against an answer; every signal lies in [0, 1].

    `nearness` is the cosine of the passage nearest to the question (its coverage where there is
    no embedder), `step` how far the nearest chunk lies above the third: where many lie close
    together, they are about the subject and seldom answer. `rivals` are the other documents that hold
    a passage nearly as good as the best; `agreement` is 1 where the best passage stands in the nearest
    chunk.

    Of the question, its sentences that ask count, and not the case told before them. `detail` grows with
    their words, up to `DETAILED_QUESTION`; `known` is the share of their own words that the evidence has,
    each weighing as much as it is rare; `others` is 1 where they name a year or a numbered thing
    ("year 12") and the best passages speak of others; `absent` where they name a thing that no
    document speaks of.

    Of how it is asked: `length` grows with all of its words, up to `LONG_QUESTION`, `written` is 1
    where it is written out, not typed as it comes. `manner` is no signal: it chooses the marks.

    People in a chat ask in few words. `brief` is 1 for such a question and 0 for a long one; what it
    says is then told by how many different words carry its meaning, of those that the evidence knows
    (`brief_terms`: "Which form do I need?" has two at most, "Wharfe 60 suction lift" four). `stated` is 1
    where all that the question asks about is what a passage speaks of or gives the value of, as "The
    mileage rate is 45p" for "What is the mileage rate?", or "Gifts should be declined" for "the policy
    on gifts", or steps under "Claiming" in the rules on expenses for "how do I claim expenses", or what
    stands under "Parking in York" for "where do I park", or the best one stands under it ("Working hours"), or a passage says what a thing is that is to be explained.

    All of that is about words that are near each other. `read` and `passage_read` are what a model that
    has learned to read makes of the nearest chunks and the best passages: the probability that one of
    them answers.
    """

    nearness: float
    step: float
    detail: float
    rivals: float
    agreement: float = 0.0
    known: float = 0.0
    others: float = 0.0
    absent: float = 0.0
    length: float = 0.0
    written: float = 0.0
    brief: float = 0.0
    brief_terms: float = 0.0
    stated: float = 0.0
    read: float = UNREAD
    passage_read: float = UNREAD
    manner: Manner = "chat"


def signals(
    question: str,
    scored: Sequence[Scored],
    *,
    has_vectors: bool,
    weights: Mapping[str, float] | None = None,
    parts_near: Sequence[Sequence[float]] = (),
    stopped: float = STOPPED,
    read: Read | None = None,
    typed: str = "",
    is_absent: bool = False,
) -> Signals:
    """Read the signals of the evidence's passages; `parts_near` as `selection.choose` takes it.

    `weights` are the IDF weights of the question's terms; `read` is the reading model's word, or None
    where it has not read; `typed` is the question as it was typed, where that was worded anew;
    `is_absent` says that it names a thing of which no document speaks.

    Where each part of a question has its answer, the documents that give them are no rivals of
    each other.
    """
    near = max((s.cosine if has_vectors else s.coverage for s in scored), default=0.0)
    told = " ".join(asking_clauses(question))
    brief = _brief(len(words(question)))
    how = manner(typed or question)
    chunks = {s.passage.chunk.chunk_id: s.passage.chunk for s in scored}
    texts = [f"{chunk.context}\n{chunk.text}" for chunk in chunks.values()]
    best = sorted(scored, key=lambda s: -s.score)[:BEST]
    in_steps = _is_told_in_steps(told, scored)
    # It has learned to read sentences: of steps it takes none alone for an answer, nor all of them.
    least = UNREAD if in_steps or read is None else 0.0
    return Signals(
        nearness=_unit(near),
        step=_unit(_step(scored, stopped)),
        detail=_unit(len(words(told)) / DETAILED_QUESTION),
        rivals=_unit(_rivals(scored, _giving(scored, parts_near)) / MANY_RIVALS),
        agreement=float(_agrees(best, list(chunks.values()))),
        known=_known(_own(told) or _own(question), set(terms("\n".join(texts))), weights or {}),
        others=float(numbered.speaks_of_others(told, map(_around, best), texts)),
        absent=float(is_absent),
        length=_unit(len(question.split()) / LONG_QUESTION),
        written=float(how != "chat"),
        manner=how,
        brief=brief,
        brief_terms=brief * _known_share(set(terms(question)), scored),
        stated=float(_tells_what_is_asked(question, told, scored, read) or in_steps),
        read=least if read is None else max(least, _unit(read.chunk)),
        passage_read=least if read is None else max(least, _unit(read.passage)),
    )


def _tells_what_is_asked(
    question: str, told: str, scored: Sequence[Scored], read: Read | None
) -> bool:
    """Say whether a passage is of the very thing that is asked, in one of the ways that count as `stated`."""
    best = sorted(scored, key=lambda s: -s.score)[:BEST]
    return (
        _is_stated(set(_own(told) or _own(question)), best)
        or _rules(told, best)
        or _is_headed(told, best)
        or _is_place_of(told, best)
        or _is_explained(told, scored)
        or any(_is_row_of_code(told or question, s) for s in best)
        or _is_one_row(told or question, best)
        or _tells_deadline(told, best, read)
    )


def _brief(length: int) -> float:
    return _unit((PLAIN_QUESTION - length) / (PLAIN_QUESTION - BRIEF_QUESTION))


def _known_share(asked: set[str], scored: Sequence[Scored]) -> float:
    """Return how much the words of a brief question tell. Those count that the evidence knows."""
    known = {term for s in scored for term in s.covers} & asked
    return _unit(len(known) / MANY_TERMS)


def _is_stated(asked: set[str], best: Sequence[Scored]) -> bool:
    """Say whether one of the best passages speaks of what is asked about.

    That may be told more closely in front ("the guest code"), but not behind ("the rate of a van").
    """
    return len(asked) >= LEAST_STATED and any(_speaks_of(asked, s.passage.text) for s in best)


def _rules(told: str, best: Sequence[Scored]) -> bool:
    """Say whether the rules on a thing are asked for, and a best passage begins with it or stands under it."""
    found = _TOPIC.search(told)
    topic = terms(found[1]) if found else []
    return bool(topic) and any(
        terms(s.passage.text)[: len(topic)] == topic or _is_heading(topic, s.passage.heading)
        for s in best
    )


def _is_explained(told: str, scored: Sequence[Scored]) -> bool:
    """Say whether a passage says what the thing is that is to be explained."""
    name = definitions.thing(told)
    return bool(name) and any(definitions.says_what(name, s.passage.text) for s in scored)


def _is_headed(told: str, best: Sequence[Scored]) -> bool:
    """Say whether the best passage stands under what is asked about, word for word."""
    if not best or len(set(terms(told))) < LEAST_STATED:
        return False
    passage = best[0].passage
    return is_headed(told, [passage.heading, *passage.chunk.place.headings])


def _is_place_of(told: str, best: Sequence[Scored]) -> bool:
    """Say whether it is asked where to do a thing, and the best passage stands under it and a place: "Parking in York"."""
    own = set(_own(told))
    if not best or not own or not asks_where(told):
        return False
    heading = best[0].passage.heading
    places = frozenset[str]().union(*named_in(heading))
    said = {term for term in terms(heading) if not term.isdigit()}
    return bool(places) and said - places == own - places


def _is_told_in_steps(told: str, scored: Sequence[Scored]) -> bool:
    """Say whether it is asked how to do a thing, and the best passage is a step of several under its name.

    The heading right over the steps has a word of the question, those over it the others.
    """
    best = max(scored, key=lambda s: s.score, default=None)
    own = set(_own(told))
    if best is None or best.passage.unit.kind != "list_item" or not (own and asks_how_to(told)):
        return False
    passage, chunk = best.passage, best.passage.chunk
    steps = sum(
        s.passage.unit.kind == "list_item"
        and (s.passage.chunk.document_id, s.passage.heading, s.passage.lead)
        == (chunk.document_id, passage.heading, passage.lead)
        for s in scored
    )
    above = set(terms(f"{passage.heading} {passage.lead}"))
    names = above.union(terms(f"{chunk.title} {chunk.document} {chunk.context}"))
    return steps >= LEAST_STEPS and not own.isdisjoint(above) and own <= names


def _is_row_of_code(told: str, scored: Scored) -> bool:
    """Say whether a passage is the row of the one code that is asked about, and of nothing beside.

    What else the question says is said of its table too, or of any code: "what does error E14 mean".
    """
    codes, chunk = set(_CODE.findall(told)), scored.passage.chunk
    of_money = _OF_MONEY if wanted(told) == "money" and _SUM.search(scored.passage.text) else ()
    if len(codes) != 1 or scored.passage.unit.kind != "table_row":
        return False
    code = terms(codes.pop())
    first = scored.passage.text.strip("| ").split(" | ")[0]
    said = {*terms(f"{chunk.title} {chunk.context}"), *_OF_CODES, *of_money, *code}
    return terms(first.rpartition(": ")[2]) == code and said.issuperset(_own(told))


def _is_heading(topic: Sequence[str], heading: str) -> bool:
    said = terms(heading)
    return set(topic) <= set(said) and len(said) <= len(topic) + MOST_CLOSER


def _speaks_of(asked: set[str], text: str) -> bool:
    found = _SUBJECT.match(text)
    if found is None:
        return False
    subject, behind = set(terms(found[1])), _BEHIND.search(found[1])
    is_whole = asked <= subject and len(subject) <= len(asked) + MOST_CLOSER
    return is_whole and (behind is None or set(terms(behind[0])) <= asked)


def _agrees(best: Sequence[Scored], chunks: Sequence[EvidenceChunk]) -> bool:
    """Say whether the best passage stands in the chunk that is nearest."""
    if not best:
        return False
    return max(chunks, key=lambda chunk: chunk.nearness) == best[0].passage.chunk


def _is_one_row(told: str, best: Sequence[Scored]) -> bool:
    """Say whether one row in force, and no other, is of all that a question names."""
    own = set(_own(told))
    rows = {
        s.passage.text
        for s in best
        if s.passage.unit.kind == "table_row"
        and not s.passage.chunk.replaced_by
        and is_row_of(own - _placed(told, s.passage.text), told, s.passage.text)
    }
    return len(own) >= LEAST_STATED and len(rows) == 1


def _placed(told: str, row: str) -> set[str]:
    """Return the words for countries of which a row speaks, in whatever words."""
    spoken = (each for each in mentioned(told) if speaks_of(row, each.country))
    return {term for each in spoken for term in terms(each.written)}


def _tells_deadline(told: str, best: Sequence[Scored], read: Read | None) -> bool:
    """Say whether it is asked how soon something is done, and a passage that may answer says so of that."""
    asked = _HOW_SOON.search(told)
    own = set(_own(asked["doing"])) if asked else set()
    # In the documents' own words the thing is often another one: "the loss of a device".
    least = LEAST_STATED if read is None or read.passage < CERTAINLY_READ else 1
    return bool(own) and any(
        _DEADLINE.search(s.passage.text) and len(own.intersection(terms(s.passage.text))) >= least
        for s in best
    )


def _own(told: str) -> list[str]:
    """The terms that a question shares with no other, in their order."""
    found = [term for term in dict.fromkeys(terms(told)) if not _is_of_any_question(term)]
    return found[:MOST_OWN]


def _known(own: Sequence[str], present: set[str], weights: Mapping[str, float]) -> float:
    """The weighted share of a question's own terms that the evidence has, mistyped ones as well."""
    known = {term for term in own if term in present or _is_slip_of_one(term, present)}
    return coverage(own, known, {term: weights[term] for term in own if term in weights})


def _is_of_any_question(term: str) -> bool:
    return term in ASKING or speaks_of_nothing(term)


def _is_slip_of_one(term: str, present: set[str]) -> bool:
    return any(is_mistyped(term, other) for other in present if other[0] == term[0])


def _around(scored: Scored) -> str:
    """A passage with what stands over and before it, and the name of its document."""
    passage, chunk = scored.passage, scored.passage.chunk
    above = [chunk.title, chunk.document, chunk.context, passage.heading, passage.before]
    return "\n".join([*above, f"{passage.lead} {passage.text}"])


def _giving(scored: Sequence[Scored], parts_near: Sequence[Sequence[float]]) -> set[str]:
    """The documents with the nearest passage of each part; none where a part has no near one."""
    nearest = [max(scored, key=lambda s: near[s.vector]) for near in parts_near if scored]
    if any(near[s.vector] < PART_ANSWERED for near, s in zip(parts_near, nearest, strict=False)):
        return set()
    documents = {s.passage.chunk.document_id for s in nearest}
    return documents if len(documents) > 1 else set()


def _step(scored: Sequence[Scored], stopped: float) -> float:
    """By how much the nearest chunk's nearness exceeds that of the third."""
    by_chunk = {s.passage.chunk.chunk_id: s.passage.chunk.nearness for s in scored}
    ordered = [*sorted(by_chunk.values(), reverse=True), *[stopped] * FEW]
    return ordered[0] - ordered[FEW - 1]


def _rivals(scored: Sequence[Scored], together: set[str]) -> int:
    """Count the documents that compete with the best passage's.

    Those that answer together with it are left out.
    """
    best = max(scored, key=lambda s: s.score, default=None)
    if best is None:
        return 0
    competing = {s.passage.chunk.document_id for s in scored if s.score > RIVAL * best.score}
    return len(competing - (together or {best.passage.chunk.document_id}))


def _unit(value: float) -> float:
    return max(0.0, min(1.0, value))
