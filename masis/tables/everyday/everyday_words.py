"""Everyday words for operations, business measures, states and rows: what they are called in a table, as data."""

import re
from typing import Final, NamedTuple

from masis.text.grammars.recency import NEWEST
from masis.values.tabular import ColumnType, Operator


def _asks(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# --- how something is asked for ------------------------------------------------------------------

NUMBER_WORDS: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100,
}  # fmt: skip
_NUMBERS: Final = "|".join(NUMBER_WORDS)
COUNTED_WORD: Final = _asks(
    rf"\b(?P<word>{_NUMBERS})(?=(?: (?:%|percent|per cent|[a-z]+))? or (?:more|better|above|over|higher|longer|less|fewer|under|below)\b)"
    rf"|(?<=\bover )(?P<over>{_NUMBERS})\b|(?<=\bunder )(?P<under>{_NUMBERS})\b|(?<=\bthan )(?P<than>{_NUMBERS})\b|(?<=\bleast )(?P<least>{_NUMBERS})\b"
)
"""A number in words where it is compared with."""
_AMOUNT: Final = r"(?P<amount>[£$€]?\d[\d.,]*(?:k|m)?)(?P<unit> ?(?:%|percent|per cent|[a-z]+))?"
_WAYS: Final = r"(?:at least|at most|over|under|above|below|more than|less than|exactly)"
_SPAN: Final = r"(?:month|quarter|year|week|day)"
_GOOD: Final = r"(?:best|top|biggest|strongest|highest|largest|busiest|record)"
_BAD: Final = r"(?:worst|weakest|lowest|smallest|poorest|quietest)"
_NEWCOMER: Final = r"(?:joiner|starter|recruit|hire|new hire|employee|colleague|member of staff)"
_LINK: Final = r"(?: (?:ever|yet))?(?: (?:for us|we (?:ever )?had|so far))?(?: (?:in|by|for|on|in terms of))?(?: our| the)?(?![\w-])"
PHRASES: Final = (
    (_asks(r"^.*?(?:\.{2,}|…|,| [-–]) ?(?:no|nah|wait|oops),? (?:sorry|wait|scrap that|i mean(?:t)?),? (?=(?:who|what|which|how|when|list)(?:['’]?s)?\b)"), ""),
    (_asks(r"^(?P<kept>.*\b(?:from|for|of|by|in|to|at)) (?:the )?[\w ]{2,30}?(?:\.{2,}|…|,| [-–]) ?(?:no |sorry |wait )*(?P<meant>[\w][\w ]{1,30}?),? i mean(?:t)?$"), r"\g<kept> \g<meant>"),
    (_asks(r",? ?\bi mean(?:t)?\b,?"), ""),
    (_asks(r"^(?:so |and |hi |hey |please |pls |ok |well )+"), ""),
    (_asks(r"^(?!(?:how|which|what|who|top)\b)(?!.*\b(?:most|least|best|worst|highest|lowest|biggest|smallest)\b)(?P<what>[^,]+?),? (?:how many|how much)(?: (?:is|was|are|were) (?:that|it|there))?(?: in (?:total|all)| altogether)?$"), r"how many \g<what>"),
    (_asks(r"\((?P<aside>(?:after|before|without|with|excluding|including|net of|less|in|by|at|from|since)\b[^()]{1,40})\)"), r"\g<aside>"),
    (_asks(r"\b(?P<what>value|amount|worth|money)(?P<when> (?:in |of |for |during )?(?:[hq][1-4] )?(?:19|20)\d{2}),? +(?P<aside>(?:after|before) (?:the |all |any )?(?:discount|rebate)s?)\b"), r"\g<what> \g<aside>\g<when>"),
    (_asks(r"^add up (?:the |all )*"), "total "),
    (_asks(r"\b(?:the )?first (?:two|2) quarters(?: of| in)? (?P<year>(?:(?:19|20)|')?\d{2})\b"), r"q1 to q2 \g<year>"),
    (_asks(r"\b(?:the )?first (?:three|3) quarters(?: of| in)? (?P<year>(?:(?:19|20)|')?\d{2})\b"), r"q1 to q3 \g<year>"),
    (_asks(r"(?:[,?]| and| &) (?:which ones?|which|what|who|whose (?:was|is) (?:it|that)|(?:to|for|from|by) wh(?:om|ich)|who (?:to|for|from)|who \w+ (?:it|that|them)|since when|from when|when|where|how (?:much|many)(?: each| was it| is it)?)(?: (?:and|&|n) how (?:much|many))?$"), ""),
    (_asks(r"^(?P<what>how many .+? (?:did|has|have|does|do) .+?) (?:order(?:ed)?|buy|bought|take|taken|get|got|had)(?: (?:off|from) us)?$"), r"\g<what>"),
    (_asks(r"\bmost recently\b"), "latest"),
    (_asks(rf"\b(?:{NEWEST}) {_NEWCOMER}s?\b|\bwho (?:joined|started) (?:us )?(?:last|latest)\b(?! (?:week|month|year|quarter))"), "latest joined"),
    (_asks(r"\bhow many times (?:did|has|have|had) (?:somebody|someone|anybody|anyone|they|we|people)\b"), "how many rows with"),
    (_asks(r"\bhow many of (?:the|our|us|those|these|them|all)\b"), "how many"),
    (_asks(rf"\b{_AMOUNT} or (?:more|better|above|over|higher|longer|greater|up(?:wards)?)\b"), r"at least \g<amount>\g<unit>"),
    (_asks(rf"\b{_AMOUNT} or (?:less|fewer|under|below|lower|shorter)\b"), r"at most \g<amount>\g<unit>"),
    (_asks(r"(?<=\d)(?: ?\+| plus)(?=\s|$)"), " or more"),
    (_asks(r"\b(?P<amount>\d[\d.,]*k?) ?euros?\b"), r"€\g<amount>"),
    (_asks(r"\b(?P<amount>\d[\d.,]*k?) ?(?:pounds|quid)\b"), r"£\g<amount>"),
    (_asks(r"\b(?P<amount>\d[\d.,]*k?) ?dollars?\b"), r"$\g<amount>"),
    (_asks(r"\b(?:any|every)(?:body|one|thing) (?:but|except|other than|apart from|bar)\b|\bfor all but\b"), "except"),
    (_asks(r"\b(?:leaving out|leave out|not counting|not including|minus|bar|aside from)\b"), "except"),
    (_asks(r"\b(?:no|zero) (?P<what>[\w ]+?) (?:whatsoever|at all|of any kind)\b"), r"no \g<what>"),
    (_asks(r"\bno (?:amount|value|figure|number|entry|date) in (?:the|their) (?P<what>\w+)(?: column| field)?\b"), r"no \g<what>"),
    (_asks(r"\b(?:in one go|at once|in a single (?:order|go)|at a time|in one order)\b"), ""),
    (_asks(rf"\b(?P<way>{_WAYS}) (?P<amount>\d[\d.]*) ?(?:%|percent|per cent|pct)(?: discount| off)+(?!\w)"), r"discount \g<way> \g<amount>"),
    (_asks(r"\bin (?P<year>(?:19|20)\d{2}) (?:or|and) (?:later|after|since|onwards?|newer)(?: that| then)?\b"), r"since \g<year>"),
    (_asks(r"\b(?:in )?(?P<year>(?:19|20)\d{2}) or (?:earlier|before)(?: that| then)?\b"), r"until \g<year>"),
    (_asks(rf"\b(?:what|which) (?P<span>{_SPAN}) (?:was|is|were|did we have) (?:the |our )?{_GOOD}{_LINK}"), r"which \g<span> has the highest"),
    (_asks(rf"\b(?:what|which) (?P<span>{_SPAN}) (?:was|is|were|did we have) (?:the |our )?{_BAD}{_LINK}"), r"which \g<span> has the lowest"),
    (_asks(rf"^(?:(?:what|which)(?:['’]?s| is| was)? )?(?:the |our )?{_GOOD} (?P<span>{_SPAN}){_LINK}"), r"which \g<span> has the highest"),
    (_asks(rf"^(?:(?:what|which)(?:['’]?s| is| was)? )?(?:the |our )?{_BAD} (?P<span>{_SPAN}){_LINK}"), r"which \g<span> has the lowest"),
    (_asks(r"^what (?:did|do|does|have|has) (?P<what>.+?) (?:come to|add up to|amount to|sum to|run to)\b"), r"total \g<what>"),
    (_asks(r"^what (?:did|do|does|have|has) (?P<what>.+?) cost(?: us| me)?(?: in| on)? (?P<cost>[\w-]+)"), r"total \g<cost> \g<what>"),
    (_asks(r"^what(?:['’]?s| is| are) (?:everything|all)(?: the [a-z]+)? (?P<what>(?:in|at|from|by|of) .+?) worth\b"), r"total worth \g<what>"),
    (_asks(r"^how much (?:did|does|do|has|have) (?P<what>.+?) (?:bring in|brought in|bring us|pulled? in|make us)\b"), r"total earnings \g<what>"),
    (_asks(r"\b(?:brought|brings?|bring|pulled) in (?:the )?most(?: money| cash)?\b"), "has the highest earnings"),
    (_asks(r"\bhow much of (?:the |our )?(?P<what>[\w ]+?) (?:is|are|was|were|has been|have been|do we have) (?P<state>left|unspent|remaining|unused)\b(?: over)?"), r"total \g<state> \g<what>"),
    (_asks(r"\b(?:been )?(?:with us|here|around|with the (?:company|firm)) (?:the )?longest\b|\blongest[- ]serving\b"), "earliest joined"),
    (_asks(r"\b(?:best|highest)[- ]paid\b"), "highest salary"),
    (_asks(r"\b(?:worst|lowest|least)[- ]paid\b"), "lowest salary"),
    (_asks(r"^(?:(?:what|who|which)(?:['’]?s| is| was)? )?(?:the |our )?(?:best|highest|top)[- ]rated (?P<what>\w+)"), r"which \g<what> has the highest average rating"),
    (_asks(r"^(?:(?:what|who|which)(?:['’]?s| is| was)? )?(?:the |our )?(?:worst|lowest)[- ]rated (?P<what>\w+)"), r"which \g<what> has the lowest average rating"),
    (_asks(r"^what (?:did|do|have|has) (?:we|they) (?:invoiced?|bill(?:ed)?|charged?|earn(?:ed)?|take|taken) (?=in|from|during|last|this|to)"), "total earnings "),
    (_asks(r"^what(?:['’]?s| is)(?: still)? (?P<state>left|unspent|remaining|owed|outstanding)\b(?: over)?"), r"total \g<state>"),
    (_asks(r"^(?P<what>.+?),? (?:please )?list (?:them|these|those)(?: all)?$"), r"list \g<what>"),
    (_asks(r"\b(?:money|cash|capital) tied up(?: in)?\b"), "worth"),
    (_asks(r"\bmost (?:valuable|worth)\b"), "highest worth"),
    (_asks(r"\b(?:have|has|had|do|does|did) (?:we |you |they )?(?:got )?the most worth\b"), "highest worth"),
    (_asks(r"\bthe most worth\b"), "highest worth"),
    (_asks(r"\b(?:each|apiece|a piece|per piece|per unit)$"), ""),
    (_asks(r"\b(?:over|in|for|during) the whole(?: of)?(?: the)?\b"), "in all of"),
    (_asks(r"\bin all\b(?! of)"), "altogether"),
    (_asks(r"\b(?:plain|simple|straight|rough) (?=average|mean)"), ""),
)  # fmt: skip
"""Ways to ask, and how the grammar has them: whatever is asked, of whatever table."""

