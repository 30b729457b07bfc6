"""The five steps. Each takes from the state, calls a building block, returns an update."""

import asyncio
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from langgraph.runtime import Runtime

from masis import run_figures
from masis.calculating import figure_follow_ups
from masis.calculating.asked_grammar import GENERIC
from masis.calculating.charts.asked_display import asked_display
from masis.codelists.described import described, description_of
from masis.codelists.row_texts import asks_of_rows
from masis.conversation import HEARD, Exchange
from masis.domain import (
    Answered,
    AskedBack,
    PlannedSearch,
    Question,
    SearchResult,
    Usage,
    Value,
    WorkspaceId,
)
from masis.filters import NO_FILTERS, Filters, parse
from masis.graphs.chat import last_answer, texts
from masis.graphs.chat.agents import ChatAgents, ChatContext, CodeNames, Probe, Reworder, Understood
from masis.graphs.chat.last_answer import Told, coded
from masis.graphs.chat.state import (
    Greeted,
    Intent,
    Planned,
    Recalled,
    Reply,
    Retold,
    Rewritten,
    Routed,
    ToGreet,
    ToPlan,
    ToRecall,
    ToRewrite,
    ToRoute,
)
from masis.graphs.common import Request, TraceEntry, made
from masis.phrases.answer_commands import Command, command, language, part
from masis.policy import Policy
from masis.questions import unclear
from masis.questions.question_audit import speaks_of_nothing
from masis.questions.replies import asks_meaning, is_wrong
from masis.questions.whole_forms.asked_wholes import asked_for
from masis.text.instructions import asks_contact, gives_contact
from masis.text.lexical import terms
from masis.words.chat_words import small_talk
from masis.words.countries import mentioned
from masis.words.thread_words import points_at_others

_SPECIAL: Final = frozenset({"analysis", "classification"})
"""Intents that ask back for themselves."""
PROBED: Final = 5
"""Candidates of a search that only tells where a message belongs."""
OFFERED_FROM: Final = 10
"""Candidates from which it is read what a question that does not say it could be about."""
SAYS_ENOUGH: Final = 3
"""Different words that can be searched; a question with more of them mostly stands alone."""
LENT_EARNS: Final = 0.06
"""How much nearer the documents must be with what a thread lends to a question that says enough. Of
117 questions about something else than the one before, to which rules lent something, 32 stayed as
they were without this and 105 with it, while of 72 follow-ups 56 and not 47 were read as a person did."""
LIKELY_FORGIVES: Final = 0.05
"""How much less near they may be for a short message whose words speak for what is lent."""
GOES_ON_NEAR: Final = 0.07
"""How much less near the documents of the last answer may be than the nearest: of 32 follow-ups where they
were within this, one of the nearest five of their passages had the answer of 24; of 51 further away of 19."""
RECENT: Final = 3
"""Exchanges in which the last answer stands, for a message to go on from it."""
FAR: Final = 0.5
"""Of the threshold: what is not as near as that asks nothing that the documents speak of."""


async def router(state: ToRoute, runtime: Runtime[ChatContext]) -> Routed:
    """Tell what the message wants: by rule where one does, else by how near the documents are."""
    context, asked = runtime.context, state["question"]
    thread = state["thread"]
    messages = await _recalled(state, context) if thread and thread.thread else []
    named = _files(asked, context)
    # That a code is not it asks for no wider search, which would give it once more.
    wrong = await _turned_down(asked.text, messages, state["workspace_id"], context)
    wanted = None if wrong else _wanted(state, messages)
    usage: run_figures.Figures = {}
    if state["request"].is_settled:
        intent, tier = _searching(named), "settled"
    elif named:
        intent, tier = "specific_doc_rag", "named"
    elif wanted:
        intent, tier = "last_answer", "rule"
    elif wrong is None and _is_courtesy(state, messages):
        intent, tier = "chat", "rule"
    else:
        intent, tier, usage = await _by_probe(state, messages, context)
    entry: TraceEntry = {"node": "router", "intent": intent, "tier": tier}
    entry |= {"exchanges": len(messages), "heard": len(state["request"].heard)}
    return {
        "messages": messages,
        "intent": intent,
        "targeted_docs": named,
        "command": wanted if intent == "last_answer" else None,
        "trace": [entry],
        "figures": usage,
    }


