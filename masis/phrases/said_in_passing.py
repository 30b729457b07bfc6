"""What is said in passing in a thread after an answer: a reaction to it, a vote, what one does next.

A reaction stands in a closed table; a vote and what one does next are told by how they begin. None of
it asks a document, and outside a thread the same words may be looked for ("strict").
"""

import re
from collections.abc import Sequence
from typing import Final, Literal

from masis.phrases.closed_phrases import Phrases
from masis.phrases.small_talk_table import SMALL_TALK

Passing = Literal["noted", "missed"]

MOST_WORDS: Final = 12
"""Of what one does next; who writes more tells a case."""

_CLASSES: Final = {
    "ALONE": "harsh|strict|generous|steep|stingy|brutal|rough|bonkers|nuts|mad|wild|insane|ridiculous|ouch|cheeky"
    "|tough|unfair|unlucky|disappointing|surprising|unexpected|bad_luck|good_news|bad_news|not_bad|fancy",
    "SAID": "harsh|strict|generous|steep|stingy|brutal|rough|bonkers|nuts|mad|wild|insane|ridiculous|cheeky|tough"
    "|unfair|unlucky|disappointing|surprising|unexpected|tight|mean|quick|slow|late|early|soon|close|complicated"
    "|confusing|a_pain|a_mess|bad|bad_news|good_news|good|great|ideal|a_surprise|new_to_me|news_to_me|nice_of_them"
    "|scary|heavy|silly|inconvenient|different|expensive|cheap|pricey|a_lot|a_lot_of_money|lots|much|many|a_long_time"
    "|so_little|so_much|so_many|long|short|high|low|big|small|little|few|easy|hard|strange|weird|odd",
    "MORE": "less|more|fewer|better|worse|longer|shorter|cheaper|dearer|quicker|slower|earlier|later|sooner|higher|lower"
    "|stricter|easier|harder|bigger|smaller|simpler|different|not_what|nicer",
}
_LINES: Final = {
    "reaction": """
    ALONE
    a_bit|bit|a_little|rather|very|pretty|quite|so|really|too|way_too ALONE
    that|this|it|which|they|he|she is|was|are|sounds|seems|looks|feels a_bit|a_little|rather|very|pretty|quite|so|really|too|not|all|just|kind_of|surprisingly|not_so|not_that|not_too? SAID
    wow|so|not|that that|this|it? is? SAID
    wow|gosh|oh|ha|hm|ok so? SAID
    that|this|it|they|which? is|was|are|sounds|seems|looks? a_bit|a_lot|much|far|even|slightly|way? MORE than? i|we thought|expected|feared|hoped|assumed|remembered|guessed|imagined|knew
    that|this|it settles|solves|explains|answers|decides it|that|everything|a_lot|matters
    yes|yep|yeah|right|ok? that|this|it is|was the_one|the_one_i_meant|the_one_i_wanted|what_i_meant|him|her|them|me|us
    that|this|it cannot|can_not be? right|true|serious
    happy days|days_then
    """,
    "missed": """
    that|this|it|no|well is|was|still|just? wrong|not_right|not_correct|incorrect|not_true|nonsense|rubbish|not_it|not_what_i_asked|not_what_i_meant|not_what_i_wanted|not_the_answer|not_the_question|not_an_answer|useless|not_helpful|unhelpful|no_use|no_help
    not what|quite_what i asked|meant|asked_for|was_asking|asked_you|want|wanted|need|needed
    wrong answer|document|one|question|doc|policy|file|again
    that|this|it does_not|did_not|doesnt|didnt answer|help it|that|this|me|my_question|the_question?
    you misunderstood|misunderstand|misread|got_that_wrong|got_it_wrong|are_wrong|have_it_wrong|did_not_understand|did_not_answer|missed_the_point me|it|that|my_question|the_question?
    i did_not_mean|was_not_asking_about|did_not_ask|did_not_ask_about|did_not_ask_for|do_not_mean that|this|it
    """,
    "vote": """
    me too|neither|three|as_well
    count me|us in|out
    i am|m in|out|for_it|against_it|all_for_it|in_favour|with_you|with_her|with_him
    i would|d|will? vote|voted|votes? for|against? yes|no|it|that|this|both|either|monday|tuesday|wednesday|thursday|friday|saturday|sunday
    my|a vote is|goes for|to|against? yes|no|it|that|this|both|either|monday|tuesday|wednesday|thursday|friday|saturday|sunday
    i? second|seconded|support that|this|it?
    hear_hear|in_favour|all_in_favour|abstain|i_abstain
    plusone from? me|us?
    """,
}
_PASSING: Final = Phrases(
    lines=_LINES | dict(SMALL_TALK.lines),
    classes=dict(SMALL_TALK.classes) | _CLASSES,
    spellings=SMALL_TALK.spellings,
    distinctive=SMALL_TALK.distinctive,
    no_typos=SMALL_TALK.no_typos,
)

