"""The five steps. Each takes from the state, calls a building block, returns an update."""

import asyncio
import datetime as dt
from collections.abc import Iterable
from typing import Final

from langgraph.runtime import Runtime

from masis import run_figures
from masis.answering import citations, scoring
from masis.domain import (
    CitationAudit,
    Critique,
    Evaluation,
    EvidenceChunk,
    Question,
    SearchResult,
    UnsupportedClaim,
    WorkspaceId,
)
from masis.extractive.set_aside import in_force
from masis.filters import Filters, parse
from masis.graphs.common import TraceEntry, made
from masis.graphs.research import texts, unsure
from masis.graphs.research.agents import ResearchAgents, ResearchContext, Synthesizer
from masis.graphs.research.decisions import (
    Findings,
    Verdict,
    better,
    decide,
    did_you_mean,
    ended_by_choice,
    findings,
    left_to_asker,
    question_for,
)
from masis.graphs.research.disagreement import by_choice, disagreeing, unsettled
from masis.graphs.research.state import (
    AskBack,
    Asked,
    Audited,
    AuditedDraft,
    Decided,
    Drafted,
    Researched,
    Scored,
    ToAudit,
    ToDecide,
    ToResearch,
    ToScore,
    ToWrite,
)
from masis.graphs.research.wholes import whole_steps
from masis.policy import (
    COVERAGE_GATE,
    MAX_CONTEXT_CHARS,
    UNCITED_RETRY,
    UNCOMPRESSED_CHUNKS,
    Policy,
)
from masis.questions import question_audit, rewording, unclear
from masis.questions.newly_asked import of_another_form, of_the_past, other_year, unspoken
from masis.questions.question_audit import QuestionAudit
from masis.questions.whole_forms.asked_wholes import asked_for
from masis.retrieval import evidence
from masis.retrieval.narrowing import stands_under
from masis.retrieval.shares import together
from masis.text.redaction import redacted
from masis.words.wording import Wording

MOST_TOGETHER: Final = 2
"""Documents that a question names; from as many on each is searched apart."""
MOST_NAMED: Final = 5
"""Documents of one question that are searched apart."""
NO_EVIDENCE: Final = "no_evidence"
_NOT_IN_SOURCE: Final = " (not in what it cites: "


async def researcher(state: ToResearch, runtime: Runtime[ResearchContext]) -> Researched:
    """Search this workspace, keep what reaches the threshold; ask at once when nothing does."""
    context, retries = runtime.context, state["retry_count"]
    filters = parse(state["user_query"], context.field_keys).filters
    if (whole := await _whole(state, context, filters)) is not None:
        return whole
    missing = _about_content(state["critique"]) if retries and state["critique"] else None
    widened = max(retries, int(state["wider"]))
    wording, result = await _searched(state, context, missing, context.policy.limit(widened))
    question, state = wording.text, {**state, "wording": wording}
    threshold = context.policy.threshold(widened)
    floor = _floor(state, widened, result)
    kept, dropped = evidence.gate(result.candidates, threshold, COVERAGE_GATE, floor)
    begins = _unfound(result.introduction, kept)
    beside = [] if begins else await _beside(context.agents, question, kept, filters)
    found = [*begins, *kept, *beside]
    left = in_force(asked(state, context), found)
    update: Researched = {
        "evidence": found,
        "passed_over": evidence.passed_over(dropped, threshold, COVERAGE_GATE, floor),
        "wording": wording,
        "trace": [
            {
                "node": "researcher",
                "route": "retry" if retries else "first_run",
                "chunks": len(kept),
                "filtered_out": len(dropped),
                "avg_score": evidence.average([chunk.score for chunk in kept]),
                "threshold_used": threshold,
                "augmented_query_used": evidence.augmented_query(question, missing) != question,
                **_additions(wording, len(begins), len(beside), _changed(found, left)),
                **_search_entry(result),
            }
        ],
        "figures": _search_figures(result, kept, dropped, threshold, floor),
    }
    if retries:
        update["whole"] = None  # it did not hold: what a wider search finds takes its place
    if not left:
        await _add_question_back(update, state, context, result, threshold)
    return update