async def greeter(state: ToGreet, runtime: Runtime[ChatContext]) -> Greeted:
    """Answer small talk in a sentence, with questions that this workspace answers."""
    reply = await runtime.context.agents.greeter.greet(
        state["question"].text, state["workspace_id"]
    )
    entry = {"node": "greeter", "questions": len(reply.questions)}
    return {"reply": reply, "trace": [entry], "figures": {}}


async def recaller(state: ToRecall, runtime: Runtime[ChatContext]) -> Recalled:
    """Show the last answer as it is wanted, or ask its question once more with a wider search."""
    if not state["messages"]:
        return _nothing_before(state)
    context, asked, last = runtime.context, state["question"], state["messages"][-1]
    wanted, answers = state["command"], context.agents.answers
    run = await answers.run(state["workspace_id"], last.run_id)
    meant = _asked_again(asked, last, coded(run))
    given = last_answer.kept_answer(run)
    said, usage = await _said(wanted, given, asked.text, context.agents.reworder)
    entry = {"node": "recaller", "command": wanted, "of": last.run_id, "searches": said is None}
    return {
        "question": meant,
        "targeted_docs": _files(meant, context),
        "wider": said is None,
        "reply": said if isinstance(said, Reply) else None,
        "retold": said if isinstance(said, Retold) else None,
        "trace": [entry],
        "figures": run_figures.of_usage(usage),
    }


def _asked_again(asked: Question, last: Exchange, answer: Answered | None) -> Question:
    """Return the last question, of a code with all that was said on the way to it."""
    meant = asked.model_copy(update={"standalone": last.standalone})
    if answer is None or not answer.asked_back:
        return meant
    return meant.model_copy(update={"text": last.question, "asked_back": answer.asked_back})


def _nothing_before(state: ToRecall) -> Recalled:
    """Say that nothing was answered which could be shown, or searched, again."""
    return {
        "question": state["question"],
        "targeted_docs": [],
        "wider": False,
        "reply": Reply(text=texts.NO_ANSWER),
        "retold": None,
        "trace": [{"node": "recaller", "command": state["command"], "searches": False}],
        "figures": {},
    }


async def rewriter(state: ToRewrite, runtime: Runtime[ChatContext]) -> Rewritten:
    """Make the message a question that stands alone, by what the thread was about."""
    asked, context = state["question"], runtime.context
    messages = [*_heard(state["request"]), *state["messages"]]
    if (other := await _another_code(state, context)) is not None:
        trace: TraceEntry = {"node": "rewriter", "rewritten": True, "understood": other.standalone}
        return {"question": other, "wider": False, "trace": [trace], "figures": {}}
    alone = not messages or await _describes_alone(state, context)
    if state["request"].is_settled or alone:
        return {
            "question": asked,
            "wider": state["request"].wider,
            "trace": [{"node": "rewriter", "rewritten": False}],
            "figures": {},
        }
    typed, filters = parse(asked.standalone, context.field_keys)
    meant = await _meant(typed, messages, state["workspace_id"], context.agents)
    said, weighed = meant.carried, None
    if meant.alone != meant.carried and not (meant.is_sure and _says_nothing_alone(meant)):
        probe = context.agents.probe
        weighed = await _by_evidence(meant, probe, state["workspace_id"], filters)
        said = weighed.said
    # Capitals alone are no other question.
    said = typed if said.casefold() == typed.casefold() else said
    standalone = f"{said} {filters.written()}".strip() if filters else said
    entry = {"node": "rewriter", "rewritten": said != typed, "understood": said}
    entry |= weighed.model_dump(exclude={"said"}) if weighed else {}
    return {
        "question": asked.model_copy(update={"standalone": standalone}),
        "wider": meant.wider,
        "trace": [entry],
        "figures": run_figures.of_usage(meant.usage),
    }


