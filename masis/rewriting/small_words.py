"""List the small words of English questions, and the nouns and verbs that a follow-up turns on.

They are general English: what a workspace is about stands in no list.
"""

import re
from functools import lru_cache
from typing import Final

from masis.text.grammars.calendar import DAYS_AND_MONTHS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DETERMINERS: Final = _words(
    """a an the my our your his her its their this that these those any some each every all both
    another no such whose many much more most less few several enough"""
)
POSSESSIVE_PRONOUNS: Final = _words("his her hers its their theirs")
PREPOSITIONS: Final = _words(
    """in on at for to from by with without about into onto over under after before during since
    until till through between among against within per as than like near around across beside
    besides except versus vs above below behind beyond via up off out outside inside towards
    toward despite regarding concerning upon"""
)
AUXILIARIES: Final = _words(
    """is are was were be been being am do does did has have had can could may might must shall
    should will would isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't can't
    cannot couldn't mustn't shouldn't won't wouldn't isnt arent wasnt werent dont doesnt didnt
    hasnt havent cant couldnt shouldnt wont wouldnt ain't gonna"""
)
BE: Final = _words("is are was were be been being am isn't aren't wasn't weren't isnt arent wasnt")
WH: Final = _words("what who whom whose which when where why how")
SUBJECTS: Final = _words("i you we he she it they one someone somebody anyone anybody everyone")
"""Pronouns that stand before a verb."""
PERSONAL: Final = _words(
    """i you we he she it they me us him her them one ones someone somebody anyone anybody everyone
    everybody something anything nothing everything myself yourself himself herself itself
    themselves ourselves mine yours ours hers theirs nobody"""
)
CONJUNCTIONS: Final = _words(
    "and or but so if because while although though unless whether nor plus &"
)
ADVERBS: Final = _words(
    """not never always often also too still already again just only even ever now then here there
    today tomorrow yesterday soon later together apart instead first currently really actually
    originally exactly very quite so far else away ahead back typically usually normally generally
    maybe perhaps please well yet once twice btw lol tho though anyway"""
)
IMPERATIVES: Final = _words(
    "tell describe explain list show give compare name summarise summarize find define say"
)

RELATIONS: Final = _words(
    """symptom cause effect role type kind form sort part advantage disadvantage benefit drawback pro
    con difference similarity example source origin history purpose significance importance impact
    implication influence meaning definition property characteristic feature function use usage
    author founder inventor creator director leader owner member character theme plot invention
    appearance origin population capital size length height weight width depth age name number
    cost price fee charge rate salary budget limit maximum minimum cap threshold amount total share
    deadline date duration period term notice start end beginning expiry step process procedure
    stage phase requirement condition criterion criteria exception penalty fine consequence result
    outcome finding conclusion recommendation reason argument criticism controversy risk danger
    problem issue challenge solution treatment cure alternative option rule content ingredient
    component layer version model colour color location address status level degree percentage
    average value target goal aim responsibility duty task contact manager head boss birthday
    extension percent background reaction response support sign way method approach
    figure forecast increase decrease change trend competitor rival
    validity capacity speed temperature pressure torque form
    variety breed species moment highlight fact downside upside implication element aspect
    achievement accomplishment ability application belief basis career cast category climate
    component concept connection contribution culture currency custom definition density descendant
    design diet discovery distribution economy environment evidence evolution experience explanation
    extent failure fate future growth habitat heritage identity income inhabitant inspiration
    legacy limitation mechanism merit mission motive nature objective opponent opposition pattern
    performance personality philosophy popularity position potential principle prevalence prognosis
    prospect proportion protagonist quality range recipe relevance religion remedy reputation
    response restriction reward root scope shortcoming strategy strength structure style success
    successor symbol technique tendency timeline tradition trait trigger variant variation victim
    volume vulnerability weakness worth purpose prerequisite precaution obligation qualification
    entitlement subscription complication indication diagnosis moral message
    award review rating sequel prequel ending relationship relation comparison lifespan lesson
    warranty guarantee rent tax"""
)
"""Nouns that are of something: alone they leave out of what."""
TAKING_FOR: Final = _words(
    """deadline limit budget form process procedure fee charge penalty reason support notice cap
    requirement condition rule exception threshold maximum minimum treatment cure solution target
    alternative argument forecast contact"""
)
PLAIN_MODIFIERS: Final = _words(
    """main key common most first last other different similar best better new old current exact
    total maximum minimum good bad popular major important many various typical usual normal
    average biggest largest highest lowest smallest greatest next previous early earliest latest
    late possible short long long-term short-term short-run main positive negative famous notable
    modern general basic real full whole side second third final overall only same specific certain
    worst interesting actual original primary principal"""
)
"""Adjectives that do not tell of what a relation is."""

