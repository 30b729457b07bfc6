"""Recognise questions that ask for a whole, and not for a fact: a list, a summary, what changed.

Pure, by the form of the question alone. What only looks like one ("who is on the list?") has nothing
that it is of, or turns out to have none once the documents are read.
"""

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from masis.domain import Value
from masis.questions.whole_forms.comparison_forms import sides
from masis.text.lexical import terms
from masis.words.chat_words import plain
from masis.words.english import is_english
from masis.words.mistyped import is_mistyped

WholeKind = Literal["documents", "list", "summary", "compare"]
"""What is asked for: the documents that there are, the rows of a list, one document in short, or how two
things or two versions of one differ."""

MOST_CHARS: Final = 300
"""A longer question tells a case."""
MOST_WORDS: Final = 14
MOST_OF: Final = 160
"""Characters of what it is of."""


class AskedWhole(Value):
    """Hold which whole a question asks for, and what it is of, in its own words; empty for all.

    `strict` says that the form alone does not tell it from a question for a fact: then the documents
    must have exactly that. `sides` are the two things that are compared, where there are two, and
    `versions` says that they may be two versions of a document. `papers`
    is the kind of documents that are asked for ("policies"), where one is named, and `narrowed` says
    that what it is of stands before it, as a name does ("HR documents").
    """

    kind: WholeKind
    of: str = ""
    strict: bool = False
    sides: tuple[str, str] | None = None
    versions: bool = False
    papers: str = ""
    narrowed: bool = False


class _Form(NamedTuple):
    kind: WholeKind
    pattern: re.Pattern[str]
    strict: bool = False


_CANONICAL: Final = (
    *("summarise", "summarize", "summary", "overview", "compare", "comparison", "difference"),
    *("differences", "documents", "changed", "between", "versions"),
)
"""Words that tell a form, for those that are mistyped."""
_LONG: Final = 6
_ASIDE: Final = re.compile(r"\([^()]{0,60}\)|(?<=[?!])\s*(?:please|pls|thanks|cheers)\b")
_WORD: Final = re.compile(r"[^\W\d_]+")

_ASK: Final = (
    r"(?:(?:and|so|ok|okay|now|then|also|please|pls|kindly|just|quickly|hi|hey|hello)[,\s]+"
    r"|(?:can|could|would|will) (?:you|u|i|we|someone|anyone) (?:please |pls |kindly |maybe |just |quickly )*(?:also )?"
    r"(?:have |get |see )?"
    r"|(?:i|we)(?:'d| would| just)? (?:just )?(?:need|want|like|love)(?: to (?:see|have|get|know))? "
    r"|let (?:me|us) (?:see|have) |may i (?:have|see|get) )*"
)
_GIVE: Final = (
    r"(?:(?:give|get|show|send|tell|write|make|do|provide|produce|pull up|put together|have|find|fetch)"
    r"(?: me| us)?(?: with)? |gimme )?"
)
_ARTICLE: Final = r"(?:an? |the |our |my |your |this |that |any )?"
_SHORT: Final = (
    r"(?:(?:short|brief|quick|very|high[- ]level|rough|executive|one[- ](?:line|page|paragraph|minute)|\w+[- ]line"
    r"|bullet(?:ed)?(?:[- ]points?)?|two[- ]minute|concise|simple) )*"
)
_SUMMARY: Final = (
    r"(?:summary|overview|outline|gist|recap|run[- ]?down|digest|synopsis|tl;?\s?dr|short version|highlights|headlines|essence|nub|core|upshot|abstract|main (?:content|contents|message)|summing[- ]up|key content"
    r"|(?:key|main|most important|important) (?:points?|takeaways?|messages?|facts)|takeaways?|essentials|bullet points)"
)
_OF: Final = r"(?:of|on|for|from|about|in|to|:|-|–)"

