"""The graph's agents with a model service. What fails, or says what stands nowhere, leaves it to the rules.

A model proposes what to calculate, with which figures, and words for it: never a number. All of them
ask the writer model; who looks an answer over is the auditor.
"""

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeVar

from pydantic import BaseModel

from masis.calculating import asked_grammar as grammar
from masis.calculating.asked_calculation import MOST_TOP, OVER_TIME, Wanted, about, named
from masis.calculating.calculation import MOST_TERMS, PAIRS, shown, stated
from masis.calculating.figure_pool import pool
from masis.calculating.figures import tables
from masis.calculating.found_operands import Group, Operands
from masis.domain import EvidenceChunk, Figure, Usage
from masis.errors import BudgetSpent, ModelServiceError
from masis.graphs.analysis import prompts, texts
from masis.graphs.analysis.agents import (
    AnalysisAgents,
    Explainer,
    Explanation,
    Extraction,
    Extractor,
    Finder,
    QualityChecker,
    Understander,
    Understanding,
    Verdict,
)
from masis.graphs.analysis.kept_figures import KeptFigures, Memory
from masis.graphs.analysis.rule_agents import by_rule
from masis.graphs.analysis.state import Computed, Fault, Line
from masis.graphs.analysis.stored_tables import StoredTables
from masis.models.prompting import clipped, inert
from masis.models.two_tries import two_tries
from masis.ports import ChatModel, Message, Repository, Role
from masis.tables.asking import TableAsking, WrittenQuery
from masis.text.lexical import terms
from masis.text.periods import periods
from masis.values.tabular import TableInfo

MOST_OFFERED: Final = 80
"""Figures that a model chooses from, those with most words of the question first."""
MOST_SENTENCES: Final = 2
SENTENCE_CHARS: Final = 300
WHY_CHARS: Final = 120
MOST_ASKED_TABLES: Final = 8
"""Tables that a query may be written over, of those of a workspace."""

_FIGURE: Final = re.compile(r"\d(?:[\d.,]*\d)?")
_NAME: Final = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z][\w&-]*")
_ROSE: Final = re.compile(
    r"\b(?:ris(?:e|es|en|ing)|rose|gr[eo]w\w*|increas\w*|went up|climb\w*|more|higher)\b",
    re.IGNORECASE,
)
_FELL: Final = re.compile(
    r"\b(?:fall\w*|fell|declin\w*|decreas\w*|dropp?\w*|shr[aiu]nk\w*|went down|less|lower|fewer)\b",
    re.IGNORECASE,
)
_CHANGES: Final = frozenset({"difference", "growth", "points", "cagr"})

Reply = TypeVar("Reply", bound=BaseModel)


class _Said(NamedTuple):
    """Hold what a model replied, and why nothing did where it is None."""

    reply: BaseModel | None
    usage: Usage
    why: str


async def _ask(
    chat: ChatModel, role: Role, asked: Sequence[Message], schema: type[BaseModel]
) -> _Said:
    """Ask for a reply of that form, twice at most; where none comes, say why."""
    try:
        found = await two_tries(
            chat, role, asked, schema, lambda reply: _of_form(reply.parsed, schema)
        )
    except BudgetSpent:
        return _Said(None, Usage(), texts.BUDGET_SPENT)
    except ModelServiceError:
        return _Said(None, Usage(), texts.MODEL_AWAY)
    why = "" if found.value is not None else texts.UNUSABLE[found.fault]
    return _Said(found.value, found.usage, why)


def _of_form(parsed: object, schema: type[Reply]) -> Reply | None:
    return parsed if isinstance(parsed, schema) else None


def agents_of(
    finder: Finder,
    repository: Repository,
    memory: Memory,
    asking: TableAsking,
    chat: ChatModel | None,
) -> AnalysisAgents:
    """Return the agents over what is stored; models are asked where there is a service."""
    recaller = KeptFigures(memory, repository)
    agents = by_rule(finder, StoredTables(repository, asking), asking=asking, recaller=recaller)
    return asking_models(agents, chat) if chat else agents


def asking_models(agents: AnalysisAgents, chat: ChatModel) -> AnalysisAgents:
    """Return the agents with models in front of the rules that they leave it to."""
    return replace(
        agents,
        understander=ModelUnderstander(chat, agents.understander),
        extractor=ModelExtractor(chat, agents.extractor),
        explainer=ModelExplainer(chat, agents.explainer),
        checker=ModelChecker(chat, agents.checker),
    )


