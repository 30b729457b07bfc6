import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.runtime import Runtime

from masis.domain import Critique, EvidenceChunk, Scores
from masis.errors import (
    EmbeddingError,
    MasisError,
    ModelServiceBusy,
    StoreLocked,
    StoreUnavailable,
)
from masis.graphs.codec import Codec, chunk_ids, decode_error, encode_error
from masis.graphs.common import Node, Update
from masis.graphs.research.agents import ResearchContext
from masis.graphs.research.graph import build
from masis.graphs.research.state import MASISInput, State
from tests.examples import examples
from tests.scripted_agents import (
    Cast,
    ScriptedCritic,
    ScriptedEvaluator,
    ScriptedResearcher,
    ScriptedSynthesizer,
    chunk,
    chunk_id,
    cited,
    critique,
)

QUESTION = "When does office number 0 open?"
CODEC = Codec(State)
encode, decode = CODEC.encode, CODEC.decode


class Recorder:
    """Keeps every node's update."""

    def __init__(self) -> None:
        self.updates: list[tuple[str, Update]] = []

    def wrap(self, name: str, node: Node) -> Node:
        async def step(state: Any, runtime: Runtime[ResearchContext]) -> Any:
            update = dict(await node(state, runtime))
            self.updates.append((name, update))
            return update

        return step


async def play(cast: Cast) -> list[tuple[str, Update]]:
    recorder = Recorder()
    asked = MASISInput(user_query=QUESTION, workspace_id="w").to_state()
    await build(recorder.wrap).ainvoke(asked, context=cast.context())
    return recorder.updates


def library(cast: Cast) -> dict[str, EvidenceChunk]:
    """Every chunk as the database has it: without scores."""
    found = (one for result in cast.researcher.results for one in result)
    scores = [
        name for name, field in EvidenceChunk.model_fields.items() if field.annotation is float
    ]
    bare = dict.fromkeys(scores, 0.0)
    return {one.chunk_id: one.model_copy(update=bare) for one in found}


def on_disk(update: Update) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(json.dumps(encode(update)))
    return kept


unit = st.floats(0, 1)
candidates = st.lists(
    st.builds(
        chunk,
        st.integers(0, 31),
        unit,
        cosine=unit,
        nearness=unit,
        coverage=unit,
        rank_score=unit,
    ),
    max_size=6,
)
words = st.sampled_from([cited(0), cited(1), "No claim at all.", "", f"Two. {cited(0)} {cited(2)}"])
critiques = st.none() | st.builds(
    Critique,
    confidence=unit,
    hallucination_detected=st.booleans(),
    unsupported_claims=st.lists(st.text(max_size=20), max_size=2),
    conflicting_evidence=st.lists(st.just(f"[{chunk_id(0)}] against [{chunk_id(1)}]"), max_size=1),
    needs_retry=st.booleans(),
)
scores = st.none() | st.builds(
    Scores, faithfulness=unit, relevance=unit, completeness=unit, reasoning_quality=unit
)
casts = st.builds(
    Cast,
    researcher=st.builds(ScriptedResearcher, st.lists(candidates, min_size=1, max_size=2)),
    synthesizer=st.builds(
        ScriptedSynthesizer,
        st.lists(words.filter(bool), min_size=1, max_size=3),
        max_context_chars=st.sampled_from([None, 200, 6000]),
    ),
    critic=st.builds(ScriptedCritic, st.lists(critiques, min_size=1, max_size=3)),
    evaluator=st.builds(ScriptedEvaluator, st.lists(scores, min_size=1, max_size=3)),
)


@settings(max_examples=examples(60), deadline=None)
@given(casts)
async def test_every_run_update_survives_round_trip(cast: Cast) -> None:
    """Every update of a run comes back as it was."""
    known = library(cast)
    for _, update in await play(cast):
        stored = on_disk(update)
        assert set(chunk_ids(stored)) <= set(known)
        assert decode(stored, known) == update


async def test_only_draft_step_stores_wording() -> None:
    """No step but the draft keeps words of a document."""
    secret = "The code of the safe is 4711, and nobody else may know it."
    cast = Cast(
        researcher=ScriptedResearcher([[chunk(n, text=f"{n} {secret}") for n in range(10)]]),
        critic=ScriptedCritic([critique(0.5), critique(0.9)]),
    )
    updates = await play(cast)
    kept = [json.dumps(encode(update)) for _, update in updates]
    assert {name for name, _ in updates} >= {"researcher", "critic", "evaluator"}
    assert not any("4711" in text for text in kept)
    assert sum(map(len, kept)) < 20_000


async def test_asked_by_name_mark_survives() -> None:
    """What was asked for by name stays marked."""
    begins = chunk(1, 0.0, asked_by_name=True)
    cast = Cast(researcher=ScriptedResearcher([[chunk(0)]], introduction=[begins]))
    known = library(cast) | {chunk_id(1): begins.model_copy(update={"asked_by_name": False})}
    updates = dict(await play(cast))
    assert decode(on_disk(updates["researcher"]), known) == updates["researcher"]
    best = decode(on_disk(updates["critic"]), known)["best_draft"]
    assert [each.asked_by_name for each in best.evidence] == [True, False]


async def test_draft_is_stored_once_per_step() -> None:
    """A draft is written down once a step."""
    updates = await play(Cast())
    for name in ("critic", "evaluator"):
        text = json.dumps(encode(dict(updates)[name]))
        assert text.count("opens at nine") == 1


async def test_deleted_chunk_is_left_out() -> None:
    """A chunk that is gone is left out."""
    cast = Cast(researcher=ScriptedResearcher([[chunk(0), chunk(1, text="Another thing.")]]))
    known = library(cast)
    del known[chunk_id(1)]
    for _, update in await play(cast):
        again = decode(on_disk(update), known)
        if "evidence" in update:
            assert [one.chunk_id for one in again["evidence"]] == [chunk_id(0)]
        if "best_draft" in update:
            kept = again["best_draft"]
            assert [one.chunk_id for one in kept.evidence] == [chunk_id(0)]
            assert kept.answer == update["best_draft"].answer


@pytest.mark.parametrize("value", [object(), (1, 2), {1: "x"}, {"$": "draft"}, b"x"])
def test_what_is_not_known_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="cannot be kept"):
        encode({"figures": {"new": value}})


@pytest.mark.parametrize(
    "error",
    [
        StoreUnavailable("The disk is full."),
        StoreLocked("Held."),
        EmbeddingError("No."),
        ModelServiceBusy("Later.", retry_after=3.5),
    ],
)
def test_own_error_survives_round_trip(error: MasisError) -> None:
    """An error of ours comes back as it was."""
    error.retryable = False
    again = decode_error(json.loads(json.dumps(encode_error(error))))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


@pytest.mark.parametrize("name", ["RunCancelled", "MasisError ", "os", ""])
def test_only_own_errors_are_restored(name: str) -> None:
    """Only errors of ours are made again."""
    stored = {"name": name, "message": "m", "retryable": True, "retry_after": None}
    assert type(decode_error(stored)) is MasisError


async def test_replacing_document_mark_survives() -> None:
    """Of which document a chunk's one is an older version stays known."""
    old = chunk(0, replaced_by="d_1")
    cast = Cast(researcher=ScriptedResearcher([[old]]))
    known = library(cast) | {chunk_id(0): chunk(0)}
    updates = dict(await play(cast))
    assert decode(on_disk(updates["researcher"]), known)["evidence"][0].replaced_by == "d_1"