_PAPERS: Final = (
    r"(?:documents?|docs?|files?|papers|pdfs?|uploads|sources|materials?|polic(?:y|ies)|handbooks?|minutes"
    r"|contracts?|agreements?|reports?|procedures?|manuals?|guides?|presentations?|slide ?decks?|decks?|slides"
    r"|spreadsheets?|newsletters?|release notes|data ?sheets?|price lists?|bulletins?|runbooks?|guidelines|forms?|letters?"
    r"|circulars?|memos?|brochures?|leaflets?|invoices?|certificates?|plans?|write[- ]?ups?|documentation|paperwork|literature)"
)
_SEVERAL_PAPERS: Final = rf"{_PAPERS}(?:(?:, | and | or | & | ?/ ?)(?:[\w&'’-]+ )?{_PAPERS}){{0,3}}"
_ANY_PAPERS: Final = re.compile(
    r"(?:documents?|docs?|files?|papers|uploads|sources|materials?|documentation|paperwork|literature)(?:(?:, | and | or | & | ?/ ?)"
    r"(?:documents?|docs?|files?|papers|uploads|sources|materials?|documentation|paperwork|literature))*"
)
_PAPERS_PLURAL: Final = re.compile(r"(?:.*s|minutes|material|documentation|paperwork|literature)")
_EACH: Final = re.compile(r"\b(?:every|each|any)\b")
_ABOUT: Final = (
    r"(?:(?:that (?:are |is )?|which (?:are |is )?)?(?:about|on|regarding|concerning|covering|cover|cover(?:s)?|dealing with|deal with"
    r"|mentioning|mentions|mention|talk(?:s|ing)? about|(?:have |has )?to do with|related to|relating to|relates? to|referring to|refers? to"
    r"|(?:we |you |i )?(?:should|can|could|do) (?:we |you |i )?(?:read|look at|consult|check)(?: up)?(?: on| about| for)?"
    r"|apply(?:ing)? to|applies to|around|for|from|of|in|with|under|against|by|dated)\b)"
)
_BEFORE: Final = r"(?!(?:and|or|of|any|the) )[\w'’&-]*[\w](?: (?!(?:and|or|of) )[\w'’&-]*[\w])?"
"""What stands before the kind of document and narrows it."""
_HERE: Final = (
    r"(?:(?:in |inside )?(?:here|there|this (?:workspace|channel|folder|bot|place|collection|space|library|system)"
    r"|the (?:workspace|knowledge ?base|collection|library|system|folder|archive|files?)|your (?:knowledge ?base|library|memory|files)|store"
    r"|stock)|(?:on|in) (?:file|record|hand|the books|the shelf)|to hand|at hand)"
)
_HAVE: Final = (
    rf"(?:(?:do|did) (?:we|you|u|i) (?:have|hold|know|keep|own)|have (?:we|you|u|i)(?: got)?|are (?:there|available|stored"
    rf"|uploaded|loaded|indexed|{_HERE})|is there|exists|can (?:we|you|u|i) (?:see|read|find|use|search|ask)|exist|you(?:'ve| have)? got"
    r"|we(?:'ve| have)? got|got)"
)
_TELL: Final = r"(?:(?:list|show|give|send|name|enumerate|tell|find|get)(?: me| us)? |gimme |(?:a |the )?(?:full |complete |whole )?list of )"
_QUANT: Final = r"(?:all|every|each|any)(?: of)?"

_NO_NOUN: Final = (
    r"(?:how|what|why|when|where|who|whose|which|is|are|was|were|has|have|had|do|does|did|can|could|may|must|should|will|would|shall|if|i|we"
    r"|you|he|she|it|they|this|that|there|and|or|but|not|no|to|news|always|thanks|lots|loads|days|hours|weeks|months|years|minutes|in|on|at|for|of|a|an)\b"
)
"""With these begins a sentence, and no name of things that are listed."""