_PLUS_ONE: Final = re.compile(r"(?<![\w+.,])\+1(?=\s*(?:[.!,)]|$)|\s+(?:from|for) (?:me|us)\b)")
_NEXT: Final = re.compile(
    r"(?:(?:i|we)['’]?ll|(?:i|we) will|let me|i['’]?d better|i should|(?:i['’]?m|i am|we['’]?re|we are) (?:going to|gonna)) "
    r"(?:(?:then|now|just|go and|go|first|better|quickly) )*"
    r"(?:ask|tell|check|inform|remind|call|ring|phone|email|e-mail|text|speak to|talk to|see|look into|find out|wait"
    r"|get back|come back|report back|pass (?:it|that|this) on|forward (?:it|that|this)|try|do (?:it|that|this)"
    r"|go with|let \w+ know|remember|note|keep (?:it|that) in mind|leave it|sort it|sleep on it|think about it)\b"
    r"(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
"""What one does next; "I'll need a laptop" asks for something."""
_OWN_PART: Final = re.compile(
    r"(?:i )?(?:was|had|thought|misread|forgot|missed|mixed|did not|didn['’]?t|should have|must have|just wanted|only wanted)\b"
    r"(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
"""Why somebody asked, behind thanks: "thanks, was looking at the wrong row"."""
_ASKS: Final = re.compile(
    r"\?|\b(?:who|whom|whose|what|which|when|where|why|how|whether|if|but|though|need|want|can you|could you)\b",
    re.IGNORECASE,
)


def said_in_passing(text: str) -> Passing | None:
    """Return what a message behind an answer says that asks nothing; None where it may ask something.

    That an answer misses the question ("missed") is told apart from a reaction, a vote and what comes next.
    """
    said = _PLUS_ONE.sub(" plusone ", text)
    if "?" in said:
        return None
    tokens = _PASSING.tokens(said)
    if not tokens or len(tokens) > MOST_WORDS:
        return None
    kinds = _PASSING.kinds(tokens) or ()
    if "missed" in kinds:
        return "missed"
    return "noted" if _LINES.keys() & kinds or _tells_of_oneself(said) else None


def _tells_of_oneself(text: str) -> bool:
    """Tell whether a message says, behind courtesies, what its author does now or thought before."""
    starts = [token.start for token in SMALL_TALK.tokens(text)]
    for at, start in enumerate(starts):
        kinds = _kinds_of(text[:start])
        if at and kinds is None:
            continue
        behind_thanks = _OWN_PART if "thanks" in (kinds or ()) else None
        for form in filter(None, (_NEXT, behind_thanks)):
            found = form.match(text, start)
            if found is not None and not _ASKS.search(found["rest"]):
                return True
    return False


def _kinds_of(text: str) -> Sequence[str] | None:
    tokens = SMALL_TALK.tokens(text)
    return SMALL_TALK.kinds(tokens) if tokens else None