async def synthesizer(state: ToWrite, runtime: Runtime[ResearchContext]) -> Drafted:
    """Write a cited draft from the evidence, shortened where it is too long for a prompt."""
    writer = runtime.context.agents.synthesizer
    question = asked(state, runtime.context)
    if state["whole"]:
        return await whole_steps.drafted(
            state["whole"], question, state["evidence"], runtime.context.agents
        )
    counting = in_force(question, state["evidence"])
    shown, compression = await _shortened(writer, question, counting)
    critique = state["critique"] if state["retry_count"] else None
    draft = await writer.draft(question, shown, critique)
    text = redacted(draft.text)
    update: Drafted = {
        "draft_answer": text,
        "trace": [
            {
                "node": "synthesizer",
                "context_compressed": bool(compression["compressed"]),
                "citations": len(citations.cited(text, state["evidence"])),
                "answer_length": len(text),
            }
        ],
        "figures": run_figures.merge(compression["figures"], run_figures.of_usage(draft.usage)),
    }
    if compression["over"]:
        update["critique"] = _with_gap(critique or Critique(confidence=0.0))
    return update


async def critic(state: ToAudit, runtime: Runtime[ResearchContext]) -> Audited:
    """Let the model audit, audit the citations in code, and keep the best draft so far."""
    draft, question = state["draft_answer"] or "", asked(state, runtime.context)
    counting = in_force(question, state["evidence"])
    beside = in_force(question, state["passed_over"])
    whole, agents = state["whole"], runtime.context.agents
    is_written = not agents.extractive and (whole is None or whole.written)
    report = (
        whole_steps.audited(whole)
        if whole is not None and not is_written
        else await agents.critic.audit(question, draft, counting, beside)
    )
    counted = whole.counted if whole else []
    audit = citations.audit(
        draft, state["evidence"], question.standalone, counted=counted, graded=is_written
    )
    found = report.critique and _redacted(report.critique)
    this = _audited(state, found, audit, runtime.context.policy)
    left_open = await question_audit.audit(
        question_audit.latest(question),
        draft,
        state["evidence"],
        runtime.context.agents.vocabulary,
        state["workspace_id"],
        # Nothing is shown of a draft that passes but the draft.
        measure=None if this.sound else runtime.context.agents.measure,
    )
    left_open = _with_newly_asked(left_open, state, question, draft)
    this = this.model_copy(update={"left_open": left_open})
    earlier = state["best_draft"]
    best = better(this, earlier, to_be_scored=True)
    return {
        "this_draft": this,
        "earlier_draft": earlier,
        "best_draft": best,
        "final_answer": best.answer,
        "critique": this.critique,
        "confidence": this.confidence,
        "trace": [_audit_entry(this)],
        "figures": {**_audit_figures(this, best), **run_figures.of_usage(report.usage)},
    }


async def evaluator(state: ToScore, runtime: Runtime[ResearchContext]) -> Scored:
    """Score this pass's draft, and clamp the scores by what the audit found."""
    this = made(state["this_draft"])
    evaluation: Evaluation | None = None
    usage: run_figures.Figures = {}
    if state["critique"] is not None:
        question = asked(state, runtime.context)
        judgement = await runtime.context.agents.evaluator.score(
            question,
            this.answer,
            in_force(question, state["evidence"]),
            this.audit,
            state["critique"],
        )
        usage = run_figures.of_usage(judgement.usage)
        if judgement.scores is not None:
            evaluation = scoring.evaluate(
                judgement.scores,
                hallucination=state["critique"].hallucination_detected,
                invalid=len(this.audit.invalid),
                uncited=len(this.audit.uncited),
            )
    scored = this.model_copy(update={"evaluation": evaluation})
    if evaluation is None:
        scored = scored.model_copy(update={"confidence": 0.0, "sound": False})
    best = better(scored, state["earlier_draft"])
    return {
        "this_draft": scored,
        "best_draft": best,
        "final_answer": best.answer,
        "confidence": scored.confidence,
        "trace": [{"node": "evaluator", **_scores_for_trace(evaluation)}],
        "figures": {
            "best_pass": best.number,
            "evaluation": best.evaluation and best.evaluation.model_dump(mode="json"),
            **usage,
        },
    }