_FORMS: Final = (
    # --- summaries
    _Form(
        "summary",
        re.compile(
            rf"{_ASK}{_GIVE}{_ARTICLE}{_SHORT}{_SUMMARY}(?: please)?,?\s?{_OF}\s?(?P<of>.+)"
        ),
    ),
    _Form("summary", re.compile(rf"{_ASK}{_GIVE}{_ARTICLE}{_SHORT}tl;?\s?dr:? (?P<of>.+)")),
    _Form(
        "summary",
        re.compile(
            rf"{_ASK}(?:(?:quickly|briefly|shortly) )?(?:summari[sz]e|sum up|recap|condense|outline|boil down|run (?:me|us) through"
            r"|take (?:me|us) through|walk (?:me|us) through)"
            r"(?: for (?:me|us))?:? (?P<of>.+)"
        ),
    ),
    _Form("summary", re.compile(r"sum (?P<of>.+?) up(?: for (?:me|us))?")),
    _Form(
        "summary",
        re.compile(
            rf"(?P<of>[^,:]+?)(?:,|:| -| –)? (?:(?:quickly |briefly )?(?:summari[sz]ed|condensed|outlined|summed up)|{_SHORT}{_SUMMARY}|in (?:short|brief|a nutshell|(?:\w+ ){{1,3}}(?:sentences?|lines?"
            r"|bullets?|points?|words)))"
        ),
    ),
    _Form(
        "summary",
        re.compile(rf"what(?:'s| is| are| were| was) the {_SHORT}{_SUMMARY} {_OF} (?P<of>.+)"),
    ),
    _Form(
        "summary",
        re.compile(
            r"what(?:'s| is| was)? (?:in|inside) (?:the |our |this |that )(?P<of>.+)"
            r"|what(?:'s| is| was) (?:the |our |this |that )(?P<of2>.+?) (?:all |mainly |basically )?about"
            r"|what (?:does|do|did) (?:the |our |this |that )(?P<of3>.+?) (?:say|cover|contain|include|deal with)"
            r"|what (?:did|does|do|have|has) (?:the |our |this |that )?(?P<of6>.+? (?:talk(?:ed)? about|discuss(?:ed)?|decided?|agreed?|report(?:ed)?|deal(?:t)? with|look(?:ed)? at|go over)(?: (?:in|on|at|during) .+)?)"
            r"|what (?:came|comes) (?:out of|up (?:at|in)|from) (?:the |our |this |that )?(?P<of7>.+)"
            r"|what (?:should|must|do) (?:i|we) (?:need to )?know (?:about|from) (?:the |our |this |that )(?P<of8>.+)"
            r"|what (?:was|were|got|is) (?:discussed|talked about|covered|agreed|decided)(?: and (?:agreed|decided))? (?:at|in|during|on) (?:the |our )?(?P<of4>.+)"
            r"|what happened (?:at|in|during) (?:the |our )?(?P<of5>.+)"
        ),
        strict=True,
    ),
    _Form(
        "summary",
        re.compile(
            rf"{_ASK}(?:explain|describe|present|sketch) (?P<of>.+?),? (?:briefly|shortly|quickly|in (?:short|brief|a nutshell|(?:\w+ ){{1,3}}(?:sentences?|lines?|bullets?|points?|words)))"
            rf"|{_ASK}(?:briefly |quickly |shortly )?(?:tell (?:me|us) (?:(?:all|more|something|a bit) )?about|explain|describe|fill (?:me|us) in on|brief (?:me|us) on|catch (?:me|us) up on|bring (?:me|us) up to speed (?:on|with)) (?P<of2>(?:the|our|this|that) .+)"
            r"|(?:i|we) (?:missed|couldn't make|could not make|wasn't at|was not at|haven't read|have not read|didn't read|have no time (?:to read|for)|don't have time (?:to read|for)) (?P<of3>(?:the|our|this|that) .+?)(?:,|\.|;|:| -| –|\?) .+"
            r"|(?:what(?:'s| is| was| are| were)? )?the (?:most important|main|key|biggest|essential) (?:things?|points?|facts?|messages?|parts?|bits?|topics?|contents?) (?:in|of|from|about) (?P<of4>.+)"
            r"|what(?:'s| is| was| are| were) the (?:most important|main|key|biggest|essential) (?:things?|points?|facts?|messages?|parts?|bits?|topics?|contents?) (?:in|of|from|about) (?P<of5>.+)"
            r"|what (?:is|does|do|did) (?P<of6>(?:the |our |this |that )?[^,]{3,60}?) (?:says?|about|cover|contain|deal with)(?: in (?:short|brief|general|a nutshell))?"
        ),
        strict=True,
    ),
    # --- documents
    _Form(
        "documents",
        re.compile(
            rf"{_ASK}(?:what|which)(?: (?P<before>{_BEFORE}))? (?P<papers>{_SEVERAL_PAPERS}) (?:(?:did|have|has|do|does) (?:people|we|you|they|i|anyone|somebody|someone|everybody|the team) (?:upload|uploaded|add|added|share|shared|store|stored|keep|save|saved|put)"
            rf"|(?:have|were|are|got|has) (?:been )?(?:uploaded|added|shared|stored|saved|indexed|loaded|put))(?: {_HERE})?(?: so far| yet| up| in)?"
        ),
    ),
    _Form(
        "documents",
        re.compile(
            rf"{_ASK}(?:which|what) (?:of|among) (?:the |our |your |these |those )?(?P<papers>{_SEVERAL_PAPERS}) (?:(?:are|is|do|does) )?{_ABOUT} (?P<of>.+)"
        ),
    ),
    _Form(
        "documents",
        re.compile(
            rf"(?:any|some) (?:(?P<before>{_BEFORE}) )?(?P<papers>{_SEVERAL_PAPERS})(?: {_HERE})?(?: {_ABOUT} (?P<of>.+?))?(?: {_HERE})?"
        ),
    ),
    _Form(
        "documents",
        re.compile(
            rf"{_ASK}(?:is there|do (?:we|you|u) have|have (?:we|you) got) (?:a |the )?(?:list|overview|index) of (?:{_QUANT} )?(?:the |our |your )?(?:(?P<before>{_BEFORE}) )?(?P<papers>{_SEVERAL_PAPERS})(?: {_HERE})?"
            rf"|how many (?P<papers2>{_PAPERS}) (?:are there|do (?:we|you) have|are {_HERE}),? (?:and )?(?:what|which) (?:are they(?: called)?|ones)"
            rf"|{_ASK}{_GIVE}(?:an? |the )?(?:full |complete )?(?:index|inventory|directory|catalogue) of (?:{_QUANT} )?(?:the |our |your )?(?P<papers3>{_PAPERS})(?: {_HERE})?"
            rf"|(?P<papers4>{_PAPERS}) (?:(?:that )?(?:we|you|u) (?:have|hold|got|keep)) {_ABOUT} (?P<of2>.+)"
            rf"|what(?:'s| is) (?:available|there|{_HERE}|known|written|documented) (?:about|on|regarding|concerning) (?P<of3>.+)"
            rf"|(?:what|which) else (?:do (?:we|you|u) have|have (?:we|you) got|is {_HERE}|is there)(?: {_HERE})?"
            rf"|{_ASK}what (?:you|u) (?:know|have|hold|can read|can see)(?: {_HERE})?"
            r"|what (?:can|do|could) (?:i|we) (?:ask|read|find)(?: you)?(?: about)?(?: here)?"
        ),
    ),
    _Form(
        "documents",
        re.compile(
            rf"{_ASK}what(?:'s| is| all is| do we have| have we got)?(?: all| everything)? {_HERE}(?: so far| then| now)?"
        ),
    ),
    _Form(
        "documents",
        re.compile(
            rf"{_ASK}what(?: all)? (?:have (?:you|we|u)(?: got)?|(?:do|did) (?:you|we|u) have|(?:you|we) got)"
            rf"(?: {_HERE})?(?: (?:about|on|regarding|concerning|from|by|relating to|to do with) (?P<of>.+?))?(?: {_HERE})?"
        ),
    ),
    _Form(
        "documents",
        re.compile(
            rf"{_ASK}(?:what|which|wich)(?: all)?(?: kinds? of| sorts? of| other)?(?: (?P<before>{_BEFORE}))? (?P<papers>{_SEVERAL_PAPERS})"
            rf"(?: {_HAVE})?(?: {_HERE})?(?: at all| so far| right now)?(?: {_ABOUT} (?P<of>.+?))?(?: {_HAVE})?(?: {_HERE})?"
        ),
    ),
    _Form(
        "documents",
        re.compile(
            rf"{_ASK}(?:{_TELL}(?:(?:a |the )?(?:full |complete |whole )?list of )?(?:{_QUANT} )?|all(?: of)? )"
            rf"(?:the |our |your |my )?(?:available |uploaded |indexed )?(?:(?P<before>{_BEFORE}) )?(?P<papers>{_SEVERAL_PAPERS})"
            rf"(?: (?:that )?(?:you|we|i) (?:have|hold|know|can see|can read))?(?: {_HERE})?(?: {_ABOUT} (?P<of>.+?))?(?: {_HERE})?"
        ),
    ),
    _Form(
        "documents",
        re.compile(
            rf"{_ASK}(?:any )?(?P<papers>(?:documents|docs|files|papers)) {_ABOUT} (?P<of>.+)"
        ),
    ),
    _Form(
        "documents",
        re.compile(
            rf"{_ASK}(?:is there|do (?:we|you|u) have|have (?:we|you|u)(?: got)?|got|there is|anywhere is)? ?(?:anything|something|everything|stuff|any info(?:rmation)?|material|all)(?: (?:in writing|written(?: down)?|documented|useful|official))?"
            rf"(?: (?:that )?(?:we|you|u)(?:'ve)? (?:have|got|hold|know)(?: got)?)?(?: {_HERE})? (?:about|on|regarding|concerning|covering|to do with|related to|relating to) (?P<of>(?:(?! in (?:the|our) ).)+?)"
            rf"(?: {_HERE})?(?:[,?!]+ ?(?:which|what|and which|where)(?: (?:documents?|docs?|files?|ones?|papers|polic(?:y|ies)))?(?: (?:is|are) (?:it|that|they|those))?)?"
        ),
    ),
    _Form(
        "documents",
        re.compile(
            rf"{_ASK}(?:(?:in )?(?:which|what) (?P<papers>documents|docs|files|papers|places)|where) (?:(?:do|does|did|can|could) (?:we|you|i|it|they|people) "
            r"(?:read|look|find|learn|say|write|deal|speak|talk)(?: (?:up|out))?(?: something| anything| things?| more)?(?: it)?|(?:is|are) there (?:something|anything)"
            r"|(?:is|are) (?:it|something|anything) (?:said|written)) (?:about|on|regarding|of|with) (?P<of>.+)"
        ),
    ),
    _Form(
        "documents",
        re.compile(
            rf"{_ASK}(?:do (?:we|you|u) have|have (?:we|you) got|are there|is there|got) any (?:(?P<before>{_BEFORE}) )?(?P<papers>{_SEVERAL_PAPERS})"
            rf"(?: {_HERE})?(?: {_ABOUT} (?P<of>.+?))?(?: {_HERE})?"
        ),
    ),
    # --- lists
    _Form(
        "list",
        re.compile(
            rf"{_ASK}(?:list|enumerate)(?! (?:price|item|view|number|size|length)\b)(?: out| down| up)?(?: for)?(?: me| us)?(?: {_QUANT})?(?: the| our| my| your)? (?P<of>.+)"
        ),
    ),
    _Form(
        "list",
        re.compile(
            rf"{_ASK}{_GIVE}{_ARTICLE}(?:(?:full|complete|whole|entire|current|up[- ]to[- ]date|quick) )*list(?:ing)? (?:of|with|for)(?: {_QUANT})?(?: the| our| my)? (?P<of>.+)"
        ),
    ),
    _Form(
        "list",
        re.compile(
            rf"{_ASK}name (?:(?:all|each|every)(?: of)? )?(?:the |our |me )?(?P<of>[\w\s'-]*[a-z]{{2,}}(?<![su])s\b.*)"
        ),
    ),
    _Form(
        "list",
        re.compile(
            rf"{_ASK}(?:give|show|send|tell|name|get)(?: me| us)? (?:{_QUANT}|(?:the )?names of(?: all)?)(?: of)?(?: the| our| my| your)? (?P<of>.+)"
        ),
    ),
    _Form(
        "list",
        re.compile(
            rf"{_ASK}(?:what|which|who) (?:are|were|r) (?:all (?:the|our|of the|of our)|(?:the|our) (?:different|various)) (?P<of>.+)"
        ),
    ),
    _Form(
        "list",
        re.compile(
            r"(?P<of>.+?)(?:(?:,| -| –)? (?:(?:as a|(?<=s )a?) ?list(?: (?:them|it|all))?(?: please| pls| plz)?|all of (?:them|it|those)"
            r"|list (?:them|it)(?: all)?)|(?:,| -| –) (?:all|list(?: please| pls)?))"
        ),
    ),
    _Form(
        "list",
        re.compile(
            rf"(?:the |our |all |all the )?(?P<of>(?:(?!{_NO_NOUN})[\w'’-]+ ){{0,2}}(?!{_NO_NOUN})[a-z]{{3,}}(?<![sui])s (?:of|for|to|in|on|at|from|when|before|after) (?!me\b|us\b)(?:(?! (?:is|are|was|were|has|have|had)\b).)+)"
        ),
        strict=True,
    ),
    _Form(
        "list",
        re.compile(
            rf"{_ASK}(?:run|go|walk|take) (?:me|us) through (?:all )?(?:the |our )?(?P<of>(?:steps|stages|items|points|rules|dates|names)\b.+)"
        ),
    ),
    _Form(
        "list", re.compile(r"all(?: of)? (?:the |our |my )?(?P<of>[\w&'’.-]+(?: [\w&'’.-]+){0,6})")
    ),
    _Form(
        "list",
        re.compile(
            rf"{_ASK}how (?:do|does|can|should|to|would|must) (?:(?:i|we|you|one|people|staff|they) )?(?P<how>.+?),? (?:step[- ]by[- ]step|in steps|one by one)"
            rf"|{_ASK}{_GIVE}{_ARTICLE}step[- ]by[- ]step(?: guide| list| instructions)? (?:for|to|of|on) (?P<of2>.+)"
            rf"|{_ASK}(?:the )?names of (?:(?:all|every|each) )?(?:the |our )?(?P<of3>.+)"
        ),
        strict=True,
    ),
    _Form("list", re.compile(r"(?P<of>.+?) list (?:for|of|in|this|at) .+"), strict=True),
    _Form(
        "list",
        re.compile(
            r"who(?:'s| is| are| r|s| all is| sits| is sitting| was)(?: all)? (?P<of>(?:on|in|part of|a member of|in charge of) (?:the |our )?"
            r"(?:(?:[\w&'’-]+ ){0,3}(?:board(?: of \w+)?|committee|team|group|council|panel|project|management team)))(?: then| now| at the moment)?"
        ),
        strict=True,
    ),
    _Form(
        "list",
        re.compile(
            r"(?:(?:a |the )?who(?:'s|s| is) who|who(?: all)? (?:works?|is working|sits)) (?P<of>(?:in|at|on) (?:the |our )?[\w&'’-]+(?: [\w&'’-]+){0,3}?)(?: then| now| at the moment)?"
        ),
        strict=True,
    ),
    _Form(
        "list",
        re.compile(
            rf"{_ASK}(?:who (?:are|were|r)|(?:which|what) (?:people|staff|colleagues|persons|employees|members(?: of staff)?) (?:are|were)) (?:the |our |my )?(?P<of>.+)"
        ),
        strict=True,
    ),
    _Form(
        "list",
        re.compile(rf"{_ASK}(?:what|which) (?:are|were|r) (?:the |our |my |your )(?P<of>.+)"),
        strict=True,
    ),
    _Form(
        "list",
        re.compile(
            rf"{_ASK}(?:what|which) (?P<of>(?!(?:is|was|does|has|did|are|were|do|can|should|if)\b)[^?]*?[a-z]{{2,}}(?<![su])s (?:do|does|are|have|did|were|can|must|has|is|get|belong|exist|should|will|need|require|offer|use|work|allow|include|come|apply|count|report|sit"
            r"|take|start|end|expire|run out|open|close|cost|lead|own|live|fall|hold|serve|supply|sell|provide|cover)\b.*)"
        ),
        strict=True,
    ),
)