OF_THREAD: Final = _asks(
    r"\b(?:they|them|he|she)\b|(?<!the )(?<!in )\b(?-i:it|It)\b|\b(?:did|do|does|was|is|were|are|has|have) (?:that|those|these)\b|\b(?:that|those|these)$"
)
"""Words for what was spoken of before: such a question is none of a table's rows."""
TERMS: Final = _asks(r"\b(?:min(?:imum)?|max(?:imum)?)\.? (?:order|spend|charge|stay)\b")
"""What a rule sets, and no row."""
LIGHT: Final = frozenset(
    """
    ppl us them ever whatsoever altogether somebody someone anybody anyone go goes going went through give gives gave given get gets getting
    order ordered orders buy bought take took have has had been came come make makes made do did done put write wrote
    written send sent sell sold expect expects expected hold held keep kept off out there here actually really roughly
    about then again still yet already just even too please everything anything something both sorts sort kinds kind type sit sits sitting
    types listed doing done got gotten run running runs serve account accounts happened needed need so
    """.split()
)
"""Words that say nothing which a table could hold, once what they stand with was read."""

COUNTS_NEXT: Final = _asks(r"\b(?:how many|numbers? of|total|most|fewest)(?: of)?(?: the| our)? $")
"""Stands before what is counted, which is never a word that says nothing: "how many orders"."""