async def supervisor(state: ToDecide, runtime: Runtime[ResearchContext]) -> Decided:
    """Nothing on the first visit; later decide whether to retry, to ask, or to finalize."""
    if state["draft_answer"] is None or state["requires_human_review"]:
        return {}
    this, best = made(state["this_draft"]), made(state["best_draft"])
    found = findings(this, runtime.context.policy)
    verdict = decide(found, state["retry_count"], state["max_retries"])
    settled = ended_by_choice if state["reply"] else left_to_asker
    verdict = settled(this, verdict)
    retries = state["retry_count"] + (verdict.decision == "retry")
    update: Decided = {
        "retry_count": retries,
        "trace": [
            {
                "node": "supervisor",
                "decision": verdict.decision,
                "confidence": state["confidence"],
                "retry_count": retries,
                "reason": verdict.reason,
            }
        ],
    }
    if verdict.decision == "retry":
        update["figures"] = {"retry_reasons": [_retry_reason(verdict, found, retries)]}
    elif verdict.decision != "finalize":
        update["requires_human_review"] = True
        back = question_for(
            verdict,
            best,
            state["retry_count"],
            disagreeing(this),
            runtime.context.policy,
            choices=state["choices"],
            wording=state.get("wording"),
        )
        update["clarification_question"], update["clarification"] = back.text, back
    return update


def _with_newly_asked(
    left_open: QuestionAudit, state: ToAudit, question: Question, draft: str
) -> QuestionAudit:
    """Add what a follow-up is about and its answer is not: that answers the question before."""
    wording = state.get("wording")
    said = question_audit.said(draft, state["evidence"])
    reworded = wording.text if wording and wording.searched_for else ""
    things = unspoken(question, said, reworded)
    things += of_another_form(question, said)
    things += other_year(question.standalone, draft, state["evidence"])
    today = dt.datetime.now(dt.UTC).date()
    things += of_the_past(question.standalone, draft, state["evidence"], today)
    named = [
        *left_open.unmentioned,
        *(each for each in things if each not in left_open.unmentioned),
    ]
    return left_open.model_copy(update={"unmentioned": named})


def asked(state: Asked, context: ResearchContext) -> Question:
    """Return what the agents answer: the question as it was searched, and the reply beside it."""
    wording = state.get("wording")
    return Question(
        text=state["first_question"],
        standalone=wording.text if wording else _typed(state, context),
        earlier=state["earlier"],
        reply=state["reply"],
        choices=state["choices"],
    )


def _typed(state: Asked, context: ResearchContext) -> str:
    """The question as typed, without its filters."""
    return parse(state["user_query"], context.field_keys).question


async def _searched(
    state: ToResearch, context: ResearchContext, missing: Critique | None, limit: int
) -> tuple[Wording, SearchResult]:
    """Search the question in each of its wordings; return the best of them with what it found."""
    question, filters = parse(state["user_query"], context.field_keys)
    workspace_id, agents = state["workspace_id"], context.agents

    shares = _shares(state, filters)

    async def search(worded: str) -> SearchResult:
        query = evidence.augmented_query(worded, missing)
        found = await asyncio.gather(
            *(
                agents.researcher.search(
                    workspace_id, query, limit=limit, question=worded, filters=share
                )
                for share in shares
            )
        )
        result = together(found, limit) if len(found) > 1 else found[0]
        # Nobody narrowed the search who could be told of it.
        return result.model_copy(update={"narrowed": None}) if goes_on_in(state) else result

    wording = state.get("wording") or await _worded(workspace_id, question, agents)
    return await rewording.best(wording, search)


async def _whole(
    state: ToResearch, context: ResearchContext, filters: Filters
) -> Researched | None:
    """The whole that is asked for, or which document is to be named for it; None for other questions.

    A wider search is made where the first pass had none that held.
    """
    agents, typed = context.agents, _typed(state, context)
    is_first = not (state["retry_count"] or state["wider"])
    if agents.wholes is None or not is_first:
        return None
    # Beside the event loop: whether a word is English reads a list from the disk.
    if await asyncio.to_thread(asked_for, typed) is None:
        return None
    wording = await _worded(state["workspace_id"], typed, agents)
    found = await agents.wholes.find(state["workspace_id"], wording.text, filters)
    return None if found is None else whole_steps.researched(found, wording)


def _shares(state: ToResearch, filters: Filters) -> list[Filters]:
    """Return what is searched: each document that is named apart, so that it has its share."""
    if on := goes_on_in(state):
        return [filters.model_copy(update={"files": on})]
    named = [each.document for each in state["searches"] if each.document and not each.goes_on]
    if len(named) < MOST_TOGETHER:
        return [filters]
    return [filters.model_copy(update={"files": (name,)}) for name in named[:MOST_NAMED]]