# --- understanding -------------------------------------------------------------------------


class ModelUnderstander:
    """Reads a question with the writer model, where all of its words are the question's."""

    def __init__(self, chat: ChatModel, rule: Understander) -> None:
        self._chat = chat
        self._rule = rule

    async def understand(self, question: str) -> Understanding:
        """Return what the model reads where the rule reads another kind, or none."""
        by_rule = await self._rule.understand(question)
        if by_rule.display.asked:
            return by_rule  # which figures are to be drawn is no calculation
        asked = prompts.understanding(question)
        said = await _ask(self._chat, "writer", asked, prompts.UnderstoodReply)
        if not isinstance(said.reply, prompts.UnderstoodReply):
            return by_rule.model_copy(update={"usage": said.usage, "by_rule": said.why})
        if said.reply.kind == "unsure" or _is_same(said.reply, by_rule.wanted):
            return by_rule.model_copy(update={"usage": said.usage})
        if said.reply.kind == "none":
            return by_rule.model_copy(update={"usage": said.usage, "wanted": None})
        meant = _wanted(said.reply, question)
        if meant is None:
            return by_rule.model_copy(update={"usage": said.usage, "by_rule": texts.UNBORNE})
        return by_rule.model_copy(update={"usage": said.usage, "wanted": meant})


def _is_same(said: prompts.UnderstoodReply, rule: Wanted | None) -> bool:
    return rule is not None and said.kind == rule.kind


def _wanted(said: prompts.UnderstoodReply, question: str) -> Wanted | None:
    """Return what a model read, where every word and every time of it stands in the question."""
    kind = said.kind
    if kind == "none" or kind == "unsure":  # noqa: PLR1714 - mypy narrows so
        return None
    sides = [each for each in (_line(said.of), _line(said.against)) if each]
    told = [*sides, _line(said.by), *said.periods]
    spans = [[each.period for each in periods(text)] for text in said.periods]
    meant = [found[0] for found in spans if len(found) == 1]
    is_borne = _is_borne(told, question) and len(meant) == len(said.periods)
    if not (is_borne and set(meant) <= set(named(question)) and sides and about(sides[0])):
        return None
    if kind in PAIRS and len(sides) <= 1 and not (kind in OVER_TIME and len(meant) == 2):  # noqa: PLR2004 - a pair
        return None
    if kind in OVER_TIME and len(sides) == 1:
        meant = sorted(meant, key=lambda each: (each.year or 0, each.part), reverse=True)
    return Wanted(
        kind=kind,
        sides=sides,
        periods=meant,
        by=_line(said.by),
        top=max(0, min(said.top, MOST_TOP)) or (MOST_TOP if kind == "rank" else 0),
        lowest=bool(grammar.LOWEST.search(question)),
        forecasts=bool(grammar.FORECASTS.search(question)),
        counts=bool(grammar.COUNTING.search(question)),
        prices=bool(grammar.PRICING.search(question)),
        money=bool(grammar.MONEY.search(question)),
    )


def _is_borne(said: Iterable[str], source: str) -> bool:
    """Tell whether texts have no word and no figure that their source does not have."""
    words, figures = set(terms(source)), set(_FIGURE.findall(source))
    return all(set(terms(text)) <= words and set(_FIGURE.findall(text)) <= figures for text in said)


# --- figures -------------------------------------------------------------------------------