# --- what is measured ----------------------------------------------------------------------------


class Concept(NamedTuple):
    """A business measure or attribute: the words for it, and the stems of what columns call it."""

    type: ColumnType
    said: frozenset[str]
    named: frozenset[str]


def _concept(type_: ColumnType, said: str, named: str) -> Concept:
    return Concept(type_, frozenset(said.split()), frozenset(named.split()))


CONCEPTS: Final = (
    _concept("number", "discount discounts reduction reductions rebate rebates", "discount rebate reduction"),
    _concept("number", "chance chances likelihood odds probability probable", "probability chance likelihood"),
    _concept("number", "salary salaries pay paid wage wages earn earns earning", "salary pay wage compensation remuneration"),
    _concept("number", "rating ratings score scores stars satisfaction marks", "rating score stars satisfaction csat"),
    _concept("number", "pieces units quantity qty volume amount", "qty quantity units pieces volume"),
    _concept("number", "stock shelf hand holding stocked", "hand stock holding inventory"),
    _concept("number", "turnover revenue sales invoiced billed billing earnings income takings", "revenue turnover sales net"),
    _concept("number", "booked bookings", "intake bookings"),
    _concept("number", "cost costs costing price prices apiece charged", "cost price"),
    _concept("number", "budget budgeted planned", "budget planned"),
    _concept("number", "spent spend spending", "spent spend actual"),
    _concept("number", "age old", "age"),
    _concept("date", "joined started hired begun joining starting employed", "hired joined start started joining hire entry"),
    _concept("date", "closed resolved solved fixed finished completed", "closed resolved solved completed finished"),
    _concept("date", "opened raised logged reported submitted created", "opened created reported raised logged submitted"),
    _concept("date", "issued invoiced billed", "issued invoiced"),
    _concept("date", "paid settled", "paid settled payment"),
    _concept("date", "due", "due deadline"),
    _concept("date", "counted checked inspected audited", "counted checked inspected audited"),
    _concept("text", "customer customers client clients buyer buyers", "customer client buyer"),
    _concept("text", "supplier suppliers vendor vendors", "supplier vendor"),
    _concept("text", "product products article articles", "product article item sku code"),
    _concept("text", "office offices location locations branch branches site sites", "office site location branch"),
    _concept("text", "team teams department departments dept depts", "team department dept"),
    _concept("text", "warehouse warehouses depot depots", "warehouse depot"),
)  # fmt: skip