_SPOKE: Final = re.compile(
    r"\b(?:talk(?:ed)? about|discuss(?:ed)?|decided?|agreed?|report(?:ed)?|deal(?:t)? with|look(?:ed)? at|go over)\b"
)
_WHAT_IS_SPOKEN: Final = re.compile(
    r"what (?:(?:was|were|got|is|has been) (?:discussed|talked about|covered|agreed|decided|said) (?:at|in|during|on|by) )?(?:the |our )?(?!(?:is|are|was|does|do|did)\b)(?=.)(?=(?:.*\b(?:talk(?:ed)? about|discuss(?:ed)?|decided?|agreed?|report(?:ed)?|look(?:ed)? at|go over)\b)|(?:[^ ]+ ){0,2}(?:meeting|minutes)\b)"
)
_BODY: Final = re.compile(
    r"\b(?P<body>board|committee|council|panel|assembly|directors|governors|trustees)\b(?! (?:meeting|minutes))"
)
"""Who decides something does so at a meeting."""
_IN_SHORT: Final = re.compile(
    rf"(?P<rest>.+?)(?:[?!]|,|:| -| –|\.)\s*(?:(?:just |in |a |the |an? )*(?:{_SHORT}(?:{_SUMMARY}|answer|please|pls)|short(?:ly)?|brief(?:ly)?|in (?:short|brief)|quick(?:ly)?|a nutshell|roughly)"
    r"(?: (?:version|please|pls|only|will do|is fine|enough))*)"
)
"""A wish for few words behind the question itself."""
_WHAT: Final = re.compile(r"(?:what|whats|which|who)\b")