class ModelExtractor:
    """Chooses figures with the writer model where the words of the question do not settle it."""

    def __init__(self, chat: ChatModel, rule: Extractor) -> None:
        self._chat = chat
        self._rule = rule

    async def extract(
        self,
        question: str,
        wanted: Wanted,
        evidence: Sequence[EvidenceChunk],
        found: Operands | None,
    ) -> Extraction:
        """Return figures of the evidence by their ids; what was found where the model chooses none."""
        by_rule = await self._rule.extract(question, wanted, evidence, found)
        settled = found is not None and (found.is_sure or found.listed)
        offered = {} if settled else _offered(wanted, evidence)
        # A total of the figures that had room would be a wrong one.
        is_cut = wanted.kind not in PAIRS and len(offered) == MOST_OFFERED
        if not offered or is_cut or wanted.kind == "list":
            return by_rule
        asked = prompts.extracting(question, wanted, offered)
        said = await _ask(self._chat, "writer", asked, prompts.FiguresReply)
        if not isinstance(said.reply, prompts.FiguresReply):
            return by_rule.model_copy(update={"usage": said.usage, "by_rule": said.why})
        if not said.reply.groups:
            return by_rule.model_copy(update={"usage": said.usage})
        chosen = _chosen(said.reply, wanted, offered)
        if chosen is None:
            return by_rule.model_copy(update={"usage": said.usage, "by_rule": texts.UNBORNE})
        return Extraction(operands=chosen, usage=said.usage)


def _offered(wanted: Wanted, evidence: Sequence[EvidenceChunk]) -> dict[str, Figure]:
    """Return the figures to choose from by short ids, those with most words asked for first."""
    asked = frozenset(term for side in wanted.sides for term in about(side))
    held = pool(evidence, tables(evidence), wanted.periods)
    counted = [
        (len(asked & own), figure) for figure, own in zip(held.figures, held.own, strict=True)
    ]
    ranked = sorted((each for each in counted if each[0]), key=lambda each: -each[0])
    return {f"f{at}": figure for at, (_, figure) in enumerate(ranked[:MOST_OFFERED], 1)}


def _chosen(
    said: prompts.FiguresReply, wanted: Wanted, offered: Mapping[str, Figure]
) -> Operands | None:
    """Return the figures that were chosen; None where one is not there, or they are too few or many."""
    groups: list[Group] = []
    for each in said.groups[: MOST_TOP + 1]:
        ids = list(dict.fromkeys(each.figures))
        if not ids or len(ids) > MOST_TERMS or not set(ids) <= offered.keys():
            return None
        groups.append(_group(each.label, [offered[key] for key in ids]))
    is_pair = wanted.kind in PAIRS
    if len(groups) > MOST_TOP or (len(groups) > 1 and wanted.kind != "rank"):
        return None
    if any(is_pair and len(group.figures) != 2 for group in groups):  # noqa: PLR2004 - a pair
        return None
    if not all(_is_timely(figure, wanted) for group in groups for figure in group.figures):
        return None
    money = any(figure.currency for group in groups for figure in group.figures)
    return Operands(groups=groups, is_sure=False, is_whole=False, is_money=money)


def _group(label: str, figures: list[Figure]) -> Group:
    first = figures[0]
    said = " ".join(f"{each.metric} {each.entity} {each.said}" for each in figures)
    plain = _line(label)
    is_borne = bool(plain) and _is_borne([plain], said)
    return Group(label=plain if is_borne else first.entity or first.metric, figures=figures)


def _is_timely(figure: Figure, wanted: Wanted) -> bool:
    """Tell whether a figure is of a time that is asked for."""
    of_other = figure.period is not None and figure.period not in wanted.periods
    return not (wanted.periods and of_other)


# --- words ---------------------------------------------------------------------------------


class ModelExplainer:
    """Says results in words with the writer model, above the lines that show how they came about."""

    def __init__(self, chat: ChatModel, rule: Explainer) -> None:
        self._chat = chat
        self._rule = rule

    async def explain(
        self,
        question: str,
        lines: Sequence[Line],
        computed: Sequence[Computed],
        evidence: Sequence[EvidenceChunk],
    ) -> Explanation:
        """Return the lines behind the sentences that say nothing else than they do."""
        by_rule = await self._rule.explain(question, lines, computed, evidence)
        if not computed:
            return by_rule
        done = [each.calculation for each in computed]
        figures = [leaf for each in done for figure in each.inputs for leaf in figure.leaves]
        results = [f"{each.label}: {stated(each.calculation)}" for each in computed]
        said_of = list(dict.fromkeys(figure.said for figure in figures))[:MOST_TERMS]
        asked = prompts.explaining(question, results, said_of)
        said = await _ask(self._chat, "writer", asked, prompts.ExplainedReply)
        if not isinstance(said.reply, prompts.ExplainedReply):
            return by_rule.model_copy(update={"usage": said.usage, "by_rule": said.why})
        source = "\n".join([question, *results, *said_of, *map(shown, figures)])
        offered = [_sentence(each) for each in said.reply.sentences[:MOST_SENTENCES]]
        kept = [each for each in offered if each and _is_true(each, source, computed)]
        if not kept:
            why = texts.UNBORNE if any(offered) else ""
            return by_rule.model_copy(update={"usage": said.usage, "by_rule": why})
        cited = "".join(f"[{key}]" for key in dict.fromkeys(each.chunk_id for each in figures))
        told = [Line(text=f"{each} {cited}", kind="said") for each in kept]
        return Explanation(lines=[*told, *by_rule.lines], written=True, usage=said.usage)