def goes_on_in(state: ToResearch) -> tuple[str, ...]:
    """Return the documents in which a thread goes on; a retry searches all that there are."""
    if state["retry_count"] or state["wider"]:
        return ()
    return tuple(each.document for each in state["searches"] if each.goes_on)


async def _worded(workspace_id: WorkspaceId, question: str, agents: ResearchAgents) -> Wording:
    """Return how the question is searched. It stays as typed where nobody words it anew."""
    if agents.wordings is None:
        return Wording(text=question)
    return await agents.wordings.of(workspace_id, question)


async def _beside(
    agents: ResearchAgents, question: str, kept: list[EvidenceChunk], filters: Filters
) -> list[EvidenceChunk]:
    """Find what the evidence goes on in, where it leaves room.

    Nothing is shortened for its sake; where no prompt is written, nothing would be.
    """
    if agents.neighbours is None or not kept:
        return []
    taken = 0 if agents.extractive else _size(kept)
    room = (agents.synthesizer.max_context_chars or MAX_CONTEXT_CHARS) - taken
    found = await agents.neighbours.beside(question, kept, room) if room > 0 else []
    return [chunk for chunk in found if stands_under(chunk.place, filters.sections)]


def _unfound(
    chunks: Iterable[EvidenceChunk], found: Iterable[EvidenceChunk]
) -> list[EvidenceChunk]:
    """The chunks that are not among those found."""
    ids = {chunk.chunk_id for chunk in found}
    return [chunk for chunk in chunks if chunk.chunk_id not in ids]


def _changed(found: list[EvidenceChunk], left: list[EvidenceChunk]) -> int:
    """Count the chunks that a choice set aside, whole or in part."""
    texts_left = {chunk.chunk_id: chunk.text for chunk in left}
    return sum(texts_left.get(chunk.chunk_id) != chunk.text for chunk in found)


def _size(chunks: Iterable[EvidenceChunk]) -> int:
    return sum(len(chunk.text) for chunk in chunks)


def _additions(wording: Wording, begins: int, beside: int, changed: int) -> TraceEntry:
    """Return what the trail says of other wordings and of chunks that came on top or went."""
    entry: TraceEntry = {
        "searched_for": wording.searched_for,
        "introduction": begins,
        "neighbours": beside,
        "set_aside": changed,
    }
    return {key: value for key, value in entry.items() if value}


def _floor(state: ToResearch, widened: int, result: SearchResult) -> float:
    """The score that the nearest passage asks of the others.

    Not on a retry: what it widens must not be narrowed again by how near the nearest is.
    """
    if widened or len(state["searches"]) > 1:
        return 0.0
    return evidence.nearest_floor(result.candidates)


async def _add_question_back(
    update: Researched,
    state: ToResearch,
    context: ResearchContext,
    result: SearchResult,
    threshold: float,
) -> None:
    """Put the question back into the update, and what may stand beside it."""
    update["requires_human_review"] = True
    if not update["evidence"]:
        await _add_unsure(update, state, context, result)
    back = await _nothing_left(update, state, context, result, threshold)
    update["clarification_question"], update["clarification"] = back.text, back
    if state["best_draft"] is None:
        update["figures"]["evaluation"] = None
        update["figures"]["evaluation_skipped_reason"] = NO_EVIDENCE


async def _add_unsure(
    update: Researched, state: ToResearch, context: ResearchContext, result: SearchResult
) -> None:
    """Put into the update what may stand beside the question back where nothing was found."""
    near = await _unsure(state, context, result)
    if near is not None:
        update["unsure_draft"] = near
        update["trace"][0]["shown_unsure"] = near.audit.claims


async def _nothing_left(
    update: Researched,
    state: ToResearch,
    context: ResearchContext,
    result: SearchResult,
    threshold: float,
) -> AskBack:
    """The question back where nothing was found, or all of it is set aside."""
    if update["evidence"]:
        return AskBack(kind="below_threshold", text=texts.nothing_else())
    is_near = "unsure_draft" in update
    return await _nothing_found(state, context, result, threshold, is_near=is_near)


async def _unsure(
    state: ToResearch, context: ResearchContext, result: SearchResult
) -> AuditedDraft | None:
    """Draft what passages say that are not close enough to answer from.

    It is drafted where it is probably right.
    """
    if state["best_draft"] is not None:
        return None
    return await unsure.draft(
        state["workspace_id"], asked(state, context), result.candidates, context.agents
    )