async def planner(state: ToPlan, runtime: Runtime[ChatContext]) -> Planned:
    """Plan the searches: one for each document that is named, else one of all of them.

    No model words them anew: the researcher words each query by what documents say, and asks a model on a retry.

    Where nobody could say what is asked about, it is asked back with what it could be.
    """
    context = runtime.context
    typed, filters = parse(state["question"].standalone, context.field_keys)
    intent = await _special(typed, filters, state, context) or state["intent"]
    is_clear = state["request"].is_settled or filters or intent in _SPECIAL
    reply = None if is_clear else await _asking(typed, state, context)
    if reply is not None:
        asks = {"node": "planner", "asks": reply.options}
        return {
            "intent": intent,
            "semantic_queries": [],
            "reply": reply,
            "trace": [asks],
            "figures": {},
        }
    plan = await _searches(typed, filters, state, context)
    searches = [_shown(each) for each in plan]
    entry: TraceEntry = {"node": "planner", "plan": searches}
    entry |= {"intent": intent} if intent in _SPECIAL else {}
    return {
        "intent": intent,
        "semantic_queries": plan,
        "reply": None,
        "trace": [entry],
        "figures": {},
    }


async def _searches(
    typed: str, filters: Filters, state: ToPlan, context: ChatContext
) -> list[PlannedSearch]:
    """Return a search for each document that is named, or in which the thread goes on; else one of all."""
    if not filters and (documents := await _going_on(typed, state, context)):
        return [PlannedSearch(query=typed, document=name, goes_on=True) for name in documents]
    section = filters.sections[0] if filters.sections else ""
    return [
        PlannedSearch(query=typed, document=name, section=section)
        for name in state["targeted_docs"] or [""]
    ]


async def _going_on(typed: str, state: ToPlan, context: ChatContext) -> Sequence[str]:
    """Return the documents of the last answer, where they are about as near as any other to what is asked."""
    latest = reversed(state["messages"][-RECENT:])
    documents = next((each.documents for each in latest if each.documents), [])
    said = {term for term in terms(state["question"].text) if not speaks_of_nothing(term)}
    says_enough = len(said) > SAYS_ENOUGH
    if not documents or says_enough or state["request"].is_settled or state["question"].files:
        return []
    probe, workspace = context.agents.probe, state["workspace_id"]
    within = Filters(files=tuple(documents))
    any_, own = await asyncio.gather(
        *(
            probe.search(workspace, typed, limit=PROBED, question=typed, filters=where)
            for where in (NO_FILTERS, within)
        )
    )
    nearest = max(any_.candidates, key=lambda each: each.score, default=None)
    # Whom to tell of what was asked stands beside what was told of it.
    if asks_contact(state["question"].text) and any(
        gives_contact(each.text) for each in own.candidates
    ):
        return documents
    if nearest is None or nearest.document in documents:
        return []  # what speaks against them is to be seen beside them
    near = _nearest(own)
    is_near = near >= max(context.policy.threshold(0), nearest.score - GOES_ON_NEAR)
    # What another document says in more of the words is asked of that.
    return documents if is_near and _said_of(said, own) >= _said_of(said, any_) else []


# --- what a message wants --------------------------------------------------------------------


async def _recalled(state: ToRoute, context: ChatContext) -> list[Exchange]:
    return await context.agents.memory.recall(made(state["thread"]), state["workspace_id"])


def _wanted(state: ToRoute, messages: Sequence[Exchange]) -> Command | None:
    """Return what is wanted of the last answer; where none was given, one word alone asks of the documents."""
    text, request = state["question"].text, state["request"]
    may_be = bool(messages) or (
        state["thread"] is not None and not request.heard and len(text.split()) > 1
    )
    # Who does not understand, where others wrote since, may ask of what these wrote.
    may_be = may_be and not (request.heard and asks_meaning(text))
    wanted = command(text) if may_be and state["mode"] == "auto" else None
    # Figures are put into a table by asking for them once more.
    return None if wanted == "table" and figure_follow_ups.follow_up(text, messages) else wanted


def _files(asked: Question, context: ChatContext) -> list[str]:
    """The documents that the message names by `@`."""
    return list(parse(asked.standalone, context.field_keys).filters.files)