def _sentence(text: str) -> str:
    """Return a sentence on one line, without what could be taken for a citation."""
    return " ".join(re.sub(r"[\[\]【】]", " ", inert(text[:SENTENCE_CHARS])).split())


def _is_true(sentence: str, source: str, computed: Sequence[Computed]) -> bool:
    """Tell whether a sentence has no figure and no name from nowhere, and goes the way of the result."""
    figures = {each.replace(",", "") for each in _FIGURE.findall(source)}
    known = source.casefold()
    if not {each.replace(",", "") for each in _FIGURE.findall(sentence)} <= figures:
        return False
    if any(found[0].casefold() not in known for found in _NAME.finditer(sentence)):
        return False
    changes = [each.calculation.result for each in computed if each.calculation.kind in _CHANGES]
    rises, falls = bool(_ROSE.search(sentence)), bool(_FELL.search(sentence))
    if len(changes) != len(computed) or rises == falls:
        return True
    return all(each >= 0 if rises else each <= 0 for each in changes)


class ModelChecker:
    """Looks answers over with the auditor model."""

    def __init__(self, chat: ChatModel, rule: QualityChecker) -> None:
        self._chat = chat
        self._rule = rule

    async def check(self, question: str, lines: Sequence[Line]) -> Verdict:
        """Return the faults that are lines of the answer."""
        by_rule = await self._rule.check(question, lines)
        asked = prompts.checking(question, [line.text for line in lines])
        said = await _ask(self._chat, "auditor", asked, prompts.QualityReply)
        if not isinstance(said.reply, prompts.QualityReply):
            return by_rule.model_copy(update={"usage": said.usage, "by_rule": said.why})
        there = [each for each in said.reply.faults if 0 < each.line <= len(lines)]
        faults = [
            Fault(line=lines[each.line - 1].text, why=clipped(inert(each.why), WHY_CHARS))
            for each in there[: len(lines)]
        ]
        return Verdict(faults=[*by_rule.faults, *faults], usage=said.usage)


# --- queries -------------------------------------------------------------------------------


class ModelQuerier:
    """Writes queries over whole tables with the writer model; what it writes is run by nobody unchecked."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    async def write(
        self, question: str, tables: Sequence[TableInfo], today: dt.date, refused: str
    ) -> WrittenQuery:
        """Return a query over one of the tables; none where they do not answer, or the model does not."""
        offered = [each for each in tables if _can_be_named(each)][:MOST_ASKED_TABLES]
        if not offered:
            return WrittenQuery()
        asked = prompts.querying(question, offered, today, refused)
        said = await _ask(self._chat, "writer", asked, prompts.QueryReply)
        if not isinstance(said.reply, prompts.QueryReply):
            return WrittenQuery(usage=said.usage, by_rule=said.why)
        chosen = next((each for each in offered if each.name == said.reply.table), None)
        if chosen is None or not said.reply.sql.strip():
            return WrittenQuery(usage=said.usage)
        return WrittenQuery(
            table=chosen.table_id, sql=said.reply.sql.strip().removesuffix(";"), usage=said.usage
        )


def querier_of(chat: ChatModel | None) -> ModelQuerier | None:
    """Return what writes queries where there is a model service."""
    return ModelQuerier(chat) if chat else None


def _can_be_named(table: TableInfo) -> bool:
    """Tell whether a model is shown a table's names as they are: nothing in them had to be defused."""
    names = [table.name, *(each.name for each in table.shape.columns)]
    return all(prompts.shown_name(each) == each for each in names)


def _line(text: str) -> str:
    return " ".join(inert(text[:SENTENCE_CHARS]).split())