DEGREES: Final = _words(
    """long fast often big old late high far soon early deep heavy tall wide good bad safe quickly
    large small loud hot cold"""
)
"""What "how" asks the degree of."""
PEOPLE: Final = _words(
    """people staff employee worker colleague contractor freelancer temp intern trainee apprentice
    manager director officer ceo cfo coo cto chair chairman president boss head lead leader owner
    supervisor engineer technician driver nurse doctor teacher student pupil visitor guest customer
    client supplier buyer tenant member volunteer user admin administrator parent child woman man
    author founder inventor singer actor player king queen minister starter joiner leaver part-timer
    full-timer consultant agent assistant accountant auditor lawyer team person partner wife husband
    mother father son daughter applicant candidate caller patient dog-owner operator resident
    everyone everybody part-timers full-timers timer secretary analyst developer baker host landlord"""
)
PERIODS: Final = (DAYS_AND_MONTHS - {"mar"}) | _words(
    """year years month months week weeks day days quarter quarters weekend weekends today tomorrow
    yesterday night morning afternoon evening summer winter spring autumn
    christmas easter q1 q2 q3 q4 h1 h2 century decade yr yrs mth mths wk wks noon midnight holidays"""
)
PLACES: Final = _words(
    """office site depot building room factory warehouse store branch shop plant works hall floor
    kitchen canteen garage laboratory lab yard campus school ward clinic library studio workshop"""
)
"""Where something is."""
VAGUE: Final = _words(
    """thing things something anything way ways people person someone somebody kind type sort lot
    bit place one ones everyone time times much many case cases fact facts stuff difference
    information info detail details question number example order matter meantime trouble hassle fuss
    advance luck"""
)
"""Nouns that are hardly what a thread is about."""
COLLECTIVES: Final = _words(
    """competition management team board company firm council union committee department crew staff
    press police landlord bank family public"""
)
"""Of which one is "they" as well."""

_VERBS: Final = _words(
    """accept access achieve acquire act add affect afford agree allow appear apply approve arrange
    arrive ask attend attract award avoid bake ban be become begin believe belong bill book borrow
    break bring build buy calculate call cancel carry catch cause change charge check choose claim
    clean close collect come commute compare complain complete comply compost connect contain
    continue contribute control cook cost count cover create cut damage deal decide declare deduct
    define deliver depend describe develop die differ discover discuss disagree dispose divide do drink
    drive drop earn eat employ enable end engage ensure enter escalate exceed exist expect expire
    explain export extend fail fall feel file fill find finish fit fix fly follow forget fund gain
    get give go grow handle happen hack have heal hear help hire hold hurt impact import improve
    include increase inform inspect install insure invent invest invite involve issue join keep
    kick kill know last lead answer learn leave lend let like live look lose maintain make manage matter
    mean measure meet miss mix move need negotiate occur offer open operate order organise own
    park pay perform pick plan play prefer prepare prevent process produce promote protect prove
    provide publish purchase put qualify raise reach read receive recommend recover recycle
    reduce refer refund refuse register reject relate release remain remove renew rent repair
    repay replace reply report represent request require reset resign resolve respond rest
    retire return reverse review run save say schedule search see sell send serve set share show
    sign sit sleep smoke solve speak spend split spoil spread stand start stay stop store submit
    suffer supply support suspend switch take talk teach tell terminate test think tighten track
    train transfer transport travel treat try turn update upgrade use visit vote wait walk want
    warn wash wear weigh win work write"""
)
_AS_NOUNS: Final = _words(
    """access act answer award bill book break call cause change charge check claim cost count cover cut
    damage deal drink drive drop end export file fit form fund help hire hold impact import increase
    issue lead leave like look matter measure move need offer order park pay plan play process
    purchase raise read refund register release rent repair reply report request reset rest return
    reverse review run save search set share show sign sleep smoke spread stand start stay stop
    store supply support switch talk test track train transfer transport travel treat try turn
    update upgrade use visit vote wait walk wash win work control contract file fly"""
)
"""Verbs that are as often nouns."""
_PAST: Final = _words(
    """became began bought broke brought built came caught chose cut did done died drank drunk drove
    driven ate eaten fell fallen felt found flew flown forgot gave given got went gone grew grown
    had heard held hurt kept knew known led left lent went lost made meant met paid put ran read said saw
    seen sold sent set shown slept spoke spoken spent stood swore sworn taught told thought took
    taken wore won wrote written withdrawn published called named used allowed planned been hit lit"""
)
GERUND_NOUNS: Final = _words(
    """parking training meeting working opening drinking building cleaning living running planning
    booking reporting marketing operating processing hiring shipping spending testing writing"""
)
"""Forms of verbs that stand before a noun as a part of its name."""
_VERB_ENDING: Final = re.compile(r"(?:ies|es|s|ied|ed|d|ing)$")
ADJECTIVES: Final = _words(
    """bad good safe late early open closed valid final wrong right due ready free important same
    different available common popular similar true ok okay high low expensive cheap hard easy
    mandatory compulsory optional legal illegal allowed responsible possible necessary required
    provisional effective eligible entitled depressed secure young old younger older big bigger
    small smaller long longer short shorter enough full empty new able better worse higher lower
    healthy harmful treatable ethical contagious red native bad-tempered famous married"""
)
COMPARATIVES: Final = _words(
    """lighter heavier cheaper dearer faster slower larger smaller bigger stronger weaker wider
    narrower taller thicker thinner earlier later nearer closer safer easier harder cleaner quicker
    warmer colder hotter louder quieter deeper richer poorer costlier older newer younger longer
    shorter higher lower better worse greater fewer"""
)
"""How two things compare: of one of them nothing is told by it."""
_ADJECTIVE_ENDING: Final = re.compile(r"(?:able|ible|ful|ous|less|ical|ed|ive)$")
_SUPERLATIVE: Final = re.compile(
    r"(?:[a-z]{2,}est|first|second|third|fourth|last|latter|former|other|worst|best)$"
)
_NO_SUPERLATIVE: Final = _words(
    "test rest interest request guest west best-practice forest protest invest honest quest digest contest latest-known pest nest chest harvest"
)