def _is_courtesy(state: ToRoute, messages: Sequence[Exchange]) -> bool:
    """Whether nothing is asked, not even for an answer to what others asked in the thread."""
    if state["mode"] != "auto":
        return False
    text, heard = state["question"].text, state["request"].heard
    said = small_talk(text, in_thread=bool(messages or heard))
    return bool(said) and not (heard and points_at_others(text))


def _searching(named: Sequence[str]) -> Intent:
    return "specific_doc_rag" if named else "direct_rag"


async def _by_probe(
    state: ToRoute, messages: Sequence[Exchange], context: ChatContext
) -> tuple[Intent, str, run_figures.Figures]:
    """Ask a model where the documents are neither near nor far; without one everything is searched."""
    agents, asked = context.agents, state["question"]
    if agents.router is None or state["mode"] != "auto":
        return "direct_rag", "search", {}
    found = await agents.probe.search(state["workspace_id"], asked.standalone, limit=PROBED)
    if not _is_between(found, context.policy):
        return "direct_rag", "search", {}
    routing = await agents.router.route(asked.text, messages)
    return routing.intent or "direct_rag", "model", run_figures.of_usage(routing.usage)


def _is_between(found: SearchResult, policy: Policy) -> bool:
    threshold = policy.threshold(0)
    best = max((chunk.score for chunk in found.candidates), default=0.0)
    return FAR * threshold <= best < threshold


# --- what the last answer becomes ------------------------------------------------------------


async def _said(
    wanted: Command | None, given: Told | None, typed: str, reworder: Reworder | None
) -> tuple[Reply | Retold | None, Usage]:
    """Return what is said of the answer; None where its question is searched once more."""
    if wanted == "wider" or wanted is None:
        return None, Usage()
    if given is None:
        return (None if wanted == "more" else Reply(text=texts.NO_ANSWER)), Usage()
    if wanted == "more":
        return None if given.unsure else last_answer.more(given), Usage()
    if wanted == "part":
        return _part(given, typed), Usage()
    if wanted in _SHOWN_AGAIN:
        return _SHOWN_AGAIN[wanted](given), Usage()
    into = language(typed) if wanted == "language" else ""
    return await _in_other_words(given, into, reworder, wanted)


_SHOWN_AGAIN: Final[dict[Command, Callable[[Told], Retold]]] = {
    "source": last_answer.sources,
    "list": last_answer.listed,
    "table": last_answer.tabled,
    "written": partial(last_answer.copied, lead=texts.WRITTEN),
}


def _part(given: Told, typed: str) -> Reply | Retold:
    """Show what the answer says of one thing, or say that it says nothing of it."""
    wanted = made(part(typed))
    if (found := last_answer.part(given, wanted)) is not None:
        return found
    return Reply(
        text=texts.NO_FIGURES if wanted.figures else texts.NO_PART.format(words=wanted.words)
    )


async def _in_other_words(
    given: Told, into: str, reworder: Reworder | None, wanted: Command
) -> tuple[Reply | Retold, Usage]:
    """Say the answer in another language or shorter: a model does, or its first point is shown."""
    if wanted == "language" and (reworder is None or not into):
        return Reply(text=texts.NO_LANGUAGE if reworder is None else texts.WHICH_LANGUAGE), Usage()
    if reworder is None:
        if wanted == "plainer":
            return last_answer.copied(given, texts.PLAINER), Usage()
        return last_answer.shorter(given), Usage()
    said = await reworder.reword(given.draft, into)
    sound = last_answer.reworded(given, said.text, into) if said.text else None
    if sound is not None:
        return sound, said.usage
    if into:
        return Reply(text=texts.NOT_REWORDED), said.usage
    return last_answer.shorter(given), said.usage


# --- what a message means --------------------------------------------------------------------


class _Weighed(Value):
    """What the evidence says of a message: what it means, and how near each reading is."""

    said: str
    carried: float
    alone: float