async def _nothing_found(
    state: ToResearch,
    context: ResearchContext,
    result: SearchResult,
    threshold: float,
    *,
    is_near: bool,
) -> AskBack:
    """The question back where no passage qualified: with what no document mentions, if any."""
    if result.indexed == 0:
        return AskBack(kind="empty_workspace", text=texts.empty_workspace(result.workspace))
    if result.narrowed is not None and not result.candidates:
        return AskBack(kind="below_threshold", text=texts.nothing_within(result.narrowed))
    left_open = await question_audit.not_found(
        question_audit.latest(asked(state, context)),
        context.agents.vocabulary,
        state["workspace_id"],
    )
    best = max((chunk.score for chunk in result.candidates), default=0.0)
    text = texts.below_threshold(len(result.candidates), best, threshold, is_near=is_near)
    missing = list(dict.fromkeys([*left_open.nowhere, *left_open.absent]))
    if named := did_you_mean(missing, state.get("wording")):
        return named
    question = question_audit.latest(asked(state, context))
    # In a thread: a list of words is read from a file the first time.
    several = await asyncio.to_thread(unclear.left_open, question, result.candidates)
    if several.options and not missing:
        text = texts.ambiguous(several.thing, several.options, is_near=is_near)
        return AskBack(kind="ambiguous", text=text, options=several.options)
    said = texts.OTHER_LANGUAGE if left_open.other_language else texts.with_absent(missing, text)
    return AskBack(kind="below_threshold", text=said)


def _search_entry(result: SearchResult) -> TraceEntry:
    """Return what the trail says of filters and of a reranker.

    It is empty where there were none.
    """
    entry: TraceEntry = {}
    if result.reranked is not None:
        entry["reranker"] = "used" if result.reranked else "away"
    if result.narrowed is not None:
        entry |= {"filters": result.narrowed.filters, "documents": result.narrowed.documents}
        # Their names, and what their fields say, are in the question back: it goes with them.
        if named := [each for unknown in result.narrowed.unknown for each in unknown.documents]:
            entry["named"] = named
    return entry


def _search_figures(
    result: SearchResult,
    kept: list[EvidenceChunk],
    dropped: list[EvidenceChunk],
    threshold: float,
    floor: float,
) -> run_figures.Figures:
    looked_at = [
        {
            "chunk_id": chunk.chunk_id,
            "document": chunk.document,
            "score": round(chunk.score, 4),
            "coverage": round(chunk.coverage, 4),
            "kept": is_kept,
            **({} if is_kept else {"because": _because(chunk, threshold, floor)}),
        }
        for is_kept, chunks in ((True, kept), (False, dropped))
        for chunk in chunks
    ]
    return {
        "searches": 1,
        # There on every run: readers need not ask whether a pass was retried, or audited at all.
        "retry_reasons": [],
        "citation_violations": [],
        "retrieval_scores": [{"threshold": threshold, "candidates": looked_at}],
        "avg_retrieval_score": evidence.average([chunk.score for chunk in kept]),
        "indexed_chunks": result.indexed,
        "lexical_only": result.lexical_only,
    }


def _because(chunk: EvidenceChunk, threshold: float, floor: float) -> evidence.DropReason:
    return evidence.drop_reason(chunk, threshold, COVERAGE_GATE, floor)


async def _shortened(
    writer: Synthesizer, question: Question, chunks: list[EvidenceChunk]
) -> tuple[list[EvidenceChunk], run_figures.Figures]:
    size = _size(chunks)
    limit = writer.max_context_chars
    if limit is None or size <= limit:
        plain = {"context_chars": size, "over_compression_flag": False}
        return chunks, {"compressed": False, "over": False, "figures": plain}
    summaries = await writer.summarise(question, chunks[UNCOMPRESSED_CHUNKS:])
    short = evidence.compress(chunks, summaries.by_chunk)
    figures: run_figures.Figures = {
        "context_chars": size,
        "compression_ratio": short.ratio,
        "over_compression_flag": short.over_compressed,
        **run_figures.of_usage(summaries.usage),
    }
    return short.chunks, {"compressed": True, "over": short.over_compressed, "figures": figures}