_TAIL: Final = re.compile(
    r",?\s+(?:(?:for|to) (?:me|us)\b|please\b|pls\b|plz\b|before (?:my|the|our|i)\b|in (?:\d+|one|two|three|four|five|six|ten|a few|a couple of"
    r"|short|brief|bullets?|bullet points|plain)\b|so (?:that )?(?:i|we)\b|i need\b|i want\b|because\b|as (?:a list|bullets?|i\b)|thanks\b|thank you\b|ta\b|cheers\b"
    r"|if (?:you|possible)\b|asap\b|quickly\b|real quick\b|right now\b|at the moment\b|again\b|then$|now$|and what (?:they|each)\b"
    r"|(?:,? )?and (?:their|its|his|her|who|what|which|how much|how many|where|when|for how much)\b|with (?:their|its)\b).*$"
)
_ASKS: Final = re.compile(r"(?:who|what|which)\b")
_NOTHING: Final = frozenset(
    terms(
        "list lists it them all everything thing things item items this that these those one ones here there"
    )
)


def asked_for(question: str) -> AskedWhole | None:
    """Return the whole that a question asks for; None where it asks for anything else.

    A reply to what was asked back stands on a line below, and says more of what it is of.
    """
    first, _, replies = question.strip().partition("\n")
    if len(first) > MOST_CHARS:
        return None
    found = _compared(first) or next(_formed(_plain(first)), None)
    if found is None or not replies.strip():
        return found
    return found.model_copy(update={"of": f"{found.of} {' '.join(replies.split())}"[:MOST_OF]})