async def _meant(
    typed: str, messages: Sequence[Exchange], workspace_id: WorkspaceId, agents: ChatAgents
) -> Understood:
    """Understand a message with its names, and the thread's, as the documents write them."""
    if agents.names is None:
        return await agents.rewriter.rewrite(typed, messages)
    texts = [typed, *(each.standalone for each in messages), *(each.question for each in messages)]
    text, *others = await agents.names.written(workspace_id, texts)
    asked = zip(messages, others[: len(messages)], others[len(messages) :], strict=True)
    named = [
        each.model_copy(update={"standalone": standalone, "question": question})
        for each, standalone, question in asked
    ]
    return await agents.rewriter.rewrite(text, named)


def _heard(request: Request) -> list[Exchange]:
    """What others wrote in the thread, as if it had been asked: no step keeps a word of it."""
    return [
        Exchange(run_id="", question=text, standalone=text, status=HEARD) for text in request.heard
    ]


async def _by_evidence(
    meant: Understood, probe: Probe, workspace_id: WorkspaceId, filters: Filters
) -> _Weighed:
    """Search the question with what the thread lends it, and without; the nearer one is meant.

    What says enough by itself is taken as it is unless what is lent brings something much nearer, and
    whatever has words of its own where what is lent brings a passage that has fewer of them.
    """
    carried, alone = await asyncio.gather(
        *(
            probe.search(workspace_id, text, limit=PROBED, question=text, filters=filters)
            for text in (meant.carried, meant.alone)
        )
    )
    near, far = _nearest(carried), _nearest(alone)
    is_lent = (meant.is_sure or near - far >= _earned(meant)) and not _is_lost(
        meant, carried, alone
    )
    return _Weighed(said=meant.carried if is_lent else meant.alone, carried=near, alone=far)


def _is_lost(meant: Understood, carried: SearchResult, alone: SearchResult) -> bool:
    """Tell whether what is lent leads away from the words of the message, which documents have."""
    own = _own(meant)
    # A country is told in many ways: "UK" in the message, "United Kingdom" in the passage.
    own -= {term for each in mentioned(meant.alone) for term in terms(each.written)}
    # A figure is told by the step that holds it.
    own = set() if all(map(str.isdigit, own)) else own
    return bool(own) and _said_of(own, carried) < _said_of(own, alone)


def _says_nothing_alone(meant: Understood) -> bool:
    """Tell whether a message has no words of its own, or a pronoun in place of what it is about."""
    return not _own(meant) or bool(unclear.pronoun(meant.alone))


def _own(meant: Understood) -> set[str]:
    """Return the words of a message that passages can have."""
    if meant.changes_slot:
        return set()
    return {term for term in terms(meant.alone) if not speaks_of_nothing(term)} - GENERIC


def _said_of(own: set[str], found: SearchResult) -> int:
    """Count the words that one of the nearest passages has."""
    said = (set(terms(f"{each.title} {each.context} {each.text}")) for each in found.candidates)
    return max((len(own & words) for words in said), default=0)


def _earned(meant: Understood) -> float:
    """Return how much nearer the documents must be with what a thread lends."""
    if meant.is_whole or len(set(terms(meant.alone))) > SAYS_ENOUGH:
        return LENT_EARNS
    return -LIKELY_FORGIVES if meant.is_likely else 0.0


async def _special(
    typed: str, filters: Filters, state: ToPlan, context: ChatContext
) -> Intent | None:
    """Return what a question is for that asks for a code, or a whole table; None for any other."""
    if await _wants_code(typed, state, context):
        return "classification"
    return "analysis" if await _asks_tables(typed, filters, state, context) else None


async def _wants_code(typed: str, state: ToPlan, context: ChatContext) -> bool:
    """Tell whether something is described that has a code in a list of the workspace."""
    request, codes = state["request"], context.agents.codes
    if state["question"].asked_back:
        return True
    if codes is None or request.wider or request.question.reply or request.mode != "auto":
        return False
    of_rows = bool(request.question.files) and asks_of_rows(typed)
    if state["targeted_docs"]:
        return False
    if described(typed) is None and not of_rows:
        return await _tells_or_names(typed, state["workspace_id"], codes)
    names = await codes.names(state["workspace_id"])
    is_of_rows = of_rows and asks_of_rows(typed, names)
    return bool(names) and (is_of_rows or described(typed, names) is not None)