BUDGETS: Final = frozenset("budget planned plan allowance allotted".split())
SPENDS: Final = frozenset("spent spend actual used".split())
INCOME: Final = frozenset("revenue turnover sales earnings income takings sold earned".split())
QUANTITIES: Final = frozenset("qty quantity units pieces hand".split())
TAXES: Final = frozenset("vat tax gst".split())
OUTLAYS: Final = frozenset(
    "salary pay wage compensation budget planned spent spend cost expense fee".split()
)
"""Stems of columns of money that nobody brings in."""
VALUES: Final = frozenset("value amount total net gross revenue turnover sum worth sales".split())
"""Stems of columns that say themselves what a row is worth: none is calculated beside them."""

STRONG: Final = _asks(
    r"\b(?:(?:best|worst|highest|lowest|top|least)[- ](?:paid|rated)|longest[- ]serving|tied up|brought in (?:the )?most|overspent)\b"
    r"|\b(?:been )?(?:with us|here|around) (?:the )?longest\b"
)
"""Idioms that mean something else than their words do one by one."""
EARNED: Final = _asks(r"\b(?:earnings|worth|owed|owing)\b")
SIZE: Final = _asks(r"\b(?:sizes?|values?|amounts?)\b")
SIZED: Final = _asks(
    r"\b(?P<way>biggest|largest|smallest|highest|lowest)(?: single)?(?= (?P<noun>\w+))"
)
"""Money that is asked for without a column's name."""
LINE_VALUE: Final = _asks(
    r"\b(?:(?:(?:order|sales|net|line|total) ){0,2}(?:value|amount|money|worth)s? )?(?:after|net of|less|without|minus|once) (?:the |all |any )?(?:discounts?|rebates?)(?: (?:are|is|were|was) (?:off|taken off|gone|deducted|in))?\b"
    r"|\b(?:order|sales|line|stock|net) values?\b|\b(?:by|in) (?:value|money|amount)\b|\bworth\b|\bearnings\b"
)
LIST_VALUE: Final = _asks(
    r"\b(?:(?:order |sales )?(?:value|amount|worth) )?(?:at list(?: prices?)?|before (?:the |any )?discounts?)\b|\b(?:list|gross) values?\b"
)
REMAINDER: Final = _asks(
    r"\b(?:left over|left|unspent|still available|remaining|unused|not (?:yet )?(?:been )?spent|(?:has|have)(?:n['’]?t| not) (?:yet )?been spent(?: yet)?)\b"
)
SIDES: Final = _asks(
    r"\b(?:more|less|fewer|better|worse)\b.+\b(?:or|than)\b|\b(?:against|versus|vs)\b"
)
OVERSPENT: Final = _asks(r"\b(?:overspent|overspend|overspending|overran|overrun)\b")
WHOLE_YEAR: Final = _asks(
    r"\b(?:in all of|over all of|all of|in|for|over|during) (?P<year>20\d{2})\b|\b(?:whole|entire|full) year\b"
)