def _plain(question: str) -> str:
    """A question in small letters, without courtesies and marks at its end, its mistyped forms mended."""
    text = " ".join(_ASIDE.sub(" ", plain(question)).split()).strip(" .?!,;:…-")
    return _WORD.sub(_mended, text.lower().replace("’", "'"))


def _mended(match: re.Match[str]) -> str:
    word = match[0]
    if len(word) < _LONG or is_english(word):
        return word
    return next((known for known in _CANONICAL if is_mistyped(word, known)), word)


_BEGUN_SHORT: Final = re.compile(
    rf"(?:(?:very )?(?:briefly|shortly|quickly)|in (?:short|brief|a nutshell|(?:\w+ ){{1,3}}(?:sentences?|lines?|bullets?|points?|words))|tl;?\s?dr|{_SHORT}{_SUMMARY})"
    r"(?:,|:| -| –) (?:please )?(?P<rest>.+)"
)


def _formed(text: str) -> Iterator[AskedWhole]:
    """Yield what the forms make of it, the likeliest first."""
    if in_short := _IN_SHORT.fullmatch(text):
        inner = next(_formed(in_short["rest"].strip()), None)
        if inner and inner.kind == "summary":
            yield inner.model_copy(update={"strict": False})
            return
    if begun := _BEGUN_SHORT.fullmatch(text):
        inner = next(_formed(begun["rest"].strip()), None)
        if inner is None or inner.kind == "summary":
            of = inner.of if inner else begun["rest"].strip(" ,.;:?!")
            yield AskedWhole(kind="summary", of=of[:MOST_OF], strict=inner is None)
            return
    for form in _FORMS:
        match = form.pattern.fullmatch(text)
        if match is None:
            continue
        found = _read(form, match)
        if found is not None:
            yield found