def _audited(
    state: ToAudit, found: Critique | None, audit: CitationAudit, policy: Policy
) -> AuditedDraft:
    """This pass's draft with its penalties. Without a critique its confidence is 0."""
    raw = found.confidence if found else 0.0
    invalid, uncited = len(audit.invalid), len(audit.uncited)
    if found is not None:
        open_ones = unsettled(found.conflicting_evidence, state["evidence"], state["choices"])
        found = found.model_copy(update={"conflicting_evidence": open_ones})
    this = AuditedDraft(
        number=state["retry_count"] + 1,
        answer=state["draft_answer"] or "",
        confidence=scoring.penalised(raw, invalid, uncited),
        confidence_raw=raw,
        penalty_factor=scoring.penalty_factor(invalid, uncited),
        critique=found and _completed(found, audit, state["figures"]),
        audit=audit,
        evidence=state["evidence"],
        by_choice=by_choice(state["choices"], audit.citations, state["evidence"]),
    )
    return this.model_copy(update={"sound": _is_sound(this, policy)})


def _audit_entry(this: AuditedDraft) -> TraceEntry:
    return {
        "node": "critic",
        "confidence": this.confidence,
        "hallucination": bool(this.critique and this.critique.hallucination_detected),
        "invalid_citations": len(this.audit.invalid),
        "uncited_claims": len(this.audit.uncited),
    }


def _audit_figures(this: AuditedDraft, best: AuditedDraft) -> run_figures.Figures:
    return {
        "confidence_history": [this.confidence],
        "confidence_raw": this.confidence_raw,
        "penalty_factor": this.penalty_factor,
        "citation_violations": [{"invalid": this.audit.invalid, "uncited": this.audit.uncited}],
        "best_pass": best.number,
    }


def _retry_reason(verdict: Verdict, found: Findings, iteration: int) -> dict[str, object]:
    return {
        "iteration": iteration,
        "confidence": found.confidence,
        "reason": verdict.reason,
        "citation_issue": found.citation_issue,
        "hallucination": found.hallucination,
    }


def _with_gap(critique: Critique) -> Critique:
    gaps = [gap for gap in critique.logical_gaps if gap != texts.OVER_COMPRESSION_GAP]
    return critique.model_copy(
        update={"logical_gaps": [*gaps, texts.OVER_COMPRESSION_GAP], "needs_retry": True}
    )


def _completed(critique: Critique, audit: CitationAudit, figures: run_figures.Figures) -> Critique:
    """The model's findings with what code found: those always win."""
    unsupported = [_unsupported_text(claim) for claim in audit.unsupported]
    complete = critique.model_copy(
        update={
            "hallucination_detected": critique.hallucination_detected or bool(audit.invalid),
            "unsupported_claims": [*critique.unsupported_claims, *unsupported],
            "needs_retry": critique.needs_retry
            or bool(audit.invalid)
            or len(audit.uncited) >= UNCITED_RETRY,
        }
    )
    return _with_gap(complete) if figures.get("over_compression_flag") else complete


def _redacted(critique: Critique) -> Critique:
    """The findings without secrets: they quote the draft and the evidence."""
    lists = ("unsupported_claims", "logical_gaps", "conflicting_evidence")
    struck = {name: [redacted(text) for text in getattr(critique, name)] for name in lists}
    return critique.model_copy(update=struck)


def _unsupported_text(claim: UnsupportedClaim) -> str:
    return f"{claim.sentence}{_NOT_IN_SOURCE}{claim.fault})"


def _about_content(critique: Critique) -> Critique:
    """The critique as far as documents could speak to it: without our own words about the draft."""
    claims = [claim.partition(_NOT_IN_SOURCE)[0] for claim in critique.unsupported_claims]
    gaps = [
        gap.removeprefix(texts.NOT_MENTIONED)
        for gap in critique.logical_gaps
        if gap != texts.OVER_COMPRESSION_GAP
    ]
    return critique.model_copy(update={"unsupported_claims": claims, "logical_gaps": gaps})


def _is_sound(draft: AuditedDraft, policy: Policy) -> bool:
    found = findings(draft, policy)
    return draft.critique is not None and not (found.quality_issue or found.conflict)


def _scores_for_trace(evaluation: Evaluation | None) -> dict[str, float | None]:
    names = ("overall_score", "faithfulness", "relevance", "completeness", "reasoning_quality")
    return {name: getattr(evaluation, name) if evaluation else None for name in names}
