"""Write the answer of a classification: the code with its path, the rows that say so, and what is next."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from masis.answering import citations
from masis.codelists.list_rows import BORDER
from masis.domain import Answered, Badge, Citation, CitationAudit, Critique, EvidenceChunk
from masis.graphs.classification import texts
from masis.graphs.classification.ambiguity import likelihoods, without, worth_offering
from masis.graphs.classification.state import Above, Analysis, Candidate, State
from masis.graphs.classification.thresholds import EVEN, WORTH_SAYING
from masis.graphs.common import Conclusion
from masis.policy import BADGE_HIGH, BADGE_MEDIUM
from masis.text.redaction import redacted
from masis.values.coded import Coded, TitledCode
from masis.values.shown import ShownColumn, ShownTable

MOST_ALTERNATIVES: Final = 4
MOST_BELOW: Final = 20
"""Codes below one that was asked for."""
MOST_NAMED: Final = 4
"""Rows that a source names; of more it says how many."""


def answered(state: State, final: Analysis, run_id: str) -> Conclusion:
    """Return the answer, and the passages that it cites."""
    evidence = state["evidence"]
    next_ = _next_in_line(state, final)
    draft = "\n".join(_lines(state, final, _Cited(evidence)))
    audit = citations.audit(draft, evidence, state["question"].standalone)
    told = _Cited(evidence).all(next_)
    whole = citations.audit(f"{draft}\n{told}", evidence) if told else audit
    shown, sources = citations.number(f"{draft}\n{told}", whole, evidence)
    match, below = _given(state, final)
    rows = [*([match] if match else []), *below, *next_]
    expansion = state["expander_analysis"]
    outcome = Answered(
        run_id=run_id,
        question=state["question"].text,
        asked_back=state["question"].asked_back,
        answer=shown.rpartition("\n")[0],
        confidence=final.confidence,
        badge=_badge(
            final,
            audit,
            was_asked=any(each.role == "bot" for each in state["messages"]),
            is_group=bool(below),
        ),
        citations=[_narrowed(source, rows) for source in sources],
        critique=Critique(confidence=final.confidence),
        evaluation=None,
        audit=audit,
        extractive=True,
        tables=[_table(next_, state)] if next_ else [],
        code=_coded(match, below, final),
        gaps=_notes(state, expansion.assumptions if expansion else []),
    )
    cited = {source.chunk_id for source in sources}
    return Conclusion(outcome, [chunk for chunk in evidence if chunk.chunk_id in cited])


def _notes(state: State, assumptions: Sequence[str]) -> list[str]:
    """Say in small print which list it is of, where there are several, and what was assumed."""
    lists = state["code_lists"]
    of = [texts.from_list(lists[0], lists[1:])] if len(lists) > 1 else []
    return [*of, *([texts.assumed(assumptions)] if assumptions else [])]


def _coded(match: Candidate | None, below: Sequence[Candidate], final: Analysis) -> Coded:
    """Return what programs read of it."""
    path = match.path if match else below[0].path[:-1]
    given = match or below[0].path[-1]
    under = match.below if match else below
    return Coded(
        code=given.code,
        title=given.title,
        path=[TitledCode(code=each.code, title=each.title) for each in path],
        below=[TitledCode(code=each.code, title=each.title) for each in under],
        needs_person=bool(under) or final.confidence < BADGE_MEDIUM,
    )


def _badge(final: Analysis, audit: CitationAudit, *, was_asked: bool, is_group: bool) -> Badge:
    """Return how sure a match is: by its likelihood, and never High where it stayed open what is meant."""
    notes = {
        "siblings": texts.SIBLINGS_NOTE,
        "limit": texts.LIMIT_NOTE if is_group else texts.LIMIT_NOTE_OF_ONE,
        "undecided": texts.UNDECIDED_NOTE if is_group else texts.UNDECIDED_NOTE_OF_ONE,
        "chosen": texts.CHOSEN_NOTE if was_asked else "",
    }
    sure = final.confidence
    note = texts.NEAREST_NOTE if _is_doubtful(final) else notes.get(final.reason, "")
    if audit.unsupported or audit.invalid or sure < BADGE_MEDIUM:
        return Badge(level="Low", confidence=sure, note=note or texts.NOT_SURE)
    if sure < BADGE_HIGH or final.reason in {"limit", "undecided"}:
        return Badge(level="Medium", confidence=sure, note=note or texts.NOT_SURE)
    return Badge(level="High", confidence=sure, note=note)


class _Cited:
    """Writes the citations of codes whose rows are there."""

    def __init__(self, evidence: Sequence[EvidenceChunk]) -> None:
        self._held = {chunk.chunk_id for chunk in evidence}

    def of(self, candidate: Candidate) -> str:
        """Return the citation of the row that names a code."""
        first = next((each for each in candidate.chunk_ids if each in self._held), "")
        return f"[{first}]" if first else ""

    def all(self, candidates: Iterable[Candidate]) -> str:
        """Return the citations of several codes."""
        return "".join(dict.fromkeys(self.of(each) for each in candidates))

    def above(self, codes: Sequence[Above]) -> str:
        """Return the citations of the rows that name codes above one."""
        ids = dict.fromkeys(each.chunk_id for each in codes if each.chunk_id in self._held)
        return "".join(f"[{each}]" for each in ids)


# --- what is said --------------------------------------------------------------------------


def _lines(state: State, final: Analysis, cited: _Cited) -> list[str]:
    match, below = _given(state, final)
    if match is not None:
        given = Above(code=match.code, title=match.title)
        said = texts.answer(given, cited.of(match), match.about)
        return [said, *_path(match.path, cited), *_group(match.below, cited)]
    above = below[0].path
    said = texts.answer(above[-1], cited.above(above[-1:]) or cited.of(below[0]))
    why = texts.why_below(final.reason, is_doubtful=_is_doubtful(final))
    listed = texts.below(below, [cited.of(each) for each in below])
    return [said, *_path(above[:-1], cited), "", why, *listed]


def _is_doubtful(final: Analysis) -> bool:
    """Tell whether what was given in the end, where no more is asked, is more likely wrong than right."""
    return final.reason in {"limit", "undecided"} and final.confidence < EVEN


def _group(below: Sequence[Above], cited: _Cited) -> list[str]:
    """Return what stands below a group that was asked for."""
    shown = below[:MOST_BELOW]
    sources = [cited.above([each]) for each in shown]
    more = sum(each.holds for each in below)
    return ["", *texts.consists(shown, sources, len(below), more)] if below else []


def _given(state: State, final: Analysis) -> tuple[Candidate | None, list[Candidate]]:
    """Return the code that is given, or where it is a parent the codes below it that fit."""
    found = _left(state)
    below = [each for each in found if each.code in final.among and each.parent == final.code]
    below = [each for each in below if each.path]
    if below:
        return None, below
    codes = {each.code: each for each in state["retrieved_results"]}
    return codes[final.code], []  # never one that nobody decided


def _path(above: Sequence[Above], cited: _Cited) -> list[str]:
    # A paragraph of its own: Markdown joins lines.
    return ["", texts.path(above, cited.above(above))] if above else []


# --- what is next --------------------------------------------------------------------------


def _next_in_line(state: State, final: Analysis) -> list[Candidate]:
    """Return the next likely codes beside the one that is given; none beside what somebody chose."""
    found = _left(state)
    match, below = _given(state, final)
    given = {each.id for each in (*below, match) if each}
    shares = {each.id: share for each, share in zip(found, likelihoods(found), strict=True)}
    others = [
        each
        for each in worth_offering(found)
        if each.id not in given and shares[each.id] >= WORTH_SAYING
    ]
    return [] if final.reason in {"chosen", "looked_up"} else others[:MOST_ALTERNATIVES]


def _left(state: State) -> list[Candidate]:
    """Return the codes that were not turned down."""
    expansion = state["expander_analysis"]
    return without(state["retrieved_results"], expansion.rejected if expansion else [])


def _table(codes: Sequence[Candidate], state: State) -> ShownTable:
    found = _left(state)
    shares = {each.id: share for each, share in zip(found, likelihoods(found), strict=True)}
    rows = [
        [each.code, each.title, texts.titles(each.path), f"{shares[each.id] * 100:.0f}"]
        for each in codes
    ]
    columns = [ShownColumn(name=name) for name in texts.TABLE_COLUMNS]
    columns.append(ShownColumn(name=texts.LIKELY, numeric=True, unit="%"))
    sources = dict.fromkeys(chunk_id for each in codes for chunk_id in each.chunk_ids[:1])
    return ShownTable(
        title=texts.NEXT, columns=columns, rows=rows, total_rows=len(rows), sources=list(sources)
    )


# --- the rows that say so ------------------------------------------------------------------


def _narrowed(source: Citation, shown: Sequence[Candidate]) -> Citation:
    """Return a source as the rows of the codes that it is cited for, not all that its passage has."""
    lines = list(_rows(source, shown))
    if not lines:
        return source.model_copy(update={"text": redacted(source.text)})
    named = texts.rows([code for code, _ in lines], MOST_NAMED)
    place = source.place.model_copy(update={"cells": named})
    text = redacted("\n".join(line for _, line in lines))
    return source.model_copy(update={"text": text, "place": place})


def _rows(source: Citation, shown: Sequence[Candidate]) -> Iterator[tuple[str, str]]:
    """Yield the codes that a passage is cited for, with their lines in it."""
    lines = source.text.split("\n")
    for code, column, chunk_id in dict.fromkeys(_cited_codes(shown)):
        if chunk_id != source.chunk_id:
            continue
        line = next((each for each in lines if f"{column}: {code}" in each.split(BORDER)), "")
        if line:
            yield code, line


def _cited_codes(shown: Sequence[Candidate]) -> Iterator[tuple[str, str, str]]:
    """Yield codes, those above them and those below a group, with the column and the passage of each."""
    for each in shown:
        yield from ((above.code, each.column, above.chunk_id) for above in each.path)
        yield from ((each.code, each.column, chunk_id) for chunk_id in each.chunk_ids)
        yield from ((below.code, each.column, below.chunk_id) for below in each.below)