def _read(form: _Form, match: re.Match[str]) -> AskedWhole | None:
    groups = match.groupdict()
    of = next((value for name, value in groups.items() if name.startswith("of") and value), "")
    of = _TAIL.sub("", f" {of}").strip(" ,.;:?!\"'“”")[:MOST_OF]
    if form.kind == "documents":
        each = _EACH.search(match.string) is not None
        papers = next((v for name, v in groups.items() if name.startswith("papers") and v), "")
        return _documents(of, papers, groups.get("before") or "", each=each)
    if form.kind == "summary" and (spoken := _WHAT_IS_SPOKEN.match(of)):
        of = of[spoken.end() :]
        of = " ".join(_SPOKE.sub(" ", of).split())
    if form.kind == "summary" and form.strict:
        unspoken = " ".join(_SPOKE.sub(" ", of).split())
        of = _BODY.sub(r"\g<body> meeting", unspoken, count=1) if unspoken != of else of
    if form.kind == "summary" and _WHAT.match(of):
        inner = next(_formed(of), None)
        return inner and inner.model_copy(update={"strict": inner.kind != "summary"})
    if form.kind == "list" and _ASKS.match(of):
        inner = next(_formed(of), None)
        return inner and inner.model_copy(update={"strict": False})
    if how := groups.get("how"):
        of = f"steps for {how}"[:MOST_OF]
    if form.kind == "list" and of.startswith(("on ", "in ")):
        of = f"everybody {of}"
    said = set(terms(of))
    if len(of.split()) > MOST_WORDS:
        return None
    if not said or said <= _NOTHING:
        return None
    return AskedWhole(kind=form.kind, of=of, strict=form.strict)


def _documents(of: str, papers: str, before: str, *, each: bool) -> AskedWhole | None:
    """The documents that are asked for; one alone is none, but each one is all."""
    if papers and not each and not _PAPERS_PLURAL.fullmatch(papers):
        return None
    kind = "" if not papers or _ANY_PAPERS.fullmatch(papers) else papers
    before = before if terms(before) else ""
    of = f"{before} {of}".strip()
    return AskedWhole(kind="documents", of=of, papers=kind, narrowed=bool(before))


# --- two things, or two versions of one ------------------------------------------------------

