"""Say a follow-up on figures as a question that stands alone: the earlier one with one slot changed."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from masis.calculating import asked_grammar as grammar
from masis.calculating import asked_shape
from masis.calculating.asked_calculation import Wanted, about, named, wanted
from masis.calculating.charts.asked_display import Display, asked_display
from masis.conversation import HEARD, Exchange
from masis.domain import Period
from masis.text.periods import before, name, periods, without_periods

MOST_WORDS: Final = 16
"""Of a follow-up; what is longer says itself what it asks for."""

_SMALL: Final = frozenset(
    "and but also so then now or what whats how about in for of the a an is was were it that this please pls"
    " same again ok okay to from as on by with just only give show me us make can could you i we have get"
    " want put them those these".split()
)
_PERCENT_ONLY: Final = re.compile(
    r"\b(?:in|as a?) ?(?:%|per ?cent|percentage|percentages)(?! ?points?)|^\W*(?:%|percent)\W*$",
    re.IGNORECASE,
)
_POINTS_ONLY: Final = re.compile(r"\b(?:in )?(?:percentage points|pp|%-points)\b", re.IGNORECASE)
_AMOUNT_ONLY: Final = re.compile(
    r"\b(?:in (?:pounds|euros?|money|absolute (?:terms|numbers|figures)|£|€|\$)|absolute(?:ly)?|as an amount)\b",
    re.IGNORECASE,
)
_THAT: Final = re.compile(
    r"\b(?:is|are|was|were|would) (?:that|this|it|those|they)\b|\b(?:that|this|it)(?: is|'s)?\b(?=[^?.]*\b(?:than|on|against|compared|to|as|from|for)\b)|\bwhat ?s that\b",
    re.IGNORECASE,
)
_AS_SHARE: Final = re.compile(
    rf"\bas (?:an? |the )?{grammar.PARTS_OF} of (?P<of>[^?.]+)", re.IGNORECASE
)
_SHARE_THAT: Final = re.compile(
    rf"\b{grammar.PARTS_OF} of (?P<of>[^?.]+?) (?:is|was|are|were|would) (?:that|this|it|those|they)(?: be)?\W*$",
    re.IGNORECASE,
)
_THEM: Final = re.compile(
    rf"\b(?P<part>{grammar.PARTS_OF}|how many) of (?:them|those|these|that|it)\b", re.IGNORECASE
)
_PER: Final = re.compile(
    r"\b(?:per|for each|for every|a head|each)\b(?: [\w²-]+){0,3}", re.IGNORECASE
)
_BY: Final = re.compile(
    r"\b(?:by|broken down by|split by) (?!how\b)[a-z-]+(?: (?!in\b|for\b|of\b|from\b|since\b|only\b|and\b|during\b)[a-z-]+)?",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"^(?:(?:so|and|ok|please)\b[\s,]*)*(?:(?:what|which)(?: is|'s|s| was| were| are| did| do| does)? ?(?:the |our |we )?|how (?:did|do|does|has|have|is|was|were|are) (?:the |our )?|how (?:much|many|high|large|big|long)(?: is| was| were| are| did| do| does| has| have)? (?:the |our )?"
    r"|(?:show|give|tell|make)(?: me| us)?(?: a| the)? )",
    re.IGNORECASE,
)
_AROUND_PERIOD: Final = re.compile(
    r"\b(?:in|for|of|during|at the end of|at|from|since|over|to|than|against|between|and|vs\.?|compared (?:with|to)) *(?=$|[?.,;()]| (?:in|for|of|from|to|than|and)\b)",
    re.IGNORECASE,
)
_HAS_VERB: Final = re.compile(
    r"\b(?:do|does|did|can|could|may|must|should|will|would|am|is|are|was|were|have|has) (?:i|you|we|they|he|she|it|the|a|an|my|our)\b",
    re.IGNORECASE,
)
"""Tells a question of whose words what it asks for cannot be named: "annual leave do I get"."""
_FORECAST: Final = re.compile(r"\b(?:do|did) we forecast\b", re.IGNORECASE)


def follow_up(text: str, exchanges: Sequence[Exchange]) -> str | None:
    """Return a message about the figures of the question before it as one that stands alone.

    None where it is no such message: another rule, or a model, reads it then.
    """
    earlier = next((each.standalone for each in reversed(exchanges) if each.status != HEARD), "")
    shares = _PER.match(text.strip().casefold()) is not None
    if not earlier or len(text.split()) > MOST_WORDS or not (shares or _is_of_figures(earlier)):
        return None
    said = " ".join(text.split()).rstrip("?!. ")
    for rule in _RULES:
        made = rule(said, earlier.strip())
        if made is not None and made != text:
            return " ".join(made.split())
    return None


def _is_of_figures(question: str) -> bool:
    return wanted(question) is not None or bool(
        grammar.MEASURED.search(question) or grammar.COUNTING.search(question)
    )


def _rest(text: str, *patterns: re.Pattern[str]) -> set[str]:
    """Return the words of a message beside what the patterns match, and beside small ones."""
    for pattern in patterns:
        text = pattern.sub(" ", text)
    return {word for word in re.findall(r"[\w&%²-]+", text.casefold()) if word not in _SMALL}


# --- another unit or form ----------------------------------------------------------------------


def _unit(said: str, earlier: str) -> str | None:
    """Read "and in percent?": the same calculation, shown in another way."""
    meant = wanted(earlier)
    if meant is None:
        return None
    if meant.kind not in {"difference", "growth", "points"}:
        return _shares(said, earlier, meant)
    if _PERCENT_ONLY.search(said) and not _rest(said, _PERCENT_ONLY):
        return f"in percent: {_without_unit(earlier)}"
    if _POINTS_ONLY.search(said) and not _rest(said, _POINTS_ONLY):
        return f"in percentage points: {_without_unit(earlier)}"
    if _AMOUNT_ONLY.search(said) and not _rest(said, _AMOUNT_ONLY):
        return _as_amount(earlier, meant)
    return None


def _shares(said: str, earlier: str, meant: Wanted) -> str | None:
    """Read "in percent, as a chart": each of the figures side by side as a share of all."""
    form, before_ = asked_display(said), asked_display(earlier)
    is_list = meant.kind == "list" or bool(meant.by) or before_.asked
    if not is_list or not _PERCENT_ONLY.search(said) or _rest(form.rest, _PERCENT_ONLY):
        return None
    return f"{_noun(before_.rest)} in percent{_drawn(form if form.asked else before_)}"


def _without_unit(question: str) -> str:
    return re.sub(
        r"[,\s]*\b(?:in|by how many|how many) (?:%|per ?cent|percentage(?: points?)?|£|pounds)(?!\w)",
        " ",
        question,
        flags=re.IGNORECASE,
    ).strip()


def _as_amount(earlier: str, meant: Wanted) -> str | None:
    if len(meant.periods) != 2:
        return None
    return _change("by how much", subject(earlier), meant.periods)


def _form(said: str, earlier: str) -> str | None:
    """Read "as a chart", "per quarter", "by line": the same figures in another form, or parted."""
    form = asked_display(said)
    each = asked_shape.each(said)
    grouped = _BY.search(said)
    if not (form.asked or each or grouped):
        return None
    rest = asked_shape.without_each(form.rest)
    if _rest(rest, *([_BY] if grouped else [])) - {"instead", "too", "well", "line", "bar", "pie"}:
        return None
    shape = _drawn(form)
    parted = f" by {each}" if each else f" {grouped[0]}" if grouped else ""
    plain = asked_display(earlier).rest.rstrip("?. ")
    if each or grouped:
        only = _FILTERED.search(plain)
        core = asked_shape.without_each(_FILTERED.sub("", plain))
        shape = shape or _drawn(asked_display(earlier))
        return f"{_parted(core, wanted(earlier))}{parted}{only[0] if only else ''}{shape}"
    if wanted(earlier) is not None:
        return f"{plain}{shape}"
    noun = _noun(plain)
    return None if _HAS_VERB.search(noun) else f"{noun}{shape}"


def _parted(question: str, meant: Wanted | None) -> str:
    """Return of what figures are wanted one by one: of a change the figures that it is between."""
    if meant is None or meant.kind not in {"difference", "growth", "points", "cagr"}:
        return _noun(_BY.sub(" ", question))
    spans = sorted(meant.periods, key=lambda each: (each.year or 0, each.part))
    when = f" from {name(spans[0])} to {name(spans[-1])}" if len(spans) > 1 else ""
    return f"{subject(question)}{when}"


_ONLY: Final = re.compile(
    r"^(?:and |but |now |ok |then )*(?:only|just)(?: for| in| of| from| at)? (?P<what>[^?.,]+)$|^(?:and |but |now )*(?:for |in )?(?P<alone>[^?.,]+?) only$",
    re.IGNORECASE,
)
_FILTERED: Final = re.compile(r", only [^,?.]+", re.IGNORECASE)


def _filter(said: str, earlier: str) -> str | None:
    """Read "only the network team": the same figures of fewer rows."""
    match = _ONLY.match(said)
    what = match and (match["what"] or match["alone"]).strip()
    if not what or not about(what) or periods(what) or _VERBS.search(what):
        return None
    form = asked_display(_FILTERED.sub("", earlier))
    return f"{form.rest.rstrip('?. ')}, only {what}{_drawn(form)}"


def _drawn(form: Display) -> str:
    """Say as the end of a question what is to be drawn."""
    if form.chart:
        return f", as a {form.kind} chart" if form.kind else ", as a chart"
    return ", as a table" if form.table else ""


def _noun(question: str) -> str:
    """Return what a question asks for, without the words that ask."""
    return _LEAD.sub("", question.rstrip("?. ")).strip()


def _per(said: str, earlier: str) -> str | None:
    """Read "per head?", "per m2?": the figure, shared among what there are so many of."""
    match = _PER.search(said)
    if match is None or asked_shape.each(said) or _rest(said, _PER):
        return None
    return f"{_noun(asked_display(earlier).rest)} {match[0]}"


# --- another period ----------------------------------------------------------------------------


def _period(said: str, earlier: str) -> str | None:
    """Read "and 2024?": the same question of another period."""
    new = [each.period for each in periods(said)]
    old = periods(earlier)
    if len(new) != 1 or not old or _rest(without_periods(said)):
        return None
    asked = new[0]
    latest = max((each.period for each in old), key=lambda each: (each.year or 0, each.part))
    if asked.year is None:
        asked = asked.model_copy(update={"year": latest.year})
    moved = [_moved(each.period, latest, asked) for each in old]
    if any(each is None for each in moved):
        return None
    made = earlier
    for spot, period in sorted(zip(old, moved, strict=True), key=lambda pair: -pair[0].start):
        made = f"{made[: spot.start]}{name(period) if period else ''}{made[spot.end :]}"
    return made


def _moved(period: Period, latest: Period, asked: Period) -> Period | None:
    """Return a period as far from the one asked for as it was from the latest."""
    if period == latest:
        return asked
    if (
        period.kind != latest.kind
        or asked.kind != latest.kind
        or not (period.year and latest.year and asked.year)
    ):
        return None
    earlier: Period | None = latest
    moved: Period | None = asked
    span = "year" if period.part == latest.part else period.kind
    for _ in range(grammar.MOST_BACK):
        earlier, moved = (
            before(earlier, span) if earlier else None,
            before(moved, span) if moved else None,
        )
        if earlier == period:
            return moved
    return None


# --- what "that" is set against ----------------------------------------------------------------


def _against(said: str, earlier: str) -> str | None:
    """Read "how many points up on 2024 is that?": the figure before, set against another."""
    match = _AS_SHARE.search(said)
    if match and _THAT.search(said):
        return f"{_noun(earlier)} as a percentage of {match['of']}"
    if match := _SHARE_THAT.search(said):
        return f"{_noun(earlier)} as a percentage of {_whole(match['of'], earlier)}"
    if not _THAT.search(said):
        return None
    both = [*named(said), *named(earlier)]
    spans = list(dict.fromkeys(each for each in both if each.year))
    if len(spans) != 2 or not named(said):
        return None
    if grammar.POINTS.search(said):
        lead = "by how many percentage points"
    elif grammar.IN_PERCENT.search(said) or grammar.CHANGED.search(said):
        lead = "by how many percent"
    elif re.search(
        r"\b(?:more|less|higher|lower|better|worse|up|down|difference)\b", said, re.IGNORECASE
    ):
        lead = "by how much"
    else:
        return None
    ordered = sorted(spans, key=lambda each: (each.year or 0, each.part), reverse=True)
    return _change(lead, subject(earlier), ordered)


def _whole(said: str, earlier: str) -> str:
    """Return of what a share is; "the total" is that of what was asked before, in its period."""
    if about(said):
        return said
    measured = re.search(rf"\b(?:{_METRICS})\b", earlier, re.IGNORECASE)
    when = "".join(f" in {name(each)}" for each in named(earlier)[:1])
    return f"total {measured[0]}{when}" if measured else said


def _change(lead: str, what: str, ordered: Sequence[Period]) -> str:
    later, earlier = ordered
    aside = re.search(r"\s*\([^()]*\)$", what)
    plain = what[: aside.start()] if aside else what
    return f"{lead} did {plain} change from {name(earlier)} to {name(later)}{aside[0] if aside else ''}"


def subject(question: str) -> str:
    """Return of what a question asks for a figure: without its lead, its periods and its form."""
    text = asked_shape.without_each(asked_display(_noun(question)).rest)
    text = re.sub(
        rf"\b{grammar.CHANGE}\b", " ", without_periods(_without_unit(text)), flags=re.IGNORECASE
    )
    for _ in range(3):
        text = _AROUND_PERIOD.sub(" ", " ".join(text.split()))
    return " ".join(text.split()).strip(" ,;:?.")


def _of_them(said: str, earlier: str) -> str | None:
    """Read "what percentage of them did we win?": of what was counted before."""
    match = _THEM.search(said)
    if match is None:
        return None
    noun = re.match(
        r"[\w-]+(?: (?!did|do|does|were|was|are|is|have|has|we|they)[\w-]+)?", _noun(earlier)
    )
    when = "" if named(said) else "".join(f" in {name(each)}" for each in named(earlier)[:1])
    return f"{said[: match.start()]}{match['part']} of {noun[0] if noun else 'them'}{said[match.end() :]}{when}"


# --- another thing -----------------------------------------------------------------------------

_FRAGMENT: Final = re.compile(
    r"^(?:and|or|what about|how about|and what about|and for|for|the same for|same for)\b[\s,:]*(?P<what>[^?]+)$",
    re.IGNORECASE,
)
_VERBS: Final = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|who|where|when|why|how|what|which)\b",
    re.IGNORECASE,
)


def _thing(said: str, earlier: str) -> str | None:
    """Read "and pumps?", "and gross margin?": the same calculation of another thing."""
    match, meant = _FRAGMENT.match(said), wanted(earlier)
    if match is None or meant is None or meant.kind == "list" or _VERBS.search(match["what"]):
        return None
    what = without_periods(match["what"]).strip()
    if not about(what) or periods(said):
        return None
    if len(meant.sides) > 1 and meant.kind in {"share", "ratio", "per_unit"}:
        old = re.sub(r",? in (?:%|per ?cent)$", "", meant.sides[0])
        return earlier.replace(old, what, 1) if old and old in earlier else None
    if len(meant.sides) > 1:
        return None
    return _replaced(earlier, what)


def _replaced(earlier: str, what: str) -> str | None:
    """Put another thing in place of the words that say of what the earlier question is."""
    spans = [
        match
        for match in re.finditer(r"[\w&/-]+", earlier)
        if about(match[0]) and not periods(match[0])
    ]
    spans = [
        each for each in spans if about(without_periods(earlier[: each.end()])) >= about(each[0])
    ]
    if not spans:
        return None
    first = last = spans[0]
    for each in spans[1:]:
        between = earlier[last.end() : each.start()]
        if not re.fullmatch(r"\s(?:(?:of|of the|the|in) )?", between):
            break
        last = each
    old = earlier[first.start() : last.end()]
    kept = re.search(rf"\b(?:{_METRICS})\b$", old, re.IGNORECASE)
    is_line = (
        kept is not None
        and len(old.split()) > 1
        and not re.search(rf"\b(?:{_METRICS})\b", what, re.IGNORECASE)
    )
    new = f"{re.sub(r'^(?:the|our) ', '', what)} {kept[0]}" if is_line and kept else what
    if kept and not is_line and not re.search(rf"\b(?:{_METRICS})\b", what, re.IGNORECASE):
        new = f"{re.sub(r'^(?:the|our) ', '', what)} {kept[0]}"
    return f"{earlier[: first.start()]}{new}{earlier[last.end() :]}"


_METRICS: Final = r"revenue|sales|turnover|price|cost|costs|budget|orders|claims|visits|spend|salary|headcount|fee|limit|allowance|margin|profit|result|income|loss|ebitda|expenses?"

_RULES: Final[tuple[Callable[[str, str], str | None], ...]] = (
    _filter,
    _unit,
    _form,
    _per,
    _period,
    _of_them,
    _against,
    _thing,
)