NEXT_YEAR: Final = _asks(
    r"\b(?:in |for |over |during )?(?:the )?(?P<which>this|last|next|coming) year\b"
)
OF_YEAR: Final = _asks(r"\b(?:of |in |for )?(?P<which>this|last) year\b")
FORECAST: Final = _asks(
    r"\b(?:(?:do|did|have|are|is|was|were) (?:we |they )?)?(?:forecast(?:ed)?|projected|predicted)\b"
)
"""What a table is of that is called so, where its rows are asked for."""
WHO: Final = _asks(r"^who(?:['’]?s)?\b(?!.*\bheads? (?:of|in|at)\b)")
"""The head of a team is none of its people alike."""
EACH_SPAN: Final = _asks(r"\b(?:per|by|each|every) (?:day|week|month|quarter|year)\b")
ROSE: Final = _asks(
    r"\b(?:(?:has |have )?(?:gone|went|go|goes) up|rose|risen|(?:has |have )?increased|got (?:dearer|more expensive))\b"
)
FELL: Final = _asks(
    r"\b(?:(?:has |have )?(?:gone|went|go|goes) down|fell|fallen|(?:has |have )?(?:dropped|decreased)|got cheaper)\b"
)
"""A change between two columns of years, of which each row has one."""
PERCENT: Final = _asks(rf"\b(?P<bound>{_WAYS} \d[\d.]*) ?(?:%|percent|per cent|pct)(?!\w)")
WHOLE: Final = _asks(r"^(?:whole|total|overall|entire|grand)\b|\btotal$")
"""Values of rows that are the sum of others."""

# --- states of a row -----------------------------------------------------------------------------