def is_verb(word: str) -> bool:
    """Tell whether a word can be a verb, in any of its forms."""
    return word in _VERBS or word in _PAST or bool(_base(word))


def is_plain_verb(word: str) -> bool:
    """Tell whether a word is a verb that is seldom a noun."""
    if word.endswith("ed"):
        return is_verb(word)
    return is_verb(word) and word not in _AS_NOUNS and _base(word) not in _AS_NOUNS


def is_participle(word: str) -> bool:
    """Tell whether a word is what "is" makes of a verb: made, closed."""
    return word in _PAST or (word.endswith("ed") and bool(_base(word)))


def _base(word: str) -> str:
    """The verb that a form is of, or nothing."""
    match = _VERB_ENDING.search(word)
    if match is None:
        return ""
    stem = word[: match.start()]
    for base in (stem, f"{stem}e", f"{stem}y", stem[:-1] if stem[-1:] == stem[-2:-1] else stem):
        if base in _VERBS:
            return base
    return ""


def is_adjective(word: str) -> bool:
    """Tell whether a word is an adjective that may stand behind "is"."""
    return word in ADJECTIVES or word in COMPARATIVES or _ADJECTIVE_ENDING.search(word) is not None


def is_superlative(word: str) -> bool:
    """Tell whether a word picks one of several: largest, first, other."""
    return word not in _NO_SUPERLATIVE and _SUPERLATIVE.fullmatch(word) is not None


@lru_cache(maxsize=4096)
def singular(word: str) -> str:
    """Return a noun without the ending of its plural, as far as a rule tells."""
    if word in {"people", "staff", "criteria", "children", "women", "men"}:
        return {"children": "child", "women": "woman", "men": "man"}.get(word, word)
    if len(word) < 4 or word.endswith(("ss", "us", "is")):  # noqa: PLR2004
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("ses", "xes", "ches", "shes", "zes")) and not word.endswith(
        ("auses", "oses", "enses", "ases", "rses", "uses")
    ):
        return word[:-2]
    return word.removesuffix("s")


def is_plural(word: str) -> bool:
    """Tell whether a noun is of several."""
    return singular(word) != word or word in {
        "people",
        "staff",
        "criteria",
        "children",
        "women",
        "men",
    }


RULES: Final = frozenset(
    "policy rule procedure process guideline guidance regulation limit allowance rate deadline".split()
)
"""What tells of other things: who gets "one" after "the policy on gifts" gets a gift."""