async def _tells_or_names(text: str, workspace_id: WorkspaceId, codes: CodeNames) -> bool:
    """Tell whether a code is named, or something told where all documents are code lists."""
    is_told = bool(description_of(text)) and await codes.are_all(workspace_id)
    return is_told or await codes.asked(workspace_id, text)


_GOES_ON: Final = re.compile(r"\s*(?:and|also|then|but|what about|how about)\b", re.IGNORECASE)


async def _describes_alone(state: ToRewrite, context: ChatContext) -> bool:
    """Tell whether a message describes something that wants a code: a thread lends such words no others."""
    text, codes = state["question"].text, context.agents.codes
    if codes is None or state["request"].mode != "auto":
        return False
    if described(text) is None:
        workspace_id = state["workspace_id"]
        if unclear.pronoun(text):
            return await codes.asked(workspace_id, text)  # a code may be a word like IT
        return await _tells_or_names(text, workspace_id, codes)
    names = await codes.names(state["workspace_id"])
    return bool(names) and described(text, names) is not None


async def _turned_down(
    text: str, messages: Sequence[Exchange], workspace_id: WorkspaceId, context: ChatContext
) -> Answered | None:
    """Return the last answer, where it gave a code and a message says that it is not it."""
    if not messages or context.agents.codes is None or not is_wrong(text):
        return None
    return coded(await context.agents.answers.run(workspace_id, messages[-1].run_id))


async def _another_code(state: ToRewrite, context: ChatContext) -> Question | None:
    """Return the question of the last answer with its code turned down, where a message says that."""
    asked, messages = state["question"], state["messages"]
    answer = await _turned_down(asked.text, messages, state["workspace_id"], context)
    if answer is None or answer.code is None:
        return None
    coded = answer.code
    titled = [*((each.title, each.code) for each in coded.below), (coded.title, coded.code)]
    given = [f"{title} ({code})" for title, code in titled]
    back = AskedBack(question=texts.CODE_GIVEN, options=given, reply=asked.text)
    last, before = messages[-1], answer.asked_back
    more = {"text": last.question, "standalone": last.standalone, "asked_back": [*before, back]}
    return asked.model_copy(update=more)


async def _asks_tables(typed: str, filters: Filters, state: ToPlan, context: ChatContext) -> bool:
    """Tell whether a whole table is asked; files that come with the question are read for themselves."""
    tables = context.agents.tables
    if tables is None or state["request"].is_settled or state["question"].files:
        return False
    said = asked_display(typed).rest or typed
    return await tables.is_asked(state["workspace_id"], said, filters.files)


async def _asking(typed: str, state: ToPlan, context: ChatContext) -> Reply | None:
    """Return the question back to one that has nothing but a pronoun to search by."""
    word = await asyncio.to_thread(unclear.pronoun, typed)
    if not word:
        return None
    # A list of things that are named says itself what the pronoun behind it stands for.
    whole = await asyncio.to_thread(asked_for, typed)
    if whole is not None:
        return None
    found = await context.agents.probe.search(
        state["workspace_id"], typed, limit=OFFERED_FROM, question=typed
    )
    options = unclear.options(typed, found.candidates)
    if len(options) <= 1 or _is_of_the_last(found, state):  # a choice
        return None
    return Reply(text=texts.what_is_meant(word, options), options=options)


def _is_of_the_last(found: SearchResult, state: ToPlan) -> bool:
    """Tell whether the documents of the last answer are among the nearest: in a thread that is meant."""
    last = state["messages"][-1:]
    near = {each.document for each in found.candidates[:PROBED]}
    return bool(last) and not near.isdisjoint(last[0].documents)


def _nearest(found: SearchResult) -> float:
    return max((chunk.score for chunk in found.candidates), default=0.0)


def _shown(planned: PlannedSearch) -> str:
    """A planned search, for the trail."""
    where = f" in {planned.document}" if planned.document else ""
    return f"{planned.query}{where}"


__all__ = ["ChatAgents", "greeter", "planner", "recaller", "rewriter", "router"]