class State(NamedTuple):
    """A state that a row is in: words for it, and the columns by which it is known.

    `date` are stems of a date that is blank in it; `number` those of a number that compares so with `value`;
    `past` says that a date called by it is over as well.
    """

    said: re.Pattern[str]
    date: frozenset[str] = frozenset()
    past: frozenset[str] = frozenset()
    number: frozenset[str] = frozenset()
    operator: Operator = "is"
    value: str = ""


_CLOSED: Final = frozenset("closed resolved solved completed finished".split())
_PAID: Final = frozenset("paid settled payment".split())
STATES: Final = (
    State(_asks(r"\b(?:overdue|past due|(?:is|are|['’]s|who['’]?s|whos) late(?: (?:with )?(?:paying|payment)(?: us)?)?|late (?:with paying|paying|with payment|on payment)(?: us)?)\b"), date=_PAID | _CLOSED, past=frozenset({"due", "deadlin"})),
    State(_asks(r"\b(?:(?:still |currently )?(?:unpaid|unsettled|owed|owing)|(?:still |currently )outstanding|outstanding)\b"), date=_PAID),
    State(_asks(r"\b(?:still |currently )?(?:open|unresolved|unsolved|pending|unfinished)\b"), date=_CLOSED),
    State(_asks(r"\b(?:less than full[- ]time|not full[- ]time|part[- ]timers?|part[- ]time)\b"), number=frozenset({"fte"}), operator="below", value="1"),
    State(_asks(r"\bfull[- ]tim(?:e|ers?)\b"), number=frozenset({"fte"}), operator="is", value="1"),
)  # fmt: skip
NOT_DONE: Final = _asks(
    r"\b(?:(?:that |which )?(?:have|has|had|are|is|were|was)(?:n['’]?t| not)(?: yet)?(?: been)?|not (?:yet )?been|never(?: been)?|yet to be) (?P<done>[a-z]+)(?: yet| so far)?\b"
)

DENIED: Final = _asks(r"\b(?:no|not|never|without|except|excluding|none)\b|n['’]t\b")

# --- rows ------------------------------------------------------------------------------------------

ROW_NOUNS: Final = (
    frozenset("ticket issue problem request incident fault".split()),
    frozenset("order purchase".split()),
    frozenset("invoice bill".split()),
    frozenset(
        "people person folk employee staff colleague worker roster headcount personnel somebody ppl".split()
    ),
    frozenset("item article product sku thing stock part good".split()),
    frozenset("deal opportunity".split()),
    frozenset("project".split()),
)
"""Words, one for another, for what rows are of."""
REMARKS: Final = frozenset({"remark", "note", "comment", "address"})
ENDS: Final = frozenset({"end", "ending", "ended", "of", "the", "financial", "fiscal"})
"""Words beside a stretch of time in the name of the rows' own: "quarter end"."""
SPANS: Final = frozenset("quarter month year week period day".split())
PEOPLE: Final = frozenset("people person persons folk folks ppl salesperson salespeople rep reps".split())  # fmt: skip

COMPARED_WITH: Final = _asks(
    r"\b(?P<way>below|under|less than|fewer than|lower than|short of|above|over|more than|higher than|beyond)(?: (?:their|its|the|our|his|her|own))* (?=[a-z])"
)
LOWER: Final = frozenset({"below", "under", "less than", "fewer than", "lower than", "short of"})

# --- what is said of a reading -------------------------------------------------------------------

TOOK: Final = "I took “{said}” for “{name}”."
WENT_BY: Final = "I went by “{name}”."
CALLED: Final = "I took “{said}” for {name} “{values}”, which {source} calls so."
OF_COLUMN: Final = "I took “{said}” to be said of {name}."
IN_STATE: Final = "I took “{said}” for rows where {condition}."
CALCULATED: Final = "{name} is calculated of each row."
LATEST: Final = "I took {said} of {year}."
SMALL_VALUE: Final = "I took “{said}” for “{value}”."
ALL_OF_TABLE: Final = "The table has no rows in {asked}; I took {taken}, of which all its rows are."