_COMPARE: Final = re.compile(
    rf"{_ASK}(?:compare|contrast|put side by side|hold against each other|(?:do|make|give me) a comparison of|comparison (?:of|between)) (?P<of>.+)"
)
_CHANGED: Final = re.compile(
    rf"{_ASK}{_GIVE}(?:list |tell me |summari[sz]e )?(?:"
    r"what(?:'s| is| has| have| was| were| all| did|s)?(?: been)?(?: all)? (?:changed|change|changes|new|different|updated)(?: (?:between|in|from|since|with|about|for|on|to))? (?P<of>.+)"
    r"|(?:what(?:'s| is| are| were)? )?(?:(?:all |all the |the |any )?(?:main |key |biggest )?(?:changes|differences?)) (?:between|btw|btwn|betw|b/w|from|in|of|to|since) (?P<of2>.+)"
    r"|how (?:does|do|did|has|have|is|are) (?P<of3>.+?) (?:changed?|differ|different|compare)(?: (?:from|to|with|since|between|over) (?P<with>.+))?"
    r"|(?:which|what) (?:things|parts|rules|points|sections?|figures|limits|rates|prices|amounts|numbers)(?: (?:have|has|are|is|were|was))?(?: been)? (?:changed|new|different|updated|gone up|risen) (?:between|in|from|since|with) (?P<of4>.+)"
    r"|what (?:did|have|do) (?:we|they|you) (?:change|changed|update|updated|revise|revised) (?:in|about|on|with|to|for) (?P<of9>.+)"
    r"|(?:all |the |any |recent |latest )*(?:updates|revisions|amendments|modifications) (?:to|of|in|on) (?P<of10>.+)"
    r"|(?:which|what) (?P<of11>prices|rates|fees|charges|figures|limits|amounts|costs|rules|numbers|allowances) (?:went|have gone|have come|came|go|got|rose|fell|have risen|are) (?:up|down|higher|lower)? ?(?P<with11>(?:from|between|since|in) .+)"
    r"|(?:is|are|was|were) there (?:a |any |some |much (?:of a )?)?(?:main |big |real )?(?:differences?|changes?) (?:between|from|in|to|since) (?P<of5>.+)"
    r"|(?:did|has|have|does) (?:anything|something|much|a lot) (?:change|changed|differ|been changed|new) (?:between|in|from|since|with|about|to) (?P<of6>.+)"
    r"|(?:has|have|did) (?P<of7>(?:the |our ).+?) (?:been )?(?:changed?|updated?|revised?)(?: (?:since|from|between|over|in) (?P<with2>.+))?"
    r"|(?:in )?(?:what|which) (?:ways?|respects?|points) (?:do|does|did|are|is) (?P<of8>.+?) (?:differ(?:ent)?|changed?|compare)(?: (?:from|to|with) (?P<with3>.+))?"
    r")"
)
_AGAINST: Final = re.compile(r"(?P<of>.+ (?:vs\.?|versus|compared (?:to|with)|against) .+)")
_BESIDE: Final = re.compile(
    r"what (?:does|do|is|are|has|have|can|will) (?P<of>[^,?]{2,60}?)(?: (?:cover|covers|covered|include|includes|included in|have|has|got|get|gets"
    r"|offer|offers|give|gives|do|come with|comes with|contain|contains|provide|provides))? (?:that|which|and) (?P<with>[^,?]{2,60}?) "
    r"(?:does(?:n't| not)|do(?:n't| not)|has(?:n't| not)|have(?:n't| not)|is(?:n't| not)|are(?:n't| not)|lacks?)(?: \w+)?"
)
"""What one of two things has and the other has not: the two are compared."""
_FRONTED: Final = re.compile(
    r"(?P<of>.+?)(?:,|:|\?| -| –)? (?:(?:what(?:'s| is| are| were)? |tell me |show me |list )?(?:the |all the |any )?(?:main |key |biggest )?(?:differences?|changes)(?: between (?:them|the two))?"
    r"|how (?:do|does|did|are|is|have|has) (?:they|it|these|those|the two|both) (?:all )?(?:differ(?:ent)?|compare|changed?)|compare(?: them| both| the two)?|compared|comparison|side by side"
    r"|what(?:'s| is| has| are)? (?:changed|different|new))"
)
"""The two things first, what is asked of them last."""
_FROM_TO: Final = re.compile(
    rf"{_ASK}(?:what(?:'s| is| did| has| have)? )?(?:(?:we|they|you) )?(?:do |does |did )?(?P<of>(?:the )?(?:new|latest|current|revised|updated) .+? (?:change|do|say|have|differently) .*(?:differently|than|from|compared).*)"
)


_VERSIONS: Final = re.compile(
    r"\b(?:chang\w*|new\w*|old\w*|versions?|v\d\w*|updated?|previous|earlier|current|policies|procedures|editions?"
    r"|last year|this year|(?:19|20)\d{2}|\d\.\d)\b"
)


_COMPARING: Final = (
    (_COMPARE, False),
    (_CHANGED, False),
    (_BESIDE, True),
    (_AGAINST, True),
    (_FRONTED, True),
    (_FROM_TO, True),
)


def _compared(question: str) -> AskedWhole | None:
    """What is compared: two things, or the versions of one."""
    text = _plain(question)
    for pattern, strict in _COMPARING:
        if match := pattern.fullmatch(text):
            groups = match.groupdict()
            told = [
                v for name, v in groups.items() if v and (name[:4] == "with" or name[:2] == "of")
            ]
            of = _TAIL.sub("", f" {' and '.join(told)}").strip(" ,.;:?!")[:MOST_OF]
            pair = sides(of)
            if set(terms(of)) - _NOTHING:
                return AskedWhole(
                    kind="compare",
                    of=of,
                    sides=pair,
                    strict=strict,
                    versions=_VERSIONS.search(text) is not None,
                )
    return None
